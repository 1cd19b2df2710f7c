"""`rulebook show GAME --options`: every house rule, what it may be, and what is forbidden.

In: a checked rulebook, and how wide a line may be. Out: lines. Never: sets a house rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulebook.dsl.ir import OptionDef, Rulebook


def house_rules(rulebook: Rulebook, columns: int, title: Callable[[str], str]) -> list[str]:
    """A head for each option, as one would set it, then what it is and what it may be; then what is forbidden."""
    from rulebook.dsl.settling.options import setting_text
    from rulebook.printing import visible
    from rulebook.table.columns import wrapped

    if not rulebook.options:
        return [f"{rulebook.title} has no house rules."]
    lines = wrapped(f"{rulebook.title}: house rules as they are, unless set with --set NAME=VALUE", columns)
    lines = [title(line) for line in lines]
    for option in rulebook.options.values():
        lines += ["", title(f"{option.name}={setting_text(option, option.default, rulebook.units)}")]
        for words in filter(None, (visible(option.text), _takes(rulebook, option))):
            lines += _indented(words, columns, "  ")
    if rulebook.forbid:
        lines += ["", title("Forbidden"), *_forbidden(rulebook, columns)]
    return lines


def _takes(rulebook: Rulebook, option: OptionDef) -> str:
    """What it may be; a choice that people read otherwise with the words that they read."""
    from rulebook.dsl.settling.options import choices_of, wanted
    from rulebook.dsl.types import Symbol, in_order
    from rulebook.printing import visible

    lists = [one.enumeration for one in in_order(option.type) if isinstance(one, Symbol)]
    read = {word: text for name in lists for word, text in rulebook.words[name].items()}
    text = wanted(option, rulebook.units)
    for choice in choices_of(option):
        words = read.get(choice) if isinstance(choice, str) else None
        if isinstance(choice, str) and words is not None and words.casefold() != choice.casefold().replace("_", " "):
            text = text.replace(f"`{choice}`", f"{choice} ({visible(words)})")
    return text.replace("`", "")


def _forbidden(rulebook: Rulebook, columns: int) -> Iterator[str]:
    from rulebook.printing import visible

    for one in rulebook.forbid:
        yield from _indented(f"{visible(one.reason)}:", columns, "  ")
        if one.condition.at is not None:
            yield from _indented(one.condition.at.scalar.text, columns, "    ")


def _indented(text: str, columns: int, indent: str) -> list[str]:
    from rulebook.table.columns import wrapped

    return [indent + line for line in wrapped(text, columns - len(indent))]
