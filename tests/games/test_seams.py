"""Seams in the shipped games: each sentence has a path, and one that does nothing there changes no game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from shipped import load_game

from rulebook.diagnostics import has_errors
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.overlay.applying import is_script, overlay
from rulebook.dsl.overlay.paths import Keys, strip_parameters
from rulebook.dsl.overlay.seams import Sentence, find_fitting, find_sentences, name_sentence, read_words
from rulebook.dsl.overlay.variant import read_variant, variant_of
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_map
from rulebook.library import find_games, variants_of
from rulebook.loading import load
from rulebook.loading.frontend import check_map
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.record import Played
from rulebook.source import SourceFile

_LEAVES = (s.Leave, s.Return, s.Win)
_PAIRS = 4


def _name(folder: Path) -> str:
    return folder.name


def _merge_folder(folder: Path) -> Mapping:
    merged, _, _ = read_folder(folder)
    assert merged is not None
    return merged


def _list_scripts(node: Node, root: Mapping, keys: Keys = ()) -> Iterator[tuple[str, Scalar]]:
    """The scripts of a game, each with its path."""
    if isinstance(node, Mapping):
        for name, inner in node.items():
            yield from _list_scripts(inner, root, (*keys, name))
    elif isinstance(node, Scalar) and is_script(keys, root):
        yield ".".join((*keys[:-1], strip_parameters(keys[-1]))), node


def _list_all_scripts(folder: Path) -> Iterator[Scalar]:
    """The scripts of a game, and of its variants."""
    root = _merge_folder(folder)
    yield from (script for _, script in _list_scripts(root, root))
    for file in variants_of(folder):
        variant, _ = read_variant(file)
        assert variant is not None
        nodes = [deed.node for deed in variant.deeds if isinstance(deed.node, Scalar)]
        yield from (node for node in nodes if node.style == "literal")


@pytest.mark.parametrize("folder", find_games(), ids=_name)
def test_every_sentence_has_a_path_of_its_own(folder: Path) -> None:
    for script in _list_all_scripts(folder):
        sentences = find_sentences([script], [])
        for sentence in (one for one in sentences if not one.is_else):
            words = name_sentence(sentence, sentences)
            assert words is not None, f"{script.span.file.name}:{script.span.line} {sentence.quote()}"
            assert find_fitting(sentences, read_words(words)) == [sentence], words


def _ends_there(sentence: Sentence) -> bool:
    """Tell whether nothing is ever done behind a sentence, or a label whose last one is such."""
    last = [inner for inner in sentence.inner if not inner.is_else][-1:]
    return isinstance(sentence.node, _LEAVES) or bool(last and _ends_there(last[0]))


def _write_idle_variant(root: Mapping, game: str) -> str:
    """Write a variant that does nothing at every sentence: a value before and after it, and itself in its place."""
    deeds: dict[str, list[str]] = {"before": [], "after": [], "instead of": []}
    for path, script in _list_scripts(root, root):
        sentences = find_sentences([script], [])
        for sentence in sentences:
            words = name_sentence(sentence, sentences)
            if sentence.is_else or sentence.is_line or words is None:
                continue
            key = "'" + f"{path}.{words}".replace("'", "''") + "'"
            deeds["before"].append(f"  {key}: let idle = 1")
            deeds["instead of"].append(f"  {key}: original")
            if not _ends_there(sentence):
                deeds["after"].append(f"  {key}: let idle = 2")
    lines = [line for verb, listed in deeds.items() if listed for line in (f"{verb}:", *listed)]
    return "\n".join([f"variant: idle\nname: Idle\nextends: {game}", *lines, ""])


def _play(rulebook: ir.Rulebook, players: int) -> list[Played]:
    result = play(plan_of(rulebook, players, 3, None, ("random",)), 2, 1, crashes=1)
    return list(result.played())


@pytest.mark.parametrize("folder", find_games(), ids=_name)
def test_a_seam_that_does_nothing_changes_no_game(folder: Path) -> None:
    root = _merge_folder(folder)
    top, problems = read_map(SourceFile("idle.yaml", _write_idle_variant(root, folder.name)))
    assert top is not None and not problems
    variant, problems = variant_of(top, "idle")
    assert not problems
    laid = overlay(root, [variant], folder.name)
    checked, messages = check_map(laid.merged, folder.name, {}, meant=False)
    assert not has_errors([*laid.messages, *messages], certain=True)  # comments in the game hide others
    assert checked is not None and checked.rulebook is not None
    game = load_game(folder)
    rulebook = evolve(checked.rulebook, source=game.source)
    players = game.players[-1]
    assert _play(rulebook, players) == _play(game, players)


@pytest.mark.parametrize("folder", [folder for folder in find_games() if len(variants_of(folder)) > 1], ids=_name)
def test_variants_that_validate_together_can_be_played_together(folder: Path) -> None:
    pairs = list(combinations(variants_of(folder), 2))
    rulebooks = [load(folder, pair).rulebook for pair in Random(63).sample(pairs, _PAIRS)]
    playable = [rulebook for rulebook in rulebooks if rulebook is not None]
    assert playable, "most pairs go together"
    for rulebook in playable:
        assert not [played.error for played in _play(rulebook, rulebook.players[0]) if played.error]


@pytest.mark.parametrize(
    ("head", "codes"), [('stage round "Night":', []), ("stage round headline(n)", ["RB201"])], ids=["colon", "mistake"]
)
def test_a_head_that_cannot_be_read_takes_no_stage_away(head: str, codes: list[str]) -> None:
    """Nothing that the game says of a stage is told to be wrong, only what the variant says."""
    folder = next(folder for folder in find_games() if folder.name == "wallet")
    text = f"variant: night\nname: Night\nextends: wallet\nchange: {{rules.game.repeat.stage round: '{head}'}}\n"
    top, problems = read_map(SourceFile("night.yaml", text))
    assert top is not None and not problems
    variant, problems = variant_of(top, "night")
    laid = overlay(_merge_folder(folder), [variant], folder.name)
    _, messages = check_map(laid.merged, folder.name, {}, meant=False)
    errors = [message for message in (*problems, *laid.messages, *messages) if has_errors([message], certain=True)]
    assert [message.code for message in errors] == codes  # comments in the game hide others
