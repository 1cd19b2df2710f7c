"""A game that was played, as a scenario: its deal, its answers, and what was so in the end.

The scenario has been run, and passes by the rules that stand in the folder.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.settling.leaving_out import left_out as missing_cards
from rulebook.dsl.settling.options import amount_text
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import CHANCE
from rulebook.playtest.scenarios.answers import Wanted, matching
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.reading import Scenario, scenarios_on
from rulebook.playtest.scenarios.trial import run
from rulebook.playtest.scenarios.writing import quote, write_answers, write_lines, write_options

_PLAIN_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z][\w .()]*", re.ASCII)
_WORDS_OF_YAML = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
_MOST_TRIES = 6


class CannotRecord(Exception):
    """No scenario can be made of the game; the sentence says why."""


def record(
    grounds: Grounds, rulebook: ir.Rulebook, game: Game, title: str, *remarks: str, expected: Sequence[str] = ()
) -> str:
    """The text of a file of scenarios that passes beside this game. What is `expected` is so in it, else all that is so
    on the table. Raises CannotRecord.
    """
    if any(entry.seat == CHANCE for entry in game.entries):
        raise CannotRecord("What chance brought was told by hand in this game, and a scenario draws it from the seed.")
    if missing_cards(game.program.options):
        raise CannotRecord("This game was played without a card, and a scenario is about the whole game.")
    names, is_short, left_out = _plain_names(game.names), True, frozenset[str]()
    failure = ""
    for _ in range(_MOST_TRIES):
        renamed = _rename_players(game, names)
        lines_so = [line for line in expected or describe_table(rulebook, renamed) if line not in left_out]
        fields = {
            "about": "To be written",
            "options": write_options(rulebook, game.program.options),
            "given": f"{{players: [{', '.join(renamed.names)}]}}",
            "from": "start",
            "seed": str(game.seed),
            "do": "game",
            "answers": _answers(renamed, rulebook.units, is_short),
            "expect": [_quote_if_needed(line) for line in lines_so],
        }
        lines = list(write_lines(title, fields, remarks, [*rulebook.variants]))
        unsaid, failure = _faults(grounds, "\n".join(lines) + "\n")
        if not failure:
            return "\n".join(lines) + "\n"
        at = {lines[line - 1].strip().removeprefix("- ") for line in unsaid if 0 < line <= len(lines)}
        bad = frozenset(line for line in lines_so if _quote_if_needed(line) in at)
        if bad and len(bad) < len(lines_so):
            left_out |= bad  # a sentence that cannot be said in this game
        elif any("players:" in line for line in at) and names[0] != "Seat1":
            names = tuple(f"Seat{seat}" for seat in range(1, len(names) + 1))  # a name that means something in the game
        elif is_short:
            is_short = False  # whole keys always mean one option
        else:
            break
    raise CannotRecord(f"The scenario does not pass by the rules in {grounds.game}: {failure}")


def _plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """The players' names as they can be written in questions: `Bot1` for `Bot 1`."""
    plain = [re.sub(r"\W", "", name, flags=re.ASCII) for name in names]
    fits = all(map(_PLAIN_NAME.fullmatch, plain)) and len(set(plain)) == len(plain)
    return tuple(plain) if fits else tuple(f"Seat{seat}" for seat in range(1, len(names) + 1))


def _rename_players(game: Game, names: tuple[str, ...]) -> Game:
    """Play the same game again, with people of these names."""
    before, same = Game(game.program, game.seed, game.names), Game(game.program, game.seed, names)
    for entry in game.entries:
        assert isinstance(entry.seat, int)
        ask, other = _ask(before, entry.seat), _ask(same, entry.seat)
        keys = [other.keys[ask.keys.index(key)] for key in entry.answer]
        before.answer(entry.seat, entry.answer)
        same.answer(entry.seat, keys)
    return same


def _ask(game: Game, seat: int) -> Ask:
    decision = game.decision
    ask = decision.find_ask(seat) if decision is not None else None
    assert ask is not None, "whoever answers is asked"
    return ask


