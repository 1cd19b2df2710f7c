"""Rulebooks as records: what is understood, and the place of every mistake."""

import pytest

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.document import Layered, Mapping, Scalar, Sequence, find_layers
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.schema import Authored, Field
from rulebook.dsl.structuring.structure import structure
from rulebook.library import bundled
from rulebook.source import SourceFile

HEAD = "format: 1\nname: Game\nplayers: 2..4\n"
LINES = HEAD.count("\n")


def made(text: str, head: str = HEAD) -> tuple[Authored | None, list[Diagnostic]]:
    merged, found = read_map(SourceFile("rulebook.yaml", head + text))
    assert merged is not None, found
    assert found == []
    return structure(merged, "game", {"rulebook.yaml": head + text})


def good(text: str) -> Authored:
    authored, found = made(text)
    assert found == []
    assert authored is not None
    return authored


def bad(text: str) -> list[str]:
    """The messages as `CODE line:column`, lines counted in the text alone."""
    spans = [(each.code, each.span) for each in made(text)[1]]
    return [f"{code} {span.line - LINES}:{span.column}" for code, span in spans if span is not None]


def one(text: str) -> Diagnostic:
    (found,) = made(text)[1]
    return found


# What is understood


def test_the_smallest_rulebook() -> None:
    authored = good("")
    assert (authored.id, authored.name, authored.players) == ("game", "Game", (2, 3, 4))
    assert (authored.cards, authored.values, authored.result.rank) == ({}, (), None)
    assert authored.source == {"rulebook.yaml": HEAD}


def test_units_and_words() -> None:
    authored = good("units: {cent: 1, CU: 100}\nwords: {currency: {dollar: US Dollar}, topic: [late_nights, food]}\n")
    assert authored.units == {"cent": 1, "CU": 100}
    assert authored.words == {
        "currency": {"dollar": "US Dollar"},
        "topic": {"late_nights": "Late nights", "food": "Food"},
    }


def test_options_have_types_of_every_sort() -> None:
    options = good(
        "options:\n"
        "  rounds: {type: 1..9, default: 3, text: Rounds}\n"
        "  limit: {type: amount, default: 500 CU}\n"
        "  mode: {type: [A, any, x1, none, 1, yes], default: A}\n"
        "  table:\n"
        "    type: steps\n"
        "    default: {3: 3, 4: 5}\n"
    ).options
    assert (options["rounds"].type.low, options["rounds"].type.high, options["rounds"].text) == (
        1,
        9,
        "Rounds",
    )
    assert options["limit"].type.words == "amount"
    assert options["mode"].type.choices == ("A", "any", "x1", None, 1, True)
    assert isinstance(options["table"].default, Mapping)


def test_a_kind_in_full() -> None:
    kind = good(
        "kinds:\n"
        "  guest:\n"
        "    is: arrival\n"
        "    has: {corner: [2, 3, none], stays: {type: yes_no, default: no}, likes: set of topic}\n"
        "    state: {exposed: no, declared: {type: topic, lasts: round, seen: with_face, seen_by: nobody}}\n"
        "    places: {purses: {holds: purse, kept: pool, seen_by: everyone}}\n"
        "    asks: {innocent(me): conditions, playable(me): {type: yes_no, default: yes}}\n"
        '    does: {"ability(me, guest mark)": }\n'
        "    may_do: {payday(me): }\n"
        "    may_change: [corner]\n"
        "    comes_with: {tile: arrival}\n"
        "  arrival:\n"
    ).kinds["guest"]
    assert kind.key.text == "guest"
    assert kind.parent is not None and kind.parent.text == "arrival"
    types = {name: each.type for name, each in kind.has.items()}
    assert types["corner"] is not None and types["corner"].choices == (2, 3, None)
    assert types["likes"] is not None and types["likes"].words == "set of topic"
    assert isinstance(kind.has["stays"].start, Scalar)
    assert kind.state["exposed"].type is None
    declared = kind.state["declared"]
    assert declared.lasts is not None
    assert (declared.lasts.text, declared.seen_by, declared.with_face) == ("round", "nobody", True)
    assert kind.places["purses"].key.text == "purses"
    assert [hook.key.text for hook in kind.asks] == ["innocent(me)", "playable(me)"]
    assert kind.asks[1].type is not None and kind.asks[1].type.words == "yes_no"
    assert kind.does[0].key.text == "ability(me, guest mark)"
    assert (kind.may_do[0].type, kind.may_do[0].default) == (None, None)
    assert [each.text for each in kind.may_change.names] == ["corner"]
    assert kind.comes_with["tile"].text == "arrival"


