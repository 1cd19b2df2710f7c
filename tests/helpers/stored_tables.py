"""Files of tables by link, as a server leaves them behind."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulebook.cli import main


def keep_tables(folder: Path) -> bytes:
    """A file of two tables, in each of which a bot has answered."""
    for seats in ("Ana,bot:first", "bot:first,Ben"):
        result = serve(folder / "tables.sqlite3", "kuhn_poker", "--seats", seats, "--seed", "5")
        assert result.exit_code == 0, result.output
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as file:
        columns = "game, seat, answers, question, text, place, at"
        file.execute(f"INSERT INTO notes ({columns}) VALUES (1, 'Ana', 1, '', 'x', '', '')")
        file.commit()
        file.execute("PRAGMA journal_mode = delete")
    return (folder / "tables.sqlite3").read_bytes()


def serve(store: Path, *words: str) -> Result:
    """Run a server that lets nobody in and ends when all tables stand open."""
    with pytest.MonkeyPatch.context() as patch:

        async def end(*_: object) -> None:
            pass

        patch.setattr("rulebook.web.server.serve", end)
        words = ("serve", *words, "--port", "0", "--pace", "0", "--no-wait", "--store", str(store))
        return CliRunner().invoke(main, words)
