"""Programs that show a game to people: what each seat is sent, and what may come back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from coins import GAME
from paper import no_bot
from paths import ROOT
from shipped import lower_game
from terminals import PROGRAM

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter import journal
from rulebook.table.front import Front
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting

DOCUMENT = ROOT / "docs" / "protocol.md"
ANY = "…"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEBOOK_DEBUG", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    Path("coins/rulebook.yaml").write_text(GAME, "utf-8")


def run(*words: str, sent: str = "") -> Result:
    return CliRunner().invoke(main, [*words, "--protocol"], input=sent)


def coins(*sent: object, seats: str = "Ana,Ben", code: int = 0) -> list[dict[str, Any]]:
    """What comes out when these lines go in."""
    lines = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in sent)
    result = run("play", "./coins", "--seats", seats, "--seed", "4", "--set", "turns=1", sent=lines)
    assert result.exit_code == code, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def n(seat: int, chosen: int, **more: object) -> dict[str, object]:
    return {"seat": seat, "keys": [f"number:{chosen}"], **more}


# ── the document ─────────────────────────────────────────────────────────────────────────────────────────────────────


def document() -> str:
    if not DOCUMENT.is_file():
        pytest.skip("the documents are not here")
    return DOCUMENT.read_text("utf-8").partition("# Programs that show the game")[2]


def like(said: Any, shown: Any) -> bool:
    """Whether something is what the document shows, but for what it leaves out."""
    if shown == ANY:
        return True
    if isinstance(shown, dict) and isinstance(said, dict):
        return list(said) == list(shown) and all(like(said[key], one) for key, one in shown.items())
    return bool(said == shown)


def test_the_transcript_of_the_document_is_what_happens() -> None:
    lines = document().partition("```text\n")[2].partition("```")[0].splitlines()
    sent = [line.removeprefix("< ") for line in lines if line.startswith("< ")]
    shown = [json.loads(line) for line in lines if not line.startswith("< ")]
    result = run("play", "kuhn_poker", "--seats", "Ana,Ben", "--seed", "1", sent="\n".join(sent) + "\n")
    assert result.exit_code == 0, result.output
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(said) == len(shown)
    for one, wanted in zip(said, shown, strict=True):
        assert like(one, wanted), (one, wanted)


def test_the_front_end_of_the_document_plays(tmp_path: Path) -> None:
    Path("front.py").write_text(document().partition("```python\n")[2].partition("```")[0], "utf-8")
    game = [sys.executable, "-c", PROGRAM, "play", "./coins", "--seats", "Ana,bot:first", "--set", "turns=2"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"}
    played = subprocess.run(
        [sys.executable, "front.py", *game], input="2\nx\n1 2\n3\n", capture_output=True, encoding="utf-8", env=environ
    )
    assert played.returncode == 0, played.stderr
    assert "Ana, n > " in played.stdout and "Ana: Ana won." in played.stdout
    assert played.stdout.count("Ana: ") == 3  # two answers are refused


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_is_sent_what_a_program_in_it_is_sent(tmp_path: Path) -> None:
    """Game by game the same lines, but for `to`, what comes between two questions, and the seed at the end."""
    keys = [["pass"], ["label:Check"], ["label:Bet"]]
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    open('told', 'a').write(line)\n"
        "    if 'ask' in json.loads(line):\n"
        "        print(json.dumps({'keys': ['label:Check']}), flush=True)\n"
    )
    words = ("play", "kuhn_poker", "--seed", "9")
    assert CliRunner().invoke(main, [*words, "--seats", f"exec:{sys.executable} {bot},bot:first"]).exit_code == 0
    told = [json.loads(line) for line in Path("told").read_text("utf-8").replace("Bot 1", "Ana").splitlines()]
    result = run(*words, "--seats", "Ana,bot:first", sent='{"keys": ["label:Check"]}\n' * len(keys))
    shown = [json.loads(line) for line in result.stdout.replace("Bot 1", "Bot 2").splitlines()]
    assert [message.pop("seed") for message in shown if "seed" in message and "over" in message] == ["9"]
    assert without_news_between(shown) == told


def without_news_between(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The greeting, the questions and the end, each with all that happened since the one before."""
    found, events = [], []
    for message in messages:
        events += message.get("events", [])
        if {"game", "ask", "over"} & message.keys():
            found.append({key: events if key == "events" else one for key, one in message.items() if key != "to"})
            events = []
    return found


