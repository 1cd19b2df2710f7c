"""Sets drawn at random with conditions on them, and all sets that meet one, found without the engine.

In: a `random.Random`. Out: `draw_asked`, cards in a hand and a sentence that lets their owner choose several;
`count_legal`, how many sets meet its condition, each counted once however many copies are equal; `compare_asked`, what
is wrong with who is asked, what is chosen without asking, and what is answered at random, in the machine and the core.

A set is never taken for the only one that is not, and "none" is never said where there is one. Where a condition asks
for sums and their like alone, nobody is asked in vain either.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import frozen

from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.choosing import NOTHING_FITS, Choices
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State, cards_in

GAME = """\
format: 1
name: Sets
players: 1..1
kinds: {{chip: {{has: {{a: 0..99, b: 0..99}}}}}}
places:
  table: {{till: {{holds: chip, kept: row, seen_by: everyone}}}}
  player: {{hand: {{holds: chip, kept: loose, seen_by: owner}}}}
memory: {{table: {{answered: 0}}}}
cards:
{cards}
values:
  enough(set of chip paid): sum(a of paid) >= {price} and not any(paid where a <= sum(a of paid) - {price})
  smallest(set of chip paid): min(a of paid, 0)
rules:
  game: |
    each me in players:
      move box to me.hand
      choose {number} x from me.hand{so_that}
      move x to till
      set answered = 1
