"""Saved games: which one goes on, by which rules, what to do if they have changed since; and how one is written down.

A save that is only read stays as it is, even a damaged one; a game that is not over, or that somebody wanted to stay,
is never deleted.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import click

from rulebook import library
from rulebook.commands import folders, games
from rulebook.commands.console import BadRequest, RulesFailed, name_command
from rulebook.commands.seats import Seat
from rulebook.diagnostics.render import count_noun
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.leaving_out import LEFT_OUT, left_out
from rulebook.files import open_ordinary
from rulebook.interpreter.decisions import BadSetup, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import BadSave, Header, Journal, KeptFile
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.library import VARIANTS
from rulebook.loading import load as load_rules
from rulebook.loading.carried import CannotPlay, read_carried, read_playable
from rulebook.playtest.settings import changed
from rulebook.printing import visible
from rulebook.table import saves
from rulebook.table.columns import labelled, wrapped
from rulebook.table.saves import Held, Holder, Lock, Saved
from rulebook.table.screen import Screen
from rulebook.table.shared import SharedGame

# ── which one ────────────────────────────────────────────────────────────────────────────────────────────────────────


def choose_save(screen: Screen, game: str | None = None) -> Path:
    """The only unfinished game, or the one that is chosen from the list; the command ends here if none is."""
    id = None if game is None else folders.folder_of(game).resolve().name
    saved_games, damaged = saves.unfinished(id)
    for bad in damaged:
        click.echo(visible(str(bad)), err=True)
    if not saved_games:
        of = "" if id is None else f" of {id}"
        raise BadRequest(f"There is no unfinished game{of} in {saves.folder()}.")
    is_choice = len(saved_games) > 1 or not screen.is_terminal
    click.echo(screen.paint("title", "Unfinished games, the newest first" if is_choice else "The unfinished game"))
    if not is_choice:
        screen.show_lines(_list_saves(saved_games, 1, screen))
        return saved_games[0].path
    if not screen.is_terminal:
        screen.show_lines(_list_saves(saved_games, 1, screen))
        raise click.exceptions.Exit(0)
    return _ask_for_save(saved_games, screen)


def _ask_for_save(saved_games: Sequence[Saved], screen: Screen) -> Path:
    page, shown, word = max((screen.rows - 4) // 2, 1), 0, ""  # a game may need two lines
    while True:
        if not word and shown < len(saved_games):
            screen.show_lines(_list_saves(saved_games[shown : shown + page], shown + 1, screen))
            shown = min(shown + page, len(saved_games))
        elif word == "q":
            raise click.exceptions.Exit(0)
        elif word.isdecimal() and 1 <= int(word[:9]) <= len(saved_games):
            return saved_games[int(word[:9]) - 1].path
        else:
            screen.show_lines([f"Type a number from 1 to {len(saved_games)}, or q."])
        last = f"-{len(saved_games)}" if len(saved_games) > 1 else ""
        more = f", Enter shows {len(saved_games) - shown} more" if shown < len(saved_games) else ""
        word = _clean_word(screen.read_line(f"Which one goes on? [1{last}{more}, q leaves] > "))


def _clean_word(typed: str | None) -> str:
    """Clean what was typed; the end of input leaves, as q does."""
    word = "q" if typed is None else typed.strip().casefold()
    return "q" if word == "quit" else word


def _list_saves(saved_games: Sequence[Saved], first: int, screen: Screen) -> list[str]:
    from rulebook.dsl.overlay.variant import name_variant
    from rulebook.dsl.words import name_with_variants

    now, rows = datetime.now(), []
    for number, saved in enumerate(saved_games, first):
        header, answers = saved.journal.header, len(saved.journal.entries)
        laid = [name_variant(id, header.rules.get(f"{VARIANTS}/{id}.yaml", "")) for id in header.variants]
        title = name_with_variants(header.game, laid)
        far = count_noun(answers, "answer")
        about = " · ".join([", ".join(header.seats), far, saves.when(saved.when, now)])
        rows.append((f"{number}  {visible(title)}", visible(about)))
    if screen.is_terminal:
        return labelled(rows, screen.columns)
    # A command is to be copied, and so never broken.
    both = [(labelled([row], screen.columns), saved.path) for row, saved in zip(rows, saved_games, strict=True)]
    return [line for lines, path in both for line in (*lines, f"     {_resume(path)}")]


def _resume(path: Path) -> str:
    return f"{name_command()} play --resume {shlex.quote(str(path))}"


# ── by its own rules ─────────────────────────────────────────────────────────────────────────────────────────────────


class Resumed(NamedTuple):
    """A saved game as it stood. `notice` is a sentence about a last line that was cut off, or empty. `at` is how the
    game and its variants were named, if one may look there. `gap` is a sentence about the first answer that cannot
    have been given where the game stands, if there is one: something is missing before it.
    """

    rulebook: Rulebook
    game: Game
    notice: str
    at: tuple[str, ...]
    gap: str


def load_save(path: Path) -> Resumed:
    """A saved game, by the rules that it carries."""
    try:
        saved = read_save(path)
        rulebook, program = rules_of(saved.header, path)
        game, gap = SharedGame.replay_sound(program, saved, name=str(path))
    except BadSave as error:
        raise BadRequest(str(error)) from None
    except RuleError as error:
        raise games.word_failure(error) from error
    return Resumed(rulebook, game, saved.notice, find_place(saved.header, path), word_gap(gap))


def word_gap(gap: BadSave | None) -> str:
    """Say how far a save can be read, if not to its end."""
    return "" if gap is None else f"{gap.file}, line {gap.line}: {gap.reason} What stands before it can be played."


def find_place(header: Header, path: Path) -> tuple[str, ...]:
    """Say how the game of a save was named, if one may look there. A save from somebody else may name any path of this
    computer: such a path is followed only for a save in the person's own folder.
    """
    if header.at and (saves.is_ours(path) or library.is_bundled(*header.at)):
        return header.at
    return ()


def read_save(path: Path) -> Journal:
    """The save in a file, if it is one that can be played. Raises BadSave; the command ends if there is no file."""
    try:
        return read_playable(path)
    except OSError as error:
        raise BadRequest(f"There is no saved game in {path}: {error.strerror}.") from None


def rules_of(header: Header, path: Path) -> tuple[Rulebook, Program]:
    """The rules that a save carries. Raises BadSave; the command ends if they cannot be played."""
    try:
        return read_carried(header, path)
    except CannotPlay as broken:
        games.show_messages(broken.messages)
        raise RulesFailed(str(broken)) from None
    except BadSetup as refused:
        raise BadRequest(str(refused)) from None


# ── by the rules of today ────────────────────────────────────────────────────────────────────────────────────────────


class Anew(NamedTuple):
    """A new game in place of a saved one. `seed` is None if the deal is to be another one."""

    game: str
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    without: tuple[str, ...]
    seats: list[Seat]
    seed: int | None

    def word_command(self) -> str:
        """The command that begins it, with another deal: the seed of a game that goes on is shown to nobody."""
        words = [name_command(), "play", shlex.quote(self.game)]
        for name in self.variants:
            words += ["--variant", shlex.quote(name)]
        for setting in self.settings:
            words += ["--set", shlex.quote(setting)]
        for id in self.without:
            words += ["--without", shlex.quote(id)]
        listed = ",".join(seat.name if seat.bot is None else _spec(seat.bot) for seat in self.seats)
        return " ".join([*words, "--seats", shlex.quote(listed)])


def _spec(bot: str) -> str:
    return bot if bot.startswith("exec:") else f"bot:{bot}"


def offer_anew(resumed: Resumed, seated: list[Seat], screen: Screen) -> Anew | None:
    """Say what is to be said before the game goes on. What to begin instead, if the rules have changed since and
    somebody wants that; the command ends here if somebody would rather leave.
    """
    header, at = resumed.game.header, resumed.at
    files, broken = _find_changes(resumed)
    notices = [resumed.notice] if resumed.notice else []
    if resumed.gap:
        notices.append(f"{resumed.gap} The game goes on from there in a save of its own, and this one stays as it is.")
    if files:
        notices.append(
            f"The rules in {at[0]} have changed since this game began ({', '.join(files)}). "
            "It goes on by the rules with which it began, which are in the save."
        )
    if broken:
        command = f"{name_command()} validate {shlex.quote(at[0])}"
        notices.append(f"As they are now they cannot be played: {command} says why.")
    for sentence in notices:
        click.echo("\n".join(wrapped(sentence, screen.columns, "  ")), err=True)
    if not notices:
        return None
    if not files or broken:
        if screen.is_terminal and _clean_word(screen.read_line("Enter goes on, q leaves > ")) == "q":
            raise click.exceptions.Exit(0)
        return None
    settings = tuple(f"{name}={value}" for name, value in changed(resumed.rulebook, header.options).items())
    anew = Anew(at[0], at[1:], settings, left_out(header.options), seated, header.seed)
    if not screen.is_terminal:
        click.echo("To begin again by the new ones, with the same seats and house rules:", err=True)
        click.echo(anew.word_command(), err=True)
        return None
    rows = ("go on by the old rules", "begin again by the new ones, with the same seed", "… and with another seed")
    screen.show_lines([f"  {number} {words}" for number, words in enumerate(rows, 1)])
    while True:
        match _clean_word(screen.read_line("[1-3, q leaves] > ")):
            case "q":
                raise click.exceptions.Exit(0)
            case "1":
                return None
            case "2":
                return anew
            case "3":
                return anew._replace(seed=None)


def _find_changes(resumed: Resumed) -> tuple[list[str], bool]:
    """The files of the game that read otherwise now, if that makes other rules, and whether they cannot be played."""
    header, at = resumed.game.header, resumed.at
    if not at or not header.rules:
        return [], False
    try:
        folder = library.find_game(at[0])
        variants = [library.find_variant(folder, name) for name in at[1:]]
    except (library.GameNotFound, library.VariantNotFound):
        # Moved, or on another computer: nobody waits for new rules there.
        return [], False
    now = _read_texts(folder, variants)
    files = sorted(name for name in {*now, *header.rules} if now.get(name) != header.rules.get(name))
    if not files:
        return [], False
    rulebook = load_rules(folder, variants).rulebook
    if rulebook is None:
        return files, True
    try:
        kept = {*rulebook.options, LEFT_OUT}
        options = {name: value for name, value in header.options.items() if name in kept}
        same = lower(rulebook, len(header.seats), options).rules_hash == header.rules_hash
    except BadSetup:
        same = False
    return ([], False) if same else (files, False)


def _read_texts(folder: Path, variants: Sequence[Path]) -> dict[str, str]:
    """Read the files of a game and of its variants as they are now, by the names that they have in a save."""
    # Readers are for those who go on with a saved game only.
    from rulebook.dsl.overlay.variant import read_variant
    from rulebook.dsl.reading.folder import read_files
    from rulebook.loading.frontend import texts_of_variants

    texts = read_files(folder)[1]
    for path in variants:
        variant, _ = read_variant(path)
        if variant is not None:
            texts |= texts_of_variants([variant])
    return texts


class Kept:
    """The save of a game that goes on. When the game is over, it stays only if somebody asked for that. `played_as` is
    the player whom somebody said to be.
    """

    def __init__(self, path: Path | None = None, asked_for: bool = False, played_as: str = "") -> None:
        self.path, self.asked_for, self.played_as = path, asked_for, played_as
        self._lock: Lock | None = None

    def hold(self) -> None:
        """Lock this save against others who would play on from it. Raises BadRequest if somebody does already."""
        if self.path is None or self._lock is not None or not os.path.isfile(self.path):
            return
        try:
            self._lock = Lock(self.path)
        except Held as held:
            raise BadRequest(_refuse_taken(held.by, self.path)) from None
        except OSError as error:
            lines = f"{self.path} cannot be locked: {error.strerror}. See that nobody else plays on from it meanwhile."
            click.echo(lines, err=True)

    def release(self) -> None:
        """Somebody else may play on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def begin_save(self, game: Game) -> None:
        """Write the game down, and every answer from now on."""
        try:
            if self.path is not None:
                # What was read stays as it is until somebody has answered.
                os.close(open_ordinary(self.path, os.O_RDWR))
                self.path.chmod(0o600)  # it may have been written by an earlier version, or sent by somebody
            else:
                self.path = saves.create(game.program.id, datetime.now(), lambda new: game.save(new, is_new=True))
                self.hold()
            game.keep(KeptFile(self.path, self._lock.follow if self._lock is not None else None))
        except OSError as error:
            raise BadRequest(f"The game cannot be saved in {self.path or saves.folder()}: {error.strerror}.") from None

    def explicitly(self) -> Path:
        """Somebody wants it to stay; where it is."""
        assert self.path is not None
        self.asked_for = True
        return self.path

    def word_place(self) -> str:
        """Say where the game is kept, and how to go on: a command on a line of its own, to be copied."""
        words = ["play", "--resume", str(self.path), *(["--as", self.played_as] if self.played_as else [])]
        return f"The game is saved. Go on with:\n{name_command()} {shlex.join(words)}"

    def end_save(self) -> None:
        """The game is over."""
        if not self.asked_for and self.path is not None:
            self.path.unlink(missing_ok=True)


def _refuse_taken(by: Holder, path: Path) -> str:
    """Word the refusal of a save that somebody has open: who, since when, and what can be done."""
    who = "another program" if by.process is None else f"process {by.process}"
    since = "" if by.since is None else f" since {saves.when(by.since, datetime.now())}"
    return (
        f"This game is being played already, by {who}{since}. Leave it there with q, and go on here. "
        f"Or begin another one from where it stands:\n{name_command()} replay {shlex.quote(str(path))} --fork"
    )
