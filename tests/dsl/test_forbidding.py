"""House rules that exclude each other: nobody sits down to such a game, however it is asked for."""

import json
from itertools import product
from pathlib import Path

import attrs
import pytest
from checking import alone
from click.testing import CliRunner, Result

from rulebook.cli import main
from rulebook.dsl import ir
from rulebook.dsl.settling.forbidding import allowed, find_forbidden, list_numbers
from rulebook.dsl.settling.options import choices_of
from rulebook.examples import of_its_own
from rulebook.interpreter import journal
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.journal import Header
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.playtest.hunting.hunt import planned
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.settings import others

OPTIONS = """
options:
  rows:  {type: 1..3, default: 2}
  lines: {type: yes_no, default: yes}
  stake: {type: amount, default: 5 coin}
  prize: {type: steps, default: {2: 1}}
units: {coin: 1, bag: 10}
"""
GRID = f"""
format: 1
name: Grid
players: 2..4
{OPTIONS}
forbid:
  A grid of one row has no lines: options.rows is 1 and options.lines
  More than three are too many for three rows: options.rows is 3 and count(players) > 3
  Nobody can pay that: options.stake > 3 bag
rules:
  game: |
    repeat options.rows:
      each p in players:
        p chooses step from ["Go on", "Wait"]
        if step is "Wait" and options.lines and options.stake > options.prize(2) * 2 coin:
          win p
"""
LINES = "A grid of one row has no lines (rows=1, lines=yes)."


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    folder = tmp_path / "grid"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(GRID)
    return folder


@pytest.fixture
def rulebook() -> ir.Rulebook:
    found = alone(GRID.partition("players: 2..4")[2]).rulebook
    assert found is not None
    return found


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (2, {}, []),
        (2, {"rows": 1}, ["rows=1, lines=yes"]),
        (2, {"rows": 1, "lines": False}, []),
        (3, {"rows": 3}, []),
        (4, {"rows": 3}, ["rows=3, 4 players"]),
        (4, {"rows": 1, "stake": 40}, ["rows=1, lines=yes", "stake=4 bag"]),
    ],
)
def test_what_is_forbidden_is_known_before_the_game(
    rulebook: ir.Rulebook, players: int, options: dict[str, int], said: list[str]
) -> None:
    settled = {name: one.default for name, one in rulebook.options.items()} | options
    assert [game for _, game in find_forbidden(rulebook, settled, players)] == said
    assert allowed(rulebook, settled, players) is (not said)
    if said:
        with pytest.raises(BadSetup) as refused:
            lower(rulebook, players, dict(options))
        assert all(one in str(refused.value) for one in said)
    else:
        lower(rulebook, players, dict(options))


QUESTIONS = """
  a: options.rows * 2 - 1 > 3 or options.prize(options.rows) is 1
  b: not (options.lines and options.rows in 2..3) and count(players) > 2
  c: options.rows / 2 is 1 and options.rows % 2 is 0
  d: max(options.rows, 2) is min(count(players), 3)
  e: (options.rows if options.lines else 0) in [0, 3]
  f: sum([options.rows, count(seats)]) > 5 or any([options.lines, no]) and options.stake > 1 coin
  g: count(distinct([options.rows, 2])) is 1 and not all([options.lines])
"""


def test_it_is_reckoned_as_the_machine_reckons() -> None:
    # A question is asked before there is a machine; both must give the same answer.
    asked = alone(f"{OPTIONS}values:{QUESTIONS.replace(': ', '(): ', 100)}rules: {{game: win nobody}}").rulebook
    told = alone(f"{OPTIONS}forbid:{QUESTIONS}rules: {{game: win nobody}}").rulebook
    # They are forbidden by default, most of them, which is an error here; the questions are the same.
    assert asked is not None and told is None
    names = [name for name in asked.functions if name.startswith("values.")]
    choices = {name: choices_of(one) or (one.default,) for name, one in asked.options.items()}
    for values in product(*choices.values()):
        options = dict(zip(choices, values, strict=True))
        for players in range(2, 5):
            program = lower(asked, players, dict(options))
            machine = Machine(program)
            state = machine.new_state(0)
            for name in names:
                body = asked.functions[name].body
                assert isinstance(body, ir.Node)
                rule = ir.Forbidden(name, body)
                here = not allowed(attrs.evolve(asked, forbid=(rule,)), options, players)
                assert here is machine.evaluate(state, program.lowering.lower_formula(body)), (name, options, players)


def test_what_is_forbidden_changes_no_rule(rulebook: ir.Rulebook) -> None:
    free = alone(GRID.partition("players: 2..4")[2].replace("options.stake > 3 bag", "options.stake > 9 bag")).rulebook
    assert free is not None and free != rulebook
    assert lower(free, 2).rules_hash == lower(rulebook, 2).rules_hash


