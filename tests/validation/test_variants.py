"""Variants beside a game: found, loaded with it, heeded by its scenarios and by `rulebook validate`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulebook.cli import main
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text
from rulebook.dsl import ir
from rulebook.dsl.words import name_with_variants
from rulebook.interpreter.lower import lower
from rulebook.library import VariantNotFound, find_variant, variants_of
from rulebook.loading import load
from rulebook.loading.frontend import load_texts
from rulebook.playtest.scenarios import ground
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run
from rulebook.validation import find_problems

FAIR = """\
format: 1
name: Fair
players: 2..3
options:
  rounds: {type: 1..5, default: 2}
kinds:
  note: {has: {value: 1..5}}
places:
  table: {deck: {holds: note, kept: pile, seen_by: nobody}}
  player: {hand: {holds: note, kept: loose, seen_by: owner}}
cards:
  small: {kind: note, value: 1, copies: 12}
  great: {kind: note, value: 3, copies: 6}
values:
  worth(p): sum(value of p.hand)
rules:
  game: |
    do set_up
    repeat options.rounds:
      each p in players:
        do turn(p)
  set_up: |
    move cards to deck
    shuffle deck
  turn(me): |
    draw 1 from deck to me.hand
    may choose given from me.hand:
      move given to deck bottom
result:
  rank: most worth(it)
"""
LONG = """\
set: {rounds: 4}
change: {cards.great.value: {was: 3, now: 5}}
"""
RICH = """\
add: {cards.huge: {copy: great, value: 4}}
remove: [cards.small]
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game without mistakes, with two variants."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    folder = Path("fair")
    (folder / "variants").mkdir(parents=True)
    (folder / "scenarios").mkdir()
    (folder / "rulebook.yaml").write_text(FAIR, "utf-8")
    variant(folder, "long", LONG)
    variant(folder, "rich", RICH)
    return folder


def variant(game: Path, id: str, text: str) -> Path:
    file = game / "variants" / f"{id}.yaml"
    file.write_text(f"variant: {id}\nname: {id.title()}\nextends: fair\n{text}", "utf-8")
    return file


def scenarios(game: Path, name: str, text: str) -> Path:
    file = game / "scenarios" / f"{name}.yaml"
    file.write_text(text, "utf-8")
    return file


def laid(game: Path, *names: str, meant: bool = False) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    loaded = load(game, [find_variant(game, name) for name in names], meant=meant)
    return loaded.rulebook, loaded.messages


def said(found: list[Diagnostic]) -> list[str]:
    """Code and place of each message."""
    return [f"{one.code} {one.span.file.name}:{one.span.line}" for one in found if one.span is not None]


# Found


def test_variants_lie_beside_their_game(game: Path) -> None:
    (game / "variants" / ".long.yaml.swp").touch()
    (game / "variants" / "notes.txt").touch()
    assert [file.name for file in variants_of(game)] == ["long.yaml", "rich.yaml"]
    assert find_variant(game, "rich") == game / "variants" / "rich.yaml"
    assert variants_of(game / "variants") == []


def test_a_variant_may_lie_anywhere(game: Path) -> None:
    Path("short.yaml").write_text("variant: short\nname: Short\nextends: fair\nset: {rounds: 1}\n", "utf-8")
    assert find_variant(game, "./short.yaml") == find_variant(game, "short.yaml") == Path("short.yaml")
    loaded = load(game, [Path("short.yaml")])
    rulebook, found = loaded.rulebook, loaded.messages
    assert found == [] and rulebook is not None and rulebook.options["rounds"].default == 1


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("lnog", "There is no variant “lnog” of fair. Did you mean long? Its variants are: long, rich."),
        ("other", "There is no variant “other” of fair. Its variants are: long, rich."),
        ("./lon.yaml", "There is no file ./lon.yaml. Did you mean long? Its variants are: long, rich."),
    ],
)
def test_a_variant_that_is_not_there(game: Path, name: str, advice: str) -> None:
    with pytest.raises(VariantNotFound) as missing:
        find_variant(game, name)
    assert str(missing.value) == advice


