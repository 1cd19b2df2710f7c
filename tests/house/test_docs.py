"""The documents run: every block of code in them is what it says it is.

A block says in its first words what it holds:

    yaml game       a whole rulebook, which must have no mistakes, and say nothing for nothing
    yaml part       a second file beside the base game; together they must have none either
    yaml beside G   the same beside the bundled game G
    yaml scenario   a file of scenarios of the base game, all of which must pass
    yaml variant    a variant of the base game; with a name behind, laid over the game after the variant of that name
    effect          statements of a script in the base game
    expr            questions in the base game, one a line; `#` begins a remark
    text, console   nothing that is read, but the commands in `console` must exist

The base game is the nearest `yaml game` block above. In docs/language.md, and in a document without one, it is the
first one of docs/language.md, where much has no use: it is an example of everything. In docs/variants.md, where every
command is run and a `text` block behind it is what it prints, it is the last one of docs/tutorial.md. The first line of
an `effect` or `expr` block may be a remark with the parameters, `# me, friend, ware w`; without one there is `me`. With
`error RBnnn` behind the first words the block is wrong on purpose, and must give that code and no other. With `warns
RBnnn` it is a step on the way, which can be played.

The reference cannot fall behind: every form of the grammar stands in one of its blocks, and every built-in question,
every field and every word is mentioned in it. Its first page names all sections, sentences and built-in questions.
"""

from __future__ import annotations

import re
import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import click
import pytest
import yaml
from click.testing import CliRunner
from paths import ROOT
from simulating import simulate

from rulebook.cli import COMMANDS, main
from rulebook.diagnostics import Diagnostic, codes, template
from rulebook.dsl import schema
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.overlay.variant import FIELDS as VARIANT
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Parser, Unexpected
from rulebook.dsl.parsing.parser import VERBS
from rulebook.dsl.schema import Document, Memory, Places
from rulebook.dsl.structuring import misfits
from rulebook.dsl.structuring.declarations import BANNED
from rulebook.dsl.structuring.forms import KEPT, SEEN_BY, Changing, Printed
from rulebook.dsl.world import TYPE_WORDS
from rulebook.library import find_game, find_variant
from rulebook.loading import load
from rulebook.playtest.bots import BEST, KINDS
from rulebook.playtest.scenarios import reading
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run

REFERENCE = ROOT / "docs" / "language.md"
TUTORIAL = ROOT / "docs" / "tutorial.md"
GAMES = ROOT / "docs" / "games.md"
VARIANTS = ROOT / "docs" / "variants.md"
HOW_DO_I = ROOT / "docs" / "how_do_i.md"
OURS = (REFERENCE, TUTORIAL, GAMES, VARIANTS)
"""Documents for people who write games. In others there may be blocks of other sorts, which are not read."""

FILES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))])
READ = ("yaml game", "yaml part", "yaml beside", "yaml scenario", "yaml variant", "effect", "expr")
UNREAD = ("text", "console")
ELSEWHERE = ("", "sh", "python", "json", "toml")
FOUND = {REFERENCE: 120, TUTORIAL: 7, GAMES: 5, VARIANTS: 4}
"""How many blocks there are at least, so that none is lost when the way they are found changes."""

_BLOCK = re.compile(r"^```(?P<words>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_WORDS = re.compile(
    rf"(?P<sort>{'|'.join(READ + UNREAD)})(?: (?P<game>[a-z_]+(?<!error)(?<!warns)))?"
    r"(?: (?P<how>error|warns) (?P<code>RB\d{3}))?"
)
_COMMAND = re.compile(r"(?:run\.py|\brulebook) ([a-z]+)")
_CODE = re.compile(r"\bRB\d{3}\b")


@attrs.frozen
class Block:
    """One block: what it says it is, the code it must give, its text, and the game it is about."""

    file: Path
    line: int
    sort: str
    code: str | None
    text: str
    base: str
    game: str | None = None
    warns: bool = False
    variants: tuple[str, ...] = ()
    """The texts of the good variants above it."""

    @property
    def wrong(self) -> bool:
        """Whether it cannot be played."""
        return self.code is not None and not self.warns

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}"


