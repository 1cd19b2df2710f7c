"""Scripts told in English: every telling of the bundled games beside what is printed, and what no telling may do.

A telling changed on purpose is written anew with `UPDATE_ENGLISH=1`; then read what became of it.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import ir_samples as made
import ir_scripts
import pytest
from attrs import fields
from hypothesis import HealthCheck, given, settings
from paths import DATA, ROOT

from rulebook import library
from rulebook.commands.show import tell_all
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.settling.texts import word_expression
from rulebook.dsl.walk import everything
from rulebook.english.lexicon import CLOSE, OPEN, HouseRules
from rulebook.english.prose import SIGNS, Line
from rulebook.english.sheet import Sheet, write_text
from rulebook.examples import in_market, of_its_own
from rulebook.loading import load

FILES = DATA / "english"
GAMES = [folder.name for folder in library.find_games()]
VARIANTS = [(folder.name, file.stem) for folder in library.find_games() for file in library.variants_of(folder)]
SCRIPT = re.compile(r"_|[{}\[\]<>=|\\^]|\.\.|\b(publicly|me)\b")
"""What stands in scripts and not in sentences."""
HOLE = re.compile(f"{OPEN}[a-z0-9_]*{CLOSE}")
"""Where the value of an option that is not settled belongs."""
SLIP = re.compile(r"\bNone\b| [,.;:!?)]|[,;:][,.;:]|(?<!\.)\.\.|\b(a|an|the) (a|an|the) |\b(\w+) \3\b(?<!that that)")
"""What nobody writes."""
MOST_WORDS = 120
"""How much may stand in one paragraph or point."""


@cache
def rulebook(game: str, *variants: str) -> ir.Rulebook:
    folder = library.find_game(game)
    loaded = load(folder, [library.find_variant(folder, name) for name in variants])
    read, found = loaded.rulebook, loaded.messages
    assert read is not None, found
    return read


def usual(game: ir.Rulebook) -> dict[str, Any]:
    return {option.name: option.default for option in game.options.values()}


def written(lines: Sequence[Line]) -> list[str]:
    return ["  " * line.depth + (f"{SIGNS[line.depth - 1]} " if line.depth else "") + line.text for line in lines]


@cache
def tellings(game: str, *variants: str) -> list[str]:
    """Everything a game does, each beside what is printed."""
    read = rulebook(game, *variants)
    told = Sheet(read)
    found = []
    for entry in told.list_entries():
        lines = told.tell_entry(entry)
        if not lines:
            continue
        thing = read.cards.get(entry.about) or read.actions.get(entry.about)
        text = thing.text if thing is not None and entry.sort in ("Cards", "Actions") else None
        printed = [] if text is None else [f"> {word_expression(text, usual(read), read.units)}"]
        found.append("\n".join([f"## {entry.sort}: {entry.name}", *printed, *written(lines), ""]))
    return found


def as_before(file: Path, now: str) -> bool:
    """Whether a file says what is told now."""
    if os.environ.get("UPDATE_ENGLISH"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(now, "utf-8")
    return now == file.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_telling_of_a_game(game: str) -> None:
    assert as_before(FILES / f"{game}.txt", "\n".join(tellings(game)))


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_what_a_variant_tells_otherwise(game: str, variant: str) -> None:
    otherwise = [one for one in tellings(game, variant) if one not in tellings(game)]
    assert as_before(FILES / game / f"{variant}.txt", "\n".join(otherwise))


def test_no_telling_is_left_of_a_variant_that_is_gone() -> None:
    assert {(file.parent.name, file.stem) for file in FILES.glob("*/*.txt")} == set(VARIANTS)


# ── what no telling may do ───────────────────────────────────────────────────────────────────────────────────────────


def without_names(text: str) -> str:
    """What a telling says itself: what somebody wrote for players, in quotes, may hold any sign."""
    return re.sub(r"“[^”]*”", "“…”", HOLE.sub("7", text))


def not_english(lines: Sequence[Line]) -> list[str]:
    """The lines that nobody would write."""
    return [line.text for line in lines if not is_english(line.text)]


def is_english(said: str) -> bool:
    text = without_names(said)
    begins = text[0].isupper() or text[0] in "“0123456789"
    ends = said.endswith((".", ":", ".”", "!”", "?”"))
    closed = all(said.count(opened) == said.count(closed) for opened, closed in ("“”", "()"))
    slips = SCRIPT.search(text) or SLIP.search(text) or "  " in text
    return begins and ends and closed and not slips and len(text.split()) <= MOST_WORDS


def house_rules(game: ir.Rulebook) -> Iterator[dict[str, Any]]:
    """The usual ones, each closed one varied, and none of them settled."""
    yield usual(game)
    for option in game.options.values():
        for value in (option.choices or ()) if option.type.__class__.__name__ != "YesNo" else (False, True):
            if value != option.default:
                yield {**usual(game), option.name: value}
    yield {}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_telling_is_english_under_all_house_rules(game: str) -> None:
    read = rulebook(game)
    for options in house_rules(read):
        told = Sheet(read, HouseRules(read.options, options))
        for entry in told.list_entries():
            assert not not_english(told.tell_entry(entry)), (options, entry)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_telling_of_a_variant_is_english(game: str, variant: str) -> None:
    read = rulebook(game, variant)
    for options in (usual(read), {}):
        told = Sheet(read, HouseRules(read.options, options))
        for entry in told.list_entries():
            assert not not_english(told.tell_entry(entry)), (options, entry)


@pytest.mark.parametrize("game", GAMES)
def test_a_printed_text_is_english(game: str) -> None:
    read = rulebook(game)
    for id in (*read.cards, *read.actions):
        text = write_text(read, id, {})
        if text is not None:
            for options in house_rules(read):
                said = word_expression(text, {**usual(read), **options}, read.units)
                assert not SCRIPT.search(without_names(said)) and "\ue000" not in said, (id, said)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(ir_scripts.BLOCKS)
def test_any_script_can_be_told(body: ir.Block) -> None:
    game = ir_scripts.rulebook(body)
    for options in (usual(game), {}):
        lines = Sheet(game, HouseRules(game.options, options)).tell_rule("drawn")
        assert all(not re.search(r"_|[{}\[\]<>=|\\]", line.text) for line in lines), lines


def test_the_small_game_is_told() -> None:
    game = made.small_game()
    told = Sheet(game).tell_script(game.scripts[ir.GAME])
    assert any("each player chooses a gem from their hand" in line.text for line in told)


@pytest.mark.slow
def test_every_construct_is_told_somewhere() -> None:
    known: set[type] = set()
    for game in GAMES:
        read = rulebook(game)
        known |= {type(one) for one in everything(*read.scripts.values(), *read.functions.values())}
    drawn = {cl for strategy in (ir_scripts.STATEMENTS,) for cl in _classes(strategy)}
    constructs = set(get_args(ir.Expr)) | set(get_args(ir.Statement))
    assert constructs - known - drawn == {ir.AllActions} - known


def _classes(strategy: Any) -> set[type]:
    """Every class that a strategy can draw, found by drawing."""
    found: set[type] = set()

    @settings(max_examples=300, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def look(one: ir.Statement) -> None:
        found.update(type(part) for part in everything(one))

    look()
    return found


def test_every_built_in_has_words() -> None:
    read = [rulebook(game) for game in GAMES]
    scripts = [one for game in read for one in (*game.scripts.values(), *game.functions.values())]
    asked = {one.name for one in everything(*scripts) if isinstance(one, ir.BuiltIn)}
    drawn = {"around", "beside", "cell", "column", "column_number", "holder", "last", "row", "row_number", "seat"}
    assert set(BUILT_INS) - asked - drawn == set()


# ── what somebody reads ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_rules_sheet_fits_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")
    lines = tell_all(rulebook("wallet"))
    assert max(len(line) for line in lines) <= 60
    assert "To the Left (to_the_left)" in lines
    assert lines[0] == "Cards: id"


def test_the_reference_says_what_a_card_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "language.md").read_text("utf-8")
    game = re.search(r"```yaml game\n(format: 1\nname: Harbour\n.*?)```", page, re.DOTALL)
    shown = re.search(r"```yaml part\n([^`]*text: auto\n[^`]*)```\n\nThis card says:\n\n((?:> .*\n)+)", page)
    assert game is not None and shown is not None
    (tmp_path / "rulebook.yaml").write_text(game[1], "utf-8")
    (tmp_path / "more.yaml").write_text(shown[1], "utf-8")
    loaded = load(tmp_path)
    read, found = loaded.rulebook, loaded.messages
    assert read is not None, found
    text = read.cards["beggar"].text
    assert text is not None
    assert word_expression(text, usual(read)) == " ".join(shown[2].replace("> ", " ").split())


GAME = """
format: 1
name: Told
players: 2..4
units: {penny: 1, crown: 12}
options:
  fast: {type: yes_no, default: no}
  draws: {type: 1..3, default: 1}
  toll: {type: amount, default: 2 crown}
