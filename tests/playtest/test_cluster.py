"""Games on many machines are the same games, whoever is killed meanwhile, and whoever would play others is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from clusters import Machines
from paths import DATA

import rulebook
from rulebook.cli import main
from rulebook.dsl import ir
from rulebook.loading import load
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.series.cluster import BadCluster, Cluster, chunks, describe_program, difference, grain
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.store import Store
from rulebook.playtest.series.tally import Tally
from rulebook.reporting.report import report_of

pytestmark = pytest.mark.slow

ODDS = DATA / "series" / "odds"
PROGRAM = "from rulebook.cli import main; main(prog_name='rulebook')"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def odds() -> ir.Rulebook:
    rulebook = load(ODDS).rulebook
    assert rulebook is not None
    return rulebook


def plan(odds: ir.Rulebook, seed: int = 1, **named: Any) -> Plan:
    from rulebook.dsl.settling.options import settle_options

    options, _ = settle_options(odds.options, {}, odds.units)
    return plan_of(odds, 2, seed, options, **named)


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler and two workers."""
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'tabletop-rulebook[cluster]'")
    started = Machines(tmp_path_factory.mktemp("machines"), 2)
    try:
        with Cluster(started.address, connecting=60) as cluster:
            until(cluster, 2)
        yield started
    finally:
        started.close()


def until(cluster: Cluster, workers: int) -> None:
    """Wait until there are so many."""
    while cluster.threads() != workers:
        time.sleep(0.02)


# ── what is asked ──


def test_chunks_do_not_depend_on_what_is_wanted_of_others() -> None:
    whole = list(chunks([range(200_000)], 25))
    assert [number for chunk in whole for number in chunk] == list(range(200_000))
    assert {len(chunk) for chunk in whole} == {25, 50, 100, 200, 400}
    assert whole == list(chunks([range(start, start + 25) for start in range(0, 200_000, 25)], 25))
    # A hole that somebody else has played costs the chunks around it, and no others.
    left = list(chunks([range(90_010), range(90_030, 200_000)], 25))
    assert len(set(left) - set(whole)) == 2 and len(set(whole) - set(left)) == 1
    assert [number for chunk in left for number in chunk] == [*range(90_010), *range(90_030, 200_000)]


def test_few_games_are_shared_by_many(odds: ir.Rulebook) -> None:
    assert {len(chunk) for chunk in chunks([range(3000)], grain(plan(odds)))} == {25}
    thinking = plan(odds, bots=("ismcts:50", "random"))
    assert grain(thinking) == 1
    assert max(len(chunk) for chunk in chunks([range(100)], 1)) == 1


def test_what_is_in_the_file_is_not_asked_again(odds: ir.Rulebook, tmp_path: Path) -> None:
    asked: list[int] = []

    class Asked:
        def in_order(self, plan: Plan, covers: bool, wanted: list[range]) -> Iterator[Any]:
            from rulebook.playtest.series.table import Table

            for chunk in chunks(wanted, grain(plan)):
                asked.extend(chunk)
                yield Table(plan).apart(chunk)

    with Store(tmp_path / "a.sqlite") as store:
        whole = list(play(plan(odds), 130, store=store).played())
        with store._file:
            store._file.execute("DELETE FROM games WHERE number BETWEEN 3 AND 7")
        assert list(play(plan(odds), 150, store=store, cluster=cast(Cluster, Asked())).played())[:130] == whole
    assert asked == [*range(3, 8), *range(130, 150)]


# ── the same games ──


def test_totals_are_the_same_after_a_worker_is_killed(odds: ir.Rulebook, machines: Machines) -> None:
    watched, doomed = plan(odds, watched=True), machines.worker()
    alone = play(watched, 600)
    report = report_of(Tally.of(watched, alone.played()), alone.table.program)
    with Cluster(machines.address) as cluster:
        until(cluster, 3)

        def kill(done: int, _: int) -> None:
            if done == 100:
                doomed.kill()

        found = play(watched, 600, on_progress=kill, cluster=cluster)
        assert doomed.wait() == -signal.SIGKILL
        assert list(found.played()) == list(alone.played())
        assert report_of(Tally.of(watched, found.played()), found.table.program) == report
        # It ends at the same game, and what ran is the same.
        enough = play(plan(odds), 100_000, until=0.08).games
        assert play(plan(odds), 100_000, until=0.08, cluster=cluster).games == enough
        here, there = Coverage(odds), Coverage(odds)
        play(plan(odds), 100, coverage=here)
        play(plan(odds), 100, coverage=there, cluster=cluster)
        assert here.counts() == there.counts() != {}


