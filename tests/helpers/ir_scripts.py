"""Scripts and questions as IR, drawn from every construct: hypothesis strategies for tests that walk whole scripts.

In: nothing. Out: scripts of the small game of `ir_samples`, right in their types, of no sense. Never: a name that is
not bound where it stands, or a class of the IR that cannot be drawn (a test asks for each).
"""

from __future__ import annotations

from typing import Any

import ir_samples as made
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy as Strategy

from rulebook.dsl import ir
from rulebook.dsl import types as t

NOTHING = t.maybe(made.CARD)
SHADE = t.Symbol("shade")
ANY = frozenset({"gem"})
TINTS, VISITS = t.TableOf(t.NUMBER, SHADE), t.TableOf(t.NUMBER, t.PLAYER)
"""A table by words, and one by players."""
GIFTS = t.TableOf(t.maybe(made.CARD), t.PLAYER)
SLOTS = (t.PLAYER, made.CARD, t.NUMBER, made.CARD, made.CARDS, GIFTS, t.PLAYER, made.CARD, t.PLAYER)
"""The names of a drawn script: `me`, a card and a number that it is given; then what it may bind."""
ME, GIVEN, NUMBER, CHOSEN, DRAWN, ANSWER, SOMEBODY, IT, WHO = range(len(SLOTS))


def one(cl: type, of: t.Type, *fields: Any) -> Strategy[Any]:
    """Expressions of a class; each field is a strategy, or given as it is."""
    values = [field if isinstance(field, Strategy) else st.just(field) for field in fields]
    return st.tuples(*values).map(lambda drawn: cl(*drawn, type=of))


def sentence(cl: type, *fields: Any) -> Strategy[Any]:
    """Statements of a class."""
    values = [field if isinstance(field, Strategy) else st.just(field) for field in fields]
    return st.tuples(*values).map(lambda drawn: cl(*drawn))


def local(slot: int) -> ir.Local:
    return ir.Local(slot, "me" if slot == ME else f"x{slot}", type=SLOTS[slot])


_numbers = st.deferred(lambda: NUMBERS)
_cards = st.deferred(lambda: CARDS)
_card = st.deferred(lambda: CARD)
_player = st.deferred(lambda: PLAYER)
_players = st.deferred(lambda: PLAYERS)
_questions = st.deferred(lambda: QUESTIONS)
_texts = st.deferred(lambda: TEXTS)

_places = st.one_of(
    one(ir.PlaceOf, t.Place("bag", ANY), st.sampled_from(["bag", "box"]), None),
    one(ir.PlaceOf, t.Place("pile", ANY), "deck", None),
    one(ir.PlaceOf, t.Place("grid", ANY), "board", None),
    one(ir.PlaceOf, t.Place("loose", ANY), st.sampled_from(["hand", "area"]), _player),
    one(ir.PlaceOf, t.Place("row", ANY), "brow", _player),
)
_slots = one(ir.PlaceOf, t.Place("slot", ANY), "secret", _player)
_pools = st.one_of(
    one(ir.PlaceOf, t.Place("pool", ANY), "bank", None), one(ir.PlaceOf, t.Place("pool", ANY), "purse", _player)
)
_grid = one(ir.PlaceOf, t.Place("grid", ANY), "board", None)
_cells = st.one_of(
    one(ir.BuiltIn, t.maybe(t.CELL), "cell", st.tuples(_grid, _numbers, _numbers)),
    one(ir.BuiltIn, t.maybe(t.CELL), st.sampled_from(["first", "last"]), st.tuples(
        one(ir.BuiltIn, t.ListOf(t.CELL), "cells", st.tuples(_grid))
    )),
)  # fmt: skip
_shade = st.one_of(one(ir.Const, SHADE, st.sampled_from(["dark", "light"])), one(ir.Attribute, SHADE, "shade", _card))



_tints = st.deferred(lambda: TINT_TABLES)
_visits = st.deferred(lambda: VISIT_TABLES)


