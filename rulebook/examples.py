"""Pieces of rulebooks checked inside a small game: the examples of every message, and what tests try."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve

from rulebook import diagnostics
from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, has_errors
from rulebook.diagnostics.registry import Example
from rulebook.dsl import ir
from rulebook.dsl.document import Mapping, Scalar
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.origins import label_messages
from rulebook.dsl.overlay.variant import Variant, variant_of
from rulebook.dsl.parsing.parser import Parses, remember_parses
from rulebook.dsl.reading.folder import merge
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.reading.spreadsheets import fetch_text, lay_sheets
from rulebook.library import RULES
from rulebook.loading.frontend import check_map
from rulebook.loading.misplaced import find_misplaced
from rulebook.loading.suppressions import heed_comments
from rulebook.source import SourceFile, Span

_GAMES = Path(diagnostics.__file__).parent
_FIRST_LINES = ("format", "name", "players")  # what a rulebook says once
_GAMES_PLAYED, _ANSWERS_COMPARED = 20, 200
_OWN_LINES = "format: 1\nname: Example\nplayers: 2..4\n"
_VARIANTS = ("example", "other")
_ANOTHER = "# another variant:\n"
_SMALL_GAME = "market"


@frozen
class _Around:
    """The YAML around an example: lines before it, and how deep it stands there."""

    before: str
    indent: int


_AROUND = {
    "yaml": _Around("", 0),
    "script": _Around("rules:\n  act(me): |\n", 4),
    "value": _Around("values:\n  answer(me): |\n", 4),
    "turn": _Around("rules:\n  act(me): |\n", 4),
    "game": _Around(_OWN_LINES, 0),
    "play": _Around(_OWN_LINES, 0),
    "often": _Around(_OWN_LINES, 0),
}


def find_messages(example: Example, name: str = "example.yaml") -> list[Diagnostic]:
    """Everything that is said about an example, in the order of its text, as if it were a file by itself."""
    if example.kind == "variant":
        _, messages = over_market(example.text, name)
        return _place_messages(messages, SourceFile(name, example.text), _Around("", 0))
    if example.kind == "files":
        listed = SourceFile(name, example.text)
        return [evolve(slip, span=_find_in_listing(slip.span, listed)) for slip in find_misplaced(example.text.split())]
    if example.kind == "scenarios":
        return _try_scenarios(example.text, SourceFile(name, example.text))
    around = _AROUND[example.kind]
    whole = around.before + textwrap.indent(example.text, " " * around.indent)
    match example.kind:
        case "game":
            _, messages = of_its_own(whole, name, meant=True)
        case "play":
            rulebook, messages = of_its_own(whole, name, meant=True)
            messages += () if rulebook is None else _play_example(rulebook)
        case "often":
            from rulebook.playtest.ablation.messages import find_silent

            rulebook, messages = of_its_own(whole, name, meant=True)
            silent = (None if rulebook is None else find_silent(rulebook)) or []
            # What is only listed may well follow from what is told.
            messages += [one for one in silent if one.code != diagnostics.LISTED] or silent
        case "turn":
            _, messages = _check_beside("fair", whole, name, meant=True)
        case _:
            _, messages = in_market(whole, name)
    return _place_messages(messages, SourceFile(name, example.text), around)


def _play_example(rulebook: ir.Rulebook) -> Sequence[Diagnostic]:
    # Few examples are played; the others need nothing that plays.
    from rulebook.dsl.settling.options import settle_options
    from rulebook.playtest.hunting.verdicts import play_through
    from rulebook.playtest.leaking.messages import search_leaks

    options, _ = settle_options(rulebook.options, {}, rulebook.units)
    return play_through(rulebook, None, _GAMES_PLAYED).found or search_leaks(
        rulebook, None, options, _GAMES_PLAYED, _ANSWERS_COMPARED
    ).messages


def _try_scenarios(text: str, shown: SourceFile) -> list[Diagnostic]:
    """Read and run scenarios of the smallest game; return what is said of them."""
    from rulebook.playtest.scenarios.reading import load_scenarios
    from rulebook.playtest.scenarios.trial import run

    with TemporaryDirectory() as folder:
        game = Path(folder)
        (game / RULES).write_text((_GAMES / "fair.yaml").read_text("utf-8"), "utf-8")
        (game / "act.yaml").write_text("rules: {act(me): do turn(me)}\n", "utf-8")
        (game / "scenarios").mkdir()
        (game / "scenarios" / "example.yaml").write_text(text, "utf-8")
        scenarios, messages = load_scenarios(game, meant=True)
        messages += [hint for scenario in scenarios for hint in run(scenario).hints]
    return [_drop_folder(message, shown) for message in messages]


def _drop_folder(message: Diagnostic, shown: SourceFile) -> Diagnostic:
    """Turn a message about files of a folder that is no more into one about the example and the small game."""

    def move(span: Span) -> Span:
        file = Path(span.file.name).name
        if file == Path(shown.name).name:
            return Span(shown, span.start, span.end)
        return Span(SourceFile("fair.yaml" if file == RULES else file, span.file.text), span.start, span.end)

    labels = tuple(Label(move(label.span), label.text) for label in message.labels)
    return evolve(message, span=message.span and move(message.span), labels=labels)


def _find_in_listing(span: Span | None, listed: SourceFile) -> Span | None:
    """Return the span where a listing names the file or folder that a message is about."""
    match = span and re.search(rf"^{re.escape(span.file.name)}(?=/|$)", listed.text, re.MULTILINE)
    return Span(listed, match.start(), match.end()) if match else None


def over_market(text: str, name: str = "example.yaml") -> tuple[Mapping, list[Diagnostic]]:
    """The map of the small game with one or two variants laid over it, and what is said about them."""
    messages: list[Diagnostic] = []
    variants: list[Variant] = []
    above = 0  # lines of the example before this variant
    for id, part in zip(_VARIANTS, text.split(_ANOTHER), strict=False):
        top, problems = read_map(SourceFile(name, "\n" * above + part))
        above += part.count("\n") + 1
        messages += problems
        if top is not None:
            variant, more = variant_of(_put_head(top, id), id)
            variants.append(variant)
            messages += more
    laid = overlay(_small_game(_SMALL_GAME, frozenset()), variants, _SMALL_GAME, _VARIANTS)
    messages += laid.messages
    if not has_errors(messages):
        messages = _check_map(laid.merged, {f"{_SMALL_GAME}.yaml": "", name: ""}, messages)[1]
    return laid.merged, label_messages(messages, laid.done)


def _put_head(top: Mapping, id: str) -> Mapping:
    """Put the lines that all variants begin with into one, unless it has lines of its own."""
    if "variant" not in top:
        for key, value in {"variant": id, "name": id.title(), "extends": _SMALL_GAME}.items():
            start = Span(top.span.file, 0, 0)
            top.put(Scalar(key, "plain", start), Scalar(value, "plain", start))
    return top


def _place_messages(messages: list[Diagnostic], shown: SourceFile, around: _Around) -> list[Diagnostic]:
    placed = [_take_out(message, shown, around) for message in messages]
    return sorted(placed, key=lambda message: (message.span.start, message.span.end) if message.span else (-1, -1))


def in_market(text: str, name: str = "example.yaml") -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """A file of YAML as a part of the small game."""
    return _check_beside("market", text, name)


def of_its_own(
    text: str, name: str = "example.yaml", *, meant: bool = False
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """A file of YAML as a whole rulebook; `meant` as `check` has it."""
    top, messages = read_map(SourceFile(name, text))
    return (None, messages) if top is None else _check_map(top, {name: text}, messages, meant=meant)


def _check_beside(
    game: str, text: str, name: str, *, meant: bool = False
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    top, messages = read_map(SourceFile(name, text))
    if top is None:
        return None, messages
    messages += lay_sheets(top, fetch_text({}), "").messages
    merged, twice = merge([_small_game(game, frozenset(top) & frozenset(_FIRST_LINES)), top])
    return _check_map(merged, {"rulebook.yaml": "", name: text}, [*messages, *twice], meant=meant)


def _check_map(
    top: Mapping, sources: dict[str, str], messages: list[Diagnostic], *, meant: bool = False
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    parses = _small_parses.copy()
    with remember_parses(parses):
        checked, more = check_map(top, "example", sources, meant=meant and not has_errors(messages))
    _small_parses.update((key, parse) for key, parse in parses.items() if parse[0].span.file in _small_files)
    if checked is None:
        return None, messages + more
    files = [SourceFile(name, text) for name, text in sources.items()]
    messages = heed_comments([*messages, *more], files, complete=checked.rulebook is not None)
    return (None if has_errors(messages) else checked.rulebook), messages


_small_files: set[SourceFile] = set()
_small_parses: Parses = {}
"""The scripts of the small games, which all examples share, each parsed once: a third of the time of a check."""


@cache
def _small_game(name: str, without: frozenset[str]) -> Mapping:
    """A small game, without the lines that the example gives itself."""
    top, messages = read_map(SourceFile(f"{name}.yaml", (_GAMES / f"{name}.yaml").read_text("utf-8")))
    assert top is not None and messages == [], "the small game has no mistakes"
    _small_files.add(top.span.file)
    kept = Mapping(top.span)
    for name, node in top.items():
        if name not in without:
            kept.put(top.keys_at[name], node)
    return kept


def _take_out(message: Diagnostic, shown: SourceFile, around: _Around) -> Diagnostic:
    """Turn a message about an example in its YAML into one about the example alone."""
    labels = tuple(Label(_find_shown(label.span, shown, around), label.text) for label in message.labels)
    span = None if message.span is None else _find_shown(message.span, shown, around)
    return evolve(message, span=span, labels=labels, where="" if around.before else message.where)


def _find_shown(span: Span, shown: SourceFile, around: _Around) -> Span:
    if span.file.name != shown.name:
        return span
    return Span(shown, _offset(span, span.start, shown, around), _offset(span, span.end, shown, around))


def _offset(span: Span, offset: int, shown: SourceFile, around: _Around) -> int:
    """Map an offset in the whole text to the example; what stands before the example maps to its start."""
    line, column = span.file.position(offset)
    line -= around.before.count("\n")
    return 0 if line < 1 else shown.offset(line, max(1, column - around.indent))
