"""The referee of a scenario: checks each expectation at the end, and says of a failed one what is so instead.

A referee sees the whole table; only forms such as `sees` look through a player's eyes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children, is_expression
from rulebook.interpreter.account import describe_event
from rulebook.interpreter.decisions import PASS, Ask, Decision
from rulebook.interpreter.events import Sink
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import Outcome, find_outcome
from rulebook.interpreter.state import State
from rulebook.interpreter.views import collect_facts
from rulebook.interpreter.wording import join_texts, place_key, word_value
from rulebook.playtest.scenarios.answers import STATED, map_positions, matching, shown
from rulebook.playtest.scenarios.expectations import (
    Form,
    Holds,
    IsAsked,
    LogHas,
    MayChooseUpTo,
    MayNotChoose,
    SeesCards,
    SeesCount,
    SeesNobodyAsked,
    Wins,
)

_LAST_LINES = 6
_UNANSWERED = "there is no answer: it asks something of what is not there"


@define(eq=False, slots=False)
class Referee:
    """A table that stands still. Views and logs are made when first asked for."""

    machine: Machine
    state: State
    events: Sink = field(factory=list)
    decision: Decision | None = None

    @property
    def names(self) -> Sequence[str]:
        return self.machine.names

    def value(self, expr: ir.Expr) -> Any:
        """Evaluate an expression, or a part of one; nothing, about somebody who is not there."""
        formula = self.machine.program.lowering.lower_formula(expr)
        return self.machine.evaluate(self.state, formula)

    def outcome(self) -> Outcome:
        return find_outcome(self.machine.program, self.state, self.machine.names)

    def lines(self, expr: ir.CallValue | ir.AskHook) -> list[tuple[str, Any]]:
        """The named conditions of what is asked, each with its answer; none if it has no names for them."""
        program, arguments = self.machine.program, [self.value(argument) for argument in expr.arguments]
        if isinstance(expr, ir.AskHook):
            target = self.value(expr.target)
            return [] if target is None else list(self.machine.failing(self.state, expr.hook, target, arguments))
        lines = program.lowering.lower_lines(expr.function)
        return [(name, self.machine.evaluate(self.state, line, arguments)) for name, line in lines]

    def find_lacking(self, expr: ir.Expr) -> list[str]:
        """Say of a question that is answered with nothing which of its parts are nothing, each by its line."""
        if not isinstance(expr, ir.CallValue):
            part = self._find_lacking_part(expr, None, ())
            return [] if part is expr else [f"{_source(part)} is nothing"]
        function = self.machine.program.lowering.find_function(expr.function)
        arguments = [self.value(argument) for argument in expr.arguments]
        lines: list[tuple[str, ir.Expr]] = []
        if isinstance(function.body, ir.Total):
            lines = [(f"{line.name}: ", line.value) for line in function.body.lines]
        elif is_expression(function.body):
            lines = [("", function.body)]
        return [
            f"{name}{_source(self._find_lacking_part(value, function, arguments))} is nothing"
            for name, value in lines
            if self._value_inside(value, function, arguments) is None
        ]

    def _find_lacking_part(self, expr: ir.Expr, function: ir.Function | None, arguments: Sequence[Any]) -> ir.Expr:
        """Find the innermost part of an expression for which it is nothing."""
        if isinstance(expr, ir.Through):
            return expr
        for part in children(expr):
            if part.at is not None and self._value_inside(part, function, arguments) is None:
                return self._find_lacking_part(part, function, arguments)
        return expr

    def _value_inside(self, expr: ir.Expr, function: ir.Function | None, arguments: Sequence[Any]) -> Any:
        formula = self.machine.program.lowering.lower_formula(expr, function)
        return self.machine.evaluate(self.state, formula, arguments)

    def words(self, value: Any, type: t.Type) -> str:
        """A value as a scenario would write it: cards by their ids, lists in brackets."""
        program = self.machine.program
        if value is None:
            return "nothing"
        if isinstance(value, tuple) and isinstance(type, t.TableOf):
            keys = program.words[type.key.enumeration] if isinstance(type.key, t.Symbol) else self.names
            pairs = zip(keys, value, strict=True)
            return f"{{{', '.join(f'{key}: {self.words(entry, type.item)}' for key, entry in pairs)}}}"
        if isinstance(value, tuple):
            items = type.item if isinstance(type, t.ListOf) else t.UNKNOWN
            return f"[{', '.join(self.words(member, items) for member in value)}]" if value else "empty"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        sorts = t.members(t.surely(type))
        if t.PLAYER in sorts:
            return str(self.names[value])
        if any(isinstance(sort, t.Card | t.Action) for sort in sorts):
            number = value - program.cards
            return str(program.definition[value] if number < 0 else program.actions[number])
        if any(isinstance(sort, t.Place) for sort in sorts):
            return self.place_key(value)
        return word_value(program, self.names, value, "amount" if t.AMOUNT in sorts else "number")

    def place_key(self, place: int) -> str:
        return place_key(self.machine.program, self.names, self.machine.program.layout.places[place])

    def view(self, seat: int) -> dict[str, Any]:
        return self._views[seat]

    @cached_property
    def _views(self) -> list[dict[str, Any]]:
        seats = range(len(self.names))
        return [collect_facts(self.machine.program, self.names, self.state, seat) for seat in seats]

    def log(self, seat: int) -> list[str]:
        program = self.machine.program
        return [describe_event(program, self.names, event) for event in self.events[seat]]


# ── what is so instead ───────────────────────────────────────────────────────────────────────────────────────────────


def find_fault(form: Form, table: Referee) -> str | None:
    """Test a line of `expect`: None if it is so, else what is so instead."""
    match form:
        case Holds(question):
            return None if table.value(question) else _explain_no(question, table)
        case SeesNobodyAsked(player):
            waiting = table.view(_seat(player, table))["waiting"]
            return f"{join_texts(waiting)} is asked" if isinstance(waiting, list) and waiting else None
        case SeesCount() | SeesCards():
            return _find_fault_in_sight(form, table)
        case LogHas():
            return _find_fault_in_log(form, table)
        case Wins(players):
            return _find_fault_in_end(players, table)
    ask = _find_ask(form.player, table)
    if isinstance(ask, str):
        return None if isinstance(form, IsAsked) and not form.wanted else ask
    if isinstance(form, IsAsked):
        return None if form.wanted else f"{table.names[ask.seat]} is asked for one of {shown(ask.keys)}"
    if isinstance(form, MayChooseUpTo):
        return None if ask.at_most == form.most else f"{table.names[ask.seat]} may choose up to {ask.at_most}"
    pairs = [(option.key, option.label) for option in ask.options]
    positions = map_positions(table.machine)
    meant = [(answer.text, matching(answer, pairs, positions)) for answer in form.wanted]
    if isinstance(form, MayNotChoose):
        there = [text for text, keys in meant if keys]
        return f"{join_texts(there)} is among the options: {shown(ask.keys)}" if there else None
    missing = [text for text, keys in meant if not keys]
    named = {PASS, *(key for _, keys in meant for key in keys)}
    parts = [f"not {join_texts(missing)}"] if missing else []
    if more := [key for key in ask.keys if key not in named]:
        parts.append(f"also {join_texts([shown([key])[1:-1] for key in more])}")
    return f"the options are {shown(ask.keys)} ({', '.join(parts)})" if parts else None


def _find_fault_in_sight(form: SeesCount | SeesCards, table: Referee) -> str | None:
    seat, contents = _find_looked_at(form.player, form.place, table)
    known, unknown = _find_seen(contents)
    if isinstance(form, SeesCount):
        is_so = unknown == form.count
    else:
        left, is_so = _list_copies(form.place, seat, known, table), True
        for family in sorted(form.wanted, key=lambda family: STATED.fullmatch(family[0]) is None):
            copy = next((copy for copy in left if any(_is_called(name, *copy) for name in family)), None)
            is_so = is_so and copy is not None
            if copy is not None:
                left.remove(copy)
        if not is_so and any(STATED.fullmatch(family[0]) for family in form.wanted):
            copies = _list_copies(form.place, seat, known, table)
            known = [f'"{card}[{",".join(seen)}]"' if seen else card for card, seen in copies]
    return None if is_so else _sees(table.names[seat], known, unknown)


_Copy: TypeAlias = tuple[str, tuple[str, ...]]
"""A card that somebody knows, and what is to be seen on it: `face=5`."""


def _list_copies(place: ir.Expr, seat: int, known: Sequence[str], table: Referee) -> list[_Copy]:
    """List the cards that a seat knows in a place, with all that it sees on them."""
    where, left, copies = table.value(place), Counter(known), list[_Copy]()
    for state in table.view(seat)["states"] if where is not None else ():
        if state["place"] == table.place_key(where) and left[state["card"]]:
            left[state["card"]] -= 1
            copies.append((state["card"], tuple(_word_states(state, table))))
    return copies + [(card, ()) for card in left.elements()]


def _word_states(state: dict[str, Any], table: Referee) -> Iterator[str]:
    """Word what is seen on a card as the key of an option does."""
    program = table.machine.program
    for name, slot in program.layout.states.items():
        if name in state:
            is_worded = slot.sort == "amount" or isinstance(state[name], bool | str)
            words = word_value(program, table.names, state[name], slot.sort if is_worded else "number")
            yield f"{name}={words}"


def _is_called(name: str, card: str, seen: Sequence[str]) -> bool:
    """Tell whether `die` or `die[face=5]` means a card on which this is seen."""
    stated = STATED.fullmatch(name)
    return name == card if stated is None else stated[1] == card and {*stated[2].split(",")} <= {*seen}


def _find_fault_in_log(form: LogHas, table: Referee) -> str | None:
    lines = table.log(_seat(form.player, table))
    hit = next((line for line in lines if form.text in line), None)
    if not form.wanted:
        return None if hit is None else f"the log has “{hit}”"
    if hit is not None:
        return None
    if not lines:
        return "the log is empty"
    last = " ".join(f"“{line}”" for line in lines[-_LAST_LINES:])
    return f"the log {'ends with' if len(lines) > _LAST_LINES else 'is'} {last}"


def _find_fault_in_end(players: ir.Expr | None, table: Referee) -> str | None:
    outcome = table.outcome()
    if not outcome.finished:
        return "the game is not over"
    if set(outcome.winners) == (set() if players is None else set(table.value(players))):
        return None
    names = [table.names[seat] for seat in sorted(outcome.winners)]
    return f"{join_texts(names)} {'win' if len(names) > 1 else 'wins'}" if names else "nobody wins"


def _seat(player: ir.Expr, table: Referee) -> int:
    seat = table.value(player)
    assert isinstance(seat, int), "the checker saw that it is a player"
    return seat


def _find_ask(player: ir.Expr, table: Referee) -> Ask | str:
    """Find what the player is asked, or say who is asked instead."""
    asks = table.decision.asks if table.decision is not None else ()
    seat = _seat(player, table)
    for ask in asks:
        if ask.seat == seat:
            return ask
    others = [f"{table.names[ask.seat]} is asked for one of {shown(ask.keys)}" for ask in asks]
    return f"{table.names[seat]} is not asked; {join_texts(others) or 'nobody is'}"


def _find_looked_at(player: ir.Expr, place: ir.Expr, table: Referee) -> tuple[int, dict[str, Any]]:
    seat, where = _seat(player, table), table.value(place)
    if where is None:
        return seat, {}  # the place of nobody: nothing lies there
    contents: dict[str, Any] = table.view(seat)["places"][table.place_key(where)]
    return seat, contents


def _find_seen(contents: dict[str, Any]) -> tuple[list[str], int | None]:
    """Find the cards that are known to lie in a place, and how many others there are."""
    cards = contents.get("cards", [])
    known = [card for card in cards if card] + contents.get("among", [])
    if "pieces" in contents:
        return [], contents["pieces"]
    if "unknown" in contents:
        return known, contents["unknown"]
    return known, sum(card is None for card in cards) - len(contents.get("among", []))


def _sees(name: str, known: Sequence[str], unknown: int | None) -> str:
    cards = [*known]
    if unknown is None:
        cards.append("a number of cards that is hidden")
    elif unknown:
        cards.append(f"{unknown} {'card' if unknown == 1 else 'cards'} without knowing which")
    return f"{name} sees {join_texts(cards) if cards else 'no card'}"


# ── why a question has the answer no ─────────────────────────────────────────────────────────────────────────────────


def _write(expr: ir.Expr, table: Referee) -> str:
    """Write a value, and of nothing which part of the question is nothing."""
    value = table.value(expr)
    words = table.words(value, expr.type)
    lacking = table.find_lacking(expr) if value is None else []
    return f"{words} ({', '.join(lacking)})" if lacking else words


def _write_sum(expr: ir.Expr, table: Referee) -> str:
    """Write a value, and of a sum of named lines those that add something to it; of nothing, those that lack it."""
    words = _write(expr, table)
    if not isinstance(expr, ir.CallValue) or expr.type not in (t.NUMBER, t.AMOUNT) or table.value(expr) is None:
        return words
    parts = [f"{name} {table.words(part, expr.type)}" for name, part in table.lines(expr) if part]
    return f"{words} ({', '.join(parts)})" if parts else words


def _explain_no(expr: ir.Expr, table: Referee) -> str:
    """Say why a question is not answered with yes."""
    match expr:
        case ir.Compare(_, left, right) if _speaks_for_itself(right):
            return f"it is {_write_sum(left, table)}"
        case ir.Compare(_, left, right) if _speaks_for_itself(left):
            return f"it is {_write_sum(right, table)}"
        case ir.Compare(_, left, right):
            both = (f"{_source(side)} is {_write_sum(side, table)}" for side in (left, right))
            return ", and ".join(both)
        case (
            ir.SameCards(value, _, _) | ir.IsEmpty(value) | ir.IsNothing(value) | ir.IsCard(value, _)
            | ir.IsKind(value, _) | ir.IsText(value)
        ):  # fmt: skip
            return f"it is {_write(value, table)}"
        case ir.IsEmptyCell(cell):
            return f"a card lies on {_write(cell, table)}"
        case ir.Within(value, list) if _speaks_for_itself(value):
            return f"the list is {_write(list, table)}"
        case ir.Within(value, list):
            return f"{_source(value)} is {_write(value, table)}, and the list is {_write(list, table)}"
        case ir.And():
            fault = expr.right if table.value(expr.left) else expr.left
            if fault.at == expr.at:
                return _explain_no(fault, table)
            return f"not so is {_source(fault)}: {_explain_no(fault, table)}"
        case ir.Or(left, right):
            first, other = (f"{_source(part)} ({_explain_no(part, table)})" for part in (left, right))
            return f"neither {first} nor {other}"
        case ir.Not():
            return _explain_yes(expr.value, table)
        case ir.CallValue() | ir.AskHook() if table.value(expr) is None:
            return _UNANSWERED
        case ir.CallValue() | ir.AskHook():
            failed = [name for name, answer in table.lines(expr) if not answer]
            return f"not so: {', '.join(failed)}" if failed else "it is not so"
    return "it is not so"


def _explain_yes(expr: ir.Expr, table: Referee) -> str:
    """Say why a question is not answered with no."""
    match expr:
        case ir.Compare(_, left, _):
            return f"it is {_write(left, table)}"
        case ir.IsEmpty() | ir.IsEmptyCell():
            return "it is empty"
        case ir.IsNothing():
            return "it is nothing"
        case ir.Not():
            return _explain_no(expr.value, table)
        case ir.CallValue() | ir.AskHook() if table.value(expr) is None:
            return _UNANSWERED
        case ir.CallValue() | ir.AskHook():
            met = [name for name, answer in table.lines(expr) if answer]
            return f"so: {', '.join(met)}" if met else f"{_source(expr)} is so"
    return "it is so"


def _speaks_for_itself(expr: ir.Expr) -> bool:
    """True if a reader knows the value from the words: a constant, or a card by its name."""
    match expr:
        case ir.Const():
            return True
        case ir.Listed(items):
            return all(_speaks_for_itself(item) for item in items)
        case ir.BuiltIn("first", (ir.AllCards(str()),)):
            return True
        case ir.Arithmetic():
            return _speaks_for_itself(expr.left) and _speaks_for_itself(expr.right)
    return False


def _source(expr: ir.Expr) -> str:
    at = expr.at
    return f"`{at.words}`" if at is not None else "one part"