@pytest.mark.parametrize("value", ["0", "-5", "0 CU", "500CU", "yes", "no", "[]", "[a, b]"])
def test_memory_starts_with_a_value(value: str) -> None:
    field = memory(value)
    assert field.type is None
    assert isinstance(field.start, Scalar | Sequence)


@pytest.mark.parametrize("words", ["player", "set of topic", "yes_no", "number"])
def test_memory_has_a_type_and_starts_as_nothing(words: str) -> None:
    field = memory(words)
    assert field.start is None
    assert field.type is not None and field.type.words == words


def memory(text: str) -> Field:
    return good(f"memory: {{table: {{x: {text}}}}}\n").memory.table["x"]


def test_places_in_full() -> None:
    authored = good(
        "places:\n"
        "  table:\n"
        "    board: {holds: [a, b], kept: grid, size: [3, side()], opened_at_end: yes, counted: owner}\n"
        "    deck: {holds: a, kept: pile, seen_by: {by: options.order, x: top, y: owner}, refill: heap}\n"
        "  player:\n"
        "    area: {holds: a, kept: row, recall: {by: options.aid, yes: yes, no: no}}\n"
        "    aside: {holds: a, kept: row, recall: no}\n"
    )
    board, deck = authored.table_places["board"], authored.table_places["deck"]
    assert [each.text for each in board.holds] == ["a", "b"]
    assert board.size is not None and len(board.size) == 2
    assert isinstance(board.opened_at_end, Scalar) and board.opened_at_end.text == "yes"
    assert (board.recall, deck.opened_at_end, deck.counted) == (None, None, None)
    assert isinstance(board.counted, Scalar) and board.counted.text == "owner"
    assert deck.kept.text == "pile" and isinstance(deck.seen_by, Mapping)
    assert deck.refill is not None and deck.refill.text == "heap"
    assert isinstance(authored.places.player["area"].recall, Mapping)
    aside = authored.places.player["aside"]
    assert isinstance(aside.recall, Scalar) and aside.recall.text == "no"


def test_a_card_keeps_its_fields_as_written() -> None:
    card = good("cards:\n  goblin: {kind: monster, cost: 2, anything(me): yes}\n").cards["goblin"]
    assert (card.key.text, card.kind.text) == ("goblin", "monster")
    assert list(card.fields) == ["cost", "anything(me)"]
    assert card.fields.keys_at["cost"].text == "cost"


def test_a_card_may_copy_another() -> None:
    cards = good("cards:\n  goblin: {kind: monster, cost: 2, name: Goblin}\n  chief: {copy: goblin, cost: 4}\n").cards
    chief = cards["chief"]
    assert chief.kind.text == "monster"
    assert {name: node.text for name, node in chief.fields.items() if isinstance(node, Scalar)} == {
        "cost": "4",
        "name": "Goblin",
    }
    assert "name" in cards["goblin"].fields


def test_values_rules_actions_and_the_result() -> None:
    authored = good(
        "values:\n"
        "  money(p): 1\n"
        "  wealth(p):\n"
        "    in hand: 1\n"
        "    coin: 2\n"
        "rules:\n"
        "  game: |\n"
        "    do turn(p)\n"
        "actions:\n"
        "  take:\n"
        "    name: {by: options.x, a: Take, b: Grab}\n"
        "    possible: {room: yes}\n"
        "    effect: draw 1 from a to b\n"
        "result: {rank: most points(it), payoff(who): points(who), zero_sum: yes}\n"
        "measures: {bluffs called: proved, wealth(p): p.money}\n"
        "display: {aim: Be first., order: [hand, purse], sort: {card: rank}}\n"
    )
    assert [each.key.text for each in authored.values] == ["money(p)", "wealth(p)"]
    assert isinstance(authored.values[1].body, Mapping)
    assert isinstance(authored.rules[0].body, Scalar) and authored.rules[0].body.text == "do turn(p)\n"
    assert authored.actions["take"].key.text == "take"
    assert authored.actions["take"].text is None
    result = authored.result
    assert result.payoff is not None and result.payoff.key.text == "payoff(who)"
    assert result.zero_sum is True
    assert [each.key.text for each in authored.measures] == ["bluffs called", "wealth(p)"]
    assert [one.text for one in authored.display.order] == ["hand", "purse"]


