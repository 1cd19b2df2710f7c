"""The JSON Schema of a game's files: what it takes, what it refuses, and what it says about each key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest
from click.testing import CliRunner
from paths import ROOT

from rulebook import library
from rulebook.authoring.schema import find_schema_path, make_schema, modeline, shape_record
from rulebook.cli import main
from rulebook.diagnostics import codes, template
from rulebook.diagnostics.registry import Example
from rulebook.dsl import schema as authored
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.passes import check_rulebook
from rulebook.dsl.reading.folder import merge, read_folder
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.structuring import forms
from rulebook.dsl.structuring.structure import structure
from rulebook.dsl.world import World
from rulebook.examples import find_messages
from rulebook.library import RULES
from rulebook.source import SourceFile

_NULL = re.compile(r"~|null|Null|NULL|")
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def seen_by_editors(node: Node) -> Any:
    """A file as JSON, by the core schema of YAML 1.2: `5` is a number, `yes` a word, nothing is null."""
    if isinstance(node, Mapping):
        return {key: seen_by_editors(value) for key, value in node.items()}
    if not isinstance(node, Scalar):
        return [seen_by_editors(one) for one in node]
    if node.style != "plain":
        return node.text
    if _NULL.fullmatch(node.text):
        return None
    if node.text in _TRUTH:
        return _TRUTH[node.text]
    if _INTEGER.fullmatch(node.text):
        return int(node.text)
    return float(node.text) if _FLOAT.fullmatch(node.text) else node.text


def parsed(text: str) -> Any:
    top, found = read_map(SourceFile("file.yaml", text))
    assert top is not None, found
    return seen_by_editors(top)


def names(merged: Mapping, id: str = "game") -> World:
    records, found = structure(merged, id, {})
    assert records is not None, found
    return check_rulebook(records).world


@cache
def of_game(folder: Path) -> jsonschema.Draft7Validator:
    merged, _, _ = read_folder(folder)
    assert merged is not None
    return jsonschema.Draft7Validator(make_schema(names(merged, folder.name)))


@cache
def of_any() -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(make_schema())


@cache
def market() -> str:
    return (Path(authored.__file__).parent.parent / "diagnostics" / "market.yaml").read_text("utf-8")


def beside_market(text: str) -> jsonschema.Draft7Validator:
    """The schema of the small game together with a file; of the small game alone, if the file does not fit."""
    small, _ = read_map(SourceFile("market.yaml", market()))
    top, _ = read_map(SourceFile("file.yaml", text))
    assert small is not None and top is not None
    merged, found = merge([small, top])
    records, more = structure(merged, "game", {})
    whole = records is not None and not found and not more
    return jsonschema.Draft7Validator(make_schema(names(merged if whole else small)))


def faults(validator: jsonschema.Draft7Validator, text: str) -> list[str]:
    return [f"{list(one.absolute_path)}: {one.message[:200]}" for one in validator.iter_errors(parsed(text))]


# What is taken


FILES = [
    (folder, file)
    for folder in library.find_games()
    for file in [*sorted(folder.glob("*.yaml")), *library.variants_of(folder), *library.scenario_files(folder)]
]


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "file"), FILES, ids=lambda one: f"{one.parent.name}/{one.name}")
def test_a_shipped_file_fits(folder: Path, file: Path) -> None:
    text = file.read_text("utf-8")
    assert faults(of_any(), text) == []
    assert faults(of_game(folder), text) == []


def find_empty_enums(part: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Places of choices among nothing, for which an editor drops the whole schema."""
    if isinstance(part, dict) and part.get("enum") == []:
        yield path
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inner:
        yield from find_empty_enums(value, (*path, key))


@pytest.mark.parametrize("folder", [None, *library.find_games()], ids=lambda folder: folder.name if folder else "any")
def test_the_schemas_are_schemas(folder: Path | None) -> None:
    schema = of_any().schema if folder is None else of_game(folder).schema
    jsonschema.Draft7Validator.check_schema(schema)
    assert list(find_empty_enums(schema)) == []


def test_a_game_without_options_has_none_to_settle() -> None:
    validator = of_game(library.find_game("kuhn_poker"))
    head = "variant: mine\nname: Mine\nextends: kuhn_poker\n"
    assert faults(validator, head + "set: {ante: 2}\n")
    # One that follows another may settle what that one has made.
    assert faults(validator, head + "follows: other\nset: {ante: 2}\n") == []


def find_empty_lists(schema: object, way: str = "") -> list[str]:
    """Lists to choose from that hold nothing, which the servers of editors refuse together with the whole schema."""
    if isinstance(schema, list):
        return [one for number, part in enumerate(schema) for one in find_empty_lists(part, f"{way}/{number}")]
    if not isinstance(schema, dict):
        return []
    below = [one for key, part in schema.items() for one in find_empty_lists(part, f"{way}/{key}")]
    return below + [f"{way}/{key}" for key in ("enum", "anyOf", "allOf", "oneOf") if schema.get(key) == []]


