"""Set-up that needs more cards, or more room, than there is, or that is the whole game: found by running it.

The machine runs each game to its first decision, for every number of players, and under the other choices of those
options that set-up reads; of a range, under its ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any, assert_never

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.lint.book import Book
from rulebook.dsl.settling.options import setting_text
from rulebook.dsl.walk import everything, parts, statements
from rulebook.dsl.world import World
from rulebook.interpreter.decisions import BadSetup, Endless, RuleError
from rulebook.interpreter.events import How
from rulebook.interpreter.layout import WHERE, PlaceSlot
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import Step
from rulebook.interpreter.ops import cards, chance, flow
from rulebook.interpreter.ops.cards import cards_of, resolve_goal, resolve_place
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import cards_in, count_in

_MOST_STEPS = 30_000
"""The most steps of set-up, together with all further games that are begun to see whether chance ends them."""
_MOST_LABELS = 3

Settings = Mapping[str, Any]
Key = tuple[int, int, int]
"""A sentence: the identity of the text in which it stands, and where."""


def find_shortages(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Find every sentence of set-up that asks for more than there is, and what ends the game before anybody decides.

    Options are tried with the most players, and a game under variants is set up for the most and the fewest: what they
    change runs out there first.
    """
    messages: dict[tuple[str, int], Diagnostic] = {}
    with suppress(Endless):  # set-up that comes to no end with some players need not be tried with more
        _try_tables(rulebook, world, messages)
    return list(messages.values())


_SEEDS = 8  # chance may end one game at once, and not all


def _find_early_end(book: Book) -> Iterator[Diagnostic]:
    """The `until` at which a game with choices is over before anybody decides, with any number of players."""
    rulebook, at, left = book.rulebook, None, _MOST_STEPS
    if not any(book.homes[name].of(ir.Asking) for name in book.reached):
        return
    for seed, players in product(range(_SEEDS), rulebook.players):
        if left <= 0:
            break
        machine = _SetUp(rulebook, lower(rulebook, players, {}))
        try:
            if machine.advance(machine.new_state(seed)) is not None:
                return
        except (Shortage, RuleError):
            return
        at, left = machine.so_already, left - machine.steps
    if at is not None:
        yield diagnose("RB517", at.span)


def _try_tables(rulebook: ir.Rulebook, world: World, messages: dict[tuple[str, int], Diagnostic]) -> None:
    index = cache(lambda: Book(rulebook, world))  # most variants need none
    under_variant = any(name.startswith("variants/") for name in rulebook.source)
    ran: set[Key] = set()
    ended: set[int] = set()

    def is_short(players: int, settings: Settings) -> bool:
        short = find_shortage(rulebook, players, settings, ran, ended)
        if short is not None and short.place not in messages:
            messages[short.place] = _describe_shortage(index(), players, settings, short)
        return short is not None

    least, most = rulebook.players[0], rulebook.players[-1]
    tables = (least, most) if under_variant else rulebook.players
    short = [is_short(players, {}) for players in tables]
    if not under_variant and not any(short) and ended == set(tables):
        for early in _find_early_end(index()):
            messages["", 0] = early
    if any(short) or under_variant:
        return  # what is wrong by default is wrong whatever the options are
    for option in _find_options(index(), ran):
        if option.choices is not None or option.type == t.YES_NO:
            for value in (True, False) if option.choices is None else option.choices:
                if value != option.default:
                    is_short(most, {option.name: value})
            continue
        for end in (option.low, option.high):
            if end is None or not isinstance(option.default, int) or end == option.default:
                continue
            if find_shortage(rulebook, most, {option.name: end}) is not None:
                # Of a range, the value nearest to the default that falls short.
                step = 1 if end > option.default else -1
                for value in range(option.default + step, end + step, step):
                    if is_short(most, {option.name: value}):
                        break


