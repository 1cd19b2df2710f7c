"""Expressions become steps that work out a value and change nothing but registers.

In: a `Writer` and an `ir.Expr`. Out: the register that holds the value then. Never: a statement, chance, a choice.

A step that asks something of nothing leads to where the writer's `trap` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, assert_never

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children, is_expression, nodes
from rulebook.dsl.watched import Watched
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.lowering.keeping import find_free, find_reads, is_plain, keep
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.lowering.writer import CONSTANTS, WORK, Label, Writer
from rulebook.interpreter.ops import flow, lists, values, watching
from rulebook.interpreter.program import Code
from rulebook.interpreter.run import NotThere
from rulebook.interpreter.wording import NOTHING

_Do = Callable[..., "int | None"]

ARITHMETIC: dict[str, _Do] = {
    "+": values.add,
    "-": values.subtract,
    "*": values.multiply,
    "/": values.divide,
    "%": values.remainder,
}
COMPARISON: dict[str, tuple[_Do, bool]] = {
    "==": (values.equal, False),
    "!=": (values.unequal, False),
    "<": (values.less, False),
    "<=": (values.less_or_equal, False),
    ">": (values.less, True),
    ">=": (values.less_or_equal, True),
}
"""The step of a comparison, and whether its sides change places."""
_KEPT = (ir.BuiltIn, ir.IsEmpty, ir.Compare, ir.Arithmetic, ir.CallValue, ir.AskHook, ir.IfElse)
"""Expressions whose answers may be kept: those that others are made of are kept part by part."""
_CLAIMS = (
    ir.Compare, ir.SameCards, ir.Within, ir.IsKind, ir.IsCard, ir.IsText, ir.IsFaceUp, ir.IsNothing, ir.IsEmpty,
    ir.IsEmptyCell, ir.Not, ir.And, ir.Or,
)  # fmt: skip
"""Expressions that are always yes or no, and never nothing."""


def lower_formula(tables: Tables, expr: ir.Expr, slots: ir.Slots | None = None, parameters: int = 0) -> Code:
    """A code of its own that works out one expression, from the values of the locals it names; it is given values for
    the first of them, though it names none.
    """
    if slots is None:
        used = [node.slot for node in nodes(expr) if hasattr(node, "slot")]
        slots = ir.Slots(("",) * max(parameters, *(slot + 1 for slot in used), 0), ())
    w = Writer(tables, slots, parameters)
    w.at = expr.at
    w.emit(values.answer, lower_expr(w, expr))
    return w.finish("")


def lower_expr(w: Writer, expr: ir.Expr, to: int | None = None) -> int:
    """Write the steps of an expression; `to` is the register for its value, if it must be that one."""
    if isinstance(expr, Watched):
        return _lower_watched(w, expr, to)
    if (known := settle_early(w, expr)) is not None:
        return _emit_copy(w, w.constant(known[0]), to)
    if (target := _write_of_one_object(w, expr, to)) is not None:
        return target
    if (keys := _find_keys(w, expr)) is not None:
        return _lower_kept(w, expr, to, keys)
    w.tells_texts_apart |= _tells_texts_apart(expr)
    match expr:
        case ir.Const(value):
            return _emit_copy(w, w.constant(value), to)
        case ir.Local(slot):
            if w.inlined is None and slot in w.unsure and slot not in w.sure:
                w.emit(values.present, slot)
            return _emit_copy(w, w.find_register(slot), to)
        case ir.OptionValue() | ir.ByOption():
            return _lower_option(w, expr, to)
        case ir.Joined():
            w.makes_texts = True
            return _lower_joined(w, expr, lower_in_words, to)
        case ir.TableMemory(name):
            return emit_value(w, values.read_memory, to, w.layout.memory[name])
        case ir.PlayerMemory():
            return work_out(w, values.read_player_memory, to, w.layout.player_memory[expr.name], expr.player)
        case ir.State():
            return work_out(w, values.read_state, to, w.layout.states[expr.name], expr.card)
        case ir.Attribute():
            return work_out(w, values.read_attribute, to, tuple(w.tables.attributes[expr.name]), expr.card)
        case ir.PlaceOf():
            ordinals = w.layout.place_of[expr.name]
            if expr.owner is None:
                return _emit_copy(w, w.constant(ordinals[0]), to)
            return work_out(w, values.find_place, to, ordinals, expr.owner)
        case ir.Cards():
            return work_out(w, values.list_cards, to, expr.place)
        case ir.TheCard(ir.PlaceOf(name, owner)) if owner is not None:
            return work_out(w, values.find_card_of, to, w.layout.place_of[name], owner)
        case ir.TheCard():
            return work_out(w, values.find_card, to, expr.place)
        case ir.Pieces(ir.PlaceOf(name, owner)) if owner is not None:
            return work_out(w, values.count_place_of, to, w.layout.place_of[name], owner)
        case ir.Pieces():
            return work_out(w, values.count_place, to, expr.place)
        case ir.AllCards(only):
            every = range(w.tables.cards) if only is None else sorted(w.tables.find_objects(frozenset([only])))
            return _emit_copy(w, w.constant(tuple(every)), to)
        case ir.AllActions():
            return _emit_copy(w, w.constant(tuple(range(w.tables.cards, w.tables.objects))), to)
        case ir.TheAction(id):
            return _emit_copy(w, w.constant(w.tables.action(id)), to)
        case ir.Seats(everyone):
            if everyone:
                return _emit_copy(w, w.constant(tuple(range(w.tables.players))), to)
            return emit_value(w, values.list_living, to)
        case ir.Clockwise():
            return work_out(w, values.list_clockwise, to, expr.start, expr.after, expr.backwards)
        case ir.Neighbour():
            return work_out(w, values.find_neighbour, to, expr.player, expr.step)
        case ir.Listed(items):
            return from_several(w, lists.make_list, to, items)
        case ir.Span():
            return work_out(w, lists.count_up, to, expr.first, expr.last)
        case ir.Chain():
            return work_out(w, lists.chain, to, expr.first, expr.second)
        case ir.Arithmetic() if t.has_numbers(expr.type):
            return work_out(w, values.reckon_tables, to, expr.operator, expr.left, expr.right)
        case ir.Arithmetic():
            return work_out(w, ARITHMETIC[expr.operator], to, expr.left, expr.right)
        case ir.Compare("<=" | ">=" as sign, left, right) if t.has_numbers(left.type):
            return work_out(w, values.covers, to, left, right, turned=sign == "<=")
        case ir.Compare():
            do, turned = COMPARISON[expr.operator]
            # Both are asked in the order in which they are written.
            return work_out(w, do, to, expr.left, expr.right, turned=turned)
        case ir.SameCards():
            wanted = tuple(expr.definitions) if expr.ordered else tuple(sorted(expr.definitions))
            return work_out(w, values.are_same_cards, to, expr.cards, wanted, expr.ordered)
        case ir.Within():
            return work_out(w, values.is_within, to, expr.value, expr.list)
        case ir.IsKind():
            return work_out(w, values.is_one_of, to, expr.value, w.tables.find_cards_of_kinds(expr.kinds))
        case ir.IsCard():
            return work_out(w, values.is_one_of, to, expr.value, w.tables.find_objects(expr.definitions))
        case ir.IsText():
            return work_out(w, values.is_text, to, expr.value)
        case ir.IsFaceUp():
            return work_out(w, values.is_face_up, to, expr.card)
        case ir.IsNothing():
            return work_out(w, values.is_nothing, to, expr.value)
        case ir.IsEmptyCell():
            return work_out(w, values.is_empty_cell, to, expr.cell)
        case ir.IsEmpty():
            return work_out(w, values.negate, to, _content(expr.list))
        case ir.Not(ir.IsEmpty(list)):
            return work_out(w, values.truth, to, _content(list))
        case ir.Not():
            return work_out(w, values.negate, to, expr.value)
        case ir.And() | ir.Or():
            return _lower_both(w, expr, to)
        case ir.IfElse():
            return _lower_if_else(w, expr, to)
        case ir.Filter() | ir.Each() | ir.Sorted() | ir.Best():
            return _lower_loop(w, expr, to)
        case ir.Entry():
            return _lower_entry(w, values.read_entry, to, expr.table, expr.key)
        case ir.WithEntry():
            return _lower_entry(w, values.change_entry, to, expr.table, expr.key, expr.value)
        case ir.CallValue(function, arguments):
            if (body := _inlinable(w, function, w.inlining)) is not None:
                target = w.add_registers() if to is None else to
                _write_in_place(w, function, arguments, lambda: lower_expr(w, body, target))
                return target
            return from_several(w, values.ask, to, arguments, w.tables.questions[function])
        case ir.AskHook():
            return _lower_ask_hook(w, expr, to)
        case ir.BuiltIn():
            return _lower_built_in(w, expr, to)
        case _:
            assert_never(expr)


def _lower_watched(w: Writer, expr: Watched, to: int | None) -> int:
    """The value of an expression, or in a mutant what takes its place."""
    register, before, end = w.add_registers() if to is None else to, w.top, Label()
    instead = [(other.value, other.mutant, Label()) for other in expr.others if is_expression(other.value)]
    for _, mutant, begin in instead:
        w.emit(watching.jump_if_mutant, mutant, True, begin)
    lower_expr(w, expr.value, register)
    w.top = before
    w.emit(watching.note_value, register, expr.site)
    for other in expr.others:
        if not is_expression(other.value):
            w.emit(watching.mutate, register, register, w.constant(other.value), other.mutant)
    for value, _, begin in instead:
        w.emit(values.jump, end)
        w.place_labels(begin)
        lower_expr(w, value, register)
        w.top = before
    w.place_labels(end)
    return register


def jump_when(w: Writer, condition: ir.Expr, is_met: bool, to: Label) -> None:
    """Go on elsewhere where a condition is met, or where it is not; what decides early is not followed by more."""
    known, before = settle_early(w, condition), w.top
    whole = _write_of_one_object(w, condition, None) if known is None else None
    match condition:
        case _ if known is not None:
            if bool(known[0]) is is_met:
                w.emit(values.jump, to)
        case _ if whole is None and _find_keys(w, condition) is not None:
            w.emit(values.jump_if if is_met else values.jump_unless, aside(w, condition), to)
        case ir.Not() if whole is None:
            jump_when(w, condition.value, not is_met, to)
        case ir.And() | ir.Or() if whole is None:
            if isinstance(condition, ir.Or) is is_met:
                jump_when(w, condition.left, is_met, to)
                jump_when(w, condition.right, is_met, to)
            else:
                behind = Label()
                jump_when(w, condition.left, not is_met, behind)
                jump_when(w, condition.right, is_met, to)
                w.place_labels(behind)
        case ir.IsEmpty():
            w.emit(values.jump_unless if is_met else values.jump_if, aside(w, _content(condition.list)), to)
        case ir.IsNothing() if whole is None:
            w.emit(values.jump_if_nothing if is_met else values.jump_if_something, aside(w, condition.value), to)
        case ir.CallValue(name, arguments) if whole is None and (body := _inlinable(w, name, w.inlining)) is not None:
            _write_in_place(w, name, arguments, lambda: jump_when(w, body, is_met, to))
        case ir.Local():
            w.emit(values.jump_if if is_met else values.jump_unless, lower_expr(w, condition), to)
        case _:
            answer = aside(w, condition) if whole is None else whole
            w.emit_jump(answer, is_met, to)
    w.top = before


# ── steps with operands ──────────────────────────────────────────────────────────────────────────


def emit_value(w: Writer, do: _Do, to: int | None, *operands: Any) -> int:
    """Write a step whose first operand is the register of its value."""
    to = w.add_registers() if to is None else to
    w.emit(do, to, *operands)
    return to


def aside(w: Writer, expr: ir.Expr) -> int:
    """The register of a value that the next step reads, which may be used again behind that."""
    before = w.top
    register = lower_expr(w, expr)
    w.top = before
    return register


def work_out(w: Writer, do: _Do, to: int | None, *operands: Any, turned: bool = False) -> int:
    """Write a step that reads the values of some expressions, with other operands between and behind them."""
    before = w.top
    registers: list[Any] = [lower_expr(w, operand) if is_expression(operand) else operand for operand in operands]
    w.top = before
    return emit_value(w, do, to, *(reversed(registers) if turned else registers))


def in_a_row(w: Writer, exprs: Sequence[ir.Expr]) -> int:
    """The first of registers in a row that hold the values of some expressions: their own, if these stand so."""
    if len(exprs) == 1:
        return lower_expr(w, exprs[0])
    if exprs and all(isinstance(expr, ir.Local) for expr in exprs):
        registers = [lower_expr(w, expr) for expr in exprs]
        if registers == [*range(registers[0], registers[0] + len(registers))]:
            return registers[0]
    first = w.add_registers(len(exprs))
    for number, expr in enumerate(exprs):
        before = w.top
        lower_expr(w, expr, first + number)
        w.top = before
    return first


def from_several(w: Writer, do: _Do, to: int | None, exprs: Sequence[ir.Expr], *table: Any) -> int:
    """Write a step that reads registers in a row."""
    before = w.top
    first = in_a_row(w, exprs)
    w.top = before
    return emit_value(w, do, to, *table, first, len(exprs))


def _emit_copy(w: Writer, register: int, to: int | None) -> int:
    return register if to is None else emit_value(w, values.copy, to, register)


# ── one by one ───────────────────────────────────────────────────────────────────────────────────


def _lower_option(w: Writer, expr: ir.OptionValue | ir.ByOption, to: int | None) -> int:
    if isinstance(expr, ir.ByOption):
        chosen = w.tables.options[expr.option]
        return lower_expr(w, next(case for value, case in expr.cases if value == chosen), to)
    setting = w.tables.options[expr.name]
    if expr.key is None:
        return _emit_copy(w, w.constant(setting), to)
    return work_out(w, values.read_step, to, tuple(sorted(dict(setting).items())), expr.key)


def _content(expr: ir.Expr) -> ir.Expr:
    """Return the expression that is true unless a list or place is empty: the list itself, or its count."""
    if isinstance(expr, ir.Cards) or isinstance(t.surely(expr.type), t.Place):
        return ir.BuiltIn("count", (expr,), type=t.NUMBER)
    return expr


def _lower_both(w: Writer, expr: ir.And | ir.Or, to: int | None) -> int:
    target, end = w.add_registers() if to is None else to, Label()
    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if (known := settle_early(w, side)) is not None and bool(known[0]) is isinstance(expr, ir.And):
            return (
                lower_expr(w, other, target) if isinstance(other, _CLAIMS) else work_out(w, values.truth, target, other)
            )
    before = w.top
    lower_expr(w, expr.left, target)
    w.emit(values.jump_unless if isinstance(expr, ir.And) else values.jump_if, target, end)
    lower_expr(w, expr.right, target)
    w.top = before
    w.place_labels(end)
    if not isinstance(expr.left, _CLAIMS) or not isinstance(expr.right, _CLAIMS):
        w.emit(values.truth, target, target)
    return target


def _lower_if_else(w: Writer, expr: ir.IfElse, to: int | None) -> int:
    if (known := settle_early(w, expr.condition)) is not None:
        return lower_expr(w, expr.then if known[0] else expr.otherwise, to)
    target, other, end = w.add_registers() if to is None else to, Label(), Label()
    before = w.top
    count_answers(w, expr.condition, expr.at, other, ("then", "else"))
    lower_expr(w, expr.then, target)
    w.emit(values.jump, end)
    w.place_labels(other)
    w.top = before
    lower_expr(w, expr.otherwise, target)
    w.top = before
    w.place_labels(end)
    return target


def count_answers(
    w: Writer, condition: ir.Expr, at: Any, otherwise: Label, words: tuple[str, str], blocks: Any = ((), ())
) -> None:
    """Go on elsewhere unless a condition is met, and tell whoever counts what ran how it went."""
    probes = w.tables.probes
    if probes is None:
        jump_when(w, condition, False, otherwise)
        return
    text = condition.at.span.text if condition.at is not None else ""
    yes, no = (probes.point(at, word, text, block) for word, block in zip(words, blocks, strict=True))
    answer = aside(w, condition)
    w.emit(flow.count_answer, answer, yes, no)
    w.emit(values.jump_unless, answer, otherwise)


def _lower_ask_hook(w: Writer, expr: ir.AskHook, to: int | None) -> int:
    questions = w.tables.list_questions(expr.hook)
    before = w.top
    first = in_a_row(w, (expr.target, *expr.arguments))
    if w.tables.probes is not None:
        counts = w.tables.object_counts(expr.hook)
        own = (count if question else None for count, question in zip(counts, questions, strict=True))
        w.emit(flow.count_object, first, tuple(own))
    w.top = before
    return emit_value(w, values.ask_hook, to, questions, first, 1 + len(expr.arguments))


# ── what is settled before the game ──────────────────────────────────────────────────────────────

_PLAIN = (
    ir.Const, ir.OptionValue, ir.ByOption, ir.AllCards, ir.AllActions, ir.TheAction, ir.Attribute, ir.Listed, ir.Span,
    ir.Chain, ir.Arithmetic, ir.Compare, ir.Within, ir.IsKind, ir.IsCard, ir.IsNothing, ir.IsEmpty, ir.Not, ir.And,
    ir.Or, ir.IfElse, ir.Filter, ir.Each, ir.Sorted, ir.Best, ir.BuiltIn,
)  # fmt: skip
"""Expressions that read only printed attributes and house rules, if their parts do."""
_PLACED = (
    "holder", "beside", "around", "row", "column", "rows", "columns", "lines", "cells", "cell", "row_number",
    "column_number",
)  # fmt: skip
"""Built-in questions about where something lies."""


def is_settled(w: Writer, expr: ir.Expr, known: frozenset[int] = frozenset(), asking: tuple[str, ...] = ()) -> bool:
    """Tell whether an expression has one value in the whole game, once locals have theirs that are known; `asked` are
    the questions that it is part of.
    """
    if isinstance(expr, ir.CallValue):
        body = _inlinable(w, expr.function, asking)
        bound = frozenset(range(len(expr.arguments)))
        return (
            body is not None
            and is_settled(w, body, bound, (*asking, expr.function))
            and all(is_settled(w, argument, known, asking) for argument in expr.arguments)
        )
    if isinstance(expr, ir.Local):
        return expr.slot in known
    if isinstance(expr, ir.Seats):
        return expr.everyone
    if not isinstance(expr, _PLAIN) or (isinstance(expr, ir.BuiltIn) and expr.name in _PLACED):
        return False
    if isinstance(expr, ir.Filter | ir.Each | ir.Sorted | ir.Best):
        known |= {expr.slot}
    return all(is_settled(w, child, known, asking) for child in children(expr))


def settle_early(w: Writer, expr: ir.Expr, asking: tuple[str, ...] = ()) -> tuple[Any, ...] | None:
    """The value of an expression that is settled before the game, by itself in a tuple; None of any other."""
    if isinstance(expr, ir.Const):
        return (expr.value,)
    if w.tables.work_out is None:
        return None
    if is_settled(w, expr, asking=asking):
        with suppress(NotThere, RuleError):  # what fails fails when it is asked
            return _work_out_answers(w, expr, [()])
    decides = isinstance(expr, ir.Or)
    match expr:
        case ir.And(left) | ir.Or(left) if (known := settle_early(w, left, asking)) is not None and bool(
            known[0]
        ) is decides:
            return (decides,)
        case ir.Not(value) if (known := settle_early(w, value, asking)) is not None:
            return (not known[0],)
        case ir.CallValue(name, arguments) if all(map(_is_sure, arguments)) and (body := _inlinable(w, name, asking)):
            return settle_early(w, body, (*asking, name))
    return None


def always_holds(w: Writer, claim: ir.Expr) -> bool:
    """Tell whether a claim holds in the whole game."""
    known = settle_early(w, claim)
    return known is not None and bool(known[0])


def _write_of_one_object(w: Writer, expr: ir.Expr, to: int | None) -> int | None:
    """Write what is settled but for the card or action that one local holds; None for any other expression."""
    if w.tables.marks is not None:
        return None  # all that is worth it is watched, and not settled
    inside = [*nodes(expr)]
    bound = {node.slot for node in inside if isinstance(node, ir.Through)}
    free = [node for node in inside if isinstance(node, ir.Local) and node.slot not in bound]
    if w.tables.work_out is None or len({node.slot for node in free}) != 1 or len(inside) < 3:
        return None
    local, slot = free[0], free[0].slot
    # Behind `c is dish or …` the same name is known to be no dish: it is asked of all that it may be anywhere.
    of = t.either(*(node.type for node in free))
    if not _is_object(of) or not is_settled(w, expr, frozenset([slot])):
        return None
    with suppress(NotThere, RuleError):
        printed = _work_out_each(w, expr, slot, of)
        if not isinstance(expr, _CLAIMS):
            return work_out(w, values.read_attribute, to, printed, local)
        return work_out(w, values.is_one_of, to, local, frozenset(card for card, is_so in enumerate(printed) if is_so))
    return None


def _lower_selection(w: Writer, expr: ir.Filter, to: int) -> tuple[int, ir.Filter | None]:
    """Read a list, but only those in it of which a condition is settled that comes first, or that lie face up or face
    down; what is left to be asked of them.
    """
    objects, faces, rest = None, set[bool](), list[ir.Expr]()
    for condition in _conjuncts(expr.condition):
        # What is settled may be asked first if what stands before it asks nothing of nothing.
        is_first = all(map(_is_sure, rest))
        chosen = _objects_that(w, expr, condition) if is_first else None
        match condition:
            case _ if chosen is not None:
                objects = chosen if objects is None else objects & chosen
            case ir.IsFaceUp(ir.Local(expr.slot)) if is_first and _are_objects(expr.list, t.Card):
                faces.add(True)
            case ir.Not(ir.IsFaceUp(ir.Local(expr.slot))) if is_first and _are_objects(expr.list, t.Card):
                faces.add(False)
            case _:
                rest.append(condition)
    goal = None if rest else to
    if faces == {True} and isinstance(expr.list, ir.Cards):
        members = work_out(w, lists.list_facing, goal if objects is None else None, expr.list.place)
        if objects is not None:
            members = emit_value(w, lists.select, goal, members, objects)
        faces = set()
    elif objects is None:
        members = lower_expr(w, expr.list)
    elif isinstance(expr.list, ir.Cards):
        members = work_out(w, lists.select_cards, goal, expr.list.place, objects)
    elif (name := _place_of_players(expr.list)) is not None:
        members = emit_value(w, lists.select_from_players, goal, w.layout.place_of[name], objects)
    else:
        members = work_out(w, lists.select, goal, expr.list, objects)
    for is_up in sorted(faces):
        members = emit_value(w, lists.select_facing, goal, members, is_up)
    if not rest:
        return members, None
    left = reduce(lambda first, other: ir.And(first, other, type=t.YES_NO), rest)
    return members, evolve(expr, condition=left)


def _is_sure(condition: ir.Expr) -> bool:
    """Tell whether a condition about the members of a list asks nothing of nothing."""
    match condition:
        case ir.Local() | ir.Const() | ir.OptionValue(key=None) | ir.Seats() | ir.AllCards():
            return True
        case ir.IsFaceUp() | ir.State() | ir.Attribute():
            return isinstance(condition.card, ir.Local)
        case ir.Compare("==" | "!=", left, right) | ir.And(left, right) | ir.Or(left, right):
            return _is_sure(left) and _is_sure(right)
        case ir.Not() | ir.IsKind() | ir.IsCard() | ir.IsText() | ir.IsNothing():
            return _is_sure(condition.value)
        case ir.IsEmptyCell():
            return _is_sure(condition.cell)
    return False


def _conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    if isinstance(condition, ir.And):
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]


def _objects_that(w: Writer, expr: ir.Filter, condition: ir.Expr) -> frozenset[int] | None:
    """The cards and actions for which a condition holds, whatever happens in the game; None if that is not settled."""
    if w.tables.work_out is None or not _are_objects(expr.list) or not is_settled(w, condition, frozenset([expr.slot])):
        return None
    with suppress(NotThere, RuleError):
        answers = _work_out_each(w, condition, expr.slot)
        return frozenset(number for number, answer in enumerate(answers) if answer)
    return None


def _find_printed(w: Writer, expr: ir.Each) -> tuple[Any, ...] | None:
    """Reckon a body for each card and action; None if the answer depends on the game."""
    if w.tables.work_out is None or not _are_objects(expr.list) or not is_settled(w, expr.body, frozenset([expr.slot])):
        return None
    with suppress(NotThere, RuleError):
        return _work_out_each(w, expr.body, expr.slot)
    return None


def _work_out_each(w: Writer, expr: ir.Expr, slot: int, of: t.Type | None = None) -> tuple[Any, ...]:
    """The value of an expression for each card and action in a local; nothing for those of another type."""
    every = range(w.tables.objects)
    members = () if of is None else t.members(of)
    kinds = frozenset().union(*(member.kinds for member in members if isinstance(member, t.Card)))
    # Copies that are printed alike, and so of one kind, are asked once, by the first of them.
    alike = w.tables.first_alike if _reads_print_alone(w, expr, slot) else every
    cards = [
        card
        for card in dict.fromkeys(alike)
        if of is None or (w.tables.kind[card] in kinds if card < w.tables.cards else t.Action() in members)
    ]
    answers = _work_out_answers(w, expr, [(*(None,) * slot, card) for card in cards])
    return tuple(map(dict(zip(cards, answers, strict=True)).get, alike))


def _reads_print_alone(w: Writer, expr: ir.Expr, slot: int) -> bool:
    """Tell whether a settled expression asks a local only for what is printed on it, not which copy it is."""
    match expr:
        case ir.Local():
            return expr.slot != slot
        case ir.Attribute(card=ir.Local()) | ir.IsKind(ir.Local()) | ir.IsCard(ir.Local()):
            return True
        case ir.CallValue(name, arguments) if any(argument == slot for argument in map(_slot_of, arguments)):
            body = as_expression(w.tables.rulebook.functions[name])
            places = [at for at, argument in enumerate(arguments) if _slot_of(argument) == slot]
            others = [argument for argument in arguments if _slot_of(argument) != slot]
            return (
                body is not None
                and all(_reads_print_alone(w, body, at) for at in places)
                and all(_reads_print_alone(w, argument, slot) for argument in others)
            )
    return all(_reads_print_alone(w, child, slot) for child in children(expr))


def _slot_of(expr: ir.Expr) -> int | None:
    return expr.slot if isinstance(expr, ir.Local) else None


def _work_out_answers(w: Writer, expr: ir.Expr, argument_rows: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The values of a settled expression for what may be given. Raises NotThere and RuleError."""
    tables, work_out = w.tables, w.tables.work_out
    assert work_out is not None
    tables.work_out = None  # else the formula would be found to be settled again
    try:
        code = lower_formula(tables, expr, parameters=max(map(len, argument_rows), default=0))
        return tuple(work_out(code, arguments) for arguments in argument_rows)
    finally:
        tables.work_out = work_out