def _tables(of: t.Type, remembered: Strategy[Any], inner: Strategy[Any], key: Strategy[Any]) -> Strategy[Any]:
    """Tables of a type: those that are remembered, and what is made of them."""
    return st.one_of(
        remembered,
        remembered,
        one(ir.WithEntry, of, inner, key, _numbers),
        one(ir.Arithmetic, of, st.sampled_from("+-"), inner, inner),
        one(ir.Arithmetic, of, st.sampled_from("*/"), inner, _numbers),
        one(ir.BuiltIn, of, st.sampled_from(["min", "max"]), st.tuples(inner, inner | _numbers)),
    )


_own_tints = one(ir.PlayerMemory, TINTS, st.sampled_from(["tints", "hidden_tints"]), _player)
TINT_TABLES = _tables(TINTS, _own_tints, _tints, _shade)
VISIT_TABLES = _tables(VISITS, one(ir.TableMemory, VISITS, "visits"), _visits, _player)

PLAYER = st.one_of(
    st.just(local(ME)), st.just(local(ME)), one(ir.Neighbour, t.PLAYER, st.just(local(ME)), st.sampled_from([1, -1])),
    one(ir.TableMemory, t.maybe(t.PLAYER), "starter"), one(ir.BuiltIn, t.PLAYER, "holder", st.tuples(_card)),
)  # fmt: skip
PLAYERS = st.one_of(
    one(ir.Seats, made.PLAYERS, st.booleans()),
    one(ir.Clockwise, made.PLAYERS, _player, st.booleans(), st.booleans()),
    one(ir.Listed, made.PLAYERS, st.lists(_player, max_size=2).map(tuple)),
    one(ir.Filter, made.PLAYERS, _players, WHO, _questions),
    one(ir.Best, made.PLAYERS, _players, WHO, st.tuples(st.builds(ir.Key, st.booleans(), _numbers))),
)
CARD = st.one_of(
    st.just(local(GIVEN)),
    one(ir.TheCard, NOTHING, _slots),
    one(ir.Entry, NOTHING, st.just(local(ANSWER)), _player),
    one(ir.BuiltIn, NOTHING, st.sampled_from(["first", "last"]), st.tuples(_cards)),
    one(ir.IfElse, made.CARD, _questions, _card, _card),
)
CARDS = st.one_of(
    one(ir.Cards, made.CARDS, _places),
    one(ir.AllCards, made.CARDS, st.sampled_from([None, "ruby"])),
    one(ir.Chain, made.CARDS, _cards, _cards),
    one(ir.Filter, made.CARDS, _cards, IT, _questions),
    one(ir.Sorted, made.CARDS, _cards, IT, st.tuples(st.builds(ir.Key, st.booleans(), _numbers))),
    one(ir.Each, made.CARDS, _players, WHO, one(ir.Cards, made.CARDS, _places), True),
    one(ir.BuiltIn, made.CARDS, st.sampled_from(["distinct"]), st.tuples(_cards)),
    one(ir.BuiltIn, made.CARDS, st.sampled_from(["beside", "around", "row", "column"]), st.tuples(_card)),
    one(ir.BuiltIn, made.CARDS, st.sampled_from(["first", "last"]), st.tuples(_cards, _numbers)),
)
NUMBERS = st.one_of(
    one(ir.Const, t.NUMBER, st.integers(-2, 9)),
    one(ir.Const, t.AMOUNT, st.integers(0, 9)),
    st.just(local(NUMBER)),
    one(ir.OptionValue, t.NUMBER, st.sampled_from(["many", "few"])),
    one(ir.OptionValue, t.NUMBER, "table", _numbers),
    one(ir.ByOption, t.NUMBER, "fast", st.tuples(*(st.tuples(st.just(value), _numbers) for value in (False, True)))),
    one(ir.TableMemory, t.NUMBER, "turns"),
    one(ir.PlayerMemory, t.NUMBER, "points", _player),
    one(ir.Attribute, t.NUMBER, "worth", _card),
    one(ir.Pieces, t.NUMBER, _pools),
    one(ir.Entry, t.NUMBER, _tints, _shade),
    one(ir.Entry, t.NUMBER, _visits, _player),
    one(ir.BuiltIn, t.NUMBER, st.sampled_from(["sum", "min", "max"]), st.tuples(_tints | _visits)),
    one(ir.Arithmetic, t.NUMBER, st.sampled_from("+-*/%"), _numbers, _numbers),
    one(ir.IfElse, t.NUMBER, _questions, _numbers, _numbers),
    one(ir.CallValue, t.NUMBER, st.sampled_from(["values.riches_of", "values.riches_doubled"]), st.tuples(_player)),
    one(ir.AskHook, t.NUMBER, "strength", _card, st.tuples(_player)),
    one(ir.BuiltIn, t.NUMBER, st.sampled_from(["row_number", "column_number"]), st.tuples(_card)),
    one(ir.BuiltIn, t.NUMBER, "seat", st.tuples(_player)),
    one(ir.BuiltIn, t.NUMBER, "count", st.tuples(st.one_of(_cards, _players, _pools))),
    one(ir.BuiltIn, t.NUMBER, "seat", st.tuples(_player)),
    one(ir.BuiltIn, t.NUMBER, st.sampled_from(["min", "max"]), st.tuples(_numbers, _numbers)),
    one(ir.BuiltIn, t.NUMBER, st.sampled_from(["sum", "min", "max"]), st.tuples(
        one(ir.Each, t.ListOf(t.NUMBER), _cards, IT, _numbers)
    )),
)  # fmt: skip
QUESTIONS = st.one_of(
    one(ir.Const, t.YES_NO, st.booleans()),
    one(ir.OptionValue, t.YES_NO, "fast"),
    one(ir.State, t.YES_NO, "worn_out", _card),
    one(ir.Compare, t.YES_NO, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _numbers, _numbers),
    one(ir.Compare, t.YES_NO, st.sampled_from(["==", "!="]), _player, _player),
    one(ir.Compare, t.YES_NO, "==", _shade, _shade),
    one(ir.Compare, t.YES_NO, st.sampled_from(["==", "!=", "<=", ">="]), _tints, _tints),
    one(ir.Compare, t.YES_NO, st.sampled_from(["<=", ">="]), _visits, _visits),
    one(ir.SameCards, t.YES_NO, _cards, st.sampled_from([(), ("ruby",), ("ruby", "jade")]), st.booleans()),
    one(ir.Within, t.YES_NO, _card, _cards),
    one(ir.Within, t.YES_NO, _numbers, one(ir.Span, t.ListOf(t.NUMBER), _numbers, _numbers)),
    one(ir.IsKind, t.YES_NO, _card, ANY),
    one(ir.IsCard, t.YES_NO, _card, st.sampled_from([frozenset({"ruby"}), frozenset({"ruby", "jade"})]), ANY),
    one(ir.IsCard, t.YES_NO, one(ir.TheAction, t.ACTION, "rest"), frozenset({"rest"}), frozenset()),
    one(ir.IsFaceUp, t.YES_NO, _card),
    one(ir.IsNothing, t.YES_NO, st.one_of(_card, _player, _cells)),
    one(ir.IsEmpty, t.YES_NO, st.one_of(_cards, _players)),
    one(ir.IsText, t.YES_NO, st.one_of(_texts, _numbers, _player)),
    one(ir.IsEmptyCell, t.YES_NO, _cells),
    one(ir.Not, t.YES_NO, _questions),
    one(ir.And, t.YES_NO, _questions, _questions),
    one(ir.Or, t.YES_NO, _questions, _questions),
    one(ir.CallValue, t.YES_NO, "values.is_rich", st.tuples(_player)),
    one(ir.AskHook, t.YES_NO, "usable", _card, st.tuples(_player)),
    one(ir.BuiltIn, t.YES_NO, "any", st.tuples(_cards)),
    one(ir.BuiltIn, t.YES_NO, st.sampled_from(["any", "all"]), st.tuples(
        one(ir.Each, t.ListOf(t.YES_NO), _players, WHO, _questions)
    )),
)  # fmt: skip
TEXTS = st.one_of(
    one(ir.Const, t.TEXT, st.sampled_from(["Go on", "Really?"])),
    one(ir.Joined, t.TEXT, st.tuples(st.just("It is "), _numbers, st.just(" for "), _player)),
)