@cache
def blocks(file: Path) -> tuple[Block, ...]:
    if not file.is_file():
        return ()
    text = file.read_text(encoding="utf-8")
    made: list[Block] = []
    if file == VARIANTS:
        base = [one.text for one in blocks(TUTORIAL) if one.sort == "yaml game" and not one.wrong][-1]
    else:
        base = "" if file == REFERENCE else next(one.text for one in blocks(REFERENCE) if one.sort == "yaml game")
    for found in _BLOCK.finditer(text):
        words = _WORDS.fullmatch(found["words"])
        line = text.count("\n", 0, found.start()) + 1
        sort = words["sort"] if words else found["words"]
        block = Block(file, line, sort, words["code"] if words else None, found["text"], base)
        if block.sort in ("yaml beside", "yaml variant") and words:
            block = attrs.evolve(block, game=words["game"])
        above = tuple(one.text for one in made if one.sort == "yaml variant" and not one.wrong)
        block = attrs.evolve(block, variants=above)
        block = attrs.evolve(block, warns=words is not None and words["how"] == "warns")
        if block.sort == "yaml game" and not block.wrong:
            # In the reference, whole games further down are examples of their own.
            base = base if file == REFERENCE and base else block.text
            block = attrs.evolve(block, base=block.text)
        made.append(block)
    return tuple(made)


ALL = [one for file in FILES for one in blocks(file)]
LANGUAGE = blocks(REFERENCE)


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))


def parameters(text: str) -> str:
    """What the first line says is there; `me` if it says nothing."""
    first = text.split("\n", 1)[0]
    return first[1:].strip() if first.startswith("#") else "me"


def questions(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and not line.startswith("#")]


def part(block: Block) -> str:
    """The file that stands beside the base game."""
    names = parameters(block.text)
    if block.sort == "effect":
        return f"rules:\n  the_example({names}): |\n{indented(block.text)}"
    if block.sort == "expr":
        lines = [f"  the_example_{n}({names}): |\n    {line}\n" for n, line in enumerate(questions(block.text))]
        return "values:\n" + "".join(lines)
    return block.text


def variant_id(text: str) -> str:
    return text.split("\n", 1)[0].removeprefix("variant: ")


def written(block: Block, folder: Path) -> Path:
    """The game of a block, as a folder. The reference calls its own `harbour`."""
    game = folder / {REFERENCE: "harbour", VARIANTS: "my_game"}.get(block.file, "game")
    if block.sort == "yaml beside" and block.game is not None:
        shutil.copytree(find_game(block.game), game)
        (game / "part.yaml").write_text(block.text, encoding="utf-8")
        return game
    game.mkdir()
    if block.sort == "yaml game":
        (game / "rulebook.yaml").write_text(block.text, encoding="utf-8")
        return game
    (game / "rulebook.yaml").write_text(block.base, encoding="utf-8")
    (game / "variants").mkdir()
    for text in (*block.variants, *([block.text] if block.sort == "yaml variant" else [])):
        (game / "variants" / f"{variant_id(text)}.yaml").write_text(text, encoding="utf-8")
    if block.sort == "yaml scenario":
        (game / "scenarios").mkdir()
        (game / "scenarios" / "example.yaml").write_text(block.text, encoding="utf-8")
    elif block.sort != "yaml variant":
        (game / "part.yaml").write_text(part(block), encoding="utf-8")
    return game