def _are_objects(expr: ir.Expr, sorts: Any = t.Card | t.Action) -> bool:
    of = t.surely(expr.type)
    return isinstance(of, t.ListOf) and _is_object(of.item, sorts)


def _is_object(of: t.Type, sorts: Any = t.Card | t.Action) -> bool:
    return all(isinstance(member, sorts) for member in t.members(of))


# ── answers that are kept ────────────────────────────────────────────────────────────────────────


def _find_keys(w: Writer, expr: ir.Expr) -> tuple[int, ...] | None:
    """The registers that an answer hangs on, one at most, if it is to be kept: it takes going through a list, and it is
    the same for other members of a list that is gone through here, or for others of whom a question is asked.
    """
    in_loop = len(w.through) > w.kept_in
    if not isinstance(expr, _KEPT) or not (in_loop or w.keeps) or not is_plain(expr.type):
        return None
    if w.tables.work_out is None or w.tables.marks is not None:
        return None
    free = find_free(expr)
    if len(free) > 1 or not all(is_plain(local.type) for local in free.values()):
        return None
    keys = tuple({w.find_register(slot) for slot in free})
    if in_loop:
        member, first = w.through[-1]
        if any(key == member or (WORK + first <= key < CONSTANTS) for key in keys):
            return None
    elif len(keys) >= max(w.parameters, 1):
        return None
    return keys if _goes_through(w, expr, set()) and find_reads(w.tables, expr) else None