@pytest.mark.slow
def test_no_list_to_choose_from_is_empty() -> None:
    bare, _ = read_map(SourceFile("file.yaml", "format: 1\nname: Bare\nplayers: 2..4\n"))
    assert bare is not None
    schemas = [make_schema(names(bare)), make_schema(), *(of_game(folder).schema for folder in library.find_games())]
    assert [find_empty_lists(schema) for schema in schemas] == [[]] * len(schemas)


FIRST = {"format": "format: 1", "name": "name: Example", "players": "players: 2..4"}


def examples(kind: str, wanted: Sequence[str]) -> list[object]:
    return [
        pytest.param(example, id=f"{code} {number}")
        for code in wanted
        for number, example in enumerate(getattr(template(code), kind), 1)
        if example.kind == "yaml"
    ]


@pytest.mark.parametrize("example", examples("good", codes()))
def test_a_good_example_fits(example: Example) -> None:
    # The first lines stand together in a file.
    given = [one for one in FIRST if re.search(rf"^{one}:", example.text, re.MULTILINE)]
    text = example.text + "".join(f"{FIRST[one]}\n" for one in FIRST if given and one not in given)
    assert faults(of_any(), text) == []
    assert faults(beside_market(example.text), text) == []


def parts(sort: str) -> list[str]:
    text = (ROOT / "docs" / "language.md").read_text("utf-8")
    return re.findall(rf"^```yaml {sort}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("sort", ["game", "part", "scenario"])
def test_what_the_reference_shows_fits(sort: str) -> None:
    assert parts(sort)
    for text in parts(sort):
        assert faults(of_any(), text) == [], text


@pytest.mark.slow
def test_the_example_game_fits_with_each_part() -> None:
    whole, _ = read_map(SourceFile(RULES, parts("game")[0]))
    assert whole is not None
    for text in parts("part"):
        top, _ = read_map(SourceFile("part.yaml", text))
        assert top is not None
        merged, found = merge([whole, top])
        assert found == []
        assert faults(jsonschema.Draft7Validator(make_schema(names(merged))), text) == [], text
    own = jsonschema.Draft7Validator(make_schema(names(whole)))
    for text in parts("scenario"):
        assert faults(own, text) == [], text


# What is refused


STRUCTURAL = ["RB110", "RB111", "RB112", "RB115"]
"""The codes about the shape of a file. RB113 and RB114 are about names that stand in two places, or anywhere."""


@pytest.mark.parametrize("example", examples("bad", STRUCTURAL))
def test_a_bad_example_is_refused(example: Example) -> None:
    assert find_messages(example)
    if read_map(SourceFile("file.yaml", example.text))[0] is None:
        assert example.text.startswith("- "), "no map, and so nothing that a reader goes on with"
        assert not of_any().is_valid(["a list", "where a map belongs"])
    else:
        assert faults(beside_market(example.text), example.text) != []


MISFITS = (
    "places: {table: {chest: {holds: gem, kept: grid, size: 3, seen_by: everyone}}}",
    "places: {table: {chest: {holds: gem, kept: heap, seen_by: everyone}}}",
    "cards: {Big Ruby: {kind: gem, value: 2 crown}}",
)


@pytest.mark.parametrize("text", [*MISFITS, *(text for code in STRUCTURAL for text in parts(f"part error {code}"))])
def test_what_does_not_fit_the_game_of_the_reference_is_refused(text: str) -> None:
    whole, _ = read_map(SourceFile(RULES, parts("game")[0]))
    assert whole is not None
    own = jsonschema.Draft7Validator(make_schema(names(whole)))
    assert faults(own, text) != [], text


GAME = """\
format: 1
name: Small
players: 2..3
units: {cent: 1, euro: 100}
words: {suit: [stars, moons]}
options: {short: {type: yes_no, default: no}, size: {type: [2, many], default: 2}}
kinds:
  coin: {has: {worth: amount, suit: suit, size: 1..3, odd: [7, none]}, state: {spent: no}}
  guest: {asks: {happy(me): conditions}, does: {arrives(me): }, may_do: {leaves(me): }}
places:
  table: {bank: {holds: coin, kept: pool}, row_of: {holds: [coin, guest], kept: row}}
  player: {purse: {holds: coin, kept: slot}}
memory: {table: {laps: {type: number, lasts: round}}}
cards:
  penny: {kind: coin, worth: 1 cent, suit: stars, size: 1}
  mayor: {kind: guest, happy: {rich: yes}, arrives: win me}
rules:
  game: |
    stage round:
      add 1 to laps
"""


@cache
def small() -> jsonschema.Draft7Validator:
    top, _ = read_map(SourceFile(RULES, GAME))
    assert top is not None
    return jsonschema.Draft7Validator(make_schema(names(top)))


@pytest.mark.parametrize(
    "text",
    [
        "cards: {x: {kind: cion, worth: 1 cent, suit: stars, size: 1}}",
        "cards: {x: {kind: coin, worth: 1 cents, suit: stars, size: 1}}",
        "cards: {x: {kind: coin, worth: 3, suit: stars, size: 1}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: suns, size: 1}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: stars, size: 4}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: stars, size: '1'}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: stars, size: 1, odd: 8}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: stars}}",
        "cards: {x: {kind: coin, worth: 1 cent, suit: stars, size: 1, happy: yes}}",
        "cards: {x: {kind: guest, happy: yes}}",
        "cards: {x: {kind: guest, arrives: win me}}",
        "cards: {x: {kind: guest, happy: yes, arrives: [win me]}}",
        "cards: {x: {copy: peny}}",
        "cards: {x: {copy: mayor, worth: 1 cent}}",
        "cards: {x: {kind: coin, suit: stars, size: 1, worth: {by: options.shrt, yes: 1 cent, no: 2 cent}}}",
        "cards: {x: {kind: coin, suit: stars, size: 1, worth: {by: options.short, yes: 1 cent}}}",
        "cards: {x: {kind: coin, suit: stars, size: 1, worth: {by: options.size, 2: 1 cent, few: 2 cent, many: 0}}}",
        "cards: {x: {kind: coin, size: 1, worth: 1 cent, each: {size: 1..3}}}",
        "places: {table: {deck: {holds: coin, kept: pile, refill: bnk}}}",
        "places: {table: {deck: {holds: coins, kept: pile}}}",
        "memory: {table: {x: {type: number, lasts: day}}}",
        "memory: {table: {x: nubmer}}",
        "kinds: {x: {is: cion}}",
        "name: Small\nplayers: 2..4",
        "scenarios: {x: {given: {players: [Ana, Ben]}, expect: [], options: {short: maybe}}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, expect: a is b, options: {short: maybe}}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, expect: a is b, options: {shrt: yes}}}",
        "scenarios: {x: {given: {players: [Ana, Ben], bnk: 3}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben], bank: penny}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben], Ana.prse: penny}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben], Ana.purse: mayor}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben], laps: 1}, from: start, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, answers: [{Ana: x}], expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, do: game, until: yes, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, do: game}}",
        "scenarios: {}\nname: x",
        "variants: [1]\nscenarios: {x: {given: {players: [Ana, Ben]}, expect: a is b}}",
        *(
            f"variant: long\nname: Long\nextends: game\n{verbs}"
            for verbs in (
                "chnage: {rules.game: win me}",
                "set: {shrt: yes}",
                "set: {short: maybe}",
                "change: [rules.game]",
                "change: {}",
                "add: {cards.x: {worth: 1 cent}}",
                "add: {places.table.deck: {holds: coin, kept: heap}}",
                "add: {kinds.x: [coin]}",
                "remove: {rules.game: yes}",
                "after: {rules.game: [win me]}",
                "not_with: [other]",
            )
        ),
        "variant: long\nname: Long\nextends: gmae\nset: {short: yes}",
        "variant: long\nextends: game\nset: {short: yes}",
    ],
)
def test_a_slip_in_the_words_of_the_game_is_refused(text: str) -> None:
    assert faults(small(), text) != []


@pytest.mark.parametrize(
    "text",
    [
        GAME,
        "cards: {x: {kind: coin, worth: 0, suit: stars, size: 1 + count(players), odd: none}}",
        "cards: {x: {kind: coin, each: {suit: every suit}, size: 1, worth: 3 euro, copies: 2}}",
        "cards: {x: {kind: coin, copies: {suit: {stars: 2}}, size: 1, worth: 3 euro}}",
        "cards: {x: {copy: penny, name: Another, size: 2}, y: {copy: mayor, leaves: win me}}",
        "cards: {x: {kind: coin, suit: stars, size: 1, worth: {by: options.size, 2: 1 cent, many: 2 cent}}}",
        "memory: {table: {x: set of suit, y: [0, 0], z: {type: coin, lasts: round}}}",
        "scenarios: {x: {given: {players: [Ana, Ben], row_of: [mayor, penny face down]}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben], Ana.purse: none, bank: 3, laps: 2}, expect: a is b}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, do: game, answers: [{Ana: [[penny, mayor], pass]}], expect: a}}",
        "scenarios: {x: {given: {players: [Ana, Ben], penny.spent: yes}, do: game, rest: first, expect: [a is b]}}",
        "scenarios: {x: {given: {players: [Ana, Ben]}, from: start, rest: {not: pass}, until: yes, expect: a is b}}",
        "variants: [long, rich]\nscenarios: {x: {given: {players: [Ana, Ben], laps_left: 3}, expect: a is b}}",
        "variant: long\nname: Long\nextends: game\nset: {size: 9}\nchange: {options.size.type: 1..9}",
        *(
            f"variant: long\nname: Long\nabout: Why not.\nextends: game\nfollows: rich\n{verbs}"
            for verbs in (
                "set: {short: yes, size: many, theirs: 3}",
                "change: {cards.penny.worth: {was: 1 cent, now: 2 cent}, rules.game: win me}",
                "change: {places.table.bank.kept: bag}",
                "add: {cards.x: {copy: penny, size: 2}, rules.cheer(me): win me, cards.mayor.happy.poor: yes}",
                "remove: rules.game",
                "add: {kinds.duke: {is: guest, has: {rank: 1..3}}, cards.x: {kind: duke, rank: 2, bows: win me}}",
                "add: {places.table.deck: {holds: duke, kept: pile}}",
                "remove: [rules.game, cards.penny]\nnot_with: {other: They differ.}",
                "before: {rules.game: win me}\nafter: {cards.mayor.arrives: win me}",
                "instead of: {rules.game: original}",
            )
        ),
    ],
)
def test_what_is_right_in_the_words_of_the_game_is_taken(text: str) -> None:
    assert faults(small(), text) == []


# What it says


def test_every_key_says_what_it_is_for() -> None:
    shapes = of_any().schema["definitions"]
    for name in ("rulebook_file", "variant_file", "scenario", "option", "place", "kind", "card", "action"):
        for key, shape in shapes[name]["properties"].items():
            assert re.fullmatch(r"[A-Z`].*[.:]?", shape["description"]), (name, key)


def test_paths_of_the_game_are_offered() -> None:
    shapes = small().schema["definitions"]["variant_file"]["properties"]
    paths = set(shapes["change"]["properties"])
    assert paths >= {"cards.penny", "cards.penny.worth", "cards.mayor.happy.rich", "rules.game", "options.short"}
    assert set(shapes["remove"]["anyOf"][0]["anyOf"][0]["enum"]) == paths
    sentences = {"rules.game.stage round", "rules.game.add 1"}
    assert set(shapes["instead of"]["properties"]) == {"rules.game"} | sentences <= paths


def test_a_key_without_a_shape_is_not_forgotten() -> None:
    with pytest.raises(KeyError, match="kept"):
        shape_record(authored.Place, {"holds": {}})
    with pytest.raises(KeyError, match="about"):
        shape_record(attrs.make_class("Unsaid", ["thing"]), {"thing": {}})
    assert shape_record(forms.Kinded, {"kind": {}})["required"] == ["kind"]


# The command


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["schema", *words])


