"""A game as far as it goes by itself: from rule `game` to the first thing that somebody decides or chance settles.

In: one number of players and one choice of house rules. Out: the first sentence that needs more cards, or more room,
than there is. Never: goes on where a condition, a place or a card is not settled.
"""

from __future__ import annotations

from contextlib import suppress

from rulebook.dsl import ir
from rulebook.dsl.meaning.lots import Bunch, Lot, Spot
from rulebook.dsl.meaning.settled import Settled
from rulebook.dsl.settling.reckoning import Env, Unsettled
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything
from rulebook.record import Record, record

_MOST_SENTENCES = 600
_DEEPEST = 30  # so many rules that do one another
_STILL = (ir.Shuffle, ir.Reveal, ir.Cover, ir.Roll, ir.Show, ir.Say, ir.Tell)
"""Sentences after which as many cards lie everywhere as before."""
_PIECES_ONLY = (ir.MovePieces, ir.Assign, ir.Let, ir.If, ir.ForEach, *_STILL)
"""A loop of these over cards that are not settled moves no cards but pieces."""


@record
class Shortage(Record):
    """A sentence that needs more than there is: what for, how much, what there is, and of which cards."""

    at: At
    needs: str
    there: str
    cards: int


class _Leave(Exception):
    def __init__(self, depth: int, skip: bool) -> None:
        super().__init__(depth, skip)
        self.depth, self.skip = depth, skip


class _Return(Exception):
    pass


