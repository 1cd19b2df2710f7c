"""Names in colours: which cards and words have one, by what people read.

In: the hints of a rulebook. Out: a colour for each name. Never: looks at a game; a card that nobody sees has no name on
any page, and so no colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.interpreter.program import Program
from rulebook.printing import visible


def tints(program: Program) -> dict[str, str]:
    """The colour of each card and word that has one, by its name; none where things of one name differ in it."""
    found: dict[str, set[str]] = {}
    for name, colour in (*_cards(program), *_words(program)):
        found.setdefault(visible(name), set()).add(colour)
    return {name: colours.pop() for name, colours in found.items() if len(colours) == 1 and "" not in colours}


def _cards(program: Program) -> Iterator[tuple[str, str]]:
    for id, name in program.definitions.items():
        if id in program.definition:
            copy = program.definition.index(id)
            printed = {attribute: values[copy] for attribute, values in program.attributes.items()}
            yield name, _colour(program, program.kind[copy], printed)


def _words(program: Program) -> Iterator[tuple[str, str]]:
    for words in program.words.values():
        for word, name in words.items():
            yield name, _colour(program, word, {})


def _colour(program: Program, name: str, printed: Mapping[str, Any]) -> str:
    said = {name}
    for value in printed.values():
        said |= {one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)}
    return next((colour for names, colour in program.looks.colours if names & said), "")