def read_recorded(grounds: Grounds, text: str) -> tuple[list[Scenario], list[Diagnostic]]:
    """Read the text of a file of scenarios."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "recorded.yaml"
        file.write_text(text, "utf-8")
        return scenarios_on(grounds, file)


def _faults(grounds: Grounds, text: str) -> tuple[set[int], str]:
    """The lines of the file that say nothing in this game, and the first thing that is wrong; no words if it passes."""
    scenarios, messages = read_recorded(grounds, text)
    mistakes = [message for message in messages if message.severity == "error"]
    failures = [str(failure) for scenario in scenarios for failure in run(scenario).failures]
    lines = {mistake.span.line for mistake in mistakes if mistake.span is not None}
    words = [mistake.message for mistake in mistakes] + failures
    if not scenarios and not words:
        words = [message.message for message in grounds.messages]
    return lines, next(iter(words), "")


def describe_table(rulebook: ir.Rulebook, game: Game) -> Iterator[str]:
    """Say what is so on the table, in the words of expectations; some of it may be no sentence in this game."""
    decision = game.decision
    if decision is None:
        winners = [game.names[seat] for seat in game.outcome.winners]
        won = f"[{', '.join(winners)}] win" if len(winners) > 1 else f"{winners[0]} wins" if winners else "nobody wins"
        yield won
    else:
        yield from (f"{game.names[ask.seat]} is asked" for ask in decision.asks)
    for seat, name in enumerate(game.names):
        facts = game.view(seat).facts
        for key, value in facts["memory"].items():
            if key.startswith(f"{name}.") or (seat == 0 and "." not in key):
                yield from _is(rulebook, game, key, value)
        for key, content in facts["places"].items():
            if key.startswith(f"{name}.") and "#" not in key:
                yield from _count(key, content)


def _is(rulebook: ir.Rulebook, game: Game, key: str, value: Any) -> Iterator[str]:
    layout, name = game.program.layout, key.partition("[")[0].rpartition(".")[2]
    slot = layout.memory.get(name) or layout.player_memory.get(name)
    if isinstance(value, dict):
        for of, entry in value.items():
            if entry:
                yield from _is(rulebook, game, f"{key}[{of}]", entry)
    elif isinstance(value, bool):
        yield key if value else f"not {key}"
    elif isinstance(value, int):
        is_amount = slot is not None and slot.sort.partition(" by ")[0] == "amount"
        yield f"{key} is {amount_text(value, rulebook.units) if is_amount else value}"
    elif isinstance(value, str) and value in game.names:
        yield f"{key} is {value}"


def _count(key: str, content: dict[str, Any]) -> Iterator[str]:
    if "pieces" in content:
        if content["pieces"]:
            yield f"count({key}) is {content['pieces']}"
    elif content.get("unknown", 0) is not None:
        count = sum(card != "" for card in content["cards"]) + content.get("unknown", 0)
        if count:
            yield f"count({key}) is {count}"


def _answers(game: Game, units: Mapping[str, int], is_short: bool) -> list[str]:
    """Each decision of each player with all of its picks; one of which picks are left is left out."""
    picks: dict[tuple[int, int], list[str]] = {}
    replay = Game(game.program, game.seed, game.names)
    for entry in game.entries:
        assert isinstance(entry.seat, int)
        ask = _ask(replay, entry.seat)
        keys = [word_answer(key, ask, units) if is_short else quote(key) for key in entry.answer]
        picks.setdefault((entry.seat, entry.number), []).extend(keys)
        replay.answer(entry.seat, entry.answer)
    for ask in replay.decision.asks if replay.decision is not None else ():
        if ask.picked:
            picks.pop((ask.seat, ask.number), None)
    return write_answers(game.names, picks)


def word_answer(key: str, ask: Ask, units: Mapping[str, int]) -> str:
    """Word an option as a person would write it, if that means no other."""
    sort, _, body = key.partition(":")
    if sort == "amount":
        return amount_text(int(body), units)
    body = body or key
    is_plain = _PLAIN.fullmatch(body) is not None and body.casefold() not in _WORDS_OF_YAML
    if sort != "list" and (is_plain or sort == "card" or body.isdecimal()):
        if matching(Wanted(body), [(option.key, option.label) for option in ask.options]) == [key]:
            return body if is_plain or body.isdecimal() else quote(body)
        if body.isdecimal() and key.startswith("number:"):
            return body
    return quote(key)


def _quote_if_needed(line: str) -> str:
    return line if _PLAIN.fullmatch(line) else quote(line)
