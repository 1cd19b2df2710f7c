"""A word for each kind of bot, so that what all of them promise is asked of one that is added, too."""

from __future__ import annotations

from rulebook.playtest.bots import KINDS

__all__ = ["list_bots", "list_thinkers"]


def list_bots(budget: int) -> list[str]:
    """List every kind of bot; those that have a number have this one."""
    return [f"{kind.word}:{budget}" if kind.budget else kind.word for kind in KINDS.values()]


def list_thinkers(budget: int) -> list[str]:
    """List those that imagine games."""
    return [spec for spec in list_bots(budget) if KINDS[spec.partition(":")[0]].thinks]
