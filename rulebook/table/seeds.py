"""The seed of a game that people play: drawn so that nobody can search for it, and sealed for those who want to check.

In: nothing, or a seed and a nonce. Out: a new seed, a new nonce, or the seal of both: what a table may be told before
the game, so that everybody can check afterwards that the seed was not changed. Never: shows a seed.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

__all__ = ["SEEDS", "draw_nonce", "draw_seed", "seal"]

SEEDS = 2**64
"""All streams of chance begin from so many different seeds."""


def draw_seed() -> int:
    """A seed that cannot be found by trying seeds until one deals the hand that a player holds."""
    return secrets.randbelow(SEEDS)


def draw_nonce() -> str:
    """A word that makes the seal of a seed tell nothing, not even about a seed that somebody guesses."""
    return secrets.token_hex(16)


def seal(seed: int, nonce: str) -> str:
    """The SHA-256 of the seed in digits, a space and the nonce. docs/playing.md says how people check it."""
    return sha256(f"{seed} {nonce}".encode()).hexdigest()
