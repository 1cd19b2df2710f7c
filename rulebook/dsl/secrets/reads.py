"""Abstract evaluation of expressions: everything that they read that not everyone sees.

An abstract value keeps three taints apart: what the *value* depends on, what the *size* of a list does (everyone may
count a hand they cannot see), and in which hidden places its *cards* lie: whoever knows them all may look at every one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import Any, TypeAlias

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.declassified import NOTHING_DECLASSIFIED, Answer, Apart, Declassified
from rulebook.dsl.secrets.environment import Environment, symbolic_arguments
from rulebook.dsl.secrets.lattice import (
    PUBLIC,
    SOMEWHERE,
    UNTAINTED,
    Argument,
    Taint,
    Value,
    abstract,
    add_apart,
    add_knowers,
    answer_of,
    forget,
    join,
    make_name,
    normalize_player,
    taint_of,
    to_callee,
    to_caller,
    to_everyone,
    uniform,
)
from rulebook.dsl.secrets.passing import find_passed
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.walk import children, everything
from rulebook.dsl.world import MemoryInfo, PlaceInfo, World

Call: TypeAlias = ir.CallValue | ir.AskHook

_Names: TypeAlias = tuple[str, ...]
"""The names of functions of which one answers."""

Part: TypeAlias = tuple[ir.Expr, Value, Environment]
"""A part of a function, what it adds to the answer, and the environment there."""

POSITIONS = ("row", "grid", "slot")
"""Sorts of places in which one can point at a card without looking at it."""

NOBODY_KNOWS = taint_of("", None, "nobody")


class Reads:
    """Evaluates the expressions of one rulebook; each function is summarized once, with symbolic arguments."""

    def __init__(self, rulebook: ir.Rulebook, world: World) -> None:
        self.rulebook, self.world = rulebook, world
        self._summaries: dict[_Names, Value] = {}
        self._summaries_of_groups: dict[tuple[_Names, frozenset[tuple[str, Answer]]], Value] = {}
        self._hooked: dict[tuple[str, t.Type], _Names] = {}
        self._named: dict[str, frozenset[str] | None] = {}
        self._open: dict[t.Type, bool] = {}
        self._copied: dict[t.Type, bool] = {}
        self.passed = find_passed(rulebook)
        self.tells_apart = any(info.seen_by in ("others", {"others"}) for info in _list_hidden(world))
        """True if somewhere all may look but one, so that it counts who surely is another player."""
        scripts = rulebook.scripts.values() if self.tells_apart else ()
        inside = [record for script in scripts for record in everything(*script.body)]
        leaves = any(isinstance(record, ir.Eliminate) for record in inside)
        self._has_neighbours = min(rulebook.players) > 1 and not leaves

    def evaluate(self, expr: ir.Expr, env: Environment) -> Value:
        """Find the abstract value of an expression: of what is not in `_TRANSFER`, what its parts depend on."""
        evaluated = env.evaluated.get(id(expr))
        if evaluated is None:
            transfer = _TRANSFER.get(type(expr), Reads._read_parts)
            value = transfer(self, expr, env)
            if value is not UNTAINTED and env.declassified.shows(expr):
                value = value.map(to_everyone)
            elif value is not UNTAINTED and env.declassified.answers_to(expr):  # who hears of a card sees it nowhere
                value = abstract(to_everyone(value.value), to_everyone(value.size), value.cards)
            if value is not UNTAINTED and env.find_lying(expr) is not None:
                value = value.map(to_everyone)
            for to in env.find_shown_to(expr) if value is not UNTAINTED else ():
                value = value.map(partial(add_knowers, to=to))
            evaluated = env.evaluated[id(expr)] = expr, value
        return evaluated[1]

    def evaluate_named(self, expr: ir.Expr, env: Environment) -> Value:
        """Find the abstract value of an expression that gets a name."""
        value = self.evaluate(expr, env)
        return abstract(value.value, value.size, value.cards, expr.at)

    def read_value(self, expr: ir.Expr, env: Environment) -> Taint:
        """Find what the value depends on that not everyone sees."""
        return self.evaluate(expr, env).value

    def read_size(self, expr: ir.Expr, env: Environment) -> Taint:
        """Find what the size of a list depends on that not everyone sees."""
        return self.evaluate(expr, env).size

    def read_cards(self, expr: ir.Expr, env: Environment) -> Taint:
        """Find the hidden places in which the cards of a list lie."""
        return self.evaluate(expr, env).cards

    def read_element(self, listed: ir.Expr, env: Environment) -> Value:
        """Give the abstract value of one thing of a list."""
        return _element(self.evaluate(listed, env))

    def enter_filter(self, listed: ir.Filter, env: Environment) -> Environment:
        """Return the environment where a condition is asked of each card."""
        known = UNTAINTED if self._asks_open_faces(listed, env) else self.read_element(listed.list, env)
        return self.enter(listed, known, env)

    def enter(self, through: ir.Through, value: Value, env: Environment) -> Environment:
        """Return the environment in which something is asked of each one of a list."""
        if env.declassified.all_but is not None:
            env = env.without(through.slot)
        env = env.bind(through.slot, value)
        env = env.know(env.declassified.entering(through.list, through.slot))
        if self._lies_by_position(through.list):
            env = evolve(env, walked=env.walked | {through.slot})
        return env.tell_apart(through.slot, self.find_apart(through.list)) if self.tells_apart else env

    def _lies_by_position(self, listed: ir.Expr) -> bool:
        """Check that these are cards of one place, at positions that everyone sees."""
        place = _find_place(listed)
        info = None if place is None else self.world.places[place.name]
        return info is not None and info.kept in POSITIONS and info.count_open

    # ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────

    def _plain(self, expr: ir.Expr, taint: Taint) -> Value:
        """Return the value of what has no size of its own, and whose cards are in no place in particular."""
        item = expr.type.item if isinstance(expr.type, t.ListOf) else expr.type
        return abstract(taint, taint, SOMEWHERE if any(isinstance(of, t.Card) for of in t.members(item)) else PUBLIC)

    def _read_parts(self, expr: ir.Expr, env: Environment) -> Value:
        return self._plain(expr, join(*(self.read_value(child, env) for child in children(expr))))

    def _on_table_memory(self, expr: ir.TableMemory, _: Environment) -> Value:
        seen_by = self.world.memories[expr.name].seen_by
        return self._plain(expr, PUBLIC if seen_by == "everyone" else taint_of(expr.name, None, "nobody"))

    def _on_player_memory(self, expr: ir.PlayerMemory, env: Environment) -> Value:
        seen_by = self.world.memories[expr.name].seen_by
        own = PUBLIC
        if seen_by != "everyone":
            own = self._tell_owner_apart(taint_of(expr.name, expr.player, seen_by), expr.player, env)
        return self._plain(expr, join(own, self.read_value(expr.player, env)))

    def _on_state(self, expr: ir.State, env: Environment) -> Value:
        state = self.rulebook.states.get(expr.name)
        if state is None or state.with_face:
            return self._plain(expr, self.read_value(expr.card, env))
        return self._plain(expr, join(self._where(expr.card, env), self._spot(expr.card, env)))

    def _on_is_face_up(self, expr: ir.IsFaceUp, env: Environment) -> Value:
        """Let everyone see what lies face up, but for what other cards cover in a pile."""
        kinds = t.kinds_of(expr.card.type)
        covers = any(place.kept == "pile" and place.holds & kinds for place in self.world.places.values())
        return self._plain(expr, join(self._where(expr.card, env), self._spot(expr.card, env) if covers else PUBLIC))

    def _on_cards(self, expr: ir.Cards | ir.TheCard, env: Environment) -> Value:
        place = expr.place
        if isinstance(place, ir.Local) and self.find_places(place, env):
            return self.evaluate(place, env)
        if not isinstance(place, ir.PlaceOf):
            whose = self.read_value(place, env)
            return Value(join(NOBODY_KNOWS, whose), whose, NOBODY_KNOWS)
        name, owner, info = place.name, place.owner, self.world.places[place.name]
        whose = PUBLIC if owner is None else self.read_value(owner, env)
        lying, counted = PUBLIC, PUBLIC
        if not info.open:
            lying = self._tell_owner_apart(taint_of(name, owner, info.open_to), owner, env)
        if not info.count_open:
            counted = env.declassify(taint_of(name, owner, "owner"))
        return abstract(join(lying, whose), join(counted, whose), lying)

    def _tell_owner_apart(self, taint: Taint, owner: ir.Expr | None, env: Environment) -> Taint:
        """Add the knowers of what belongs to somebody, who may be a neighbour, here."""
        taint = env.declassify(taint)
        if owner is None or not self.tells_apart:
            return taint
        player = normalize_player(owner)
        return add_apart(taint, [frozenset({player, other}) for other in self.find_apart(player)])

    def is_settled(self, listed: ir.Expr) -> bool:
        """Check that a list of players stays as it is until somebody goes out, or a memory that all see is set."""
        nodes = [node for node in everything(listed) if isinstance(node, ir.Node)]
        if self.world.eliminates and len({node.everyone for node in nodes if isinstance(node, ir.Seats)}) > 1:
            return False  # it may be of those who are out, and these become more
        return all(map(self._is_settled_part, nodes))

    def _is_settled_part(self, node: ir.Node) -> bool:
        match node:
            case ir.TableMemory(name) | ir.PlayerMemory(name):
                return self.world.memories[name].seen_by == "everyone"
            case ir.CallValue(function) if not self.world.eliminates:
                names = self._find_looked_into(function)
                open_memories = {name for name, info in self.world.memories.items() if info.seen_by == "everyone"}
                return names is not None and names <= open_memories
        return isinstance(node, _SETTLED)

    def find_apart(self, expr: ir.Expr) -> frozenset[ir.Expr]:
        """Find the players whom this one, or each one of a list, surely is not."""
        if not self.tells_apart:
            return frozenset()
        match expr:
            case ir.Clockwise(start, after=True):
                return frozenset({normalize_player(start)})
            case ir.Neighbour(player, 1 | -1) if self._has_neighbours:
                return frozenset({normalize_player(player)})
            case ir.Filter(inner, slot, condition):
                whom, pairs = make_name(slot), self.split_apart(condition)[0].apart
                return self.find_apart(inner).union(*(pair - {whom} for pair in pairs if whom in pair))
            case ir.Sorted(inner) | ir.Best(inner) | ir.BuiltIn("first" | "last", (inner, *_)):
                return self.find_apart(inner)
        return frozenset()

    def split_apart(self, condition: ir.Expr) -> tuple[Declassified, Declassified]:
        """Find the players whom a condition tells apart where it holds, and where it does not."""
        if not self.tells_apart:
            return NOTHING_DECLASSIFIED, NOTHING_DECLASSIFIED
        holds, fails = frozenset[Apart](), frozenset[Apart]()
        match condition:
            case ir.Compare("!=" | "==" as operator, ir.Local() as player, ir.Local() as other):
                pair = frozenset({frozenset({normalize_player(player), normalize_player(other)})})
                holds, fails = (pair, fails) if operator == "!=" else (holds, pair)
            case ir.And():
                holds = self.split_apart(condition.left)[0].apart | self.split_apart(condition.right)[0].apart
            case ir.Or():
                fails = self.split_apart(condition.left)[1].apart | self.split_apart(condition.right)[1].apart
            case ir.Not():
                return self.split_apart(condition.value)[::-1]
        return Declassified(apart=holds), Declassified(apart=fails)

    def enter_right(self, expr: ir.And | ir.Or, env: Environment) -> Environment:
        """Return the environment in which the right side of two conditions counts: the left one has not decided."""
        holds, fails = self.split_apart(expr.left)
        return env.know(env.declassified | (holds if isinstance(expr, ir.And) else fails))

    def _on_both(self, expr: ir.And | ir.Or, env: Environment) -> Value:
        right = self.read_value(expr.right, self.enter_right(expr, env))
        return self._plain(expr, join(self.read_value(expr.left, env), right))

    def _on_filter(self, expr: ir.Filter, env: Environment) -> Value:
        listed, open_faces = self.evaluate(expr.list, env), self._asks_open_faces(expr, env)
        within = self.enter(expr, UNTAINTED if open_faces else _element(listed), env)
        tested = forget(self.read_value(expr.condition, within), expr.slot.__eq__)
        size = join(listed.size, tested)
        return abstract(size, size, PUBLIC) if open_faces else abstract(join(listed.value, tested), size, listed.cards)

    def _on_each(self, expr: ir.Each, env: Environment) -> Value:
        listed = self.evaluate(expr.list, env)
        body = self.evaluate(expr.body, self.enter(expr, _element(listed), env))
        body = body.map(lambda taint: forget(taint, expr.slot.__eq__))
        some = expr.flat or t.may_be_nothing(expr.body.type)
        return abstract(join(listed.size, body.value), join(listed.size, body.size if some else PUBLIC), body.cards)

    def _on_sorted(self, expr: ir.Sorted | ir.Best, env: Environment) -> Value:
        listed = self.evaluate(expr.list, env)
        within = self.enter(expr, _element(listed), env)
        keys = forget(join(*(self.read_value(key.value, within) for key in expr.keys)), expr.slot.__eq__)
        value = join(listed.value, keys)
        return abstract(value, listed.size if isinstance(expr, ir.Sorted) else value, listed.cards)

    def _on_if_else(self, expr: ir.IfElse, env: Environment) -> Value:
        condition = self.read_value(expr.condition, env)
        holds, fails = (env.know(env.declassified | known) for known in self.split_apart(expr.condition))
        either = self.evaluate(expr.then, holds) | self.evaluate(expr.otherwise, fails)
        return abstract(condition, condition, PUBLIC) | either

    def _on_listed(self, expr: ir.Listed, env: Environment) -> Value:
        items = [(item, self.evaluate(item, env)) for item in expr.items]
        size = join(*(value.size for item, value in items if isinstance(item, ir.TheCard)))
        return abstract(join(*(value.value for _, value in items)), size, join(*(value.cards for _, value in items)))

    def _on_entry(self, expr: ir.Entry, env: Environment) -> Value:
        """An entry is as secret as its table; of a sealed choice, who chose it knows it."""
        table, key = self.evaluate(expr.table, env), expr.key
        if isinstance(expr.table.type, t.TableOf) and expr.table.type.key != t.PLAYER:
            return self._plain(expr, join(table.value, self.read_value(key, env)))
        answers = table.map(lambda taint: answer_of(taint, key))
        value = join(answers.value, self.read_value(key, env))
        return abstract(value, value, answers.cards)

    def _on_built_in(self, expr: ir.BuiltIn, env: Environment) -> Value:
        match expr:
            case ir.BuiltIn("count" | "any", (inner,)) if not isinstance(inner, ir.Each) or inner.flat:
                size = self.read_size(inner, env)
                return abstract(size, size, PUBLIC)
            case ir.BuiltIn("holder", (inner,)):
                named = isinstance(inner, ir.Local)
                holder = join(self.read_value(inner, env), self._spot(inner, env)) if named else NOBODY_KNOWS
                return abstract(holder, holder, PUBLIC)
            case ir.BuiltIn("row_number" | "column_number", (ir.Local(slot),)) if slot in env.walked:
                return UNTAINTED
            case ir.BuiltIn("beside" | "around" | "row" | "column", (ir.Local(slot) as inner,)) if slot in env.walked:
                return abstract(self.read_value(inner, env), PUBLIC, self.read_cards(inner, env))
            case ir.BuiltIn("row_number" | "column_number", (inner,)) if t.kinds_of(inner.type):
                found = isinstance(inner, ir.Local) or self._kinds_lie_open(inner.type)
                at = join(self.read_value(inner, env), self._spot(inner, env)) if found else NOBODY_KNOWS
                return abstract(at, at, PUBLIC)
            case ir.BuiltIn("first", (ir.Cards(place), *number)) if self._shows_top(place, number, env):
                whose = self.read_whose(place, env)
                return abstract(whose, whose, PUBLIC)
            case ir.BuiltIn("first" | "last" | "distinct", (inner, *number)):
                listed, numbers = self.evaluate(inner, env), join(*(self.read_value(part, env) for part in number))
                size = listed.value if expr.name == "distinct" else listed.size
                return abstract(join(listed.value, numbers), join(size, numbers), listed.cards)
        value = join(*(self.read_value(argument, env) for argument in expr.arguments))
        return abstract(value, value, PUBLIC)

    def _evaluate_argument(self, expr: ir.Expr, env: Environment) -> Value:
        """Evaluate what is passed; of a place, what lies there, and how much."""
        if isinstance(expr, ir.PlaceOf) and self.world.places[expr.name].kept != "pool":
            return self.evaluate(ir.Cards(expr, type=t.ListOf(t.Card(self.world.places[expr.name].holds))), env)
        return self.evaluate(expr, env)

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def find_places(self, place: ir.Expr, env: Environment) -> frozenset[str]:
        """Find the names of the places that are meant; none, if it is not known which."""
        match place:
            case ir.PlaceOf(name):
                return frozenset({name})
            case ir.Local(slot):
                return self.passed.get((env.script, slot), frozenset())
        return frozenset()

    def read_whose(self, place: ir.Expr, env: Environment) -> Taint:
        """Find what it depends on whose place is meant."""
        if isinstance(place, ir.PlaceOf):
            return PUBLIC if place.owner is None else self.read_value(place.owner, env)
        named = self.find_places(place, env)
        size = self.read_size(place, env)
        return frozenset(tag for tag in size if isinstance(tag, Argument) or tag.name not in named)

    def _where(self, card: ir.Expr, env: Environment) -> Taint:
        """Find what it depends on *which position* is meant; what lies on top of a card everyone sees."""
        match card:
            case ir.TheCard(ir.PlaceOf(_, owner)) | ir.Cards(ir.PlaceOf(_, owner)) | ir.Pieces(ir.PlaceOf(_, owner)):
                return PUBLIC if owner is None else self.read_value(owner, env)
            case ir.TheCard() | ir.Cards() | ir.Pieces():
                return self.read_value(card.place, env)
            case ir.Local():
                return PUBLIC
        return self.read_value(card, env)

    def _spot(self, expr: ir.Expr, env: Environment) -> Taint:
        """Find what it depends on where cards lie: they may have been named, and not found in a place."""
        if self._kinds_lie_open(expr.type):
            return PUBLIC  # and of what lies in the box, nobody is the holder, and it is as printed
        cards = self.read_cards(expr, env)
        named = NOBODY_KNOWS if cards & SOMEWHERE else PUBLIC
        return join(named, frozenset(Argument(card.index, "spot") for card in cards if isinstance(card, Argument)))

    def lies_open(self, listed: ir.Expr) -> bool:
        """Check that everyone sees the cards of a list wherever they may lie, whoever lists them."""
        if not isinstance(listed.type, t.ListOf) or not self._kinds_lie_open(listed.type):
            return False
        if self.world.places[BOX].open:
            return True
        if isinstance(listed, ir.CallValue):
            bodies = [function.body for function in self.find_functions(listed)]
            return bool(bodies) and all(isinstance(body, ir.Node) and _is_on_table(body) for body in bodies)
        return _is_on_table(listed)

    def _kinds_lie_open(self, listed: t.Type) -> bool:
        """Check that everyone sees cards of these kinds in every place but the box."""
        if listed not in self._open:
            members = t.members(listed.item if isinstance(listed, t.ListOf) else listed)
            kinds = t.kinds_of(*members) if all(isinstance(member, t.Card) for member in members) else frozenset()
            places = (place for name, place in self.world.places.items() if name != BOX)
            self._open[listed] = bool(kinds) and all(place.open for place in places if place.holds & kinds)
        return self._open[listed]

    def shows_holder(self, card: ir.Expr) -> bool:
        """Check that all see where one card lies once it is face up: not below others in a pile of somebody."""
        kinds = t.kinds_of(card.type)
        piles = (place for place in self.world.places.values() if place.kept == "pile" and place.owner != "table")
        return not isinstance(t.surely(card.type), t.ListOf) and not any(place.holds & kinds for place in piles)

    def _asks_open_faces(self, expr: ir.Filter, env: Environment) -> bool:
        """Check that a condition is asked only of what everyone sees, since it lies face up."""
        return _asks_face_up(expr.condition, expr.slot) and self._shows_faces(expr.list, env)

    def _shows_faces(self, listed: ir.Expr, env: Environment) -> bool:
        """Check that of each card in a list everyone can tell that it lies face up, and then sees it: not in a pile."""
        match listed:
            case ir.Cards(place) if named := self.find_places(place, env):
                return all(self.world.places[name].kept != "pile" for name in named)
            case ir.BuiltIn("first", (ir.Cards(ir.PlaceOf()),)):
                return True  # of a pile, everyone sees the top one
            case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Each(_, _, inner):
                return self._shows_faces(inner, env)
            case ir.Chain():
                return self._shows_faces(listed.first, env) and self._shows_faces(listed.second, env)
        return False

    def _shows_top(self, place: ir.Expr, number: Sequence[ir.Expr], env: Environment) -> bool:
        """Check that everyone sees what is taken from the front of a place: one card of a pile that shows its top."""
        places = [self.world.places[name] for name in self.find_places(place, env)]
        alone = all(isinstance(argument, ir.Const) and argument.value == 1 for argument in number)
        shown = all(place.open or (place.kept == "pile" and place.arrives_up) for place in places)
        return alone and shown and any(not place.open for place in places)

    # ── options of choices ───────────────────────────────────────────────────────────────────────────────────────

    def count_options(self, sources: Iterable[ir.Source], env: Environment) -> Taint:
        """Find what the number of different options in some lists depends on.

        How many cards lie somewhere may be known where the cards are not. Numbers, players and words may stand twice in
        a list, and so may a card where several lists of cards meet that are more than places.
        """
        options, cards = PUBLIC, list[ir.Expr]()
        for source in sources:
            options = join(options, (self.read_size if source.sort == "card" else self.read_value)(source.list, env))
            cards += _split(source.list) if source.sort == "card" else ()
        if len(cards) > 1 and not all(isinstance(part, _WHOLE) for part in cards):
            options = join(options, *(self.read_value(part, env) for part in cards))
        return options

    def find_open(self, sources: Iterable[ir.Source], player: ir.Expr, env: Environment) -> dict[ir.Expr, Value]:
        """Find the places that all see among those from which a card is chosen, and its value if it lies there."""
        parts = [(part, _find_place(part)) for source in sources for part in _split_chain(source.list)]
        found: dict[ir.Expr, Value] = {}
        for _, place in parts:
            if place is not None and self.world.places[place.name].open:
                values = (
                    self.read_element(part, env).single_out(player)
                    for part, other in parts
                    if other is None or other.name == place.name
                )
                found[place] = reduce(Value.__or__, values, UNTAINTED)
        return found

    def find_taken(self, lists: Iterable[ir.Expr], env: Environment) -> Value | None:
        """Give the value of a card that all see taken from lists of what lies open; None if some of it may not."""
        values = []
        for part in (part for listed in lists for part in _split_chain(listed)):
            place = _find_place(part)
            if place is None or not self.world.places[place.name].open:
                return None
            values.append(self.read_element(ir.Cards(place, type=part.type), env))
        return reduce(Value.__or__, values, UNTAINTED)

    def find_copies(self, listed: ir.Expr, env: Environment) -> Taint:
        """Find what it depends on which cards of a list are copies of one another."""
        if listed.type not in self._copied:
            of = t.surely(listed.type)
            kinds = t.kinds_of(of.item if isinstance(of, t.ListOf) else of)
            copied = (_has_copies(card) for card in self.rulebook.cards.values() if card.kind in kinds)
            self._copied[listed.type] = any(copied)
        return self.read_cards(listed, env) if self._copied[listed.type] else PUBLIC

    # ── functions ────────────────────────────────────────────────────────────────────────────────────────────────

    def find_functions(self, call: Call) -> Iterator[ir.Function]:
        """Find the functions that may answer: one for a value, one for each card that may be asked."""
        yield from (self.rulebook.functions[name] for name in self._find_names(call))

    def _find_names(self, call: Call) -> _Names:
        if isinstance(call, ir.AskHook):
            return self.find_hooked(call.hook, call.target.type)
        return (call.function,) if call.function in self.rulebook.functions else ()

    def may_read(self, function: str | None, name: str) -> bool:
        """Check whether a value may look into a place or memory, itself or in what it asks; None is any place."""
        if function is None:
            return name in self.world.places
        if function not in self._named:
            self._named[function] = None  # while it is looked for: who asks in circles cannot tell
            self._named[function] = self._find_looked_into(function)
        named = self._named[function]
        return named is None or name in named

    def _find_looked_into(self, function: str) -> frozenset[str] | None:
        """Find the places and memories that a value may look into; None if it may be any."""
        names: set[str] = set()
        if function not in self.rulebook.functions:
            return None
        body = self.rulebook.functions[function].body
        for record in everything(*body) if isinstance(body, tuple) else everything(body):
            match record:
                case ir.PlaceOf(name) | ir.TableMemory(name) | ir.PlayerMemory(name) | ir.State(name):
                    names.add(name)
                case ir.CallValue(asked):
                    self.may_read(asked, "")
                    inside = self._named[asked]
                    if inside is None:
                        return None
                    names |= inside
                case ir.AskHook():
                    return None
                case ir.AllCards() | ir.BuiltIn("holder" | "row_number" | "column_number"):
                    names |= self.world.places.keys()
                case ir.Cards(place) | ir.TheCard(place) | ir.Pieces(place) if not isinstance(place, ir.PlaceOf):
                    names |= self.world.places.keys()
        return frozenset(names)

    def find_hooked(self, hook: str, target: t.Type) -> _Names:
        """Find the names of the scripts or functions that a hook of a target of this type may be, in order."""
        key = hook, target
        if key not in self._hooked:
            self._hooked[key] = tuple(sorted(set(ir.find_hooked(self.rulebook, hook, target))))
        return self._hooked[key]

    def _on_call(self, call: Call, env: Environment) -> Value:
        summary = self._summarize_here(call, env)
        if isinstance(call, ir.AskHook):  # which card it is says which of them answers
            target = self.read_value(call.target, env)
            return self._plain(call, join(target, self.instantiate(summary.value, call, env)))
        return summary.map(lambda taint: self.instantiate(taint, call, env))

    def instantiate(self, taint: Taint, call: Call, env: Environment) -> Taint:
        """Put the arguments of a call into a summary."""
        arguments = arguments_of(call)
        put_in = env.declassify(to_caller(frozenset(tag for tag in taint if not isinstance(tag, Argument)), arguments))
        for tag in taint:
            if isinstance(tag, Argument) and tag.index < len(arguments):
                handed = arguments[tag.index]
                value = self._evaluate_argument(handed, env)
                more = self._spot(handed, env) if tag.view == "spot" else value.view(tag.view)
                put_in = join(put_in, more)
        return put_in

    def pass_arguments(self, arguments: Sequence[ir.Expr], env: Environment) -> dict[int, Value]:
        """Return the values of a callee's parameters, but for those that are untainted."""
        passed = {}
        for slot, expr in enumerate(arguments):
            value = self._evaluate_argument(expr, env).map(lambda taint: to_callee(taint, arguments))
            if value is not UNTAINTED:
                passed[slot] = evolve(value, at=expr.at)
        return passed

    def _summarize_here(self, call: Call, env: Environment) -> Value:
        """Summarize what a call answers, where it is given players of all of whom something has been laid open."""
        names = self._find_names(call)
        groups = env.declassified.to_callee(arguments_of(call)).groups if env.declassified.groups else frozenset()
        key = names, groups
        if not groups:
            return self.summarize(names)
        if key not in self._summaries_of_groups:
            self._summaries_of_groups[key] = self.summarize(names)  # while it is looked for: who asks in circles
            known = Declassified(groups=groups)
            self._summaries_of_groups[key] = reduce(
                Value.__or__, (self._summarize_once((name,), known) for name in names), UNTAINTED
            )
        return self._summaries_of_groups[key]

    def summarize(self, names: _Names) -> Value:
        """Find the abstract value of what some functions answer, in their own words, for symbolic arguments."""
        if names not in self._summaries:
            self._solve(names)
        return self._summaries[names]

    def _solve(self, names: _Names) -> None:
        """Summarize these functions and all that they call, callees first; in rounds, if they call in circles."""
        order: dict[_Names, None] = {}
        met, circular, left = {names}, False, [(names, iter(self._find_callees(names)))]
        while left:
            caller, callees = left[-1]
            for callee in callees:
                circular = circular or (callee in met and callee not in order)
                if callee not in met and callee not in self._summaries:
                    met.add(callee)
                    left.append((callee, iter(self._find_callees(callee))))
                    break
            else:
                order[caller] = None
                left.pop()
        self._summaries |= dict.fromkeys(order, UNTAINTED)
        again = True
        while again:
            again = False
            for callee in order:
                summary = self._summaries[callee] | self._summarize_once(callee)
                again = again or (circular and summary != self._summaries[callee])
                self._summaries[callee] = summary

    def _find_callees(self, names: _Names) -> list[_Names]:
        """Find what some functions call: each of them by itself, or what one calls."""
        if len(names) != 1:
            return [(name,) for name in names]
        body = self.rulebook.functions[names[0]].body
        inside = everything(*body) if isinstance(body, tuple) else everything(body)
        return [self._find_names(call) for call in inside if isinstance(call, ir.CallValue | ir.AskHook)]

    def _summarize_once(self, names: _Names, known: Declassified = NOTHING_DECLASSIFIED) -> Value:
        if len(names) != 1:
            return reduce(Value.__or__, (self._summaries[name,] for name in names), UNTAINTED)
        function = self.rulebook.functions[names[0]]
        parts = self.split_answer(function, symbolic_arguments(function).know(known))
        answer = reduce(Value.__or__, (value for _, value, _ in parts), UNTAINTED)
        return answer.map(lambda taint: forget(taint, lambda slot: slot >= function.parameters))

    def split_answer(self, function: ir.Function, env: Environment) -> list[Part]:
        """Split a function's answer into what it is made of, in its own words."""
        match function.body:
            case ir.Conditions(lines) | ir.Total(lines):
                return [(line.value, uniform(self.read_value(line.value, env)), env) for line in lines]
            case tuple() as block:
                parts: list[Part] = []
                self._run(block, env, parts)
                return parts
            case body:
                return [(body, self.evaluate(body, env), env)]

    def _run(self, block: ir.Block, env: Environment, parts: list[Part]) -> Environment:
        """Find all that the answer of a script depends on; give the environment behind a block of it."""
        for statement in block:
            match statement:
                case ir.Let(slot, value):
                    env = env.bind(slot, self.evaluate_named(value, env)).tell_apart(slot, self.find_apart(value))
                case ir.Return(value) if value is not None:
                    parts.append((value, self.evaluate(value, env), env))
                case ir.If(condition, then, otherwise):
                    parts.append((condition, uniform(self.read_value(condition, env)), env))
                    yes = self._run(then, env, parts)
                    env = yes.join(self._run(otherwise, env, parts))
                case ir.ForEach(slot, listed, _, _, body, _):
                    through, before = self.evaluate(listed, env), None
                    parts.append((listed, uniform(through.size), env))
                    while env != before:
                        before = env
                        begun = env.next_round(slot, _element(through)).tell_apart(slot, self.find_apart(listed))
                        begun = begun.know(begun.declassified.entering(listed, slot))
                        env = env.join(self._run(body, begun, parts))
                case ir.Repeat(ir.Node() as count, index, _, body):
                    parts.append((count, uniform(self.read_value(count, env)), env))
                    before = None
                    while env != before:
                        before = env
                        begun = env if index is None else env.bind(index, UNTAINTED)
                        env = env.join(self._run(body, begun, parts))
        return env


