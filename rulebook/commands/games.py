"""The game that a command is about, loaded, with its house rules settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rulebook.commands.console import BadRequest, RulesFailed, is_wanted, name_command, terminal_width
from rulebook.commands.folders import as_typed, folder_of, variants_at
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.forbidding import BadSettings, with_settings
from rulebook.dsl.settling.leaving_out import LEFT_OUT, ComesWith, NoSuchCard, cards_called, cards_named
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.decisions import BadSetup, RuleError
from rulebook.interpreter.wording import join_texts
from rulebook.loading import CheckedGame, load

if TYPE_CHECKING:
    from rulebook.interpreter.program import Program


def load_game(folder: Path, variants: Sequence[Path] = ()) -> CheckedGame:
    """Load the game in a folder under its variants; if there is any error, show all messages and end the command."""
    loaded = load(folder, variants, use_cache=True)
    if loaded.game is None:
        show_messages(loaded.messages)
        wrong = {one.span.file.name for one in loaded.messages if one.severity == "error" and one.span is not None}
        own = [file for file in variants if str(file) in wrong]
        where = join_texts([str(file) for file in own]) if own and wrong <= {*map(str, own)} else str(folder)
        raise RulesFailed(f"The rules in {where} cannot be played before this is put right.")
    return loaded.game


class Asked(NamedTuple):
    """A game as somebody wants it: the variants are laid over it, and the house rules settled."""

    name: str
    called: str
    """The words to type for it behind a command: its name or path, and its variants (`./my_game --variant mine`)."""
    folder: Path
    variants: tuple[Path, ...]
    game: CheckedGame
    options: dict[str, Any]

    @property
    def rulebook(self) -> Rulebook:
        """Its rules. What options are by default is not what they are settled to."""
        return self.game.rulebook

    def with_settings(self, given: Iterable[str]) -> Rulebook:
        """Its rules, with these house rules as what they are by default."""
        try:
            return with_settings(self.rulebook, settings(given))
        except BadSettings as refused:
            raise no_such_settings(self.rulebook, refused.problems, self.called) from None


def find_game(game: str, variants: Iterable[str], given: Iterable[str], without: Iterable[str] = ()) -> Asked:
    """The game of that name or at that path, with these variants and house rules, and without these cards."""
    variants = tuple(variants)
    folder = folder_of(game)
    files = variants_at(folder, variants)
    checked, called = load_game(folder, files), as_typed(game, *variants)
    options = settle_given(checked.rulebook, given, called) | settle_left_out(checked.rulebook, without, called)
    return Asked(game, called, folder, tuple(files), checked, options)


def settle_left_out(rulebook: Rulebook, without: Iterable[str], called: str) -> dict[str, Any]:
    """Return the house rules with the cards of `--without` left out."""
    try:
        ids = cards_called(rulebook, without)
    except NoSuchCard as missing:
        listing = f"{name_command()} show {called} lists the cards."
        raise BadRequest(f"{missing} {listing}") from None
    except ComesWith as refused:
        raise BadRequest(str(refused)) from None
    return {LEFT_OUT: ids} if ids else {}


def find_cards(rulebook: Rulebook, word: str, called: str) -> tuple[str, ...]:
    """The ids of the cards that are called so."""
    try:
        return cards_named(rulebook, word)
    except NoSuchCard as missing:
        raise BadRequest(f"{missing} {name_command()} show {called} lists the cards.") from None


def show_messages(messages: Iterable[Diagnostic]) -> None:
    """Messages about rules, on stderr: here they are not what was asked for."""
    width = terminal_width()
    click.echo(render_text(messages, width, is_wanted(err=True)), nl=False, err=True)


def settle_given(rulebook: Rulebook, given: Iterable[str], called: str) -> dict[str, Any]:
    """The house rules, from words like `rounds=5`."""
    options, problems = settle_options(rulebook.options, settings(given), rulebook.units)
    if problems:
        raise no_such_settings(rulebook, problems, called)
    return options


def settings(given: Iterable[str]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for word in given:
        name, sign, value = word.partition("=")
        if not sign or not name.strip():
            raise BadRequest(f"--set needs NAME=VALUE, for example --set rounds=5; not {word!r}.")
        wanted[name.strip()] = value.strip()
    return wanted


def no_such_settings(rulebook: Rulebook, problems: Sequence[str], called: str) -> BadRequest:
    """Word the refusal of house rules that cannot be settled."""
    listing = f"{name_command()} show {called} --options lists them with their values."
    return BadRequest("\n".join([*problems, listing] if rulebook.options else problems))


def lower_game(rulebook: Rulebook, players: int, options: dict[str, Any], has_buttons: bool = True) -> Program:
    """The game as a program for so many players; without buttons, as `lower` makes it."""
    from rulebook.interpreter.lower import lower

    try:
        return lower(rulebook, players, options, has_buttons=has_buttons)
    except BadSetup as refused:
        raise BadRequest(str(refused)) from None


def word_failure(error: RuleError) -> RulesFailed:
    """Word a failure of the rules in play: what went wrong, and where in which file."""
    return RulesFailed("\n".join([f"The rules went wrong: {error}", *word_place(error)]))


def word_place(error: BaseException | None) -> list[str]:
    """Name the place in the files where the rules went wrong, in one line; no line if it is not known."""
    span = getattr(getattr(error, "at", None), "span", None)
    return [] if span is None else [f"{span.file.name}:{span.line}:{span.column}: {' '.join(span.text.split())}"]
