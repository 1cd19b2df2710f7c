"""A player of Wallet for two who knows the game, and how a bot fares against it.

    python bench/expert.py greedy --deals 200
    python bench/expert.py ismcts:500 --deals 20 --jobs 2

The expert knows what is in the deck, sees its own hand and nothing else, and looks one answer ahead: it rates a hand by
the richest innocent one that is left when some cards are put away, each of which costs a turn; who is innocent flips
hourglasses. Each deal is played from both seats. Printed: what the bot wins of 100 games (of a shared first place its
part) with an interval over deals, and the seconds of the processor for one of its decisions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, combinations
from math import inf, sqrt
from statistics import mean, stdev
from typing import Any

from rulebook import library
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.loading import load
from rulebook.playtest.bots import make_bot
from rulebook.playtest.pieces import Worker
from rulebook.playtest.series.plan import game_seed
from rulebook.playtest.sharing import in_pieces

# ── what the expert knows ────────────────────────────────────────────────────────────────────────────────────────────

CURRENCIES = ("dollar", "euro", "pound", "yen")
JEWELRY = {"cufflinks": 50, "silver_ring": 100, "pendant": 100, "brooch": 150, "gold_watch": 200}
IDS = ("john_smith", "millionaire", "party_girl", "secret_agent", "police_officer")
PROPS = ("credit_card", "police_badge")
NOTES = {f"note_{value}.{one}": value for value in (20, 50, 100, 200) for one in CURRENCIES}
WORTH = JEWELRY | NOTES
DECK = {"john_smith": 3, "millionaire": 2, "party_girl": 2, "secret_agent": 2, "credit_card": 2}
DECK |= dict.fromkeys(JEWELRY, 1) | {note: 2 if value in (50, 100) else 1 for note, value in NOTES.items()}
"""How many copies of a card a deck for two has."""
PUTTING, LATE, FLIPPING, PRICE, LIMIT = 2.5, 6.0, 1.5, 300, 500
"""What a card costs that must go, with time and without; what a flipped hourglass is worth to who is innocent."""

Hand = tuple[str, ...]
"""Cards, sorted."""


def is_innocent(hand: Sequence[str]) -> bool:
    """Judge a hand; the coin is a little more than nothing."""
    ids, props = [card for card in hand if card in IDS], [card for card in hand if card in PROPS]
    money = sum(WORTH.get(card, 0) for card in hand) + 0.01
    currencies = {card.partition(".")[2] for card in hand if card in NOTES}
    if "secret_agent" in ids:
        return len(ids) >= 2 and not props and money <= LIMIT and len(currencies) <= 2
    if len(ids) != 1:
        return False
    if ids[0] == "party_girl":
        return money <= LIMIT and not props and any(card in JEWELRY for card in hand)
    if len(currencies) > 2 or (money > LIMIT) is not (ids[0] == "millionaire"):
        return False
    return set(props) <= {"john_smith": {"credit_card"}, "police_officer": {"police_badge"}}.get(ids[0], set())


@cache
def rate(hand: Hand, cost: float) -> float:
    """Rate a hand: the best innocent part of it, less what it costs to put the rest away."""
    best = -9.0 + 1.5 * min(1.0, sum(WORTH.get(card, 0) for card in hand) / PRICE) - 0.3 * len(hand)
    for size in range(min(4, len(hand)) + 1):
        for away in combinations(range(len(hand)), size):
            kept = [card for at, card in enumerate(hand) if at not in away]
            if is_innocent(kept):
                wealth = sum(WORTH.get(card, 0) for card in kept) + 70 * ("credit_card" in kept)
                best = max(best, 2.0 + wealth / 250 - cost * size)
    return best


def without(hand: Hand, *cards: str) -> Hand:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def with_card(hand: Hand, card: str) -> Hand:
    return tuple(sorted((*hand, card)))


@cache
def draw(hand: Hand, cost: float, may_refuse: bool = False) -> float:
    """Rate what a hand is with an unknown card more."""
    left = {card: count - hand.count(card) for card, count in DECK.items()}
    now = rate(hand, cost) if may_refuse else -inf
    total = sum(count for count in left.values() if count > 0)
    return sum(count * max(now, rate(with_card(hand, card), cost)) for card, count in left.items() if count > 0) / total


def put(hand: Hand, cost: float) -> float:
    """Rate what a hand is without its worst card."""
    return max((rate(without(hand, card), cost) for card in hand), default=-9.0)


@cache
def buy(hand: Hand, cost: float) -> tuple[float, Hand]:
    """Rate what a hand is after an ID is bought, and find what to pay."""
    coins = [card for card in hand if card in WORTH]
    best: tuple[float, Hand] = (-inf, ())
    for size in range(1, len(coins) + 1):
        for paid in combinations(coins, size):
            if sum(WORTH[card] for card in paid) >= PRICE:
                left = without(hand, *paid)
                best = max(best, (max(rate(with_card(left, one), cost) for one in IDS), paid))
    return best


def change(hand: Hand, note: str, currency: str, cost: float) -> float:
    """Rate a hand in which a note has another currency."""
    return rate(with_card(without(hand, note), f"{note.partition('.')[0]}.{currency}"), cost)


# ── how it answers ───────────────────────────────────────────────────────────────────────────────────────────────────


class Expert:
    """Answers for one seat."""

    spec = "expert"

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The answer that is rated best, as a value of the machine."""
        program, found = machine.program, machine.find_choices(state, seat)
        layout = program.layout
        held = state[layout.find_place_of("hand", seat).slot]
        self.hand = tuple(sorted(program.definition[card] for card in held))
        self.left = state[layout.memory["hourglasses"].slot]
        self.cost = LATE if self.left <= 1 else PUTTING
        self.now, self.prompt = rate(self.hand, self.cost), ""
        options = {option.key: option for option in found.make_options()}
        if found.pick.many:
            return self._pay(program, found)
        if found.pick.name == "" and "label:Keep it" in options:
            decision = machine.decision(state)
            ask = decision.find_ask(seat) if decision is not None else None
            self.prompt = ask.prompt if ask is not None else ""
            self.names = {name: id for id, name in program.definitions.items()}
        rated = {key: self._rate(found.pick.name, key) for key in options}
        best = max(rated, key=lambda key: rated[key])
        if found.may_pass and (best == "pass" or rated[best] < self.now + 0.2):
            return None
        return options[best].values[0]

    def _pay(self, program: Any, found: Choices) -> Any:
        wanted, paid = list(buy(self.hand, self.cost)[1]), []
        for value in found.values:
            if program.definition[value] in wanted:
                wanted.remove(program.definition[value])
                paid.append(value)
        return tuple(paid)

    def _rate(self, pick: str, key: str) -> float:
        sort, _, id = key.partition(":")
        hand, cost = self.hand, self.cost
        if sort == "action" or id in ("double_turn", "happy_birthday"):
            return self._rate_deed(id)
        match pick:
            case "card" if id in hand:
                return rate(without(hand, id), cost)
            case "card":
                return self._rate_special(id)
            case "unwanted" | "passed" | "given" | "gift" | "hidden" | "paid":
                harm = 0.1 * (id in IDS)
                return (rate(without(hand, id), cost) if id in hand else 0.0) + harm
            case "bought" | "taken" | "kept":
                return rate(with_card(hand, id), cost)
            case "changed":
                return max(change(hand, id, one, cost) for one in CURRENCIES)
            case "new":
                note = max(
                    (card for card in hand if card in NOTES), key=lambda card: self._rate("changed", f"card:{card}")
                )
                return change(hand, note, id, cost)
            case "lost":
                return -float(id.removeprefix("vp_"))
            case "wanted":
                return float(id == "Jewelry")
        return self._rate_label(id)

    def _rate_label(self, label: str) -> float:
        notes = [card for card in self.hand if card in NOTES]
        if label == "Cover this card with a note":
            return max(rate(without(self.hand, card), LATE) for card in notes)
        if label == "Draw until a note comes":
            return mean(rate(with_card(self.hand, note), LATE) for note in NOTES)
        if label == "Keep it":
            there = [id for name, id in self.names.items() if name in self.prompt]
            return rate(with_card(self.hand, there[0]), self.cost) if there else -inf
        return 0.0

    def _rate_deed(self, deed: str) -> float:
        hand, cost = self.hand, self.cost
        is_clear = is_innocent(hand)
        match deed:
            case "take":
                return draw(hand, cost) - 0.2
            case "put":
                return put(hand, cost) + 0.05
            case "buy":
                return buy(hand, cost)[0]
            case "flip":
                return self.now + (FLIPPING if is_clear else -2.0)
            case "double_turn":
                twice = max((put(without(hand, card), cost) for card in hand), default=-9.0)
                clear = any(is_innocent(without(hand, card)) for card in hand)
                return max(twice, put(hand, cost) + FLIPPING * clear, self.now + 1.2 * FLIPPING * is_clear)
            case "happy_birthday":
                return draw(hand, cost) + (0.5 if self.now < 0 else 0.0)
        return self.now

    def _rate_special(self, id: str) -> float:
        hand, cost, other = self.hand, self.cost, self.now
        match id:
            case "dispose_a_card":
                return put(hand, cost)
            case "to_the_left" | "to_the_right" | "exchange_cards":
                return max((draw(without(hand, card), cost) for card in hand), default=other) - 0.3
            case "snatch_a_card":
                return draw(hand, cost)
            case "inspection":
                return draw(hand, cost, may_refuse=True)
            case "extra_time":
                return max(draw(hand, LATE), put(hand, LATE), buy(hand, LATE)[0])
            case "secret_compartment":
                return put(hand, LATE)
            case "atm":
                return max(self._rate_label("Draw until a note comes"), *self._cover())
            case "currency_exchange":
                notes = [card for card in hand if card in NOTES]
                return max((change(hand, card, one, LATE) for card in notes for one in CURRENCIES), default=other)
        return other - 1

    def _cover(self) -> Iterable[float]:
        notes = [card for card in self.hand if card in NOTES]
        return [-inf, *(rate(without(self.hand, card), LATE) for card in notes)]


