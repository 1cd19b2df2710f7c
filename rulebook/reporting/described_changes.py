"""A comparison in words and tables, before anybody has decided whether a terminal or a page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulebook.comparing.in_english import ChangedRule
from rulebook.reporting.change_words import name_measure, word_difference, word_size, word_value
from rulebook.reporting.changes import answer_changes
from rulebook.reporting.described import Item, Lines, Table, describe_ladder, name_levels, percent
from rulebook.reporting.merging import SAID
from rulebook.reporting.records import Comparison, Holder, Measure, Points
from rulebook.reporting.standing_out import count_games

_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z•])")
_WAYS = {"dealt": "was dealt it", "got": "got it", "played": "played it", "held": "held it at the end"}


def list_heads_of_change(found: Comparison) -> Iterator[str]:
    """Name what was played: the game, what is changed in it, how many games."""
    rules = found.changed
    what = ", ".join([*found.variants, *(f"{name}={value}" for name, value in rules.options.items())])
    what = f"without {' and '.join(rules.without)}" if rules.without else f"with {what}"
    if found.play is not None:
        yield f"{found.title} as it is and {what}: {found.players} players, seed {found.seed}"
        yield name_levels(found.play.levels)
        yield SAID
    else:
        bots, games = " and ".join(dict.fromkeys(found.bots)), count_games(found.games)
        played = f"{found.players} players ({bots}), {games} of each, seed {found.seed}"
        yield f"{found.title} as it is and {what}: {played}"
    if found.base.rules == found.changed.rules:
        yield "The rules are the same: nothing that was asked for changes how this game is played."


def list_rules_changed(rows: Sequence[ChangedRule]) -> Iterator[list[str]]:
    """List rule by rule its name, what was said, and what is said now, without what stays; of what is gone the name."""
    known = {one.base for one in rows}
    for one in rows:
        if one.base and f"“{one.name} as it was”" in (one.changed or ""):
            yield [f"{one.name}.", f"Now: {one.changed}"]
        elif one.base and one.changed:
            old, new = (
                [text.removeprefix("• ") for text in _SENTENCE.split(side)] for side in (one.base, one.changed)
            )
            was, now = (
                " ".join(text for text in mine if text not in other)
                for mine, other in ((old, new), (new, old))
            )
            if not was and not now:
                yield [f"{one.name}.", "The same sentences, in another order or below other conditions."]
                continue
            told = [f"Was: {was}", f"Now: {now}"] if was and now else [f"No longer: {was}"] if was else [f"Also: {now}"]
            yield [f"{one.name}.", *told, *(["The rest of the rule stays."] if {*old} & {*new} else [])]
    yield from (
        [f"New: {one.name}.", *([one.changed] if one.changed else [])]
        for one in rows
        if one.base is None and one.changed not in known
    )
    gone = [one.name for one in rows if one.changed is None]
    if gone:
        yield ["Gone:", f"{', '.join(gone)}."]


def describe_change(found: Comparison, base: Points) -> Iterator[Item]:
    """Answer what the change does; then the table, what it takes to know more, and a deal. `base` puts points into
    words.
    """
    yield answer_changes(found, base)
    if found.play is not None:
        yield describe_ladder(found.play.ladder, base)
        commands = [found.command, *(one.command for one in found.play.levels)]
        yield Lines(commands, "the same again, and one level with examples", are_commands=True)
        return
    yield from _describe_holders(found.holders) if found.holders is not None else ()
    heads = ("", "as it is", "without" if found.changed.without else "changed", "difference", "range")
    rows = [word_measure(one, base) for one in found.measures if one.base or one.changed]
    remarks = ["* more than chance, also among so many lines"]
    yield Table("", heads, rows, remarks=remarks)
    yield Lines([*_word_deals(found)])
    for one in found.changed_winners.examples[:1]:
        seeds = len(found.changed_winners.seeds)
        title = f"a deal that somebody else won (of {seeds}; --json lists them)"
        yield Lines([one.replay_base, one.replay_changed], title, are_commands=True)


def _word_deals(found: Comparison) -> Iterator[str]:
    moved = found.changed_winners
    yield f"{count_games(moved.games)} ({percent(moved.share)}) had other winners on the same deal."


def _describe_holders(rows: Sequence[Holder]) -> Iterator[Item]:
    """Compare the wins of those who had a card with those on the same deals without it."""
    shown = []
    for one in rows:
        difference, mark = one.difference, "*" if one.tells else " "
        between = f"{100 * one.sure_low:+.1f} to {100 * one.sure_high:+.1f}{mark}"
        shares = percent(one.with_it), percent(one.without), f"{100 * difference.value:+.1f}"
        shown.append((f"who {_WAYS[one.way]} wins", f"{one.deals:,}", *shares, between))
    if shown:
        yield Table("", ("", "deals", "with it", "without", "it adds", "range"), shown)
    else:
        yield Lines(["Nobody ever had it."])


def word_measure(one: Measure, points: Points) -> tuple[str, ...]:
    """Put a measure into words: its name, as it is, changed, the difference, and its interval with a mark."""
    name = name_measure(one)
    sides = (f"{word_value(one, side, points)}{'%' if one.is_rate else ''}" for side in (one.base, one.changed))
    low, high = (word_size(one, end, points) for end in (one.sure_low, one.sure_high))
    size, mark = word_difference(one, points), "*" if one.tells else " "
    return name[:1].lower() + name[1:], *sides, size, f"{low} to {high}{mark}"