def _goes_through(w: Writer, expr: ir.Expr, looked_into: set[str]) -> bool:
    """Tell whether an answer takes going through a list, member by member; a question is looked into once."""
    for node in nodes(expr):
        match node:
            case ir.Filter(_, slot, condition):
                if any(not is_settled(w, part, frozenset([slot])) for part in _conjuncts(condition)):
                    return True
            case ir.Each(_, slot, body, flat):
                if flat or not is_settled(w, body, frozenset([slot])):
                    return True
            case ir.Through() | ir.AskHook():
                return True
            case ir.CallValue(name) if name not in looked_into:
                looked_into.add(name)
                small = _inlinable(w, name, ())
                if small is None or _goes_through(w, small, looked_into):
                    return True
    return False


def _lower_kept(w: Writer, expr: ir.Expr, to: int | None, keys: tuple[int, ...]) -> int:
    """The value of an expression, kept until something changes that it reads."""
    reads = find_reads(w.tables, expr)
    assert reads
    target, before = w.add_registers() if to is None or to in keys else to, w.top
    begun, end, kept, outside = w.add_registers(), Label(), keep(w.tables, reads), (w.kept_in, w.keeps)
    key = keys[0] if keys else None
    w.emit(values.recall, target, begun, key, kept, end)
    w.kept_in, w.keeps = len(w.through), False
    lower_expr(w, expr, target)
    w.kept_in, w.keeps = outside
    w.emit(values.remember, target, begun, key, kept)
    w.place_labels(end)
    w.top = before
    return target if to is None or to == target else emit_value(w, values.copy, to, target)