def _find_options(book: Book, ran: set[Key]) -> list[ir.OptionDef]:
    """The options that these sentences read, and those on which cards and places depend."""
    homes = book.homes.values()
    sentences = [
        line for home in homes for line in home.of(ir.Sentence) if line.at is not None and _make_key(line.at) in ran
    ]
    asked_here = (part for line in sentences for part in parts(line) if not isinstance(part, ir.Sentence | ir.Option))
    declared = (home for home in homes if home.name.startswith(("cards.", "places.")) and home.name.count(".") == 1)
    records = [*everything(*asked_here), *(record for home in declared for record in home.records)]
    called = {name for record in records for name in book.callees(record)}
    records += [record for name in book.below(*called) for record in book.homes[name].records]
    names = {record.name for record in records if isinstance(record, ir.OptionValue)}
    names |= {record.option for record in records if isinstance(record, ir.ByOption)}
    return [option for name, option in book.rulebook.options.items() if name in names]


def _make_key(at: At) -> Key:
    return id(at.scalar), at.start, at.end


# ── one game ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Shortage(Exception):
    """A sentence that needs more than there is: what for, what there is, and the families of cards it is about.

    `unfilled` is the name of the place where they should lie, if none have come there yet.
    """

    def __init__(
        self, at: At, needs: str, there: str, families: Mapping[str, int], unfilled: str | None = None
    ) -> None:
        super().__init__(needs)
        self.at, self.needs, self.there, self.families, self.unfilled = at, needs, there, families, unfilled

    @property
    def place(self) -> tuple[str, int]:
        """The file and offset at which the sentence stands."""
        return self.at.span.file.name, self.at.span.start


def find_shortage(
    rulebook: ir.Rulebook,
    players: int,
    settings: Settings,
    ran: set[Key] | None = None,
    ended: set[int] | None = None,
) -> Shortage | None:
    """Run one game to its first decision; what it falls short of.

    `ran` gets the places of the sentences, `ended` the number of players if the game is over by then.

    Raises Endless for set-up that is too long.
    """
    try:
        program = lower(rulebook, players, dict(settings))
    except BadSetup:
        return None  # forbidden, so nobody begins it
    machine = _SetUp(rulebook, program)
    try:
        if machine.advance(machine.new_state(0)) is None and ended is not None:
            ended.add(players)
    except Shortage as short:
        return short
    except Endless:
        raise
    except RuleError:
        return None  # play says it better, with all that led to it
    finally:
        if ran is not None:
            ran |= machine.ran
    return None