def said(found: list[Diagnostic]) -> list[str]:
    return [f"{one.code} {one.message} [{one.span.text if one.span else ''}]" for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("block", [one for one in ALL if one.sort in READ], ids=str)
def test_block(block: Block, tmp_path: Path) -> None:
    game = written(block, tmp_path)
    meant = block.sort == "yaml game" and block.text != LANGUAGE[0].base
    over = [*filter(None, [block.game]), variant_id(block.text)] if block.sort == "yaml variant" else []
    laid = [find_variant(game, id) for id in over]
    found = load_scenarios(game)[1] if block.sort == "yaml scenario" else load(game, laid, meant=meant).messages
    if block.code is not None:
        assert {one.code for one in found} == {block.code}, said(found)
    else:
        assert said(found) == []


@pytest.mark.parametrize("block", [one for one in ALL if one.sort == "yaml scenario"], ids=str)
def test_scenarios_pass(block: Block, tmp_path: Path) -> None:
    if block.code is not None:
        return
    scenarios, _ = load_scenarios(written(block, tmp_path))
    assert scenarios
    for scenario in scenarios:
        result = run(scenario)
        assert [str(one) for one in result.failures] == [], scenario.title
        assert [one.message for one in result.hints] == [], scenario.title


@pytest.mark.slow
@pytest.mark.parametrize("block", [one for one in ALL if one.sort == "yaml game" and not one.wrong], ids=str)
def test_games_can_be_played(block: Block, tmp_path: Path) -> None:
    loaded = load(written(block, tmp_path))
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, said(found)
    for players in sorted({rulebook.players[0], rulebook.players[-1]}):
        summary = simulate(rulebook, players, games=3, seed=players)
        assert summary["games"] == 3 and summary["unfinished"] == 0
    # Who always takes what is offered first may go on for ever, up to a very late end.
    assert simulate(rulebook, rulebook.players[0], games=1, seed=1, bots=("first",))["games"] == 1


def test_the_blocks_are_found() -> None:
    for file, least in FOUND.items():
        assert len([one for one in blocks(file) if one.sort in READ]) >= least, file.name
    for one in ALL:
        legal = READ + UNREAD if one.file in OURS else READ + UNREAD + ELSEWHERE
        assert one.sort in legal, f"{one}: no block is called {one.sort!r}"


def test_the_tutorial_ends_with_a_small_game() -> None:
    games = [one for one in blocks(TUTORIAL) if one.sort == "yaml game" and not one.code]
    assert len([line for line in games[-1].text.split("\n") if line.strip()]) <= 60


@pytest.mark.slow
def test_the_commands_about_variants_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    read = blocks(VARIANTS)
    for folder in ("my_game/variants", "my_game/scenarios"):
        Path(folder).mkdir(parents=True)
    Path("my_game/rulebook.yaml").write_text(read[0].base, "utf-8")
    ran, printed = 0, ""
    for block in read:
        match block.sort:
            case "yaml variant" if not block.wrong:
                Path(f"my_game/variants/{variant_id(block.text)}.yaml").write_text(block.text, "utf-8")
            case "yaml scenario":
                Path("my_game/scenarios/variants.yaml").write_text(block.text, "utf-8")
            case "text":
                assert printed == block.text, str(block)
            case "console":
                for line in block.text.splitlines():
                    word, *words = shlex.split(line)
                    result = CliRunner().invoke(main, words, env={"COLUMNS": "80"})
                    assert (word, result.exit_code) == ("rulebook", 0), f"{block}: {line}\n{result.output}"
                    ran, printed = ran + 1, result.stdout
    assert ran >= 12


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_exist(file: Path) -> None:
    for block in blocks(file):
        if block.sort == "console":
            for word in _COMMAND.findall(block.text):
                assert word in COMMANDS, f"{block}: {word}"


@cache
def list_answers() -> list[tuple[str, list[str]]]:
    """The commands of the page of questions, by the question."""
    rows = re.findall(r"^\| ([^|]+) \|(.*)\|$", HOW_DO_I.read_text("utf-8"), re.MULTILINE)
    return [(asked, shlex.split(line)) for asked, row in rows for line in re.findall(r"`rulebook ([^`]+)`", row)]


def test_commands_that_answer_questions_have_these_options() -> None:
    for asked, words in list_answers():
        command: Any = main
        names = iter(words)
        while isinstance(command, click.Group):
            command = command.get_command(click.Context(command), next(names))
            assert command is not None, asked
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= known, asked


def test_who_plays_against_bots_has_a_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = [words for asked, words in list_answers() if "against" in asked and words[0] == "play"]
    assert len(found) >= 2
    for words in found:
        game = "kuhn_poker" if words[-1].count(",") == 1 else "wrong_party"
        words = [game if word == "GAME" else word for word in words]
        result = CliRunner().invoke(main, [*words, "--seed", "1"], input="q\n" * 3)
        assert "Ana [" in result.output, result.output


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path) -> None:
    if not file.is_file():
        return
    for goal in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
        assert not goal or (file.parent / goal).exists(), goal


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_anchors_lead_somewhere(file: Path) -> None:
    for name, anchor in re.findall(r"\]\(([\w./-]*)#([^)]*)\)", file.read_text(encoding="utf-8")):
        goal = file.parent / name if name else file
        titles = re.findall(r"^#+ (.*)$", goal.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        assert anchor in anchors, f"{name}#{anchor}"


# ── the reference is complete ────────────────────────────────────────────────────────────────────────────────────────


def mentioned() -> set[str]:
    """Every word of the reference that stands in an example, or between backticks."""
    text = REFERENCE.read_text(encoding="utf-8")
    inline = " ".join(re.findall(r"`([^`\n]+)`", _BLOCK.sub("", text)))
    return set(re.findall(r"[A-Za-z_]+", " ".join([inline, *(one.text for one in LANGUAGE if one.sort in READ)])))


def forms(text: str, start: str) -> set[str]:
    """The names of the grammar's rules that a text is made by."""
    used: set[str] = set()
    table = grammar()
    makes = {name: _note(used, name) for name in {rule.name for rule in table.rules}}
    Parser(table, makes, lambda place: None).parse(text, start, Nowhere())
    return used


def forms_of_either(text: str) -> set[str]:
    """The same of a script or an answer."""
    try:
        return forms(text, "script")
    except Unexpected:
        return forms(text, "expression")


class Nowhere:
    """Something to read that is asked for no places."""

    source = None


def _note(used: set[str], name: str) -> Any:
    return lambda *_: used.add(name)


KEYS = {"signature", "parameters", "parameter", "type_name", "type_set", "type_table", "type_range", "signed"}
EXPECTED = {"expectation", "wins", "nobody_wins"}  # the example game has no result; test_scenarios has them


def test_every_form_of_the_grammar_has_an_example() -> None:
    used: set[str] = set()
    for block in LANGUAGE:
        if block.code is None and block.sort == "effect":
            used |= forms(block.text, "script")
        elif block.code is None and block.sort == "expr":
            used |= {form for line in questions(block.text) for form in forms(line, "expression")}
        elif block.code is None and block.sort == "yaml variant":
            hung = [yaml.safe_load(block.text).get(verb, {}) for verb in ("before", "after", "instead of")]
            used |= {form for one in hung for text in one.values() for form in forms_of_either(text)}
        elif block.code is None and block.sort == "yaml scenario":
            lines = [line for one in yaml.safe_load(block.text)["scenarios"].values() for line in one["expect"]]
            used |= {form for line in lines for form in forms(line, "expectation")}
    every = {rule.name for rule in grammar().rules if rule.name}
    expected = every - KEYS - EXPECTED - {"ranking"}
    assert sorted(expected - used) == []


def test_every_verb_is_described() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    code = re.findall(r"`([^`\n]+)`", text) + [line.strip() for one in LANGUAGE for line in one.text.split("\n")]
    begun = {line.split()[0].strip(":") for line in code if line.split()}
    assert sorted(set(VERBS) - begun) == []


@pytest.mark.parametrize("name", sorted(BUILT_INS))
def test_every_built_in_question_has_an_example(name: str) -> None:
    asked = [one.text for one in LANGUAGE if one.sort in ("expr", "effect") and one.code is None]
    assert any(re.search(rf"\b{name}\(", text) for text in asked)
    assert f"`{name}(" in REFERENCE.read_text(encoding="utf-8")


def records() -> list[type]:
    """Everything that may be written in YAML."""
    found = [schema.Option, schema.Place, schema.Kind, schema.Action, schema.Result]
    return [*found, Document, Changing, Places, Memory, Printed]


def test_every_field_is_described() -> None:
    words = mentioned()
    for cl in records():
        fields = {misfits.find_key(cl, one.name).split("(")[0] for one in attrs.fields(cl)} - {"key"}
        assert sorted(fields - words) == [], cl.__name__
    assert sorted({*reading.FIELDS, *reading.HEAD} - words) == []
    assert sorted({word for field in VARIANT for word in field.split()} - words) == []
    assert "by" in words


def test_every_word_is_described() -> None:
    words = mentioned()
    for these in (TYPE_WORDS, KEPT, SEEN_BY, ("first", "random")):
        assert sorted(set(these) - words) == []
    assert sorted({word for one in grammar().words for word in one.split()} - words) == []


def test_every_bot_is_described() -> None:
    """With the number that one has who says none; and from which of them on they may err, and who gives hints."""
    text = (ROOT / "docs" / "bots.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z]+)(?::(\d+))?` \|", text, re.MULTILINE)
    assert rows == [(kind.word, str(kind.budget or "")) for kind in KINDS.values()]
    [first] = re.findall(r"Behind `([a-z]+)`, and any below it in the table, `:epsilon=", text)
    words = list(KINDS)
    assert [word for word in words if KINDS[word].thinks] == words[words.index(first) :]
    assert f"So hints, and whoever plays on for a person who leaves, are `{BEST}`" in text


def test_reserved_words_are_listed() -> None:
    lists = [set(one.text.split()) for one in LANGUAGE if one.sort == "text"]
    assert BANNED in lists


# ── at a glance ──────────────────────────────────────────────────────────────────────────────────────────────────────


def cut_section(title: str) -> str:
    """A section of the reference with all below it."""
    return re.split(rf"^## {title}$", REFERENCE.read_text("utf-8"), flags=re.MULTILINE)[1].split("\n## ")[0]


def read_table(head: str) -> list[str]:
    """The first cells of a table of the glance, by the first cell of its head."""
    rows = cut_section("At a glance").split(f"| {head} |", 1)[1].split("\n\n")[0].split("\n")[2:]
    return [row.replace("\\|", "/").split("|")[1].strip() for row in rows]


def test_the_glance_has_every_section_of_a_rulebook() -> None:
    named = {re.findall(r"`([a-z/_]+)`", cell)[0] for cell in read_table("section")} - {"scenarios/"}
    assert named == {one.name for one in attrs.fields(Document)}


def test_the_glance_has_every_sentence_and_no_other() -> None:
    begun = {one.split()[0].rstrip(":") for cell in read_table("sentence") for one in re.findall(r"`([^`]+)`", cell)}
    assert begun - {"P", "…", "else"} == set(VERBS)


def test_the_glance_has_every_built_in_question_and_no_other() -> None:
    cells = [cell for cell in read_table("question") if re.match(r"`[a-z]+\(", cell)]
    assert {name for cell in cells for name in re.findall(r"`([a-z_]+)\([^`]*\)`", cell) if name != "f"} == set(
        BUILT_INS
    )


@pytest.mark.parametrize("title", re.findall(r"^## (.+)$", REFERENCE.read_text("utf-8"), re.MULTILINE))
def test_the_glance_leads_everywhere(title: str) -> None:
    if title in ("At a glance", "The sections", "The statements", "Messages", "What is not built yet"):
        return  # the first is here; the next two are parts of it; messages have a page of their own
    assert f"(#{re.sub(r'[^a-z0-9 _-]', '', title.lower()).replace(' ', '-')})" in cut_section("At a glance")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_code_exists(file: Path) -> None:
    if file.is_file():
        assert set(_CODE.findall(file.read_text(encoding="utf-8"))) <= set(codes())


def test_the_page_about_tests_names_every_folder_and_file_that_is_there() -> None:
    text = (ROOT / "tests" / "README.md").read_text("utf-8")
    table = text.partition("## ")[0]
    folders = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"]
    assert set(re.findall(r"`(\w+/)`", table)) - {"bench/"} == {f"{folder}/" for folder in folders}
    for file in re.findall(r"`([\w/]+\.(?:py|yaml))`", text):
        places = (ROOT, ROOT / "tests", ROOT / "tests" / "helpers")
        assert any((place / file).is_file() for place in places), file


_TEST = re.compile(r"`((?:tests|bench)/[\w/]+\.py)(?:::(\w+))?`")


def test_every_test_that_security_names_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = _TEST.findall(text)
    # None is written in another way, and so overlooked.
    assert len(named) == len(re.findall(r"(?:tests|bench)/", text)) > 30
    for file, test in named:
        written = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}(" in written if test else "def " in written, (file, test)


DECIDED = re.compile(r"^\| [^|]+ \| `([\w./]+)`(?:: `(\w+)`)? \|$", re.MULTILINE)
"""A row of the table in docs/architecture.md of what is decided where."""


def test_what_is_said_to_be_decided_in_a_file_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Where it is decided")[2]
    rows = DECIDED.findall(text.partition("\n## ")[0])
    assert len(rows) > 30
    for name, function in rows:
        file = ROOT / "rulebook" / (name if "." in name else f"{name}.py")
        # In C and JavaScript a function begins a line, and in C its type stands before it.
        begins = {"c": r"(?:static |SLOW |DOOR )*\w+ \*?", "js": "(?:export )?function "}.get(file.suffix[1:], " *def ")
        assert re.search(rf"(?m)^{begins}{function}\(" if function else ".", file.read_text("utf-8")), (name, function)



def test_every_file_of_the_program_is_named_in_architecture() -> None:
    """Whoever looks for a place finds the name of its file there."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = {part for words in re.findall(r"`([\w/.]+)`", text) for part in re.split(r"[/.]", words)}
    files = [file for end in ("py", "c", "js") for file in (ROOT / "rulebook").rglob(f"*.{end}")]
    assert {file.stem for file in files} - named - {"__init__", "__main__"} == set()


def test_every_guess_is_named_where_it_is_told_what_makes_a_check_fail() -> None:
    named = set(re.findall(r"RB\d+", (ROOT / "docs" / "validate.md").read_text("utf-8")))
    assert {code for code in codes() if template(code).confidence == "guess"} <= named


STAGE = re.compile(r"^\| [a-z ]+ \| `(\w+)/`: (.+?) \| [^|]*\|$", re.MULTILINE)
"""A row of the table in docs/architecture.md of the stages of `dsl`: a folder, and the modules in it."""


def test_every_module_of_a_stage_is_named_in_its_row() -> None:
    rows = dict(STAGE.findall((ROOT / "docs" / "architecture.md").read_text("utf-8")))
    folder = ROOT / "rulebook" / "dsl"
    assert set(rows) == {path.parent.name for path in folder.glob("*/*.py")}
    for stage, row in rows.items():
        named, elsewhere = set(re.findall(r"`(\w+)`", row)), {path.stem for path in folder.rglob("*.py")}
        modules = {path.stem for path in (folder / stage).glob("*.py")} - {"__init__"}
        assert modules <= named, (stage, modules - named)
        # What is no module is the name of something in one.
        texts = "".join(path.read_text("utf-8") for path in (folder / stage).glob("*.py"))
        assert all(re.search(rf"\b{name}\b", texts) for name in named - elsewhere), (stage, named - elsewhere)


COUNTED = re.compile(r"\b(?:the|[Aa]ll|has) (\d+|(?:[a-z]+ty)[a-z-]*) (messages|codes|commands|bots)\b")
REGISTERED = {"messages": codes(), "codes": codes(), "commands": COMMANDS, "bots": KINDS}


def test_whatever_documents_count_is_so_many() -> None:
    texts = [file.read_text("utf-8") for file in (*FILES, ROOT / "CHANGELOG.md") if file.is_file()]
    counts = [found for text in texts for found in COUNTED.findall(text)]
    assert counts, "the changelog counts the messages"
    assert counts == [(str(len(REGISTERED[what])), what) for _, what in counts]


def test_the_readme_has_a_row_for_every_command() -> None:
    assert set(COMMANDS) <= set(re.findall(r"rulebook ([a-z]+)", (ROOT / "README.md").read_text("utf-8")))
