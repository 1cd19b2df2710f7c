"""Who may learn what: the pass that follows hidden things through a rulebook's scripts.

In: a checked rulebook. Out: the same rulebook with every choice that must be *quiet* marked, and messages where
something hidden would flow into what everyone sees, where a hidden thing decides who is asked in a sealed decision,
and where somebody chooses from cards they may not look at. Never: changes what a script does.

A value is *secret* when it depends on what not everyone sees. A line is *quiet* when whether it runs depends on a
secret, until a sentence that everybody notices: a card moves, something is said, a public memory is set, a stage
begins. A choice is *veiled* when how many answers it has tells something.
"""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secret_choices import Unseen
from rulebook.dsl.secret_reads import Reads
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import is_expression
from rulebook.dsl.world import World


def guard_secrets(rulebook: ir.Rulebook, world: World) -> tuple[ir.Rulebook, list[Diagnostic]]:
    """Marks quiet choices, reports leaks."""
    return _Secrets(rulebook, Reads(rulebook, world)).run()


@define
class _Entry:
    """What is known when a script begins, over all its callers."""

    quiet: bool = False
    secret: set[int] = field(factory=set)
    answer: bool = False
    """Whether what the script gives back is secret."""


@define
class _Flow:
    """What is known at one line of a script."""

    quiet: bool
    secret: set[int]
    shown: list[tuple[ir.Expr, ir.Expr]] = field(factory=list)
    everyone: frozenset[int] = frozenset()
    """The slots of loops that go through all players."""


