"""A game is written down while people play it.

In: a game, a path or none. Out: the save, after every answer, and the words with which it goes on. Never: deletes a
game that is not over, or one that somebody wanted to stay.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands.failures import BadRequest
from rulebook.commands.names import command

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game
    from rulebook.table.saves import Holder, Lock


class Kept:
    """Where the game is kept while it goes on. When it is over, it stays only if somebody asked for that."""

    def __init__(self, path: Path | None = None, asked_for: bool = False) -> None:
        self.path, self.asked_for = path, asked_for
        self._lock: Lock | None = None

    def hold(self) -> None:
        """Nobody else plays on from this save, until it is let go. Raises BadRequest if somebody does already."""
        from rulebook.table.saves import Held, Lock

        if self.path is None or self._lock is not None or not os.path.isfile(self.path):
            return
        try:
            self._lock = Lock(self.path)
        except Held as held:
            raise BadRequest(_taken(held.by, self.path)) from None
        except OSError as error:
            lines = f"{self.path} cannot be locked: {error.strerror}. See that nobody else plays on from it meanwhile."
            click.echo(lines, err=True)

    def release(self) -> None:
        """Somebody else may play on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def begin(self, game: Game) -> None:
        """Write the game down, and every answer from now on."""
        from datetime import datetime

        from rulebook.files import open_ordinary
        from rulebook.table import saves

        try:
            if self.path is not None:
                # What was read stays as it is until somebody has answered.
                os.close(open_ordinary(self.path, os.O_RDWR))
                self.path.chmod(0o600)  # it may have been written by an earlier version, or sent by somebody
            else:
                self.path = saves.create(game.program.id, datetime.now(), lambda new: game.save(new, is_new=True))
                self.hold()
            game.keep(self.path, self._lock.follow if self._lock is not None else None)
        except OSError as error:
            raise BadRequest(f"The game cannot be saved in {self.path or saves.folder()}: {error.strerror}.") from None

    def explicitly(self) -> Path:
        """Somebody wants it to stay; where it is."""
        assert self.path is not None
        self.asked_for = True
        return self.path

    def words(self) -> str:
        """Where the game is, and how to go on: a command on a line of its own, to be copied."""
        return f"The game is saved. Go on with:\n{command()} play --resume {shlex.quote(str(self.path))}"

    def end(self) -> None:
        """The game is over."""
        if not self.asked_for and self.path is not None:
            self.path.unlink(missing_ok=True)


def _taken(by: Holder, path: Path) -> str:
    """Who has it, since when, and what can be done."""
    from datetime import datetime

    from rulebook.table.saves import when

    who = "another program" if by.process is None else f"process {by.process}"
    since = "" if by.since is None else f" since {when(by.since, datetime.now())}"
    return (
        f"This game is being played already, by {who}{since}. Leave it there with q, and go on here. "
        f"Or begin another one from where it stands:\n{command()} replay {shlex.quote(str(path))} --fork"
    )