SCENARIOS = """
scenarios:
  Forbidden:
    options: {rows: 3}
    given: {players: [Ana, Ben, Cleo, Dan]}
    expect: options.rows is 3
  With one less:
    options: {rows: 3}
    given: {players: [Ana, Ben, Cleo]}
    expect: options.rows is 3
"""


@pytest.mark.parametrize("command", ["play", "simulate", "tree", "validate", "show", "test"])
def test_every_command_refuses_it(grid: Path, command: str) -> None:
    more = {"play": ["--bots", "random"], "validate": ["--play", "1"], "test": ["--coverage"]}
    bots = more.get(command, [])
    if command == "test":
        (grid / "scenarios").mkdir()
        (grid / "scenarios" / "some.yaml").write_text(SCENARIOS.replace("    options: {rows: 3}\n", ""))
    result = run(command, str(grid), "--set", "rows=1", *bots)
    assert result.exit_code == 2
    assert f"Error: Grid cannot be played so: {LINES}\n" in result.stderr
    allowed = run(command, str(grid), "--set", "rows=1", "--set", "lines=no", *bots)
    # The scenarios expect three rows.
    assert allowed.exit_code == (1 if command == "test" else 0), allowed.output


def test_a_scenario_is_told_where(grid: Path) -> None:
    scenarios = grid / "scenarios" / "some.yaml"
    scenarios.parent.mkdir()
    scenarios.write_text(SCENARIOS)
    read, found = load_scenarios(grid)
    assert [one.title for one in read] == ["With one less"]
    (one,) = found
    assert one.code == "RB720" and "(rows=3, 4 players)" in one.message
    assert one.span is not None and one.span.text == "options"
    assert [label.span.text for label in one.labels] == ["More than three are too many for three rows"]
    assert run("test", str(grid)).exit_code == 1


def test_what_varies_leaves_it_out(grid: Path, rulebook: ir.Rulebook) -> None:
    defaults = {name: one.default for name, one in rulebook.options.items()}
    changed = [(one["rows"], one["lines"], list_numbers(rulebook, one)) for one in others(rulebook, defaults)]
    assert changed == [(2, False, (2, 3, 4))], "a range is too long to vary"
    text = (grid / "rulebook.yaml").read_text().replace("{type: 1..3, default: 2}", "{type: [1, 2, 3], default: 2}")
    (grid / "rulebook.yaml").write_text(text)
    listed = alone(text.partition("players: 2..4")[2]).rulebook
    assert listed is not None
    assert [list_numbers(listed, one) for one in others(listed, defaults)] == [(), (2, 3), (2, 3, 4)]
    # Two games with each of three numbers of players, and three for each of two other choices: rows=3 and lines=no.
    assert planned(listed, 2, vary=True) == 6 + 2 + 3
    result = run("validate", str(grid), "--play", "2", "--vary")
    assert (result.exit_code, result.stdout) == (0, "1 game checked, no problems.\n")
    assert "11 games played" in result.stderr
    result = run("simulate", str(grid), "--players", "all", "--vary", "--games", "1", "--seed", "1", "--json")
    played = [(one["players"], one["options"]) for one in json.loads(result.stdout)["simulations"]]
    assert played == [(2, {}), (3, {}), (4, {}), (2, {"rows": "3"}), (3, {"lines": "no"})]
    # Of the numbers of players, too, those are left out that cannot play by what was set.
    result = run("simulate", str(grid), "--players", "all", "--set", "rows=3", "--games", "1", "--json")
    assert result.exit_code == 0, result.output


def test_set_up_that_is_forbidden_is_no_mistake() -> None:
    text = """
options: {hand_size: {type: 1..9, default: 2}}
kinds: {ware: {}}
cards: {fish: {kind: ware, copies: 12}}
places: {table: {deck: {holds: ware, kept: pile}}, player: {hand: {holds: ware, kept: loose, seen_by: owner}}}
rules:
  game: |
    move cards to deck
    deal options.hand_size from deck to each hand
    each p in players:
      reveal p.hand
"""
    head = "format: 1\nname: Deal\nplayers: 2..4\n"
    forbid = "forbid: {Too few cards: options.hand_size * count(players) > 12}\n"
    assert [one.code for one in of_its_own(head + text, meant=True)[1]] == ["RB505"]
    assert of_its_own(head + text + forbid, meant=True)[1] == []


def test_a_save_of_what_is_forbidden_is_refused(grid: Path, tmp_path: Path) -> None:
    rules = {"rulebook.yaml": (grid / "rulebook.yaml").read_text()}
    options = {"rows": 1, "lines": True, "stake": 5, "prize": ((2, 1),)}
    journal.write_journal(tmp_path / "it.jsonl", Header("grid", "", ("Ana", "Ben"), 1, rules, options))
    result = run("play", "--resume", str(tmp_path / "it.jsonl"))
    assert (result.exit_code, result.stderr) == (2, f"Error: Grid cannot be played so: {LINES}\n")