# ── questions in place of their calls ────────────────────────────────────────────────────────────

_LARGEST = 60
"""The most parts of a question that is inlined in place of each call."""


def _inlinable(w: Writer, name: str, asking: tuple[str, ...]) -> ir.Expr | None:
    """The body of a small question that is one expression and does not ask itself, unless somebody counts what runs, or
    its lines may be told.
    """
    function, bodies = w.tables.rulebook.functions[name], w.tables.small_bodies
    if not is_told_of_none(w, function) or name in asking or len(asking) == 4:
        return None
    if name not in bodies:
        body = as_expression(function)
        bodies[name] = None if body is None or len(nodes(body)) > _LARGEST else body
    return bodies[name]


def is_told_of_none(w: Writer, function: ir.Function) -> bool:
    """Tell whether nobody hears of the lines of a question, or counts them."""
    has_lines = isinstance(function.body, ir.Conditions | ir.Total)
    return w.tables.probes is None and not (has_lines and function.name in w.tables.explaining)


def as_expression(function: ir.Function) -> ir.Expr | None:
    """The body of a question, if it is one expression, or lines, or sentences that only choose between a few."""
    body, nothing = function.body, ir.Const(None, type=t.NOTHING)

    def make_if_else(block: ir.Block, end: ir.Expr | None) -> ir.Expr | None:
        match block:
            case ():
                return end
            case (ir.Return(value), *_):
                return nothing if value is None else value
            case (ir.If(condition, then, otherwise), *rest):
                chosen = make_if_else(then, None)
                other = make_if_else(otherwise, None) if otherwise else make_if_else(tuple(rest), end)
                if chosen is not None and other is not None:
                    return ir.IfElse(condition, chosen, other, type=function.type)
        return None

    match body:
        case tuple():
            return make_if_else(body, nothing) if len(body) <= _LARGEST else None
        case ir.Conditions(lines):
            yes: ir.Expr = ir.Const(True, type=t.YES_NO)
            return reduce(lambda first, line: ir.And(first, line.value, type=t.YES_NO), lines, yes)
        case ir.Total(lines):
            zero: ir.Expr = ir.Const(0, type=t.NUMBER)
            return reduce(lambda first, line: ir.Arithmetic("+", first, line.value, type=function.type), lines, zero)
    return body


