"""`rulebook print`: cards on paper, as pictures, and for virtual tabletops and programs that lay out cards."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from rulebook import files, library
from rulebook.commands import folders, games
from rulebook.commands.console import BadRequest, Choices, Whole, color_option
from rulebook.interpreter.decisions import BadSetup
from rulebook.printing import visible
from rulebook.version import DISTRIBUTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulebook.front_door import Game
    from rulebook.printed.pieces import Piece, Set

PAPER, PNG, SIMULATOR, PLAYGROUND = "paper", "png", "tabletop-simulator", "tabletop-playground"
TABLES = ("nandeck", "squib", "dextrous", "playingcards")
_NEEDED = ("reportlab", "PIL", "pypdfium2")
_MISSING = f"To print cards needs some packages more: pip install '{DISTRIBUTION}[print]'"
_MOST_OLD = 4_000
"""Files of an earlier revision that are looked at."""


@click.command(name="print")
@folders.game_argument
@click.option(
    "--to", required=True, type=click.Path(path_type=Path), metavar="PATH", help="The PDF or CSV, or a folder."
)
@click.option(
    "--for", "purpose", type=Choices([PAPER, PNG, SIMULATOR, PLAYGROUND, *TABLES]), default=PAPER, show_default=True,
    help="What it is for.",
)  # fmt: skip
@click.option("--players", type=Whole(1), metavar="N", help="Cards for so many players; else for the most.")
@folders.game_options
@folders.without_option
@click.option("--cards", "chosen", multiple=True, metavar="CARD", help="Only this card; may be repeated.")
@click.option("--copies", type=Whole(1, 1000), metavar="N", help="So many of each, instead of as many as the game has.")
@click.option(
    "--only-changed", "since", metavar="VARIANT|FOLDER|REVISION",
    help="Only what is otherwise under a variant, than in a folder with an older copy, or since a revision of git.",
)  # fmt: skip
@click.option("--paper", type=Choices(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option("--size", "sized", default="poker", show_default=True, metavar="SIZE", help="The size of cards.")
@click.option("--no-backs", "without_backs", is_flag=True, help="No backs: print on one side.")
@click.option("--no-rules", "without_rules", is_flag=True, help="No pages with the rules.")
@click.option("--no-places", "without_places", is_flag=True, help="No boards, and no cards that say what lies where.")
@click.option(
    "--font", "fonts", multiple=True, type=click.Path(path_type=Path), metavar="FILE", help="A TrueType font."
)
@click.option("--address", metavar="URL", help="Where the pictures will lie, for Tabletop Simulator.")
@color_option
def print_command(
    game: str,
    to: Path,
    purpose: str,
    players: int | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
    chosen: tuple[str, ...],
    copies: int | None,
    since: str | None,
    paper: str,
    sized: str,
    without_backs: bool,
    without_rules: bool,
    without_places: bool,
    fonts: tuple[Path, ...],
    address: str | None,
) -> None:
    """Print the cards of GAME to cut out, or write them for a virtual tabletop or another program."""
    from rulebook.front_door import Game
    from rulebook.printed.pieces import choose_pieces, collect_pieces, find_changed

    is_table, size = purpose in TABLES, read_card_size(sized)
    _check_goal(to, purpose)
    for needed in () if is_table else _NEEDED:
        try:
            import_module(needed)
        except ImportError as missing:
            raise BadRequest(f"{_MISSING} ({missing.name} is missing)") from None
    asked = games.find_game(game, variants, given, without)

    def collect(opened: Game) -> Set:
        try:
            return collect_pieces(opened, players)
        except BadSetup as refused:
            raise BadRequest(str(refused)) from None

    pieces = collect(Game(asked.rulebook, asked.options, asked.folder, asked.variants))
    if since is not None:
        with _open_other(asked, since, game, variants, given, without) as (other, is_before):
            both = (collect(other), pieces) if is_before else (pieces, collect(other))
            pieces, gone = find_changed(*both)
        if gone:
            taken = ", ".join(f"{piece.copies} × {visible(piece.face.title)}" for piece in gone)
            click.echo(f"Take away: {taken}.", err=True)
        if not pieces.pieces:
            click.echo("No card is otherwise, so nothing was written.")
            return
    wanted = {id for word in chosen for id in games.find_cards(pieces.game.rulebook, word, asked.called)}
    pieces = choose_pieces(pieces, wanted, copies)
    if not pieces.pieces and (chosen or since):
        raise BadRequest("None of these cards is printed.")
    for complaint in pieces.complaints:
        click.echo(visible(complaint), err=True)
    _write(pieces, to, purpose, paper, size, (not without_backs, not without_rules, not without_places), fonts, address)


def read_card_size(text: str) -> tuple[float, float]:
    """Read a size of cards: a word, or millimetres as `63x88`. Raises BadRequest."""
    from rulebook.printed.sheets import SIZES

    word = text.strip().lower()
    if word in SIZES:
        return SIZES[word]
    sides = re.fullmatch(r"([0-9]{2,3})x([0-9]{2,3})", word)
    if sides is None or not 10 <= int(sides[1]) <= 200 or not 10 <= int(sides[2]) <= 280:
        raise BadRequest(f"--size is {', '.join(SIZES)}, or millimetres such as 63x88, from 10 to 200 by 280.")
    return float(sides[1]), float(sides[2])


def _check_goal(to: Path, purpose: str) -> None:
    ending = ".pdf" if purpose == PAPER else ".csv" if purpose in TABLES else ""
    if not str(to):
        raise BadRequest("--to names nothing.")
    if ending and to.suffix.lower() != ending:
        raise BadRequest(f"{visible(str(to))} should end in {ending}.")
    if not ending and to.exists() and not to.is_dir():
        raise BadRequest(f"{visible(str(to))} is a file; --for {purpose} writes a folder.")
    try:
        files.refuse_unwritable(to if ending else to.parent / f"{to.name}.part")
    except OSError as failed:
        raise BadRequest(f"{visible(str(to))} cannot be written: {failed.strerror}.") from None


def _write(
    pieces: Set, to: Path, purpose: str, paper: str, size: tuple[float, float], parts: tuple[bool, bool, bool],
    fonts: tuple[Path, ...], address: str | None,
) -> None:  # fmt: skip
    from rulebook.printed.tables import PROGRAMS, write_table

    program = next((one for one in PROGRAMS if one == purpose), None)
    if program is not None:
        _save({to: write_table(pieces, pieces.game, program).encode()})
        click.echo(f"{visible(str(to))}: {word_pieces(pieces.pieces)}.")
        return
    from rulebook.printed import sheets, tabletops
    from rulebook.printed.fonts import NoFont, find_typeface

    try:
        if purpose == PAPER:
            wanted = sheets.Wanted(paper, size, *parts, fonts)
            made = sheets.print_sheets(pieces, wanted)
            _save({to: made.data})
            click.echo(f"{visible(str(to))}: {made.pages} pages, {word_pieces(pieces.pieces)}.")
            turned = " on both sides, turned over the long edge," if wanted.backs else ""
            click.echo(f"Print it{turned} at 100 %, not fitted to the page.")
            if made.crowded:
                click.echo(f"Very small letters: {visible(', '.join(made.crowded))}.", err=True)
            return
        texts = [text for piece in pieces.pieces for text in piece.texts]
        face = find_typeface([*texts, pieces.game.rulebook.name], fonts)
    except (NoFont, sheets.TooLarge) as refused:
        raise BadRequest(visible(str(refused))) from None
    side = sheets.find_tile_side(sheets.find_grids(pieces), sheets.PAPERS[paper])
    sizes = {"card": size, "tile": (side, side), "token": (sheets.TOKEN, sheets.TOKEN)}
    before = address if address is not None else f"{to.resolve().as_uri()}/"
    makers: dict[str, Callable[[], tabletops.Files]] = {
        PNG: lambda: tabletops.make_images(pieces, face, sizes),
        SIMULATOR: lambda: tabletops.make_simulator_files(
            pieces, face, sizes, before if before.endswith("/") else before + "/"
        ),
        PLAYGROUND: lambda: tabletops.make_playground_files(pieces, face, sizes),
    }
    written = makers[purpose]()
    _save({to / PurePosixPath(name): data for name, data in written.items()})
    click.echo(f"{visible(str(to))}: {len(written)} files, {word_pieces(pieces.pieces)}.")


def _save(made: dict[Path, bytes]) -> None:
    try:
        for path, data in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            files.replace(path, data)
    except OSError as failed:
        raise BadRequest(f"{visible(str(path))} cannot be written: {failed.strerror}.") from None


def word_pieces(pieces: tuple[Piece, ...]) -> str:
    """Word how many pieces there are: `122 cards and 37 tokens`."""
    counts = Counter[str]()
    for piece in pieces:
        counts[piece.form] += piece.copies
    words = [f"{count:,} {form}{'' if count == 1 else 's'}" for form, count in counts.items()]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "no cards"


@contextmanager
def _open_other(
    asked: games.Asked,
    since: str,
    game: str,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    without: tuple[str, ...],
) -> Iterator[tuple[Game, bool]]:
    """Open what a game is compared with: itself under a variant, without one, as an older copy, or at a revision; and
    whether that was before."""
    from rulebook.front_door import Game

    if folders.is_game(since):
        older = Path(since)
        names = [str(older / os.path.relpath(file, asked.folder)) for file in asked.variants]
        old = games.find_game(since, names, given, without)
        yield Game(old.rulebook, old.options, old.folder, old.variants), True
        return
    try:
        library.find_variant(asked.folder, since)
    except library.VariantNotFound as missing:
        with TemporaryDirectory() as above:
            folder = Path(above) / asked.folder.resolve().name
            if not _restore(asked.folder, since, folder):
                listing = f"git knows no revision {since!r} of {asked.folder} either."
                raise BadRequest(f"{missing} {listing}") from None
            names = [str(folder / Path(os.path.relpath(file, asked.folder))) for file in asked.variants]
            old = games.find_game(str(folder), names, given, without)
            yield Game(old.rulebook, old.options, folder, old.variants), True
        return
    is_before = since in variants  # then it is the game without it
    others = [variant for variant in variants if variant != since] if is_before else [*variants, since]
    other = games.find_game(game, others, given, without)
    yield Game(other.rulebook, other.options, other.folder, other.variants), is_before


def _restore(folder: Path, revision: str, to: Path) -> bool:
    """Write the files of a game as they were at a revision; False if git knows none."""
    if revision.startswith("-") or not revision:
        return False
    listed = _ask_git(folder, "ls-tree", "-r", "-z", revision, "--", ".")
    if not listed:
        return False
    for entry in listed.decode(errors="surrogateescape").split("\0")[:_MOST_OLD]:
        head, _, name = entry.partition("\t")
        parts = PurePosixPath(name).parts
        # A link is not followed, and nothing is written outside.
        if not head.startswith("100") or ".." in parts or PurePosixPath(name).is_absolute():
            continue
        if not name.lower().endswith((".yaml", ".yml", *library.SHEETS, *library.PICTURES)):
            continue
        data = _ask_git(folder, "cat-file", "blob", head.split()[2])
        if data is not None:
            path = to.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return (to / library.RULES).is_file()


def _ask_git(folder: Path, *words: str) -> bytes | None:
    """Ask git for what is there already, and fetch nothing; None where it fails, or is not there."""
    settings = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            ["git", "--no-pager", "-C", str(folder), "-c", "core.fsmonitor=false", *words],
            capture_output=True, env={**os.environ, **settings}, timeout=60, check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
