"""A small game with every sort of secret, built by hand: for tests of views, determinized states and leaks.

In: nothing. Out: `ir.Rulebook`. Hands, a deck that is peeked at, a row that nobody may look at, a hidden
slot, sealed and secret and quiet choices, hidden memory, a card that a public memory speaks of, states on
the face and on top of cards, dice under a cup, hands that are passed on; in one form of it players leave.
"""

from __future__ import annotations

import ir_samples as s
from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t

GEMS = {
    "ruby": (3, 5),
    "pearl": (2, 3),
    "jade": (4, 1),
    "opal": (1, 7),
    "onyx": (1, 8),
    "topaz": (1, 9),
    "beryl": (1, 2),
}
ME, GIFT, CARD, NUMBER, PLAYER, IT = range(6)
SLOTS = (t.PLAYER, t.TableOf(t.maybe(s.CARD), t.PLAYER), s.CARD, t.NUMBER, t.PLAYER, s.CARD)
SHADE = t.Symbol("shade")

MEMORIES = (
    s.memory_def("turns"),
    s.memory_def("points", "player"),
    s.memory_def("vote", "player", seen_by="owner", values=tuple(range(6))),
    s.memory_def("mark", "player", seen_by="others", values=tuple(range(6))),
    s.memory_def("marked", "player", start=False, seen_by="nobody", type=t.YES_NO, values=(False, True)),
    s.memory_def("prize", start=None, type=s.CARD),
    s.memory_def("pledged", start=(), type=t.ListOf(s.CARD)),
)
STATES = (
    s.state_def("cracked"),
    s.state_def("shade", start="dark", type=SHADE, values=("dark", "light"), with_face=True),
    s.state_def("dye", start="dark", type=SHADE, values=("dark", "light"), with_face=True),
)


def hand(owner: ir.Expr) -> ir.Expr:
    return s.cards("hand", owner)


def me() -> ir.Expr:
    return s.player(ME)


def prompted(one: ir.Choose, *parts: str | ir.Expr, quiet: bool = False) -> ir.Choose:
    return evolve(one, prompt=ir.Joined(parts, type=t.TEXT), quiet=quiet)


def state_of(name: str, card: ir.Expr, of: t.Type) -> ir.State:
    return ir.State(name, card, type=of)


def turn(noted: bool) -> tuple[ir.Statement, ...]:
    """What each player does in turn; `me` is bound."""
    card = s.local(CARD)
    is_ruby = ir.IsCard(s.local(IT), frozenset({"ruby"}), frozenset({"gem"}), type=t.YES_NO)
    has_ruby = ir.Not(ir.IsEmpty(s.where(hand(me()), IT, is_ruby), type=t.YES_NO), type=t.YES_NO)
    numbers = ir.Span(s.const(0), s.const(5), type=t.ListOf(t.NUMBER))
    vote = ir.PlayerMemory("vote", me(), type=t.NUMBER)
    marked = ir.PlayerMemory("marked", me(), type=t.YES_NO)
    others = s.clockwise(me(), after=True)
    return (
        ir.Show(s.first(s.cards("deck", kept="pile")), me()),
        s.when(
            has_ruby,
            prompted(
                s.choose(
                    me(),
                    s.pick(CARD, hand(me())),
                    may=True,
                    taken=(s.assign(marked, s.const(True, t.YES_NO)),),
                ),
                *("Mark one, ", me(), "?"),
                quiet=True,
            ),
        ),
        prompted(s.choose(me(), s.pick(NUMBER, numbers, sort="number"), secretly=True), "Which number?"),
        s.assign(vote, s.local(NUMBER, t.NUMBER)),
        prompted(s.choose(me(), s.pick(CARD, hand(me()))), "Which gem, ", me(), "?"),
        s.assign(state_of("cracked", card, t.YES_NO), s.const(True, t.YES_NO)),
        s.assign(state_of("shade", card, SHADE), s.const("light", SHADE)),
        *([s.assign(ir.TableMemory("pledged", type=s.CARDS), hand(me()))] if noted else []),
        s.choose(me(), s.pick(PLAYER, others, sort="player")),
        s.assign(ir.PlayerMemory("mark", s.player(PLAYER), type=t.NUMBER), s.local(NUMBER, t.NUMBER)),
        s.menu(
            me(),
            s.option("Hide", s.move(card, s.place("row", kept="row"))),
            s.option("Give", s.move(card, s.place("hand", s.player(PLAYER)))),
            s.option("Open", s.move(card, s.place("open", kept="row"))),
            s.option("Pin", s.move(card, s.place("brow", me(), kept="row"))),
            s.option("Lay", s.move(card, s.place("heap", kept="pile"))),
            s.option("Sink", s.move(card, s.place("deck", kept="pile"), "bottom")),
        ),
        ir.Roll(s.cards("secret", me(), "slot"), "dye"),
        s.when(
            s.compare(s.count(hand(me())), "<", s.const(3)),
            s.draw(1, s.place("deck", kept="pile"), s.place("hand", me())),
        ),
        ir.Say(ir.Joined((me(), " is done"), type=t.TEXT), None),
    )