def _write_in_place(w: Writer, name: str, arguments: Sequence[ir.Expr], write_body: Callable[[], object]) -> None:
    """Write the body of a question where its locals are what it is given."""
    before = w.top
    registers = [lower_expr(w, argument) for argument in arguments]
    outside = w.inlined, w.inlining
    w.inlined, w.inlining = dict(enumerate(registers)), (*w.inlining, name)
    write_body()
    w.inlined, w.inlining = outside
    w.top = before


# ── lists that are gone through ──────────────────────────────────────────────────────────────────


def _lower_loop(w: Writer, expr: ir.Filter | ir.Each | ir.Sorted | ir.Best, to: int | None) -> int:
    gathered = w.add_registers() if to is None else to
    before, end = w.top, Label()
    left = expr
    match expr:
        case ir.Filter(ir.AllActions(), slot, ir.AskHook(hook, ir.Local(target), arguments)) if (
            target == slot and w.tables.probes is None and not any(_reads_local(given, slot) for given in arguments)
        ):
            _ask_actions(w, hook, arguments, gathered)
            w.top = before
            return gathered
    if isinstance(expr, ir.Filter):
        members, rest = _lower_selection(w, expr, gathered)
        if rest is None:
            w.top = before
            return gathered
        left = rest
    else:
        if (name := _place_of_players(expr)) is not None:
            every = frozenset(range(w.tables.cards))
            return emit_value(w, lists.select_from_players, gathered, w.layout.place_of[name], every)
        members = lower_expr(w, expr.list)
        if isinstance(expr, ir.Each) and not expr.flat and (printed := _find_printed(w, expr)) is not None:
            w.top = before
            return emit_value(w, lists.read_each, gathered, members, printed)
    at, slot = w.add_registers(), w.find_register(expr.slot)
    w.emit(lists.open_list, gathered)
    w.emit(lists.walk, members, at)
    again = w.label_here()
    w.emit(lists.next_member, members, at, slot, end)
    outside, w.through = w.through, (*w.through, (slot, at - WORK))
    match left:
        case ir.Filter():
            *first, last = _conjuncts(left.condition)
            for condition in first:
                jump_when(w, condition, False, again)
            w.emit(lists.keep, gathered, slot, _last_condition(w, last, True, again), again)
        case ir.Each(body=ir.Cards(place), flat=True):
            w.emit(lists.gather_cards, gathered, aside(w, place), again)
        case ir.Each():
            w.emit(lists.gather_all if left.flat else lists.gather, gathered, aside(w, left.body), again)
        case ir.Sorted() | ir.Best():
            inside = w.top
            values_of = in_a_row(w, [key.value for key in left.keys])
            w.top = inside
            w.emit(lists.rank, gathered, slot, values_of, tuple(1 if key.most else -1 for key in left.keys), again)
        case _:
            assert_never(left)
    w.through = outside
    w.place_labels(end)
    ends: dict[type, _Do] = {ir.Sorted: lists.sort, ir.Best: lists.best}
    w.emit(ends.get(type(expr), lists.close_list), gathered)
    w.top = before
    return gathered