def test_nothing_of_one_seat_is_in_the_lines_of_another() -> None:
    result = run("play", "kuhn_poker", "--seats", "Ana,Ben", "--seed", "3", sent='{"keys": ["label:Check"]}\n')
    messages = [json.loads(line) for line in result.stdout.splitlines()]
    hands = {
        message["to"]: message["view"]["places"][f"{message['to']}.hand"]["cards"][0]
        for message in messages
        if "view" in message
    }
    assert set(hands) == {"Ana", "Ben"} and hands["Ana"] != hands["Ben"]
    for name, other in (("Ana", "Ben"), ("Ben", "Ana")):
        own = [message for message in messages if message.get("to") == name and "view" in message]
        assert all(message["view"]["places"][f"{other}.hand"] == {"cards": [None]} for message in own)
        dealt = [event for message in own for event in message["events"] if event.get("to") == f"{other}.hand"]
        assert dealt and not any("cards" in event for event in dealt)


def test_all_who_are_asked_at_once_may_answer_in_any_order() -> None:
    words = ("play", "goofspiel", "--seats", "Ana,Ben,bot:first", "--seed", "1")
    first = [json.loads(line) for line in run(*words).stdout.splitlines()]
    asks = [message["ask"] for message in first if "ask" in message]
    assert [ask["seat"] for ask in asks] == [0, 1]
    sent = [{"seat": ask["seat"], "keys": [ask["options"][0]["key"]]} for ask in reversed(asks)]
    result = run(*words, sent="".join(json.dumps(one) + "\n" for one in sent))
    later = [json.loads(line) for line in result.stdout.splitlines()][len(first) :]
    assert not [message for message in later if "refused" in message]
    assert {message["ask"]["number"] for message in later if "ask" in message} == {2}
    nobody = run(*words, sent='{"keys": []}\n')
    assert '{"refused":"Several are asked: say for which `seat` this is."}' in nobody.stdout


def test_what_was_said_can_be_said_again() -> None:
    messages = coins(n(0, 3), {"resync": True})
    again = messages.index(messages[0], 1)
    assert messages[again : again + 2] == messages[:2]
    events = [message["events"] for message in messages[again:] if "view" in message]
    assert [len(one) for one in events] == [2, 2]


# ── what may come back ───────────────────────────────────────────────────────────────────────────────────────────────

REFUSED = {
    "no JSON": ("hello", None, "An answer is one JSON object"),
    "nothing": ("", None, "An answer is one JSON object"),
    "a list": ("[1]", "Ana", "has no list of keys"),
    "deep": ("[" * 100_000, None, "An answer is one JSON object"),
    "ten thousand characters": ("x" * 10_000, None, "An answer is one JSON object"),
    "a large number": ("1" * 10_000, None, "An answer is one JSON object"),
    "no keys": ({}, "Ana", "has no list of keys"),
    "another option": (n(0, 9), "Ana", "`number:9` is not among the options."),
    "no text": ('{"keys": ["\\ud800"]}', "Ana", "is not among the options."),
    "another decision": (n(0, 1, number=7), "Ana", "That answers your decision 7"),
    "not asked": (n(1, 1), "Ben", "You are not asked anything now; the game waits for Ana."),
    "no seat": (n(7, 1), None, "the seats are 0 (Ana), 1 (Ben)."),
    "half a seat": ('{"seat": 0.0, "keys": []}', None, "the seats are 0 (Ana), 1 (Ben)."),
    "a name": ({"seat": "Ana"}, None, "the seats are 0 (Ana), 1 (Ben)."),
    "nothing to take back": ({"seat": 0, "undo": True}, "Ana", "There is nothing to take back."),
    "no undo, and an answer": ({"undo": False, "keys": ["number:1"]}, "Ana", "`undo` and `keys` do not go together."),
    "two words": ({"agree": True, "undo": True}, "Ana", "`agree` and `undo` do not go together."),
    "no undo": ({"undo": False}, "Ana", '`undo` is true or "all"'),
    "a word too many": ({**n(0, 1), "why": "so"}, "Ana", "nothing else stands beside it"),
    "sync and an answer": ({"resync": True, **n(0, 1)}, "Ana", "`resync` and `keys` do not go together."),
    "sync of nobody": ({"resync": True, "seat": 5}, None, "the seats are 0 (Ana), 1 (Ben)."),
}