def test_a_game_without_variants(game: Path) -> None:
    for file in variants_of(game):
        file.unlink()
    with pytest.raises(VariantNotFound, match="fair has no variants"):
        find_variant(game, "long")


# Loaded


def test_a_game_under_variants_is_a_game(game: Path) -> None:
    read = load(game, [find_variant(game, name) for name in ("long", "rich")])
    loaded, found = read.game, read.messages
    assert found == [] and loaded is not None
    rulebook = loaded.rulebook
    assert (rulebook.id, rulebook.name, rulebook.variants) == ("fair", "Fair", {"long": "Long", "rich": "Rich"})
    assert rulebook.options["rounds"].default == 4
    assert [one.attributes["value"].value for one in rulebook.cards.values()] == [5, 4]
    assert list(rulebook.source) == ["rulebook.yaml", "variants/long.yaml", "variants/rich.yaml"]
    assert [(one.id, one.name, one.file.name) for one in loaded.variants] == [
        ("long", "Long", "fair/variants/long.yaml"),
        ("rich", "Rich", "fair/variants/rich.yaml"),
    ]


def test_where_each_part_comes_from(game: Path) -> None:
    loaded = load(game, [find_variant(game, name) for name in ("long", "rich")]).game
    assert loaded is not None
    assert {".".join(keys): [(one.variant, one.verb) for one in done] for keys, done in loaded.origins.items()} == {
        "options.rounds.default": [("long", "set")],
        "cards.great.value": [("long", "change")],
        "cards.small": [("rich", "remove")],
        "cards.huge": [("rich", "add")],
    }
    (changed,) = loaded.origins["cards", "great", "value"]
    assert changed.before is not None and changed.now is not None
    spans = [changed.before.span, changed.now.span, changed.at]
    assert [(span.file.name, span.line, span.text) for span in spans] == [
        ("fair/rulebook.yaml", 13, "3"),
        ("fair/variants/long.yaml", 5, "5"),
        ("fair/variants/long.yaml", 5, "cards.great.value"),
    ]


def test_other_rules_are_other_rules(game: Path) -> None:
    def rules(*names: str) -> str:
        rulebook, found = laid(game, *names)
        assert rulebook is not None, render_text(found)
        return lower(rulebook, 2, {}).rules_hash

    base = rules()
    assert len({base, rules("long"), rules("rich"), rules("long", "rich")}) == 4
    assert rules() == base and rules("long", "rich") == rules("rich", "long")
    # What only people read is no rule, whoever says it.
    variant(game, "renamed", "change: {name: The old fair}\nadd: {cards.great.name: A big one}")
    assert rules("renamed") == base


def test_a_message_about_what_a_variant_says_stands_in_the_variant(game: Path) -> None:
    variant(game, "long", "change: {rules.turn: draw 1 from dekc to me.hand}")
    _, found = laid(game, "long")
    assert said(found) == ["RB301 fair/variants/long.yaml:4"]
    (label,) = found[0].labels
    assert (label.span.file.name, label.span.line) == ("fair/rulebook.yaml", 25)
    assert label.text == "the variant `long` replaced this"


def test_a_name_of_the_script_beside_which_something_runs_is_said_to_be_one(game: Path) -> None:
    """Only at a sentence of that script it is known; there it is right."""
    variant(game, "long", "after: {rules.turn: reveal given}")
    _, found = laid(game, "long")
    assert said(found) == ["RB301 fair/variants/long.yaml:4"]
    path = "rules.turn.may choose given"
    assert found[0].help == f"`given` is a name of the script itself. Put this at a sentence of that: `{path}`."
    variant(game, "long", "after: {rules.turn: reveal taken}")
    assert "name of the script" not in laid(game, "long")[1][0].help
    variant(game, "long", "before: {rules.turn.may choose given.move given: reveal given}")
    assert laid(game, "long")[1] == []


