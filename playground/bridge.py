"""The engine behind the playground: a game in a folder of the browser's own file system, checked, tested and played.

In: the files of a game by their names, and what somebody clicks. Out: plain values for the page. Never: reads or writes
anything but the folder; tells a seat what it may not know.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import rulebook
from rulebook import library
from rulebook.cli import main
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_messages, sort_messages
from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask, Refused, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.wording import join_texts
from rulebook.loading import load
from rulebook.playtest.bots import make_bot
from rulebook.source import Span
from rulebook.table import answers, grids, story, view
from rulebook.table.renderer import Renderer

FOLDER = Path("/game")
YOU = 0

Plain = dict[str, Any]


def list_games() -> list[Plain]:
    """The bundled games, each with its files: what somebody may begin with."""
    return [{"id": folder.name, "files": _read_files(folder)} for folder in library.find_games()]


def _read_files(folder: Path) -> dict[str, str]:
    tables = (file for file in library.sheet_files(folder) if file.parent == folder and file.suffix != ".xlsx")
    files = [*library.rule_files(folder), *tables, *library.scenario_files(folder)]
    return {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in files}


def write_files(files: Mapping[str, str]) -> None:
    """Lay a game into its folder, and nothing else. Raises ValueError for a name that leads out of it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, text in files.items():
        path = FOLDER / name
        if path.resolve() != path or path.suffix not in (".yaml", ".csv", ".tsv"):
            raise ValueError(f"No file of a game can be called {name}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def check_game(files: Mapping[str, str], is_whole: bool) -> Plain:
    """Check a game: each message with its place, and for whom the game is. The `is_whole` check also looks for what is
    right in every word and says nothing, as `rulebook validate` does, and takes several times as long.
    """
    write_files(files)
    loaded = load(FOLDER, meant=is_whole)
    messages = [_tell_message(message) for message in sort_messages(loaded.messages)]
    rulebook_ = loaded.rulebook
    players = [] if rulebook_ is None else list(rulebook_.players)
    return {"messages": messages, "players": players, "title": "" if rulebook_ is None else rulebook_.title}


def _tell_message(message: Diagnostic) -> Plain:
    return {
        "code": message.code,
        "severity": message.severity,
        "message": message.message,
        "help": message.help,
        "place": None if message.span is None else _tell_place(message.span),
        "text": render_messages([message], width=76),
    }


def _tell_place(span: Span) -> Plain:
    """The file, and from where to where, in code points."""
    path = Path(span.file.name)
    name = path.resolve().relative_to(FOLDER).as_posix() if path.resolve().is_relative_to(FOLDER) else path.name
    return {"file": name, "start": span.start, "end": span.end, "line": span.line, "column": span.column}


def run_command(files: Mapping[str, str], words: Sequence[str], columns: int) -> Plain:
    """Run a command on the game, which stands behind its first word: all that it says, in lines of so many columns, and
    its exit code.
    """
    write_files(files)
    os.environ["COLUMNS"] = str(columns)
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        try:
            code = main([words[0], str(FOLDER), *words[1:]]) or 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return {"said": said.getvalue(), "code": code}


def play_many(
    files: Mapping[str, str], players: int, games: int, bots: str, is_detailed: bool, columns: int
) -> Plain:
    """Play many games, and say what they show; if it is wanted, in detail."""
    details = ["--details"] if is_detailed else []
    series = ["--players", str(players), "--games", str(games), "--bots", bots]
    return run_command(files, ["simulate", *series, *details], columns)


class Table:
    """A game of one person against bots."""

    def __init__(self, files: Mapping[str, str], players: int, seed: int, bot: str, columns: int) -> None:
        """Begin. Raises CannotOpen, BadSetup and RuleError."""
        write_files(files)
        names = ["Ana", *(f"Bot {seat + 1}" for seat in range(1, players))]
        self.columns, self.seen = columns, 0
        self.game = Game(rulebook.open(FOLDER).lower(players), seed, names)
        self.bots = {seat: make_bot(bot, seed, seat) for seat in range(players) if seat != YOU}

    def answer(self, keys: Sequence[str]) -> Plain:
        """Answer for the person, let the bots answer, and tell what happened. A refusal changes nothing."""
        try:
            self.game.answer(YOU, list(keys))
        except Refused as refused:
            return {**self.look(), "refused": str(refused)}
        except RuleError as error:
            return {**self.look(), "refused": f"The rules went wrong: {error}"}
        return self.go_on()

    def undo(self) -> Plain:
        """Take back the person's last answer, with all that bots answered since."""
        last = next((at for at, entry in enumerate(reversed(self.game.entries), 1) if entry.seat == YOU), 0)
        if last:
            self.game.undo(last)
        self.seen = 0
        return self.look()

    def go_on(self) -> Plain:
        """Let bots answer until the person is asked, or the game is over."""
        wrong = ""
        try:
            while (decision := self.game.decision) is not None and decision.find_ask(YOU) is None:
                ask = decision.asks[0]
                self.game.answer(ask.seat, self.bots[ask.seat].answer(self.game.machine, self.game.state, ask))
        except RuleError as error:
            wrong = f"The rules went wrong: {error}"
        return {**self.look(), "refused": wrong}

    def look(self) -> Plain:
        """Tell what the person sees: what happened since the last look, the table, and the question."""
        game = self.game
        facts, events = game.view(YOU).facts, game.events(YOU)
        lines = [told.text for told in story.sentences(game, YOU, events[self.seen :])]
        self.seen = len(events)
        laid, decision = grids.find_grids(game.program, facts), game.decision
        ask = None if decision is None else decision.find_ask(YOU)
        table = Renderer().draw_table(view.lay_out(game.program, facts, laid), self.columns)
        return {
            "headline": view.headline(game.program, facts),
            "happened": lines,
            "table": "\n".join(table),
            "question": None if ask is None else self._tell_question(ask, facts, laid),
            "over": self._tell_end() if game.over else "",
        }

    def _tell_question(self, ask: Ask, facts: Mapping[str, Any], laid: Sequence[grids.Grid]) -> Plain:
        program = self.game.program
        ask = grids.word_positions(program, facts, laid, view.sort_options(program, ask))
        menu = answers.make_menu(Teller(program, self.game.names, YOU), ask, grids.map_options(laid, ask))
        options = [
            {"key": option.key, "label": label, "count": option.count}
            for option, (_, label) in zip(ask.options, menu.options, strict=True)
        ]
        return {
            "words": menu.question,
            "picked": menu.picked,
            "options": options,
            "least": ask.at_least,
            "most": ask.at_most,
        }

    def _tell_end(self) -> str:
        winners = ["You" if seat == YOU else self.game.names[seat] for seat in self.game.outcome.winners]
        if not winners:
            return "The game is over. Nobody wins."
        verb = "wins" if len(winners) == 1 and winners != ["You"] else "win"
        return f"The game is over. {join_texts(winners)} {verb}."


