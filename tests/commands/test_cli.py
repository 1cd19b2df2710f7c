"""The commands, as somebody types them: what they print, and with which exit code they end."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from paths import ROOT

from rulebook.cli import COMMANDS, main
from rulebook.commands import seats as seating
from rulebook.commands.console import BadRequest
from rulebook.table import saves
from rulebook.widths import width

BROKEN = "format: 1\nname: Broken\nplayers: 2..4\nrules:\n  game: |\n    muve cards to nowhere\n"
NOT_YAML = "format: 1\nname: [Broken\n"
SCENARIOS = """\
scenarios:
  It is so:
    given: {players: [Ana, Ben]}
    expect:
      - count(cards) is %d
"""


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves go to a folder of the test, and the environment asks for nothing."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


def run(*words: str, typed: str = "", **environ: str) -> Result:
    return CliRunner().invoke(main, list(words), input=typed, env=environ)


def game_folder(parent: Path, rules: str, scenarios: str = "") -> Path:
    folder = parent / "made_up"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(rules, "utf-8")
    if scenarios:
        (folder / "scenarios").mkdir()
        (folder / "scenarios" / "some.yaml").write_text(scenarios, "utf-8")
    return folder


def copied_wallet(parent: Path, scenarios: str) -> Path:
    from rulebook import library

    folder = parent / "copy"
    (folder / "scenarios").mkdir(parents=True)
    for path in library.find_game("wallet").glob("*.yaml"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "scenarios" / "some.yaml").write_text(scenarios, "utf-8")
    return folder


# ── usage ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", ["validate", "test"])
def test_a_folder_without_games_is_no_success(command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path))
    assert result.exit_code == 2
    assert "There is no game in" in result.stderr


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "--color" in result.stdout


def test_help_lists_the_commands() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(command in result.stdout for command in COMMANDS)


def test_help_says_of_a_command_what_its_own_help_begins_with() -> None:
    assert isinstance(main, click.Group)
    for name, (_, about) in COMMANDS.items():
        found = main.get_command(click.Context(main), name)
        assert found is not None
        assert found.get_short_help_str(500) == about


def test_version() -> None:
    import rulebook

    assert run("--version").stdout == f"rulebook {rulebook.__version__}\n"


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_nothing_heavy(option: str) -> None:
    program = (
        "import sys\n"
        "from rulebook.cli import main\n"
        f"try: main(['{option}'])\n"
        "except SystemExit: pass\n"
        "heavy = {'lark', 'yaml', 'attrs', 'attr', 'cattrs', 'rulebook.dsl', 'rulebook.interpreter'}\n"
        "print('imported:', *sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "imported:"


@pytest.mark.slow
@pytest.mark.parametrize("words", [["play", "kuhn_poker"], ["play", "wallet", "--seats", "bot,bot,bot", "--seed", "1"]])
def test_a_game_that_was_kept_needs_no_reader(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from rulebook.cli import main\n"
        f"try: main({words})\n"
        "except SystemExit: pass\n"
        "reading = {'lark', 'yaml', 'cattrs', 'rulebook.loading.frontend', 'rulebook.dsl.syntax'}\n"
        "print('imported:', *sorted(reading & set(sys.modules)))\n"
    )
    for _ in range(2):
        line = [sys.executable, "-c", program]
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "imported:"


@pytest.mark.slow
def test_what_is_known_is_said_without_the_language(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from rulebook.cli import main\n"
        "try: main(['validate', 'kuhn_poker'])\n"
        "except SystemExit: pass\n"
        "print('imported:', *sorted({'lark', 'yaml', 'cattrs', 'rulebook.dsl'} & set(sys.modules)))\n"
    )
    environment = {**os.environ, "RULEBOOK_CACHE": str(tmp_path)}
    for _ in range(2):
        line = [sys.executable, "-c", program]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout.splitlines()[-1] == "imported:"


def test_public_names_are_lazy() -> None:
    import rulebook

    assert set(rulebook.__all__) <= set(dir(rulebook))
    assert rulebook.open.__module__ == "rulebook.front_door"
    with pytest.raises(AttributeError):
        rulebook.nothing_of_that_name  # noqa: B018


# ── our own bugs ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("debug", "shows"), [("", False), ("1", True)])
def test_our_own_bug_is_said_to_be_ours(monkeypatch: pytest.MonkeyPatch, debug: str, shows: bool) -> None:
    def fail() -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr("rulebook.library.find_games", fail)
    result = run("list", RULEBOOK_DEBUG=debug)
    assert result.exit_code == 3
    assert "this is our bug, not yours: ZeroDivisionError: oh no" in result.stderr
    assert ("Traceback" in result.stderr) is shows


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals to process groups")
@pytest.mark.parametrize("wait", [0.2, 1.0, 2.5])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_ctrl_c_while_many_games_are_played(jobs: str, wait: float) -> None:
    program = "from rulebook.cli import main; main()"
    words = ["simulate", "wallet", "--games", "100000", "--seed", "1", "--jobs", jobs]
    # A shell that starts the tests in the background has them ignore ^C, and what they start too.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    with subprocess.Popen(
        [sys.executable, "-c", listen + program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        if wait < 1:
            # Not before Python itself listens; from then on, whatever is going on.
            time.sleep(0.5)
        time.sleep(wait)
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=30)
    # click ends the line on which ^C stands
    assert (child.returncode, out, err.strip()) == (130, b"", b"")


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulebook.library.find_games", interrupt)
    result = run("list")
    assert result.exit_code == 130
    assert "Traceback" not in result.output


def test_ctrl_c_while_a_class_is_made_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    class Named:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def import_something() -> None:
        type("Late", (), {"field": Named()})

    monkeypatch.setattr("rulebook.library.find_games", import_something)
    result = run("list")
    assert (result.exit_code, result.stderr) == (130, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs pipes that break")
def test_a_reader_who_has_seen_enough_is_no_failure() -> None:
    program = "from rulebook.cli import main; main()"
    words = [sys.executable, "-c", program, "play", "wallet", "--bots", "random", "--players", "7", "--seed", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


# ── colours ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "environ", "coloured"),
    [
        (["show", "wallet"], {}, False),
        (["show", "wallet", "--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "always", "show", "wallet"], {}, True),
        (["--color", "always", "show", "wallet", "--color", "never"], {}, False),
        (["show", "wallet"], {"FORCE_COLOR": "1"}, True),
        (["show", "wallet"], {"FORCE_COLOR": "0"}, False),
        (["show", "wallet"], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["show", "wallet", "--color", "auto"], {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_colour_is_as_asked_for(words: list[str], environ: dict[str, str], coloured: bool) -> None:
    # The runner strips colours unless it is told that the other end takes them.
    result = CliRunner().invoke(main, words, env=environ, color=True)
    assert result.exit_code == 0
    assert ("\x1b[" in result.stdout) is coloured


# ── list, show, validate, test ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_list_and_show() -> None:
    listed = run("list").stdout
    assert "Wallet, 2 to 7 players, 144 cards" in listed
    # How many cards there are may depend on how many play.
    assert "2 to 6 players, 10 to 30 cards" in listed
    assert "10 to 30" in run("show", "liars_dice", "die").stdout
    shown = run("show", "wallet").stdout
    for word in ("House rules", "rounds", "Places", "wallet", "Cards: id", "john_smith", "Actions", "Rules", "judge"):
        assert word in shown
    card = run("show", "wallet", "inspection").stdout
    assert "Look at a random card" in card
    assert "choose suspect from others" in card
    assert "specials.yaml:" in card
    family = run("show", "wallet", "note_100").stdout.splitlines()
    assert family[0] == "note_100 (4 cards)"
    assert "          2 copies · corner 2" in family
    # What each copy says for itself is not said of the card.
    john = run("show", "wallet", "John").stdout
    assert "1 copy · no corner" in john and "  corner" not in john
    assert ["kind", "note"] in [line.split() for line in family]
    assert "  note_100.dollar  100 Dollar, currency Dollar" in family
    assert run("show", "wallet", "note_100.dollar").stdout.startswith("100 Dollar (note_100.dollar)\n")
    rule = run("show", "wallet", "judge").stdout
    assert "reveal p.hand" in rule
    assert "set p.cleared" in rule


@pytest.mark.slow
def test_validate_a_sound_game(tmp_path: Path) -> None:
    folder = copied_wallet(tmp_path, SCENARIOS % 144)
    for path in (folder, folder / "specials.yaml", folder / "scenarios" / "some.yaml", tmp_path):
        result = run("validate", str(path))
        assert (result.exit_code, result.stdout) == (0, "1 game checked, no problems.\n")
    assert json.loads(run("validate", str(folder), "--format", "json").stdout)["summary"]["errors"] == 0


@pytest.mark.parametrize(
    ("words", "listing"),
    [
        (["show", "GAME", "no such card"], "GAME lists the names."),
        (["dis", "GAME", "no such rule"], "GAME lists the names."),
        (["simulate", "GAME", "--set", "no_such=1"], "GAME --options lists them"),
        (["simulate", "GAME", "--without", "no such card"], "GAME lists the cards."),
        (["test", "GAME", "--set", "no_such=1"], "GAME --options lists them"),
    ],
)
def test_a_hint_names_the_game_that_was_asked_for(words: list[str], listing: str, tmp_path: Path) -> None:
    folder = copied_wallet(tmp_path, SCENARIOS % 144)
    (folder / "variants").mkdir()
    (folder / "variants" / "mine.yaml").write_text("variant: mine\nname: Mine\nextends: copy\nchange: {name: Ours}\n")
    result = run(*(str(folder) if word == "GAME" else word for word in words), "--variant", "mine")
    assert result.exit_code == 2
    assert f"show {listing.replace('GAME', f'{folder} --variant mine')}" in " ".join(result.output.split())


@pytest.mark.parametrize("rules", [BROKEN, NOT_YAML, "", "\0"])
def test_what_is_wrong_with_rules_is_1_in_every_command(rules: str, tmp_path: Path) -> None:
    folder = str(game_folder(tmp_path, rules))
    result = run("validate", folder)
    assert result.exit_code == 1
    assert "rulebook.yaml" in result.stdout
    assert json.loads(run("validate", folder, "--format", "json").stdout)["diagnostics"]
    for command in ("play", "simulate", "test", "show"):
        result = run(command, folder)
        assert result.exit_code == 1, (command, result.output)
        assert "rulebook.yaml" in result.output
        assert "Traceback" not in result.output


@pytest.mark.slow
def test_a_broken_game_does_not_hide_the_others(tmp_path: Path) -> None:
    game_folder(tmp_path, BROKEN)
    copied_wallet(tmp_path, SCENARIOS % 144)
    assert run("validate", str(tmp_path)).exit_code == 1
    result = run("test", str(tmp_path))
    assert result.exit_code == 1
    assert "1 scenario: 1 passed, 0 failed." in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(144, 0), (143, 1)])
def test_scenarios(number: int, code: int, tmp_path: Path) -> None:
    folder = copied_wallet(tmp_path, SCENARIOS % number)
    for path in (folder, folder / "scenarios" / "some.yaml"):
        result = run("test", str(path))
        assert result.exit_code == code, result.output
    if code:
        assert "expected  count(cards) is 143" in result.stdout
        assert "144" in result.stdout


def test_a_failure_says_what_was_skipped(tmp_path: Path) -> None:
    scenario = """