# ── the match ────────────────────────────────────────────────────────────────────────────────────────────────────────

Deal = tuple[float, float, int]
"""What the bot won of both games, the seconds that it thought, and in how many decisions."""


def ready(asked: tuple[str, int]) -> Worker[list[Deal]]:
    """What plays deals of a bot against the expert."""
    spec, seed = asked
    rulebook = load(library.find_game("wallet")).rulebook
    assert rulebook is not None
    machine = Machine(lower(rulebook, 2))
    return lambda numbers: [play_deal(machine, spec, game_seed(seed, number)) for number in numbers]


def play_deal(machine: Machine, spec: str, seed: int) -> Deal:
    """Play one deal from both seats."""
    won, thought, decisions = 0.0, 0.0, 0
    for seat in range(2):
        bot, expert, state = make_bot(spec, seed, seat), Expert(), machine.new_state(seed)
        players: list[Callable[..., Any]] = [expert.value, expert.value]
        players[seat] = bot.value
        while isinstance(machine.advance(state), Decision):
            asked = machine.find_waiting(state)[0]
            began = time.process_time()
            value = players[asked](machine, state, asked)
            if asked == seat:
                thought, decisions = thought + time.process_time() - began, decisions + 1
            machine.answer_value(state, asked, value)
        winners = find_outcome(machine.program, state).winners
        won += (seat in winners) / len(winners) / 2 if winners else 0.0
    return won, thought, decisions


def word_match(spec: str, deals: Sequence[Deal]) -> str:
    """Put a match into a line."""
    won = [one for one, _, _ in deals]
    half = 1.96 * stdev(won) / sqrt(len(won)) if len(won) > 1 else inf
    thought, decisions = (sum(column) for column in list(zip(*deals, strict=True))[1:])
    return (
        f"{spec} against the expert: wins {100 * mean(won):.1f} ± {100 * half:.1f} of 100 ({2 * len(won)} games); "
        f"{1000 * thought / decisions:.0f} ms of the processor a decision"
    )


def main() -> None:
    """Play, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    pieces = in_pieces(ready, (asked.bot, asked.seed), asked.deals, asked.jobs)
    print(word_match(asked.bot, [*chain.from_iterable(pieces)]), flush=True)


if __name__ == "__main__":
    main()
