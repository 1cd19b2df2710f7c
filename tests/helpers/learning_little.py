"""Bots that have learned from few games: in small games they play as well as those of thousands, and are there at once.

For what one process does: others start with the kinds of bots as they are.
"""

import pytest
from attrs import evolve

from rulebook.playtest.bots import KINDS


def learn_little(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Let `learned` play so many games against itself, where nobody says how many."""
    monkeypatch.setitem(KINDS, "learned", evolve(KINDS["learned"], budget=games))