_block = st.deferred(lambda: BLOCKS)
_options = st.lists(st.builds(ir.Option, _texts, st.none() | _questions, _block), min_size=1, max_size=2).map(tuple)
_maybe_block = st.none() | _block


def _pick(slot: int, *, many: bool) -> Strategy[ir.Pick]:
    source = st.builds(ir.Source, _cards, st.just("card"))
    least, most = (_numbers, st.none() | _numbers) if many else (st.just(made.const(1)), st.just(made.const(1)))
    sources = st.lists(source, min_size=1, max_size=2).map(tuple)
    return st.builds(
        ir.Pick, st.just(slot), st.just(f"x{slot}"), st.just(many), least, most, st.booleans(), sources,
        st.none() | _questions if many else st.none(),
    )  # fmt: skip


_picks = st.one_of(st.tuples(_pick(CHOSEN, many=False)), st.tuples(_pick(DRAWN, many=True)))
_ends, _faces = st.sampled_from(["", "top", "bottom"]), st.sampled_from(["", "up", "down"])

STATEMENTS = st.one_of(
    sentence(ir.Let, CHOSEN, _card),
    sentence(ir.Let, DRAWN, _cards),
    sentence(ir.Assign, one(ir.TableMemory, t.NUMBER, "turns"), _numbers),
    sentence(ir.Assign, one(ir.TableMemory, t.maybe(t.PLAYER), "starter"), _player),
    sentence(ir.Assign, one(ir.State, t.YES_NO, "worn_out", _card), _questions),
    sentence(ir.Assign, _own_tints, _tints),
    sentence(ir.Assign, one(ir.TableMemory, VISITS, "visits"), _visits),
    sentence(ir.Move, st.one_of(_card, _cards), _places, _ends, _faces),
    sentence(ir.MovePieces, st.none() | _numbers, _pools, _pools),
    sentence(ir.Draw, _numbers, _places, _places, _ends, _faces, st.sampled_from([None, CHOSEN]), False),
    sentence(ir.Draw, _numbers, _places, _places, _ends, _faces, DRAWN, True),
    sentence(ir.Deal, _numbers, _places, st.sampled_from(["hand", "secret", "brow"])),
    sentence(ir.Pass, "hand", st.sampled_from([1, -1])),
    sentence(ir.Shuffle, _places),
    sentence(ir.Roll, _cards, "worn_out"),
    sentence(ir.PickRandom, (CHOSEN,), _cards, None),
    sentence(ir.PickRandom, (DRAWN,), _cards, _numbers),
    sentence(ir.Swap, _card, _card),
    sentence(ir.Arrange, _player, _cards, False),
    sentence(ir.Reveal, _cards),
    sentence(ir.Cover, _cards),
    sentence(ir.Show, _cards, st.one_of(_player, _players)),
    sentence(ir.Tell, _players, _questions),
    sentence(ir.Say, _texts, st.none() | _player),
    sentence(ir.Choose, _player, st.booleans(), st.booleans(), False, None, _picks, _maybe_block, _maybe_block),
    sentence(ir.ChooseEach, SOMEBODY, _players, st.booleans(), st.booleans(), False, None,
             st.tuples(_pick(ANSWER, many=False)), _maybe_block),
    sentence(ir.Menu, _player, st.booleans(), False, None, _options, _maybe_block),
    sentence(ir.Offer, _players, st.booleans(), SOMEBODY, "q", None, _options, (), (), _maybe_block),
    sentence(ir.Offer, _players, st.booleans(), SOMEBODY, "q", None, (), _picks, _block, _maybe_block),
    sentence(ir.If, _questions, _block, st.just(()) | _block),
    sentence(ir.ForEach, SOMEBODY, _players, st.sampled_from([None, NUMBER]), "", _block, True),
    sentence(ir.ForEach, CHOSEN, _cards, None, "", _block, False),
    sentence(ir.Iterate, SOMEBODY, _player, st.one_of(_player, st.just(made.const(None))),
             st.sampled_from([None, NUMBER]), "", _block),
    sentence(ir.Repeat, st.none() | _numbers, st.sampled_from([None, NUMBER]), "", _block),
    sentence(ir.Stage, "day", st.none() | _texts, st.none() | _questions, _block),
    sentence(ir.Leave, st.booleans(), st.integers(0, 1)),
    sentence(ir.EndStage, "day"),
    sentence(ir.Return, st.none() | _numbers),
    sentence(ir.DoRule, "rules.give_away", st.tuples(_player, _card), st.sampled_from([None, CHOSEN])),
    sentence(ir.DoHook, "effect", one(ir.TheAction, t.ACTION, "rest"), st.tuples(_player), None, None),
    sentence(ir.DoHook, "use_up", _card, st.tuples(_player), st.none() | _card, None),
    sentence(ir.Win, st.tuples() | st.tuples(_players) | st.tuples(_players, _players)),
    sentence(ir.Eliminate, _player),
)  # fmt: skip
BLOCKS = st.lists(STATEMENTS, min_size=1, max_size=3).map(tuple)


