"""The clearance of whoever chooses: a question and its options may depend only on what the chooser may know.

Finds the smallest parts of what one player is asked that read what this player may not see, wherever they stand: a
card's own question may be the one that tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.naming.layer_names import is_beneath
from rulebook.dsl.secrets.environment import Environment
from rulebook.dsl.secrets.lattice import (
    EVERYONE,
    SOMEWHERE,
    Argument,
    Secret,
    Taint,
    Value,
    normalize_player,
    same_player,
)
from rulebook.dsl.secrets.reads import POSITIONS, Call, Reads, arguments_of
from rulebook.dsl.walk import everything

_DEEPEST = 20  # functions that ask each other are gone into, to find which of them is to blame
_UNNAMED = -2  # the slot of a player whom a function does not know


@frozen
class Leak:
    """A part that tells something, and the function that it stands in ("" for the script of the choice).

    `reads` is where the taint comes from, if that is elsewhere.
    """

    part: ir.Expr
    function: str = ""
    reads: At | None = None


@frozen
class Chooser:
    """One player who is asked, at one place of a script.

    `tainted` are the memories that are as hidden as they say, `within` the functions that are gone into, `met` all that
    were gone into to find what tells.
    """

    reads: Reads
    player: ir.Expr
    env: Environment
    tainted: frozenset[str]
    within: frozenset[str] = frozenset()
    met: set[str] = field(factory=set)

    def may_not_know(self, taint: Taint) -> bool:
        """Check whether anything of it is above this player's clearance."""
        return bool(taint) and any(not self._knows(tag) for tag in taint)

    def _knows(self, tag: Secret | Argument) -> bool:
        if isinstance(tag, Argument):
            return True
        if tag in SOMEWHERE:
            return True  # to name a card is not to look at it
        # A memory that everyone can keep in mind, since all that changes it is seen by all, is no secret.
        followed = tag.name in self.reads.world.memories and tag.name not in self.tainted
        return followed or EVERYONE in tag.knowers or normalize_player(self.player) in tag.knowers

    def may_look(self, listed: ir.Expr) -> bool:
        """Check that this player may look at every card of a list, or can point at its position."""
        places = self.reads.world.places
        return all(
            self._knows(tag) or (isinstance(tag, Secret) and tag.name in places and places[tag.name].kept in POSITIONS)
            for tag in self.reads.read_cards(listed, self.env)
        )

    def was_shown(self, source: ir.Source) -> bool:
        """Check that this player may look at the cards, and may do so only because they were shown."""
        if source.sort != "card" or not self.env.has_shown or not self.may_look(source.list):
            return False
        return not evolve(self, env=Environment(self.env.values, self.env.script)).may_look(source.list)

    def binding(self, slot: int, value: Value) -> Chooser:
        """The same player, who has chosen something."""
        return evolve(self, env=self.env.bind(slot, value))

    def find_leaks_of_options(self, options: ir.Expr, view: str) -> Iterator[Leak]:
        """Find what a list of options tells by what stands in it and what does not."""
        match options:
            case ir.Filter() if not self.may_not_know(self.reads.evaluate(options, self.env).view(view)):
                pass  # such as a list that was shown as it is
            case ir.Filter():
                yield from self.find_leaks_of_options(options.list, view)
                yield from self.find_leaks(options.condition, self.reads.enter_filter(options, self.env))
            case ir.Sorted() | ir.Best():
                yield from self.find_leaks_of_options(options.list, view)
                within = self.reads.enter(options, self.reads.read_element(options.list, self.env), self.env)
                for key in options.keys:
                    yield from self.find_leaks(key.value, within)
            case ir.Chain():
                yield from self.find_leaks_of_options(options.first, view)
                yield from self.find_leaks_of_options(options.second, view)
            case ir.IfElse():
                yield from self.find_leaks(options.condition)
                yield from self.find_leaks_of_options(options.then, view)
                yield from self.find_leaks_of_options(options.otherwise, view)
            case _:
                if self.may_not_know(self.reads.evaluate(options, self.env).view(view)):
                    yield Leak(options, reads=self._find_source(options, self.env))

    def find_leaks(self, expr: ir.Expr, env: Environment | None = None) -> Iterator[Leak]:
        """Find the parts of an expression that tell something."""
        env = env or self.env
        if not self.may_not_know(self.reads.read_value(expr, env)):
            return
        match expr:
            case ir.And() | ir.Or():
                yield from self.find_leaks(expr.left, env)
                yield from self.find_leaks(expr.right, self.reads.enter_right(expr, env))
            case ir.Not():
                yield from self.find_leaks(expr.value, env)
            case ir.Joined(parts):
                for part in parts:
                    if isinstance(part, ir.Node):
                        yield from self.find_leaks(part, env)
            case _:
                answers = [self._find_in_callees(node, env) for node in everything(expr)]
                yield from (leak for answer in answers for leak in answer or ())
                if all(answer is None for answer in answers):
                    yield Leak(expr, reads=self._find_source(expr, env))

    def _find_in_callees(self, call: object, env: Environment) -> list[Leak] | None:
        """Find what tells something in what cards and actions answer about themselves, be it `original` of a variant.

        None if they tell nothing. What was found before is not found again.
        """
        if not isinstance(call, ir.AskHook) and not (isinstance(call, ir.CallValue) and is_beneath(call.function)):
            return None
        telling = [
            function
            for function in self.reads.find_functions(call)
            if self.may_not_know(self.reads.instantiate(self.reads.summarize((function.name,)).value, call, env))
        ]
        if not telling or len(self.within) == _DEEPEST:
            return None
        leaks = []
        for function in telling:
            if function.name not in self.met:
                self.met.add(function.name)
                inside = self._find_inside(function, call, env)
                leaks += [leak if leak.function else Leak(leak.part, function.name) for leak in inside]
        return leaks

    def _find_inside(self, function: ir.Function, call: Call, env: Environment) -> Iterator[Leak]:
        """Find what tells something inside a function, where the player has the name of a parameter, or none."""
        if function.name in self.within or len(self.within) == _DEEPEST:
            return
        arguments = arguments_of(call)
        slot = next((at for at, argument in enumerate(arguments) if same_player(argument, self.player)), _UNNAMED)
        player = ir.Local(slot, "", type=self.player.type)
        inner = Environment(self.reads.pass_arguments(arguments, env), function.name)
        there = Chooser(self.reads, player, inner, self.tainted, self.within | {function.name}, self.met)
        for part, value, at_part in self.reads.split_answer(function, inner):
            if there.may_not_know(value.value):
                yield from there.find_leaks(part, at_part)

    def _find_source(self, expr: ir.Expr, env: Environment) -> At | None:
        """Find where the taint of an expression comes from: the value that is called, or what a name was given."""
        for node in everything(expr):
            if isinstance(node, ir.CallValue) and self.may_not_know(self.reads.read_value(node, env)):
                for function in self.reads.find_functions(node):
                    leak = next(self._find_inside(function, node, env), None)
                    if leak is not None:
                        return leak.reads or leak.part.at
            if isinstance(node, ir.Local) and self.may_not_know(self.reads.read_value(node, env)):
                return env.of(node.slot).at
        return None