def arguments_of(call: Call) -> tuple[ir.Expr, ...]:
    """Return the arguments of a call; the first one of a hook is whom it is asked of."""
    return (call.target, *call.arguments) if isinstance(call, ir.AskHook) else call.arguments


def _list_hidden(world: World) -> Iterator[PlaceInfo | MemoryInfo]:
    """List what may be hidden from somebody."""
    yield from world.places.values()
    yield from world.memories.values()


def _element(listed: Value) -> Value:
    return abstract(listed.value, listed.value, listed.cards)


_SETTLED = (
    ir.Seats, ir.Local, ir.Const, ir.OptionValue, ir.Filter, ir.Sorted, ir.Best, ir.Listed, ir.Compare, ir.Not, ir.And,
    ir.Or, ir.Within, ir.IsNothing, ir.Arithmetic, ir.Clockwise,
)  # fmt: skip
"""Parts of a list of players that hang on nothing that happens."""

_WHOLE = (ir.Cards, ir.TheCard, ir.AllCards)
"""Lists that have a card in common only where they are the same place."""


def _split(listed: ir.Expr) -> list[ir.Expr]:
    """Take a list apart into those that it is put together of."""
    match listed:
        case ir.Filter() | ir.Sorted():
            return _split(listed.list)
        case ir.Chain(first, second) | ir.IfElse(_, first, second):
            return [*_split(first), *_split(second)]
        case ir.Listed(items):
            return [*items]
    return [listed]


