"""Whole games in which a drawn script runs: for tests of the machine.

In: the body of a script of `ir_scripts`. Out: a game of three rounds of everybody's turn, in which that script is the
turn, and what the checker would have made of the body: a sentence knows whose absence leaves it out, what may be
nothing is asked about before it is used, and each inner name has a slot of its own. Never: another sense than drawn;
only what no checker would let through is taken out (a `stop` outside a loop, an `end` outside its stage).
"""

from __future__ import annotations

from typing import Any

import ir_samples as made
import ir_scripts as drawn
from attrs import evolve, fields

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes

BLOCKS = ("body", "then", "otherwise", "taken", "options")
"""The fields of sentences in which other sentences stand."""
ABSENT = frozenset({drawn.CHOSEN, drawn.DRAWN, drawn.ANSWER, drawn.SOMEBODY})
"""What a drawn sentence may bind, and so may be absent."""
HANDED_ON = ir.IsNothing | ir.IsEmptyCell | ir.Move | ir.Assign
"""What may be handed something that may be nothing."""
THIS, WHO = made.local(0), made.player(1)
DECK, BAG, BOARD, OPEN, HEAP = (
    made.place(name, kept=kept)
    for name, kept in (("deck", "pile"), ("bag", "bag"), ("board", "grid"), ("open", "row"), ("heap", "pile"))
)


def sound(block: ir.Block, loops: int = 0, stages: int = 0) -> ir.Block:
    """The sentences that may stand where they stand, each with its guards."""
    found: list[ir.Statement] = []
    for one in block:
        if isinstance(one, ir.Leave | ir.EndStage):
            if loops > one.depth if isinstance(one, ir.Leave) else stages:
                found.append(one)
            continue
        inner = loops + isinstance(one, ir.Loop), stages + isinstance(one, ir.Stage)
        parts: dict[str, Any] = {}
        for name in set(BLOCKS[:-1]).intersection(field.name for field in fields(type(one))):
            within = getattr(one, name)
            parts[name] = within and sound(within, *(inner if name == "body" else (loops, stages)))
        if isinstance(one, ir.Menu | ir.Offer):
            around = loops + isinstance(one, ir.Offer), stages
            parts["options"] = tuple(evolve(each, body=sound(each.body, *around)) for each in one.options)
        if not isinstance(one, ir.Return):
            parts["guards"] = tuple(sorted(_reads(one) & ABSENT))
        found.append(evolve(one, **parts))
    return tuple(found)


def _reads(one: ir.Statement) -> set[int]:
    """The names that a sentence itself reads, and not those in its blocks."""
    parts = [getattr(one, field.name) for field in fields(type(one)) if field.name not in (*BLOCKS, "guards", "at")]
    if isinstance(one, ir.Menu | ir.Offer):
        parts += [part for each in one.options for part in (each.label, each.condition)]
    read = [part for part in parts if isinstance(part, ir.Node | tuple)]
    return {node.slot for node in nodes(tuple(read)) if isinstance(node, ir.Local)}


class Slots:
    """The locals of one script: those of drawn scripts, and one for each inner name."""

    def __init__(self) -> None:
        self.types: list[t.Type] = [*drawn.SLOTS]

    def settled(self, value: Any, names: dict[int, int], around: Any = None) -> Any:
        """A sentence, an expression or whatever holds some, with these slots for inner names."""
        if isinstance(value, tuple):
            return tuple(self.settled(one, names, around) for one in value)
        if isinstance(value, ir.Local) and value.slot in names:
            return evolve(value, slot=names[value.slot])
        if not isinstance(value, ir.Node | ir.Sentence | ir.Option | ir.Pick | ir.Source | ir.Key):
            return value
        parts: dict[str, Any] = {}
        inner = names
        if isinstance(value, ir.Filter | ir.Each | ir.Sorted | ir.Best):
            inner = {**names, value.slot: len(self.types)}
            parts["slot"] = len(self.types)
            self.types.append(drawn.SLOTS[value.slot])
        for field in fields(type(value)):
            if field.name not in ("type", "at", "slot", "guards"):
                known = names if field.name == "list" else inner
                parts[field.name] = self.settled(getattr(value, field.name), known, value)
        return _sure(evolve(value, **parts), around)


def _sure(value: Any, around: Any) -> Any:
    """What is asked about before it is used, if it may be nothing."""
    if isinstance(value, ir.TheCard):
        return evolve(value, type=made.CARD)
    if isinstance(value, ir.BuiltIn) and value.name in ("min", "max") and len(value.arguments) == 1:
        value = evolve(value, type=t.maybe(t.NUMBER))
    may = isinstance(value, ir.Node) and t.may_be_nothing(value.type) and not isinstance(value, ir.Const)
    if not may or isinstance(around, HANDED_ON) or (isinstance(around, ir.Compare) and around.operator in ("==", "!=")):
        return value
    of = t.surely(value.type)
    other: Any = {t.PLAYER: drawn.local(drawn.ME), t.NUMBER: made.const(2)}.get(of, drawn.local(drawn.GIVEN))
    return ir.IfElse(ir.IsNothing(value, type=t.YES_NO), other, evolve(value, type=of), type=of)