def test_a_message_about_what_is_missing_shows_the_removal(game: Path) -> None:
    variant(game, "long", "remove: [values.worth]")
    _, found = laid(game, "long")
    assert said(found) == ["RB301 fair/rulebook.yaml:30"]
    (label,) = found[0].labels
    assert (label.span.file.name, label.span.line) == ("fair/variants/long.yaml", 4)
    assert label.text == "the variant `long` removed `worth` here"


def test_what_nothing_uses_any_more_shows_who_used_it(game: Path) -> None:
    variant(game, "long", "change: {rules.game: do set_up}")
    found = [one for one in load(game, [find_variant(game, "long")], meant=True).messages if one.code == "RB507"]
    assert {one.span.text for one in found if one.span} >= {"rounds", "turn"}
    assert {label.text for one in found for label in one.labels} == {"the variant `long` took away what named it"}


def test_broken_yaml_in_a_variant_hides_nothing(game: Path) -> None:
    (game / "rulebook.yaml").write_text(FAIR.replace("shuffle deck", "shuffle dekc"), "utf-8")
    (game / "variants" / "long.yaml").write_text("variant: [long\n", "utf-8")
    variant(game, "rich", "change: {cards.grat.value: 2, rules.turn: drw 1}\n")
    rulebook, found = laid(game, "long", "rich")
    assert rulebook is None
    assert sorted(said(found)) == [
        "RB101 fair/variants/long.yaml:1",
        "RB203 fair/variants/rich.yaml:4",
        "RB301 fair/rulebook.yaml:24",
        "RB710 fair/variants/rich.yaml:4",
    ]


def test_what_hangs_on_a_lost_deed_is_not_said(game: Path) -> None:
    more = "change: {cards.small.copies: 4}\nafter: {rules.set_up: move huge to dekc}"
    variant(game, "rich", f"add: {{cards.huge: {{copy: grate}}}}\n{more}")
    _, found = laid(game, "rich")
    # `huge` would be there if the card that it copies were; no such thing holds for `dekc`.
    assert said(found) == ["RB710 fair/variants/rich.yaml:4", "RB301 fair/variants/rich.yaml:6"]


def test_what_was_to_be_removed_misses_nothing(game: Path) -> None:
    variant(game, "first", "change: {cards.great.value: 9}")
    variant(game, "second", "remove: [cards.small, cards.great, kinds.note]")
    _, found = laid(game, "first", "second")
    # The places and the question still need the kind; the card, which was to go as well, does not.
    places_and_question = ["RB301 fair/rulebook.yaml:9", "RB301 fair/rulebook.yaml:10", "RB303 fair/rulebook.yaml:15"]
    assert said(found) == ["RB715 fair/variants/second.yaml:4", *places_and_question]


def test_other_slips_are_said_beside_a_lost_path(game: Path) -> None:
    more = "change: {rules.turn: draw 1 from deck to me.hnad, cards.smal.value: 2}"
    variant(game, "rich", f"add: {{cards.huge: {{copy: great, coppies: 2}}}}\n{more}")
    _, found = laid(game, "rich")
    places = (("RB110", 4), ("RB303", 5), ("RB710", 5))
    assert sorted(said(found)) == [f"{code} fair/variants/rich.yaml:{line}" for code, line in places]


def test_an_unreadable_game_says_what_is_wrong_with_its_variants_too(game: Path) -> None:
    (game / "rulebook.yaml").write_text("name: [\n", "utf-8")
    variant(game, "long", "chnage: {rules.turn: say nothing}")
    _, found = laid(game, "long")
    assert {one.code for one in found} == {"RB101", "RB110"}


def test_a_file_that_does_not_say_who_it_is(game: Path) -> None:
    (game / "variants" / "long.yaml").write_text("set: {rounds: 3}\n", "utf-8")
    _, found = laid(game, "long")
    assert [(one.code, one.message) for one in found] == [
        ("RB111", f"A variant needs {key}.") for key in ("a `variant`", "a `name`", "an `extends`")
    ]