@pytest.mark.parametrize(("sent", "to", "words"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_is_refused_and_asked_again(sent: object, to: str | None, words: str) -> None:
    messages = coins(sent)
    (at,) = [at for at, one in enumerate(messages) if "refused" in one]
    assert words in messages[at]["refused"] and messages[at].get("to") == to
    # Who is not asked has nothing to hear again.
    again = [(one["to"], one["ask"]["number"], one["events"]) for one in messages[at + 1 :]]
    assert again == ([] if to == "Ben" else [("Ana", 1, [])])


VALUES: tuple[Any, ...] = (
    *(True, False, None, 0, 1, 2, -1, 7, 0.0, 1e300, "all", "", "Ana", "\ud800", "x" * 300, [], {}, [1], [[]]),
    *(["pass"], ["label:Check"], ["label:Bet"], ["label:Fold"], ["label:Call"], ["label:Bet", "label:Bet"], {"a": 1}),
)
WORDS = ("seat", "seat", "keys", "keys", "number", "undo", "agree", "resync", "why", "__class__")


@pytest.mark.slow
def test_drawn_messages_are_of_one_form_or_change_nothing() -> None:
    random, program, counted = Random(11), lower_game(library.find_game("kuhn_poker"), 2), Counter[str]()
    for _ in range(20):
        game, sent = SharedGame(program, random.randrange(1 << 30), ("Ana", "Ben")), list[dict[str, Any]]()

        def send(seat: int | None, message: Mapping[str, Any], sent: list[dict[str, Any]] = sent) -> None:
            sent.append(dict(message))

        front = Front(Sitting(game, {}, no_bot), lambda: None, send)
        front.begin()
        front.settle()
        for _ in range(100):
            said = {word: random.choice(VALUES) for word in random.sample(WORDS, random.randint(0, 4))}
            asks = [] if game.decision is None else game.decision.asks
            if asks and random.random() < 0.3:
                said |= {"seat": asks[0].seat, "keys": [random.choice(asks[0].keys)], "number": asks[0].number}
            before, wish = (game.state[:], list(game.entries)), front.wish
            sent.clear()
            front.hear_line(json.dumps(said))
            front.settle()
            refused = [one for one in sent if "refused" in one]
            is_one_form = len({"keys", "undo", "agree", "resync"} & said.keys()) <= 1
            counted["refused" if refused else "taken"] += 1
            if refused and wish is None:
                assert (game.state, list(game.entries)) == before, said
            assert refused or (is_one_form and not {"why", "__class__"} & said.keys()), said
    assert counted["refused"] > 1_000 and counted["taken"] > 30


def test_the_end_of_input_saves_the_game() -> None:
    result = run("play", "./coins", "--seats", "Ana,bot", sent=json.dumps(n(0, 3)) + "\n")
    assert "The game is saved. Go on with:" in result.stderr and "saved" not in result.stdout
    (save,) = Path("data/rulebook/saves").iterdir()
    assert journal.read_journal(save).entries[0].answer == ("number:3",)
    again = run("play", "--resume", str(save), sent="")
    message = json.loads(again.stdout.splitlines()[1])
    assert message["ask"]["number"] == 2 and len(message["events"]) == 4


def test_it_ends_with_an_object_and_leaves_no_save() -> None:
    *_, last = coins(n(0, 3), n(1, 1))
    assert (last["to"], last["over"]["winners"]) == ("Ben", ["Ana"])
    assert list(Path("data/rulebook/saves").iterdir()) == []


def test_what_fails_is_said_as_an_object_too(tmp_path: Path) -> None:
    Path("bot.py").write_text("raise SystemExit(3)\n")
    *_, last = coins(n(0, 3), seats=f"Ana,exec:{sys.executable} bot.py", code=1)
    assert "ended with exit code 3" in last["failed"]


@pytest.mark.parametrize("words", [["--script", "x"], ["--json"], ["--resume"], ["--seats", "bot,bot"]])
def test_what_does_not_go_together(words: list[str]) -> None:
    result = run("play", "./coins", *words)
    assert result.exit_code == 2 and "--protocol" in result.stderr and result.stdout == ""


# ── back, if all agree ───────────────────────────────────────────────────────────────────────────────────────────────

WISH = {"seat": 0, "undo": "all"}
NO_FORM = "There is no such message: `agree` is true or false, and nothing else stands beside it but the `seat`."
AGREED: dict[str, tuple[list[object], str]] = {
    "she agrees": ([n(1, 2), WISH, {"seat": 1, "agree": True}], ""),
    "she does not": ([n(1, 2), WISH, {"seat": 1, "agree": False}], "Ben does not agree."),
    "what is no yes": ([n(1, 2), WISH, {"seat": 1, "agree": "perhaps"}], NO_FORM),
    "it goes on": ([n(1, 2), WISH, n(0, 1)], "The game went on."),
    "nobody asked her": ([{"seat": 1, "agree": True}], "You are not asked whether you agree to anything."),
    "one's own wish": ([n(1, 2), WISH, {"seat": 0, "agree": True}], "You are not asked whether you agree to anything."),
    "nothing to take back": ([{"seat": 1, "undo": "all"}], "There is nothing to take back."),
    "nothing in its way": ([WISH], ""),
}


@pytest.mark.parametrize(("sent", "refused"), AGREED.values(), ids=list(AGREED))
def test_an_answer_is_taken_back_if_all_agree(sent: list[object], refused: str) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in [n(0, 3), *sent])
    result = run("play", "./coins", "--seats", "Ana,Ben", "--seed", "4", "--set", "turns=2", sent=lines)
    messages = [json.loads(line) for line in result.stdout.splitlines()]
    # Once Ben has answered, Ana's answer cannot simply be taken back any more.
    is_asked = n(1, 2) in sent and WISH in sent
    assert [one for one in messages if "undo_wanted_by" in one] == [{"to": "Ben", "undo_wanted_by": "Ana"}] * is_asked
    assert [one["refused"] for one in messages if "refused" in one] == [refused] * bool(refused)
    assert any("taken_back" in one for one in messages) == (not refused)


# ── a disk that is full ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_cannot_be_kept_is_refused_and_can_be_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    write, times = journal.KeptFile.append, iter([True, False])

    def full(self: journal.KeptFile, entry: journal.Entry, over: bool) -> None:
        if next(times):
            raise OSError(28, "No space left on device")
        write(self, entry, over)

    monkeypatch.setattr(journal.KeptFile, "append", full)
    said = coins(n(0, 2, number=1), n(0, 2, number=1), n(1, 1))
    refused = [line["refused"] for line in said if "refused" in line]
    assert refused == ["That could not be kept (No space left on device), and so is not done. Try again."]
    assert [line["accepted"] for line in said if "accepted" in line] == [1, 1]
    assert "over" in said[-1]


def test_a_bot_waits_in_silence_until_its_answer_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite, append = journal.KeptFile.rewrite, journal.KeptFile.append
    waited: list[float] = []

    def full(self: journal.KeptFile, entry: journal.Entry, over: bool) -> None:
        if entry.seat == 1:
            raise OSError(28, "No space left on device")
        append(self, entry, over)

    def full_for_a_while(self: journal.KeptFile, *words: Any) -> None:
        if len(waited) < 3:
            raise OSError(28, "No space left on device")
        rewrite(self, *words)

    monkeypatch.setattr(journal.KeptFile, "append", full)
    monkeypatch.setattr(journal.KeptFile, "rewrite", full_for_a_while)
    monkeypatch.setattr("rulebook.table.front.time.sleep", waited.append)
    said = coins(n(0, 2), seats="Ana,bot:first")
    assert waited == [1, 1, 1] and "over" in said[-1]
    assert not any("refused" in line for line in said)
    monkeypatch.setattr(journal.KeptFile, "rewrite", lambda file, *_: full(file, journal.Entry(1, 1, ()), False))
    assert "could not be kept" in coins(n(0, 2), seats="Ana,bot:first", code=1)[-1]["failed"]