kinds:
  ware: {has: {value: amount}, may_do: {effect(me): }, text: auto}
places:
  table: {deck: {holds: ware, kept: pile, seen_by: nobody}}
  player: {hand: {holds: ware, kept: loose, seen_by: owner}}
cards:
  plum: {kind: ware, value: 1 penny, copies: 9}
  fig:
    kind: ware
    value: 1 penny
    effect: |
      if options.fast:
        shuffle deck
      draw options.draws from deck to me.hand
  pear:
    kind: ware
    value: 1 penny
    effect: choose dear from me.hand where value > options.toll
  quince: {kind: ware, value: 1 penny, text: "auto"}
rules:
  game: |
    move cards to deck
    each p in players:
      do first(deck).effect(p)
"""


def test_a_printed_text_goes_by_the_options_that_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(GAME, "utf-8")
    loaded = load(tmp_path)
    read, found = loaded.rulebook, loaded.messages
    assert read is not None, found
    fig, pear = read.cards["fig"].text, read.cards["pear"].text
    assert fig is not None and pear is not None
    options = usual(read)
    assert word_expression(fig, options) == "Effect: Draw 1 ware from the deck into your hand."
    assert word_expression(fig, {**options, "draws": 2}) == "Effect: Draw 2 wares from the deck into your hand."
    assert word_expression(fig, {**options, "fast": True}).startswith("Effect: Shuffle the deck. Draw 1 ware")
    assert "whose value is more than 2 crown" in word_expression(pear, options, read.units)
    assert read.cards["plum"].text is None
    assert read.cards["quince"].text == ir.Const("auto", type=t.TEXT)


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("plum: {", "plum: {text: auto, ", "`auto` must be a card that does or answers something"),
        ("quince: {", "quince: {text: {by: options.fast, yes: auto, no: x}, ", "This must be a text for"),
    ],
)
def test_auto_where_it_says_nothing(tmp_path: Path, written: str, instead: str, said: str) -> None:
    text = GAME.replace(written, instead).replace(', text: "auto"', "")
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    found = load(tmp_path).messages
    assert [said in one.message for one in found] == [True], found


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "each p in players:\n  each q in players where gold > p.gold:\n    add 1 to q.gold\n    add 2 to p.gold",
            "add 1 to their gold, then the outer player adds 2 to their gold.",
        ),
        (
            "each p in players:\n  each q in others:\n    p chooses victim from players where it is not q\n"
            "    if victim is q:\n      add 1 to p.gold",
            "If that player is the inner player, the outer player adds 1 to their gold.",
        ),
        (
            "choose victim from others\nif victim in players:\n  add 1 to victim.gold",
            "If that player is still in the game, ",
        ),
        (
            "choose victim from others\nif victim not in players:\n  add 1 to me.gold",
            "If that player is out of the game, ",
        ),
        (
            'choose one "Your turn":\n  "Dig":\n    add 1 to me.gold',
            "Choose “Dig”. Add 1 to your gold.",
        ),
    ],
)
def test_players_are_told_apart(script: str, said: str) -> None:
    read, found = in_market("rules:\n  act(me): |\n" + textwrap.indent(script, "    "))
    assert read is not None, found
    assert said in " ".join(written(Sheet(read).tell_rule("act")))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("add 2 to me.goods[euro]", "Add 2 to the Euro in your goods."),
        ("add -1 to me.goods[euro]", "Reduce the Euro in your goods by 1."),
        ("set me.goods[euro] = 3", "The Euro in your goods becomes 3."),
        ("add 1 to visits[me]", "Add 1 to the visits for you."),
        ("add me.left.goods to me.goods", "Add the goods of the player to your left to your goods."),
        ("add -me.left.goods to me.goods", "Reduce your goods by the goods of the player to your left."),
        ("if me.goods >= me.left.goods:\n  shuffle deck", "If your goods cover the goods of the player to your left, "),
        ("if not (me.goods >= me.left.goods):\n  shuffle deck", "If your goods do not cover the goods of "),
        ("set me.gold = sum(me.goods)", "Your gold becomes the total of your goods."),
        ("let due = me.goods\nadd -1 to due[yen]\nadd due to me.goods", "Reduce the Yen in “due” by 1."),
    ],
)
def test_tables_are_told(script: str, said: str) -> None:
    memory = "memory: {table: {visits: number by player}, player: {goods: number by currency}}\n"
    read, found = in_market(f"{memory}rules:\n  act(me): |\n" + textwrap.indent(script, "    "))
    assert read is not None, found
    assert said in " ".join(written(Sheet(read).tell_rule("act")))


HOW_MANY = ["1", "2", "options.limit", "wind", "n", "count(me.purse)"]
COUNTED = {
    "draw HOW_MANY from deck to me.hand": ir.Draw,
    "deal HOW_MANY from deck to each hand": ir.Deal,
    "move HOW_MANY from bank to me.purse": ir.MovePieces,
    "pick (HOW_MANY) some from line at random": ir.PickRandom,
    "choose (HOW_MANY) some from me.hand": ir.Choose,
    "choose up to (HOW_MANY) some from me.hand": ir.Choose,
    "repeat HOW_MANY:\n  shuffle deck": ir.Repeat,
    "move first(deck, HOW_MANY) to me.hand": ir.Move,
    "reveal last(line, HOW_MANY)": ir.Reveal,
    "add HOW_MANY to me.gold": ir.Assign,
}
"""Sentences with a number in them, which may be a constant, an option, a memory, a parameter or a question."""
PILED_UP = re.compile(r"\b(top|bottom|first|last|next|a|the) (that many|the|a number)\b|\bthe number of the number\b")
COUNTS = """format: 1
name: Counts
players: 2..4
options: {limit: {type: 1..9, default: 3, text: How many}}
kinds: {gem: {has: {worth: 1..9}}, coin: {}}
places:
  table:
    deck: {holds: gem, kept: pile, seen_by: nobody}
    line: {holds: gem, kept: row}
    bank: {holds: coin, kept: pool}
  player: {hand: {holds: gem, kept: loose, seen_by: owner}, purse: {holds: coin, kept: pool}}
