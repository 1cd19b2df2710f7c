"""What people say for the names of a game, where that is not the name itself.

In: the section `phrases` and what it may speak of. Out: each phrase by its name, and messages about those that speak
of nothing. Never: reads English, but for one thing: a question is told with "is", "has" and the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.words import is_clause
from rulebook.dsl.world import World
from rulebook.source import Span

HOLE = re.compile(r"\{([^{}]*)\}")


def phrases_of(world: World, functions: Mapping[str, ir.Function], found: list[Diagnostic]) -> dict[str, str]:
    """The phrases of a rulebook, and what is wrong with any."""
    made = {}
    takes = _takes(world)
    for name, phrase in world.authored.phrases.items():
        text = " ".join(phrase.text.text.split())
        if name not in takes:
            help = did_you_mean(name, takes)
            wanted = "kind, place, memory, attribute, value or rule"
            found.append(diagnose("RB301", phrase.key.span, wanted=wanted, name=name, help=help))
            continue
        found += _holes(name, phrase.text.span, text, takes[name])
        question = functions.get(f"values.{name}")
        if question is not None and t.members(question.type) == {t.YES_NO} and not _is_clause(text):
            help = f"Write it as what is so when the answer is yes, for example `{{p}} is {name.replace('_', ' ')}`."
            got, wanted = f"`{text}`", "a clause with `is`, `has`, `can` or the like"
            found.append(diagnose("RB401", phrase.text.span, what="This", wanted=wanted, got=got, help=help))
        made[name] = text
    return made


def _takes(world: World) -> dict[str, tuple[str, ...]]:
    """Every name that may have a phrase, and the parameters that may stand in it."""
    names: dict[str, tuple[str, ...]] = {}
    things = (world.authored.kinds, world.words, world.places, world.memories)
    for several in (*things, world.attributes, world.states, world.hooks):
        names.update(dict.fromkeys(several, ()))
    for signatures in (world.values, world.rules):
        names.update({name: tuple(one.name for one in of.parameters) for name, of in signatures.items()})
    return names


def _holes(name: str, span: Span, text: str, parameters: tuple[str, ...]) -> Iterator[Diagnostic]:
    for hole in HOLE.findall(text):
        if hole not in parameters:
            help = did_you_mean(hole, parameters) or f"`{name}` is given nothing."
            yield diagnose("RB304", span, name=hole, help=help)


def _is_clause(text: str) -> bool:
    hole = HOLE.match(text)
    behind = text[hole.end() :] if hole is not None else ""
    return bool(behind.startswith(" ") and behind.strip()) or is_clause(text)
