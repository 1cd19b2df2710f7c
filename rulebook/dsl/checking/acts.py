"""The checker of acts: sentences that move, turn, show, shuffle, say, and end.

In: one such sentence as written. Out: IR. Never: follows the flow, or binds more than the names behind `as` and `pick`.
"""

from __future__ import annotations

from rulebook.diagnostics import did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.sentences import Sentences, written
from rulebook.record import evolve

_RANDOM = "`pick x from {place} at random`"


class Acts(Sentences):
    """Sentences that do something at once."""

    def act(self, tree: s.Statement) -> ir.Statement | None:
        e = self.expressions
        made: ir.Statement | None
        match tree:
            case s.Move(what, goal):
                made = self._move(what, goal, tree.at)
            case s.MovePieces(count, source, goal):
                made = self._move_from(count, source, goal, tree.at)
            case s.Draw():
                made = self._draw(tree)
            case s.Deal(count, source, place):
                self._drawable(source, "deal")
                number, dealt = e.number(count, "How many"), e.place(source)
                made = ir.Deal(number, dealt, self._each_place(place), at=tree.at)
                each = e.world.places.get(place.text)
                if each is not None and each.owner == "player":
                    self._holds(each.type, place.text, dealt, place.at)
            case s.Pass(place, direction):
                made = ir.Pass(self._each_place(place), 1 if direction == "left" else -1, at=tree.at)
            case s.Swap(first, second):
                made = ir.Swap(self._swapped(first), self._swapped(second), at=tree.at)
            case s.Shuffle(place):
                goal_place = e.place(place)
                if isinstance(goal_place.type, t.Place) and goal_place.type.kept in ("loose", "slot", "pool"):
                    e.report(
                        "RB409",
                        place.at,
                        "It has no order to lose.",
                        place=written(place),
                        kept=goal_place.type.kept,
                        verb="shuffle",
                    )
                made = ir.Shuffle(goal_place, at=tree.at)
            case s.Roll(dice):
                made = self._roll(dice, tree.at)
            case s.PickRandom():
                made = self._pick_random(tree)
            case s.Arrange(subject, what):
                player = self.asked(s.Asking(subject, may=False, secretly=False, at=tree.at))
                made = ir.Arrange(player, self._line(what), False, at=tree.at)
            case s.Reveal(what):
                made = ir.Reveal(self._cards(what, "What is revealed"), at=tree.at)
            case s.Cover(what):
                made = ir.Cover(self._cards(what, "What is turned face down"), at=tree.at)
            case s.Show(what, to):
                made = ir.Show(self._cards(what, "What is shown"), e.players(to), at=tree.at)
            case s.Tell(to, question):
                made = ir.Tell(e.players(to), e.question(question), at=tree.at)
            case s.Say(text, to, publicly):
                listeners = None if to is None else e.players(to)
                made = ir.Say(e.text(text.parts, text.at), listeners, publicly, at=tree.at)
            case s.Win(players):
                made = ir.Win(None if players is None else e.players(players), at=tree.at)
            case s.Eliminate(players):
                made = ir.Eliminate(e.players(players), at=tree.at)
            case _:
                raise AssertionError(f"no check for {type(tree).__name__}")
        guards = self.guards()
        if made is None:
            return None
        if isinstance(made, ir.Draw | ir.PickRandom) or not guards:
            return made
        return evolve(made, guards=guards)

    def _cards(self, tree: s.Expr, what: str, help: str | None = None) -> ir.Expr:
        """Cards to act on: a list, one card, or nothing; `help` is what to write where they are something else."""
        e = self.expressions
        expr = e.value(tree)
        kind = t.surely(expr.type)
        if isinstance(kind, t.PerPlayer):
            return e.report("RB405", tree.at, name=written(tree))
        item = kind.item if isinstance(kind, t.ListOf) else kind
        if expr.type == t.UNKNOWN or item == t.UNKNOWN or isinstance(t.surely(item), t.Card):
            return expr
        return e.report("RB401", tree.at, help, what=what, wanted="a card or cards", got=e.words(expr.type))

    def _line(self, tree: s.Expr) -> ir.Expr:
        """Cards that lie in an order which can be arranged."""
        e = self.expressions
        listed = e.listed(tree, "What is arranged")
        place = listed.place.type if isinstance(listed, ir.Cards) else None
        if isinstance(place, t.Place) and place.kept in ("bag", "loose"):
            help = "It has no order to choose."
            e.report("RB409", tree.at, help, place=written(tree), kept=place.kept, verb="arrange")
        return listed

    def _holds(self, place: t.Place, name: str, cards: ir.Expr, at: s.At) -> None:
        """Whether a place may hold what comes there: cards, a list of them, or all that lies in another place."""
        e = self.expressions
        kind = t.surely(cards.type)
        item = t.surely(kind.item if isinstance(kind, t.ListOf) else kind)
        kinds = item.kinds if isinstance(item, t.Card) else kind.holds if isinstance(kind, t.Place) else frozenset()
        known = place.kept and not (isinstance(kind, t.Place) and not kind.kept)
        if known and not kinds <= place.holds:
            rest = e.world.family_of(kinds - place.holds)
            held = e.world.family_of(place.holds)
            help = f"It holds {held} cards. Ask what the card is first, or let the place hold more."
            e.report("RB410", at, help, place=name, got=f"{t.with_article(rest)} card")

    def _pool(self, place: ir.Expr, tree: s.Expr, source: ir.Expr, verb: str) -> None:
        """Pieces of a pool are no cards any more, so they go only to other pools."""
        e = self.expressions
        if not (isinstance(source.type, t.Place) and source.type.kept == "pool" and isinstance(place.type, t.Place)):
            return
        if place.type.kept not in ("pool", ""):
            help = f"Pieces lie in pools. Declare it `kept: pool`, or keep {written(tree)} out of this."
            e.report("RB409", tree.at, help, place=written(tree), kept=place.type.kept, verb=verb)
        else:
            self._holds(place.type, written(tree), source, tree.at)

    def _goal(self, goal: s.Destination, cards: ir.Expr) -> ir.Expr:
        e = self.expressions
        place = e.place(goal.place)
        if isinstance(place.type, t.Place):
            self._holds(place.type, written(goal.place), cards, goal.at)
            if goal.end and place.type.kept in ("loose", "bag", "slot", "pool"):
                e.report(
                    "RB409",
                    goal.at,
                    "It has no top and no bottom.",
                    place=written(goal.place),
                    kept=place.type.kept,
                    verb=goal.end,
                )
        return place

    def _move(self, what: s.Expr, goal: s.Destination, at: s.At) -> ir.Statement:
        cards = self._cards(what, "What is moved", self._all_from(what, goal))
        return ir.Move(cards, self._goal(goal, cards), goal.end, goal.face, at=at)

    def _all_from(self, what: s.Expr, goal: s.Destination) -> str | None:
        """How all that lies in one pool is moved to another; None if that is not what was written."""
        e = self.expressions
        names = {written(what).rpartition(".")[2], written(goal.place).rpartition(".")[2]}
        places = [e.world.places.get(name) for name in names]
        if goal.end or goal.face or not all(place is not None and place.kept == "pool" for place in places):
            return None
        return f"Write `move all from {written(what)} to {written(goal.place)}`: pieces in a pool are no single cards."

    def _move_from(self, count: s.Expr | None, source: s.Expr, goal: s.Destination, at: s.At) -> ir.Statement | None:
        e = self.expressions
        place = e.place(source)
        if isinstance(place.type, t.Place) and place.type.kept not in ("pool", ""):
            if count is None:
                cards = e.contents(place)
                return ir.Move(cards, self._goal(goal, cards), goal.end, goal.face, at=at)
            verb = "draw" if place.type.kept in ("bag", "pile") else "choose"
            help = f"`move n from …` takes pieces of a pool. What is kept as `{place.type.kept}`, you `{verb}`."
            e.report("RB409", source.at, help, place=written(source), kept=place.type.kept, verb="move … from")
            return None
        number = None if count is None else e.number(count, "How many")
        to = e.place(goal.place)
        self._pool(to, goal.place, place, "move … from")
        return ir.MovePieces(number, place, to, at=at)

    def _drawable(self, source: s.Expr, verb: str) -> None:
        e = self.expressions
        place = e.raw(source)
        if (
            isinstance(place.type, t.Place)
            and place.type.kept not in ("bag", "pile", "pool", "")
            and written(source) != "box"
        ):
            help = f"It has no top to take from. Write {_RANDOM.format(place=written(source))}, or `choose`."
            e.report("RB409", source.at, help, place=written(source), kept=place.type.kept, verb=verb)

    def _draw(self, tree: s.Draw) -> ir.Statement:
        e = self.expressions
        count = e.number(tree.count, "How many")
        self._drawable(tree.source, "draw")
        source = e.place(tree.source)
        kinds = source.type.holds if isinstance(source.type, t.Place) else frozenset()
        pieces = isinstance(source.type, t.Place) and source.type.kept == "pool"
        cards = ir.Const(None, type=t.UNKNOWN if pieces else t.ListOf(t.Card(kinds)))
        goal = self._goal(tree.goal, cards)
        self._pool(goal, tree.goal.place, source, "draw")
        guards = self.guards()
        many = not (isinstance(count, ir.Const) and count.value == 1)
        slot = None
        if tree.name is not None:
            slot = self.bind(tree.name, t.ListOf(t.Card(kinds)) if many else t.maybe(t.Card(kinds)))
        return ir.Draw(count, source, goal, tree.goal.end, tree.goal.face, slot, many, guards=guards, at=tree.at)

    def _each_place(self, name: s.Name) -> str:
        e = self.expressions
        place = e.world.places.get(name.text)
        if place is None or place.owner != "player":
            legal = [one.name for one in e.world.places.values() if one.owner == "player"]
            e.report("RB301", name.at, did_you_mean(name.text, legal), wanted="place of each player", name=name.text)
        return name.text

    def _swapped(self, tree: s.Expr) -> ir.Expr:
        """Two cards, two places of one card each, or two cells."""
        e = self.expressions
        expr = e.raw(tree)
        if isinstance(expr.type, t.Place) and expr.type.kept == "slot":
            return expr
        expr = e.contents(expr)
        if expr.type == t.UNKNOWN or isinstance(t.surely(expr.type), t.Card | t.Cell):
            return expr
        several = isinstance(expr.type, t.ListOf) and isinstance(t.surely(expr.type.item), t.Card)
        help = "To exchange several cards, give the ones a name with `let`, move the others, then those of that name."
        wanted, got = "a card, a slot or a cell", e.words(expr.type)
        return e.report("RB401", tree.at, help if several else None, what="What is swapped", wanted=wanted, got=got)

    def _roll(self, dice: s.Expr, at: s.At) -> ir.Statement | None:
        e = self.expressions
        cards = self._cards(dice, "What is rolled")
        kind = t.surely(cards.type)
        item = t.surely(kind.item if isinstance(kind, t.ListOf) else kind)
        if not isinstance(item, t.Card):
            return None
        for info in e.world.states.values():
            if item.kinds <= info.kinds and info.values:
                return ir.Roll(cards, info.name, at=at)
        e.report(
            "RB401",
            dice.at,
            what="What is rolled",
            wanted="a thing with a `state:` of a range or of words",
            got=e.words(item),
        )
        return None

    def _pick_random(self, tree: s.PickRandom) -> ir.Statement | None:
        e = self.expressions
        source = e.listed(tree.source, "What is picked from")
        item = t.surely(source.type.item) if isinstance(source.type, t.ListOf) else t.UNKNOWN
        count: ir.Expr | None = None
        match tree.count.how:
            case "one":
                pass
            case "exactly" if tree.count.low is not None:
                count = e.number(tree.count.low, "How many")
            case _:
                e.report("RB201", tree.at, doing="`pick`", expected="how many", found=f"`{tree.count.how}`")
        guards = self.guards()
        slots = []
        for name in tree.names:
            slots.append(self.bind(name, t.ListOf(item) if count is not None else item))
        if count is None:
            self.scope.absent |= set(slots)
        return ir.PickRandom(tuple(slots), source, count, guards=guards, at=tree.at)
