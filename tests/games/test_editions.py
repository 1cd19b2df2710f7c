"""An edition is a variant that changes what people read, and nothing else; a deck is of one edition."""

from itertools import combinations
from pathlib import Path

import pytest

from rulebook import library
from rulebook.dsl.overlay.variant import Variant, read_variant
from rulebook.loading import load

WALLET = library.find_game("wallet")
EDITIONS = [
    library.find_variant(WALLET, name) for name in ("cryptozoic_2018_pdf", "cryptozoic_2018_print", "lifestyle_2017")
]


def variant(file: Path) -> Variant:
    read, found = read_variant(file)
    assert read is not None, found
    return read


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda file: file.stem)
def test_words_alone_change(edition: Path) -> None:
    deeds = variant(edition).deeds
    assert deeds
    assert {(one.verb, one.path.text.rpartition(".")[2]) for one in deeds} <= {("change", "name"), ("change", "text")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "pair", list(combinations(EDITIONS, 2)), ids=lambda pair: " and ".join(one.stem for one in pair)
)
def test_two_editions_are_refused(pair: tuple[Path, Path]) -> None:
    for order in (pair, pair[::-1]):
        loaded = load(WALLET, order)
        rulebook, found = loaded.rulebook, loaded.messages
        assert rulebook is None
        assert [one.code for one in found] == ["RB716"]