"""


@frozen
class Sum:
    """What a set comes to: how many, the sums of both numbers, the least and the most of the first, which there are of
    it as bits, and that of the first card.
    """

    count: int = 0
    a: int = 0
    b: int = 0
    least: int = 0
    most: int = 0
    values: int = 0
    first: int = 0
    of_few: int = 0

    def and_more(self, a: int, b: int) -> Sum:
        """The same with one more card, which comes behind the others."""
        if not self.count:
            return Sum(1, a, b, a, a, 1 << a, a, int(b > 2))
        return Sum(
            self.count + 1, self.a + a, self.b + b, min(self.least, a), max(self.most, a), self.values | 1 << a,
            self.first, self.of_few + (b > 2),
        )  # fmt: skip


@frozen
class Asked:
    """A hand, as copies of cards with two numbers each, and what is asked: how many, the condition, what that means.
    `is_exact`: it hangs on so little that what sets come to must be known.
    """

    cards: tuple[tuple[int, int, int], ...]
    number: str
    least: int
    most: int
    condition: str
    holds: Callable[[Sum], bool]
    price: int
    is_exact: bool

    @property
    def count(self) -> int:
        return sum(copies for *_, copies in self.cards)


@frozen
class Figures:
    """What became of one: how many sets are legal, whether somebody is asked, whether nobody knew if one is legal."""

    legal: int
    is_asked: bool
    is_undecided: bool
    wrong: str = ""


def draw_asked(random: Random, most: int = 14, least: int = 1) -> Asked:
    """Draw a hand and what is asked."""
    size, wide = random.randint(least, most), random.choice([4, 9, 30])
    cards: list[tuple[int, int, int]] = []
    while sum(copies for *_, copies in cards) < size:
        copies = random.choice([1, 1, 1, 2, 3])
        cards.append((random.randint(1, wide), random.randint(0, 5), copies))
    count = sum(copies for *_, copies in cards)
    least = random.randint(0, count)
    number, low, high = random.choice(
        [
            ("any number of", 0, count),
            ("any number of", 0, count),
            (f"{least}", least, least),
            (f"up to {least}", 0, least),
            (f"{least}..{min(least + 4, count)}", least, min(least + 4, count)),
        ]
    )
    # `3 x` is a number and a name, and `0 x` chooses nothing.
    if number in ("0", "1"):
        number, low, high = "2", min(2, count), min(2, count)
    total = sum(a * copies for a, _, copies in cards)
    others = sum(b * copies for _, b, copies in cards)
    price = max(1, random.choice([total - random.randint(0, 9), random.randint(0, total), total + 1, total // 2]))
    condition, holds, asks = _draw_condition(random, total, others, price)
    is_exact = len(asks) <= 1 and ("values" not in asks or len({a for a, *_ in cards}) <= 9)
    return Asked(tuple(cards), number, low, high, condition, holds, price, is_exact)


Condition = tuple[str, Callable[[Sum], bool], frozenset[str]]
"""How it is written, what it means, and which sums it hangs on beside the count."""


def _draw_condition(random: Random, total: int, others: int, price: int) -> Condition:
    one = _draw_atom(random, total, others, price)
    if random.random() < 0.5:
        return one
    other = _draw_atom(random, total, others, price)
    word = random.choice(["and", "or", "and not"])
    text = f"({one[0]}) {word} ({other[0]})"
    joined: dict[str, Callable[[Sum], bool]] = {
        "and": lambda s: one[1](s) and other[1](s),
        "or": lambda s: one[1](s) or other[1](s),
        "and not": lambda s: one[1](s) and not other[1](s),
    }
    return text, joined[word], one[2] | other[2]


def _draw_atom(random: Random, total: int, others: int, price: int) -> Condition:
    n, m, k = random.randint(0, total + 1), random.randint(0, others + 1), random.randint(0, 6)
    near = max(0, total - random.randint(0, 6))
    a, b, least, many = (frozenset([one]) for one in ("a", "b", "least", "values"))
    nothing = frozenset[str]()
    atoms: list[Condition] = [
        (f"sum(a of x) >= {near}", lambda s: s.a >= near, a),
        (f"sum(a of x) >= {n}", lambda s: s.a >= n, a),
        (f"sum(a of x) is {n}", lambda s: s.a == n, a),
        (f"sum(b of x) <= {m}", lambda s: s.b <= m, b),
        (f"sum(b of x) is {m}", lambda s: s.b == m, b),
        (f"sum(a of x) > sum(b of x) * {k}", lambda s: s.a > s.b * k, a | b),
        (f"count(x) >= {k}", lambda s: s.count >= k, nothing),
        (f"count(x where b > 2) is {k}", lambda s: s.of_few == k, frozenset(["few"])),
        ("count(distinct(a of x)) is 1", lambda s: s.values.bit_count() == 1, frozenset(["same"])),
        ("1 >= count(distinct(a of x))", lambda s: s.values.bit_count() <= 1, frozenset(["same"])),
        ("count(distinct(a of x)) < 2", lambda s: s.values.bit_count() < 2, frozenset(["same"])),
        (f"count(distinct(a of x)) >= {k}", lambda s: s.values.bit_count() >= k, many),
        ("any(x where b > 2)", lambda s: s.of_few > 0, nothing),
        ("all(c.b > 2 for c in x)", lambda s: s.of_few == s.count, frozenset(["few"])),
        (f"{k} in (a of x)", lambda s: bool(s.values >> k & 1), many),
        (f"max(a of x, 0) - min(a of x, 0) is count(x) - {k}", lambda s: s.most - s.least == s.count - k, least),
        (f"count(x) * min(a of x, 9) > {n // 2}", lambda s: s.count * (s.least if s.count else 9) > n // 2, least),
        (f"smallest(x) > {k // 2}", lambda s: s.least > k // 2, least),
        ("enough(x)", lambda s: s.a >= price and not (s.count and s.least <= s.a - price), a | least),
        # What comes first hangs on the order: no sum tells.
        (f"sum(a of first(x, 1)) > {k}", lambda s: s.first > k, a | least | b),
        ("all(c.a >= sum(a of first(x, 1)) for c in x)", lambda s: s.least >= s.first, a | least | b),
    ]  # fmt: skip
    return random.choice(atoms)


def count_legal(asked: Asked) -> int:
    """How many sets meet the condition; 2 stands for more."""
    sums = {Sum(): 1}
    # Cards of an unordered place are offered by their definitions, in the order in which these are declared.
    for a, b, copies in asked.cards:
        after: dict[Sum, int] = {}
        for one, number in sums.items():
            for taken in range(copies + 1):
                one = one if not taken else one.and_more(a, b)
                after[one] = min(2, after.get(one, 0) + number)
        sums = after
    low, high = min(asked.least, asked.count), min(asked.most, asked.count)
    return min(2, sum(many for one, many in sums.items() if low <= one.count <= high and asked.holds(one)))


def sum_up(program: Program, chosen: tuple[int, ...]) -> Sum:
    """What a set of cards comes to."""
    found = Sum()
    for card in chosen:
        found = found.and_more(program.attributes["a"][card], program.attributes["b"][card])
    return found


def build_program(asked: Asked) -> Program:
    """The game around what is asked."""
    lines = [f"  c{i}: {{kind: chip, a: {a}, b: {b}, copies: {n}}}" for i, (a, b, n) in enumerate(asked.cards)]
    so_that = f" so that {asked.condition} else return" if asked.condition else ""
    text = GAME.format(cards="\n".join(lines), number=asked.number, so_that=so_that, price=asked.price)
    rulebook, found = of_its_own(text)
    assert isinstance(rulebook, ir.Rulebook), found
    return lower(rulebook, 1)


def compare_asked(asked: Asked, seed: int = 1) -> Figures:
    """Play what is asked on both interpreters; what is wrong, if something is."""
    program = build_program(asked)
    machine, state = Machine(program), Machine(program).new_state(seed)
    table = Core(program).load_state(state)
    legal, stopped = count_legal(asked), table.advance()
    machine.advance(state)
    if stopped or table.state(state) != state:
        return Figures(legal, False, False, "machine and core differ")
    if state[PENDING] is None or state[PENDING][0] != "ask":
        return Figures(legal, False, False, _find_wrong_without_asking(program, asked, state, legal))
    found = machine.find_choices(state, 0)
    wrong = _find_wrong_offer(asked, found, legal)
    if not wrong and table.find_offer(0) != (
        found.may_pass, found.least, found.most, found.pick.many, found.pick.ordered, found.values
    ):  # fmt: skip
        wrong = "machine and core offer something else"
    below = Source(seed, "sets").below
    answers = [found.random(below) for _ in range(3)]
    for value in answers:
        fits = value is None or asked.holds(sum_up(program, value))
        wrong = wrong or ("" if fits else "what was drawn at random is not legal")
        wrong = wrong or ("nothing was found though it is known" if value is None and not found.may_pass else "")
    if not wrong:
        value = answers[-1]
        numbers = None if value is None else [found.values.index(one) for one in value]
        machine.answer_value(state, 0, value)
        machine.advance(state)
        stopped = table.answer(0, numbers)
        wrong = "machine and core differ behind an answer" if stopped or table.state(state) != state else ""
    return Figures(legal, True, found.is_undecided, wrong)


def _find_wrong_without_asking(program: Program, asked: Asked, state: State, legal: int) -> str:
    """What is wrong if nobody is asked: nothing may be chosen, or one set only, which was chosen."""
    if legal > 1:
        return "nobody is asked, and there is a choice"
    is_answered = bool(state[program.layout.memory["answered"].slot])
    if not legal:
        return "a set was chosen that is not legal" if is_answered else ""
    till = tuple(cards_in(program.layout, state, program.layout.find_place("till")))
    fits = asked.holds(sum_up(program, tuple(sorted(till))))
    return "" if fits and is_answered else "another set was chosen than the one that is legal"


def _find_wrong_offer(asked: Asked, found: Choices, legal: int) -> str:
    """What is wrong with being asked: where what sets come to is known, there must be a choice."""
    labels = [option.label for option in found.make_options()]
    if found.is_undecided is not (NOTHING_FITS in labels):
        return "it is not said that nothing may fit"
    if asked.is_exact and (legal < 2 or found.is_undecided):
        return "somebody is asked in vain"
    if not legal and not found.is_undecided:
        return "nothing may be chosen, and nobody may say so"
    return ""