def _split_chain(listed: ir.Expr) -> list[ir.Expr]:
    return [*_split_chain(listed.first), *_split_chain(listed.second)] if isinstance(listed, ir.Chain) else [listed]


def _find_place(listed: ir.Expr) -> ir.PlaceOf | None:
    """Find the one place in which all cards of a list surely lie."""
    match listed:
        case ir.Cards(ir.PlaceOf() as place):
            return place
        case ir.Filter() | ir.Sorted():
            return _find_place(listed.list)
    return None


def _has_copies(card: ir.CardDef) -> bool:
    """Tell a card of which there may be several from one that is alone."""
    match card.copies:
        case ((ir.Const(1), _),):
            return False
    return True


def _is_on_table(listed: ir.Expr) -> bool:
    """Check that the cards of a list surely lie in places that the rulebook declares, and not in the box."""
    match listed:
        case ir.Cards(ir.PlaceOf(name, _)) | ir.TheCard(ir.PlaceOf(name, _)):
            return name != BOX
        case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Best(inner, _, _) | ir.Each(_, _, inner):
            return _is_on_table(inner)
        case ir.BuiltIn("first" | "last" | "distinct", (inner, *_)):
            return _is_on_table(inner)
        case ir.BuiltIn("beside" | "around" | "row" | "column"):
            return True  # of a grid
        case ir.Chain(first, second) | ir.IfElse(_, first, second):
            return _is_on_table(first) and _is_on_table(second)
        case ir.Listed(items):
            return all(_is_on_table(item) for item in items)
    return False