def game(body: ir.Block) -> ir.Rulebook:
    """A game with three times as many gems, some of them everywhere, in which the drawn script is everybody's turn."""
    me, slots = made.player(drawn.ME), Slots()
    somebody = made.player(drawn.SOMEBODY)
    begun = (
        ir.Let(drawn.CHOSEN, drawn.local(drawn.GIVEN)),
        ir.Let(drawn.DRAWN, made.cards("hand", me)),
        made.choose_each(drawn.SOMEBODY, made.pick(drawn.ANSWER, made.cards("hand", somebody)), secretly=True),
    )
    settled = slots.settled(sound((*begun, *body)), {})
    base = drawn.rulebook(settled)
    names = ("me", *(f"x{slot}" for slot in range(1, len(slots.types))))
    turn = evolve(base.scripts["rules.drawn"], slots=ir.Slots(names, tuple(slots.types)))
    given = (me, made.first(made.cards("hand", me)), made.const(3))
    whole = made.script(
        "rules.game",
        made.move(ir.AllCards(type=made.CARDS), DECK),
        ir.Shuffle(DECK),
        ir.Deal(made.const(3), DECK, "hand"),
        *(made.draw(1, DECK, goal) for goal in (BAG, BOARD, OPEN)),
        made.repeat(2, made.each(0, made.players(), ir.DoRule("rules.drawn", given, None))),
        slots=(t.PLAYER,),
    )
    return evolve(
        base,
        scripts={**base.scripts, turn.name: turn, whole.name: whole, **{one.name: one for one in (*DONE, *TRIGGERED)}},
        functions={**base.functions, **{one.name: one for one in (*ASKED, *WATCHED)}},
        hooks={
            "strength": {"ruby": "cards.ruby.strength", "jade": "cards.jade.strength"},
            "usable": {"ruby": "cards.ruby.usable"},
            "use_up": {"ruby": "cards.ruby.use_up"},
            "effect": {"rest": "actions.rest.effect"},
        },
        cards={id: _gem(card, "dark" if id == "ruby" else "light") for id, card in base.cards.items()},
    )


def _gem(card: ir.CardDef, shade: str) -> ir.CardDef:
    [(copies, _)] = card.copies
    assert isinstance(copies, ir.Const) and isinstance(copies.value, int)
    attributes = {**card.attributes, "shade": made.const(shade, drawn.SHADE)}
    return evolve(card, attributes=attributes, copies=((made.const(3 * copies.value), {}),))


_OF_CARD = ir.Slots(("this", "p"), (made.CARD, t.PLAYER))
_MANY = made.plus(ir.Attribute("worth", THIS, type=t.NUMBER), made.count(made.cards("hand", WHO)))
ASKED = (
    ir.Function("cards.ruby.strength", 2, _OF_CARD, t.NUMBER, _MANY),
    ir.Function("cards.jade.strength", 2, _OF_CARD, t.NUMBER, made.const(2)),
    ir.Function(
        "cards.ruby.usable", 2, _OF_CARD, t.YES_NO, ir.Not(ir.State("worn_out", THIS, type=t.YES_NO), type=t.YES_NO)
    ),
)
_MINE = made.player(0)
WATCHED = (
    ir.Function(
        "values.is_bare", 0, ir.Slots((), ()), t.YES_NO,
        made.compare(made.count(made.cards("open")), "<", made.const(2)),
    ),
    ir.Function(
        "values.is_out", 1, ir.Slots(("p",), (t.PLAYER,)), t.YES_NO,
        made.compare(made.count(made.cards("hand", _MINE)), "<", made.const(2)),
    ),
)  # fmt: skip
"""What becomes so now and then while a drawn script runs."""
TRIGGERED = (
    made.script("whenever.is_bare", made.draw(2, DECK, OPEN)),
    made.script("whenever.is_out", made.draw(3, BAG, made.place("hand", _MINE)), slots=(t.PLAYER,), parameters=1),
    made.script(
        ir.TRIGGERS,
        made.when(ir.CallValue("values.is_bare", (), type=t.YES_NO), ir.DoRule("whenever.is_bare", (), None)),
        made.each(
            0,
            made.players(),
            made.when(
                ir.CallValue("values.is_out", (_MINE,), type=t.YES_NO), ir.DoRule("whenever.is_out", (_MINE,), None)
            ),
        ),
        slots=(t.PLAYER,),
    ),
)
"""What happens then, and the script that asks for it."""
_POINTS = made.memory("points", WHO)
DONE = (
    made.script(
        "cards.ruby.use_up",
        made.move(THIS, HEAP),
        made.assign(_POINTS, made.plus(_POINTS, made.const(1))),
        slots=(made.CARD, t.PLAYER),
        parameters=2,
    ),
    made.script(
        "actions.rest.effect",
        made.draw(1, DECK, made.place("hand", WHO)),
        slots=(t.ACTION, t.PLAYER),
        parameters=2,
    ),
)
"""What the gems and the action do and answer."""
