"""What every name, memory and place may hold: the whole game at once, in no order.

In: the book. Out: `Questions` that know what all sentences together that a game may ever do can lead to. Never: an
order of events, or a value left out that could be there. A sentence that is not known here puts anything anywhere
that it mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, get_args

from rulebook.dsl import ir, spread
from rulebook.dsl import types as t
from rulebook.dsl.meaning.book import Book, Home
from rulebook.dsl.meaning.noted import Noted
from rulebook.dsl.meaning.printed import CardSet
from rulebook.dsl.meaning.questions import ALIKE, Questions, Slot
from rulebook.dsl.spread import NO_VALUE, Spread
from rulebook.dsl.walk import parts

MANY_ROUNDS = 5
_BINDING = frozenset({ir.Filter, ir.Each, ir.Sorted, ir.Best})
"""Expressions that give a local its value."""
_FAR = float("inf")


class Possible(Questions):
    """Worked out once for a rulebook; then any expression can be asked in its home."""

    def __init__(self, book: Book, card_set: CardSet | None = None) -> None:
        super().__init__(book, card_set)
        self._answering = self.card_set.answering
        self._acts: list[tuple[Home, Any]] = []
        """All sentences that a game may come to, each in its home."""
        self._start()
        self._gather()
        self._settle()

    # ── the fixed point ──────────────────────────────────────────────────────────────────────────────────────────

    def _start(self) -> None:
        for memory in self.rulebook.memories.values():
            self.memories[memory.name] = self._plain(memory.type, memory.start)
            self.remembered[memory.name] = 0
        for state in self.rulebook.states.values():
            if state.printed or state.values:
                self.states[state.name] = None if state.values is None else spread.of(state.values)
            else:
                self.states[state.name] = self._plain(state.type, state.start)

    @staticmethod
    def _plain(of: t.Type, start: Any) -> Spread | None:
        return None if isinstance(of, t.ListOf) or isinstance(start, tuple) else spread.of([start])

    def _gather(self) -> None:
        scripts = [self.book.homes[name] for name in self.rulebook.scripts if name in self.followed]
        self._acts = [(home, one) for home in scripts for one in home.of(_DOING)]

    def _settle(self) -> None:
        # What is possible only grows, and what grows for long is taken to grow for ever, so this comes to an end.
        changed = self.round()
        for number in count(1):
            if not (changed or self.work.stale):
                break
            changed = self.round(sorted(self.work.stale), widen=number >= MANY_ROUNDS)
        self.settled()

    def settled(self) -> None:
        """All is known that is possible."""
        self._asked.clear()

    def round(self, acts: Iterable[int] | None = None, *, widen: bool = False) -> bool:
        """What some sentences lead to, all of them if not said otherwise. Whether anything is new."""
        work = self.work
        for act in range(len(self._acts)) if acts is None else acts:
            work.worker = act
            work.stale.discard(act)
            self.home, one = self._acts[act]
            _DEEDS.get(type(one), Possible._unknown)(self, one)
        work.worker = None
        self._refill()
        if widen:
            self._widen()
        changed = [table.has_changed() for table in (*self._spreads(), *self._sets())]
        return any(changed)

    def _spreads(self) -> tuple[Noted[Any, Spread | None], ...]:
        return self.values, self.memories, self.states, self.answers

    def _sets(self) -> tuple[Noted[Any, Any], ...]:
        return self.places, self.cards, self.goals, self.remembered

    def _widen(self) -> None:
        for table in self._spreads():
            for key, before in table.before.items():
                table[key] = spread.widened(before, table[key])

    def _refill(self) -> None:
        for place in self.rulebook.places.values():
            if place.refill is not None and self.places[place.name]:
                self.places.add(place.name, self.places[place.refill] & self._held(place.name))

    # ── what sentences do ────────────────────────────────────────────────────────────────────────────────────────

    def _draw(self, one: ir.Draw) -> None:
        drawn = self._contents(one.source)
        self._put(one.goal, drawn)
        if one.slot is not None:
            self._join((self.home.name, one.slot), None, drawn)

    def _roll(self, one: ir.Roll) -> None:
        values = self.rulebook.states[one.state].values
        self.states.add(one.state, None if values is None else spread.of(values))

    def _pick(self, one: ir.PickRandom) -> None:
        for slot in one.slots:
            self._member(slot, one.source)

    def _for_each(self, one: ir.ForEach) -> None:
        self._member(one.slot, one.list)
        if one.index is not None:
            self.values[self.home.name, one.index] = spread.between(1, _FAR)

    def _repeat(self, one: ir.Repeat) -> None:
        if one.index is not None:
            most = _FAR if one.count is None else self._most(one.count)
            self.values.add((self.home.name, one.index), spread.between(1, most))

    def _do_rule(self, one: ir.DoRule) -> None:
        self._call(one.script, one.arguments)
        self._answer((one.script,), one.slot)

    def _do_hook(self, one: ir.DoHook) -> None:
        self._hook(one.hook, one.target, one.arguments, one.stand_in)
        self._answer(self.book.hooked(one.hook, one.target.type), one.slot)

    def _return(self, one: ir.Return) -> None:
        self.answers.add(self.home.name, spread.of([None]) if one.value is None else self.of(one.value))

    def _unknown(self, one: Any) -> None:
        """A sentence nobody has told this pass about: it may bind and fill whatever it mentions."""
        for field, part in parts(one):
            if isinstance(part, ir.PlaceOf):
                self.places[part.name] = self._held(part.name)
            if field == "slot":
                self._anything((self.home.name, part), self.home.slots.types[part])

    def _bind(self, slot: int, value: ir.Expr) -> None:
        key = self.home.name, slot
        if isinstance(value.type, t.Place):
            self.goals.add(key, self._goals(value))
        self._join(key, self.of(value), self.lying(value))

    def _member(self, slot: int, listed: ir.Expr) -> None:
        if self.home.slots.types[slot] in ALIKE:
            return
        key = self.home.name, slot
        self.sure.add(key)
        self._join(key, self.of(listed), self.lying(listed))

    def _join(self, key: Slot, values: Spread | None, cards: int) -> None:
        self.values.add(key, values)
        self.cards.add(key, cards)

    def _anything(self, key: Slot, of: t.Type) -> None:
        self.values[key] = None
        self.cards[key] = self.fitting[of]
        if isinstance(of, t.Place):
            self.goals[key] = frozenset(self.places)

    def _picks(self, one: ir.Choose | ir.ChooseEach) -> None:
        for pick in one.picks:
            for source in pick.sources:
                self._member(pick.slot, source.list)
            self.sure.discard((self.home.name, pick.slot))

    def _assign(self, one: ir.Assign) -> None:
        name, found = one.target.name, self.of(one.value)
        kept = self.states if isinstance(one.target, ir.State) else self.memories
        if _is_added_to(one.target, one.value):
            # It grows for ever. Nobody waits for that: meanwhile, all that follows from it would grow for long as well.
            found = spread.widened(kept[name], spread.join(kept[name], found))
        kept.add(name, found)
        if kept is self.memories:
            self.remembered.add(name, self.lying(one.value))

    def _call(self, name: str, arguments: tuple[ir.Expr, ...], first: int = 0) -> None:
        for slot, given in enumerate(arguments, first):
            key = name, slot
            if isinstance(given.type, t.Place):
                self.goals.add(key, self._goals(given))
            self._join(key, self.of(given), self.lying(given))

    def _hook(self, hook: str, target: ir.Expr, arguments: tuple[ir.Expr, ...], stand_in: ir.Expr | None) -> None:
        lying = self.lying(target)
        this = 0 if stand_in is None else self.lying(stand_in)
        for name in self.book.hooked(hook, target.type):
            own = self._answering.get((hook, name), 0)
            mine = lying & own
            if mine or not own:
                self._join((name, 0), None, this or mine)
                self._call(name, arguments, 1)

    def _answer(self, names: tuple[str, ...], slot: int | None) -> None:
        if slot is not None:
            key = self.home.name, slot
            found: Spread | None = spread.of([None])
            for name in names:
                found = spread.join(found, self.answers.known(name, NO_VALUE))
            self._join(key, found, self.fitting[self.home.slots.types[slot]])

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _put(self, goal: ir.Expr, cards: int) -> None:
        for name in self._goals(goal):
            if name in self.places:
                self.places.add(name, cards & self._held(name))

    def _swap(self, cards: int) -> None:
        for name in self.places:
            if self.places[name] & cards or self.rulebook.places[name].kept == "slot":
                self.places.add(name, cards & self._held(name))


def _is_added_to(target: ir.TableMemory | ir.PlayerMemory | ir.State, value: ir.Expr) -> bool:
    """Whether something is added to what is there, or taken from it: `add 1 to x`, `set x = x - y`."""
    match value:
        case ir.Arithmetic("+" | "-", ir.TableMemory(name) | ir.PlayerMemory(name) | ir.State(name)):
            return name == target.name and type(value.left) is type(target)
    return False


_STILL = frozenset(
    {ir.Offer, ir.Pass, ir.Shuffle, ir.Arrange, ir.Reveal, ir.Cover, ir.Show, ir.Tell, ir.Say, ir.Menu, ir.If, ir.Stage}
    | {ir.Leave, ir.EndStage, ir.Win, ir.Eliminate}
)
"""Sentences that fill nothing and give no name but to players."""
_DOING = _BINDING | (frozenset(get_args(ir.Statement)) - _STILL)
_DEEDS: dict[type[Any], Callable[[Possible, Any], None]] = {
    ir.Let: lambda here, one: here._bind(one.slot, one.value),
    ir.Assign: Possible._assign,
    ir.Move: lambda here, one: here._put(one.goal, here.lying(one.cards)),
    ir.Draw: Possible._draw,
    ir.MovePieces: lambda here, one: here._put(one.goal, here._contents(one.source)),
    ir.Deal: lambda here, one: here.places.add(one.place, here._contents(one.source) & here._held(one.place)),
    ir.Swap: lambda here, one: here._swap(here._either(one.first) | here._either(one.second)),
    ir.Roll: Possible._roll,
    ir.PickRandom: Possible._pick,
    ir.Choose: Possible._picks,
    ir.ChooseEach: Possible._picks,
    ir.ForEach: Possible._for_each,
    ir.Repeat: Possible._repeat,
    ir.DoRule: Possible._do_rule,
    ir.DoHook: Possible._do_hook,
    ir.Return: Possible._return,
    **dict.fromkeys((ir.Filter, ir.Each, ir.Sorted, ir.Best), lambda here, one: here._member(one.slot, one.list)),
}
"""What sentences do, and expressions that give a name to each member of a list; any other one is `_unknown`."""