def about_who_left() -> tuple[ir.Statement, ...]:
    """What happens in each turn to the last seat, which leaves after the first round, and to what it leaves behind."""
    left = ir.BuiltIn("last", (ir.Seats(True, type=s.PLAYERS),), type=t.PLAYER)
    top_of_row = s.first(s.cards("row", kept="row"))
    return (
        s.move(s.first(hand(left)), s.place("hand", me())),
        s.move(s.first(hand(me())), s.place("hand", left)),
        ir.Show(s.first(hand(left)), ir.Seats(True, type=s.PLAYERS)),
        ir.Show(s.first(hand(me())), left),
        ir.Reveal(top_of_row),
        ir.Cover(top_of_row),
        s.assign(ir.PlayerMemory("vote", left, type=t.NUMBER), s.local(NUMBER, t.NUMBER)),
        ir.Say(ir.Joined((me(), " holds ", s.first(hand(me()))), type=t.TEXT), me()),
        ir.Roll(s.cards("secret", left, "slot"), "dye"),
    )


def secret_game(noted: bool = True, leaving: bool = False) -> ir.Rulebook:
    """Two rounds of secrets; if `noted`, memories that everyone sees speak of hidden cards; if `leaving`, the last
    player is eliminated after each round.
    """
    given = ir.Entry(s.local(GIFT, t.TableOf(t.maybe(s.CARD), t.PLAYER)), me(), type=t.maybe(s.CARD))
    left = ir.Neighbour(me(), 1, type=t.PLAYER)
    prize = s.assign(ir.TableMemory("prize", type=s.CARD), s.first(s.cards("row", kept="row")))
    last = ir.BuiltIn("last", (s.players(),), type=t.PLAYER)
    extra = about_who_left() if leaving else ()
    body = (
        s.move(ir.AllCards(type=s.CARDS), s.place("deck", kept="pile")),
        ir.Shuffle(s.place("deck", kept="pile")),
        ir.Deal(s.const(3), s.place("deck", kept="pile"), "hand"),
        ir.Deal(s.const(1), s.place("deck", kept="pile"), "secret"),
        s.repeat(
            2,
            s.choose_each(ME, s.pick(GIFT, hand(me()))),
            s.each(ME, s.players(), s.move(given, s.place("hand", left))),
            s.each(ME, s.players(), s.stage("turn", *turn(noted), *extra)),
            ir.Pass("hand", 1),
            *([prize] if noted else []),
            *([ir.Eliminate(last)] if leaving else []),
        ),
    )
    return s.game(*body, slots=SLOTS, gems=GEMS, memories=MEMORIES, states=STATES)