MAPS = """
format: 1
name: Maps
players: [2, 4]
options: {map: {type: [row, ring], default: row}}
forbid: {The row is for two: options.map is row and count(players) > 2}
rules:
  game: |
    if options.map is row:
      say "A row"
    each p in players:
      p chooses one "Well?":
        "Yes":
          win p
        "No":
          stop
"""


def test_the_rules_as_they_are_may_be_for_some_numbers_only(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(MAPS)
    assert run("validate", str(tmp_path), "--play", "2").exit_code == 0
    for words, said in (
        (["--players", "4"], "Maps cannot be played so: The row is for two (map=row, 4 players)."),
        (["--players", "3", "--set", "map=ring"], "This game is for 2 or 4 players, not 3."),
        (["--bots", "random,random,random"], "--bots names 3 bots for 4 players."),
    ):
        result = run("simulate", str(tmp_path), "--games", "2", *words)
        assert result.exit_code == 2 and said in result.stderr, result.output
    for words, players in (([], [2]), (["--players", "all", "--set", "map=ring"], [2, 4]), (["--players", "all"], [2])):
        result = run("simulate", str(tmp_path), "--games", "2", "--seed", "1", "--json", *words)
        played = json.loads(result.stdout)
        assert [one["players"] for one in played.get("simulations", [played])] == players
    assert "Maps (2 or 4 players)" in run("show", str(tmp_path)).stdout


def test_nobody_is_dealt_a_number_of_players_that_is_forbidden(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(MAPS.replace("count(players) > 2", "count(players) < 4"))
    result = run("simulate", str(tmp_path), "--games", "2", "--seed", "1", "--json")
    assert json.loads(result.stdout)["players"] == 4


def test_a_number_means_exactly_so_many() -> None:
    rulebook, messages = of_its_own(MAPS.replace("[2, 4]", "2"))
    assert rulebook is not None and rulebook.players == (2,)
    assert [one.code for one in messages if one.code != "RB722"] == []
    (_, found) = of_its_own(MAPS.replace("[2, 4]", "13"))
    assert [one.code for one in found] == ["RB411"]


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("[]", "RB112 a range like `2..7`, or a list like `[2, 4]`"),
        ("[4, 2]", "RB411 more than the number before it"),
        ("[2..4, 4]", "RB411 more than the number before it"),
        ("[0, 2]", "RB411 within 1..12"),
        ("4..2", "RB411 within 1..12"),
        ("[two]", "RB112 a list like `[2, 4]`"),
        ("[2..4, 6]", ""),
    ],
)
def test_how_many_may_play_is_a_range_or_a_list(players: str, said: str) -> None:
    rulebook, messages = of_its_own(MAPS.replace("[2, 4]", players))
    code, _, words = said.partition(" ")
    assert [one.code for one in messages if one.code != "RB722"] == ([code] if code else [])
    assert all(words in one.message + (one.help or "") for one in messages)
    assert said or (rulebook is not None and rulebook.players == (2, 3, 4, 6))


LEFT = "Too few of the 52 cards are left to begin with"


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("--players 2 --set hand_size=2:23", ""),
        ("--players 2 --set hand_size=2:24", f"{LEFT} (hand_size=2:24, 2 players)."),
        ("--players 7 --set hand_size=2:6", ""),
        ("--players 7 --set hand_size=2:7", f"{LEFT} (hand_size=2:7, 7 players)."),
        ("--set hand_size=none", "Everybody needs a card (hand_size=none, 2 players)."),
    ],
)
def test_a_bundled_game_refuses_what_would_go_round(words: str, refused: str) -> None:
    result = run("simulate", "crazy_eights", "--games", "1", "--seed", "1", *words.split())
    assert result.exit_code == (2 if refused else 0)
    assert not refused or result.stderr == f"Error: Crazy Eights cannot be played so: {refused}\n"


SHOWN = """\
Grid: house rules as they are, unless
set with --set NAME=VALUE

rows=2
  a whole number from 1 to 3

lines=yes
  yes or no

stake=5 coin
  an amount like 5 coin

prize=2:1
  steps like 2:1 (1 from 2 on and for
  all above, 0 below 2)

Forbidden
  A grid of one row has no lines:
    options.rows is 1 and options.lines
  More than three are too many for
  three rows:
    options.rows is 3 and
    count(players) > 3
  Nobody can pay that:
    options.stake > 3 bag
"""


def test_they_are_shown(grid: Path) -> None:
    result = CliRunner().invoke(main, ["show", str(grid), "--options"], env={"COLUMNS": "40"})
    assert result.stdout == SHOWN
    assert all(len(line) < 80 for line in run("show", "wrong_party", "--options").stdout.splitlines())
    assert "has no house rules" in run("show", "tic_tac_toe", "--options").stdout
    assert run("show", str(grid), "game", "--options").exit_code == 2
