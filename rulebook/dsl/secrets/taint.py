"""Taint analysis: who may learn what, followed through a rulebook's scripts to a fixed point.

Bad: `set loudest = count(me.hand where it is stone)`, which tells all what one sees. Good: the same `publicly`.

Choices that must be *quiet* or *veiled* are marked. There are messages where something hidden would flow into what
everyone sees (RB601), where it decides who is asked in a sealed decision (RB602), where somebody chooses from cards
they may not look at (RB603) or is told by the options what they may not know (RB604), and where a trace tells how a
question about something hidden came out (RB605).

A *taint* is what a value depends on that not everyone sees, with who knows it (`lattice`). A line is *quiet* when an
implicit flow reaches it: whether it runs is tainted, until a statement that everybody notices (a card moves, something
is said, a public memory is set, a stage begins). A choice is *veiled* when how many answers it has is tainted.

A *trace* is what the program does in the sight of all: it sets a memory, says something, moves pieces or cards that all
see anyway, rolls dice that lie open, begins or ends a stage, eliminates somebody. What hands do with hidden cards
(draw, deal, reveal, move) is none, unless a choice or memory that is hidden decides it: a rule that moves such cards
says by itself that all see them move (decision 30).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, reduce
from itertools import product
from operator import is_, or_
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, assert_never, cast, get_args

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.naming.layer_names import is_beneath, name_plainly
from rulebook.dsl.secrets.clearance import Chooser, Leak
from rulebook.dsl.secrets.declassified import (
    NOTHING_DECLASSIFIED,
    Answer,
    Declassified,
    find_groups,
    find_whole,
    may_be_anything,
)
from rulebook.dsl.secrets.environment import Environment
from rulebook.dsl.secrets.explanations import find_explained, names_called
from rulebook.dsl.secrets.lattice import (
    CHOSEN,
    EVERYONE,
    PUBLIC,
    SOMEWHERE,
    UNTAINTED,
    Argument,
    Secret,
    Taint,
    Value,
    abstract,
    add_knowers,
    answered_by,
    forget,
    known_to,
    others_of,
    same_player,
    taint_of,
    to_callee,
    to_caller,
    to_everyone,
    uniform,
    without_known,
)
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.secrets.state import Key, State, always_leaves, escapes
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.walk import everything, is_expression, statements
from rulebook.dsl.world import PlaceInfo, World

_Record = TypeVar("_Record")
_Facts = TypeVar("_Facts", Declassified, frozenset[int])
_Answerable: TypeAlias = ir.Choose | ir.ChooseEach | ir.Menu
_Act: TypeAlias = ir.MovePieces | ir.Deal | ir.Pass | ir.Shuffle | ir.Roll | ir.Swap | ir.Cover | ir.Win | ir.Eliminate
"""The statements that leave names as they are."""

_STILL = (
    ir.Let, ir.Reveal, ir.Show, ir.Tell, ir.Say, ir.PickRandom, ir.Choose, ir.ChooseEach, ir.Menu, ir.Offer, ir.If,
    ir.ForEach, ir.Repeat, ir.Iterate, ir.Leave, ir.Return,
)  # fmt: skip
"""The statements by which nothing changes in the game, but for the blocks in them."""

_NO_NUMBERS = ("card", "action", "word", "label")
"""The sorts of things to choose that are told from cards when the game runs."""

_Noticed: TypeAlias = tuple[str, bool, bool]
"""A rule of which everybody notices something: its name, whether it is run as a layer, whether it surely does it."""

_OPEN_THE_BOX = (
    "Take one unseen instead, with `pick … at random`, or `show` the cards first. If in this game everybody may look "
    "into the box, say so among the places of the table: `box: {seen_by: everyone}`."
)

_BEFOREHAND = (
    'If that is the rule, let everybody know before it, in the same block: `say "…" publicly`, `reveal` the cards, or '
    "`tell players whether …`. If not, give the memory a `seen_by:`, or ask about what everybody sees. Where none "
    "fits, a comment `# rulebook: ignore RB605` says why."
)
"""The ways out where a sentence does not end with `publicly`."""
_OF_A_LABEL = (
    "Everybody reads the label that is chosen. Let it say less, or let everybody see it before: give the cards a name "
    "with `let`, and `reveal` that name."
)

_UNTOLD = "it is run from here, and not everyone can tell that it is"
_HANDED = "it is given here what not everyone knows"
CODES = frozenset(f"RB{number}" for number in range(601, 606))
"""Every message about secrets that scripts give away."""
_MOST_NESTED = 20
"""Scripts that are analysed one inside the other."""
_MOST_RISES = 8
"""Times that more may be known than before where a script begins or ends; then it gets less, so that this ends."""
_MOST_CALLS = 3
"""Places from which a script is run, or a memory is set, in one message."""


_put_off: ContextVar[bool] = ContextVar("_put_off", default=False)


@contextmanager
def without_secrets() -> Iterator[None]:
    """Look for no secrets as long as this lasts: for who asks again soon, and wants to know the rest at once."""
    before = _put_off.set(True)
    try:
        yield
    finally:
        _put_off.reset(before)


def guard_secrets(
    rulebook: ir.Rulebook, world: World, missing: Collection[str] | None = None
) -> tuple[ir.Rulebook, list[Diagnostic]]:
    """Mark quiet and veiled choices, report leaks: of a rulebook that is not whole those that come out whatever the
    `missing` scripts say, and whatever other scripts they run.
    """
    if _put_off.get():
        return rulebook, []
    analysis = TaintAnalysis(rulebook, world, missing)
    analysis.solve()
    memories = {
        name: _mark(memory, secret=True) if name in analysis.tainted else memory
        for name, memory in rulebook.memories.items()
    }
    return evolve(rulebook, scripts=analysis.marked, memories=memories), analysis.list_messages()


@frozen
class _Walk:
    """A loop through a list: the slot of each member, its value, and the list."""

    slot: int
    value: Value
    list: ir.Expr


@define
class Summary:
    """The summary of a script: joined over its callers where it begins, over its ways out where it ends."""

    quiet: Taint = PUBLIC
    hidden: Taint = PUBLIC
    arguments: Mapping[int, Value] = MappingProxyType({})
    """The values of its parameters, but for those that are untainted."""
    answer: Value = UNTAINTED
    declassified: Declassified = NOTHING_DECLASSIFIED
    """Everything that all have been shown or told when it has come to its end."""
    opened: frozenset[int] = frozenset()
    """The parameters of which all have seen by then what they stand for."""
    closed: frozenset[str] = frozenset()
    """The places to which cards may have come that not everyone sees."""
    begins: dict[tuple[str, int], Declassified] = field(factory=dict)
    """Everything that all have been shown or told before, at each place where it is called."""
    calls: dict[tuple[str, int], At] = field(factory=dict)
    """The calls of it that not everyone can tell, by the script and the place in it."""
    given: dict[tuple[str, int], At] = field(factory=dict)
    """The calls of it that hand over what not everyone knows."""


class TaintAnalysis:
    """The analysis of one rulebook: a worklist of scripts, and a transfer function for each class of statement."""

    def __init__(self, rulebook: ir.Rulebook, world: World, missing: Collection[str] | None = None) -> None:
        self.rulebook, self.world, self.reads = rulebook, world, Reads(rulebook, world)
        self._missing = missing
        """The scripts of which nothing is known; None if the rulebook is whole."""
        self.summaries = {name: Summary() for name in rulebook.scripts}
        self.marked = dict(rulebook.scripts)
        self.messages: dict[str, dict[Key, Diagnostic]] = {}
        """By the script that was analysed when it was found."""
        self.worklist: set[str] = set()
        """The scripts of which more is known since they were analysed."""
        self._rises: Counter[tuple[str | int, ...]] = Counter()
        """Times that more was known than before: where a script ends, or where another, at a place in it, calls it."""
        self.callers: defaultdict[str, set[str]] = defaultdict(set)
        self.tainted: set[str] = set()
        """Hidden memories that hold a secret: what all that changes them is made of, not everyone sees."""
        self.undisclosed: set[str] = set()
        """The same, of which traces do not give away what they hold."""
        self._exits: list[list[tuple[Declassified, bool]]] = []
        """Everything declassified where the loops around a sentence are left, and True where it goes on with the next
        round; the innermost loop is the last."""
        self.kept: defaultdict[str, dict[tuple[str, int], At]] = defaultdict(dict)
        """The places at which these are set so, by the script and the place in it."""
        self.behind: dict[Key, set[str]] = {}
        """The memories of which a trace tells."""
        self.script = ""
        self._known = NOTHING_DECLASSIFIED
        """Everything declassified where the script that is analysed begins, wherever it is run."""
        self._ends: list[State] = []
        """The states in which the script that is analysed ends."""
        self._sites: dict[tuple[str, int], Declassified] = {}
        """Everything declassified where it calls another: by that one's name and the place."""
        self._nested = 0
        self._read: set[str] = set()
        """The scripts of which others have gone on with what is known of them."""
        self._too_late = False
        """More was shown or told, or known where a script begins, than others went on with."""
        self._explained = find_explained(rulebook)
        self._order = {name: number for number, name in enumerate(rulebook.scripts)}

    # ── the fixed point ──────────────────────────────────────────────────────────────────────────────────────────

    def solve(self) -> None:
        """Analyse callers and callees until nothing new is learnt; of each script, what was found last counts."""
        for name in (ir.GAME, *self.rulebook.scripts):
            # Nothing is known yet of where a script is run that others run, so those come first.
            if name in self.summaries and name not in self.messages:
                self.worklist.add(name)
                self._empty_worklist()
        if self._too_late:
            # What scripts lay open, and whom they are given, was not known yet when others were analysed. So what is
            # hidden begins anew.
            self.tainted.clear()
            self.undisclosed.clear()
            self.kept.clear()
            for name, before in self.summaries.items():
                self.summaries[name] = Summary(
                    declassified=before.declassified, opened=before.opened, closed=before.closed, begins=before.begins
                )
            self.worklist |= self.summaries.keys()
            self._empty_worklist()

    def _empty_worklist(self) -> None:
        while self.worklist:
            for name, script in self.rulebook.scripts.items():
                if name in self.worklist:
                    self.worklist.discard(name)
                    self._analyse(script)

    def _analyse(self, script: ir.Script) -> None:
        self.script, self.messages[script.name], summary = script.name, {}, self.summaries[script.name]
        self._ends, self._sites = [], {}
        begins = [*summary.begins.values()]
        if self._missing is not None and not begins and script.name != ir.GAME:
            begins = [may_be_anything(script.parameters)]  # one that is missing may run it
        if script.name == ir.GAME:
            begins.append(self._find_empty())
        self._known = known = reduce(Declassified.__and__, begins) if begins else NOTHING_DECLASSIFIED
        env = Environment(summary.arguments, script.name, declassified=known)
        state = State(env, summary.quiet, summary.hidden)
        self.marked[script.name] = _mark(script, body=self._follow_block(script.body, state))
        if not always_leaves(script.body):
            self._ends.append(state)
        self._summarize_ends(script, summary)
        for (callee, start), declassified in self._sites.items():
            begins_there, site = self.summaries[callee].begins, (script.name, start)
            before = begins_there.get(site, declassified)
            self._too_late |= not declassified <= before
            declassified = self._let_rise((callee, *site), before, declassified)
            if begins_there.get(site) != declassified:
                begins_there[site] = declassified
                self.worklist.add(callee)

    def _find_empty(self) -> Declassified:
        """Find the places in which nothing lies when a game begins, so that all know what does until a card comes there
        unseen: not those where what all saw may be forgotten, covered or rolled, and of those only what rules fill.
        """
        moves = [line for script in self.rulebook.scripts.values() for line in statements(script.body)]
        goals = [goal for line in moves if isinstance(line, ir.Moving) for goal in ir.find_goals(line)]
        filled = {goal.name for goal in goals if isinstance(goal, ir.PlaceOf)}
        turning = frozenset[str]().union(*(state.kinds for state in self.rulebook.states.values() if state.with_face))
        return Declassified(
            frozenset(
                (name, None)
                for name, place in self.rulebook.places.items()
                if name in filled
                and not self.world.places[name].open
                and place.owner in ("table", "player")
                and place.kept in ("slot", "row", "grid", "loose")
                and place.recall == ir.Const(True, type=t.YES_NO)
                and not place.holds & turning
            )
        )

    def _analyse_inside(self, name: str) -> None:
        """Analyse a script where another runs it for the first time: that one goes on with what is found."""
        outside = self.script, self._known, self._ends, self._sites, self._exits
        self.worklist.discard(name)
        self._exits, self._nested = [], self._nested + 1
        self._analyse(self.rulebook.scripts[name])
        self.script, self._known, self._ends, self._sites, self._exits = outside
        self._nested -= 1

    def _let_rise(self, key: tuple[str | int, ...], before: _Facts, now: _Facts) -> _Facts:
        """Give what is known now; where it has risen so often that scripts might hand it round for ever, no more than
        before.
        """
        self._rises[key] += not now <= before
        return now & before if self._rises[key] > _MOST_RISES else now

    def _summarize_ends(self, script: ir.Script, summary: Summary) -> None:
        """Note what is so whichever way a script has ended, about what it was given."""
        if not self._ends:
            return  # whoever runs it does not go on
        rebound = {slot for statement in statements(script.body) for slot in ir.find_bound(statement)}
        parameters = frozenset(range(script.parameters)) - rebound
        # What was open before is for whoever runs it to say.
        self._share_answers(self._ends)
        known = reduce(Declassified.__and__, (end.declassified for end in self._ends))
        before = summary.declassified, summary.opened
        begun = reduce(lambda begun, place: begun.closing(place, self.reads.may_read), summary.closed, self._known)
        # What was told of it where less was known before it still is so if it is known when it ends.
        declassified = (known - begun).summarized(parameters) | (before[0] & known)
        opened = reduce(frozenset.__and__, (end.opened for end in self._ends)) & parameters
        if not (declassified <= before[0] and opened <= before[1]):
            self._too_late |= script.name in self._read
        summary.declassified = self._let_rise((script.name,), before[0], declassified)
        summary.opened = self._let_rise((script.name, "opened"), before[1], opened)
        if (summary.declassified, summary.opened) != before:
            self.worklist |= self.callers[script.name]

    def _call(
        self,
        names: Iterable[str],
        call: ir.DoRule | ir.DoHook,
        arguments: tuple[ir.Expr, ...],
        state: State,
        begun: State,
        heard: State | None = None,
        actions: Collection[str] = (),
    ) -> Value:
        """Call one of some scripts, which begins in a state of its own; give what it answers. Those of `actions` begin
        where it is `heard` which action it is.
        """
        at = call.at
        answer = UNTAINTED
        ends: list[Summary] = []
        known = begun.declassified.to_callee(arguments)
        there = [name for name in names if self._missing is None or name not in self._missing]
        for name in there:
            begins = heard if heard is not None and name in actions else begun
            quiet, hidden = to_callee(begins.quiet, arguments), to_callee(begins.hidden, arguments)
            tainted = self.reads.pass_arguments(arguments, state.env)
            if name in actions:
                tainted = {slot: value for slot, value in tainted.items() if slot}  # but for which action it is
            summary = self.summaries[name]
            self.callers[name].add(self.script)
            site = name, -1 if at is None else at.start
            self._sites[site] = self._sites.get(site, known) & known
            if (quiet or hidden) and at is not None:
                summary.calls.setdefault((self.script, at.start), at)
            if at is not None and any(value != UNTAINTED for value in tainted.values()):
                summary.given.setdefault((self.script, at.start), at)
            joined = {slot: summary.arguments.get(slot, UNTAINTED) | value for slot, value in tainted.items()}
            more = any(summary.arguments.get(slot) != value for slot, value in joined.items())
            if more or not (quiet <= summary.quiet and hidden <= summary.hidden):
                summary.arguments = {**summary.arguments, **joined}
                summary.quiet, summary.hidden = summary.quiet | quiet, summary.hidden | hidden
                self.worklist.add(name)
            if name not in self.messages and self._nested < _MOST_NESTED:
                summary.begins[self.script, site[1]] = known
                self._analyse_inside(name)
            self._read.add(name)
            answer |= summary.answer.map(lambda taint: to_caller(taint, arguments))
            ends.append(summary)
        for place in frozenset[str]().union(*(end.closed for end in ends)):
            self._close(place, state)
        self._close_by_triggers(state)
        is_sure = not any(t.may_be_nothing(argument.type) for argument in arguments)
        if ends and is_sure and state.announced.issuperset(call.guards):
            declassified = reduce(Declassified.__and__, (end.declassified for end in ends))
            state.declassify(declassified.to_caller(arguments))
        # Of several scripts those that are there may run all the same.
        if self._missing is not None and all(end.declassified.all_but is not None for end in ends):
            self._allow_anything(state)
        for slot in reduce(frozenset.__and__, (end.opened for end in ends)) if ends and is_sure else ():
            self._lay_open(arguments[slot], state)
        return answer

    def _allow_anything(self, state: State) -> None:
        """Go on where everybody may have been shown and told anything."""
        state.env = evolve(state.env, values={}, declassified=state.declassified | may_be_anything())
        state.quiet = state.hidden = PUBLIC
        self._excuse(state, None)

    def _close_by_triggers(self, state: State) -> None:
        """Let happen what may happen whenever something becomes so: behind each script, and each sentence of `game`."""
        if ir.TRIGGERS in self.summaries:
            state.env = state.env.change()
            self.callers[ir.TRIGGERS].add(self.script)
            for place in self.summaries[ir.TRIGGERS].closed:
                self._close(place, state)

    # ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def list_messages(self) -> list[Diagnostic]:
        messages: dict[Key, Diagnostic] = {}
        for name in self.rulebook.scripts:
            for key, message in self._label_calls(name).items():
                messages.setdefault(key, message)  # what several scripts ask of one function is told once
        return [self._label_from_afar(key, message) for key, message in messages.items()]

    def _label_calls(self, name: str) -> dict[Key, Diagnostic]:
        """Label what was found in a script with the places from which it is run, if it comes from there: if it would
        not be found if everybody could tell that the script runs, or what it is given.
        """
        summary, messages = self.summaries[name], self.messages[name]
        told = [*messages]
        if told and summary.calls:
            told = self._find_again(name, summary.arguments)
            messages = self._label(messages, messages.keys() - told, summary.calls, _UNTOLD)
        if told and summary.given:
            from_there = {*told} - {*self._find_again(name, {})}
            messages = self._label(messages, from_there, summary.given, _HANDED)
        return messages

    def _find_again(self, name: str, arguments: Mapping[int, Value]) -> list[Key]:
        """Find what would be found in a script that everybody can tell runs, with these arguments."""
        before, self.messages[name], self.script = self.messages[name], {}, name
        self._follow_block(self.rulebook.scripts[name].body, State(Environment(arguments, name)))
        found, self.messages[name] = [key for key in before if key in self.messages[name]], before
        return found

    def _label(
        self, messages: dict[Key, Diagnostic], some: Collection[Key], places: Mapping[tuple[str, int], At], words: str
    ) -> dict[Key, Diagnostic]:
        """Label some of these messages with the places that they come from."""
        labels = self._point(places, words)
        return {
            key: evolve(message, labels=(*message.labels, *labels)) if key in some else message
            for key, message in messages.items()
        }

    def _point(self, places: Mapping[tuple[str, int], At], words: str) -> tuple[Label, ...]:
        first = [places[key] for key in sorted(places, key=lambda key: (self._order[key[0]], key))][:_MOST_CALLS]
        return tuple(Label(at.span, words) for at in first)

    def _label_from_afar(self, key: Key, message: Diagnostic) -> Diagnostic:
        """Label what comes from another file, as from a variant: where a memory that it tells of becomes a secret, and
        where that, or the script of the message if it hangs on how that is run, is run from, over several scripts.
        """
        _, file, _, _, script = key
        labels: list[Label] = []
        begins = {script} if any(label.text in (_UNTOLD, _HANDED) for label in message.labels) else set[str]()
        for name in sorted(self.behind.get(key, ())):
            away = {site: at for site, at in self.kept[name].items() if at.span.file.name != file}
            labels += self._point(away, f"`{name}` is set here, and not everyone can tell to what")
            begins |= {setter for setter, _ in self.kept[name].keys() - away.keys()}
        followed, left = set[str](), begins
        while left:
            followed |= left
            runs = {site: at for script in left for site, at in self.summaries[script].calls.items()}
            away = {site: at for site, at in runs.items() if at.span.file.name != file}
            labels += self._point(away, _UNTOLD)
            left = {caller for caller, _ in runs.keys() - away.keys()} - followed
        there = {label.span.start for label in message.labels if label.span.file.name != file}
        new = [label for label in labels if label.span.start not in there][:_MOST_CALLS]
        return evolve(message, labels=(*message.labels, *new)) if new else message

    def _report(self, code: str, at: At | None, labels: tuple[Label, ...] = (), **values: Any) -> None:
        if at is not None:
            message = diagnose(code, at.span, where=_name_script(self.script), labels=labels, **values)
            self.messages[self.script][_key(code, at, self.script)] = message

    def _report_leak(self, expr: ir.Expr, at: At | None, state: State, help: str | None = None) -> None:
        """Report something hidden in what everybody sees; of a text or a sum, the first part that is hidden."""
        parts: tuple[Any, ...] = ()
        match expr:
            case ir.Joined(parts):
                pass
            case ir.Arithmetic():
                parts = (expr.left, expr.right)
            case ir.IfElse():
                parts = (expr.then, expr.otherwise, expr.condition)
            case ir.PlayerMemory() if self._is_public(expr):
                parts = (expr.player,)  # what everyone sees of somebody is hidden only if it is hidden who that is
        for part in parts:
            if is_expression(part) and part.at is not None and self._read_value(part, state):
                return self._report_leak(part, part.at, state, help)
        return self._report("RB601", at, help=help, name=at.words if at else "this")

    def _report_unseen(self, cards: ir.Expr, at: At | None, state: State) -> None:
        """Report that somebody would choose from cards that they may not look at."""
        places = {card.name for card in self.reads.read_cards(cards, state.env) if isinstance(card, Secret)}
        self._report("RB603", cards.at or at, help=_OPEN_THE_BOX if places == {BOX} else None)

    def _report_told(self, leaks: Iterable[Leak], by: str, at: At | None) -> None:
        """Report what tells whoever chooses at this place something that they may not know."""
        for leak in leaks:
            place = leak.part.at or at
            if place is None:
                continue
            labels = []
            if leak.function and at is not None:
                labels.append(Label(at.span, "it is asked here"))
            elif leak.reads is not None:
                labels.append(Label(leak.reads.span, "what they may not see is read here"))
            script, name = leak.function or self.script, place.words
            key, messages = _key("RB604", place, script), self.messages[self.script]
            if key not in messages:
                where = _name_script(script)
                messages[key] = diagnose("RB604", place.span, name=name, by=by, where=where, labels=labels)

    # ── taints of expressions ────────────────────────────────────────────────────────────────────────────────────

    def _read_value(self, expr: ir.Expr | None, state: State) -> Taint:
        """Find what a value depends on that not everyone knows."""
        return PUBLIC if expr is None else without_known(self.reads.read_value(expr, state.env))

    def _read_size(self, expr: ir.Expr, state: State) -> Taint:
        return without_known(self.reads.read_size(expr, state.env))

    def _find_hidden(self, expr: ir.Expr | None, state: State) -> Taint:
        """Find what an expression depends on that not all have seen or heard."""
        if expr is None or not (taint := self._read_value(expr, state)) or state.declassified.answers_to(expr):
            return PUBLIC
        if _is_heard(expr, state.announced):
            return PUBLIC
        match expr:
            case ir.Not(value) | ir.IsEmptyCell(value) | ir.IsText(value):
                return self._find_hidden(value, state)
            case ir.And():
                return self._find_hidden(expr.left, state) | self._find_hidden(expr.right, _narrow(expr.left, state))
            case ir.Or():
                return self._find_hidden(expr.left, state) | self._find_hidden(expr.right, state)
            case ir.Compare() | ir.Arithmetic():
                return self._find_hidden(expr.left, state) | self._find_hidden(expr.right, state)
            case ir.IsNothing(value) | ir.IsEmpty(value) if state.declassified.answers_to(value):
                return PUBLIC
        return self._drop_disclosed(taint, state)

    def _find_unheard(self, question: ir.Expr, state: State) -> Taint:
        """Find what an answer depends on that not everyone knows, but for what all have heard of an open choice."""
        match question:
            case ir.Not():
                return self._find_unheard(question.value, state)
            case ir.And():
                narrowed = _narrow(question.left, state)
                return self._find_unheard(question.left, state) | self._find_unheard(question.right, narrowed)
            case ir.Or():
                return self._find_unheard(question.left, state) | self._find_unheard(question.right, state)
        return PUBLIC if _is_heard(question, state.heard) else self._read_value(question, state)

    def _find_hidden_size(self, listed: ir.Expr, state: State) -> Taint:
        """The same of how much stands in a list."""
        if state.declassified.answers_to(listed):
            return PUBLIC
        return self._drop_disclosed(self._read_size(listed, state), state)

    def _drop_disclosed(self, taint: Taint, state: State) -> Taint:
        """Drop of a taint what everybody has seen."""
        return frozenset(tag for tag in taint if not (isinstance(tag, Secret) and self._is_disclosed(tag, state)))

    def _is_disclosed(self, secret: Secret, state: State) -> bool:
        # A memory that everyone can keep in mind, since all see what changes it, is no secret.
        followed = secret.name in self.world.memories and secret.name not in self.undisclosed
        return followed or self._is_laid_open(secret, state)

    @staticmethod
    def _is_laid_open(secret: Secret, state: State) -> bool:
        return EVERYONE in secret.knowers or state.declassified.covers(secret)

    def _is_public(self, target: ir.Expr) -> bool:
        """Check that everyone sees what is set."""
        match target:
            case ir.TableMemory(name) | ir.PlayerMemory(name, _):
                return self.world.memories[name].seen_by == "everyone"
            case ir.State(name, _):
                state = self.rulebook.states.get(name)
                return state is not None and not state.with_face
        return False

    def _arrives_open(self, move: ir.Move | ir.Draw) -> bool:
        """Check that everyone sees what arrives: on a position, that its grid or row is of those that are seen,
        whichever it is; on a pile of which only the top is seen, that it is one card and comes to lie there.
        """
        goal, face = move.goal, move.face
        are_many = move.many if isinstance(move, ir.Draw) else isinstance(t.surely(move.cards.type), t.ListOf)
        if (are_many or move.end == "bottom") and self._may_cover(goal):
            return False
        if face:
            return face == "up"
        if isinstance(t.surely(goal.type), t.Cell):
            return all(place.arrives_up for place in self.world.places.values() if place.kept in ("grid", "row"))
        places = self._find_places(goal)
        return bool(places) and all(place.arrives_up for place in places)

    def _find_places(self, goal: ir.Expr) -> list[PlaceInfo]:
        """Find the places that may be meant; none, if it is not known which."""
        return [self.world.places[name] for name in self.reads.find_places(goal, Environment(script=self.script))]

    def _may_cover(self, goal: ir.Expr) -> bool:
        """Check that cards may lie below others there, where not everyone sees them."""
        if places := self._find_places(goal):
            return any(place.kept == "pile" and not place.open for place in places)
        return isinstance(goal.type, t.Place) and goal.type.kept in ("pile", "")

    def _are_hidden(self, cards: ir.Expr, state: State) -> bool:
        """Check whether these cards lie where not everybody sees them, be they known, or whether there are any."""
        return bool(self.reads.read_value(cards, state.env) or self.reads.read_size(cards, state.env))

    def _make_chooser(self, player: ir.Expr, state: State) -> Chooser:
        """Somebody who is asked here, and knows who they are."""
        env = state.env.bind(player.slot, UNTAINTED) if isinstance(player, ir.Local) else state.env
        return Chooser(self.reads, player, env, frozenset(self.tainted))

    # ── names, and what people learn ─────────────────────────────────────────────────────────────────────────────

    def _bind(self, slot: int | None, value: Value, state: State, *sources: ir.Expr) -> None:
        """Give a name a value, which is one of these, or of what stands in these lists."""
        if slot is not None:
            state.env = state.env.without(slot).bind(slot, value)
            state.announced -= {slot}
            state.heard -= {slot}
            state.opened -= {slot}
            if sources and self.reads.tells_apart:
                apart = frozenset.intersection(*map(self.reads.find_apart, sources))
                state.env = state.env.tell_apart(slot, apart)

    def _close(self, place: str, state: State) -> None:
        """Let cards come to a place that not everyone sees: what was laid open there is not all of it any more."""
        state.env = state.env.close(place, self.reads.may_read)
        open_to = self.world.places[place].open_to if place in self.world.places else "nobody"

        def forget_shown(taint: Taint) -> Taint:
            lying = frozenset(tag for tag in taint if isinstance(tag, Secret) and tag.name == place)
            return (taint - lying).union(*(taint_of(place, tag.of, open_to) for tag in lying))

        for slot in range(self.rulebook.scripts[self.script].parameters):
            if place in self.reads.passed.get((self.script, slot), ()):
                state.env = state.env.bind(slot, state.env.of(slot).map(forget_shown))
        summary = self.summaries[self.script]
        if place not in summary.closed:
            summary.closed |= {place}
            self.worklist |= self.callers[self.script]

    def _close_open(self, state: State, *parts: ir.Expr) -> None:
        """Let cards come to open places, or go: a list or question that reads these may be another one now."""
        named = {part.name for part in everything(*parts) if isinstance(part, ir.PlaceOf)}
        for name in sorted(named):
            if self.world.places[name].open:
                self._close(name, state)

    def _close_goal(self, goal: ir.Expr, state: State) -> None:
        """The same for a place that is given, or a position, which may be any of those."""
        if isinstance(goal, ir.Local):
            state.env = state.env.know(state.declassified.without(goal.slot))
        named = self.reads.find_places(goal, state.env)
        for name in named or [name for name, place in self.world.places.items() if not place.open]:
            self._close(name, state)

    def _close_left(self, cards: ir.Expr, state: State) -> None:
        """The same for the places that cards leave, or lie in, of which not everyone knows which they are."""
        places = {tag.name for tag in self.reads.read_cards(cards, state.env) if isinstance(tag, Secret)}
        for place in places & self.world.places.keys():
            self._close(place, state)
        state.env = state.env.close_places(places)

    def _lay_open(self, name: ir.Expr, state: State, change: Callable[[Taint], Taint] = lambda _: PUBLIC) -> None:
        """Let everybody see what a name stands for."""
        if isinstance(name, ir.Local):
            self._learn(name, state, change)
            state.opened |= {name.slot}

    @staticmethod
    def _learn(name: ir.Expr, state: State, change: Callable[[Taint], Taint]) -> None:
        """Change what a name means, once somebody has seen what it stands for."""
        if isinstance(name, ir.Local):
            state.env = state.env.bind(name.slot, state.env.of(name.slot).map(change))

    def _see(self, cards: ir.Expr, to: ir.Expr, state: State) -> None:
        """Let some see cards; of what several chose, it is not followed who saw which."""
        self._learn(cards, state, lambda taint: add_knowers(taint, to))

    def _see_all(self, cards: ir.Expr, state: State, change: Callable[[Taint], Taint] = to_everyone) -> None:
        """Let everybody see cards; where these stay where not all may look, it is a secret which of them is chosen."""
        if isinstance(cards, ir.Local) and state.provisional:
            value = state.env.of(cards.slot)
            self._excuse(state, value.value | value.cards)
        self._lay_open(cards, state, change)
        if not isinstance(cards, ir.Local):
            state.declassify(Declassified(seen=frozenset({Answer.of(cards)})))

    def _open_places(self, cards: ir.Expr, state: State) -> None:
        """Let everybody see all that lies in some places, as far as these are meant as a whole."""
        places = frozenset(find_whole(cards))
        groups = ((name, listed) for name, listed in find_groups(cards) if self.reads.is_settled(listed))
        state.declassify(Declassified(places, groups=frozenset((name, Answer.of(listed)) for name, listed in groups)))
        hidden = [hidden for _, hidden in state.provisional]
        tags = frozenset(tag for taint in hidden for tag in taint if isinstance(tag, Secret))
        self._excuse(state, {tag for tag in tags if any(_may_be_of(tag, place) for place in places)})

    def _open_answers(self, slot: int, state: State) -> None:
        """Let everybody know all answers of a sealed choice, of which in a loop through all players each was told."""
        player = ir.Local(slot, "", type=t.PLAYER)
        for answers in [*state.env.values]:
            name = ir.Local(answers, "", type=t.UNKNOWN)
            one = ir.Entry(name, player, type=t.UNKNOWN)
            if state.declassified.shows(one) or state.declassified.answers_to(one):
                self._lay_open(name, state, to_everyone)

    def _announce_value(self, expr: ir.Expr, state: State, guards: tuple[int, ...] = ()) -> None:
        """Let everybody hear this value, and each part of a text; nothing is heard of a name among `guards` that is
        nothing.
        """
        parts = [part for part in (expr.parts if isinstance(expr, ir.Joined) else (expr,)) if isinstance(part, ir.Node)]
        unsure = {*guards} - state.announced
        said = (part for part in parts if not (isinstance(part, ir.Local) and part.slot in unsure))
        state.declassify(Declassified(answers=frozenset(Answer.of(_strip_not(part)) for part in said)))
        for part in parts:
            if t.kinds_of(part.type):
                self._see(part, EVERYONE, state)  # who hears of a card does not see where it lies
            elif isinstance(part, ir.Local) and part.slot in unsure:
                value = state.env.of(part.slot)
                state.env = state.env.bind(part.slot, abstract(PUBLIC, value.size, value.cards, value.at))
            else:
                self._lay_open(part, state)

    # ── traces ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _trace(self, sentence: ir.Statement, state: State, *parts: ir.Expr | None, publicly: bool = False) -> None:
        """Let everybody see this happen, and these parts of it."""
        if publicly:
            self._excuse(state, None)
        elif self._leaks(sentence):
            pass  # it is an error, whether it is reached or not
        elif hidden := self._drop_disclosed(state.hidden, state):
            reason = state.hidden_by
            labels = () if reason is None else (Label(reason.span, "what not everybody may see is asked here"),)
            self._report_trace(sentence, sentence.at, labels, hidden, state)
        else:
            self._trace_parts(sentence, state, *parts)

    def _trace_hands(self, sentence: ir.Statement, state: State, cards: ir.Expr | None, *players: ir.Expr) -> None:
        """Let everybody see hands do this with hidden cards: that they do, with how many, and whose these are.

        That hidden cards decide it, the rule says by itself; not so what was chosen unseen, or a memory.
        """
        reason = state.hidden_by
        labels = () if reason is None else (Label(reason.span, "what not everybody may see is asked here"),)
        if hidden := self._keep_unsaid(self._drop_disclosed(state.hidden, state)):
            self._report_trace(sentence, sentence.at, labels, hidden, state)
            return
        if cards is not None:
            self._trace_count(sentence, state, cards)
        for player in players:
            if hidden := self._keep_unsaid(self._find_hidden_owner(player, state)):
                self._report_trace(sentence, sentence.at, (), hidden, state)

    def _trace_count(self, sentence: ir.Statement, state: State, cards: ir.Expr) -> None:
        """Let everybody see how many cards these are. Who lays cards open means that all see it, and whose they are."""
        if hidden := self._keep_unsaid(self._find_counted(cards, state)):
            self._report_trace(sentence, cards.at or sentence.at, (), hidden, state)

    def _find_counted(self, cards: ir.Expr, state: State) -> Taint:
        """Find what it depends on how many cards these are; who chose them themselves shows how many as they please."""
        match cards:
            case ir.BuiltIn("first" | "last", (inner, *numbers)):
                return reduce(
                    or_, (self._find_hidden(part, state) for part in numbers), self._find_counted(inner, state)
                )
            case ir.Filter() if not isinstance(cards.list, ir.Local):
                return self._find_hidden_size(cards, state)
            case ir.Filter() | ir.Sorted() | ir.Best():
                return self._find_counted(cards.list, state)
            case ir.Chain():
                return self._find_counted(cards.first, state) | self._find_counted(cards.second, state)
            case ir.IfElse():
                either = self._find_counted(cards.then, state) | self._find_counted(cards.otherwise, state)
                return self._find_hidden(cards.condition, state) | either
            case ir.Local(slot):
                body = statements(self.rulebook.scripts[self.script].body)
                match [sentence for sentence in body if slot in ir.find_bound(sentence)]:
                    case [ir.Let(_, value)]:
                        return self._find_counted(value, state)
                    case [ir.PickRandom(count=count)]:
                        return self._find_hidden(count, state)
        return PUBLIC

    def _find_hidden_owner(self, player: ir.Expr, state: State) -> Taint:
        """Find what it depends on who this is, or whose place, that not all have seen or heard."""
        if isinstance(player.type, t.Place):
            return self._drop_disclosed(without_known(self.reads.read_whose(player, state.env)), state)
        return self._find_hidden(player, state)

    def _keep_unsaid(self, taint: Taint) -> Taint:
        """Keep of a taint what no cards say."""
        unsaid = {CHOSEN, *self.world.memories}
        return frozenset(tag for tag in taint if isinstance(tag, Secret) and tag.name in unsaid)

    def _trace_parts(self, sentence: ir.Statement, state: State, *parts: ir.Expr | None) -> None:
        for part in parts:
            if part is not None and (hidden := self._find_hidden_owner(part, state)):
                self._report_trace(sentence, part.at or sentence.at, (), hidden, state)

    def _report_trace(
        self, sentence: ir.Statement, at: At | None, labels: tuple[Label, ...], hidden: Taint, state: State
    ) -> None:
        """Report what everybody can tell from a sentence, at this place of it."""
        if at is not None:
            key, names = _key("RB605", at, self.script), {tag.name for tag in hidden if isinstance(tag, Secret)}
            ends_so = isinstance(sentence, ir.Assign | ir.Say | ir.Stage)
            self._report("RB605", at, labels, help=None if ends_so else _BEFOREHAND)
            self.behind.setdefault(key, set()).update(names & self.world.memories.keys())
            state.provisional.append((key, hidden))

    def _leaks(self, sentence: ir.Statement) -> bool:
        at = sentence.at
        return at is not None and any(
            code == "RB601" and file == at.span.file.name and at.start <= start and end <= at.end
            for code, file, start, end, _ in self.messages[self.script]
        )

    def _excuse(self, state: State, opened: Collection[Secret | Argument] | None) -> None:
        """Drop what is laid open in one breath with a trace, and so not told by it; None is said to be meant."""
        left = []
        for key, hidden in state.provisional:
            if opened is None or all(tag in opened for tag in hidden):
                self.messages[self.script].pop(key, None)
            else:
                left.append((key, hidden))
        state.provisional = left

    def _notice(self, sentence: ir.Statement, state: State, *, surely: bool = True) -> None:
        """Behind a statement that everybody notices, nothing of the way to it is hidden."""
        if not sentence.guards:
            state.quiet = PUBLIC
        if surely and not sentence.guards and not _may_do_nothing(sentence):
            state.hidden = PUBLIC
            for player in _find_spoken_of(sentence):
                if not isinstance(player.type, t.Place):
                    self._lay_open(player, state)

    def _is_noticed(
        self, sentence: ir.Statement, rules: Collection[_Noticed], *, surely: bool, layer: bool = True
    ) -> bool:
        """Check that everybody notices a statement whenever the script comes to it; `surely`, even if it might find
        nothing to do.

        What a `layer` does by itself, be it `original`, everybody notices as if its statements stood there.
        """
        match sentence:
            case ir.Say(_, to):
                return to is None
            case _ if sentence.guards:
                return False
            case ir.DoRule(script):
                return (script, layer and is_beneath(script), surely) in rules
            case ir.If(_, then, otherwise):
                ways = [self._is_any_noticed(way, rules, surely=surely, layer=layer) for way in (then, otherwise)]
                return all(ways)
            case ir.Assign(target):
                return layer and self._is_public(target)
        assert sentence.noticed is not ir.DEPENDS, "what it depends on stands above"
        return sentence.noticed is ir.ALWAYS and not (surely and _may_do_nothing(sentence))

    def _is_any_noticed(self, block: ir.Block, rules: Collection[_Noticed], *, surely: bool, layer: bool) -> bool:
        """Check that everybody notices something of a block, before there is a way out of it."""
        for statement in block:
            if self._is_noticed(statement, rules, surely=surely, layer=layer):
                return True
            if escapes((statement,)):
                return False
        return False

    @cached_property
    def _noticed_rules(self) -> set[_Noticed]:
        """The rules of which everybody notices something; apart as layers and as what else they may be, and where it
        might find nothing to do.
        """
        rules, left = set[_Noticed](), {*product(self.rulebook.scripts, (False, True), (False, True))}
        before = -1
        while len(rules) > before:
            before = len(rules)
            for rule in sorted(left):
                name, layer, surely = rule
                if self._is_any_noticed(self.rulebook.scripts[name].body, rules, surely=surely, layer=layer):
                    rules.add(rule)
                    left.discard(rule)
        return rules

    # ── control flow ─────────────────────────────────────────────────────────────────────────────────────────────

    def _follow_block(self, block: ir.Block, state: State) -> ir.Block:
        return _keep_old(block, [self._follow_statement(statement, state) for statement in block])

    def _follow_statement(self, sentence: ir.Statement, state: State) -> ir.Statement:
        unknown = self._list_unknown(sentence, state)
        if isinstance(sentence, ir.Stage):
            state.env = state.env.change()  # what lasts for a stage begins anew
        marked = _TRANSFER[type(sentence)](self, sentence, state) or sentence
        if not isinstance(sentence, _STILL):
            state.env = state.env.change()
        if ir.TRIGGERS in self.summaries and name_plainly(self.script) == ir.GAME:
            self._close_by_triggers(state)
            unknown = tuple(dict.fromkeys((*unknown, *self._list_unknown(sentence, state))))
        return _mark(marked, unknown=unknown) if marked.unknown != unknown else marked

    def _list_unknown(self, sentence: ir.Statement, state: State) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """List the names of which not everybody knows what they stand for, if the game may wait in a sentence; of a
        loop, what it goes through.
        """
        taints: dict[int, Taint] = {}
        in_game = ir.TRIGGERS in self.summaries and name_plainly(self.script) == ir.GAME
        if in_game or isinstance(sentence, ir.Asking | ir.DoRule | ir.DoHook):
            taints = {slot: value.value | value.size | value.cards for slot, value in state.env.values.items()}
        match sentence:
            case ir.ForEach(_, listed) | ir.Offer(listed):
                taints[ir.WALKED] = self._read_value(listed, state) | self._read_size(listed, state)
            case ir.Repeat(ir.Node() as count):
                taints[ir.WALKED] = self._read_value(count, state)
        unknown = []
        for slot, taint in sorted(taints.items()):
            secrets = [tag for tag in taint if isinstance(tag, Secret) and not self._is_followed(tag, state)]
            if secrets:
                knowers = frozenset.intersection(*(secret.knowers for secret in secrets))
                named = sorted(knower.slot for knower in knowers if isinstance(knower, ir.Local) and knower.slot >= 0)
                unknown.append((slot, tuple(named)))
        return tuple(unknown)

    def _is_followed(self, secret: Secret, state: State) -> bool:
        """Check that everybody knows it who has followed the game."""
        if secret in SOMEWHERE or EVERYONE in secret.knowers or state.declassified.covers(secret):
            return True
        return secret.name in self.world.memories and secret.name not in self.tainted

    def _follow_branches(
        self, blocks: Sequence[ir.Block], state: State, begun: State, known: Sequence[Declassified] = (),
        first: Environment | None = None, visits: int | None = None,
    ) -> list[ir.Block]:  # fmt: skip
        """Analyse blocks of which one runs, each where something more is known, and join their ends; the `first` one
        may begin in an environment of its own, and may be a round of a loop that `visits` players by that name.
        """
        ends = [begun.fork() for _ in blocks]
        ends[0].env = ends[0].env if first is None else first
        for end, more in zip(ends, known, strict=False):
            end.declassify(more)
        branches = [self._follow_block(block, end) for block, end in zip(blocks, ends, strict=True)]
        if visits is not None:
            ends[0].env = ends[0].env.know(ends[0].declassified.after_visit(visits))
        self._share_answers([end for block, end in zip(blocks, ends, strict=True) if not always_leaves(block)])
        state.join(blocks, ends, begun)
        return branches

    def _share_answers(self, ends: Sequence[State]) -> None:
        """Note at each of these ends what was told or shown at another one and is known there as well, however it has
        come to be known.
        """
        for name in ("answers", "seen"):
            told = [getattr(end.declassified, name) for end in ends]
            for end, here in zip(ends, told, strict=True):
                others = frozenset[Answer]().union(*told) - here
                more = [answer for answer in others if self._is_known_to_all(answer.expr, end, cards=name == "seen")]
                if more:
                    end.declassify(Declassified(**{name: frozenset(more)}))
        shown = {show: None for end in ends for show in end.env.shown}
        for end in ends:
            also = tuple(show for show in shown if show not in end.env.shown and self._are_open(show[0], end))
            end.env = evolve(end.env, shown=(*end.env.shown, *also)) if also else end.env

    @staticmethod
    def _are_open(cards: ir.Expr, state: State) -> bool:
        """Check that these are whole places, of which all have been shown everything."""
        places = [*find_whole(cards)]
        return bool(places) and all(state.declassified.covers_place(*place) for place in places)

    def _is_known_to_all(self, expr: ir.Expr | None, state: State, *, cards: bool) -> bool:
        if expr is None:
            return False
        value = self.reads.evaluate(expr, state.env)
        taint = value.value | value.size | (value.cards - SOMEWHERE if cards else PUBLIC)
        return not without_known(taint)

    def _follow_branch(self, block: ir.Block, state: State, begun: State) -> ir.Block:
        """Analyse a block that may not run."""
        return self._follow_branches([block, ()], state, begun)[0]

    def _follow_loop(
        self,
        blocks: Sequence[ir.Block],
        state: State,
        begun: State,
        each: _Walk | None = None,
    ) -> ir.Block:
        """Analyse a block that runs again and again, until what a round leaves behind adds nothing to the next one."""
        env, quiet, next_quiet, hidden = state.env, state.quiet, state.quiet, state.hidden
        known = state.declassified
        follows = each is not None and each.list.type == t.ListOf(t.PLAYER) and not escapes(blocks[0])
        follows = follows and each is not None and self.reads.is_settled(each.list)
        if each is not None and follows:
            hidden_places = (name for name, place in self.world.places.items() if not place.open)
            known = known.visiting(each.list, each.slot, hidden_places)
        if each is not None:
            # Else the name of the loop alone would be reason enough for a second round.
            env = env.join(env.next_round(each.slot, each.value))
        apart = () if each is None else self.reads.find_apart(each.list)
        exits: list[tuple[Declassified, bool]] = []
        while True:
            state.quiet, state.hidden = next_quiet, hidden
            begun.quiet |= next_quiet
            begun.env = state.env = (env if each is None else env.next_round(each.slot, each.value)).know(
                known if each is None else known.without(each.slot).entering(each.list, each.slot)
            )
            if each is not None and apart:
                begun.env = state.env = state.env.tell_apart(each.slot, apart)
            self._exits.append(exits := [])
            branches = self._follow_branches(blocks, state, begun, visits=each.slot if each and follows else None)
            self._exits.pop()
            for left, goes_on in exits:
                if goes_on:
                    state.env = state.env.know(state.declassified & left)
            before_known, known = begun.declassified, begun.declassified & state.declassified
            before, before_quiet, env = env, next_quiet, env.join(state.env)
            left_hidden = state.hidden - hidden
            if escapes(blocks[0], skips=False):
                next_quiet |= state.quiet
            stays = env == before and known == before_known
            if stays and left_hidden <= begun.hidden and next_quiet == before_quiet:
                if not escapes(blocks[0], 1):  # behind the loop, it no longer matters which round was the last
                    state.hidden -= left_hidden
                    state.quiet &= quiet
                for left, _ in exits:
                    state.env = state.env.know(state.declassified & left)
                if each is not None and follows:
                    state.env = state.env.know(state.declassified.after_visits(each.list, each.slot))
                return branches[0]
            begun.hidden |= left_hidden

    def _on_if(self, branch: ir.If, state: State) -> ir.Statement:
        taint, hidden = self._find_unheard(branch.condition, state), self._find_hidden(branch.condition, state)
        begun = state.fork(taint, hidden, branch.condition.at or branch.at)
        # What it asks about may not be there, and then neither of both runs.
        skipped = [()] if branch.guards else []
        then, otherwise, *_ = self._follow_branches(
            [branch.then, branch.otherwise, *skipped], state, begun, self.reads.split_apart(branch.condition),
            _narrow(branch.condition, state).env,
        )  # fmt: skip
        return _mark(branch, then=then, otherwise=otherwise)

    def _on_for_each(self, for_each: ir.ForEach, state: State) -> ir.Statement:
        listed = for_each.list
        each = _Walk(for_each.slot, self.reads.read_element(listed, state.env), listed)
        if not isinstance(listed, ir.Seats):
            taint = self._read_value(listed, state) | self._read_size(listed, state)
            begun = state.fork(taint, self._find_hidden_size(listed, state), listed.at or for_each.at)
            body = self._follow_loop([for_each.body, ()], state, begun, each)
            return _mark(for_each, body=body, secret=bool(taint))
        # There is always somebody, so what the block opens is open behind it, if nobody is left out.
        outer, state.everyone = state.everyone, state.everyone | {for_each.slot}
        rounds = [for_each.body, ()] if escapes(for_each.body) else [for_each.body]
        body = self._follow_loop(rounds, state, state.fork(), each)
        state.everyone = outer
        self._open_answers(for_each.slot, state)
        state.env = state.env.know(state.declassified.without(for_each.slot))
        return _mark(for_each, body=body)

    def _on_repeat(self, repeat: ir.Repeat, state: State) -> ir.Statement:
        at = repeat.at if repeat.count is None else repeat.count.at
        begun = state.fork(self._read_value(repeat.count, state), self._find_hidden(repeat.count, state), at)
        return _mark(repeat, body=self._follow_loop([repeat.body, ()], state, begun))

    def _on_iterate(self, iterate: ir.Iterate, state: State) -> ir.Statement:
        """Take it for a `loop` that begins with giving its name a value, and is left where there is none."""
        first, following, at = iterate.first, iterate.next, iterate.next.at
        of = t.either(first.type, following.type)
        begun = tuple((ir.Let(iterate.slot, value, at=at),) for value in (first, following))
        head: list[ir.Statement] = [ir.If(ir.Const(True, type=t.YES_NO), *begun, at=at)]
        if t.may_be_nothing(of):
            lacking = ir.IsNothing(ir.Local(iterate.slot, "", type=of), type=t.YES_NO, at=at)
            head.append(ir.If(lacking, (ir.Leave(False, 0),), (), at=at))
        loop = self._on_repeat(ir.Repeat(None, None, "", (*head, *iterate.body), at=iterate.at), state)
        assert isinstance(loop, ir.Repeat)
        return _mark(iterate, body=_keep_old(iterate.body, loop.body[len(head) :]))

    def _on_stage(self, stage: ir.Stage, state: State) -> ir.Statement:
        for expr in (stage.title, stage.until):
            if expr is not None and not stage.publicly and self._read_value(expr, state):
                self._report_leak(expr, expr.at, state)
        self._trace(stage, state, publicly=stage.publicly)
        if stage.guards:
            return _mark(stage, body=self._follow_branch(stage.body, state, state.fork()))
        self._notice(stage, state)
        return _mark(stage, body=self._follow_block(stage.body, state))

    def _on_end_stage(self, end_stage: ir.EndStage, state: State) -> None:
        self._trace(end_stage, state)
        state.hidden = PUBLIC

    def _leave(self, leave: ir.Leave, state: State) -> None:
        """Keep what is known where a loop is left, or goes on with its next round; `escapes` looks for the rest."""
        self._exits[-1 - leave.depth].append((state.declassified, leave.skip))

    def _on_return(self, statement: ir.Return, state: State) -> None:
        self._ends.append(state.fork())
        summary, parameters = self.summaries[self.script], self.rulebook.scripts[self.script].parameters
        value = UNTAINTED if statement.value is None else self.reads.evaluate_named(statement.value, state.env)
        value = (value | uniform(state.quiet)).map(lambda taint: forget(taint, lambda slot: slot >= parameters))
        answer = summary.answer | value
        if answer != summary.answer:
            summary.answer = answer
            self.worklist |= self.callers[self.script]

    def _on_do_rule(self, do_rule: ir.DoRule, state: State) -> None:
        skipped, begun = self._begin_given(do_rule.arguments, state, state)
        answer = self._call([do_rule.script], do_rule, do_rule.arguments, state, begun)
        surely = self._is_noticed(do_rule, self._noticed_rules, surely=True)
        if surely or self._is_noticed(do_rule, self._noticed_rules, surely=False):
            self._notice(do_rule, state, surely=surely)
        self._bind(do_rule.slot, abstract(skipped, skipped, PUBLIC) | answer, state)

    def _begin_given(self, arguments: tuple[ir.Expr, ...], state: State, begun: State) -> tuple[Taint, State]:
        """Begin a script that does not run where something that it is given is not there."""
        skipped, hidden = PUBLIC, PUBLIC
        for argument in arguments:
            if t.may_be_nothing(argument.type):
                lacking = ir.IsNothing(argument, type=t.YES_NO)
                skipped |= self._read_value(lacking, state)
                hidden |= self._find_hidden(lacking, state)
        return skipped, begun.fork(skipped, hidden) if skipped or hidden else begun

    def _on_do_hook(self, do_hook: ir.DoHook, state: State) -> None:
        """Do what a card or action says: which one it is tells which script runs."""
        target, taint = do_hook.target, self._read_value(do_hook.target, state)
        names = sorted(self.reads.find_hooked(do_hook.hook, target.type), key=self._order.__getitem__)
        # Which card somebody has chosen openly, is theirs to tell; which action it is, all have heard.
        chosen = isinstance(target, ir.Local) and target.slot in state.announced
        card = do_hook.stand_in or target
        given = (*do_hook.arguments, *([] if card is target else [card]))
        skipped, heard = self._begin_given(given, state, state)
        hidden = PUBLIC if chosen else self._find_hidden(target, state)
        _, begun = self._begin_given(given, state, state.fork(taint, hidden))
        heard_of = isinstance(target, ir.Local) and target.slot in state.heard and card is target
        actions = frozenset(name for name in names if heard_of and name.startswith("actions."))
        answer = self._call(names, do_hook, (card, *do_hook.arguments), state, begun, heard, actions)
        self._bind(do_hook.slot, abstract(taint | skipped, taint | skipped, PUBLIC) | answer, state)

    # ── statements ───────────────────────────────────────────────────────────────────────────────────────────────

    def _on_let(self, let: ir.Let, state: State) -> None:
        # What a name stands for also tells whether this line was reached.
        value = self.reads.evaluate_named(let.value, state.env) | uniform(state.hidden)
        self._bind(let.slot, value, state, let.value)

    def _on_assign(self, assign: ir.Assign, state: State) -> ir.Statement:
        if self._is_public(assign.target):
            if not assign.publicly and self._read_value(assign.value, state):
                self._report_leak(assign.value, assign.value.at or assign.at, state)
            self._trace(assign, state, _player_of(assign.target), publicly=assign.publicly)
            if assign.publicly:
                self._announce_value(assign.value, state)
            self._close(assign.target.name, state)  # a list or question that reads it may be another one now
            self._notice(assign, state)
        elif not isinstance(assign.target, ir.State):
            self._remember(assign.target, assign.value, assign.at, state)
        return _mark(assign, explains=not self._explained.isdisjoint(names_called(assign.value)))

    def _remember(self, target: ir.TableMemory | ir.PlayerMemory, value: ir.Expr, at: At | None, state: State) -> None:
        """Taint a hidden memory, unless everybody can follow what it is now."""
        player, name = _player_of(target), target.name
        taint = self._read_value(value, state) | state.quiet | self._read_value(player, state)
        if taint:
            self._close(name, state)  # what was told of it before is not so any more
        hidden = self._find_hidden(value, state) | state.hidden | self._find_hidden(player, state)
        followed = self.world.memories.keys() - self.tainted
        if name not in self.tainted and any(not isinstance(tag, Secret) or tag.name not in followed for tag in taint):
            self.tainted.add(name)
            self.worklist |= self.messages.keys()
        if self._drop_disclosed(hidden, state):
            if at is not None:
                self.kept[name].setdefault((self.script, at.start), at)
            if name not in self.undisclosed:
                self.undisclosed.add(name)
                self.worklist |= self.messages.keys()

    def _on_move(self, move: ir.Move, state: State) -> None:
        if not self._are_hidden(move.cards, state):
            self._trace(move, state, _player_of(move.goal))
        else:
            self._trace_hands(move, state, move.cards, *_find_owners(move.cards), *_find_owners(move.goal))
        self._notice(move, state)
        goal = move.goal
        self._close_open(state, move.cards, goal)
        if self._arrives_open(move):
            self._see_all(move.cards, state, lambda _: PUBLIC)
            self._open_filled(move, state)
            return
        if self._read_value(move.cards, state):
            self._close_goal(goal, state)
            self._close_left(move.cards, state)
        if isinstance(goal, ir.PlaceOf) and goal.owner is not None:
            match self.world.places[goal.name].open_to:
                case "owner":
                    self._see(move.cards, goal.owner, state)
                case "others":
                    self._see(move.cards, others_of(goal.owner), state)

    def _open_filled(self, move: ir.Move, state: State) -> None:
        """Let everybody know all of a slot, which one card fills that all see arrive."""
        goal = move.goal
        is_slot = isinstance(goal, ir.PlaceOf) and self.world.places[goal.name].kept == "slot"
        if is_slot and not move.guards and not _may_do_nothing(move):
            self._open_places(ir.TheCard(goal, type=t.UNKNOWN), state)

    def _on_draw(self, draw: ir.Draw, state: State) -> None:
        drawn, goal = UNTAINTED, draw.goal
        self._trace_parts(draw, state, draw.count)
        self._trace_hands(draw, state, None, *_find_owners(goal))
        self._close_open(state, draw.source, goal)
        if not self._arrives_open(draw):
            self._close_goal(draw.source, state)
            name, owner = (goal.name, goal.owner) if isinstance(goal, ir.PlaceOf) else ("", None)
            drawn = uniform(taint_of(name, owner, self.world.places[name].open_to if name else "nobody"))
            self._close_goal(goal, state)
        self._bind(draw.slot, drawn, state)
        self._notice(draw, state)
        if draw.slot is not None and not draw.guards:
            state.announced |= {draw.slot}

    def _on_act(self, sentence: _Act, state: State) -> None:
        """Do what leaves names as they are."""
        match sentence:
            case ir.MovePieces(count, source, goal):
                self._trace(sentence, state, count, _player_of(source), _player_of(goal))
            case ir.Deal(count, source, place):
                self._trace_parts(sentence, state, count)
                self._trace_hands(sentence, state, None)
                if not self.world.places[place].arrives_up:
                    self._close(place, state)
                    self._close_goal(source, state)
            case ir.Pass(place):
                self._trace_hands(sentence, state, None)
                self._close(place, state)
            case ir.Swap(first, second) if not self._are_hidden(first, state) and not self._are_hidden(second, state):
                self._trace(sentence, state)
            case ir.Swap(first, second):
                self._trace_hands(sentence, state, None, *_find_owners(first), *_find_owners(second))
                self._close_left(first, state)
                self._close_left(second, state)
            case ir.Roll(_, rolled) if not self.rulebook.states[rolled].with_face:
                self._trace(sentence, state)
            case ir.Roll(dice):
                self._trace_hands(sentence, state, dice, *_find_owners(dice))
            case ir.Cover(cards):
                self._trace_hands(sentence, state, cards, *_find_owners(cards))
            case ir.Eliminate(players):
                self._trace(sentence, state, players)
            case ir.Shuffle(place):
                if isinstance(place, ir.PlaceOf) and not self.world.places[place.name].open:
                    self._close(place.name, state)  # nobody knows any more what lies where
            case ir.Win():
                pass  # the game is over
            case _:
                assert_never(sentence)
        self._notice(sentence, state)

    def _on_reveal(self, reveal: ir.Reveal, state: State) -> None:
        self._trace_count(reveal, state, reveal.cards)
        self._see_all(reveal.cards, state)
        self._open_places(reveal.cards, state)
        state.env = state.env.change()  # which side of it is up
        if not reveal.guards and self.reads.shows_holder(reveal.cards):
            state.env = state.env.show_where(reveal.cards)
        self._notice(reveal, state)

    def _on_show(self, show: ir.Show, state: State) -> None:
        self._trace_count(show, state, show.cards)
        if self._reaches_all(show.to, self._read_value(show.cards, state)):
            self._see_all(show.cards, state)
            self._open_places(show.cards, state)
        else:
            self._see(show.cards, show.to, state)
            state.env = state.env.show(show.cards, show.to)
        self._notice(show, state)

    def _on_tell(self, tell: ir.Tell, state: State) -> ir.Statement:
        known = frozenset(name.slot for name in self._find_names(tell.question) if self._is_known(name, state))
        self._see(tell.question, tell.to, state)
        if self._reaches_all(tell.to, self._read_value(tell.question, state)):
            self._announce_value(tell.question, state)
        self._notice(tell, state)
        return _mark(tell, known=known)

    @staticmethod
    def _reaches_all(to: ir.Expr, taint: Taint) -> bool:
        """Check that with these everybody knows it: it is all players, or all but those who knew it before."""
        if isinstance(to, ir.Seats):
            return True
        return bool(taint) and all(
            isinstance(tag, Secret) and EVERYONE in tag.knowers for tag in add_knowers(taint, to)
        )

    def _find_names(self, question: ir.Expr) -> list[ir.Local]:
        """Find the names of this script that a question speaks of, itself or by what `let` has named."""
        body = self.rulebook.scripts[self.script].body
        lets = {node.slot: node.value for node in everything(*body) if isinstance(node, ir.Let)}
        inside, left = list[Any](), [question]
        while left:
            records = everything(left.pop())
            inside += records
            left += [lets.pop(part.slot) for part in records if isinstance(part, ir.Local) and part.slot in lets]
        bound = {loop.slot for loop in inside if isinstance(loop, ir.Through)}
        return [local for local in inside if isinstance(local, ir.Local) and local.slot not in bound]

    def _is_known(self, name: ir.Local, state: State) -> bool:
        """Tell whether all know what a name stands for, and that the game comes by here."""
        return not (state.quiet or state.hidden or self._read_value(name, state))

    def _on_say(self, say: ir.Say, state: State) -> None:
        if say.to is not None:
            return
        if not say.publicly and self._read_value(say.text, state):
            self._report_leak(say.text, say.text.at, state)
        self._trace(say, state, publicly=say.publicly)
        if say.publicly:
            self._announce_value(say.text, state, say.guards)
        self._notice(say, state)

    def _on_pick_random(self, pick_random: ir.PickRandom, state: State) -> ir.Statement:
        picker = pick_random.picker
        if picker is not None and not self._is_known(ir.Local(picker, "me", type=t.PLAYER), state):
            picker = None
        picked = self.reads.read_element(pick_random.source, state.env).single_out()
        for slot in pick_random.slots:
            self._bind(slot, picked, state, pick_random.source)
        if not (state.hidden or pick_random.guards or self._find_hidden_size(pick_random.source, state)):
            state.announced |= {*pick_random.slots}
        return _mark(pick_random, picker=picker)

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _on_arrange(self, arrange: ir.Arrange, state: State) -> ir.Statement:
        if not self._make_chooser(arrange.player, state).may_look(arrange.cards):
            self._report_unseen(arrange.cards, arrange.at, state)
        veiled = self._read_size(arrange.cards, state) | self.reads.find_copies(arrange.cards, state.env)
        self._close_left(arrange.cards, state)
        return _mark(arrange, quiet=bool(state.quiet), veiled=bool(veiled))

    def _on_choose(self, choose: ir.Choose, state: State) -> ir.Statement:
        quiet = state.quiet | self._read_value(choose.player, state)
        picks, able, veiled = self._ask(choose, choose.player, state, hidden=choose.secretly or bool(quiet))
        asking = self._begin_asking(choose.player, state)
        could_not, taken = self._drop_disclosed(veiled, state), choose.taken
        if not (choose.secretly or quiet or able):
            self._tell_where(choose, state)
        if choose.may and not (choose.secretly or quiet):
            self._tell_open(choose, state)
        # Everybody notices that something was chosen, so only the way without an answer stays quiet.
        if taken is not None:
            begun = state.fork(quiet)
            if choose.may:
                self._tell_freely(self._make_chooser(choose.player, state), begun)
            taken = self._follow_branch(taken, state, begun)
        otherwise = self._follow_else(choose, asking, could_not, quiet, able, state)
        state.quiet |= quiet
        return _mark(choose, picks=picks, quiet=bool(quiet), veiled=bool(veiled), taken=taken, otherwise=otherwise)

    def _tell_where(self, choose: ir.Choose, state: State) -> None:
        """Let all see of a card that is chosen whether it comes from a place that they look into."""
        for pick in choose.picks:
            cards = [source for source in pick.sources if source.sort == "card"]
            if not pick.many and all(source.sort in _NO_NUMBERS for source in pick.sources):
                values = self.reads.find_open(cards, choose.player, state.env)
                state.env = state.env.tell_where(pick.slot, values)

    def _tell_open(self, choose: ir.Choose, state: State) -> None:
        """Let all know a card that somebody might have left and has taken from where everyone looks, whatever was asked
        of those that could be taken: all see that it was chosen, and nothing happens where none was.
        """
        for pick in choose.picks:
            if not pick.many and all(source.sort == "card" for source in pick.sources):
                value = self.reads.find_taken([source.list for source in pick.sources], state.env)
                if value is not None:
                    self._bind(pick.slot, value.single_out(choose.player), state)

    def _on_choose_each(self, choose_each: ir.ChooseEach, state: State) -> ir.Statement:
        self._check_askable(choose_each.players, choose_each.at, state)
        self._bind(choose_each.slot, UNTAINTED, state, choose_each.players)
        decider = ir.Local(choose_each.slot, "", type=choose_each.players.type)
        picks, able, veiled = self._ask(choose_each, decider, state, hidden=choose_each.secretly or bool(state.quiet))
        for pick in picks:
            answers = state.env.of(pick.slot).map(lambda taint: answered_by(taint, choose_each.slot))
            self._bind(pick.slot, answers, state)
        asking = self._begin_asking(None, state)
        otherwise = self._follow_else(choose_each, asking, self._drop_disclosed(veiled, state), PUBLIC, able, state)
        return _mark(choose_each, picks=picks, quiet=bool(state.quiet), veiled=bool(veiled), otherwise=otherwise)

    def _on_menu(self, menu: ir.Menu, state: State) -> ir.Statement:
        quiet = state.quiet | self._read_value(menu.player, state)
        asking = self._begin_asking(menu.player, state)
        options, veiled = self._follow_options(menu.player, menu, quiet, state)
        otherwise = self._follow_else(menu, asking, self._drop_disclosed(veiled, state), quiet, veiled, state)
        return _mark(menu, quiet=bool(quiet), veiled=bool(veiled), options=options, otherwise=otherwise)

    def _on_offer(self, offer: ir.Offer, state: State) -> ir.Statement:
        """Open a window: what everybody knows of closes for everybody, nobody took it or somebody is announced."""
        self._check_askable(offer.players, offer.at, state)
        self._begin_asking(None, state)
        self._bind(offer.slot, UNTAINTED, state, offer.players)
        quiet, otherwise, player = state.quiet, offer.otherwise, ir.Local(offer.slot, "", type=t.PLAYER)
        options, picks, body = offer.options, offer.picks, offer.body
        self._exits.append([])
        if picks:
            picks, _, veiled = self._ask(offer, player, state, hidden=bool(quiet))
            begun = state.fork(quiet)
            self._tell_freely(self._make_chooser(player, state), begun)
            body = self._follow_branch(body, state, begun)
        else:
            options, veiled = self._follow_options(player, offer, quiet, state)
        for left, _ in self._exits.pop():
            state.env = state.env.know(state.declassified & left)
        if otherwise is not None:
            otherwise = self._follow_branch(otherwise, state, state.fork(quiet))
        inside = (body, *(option.body for option in options))
        leaving = any(escapes(block, 1) for block in inside) or escapes(otherwise or ())
        state.quiet = state.quiet | quiet if leaving else quiet
        marks: dict[str, Any] = {"options": options, "picks": picks, "body": body, "otherwise": otherwise}
        return _mark(offer, quiet=bool(quiet), veiled=bool(veiled), **marks)

    def _check_askable(self, players: ir.Expr, at: At | None, state: State) -> None:
        """Check that who is asked in a sealed choice or a window, and so told to all, is no secret."""
        taint = self._read_value(players, state) | self._read_size(players, state)
        if not all(isinstance(tag, Secret) and self._is_laid_open(tag, state) for tag in taint):
            self._report("RB602", players.at or at)

    def _ask(
        self, choice: ir.Choose | ir.ChooseEach | ir.Offer, player: ir.Expr, state: State, *, hidden: bool
    ) -> tuple[tuple[ir.Pick, ...], Taint, Taint]:
        """Look at what is chosen from as who chooses does; also why having anything to choose tells something, and why
        being asked does.

        Nobody chooses from cards they may not look at; `pick … at random` is for that. What was shown is marked.
        """
        chooser, picks, able, alike = self._make_chooser(player, state), [], PUBLIC, PUBLIC
        if choice.prompt is not None:
            self._report_told(chooser.find_leaks(choice.prompt), "The question", choice.at)
        for pick in choice.picks:
            value, some = UNTAINTED, PUBLIC
            able |= self.reads.count_options(pick.sources, state.env)
            for source in pick.sources:
                cards = source.sort == "card"
                if cards and not self.reads.lies_open(source.list):
                    value |= self.reads.read_element(source.list, state.env).single_out(player)
                    some |= self._read_size(source.list, state)
                    alike |= self.reads.find_copies(source.list, state.env)
                if cards and not chooser.may_look(source.list):
                    self._report_unseen(source.list, choice.at, state)
                else:
                    leaks = chooser.find_leaks_of_options(source.list, "size" if cards else "value")
                    self._report_told(leaks, "What is offered", choice.at)
            for number in (pick.least, pick.most):
                if number is not None:
                    able |= self._read_value(number, state)
                    self._report_told(chooser.find_leaks(number), "How many may be chosen", choice.at)
            sources = [_mark(source, shown=chooser.was_shown(source)) for source in pick.sources]
            picks.append(_mark(pick, sources=_keep_old(pick.sources, sources)))
            chooser = chooser.binding(pick.slot, value)
            if pick.so_that is not None:
                # How many of them are tried is known as soon as it is known how many there are.
                tried = abstract(value.value, some, value.cards) if pick.many else value
                able |= self.reads.read_value(pick.so_that, state.env.bind(pick.slot, tried))
                self._report_told(chooser.find_leaks(pick.so_that), "What may be chosen", choice.at)
            chosen = value | uniform(known_to(player)) if hidden else value
            self._bind(pick.slot, chosen, state, *(source.list for source in pick.sources if not pick.many))
        # Who may pass is asked even if all that may be chosen is alike; so is who may choose more of it or less.
        may = isinstance(choice, ir.Offer) or choice.may
        forced = not may and _may_fix_size(choice.picks[0])
        able = without_known(able)
        return _keep_old(choice.picks, picks), able, able | without_known(alike) if forced else able

    def _follow_options(
        self, player: ir.Expr, menu: ir.Menu | ir.Offer, quiet: Taint, state: State
    ) -> tuple[tuple[ir.Option, ...], Taint]:
        """Analyse the blocks behind the labels; give also why having any of them tells something."""
        chooser, veiled = self._make_chooser(player, state), PUBLIC
        if menu.prompt is not None:
            self._report_told(chooser.find_leaks(menu.prompt), "The question", menu.at)
        for option in menu.options:
            if option.condition is not None:
                veiled |= self._read_value(option.condition, state)
                self._report_told(chooser.find_leaks(option.condition), "What is offered", option.label.at)
            # Everyone reads the label that was chosen.
            if not quiet and self._read_value(option.label, state):
                self._report_leak(option.label, option.label.at, state, _OF_A_LABEL)
            else:
                self._report_told(chooser.find_leaks(option.label), "What is offered", option.label.at)
        begun = state.fork(quiet)
        if len(menu.options) > 1 or not isinstance(menu, ir.Menu) or menu.may:
            self._tell_freely(chooser, begun)
        bodies = self._follow_branches([option.body for option in menu.options], state, begun)
        if _may_take_none(menu):
            # Where none is taken, no more is open behind it than was before.
            state.env = state.env.join(begun.env)
            state.opened &= begun.opened
        options = [_mark(option, body=body) for option, body in zip(menu.options, bodies, strict=True)]
        return _keep_old(menu.options, options), veiled

    def _begin_asking(self, player: ir.Expr | None, state: State) -> State:
        """Ask somebody, here and not there; give the state in which they are asked."""
        state.provisional = []
        state.hidden |= self._find_hidden(player, state)
        return state.fork()

    def _tell_freely(self, chooser: Chooser, state: State) -> None:
        """Begin what somebody may do or leave: of what they know, they tell as much as they like."""
        state.hidden = frozenset(tag for tag in state.hidden if chooser.may_not_know(frozenset({tag})))

    def _follow_else(
        self, choice: _Answerable, asking: State, could_not: Taint, quiet: Taint, able: Taint, state: State
    ) -> ir.Block | None:
        """Analyse the block for when nothing is chosen: inside nobody knows why; behind it all know that nothing was.

        Could not looks like would not, if one may.
        """
        begun = asking.fork(hidden=PUBLIC if choice.may else could_not, at=choice.at)
        otherwise = choice.otherwise
        if otherwise is not None:
            before, behind = state.quiet, PUBLIC
            if not isinstance(choice, ir.Menu):
                begun.env = state.env
            begun.quiet = before | quiet
            if escapes(otherwise):
                known = begun.fork()
                self._follow_block(otherwise, known)
                behind = known.quiet
            begun.quiet |= able
            # Where something is chosen, what that laid open stays so.
            _, otherwise = self._follow_branches([(), otherwise], state, begun, first=state.env)
            state.quiet = before | behind
        state.hidden -= begun.hidden - asking.hidden
        if not isinstance(choice, ir.Menu) and not choice.secretly and not state.hidden:
            chosen = {pick.slot for pick in choice.picks}
            state.announced |= chosen
            state.heard |= set() if quiet or state.quiet else chosen
        return otherwise