class _SetUp(Machine):
    """A machine that looks at each op before it runs."""

    def __init__(self, rulebook: ir.Rulebook, program: Program) -> None:
        super().__init__(program)
        self.rulebook = rulebook
        self.ran: set[Key] = set()
        self.so_already: At | None = None
        """The `until` of the last stage that was over when it was to begin."""
        self._filled: set[int] = set()
        self._sentences: dict[str, Sequence[ir.Statement]] = {}
        self.steps = 0

    def _run_step(self, run: Run) -> None:
        if (at := run.code.ats[run.pc]) is not None:
            self.ran.add(_make_key(at))
        with suppress(NotThere):  # a sentence about nobody is skipped
            self._look(run)
        self.steps += 1
        if self.steps == _MOST_STEPS:
            raise Endless("Set-up that takes longer is play.")
        if run.code.steps[run.pc].does(flow.enter_stage):
            self._note_stage(run)
        super()._run_step(run)

    def _note_stage(self, run: Run) -> None:
        sentence, stage = self._find_sentence(run), run.code.stage_table[run.code.steps[run.pc]["stage"]]
        if stage.until is not None and run.holds(run.code, stage.until, run.env):
            self.so_already = sentence.until.at if isinstance(sentence, ir.Stage) and sentence.until else None

    def _look(self, run: Run) -> None:
        (step, *behind), env = run.code.steps[run.pc : run.pc + 2], run.env
        if behind and behind[0].does(chance.draw_next):
            self._look_at_draw(run, step, behind[0])
        elif step.does(cards.move_pieces):
            there = resolve_place(run, env[step["source"]])
            wanted = 0 if step["count"] is None else env[step["count"]] or 0
            if wanted > run.state[there.slot] and there.ordinal in self._filled:
                self._fall_short(run, f"moves {wanted}", run.state[there.slot], self._count_pieces(run, there))
            self._filled.add(resolve_place(run, env[step["goal"]]).ordinal)
        elif step.does(cards.move):
            goal, index = resolve_goal(run, env[step["goal"]])
            moved = cards_of(env[step["cards"]])
            self._look_at_first(run, len(moved))
            self._look_at_room(run, moved, goal, index)
            self._filled.add(goal.ordinal)
        elif step.does(chance.begin_pick):
            values, wanted = env[step["source"]] or (), env[step["count"]] or 0
            if run.code.steps[run.pc + 1]["sort"] == "card" and wanted > len(values):
                self._fall_short(run, f"picks {_count_cards(wanted)}", len(values), self._count_families(values))

    def _look_at_draw(self, run: Run, step: Step, draw: Step) -> None:
        for_each, source = run.env[step["count"]] or 0, resolve_place(run, run.env[step["source"]])
        there = cards_in(run.layout, run.state, source) if source.kept != "pool" else ()
        count = count_in(run.layout, run.state, source)
        if source.refill is not None:
            count += count_in(run.layout, run.state, run.layout.places[source.refill])
        match How(draw["how"]):
            case How.DEAL:
                goals = [run.layout.places[place] for place in step["places"]]
                wanted = for_each * len(goals)
                # To deal as many as there are, or more, to everybody is how to deal them all.
                if for_each < count < wanted or (for_each > 0 == count and source.ordinal not in self._filled):
                    unfilled = None if source.ordinal in self._filled else source.name
                    self._fall_short(run, f"deals {_count_cards(wanted)}", count, self._count_families(there), unfilled)
            case How.DRAW:
                goals = [resolve_place(run, run.env[step["goal"]])]
                # Who gives what was drawn a name can ask whether there was any.
                if count < for_each and draw["to"] is None and source.ordinal in self._filled:
                    self._fall_short(run, f"draws {_count_cards(for_each)}", count, self._count_families(there))
            case How.MOVE | How.PASS | How.SWAP as how:
                raise AssertionError(f"somebody says which cards {how.value}")
            case how:
                assert_never(how)
        self._filled |= {goal.ordinal for goal in goals}

    def _look_at_first(self, run: Run, moved: int) -> None:
        """`move first(S, n) to …` with fewer than n."""
        match self._find_sentence(run):
            case ir.Move(ir.BuiltIn("first" | "last", (_, *numbers)) as first):
                wanted = self._find_number(numbers[0]) if numbers else 1
                if wanted is not None and moved < wanted:
                    self._fall_short(run, f"moves {_count_cards(wanted)}", moved, self._count_declared(first.type))

    def _look_at_room(self, run: Run, moved: Iterable[int], goal: PlaceSlot, index: int | None) -> None:
        if goal.kept not in ("slot", "grid") or index is not None:
            return
        coming = [card for card in moved if run.state[WHERE][card] != goal.ordinal]
        room = 1 if goal.kept == "slot" else len(run.state[goal.slot])
        together = len(coming) + len(cards_in(run.layout, run.state, goal))
        if together > room:
            owner = "" if goal.owner is None else "a player's "
            there = f"there is room for {'one' if room == 1 else room} only"
            at = run.code.ats[run.pc]
            if at is not None:
                raise Shortage(
                    at, f"puts {_count_cards(together)} into {owner}`{goal.name}`", there, self._count_families(coming)
                )

    def _fall_short(
        self, run: Run, needs: str, there: int, families: Mapping[str, int], unfilled: str | None = None
    ) -> None:
        at = run.code.ats[run.pc]
        if at is not None and not self._is_foreseen(run):
            raise Shortage(at, needs, _say_only(there), families, unfilled)

    def _is_foreseen(self, run: Run) -> bool:
        """Tell whether rules that ran have asked how much there is in a place that the sentence is about."""
        sentence = self._find_sentence(run)
        taken = everything(*ir.find_taken(sentence)) if isinstance(sentence, ir.Moving) else ()
        places = {node.name for node in taken if isinstance(node, ir.PlaceOf)}
        nodes = (
            node
            for script in self.rulebook.scripts.values()
            for branch in everything(script)
            if isinstance(branch, ir.If) and branch.at is not None and _make_key(branch.at) in self.ran
            for node in everything(branch.condition)
        )
        return any(
            (
                isinstance(part, ir.IsEmpty | ir.Pieces)
                or (isinstance(part, ir.BuiltIn) and part.name in ("count", "any"))
            )
            and any(isinstance(inner, ir.PlaceOf) and inner.name in places for inner in everything(part))
            for part in nodes
        )

    def _find_sentence(self, run: Run) -> ir.Sentence | None:
        """The sentence that an op was lowered from."""
        at, name = run.code.ats[run.pc], run.code.name
        if name not in self._sentences:
            script = self.rulebook.scripts.get(name)
            self._sentences[name] = () if script is None else statements(script.body)
        return next((sentence for sentence in self._sentences[name] if sentence.at == at), None)

    def _find_number(self, expr: ir.Expr) -> int | None:
        """A number that stands in a script, or that an option gives."""
        match expr:
            case ir.Const(int(value)):
                return value
            case ir.OptionValue(name, None):
                value = self.program.options[name]
                return value if isinstance(value, int) else None
        return None

    # ── families ──

    def _count_families(self, cards: Iterable[int]) -> Counter[str]:
        return Counter(self.program.definition[card] for card in cards)

    def _count_declared(self, of: t.Type) -> Counter[str]:
        """Count the cards of each definition that a type allows."""
        kinds = t.kinds_of(*(member.item if isinstance(member, t.ListOf) else member for member in t.members(of)))
        return Counter(id for id in self.program.definition if self.rulebook.cards[id].kind in kinds)

    def _count_pieces(self, run: Run, pool: PlaceSlot) -> Counter[str]:
        holds = self.rulebook.places[pool.name].holds
        return Counter(id for id in self.program.definition if self.rulebook.cards[id].kind in holds)


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _describe_shortage(book: Book, players: int, settings: Settings, short: Shortage) -> Diagnostic:
    options = book.rulebook.options
    rules = " and ".join(
        f"{name}={setting_text(options[name], value, book.rulebook.units)}" for name, value in settings.items()
    )
    game = f"{players} players" + (f" and {rules}" if rules else "")
    labels, help = tuple(_label_cards(book, short.families)), None
    if short.unfilled is not None:
        help = f"Nothing lies in `{short.unfilled}` yet: fill it before this."
        labels += tuple(_label_fill(book, short.unfilled))
    return diagnose("RB505", short.at.span, game=game, needs=short.needs, there=short.there, labels=labels, help=help)


def _label_fill(book: Book, name: str) -> Iterator[Label]:
    """The first sentence that puts cards there."""
    for move in book.all(ir.Moving):
        if move.at is not None and any(isinstance(g, ir.PlaceOf) and g.name == name for g in ir.find_goals(move)):
            yield Label(move.at.span, "it is filled here")
            return


def _label_cards(book: Book, definitions: Mapping[str, int]) -> Iterator[Label]:
    """The cards that are meant, where they are declared, with how many there are."""
    families: Counter[str] = Counter()
    cards = book.world.cards
    for id in book.rulebook.cards:
        card = cards[id]
        while card.owner:  # what comes with a card is declared with it
            card = cards[card.owner]
        families[card.family] += definitions.get(id, 0)
    counts = [(family, count) for family, count in families.items() if count]
    for number, (family, count) in enumerate(counts, 1):
        span = book.span("cards", family)
        if number == _MOST_LABELS and len(counts) > number:
            rest = sum(more for _, more in counts[number:])
            yield Label(span, f"{count} of this, and {rest} of the other cards")
            return
        yield Label(span, f"{count} of this")


def _count_cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _say_only(count: int) -> str:
    return "there is none" if count == 0 else "there is only 1" if count == 1 else f"there are only {count}"