def test_an_empty_section_has_no_entries() -> None:
    authored = good("cards:\nmemory:\n  table:\nmeasures:\n")
    assert (authored.cards, authored.memory.table) == ({}, {})


def test_every_name_is_found_at_its_key() -> None:
    keys = good(
        "words: {topic: [food]}\n"
        "kinds: {note: {has: {worth: amount}, asks: {fair(me): conditions}}}\n"
        "places: {player: {hand: {holds: note, kept: loose}}}\n"
        "values: {money(p): 1}\n"
    ).keys
    found = {address: (key.span.line - LINES, key.span.column) for address, key in keys.items()}
    assert found == {
        ("words", "topic"): (1, 9),
        ("words.topic", "food"): (1, 17),
        ("kinds", "note"): (2, 9),
        ("kinds.note.has", "worth"): (2, 22),
        ("kinds.note.asks", "fair"): (2, 45),
        ("places", "hand"): (3, 19),
        ("values", "money"): (4, 10),
    }


def test_the_bundled_wallet_is_understood() -> None:
    merged, sources, found = read_folder(bundled() / "wallet")
    assert found == []
    assert merged is not None
    authored, found = structure(merged, "wallet", sources)
    assert found == []
    assert authored is not None
    assert len(authored.cards) > 30
    assert authored.source == sources


# Fields


def test_an_empty_file_needs_three_lines() -> None:
    authored, found = made("", head="")
    assert authored is None
    assert [(each.code, each.message.split("`")[1]) for each in found] == [
        ("RB111", "format"),
        ("RB111", "name"),
        ("RB111", "players"),
    ]


@pytest.mark.parametrize(
    ("text", "place", "help"),
    [
        ("card: {}\n", "1:1", "Did you mean `cards`?"),
        ("kinds:\n  note: {hsa: {}}\n", "2:10", "Did you mean `has`?"),
        ("kinds: {note: {has: {x: {type: a, lasts: b}}}}\n", "1:35", "Known: `type`, `default`"),
        ("kinds: {note: {state: {x: {type: a, lsats: b}}}}\n", "1:37", "Did you mean `lasts`?"),
        (
            "memory: {table: {x: {type: a, seen: always}}}\n",
            "1:31",
            "Known: `type`, `default`, `lasts`, `seen_by`",
        ),
        ("places: {tabel: {}}\n", "1:10", "Did you mean `table`?"),
        ("result: {rnak: x}\n", "1:10", "Did you mean `rank`?"),
        ("result: {payoff: x}\n", "1:10", "Known: `rank`, `payoff(p)`, `team`, `zero_sum`"),
        ("actions:\n  take: {effect: x, txet: y}\n", "2:21", "Did you mean `text`?"),
        ("variant: long\n", "1:1", "A variant is a file of its own in the folder `variants/`."),
    ],
)
def test_an_unknown_field_is_shown_at_its_key(text: str, place: str, help: str) -> None:
    found = one(text)
    assert bad(text) == [f"RB110 {place}"]
    assert found.help == help


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("actions:\n  take: {name: x}\n", ["2:3"]),
        ("options:\n  rounds:\n", ["2:3", "2:3"]),
        ("cards:\n  goblin: {cost: 2}\n", ["2:3"]),
        ("places:\n  table:\n    deck: {seen_by: top}\n", ["3:5", "3:5"]),
        ("memory: {table: {x: {lasts: round}}}\n", ["1:18"]),
        ("kinds: {a: {asks: {q(me): {default: yes}}}}\n", ["1:20"]),
    ],
)
def test_a_missing_field_is_shown_at_the_key_above(text: str, places: list[str]) -> None:
    assert bad(text) == [f"RB111 {place}" for place in places]


def test_a_misspelt_field_is_not_reported_as_missing_too() -> None:
    assert bad("options:\n  rounds: {type: 1..9, defualt: 3}\n") == ["RB110 2:24"]


def test_messages_name_the_thing_they_are_about() -> None:
    found = one("actions:\n  take: {name: x}\n")
    assert (found.message, found.where) == ("The action `take` needs an `effect`.", "action take")
    found = one("places: {player: {hand: {holds: a, kept: loose, seenby: top}}}\n")
    assert (found.message, found.where) == ("The place `hand` has no field `seenby`.", "place hand")


