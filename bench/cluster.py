"""What does it cost to have a chunk of games played by a worker of a cluster, instead of playing it here?

    python bench/cluster.py [--runs 5] [--players 2] [--watched] [GAME ...]

In: games. Out: for small and for large chunks the processor time of a chunk in this process, and what driver,
scheduler and worker take beside that; bytes of a chunk between driver and scheduler, and how often anything was read
from them; what the driver takes to unpack and to write a game. A scheduler and one worker run on this computer alone,
in turn with this process; medians.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import psutil
from clusters import Machines

from rulebook import library
from rulebook.loading import load
from rulebook.playtest.series.cluster.chunks import chunks, grain
from rulebook.playtest.series.cluster.driver import Cluster
from rulebook.playtest.series.cluster.worker import Rules, packed, unpacked
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.store import Store
from rulebook.playtest.series.table import Table

_SMALL, _LARGE = range(500), range(25_600, 26_800)


class Relay:
    """Stands between driver and scheduler and counts bytes, by direction."""

    def __init__(self, to: tuple[str, int]) -> None:
        self.to, self.up, self.down, self.reads = to, 0, 0, 0
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            driver, _ = self._door.accept()
            scheduler = socket.create_connection(self.to)
            for one, other, way in ((driver, scheduler, "up"), (scheduler, driver, "down")):
                threading.Thread(target=self._pump, args=(one, other, way), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, way: str) -> None:
        try:
            while data := one.recv(1 << 16):
                setattr(self, way, getattr(self, way) + len(data))
                self.reads += 1
                other.sendall(data)
        except OSError:
            pass
        other.close()


def used(process: psutil.Process) -> float:
    """Seconds of the processor."""
    times = process.cpu_times()
    return float(times.user + times.system)


def measure(plan_with: Callable[[int], Plan], wanted: range, runs: int, machines: Machines) -> dict[str, float]:
    """The medians, of one chunk; milliseconds and bytes."""
    host, port = machines.address.removeprefix("tcp://").split(":")
    relay = Relay((host, int(port)))
    scheduler, worker = psutil.Process(machines.scheduler.pid), psutil.Process(machines.workers[0].pid)
    found: dict[str, list[float]] = {}
    with Cluster(machines.address) as straight, Cluster(relay.address, connecting=60) as counted:
        for seed in range(runs):
            plan = plan_with(seed)
            asked = list(chunks([wanted], grain(plan)))
            table = Table(plan)
            rules_hash = table.program.rules_hash
            here = []
            # The first chunk shows both what they need only once.
            for chunk in asked:
                began = time.process_time()
                piece = table.apart(chunk)
                here.append(time.process_time() - began)
            list(straight.in_order(plan, rules_hash, False, asked[:1]))
            before = time.process_time(), used(scheduler), used(worker)
            last = list(straight.in_order(plan, rules_hash, False, asked))[-1]
            after = time.process_time(), used(scheduler), used(worker)
            assert last == piece, "another computer would play other games"
            driver, between, there = (1000 * (new - old) / len(asked) for new, old in zip(after, before, strict=True))
            alone = 1000 * statistics.mean(here)
            # Again, through the relay: what it costs would stand in the figures of the driver.
            bytes_before = relay.up, relay.down, relay.reads
            list(counted.in_order(plan_with(seed + 1000), rules_hash, False, asked))
            up, down, reads = (
                (new - old) / len(asked)
                for new, old in zip((relay.up, relay.down, relay.reads), bytes_before, strict=True)
            )
            with Store(Path(":memory:")) as store:
                began = time.process_time()
                store.add(store.series(plan, table.program), plan, piece[0])
                keeping = 1e6 * (time.process_time() - began) / len(piece[0])
            data = packed(piece)
            began = time.process_time()
            unpacked(data)
            unpacking = 1e6 * (time.process_time() - began) / len(piece[0])
            one = {
                "keeping": keeping,
                "unpacking": unpacking,
                "games": len(asked[-1]),
                "alone": alone,
                "driver": driver,
                "scheduler": between,
                "worker": there - alone,
                "ratio": (driver + between + there) / alone,
                "result": len(data),
                "up": up,
                "down": down,
                "reads": reads,
                "rules": len(Rules.of("", plan, False).packed),
            }
            for name, value in one.items():
                found.setdefault(name, []).append(value)
    return {name: statistics.median(values) for name, values in found.items()}


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=["kuhn_poker", "wallet"])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--watched", action="store_true", help="as with --out and --details")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        machines = Machines(Path(folder), 1)
        try:
            for game in asked.games:
                rulebook, _ = load(library.find(game))
                assert rulebook is not None

                def plan_with(seed: int, rulebook=rulebook) -> Plan:
                    return plan_of(rulebook, asked.players, seed, watched=asked.watched)

                for wanted in (_SMALL, _LARGE):
                    one = measure(plan_with, wanted, asked.runs, machines)
                    print(
                        f"{game}, {one['games']:.0f} games a chunk: here {one['alone']:.1f} ms, and beside that driver "
                        f"{one['driver']:.1f} ms, scheduler {one['scheduler']:.1f} ms, worker {one['worker']:.1f} ms; "
                        f"all together {one['ratio']:.2f} of here\n"
                        f"    {one['up']:,.0f} bytes to the scheduler, {one['down']:,.0f} from it, of these the result "
                        f"{one['result']:,.0f}; {one['reads']:.1f} reads; the rules once, {one['rules']:,.0f} bytes\n"
                        f"    a game is unpacked in {one['unpacking']:.0f} µs and written in {one['keeping']:.0f} µs",
                        flush=True,
                    )
        finally:
            machines.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