def test_it_lies_beside_the_game_and_is_no_part_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / RULES).write_text(GAME, "utf-8")
    before = read_folder(folder)[1]
    result = run(str(folder))
    assert result.exit_code == 0
    assert find_schema_path(folder).is_file()
    assert "# yaml-language-server: $schema=.rulebook/schema.json\n" in result.output
    assert "# yaml-language-server: $schema=../.rulebook/schema.json\n" in result.output
    assert read_folder(folder)[1] == before
    assert run(str(folder)).exit_code == 0, "it is written again"


def test_it_is_printed_or_written_where_one_wants(tmp_path: Path) -> None:
    printed = run()
    assert printed.exit_code == 0 and '"$schema": "http://json-schema.org/draft-07/schema#"' in printed.stdout
    assert '"cards": "' not in printed.stdout
    for words in ((), ("wallet",)):
        file = tmp_path / "any" / "schema.json"
        assert run(*words, "--out", str(file)).exit_code == 0
        assert file.read_text("utf-8") == run(*words, "--out", "-").stdout


def test_a_game_that_cannot_be_read_has_none(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / RULES).write_text(GAME.replace("kept: pool", "kept: pol"), "utf-8")
    result = run(str(folder))
    assert result.exit_code == 1 and "RB411" in result.output
    assert not find_schema_path(folder).exists()
    assert run("walet").exit_code == 2
    assert run("--out", str(folder / RULES / "no" / "file.json")).exit_code == 2


def test_mistakes_in_scripts_do_not_keep_the_names_from_being_read(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / RULES).write_text(GAME.replace("add 1 to laps", "ad 1 to lapss"), "utf-8")
    assert run(str(folder)).exit_code == 0


def test_a_file_finds_the_schema_from_where_it_stands(tmp_path: Path) -> None:
    schema_file = find_schema_path(tmp_path / "game")
    assert modeline(tmp_path / "game" / RULES, schema_file).endswith("$schema=.rulebook/schema.json")
    assert modeline(tmp_path / "game" / "scenarios" / "x.yaml", schema_file).endswith("=../.rulebook/schema.json")