def rulebook(body: ir.Block) -> ir.Rulebook:
    """The small game, with the rule `drawn` that does this, and all that the drawn scripts speak of."""
    names = tuple("me" if slot == ME else f"x{slot}" for slot in range(len(SLOTS)))
    drawn = ir.Script("rules.drawn", 3, ir.Slots(names, SLOTS), body)
    given = ir.Slots(("me", "gift"), (t.PLAYER, made.CARD))
    give = ir.Script(
        "rules.give_away", 2, given, (ir.Move(ir.Local(1, "gift", type=made.CARD), made.place("open"), "", ""),)
    )
    mine = ir.Slots(("p",), (t.PLAYER,))
    many = made.count(made.cards("hand", made.player(0)))
    riches = ir.Function("values.riches_of", 1, mine, t.NUMBER, many)
    doubled = ir.Function("values.riches_doubled", 1, ir.Slots(("p", "x1"), (t.PLAYER, t.NUMBER)), t.NUMBER, (
        ir.Let(1, many),
        made.repeat(2, ir.Let(1, made.plus(made.local(1, t.NUMBER), many))),
        ir.Return(made.local(1, t.NUMBER)),
    ))  # fmt: skip
    rich = ir.Function("values.is_rich", 1, mine, t.YES_NO, made.compare(many, ">", made.const(3)))
    return made.rulebook(
        drawn,
        give,
        functions=(riches, doubled, rich),
        actions=(ir.ActionDef("rest", made.text("Rest"), None),),
        memories=(
            made.memory_def("turns"),
            made.memory_def("points", "player"),
            made.memory_def("starter", type=t.maybe(t.PLAYER), start=None),
            made.memory_def("tints", "player", type=TINTS, start=(0, 2)),
            made.memory_def("hidden_tints", "player", type=TINTS, start=(1, 0), seen_by="owner"),
            made.memory_def("visits", type=VISITS, start=()),
        ),
        states=(made.state_def("worn_out"),),
        options=(
            ir.OptionDef("many", t.NUMBER, 30, None, 10, 99, ""),
            ir.OptionDef("few", t.NUMBER, 2, None, 1, 3, ""),
            ir.OptionDef("fast", t.YES_NO, False, None, None, None, "Leave out the last day"),
            ir.OptionDef("table", t.NUMBER, ((2, 1), (4, 5)), None, None, None, ""),
        ),
    )