def _place_of_players(expr: ir.Expr) -> str | None:
    """The name of a place, if what is asked for are all cards in that of everybody who plays: `hand of players`."""
    match expr:
        case ir.Each(ir.Seats(everyone=False), slot, ir.Cards(ir.PlaceOf(name, ir.Local(owner))), flat=True) if (
            owner == slot
        ):
            return name
    return None


def _reads_local(expr: ir.Expr, slot: int) -> bool:
    return any(isinstance(node, ir.Local) and node.slot == slot for node in nodes(expr))


def _ask_actions(w: Writer, hook: str, arguments: Sequence[ir.Expr], target: int) -> None:
    """Write the question of each action, one behind the other; one that has none is free to all."""
    w.emit(lists.open_list, target)
    for action in range(w.tables.cards, w.tables.objects):
        name, behind, before = w.tables.by_object(hook)[action], Label(), w.top
        own = ir.Const(action, type=t.Action())
        answer = ir.Const(True, type=t.YES_NO) if name is None else ir.CallValue(name, (own, *arguments), type=t.YES_NO)
        w.emit(lists.keep, target, w.constant(action), _last_condition(w, answer, True, behind), behind)
        w.place_labels(behind)
        w.top = before
    w.emit(lists.close_list, target)


def _lower_or(w: Writer, to: int | None, list: ir.Expr, slot: int, body: ir.Expr, decisive: bool, next_one: _Do) -> int:
    """`any` and `all` of members: as with `or` and `and`, what comes behind the deciding one is not asked."""
    target = w.add_registers() if to is None else to
    before, end, hushed, outside = w.top, Label(), Label(), w.trap
    members, at, slot = lower_expr(w, list), w.add_registers(), w.find_register(slot)
    w.emit(values.copy, target, w.constant(not decisive))
    w.emit(lists.walk, members, at)
    again = w.label_here()
    w.emit(lists.next_member, members, at, slot, end)
    w.trap, loops = hushed, w.through
    w.through = (*loops, (slot, at - WORK))
    value = _last_condition(w, body, decisive, again)
    w.trap, w.through = outside, loops
    w.emit(next_one, target, value, again, end)
    w.place_labels(hushed)
    w.emit(lists.hush, target, decisive, again)
    w.place_labels(end)
    w.top = before
    return target