_Transfer: TypeAlias = Callable[[TaintAnalysis, Any, State], ir.Statement | None]

_TRANSFER: dict[type[Any], _Transfer] = {
    ir.Let: TaintAnalysis._on_let,
    ir.Assign: TaintAnalysis._on_assign,
    ir.Move: TaintAnalysis._on_move,
    ir.Draw: TaintAnalysis._on_draw,
    ir.PickRandom: TaintAnalysis._on_pick_random,
    ir.Arrange: TaintAnalysis._on_arrange,
    ir.Reveal: TaintAnalysis._on_reveal,
    ir.Show: TaintAnalysis._on_show,
    ir.Tell: TaintAnalysis._on_tell,
    ir.Say: TaintAnalysis._on_say,
    ir.Choose: TaintAnalysis._on_choose,
    ir.ChooseEach: TaintAnalysis._on_choose_each,
    ir.Menu: TaintAnalysis._on_menu,
    ir.Offer: TaintAnalysis._on_offer,
    ir.If: TaintAnalysis._on_if,
    ir.ForEach: TaintAnalysis._on_for_each,
    ir.Repeat: TaintAnalysis._on_repeat,
    ir.Iterate: TaintAnalysis._on_iterate,
    ir.Stage: TaintAnalysis._on_stage,
    ir.Leave: lambda analysis, leave, state: analysis._leave(leave, state),
    ir.EndStage: TaintAnalysis._on_end_stage,
    ir.Return: TaintAnalysis._on_return,
    ir.DoRule: TaintAnalysis._on_do_rule,
    ir.DoHook: TaintAnalysis._on_do_hook,
    **dict.fromkeys(get_args(_Act), TaintAnalysis._on_act),
}
"""The transfer functions; they give the statement with its marks, or None where it has none."""


