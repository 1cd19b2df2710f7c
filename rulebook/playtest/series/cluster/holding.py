"""How rules get to workers: the scheduler gives them to each that is there, and to each that comes.

In: rules. Out: workers that hold them, until nobody asks any more. Never: a worker that comes and is not the same
program: it does not start while games are played, and says why. Only who uses a cluster imports this.
"""

from __future__ import annotations

from distributed import Worker, WorkerPlugin

from rulebook.playtest.series.cluster.worker import Rules, drop, hold

__all__ = ["Holding"]


class Holding(WorkerPlugin):
    """The rules of one series, given by one driver."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name, self.rules = name, rules

    def setup(self, worker: Worker) -> None:
        """A worker takes them. Raises WrongWorker."""
        hold(self.name, self.rules)

    def teardown(self, worker: Worker) -> None:
        """It forgets them."""
        drop(self.name)
