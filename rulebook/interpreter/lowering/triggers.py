"""The script that asks what has become so, and does what belongs to it, with the memory of what was so before.

In: the script `ir.TRIGGERS` as the checker writes it, an `if` with one call for each value, about players in an `each`.
Out: the same in rounds: all values are asked first, and what was no when it was asked last and is yes now is due; then
all that is due is done, in order; and again, until nothing is due. What was never asked before is only remembered, and
what asks something of nothing is not so. What is due stands in the memory and not in locals, so that nothing is lost
where a stage ends, and nothing hidden stands in a frame that waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t

_WAS_NO, _WAS_YES, _DUE, _UNSURE = (ir.Const(number, type=t.NUMBER) for number in range(4))
_YES, _NO = (ir.Const(answer, type=t.YES_NO) for answer in (True, False))


@frozen
class Trigger:
    """A value that is watched, of players or of the table, and the call of its script. `name` is that of the script,
    and of the memory of what the value was: nothing before it was asked, else one of a few numbers.
    """

    name: str
    value: ir.CallValue
    call: ir.DoRule
    player: ir.Local | None

    @property
    def memory(self) -> ir.TableMemory | ir.PlayerMemory:
        """The memory of a value."""
        if self.player is None:
            return ir.TableMemory(self.name, type=t.maybe(t.NUMBER))
        return ir.PlayerMemory(self.name, self.player, type=t.maybe(t.NUMBER))


def list_triggers(rulebook: ir.Rulebook) -> Iterator[Trigger]:
    """List the triggers of a game, in order."""
    script = rulebook.scripts.get(ir.TRIGGERS)
    for sentence in () if script is None else script.body:
        match sentence:
            case ir.If(ir.CallValue() as value, (ir.DoRule() as call,)):
                yield Trigger(call.script, value, call, None)
            case ir.ForEach(
                body=(ir.If(ir.CallValue(_, (ir.Local() as player,)) as value, (ir.DoRule() as call,)),)
            ):
                yield Trigger(call.script, value, call, player)
            case _:
                raise TypeError(f"no trigger: {type(sentence).__name__}")


def spell_out(rulebook: ir.Rulebook) -> ir.Script:
    """Write the script of all triggers as it is played."""
    script, triggers = rulebook.scripts[ir.TRIGGERS], [*list_triggers(rulebook)]
    is_any_due = ir.Local(len(script.slots.names), "is_any_due", type=t.YES_NO)
    slots = ir.Slots((*script.slots.names, is_any_due.name), (*script.slots.types, t.YES_NO))
    body: list[ir.Statement] = [ir.Let(is_any_due.slot, _NO)]
    for trigger in triggers:
        body += _repeat_for_all(trigger, _ask(trigger, is_any_due))
    body.append(ir.If(ir.Not(is_any_due, type=t.YES_NO), (ir.Leave(False, 0),), ()))
    for trigger in triggers:
        body += _repeat_for_all(trigger, (_do(trigger),))
    return evolve(script, slots=slots, body=(ir.Repeat(None, None, "", tuple(body)),))


def _ask(trigger: Trigger, is_any_due: ir.Local) -> ir.Block:
    """Write the sentences that ask a value, and note whether it has become so."""
    memory = trigger.memory
    never = ir.IsNothing(memory, type=t.YES_NO)
    if_so: ir.Block = (
        ir.If(ir.Or(never, _is(memory, _UNSURE), type=t.YES_NO), (ir.Assign(memory, _WAS_YES),), ()),
        ir.If(_is(memory, _WAS_NO), (ir.Assign(memory, _DUE),), ()),
    )
    return (
        ir.If(_is(memory, _WAS_YES), (ir.Assign(memory, _UNSURE),), ()),
        ir.If(trigger.value, if_so, (ir.Assign(memory, _WAS_NO),)),  # skipped, if it asks something of nothing
        ir.If(ir.Or(never, _is(memory, _UNSURE), type=t.YES_NO), (ir.Assign(memory, _WAS_NO),), ()),
        ir.If(_is(memory, _DUE), (ir.Let(is_any_due.slot, _YES),), ()),
    )


def _do(trigger: Trigger) -> ir.Statement:
    return ir.If(_is(trigger.memory, _DUE), (ir.Assign(trigger.memory, _WAS_YES), trigger.call), ())


def _is(memory: ir.Expr, number: ir.Const) -> ir.Expr:
    return ir.Compare("==", memory, number, type=t.YES_NO)


def _repeat_for_all(trigger: Trigger, block: ir.Block) -> ir.Block:
    """Repeat sentences for each player who plays, if a value is about players."""
    if trigger.player is None:
        return block
    players = ir.Seats(False, type=t.ListOf(t.PLAYER))
    return (ir.ForEach(trigger.player.slot, players, None, "", block, True),)
