"""The changes of another form of a game, as people at a table say them: a sentence or two, then rule by rule.

In: two games that were asked for, with their house rules. Out: sentences, and rules that are told otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.classes import frozen
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.options import setting_text
from rulebook.loading import CheckedGame

Settled = Mapping[str, Any]


def sum_up_change(before: CheckedGame, after: CheckedGame, base: Settled, changed: Settled) -> Iterator[str]:
    """Say what each variant is about, and what house rules are: before, and after."""
    known = {variant.id for variant in before.variants}
    for variant in after.variants:
        if variant.id not in known:
            yield f"With {variant.name}: {variant.about or 'see rule by rule.'}"
    for name, option in after.rulebook.options.items():
        if name in base and base[name] != changed[name]:
            old = setting_text(before.rulebook.options[name], base[name], before.rulebook.units)
            new = setting_text(option, changed[name], after.rulebook.units)
            yield f"{option.text or name}. As it is: {old}. Changed: {new}."


@frozen
class ChangedRule:
    """A rule as it was, and as it is now; None where it is new, or gone."""

    name: str
    base: str | None
    changed: str | None


def list_changed_rules(before: CheckedGame, after: CheckedGame) -> Iterator[ChangedRule]:
    """List what is told otherwise: its name, and in English what it says as it is, and changed; None where it is not
    there."""
    old, new = _map_tellings(before.rulebook), _map_tellings(after.rulebook)
    changed = {key: (old.get(key), new.get(key)) for key in (*old, *new) if old.get(key) != new.get(key)}
    texts = [now[1] for _, now in changed.values() if now is not None and now[1]]
    for was, now in changed.values():
        # What only repeats another rule that is told by itself says nothing new.
        if now is None or not any(text in now[1] and text != now[1] for text in texts):
            name, *_ = now or was or ("",)
            yield ChangedRule(name, was and was[1], now and now[1])


def find_changed_sentence(before: Rulebook, after: Rulebook) -> tuple[str, str] | None:
    """Find the only sentence that is told otherwise, as it is afterwards, and the name of the rule in which it stands;
    None if there are several, or none."""
    old, new = _map_tellings(before), _map_tellings(after)
    changed = list[tuple[str, str]]()
    for key, (name, text) in new.items():
        was = _split_text(old.get(key, ("", ""))[1])
        changed += [(name, sentence) for sentence in _split_text(text) if sentence not in was]
    # The same words may stand in a rule and where it is repeated.
    return changed[0] if len({sentence for _, sentence in changed}) == 1 else None


def _split_text(text: str) -> list[str]:
    return re.split(r"(?<=[.!?:]) (?=[A-Z“])", text)


def _map_tellings(rulebook: Rulebook) -> dict[tuple[str, str], tuple[str, str]]:
    # To learn English takes time, and few commands need it.
    from rulebook.english.prose import print_lines
    from rulebook.english.sheet import Sheet

    sheet = Sheet(rulebook)
    rules = {("Result", ""): ("Who wins", sheet.tell_result())}
    rules |= {(entry.sort, entry.id): (entry.name, sheet.tell_entry(entry)) for entry in sheet.list_entries()}
    return {key: (name, " ".join(print_lines(lines).split())) for key, (name, lines) in rules.items()}
