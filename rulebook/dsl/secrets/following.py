"""Who may learn what: the pass that follows hidden things through a rulebook's scripts.

In: a checked rulebook. Out: the same rulebook with every choice that must be *quiet* marked, and messages where
something hidden would flow into what everyone sees, where a hidden thing decides who is asked in a sealed decision,
and where somebody chooses from cards they may not look at. Never: changes what a script does.

A value is *secret* when it depends on what not everyone sees; of each secret it is followed who knows it. A line is
*quiet* when whether it runs depends on a secret, until a sentence that everybody notices: a card moves, something is
said, a public memory is set, a stage begins. A choice is *veiled* when how many answers it has tells something.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, TypeVar, cast

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.naming.layer_names import is_beneath
from rulebook.dsl.secrets.explanations import Explanations
from rulebook.dsl.secrets.flow import MOST_WAYS, Flow, Handing
from rulebook.dsl.secrets.knowers import (
    EVERYONE,
    NOTHING_HIDDEN,
    PUBLIC,
    Held,
    Known,
    Secret,
    answered_by,
    forget,
    holding,
    inside,
    known_to,
    outside,
    wholly,
)
from rulebook.dsl.secrets.paths import Path, escapes
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.secrets.sight import public_target
from rulebook.dsl.secrets.traces import Traces
from rulebook.dsl.syntax import At
from rulebook.dsl.world import World

_One = TypeVar("_One")


def guard_secrets(rulebook: ir.Rulebook, world: World) -> tuple[ir.Rulebook, list[Diagnostic]]:
    """Marks quiet choices, reports leaks."""
    secrets = _Secrets(rulebook, Reads(rulebook, world))
    secrets.settle()
    return evolve(rulebook, scripts=secrets.made), secrets.said(secrets.made)


class _Secrets(Traces):
    def __init__(self, rulebook: ir.Rulebook, reads: Reads) -> None:
        super().__init__(rulebook, reads)
        self.explanations = Explanations(rulebook)
        self.made = dict(rulebook.scripts)

    def settle(self) -> None:
        """Callers and callees until nothing new is learnt; of each script, what was made and found last counts."""
        while self.stale:
            for name, script in self.rulebook.scripts.items():
                if name in self.stale:
                    self.stale.discard(name)
                    self.script, self.found[name] = name, {}
                    entry = self.entries[name]
                    flow = Flow(entry.quiet, Known(entry.given), path=Path(entry.traced))
                    self.made[name] = self._marked(script, body=self._block(script.body, flow))
                    self.ended(script, flow)
            if not self.stale:
                self.look_again()

    def said(self, names: Iterable[str]) -> list[Diagnostic]:
        """The messages about these scripts."""
        found: dict[object, Diagnostic] = {}
        for name in names:
            for key, one in self._traced(name).items():
                found.setdefault(key, one)  # what several scripts ask of one function is told once
        return list(found.values())

    def _traced(self, name: str) -> dict[tuple[str, str, int, int, str], Diagnostic]:
        """What was found in a script; what would not be if everybody could tell that it runs says also from where."""
        found, ways = self.found[name], self.entries[name].ways
        if not found or not ways:
            return found
        order = {script: number for number, script in enumerate(self.rulebook.scripts)}
        first = [ways[key] for key in sorted(ways, key=lambda key: (order.get(key[0], len(order)), key))][:MOST_WAYS]
        self.script, self.found[name] = name, {}
        self._block(self.rulebook.scripts[name].body, Flow(PUBLIC, Known(self.entries[name].given)))
        labels = tuple(Label(at.span, "it is run from here, and not everyone can tell that it is") for at in first)
        return {
            key: one if key in self.found[name] else evolve(one, labels=(*one.labels, *labels))
            for key, one in found.items()
        }

    def _marked(self, one: _One, **marks: Any) -> _One:
        """With marks for who plays the game."""
        record: Any = one
        return cast(_One, evolve(record, **marks))

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _block(self, block: ir.Block, flow: Flow) -> ir.Block:
        made = [self._statement(one, flow) for one in block]
        return tuple(made)

    def _branch(self, block: ir.Block, flow: Flow, quiet: Secret, path: Path | None = None) -> ir.Block:
        """A block that may not run."""
        return self._branches([block, ()], flow, quiet, path)[0]

    def _branches(
        self, blocks: list[ir.Block], flow: Flow, quiet: Secret = PUBLIC, path: Path | None = None
    ) -> list[ir.Block]:
        """Blocks of which one runs, each by this path: after them, what is secret or quiet at the end of any of them
        still is.
        """
        made: list[ir.Block] = []
        ways: list[tuple[ir.Block, Path]] = []
        known: Known | None = None
        quiet_after = PUBLIC
        for block in blocks:
            inner = Flow(flow.quiet | quiet, flow.known, flow.everyone, (path or flow.path).below())
            made.append(self._block(block, inner))
            ways.append((block, inner.path))
            known = inner.known if known is None else known.beside(inner.known)
            # Whoever sees nothing of a block that comes to its end cannot tell whether it ran.
            if flow.quiet or escapes(block):
                quiet_after |= inner.quiet
        flow.known, flow.quiet = known or flow.known, quiet_after
        flow.path.meet(ways, path)
        return made

    def _rounds(
        self, blocks: list[ir.Block], flow: Flow, quiet: Secret, each: tuple[int, Held] | None, path: Path
    ) -> ir.Block:
        """A block that runs again and again: what one round leaves behind is known in the next one."""
        begun_quiet = was_quiet = flow.quiet
        before = flow.known
        way, was_hidden = path, flow.path.hidden
        if each is not None:
            # Else the name of the loop alone would be reason enough for a second round.
            before = before.beside(before.again(*each))
        while True:
            flow.quiet = begun_quiet
            flow.known = before if each is None else before.again(*each)
            if each is not None:
                way.opened = flow.path.opened = flow.path.opened.without(each[0])
            flow.path.hidden = was_hidden
            made = self._branches(blocks, flow, quiet, way)
            met, hidden = before.beside(flow.known), flow.path.hidden - was_hidden
            next_quiet = begun_quiet | flow.quiet if escapes(blocks[0], skips=False) else begun_quiet
            if met == before and hidden <= way.hidden and next_quiet == begun_quiet:
                # Behind the loop, it no longer matters which round was the last.
                if not escapes(blocks[0], 1):
                    flow.path.hidden -= hidden
                    flow.quiet &= was_quiet
                return made[0]
            before, way.hidden, begun_quiet = met, way.hidden | hidden, next_quiet

    def _noticeable(self, statement: ir.Statement, *, layer: bool = True) -> bool:
        """A sentence of a rule that everybody notices whenever the rule runs.

        What a `layer` does by itself, be it `original`, everybody notices as if its sentences stood there.
        """
        match statement:
            case ir.DoRule(script) if not statement.guards:
                return (script, layer and is_beneath(script)) in self._noticed
            case ir.Say(_, to):
                return to is None
            case ir.Assign(target) if layer:
                return not statement.guards and public_target(self.rulebook, self.world, target)
            case ir.Move() | ir.Draw() | ir.Deal() | ir.Pass() | ir.Swap() | ir.Reveal() | ir.Show() | ir.Stage():
                return not statement.guards
        return False

    @cached_property
    def _noticed(self) -> set[tuple[str, bool]]:
        """The rules that have such a sentence, or do a rule that has; apart as layers and as what else they may be.

        A worklist from those that have one to those that do them: rules can be many, and do one another in circles.
        """
        callers: dict[tuple[str, bool], list[tuple[str, bool]]] = {}
        left: list[tuple[str, bool]] = []
        for name, rule in self.rulebook.scripts.items():
            for layer in (False, True):
                for one in rule.body:
                    match one:
                        case ir.DoRule(script) if not one.guards:
                            callers.setdefault((script, layer and is_beneath(script)), []).append((name, layer))
                        case ir.DoRule():
                            pass
                        case _ if self._noticeable(one, layer=layer):
                            left.append((name, layer))
        found: set[tuple[str, bool]] = set()
        while left:
            one_of_them = left.pop()
            if one_of_them not in found:
                found.add(one_of_them)
                left += callers.get(one_of_them, ())
        return found

    def _call(
        self,
        names: Iterable[str],
        arguments: tuple[ir.Expr, ...],
        quiet: Secret,
        flow: Flow,
        at: At | None,
        traced: Secret | None = None,
    ) -> Held:
        """One of some scripts is called; what it gives back."""
        held = (self.held(one, flow).each(lambda secret: inside(secret, arguments)) for one in arguments)
        hiding = {slot: one for slot, one in enumerate(held) if one is not NOTHING_HIDDEN}
        traced = inside(flow.path.hidden if traced is None else traced, arguments)
        handing, answer = Handing(hiding, inside(quiet, arguments), traced), NOTHING_HIDDEN
        entries = [(name, self.entries[name]) for name in names]
        for name, entry in entries:
            self.askers.setdefault(name, set()).add(self.script)
            if (handing.quiet or handing.traced) and at is not None:
                entry.ways.setdefault((self.script, at.start), at)
            if handing.to(entry):
                self.stale.add(name)
            answer |= entry.answer.each(lambda secret: outside(secret, arguments))
        self.came_back([entry for _, entry in entries], arguments, flow)
        return answer

    def _statement(self, one: ir.Statement, flow: Flow) -> ir.Statement:
        match one:  # what scripts are full of comes first
            case ir.If(condition, then, otherwise):
                path = flow.path.below(self.untold(condition, flow), condition.at or one.at)
                yes, no = self._branches([then, otherwise], flow, self.value(condition, flow), path)
                return self._marked(one, then=yes, otherwise=no)
            case ir.Let(slot, value):
                # What a name stands for also tells whether this line was reached.
                self.bind(slot, self.held(value, flow) | wholly(flow.path.hidden), flow)
            case ir.Assign():
                return self._assign(one, flow)
            case ir.ForEach():
                return self._for_each(one, flow)
            case ir.Choose():
                return self._choose(one, flow)
            case ir.Move(cards, goal, _, face):
                self.noticed(one, flow)
                self.arrived(cards, goal, face, flow)
            case ir.Draw(_, _, goal, _, face, slot, _):
                self.bind(slot, self.drawn(goal, face), flow)
                self.noticed(one, flow)
                if slot is not None and not one.guards:
                    flow.path.announced |= {slot}
            case ir.MovePieces() | ir.Deal() | ir.Pass() | ir.Swap() | ir.Shuffle() | ir.Roll() | ir.Cover():
                self.noticed(one, flow)
            case ir.Show(cards, to):
                self.seen_by(cards, to, flow)
                flow.known = evolve(flow.known, shown=(*flow.known.shown, (cards, to)))
                self.noticed(one, flow)
            case ir.Tell(to, question):
                self.seen_by(question, to, flow)
                self.noticed(one, flow)
            case ir.Reveal(cards):
                self.seen_by_all(cards, flow)
                flow.known = evolve(flow.known, shown=(*flow.known.shown, (cards, EVERYONE)))
                self.noticed(one, flow)
            case ir.Win() | ir.Eliminate():
                self.noticed(one, flow)
            case ir.Say(text, to, publicly):
                if to is None and not publicly and self.is_secret(text, flow):
                    self.leak(text, text.at, flow)
                if to is None:
                    self.noticed(one, flow)
            case ir.PickRandom(slots, source, _):
                for slot in slots:
                    self.bind(slot, self.reads.one_of(source, flow.known), flow)
            case ir.Arrange(player, cards):
                if not self.chooser(player, flow).may_look(cards):
                    self.may_not_look(cards, one.at, flow)
                veiled = self.size(cards, flow) | self.reads.find_copies(cards, flow.known)
                return self._marked(one, quiet=bool(flow.quiet), veiled=bool(veiled))
            case ir.ChooseEach():
                return self._choose_each(one, flow)
            case ir.Menu():
                return self._menu(one, flow)
            case ir.Offer():
                return self._offer(one, flow)
            case ir.Repeat(count, _, _, body):
                path = flow.path.below(self.untold(count, flow), one.at if count is None else count.at)
                return self._marked(one, body=self._rounds([body, ()], flow, self.value(count, flow), None, path))
            case ir.Stage(_, title, until, body, publicly):
                for expr in (title, until):
                    if expr is not None and not publicly and self.is_secret(expr, flow):
                        self.leak(expr, expr.at, flow)
                self.noticed(one, flow)
                return self._marked(one, body=self._block(body, flow))
            case ir.DoRule(script, arguments, slot):
                answer = self._call([script], arguments, flow.quiet, flow, one.at)
                if self._noticeable(one):
                    self.noticed(one, flow)
                self.bind(slot, answer, flow)
            case ir.DoHook(hook, target, arguments, stand_in, slot):
                hidden = self.value(target, flow)
                names = self.scripts_of(hook, target.type)
                given = (stand_in or target, *arguments)
                traced = flow.path.hidden | self.untold_target(target, flow)
                answer = self._call(names, given, flow.quiet | hidden, flow, one.at, traced)
                self.bind(slot, holding(hidden, hidden, PUBLIC) | answer, flow)
            case ir.Return(value):
                self._return(value, flow)
            case ir.EndStage():
                self.stage_ends(one, flow)
            case ir.Leave():
                pass
        return one

    def _for_each(self, one: ir.ForEach, flow: Flow) -> ir.Statement:
        each = one.slot, self.reads.one_of(one.list, flow.known)
        if not isinstance(one.list, ir.Seats):
            quiet = self.value(one.list, flow) | self.size(one.list, flow)
            path = flow.path.below(self.untold_list(one.list, flow), one.list.at or one.at)
            body = self._rounds([one.body, ()], flow, quiet, each, path)
            return self._marked(one, body=body, secret=bool(quiet))
        # There is always somebody, so what the block opens is open behind it.
        outer, flow.everyone = flow.everyone, flow.everyone | {one.slot}
        walked = self._rounds([one.body], flow, PUBLIC, each, flow.path.below())
        flow.everyone = outer
        flow.path.opened = flow.path.opened.after_all(one.slot)
        return self._marked(one, body=walked)

    def _return(self, value: ir.Expr | None, flow: Flow) -> None:
        entry, parameters = self.entries[self.script], self.rulebook.scripts[self.script].parameters
        held = NOTHING_HIDDEN if value is None else self.held(value, flow)
        answer = (held | wholly(flow.quiet)).each(lambda secret: forget(secret, lambda slot: slot >= parameters))
        answer = entry.answer | answer
        if answer != entry.answer:
            entry.answer = answer
            self.stale |= self.askers.get(self.script, set())

    def _assign(self, one: ir.Assign, flow: Flow) -> ir.Statement:
        public = public_target(self.rulebook, self.world, one.target)
        if public and not one.publicly and self.is_secret(one.value, flow):
            self.leak(one.value, one.value.at or one.at, flow)
        if public:
            self.noticed(one, flow)
        else:
            self.keeps(one.target, self.value(one.value, flow) | flow.quiet, flow)
            self.remembers(one.target, self.untold(one.value, flow) | flow.path.hidden, flow)
        return evolve(one, explains=self.explanations.explains(one.value))

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _asked(
        self, one: ir.Choose | ir.ChooseEach, player: ir.Expr, flow: Flow, *, hidden: bool
    ) -> tuple[tuple[ir.Pick, ...], Secret, Secret]:
        """Look at what is chosen from as who chooses does; also why having anything to choose tells something, and why
        being asked does.

        Nobody chooses from cards they may not look at; `pick … at random` is for that. What was shown is marked.
        """
        chooser, made, able, alike = self.chooser(player, flow), [], PUBLIC, PUBLIC
        if one.prompt is not None:
            self.tells(chooser.told(one.prompt), "The question", one.at)
        for pick in one.picks:
            held, some = NOTHING_HIDDEN, PUBLIC
            able |= self.reads.count_options(pick.sources, flow.known)
            for source in pick.sources:
                if source.sort == "card" and not self.reads.lies_open(source.list):
                    held |= self.reads.one_of(source.list, flow.known)
                    some |= self.size(source.list, flow)
                    alike |= self.reads.find_copies(source.list, flow.known)
                if source.sort == "card" and not chooser.may_look(source.list):
                    self.may_not_look(source.list, one.at, flow)
                else:
                    self.tells(chooser.offered(source), "What is offered", one.at)
            for number in (pick.least, pick.most):
                if number is not None:
                    able |= self.value(number, flow)
                    self.tells(chooser.told(number), "How many may be chosen", one.at)
            sources = [self._marked(source, shown=chooser.was_shown(source)) for source in pick.sources]
            made.append(self._marked(pick, sources=tuple(sources)))
            chooser = chooser.having(pick.slot, held)
            if pick.so_that is not None:
                # How many of them are tried is known as soon as it is known how many there are.
                tried = holding(held.value, some, held.cards) if pick.many else held
                able |= self.reads.value(pick.so_that, flow.known.binding(pick.slot, tried))
                self.tells(chooser.told(pick.so_that), "What may be chosen", one.at)
            self.bind(pick.slot, held | wholly(known_to(player)) if hidden else held, flow)
        # Who may pass is asked even if all that may be chosen is alike; so is who may choose more of it or less.
        forced = not one.may and _may_fix_size(one.picks[0])
        return tuple(made), able, able | alike if forced else able

    def _follow_else(
        self, block: ir.Block | None, flow: Flow, quiet: Secret, able: Secret, path: Path | None
    ) -> ir.Block | None:
        """Follow the block for when nothing is chosen: inside nobody knows why; behind it all know that nothing was."""
        if block is None:
            return None
        before, behind = flow.quiet, PUBLIC
        if escapes(block):
            known = Flow(before | quiet, flow.known, flow.everyone, (path or flow.path).below())
            self._block(block, known)
            behind = known.quiet
        made = self._branch(block, flow, quiet | able, path)
        flow.quiet = before | behind
        return made

    def _choose(self, one: ir.Choose, flow: Flow) -> ir.Statement:
        quiet = flow.quiet | self.value(one.player, flow)
        picks, able, veiled = self._asked(one, one.player, flow, hidden=one.secretly or bool(quiet))
        self.asked(one.player, flow)
        without = self.unanswered(one, veiled, flow.path, flow)
        # Everybody notices that something was chosen, so only the way without an answer stays quiet.
        will = self.willing(self.chooser(one.player, flow), flow) if one.may else None
        taken = None if one.taken is None else self._branch(one.taken, flow, quiet, will)
        otherwise = self._follow_else(one.otherwise, flow, quiet, able, without)
        flow.quiet |= quiet
        self.answered(without, one.picks, flow, openly=not one.secretly)
        return self._marked(one, picks=picks, quiet=bool(quiet), veiled=bool(veiled), taken=taken, otherwise=otherwise)

    def _choose_each(self, one: ir.ChooseEach, flow: Flow) -> ir.Statement:
        self._askable(one.players, one.at, flow)
        self.bind(one.slot, NOTHING_HIDDEN, flow)
        decider = ir.Local(one.slot, "", type=one.players.type)
        picks, able, veiled = self._asked(one, decider, flow, hidden=one.secretly or bool(flow.quiet))
        for pick in picks:
            answers = flow.known.of(pick.slot).each(lambda secret: answered_by(secret, one.slot))
            self.bind(pick.slot, answers, flow)
        self.asked(None, flow)
        without = self.unanswered(one, veiled, flow.path, flow)
        otherwise = self._follow_else(one.otherwise, flow, PUBLIC, able, without)
        self.answered(without, one.picks, flow, openly=not one.secretly)
        return self._marked(one, picks=picks, quiet=bool(flow.quiet), veiled=bool(veiled), otherwise=otherwise)

    def _askable(self, players: ir.Expr, at: At | None, flow: Flow) -> None:
        """Being asked at the same time as others, or in a window, tells something to all."""
        if self.is_secret(players, flow) or self.size(players, flow):
            self.report("RB602", players.at or at)

    def _options(
        self, player: ir.Expr, asked: ir.Menu | ir.Offer, quiet: Secret, flow: Flow
    ) -> tuple[tuple[ir.Option, ...], Secret]:
        """The blocks behind the labels, and why having any of them tells something."""
        chooser, veiled = self.chooser(player, flow), PUBLIC
        if asked.prompt is not None:
            self.tells(chooser.told(asked.prompt), "The question", asked.at)
        for option in asked.options:
            if option.condition is not None:
                veiled |= self.value(option.condition, flow)
                self.tells(chooser.told(option.condition), "What is offered", option.label.at)
            # Everyone reads the label that was chosen.
            if not quiet and self.is_secret(option.label, flow):
                self.leak(option.label, option.label.at, flow)
            else:
                self.tells(chooser.told(option.label), "What is offered", option.label.at)
        may = len(asked.options) > 1 or not isinstance(asked, ir.Menu) or asked.may
        path = self.willing(chooser, flow) if may else None
        bodies = self._branches([option.body for option in asked.options], flow, quiet, path)
        options = [self._marked(one, body=body) for one, body in zip(asked.options, bodies, strict=True)]
        return tuple(options), veiled

    def _menu(self, one: ir.Menu, flow: Flow) -> ir.Statement:
        quiet = flow.quiet | self.value(one.player, flow)
        self.asked(one.player, flow)
        asked = flow.path.below()
        options, veiled = self._options(one.player, one, quiet, flow)
        without = self.unanswered(one, veiled, asked, flow)
        otherwise = self._follow_else(one.otherwise, flow, quiet, veiled, without)
        self.answered(without, (), flow, openly=True)
        return self._marked(one, quiet=bool(quiet), veiled=bool(veiled), options=options, otherwise=otherwise)

    def _offer(self, one: ir.Offer, flow: Flow) -> ir.Statement:
        """A window that everybody knows of closes for everybody: nobody took it, or somebody is announced."""
        self._askable(one.players, one.at, flow)
        self.asked(None, flow)
        self.bind(one.slot, NOTHING_HIDDEN, flow)
        quiet = flow.quiet
        options, veiled = self._options(ir.Local(one.slot, "", type=t.PLAYER), one, quiet, flow)
        otherwise = None if one.otherwise is None else self._branch(one.otherwise, flow, quiet)
        leaving = any(escapes(option.body, 1) for option in options) or escapes(otherwise or ())
        flow.quiet = flow.quiet | quiet if leaving else quiet
        return self._marked(one, quiet=bool(quiet), veiled=bool(veiled), options=options, otherwise=otherwise)


def _may_fix_size(pick: ir.Pick) -> bool:
    """Find a pick that may allow one size only, where things that are alike leave nothing to choose."""
    match pick.least, pick.most:
        case _ if not pick.many or pick.ordered or pick.so_that is not None:
            return True
        case ir.Const(0), _:
            return False
        case ir.Const(int(least)), ir.Const(int(most)):
            return least >= most
    return True
