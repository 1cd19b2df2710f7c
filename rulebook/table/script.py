"""A file of answers, typed as a person would type them: for tests, and for showing somebody what went wrong.

In: the lines of a file, one answer each; empty lines and those that begin with # are remarks. Out: a screen at which
these lines are typed, and the keyboard after them. Never: knows what is asked; whatever may be typed may stand there.
"""

from __future__ import annotations

from collections import deque
from typing import NoReturn

import click

from rulebook.printing import visible
from rulebook.table.renderer import Renderer
from rulebook.table.screen import Screen


class WrongAnswer(Exception):
    """A line of the file is no answer to the question that it met; the sentence says where and why."""


class Script:
    """The answers of a file that have not been given yet. `name` is what messages call it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
        self._left = deque((number, line) for number, line in lines if line and not line.startswith("#"))
        self._given: tuple[int, str] | None = None

    @property
    def is_used_up(self) -> bool:
        """Whether all answers have been given."""
        return not self._left

    def next(self) -> str | None:
        """The next answer; None when there are no more."""
        self._given = self._left.popleft() if self._left else None
        return None if self._given is None else self._given[1]

    def refused(self, why: str) -> None:
        """The answer that was given last is none. Raises WrongAnswer, unless it came from elsewhere."""
        if self._given is not None:
            self._fail(self._given, why)

    def check_end(self) -> None:
        """The game is over. Raises WrongAnswer if there are answers left."""
        if self._left:
            self._fail(self._left[0], "Nobody is asked for this: the game is over.")

    def _fail(self, line: tuple[int, str], why: str) -> NoReturn:
        number, typed = line
        raise WrongAnswer(f"{self.name}, line {number}, “{visible(typed)}”: {why}")


class ScriptedScreen(Screen):
    """A screen at which the lines of a script are typed first."""

    def __init__(self, script: Script, colour: bool = False, looks: Renderer | None = None) -> None:
        super().__init__(colour, looks)
        self.script = script

    def ask(self, prompt: str) -> str | None:
        typed = self.script.next()
        if typed is not None:
            click.echo(f"{prompt}{visible(typed)}", color=self.looks.colour or None)
            return typed
        # Where nobody types, what else stands on the input was not meant for this.
        return super().ask(prompt) if self.is_terminal else None

    def pause(self, prompt: str) -> str | None:
        return super().pause(prompt) if self.script.is_used_up else ""

    def refused(self, why: str) -> None:
        self.script.refused(why)

    @property
    def why_at_end(self) -> str:
        return f"The answers in {self.script.name} end here.\n" if self.script.is_used_up else ""

    def close(self) -> None:
        self.script.check_end()