scenarios:
  Skipped:
    given: {players: [Ana, Ben], hourglasses: 2}
    do: take_turns
    expect: [hourglasses is 1]
  All done:
    given: {players: [Ana, Ben]}
    expect: [hourglasses is 1]
"""
    result = run("test", str(copied_wallet(tmp_path, scenario)))
    first, second = result.stdout.split("\n\n")[:2]
    assert "  skipped   " in first
    words = " ".join(first.split())  # where lines break hangs on how long the path of this folder is
    assert "each p in clockwise from starter" in words
    assert words.endswith("because somebody or something was not there")
    assert "skipped" not in second


@pytest.mark.slow
def test_the_scenarios_of_a_path_are_run(tmp_path: Path) -> None:
    folder = copied_wallet(tmp_path, SCENARIOS % 144)
    (folder / "scenarios" / "more.yaml").write_text(SCENARIOS % 144, encoding="utf-8")
    one, all = (run("test", str(folder / "scenarios" / path)).stdout for path in ("some.yaml", ""))
    assert (one, all) == ("1 scenario: 1 passed, 0 failed.\n", "2 scenarios: 2 passed, 0 failed.\n")
    (folder / "variants").mkdir()
    assert run("test", str(folder / "variants")).stdout == all
    (tmp_path / "scenarios").mkdir()
    assert run("test", str(tmp_path / "scenarios")).exit_code == 2


def test_a_game_without_scenarios_is_no_success(tmp_path: Path) -> None:
    folder = copied_wallet(tmp_path, SCENARIOS % 144)
    (folder / "scenarios" / "some.yaml").unlink()
    assert run("test", str(folder)).exit_code == 2


# ── play, simulate ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_bots_alone() -> None:
    first, again = (run("play", "wallet", "--bots", "random", "--players", "3", "--seed", "5") for _ in range(2))
    assert first.exit_code == 0
    assert first.stdout == again.stdout
    assert "Round 3" in first.stdout
    assert "Dealt from the wallet, seen by each alone:\n    Bot 1: " in first.stdout
    assert "(only Bot 3 knows)" in first.stdout
    assert "seed 5" in first.stdout
    assert max(map(len, first.stdout.splitlines())) <= 80


def test_json_of_a_game() -> None:
    words = ["play", "wallet", "--seats", "bot,bot:first", "--set", "rounds=2", "--json", "--seed", "7"]
    result = json.loads(run(*words).stdout)
    assert list(result) == ["game", "variants", "seed", "rules", "players", "winners", "scores", "decisions", "rounds"]
    assert result["game"] == "wallet"
    assert result["seed"] == "7"
    assert result["players"] == ["Bot 1", "Bot 2"]
    assert set(result["winners"]) <= set(result["players"])
    assert len(result["scores"]) == 2
    assert result["rounds"] == 2
    assert result["decisions"] > 0
    assert json.loads(run(*words).stdout) == result


@pytest.mark.slow
def test_a_seed_is_chosen_and_printed() -> None:
    seeds = {json.loads(run("play", "wallet", "--bots", "first", "--json").stdout)["seed"] for _ in range(3)}
    assert len(seeds) > 1


@pytest.mark.slow
def test_simulate_gives_the_same_numbers_however_it_is_shared() -> None:
    words = ["simulate", "wallet", "--players", "3", "--games", "12", "--seed", "3", "--json"]
    alone, shared = (json.loads(run(*words, "--jobs", jobs).stdout) for jobs in ("1", "2"))
    assert {**alone, "seconds": 0} == {**shared, "seconds": 0}
    assert sum(alone["wins"]) == pytest.approx(12)
    assert set(alone["length"]) == {"min", "median", "mean", "max"}
    table = run(*words[:-1]).stdout
    assert "12 games" in table
    assert "seed 3" in table


def test_end_of_input_saves_and_the_game_goes_on(tmp_path: Path) -> None:
    words = ["play", "wallet", "--seats", "Ana,bot", "--seed", "3"]
    left = run(*words, typed="1\n1\n")
    assert left.exit_code == 0, left.output
    assert "The game is saved." in left.stdout
    [save] = (tmp_path / "data" / "rulebook" / "saves").iterdir()
    answers = len(save.read_text().splitlines())
    assert answers > 2
    again = run("play", "--resume", str(save), typed="1\n")
    assert again.exit_code == 0, again.output
    assert len(save.read_text().splitlines()) > answers


def test_a_finished_game_leaves_no_save_unless_asked(tmp_path: Path) -> None:
    words = ["play", "wallet", "--seats", "Ana,bot", "--seed", "3", "--set", "rounds=1"]
    done = run(*words, typed="1\n" * 400)
    assert done.exit_code == 0
    assert "seed 3" in done.stdout
    saves = tmp_path / "data" / "rulebook" / "saves"
    assert list(saves.iterdir()) == []
    assert run(*words, typed="s\n" + "1\n" * 400).exit_code == 0
    assert len(list(saves.iterdir())) == 1


def test_saves_never_overwrite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import datetime

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    now = datetime(2030, 1, 2, 3, 4, 5)
    first = saves.create("wallet", now, lambda new: new.touch(exist_ok=False))
    assert first == tmp_path / "rulebook" / "saves" / "wallet-2030-01-02-030405.jsonl"
    second = saves.create("wallet", now, lambda new: new.touch(exist_ok=False))
    assert second.name == "wallet-2030-01-02-030405-2.jsonl"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert saves.folder() == Path.home() / ".local" / "share" / "rulebook" / "saves"


@pytest.mark.parametrize("content", ["", "{}", "not a save\n", '{"format": 99}\n', "\xff"])
def test_what_is_no_save_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "save.jsonl"
    path.write_text(content, "latin-1")
    result = run("play", "--resume", str(path))
    assert result.exit_code == 2, result.output
    assert "save" in result.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs folders that cannot be written")
def test_a_game_that_cannot_be_saved_does_not_begin(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    result = run("play", "wallet", "--seats", "Ana,bot")
    assert result.exit_code == 2
    assert "cannot be saved" in result.stderr


# ── seats ────────────────────────────────────────────────────────────────────────────────────────────────────────────


NUMBERS = (2, 3, 4, 5, 6, 7)


def test_seats() -> None:
    assert seating.seat_players(NUMBERS, None, "Ana,bot,bot:first", None) == [
        ("Ana", None),
        ("Bot 1", "random"),
        ("Bot 2", "first"),
    ]
    assert [seat.bot for seat in seating.seat_players(NUMBERS, 3, None, "random")] == ["random"] * 3
    assert [seat.bot for seat in seating.seat_players(NUMBERS, None, None, "random,first")] == ["random", "first"]
    assert [seat.bot for seat in seating.seat_players(NUMBERS, 4, None, None)] == [None, "random", "random", "random"]
    assert seating.seat_again(["Ana", "Bot 1", "Bot 2"], "first") == [
        ("Ana", None),
        ("Bot 1", "first"),
        ("Bot 2", "first"),
    ]


@pytest.mark.parametrize("name", ["Bot 1", "a.b", "player:x", "x" * 31, "[x]"])
def test_names_that_would_be_mistaken_for_something_else(name: str) -> None:
    with pytest.raises(BadRequest):
        seating.seat_players(NUMBERS, None, f"Ana,{name}", None)


@pytest.mark.parametrize(
    ("user", "name"),
    [("tim", "Tim"), ("anna-maria", "Anna-maria"), ("root", "Player"), ("j.doe", "Player"), ("1st", "Player"),
     ("x" * 31, "Player"), ("you", "Player")],
)  # fmt: skip
def test_who_gives_no_name_is_called_as_the_computer_does(
    user: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: user)
    assert seating.seat_players(NUMBERS, 2, None, None)[0].name == name


def test_failures_are_click_exceptions() -> None:
    assert issubclass(BadRequest, click.ClickException)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere such a folder cannot be taken away")
def test_a_folder_that_was_taken_away_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for words in (["list"], ["play", "wallet", "--bots", "random"], ["validate", str(tmp_path)]):
        result = run(*words)
        assert result.exit_code == 2 and "is there no more" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["list", "--variants"],
        ["show", "wallet"],
        ["show", "wallet", "--options"],
        ["simulate", "kuhn_poker", "--games", "20", "--seed", "1", "--details"],
        ["compare", "wallet", "--set", "limit=400CU", "--games", "4"],
        ["explain"],
        ["explain", "RB203"],
    ],
    ids=" ".join,
)
def test_nothing_is_wider_than_the_terminal(words: list[str]) -> None:
    result = CliRunner(env={"COLUMNS": "40"}).invoke(main, words)
    assert result.exit_code == 0, result.output
    # A command is to be copied, and so never broken.
    lines = [line for line in result.output.splitlines() if not line.lstrip().startswith("rulebook ")]
    assert [line for line in lines if width(line) > 40] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell: str) -> None:
    told = _complete(f"{shell}_source", "", 0)
    assert "rulebook" in told and "_RULEBOOK_COMPLETE" in told and "our bug" not in told


@pytest.mark.parametrize(
    ("words", "number", "completed"),
    [
        ("rulebook val", 1, "plain,validate"),
        ("rulebook validate --wat", 2, "plain,--watch"),
        ("rulebook play wal", 2, "plain,wallet"),
        ("rulebook play ./my", 2, "dir,./my"),
        ("rulebook show wallet --variant hard", 4, "plain,hard_cash"),
        ("rulebook show no_such_game --variant hard", 4, "file,hard"),
        ("rulebook new ga", 2, "plain,game"),
    ],
)
def test_words_are_completed(words: str, number: int, completed: str) -> None:
    assert _complete("bash_complete", words, number).splitlines() == [completed]


def _complete(instruction: str, words: str, number: int) -> str:
    """Run the installed command as a shell does when somebody presses tab."""
    asked = {"_RULEBOOK_COMPLETE": instruction, "COMP_WORDS": words, "COMP_CWORD": str(number)}
    program = "import sys; sys.argv[0] = 'rulebook'; from rulebook.cli import main; main()"
    environment = {**os.environ, **asked, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