def test_a_killed_driver_goes_on(machines: Machines, tmp_path: Path) -> None:
    out, games = tmp_path / "games.sqlite", 1500
    words = ["simulate", str(ODDS), "--seed", "7", "--games", str(games), "--out", str(out), "--json"]
    words += ["--cluster", machines.address]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    driver = subprocess.Popen([sys.executable, "-c", PROGRAM, *words], env=environ, stdout=subprocess.DEVNULL)
    try:
        while not (there := rows(out)):
            assert driver.poll() is None, "it ended before it could be killed"
            time.sleep(0.005)
    finally:
        driver.kill()
        driver.wait()
    assert 0 < there <= rows(out) < games
    again = run(*words)
    assert again.exit_code == 0, again.output
    alone = run("simulate", str(ODDS), "--seed", "7", "--games", str(games), "--details", "--json")
    assert {**json.loads(again.stdout), "seconds": 0} == {**json.loads(alone.stdout), "seconds": 0}
    assert rows(out) == games


def rows(out: Path) -> int:
    try:
        with sqlite3.connect(f"file:{out}?mode=ro", uri=True) as file:
            [count] = file.execute("SELECT count(*) FROM games").fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


def test_compare_says_the_same(machines: Machines) -> None:
    words = ("compare", str(ODDS), "--set", "low=5", "--games", "200", "--json")
    found = run(*words, "--cluster", machines.address)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout) == json.loads(run(*words).stdout)


# ── whoever cannot be used ──


def test_others_are_refused(odds: ir.Rulebook, machines: Machines, tmp_path: Path) -> None:
    shutil.copytree(Path(rulebook.__file__).parent, tmp_path / "rulebook", ignore=shutil.ignore_patterns("cards"))
    with (tmp_path / "rulebook" / "version.py").open("a", encoding="utf-8") as file:
        file.write("\n# One line more.\n")
    with Cluster(machines.address) as cluster:
        others = [machines.worker(path=str(tmp_path)), machines.blind_worker()]
        try:
            until(cluster, 4)
            refused = run("simulate", str(ODDS), "--cluster", machines.address)
            # They came when it was too late to look at them.
            with pytest.raises(BadCluster, match="came later has"):
                play(plan(odds, seed=3), 4000, cluster=cluster)
        finally:
            for one in others:
                one.kill()
                one.wait()
        until(cluster, 2)
    assert refused.exit_code == 2
    assert "These would not play the same games" in refused.stderr
    assert refused.stderr.count("the worker tcp://127.0.0.1") == 2
    assert "has no rulebook" in refused.stderr and "its files are not the same" in refused.stderr


def test_what_is_different_is_said() -> None:
    ours = describe_program()
    assert difference(ours, ours) == ""
    assert "has rulebook 9.9 instead of" in difference({**ours, "rulebook": "9.9"}, ours)
    assert "has cpython 2.7 instead of cpython 3." in difference({**ours, "python": "cpython 2.7"}, ours)
    assert "files are not the same" in difference({**ours, "sources": ""}, ours)
    assert difference({}, ours)


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    out = tmp_path / "games.sqlite"
    refused = run("simulate", str(ODDS), "--cluster", "tcp://127.0.0.1:1", "--out", str(out))
    assert refused.exit_code == 2
    assert "pip install 'tabletop-rulebook[cluster]'" in refused.stderr
    assert not out.exists()


@pytest.mark.parametrize("address", ["somewhere", "http://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://:8786/x"])
def test_what_is_no_address(address: str) -> None:
    refused = run("simulate", str(ODDS), "--cluster", address)
    assert refused.exit_code == 2
    assert "tcp://192.168.0.7:8786" in refused.stderr


def test_processes_of_this_computer_are_no_cluster() -> None:
    refused = run("simulate", str(ODDS), "--cluster", "tcp://127.0.0.1:1", "--jobs", "2")
    assert refused.exit_code == 2
    assert "leave out --jobs" in refused.stderr


def test_a_scheduler_that_is_lost_is_told(odds: ir.Rulebook, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'tabletop-rulebook[cluster]'")
    lost = Machines(tmp_path)
    try:
        address = lost.address
        with pytest.raises(BadCluster, match="There is no worker at"):
            Cluster(address, connecting=3)
        lost.worker()
        with Cluster(address, connecting=60) as cluster:

            def kill(done: int, _: int) -> None:
                lost.scheduler.kill()

            with pytest.raises(BadCluster, match="was lost"):
                play(plan(odds), 100_000, on_progress=kill, cluster=cluster)
    finally:
        lost.close()
    with pytest.raises(BadCluster, match="Start a scheduler there with: dask scheduler"):
        Cluster(address, connecting=0.5)
