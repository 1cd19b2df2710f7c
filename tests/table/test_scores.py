"""The points of everybody: what counts, what each may know of it, and how it came to that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from paper import Paper, no_bot
from shipped import lower_game

from rulebook import library
from rulebook.cli import main
from rulebook.playtest.bots import make_bot
from rulebook.table import terminal
from rulebook.table.scores import NOT_KNOWN, Scores, count_rounds, find_scores
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting

NAMES = ("Ana", "Ben", "Cleo", "Dan")


def play(name: str, players: int, answers: int = 10_000, seed: int = 7) -> SharedGame:
    game = SharedGame(lower_game(library.find_game(name), players), seed, NAMES[:players])
    bots = [make_bot("random", seed, seat) for seat in range(players)]
    for _ in range(answers):
        if game.decision is None:
            break
        ask = game.decision.asks[0]
        game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
    return game


def look(game: SharedGame, seat: int) -> Scores:
    facts = game.view(seat).facts
    scores = find_scores(game.program, facts, count_rounds(game.program, facts, game.events(seat)))
    assert scores is not None
    return scores


def test_rounds_add_up_to_the_end() -> None:
    game = play("hearts", 4)
    scores = look(game, 2)
    assert (scores.columns, scores.counted) == (["points"], "points")
    assert [int(points) for _, (points,) in scores.rows] == list(game.outcome.scores)
    assert [*scores.rounds[-1].points] == [points for _, (points,) in scores.rows]
    for seat in range(4):
        changes = [int(tally.changes[seat].replace("\u2212", "-") or 0) for tally in scores.rounds]
        assert sum(changes) == game.outcome.scores[seat]
    assert scores == look(game, 0)  # all of it is public


def test_what_has_come_in_a_round_that_goes_on_stands_behind_it() -> None:
    game = play("hearts", 4)
    facts = game.view(0).facts
    rounds = count_rounds(game.program, facts, game.events(0))
    scores = find_scores(game.program, facts, rounds[:-1])
    assert scores is not None
    assert [tally.title for tally in scores.rounds[-2:]] == [rounds[-2].title, "Now"]
    assert [*scores.rounds[-1].points] == [points for _, (points,) in scores.rows] != [*rounds[-2].points]


def test_points_that_somebody_does_not_know_are_a_dash() -> None:
    """In Wallet everybody draws tokens in secret."""
    seen = set[bool]()
    for seed in range(8):
        game = play("wallet", 3, 60, seed)
        for seat in range(3):
            for other, (name, (points,)) in enumerate(look(game, seat).rows):
                tokens = game.view(other).facts["places"][f"{name}.tokens"]["cards"]
                assert (points == NOT_KNOWN) == (other != seat and bool(tokens))
                seen.add(points == NOT_KNOWN)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("name", "players", "names"),
    [
        ("hearts", 4, ("points",)),
        ("fruit_garden", 3, ("beauty_of",)),
        ("exposed", 3, ("fortune",)),
        ("wallet", 3, ("points",)),
        ("cheat", 3, ()),
    ],
)
def test_points_are_what_decides_first(name: str, players: int, names: tuple[str, ...]) -> None:
    assert lower_game(library.find_game(name), players).looks.scores == names


def test_a_terminal_shows_them_when_it_is_asked_and_at_the_end() -> None:
    game = SharedGame(lower_game(library.find_game("wrong_party"), 3), 5, NAMES[:3])
    bots = {seat: _answering(game, seat) for seat in (1, 2)}
    screen = Asking(80, 24, typed=["scores", ""])
    terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, {}, Path))
    first, last = screen.pages[1], "\n".join(screen.pages[-4:])
    assert "Ana   0" in first
    assert "Points after each round" in last
    assert "Round 3" in last


def test_a_terminal_says_how_rules_name_points_where_they_do_not() -> None:
    game = SharedGame(lower_game(library.find_game("cheat"), 3), 5, NAMES[:3])
    bots = {seat: _answering(game, seat) for seat in (1, 2)}
    screen = Asking(80, 24, typed=["scores"])
    terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, {}, Path))
    assert any("display: {scores: [NAME]}" in " ".join(page.split()) for page in screen.pages)


class Asking(Paper):
    """Somebody who types some lines, and then the first option always."""

    def __init__(self, columns: int, rows: int, typed: list[str]) -> None:
        super().__init__(columns, rows)
        self.left, self.pages = typed, list[str]()

    def show_lines(self, lines: Any) -> None:
        super().show_lines(lines)
        self.pages.append("\n".join(lines))

    def read_line(self, prompt: str) -> str | None:
        if super().read_line(prompt) is not None:
            return ""
        return self.left.pop(0) if self.left else "1"


def _answering(game: SharedGame, seat: int) -> Any:
    bot = make_bot("random", 5, seat)
    return lambda ask: game.answer(ask.seat, bot.answer(game.machine, game.state, ask), ask.number)


def test_a_front_end_asks_for_them() -> None:
    sent = [{"scores": True, "seat": 0}, {"scores": True}, {"scores": 1, "seat": 0}]
    lines = "".join(json.dumps(one) + "\n" for one in sent)
    words = ["play", "goofspiel", "--seats", "Ana,Ben", "--seed", "4", "--protocol"]
    said = [json.loads(line) for line in CliRunner().invoke(main, words, input=lines).stdout.splitlines()]
    told = [(one["to"], one["scores"]["rows"]) for one in said if "scores" in one]
    assert told == [(name, [["Ana", ["0"]], ["Ben", ["0"]]]) for name in ("Ana", "Ana", "Ben")]
    assert any("`scores` is true" in one.get("refused", "") for one in said)
