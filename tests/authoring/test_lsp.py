"""The language server, driven by a client of its own: messages as `validate` has them, names, suggestions, mends."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_client import Editor, draw_edit, facts_of, problems_of

from rulebook.library import find_game, scenario_files, variants_of
from rulebook.validation import find_problems

pytestmark = [pytest.mark.slow, pytest.mark.extra("lsp", "pygls")]


@pytest.fixture
def wallet(tmp_path: Path) -> Path:
    """A large game under one variant: with all of them and all scenarios, each whole check takes ten times as long."""
    game = Path(shutil.copytree(find_game("wallet"), tmp_path / "wallet"))
    for file in (*variants_of(game), *scenario_files(game)):
        if file.stem not in ("blackmail", "flow"):
            file.unlink()
    return game


@pytest.fixture
def editor(wallet: Path) -> Iterator[Editor]:
    started = Editor(wallet)
    yield started
    started.close()


def test_after_each_edit_it_says_what_validate_says(editor: Editor, wallet: Path) -> None:
    file, numbers, took = wallet / "specials.yaml", random.Random(7), []
    text = editor.open(file)
    for _ in range(2):
        for changed in (draw_edit(text, numbers), text):
            before = editor.count_work()
            said = editor.type(file, changed)
            took.append(editor.count_work() - before)
            if changed == text:
                assert said == []
                continue
            file.write_text(changed, "utf-8")
            assert facts_of(editor.wait_for_all(file)) == problems_of(wallet, file), changed
            file.write_text(text, "utf-8")
    # The whole check takes ten times as long; others share the processor.
    assert min(took) < 0.5, "messages come while one types"


def test_an_editor_that_is_closed_ends_it_in_order(editor: Editor, wallet: Path) -> None:
    editor.open(wallet / "specials.yaml")
    assert editor.leave() == 0


def test_what_is_not_saved_counts_for_other_files(editor: Editor, wallet: Path) -> None:
    rules, cards = wallet / "rulebook.yaml", wallet / "specials.yaml"
    text = editor.open(rules)
    editor.open(cards)
    editor._said.pop(cards.as_uri())
    assert editor.type(rules, text.replace("  prices(): ", "  price_list(): ", 1)) == []
    [message] = editor.wait(cards)
    assert message["code"] == "RB301" and "prices" in message["message"]


def test_a_name_is_found_where_it_is_declared_and_wherever_it_stands(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)
    [place] = editor.at("definition", file, text, "prices()")
    assert place["uri"].endswith("/rulebook.yaml")
    places = editor.at("references", file, text, "prices()", context={"includeDeclaration": True})
    assert {place["uri"].rpartition("wallet/")[2] for place in places} == {
        "rulebook.yaml", "specials.yaml", "scenarios/flow.yaml",
    }  # fmt: skip
    [own] = editor.at("definition", file, text, "let luc|ky")
    assert own["uri"] == file.as_uri()
    hover = editor.at("hover", file, text, "prices()")["contents"]["value"]
    assert hover.startswith("`prices`: value") and "values.prices" in hover
    symbols = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": file.as_uri()}})
    assert "card_request" in [symbol["name"] for symbol in symbols]


def test_a_name_is_changed_everywhere_and_the_game_stays_the_same(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)
    for word, new in (("prices()", "price_list"), ("timing: before", "when_played"), ("hand", "fist")):
        edits = editor.at("rename", file, text, word, newName=new)["changes"]
        for uri, changes in edits.items():
            path = Path(uri.removeprefix("file://"))
            lines = path.read_text("utf-8").splitlines(keepends=True)
            for change in sorted(changes, key=lambda change: change["range"]["start"]["character"], reverse=True):
                start, end = change["range"]["start"], change["range"]["end"]
                line = lines[start["line"]]
                lines[start["line"]] = line[: start["character"]] + change["newText"] + line[end["character"] :]
            path.write_text("".join(lines), "utf-8")
        text = file.read_text("utf-8")
        editor.type(file, text)
    assert find_problems(wallet) == []
    assert "when_played: before_turn" in text and "fist" in text


def test_a_name_that_is_taken_or_means_something_is_refused(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)
    for word, new, why in (
        ("prices()", "hand", "already"),
        ("prices()", "others", "means something"),
        ("prices()", "Two words", "means something"),
        ("others", "friends", "no name that the game gives"),
        ("timing: before", "moment", "something else would be meant"),
    ):
        with pytest.raises(AssertionError, match=why):
            editor.at("rename", file, text, word, newName=new)


def test_what_fits_is_suggested_and_nothing_else(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)

    def suggested(word: str) -> set[str]:
        return {one["label"] for one in editor.at("completion", file, text, word)}

    behind = suggested('choose victim |from others "Whom')
    assert behind == {"from"}
    goals = suggested('choose victim from |others "Whom')
    assert {"others", "wallet", "every"} <= goals and "to" not in goals
    text = text.replace('choose victim from others "Whom', 'choose victim from others.\n      "Whom')
    editor.type(file, text)
    assert {"hand", "coin", "left"} <= suggested("choose victim from others.|\n")
    assert not suggested("name: Card| Request"), "a text is no script"


def test_what_fits_best_is_suggested_first(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    editor.open(file)
    head = "cards:\n  fair:\n    kind: special\n    effect: |\n"

    def suggested(line: str, text: str = head) -> list[str]:
        editor.type(file, text + line.replace("|", ""))
        found = editor.at("completion", file, text + line.replace("|", ""), line)
        return [one["label"] for one in sorted(found, key=lambda one: one["sortText"])]

    goals = suggested("      move first(me.hand) to |\n")
    places = {"box", "wallet", "hand", "payments", "fund", "special_deck", "compartment", "discard"}
    assert {*goals[:5]} <= places, goals[:8]
    behind = suggested("      each p in others:\n        draw 1 from p.|\n")
    assert {"hand", "left"} <= {*behind} and not {"value", "corner"} & {*behind}
    assert "value" in suggested("      choose c from me.hand where c.|\n")
    kinds = suggested("|special\n", "cards:\n  fair:\n    effect: none\n    kind: ")
    assert {"special", "valuable"} <= {*kinds} and not {"hand", "draw"} & {*kinds}
    sights = suggested("|owner}\n", "places:\n  player:\n    purse: {holds: special, kept: pile, seen_by: ")
    assert {"owner", "everyone", "nobody"} <= {*sights} and "hand" not in sights


def test_a_mend_is_offered(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)
    changed = text.replace("choose victim", "chose victim", 1)
    [message] = editor.type(file, changed)
    asked = {"textDocument": {"uri": file.as_uri()}, "range": message["range"], "context": {"diagnostics": []}}
    [action] = editor.ask("textDocument/codeAction", asked)
    [edit] = action["edit"]["changes"][file.as_uri()]
    assert edit["newText"] == "choose"


def test_a_place_is_counted_as_the_editor_counts(editor: Editor, wallet: Path) -> None:
    file = wallet / "specials.yaml"
    text = editor.open(file)
    changed = text.replace("timing: before_turn", 'timing: "🎲" # 🎲', 1)
    [message, *_] = editor.type(file, changed)
    line = changed.splitlines()[message["range"]["start"]["line"]].encode("utf-16-le")
    start, end = (2 * message["range"][side]["character"] for side in ("start", "end"))
    assert line[start:end].decode("utf-16-le") == "🎲"
    assert end - start == 4


def test_a_file_of_no_game_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "notes.yaml"
    file.write_text("rules: [", "utf-8")
    document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": "rules: ["}
    editor._tell("textDocument/didOpen", {"textDocument": document})
    asked = {"textDocument": {"uri": file.as_uri()}, "position": {"line": 0, "character": 1}}
    assert editor.ask("textDocument/hover", asked) is None
    assert file.as_uri() not in editor._said