def _last_condition(w: Writer, condition: ir.Expr, decisive: bool, again: Label) -> int:
    """The register of a condition of members, or of what decides, where jumps lead to the next member otherwise."""
    if not _is_jump(w, condition) or settle_early(w, condition) is not None:
        return aside(w, condition)
    jump_when(w, condition, not decisive, again)
    return w.constant(decisive)


def _is_jump(w: Writer, condition: ir.Expr, inside: tuple[str, ...] = ()) -> bool:
    """Tell whether a condition is best asked by jumping: it is made of others, or one step asks and jumps."""
    match condition:
        case ir.CallValue(name):
            body = _inlinable(w, name, (*w.inlining, *inside))
            return body is not None and _is_jump(w, body, (*inside, name))
        case ir.Compare("==" | "!="):
            return True
    return isinstance(condition, ir.Not | ir.And | ir.Or | ir.IsEmpty | ir.IsKind | ir.IsCard | ir.IsNothing)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def _lower_entry(w: Writer, do: _Do, to: int | None, table: ir.Expr, key: ir.Expr, *value: ir.Expr) -> int:
    """Write a step about one entry of a table."""
    before = w.top
    registers = [lower_expr(w, table), _lower_key(w, key), *(lower_expr(w, one) for one in value)]
    w.top = before
    return emit_value(w, do, to, *registers)


def _lower_key(w: Writer, key: ir.Expr) -> int:
    """The number of an entry: a seat, or where a word stands in its list."""
    of = t.surely(key.type)
    if not isinstance(of, t.Symbol):
        return lower_expr(w, key)
    words = tuple(w.tables.rulebook.words[of.enumeration])
    known = settle_early(w, key)
    if known is not None and known[0] in words:
        return w.constant(words.index(known[0]))
    return work_out(w, values.number_word, None, words, key)


