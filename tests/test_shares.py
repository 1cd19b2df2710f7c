"""A large game is checked in shares, by several processes, and what is known of a share is kept: nobody can tell.

`data/shares.yaml` holds games in which what is said of one card depends on others; besides, all games and snippets that
other tests have are checked in shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from checking import cases as of_the_checker
from checking import checked, placed
from test_meaning import cases as of_meaning

from rulebook import cache, examples, fingerprints, library, validation
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.registry import Example, unmarked
from rulebook.dsl import schema
from rulebook.dsl.dividing import begun, share_of
from rulebook.dsl.document import Mapping
from rulebook.dsl.passes import Checked, check
from rulebook.dsl.reading.folder import merge, read_files
from rulebook.dsl.sharing.telling import together
from rulebook.dsl.structuring.structure import structure
from rulebook.reports import Report, objects
from rulebook.source import SourceFile
from rulebook.validation import shares

GAMES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "shares.yaml").read_text("utf-8"))


def told(found: Sequence[Diagnostic]) -> list[str]:
    """Messages with all that belongs to them."""
    return sorted(objects.write(Report((one,), (), "error")) for one in found)


def files_of(authored: schema.Authored) -> dict[str, tuple[int, SourceFile]]:
    found: dict[str, tuple[int, SourceFile]] = {}
    for key in (*authored.keys.values(), *(card.key for card in authored.cards.values())):
        found.setdefault(key.span.file.name, (len(found), key.span.file))
    return found


def in_shares(authored: schema.Authored, cards: int) -> list[Diagnostic] | None:
    """What is wrong with a game, so many cards in each share; None if it cannot be divided."""
    common = begun(authored, files_of(authored), meant=True)
    if common is None:
        return None
    ids = list(authored.cards)
    parts = [ids[first : first + cards] for first in range(0, len(ids), cards)] or [[]]
    talks = [common.conversation(share_of(common, number, part)) for number, part in enumerate(parts)]
    done = common.together(together(talks))
    return None if done is None else done.found


def test_each_shipped_game(bundled_game: Path) -> None:
    maps, sources, _ = read_files(bundled_game)
    merged, _ = merge([one for one in maps if one is not None])
    authored, _ = structure(merged, bundled_game.name, sources)
    assert authored is not None
    found = in_shares(authored, -(-len(authored.cards) // 5))
    assert found is not None and told(found) == told(check(authored, meant=True).found)


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever checks an example checks it in shares, too."""

    def both(authored: schema.Authored, *, meant: bool = False) -> Checked:
        found = in_shares(authored, max(1, -(-len(authored.cards) // 3)))
        if found is not None:
            assert told(found) == told(check(authored, meant=True).found)
        return check(authored, meant=meant)

    monkeypatch.setattr(examples, "check", both)
    yield


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize(("slot", "snippet", "gives"), of_the_checker("secrets", "sentences"))
def test_snippets_of_the_checker(slot: str, snippet: str, gives: list[str]) -> None:
    checked(unmarked(placed(snippet, slot))[0])


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize(("kind", "text", "gives"), of_meaning())
def test_what_means_nothing(kind: Any, text: str, gives: list[str]) -> None:
    examples.messages(Example(kind, *unmarked(text)))


@pytest.mark.parametrize("title", GAMES)
def test_what_depends_on_other_shares(title: str) -> None:
    text = f"format: 1\nname: Apart\nplayers: 2..2\n{GAMES[title]['game']}"
    authored, misfits = structure(top_of(text), "apart", {"rulebook.yaml": text})
    assert authored is not None and misfits == []
    whole = check(authored, meant=True).found
    found = in_shares(authored, 1)
    assert found is not None and told(found) == told(whole)
    assert sorted(one.code for one in found) == sorted(GAMES[title].get("gives", [])), told(found)


def top_of(text: str) -> Mapping:
    from rulebook.dsl.reading.reader import read

    top, found = read(SourceFile("rulebook.yaml", text))
    assert top is not None and found == []
    return top


# ── processes, and what is kept ──────────────────────────────────────────────────────────────────────────────────────

RULES = f"format: 1\nname: Kept\nplayers: 2..2\n{GAMES['a memory is set by one card and asked for by another']['game']}"
CARD = """\
cards:
  card_{number}:
    kind: trick
    effect: |
      add {number} to me.gold
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game of eight files, each a share of its own, and a cache folder."""
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "kept"))
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(RULES, "utf-8")
    for number in range(1, 8):
        (folder / f"cards_{number}.yaml").write_text(CARD.format(number=number), "utf-8")
    yield folder
    fingerprints.program_as_written.cache_clear()


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The shares that were looked at by this process."""
    found: set[int] = set()
    begin = shares._beginning

    def noting(common: Any, share: Any) -> Any:
        def begun() -> Any:
            found.add(share.number)
            return begin(common, share)()

        return begun

    monkeypatch.setattr(shares, "_beginning", noting)
    return found


def problems(folder: Path, processes: int) -> list[str]:
    """What is wrong with the game, in as many shares as there are files."""
    maps, sources, _ = read_files(folder)
    merged, _ = merge([one for one in maps if one is not None])
    authored, _ = structure(merged, folder.name, sources)
    assert authored is not None
    files = [one for one in maps if one is not None]
    done = shares.check_in_shares(authored, files, True, most=20, least=1, processes=processes)
    found = told(done.found)
    assert found == told(check(authored, meant=True).found)
    return found


MISTAKES = {
    "none": "add 3 to me.gold",
    "in its types": "add 3 to me.silver",
    "for nothing": "let x = 3\n      add 3 to me.gold",
    "of secrets": "choose card from deck",
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_several_processes_find_the_same(game: Path, mistake: str, processes: int) -> None:
    text = (game / "cards_3.yaml").read_text("utf-8")
    (game / "cards_3.yaml").write_text(text.replace("add 3 to me.gold", MISTAKES[mistake]), "utf-8")
    first = problems(game, processes)
    assert bool(first) == (mistake != "none")
    assert problems(game, 1) == first


def test_of_what_was_not_changed_nothing_is_looked_at(game: Path, looked_at: set[int]) -> None:
    problems(game, 1)
    assert looked_at == set(range(8))
    looked_at.clear()
    assert problems(game, 1) == [] and looked_at == set()
    file = game / "cards_5.yaml"
    file.write_text("# more\n" + file.read_text("utf-8").replace("add 5", "add 2 + 3"), "utf-8")
    assert problems(game, 1) == [] and looked_at == {5}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_comes_and_goes(game: Path, looked_at: set[int], mistake: str) -> None:
    problems(game, 1)
    file = game / "cards_3.yaml"
    good = file.read_text("utf-8")
    file.write_text(good.replace("add 3 to me.gold", MISTAKES[mistake]), "utf-8")
    looked_at.clear()
    assert bool(problems(game, 1)) == (mistake != "none")
    assert looked_at == (set() if mistake == "none" else {3})
    file.write_text(good, "utf-8")
    assert problems(game, 1) == []


def test_what_all_depend_on_is_looked_at_again(game: Path, looked_at: set[int]) -> None:
    problems(game, 1)
    looked_at.clear()
    text = (game / "cards_5.yaml").read_text("utf-8")
    (game / "cards_5.yaml").write_text(text.replace("add 5 to", "set"), "utf-8")
    assert problems(game, 1) != []
    (game / "cards_5.yaml").write_text(text.replace("add 5", "add 50"), "utf-8")
    looked_at.clear()
    problems(game, 1)
    assert 5 in looked_at
    rules = (game / "rulebook.yaml").read_text("utf-8")
    (game / "rulebook.yaml").write_text(rules + "# the end\n", "utf-8")
    looked_at.clear()
    assert problems(game, 1) == [] and looked_at == set(range(8))


def test_a_message_that_points_into_another_file_is_found_anew(game: Path) -> None:
    rules = (game / "rulebook.yaml").read_text("utf-8")
    more = rules.replace("{does:", "{has: {price: {type: number, default: 1}}, does:")
    (game / "rulebook.yaml").write_text(more, "utf-8")
    before = problems(game, 1)
    assert before
    file = game / "cards_2.yaml"
    file.write_text("# one line more\n" + file.read_text("utf-8"), "utf-8")
    assert problems(game, 1) == before


def test_a_process_that_is_lost_costs_time_alone(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = shares.os.getpid()
    begin = shares._beginning

    def dying(common: Any, share: Any) -> Any:
        def conversation() -> Any:
            if shares.os.getpid() != here and share.number == 2:
                shares.os._exit(9)
            return (yield from begin(common, share)())

        return conversation

    monkeypatch.setattr(shares, "_beginning", dying)
    assert problems(game, 3) == []


def test_only_large_games_are_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = library.find("kuhn_poker")
    assert not validation.is_large(small)
    monkeypatch.setattr(validation, "is_large", lambda folder: True)
    assert validation.problems(small) == []