def _mark(record: _Record, **marks: Any) -> _Record:
    """Mark a record for who plays the game; what says so already stays itself."""
    if all(getattr(record, name) is value for name, value in marks.items()):
        return record
    return cast(_Record, evolve(cast(Any, record), **marks))


def _keep_old(old: tuple[_Record, ...], new: Sequence[_Record]) -> tuple[_Record, ...]:
    """Return the old tuple if nothing in it has changed."""
    return old if all(map(is_, old, new)) else tuple(new)


def _may_take_none(menu: ir.Menu | ir.Offer) -> bool:
    """Check whether a game may go on behind labels none of which was taken, without what stands below `else`."""
    if isinstance(menu, ir.Offer):
        return True
    return menu.otherwise is None and (menu.may or all(option.condition is not None for option in menu.options))


def _may_do_nothing(sentence: ir.Statement) -> bool:
    """Check whether a statement that everybody notices may have nothing to do: then nobody notices anything."""
    match sentence:
        case ir.Move(cards):
            return isinstance(cards.type, t.ListOf) or t.may_be_nothing(cards.type)
    assert sentence.may_be_idle is not ir.DEPENDS, "what it depends on stands above"
    return sentence.may_be_idle is ir.ALWAYS


def _narrow(condition: ir.Expr, state: State) -> State:
    """Return the state where a condition is so: a card that lies in an open place is known to all."""
    env = state.env
    for slot, value in filter(None, map(env.find_lying, _split_and(condition))):
        env = env.bind(slot, value)
    return state if env is state.env else evolve(state, env=env, provisional=[])


