"""What players were offered and what they chose, under names that people read.

In: counts by the keys of options, a program. Out: rows. Never: one row for each value that a label may name, or for
each card: what became of a card is counted for itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.program import Program

__all__ = ["choices", "kinds_to_play", "option_name", "told_apart"]


def option_name(program: Program, key: str) -> str:
    """What people call what a key stands for: `card:pearls`, `action:buy`, `word:euro`, `label:Keep it`."""
    sort, _, id = key.partition(":")
    if sort == "card":
        return program.definitions.get(id, id)
    if sort == "action" and id in program.actions:
        return program.names[program.cards + program.actions.index(id)]
    if sort == "word":
        return next((words[id] for words in program.words.values() if id in words), id)
    return id


def choices(counts: Mapping[str, Sequence[int]], program: Program) -> list[dict[str, Any]]:
    """How often each was offered and chosen, the most offered first; cards of one kind together."""
    kinds = dict(zip(program.definition, program.kind, strict=True))
    found: dict[str, list[int]] = {}
    different: Counter[str] = Counter()
    for key, (offered, chosen) in counts.items():
        sort, _, id = key.partition(":")
        about = f"kind:{kinds[id]}" if sort == "card" and id in kinds else key
        row = found.setdefault(about, [0, 0])
        row[0] += offered
        row[1] += chosen
        different[about] += 1
    rows = []
    for about, (offered, chosen) in sorted(found.items(), key=lambda one: (-one[1][0], one[0])):
        sort, _, id = about.partition(":")
        cards = f" ({different[about]} card{'' if different[about] == 1 else 's'})"
        name = program.looks.called(id) + cards if sort == "kind" else option_name(program, about)
        rows.append({"option": about, "name": name, "offered": offered, "chosen": chosen})
    return rows


def told_apart(program: Program, rows: Iterable[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Rows about cards, given by their ids; where cards of several kinds have one name, with the kind behind it."""
    kinds = dict(zip(program.definition, program.kind, strict=True))
    found = list(rows)
    together: dict[str, set[str]] = {}
    for id, row in found:
        together.setdefault(row["name"], set()).add(kinds.get(id, ""))
    return [
        row | {"name": f"{row['name']} ({program.looks.called(kinds[id])})"}
        if id in kinds and len(together[row["name"]]) > 1
        else row
        for id, row in found
    ]


def kinds_to_play(rulebook: ir.Rulebook) -> frozenset[str]:
    """The kinds of cards that some script lets players choose out of places of their own."""
    found: set[str] = set()
    for script in rulebook.scripts.values():
        for one in nodes(script.body):
            for source in one.sources if isinstance(one, ir.Pick) else ():
                found |= _kinds(source.list.type) & _own(rulebook, source.list)
    return frozenset(found)


def _kinds(listed: t.Type) -> set[str]:
    """The kinds of the cards in a list, or in a list of lists."""
    if isinstance(listed, t.ListOf):
        return _kinds(listed.item)
    return {kind for one in t.members(listed) if isinstance(one, t.Card) for kind in one.kinds}


def _own(rulebook: ir.Rulebook, listed: ir.Expr) -> set[str]:
    """The kinds of cards that lie in the places of players that a list is made of."""
    left: list[Any] = [listed]
    known: set[str] = set()
    found: set[str] = set()
    while left:
        for node in nodes(left.pop()):
            if isinstance(node, ir.PlaceOf) and node.name in rulebook.places:
                place = rulebook.places[node.name]
                found |= set(place.holds) if place.owner == "player" else set()
            elif isinstance(node, ir.CallValue) and node.function not in known:
                known.add(node.function)
                function = rulebook.functions.get(node.function)
                left += [] if function is None else [function.body]
    return found
