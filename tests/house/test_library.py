"""The finder of game folders, on a made-up tree of bundled games, and on the real one."""

from pathlib import Path

import pytest

from rulebook import library
from rulebook.library import GameNotFound, bundled, find_game, find_games


def make_game(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "rulebook.yaml").write_text("{}\n", encoding="utf-8")
    return folder


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with bundled games, and an empty working directory beside it."""
    (tmp_path / "checkout/rulebook").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr(library, "__file__", str(tmp_path / "checkout/rulebook/library.py"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    cards = tmp_path / "checkout/cards"
    for name in ("wallet", "exposed", "classics/war", "classics/go_fish"):
        make_game(cards / name)
    return cards


def test_real_games_are_found_by_their_names() -> None:
    assert bundled().is_dir()
    assert find_games()
    for folder in find_games():
        assert find_game(folder.name).name == folder.name


def test_cards_stand_beside_the_package_in_a_checkout(cards: Path) -> None:
    assert bundled() == cards


def test_cards_inside_the_package_come_first(cards: Path) -> None:
    inside = cards.parent / "rulebook/cards"
    inside.mkdir()
    assert bundled() == inside


def test_games_are_listed_sorted_with_those_of_collections(cards: Path) -> None:
    names = [folder.relative_to(cards).as_posix() for folder in find_games()]
    assert names == ["classics/go_fish", "classics/war", "exposed", "wallet"]


def test_only_folders_with_rules_are_games(cards: Path) -> None:
    (cards / "notes").mkdir()
    (cards / "README.md").write_text("x", encoding="utf-8")
    make_game(cards / ".hidden")
    make_game(cards / "wallet/variants")
    make_game(cards / "classics/more/deep")
    assert {folder.name for folder in find_games()} == {"go_fish", "war", "exposed", "wallet"}


def test_no_cards_folder_means_no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "__file__", str(tmp_path / "rulebook/library.py"))
    assert find_games() == []
    with pytest.raises(GameNotFound, match="There are no bundled games"):
        find_game("wallet")


@pytest.mark.parametrize(
    ("name", "place"), [("wallet", "wallet"), ("war", "classics/war"), ("classics/war", "classics/war")]
)
def test_bundled_game(cards: Path, name: str, place: str) -> None:
    assert find_game(name) == cards / place


def test_game_outside_a_collection_comes_before_one_inside(cards: Path) -> None:
    make_game(cards / "a_collection/wallet")
    assert find_game("wallet") == cards / "wallet"


@pytest.mark.parametrize("name", ["./mine", "sub/mine", "../elsewhere/mine", "."])
def test_path_to_a_game(cards: Path, name: str) -> None:
    folder = Path(name) if name != "." else Path("rulebook.yaml").parent
    if name == ".":
        Path("rulebook.yaml").write_text("{}\n", encoding="utf-8")
    else:
        make_game(folder)
    assert find_game(name) == folder


def test_absolute_path(cards: Path, tmp_path: Path) -> None:
    assert find_game(str(make_game(tmp_path / "mine"))) == tmp_path / "mine"


def test_path_to_a_game_wins_over_a_bundled_one_of_that_place(cards: Path) -> None:
    make_game(Path("classics/war"))
    assert find_game("classics/war") == Path("classics/war")


def test_bare_name_never_means_a_folder_here(cards: Path) -> None:
    make_game(Path("wallet"))
    assert find_game("wallet") == cards / "wallet"


@pytest.mark.parametrize("name", ["..", "../checkout", "./nothing", "classics", "", "wallet/variants"])
def test_what_is_no_game(cards: Path, name: str) -> None:
    with pytest.raises(GameNotFound):
        find_game(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "walet",
            "There is no bundled game “walet”. Did you mean wallet? "
            "The bundled games are: exposed, go_fish, wallet, war.",
        ),
        (
            "./Wallet",
            "There is no rulebook.yaml in ./Wallet. Did you mean wallet? "
            "The bundled games are: exposed, go_fish, wallet, war.",
        ),
        ("zzz", "There is no bundled game “zzz”. The bundled games are: exposed, go_fish, wallet, war."),
    ],
)
def test_message_says_what_was_perhaps_meant(cards: Path, name: str, text: str) -> None:
    with pytest.raises(GameNotFound) as caught:
        find_game(name)
    assert str(caught.value) == text


def test_name_that_no_bundled_game_has_may_be_a_folder_here(cards: Path) -> None:
    make_game(Path("1"))
    assert find_game("1") == Path("1")
