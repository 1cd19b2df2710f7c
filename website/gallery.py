"""A gallery of the bundled games, with pictures that the product itself makes: a terminal, printed cards, a report.

In: the games, and the commands as people type them. Out: `gallery.md`, a page and pictures of each game, and reports
beside the pages. Never: a picture that was drawn by hand, or that shows what a game does not.
"""

from __future__ import annotations

import html
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

import rulebook
from rulebook import library

REPORTS = "reports"
"""The folder of reports, below that of the site: they are pages of their own."""
_COLUMNS, _LINES = 86, 70
_CARDS = 4
_GAMES = 1000
_REPORTED = "cards"
"""The folder of the games that have whole reports: a page takes a minute to be counted, so small games go without."""
_SEED = "11"
_PROMPT = re.compile(r"\n[^\n]*> |\] |: $")
_NO_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]")
"""Control sequences but those that colour."""


def draw_gallery(folder: Path, reports: Path, games: Sequence[str], *, is_beside_playground: bool) -> None:
    """Write the page of all games or of those that are named, a page of each, and the reports."""
    pages = folder / "gallery"
    pages.mkdir(parents=True)
    reports.mkdir(parents=True)
    lines = [
        "# Gallery",
        "",
        "All games that come with it, as it shows them itself. Each is YAML that you can copy and change:",
    ]
    lines += ["`rulebook new game ./mine --from wallet`.", ""]
    if is_beside_playground:
        lines += [
            'Or change and play one in the <a href="playground/index.html">playground</a>, without installing it.',
            "",
        ]
    lines += ["| game | players | cards |", "| --- | --- | --- |"]
    names = []
    for home in library.find_games():
        if games and home.name not in games:
            continue
        game = rulebook.open(home.name)
        name, title = home.name, game.title
        names.append(name)
        numbers = f"{min(game.players)} to {max(game.players)}" if len(game.players) > 1 else str(game.players[0])
        lines.append(f"| [{title}](gallery/{name}.md) | {numbers} | {sum(card.copies for card in game.cards())} |")
        text = _show_game(name, title, min(game.players), pages, reports, is_reported=home.parent.name == _REPORTED)
        (pages / f"{name}.md").write_text(text, "utf-8")
        (pages / f"{name}_files.md").write_text(_list_files(home, title), "utf-8")
    lines += ["", "```{toctree}", ":hidden:", "", *(f"gallery/{name}" for name in names), "```"]
    (folder / "gallery.md").write_text("\n".join(lines) + "\n", "utf-8")


def _show_game(name: str, title: str, players: int, pages: Path, reports: Path, *, is_reported: bool) -> str:
    """The page of a game; its pictures are drawn on the way."""
    _draw_terminal(name, players, pages / f"{name}.svg")
    cards = _draw_cards(name, pages)
    pictures = "\n".join(f"![A card of {html.escape(title)}]({file.name})" for file in cards)
    asked = ["simulate", name, "--players", str(players), "--games", str(_GAMES), "--seed", "1"]
    counted = _call(asked)
    link = ""
    if is_reported:
        _call([*asked, "--report", str(reports / f"{name}.html")])
        link = f'<a href="../{REPORTS}/{name}.html">The same as a page</a>, which `--report page.html` writes.'
    rules = _call(["show", name, "--english"])
    return "\n".join(
        [
            f"# {title}",
            "",
            "```console",
            f"rulebook play {name}",
            f"rulebook serve {name} --seats Ana,bot",
            f"rulebook new game ./mine --from {name}",
            "```",
            "",
            f"![{title} in a terminal]({name}.svg)",
            "",
            *(
                ["## Cards", "", pictures, "", f"`rulebook print {name} --to cards.pdf` prints all of them.", ""]
                if cards
                else []
            ),
            "## A thousand games",
            "",
            "```text",
            f"$ rulebook {' '.join(asked)}",
            counted.strip(),
            "```",
            "",
            link,
            "",
            "## The rules, told by its scripts",
            "",
            "```text",
            rules.strip(),
            "```",
            "",
            "## The rules as they are written",
            "",
            f"[All files of {title}]({name}_files.md), YAML and scripts, to read and to copy from.",
            f"`rulebook new game ./mine --from {name}` makes a copy of them that is yours.",
            "",
            "```{toctree}",
            ":hidden:",
            "",
            f"{name}_files",
            "```",
            "",
        ]
    )


def _list_files(home: Path, title: str) -> str:
    """The files of a game as they are. The search leaves them out: words of cards would stand above answers."""
    lines = ["---", "nosearch: true", "---", "", f"# {title}: its files", ""]
    for file in sorted(home.glob("*.yaml"), key=lambda file: (file.name != "rulebook.yaml", file.name)):
        lines += [f"## {file.name}", "", "```yaml", file.read_text("utf-8").rstrip(), "```", ""]
    for file in sorted(home.glob("*.csv")):
        lines += [f"## {file.name}", "", "```text", file.read_text("utf-8").rstrip(), "```", ""]
    return "\n".join(lines)


def _draw_terminal(name: str, players: int, file: Path) -> None:
    """Draw the first question of a game as a terminal shows it."""
    seats = ",".join(["Ana", *["bot"] * (players - 1)])
    words = ["-m", "rulebook", "play", name, "--seats", seats, "--seed", _SEED]
    environ = _environ() | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    terminal = pexpect.spawn(
        sys.executable, words, env=environ, dimensions=(_LINES, _COLUMNS), encoding="utf-8", timeout=300
    )
    try:
        terminal.expect(_PROMPT)
        shown = terminal.before + terminal.after
    finally:
        terminal.close(force=True)
    page = shown.rpartition("\x1b[H")[2].replace("\r\n", "\n")
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(_NO_COLOUR.sub("", page)), soft_wrap=True)
    file.write_text(console.export_svg(title=f"rulebook play {name}"), "utf-8")


def _draw_cards(name: str, pages: Path) -> list[Path]:
    """Draw a few cards, of as many kinds as there are; a game without cards has no pictures."""
    whole = pages / f"{name}-all"
    _call(["print", name, "--for", "png", "--to", str(whole)])
    game = rulebook.open(name)
    by_kind: dict[str, list[Path]] = {}
    for card in game.cards():
        picture = whole / f"{card.id}.png"
        if picture.exists():
            by_kind.setdefault(card.kind, []).append(picture)
    first = [kind[number] for number in range(_CARDS) for kind in by_kind.values() if number < len(kind)][:_CARDS]
    files = [pages / f"{name}-{picture.name}" for picture in first]
    for picture, file in zip(first, files, strict=True):
        shutil.copy(picture, file)
    shutil.rmtree(whole, ignore_errors=True)  # dice alone are not printed
    return files


def _call(words: list[str]) -> str:
    """Call a command as people do, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "rulebook", *words], env=_environ(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"rulebook {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def _environ() -> dict[str, str]:
    return os.environ | {"LC_ALL": "C.UTF-8", "COLUMNS": str(_COLUMNS)}