def test_a_variant_that_is_named_twice(game: Path) -> None:
    _, found = laid(game, "long", "long")
    assert "RB113" in {one.code for one in found}


def test_comments_hide_messages_in_variants_too(game: Path) -> None:
    variant(game, "long", "set:\n  # rulebook: ignore RB718 on purpose\n  rounds: 2\n")
    assert laid(game, "long")[1] == []
    variant(game, "long", "# rulebook: ignore RB718 no longer\nset: {rounds: 3}\n")
    assert said(laid(game, "long", meant=True)[1])[-1] == "RB901 fair/variants/long.yaml:4"


def test_a_comment_in_a_variant_hides_what_it_brings_about(game: Path) -> None:
    told = "# rulebook: ignore RB507 it comes back in another variant\n"
    file = variant(game, "long", f"{told}change: {{rules.game: do set_up}}")
    loaded = load(game, [file], meant=True)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None and "RB507" not in {one.code for one in found}, render_text(found)


WARNED = """\
format: 1
name: Warned
players: 2..3
kinds:
  note: {has: {value: 1..5}}
places:
  table: {deck: {holds: note, kept: pile, seen_by: nobody}}
  player: {hand: {holds: note, kept: loose, seen_by: owner}}
memory:
  table: {passes: {type: number, default: 0, seen_by: nobody}}
  player: {gold: 0}
cards:
  small: {kind: note, value: 1, copies: 12}
rules:
  game: |
    move cards to deck
    deal 3 from deck to each hand
    repeat 3:
      each p in players:
        do turn(p)
        if passes > 2:
          pass each hand left
  turn(me): |
    do count_one
    do pay(me, 1)
  count_one: |
    add 1 to passes
  pay(me, number n): |
    repeat n:
      add 1 to me.gold
result:
  rank: most gold
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("do pay(me, count(me.hand where value > 1))", "it is given here what not everyone knows"),
        ("do count_one", "it is run from here, and not everyone can tell that it is"),
        ("do count_and_more", "it is run from here, and not everyone can tell that it is"),
        ("set passes = 2", "`passes` is set here, and not everyone can tell to what"),
    ],
)
def test_what_a_line_of_a_variant_gives_away_elsewhere_points_to_it_and_a_comment_there_hides_it(
    game: Path, line: str, told: str
) -> None:
    (game / "rulebook.yaml").write_text(WARNED.replace("  pay(", "  count_and_more: do count_one\n  pay("), "utf-8")
    script = f"if any(me.hand where value > 2):\n      {line}" if "pay" not in line else line
    asks = f"after:\n  rules.turn: |\n    {script}"
    _, found = laid(game, variant(game, "asks", f"{asks}\n").stem)
    assert said(found)[-1].startswith("RB605 fair/rulebook.yaml"), render_text(found)
    assert (line, told) in [(label.span.text, label.text) for label in found[-1].labels], render_text(found)
    heard = f"{asks}  # rulebook: ignore RB605 all have heard it\n"
    _, found = laid(game, variant(game, "asks", heard).stem, meant=True)
    assert not {"RB605", "RB901"} & {one.code for one in found}, render_text(found)


def test_a_variant_does_no_more_than_it_may(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.dsl.overlay.variant.MOST_DEEDS", 3)
    variant(game, "long", "set: {rounds: 4}\nadd:\n" + "".join(f"  cards.c_{n}: {{copy: small}}\n" for n in range(4)))
    _, found = laid(game, "long")
    assert [(one.code, one.span and one.span.text) for one in found] == [("RB106", "cards.c_2")]
    assert "5 things; 3 are the most" in found[0].message


def test_a_comment_in_the_game_may_be_about_what_a_variant_removes(game: Path) -> None:
    text = FAIR.replace("value: 1, copies: 12}", "value: 1, copies: 12, name: }  # rulebook: ignore RB112 later")
    (game / "rulebook.yaml").write_text(text, "utf-8")
    assert "RB901" not in {one.code for one in laid(game, "rich", meant=True)[1]}


# Scenarios

ON_TOP = """\
variants: [long]
scenarios:
  Four rounds:
    given: {players: [Ana, Ben], Ana.hand: [great]}
    expect: [options.rounds is 4, worth(Ana) is 5]
