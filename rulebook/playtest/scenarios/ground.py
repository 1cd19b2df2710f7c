"""The ground of a scenario: a checked game, its names for looking up, and its programs for running.

Questions and calls are checked by the game's own checker, with the players of a scenario as names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import document as d
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.checking.expressions import Expressions
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.checking.statements import Statements
from rulebook.dsl.overlay.variant import Variant
from rulebook.dsl.settling.forbidding import list_numbers, with_settings
from rulebook.dsl.settling.options import Given, Settled
from rulebook.dsl.world import World
from rulebook.library import variants_of
from rulebook.loading import Loaded, load
from rulebook.loading.frontend import Shared
from rulebook.source import Span, show_path

if TYPE_CHECKING:
    from rulebook.dsl.lint.book import Book
    from rulebook.interpreter.program import Program
    from rulebook.playtest.coverage import Coverage

_NO_OPTIONS = ("at", "type", "title", "prompt", "text")
"""Fields of the IR in which no option is named: what is only read, and what is no part of a script."""


@define(eq=False)
class Ground:
    """A game without mistakes. Programs are made when needed, one for each number of players and options."""

    rulebook: ir.Rulebook = field(repr=False)
    world: World = field(repr=False)
    coverage: Coverage | None = field(default=None, repr=False, init=False)
    """The counters of which rules run, if somebody wants to know."""
    _programs: dict[tuple[object, ...], Program] = field(factory=dict, repr=False, init=False)

    def program(self, players: int, options: Mapping[str, Settled]) -> Program:
        """The game for so many players under these house rules; BadSetup if it cannot be played so."""
        key = (players, *options.items())
        # To read scenarios, nothing needs to run.
        from rulebook.interpreter.lower import lower

        if key not in self._programs:
            self._programs[key] = lower(self.rulebook, players, dict(options), self.coverage)
        return self._programs[key]

    def cover(self) -> Coverage:
        """Count, from now on, what runs in this game; its rules are known to the report even if nothing does."""
        from rulebook.playtest.coverage import Coverage

        self.coverage = Coverage(self.rulebook)
        self._programs.clear()
        defaults = {name: option.default for name, option in self.rulebook.options.items()}
        self.program(list_numbers(self.rulebook, defaults)[0], {})
        return self.coverage

    @cached_property
    def counting(self) -> Ground:
        """The same game with programs of its own, which count what runs."""
        twin = Ground(self.rulebook, self.world)
        twin.cover()
        return twin

    @cached_property
    def book(self) -> Book:
        """An index of the rules."""
        from rulebook.dsl.lint.book import Book

        return Book(self.rulebook, self.world)

    def copies(self, definition: str) -> int | None:
        """Count the cards of a definition; None if that depends on the house rules."""
        counts = [count for count, _ in self.rulebook.cards[definition].copies]
        known = [count.value for count in counts if isinstance(count, ir.Const) and isinstance(count.value, int)]
        return sum(known) if len(known) == len(counts) else None

    @cached_property
    def labels(self) -> frozenset[str]:
        """Every text of the game that may be the label of an option."""
        return frozenset(text for text in self._texts if isinstance(text, str))

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        """The same for texts with values in them."""
        patterns = dict.fromkeys(_pattern(text) for text in self._texts if isinstance(text, ir.Joined))
        return tuple(map(re.compile, patterns))

    @cached_property
    def _texts(self) -> list[str | ir.Joined]:
        return list(_texts([*self.rulebook.scripts.values(), *self.rulebook.functions.values()]))

    def is_label(self, text: str) -> bool:
        return text in self.labels or any(pattern.fullmatch(text) for pattern in self._patterns)


def misfit(node: d.Node, where: str, what: str, wanted: str, help: str | None = None) -> Diagnostic:
    """Make the message that something else should stand here."""
    got = f"`{node.text}`" if isinstance(node, d.Scalar) and node.text else d.kind_of(node)
    return diagnose("RB112", node.span, where=where, help=help, what=what, wanted=wanted, got=got)


@frozen(eq=False)
class Reader:
    """The reader of one scenario: its game, its players, its name in messages and the list that they go to."""

    ground: Ground
    where: str
    at: Span
    messages: list[Diagnostic]
    seats: Sequence[str] = ()

    def report(self, code: str, span: Span, help: str | None = None, **values: Any) -> None:
        self.messages.append(diagnose(code, span, where=self.where, help=help, **values))

    def report_misfit(self, node: d.Node, what: str, wanted: str, help: str | None = None) -> None:
        """Add the message that something else should stand here."""
        self.messages.append(misfit(node, self.where, what, wanted, help))

    def list_family(self, name: str) -> str | None:
        """Name the cards of a family, for whoever wrote the name of the family where one card is wanted."""
        family = self.ground.world.families.get(name, ())
        return "Say which one: " + ", ".join(f"`{id}`" for id in family) if family else None

    def open_expressions(self) -> Expressions:
        """Make a checker for one question about a game of these players."""
        scope = Scope(hidden={name: ir.Const(seat, type=t.PLAYER) for seat, name in enumerate(self.seats)})
        functions = self.ground.rulebook.functions
        return Expressions(
            self.ground.world, scope, self.where, self.messages, lambda value: functions[f"values.{value}"].type
        )

    def open_statements(self, expressions: Expressions) -> Statements:
        """Make a checker for calls. Nothing is done with what a rule gives back, so its type is not asked."""
        return Statements(expressions, lambda name: t.UNKNOWN, pure=False)


class Grounds:
    """The grounds of one game: alone, and under its variants. Each is made once; `found` is what is wrong with them.

    What is wrong with the game alone is not said again of the game under a variant. `variants` are laid over the game
    before those that a scenario asks for, and `settings` are its house rules if the scenario does not say otherwise;
    `meant` and `use_cache` as `load` has them.
    """

    def __init__(
        self,
        game: Path,
        variants: Sequence[Path] = (),
        settings: Mapping[str, Given] | None = None,
        *,
        meant: bool = False,
        use_cache: bool = False,
    ) -> None:
        self.game, self.variants, self.settings = game, tuple(variants), settings or {}
        self.meant, self.use_cache = meant, use_cache
        self._shared = Shared()
        self.messages: list[Diagnostic] = []
        self._said: set[object] = set()
        self._made: dict[tuple[Path, ...], Ground | None] = {}

    def under(self, variants: Sequence[Path] = ()) -> Ground | None:
        """The game under these variants, in this order; none if it has mistakes. Raises BadSettings."""
        names = tuple({os.path.realpath(file): file for file in (*self.variants, *variants)}.values())
        if names not in self._made:
            self._made[names] = self._open(names)
        return self._made[names]

    def under_one(self, variant: Path) -> Ground | None:
        """The game under one of its variants: on top of those that it follows, and alone if it can be played so."""
        line = self._line(variant)
        above = self.under(line)
        if len(line) == 1:
            return above
        alone = self._load((*self.variants, variant))
        return above if alone.game is None else self.under([variant])

    def _line(self, variant: Path) -> list[Path]:
        """A variant behind those that it follows, and those that they follow, as far as they can be played together."""
        there = {file.stem: self._shared.read_variant(file)[0] for file in variants_of(self.game)}
        line: list[Path] = []
        met = {variant.stem}

        def come(file: Path) -> None:
            variant = there.get(file.stem)
            for id in () if variant is None else sorted(variant.behind):
                other = there.get(id)
                if other is None or any(_exclude(other, before) for name in met if (before := there.get(name))):
                    continue
                if id not in met:
                    met.add(id)
                    come(file.with_stem(id))
            line.append(file)

        come(variant)
        return line

    def _open(self, variants: tuple[Path, ...]) -> Ground | None:
        loaded = self._load(variants)
        self.know(loaded.messages, variants[len(self.variants) :])
        if loaded.game is None:
            return None
        return Ground(with_settings(loaded.game.rulebook, self.settings), loaded.game.world)

    def _load(self, variants: tuple[Path, ...]) -> Loaded:
        return load(self.game, variants, meant=self.meant, use_cache=self.use_cache, shared=self._shared)

    def know(self, messages: Sequence[Diagnostic], beside: Sequence[Path] = ()) -> None:
        """This is wrong with the game, under these variants."""
        self.messages += [_label_variants(beside, message) for message in messages if message.key not in self._said]
        self._said |= {message.key for message in messages}


def _exclude(variant: Variant, other: Variant) -> bool:
    return variant.id in other.not_with or other.id in variant.not_with


def _label_variants(variants: Sequence[Path], message: Diagnostic) -> Diagnostic:
    """Name the variants in a message about the game under them, if it does not stand in one of them."""
    if not variants or (message.span is not None and message.span.file.name in map(show_path, variants)):
        return message
    named = (
        f"under {'the variant' if len(variants) == 1 else 'the variants'} {', '.join(path.stem for path in variants)}"
    )
    return attrs.evolve(message, where=f"{message.where}, {named}" if message.where else named)


def _texts(nodes: Sequence[object]) -> Iterator[str | ir.Joined]:
    """Every text in these scripts that may name an option, as it is or with gaps."""
    left: list[Any] = list(nodes)
    while left:
        node = left.pop()
        if isinstance(node, ir.Joined):
            yield node
        elif isinstance(node, ir.Const) and node.type == t.TEXT and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, tuple):
            left += node
        elif attrs.has(type(node)) and type(node).__module__ == ir.__name__:
            left += [getattr(node, slot.name) for slot in attrs.fields(type(node)) if slot.name not in _NO_OPTIONS]


def _pattern(text: ir.Joined) -> str:
    return "".join(re.escape(part) if isinstance(part, str) else ".+" for part in text.parts)