# Values


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("units: {cent: one}\n", "1:15"),
        ('units: {cent: "1"}\n', "1:15"),
        ("words: {topic: food}\n", "1:16"),
        ("words: {topic: []}\n", "1:9"),
        ("options: {x: 5}\n", "1:14"),
        ("options: {x: {type: , default: 3}}\n", "1:15"),
        ("options: {x: {type: 2 3, default: 3}}\n", "1:21"),
        ("options: {x: {type: number, default: }}\n", "1:29"),
        ("kinds: [note]\n", "1:8"),
        ("kinds: {note: {has: text}}\n", "1:21"),
        ("kinds: {note: {does: {effect(me): text}}}\n", "1:35"),
        ("kinds: {note: {asks: {effect(me): }}}\n", "1:23"),
        ("kinds: {note: {comes_with: {tile: [a]}}}\n", "1:35"),
        ("places: {table: {deck: {holds: [], kept: pile}}}\n", "1:32"),
        ("places: {table: {deck: {holds: a, kept: {x: pile}}}}\n", "1:41"),
        ("places: {table: {deck: {holds: a, kept: pile, recall: maybe}}}\n", "1:55"),
        ('places: {table: {deck: {holds: a, kept: pile, recall: "no"}}}\n', "1:55"),
        ("places: {table: {deck: {holds: a, kept: grid, size: [3]}}}\n", "1:53"),
        ("memory: {table: {x: }}\n", "1:18"),
        ("memory: {table: {x: none}}\n", "1:21"),
        ("memory: {table: {x: some thing}}\n", "1:21"),
        ("cards: {goblin: [kind]}\n", "1:17"),
        ("cards: {goblin: {kind: [a]}}\n", "1:24"),
        ("values: {x(p): }\n", "1:10"),
        ("values: {x(p): {one: [1]}}\n", "1:17"),
        ("rules:\n  game: {a: b}\n", "2:9"),
        ("actions: {take: {effect: [x]}}\n", "1:26"),
        ("result: {rank: }\n", "1:10"),
        ("result: {payoff(p): {a: b}, zero_sum: 1}\n", "1:39"),
        ("measures: 3\n", "1:11"),
    ],
)
def test_a_value_of_the_wrong_kind_is_shown_at_the_value(text: str, place: str) -> None:
    assert bad(text) == [f"RB112 {place}"]


@pytest.mark.parametrize(
    ("text", "place", "help"),
    [
        ("units: {cent: 0, CU: 1}\n", "1:15", ""),
        ("units: {CU: 100}\n", "1:13", ""),
        (f"units: {{cent: 1, CU: {'9' * 30}}}\n", "1:22", ""),
        ("options: {x: {type: 9..1, default: 3}}\n", "1:21", ""),
        ("places: {table: {deck: {holds: a, kept: plie}}}\n", "1:41", "Did you mean `pile`?"),
        ("places: {table: {deck: {holds: a, kept: heap}}}\n", "1:41", ""),
        ("places: {table: {deck: {holds: a, kept: pile, seen_by: ownr}}}\n", "1:56", "Did you mean `owner`?"),
        ("memory: {table: {x: {type: a, seen_by: top}}}\n", "1:40", ""),
        ("kinds: {a: {state: {x: {type: a, seen: face}}}}\n", "1:40", ""),
        ("cards:\n  a: {kind: x}\n  b: {copy: a}\n  c: {copy: b}\n", "4:13", ""),
    ],
)
def test_an_impossible_value_is_shown_at_the_value(text: str, place: str, help: str) -> None:
    assert bad(text) == [f"RB411 {place}"]
    assert one(text).help == help


@pytest.mark.parametrize("text", ["1-6", "1 - 6", "1 to 6", "1…6", "1–6", "1:6", "1...6", "[1..6]", "[1 to 6]"])
@pytest.mark.parametrize(
    "around",
    [
        "kinds: {die: {has: {face: HERE}}}\n",
        "kinds: {die: {state: {face: {type: HERE, seen: with_face}}}}\n",
        "options: {laps: {type: HERE, default: 2, text: Laps}}\n",
        "memory: {table: {laps: {type: HERE}}}\n",
    ],
)
def test_a_range_written_otherwise_is_told_how_it_is_written(text: str, around: str) -> None:
    found = one(around.replace("HERE", text))
    assert (found.code, found.help) == ("RB112", "Write `1..6`.")
    assert found.span is not None
    assert found.span.text == text


