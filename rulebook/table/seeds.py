"""Seeds of games that people play: drawn so that nobody can search for them, and sealed for whoever wants to check; or
sought, for whoever wants to try out a card.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from hashlib import sha256

from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import cards_in

SEEDS = 2**64
"""All streams of chance begin from so many different seeds."""


def draw_seed() -> int:
    """Draw a seed that cannot be found by trying seeds until one deals the hand that a player holds."""
    return secrets.randbelow(SEEDS)


MOST_DEALS = 5_000
"""Seeds that are tried before a wish is called hopeless: some ten seconds of set-up."""


def seek_seed(program: Program, seat: int, wanted: Sequence[Collection[str]]) -> int | None:
    """Seek a seed with which a seat has a card of each of these groups of ids, a card for each, in its own places when
    somebody is asked for the first time; none if many have been tried. Raises RuleError.
    """
    machine = Machine(program)
    own = [place for place in program.layout.places if place.owned_by == "player" and place.owner == seat]
    for _ in range(MOST_DEALS):
        state = machine.new_state(seed := draw_seed())
        machine.advance(state)
        held = [program.definition[card] for place in own for card in cards_in(program.layout, state, place)]
        if _holds_each(held, wanted):
            return seed
    return None


def _holds_each(held: list[str], wanted: Sequence[Collection[str]]) -> bool:
    """Tell whether each group finds a card of its own among those held; small groups choose first."""
    left = held[:]
    for group in sorted(wanted, key=len):
        card = next((card for card in left if card in group), None)
        if card is None:
            return False
        left.remove(card)
    return True


def draw_nonce() -> str:
    """Draw a word that makes the seal of a seed tell nothing, not even about a seed that somebody guesses."""
    return secrets.token_hex(16)


def seal(seed: int, nonce: str) -> str:
    """Return the SHA-256 of the seed in digits, a space and the nonce. docs/playing.md says how people check it."""
    return sha256(f"{seed} {nonce}".encode()).hexdigest()
