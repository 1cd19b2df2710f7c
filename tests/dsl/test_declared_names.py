"""Names in rulebooks: those that scripts could not say, and those that would mean two things."""

from pathlib import Path

import pytest

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.schema import Authored
from rulebook.dsl.structuring.structure import structure
from rulebook.source import SourceFile

HEAD = "format: 1\nname: Game\nplayers: 2..4\n"
LINES = HEAD.count("\n")


def made(text: str) -> tuple[Authored | None, list[Diagnostic]]:
    merged, found = read_map(SourceFile("rulebook.yaml", HEAD + text))
    assert merged is not None, found
    return structure(merged, "game", {})


def good(text: str) -> None:
    assert made(text)[1] == []


def bad(text: str) -> list[str]:
    """The messages as `CODE line:column`, lines counted in the text alone."""
    spans = [(each.code, each.span) for each in made(text)[1]]
    return [f"{code} {span.line - LINES}:{span.column}" for code, span in spans if span is not None]


def one(text: str) -> Diagnostic:
    (found,) = made(text)[1]
    return found


def test_a_bad_name_leaves_the_records_whole() -> None:
    authored, found = made("rules: {Game: stop}\n")
    assert authored is not None
    assert [each.code for each in found] == ["RB115"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("cards:\n  John Smith: {kind: id}\n", "2:3"),
        ("cards: {10_note: {kind: id}}\n", "1:9"),
        ("kinds: {Note: }\n", "1:9"),
        ("kinds: {note: {has: {a-b: number}}}\n", "1:22"),
        ("kinds: {note: {asks: {Fair(me): conditions}}}\n", "1:23"),
        ("values: {Money(p): 1}\n", "1:10"),
        ("options: {x: {type: [a, b c], default: a}}\n", "1:25"),
        ("words: {topic: [late nights]}\n", "1:17"),
        ("units: {cent: 1, C U: 100}\n", "1:18"),
        ("memory: {player: {Points: 0}}\n", "1:19"),
    ],
)
def test_a_name_must_be_sayable(text: str, place: str) -> None:
    assert bad(text) == [f"RB115 {place}"]


def test_a_name_close_to_the_bad_one_is_offered() -> None:
    assert "`john_smith`" in one("cards:\n  John Smith: {kind: id}\n").help
    assert "`turn_two`" in one("rules: {Turn two(p): stop}\n").help


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("cards: {then: {kind: id}}\n", "1:9"),
        ("places: {player: {box: {holds: a, kept: pile}}}\n", "1:19"),
        ("kinds: {note: }\nmemory: {table: {box: 0}}\n", "2:18"),
        ("memory: {player: {others: 0}}\n", "1:19"),
        ("kinds: {player: }\n", "1:9"),
        ("kinds: {note: {has: {copies: number}}}\n", "1:22"),
        ("kinds: {note: {has: {any: number}}}\n", "1:22"),
        ("kinds: {note: {has: {x: [all, b]}}}\n", "1:26"),
        ("values: {it(p): 1}\n", "1:10"),
        ("values: {turn(p): 1}\n", "1:10"),
        ("words: {topic: {order: Order}}\n", "1:17"),
        ("options: {x: {type: [any, all, order], default: any}}\n", "1:32"),
        ("units: {of: 1}\n", "1:9"),
    ],
)
def test_words_of_the_language_are_no_names(text: str, place: str) -> None:
    assert bad(text) == [f"RB114 {place}"]


def test_verbs_may_be_names() -> None:
    good("actions: {move: {effect: stop}}\nrules: {turn(p): stop, draw: stop}\ncards: {swap: {kind: id}}\n")


@pytest.mark.parametrize(
    ("text", "place", "first"),
    [
        (
            "places: {table: {deck: {holds: a, kept: pile}}, player: {deck: {holds: a, kept: pile}}}\n",
            "1:58",
            18,
        ),
        ("rules: {take: stop}\nactions: {take: {effect: stop}}\n", "2:11", 9),
        ("actions: {take: {effect: stop}}\nrules: {take: stop}\n", "2:9", 11),
        ("values: {x(p): 1, 'x(p, number n)': 2}\n", "1:20", 10),
        ("kinds: {a: }\ncards: {a: {kind: a}}\n", "2:9", 9),
        ("kinds: {a: }\nmemory: {table: {a: number}}\n", "2:18", 9),
        ("kinds: {a: }\nwords: {a: [b]}\n", "2:9", 9),
        ("kinds: {a: {has: {x: number}}}\nvalues: {x(p): 1}\n", "2:10", 19),
        ("values: {x(p): 1}\nkinds: {a: {state: {x: no}}}\n", "2:21", 10),
        ("kinds: {a: {has: {x: number}, state: {x: no}}}\n", "1:39", 19),
        ("kinds: {a: , b: {has: {a: number}}}\n", "1:24", 9),
        ("words: {topic: [b, c, b]}\n", "1:23", 17),
        ("options: {x: {type: [a, 1, a], default: 1}}\n", "1:28", None),
    ],
)
def test_a_name_given_twice_is_shown_at_both_places(text: str, place: str, first: int | None) -> None:
    assert bad(text) == [f"RB113 {place}"]
    labels = one(text).labels
    assert [label.span.column for label in labels] == ([] if first is None else [first])


def test_a_place_or_field_may_have_the_name_of_the_kind_it_holds() -> None:
    good(
        "kinds:\n"
        "  coin: {has: {corner: number}}\n"
        "  guest: {has: {corner: number}, comes_with: {coin: coin}}\n"
        "places: {player: {coin: {holds: [guest, coin], kept: slot}}}\n"
    )
    good("kinds: {coin: }\nmemory: {player: {coin: {type: coin, lasts: round}}}\n")


def test_files_are_in_order_when_names_meet(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(HEAD + "rules: {b: stop, z: stop}\n", encoding="utf-8")
    (tmp_path / "alpha.yaml").write_text("actions: {b: {effect: stop}}\ncrads: 1\n", encoding="utf-8")
    merged, sources, found = read_folder(tmp_path)
    assert merged is not None
    found += structure(merged, "x", sources)[1]
    places = [(each.code, Path(each.span.file.name).name, each.span.line) for each in found if each.span]
    assert places == [("RB113", "alpha.yaml", 1), ("RB110", "alpha.yaml", 2)]
    assert found[0].labels[0].span.file.name.endswith("rulebook.yaml")