def _asks_face_up(condition: ir.Expr, slot: int) -> bool:
    """Check that only what lies face up can meet a condition."""
    match condition:
        case ir.And():
            return _asks_face_up(condition.left, slot) or _asks_face_up(condition.right, slot)
        case ir.IsFaceUp(ir.Local(tested, _)):
            return tested == slot
    return False


_Transfer: TypeAlias = Callable[[Reads, Any, Environment], Value]

_TRANSFER: dict[type[Any], _Transfer] = {
    ir.Local: lambda reads, expr, env: env.of(expr.slot).map(env.declassify),
    ir.TableMemory: Reads._on_table_memory,
    ir.PlayerMemory: Reads._on_player_memory,
    ir.State: Reads._on_state,
    ir.Cards: Reads._on_cards,
    ir.TheCard: Reads._on_cards,
    ir.Pieces: lambda reads, expr, env: reads._plain(expr, reads._where(expr, env)),
    ir.IsEmpty: lambda reads, expr, env: reads._plain(expr, reads.read_size(expr.list, env)),
    ir.IsNothing: lambda reads, expr, env: reads._plain(expr, reads.read_size(expr.value, env)),
    ir.IsFaceUp: Reads._on_is_face_up,
    ir.And: Reads._on_both,
    ir.Or: Reads._on_both,
    ir.IfElse: Reads._on_if_else,
    ir.Listed: Reads._on_listed,
    ir.Chain: lambda reads, expr, env: reads.evaluate(expr.first, env) | reads.evaluate(expr.second, env),
    ir.Filter: Reads._on_filter,
    ir.Each: Reads._on_each,
    ir.Sorted: Reads._on_sorted,
    ir.Best: Reads._on_sorted,
    ir.Entry: Reads._on_entry,
    ir.CallValue: Reads._on_call,
    ir.AskHook: Reads._on_call,
    ir.BuiltIn: Reads._on_built_in,
}
"""Expressions whose value depends on something else than just what the values of their parts do."""
