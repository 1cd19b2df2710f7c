"""What an expression reads that not everyone sees: the questions behind `rulebook.dsl.secrets`.

In: IR expressions and which locals are secret. Out: yes or no. Two questions are kept apart: whether a *value*
depends on something hidden, and whether the *number* of things in a list does (everyone may count a hand they cannot
see). Never: follows statements.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import children
from rulebook.dsl.world import World

Slots = frozenset[int]
NOBODY = -1  # the slot of a player whom a function does not know


class Reads:
    """Answers for one rulebook; what functions read is worked out once for each combination of secret arguments."""

    def __init__(self, rulebook: ir.Rulebook, world: World) -> None:
        self.rulebook, self.world = rulebook, world
        self._known: dict[tuple[str, Slots, bool], bool] = {}
        self._explained: dict[str, bool] = {}

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def secret(self, expr: ir.Expr, slots: Slots) -> bool:
        """Whether the value depends on what not everyone sees."""
        match expr:
            case ir.Local(slot, _):
                return slot in slots
            case ir.TableMemory(name):
                return self.world.memories[name].seen_by != "everyone"
            case ir.PlayerMemory(name, player):
                return self.world.memories[name].seen_by != "everyone" or self.secret(player, slots)
            case ir.State(name, card):
                state = self.rulebook.states.get(name)
                face = state is None or state.with_face
                return self.secret(card, slots) if face else self._where_secret(card, slots)
            case ir.Cards(place) | ir.TheCard(place):
                return self._hidden(place) or self._owner_secret(place, slots)
            case ir.Pieces(place):
                return self._owner_secret(place, slots)
            case ir.IsEmpty(inner) | ir.IsNothing(inner):
                return self.size_secret(inner, slots)
            case ir.IsFaceUp(card):
                return self._where_secret(card, slots)
            case ir.BuiltIn("count" | "any", (inner,)) if not isinstance(inner, ir.Each) or inner.flat:
                return self.size_secret(inner, slots)
            case ir.BuiltIn("holder", (inner,)):
                return not isinstance(inner, ir.Local) or inner.slot in slots
            case ir.Filter(listed, slot, condition):
                if asks_face_up(condition, slot) and self._shows_faces(listed):
                    return self.size_secret(listed, slots) or self.secret(condition, slots)
                inside = slots | {slot} if self.secret(listed, slots) else slots
                return self.secret(listed, slots) or self.secret(condition, inside)
            case ir.Each(listed, slot, body, _):
                inside = slots | {slot} if self.secret(listed, slots) else slots
                return self.size_secret(listed, slots) or self.secret(body, inside)
            case ir.Sorted(listed, slot, keys) | ir.Best(listed, slot, keys):
                inside = slots | {slot} if self.secret(listed, slots) else slots
                return self.secret(listed, slots) or any(self.secret(key.value, inside) for key in keys)
            case ir.CallValue(name, arguments):
                return self._function(name, [self.secret(one, slots) for one in arguments], size=False)
            case ir.AskHook(hook, target, arguments):
                given = [self.secret(one, slots) for one in (target, *arguments)]
                named = set(self.rulebook.hooks.get(hook, {}).values())
                return given[0] or any(self._function(name, given, size=False) for name in named)
            case _:
                return any(self.secret(one, slots) for one in children(expr))

    def size_secret(self, expr: ir.Expr, slots: Slots) -> bool:
        """Whether how many there are depends on what not everyone sees."""
        match expr:
            case ir.Local(slot, _):
                return slot in slots
            case ir.Cards(place) | ir.TheCard(place):
                uncounted = isinstance(place, ir.PlaceOf) and not self.world.places[place.name].count_open
                return uncounted or self._owner_secret(place, slots)
            case ir.Listed(items):
                return any(self.size_secret(one, slots) for one in items if isinstance(one, ir.TheCard))
            case ir.Filter(listed, slot, condition):
                hidden = self.secret(listed, slots) and not (
                    asks_face_up(condition, slot) and self._shows_faces(listed)
                )
                inside = slots | {slot} if hidden else slots
                return self.size_secret(listed, slots) or self.secret(condition, inside)
            case ir.IfElse(condition, then, otherwise):
                return self.secret(condition, slots) or any(self.size_secret(one, slots) for one in (then, otherwise))
            case ir.Chain(first, second):
                return self.size_secret(first, slots) or self.size_secret(second, slots)
            case ir.Each(listed, slot, body, flat):
                left_out = t.may_be_nothing(body.type) and self.secret(body, slots)
                return self.size_secret(listed, slots) or left_out or (flat and self.size_secret(body, slots))
            case ir.Sorted(listed, _, _):
                return self.size_secret(listed, slots)
            case ir.CallValue(name, arguments):
                return self._function(name, [self.secret(one, slots) for one in arguments], size=True)
            case _:
                return self.secret(expr, slots)

    def _function(self, name: str, given: list[bool], *, size: bool) -> bool:
        function = self.rulebook.functions.get(name)
        if function is None:
            return False
        slots = frozenset(slot for slot, secret in enumerate(given) if secret)
        key = (name, slots, size)
        if key not in self._known:
            self._known[key] = False  # a function never reaches itself; this only guards broken ones
            ask = self.size_secret if size else self.secret
            match function.body:
                case ir.Conditions(lines) | ir.Total(lines):
                    self._known[key] = any(self.secret(line.value, slots) for line in lines)
                case tuple() as block:
                    self._known[key] = self._block(block, slots)
                case body:
                    self._known[key] = ask(body, slots)
        return self._known[key]

    def _block(self, block: ir.Block, slots: Slots) -> bool:
        """A pure script is secret when anything it reads is: it is short, and nothing finer is needed."""
        for one in block:
            match one:
                case ir.Let(slot, value):
                    slots = slots | {slot} if self.secret(value, slots) else slots
                case ir.Return(value):
                    if value is not None and self.secret(value, slots):
                        return True
                case ir.If(condition, then, otherwise):
                    if self.secret(condition, slots) or self._block(then, slots) or self._block(otherwise, slots):
                        return True
                case ir.ForEach(slot, listed, _, _, body, _):
                    inside = slots | {slot} if self.secret(listed, slots) else slots
                    if self.size_secret(listed, slots) or self._block(body, inside):
                        return True
                case _:
                    continue
        return False

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _hidden(self, place: ir.Expr) -> bool:
        return not isinstance(place, ir.PlaceOf) or not self.world.places[place.name].open

    def _shows_faces(self, listed: ir.Expr) -> bool:
        """Whether of each card in a list everyone can tell that it lies face up, and then sees it: not in a pile."""
        match listed:
            case ir.Cards(ir.PlaceOf(name, _)):
                return self.world.places[name].kept != "pile"
            case ir.BuiltIn("first", (ir.Cards(ir.PlaceOf()),)):
                return True  # of a pile, everyone sees the top one
            case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Each(_, _, inner):
                return self._shows_faces(inner)
            case ir.Chain(first, second):
                return self._shows_faces(first) and self._shows_faces(second)
        return False

    def _owner_secret(self, place: ir.Expr, slots: Slots) -> bool:
        if isinstance(place, ir.PlaceOf):
            return place.owner is not None and self.secret(place.owner, slots)
        return self.secret(place, slots)

    def _where_secret(self, card: ir.Expr, slots: Slots) -> bool:
        """Whether *which position* is meant depends on a secret; what lies on top of a card everyone sees."""
        match card:
            case ir.TheCard(place) | ir.Cards(place):
                return self._owner_secret(place, slots)
            case ir.Local():
                return False
        return self.secret(card, slots)

    def lies_open(self, listed: ir.Expr) -> bool:
        """Whether the cards of a list are such that everyone sees them wherever they may lie, whoever lists them."""
        kinds: frozenset[str] = frozenset()
        for one in t.members(listed.type.item if isinstance(listed.type, t.ListOf) else t.UNKNOWN):
            if not isinstance(one, t.Card):
                return False
            kinds |= one.kinds
        return bool(kinds) and all(place.open for place in self.world.places.values() if place.holds & kinds)

    def open_to_all(self, goal: ir.Expr, face: str) -> bool:
        """Whether a card that arrives there is seen by everyone."""
        if face:
            return face == "up"
        if isinstance(goal, ir.PlaceOf):
            return self.world.places[goal.name].arrives_up
        return False

    def public_target(self, target: ir.Expr) -> bool:
        """Whether everyone sees what is set."""
        match target:
            case ir.TableMemory(name) | ir.PlayerMemory(name, _):
                return self.world.memories[name].seen_by == "everyone"
            case ir.State(name, _):
                state = self.rulebook.states.get(name)
                return state is not None and not state.with_face
        return False

    def may_look(self, listed: ir.Expr, player: ir.Expr, shown: list[tuple[ir.Expr, ir.Expr]]) -> bool:
        """Whether the player may look at every card of the list, or can point at its position."""
        match listed:
            case ir.Cards(ir.PlaceOf(name, owner) as place) | ir.TheCard(ir.PlaceOf(name, owner) as place):
                info = self.world.places[name]
                if info.open or info.kept in ("row", "grid", "slot"):
                    return True
                if info.open_to_owner and owner is not None and same_player(owner, player):
                    return True
                return any(same_place(cards, place) and includes(to, player) for cards, to in shown)
            case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Best(inner, _, _):
                return self.may_look(inner, player, shown)
            case ir.Chain(first, second):
                return self.may_look(first, player, shown) and self.may_look(second, player, shown)
            case ir.CallValue(name, arguments):
                function = self.rulebook.functions.get(name)
                if function is None or not isinstance(function.body, ir.Node):
                    return True
                # Inside, the chooser has another name, or none: slots of two scripts have nothing in common.
                slot = next((at for at, one in enumerate(arguments) if same_player(one, player)), NOBODY)
                return self.may_look(function.body, ir.Local(slot, "", type=player.type), [])
            case _:
                return True

    # ── explanations ─────────────────────────────────────────────────────────────────────────────────────────────

    def explains(self, expr: ir.Expr) -> bool:
        """Whether the expression reaches named conditions or sums, through values and hooks too."""
        match expr:
            case ir.CallValue(name, _) if self._reaches(name):
                return True
            case ir.AskHook(hook, _, _):
                if any(self._reaches(name) for name in set(self.rulebook.hooks.get(hook, {}).values())):
                    return True
        return any(self.explains(one) for one in children(expr))

    def _reaches(self, name: str) -> bool:
        if name not in self._explained:
            self._explained[name] = False
            function = self.rulebook.functions.get(name)
            match function and function.body:
                case ir.Conditions() | ir.Total():
                    self._explained[name] = True
                case ir.Node() as body:
                    self._explained[name] = self.explains(body)
        return self._explained[name]


def asks_face_up(condition: ir.Expr, slot: int) -> bool:
    """Whether only what lies face up can meet a condition."""
    match condition:
        case ir.And(left, right):
            return asks_face_up(left, slot) or asks_face_up(right, slot)
        case ir.IsFaceUp(ir.Local(asked, _)):
            return asked == slot
    return False


def same_place(shown: ir.Expr, place: ir.PlaceOf) -> bool:
    """Whether the cards shown are those of the place."""
    return isinstance(shown, ir.Cards) and shown.place == place


def same_player(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two expressions surely mean one player."""
    if isinstance(one, ir.Local) and isinstance(other, ir.Local):
        return one.slot == other.slot
    return one == other


def includes(to: ir.Expr, player: ir.Expr) -> bool:
    """Whether a player is surely among those to whom something is shown."""
    listed = to.items if isinstance(to, ir.Listed) else (to,)
    return isinstance(to, ir.Seats) or any(same_player(one, player) for one in listed)