# ── built-in questions ───────────────────────────────────────────────────────────────────────────

_OF_ONE: dict[str, _Do] = {
    "sum": lists.sum_list,
    "distinct": lists.drop_doubles,
    "holder": lists.find_holder,
    "seat": lists.number_seat,
    "cells": lists.list_cells,
}
_NEAR = ("beside", "around", "row", "column")


def _lower_built_in(w: Writer, expr: ir.BuiltIn, to: int | None) -> int:
    first = expr.arguments[0]
    match expr.name, expr.arguments:
        case "any", (ir.Each(list, slot, body, False),) if body.type == t.YES_NO:
            return _lower_or(w, to, list, slot, body, True, lists.any_member)
        case "all", (ir.Each(list, slot, body, False),) if body.type == t.YES_NO:
            return _lower_or(w, to, list, slot, body, False, lists.all_members)
        case "any", (ir.Filter(list, slot, body),) if body.type == t.YES_NO:
            return _lower_or(w, to, list, slot, body, True, lists.any_member)
        case ("sum" | "distinct" | "holder" | "seat" | "cells") as name, _:
            return work_out(w, _OF_ONE[name], to, first)
        case "count", (ir.Seats(everyone=False),):
            return emit_value(w, values.count_living, to)
        case "count", (ir.Cards(place),):
            return work_out(w, values.count_cards, to, place)
        case "count", _:
            return work_out(w, _find_count_op(first.type), to, first)
        case "any", _:
            if isinstance(first, ir.Cards):
                return work_out(w, values.truth, to, _content(first))
            asks = isinstance(first.type, t.ListOf) and first.type.item == t.YES_NO
            return work_out(w, lists.is_any if asks else lists.is_anything, to, first)
        case "all", _:
            return work_out(w, lists.are_all, to, first)
        case ("min" | "max") as name, _:
            return _lower_extreme(w, name == "min", expr.arguments, to)
        case ("first" | "last") as name, (_,):
            return work_out(w, lists.find_first if name == "first" else lists.find_last, to, first)
        case ("first" | "last") as name, (_, count):
            return work_out(w, lists.take_first if name == "first" else lists.take_last, to, first, count)
        case ("rows" | "columns") as name, _:
            return work_out(w, lists.list_lines, to, first, name.removesuffix("s"))
        case "cell", (_, row, column):
            return work_out(w, lists.find_cell, to, first, row, column)
        case ("row_number" | "column_number") as name, _:
            return work_out(w, lists.find_number, to, first, name.removesuffix("_number"))
        case "lines", (_, length):
            return work_out(w, lists.list_straight, to, first, length)
        case name, _ if name in _NEAR:
            return work_out(w, lists.find_near, to, first, name)
    raise AssertionError(f"no steps for {expr.name}")


def _find_count_op(of: t.Type) -> _Do:
    if isinstance(of, t.TableOf):
        return lists.count_answers
    return values.count_place if isinstance(t.surely(of), t.Place) else lists.count_list


def _lower_extreme(w: Writer, least: bool, arguments: tuple[ir.Expr, ...], to: int | None) -> int:
    if len(arguments) == 2 and any(t.has_numbers(argument.type) for argument in arguments):
        return work_out(w, values.reckon_tables, to, "min" if least else "max", *arguments)
    if isinstance(t.surely(arguments[0].type), t.ListOf | t.TableOf):
        otherwise = arguments[1] if len(arguments) > 1 else ir.Const(None, type=t.NOTHING)
        return work_out(w, lists.least_in if least else lists.most_in, to, arguments[0], otherwise)
    return from_several(w, lists.least_of if least else lists.most_of, to, arguments)


def _tells_texts_apart(expr: ir.Expr) -> bool:
    """Tell whether an expression asks which texts are the same."""
    match expr:
        case ir.Compare(_, left, right) | ir.Within(left, right):
            return all(t.TEXT in t.members(_of_list(part.type)) for part in (left, right))
        case ir.BuiltIn("distinct", (listed,)):
            return t.TEXT in t.members(_of_list(listed.type))
    return False


def _of_list(of: t.Type) -> t.Type:
    return of.item if isinstance(of, t.ListOf) else of


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def lower_in_words(w: Writer, expr: ir.Expr, to: int | None = None) -> int:
    """The value of an expression in words."""
    if isinstance(expr, ir.Joined):
        return _lower_joined(w, expr, lower_in_words, to)
    return emit_value(w, values.word, to, aside(w, expr), sort_of(expr.type))


def lower_shown(w: Writer, expr: ir.Expr, to: int | None = None) -> int:
    """The same of what decides nothing: what is not there is `nothing` in it."""
    if isinstance(expr, ir.Joined):
        return _lower_joined(w, expr, lower_shown, to)
    target, end, outside = w.add_registers() if to is None else to, Label(), w.trap
    w.trap = Label()
    lower_in_words(w, expr, target)
    w.emit(values.jump, end)
    w.place_labels(w.trap)
    w.trap = outside
    w.emit(values.copy, target, w.constant(NOTHING))
    w.place_labels(end)
    return target


def _lower_joined(
    w: Writer, text: ir.Joined, in_text: Callable[[Writer, ir.Expr, int | None], int], to: int | None
) -> int:
    before = w.top
    first = w.add_registers(len(text.parts))
    for number, part in enumerate(text.parts):
        if isinstance(part, str):
            w.emit(values.copy, first + number, w.constant(part))
        else:
            in_text(w, part, first + number)
    w.top = before
    return emit_value(w, values.join, to, first, len(text.parts))
