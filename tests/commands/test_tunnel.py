"""A table by link with an address that another program lends: `serve --tunnel`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browsers import served
from click.testing import CliRunner

from rulebook.cli import main
from rulebook.commands import tunnel
from rulebook.commands.console import BadRequest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of this test are scripts of a shell")
SAYS = """#!/bin/sh
trap 'echo ended > "$0.ended"; exit' TERM
echo "$@" > "$0.words"
echo "Thank you for trying this. https://www.cloudflare.com/website-terms"
echo "+  https://two-words.trycloudflare.com  +" >&2
while :; do sleep 0.1; done
"""


def _install(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder.mkdir()
    program = folder / name
    program.write_text(text, "utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return program


def test_a_tunnel_names_its_address_and_ends_with_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _install(tmp_path / "bin", "cloudflared", SAYS, monkeypatch)
    with tunnel.open_tunnel(1234) as address:
        assert address == "https://two-words.trycloudflare.com"
    assert program.with_name("cloudflared.words").read_text() == "tunnel --url http://127.0.0.1:1234\n"
    assert program.with_name("cloudflared.ended").exists()


@pytest.mark.parametrize("end", ["exit 1", "exec sleep 60"])
def test_a_tunnel_that_does_not_come_is_told(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnel, "PATIENCE", 0.5)
    _install(tmp_path / "bin", "cloudflared", f"#!/bin/sh\necho failed to dial\n{end}\n", monkeypatch)
    with pytest.raises(BadRequest, match="failed to dial"), tunnel.open_tunnel(1234):
        pass
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadRequest, match="needs cloudflared"), tunnel.open_tunnel(1234):
        pass


@pytest.mark.slow
def test_links_begin_with_the_address_of_the_tunnel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette", reason="needs the extra `web`")
    pytest.importorskip("segno", reason="needs the extra `web`")
    _install(tmp_path / "bin", "cloudflared", SAYS, monkeypatch)
    words = ("kuhn_poker", "--seats", "Ana,bot", "--port", "0", "--tunnel")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        assert server.links["Ana"].startswith("https://two-words.trycloudflare.com/seat#")
    refused = CliRunner().invoke(main, ["serve", "kuhn_poker", "--tunnel", "--address", "https://table.example"])
    assert refused.exit_code == 2
    assert "leave --address out" in refused.output