def _split_and(condition: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a condition that all are so where it is."""
    if isinstance(condition, ir.And):
        yield from (*_split_and(condition.left), *_split_and(condition.right))
    else:
        yield condition


def _is_heard(question: ir.Expr, announced: Collection[int]) -> bool:
    """Tell whether it asks what everybody heard when somebody chose: whether anything, which action or word it was, or
    whether it was a card.
    """
    match question:
        case ir.IsNothing(ir.Local(slot)) | ir.IsEmpty(ir.Local(slot)) | ir.IsText(ir.Local(slot)):
            return slot in announced
        case ir.Within(ir.Local(slot), ir.AllActions()):
            return slot in announced
        case ir.Local(slot):
            return slot in announced and not t.kinds_of(question.type)
        case ir.IsKind(ir.Local(slot) as chosen, kinds):
            return slot in announced and (not kinds or t.kinds_of(chosen.type) <= kinds)
        case ir.IsCard(ir.Local(slot), _, kinds):
            return slot in announced and not kinds
    return False


def _strip_not(question: ir.Expr) -> ir.Expr:
    """Return the question whose answer says this one's."""
    return _strip_not(question.value) if isinstance(question, ir.Not) else question


def _may_be_of(secret: Secret, place: tuple[str, ir.Expr | None]) -> bool:
    """Tell whether a secret may lie in a place, if it is not known any more whose it was."""
    name, owner = place
    return secret.name == name and (secret.of is None or owner is None or same_player(secret.of, owner))


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


def _find_spoken_of(sentence: ir.Statement) -> Iterator[ir.Expr]:
    """Find the players of whom everybody sees or hears that it is about them: not those whom it only asks about."""
    match sentence:
        case ir.Say(text) | ir.Stage(title=text):
            parts = text.parts if isinstance(text, ir.Joined) else ()
            yield from (part for part in parts if isinstance(part, ir.Local) and part.type == t.PLAYER)
        case ir.Assign(target, value):
            yield from (*_find_owners(target), *(_find_owners(value) if isinstance(value, ir.Local) else ()))
        case ir.Move(cards, goal) | ir.Draw(source=cards, goal=goal) | ir.MovePieces(_, cards, goal):
            yield from (*_find_owners(cards), *_find_owners(goal))
        case ir.Swap(cards, others) | ir.Show(cards, others):
            yield from (*_find_owners(cards), *_find_owners(others))
        case ir.Reveal(cards) | ir.Cover(cards) | ir.Roll(cards) | ir.Shuffle(cards) | ir.Eliminate(cards):
            yield from _find_owners(cards)
        case ir.Deal() | ir.Pass() | ir.Win():
            pass  # it is about everybody, or the game is over
        case ir.PickRandom() | ir.Arrange() | ir.Choose() | ir.ChooseEach() | ir.Menu() | ir.Offer() | ir.Tell():
            pass  # who is asked or told something is not said to all
        case ir.Let() | ir.If() | ir.ForEach() | ir.Repeat() | ir.Iterate() | ir.Leave() | ir.EndStage() | ir.Return():
            pass  # nobody notices it
        case ir.DoRule() | ir.DoHook():
            pass  # what is in there is noticed by itself
        case _:
            assert_never(sentence)


def _find_owners(listed: ir.Expr) -> Iterator[ir.Expr]:
    """Find the players in whose places cards lie, or who are meant themselves."""
    match listed:
        case ir.Cards() | ir.TheCard() | ir.Pieces():
            yield from _find_owners(listed.place)
        case ir.PlaceOf() if listed.owner is not None:
            yield from _find_owners(listed.owner)
        case ir.Filter(inner) | ir.Sorted(inner) | ir.BuiltIn("first" | "last", (inner, *_)):
            yield from _find_owners(inner)
        case ir.Chain():
            yield from (*_find_owners(listed.first), *_find_owners(listed.second))
        case ir.Listed(items):
            for item in items:
                yield from _find_owners(item)
        case ir.PlayerMemory():
            yield from _find_owners(listed.player)
        case ir.Local() if listed.type == t.PLAYER or isinstance(listed.type, t.Place):
            yield listed


def _player_of(target: ir.Expr) -> ir.Expr | None:
    """The player whose place or memory it is."""
    if isinstance(target, ir.PlayerMemory):
        return target.player
    if isinstance(target, ir.Local) and isinstance(target.type, t.Place):
        return target
    owner = target.owner if isinstance(target, ir.PlaceOf) else None
    return owner if owner is not None and t.PLAYER in t.members(owner.type) else None


def _key(code: str, at: At, script: str) -> Key:
    return code, at.span.file.name, at.start, at.end, script


def _name_script(script: str) -> str:
    """A script or function as people say it."""
    section, _, rest = script.partition(".")
    return f"{section.removesuffix('s')} {rest.replace('.', ', ', 1)}"
