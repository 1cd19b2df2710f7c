"""What runs, step by step: the ops of flat code, one class a step.

In: nothing; lowering builds them. Out: the machine has a handler for each (a test demands it). Never: changes; knows a
game; knows the language's own trees.

A *formula* is a pure closure `f(run, env)` that answers with a value, where `env` is the list of locals. Values are
plain: numbers, yes and no, and texts are themselves; a player is a seat; a card its number, an action the number of
cards plus its index (both are *objects*); a place its ordinal; a cell `(ordinal, index)`; a list a tuple; answers per
player a tuple by seat; nothing is None.

Sentences that may meet chance are two ops: the first reads everything once into hidden locals, the second does one step
and runs again until its work is done, so that the game can stop between any two outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rulebook.interpreter.layout import MemorySlot, StateSlot

ABSENT = "\0absent"
"""What stands in a local whose `choose` had no option: sentences that read it are skipped."""

Env = list[Any]
Formula = Callable[[Any, Env], Any]
"""Its first argument is the run that asks, which knows ops and not the other way round."""


@frozen(eq=False, kw_only=True)
class Op:
    """One step of a script.

    If one of the locals in `guards` is absent, the op is skipped: the script goes on at `skip` (0: the next op), and
    the locals in `binds` become absent.
    """

    guards: tuple[int, ...] = ()
    skip: int = 0
    binds: tuple[int, ...] = ()


# ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, kw_only=True)
class Let(Op):
    """`let x = e`."""

    slot: int
    value: Formula


@frozen(eq=False, kw_only=True)
class Probe(Op):
    """Somebody looks on: written only where a report of what ran was asked for."""

    look: Formula


@frozen(eq=False, kw_only=True)
class Branch(Op):
    """`if c:`: goes on when yes, else to `otherwise`."""

    condition: Formula
    otherwise: int


@frozen(eq=False, kw_only=True)
class Switch(Op):
    """Goes to the target whose number stands in `slot`: the blocks of a menu."""

    slot: int
    targets: tuple[int, ...]


@frozen(eq=False, kw_only=True)
class Jump(Op):
    """Goes to `target`."""

    target: int


@frozen(eq=False, kw_only=True)
class Walk(Op):
    """`each x in S:` begins: S is read once, into `items`; `at` counts the rounds."""

    list: Formula
    items: int
    at: int


@frozen(eq=False, kw_only=True)
class NextItem(Op):
    """The next round of an `each`, or its end; of `players`, one who was eliminated since is passed over.

    `among` answers, where somebody may be asked quietly in a round, with all to whom a shared device then goes in turn.
    """

    items: int
    at: int
    slot: int
    index: int | None
    players: bool
    exit: int
    among: Formula | None = None


@frozen(eq=False, kw_only=True)
class Repeat(Op):
    """`repeat n:` or `loop:` (`count` None) begins; `limit` holds how often, `at` counts the rounds."""

    count: Formula | None
    limit: int
    at: int


@frozen(eq=False, kw_only=True)
class NextRound(Op):
    """The next round of a `repeat` or `loop`, or its end. A `loop` whose last round changed nothing is an error."""

    limit: int
    at: int
    index: int | None
    exit: int


@frozen(eq=False, kw_only=True)
class EnterStage(Op):
    """`stage name "Title" until C:` begins, unless C is true already."""

    stage: int


@frozen(eq=False, kw_only=True)
class AskUntil(Op):
    """The `until` of a stage is asked after a statement that stands directly in its block."""

    stage: int


@frozen(eq=False, kw_only=True)
class LeaveStages(Op):
    """The end of a stage's block, or a `stop` or `skip` out of one: these stages are left, innermost first."""

    stages: tuple[int, ...]


@frozen(eq=False, kw_only=True)
class EndStage(Op):
    """`end name`: the innermost stage of that name is left, with everything that it called."""

    name: str


@frozen(eq=False, kw_only=True)
class Return(Op):
    """`return e`, and the end of each script: back to the caller, out of `stages`."""

    value: Formula | None
    stages: tuple[int, ...]


