"""What everybody sees happen, and what that tells of the way a script came there: the flows that no value carries.

In: the conditions that a script has passed, and its sentences. Out: RB605, where a trace would tell all how a question
about something hidden came out. Never: marks anything; what happens is the same with or without a message.

A *trace* is what the program does in the sight of all: it sets a memory, says something, moves pieces or cards that
all see anyway, rolls dice that lie open, begins or ends a stage, eliminates somebody. What hands do with hidden cards
(draw, deal, reveal, move) is none: a rule that moves such cards says by itself that all see them move (decision 30).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulebook.diagnostics import Label
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.choices import Chooser
from rulebook.dsl.secrets.flow import Entry, Flow, Following
from rulebook.dsl.secrets.knowers import EVERYONE, NOTHING_HIDDEN, PUBLIC, Held, Kept, Secret, learnt
from rulebook.dsl.secrets.paths import NOTHING_OPENED, Answer, Opened, Path
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything


class Traces(Following):
    """Follows what traces would tell, beside what is known."""

    def __init__(self, rulebook: ir.Rulebook, reads: Reads) -> None:
        super().__init__(rulebook, reads)
        self.remembered: set[str] = set()
        """Hidden memories that hold what nothing has told; of `kept`, those that traces do not give away."""
        self.looked_again = False

    def look_again(self) -> None:
        """Go through all once more, if what scripts lay open was not known yet when others were gone through."""
        if self.looked_again or not any(one.opened is not NOTHING_OPENED for one in self.entries.values()):
            return
        self.looked_again = True
        self.remembered.clear()
        for one in self.entries.values():
            one.traced = PUBLIC
        self.stale |= self.entries.keys()

    # ── conditions ───────────────────────────────────────────────────────────────────────────────────────────────

    def untold(self, expr: ir.Expr | None, flow: Flow) -> Secret:
        """What an expression depends on that not all have seen or heard."""
        if expr is None or not (secret := self.value(expr, flow)) or flow.path.opened.answers_to(expr):
            return PUBLIC
        match expr:
            case ir.Not(value):
                return self.untold(value, flow)
            case ir.And(left, right) | ir.Or(left, right):
                return self.untold(left, flow) | self.untold(right, flow)
            case ir.Compare(_, left, right) | ir.Arithmetic(_, left, right):
                return self.untold(left, flow) | self.untold(right, flow)
            case ir.IsNothing(value) | ir.IsEmpty(value) if flow.path.opened.answers_to(value):
                return PUBLIC
            case ir.IsNothing(ir.Local(slot)) | ir.IsEmpty(ir.Local(slot)) if slot in flow.path.announced:
                return PUBLIC
            case ir.Local(slot) if slot in flow.path.announced and not _card_kinds(expr.type):
                return PUBLIC
            case ir.IsKind(ir.Local(slot) as chosen, kinds) | ir.IsCard(ir.Local(slot) as chosen, _, kinds) if (
                slot in flow.path.announced and (not kinds or _card_kinds(chosen.type) <= kinds)
            ) and not (isinstance(expr, ir.IsCard) and kinds):
                return PUBLIC  # everybody hears whether a card was chosen, or which action
        return self.not_shown(secret, flow)

    def untold_list(self, listed: ir.Expr, flow: Flow) -> Secret:
        """What it depends on how much stands in a list."""
        if flow.path.opened.answers_to(listed) or not (secret := self.size(listed, flow)):
            return PUBLIC
        return self.not_shown(secret, flow)

    def untold_target(self, target: ir.Expr, flow: Flow) -> Secret:
        """The same of whose effect happens: which card somebody has chosen openly, is theirs to tell."""
        if isinstance(target, ir.Local) and target.slot in flow.path.announced:
            return PUBLIC
        return self.untold(target, flow)

    def not_shown(self, secret: Secret, flow: Flow) -> Secret:
        """What is left of a secret after all that everybody has seen."""
        return frozenset(one for one in secret if not (isinstance(one, Kept) and self._is_shown(one, flow)))

    def _is_shown(self, one: Kept, flow: Flow) -> bool:
        # A memory that everyone can keep in mind, since all that changes it is seen by all, is no secret.
        followed = one.name in self.world.memories and one.name not in self.remembered
        return followed or EVERYONE in one.knowers or flow.path.opened.covers(one)

    def willing(self, chooser: Chooser, flow: Flow) -> Path:
        """The way into what somebody may do or leave: of what they know, they tell as much as they like."""
        path = flow.path.below()
        path.hidden = frozenset(one for one in path.hidden if chooser.may_not_know(frozenset({one})))
        return path

    # ── traces ───────────────────────────────────────────────────────────────────────────────────────────────────

    def noticed(self, statement: ir.Statement, flow: Flow) -> None:
        """A sentence that everybody notices: perhaps a trace. Nothing of the way is hidden after it."""
        super().noticed(statement, flow)
        match statement:
            case ir.Assign(target, value, _, publicly):
                whose = target.player if isinstance(target, ir.PlayerMemory) else None
                self._trace(statement, flow, whose, publicly=publicly)
                if publicly:
                    self._told(value, flow)
            case ir.Say(text, _, publicly):
                self._trace(statement, flow, publicly=publicly)
                if publicly:
                    self._told(text, flow)
            case ir.Stage():
                self._trace(statement, flow, publicly=statement.publicly)
            case ir.EndStage():
                self._trace(statement, flow)
            case ir.MovePieces(count, source, goal):
                self._trace(statement, flow, count, _player(source), _player(goal))
            case ir.Eliminate(players):
                self._trace(statement, flow, players)
            case ir.Roll(_, state) if not self.rulebook.states[state].with_face:
                self._trace(statement, flow)
            case ir.Move(cards, goal) if not self._hides(cards, flow):
                self._trace(statement, flow, _player(goal))
            case ir.Swap(first, second) if not self._hides(first, flow) and not self._hides(second, flow):
                self._trace(statement, flow)
            case ir.Draw(count) | ir.Deal(count):
                self._parts(statement, flow, count)
            case ir.Reveal(cards):
                self._laid_open(cards, flow)
            case ir.Tell(ir.Seats(), question):
                self._told(question, flow)
        if flow.path.announced.issuperset(statement.guards) and not _may_do_nothing(statement):
            flow.path.hidden = PUBLIC
            if flow.known.names:
                self._named(statement, flow)

    def _named(self, statement: ir.Statement, flow: Flow) -> None:
        """Whom a sentence is about that everybody notices, everybody knows."""
        for one in everything(statement):
            if isinstance(one, ir.Local) and one.type == t.PLAYER and flow.known.of(one.slot) is not NOTHING_HIDDEN:
                self.learn(one, flow, lambda secret: learnt(secret, EVERYONE))

    def _trace(
        self, statement: ir.Statement, flow: Flow, *parts: ir.Expr | None, publicly: bool = False
    ) -> None:
        """Everybody sees this happen, and these parts of it."""
        if publicly:
            self._excuse(flow.path, None)
        elif self._leaks(statement):
            pass  # it is an error, whether it is reached or not
        elif hidden := self.not_shown(flow.path.hidden, flow):
            asked = flow.path.asked
            labels = () if asked is None else (Label(asked.span, "what not everybody may see is asked here"),)
            self._leaves_trace(statement.at, labels, hidden, flow.path)
        else:
            self._parts(statement, flow, *parts)

    def _parts(self, statement: ir.Statement, flow: Flow, *parts: ir.Expr | None) -> None:
        for part in parts:
            if part is not None and (hidden := self.untold(part, flow)):
                self._leaves_trace(part.at or statement.at, (), hidden, flow.path)

    def _leaves_trace(self, at: At | None, labels: tuple[Label, ...], hidden: Secret, path: Path) -> None:
        if at is not None:
            self.report("RB605", at, labels=labels)
            path.found.append((("RB605", at.span.file.name, at.start, at.end, self.script), hidden))

    def _leaks(self, statement: ir.Statement) -> bool:
        at = statement.at
        return at is not None and any(
            code == "RB601" and file == at.span.file.name and at.start <= start and end <= at.end
            for code, file, start, end, _ in self.found[self.script]
        )

    def _hides(self, cards: ir.Expr, flow: Flow) -> bool:
        """Whether not everybody can tell which cards these are, or whether there are any."""
        return self.is_secret(cards, flow) or bool(self.size(cards, flow))

    def _excuse(self, path: Path, opened: Iterable[str] | None) -> None:
        """What is laid open in one breath with a trace is not told by the trace; None is said to be meant."""
        names = None if opened is None else frozenset(opened)
        left = []
        for key, hidden in path.found:
            if names is None or all(isinstance(one, Kept) and one.name in names for one in hidden):
                self.found[self.script].pop(key, None)
            else:
                left.append((key, hidden))
        path.found = left

    def stage_ends(self, statement: ir.EndStage, flow: Flow) -> None:
        """A stage comes to its end, and with it this block."""
        self._trace(statement, flow)
        flow.path.hidden = PUBLIC

    def asked(self, player: ir.Expr | None, flow: Flow) -> None:
        """Somebody is asked, here and not there."""
        flow.path.found = []
        flow.path.hidden |= self.untold(player, flow)

    def unanswered(self, one: ir.Choose | ir.ChooseEach | ir.Menu, veiled: Secret, asked: Path, flow: Flow) -> Path:
        """The way to what happens without an answer: could not looks like would not, if one may."""
        without = asked.below(PUBLIC if one.may else self.not_shown(veiled, flow), one.at)
        without.begun = asked.hidden
        return without

    def answered(self, without: Path, picks: Sequence[ir.Pick], flow: Flow, *, openly: bool) -> None:
        """All have heard whether something was chosen, unless that is quiet."""
        flow.path.hidden -= without.hidden - without.begun
        if openly and not flow.path.hidden:
            flow.path.announced |= {one.slot for one in picks}

    # ── what is laid open ────────────────────────────────────────────────────────────────────────────────────────

    def seen_by_all(self, cards: ir.Expr, flow: Flow) -> None:
        """Everybody has seen these cards."""
        if isinstance(cards, ir.Local) and flow.path.found:
            held = flow.known.of(cards.slot)
            self._excuse(flow.path, [one.name for one in held.value | held.cards if isinstance(one, Kept)])
        super().seen_by_all(cards, flow)

    def _laid_open(self, cards: ir.Expr, flow: Flow) -> None:
        shown = [one for one in self.reads.cards(cards, flow.known) if isinstance(one, Kept)]
        self._excuse(flow.path, [one.name for one in shown])
        flow.path.opened |= Opened(frozenset((one.name, one.of) for one in shown))

    def _told(self, expr: ir.Expr, flow: Flow) -> None:
        """Everybody has heard this value, and each part of a text."""
        parts = expr.parts if isinstance(expr, ir.Joined) else (expr,)
        flow.path.opened |= Opened(answers=frozenset(Answer.of(one) for one in parts if isinstance(one, ir.Node)))
        for one in parts:
            if isinstance(one, ir.Local):
                self.learn(one, flow, lambda secret: learnt(secret, EVERYONE))

    def remembers(self, target: ir.Expr, secret: Secret, flow: Flow) -> None:
        """A hidden memory is set: can all follow what it is now?"""
        match target:
            case ir.PlayerMemory(name, player):
                secret |= self.untold(player, flow)
            case ir.TableMemory(name):
                pass
            case _:
                return
        if name not in self.remembered and self.not_shown(secret, flow):
            self.remembered.add(name)
            self.stale |= self.entries.keys()

    # ── names and calls ──────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, slot: int | None, held: Held, flow: Flow) -> None:
        """A name gets a value."""
        super().bind(slot, held, flow)
        if slot is not None:
            flow.path.opened = flow.path.opened.without(slot)
            flow.path.announced -= {slot}

    def came_back(self, entries: Sequence[Entry], arguments: Sequence[ir.Expr], flow: Flow) -> None:
        """After a call of one of these scripts: what all have seen, whichever it was."""
        opened = entries[0].opened if entries else NOTHING_OPENED
        for one in entries[1:]:
            opened &= one.opened
        if opened is not NOTHING_OPENED:
            flow.path.opened |= opened.called_with(arguments)

    def ended(self, script: ir.Script, flow: Flow) -> None:
        """A script has come to its end: what all have seen in it, for its callers."""
        entry = self.entries[script.name]
        opened = entry.opened | flow.path.opened.handed_back(script.parameters)
        if opened != entry.opened:
            entry.opened = opened
            self.stale |= self.askers.get(script.name, set())


def _may_do_nothing(statement: ir.Statement) -> bool:
    """Whether a sentence that everybody notices may have nothing to do, and then nobody notices anything."""
    match statement:
        case ir.Shuffle() | ir.Cover() | ir.Pass():
            return True
        case ir.Move(cards):
            return isinstance(cards.type, t.ListOf) or t.may_be_nothing(cards.type)
    return False


def _player(place: ir.Expr) -> ir.Expr | None:
    owner = place.owner if isinstance(place, ir.PlaceOf) else None
    return owner if owner is not None and t.PLAYER in t.members(owner.type) else None


def _card_kinds(of: t.Type) -> frozenset[str]:
    return frozenset[str]().union(*(one.kinds for one in t.members(of) if isinstance(one, t.Card)))
