"""What being asked tells whoever chooses: the options of a choice may depend only on what the chooser may know.

In: a choice's expressions, who chooses, and what was shown. Out: the smallest part that reads what the chooser may not
see. Never: follows statements, or speaks of a name that was bound before, of what cards and actions answer about
themselves, or of the cards that are chosen from (to look at those is another matter).
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.dsl import ir
from rulebook.dsl.secret_reads import NOBODY, Reads, Slots, asks_face_up, includes, same_place, same_player
from rulebook.dsl.world import World

Shown = Sequence[tuple[ir.Expr, ir.Expr]]
"""Cards, and to whom they were shown."""


class Unseen(Reads):
    """The questions of `Reads`, as one player asks them: secret is what this player may not see."""

    def __init__(self, rulebook: ir.Rulebook, world: World, player: ir.Expr, shown: Shown = ()) -> None:
        super().__init__(rulebook, world)
        self.player, self.shown = player, shown

    # ── the options of a choice ──────────────────────────────────────────────────────────────────────────────────

    def told_by(self, options: ir.Expr, slots: Slots = frozenset()) -> ir.Expr | None:
        """What a list of options would tell: a condition, a number. None if it tells nothing new."""
        match options:
            case ir.Filter(listed, slot, condition):
                hidden = self.secret(listed, slots) and not (
                    asks_face_up(condition, slot) and self._shows_faces(listed)
                )
                told = self.told_by(listed, slots)
                if told is None and self.secret(condition, slots | {slot} if hidden else slots):
                    return condition
                return told
            case ir.Chain(first, second):
                return self.told_by(first, slots) or self.told_by(second, slots)
            case ir.Sorted(listed) | ir.Best(listed):
                return self.told_by(listed, slots)
            case ir.IfElse(condition, then, otherwise):
                if self.secret(condition, slots):
                    return condition
                return self.told_by(then, slots) or self.told_by(otherwise, slots)
            case ir.CallValue(name, arguments):
                function = self.rulebook.functions[name]
                if isinstance(function.body, ir.Node):
                    hidden_slots = frozenset(at for at, one in enumerate(arguments) if self.secret(one, slots))
                    told = self._inside(arguments).told_by(function.body, hidden_slots)
                    return None if told is None else options
                return None
            case ir.Cards() | ir.TheCard() | ir.Local() | ir.Listed() | ir.PerPlayerAnswer() | ir.AllCards():
                return None
            case ir.Span():
                return options if self.secret(options, slots) else None
        return None

    # ── questions, asked by this player ──────────────────────────────────────────────────────────────────────────

    def secret(self, expr: ir.Expr, slots: Slots) -> bool:
        """Whether the value depends on what this player may not see."""
        match expr:
            case ir.AskHook():
                return False
            case ir.PlayerMemory(name, player) if self._is_chooser(player):
                return self.world.memories[name].seen_by == "nobody"
            case ir.CallValue(name, arguments):
                return self._asked(name, arguments, slots, size=False)
            case ir.IsNothing(ir.PlayerMemory() as memory):
                return self.secret(memory, slots)
        return super().secret(expr, slots)

    def size_secret(self, expr: ir.Expr, slots: Slots) -> bool:
        """Whether how many there are depends on what this player may not see."""
        match expr:
            case ir.Cards(place) | ir.TheCard(place) if not self._hidden(place):
                return False
            case ir.CallValue(name, arguments):
                return self._asked(name, arguments, slots, size=True)
        return super().size_secret(expr, slots)

    def _asked(self, name: str, arguments: tuple[ir.Expr, ...], slots: Slots, *, size: bool) -> bool:
        given = [self.secret(one, slots) for one in arguments]
        return self._inside(arguments)._function(name, given, size=size)

    def _inside(self, arguments: tuple[ir.Expr, ...]) -> Unseen:
        """The same player inside a value, where it has the name of a parameter, or none."""
        slot = next((at for at, one in enumerate(arguments) if self._is_chooser(one)), NOBODY)
        return Unseen(self.rulebook, self.world, ir.Local(slot, "", type=self.player.type))

    def _is_chooser(self, player: ir.Expr) -> bool:
        return same_player(player, self.player)

    def _hidden(self, place: ir.Expr) -> bool:
        if not isinstance(place, ir.PlaceOf):
            return True
        info = self.world.places[place.name]
        if info.open or (info.open_to_owner and place.owner is not None and self._is_chooser(place.owner)):
            return False
        return not any(same_place(cards, place) and includes(to, self.player) for cards, to in self.shown)