"""
ALONE = """\
scenarios:
  Two rounds:
    given: {players: [Ana, Ben], Ana.hand: [great]}
    expect: [options.rounds is 2, worth(Ana) is 3]
"""


def test_scenarios_of_a_variant_run_on_its_game(game: Path) -> None:
    scenarios(game, "alone", ALONE)
    scenarios(game, "long", ON_TOP)
    scenarios(game, "both", ON_TOP.replace("[long]", "[long, rich]").replace("great", "huge").replace("is 5", "is 4"))
    read, found = load_scenarios(game)
    assert found == []
    assert [run(one).passed for one in read] == [True, True, True]
    assert [tuple(one.ground.rulebook.variants) for one in read] == [(), ("long", "rich"), ("long",)]


def test_a_game_is_resolved_once_for_all_scenarios(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        scenarios(game, f"long_{number}", ON_TOP.replace("Four rounds", f"Four rounds {number}"))
    resolved = []
    monkeypatch.setattr(ground, "load", lambda *words, **more: resolved.append(words) or load(*words, **more))
    read, _ = load_scenarios(game)
    assert (len(read), len(resolved)) == (3, 2)


def test_a_variant_with_mistakes_leaves_the_other_scenarios(game: Path) -> None:
    scenarios(game, "alone", ALONE)
    scenarios(game, "long", ON_TOP)
    variant(game, "long", "set: {ronds: 4}")
    read, found = load_scenarios(game)
    assert [one.title for one in read] == ["Two rounds"]
    assert said(found) == ["RB301 fair/variants/long.yaml:4"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("variants: [lnog]", "RB301 There is no variant called `lnog`. Did you mean `long`?"),
        ("variants: {long: yes}", "RB112 `variants` must be names of variants, like `[long_night]`, not a map."),
        ("variant: long", "RB110 A file of scenarios has no field `variant`. Did you mean `variants`?"),
    ],
)
def test_variants_that_a_file_of_scenarios_cannot_have(game: Path, line: str, message: str) -> None:
    scenarios(game, "long", ON_TOP.replace("variants: [long]", line))
    _, found = load_scenarios(game)
    assert [f"{one.code} {one.message} {one.help}".strip() for one in found] == [message]


# Validated


def validate(*words: str) -> Result:
    return CliRunner().invoke(main, ["validate", *words], env={"COLUMNS": "100"})


def test_each_variant_is_validated_alone(game: Path) -> None:
    assert find_problems(game) == []
    variant(game, "rich", "remove: [cards.smal]")
    variant(game, "long", "set: {rounds: 9}")
    assert said(find_problems(game)) == ["RB411 fair/variants/long.yaml:4", "RB710 fair/variants/rich.yaml:4"]


def test_a_variant_is_validated_on_top_of_those_that_it_follows(game: Path) -> None:
    variant(game, "more", "add: {cards.huge: {copy: great, copies: 2}}")
    variant(game, "dear", "follows: more\nchange: {cards.huge.copies: 3}")
    variant(game, "dearer", "follows: [dear, more]\nchange: {cards.huge.copies: 4}")
    variant(game, "odd", "follows: [dear, odd, more, nowhere]\nchange: {cards.hgue.value: 4}")
    assert said(find_problems(game)) == [
        "RB301 fair/variants/odd.yaml:4",
        "RB301 fair/variants/odd.yaml:4",
        "RB710 fair/variants/odd.yaml:5",
    ]


def test_what_is_wrong_with_the_game_is_said_once(game: Path) -> None:
    (game / "rulebook.yaml").write_text(FAIR + "values_: {}\n", "utf-8")
    assert said(find_problems(game)) == ["RB110 fair/rulebook.yaml:31"]


def test_a_message_says_under_which_variant(game: Path) -> None:
    variant(game, "rich", "remove: [values.worth]")
    result = validate("fair")
    assert result.exit_code == 1
    assert "rulebook.yaml:30:14  (result, under the variant rich)" in result.stdout
    assert "removed `worth` here" in result.stdout


def test_a_game_is_validated_under_the_variants_that_are_named(game: Path) -> None:
    variant(game, "other", "set: {rounds: 3}\nnot_with: {rich: Too few cards.}")
    assert validate("fair").exit_code == 0
    assert validate("fair", "--variant", "long", "--variant", "rich").exit_code == 0
    result = validate("fair", "--variant", "rich", "--variant", "other")
    assert result.exit_code == 1 and "`other` and `rich` cannot be played together: Too few" in result.stdout
    result = validate("fair", "--variant", "rihc")
    assert result.exit_code == 2 and "Did you mean rich?" in result.stderr


def test_a_variant_that_lies_elsewhere_is_validated_on_the_game_that_it_extends(game: Path) -> None:
    stray = Path("stray.yaml")
    stray.write_text("variant: stray\nname: Stray\nextends: ./fair\nset: {rounds: 3}\n", "utf-8")
    result = validate("stray.yaml")
    assert result.exit_code == 1 and "RB714" in result.stdout
    alone = validate("--variant", "stray.yaml")
    assert (alone.exit_code, alone.stdout) == (result.exit_code, result.stdout)
    stray.write_text("set: {rounds: 3}\n", "utf-8")
    assert "does not say what it extends" in validate("stray.yaml").stderr


def test_a_variant_that_lies_elsewhere_is_called_as_it_says(game: Path) -> None:
    stray = Path("stray.yaml")
    stray.write_text("variant: night\nname: Night\nextends: fair\nadd: {cards.owl: {copy: great}}\n", "utf-8")
    assert validate("fair", "--variant", "stray.yaml").exit_code == 0
    rulebook, found = laid(game, "./stray.yaml")
    assert rulebook is not None and [*rulebook.variants] == ["night"], found
    assert rulebook.source["variants/night.yaml"] == stray.read_text("utf-8")
    again = load_texts("fair", rulebook.source, ["night"]).rulebook
    assert again is not None and "owl" in again.cards
    assert "owl" in CliRunner().invoke(main, ["show", "./fair", "owl", "--variant", "./stray.yaml"]).stdout


def test_random_games_are_played_under_a_variant(game: Path) -> None:
    result = validate("fair", "--variant", "rich", "--play", "2")
    assert result.exit_code == 0 and "4 games played" in result.stderr
    assert "not played" not in result.stderr
    said = validate("fair", "--play", "1").stderr
    assert "Without a variant: its variants were not played, which --variant NAME does." in said


@pytest.mark.parametrize(
    ("variants", "title"),
    [
        ([], "Goofspiel"),
        (["Thieves"], "Goofspiel with Thieves"),
        (["Goofspiel with a mirror"], "Goofspiel with a mirror"),
        (["Goofspiel, with a mirror"], "Goofspiel, with a mirror"),
        (["Goofspiel without spades"], "Goofspiel without spades"),
        (["Goofspiels"], "Goofspiel with Goofspiels"),
        (["Goofspiel with a mirror", "Thieves"], "Goofspiel with a mirror and Thieves"),
        (["Thieves", "Goofspiel, with a mirror"], "Goofspiel with Thieves and a mirror"),
    ],
)
def test_a_title_says_the_name_of_the_game_once(variants: list[str], title: str) -> None:
    assert name_with_variants("Goofspiel", variants) == title


@pytest.mark.parametrize("mode", ["--fix", "--diff", "--watch"])
def test_files_are_changed_only_of_the_game_itself(game: Path, mode: str) -> None:
    result = validate("fair", "--variant", "rich", mode)
    assert result.exit_code == 2 and "cannot be given together" in result.stderr