@frozen(eq=False, kw_only=True)
class Call(Op):
    """`do rule(args) as x`."""

    code: int
    arguments: tuple[Formula, ...]
    slot: int | None


@frozen(eq=False, kw_only=True)
class CallHook(Op):
    """`do card.effect(p) for this as x`: `codes` holds the script of each object, None where it has no such hook."""

    hook: str
    codes: tuple[int | None, ...]
    target: Formula
    arguments: tuple[Formula, ...]
    stand_in: Formula | None
    slot: int | None


# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, kw_only=True)
class Source:
    """One list to choose from. `sort` says what its values are and makes the keys; `label` names one for people.

    `shown`: who chooses is told what they know of its cards, whether or not the place where they lie recalls.

    Of a list with a `where`, `everything` is the list before it, `slot` where its condition finds the thing that is
    looked at; `reasons` then says to a seat which conditions are not met. Of a menu, `written` are its labels as they
    stand in the rules, whatever they name now.
    """

    list: Formula
    sort: str
    shown: bool = False
    label: Callable[[Any, Env, Any], str]
    everything: Formula | None = None
    slot: int = -1
    reasons: Callable[[Any, Env, int], tuple[str, ...]] | None = None
    written: tuple[str, ...] = ()


@frozen(eq=False, kw_only=True)
class Pick:
    """One name to choose: see `choosing` for how many of what."""

    slot: int
    name: str
    many: bool
    least: Formula
    most: Formula | None
    ordered: bool
    sources: tuple[Source, ...]
    so_that: Formula | None

    @property
    def holds_cards(self) -> bool:
        """Whether what is picked are card numbers (or lists of them)."""
        return any(source.sort in ("card", "object", "list of card") for source in self.sources)


@frozen(eq=False, kw_only=True)
class Choose(Op):
    """One decision, of one player (`sealed` no) or of several at once.

    `deciders` answers with a seat, or with several. `decider` is the local in which each finds itself while the options
    are read. Afterwards the picks' locals hold the values, or a tuple of them by seat if `sealed`. Goes on when
    something was chosen, else to `otherwise`. `told` says who learns what was chosen: "everyone", "chooser"
    (`secretly`), or "later" (an offer, whose takers are announced when their turn comes).

    While it is open the others may not learn who is asked if it is `quiet` or `veiled`; once it is closed they learn
    the answer if it was only `veiled`, but nothing of who had none to give.
    """

    deciders: Formula
    sealed: bool
    decider: int | None
    may: bool
    told: str
    quiet: bool
    veiled: bool
    prompt: Formula | None
    picks: tuple[Pick, ...]
    otherwise: int


@frozen(eq=False, kw_only=True)
class Taken(Op):
    """An `offer together` is carried out for the player in `taker`, whose sealed answer is now announced.

    The number of the option is put into `slot`; where it may not be carried out any more, goes to `otherwise`. Of a
    `quiet` window nobody hears anything.
    """

    answers: int
    taker: int
    slot: int
    conditions: tuple[Formula | None, ...]
    labels: tuple[Formula, ...]
    quiet: bool
    otherwise: int


# ── memory and cards ─────────────────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, kw_only=True)
class SetMemory(Op):
    """`set a = e`, `set p.a = e`; with `explains`, the lines that the value was made of are told."""

    memory: MemorySlot
    player: Formula | None
    value: Formula
    explains: bool


@frozen(eq=False, kw_only=True)
class SetState(Op):
    """`set card.a = e`."""

    state: StateSlot
    card: Formula
    value: Formula
    explains: bool


@frozen(eq=False, kw_only=True)
class Move(Op):
    """`move X to PLACE top face up`; the goal is a place or a cell."""

    cards: Formula
    goal: Formula
    end: str
    face: str


@frozen(eq=False, kw_only=True)
class MovePieces(Op):
    """`move n from POOL to POOL`: as many as there are; `count` None is all."""

    count: Formula | None
    source: Formula
    goal: Formula


