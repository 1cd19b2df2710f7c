"""Facts about the scripts of a card or action, as far as a text could speak of them: whom, what, how many, where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.walk import everything

_DRAWN_FROM = ("bag", "pile")
_BESIDE = {">": 1, "<=": 1, ">=": -1, "<": -1}
"""By sign, how far from the number behind it the other number lies by which people say the same: `> 3` is four or more.
"""


@frozen(eq=False)
class Facts:
    """All that stands in the scripts of one thing and in what they call, and what is printed on it."""

    rulebook: ir.Rulebook
    records: Sequence[Any]
    printed: Sequence[Any]

    def of(self, *classes: type) -> Iterator[Any]:
        """Yield the records of these classes."""
        return (record for record in self.records if isinstance(record, classes))

    def has(self, *classes: type) -> bool:
        """Find whether there are any records of these classes."""
        return any(True for _ in self.of(*classes))

    # ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Every number that scripts may mean: written, worked out from two that are written, or done so many times."""
        written: set[int] = set()
        records = (*self.records, *self.printed)
        for record in records:
            match record:
                case ir.Const(int(value)) if not isinstance(value, bool):
                    written.add(value)
                    written |= {value // worth for worth in self.rulebook.units.values() if value % worth == 0}
                case ir.OptionValue(name) | ir.ByOption(name):
                    written |= _list_settings(self.rulebook.options[name])
                case ir.Listed(items) | ir.Menu(options=items):
                    written.add(len(items))
                case ir.Asking() | ir.PickRandom():
                    written.add(len(ir.find_bound(record)))
                case ir.Neighbour():
                    written.add(_count_steps(record))
        written |= {len(list(self.of(ir.Moving))), *Counter(map(type, self.of(ir.Sentence))).values()}
        for node in records:
            if isinstance(node, ir.Compare):
                written |= self._list_beside(node.right, node.operator, node.left)
                written |= self._list_beside(node.left, ir.TURNED.get(node.operator), node.right)
        return frozenset(written)

    def _list_beside(self, side: ir.Expr, sign: str | None, compared: ir.Expr) -> set[int]:
        """List the numbers by which people say the same as by a sign and the number behind it. But for what is counted,
        or kept in a memory, they also count on: of cards up to 8, `>= 7` is "a 7 or 8".
        """
        step = _BESIDE.get(sign or "")
        if step is None:
            return set()
        options = self.rulebook.options
        known = _list_settings(options[side.name]) if isinstance(side, ir.OptionValue) else {_as_number(side)}
        match compared:
            case ir.TableMemory() | ir.PlayerMemory() | ir.BuiltIn("count"):
                steps: tuple[int, ...] = (step,)
            case _:
                steps = (step, -step)
        return {number + each for number in known if number is not None for each in steps}

    @cached_property
    def drawn(self) -> tuple[int, At | None] | None:
        """The number of cards drawn, and where, if that is one number, and drawn once."""
        draws = list(self.of(ir.Drawing))
        again = [part for loop in self.of(ir.Repeat, ir.ForEach, ir.Iterate) for part in everything(*loop.body)]
        if len(draws) != 1 or any(record is draws[0] or isinstance(record, ir.DoRule | ir.DoHook) for record in again):
            return None
        match draws[0]:
            case ir.Drawing(
                ir.Const(int(number))
                | ir.BuiltIn("min", (ir.Const(int(number)), _) | (_, ir.Const(int(number))))
            ) as draw if draw.is_called_draw:
                return number, draw.at
        return None

    @cached_property
    def signs(self) -> dict[str, set[bool]]:
        """Signs of the changes of each memory, by its name: True for more, False for less; both if unknown."""
        signs: dict[str, set[bool]] = {}
        for assign in self.of(ir.Assign):
            target, value = ir.find_change(assign.target, assign.value)
            match assign.target, value:
                case (ir.TableMemory(name) | ir.PlayerMemory(name), ir.Arithmetic("+", left, more)) if left == target:
                    signs.setdefault(name, set()).update(_signs(more))
                case (ir.TableMemory(name) | ir.PlayerMemory(name), _):
                    signs.setdefault(name, set()).update((True, False))
        return signs

    @cached_property
    def changes(self) -> dict[str, At | None]:
        """The first place at which each memory is changed, by its name."""
        return {assign.target.name: assign.at for assign in reversed(list(self.of(ir.Assign)))}

    @cached_property
    def amounts(self) -> dict[str, set[int]]:
        """Amounts by which a memory is changed, by its name, where they are written, and done once at a time."""
        amounts: dict[str, set[int]] = {}
        unknown: set[str] = set()
        for assign in self.of(ir.Assign):
            target, value = ir.find_change(assign.target, assign.value)
            match assign.target, value:
                case (ir.TableMemory(name) | ir.PlayerMemory(name), ir.Arithmetic("+" | "-", left, more)) if (
                    ir.are_same(left, target)
                    and isinstance(known := ir.as_constant(more), ir.Const)
                    and isinstance(known.value, int)
                ):
                    amounts.setdefault(name, set()).add(abs(known.value))
                case _:
                    unknown.add(assign.target.name)
        return {} if self.has(ir.Repeat, ir.Iterate) else {name: amounts[name] for name in amounts.keys() - unknown}

    # ── what is named ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def places(self) -> frozenset[str]:
        """The places that are read, filled or emptied."""
        names = {place.name for place in self.of(ir.PlaceOf)} | {move.place for move in self.of(ir.Deal, ir.Pass)}
        refills = {place.refill for name in names if (place := self.rulebook.places.get(name)) and place.refill}
        return frozenset(names | refills)

    @cached_property
    def goals(self) -> frozenset[str]:
        """The places where cards or pieces come to lie; "" if some come to a place that only play names."""
        names = {move.place for move in self.of(ir.Deal, ir.Pass)}
        for goal in (goal for move in self.of(ir.Moving) for goal in ir.find_goals(move)):
            names.add(goal.name if isinstance(goal, ir.PlaceOf) else "")
        return frozenset(names)

    @cached_property
    def only_filled(self) -> frozenset[str]:
        """The places to which something is put, and of which nothing else is said."""
        goals = [goal for move in self.of(ir.Moving) for goal in ir.find_goals(move) if isinstance(goal, ir.PlaceOf)]
        filled, named = Counter(goal.name for goal in goals), Counter(place.name for place in self.of(ir.PlaceOf))
        return frozenset(name for name, times in filled.items() if named[name] == times)

    @cached_property
    def shows_all(self) -> list[ir.Show | ir.Reveal]:
        """The sentences that show something to everybody; none if something is shown to somebody alone."""
        shows = [*self.of(ir.Show)]
        to_all = [show for show in shows if isinstance(show.to, ir.Seats)]
        return [*to_all, *self.of(ir.Reveal)] if len(to_all) == len(shows) else []

    @cached_property
    def definitions(self) -> frozenset[str]:
        """The cards and actions that are asked for, or done, by name."""
        ids: set[str] = set()
        for record in self.records:
            match record:
                case ir.IsCard(definitions=some):
                    ids |= some
                case ir.SameCards(definitions=many):
                    ids |= set(many)
                case ir.AllCards(str(only)):
                    ids.add(only)
                case ir.TheAction(id):
                    ids.add(id)
        return frozenset(ids)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of lists that stand in scripts or are printed."""
        words: set[str] = set()
        for record in (*self.records, *self.printed):
            if isinstance(record, ir.Const):
                words |= {word for word in _each(record.value) if isinstance(word, str)}
        return frozenset(words)

    # ── who, and how ─────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def sides(self) -> dict[int, At | None]:
        """The neighbours that are spoken of, and where: 1 is the left one, -1 the right one."""
        return {node.step: node.at for node in self.of(ir.Neighbour, ir.Pass)}

    @cached_property
    def sides_of_deeds(self) -> dict[int, At | None]:
        """The same without those of conditions."""
        tested = {id(part) for test in self.of(ir.If, ir.IfElse, ir.Filter) for part in everything(test.condition)}
        return {node.step: node.at for node in self.of(ir.Neighbour, ir.Pass) if id(node) not in tested}

    @cached_property
    def has_others(self) -> bool:
        """Tell whether anything is about other players: those behind somebody, a neighbour, one who is not oneself."""
        if self.has(ir.Neighbour, ir.Pass):
            return True
        not_one = any(isinstance(negation.value, ir.Compare | ir.Within) for negation in self.of(ir.Not))
        unlike = any(compare.operator == "!=" for compare in self.of(ir.Compare))
        return not_one or unlike or any(clockwise.after for clockwise in self.of(ir.Clockwise))

    @cached_property
    def has_everyone(self) -> bool:
        around = any(not clockwise.after for clockwise in self.of(ir.Clockwise))
        return around or self.has(ir.Seats, ir.Deal, ir.Pass, ir.Listed)

    @cached_property
    def leaves_a_choice(self) -> bool:
        """Tell whether somebody may decline something, or choose how much."""
        for question in self.of(ir.Asking):
            if getattr(question, "may", False) or len(getattr(question, "options", ())) > 1:
                return True
        few = (pick for pick in self.of(ir.Pick) if not isinstance(pick.least, ir.Const) or pick.least.value == 0)
        return self.has(ir.Offer) or any(one.many for one in few) or self.asks_more_than_one

    @cached_property
    def asks_more_than_one(self) -> bool:
        """Tell whether an action or card that only play names is done."""
        return any(not isinstance(call.target, ir.TheAction) for call in self.of(ir.DoHook))

    @cached_property
    def forces(self) -> bool:
        """Tell whether anything is done that nobody may decline."""
        return {question.may for question in self.of(ir.Asking) if hasattr(question, "may")} != {True}

    @cached_property
    def has_chance(self) -> bool:
        if self.has(ir.PickRandom, ir.Roll, ir.Shuffle):
            return True
        return any(self._find_kept(draw.source) in _DRAWN_FROM for draw in self.of(ir.Drawing))

    @cached_property
    def draws(self) -> bool:
        """Tell whether anything is taken from where nobody chooses: a draw, or a move from a pile or bag."""
        if self.has(ir.Drawing, ir.PickRandom, ir.MovePieces, ir.DoHook):
            return True
        taken = (place for move in self.of(ir.Move) for place in _places(move.cards))
        return any(self._find_kept(place) in _DRAWN_FROM for place in taken)

    @cached_property
    def ends(self) -> frozenset[str]:
        """To which ends of piles and rows cards are put, where a script says so."""
        return frozenset(move.end for move in self.of(ir.Placing) if move.end)

    @cached_property
    def faces(self) -> frozenset[str]:
        """The ways in which cards come to lie, where a script says so."""
        return frozenset(move.face for move in self.of(ir.Placing) if move.face)

    @cached_property
    def most(self) -> frozenset[bool]:
        """The extremes looked for: True for the most of something, False for the least."""
        return frozenset(key.most for key in self.of(ir.Key))

    def _find_kept(self, place: ir.Expr) -> str:
        return place.type.kept if isinstance(place.type, t.Place) else ""


def _count_steps(player: ir.Expr) -> int:
    """Count the steps to a neighbour: two in `p.left.left`."""
    return 1 + _count_steps(player.player) if isinstance(player, ir.Neighbour) else 0


def _as_number(expr: ir.Expr) -> int | None:
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, int) else None


def _list_settings(option: ir.OptionDef) -> set[int]:
    values = {option.default, *(option.choices or ())}
    if isinstance(option.default, tuple):
        return {number for pair in option.default for number in pair}
    if option.low is not None and option.high is not None and option.high - option.low < 100:
        values |= set(range(option.low, option.high + 1))
    return {value for value in values if isinstance(value, int)}


def _signs(added: ir.Expr) -> Iterable[bool]:
    match added:
        case ir.Const(int(value)):
            return (value >= 0,)
        case ir.Arithmetic("-", ir.Const(0), _):
            return (False,)
    return (True, False)


def _each(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple) else (value,)


def _places(cards: ir.Expr) -> Iterator[ir.Expr]:
    """The places that cards are taken from, as far as that is written."""
    match cards:
        case ir.Cards() | ir.TheCard():
            yield cards.place
        case ir.Filter() | ir.Ordering():
            yield from _places(cards.list)
        case ir.BuiltIn(_, arguments) if arguments:
            yield from _places(arguments[0])
        case ir.Chain():
            yield from _places(cards.first)
            yield from _places(cards.second)
