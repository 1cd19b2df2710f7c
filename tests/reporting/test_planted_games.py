"""Every verdict of a series is said of planted games in which it is true, and of none in which it would be false."""

import re

import pytest
import yaml
from click.testing import CliRunner
from paths import DATA

from rulebook.cli import main

PLANTED = yaml.safe_load((DATA / "planted.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The verdicts on each planted game: the question, and what is said."""
    told = {}
    for name, game in PLANTED["games"].items():
        folder = tmp_path_factory.mktemp("planted")
        (folder / "rulebook.yaml").write_text(f"format: 1\nname: Planted\n{game['text']}", "utf-8")
        words = ["simulate", str(folder), "--seed", "1", "--games", "500", *game["words"].split()]
        done = CliRunner().invoke(main, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        answers = done.stdout.partition("  what that rests on")[0]
        told[name] = [" ".join(one.split()) for one in re.split(r"\n(?:fact|fine|OPEN|LOOK)  ", answers)]
    return told


@pytest.mark.slow
def test_a_verdict_is_said_where_it_is_true_and_nowhere_else(verdicts: dict[str, list[str]]) -> None:
    wrong = []
    for sentence in PLANTED["sentences"]:
        said = {name for name, told in verdicts.items() if any(re.match(sentence["says"], one) for one in told)}
        true = set(sentence.get("of") or set(verdicts) - set(sentence["not of"]))
        assert 0 < len(true) < len(verdicts)
        if said != true:
            wrong.append(f"{sentence['says']}: false of {said - true}, not said of {true - said}")
    assert not wrong


@pytest.mark.slow
def test_all_that_is_said_is_known(verdicts: dict[str, list[str]]) -> None:
    """A new verdict has a planted game in which it is true, and one in which it would be false."""
    said = {one for told in verdicts.values() for one in told[1:]}
    known = [sentence["says"] for sentence in PLANTED["sentences"]]
    assert not [one for one in said if not any(re.match(words, one) for words in known)]
