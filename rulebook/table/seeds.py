"""Seeds of games that people play: drawn so that nobody can search for them, and sealed for whoever wants to check."""

from __future__ import annotations

import secrets
from hashlib import sha256

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