class _EndStage(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Short(Exception):
    def __init__(self, found: Shortage) -> None:
        super().__init__(found)
        self.found = found


class Beginning:
    """The beginning of one game."""

    def __init__(self, settled: Settled) -> None:
        self.settled, self.places, self.rulebook = settled, settled.places, settled.rulebook
        self.left = _MOST_SENTENCES
        self.depth = 0

    def shortage(self) -> Shortage | None:
        """The first that is found, or None."""
        try:
            self._block(self.rulebook.scripts[ir.GAME].body, {})
        except _Short as short:
            return short.found
        except (Unsettled, _Leave, _Return, _EndStage):
            pass
        return None

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, block: ir.Block, env: Env) -> None:
        for one in block:
            self.left -= 1
            if self.left < 0:
                raise Unsettled
            self._sentence(one, env)

    def _sentence(self, one: ir.Statement, env: Env) -> None:
        match one:
            case ir.Let(slot, value):
                self._bind(slot, value, env)
            case ir.Assign(target, value):
                self._assign(target, value, env)
            case ir.If(condition, then, otherwise):
                self._block(then if self.settled.truth(condition, env) else otherwise, env)
            case ir.ForEach(slot, listed, index, body=body):
                self._for_each(one, slot, listed, index, body, env)
            case ir.Repeat(count, index, body=body):
                number = 0
                while self._another_round(count, number, env):
                    number += 1
                    if index is not None:
                        env[index] = number
                    if self._left_round(body, env):
                        break
            case ir.Stage(name, body=body):
                try:
                    self._block(body, env)
                except _EndStage as end:
                    if end.name != name:
                        raise
                self._forget_lasting(name)
            case ir.Leave(skip, depth):
                raise _Leave(depth, skip)
            case ir.EndStage(name):
                raise _EndStage(name)
            case ir.Return():
                raise _Return
            case ir.DoRule(script, arguments, answer):
                self._do(script, arguments, env)
                if answer is not None:
                    env.pop(answer, None)
            case ir.PickRandom(slots, source, count):
                self._pick(one, slots, source, count, env)
            case ir.Sentence() if isinstance(one, _STILL):
                pass
            case _:
                self._cards(one, env)

    def _another_round(self, count: ir.Expr | None, done: int, env: Env) -> bool:
        if isinstance(count, ir.OptionValue) and count.key is None and not done:
            # Most games end here in the first round, whatever the option says.
            low = self.rulebook.options[count.name].low
            if low is not None and low > 0:
                return True
        return count is None or done < self.settled.number(count, env)

    def _left_round(self, body: ir.Block, env: Env) -> bool:
        """One round of a loop; whether it was the last."""
        try:
            self._block(body, env)
        except _Leave as leave:
            if leave.depth:
                raise _Leave(leave.depth - 1, leave.skip) from None
            return not leave.skip
        return False

    def _for_each(
        self, one: ir.ForEach, slot: int, listed: ir.Expr, index: int | None, body: ir.Block, env: Env
    ) -> None:
        try:
            values = self.settled.value(listed, env)
        except Unsettled:
            values = None
        if not isinstance(values, tuple):
            self._unseen_rounds(one, env)
            return
        for number, value in enumerate(values, 1):
            env[slot] = value
            if index is not None:
                env[index] = number
            if self._left_round(body, env):
                break

    def _unseen_rounds(self, loop: ir.ForEach, env: Env) -> None:
        """A loop over cards that are not known one by one: what it may change is not known any more."""
        for one in everything(loop):
            match one:
                case ir.Sentence() if not isinstance(one, _PIECES_ONLY):
                    raise Unsettled
                case ir.MovePieces(_, source, goal):
                    for place in (source, goal):
                        if not isinstance(place, ir.PlaceOf):
                            raise Unsettled
                        self.places.forget(place.name)
                case ir.Assign(target):
                    self._forget(target)
                case ir.Let(slot) | ir.ForEach(slot):
                    env.pop(slot, None)

    def _do(self, script: str, arguments: tuple[ir.Expr, ...], env: Env) -> None:
        if self.depth == _DEEPEST:
            raise Unsettled
        given: Env = {}
        for slot, argument in enumerate(arguments):
            self._bind(slot, argument, env, given)
        self.depth += 1
        with suppress(_Return):
            self._block(self.rulebook.scripts[script].body, given)
        self.depth -= 1

    def _forget_lasting(self, stage: str) -> None:
        for memory in self.rulebook.memories.values():
            if memory.lasts == stage:
                per_player = memory.owner == "player"
                self.settled.memories[memory.name] = (
                    (memory.start,) * self.settled.players if per_player else memory.start
                )

    # ── names and memory ─────────────────────────────────────────────────────────────────────────────────────────

    def _bind(self, slot: int, value: ir.Expr, env: Env, given: Env | None = None) -> None:
        into = env if given is None else given
        try:
            found = self.settled.value(value, env)
        except Unsettled:
            into.pop(slot, None)
            return
        # Where a card lies is only known now, and a list of them may come apart.
        if isinstance(found, Lot | Bunch):
            into.pop(slot, None)
        else:
            into[slot] = found

    def _assign(self, target: ir.Expr, value: ir.Expr, env: Env) -> None:
        try:
            found = self.settled.value(value, env)
            if isinstance(found, Lot | Bunch):
                raise Unsettled
            match target:
                case ir.TableMemory(name):
                    self.settled.memories[name] = found
                case ir.PlayerMemory(name, player):
                    owner = self.settled.number(player, env)
                    before = self.settled.memories.get(name)
                    if before is not None:
                        self.settled.memories[name] = (*before[:owner], found, *before[owner + 1 :])
        except Unsettled:
            self._forget(target)

    def _forget(self, target: ir.Expr) -> None:
        if isinstance(target, ir.TableMemory | ir.PlayerMemory):
            self.settled.memories.pop(target.name, None)

    def _pick(
        self, one: ir.Statement, slots: tuple[int, ...], source: ir.Expr, count: ir.Expr | None, env: Env
    ) -> None:
        for slot in slots:
            env.pop(slot, None)
        try:
            found = self.settled.value(source, env)
            wanted = len(slots) if count is None else self.settled.number(count, env)
        except Unsettled:
            return
        if not isinstance(found, Bunch):
            return
        if found.count < wanted:
            self._short(one, f"picks {_cards(wanted)}", found.count, found.cards)
        if len(found.lots) == 1:
            lot = found.lots[0]
            if wanted == 1 and count is None:
                env[slots[0]] = Lot(lot.spot, 1, lot.cards)
            elif count is not None:
                env[slots[0]] = Bunch((Lot(lot.spot, wanted, lot.cards),))

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _cards(self, one: ir.Statement, env: Env) -> None:
        settled = self.settled
        match one:
            case ir.Move(cards, goal):
                settled.missing.clear()
                moved = settled.bunch(cards, env)
                if settled.missing:
                    wanted, there, among, _ = settled.missing[0]
                    self._short(one, f"moves {_cards(wanted)}", there, among)
                spot = settled.spot(goal, env)
                self.places.take(moved)
                self._room(one, moved, spot, env)
                self.places.put(moved, spot)
            case ir.MovePieces(count, source, goal):
                self._pieces(one, count, settled.spot(source, env), settled.spot(goal, env), env)
            case ir.Draw(count, source, goal, _, _, slot, many):
                number, spot = settled.number(count, env), settled.spot(source, env)
                self._refill(spot, number)
                lying = self.places.lying(spot)
                if lying.count < number and slot is None and self.places.ever_filled(spot):
                    self._short(one, f"draws {_cards(number)}", lying.count, lying.cards)
                into = settled.spot(goal, env)
                self._room(one, Bunch((Lot(spot, min(number, lying.count), lying.cards),)), into, env)
                drawn = self.places.draw(number, spot, into)
                if slot is not None:
                    env[slot] = drawn if many else (drawn.lots[0] if drawn.lots else None)
            case ir.Deal(count, source, name):
                self._deal(one, settled.number(count, env), settled.spot(source, env), name, env)
            case _:
                raise Unsettled

    def _pieces(self, one: ir.Statement, count: ir.Expr | None, source: Spot, goal: Spot, env: Env) -> None:
        there = self.places.lying(source)
        if count is None:
            number = there.count
        else:
            try:
                number = self.settled.number(count, env)
            except Unsettled:
                self.places.forget(source[0])
                self.places.forget(goal[0])
                return
        if number > there.count and self.places.ever_filled(source):
            self._short(one, f"moves {number}", there.count, there.cards)
        self.places.draw(number, source, goal)

    def _deal(self, one: ir.Statement, each: int, source: Spot, name: str, env: Env) -> None:
        players = self.settled.players
        self._refill(source, each * players)
        there = self.places.lying(source)
        # To deal as many as there are, or more, to everybody is how to deal them all.
        if each < there.count < each * players:
            self._short(one, f"deals {_cards(each * players)}", there.count, there.cards)
        for seat in range(players):
            share = min(each, there.count // players + (seat < there.count % players))
            self._room(one, Bunch((Lot(source, share, there.cards),)), (name, seat), env)
            self.places.draw(share, source, (name, seat))

    def _refill(self, spot: Spot, number: int) -> None:
        """What the place is filled with when it is empty counts too."""
        more = None if spot[0] == "box" else self.rulebook.places[spot[0]].refill
        if more is not None and self.places.lying(spot).count < number:
            self.places.draw(self.places.lying((more, None)).count, (more, None), spot)

    def _room(self, one: ir.Statement, coming: Bunch, goal: Spot, env: Env) -> None:
        """A place that has no room for all that comes."""
        if goal[0] == "box":
            return
        place = self.rulebook.places[goal[0]]
        if place.kept == "slot":
            room = 1
        elif place.kept == "grid" and place.size is not None:
            room = self.settled.number(place.size[0], {}) * self.settled.number(place.size[1], {})
        else:
            return
        together = coming.count + self.places.lying(goal).count
        if together > room and one.at is not None:
            owner = "" if goal[1] is None else "a player's "
            there = f"there is room for {'one' if room == 1 else room} only"
            raise _Short(Shortage(one.at, f"puts {_cards(together)} into {owner}`{goal[0]}`", there, coming.cards))

    @staticmethod
    def _short(one: ir.Statement, needs: str, there: int, cards: int) -> None:
        if one.at is None:
            raise Unsettled
        raise _Short(Shortage(one.at, needs, _only(there), cards))


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _only(count: int) -> str:
    return "there is none" if count == 0 else "there is only 1" if count == 1 else f"there are only {count}"
