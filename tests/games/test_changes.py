"""What somebody might want otherwise in a bundled game: a variant that says it, and scenarios that would miss it.

In: `data/changes/GAME/NAME.yaml`, a variant, and `data/changes/GAME/scenarios/NAME.yaml`. Each is put beside a copy of
the game, as a designer would do it. The game and the engine stay as they are.
"""

import shutil
from pathlib import Path

import pytest
from attrs import field, frozen
from click.testing import CliRunner
from paths import DATA

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.hunting.inspection import at_random
from rulebook.playtest.scenarios.reading import count_scenarios, load_scenarios
from rulebook.playtest.scenarios.trial import run

CHANGES = DATA / "changes"
VARIANTS = sorted(CHANGES.glob("*/*.yaml"))
SEED = 1


@frozen
class Changed:
    """A copy of a game with the variant and its scenarios beside it, and what the files of the game said before."""

    game: Path
    variant: Path
    scenarios: Path
    before: dict[Path, bytes] = field(repr=False)


def files(game: Path) -> dict[Path, bytes]:
    """What the files of the game itself say."""
    return {file: file.read_bytes() for file in game.glob("*.yaml")}


@pytest.fixture(params=VARIANTS, ids=[f"{one.parent.name}/{one.stem}" for one in VARIANTS])
def changed(request: pytest.FixtureRequest, tmp_path: Path) -> Changed:
    source: Path = request.param
    game = tmp_path / source.parent.name
    for folder in (game, game / "variants", game / "scenarios"):
        folder.mkdir()
    original = library.find_game(source.parent.name)
    for file in (*original.glob("*.yaml"), *original.glob("*.csv")):
        shutil.copy(file, game)
    before = files(game)
    variant = Path(shutil.copy(source, game / "variants"))
    scenarios = Path(shutil.copy(source.parent / "scenarios" / source.name, game / "scenarios"))
    return Changed(game, variant, scenarios, before)


def failing(game: Path, file: Path) -> set[str]:
    """The titles of the scenarios that fail, and how many there are that cannot be read."""
    scenarios, _ = load_scenarios(game, file)
    unread = count_scenarios(game, file) - len(scenarios)
    return {one.title for one in scenarios if not run(one).passed} | {f"{unread} not read" for _ in range(unread)}


def test_every_change_has_scenarios_and_every_scenario_a_change() -> None:
    assert sorted(CHANGES.glob("*/scenarios/*")) == [one.parent / "scenarios" / one.name for one in VARIANTS]
    assert VARIANTS


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({one.parent.name for one in VARIANTS}))
def test_changes_have_no_mistakes(name: str, tmp_path: Path) -> None:
    """All changes of a game beside one copy of it: each is checked by itself, and the game only once."""
    game = tmp_path / name
    shutil.copytree(library.find_game(name), game, ignore=shutil.ignore_patterns("variants", "scenarios"))
    shutil.copytree(CHANGES / name / "scenarios", game / "scenarios")
    shutil.copytree(CHANGES / name, game / "variants", ignore=shutil.ignore_patterns("scenarios"))
    said = CliRunner().invoke(main, ["validate", str(game), "--fail-on", "tip"])
    assert said.output == "1 game checked, no problems.\n"
    assert said.exit_code == 0


@pytest.mark.slow
def test_a_change_is_yaml_only(changed: Changed) -> None:
    assert count_scenarios(changed.game) and not failing(changed.game, changed.scenarios)
    rulebook = load(changed.game, [changed.variant], use_cache=True).rulebook
    assert rulebook is not None
    # By turns with the fewest and with the most.
    players = rulebook.players[0 if [one.stem for one in VARIANTS].index(changed.variant.stem) % 2 else -1]
    course = at_random(lower(rulebook, players), SEED)
    assert course.finished, f"{players} players: {course.error!r}"
    assert files(changed.game) == changed.before


def test_its_scenarios_would_miss_it(changed: Changed) -> None:
    about = f"variants: [{changed.variant.stem}]\n"
    assert changed.scenarios.read_text().startswith(about)
    changed.scenarios.write_text(changed.scenarios.read_text().removeprefix(about))
    assert failing(changed.game, changed.scenarios)