class _Secrets:
    def __init__(self, rulebook: ir.Rulebook, reads: Reads) -> None:
        self.rulebook, self.reads = rulebook, reads
        self.entries = {name: _Entry() for name in rulebook.scripts}
        self.found: dict[tuple[str, int, int, str], Diagnostic] = {}
        self.changed = True
        self.script = ""

    def run(self) -> tuple[ir.Rulebook, list[Diagnostic]]:
        """Callers and callees until nothing new is learnt; the last round's blocks and messages count."""
        made: dict[str, ir.Script] = {}
        while self.changed:
            self.changed = False
            self.found = {}
            for name, script in self.rulebook.scripts.items():
                self.script = name
                entry = self.entries[name]
                flow = _Flow(entry.quiet, set(entry.secret))
                made[name] = evolve(script, body=self._block(script.body, flow))
        return evolve(self.rulebook, scripts=made), list(self.found.values())

    def _report(self, code: str, at: At | None, **values: Any) -> None:
        if at is not None:
            key = (code, at.start, at.end, self.script)
            section, _, rest = self.script.partition(".")
            where = f"{section.removesuffix('s')} {rest.replace('.', ', ', 1)}"
            self.found[key] = diagnose(code, at.span, where=where, **values)

    def _leak(self, expr: ir.Expr, at: At | None, flow: _Flow) -> None:
        """Something hidden in what everybody sees; of a text or a sum, the first part that is hidden."""
        parts: tuple[Any, ...] = ()
        match expr:
            case ir.Joined(parts):
                pass
            case ir.Arithmetic(_, left, right):
                parts = (left, right)
            case ir.IfElse(condition, then, otherwise):
                parts = (then, otherwise, condition)
            case ir.PlayerMemory(_, player) if self.reads.public_target(expr):
                parts = (player,)  # what everyone sees of somebody is hidden only if it is hidden who that is
        for part in parts:
            if is_expression(part) and part.at is not None and self._secret(part, flow):
                return self._leak(part, part.at, flow)
        return self._report("RB601", at, name=_words(at))

    # ── questions about expressions ──────────────────────────────────────────────────────────────────────────────

    def _secret(self, expr: ir.Expr | None, flow: _Flow) -> bool:
        return expr is not None and self.reads.secret(expr, frozenset(flow.secret))

    def _size_secret(self, expr: ir.Expr, flow: _Flow) -> bool:
        return self.reads.size_secret(expr, frozenset(flow.secret))

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, block: ir.Block, flow: _Flow) -> ir.Block:
        return tuple(self._statement(one, flow) for one in block)

    def _branch(self, block: ir.Block, flow: _Flow, *, quiet: bool) -> ir.Block:
        """A block that may not run."""
        return self._branches([block, ()], flow, quiet=quiet)[0]

    def _branches(self, blocks: list[ir.Block], flow: _Flow, *, quiet: bool) -> list[ir.Block]:
        """Blocks of which one runs: after them, what is secret or quiet at the end of any of them still is."""
        made = []
        ends = []
        for block in blocks:
            inner = _Flow(flow.quiet or quiet, set(flow.secret), list(flow.shown), flow.everyone)
            made.append(self._block(block, inner))
            # Whoever sees nothing of a block that comes to its end cannot tell whether it ran.
            inner.quiet = inner.quiet and (flow.quiet or _may_leave(block))
            ends.append(inner)
        flow.secret = set().union(*(end.secret for end in ends))
        flow.quiet = any(end.quiet for end in ends)
        return made

    def _bind(self, slot: int | None, secret: bool, flow: _Flow) -> None:
        if slot is None:
            return
        if secret:
            flow.secret.add(slot)
        else:
            flow.secret.discard(slot)

    def _noticed(self, statement: ir.Statement, flow: _Flow) -> None:
        """After a sentence that everybody notices, what follows is no longer quiet."""
        if not statement.guards:
            flow.quiet = False

    @staticmethod
    def _seen(cards: ir.Expr, flow: _Flow) -> None:
        """What a name means once everybody has seen the card it stands for."""
        if isinstance(cards, ir.PerPlayerAnswer) and isinstance(cards.player, ir.Local):
            # One open answer says nothing of the others.
            cards = cards.answers if cards.player.slot in flow.everyone else cards
        if isinstance(cards, ir.Local):
            flow.secret.discard(cards.slot)

    @staticmethod
    def _noticeable(statement: ir.Statement) -> bool:
        """A sentence of a rule that everybody notices whenever the rule runs."""
        match statement:
            case ir.Say(_, to):
                return to is None
            case ir.Move() | ir.Draw() | ir.Deal() | ir.Pass() | ir.Swap() | ir.Reveal() | ir.Show() | ir.Stage():
                return not statement.guards
        return False

    def _call(self, name: str, quiet: bool, secrets: list[bool]) -> None:
        entry = self.entries.get(name)
        if entry is None:
            return
        more = {slot for slot, secret in enumerate(secrets) if secret}
        if (quiet and not entry.quiet) or not more <= entry.secret:
            entry.quiet = entry.quiet or quiet
            entry.secret |= more
            self.changed = True

    def _hooks_of(self, hook: str, target: t.Type) -> set[str]:
        """The scripts that a hook of a target of this type may be."""
        kinds: frozenset[str] = frozenset()
        for one in t.members(target):
            kinds |= one.kinds if isinstance(one, t.Card) else frozenset()
        actions = t.ACTION in t.members(target)
        table = self.rulebook.hooks.get(hook, {})
        cards = self.rulebook.cards
        return {
            name
            for id, name in table.items()
            if (id in cards and cards[id].kind in kinds) or (actions and id not in cards)
        }

    def _statement(self, one: ir.Statement, flow: _Flow) -> ir.Statement:
        match one:
            case ir.Let(slot, value):
                self._bind(slot, self._secret(value, flow), flow)
            case ir.Assign():
                return self._assign(one, flow)
            case ir.Move(cards, goal, _, face):
                if self.reads.open_to_all(goal, face):
                    self._seen(cards, flow)
                self._noticed(one, flow)
            case ir.Draw(_, _, goal, _, face, slot, _):
                self._bind(slot, not self.reads.open_to_all(goal, face), flow)
                self._noticed(one, flow)
            case (
                ir.MovePieces() | ir.Deal() | ir.Pass() | ir.Swap() | ir.Shuffle() | ir.Roll() | ir.Cover() | ir.Show()
            ):
                if isinstance(one, ir.Show):
                    flow.shown.append((one.cards, one.to))
                self._noticed(one, flow)
            case ir.Reveal(cards):
                self._seen(cards, flow)
                self._noticed(one, flow)
            case ir.Tell() | ir.Win() | ir.Eliminate():
                self._noticed(one, flow)
            case ir.Say(text, to, publicly):
                if to is None and not publicly and self._secret(text, flow):
                    self._leak(text, text.at, flow)
                if to is None:
                    self._noticed(one, flow)
            case ir.PickRandom(slots, source, _):
                for slot in slots:
                    self._bind(slot, self._secret(source, flow), flow)
            case ir.Arrange():
                return evolve(one, quiet=flow.quiet)
            case ir.Choose():
                return self._choose(one, flow)
            case ir.ChooseEach():
                return self._choose_each(one, flow)
            case ir.Menu():
                return self._menu(one, flow)
            case ir.Offer():
                return self._offer(one, flow)
            case ir.If(condition, then, otherwise):
                quiet = self._secret(condition, flow)
                yes, no = self._branches([then, otherwise], flow, quiet=quiet)
                return evolve(one, then=yes, otherwise=no)
            case ir.ForEach(slot, listed, _, _, body, _):
                self._bind(slot, self._secret(listed, flow), flow)
                quiet = self._secret(listed, flow) or self._size_secret(listed, flow)
                if isinstance(listed, ir.Seats):
                    # There is always somebody, so what the block opens is open behind it.
                    outer, flow.everyone = flow.everyone, flow.everyone | {slot}
                    walked = self._branches([body], flow, quiet=False)[0]
                    flow.everyone = outer
                    return evolve(one, body=walked)
                return evolve(one, body=self._branch(body, flow, quiet=quiet))
            case ir.Repeat(count, _, _, body):
                return evolve(one, body=self._branch(body, flow, quiet=self._secret(count, flow)))
            case ir.Stage(_, title, until, body, publicly):
                for expr in (title, until):
                    if expr is not None and not publicly and self._secret(expr, flow):
                        self._leak(expr, expr.at, flow)
                self._noticed(one, flow)
                return evolve(one, body=self._block(body, flow))
            case ir.DoRule(script, arguments, slot):
                self._call(script, flow.quiet, [self._secret(each, flow) for each in arguments])
                if any(self._noticeable(each) for each in self.rulebook.scripts[script].body):
                    self._noticed(one, flow)
                self._bind(slot, self.entries[script].answer, flow)
            case ir.DoHook(hook, target, arguments, _, slot):
                hidden = self._secret(target, flow)
                given = [hidden, *(self._secret(each, flow) for each in arguments)]
                names = self._hooks_of(hook, target.type)
                for name in names:
                    self._call(name, flow.quiet or hidden, given)
                self._bind(slot, hidden or any(self.entries[name].answer for name in names), flow)
            case ir.Return(value):
                entry = self.entries[self.script]
                if not entry.answer and (flow.quiet or self._secret(value, flow)):
                    entry.answer = self.changed = True
            case ir.Leave() | ir.EndStage():
                pass
        return one

    def _assign(self, one: ir.Assign, flow: _Flow) -> ir.Statement:
        public = self.reads.public_target(one.target)
        if public and not one.publicly and self._secret(one.value, flow):
            self._leak(one.value, one.value.at or one.at, flow)
        if public:
            self._noticed(one, flow)
        return evolve(one, explains=self.reads.explains(one.value))

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _veiled(self, picks: tuple[ir.Pick, ...], flow: _Flow) -> bool:
        """Whether having anything to choose, or more than one thing, tells something."""
        return any(self._size_secret(source.list, flow) for pick in picks for source in pick.sources)

    def _bind_picks(self, picks: tuple[ir.Pick, ...], hidden: bool, flow: _Flow) -> None:
        for pick in picks:
            cards = [source.list for source in pick.sources if source.sort == "card"]
            unseen = any(self._secret(one, flow) and not self.reads.lies_open(one) for one in cards)
            self._bind(pick.slot, hidden or unseen, flow)

    def _visible(
        self, picks: tuple[ir.Pick, ...], player: ir.Expr, flow: _Flow, at: At | None
    ) -> tuple[ir.Pick, ...]:
        """Nobody chooses from cards they may not look at; `pick … at random` is for that. What was shown is marked."""
        return tuple(
            evolve(pick, sources=tuple(self._looked_at(source, player, flow, at) for source in pick.sources))
            for pick in picks
        )

    def _looked_at(self, source: ir.Source, player: ir.Expr, flow: _Flow, at: At | None) -> ir.Source:
        if source.sort != "card" or self.reads.may_look(source.list, player, []):
            return source
        shown = self.reads.may_look(source.list, player, flow.shown)
        if not shown:
            self._report("RB603", source.list.at or at)
        return evolve(source, shown=shown)

    def _told(self, picks: tuple[ir.Pick, ...], player: ir.Expr, flow: _Flow, at: At | None) -> None:
        """What there is to choose may tell only what the chooser may know."""
        unseen = Unseen(self.rulebook, self.reads.world, player, flow.shown)
        for source in (source for pick in picks for source in pick.sources):
            if source.sort == "card" and not self.reads.may_look(source.list, player, flow.shown):
                continue  # that is told already
            told = unseen.told_by(source.list)
            if told is not None:
                self._report("RB604", told.at or source.list.at or at, name=_words(told.at))

    def _labels_told(self, options: tuple[ir.Option, ...], player: ir.Expr, flow: _Flow) -> None:
        unseen = Unseen(self.rulebook, self.reads.world, player, flow.shown)
        for option in options:
            asked = option.condition
            if asked is not None and unseen.secret(asked, frozenset()):
                self._report("RB604", asked.at or option.label.at, name=_words(asked.at))

    def _choose(self, one: ir.Choose, flow: _Flow) -> ir.Statement:
        picks = self._visible(one.picks, one.player, flow, one.at)
        self._told(one.picks, one.player, flow, one.at)
        quiet = flow.quiet or self._secret(one.player, flow)
        veiled = self._veiled(one.picks, flow)
        self._bind_picks(one.picks, one.secretly or quiet, flow)
        # Everybody notices that something was chosen, so only the way without an answer stays quiet.
        taken = None if one.taken is None else self._branch(one.taken, flow, quiet=quiet)
        otherwise = None if one.otherwise is None else self._branch(one.otherwise, flow, quiet=quiet or veiled)
        flow.quiet = quiet
        return evolve(one, picks=picks, quiet=quiet, veiled=veiled, taken=taken, otherwise=otherwise)

    def _choose_each(self, one: ir.ChooseEach, flow: _Flow) -> ir.Statement:
        if self._secret(one.players, flow) or self._size_secret(one.players, flow):
            self._report("RB602", one.players.at or one.at)
        flow.secret.discard(one.slot)
        decider = ir.Local(one.slot, "", type=one.players.type)
        picks = self._visible(one.picks, decider, flow, one.at)
        self._told(one.picks, decider, flow, one.at)
        veiled = self._veiled(one.picks, flow)
        self._bind_picks(one.picks, one.secretly or flow.quiet, flow)
        otherwise = None if one.otherwise is None else self._branch(one.otherwise, flow, quiet=veiled)
        return evolve(one, picks=picks, quiet=flow.quiet, veiled=veiled, otherwise=otherwise)

    def _options(self, options: tuple[ir.Option, ...], flow: _Flow, *, quiet: bool) -> tuple[ir.Option, ...]:
        for option in options:
            # Everyone reads the label that was chosen.
            if not quiet and self._secret(option.label, flow):
                self._leak(option.label, option.label.at, flow)
        bodies = self._branches([option.body for option in options], flow, quiet=quiet)
        return tuple(evolve(option, body=body) for option, body in zip(options, bodies, strict=True))

    def _menu(self, one: ir.Menu, flow: _Flow) -> ir.Statement:
        self._labels_told(one.options, one.player, flow)
        veiled = any(self._secret(option.condition, flow) for option in one.options)
        quiet = flow.quiet or self._secret(one.player, flow)
        options = self._options(one.options, flow, quiet=quiet)
        otherwise = None if one.otherwise is None else self._branch(one.otherwise, flow, quiet=quiet or veiled)
        return evolve(one, quiet=quiet, veiled=veiled, options=options, otherwise=otherwise)

    def _offer(self, one: ir.Offer, flow: _Flow) -> ir.Statement:
        """A window that everybody knows of closes for everybody: nobody took it, or somebody is announced."""
        if self._secret(one.players, flow) or self._size_secret(one.players, flow):
            self._report("RB602", one.players.at or one.at)
        flow.secret.discard(one.slot)
        self._labels_told(one.options, ir.Local(one.slot, "", type=t.PLAYER), flow)
        quiet = flow.quiet
        veiled = any(self._secret(option.condition, flow) for option in one.options)
        options = self._options(one.options, flow, quiet=quiet)
        otherwise = None if one.otherwise is None else self._branch(one.otherwise, flow, quiet=quiet)
        flow.quiet = quiet
        return evolve(one, quiet=quiet, veiled=veiled, options=options, otherwise=otherwise)


def _may_leave(block: ir.Block) -> bool:
    """Whether a block can jump out of what stands around it, so that what follows depends on it."""
    for one in block:
        match one:
            case ir.Leave() | ir.Return() | ir.EndStage() | ir.Win():
                return True
            case ir.If(_, then, otherwise) if _may_leave(then) or _may_leave(otherwise):
                return True
    return False


def _words(at: At | None) -> str:
    return at.scalar.text[at.start : at.end].strip() if at else "this"
