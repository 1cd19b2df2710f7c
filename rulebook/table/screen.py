"""The screen: a terminal in which nothing private stays behind, a plain stream of lines, or a file of typed answers.

In a terminal pages stand on the alternate screen, which leaves no trace in the scrollback.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import NoReturn

import click

from rulebook.left_open import CLOSING, mark_open
from rulebook.printing import control, one_line, send, visible
from rulebook.table import keyboard
from rulebook.table.blocks import Block, Size
from rulebook.table.renderer import Renderer

_NARROWEST = 20


class Screen:
    """Pages and questions. `looks` draws them; without it they are plain text, with `colour` or without."""

    def __init__(self, colour: bool = False, looks: Renderer | None = None) -> None:
        self.looks = looks or Renderer(colour)
        self._made: tuple[Callable[[], Iterable[str]], Size] | None = None
        """The maker of the page that is seen, and its size."""
        self.is_hurried: Callable[[], bool] = lambda: False
        """Tells bots that think whether whoever waits here wants an answer at once."""
        # Somebody types and reads here, and the terminal can move its cursor.
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.is_capable = self.is_terminal and os.environ.get("TERM", "dumb") != "dumb"

    @property
    def columns(self) -> int:
        """Return the width of a line. One column stays free: some terminals break a line that is exactly full."""
        return max(shutil.get_terminal_size((80, 24)).columns - 1, _NARROWEST)

    @property
    def rows(self) -> int:
        """Return the number of lines of a page; without a terminal there are no pages."""
        return max(shutil.get_terminal_size((80, 24)).lines, 8) if self.is_terminal else 1_000_000

    @property
    def size(self) -> Size:
        return Size(self.columns, self.rows)

    @contextlib.contextmanager
    def opened(self) -> Iterator[Screen]:
        """The alternate screen, for as long as private things are shown; it is left whatever happens."""
        if not self.is_capable:
            yield self
            return
        with mark_open():
            send(control("\x1b[?1049h"))
            try:
                yield self
            finally:
                self._made = None
                send(control(CLOSING))

    def begin_page(self) -> None:
        """Begin a new page: nothing of the last one stays."""
        self._made = None
        if self.is_capable:
            send(control("\x1b[2J\x1b[H"))
        elif self.is_terminal:
            click.echo("\n" * self.rows)
        else:
            click.echo("─" * min(self.columns, 40))

    def show_lines(self, lines: Iterable[str]) -> None:
        """Lines as they are; whoever makes them sees to their width."""
        for line in lines:
            click.echo(one_line(line), color=self.looks.colour or None)

    def draw(self, make: Callable[[], Iterable[str]]) -> None:
        self.begin_page()
        self._made = make, self.size
        self.show_lines(make())

    def draw_blocks(self, blocks: Sequence[Block], title: str = "", notice: str = "") -> None:
        """A new page of blocks, below a title if there is one."""

        def make() -> list[str]:
            head = [self.looks.draw_title(title, self.columns)] if title else []
            return [*head, *self.looks.draw_blocks(blocks, self.size), *self.looks.draw_notes(notice, self.columns)]

        self.draw(make)

    def _draw_again(self) -> bool:
        """The page that is seen, for the size that the screen has now; whether there is one."""
        if self._made is None:
            return False
        self.draw(self._made[0])
        return True

    def read_through(
        self,
        title: str,
        blocks: Sequence[Block],
        newest_first: bool = False,
        goes_on: str = "Enter goes back",
        kept: Callable[[], str] | None = None,
        takes: Callable[[str], object] | None = None,
    ) -> bool:
        """A page to read before going on, or several of them. No means that input is at its end.

        With `newest_first` the last page comes first, and Enter goes back to what was before. Where something can be
        `kept` by `s`, that does it, and says so. What else is typed ends it where something `takes` it, and is thrown
        away elsewhere.
        """
        for number in count(1):
            self.draw(partial(self._make_leaf, title, blocks, newest_first, number))
            if self.is_terminal:
                more = "earlier" if newest_first else "more"
                is_last = number >= len(self._cut_leaves(blocks, newest_first))
                prompt = f"── {goes_on} ── " if is_last else f"── Enter shows {more}, q goes back ── "
                typed = self.pause(prompt)
                while kept is not None and typed is not None and typed.strip().casefold() in ("s", "save"):
                    self.show_lines(self.looks.draw_notes(kept(), self.columns))
                    typed = self.pause(prompt)
                if typed is None:
                    return False
                if typed.strip().casefold() in ("q", "quit"):
                    return True
                if takes is not None and typed.strip():
                    takes(typed)
                    return True
            if number >= len(self._cut_leaves(blocks, newest_first)):
                break  # in the size that the screen has now
        return True

    def _make_leaf(self, title: str, blocks: Sequence[Block], newest_first: bool, number: int) -> list[str]:
        """One page of what is to be read, the first having number 1; if there are fewer by now, the last one."""
        pages = self._cut_leaves(blocks, newest_first)
        return [self.looks.draw_title(title, self.columns), *pages[min(number, len(pages)) - 1]]

    def _cut_leaves(self, blocks: Sequence[Block], newest_first: bool) -> list[list[str]]:
        room, lines = self.rows - 3, self.looks.draw_blocks(blocks, self.size)
        if newest_first:
            # Full pages at the end, where reading begins.
            return [lines[max(end - room, 0) : end] for end in range(len(lines), 0, -room)] or [[]]
        pages = []
        while lines:
            end = self.looks.count_fitting(lines, room)
            pages.append(lines[:end])
            lines = lines[end:]
        return pages or [[]]

    def read_line(self, prompt: str) -> str | None:
        """A line that somebody types, without its end; None at the end of input."""
        if self.is_capable and keyboard.IS_THERE:
            if self._made is not None and self._made[1] != self.size:
                self._draw_again()
            return keyboard.read_line(prompt, lambda: self.columns, self._draw_again)
        click.echo(prompt, nl=False, color=self.looks.colour or None)
        while True:
            try:
                line = sys.stdin.readline(keyboard.LONGEST)
                if len(line) == keyboard.LONGEST and not line.endswith("\n"):
                    while (more := sys.stdin.readline(keyboard.LONGEST)) and not more.endswith("\n"):
                        pass
                    click.echo("That was too long; type it again: ", nl=False)
                    continue
            except UnicodeDecodeError:
                click.echo("That was not readable text; type it again: ", nl=False)
                continue
            break
        if not self.is_terminal:
            # Nobody's Enter has ended the line on the screen.
            click.echo(visible(line.rstrip("\r\n")))
        if not line:
            return None
        return line.rstrip("\r\n")

    @contextlib.contextmanager
    def say_waiting(self, words: str) -> Iterator[None]:
        """Say at once why nothing is asked for a while; what somebody types meanwhile is forgotten."""
        if not self.is_terminal:
            yield
            return
        self.show_lines([words])
        try:
            yield
        finally:
            keyboard.drop_input()

    def pause(self, prompt: str) -> str | None:
        """The same where somebody is only to read, and Enter goes on."""
        return self.read_line(prompt)

    def refused(self, why: str) -> None:
        """Note why what was typed last is no answer; the question comes again, and says so."""

    @property
    def why_at_end(self) -> str:
        """A line about why nothing more is typed, if there is more to say than that somebody left."""
        return ""

    def close(self) -> None:
        """The game is over, and nothing more will be asked."""

    def paint(self, style: str, text: str) -> str:
        return self.looks.paint(style, text)

    def draw_rule(self) -> str:
        return self.looks.draw_rule(self.columns)


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

    def read_line(self, prompt: str) -> str | None:
        typed = self.script.next()
        if typed is not None:
            click.echo(f"{prompt}{visible(typed)}", color=self.looks.colour or None)
            return typed
        # Where nobody types, what else stands on the input was not meant for this.
        return super().read_line(prompt) if self.is_terminal else None

    def pause(self, prompt: str) -> str | None:
        return super().pause(prompt) if self.script.is_used_up else ""

    def refused(self, why: str) -> None:
        self.script.refused(why)

    @property
    def why_at_end(self) -> str:
        return f"The answers in {self.script.name} end here.\n" if self.script.is_used_up else ""

    def close(self) -> None:
        self.script.check_end()