def test_how_many_play_is_told_as_a_range() -> None:
    (found,) = made("", head="format: 1\nname: x\nplayers: 2-4\n")[1]
    assert (found.code, found.help) == ("RB112", "Write `2..4`.")


@pytest.mark.parametrize(
    ("head", "code", "place"),
    [
        ("format: 2\nname: x\nplayers: 2..4\n", "RB411", (1, 9)),
        ("format: one\nname: x\nplayers: 2..4\n", "RB112", (1, 9)),
        ("format: 1\nname: [x]\nplayers: 2..4\n", "RB112", (2, 7)),
        ("format: 1\nname:\nplayers: 2..4\n", "RB112", (2, 1)),
        ("format: 1\nname: x\nplayers: many\n", "RB112", (3, 10)),
        ("format: 1\nname: x\nplayers: four\n", "RB112", (3, 10)),
        ("format: 1\nname: x\nplayers: 4..2\n", "RB411", (3, 10)),
        ("format: 1\nname: x\nplayers: 2..13\n", "RB411", (3, 10)),
    ],
)
def test_the_first_lines(head: str, code: str, place: tuple[int, int]) -> None:
    (found,) = made("", head=head)[1]
    assert found.span is not None
    assert (found.code, (found.span.line, found.span.column)) == (code, place)


def test_everything_is_said_at_once_and_in_order() -> None:
    text = (
        "kinds:\n"
        "  note: {has: {x: [1, then], y: 9..2}, hsa: 1}\n"
        "places:\n"
        "  table: {deck: {kept: plie}}\n"
        "cards:\n"
        "  goblin: {cost: 1}\n"
        "  elf: {copy: gobln}\n"
        "rules: {Game: }\n"
    )
    assert bad(text) == [
        "RB114 2:23", "RB411 2:33", "RB110 2:40", "RB111 4:11", "RB411 4:24", "RB111 6:3", "RB301 7:15",
        "RB115 8:9", "RB112 8:9",
    ]  # fmt: skip
    assert made(text)[0] is None


# What is hung on a script


def hung(text: str, *path: str) -> tuple[Authored | None, list[Diagnostic]]:
    """The records of a rulebook with a script before the node at a path."""
    merged, _ = read_map(SourceFile("rulebook.yaml", HEAD + text))
    variant, _ = read_map(SourceFile("variant.yaml", "before: stop"))
    assert merged is not None and variant is not None
    around = merged
    for key in path[:-1]:
        inner = around[key]
        assert isinstance(inner, Mapping)
        around = inner
    own = variant["before"]
    assert isinstance(own, Scalar)
    around[path[-1]] = Layered(own.text, own.style, own.span, place="before", beneath=around[path[-1]])
    return structure(merged, "game", {"rulebook.yaml": HEAD + text})


def test_a_script_keeps_what_is_hung_on_it() -> None:
    authored, found = hung("rules:\n  turn: draw 1\n", "rules", "turn")
    assert found == [] and authored is not None
    texts = [node.text for node in find_layers(authored.rules[0].body) if isinstance(node, Scalar)]
    assert texts == ["stop", "draw 1"]


@pytest.mark.parametrize(
    ("text", "path", "says"),
    [
        ("cards:\n  imp: {kind: note}\n", ("cards", "imp", "kind"), "variant.yaml:1:9 `kind` must be text, not a"),
        ("values:\n  a:\n    b: 1\n", ("values", "a", "b"), "rulebook.yaml:6:5 The line `b` must be an expression"),
        ("actions:\n  flip:\n    effect:\n", ("actions", "flip", "effect"), "rulebook.yaml:6:5 `effect` must be"),
        ("values:\n  a: [1]\n", ("values", "a"), "rulebook.yaml:5:6 The value `a` must be an expression"),
    ],
)  # fmt: skip
def test_nothing_hangs_on_what_is_no_script(text: str, path: tuple[str, ...], says: str) -> None:
    _, (found,) = hung(text, *path)
    assert found.span is not None
    assert f"{found.span.file.name}:{found.span.line}:{found.span.column} {found.message}".startswith(says)
