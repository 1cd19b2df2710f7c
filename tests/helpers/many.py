"""Games with very many of one thing that can be declared, to see that twice as many take twice as long.

In: how many. Out: for each sort of thing, the files of such a game by their paths. Never: anything that is wrong, but
where the name says so.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["MANY"]

SECTIONS = {
    "kinds": "  a: {has: {r: number}}\n",
    "cards": "  b: {kind: a, r: 1}\n",
    "places": "  table:\n    heap: {holds: a, kept: pile, seen_by: everyone}\n",
    "memory": "  table:\n    total: 0\n",
    "rules": "  game: move cards to heap\n",
}


def game(**more: str) -> dict[str, str]:
    """The files of a small game that also declares this."""
    text = "format: 1\nname: Many\nplayers: 2..3\nresult: {payoff(p): 0}\n"
    for name in dict.fromkeys([*SECTIONS, *more]):
        text += f"{name}:\n{SECTIONS.get(name, '')}{more.get(name, '')}"
    return {"rulebook.yaml": text}


def lines(line: str, many: int) -> str:
    """A line for each number; `#` is where it stands, and `@` the next one."""
    return "".join(line.replace("#", str(n)).replace("@", str(n + 1)) + "\n" for n in range(many))


def section(name: str, line: str, first: str = "", last: str = "") -> Callable[[int], dict[str, str]]:
    """A game that has so many such lines in a section."""
    return lambda many: game(**{name: first + lines(line, many) + last})


MANY: dict[str, Callable[[int], dict[str, str]]] = {
    "kinds": section("kinds", "  k#: {}"),
    "kinds below one": section("kinds", "  k#: {is: a}"),
    "kinds with an attribute": section("kinds", "  k#: {has: {x#: number}}"),
    "kinds with the same attribute": section("kinds", "  k#: {has: {same: number}}"),
    "kinds with a state": section("kinds", "  k#: {state: {s#: no}}"),
    "kinds with the same state": section("kinds", "  k#: {state: {same: no}}"),
    "kinds with a question": section("kinds", "  k#: {asks: {q#(me): {type: yes_no, default: yes}}}"),
    "kinds with the same question": section("kinds", "  k#: {asks: {same(me): {type: yes_no, default: yes}}}"),
    "kinds with a place": section("kinds", "  k#: {places: {p#: {holds: a, kept: pool}}}"),
    "kinds with companions": section("kinds", "  k#: {comes_with: {c#: a}}", "  z: {has: {y: 1}}\n"),
    "kinds with a card": lambda many: game(kinds=lines("  k#: {}", many), cards=lines("  c#: {kind: k#}", many)),
    "attributes": section("kinds", "      x#: number", "  z:\n    has:\n"),
    "states": section("kinds", "      x#: no", "  z:\n    state:\n"),
    "cards": section("cards", "  c#: {kind: a, r: #}"),
    "cards that copy": section("cards", "  c#: {copy: b}"),
    "cards whose copies are counted": section("cards", "  c#: {copy: b, copies: count(players)}"),
    "cards with something reckoned": section("cards", "  c#: {kind: a, r: count(players) + #}"),
    "cards in a table of copies": section("cards", "        #: 1", "  d:\n    kind: a\n    copies:\n      r:\n"),
    "places": section("places", "    p#: {holds: a, kept: pile, seen_by: everyone}"),
    "grids": section("places", "    p#: {holds: a, kept: grid, size: [count(players), 2]}"),
    "memories": section("memory", "    m#: 0"),
    "options": section("options", "  o#: {type: yes_no, default: no}"),
    "steps": section("options", "      #: #", "  o:\n    type: steps\n    default:\n"),
    "lists of words": section("words", "  w#: [a#, b#]"),
    "words": section("words", "    - a#", "  w:\n"),
    "values": section("values", "  v#(): #"),
    "values that ask one": section("values", "  v#(p): one(p) + total", "  one(p): 1\n"),
    "lines of a value": section("values", "    line #: #", "  v():\n"),
    "rules": section("rules", "  r#: win nobody"),
    "rules that do the next": lambda many: game(rules=lines("  r#: do r@", many) + f"  r{many}: win nobody\n"),
    "rules that do the next twice": lambda many: game(
        rules=lines('  r#: "do r@\\ndo r@"', many) + f"  r{many}: add 1 to total\n"
    ),
    "rules that do one": section("rules", "  r#: do one", "  one: add 1 to total\n"),
    "rules with a stage": section("rules", '  r#: "stage s#:\\n  add 1 to total"'),
    "actions": section("actions", "  x#: {effect: win me}"),
    "things forbidden": lambda many: game(
        options="  o: {type: 1..9, default: 3}\n", forbid=lines("  Reason #: options.o > 8", many)
    ),
    "measures": section("measures", "  m#: total"),
    "phrases": section("phrases", "  p#: hello"),
    "units": section("units", "  u@: @"),
    "files": lambda many: game() | {f"f{n}.yaml": f"values: {{v{n}(): {n}}}\n" for n in range(many)},
    "scenarios": lambda many: (
        game() | {"scenarios/a.yaml": lines("s#: {players: [Ana, Ben], expect: [total is 0]}", many)}
    ),
    "unknown names": section("values", "  v#(): nowhere_#"),
    "names that are there twice": lambda many: game(
        values=lines("  v#(): 1", many), rules=lines("  v#: win nobody", many)
    ),
    "attributes called like values": lambda many: game(
        values=lines("  v#(): 1", many), kinds="  z:\n    has:\n" + lines("      v#: number", many)
    ),
    "names that are none": section("values", "  V#(): 1"),
    "entries that do not fit": section("options", "  o#: [a]"),
}
