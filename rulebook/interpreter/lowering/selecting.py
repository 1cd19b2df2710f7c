"""Conditions that are asked of a whole list at once.

In: a `Writer`, a list that is in a register, and the conditions of which its members are chosen. Out: steps that put
something side by side with the list, as what is printed on each of its cards, and choose by that. Never: a condition
that asks more of a member than a row of such steps can tell, or that reads more beside it than what is always there.

What is asked of nothing leads to the same trap as in a loop: of a later condition only those are asked that met those
before it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes, rewrite
from rulebook.interpreter.lowering.keeping import find_free, is_plain
from rulebook.interpreter.lowering.writer import Label, Writer
from rulebook.interpreter.ops import lists, values

_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_IN_ORDER = frozenset({"<", "<=", ">", ">="})
_OTHERWISE = {"==": "!=", "!=": "=="}
LowerExpr = Callable[[Writer, ir.Expr], int]


def choose_at_once(
    w: Writer, lower: LowerExpr, condition: ir.Expr, slot: int, members: int, to: int | None = None
) -> int | None:
    """Write the steps that choose by a condition about each member, which is in `slot`; the register of those chosen,
    `to` if it must be that one, None if it takes a loop.
    """
    found = _read_condition(w, condition, slot)
    if found is None:
        return None
    sign, subject, other = found
    target, before, end = w.add_registers() if to is None else to, w.top, Label()
    if not isinstance(subject, ir.IsEmptyCell) and not _is_at_hand(w, other):
        # What is the same for all members is asked for where there is one.
        w.emit(values.copy, target, members)
        w.emit(values.jump_unless, target, end)
    if isinstance(subject, ir.IsEmptyCell):
        w.emit(lists.select_empty, target, members, sign == "==")
    else:
        row = _write_row(w, lower, subject, slot, members)
        beside = lower(w, other)
        if sign in ("in", "not in"):
            w.emit(lists.select_within, target, members, row, beside, sign == "in")
        else:
            w.emit(lists.select_by, target, members, row, sign, beside)
    w.place_labels(end)
    w.top = before
    return target


def is_asked_at_once(w: Writer, condition: ir.Expr, slot: int) -> bool:
    """Tell whether a condition is one that can be asked of a whole list at once, and asks nothing of nothing."""
    found = _read_condition(w, condition, slot)
    if found is None:
        return False
    sign, subject, other = found
    return sign not in _IN_ORDER and _is_sure(subject) and _is_at_hand(w, other)


def _read_condition(w: Writer, condition: ir.Expr, slot: int) -> tuple[str, ir.Expr, ir.Expr] | None:
    """The sign of a condition, what is read of each member, and with what that is compared."""
    yes: ir.Expr = ir.Const(True, type=t.YES_NO)
    match condition:
        case ir.Not(ir.IsEmptyCell(ir.Local(cell)) as empty) if cell == slot:
            return "!=", empty, yes
        case ir.IsEmptyCell(ir.Local(cell)) if cell == slot:
            return "==", condition, yes
        case ir.Not(inner):
            found = _read_condition(w, inner, slot)
            if found is None:
                return None
            sign, subject, other = found
            if sign in ("in", "not in"):
                return "in" if sign == "not in" else "not in", subject, other
            return (_OTHERWISE[sign], subject, other) if sign in _OTHERWISE else None
        case ir.IsEmpty(ir.Cards() as cards):
            count = ir.BuiltIn("count", (cards,), type=t.NUMBER)
            return ("==", count, ir.Const(0, type=t.NUMBER)) if _is_row(w, count, slot) else None
        case ir.IsNothing(value) if _is_row(w, value, slot):
            return "==", value, ir.Const(None, type=t.NOTHING)
        case ir.Within(value, others) if _is_row(w, value, slot) and _is_fixed(w, others, slot):
            return "in", value, others
        case ir.Compare(sign, left, right) if not t.has_numbers(left.type) and not t.has_numbers(right.type):
            if _is_row(w, left, slot) and _is_fixed(w, right, slot):
                return sign, left, right
            if _is_row(w, right, slot) and _is_fixed(w, left, slot):
                return _TURNED[sign], right, left
        case ir.State() | ir.PlayerMemory() | ir.Attribute() | ir.IsFaceUp() if condition.type == t.YES_NO and _is_row(
            w, condition, slot
        ):
            return "==", condition, yes
    return None


def _is_row(w: Writer, expr: ir.Expr, slot: int) -> bool:
    """Tell whether something can be read of each member of a list, one row after the other."""
    match expr:
        case ir.Local(member):
            return member == slot
        case ir.Attribute(card=of) | ir.State(card=of) | ir.IsFaceUp(of) | ir.PlayerMemory(player=of):
            return _is_row(w, of, slot)
        case ir.TheCard(ir.PlaceOf(_, ir.Node() as of)) | ir.Pieces(ir.PlaceOf(_, ir.Node() as of)):
            return _is_row(w, of, slot)
        case ir.BuiltIn("count", (ir.Cards(ir.PlaceOf(name, ir.Node() as of)),)):
            return w.layout.places[_first_of(w, name)].kept != "pool" and _is_row(w, of, slot)
        case ir.Arithmetic("+" | "-", left, right) if not t.has_numbers(expr.type):
            if _is_row(w, left, slot):
                return _is_row(w, right, slot) or _is_at_hand(w, right)
            return _is_at_hand(w, left) and _is_row(w, right, slot)
        case ir.IfElse(condition, then, otherwise) if is_plain(expr.type):
            # All of it is asked of each member.
            sides = (_is_at_hand(w, side) or (_is_row(w, side, slot) and _is_sure(side)) for side in (then, otherwise))
            return _is_test(w, condition, slot) and all(sides)
    return False


def _is_test(w: Writer, condition: ir.Expr, slot: int) -> bool:
    match condition:
        case ir.Not(value):
            return _is_test(w, value, slot)
        case ir.IsNothing(value):
            return _is_row(w, value, slot)
    return condition.type == t.YES_NO and _is_row(w, condition, slot)


def _first_of(w: Writer, name: str) -> int:
    return next(place for place in (*w.layout.place_of[name], 0) if place is not None)


def _is_fixed(w: Writer, expr: ir.Expr, slot: int) -> bool:
    """Tell whether an expression is the same for each member."""
    if any(isinstance(node, ir.Through | ir.CallValue | ir.AskHook | ir.Joined) for node in nodes(expr)):
        return False
    return slot not in find_free(expr)


def _is_at_hand(w: Writer, expr: ir.Expr) -> bool:
    """Tell whether an expression asks nothing of nothing, and is worked out in no more than a step."""
    match expr:
        case ir.Const() | ir.OptionValue(key=None) | ir.TableMemory() | ir.BuiltIn("count", (ir.Seats(),)):
            return True
        case ir.Local(other):
            return w.inlined is not None or other not in w.unsure or other in w.sure
    return False


def _is_sure(subject: ir.Expr) -> bool:
    """Tell whether a row asks nothing of nothing."""
    match subject:
        case ir.Attribute(card=of) | ir.State(card=of) | ir.IsFaceUp(of) | ir.PlayerMemory(player=of):
            return _is_sure(of) and not _may_be_nothing(of)
        case ir.TheCard(ir.PlaceOf(_, ir.Local() as of)) | ir.Pieces(ir.PlaceOf(_, ir.Local() as of)):
            return of.type == t.PLAYER
        case ir.BuiltIn(_, (ir.Cards(ir.PlaceOf(_, ir.Local() as of)),)):
            return of.type == t.PLAYER
        case ir.IfElse(condition):
            return _is_sure(condition)
        case ir.Not(value) | ir.IsNothing(value):
            return _is_sure(value)
    return isinstance(subject, ir.Local | ir.IsEmptyCell | ir.Const | ir.OptionValue | ir.TableMemory)


def _may_be_nothing(expr: ir.Expr) -> bool:
    return t.NOTHING in t.members(expr.type)


def _write_row(w: Writer, lower: LowerExpr, expr: ir.Expr, slot: int, members: int) -> int:
    """Write the steps that read something of each member; the register of the row."""
    match expr:
        case ir.Local():
            return members
        case ir.Attribute(name, of):
            row = _write_row(w, lower, of, slot, members)
            return _emit_row(w, lists.each_printed, row, tuple(w.tables.attributes[name]))
        case ir.State(name, of):
            return _emit_row(w, lists.each_state, _write_row(w, lower, of, slot, members), w.layout.states[name])
        case ir.IsFaceUp(of):
            return _emit_row(w, lists.each_face, _write_row(w, lower, of, slot, members))
        case ir.PlayerMemory(name, of):
            row = _write_row(w, lower, of, slot, members)
            return _emit_row(w, lists.each_memory, row, w.layout.player_memory[name])
        case ir.TheCard(ir.PlaceOf(name, ir.Node() as of)):
            row = _write_row(w, lower, of, slot, members)
            return _emit_row(w, lists.each_card_of, row, w.layout.place_of[name])
        case ir.Pieces(ir.PlaceOf(name, ir.Node() as of)) | ir.BuiltIn(
            _, (ir.Cards(ir.PlaceOf(name, ir.Node() as of)),)
        ):
            row = _write_row(w, lower, of, slot, members)
            return _emit_row(w, lists.each_count_of, row, w.layout.place_of[name])
        case ir.Arithmetic(sign, left, right):
            sides = [
                lower(w, side) if not _is_row(w, side, slot) else _write_row(w, lower, side, slot, members)
                for side in (left, right)
            ]
            row = w.add_registers()
            w.emit(values.reckon_tables, row, sign, *sides)
            return row
        case ir.IfElse(condition, then, otherwise):
            tests, is_turned = _write_tests(w, lower, condition, slot, members)
            sides = [
                _write_row(w, lower, side, slot, members) if _is_row(w, side, slot) else lower(w, side)
                for side in ((otherwise, then) if is_turned else (then, otherwise))
            ]
            row = w.add_registers()
            w.emit(lists.each_either, row, tests, *sides)
            return row
    raise TypeError(f"nothing is read of each: {type(expr).__name__}")


def _write_tests(w: Writer, lower: LowerExpr, condition: ir.Expr, slot: int, members: int) -> tuple[int, bool]:
    """The register of a row of yes and no, and whether no stands there for yes."""
    match condition:
        case ir.Not(value):
            tests, is_turned = _write_tests(w, lower, value, slot, members)
            return tests, not is_turned
        case ir.IsNothing(value):
            return _emit_row(w, lists.each_there, _write_row(w, lower, value, slot, members)), True
    return _write_row(w, lower, condition, slot, members), False


def _emit_row(w: Writer, do: Callable[..., int | None], row: int, *table: object) -> int:
    target = w.add_registers()
    w.emit(do, target, row, *table)
    return target


def open_questions(condition: ir.Expr, find_body: Callable[[ir.CallValue], ir.Expr | None]) -> ir.Expr:
    """A condition with the bodies of small questions in place of their calls, where these are given names alone and
    name nothing themselves.
    """

    def put(_: ir.Node, after: ir.Node) -> ir.Node:
        if not isinstance(after, ir.CallValue):
            return after
        body = find_body(after)
        if body is None or not all(isinstance(argument, ir.Local | ir.Const) for argument in after.arguments):
            return after
        if any(isinstance(node, ir.Through) for node in nodes(body)):
            return after
        given = after.arguments
        opened: ir.Node = rewrite(body, lambda old, new: given[old.slot] if isinstance(old, ir.Local) else new)
        return opened

    opened: ir.Expr = rewrite(condition, put)
    return opened