@frozen(eq=False, kw_only=True)
class BeginDraw(Op):
    """`draw n from PLACE to PLACE`, or `deal n from PLACE to each place` (`each`: its ordinals by seat)."""

    count: Formula
    source: Formula
    goal: Formula | None
    each: tuple[int | None, ...] | None
    source_slot: int
    goals: int
    total: int
    taken: int


@frozen(eq=False, kw_only=True)
class DrawNext(Op):
    """Draws until `total` cards are taken or there are none left; `slot` gets the card, or all if `many`."""

    source_slot: int
    goals: int
    total: int
    taken: int
    end: str
    face: str
    slot: int | None
    many: bool
    how: str


@frozen(eq=False, kw_only=True)
class PassEach(Op):
    """`pass each hand left`: the whole place to the neighbour, all at once."""

    places: tuple[int | None, ...]
    step: int


@frozen(eq=False, kw_only=True)
class BeginShuffle(Op):
    """`shuffle X`: a pile or bag is done at once; a row or grid is laid out card by card, from `left` into `done`."""

    place: Formula
    place_slot: int
    left: int
    done: int


@frozen(eq=False, kw_only=True)
class ShuffleNext(Op):
    """Decides which card lies at the next position."""

    place_slot: int
    left: int
    done: int


@frozen(eq=False, kw_only=True)
class BeginSettle(Op):
    """What is about to be looked at gets its order: `place` answers with a pile; `count` None is all of it."""

    place: Formula
    count: Formula | None
    place_slot: int
    total: int


@frozen(eq=False, kw_only=True)
class SettleNext(Op):
    """Decides which card lies below those that are settled."""

    place_slot: int
    total: int


@frozen(eq=False, kw_only=True)
class BeginPick(Op):
    """`pick x from S at random`: the values are read into `left`; `total` is how many are wanted."""

    source: Formula
    count: Formula | None
    names: int
    left: int
    total: int
    picked: int


@frozen(eq=False, kw_only=True)
class PickNext(Op):
    """Picks the next one; at the end `slots` get one each, or the only one gets all if `many`."""

    left: int
    total: int
    picked: int
    slots: tuple[int, ...]
    many: bool
    sort: str
    stream: int


@frozen(eq=False, kw_only=True)
class BeginRoll(Op):
    """`roll X`: the dice are read into `left`."""

    dice: Formula
    left: int
    rolled: int


@frozen(eq=False, kw_only=True)
class RollNext(Op):
    """Rolls the next die."""

    left: int
    rolled: int
    state: StateSlot
    stream: int


@frozen(eq=False, kw_only=True)
class Swap(Op):
    """`swap a with b`: two cards, two places or two cells (`sort`) change contents."""

    first: Formula
    second: Formula
    sort: str


@frozen(eq=False, kw_only=True)
class Arrange(Op):
    """The cards take each other's positions, in the order that was chosen into `order`."""

    cards: Formula
    order: int


@frozen(eq=False, kw_only=True)
class Reveal(Op):
    """`reveal X`: face up where they lie."""

    cards: Formula


@frozen(eq=False, kw_only=True)
class Cover(Op):
    """`turn X face down`."""

    cards: Formula


@frozen(eq=False, kw_only=True)
class Show(Op):
    """`show X to S`."""

    cards: Formula
    to: Formula


@frozen(eq=False, kw_only=True)
class Tell(Op):
    """`tell S whether E`; `words` is the question as it was written."""

    to: Formula
    question: Formula
    words: str


@frozen(eq=False, kw_only=True)
class Say(Op):
    """`say "…" to S`; `to` None is everyone."""

    text: Formula
    to: Formula | None


@frozen(eq=False, kw_only=True)
class Eliminate(Op):
    """`eliminate p`."""

    players: Formula


@frozen(eq=False, kw_only=True)
class Win(Op):
    """`win S`: the game is over; `players` None is nobody."""

    players: Formula | None
