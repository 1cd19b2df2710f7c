"""`rulebook validate` as somebody types it: what it shows, in which form, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from paths import ROOT

from rulebook.cli import main
from rulebook.commands.watching import draw_page, stamps
from rulebook.diagnostics import diagnose, template
from rulebook.reports import WRITERS
from rulebook.source import SourceFile, Span
from rulebook.validation import find_problems
from rulebook.validation.baseline import drop_known, format_baseline, parse_baseline

TOP = "format: 1\nname: Tried\nplayers: 2..4\n"
GOOD = 'rules:\n  game: say "…"\n'
WARNED = "cards:\n  fan:\n    kind: guest\n    text: # nothing yet\nkinds: {guest: }\n"
BROKEN = "rules:\n  game: drw 2\n"
BRACKET = "memory: {table: [\n"


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def validate(*words: str, **environ: str) -> Result:
    return CliRunner().invoke(main, ["validate", *words], env={"COLUMNS": "80", **environ})


def written(folder: Path, name: str, **files: str) -> Path:
    """A game of these files; without a `rulebook` of its own, a good one."""
    game = folder / name
    game.mkdir()
    for file, text in ({"rulebook": GOOD} | files).items():
        top = TOP if file == "rulebook" else ""
        (game / f"{file}.yaml").write_text(top + text, "utf-8")
    return game


def codes_in(result: Result) -> list[str]:
    return [one["code"] for one in json.loads(result.stdout)["diagnostics"]]


# Forms


def test_every_form_is_written(here: Path) -> None:
    written(here, "a", part=WARNED, rulebook=BROKEN)
    shown = {form: validate("a", "--format", form) for form in ["text", *WRITERS]}
    assert {result.exit_code for result in shown.values()} == {1}
    assert "error[RB203]: I do not know the action `drw`.\n" in shown["text"].stdout
    assert "a/rulebook.yaml:5:9: error[RB203] I do not know the action `drw`.\n" in shown["concise"].stdout
    assert len(json.loads(shown["json"].stdout)["diagnostics"]) == 2
    assert len(json.loads(shown["sarif"].stdout)["runs"][0]["results"]) == 2
    assert "::error title=RB203,file=a/rulebook.yaml,line=5,col=9," in shown["github"].stdout
    assert ElementTree.fromstring(shown["junit"].stdout.encode()).get("failures") == "1"


def test_a_workflow_gets_its_commands(here: Path) -> None:
    written(here, "a", rulebook=BROKEN)
    assert validate("a", GITHUB_ACTIONS="true").stdout.startswith("::error ")
    assert validate("a", "--format", "text", GITHUB_ACTIONS="true").stdout.startswith("error[RB203]")
    assert validate("a", GITHUB_ACTIONS="false").stdout.startswith("error[RB203]")


@pytest.mark.parametrize("form", ["text", *WRITERS])
def test_a_clean_game_is_clean_in_every_form(here: Path, form: str) -> None:
    written(here, "a")
    result = validate("a", "--format", form)
    assert result.exit_code == 0 and result.stdout and "error[" not in result.stdout


def test_text_fits_and_leads_on(here: Path) -> None:
    written(here, "a", rulebook=BROKEN)
    lines = validate("a").stdout.splitlines()
    assert lines[-1] == "rulebook explain RB203 says more."
    assert all(len(line) <= 80 for line in lines)


# Exit codes


@pytest.mark.parametrize(
    ("files", "words", "code"),
    [
        ({}, (), 0),
        ({"part": WARNED}, (), 0),
        ({"part": WARNED}, ("--fail-on", "warning"), 1),
        ({"part": WARNED}, ("--fail-on", "tip"), 1),
        ({"part": WARNED}, ("--fail-on", "warning", "--ignore", "RB105"), 0),
        ({"rulebook": BROKEN}, (), 1),
        ({"rulebook": BROKEN}, ("--ignore", "RB2"), 0),
        ({"rulebook": BROKEN}, ("--select", "RB3,RB601"), 0),
        ({"rulebook": BROKEN}, ("--select", "RB3,RB203"), 1),
        ({"rulebook": BROKEN}, ("--select", "rb2", "--ignore", "rb203"), 0),
        ({"part": BRACKET}, (), 1),
        ({"part": BRACKET}, ("--select", "RB3"), 1),
        ({"part": BRACKET}, ("--ignore", "RB1"), 1),
        ({}, ("--format", "jsn"), 2),
        ({}, ("--select", "RB0"), 2),
        ({}, ("--ignore", ""), 2),
        ({}, ("--fail-on", "eror"), 2),
        ({}, ("nowhere",), 2),
        ({}, ("--baseline", "none.json"), 2),
        ({}, ("--fix", "--diff"), 2),
        ({}, ("--unsafe",), 2),
        ({"part": "optoins: {}"}, ("--diff", "--unsafe"), 1),
        ({"part": "optoins: {}"}, ("--fix", "--unsafe"), 0),
        ({}, ("--watch", "--format", "json"), 2),
    ],
)  # fmt: skip
def test_exit_codes(here: Path, files: dict[str, str], words: tuple[str, ...], code: int) -> None:
    written(here, "a", **files)
    result = validate("a", *words)
    assert result.exit_code == code, result.output


def test_a_guess_alone_never_fails(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebook.diagnostics import diagnose

    def found(_: Path, under: object, *, use_cache: bool) -> list[object]:
        one = diagnose("RB203", None, word="x")
        return [type(one)(one.code, one.message, None, confidence="guess")]

    monkeypatch.setattr("rulebook.validation.find_problems", found)
    written(here, "a")
    assert validate("a", "--fail-on", "tip").exit_code == 0


def test_a_wrong_code_is_answered_with_the_right_one(here: Path) -> None:
    written(here, "a")
    assert "There is no code RB230. Did you mean RB203?" in validate("a", "--select", "RB230").stderr


def test_what_is_not_shown_is_counted(here: Path) -> None:
    written(here, "a", rulebook=BROKEN)
    result = validate("a", "--select", "RB3")
    assert "1 error of other codes not shown." in result.stderr
    assert result.stdout == "1 game checked, no problems of these codes.\n"


# Several mistakes in one run


def test_all_mistakes_of_all_files_are_shown_at_once(here: Path) -> None:
    rules = (
        'rules:\n  game: |\n    drw 2\n    let x = nothng\n    move too\n    say "…"\n    shufle deck\n'
        "  other: |\n    end nowhere\n"
    )
    game = written(here, "a", rulebook=rules, part="values:\n  one: two\n  three: 1 +\n", bad=BRACKET)
    (game / "scenarios").mkdir()
    (game / "scenarios" / "s.yaml").write_text("scenarios: {x: [\n", "utf-8")
    written(here, "b", part=WARNED)
    concise = validate("a", "b", "--format", "concise").stdout
    places = {line.partition(": ")[0] for line in concise.splitlines()[:-1]}
    lines = {place.rpartition(":")[0] for place in places}
    assert {"a/rulebook.yaml:6", "a/rulebook.yaml:8", "a/rulebook.yaml:10"} <= lines
    assert {"a/part.yaml:3", "a/bad.yaml:1", "a/scenarios/s.yaml:1", "b/part.yaml:4"} <= lines


def test_a_sentence_that_cannot_be_read_does_not_hide_the_others(here: Path) -> None:
    rules = (
        "places: {table: {deck: {holds: guest, kept: pile, seen_by: nobody}}}\n"
        "kinds: {guest: }\n"
        "rules:\n  game: |\n    drw 2\n    shuffle dekc\n    choose x form deck\n    move x to dcek\n"
        '    if yes:\n      move too\n      say "日本 {nothng}"\n'
    )
    written(here, "a", rulebook=rules)
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    assert [(one["code"], one["line"], one["column"]) for one in found] == [
        ("RB203", 8, 5), ("RB301", 9, 13), ("RB201", 10, 14), ("RB301", 11, 15), ("RB202", 13, 14), ("RB301", 14, 16),
    ], found  # fmt: skip


def test_a_file_that_is_no_yaml_gives_others_no_mistakes(here: Path) -> None:
    # What it declares is missing everywhere, which is nobody else's mistake.
    rules = "cards:\n  imp: {kind: trick, power: 3}\nrules:\n  game: |\n    shuffle deck\n    do act(first(players))\n"
    bad = "kinds: {trick: {has: {power: number}}\nplaces: {table: {deck: {holds: trick}}}\nrules: {act(me): win me}\n"
    written(here, "a", rulebook=rules, bad=bad)
    result = validate("a", "--format", "json")
    assert codes_in(result) == ["RB101"]


def test_a_file_that_is_no_yaml_hides_no_mistake_around_the_entry_that_is_none(here: Path) -> None:
    rules = "rules:\n  game: |\n    shuffle dekc\n    do act(imp)\n    do act(frist(players))\n"
    bad = (
        "kinds: {trick: }\nplaces:\n  table:\n"
        "    deck: {holds: trick, kept: pile\n    heap: {holds: trcik, kept: pile}\n"
        "cards:\n  imp: {kind: trick}\n  elf:\n    kind: trick\n\tcopies: 2\n  ogre: {kind: trikc}\n"
        "rules: {act(me): move elf to deck}\n"
    )
    written(here, "a", rulebook=rules, bad=bad)
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    assert [(one["code"], Path(one["file"]).stem, one["line"]) for one in found] == [
        ("RB101", "bad", 5), ("RB301", "bad", 5), ("RB102", "bad", 10), ("RB301", "bad", 11),
        ("RB301", "rulebook", 6), ("RB401", "rulebook", 7), ("RB301", "rulebook", 8),
    ], found  # fmt: skip


def test_a_field_that_does_not_fit_leaves_the_type_of_its_entry_known(here: Path) -> None:
    rules = (
        "kinds: {note: }\nplaces:\n  table: {deck: {holds: note, kept: pile, seen_y: nobody}}\n"
        "options: {laps: {type: 1..3, default: 1, tekst: Laps}}\ncards: {dime: {kind: note, copies: 9}}\n"
        "rules:\n  game: |\n    if any(deck is dime):\n      win me\n    if options.laps is empty:\n"
        "      win me\n    each p in players:\n      p chooses deck from players\n"
    )
    written(here, "a", rulebook=rules)
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    assert [(one["code"], one["line"]) for one in found] == [
        ("RB110", 6), ("RB110", 7), ("RB403", 11), ("RB306", 12), ("RB401", 13), ("RB306", 14), ("RB305", 16),
    ], found  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("variants/night.yml", "Rename it to `night.yaml`."),
        ("scenarios/tie.YAML", "Rename it to `tie.yaml`."),
        ("specials.yaml.txt", "Rename it to `specials.yaml`."),
        ("variant/night.yaml", "Rename it to `variants`."),
        ("Scenario/tie.yaml", "Rename it to `scenarios`."),
        ("cards/more.yaml", "Its files belong beside `rulebook.yaml`."),
        ("variants/old/night.yaml", "Its files belong into `variants` itself."),
        ("notes/to_do.yaml", ""),
        ("specials.yaml~", ""),
        ("variants/README.md", ""),
        ("variants/.night.yml", ""),
        ("variant/night.txt", ""),
        ("cards/rulebook.yaml", ""),
    ],
)
def test_a_file_almost_in_the_right_place(here: Path, name: str, said: str) -> None:
    game = written(here, "a", rulebook="rules: {game: win nobody}\n")
    (game / name).parent.mkdir(exist_ok=True, parents=True)
    (game / name).write_text("", "utf-8")
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    assert [(one["code"], one["help"]) for one in found] == ([("RB116", said)] if said else [])


@pytest.mark.parametrize(
    ("rest", "codes"),
    [
        ("expect: [count(deck) is 2, Ana.laps is 3]", ["RB518"]),
        ("expect: [count(deck) is 2]\n    do: game", []),
        ("expect: [count(deck) is 2, rich(Ana)]", []),
        ("expect: [Ana is not asked]", []),
        ("expect: [count(cards) is 9]", []),
        ("from: start\n    expect: [count(box) is 9]", []),
    ],
)
def test_a_scenario_that_tests_nothing(here: Path, rest: str, codes: list[str]) -> None:
    rules = (
        "kinds: {note: }\nmemory: {player: {laps: 0}}\nplaces: {table: {deck: {holds: note, kept: pile}}}\n"
        "cards: {dime: {kind: note, copies: 9}}\nvalues: {rich(p): p.laps > 2}\n"
        "rules:\n  game: |\n    move first(box) to deck\n    each p in players:\n      if rich(p):\n        win p\n"
        "      add count(deck) to p.laps\n"
    )
    game = written(here, "a", rulebook=rules)
    given = "{players: [Ana, Ben], deck: [dime, dime], Ana.laps: 3}"
    if "from" in rest:
        given = "{players: [Ana, Ben]}"
    (game / "scenarios").mkdir()
    (game / "scenarios" / "one.yaml").write_text(f"scenarios:\n  One:\n    given: {given}\n    {rest}\n", "utf-8")
    assert codes_in(validate("a", "--format", "json")) == codes


def test_a_card_without_copies_is_one_message_however_many_scenarios_name_it(here: Path) -> None:
    rules = (
        "kinds: {note: }\nplaces: {table: {deck: {holds: note, kept: pile}}}\n"
        "cards: {dime: {kind: note, copies: 2}, cent: {kind: note, copies: 2}}\n"
        "rules: {game: move cards to deck}\n"
    )
    game = written(here, "a", rulebook=rules)
    for folder in ("scenarios", "variants"):
        (game / folder).mkdir()
    head = "variant: none\nname: None\nextends: a\n"
    (game / "variants" / "none.yaml").write_text(head + "change:\n  cards.dime.copies: {was: 2, now: 0}\n", "utf-8")
    one = "    given: {players: [Ana, Ben], deck: [dime]}\n    do: game\n    expect: [count(deck) is 4]\n"
    scenarios = "variants: [none]\nscenarios:\n" + "".join(f"  Title {number}:\n{one}" for number in range(9))
    (game / "scenarios" / "many.yaml").write_text(scenarios, "utf-8")
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    assert [(one["code"], one["file"], one["line"]) for one in found] == [("RB112", "a/variants/none.yaml", 5)], found


def test_a_game_says_once_that_warnings_fail_its_check(here: Path) -> None:
    comment = "# rulebook: fail on warnings\n"
    written(here, "strict", rulebook=comment + GOOD, part=WARNED)
    written(here, "single", rulebook=comment.replace("warnings", "warning") + GOOD, part=WARNED)
    written(here, "mild", part=WARNED)
    written(here, "elsewhere", part=comment + WARNED)
    assert validate("strict").exit_code == 1
    assert validate("single").exit_code == 1
    assert validate("strict", "--fail-on", "error").exit_code == 0
    assert validate("mild").exit_code == 0
    assert validate("mild", "strict").exit_code == 1
    assert validate("elsewhere").exit_code == 0
    assert "RB903" in codes_in(validate("elsewhere", "--format", "json"))


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ("rules:\n  game: # win nobody\n", ["RB112"]),
        ("kinds: {note: }\ncards:\n  dime:\n    kind: note\n    copies: # 4\nrules:\n  game: win nobody\n", ["RB201"]),
        ("rules:\n  game: win nobody\ndisplay:\n  about: # a game\n", ["RB105"]),
    ],
)
def test_a_script_that_is_only_a_comment_is_one_message(here: Path, rules: str, codes: list[str]) -> None:
    written(here, "a", rulebook=rules)
    assert codes_in(validate("a", "--format", "json")) == codes


def test_a_misfit_does_not_hide_mistakes_in_scripts(here: Path) -> None:
    rules = (
        "kinds: {guest: }\nplaces:\n  table:\n    deck: {hold: guest, kept: pile, seen_by: nobody}\n"
        "rules:\n  game: drw 2\n  other: |\n    shuffle deck\n    shuffle dekc\n"
    )
    written(here, "a", rulebook=rules)
    found = json.loads(validate("a", "--format", "json").stdout)["diagnostics"]
    # Nothing about `deck`, which is declared, if badly; `hold` for `holds` is two messages at one place.
    assert [(one["code"], one["line"]) for one in found if one["line"] > 7] == [("RB203", 9), ("RB301", 12)]
    assert {one["code"] for one in found if one["line"] <= 7} <= {"RB110", "RB111"}


# Baseline


def test_a_baseline_knows_what_was_there(here: Path) -> None:
    game = written(here, "a", rulebook=BROKEN, part=WARNED)
    made = validate("a", "--write-baseline", "known.json")
    assert (made.exit_code, made.stdout) == (0, "2 messages written to known.json.\n")
    assert "line" not in json.loads((here / "known.json").read_text("utf-8"))["messages"][0]
    again = validate("a", "--baseline", "known.json")
    assert (again.exit_code, again.stdout) == (0, "1 game checked, no new problems.\n")
    # Other lines may come, and the same mistake once more is a new one.
    rules = game / "rulebook.yaml"
    rules.write_text("# first\n\n" + TOP + BROKEN + "  other: drw 2\n", "utf-8")
    result = validate("a", "--baseline", "known.json", "--format", "json")
    assert (result.exit_code, codes_in(result)) == (1, ["RB203"])
    assert json.loads(result.stdout)["diagnostics"][0]["line"] == 8
    assert "2 messages known by known.json." in result.stderr


def test_a_baseline_knows_which_words_of_a_line_were_meant() -> None:
    file = SourceFile("rulebook.yaml", "      if market is empty or tables is empty:")
    spans = [Span(file, start := file.text.index(words), start + len(words)) for words in ("market is", "tables is")]
    market, tables = (diagnose("RB735", span, seen="always no") for span in spans)
    entries = parse_baseline(format_baseline([tables], Path()).encode())
    assert drop_known([market, tables], entries, Path(), []) == ([market], [])


def test_entries_of_a_baseline_that_are_gone_are_said(here: Path) -> None:
    game = written(here, "a", rulebook=BROKEN)
    written(here, "b", rulebook=BROKEN)
    validate("a", "b", "--write-baseline", "known.json")
    (game / "rulebook.yaml").write_text(TOP + GOOD, "utf-8")
    result = validate("a", "--baseline", "known.json")
    assert result.exit_code == 0
    # The other game was not checked, so nothing is known about it.
    said = [line for line in result.stderr.splitlines() if "no longer there" in line]
    assert said == ["known.json: no longer there: a/rulebook.yaml: RB203 I do not know the action `drw`."]


def test_a_baseline_works_from_anywhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = written(here, "a", rulebook=BROKEN)
    validate("a", "--write-baseline", "a/known.json")
    monkeypatch.chdir(game)
    assert validate("--baseline", "known.json").exit_code == 0
    monkeypatch.chdir("/")
    assert validate(str(game), "--baseline", str(game / "known.json")).exit_code == 0


def test_without_a_path_all_games_here_are_checked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = validate()
    assert nothing.exit_code == 2 and "There is no game here: no rulebook.yaml in this folder" in nothing.stderr
    (here / "games").mkdir()
    written(here / "games", "good")
    assert "1 game checked" in validate().stdout
    broken = written(here / "games", "broken", rulebook=BROKEN)
    assert (validate().exit_code, codes_in(validate("--format", "json"))) == (1, ["RB203"])
    (broken / "variants").mkdir()
    monkeypatch.chdir(broken / "variants")
    assert codes_in(validate("--format", "json")) == ["RB203"]


@pytest.mark.parametrize("text", ["", "[]", '{"baseline": 2, "messages": []}', '{"baseline": 1, "messages": [{}]}'])
def test_what_is_no_baseline_is_refused(here: Path, text: str) -> None:
    written(here, "a")
    (here / "known.json").write_text(text, "utf-8")
    result = validate("a", "--baseline", "known.json")
    assert result.exit_code == 2 and "is no baseline" in result.stderr


# Mending


def test_fix_says_what_it_did_and_shows_what_is_left(here: Path) -> None:
    game = written(here, "a", rulebook=BROKEN, part="memory: {table: {wet: true, cold: true}}\n")
    result = validate("a", "--fix", "--format", "concise")
    assert result.exit_code == 1
    assert result.stderr == "fixed a/part.yaml: Write `yes`. (2 times)\n"
    assert "RB203" in result.stdout and "RB104" not in result.stdout
    assert (game / "part.yaml").read_text("utf-8") == "memory: {table: {wet: yes, cold: yes}}\n"


def test_diff_shows_and_changes_nothing(here: Path) -> None:
    text = "memory: {table: {wet: true}}\n"
    game = written(here, "a", part=text)
    result = validate("a", "--diff")
    assert result.exit_code == 1
    assert "-memory: {table: {wet: true}}\n+memory: {table: {wet: yes}}\n" in result.stdout
    assert (game / "part.yaml").read_text("utf-8") == text
    validate("a", "--fix")
    assert validate("a", "--diff").exit_code == 0


def test_what_was_perhaps_meant_is_written_if_asked_for(here: Path) -> None:
    game = written(here, "a", part="optoins: {}\n")
    result = validate("a", "--fix", "--unsafe")
    assert result.exit_code == 0
    assert result.stderr == "fixed a/part.yaml: Write `options` instead of `optoins`.\n"
    assert (game / "part.yaml").read_text("utf-8") == "options: {}\n"


def test_what_is_ignored_is_not_mended(here: Path) -> None:
    text = "memory: {table: {wet: true}}\n"
    game = written(here, "a", part=text)
    validate("a", "--fix", "--ignore", "RB104")
    assert (game / "part.yaml").read_text("utf-8") == text


# Watching


def test_the_newest_file_is_on_top(here: Path) -> None:
    game = written(here, "a", rulebook=BROKEN, part=WARNED)
    os.utime(game / "part.yaml", ns=(2**61, 2**61))
    seen = stamps([game])
    assert set(seen) == {game / "part.yaml", game / "rulebook.yaml"}
    shown = draw_page(find_problems(game), ["a/part.yaml", "a/rulebook.yaml"], 80, False)
    assert shown.index("RB105") < shown.index("RB203")
    (game / "part.yaml").write_text("memory: {table: {laps: 0}}\n", "utf-8")
    assert stamps([game]) != seen


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-C to send")
def test_ctrl_c_ends_watching_well(here: Path) -> None:
    game = written(here, "a", rulebook=BROKEN)
    words = [sys.executable, "-c", "from rulebook.cli import main; main()", "validate", "--watch", str(game)]
    root = str(ROOT)
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environ) as watching:
        assert watching.stdout is not None
        lines = iter(watching.stdout.readline, "")
        assert any("RB203" in line for line in lines)
        assert any("Ctrl-C" in line for line in lines)
        (game / "rulebook.yaml").write_text(TOP + GOOD, "utf-8")
        assert any("No problems." in line for line in lines)
        time.sleep(0)
        watching.send_signal(signal.SIGINT)
        watching.stdout.read()
        assert watching.wait(30) == 0


def test_every_code_that_cannot_be_hidden_is_about_reading() -> None:
    from rulebook.validation import UNREADABLE

    assert all(template(code).severity == "error" for code in UNREADABLE)