memory: {table: {wind: 0}, player: {gold: 0}}
cards: {ruby: {kind: gem, worth: 3, copies: 9}, penny: {kind: coin, copies: 9}}
rules:
  game: do act_0(first(players), 2)
"""


def test_any_number_of_a_sentence_is_english() -> None:
    counting = {kind for kind in get_args(ir.Statement) if {one.name for one in fields(kind)} & {"count", "picks"}}
    assert counting - {*COUNTED.values()} == {ir.ChooseEach, ir.Offer}, "a pick of these is told as that of `choose`"
    scripts = [script.replace("HOW_MANY", many) for script in COUNTED for many in HOW_MANY]
    rules = (f"  act_{at}(me, number n): |\n{textwrap.indent(script, '    ')}\n" for at, script in enumerate(scripts))
    read, found = of_its_own(COUNTS + "".join(rules))
    assert read is not None, found
    for options in (usual(read), {}):
        told = Sheet(read, HouseRules(read.options, options))
        lines = [line for at in range(len(scripts)) for line in told.tell_rule(f"act_{at}")]
        assert not not_english(lines) and not [line.text for line in lines if PILED_UP.search(line.text)]


_VERBS = {"gain": "gains", "pass": "passes", "die": "dies", "carry": "carries", "have": "has", "be": "is", "go": "goes"}
_OF_BE = {"be": "are"}


def _say_phrase(phrase: str, script: str) -> str:
    gift = "  gift(p, q): |\n    add 3 to p.gold\n    add 1 to q.gold\n"
    text = f"rules:\n  act(me): |\n{textwrap.indent(script, '    ')}\n{gift}"
    read, found = in_market(f'{text}phrases: {{gift: "{phrase}"}}\n')
    assert read is not None, found
    return " ".join(written(Sheet(read).tell_rule("act")))


@pytest.mark.slow
def test_a_verb_agrees_with_who_is_filled_in() -> None:
    """Whoever stands for `{p}`, and in whichever form the author wrote the verb."""
    other = "choose friend from others\nif friend.gold > 1:\n  "
    for base, third in _VERBS.items():
        you = _OF_BE.get(base, base)
        for verb in (third, you):
            for before, wanted in (("{p} also ", "also "), ("{p} ", "")):
                phrase = f"{before}{verb} 3"
                both = "let x = 1\nif x > 0:\n  do gift(me.left, me)\nif x > 0:\n  do gift(me, me.left)"
                said = _say_phrase(phrase, both)
                assert re.search(rf"(?<!you) {wanted}{third} 3", said), (phrase, said)
                assert re.search(rf"(?i)(\byou |, |\. ){wanted}{base} 3|\byou {wanted}{you} 3", said), (phrase, said)
                assert f"you {wanted}{third}" not in said and f"You {wanted}{third}" not in said, (phrase, said)
            said = _say_phrase(f"{{p}} and {{q}} {verb} 3", f"{other}do gift(me, friend)")
            assert f" {you} 3" in said and f" {third} 3" not in said, said
    for further in ("gains 3 and loses {q}", "gain 3 and lose {q}", "gains 3, then loses a coin", "gains and loses 3"):
        asked = (f"if me.gold > 1:\n  do gift({who})" for who in ("me, me.left", "me.left, me"))
        mine, theirs = (_say_phrase(f"{{p}} {further}", one) for one in asked)
        assert "gains" not in mine and "loses" not in mine and "gain" in mine and "lose" in mine, mine
        assert "gains" in theirs and "loses" in theirs, theirs
    kept = _say_phrase("{p} takes cards and coins from {q}", "if me.gold > 1:\n  do gift(me, me.left)")
    assert "cards and coins from" in kept


def test_what_house_rules_settle_is_not_said_to_be_always_so() -> None:
    def tell(script: str, more: str = "", value: str = "") -> str:
        read, found = in_market(f"rules:\n  act(me): |\n{textwrap.indent(script, '    ')}\n{more}")
        assert read is not None, found
        return " ".join(written(Sheet(read).tell_value(value) if value else Sheet(read).tell_rule("act")))

    assert "Tell all players “yes”" in tell("tell players whether 2 > 1")
    assert "“no”" in tell("tell players whether 2 < 1")
    assert "so that" not in tell("choose two from others so that 2 > 1\nadd 1 to two.gold")
    # One part decides the whole.
    assert tell("if me.gold > 1 and 2 < 1:\n  add 5 to me.gold\nadd 1 to me.gold") == "Add 1 to your gold."
    assert tell("if me.gold > 1 or 2 > 1:\n  add 5 to me.gold") == "Add 5 to your gold."
    fair = "    this is so: 2 > 1\n    that is so: 2 < 1\n"
    assert "Never fair" in tell("add 1 to me.gold", f"values:\n  fair(p):\n{fair}", "fair")
    assert "always so" not in tell("add 1 to me.gold", "values:\n  fair(p):\n    this is so: 2 > 1\n", "fair")
    assert "as soon as" not in tell("stage day until 2 < 1:\n  add 1 to me.gold\nadd 1 to me.gold")
    assert "at once" in tell("stage day until 2 > 1:\n  add 1 to me.gold\nadd 1 to me.gold").lower()
