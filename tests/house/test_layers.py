"""The shape of the program: who imports whom, and that it knows no game.

All of it is read from the sources; nothing is imported to find out.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from paths import ROOT

from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.structuring.declarations import BANNED, list_declared
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.world import BUILT_IN_NAMES, TYPE_WORDS
from rulebook.library import find_games

PACKAGE = ROOT / "rulebook"
FILES = sorted(PACKAGE.rglob("*.py"))
GRAMMAR = PACKAGE / "dsl" / "parsing" / "effects.lark"


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@cache
def imports(module: str, *, for_types: bool = True) -> frozenset[str]:
    """Every module that one imports, also inside functions; of `from package import module`, the module."""
    found: set[str] = set()
    for node in ast.walk(tree_of(MODULES[module])) if for_types else _running(tree_of(MODULES[module])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            assert node.module is not None
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in MODULES else node.module for one in named}
    return frozenset(found)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a file without those that only type checkers look at."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from _running(node)


def importers(of: str) -> set[str]:
    """The modules that import something, or a part of it."""
    return {module for module in MODULES if any(_within(one, of) for one in imports(module))}


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


# Layers


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 50
    assert {"rulebook", "rulebook.dsl.checking.checker", "rulebook.interpreter.machine"} <= set(MODULES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "above", ["english", "interpreter", "playtest", "table", "commands", "cli", "loading", "authoring"]
)
def test_the_compiler_knows_nobody_above_it(above: str) -> None:
    assert {one for one in importers(f"rulebook.{above}") if _within(one, "rulebook.dsl")} == set()


def test_english_knows_only_the_compiler() -> None:
    seen = {one for module in MODULES if _within(module, "rulebook.english") for one in imports(module)}
    assert seen, "somebody must tell scripts in English"
    allowed = ("rulebook.classes", "rulebook.dsl", "rulebook.english", "rulebook.plurals")
    assert {one for one in seen if _within(one, "rulebook") and not one.startswith(allowed)} == set()


GROUND = (
    "rulebook.classes", "rulebook.diagnostics", "rulebook.plurals", "rulebook.printing", "rulebook.source",
    "rulebook.widths",
)  # fmt: skip


@pytest.mark.parametrize("package", GROUND)
def test_the_ground_knows_nobody(package: str) -> None:
    for module in MODULES:
        if _within(module, package):
            ours = {one for one in imports(module) if _within(one, "rulebook")}
            assert {one for one in ours if not any(_within(one, ground) for ground in GROUND)} == set(), module


def test_only_what_lowers_sees_the_compiler() -> None:
    seers = {one for one in importers("rulebook.dsl") if _within(one, "rulebook.interpreter")}
    assert {one for one in seers if one.split(".")[2] not in ("lower", "lowering")} == set()
    assert seers, "somebody must turn the IR into programs"


def test_only_who_asks_for_it_sees_the_core() -> None:
    seers = {one for one in importers("rulebook.interpreter.core") if _within(one, "rulebook.interpreter")}
    assert {one.split(".")[2] for one in seers} <= {"core"}


@pytest.mark.parametrize("above", ["playtest", "table", "commands", "cli", "authoring"])
def test_the_interpreter_knows_nobody_above_it(above: str) -> None:
    assert {one for one in importers(f"rulebook.{above}") if _within(one, "rulebook.interpreter")} == set()


def test_only_commands_know_what_helps_in_editors() -> None:
    assert importers("rulebook.authoring"), "somebody must write schemas and new files"
    above = {one for one in importers("rulebook.authoring") if not _within(one, "rulebook.authoring")}
    assert {one for one in above if not _within(one, "rulebook.commands")} == set()
    seen = {one for module in MODULES if _within(module, "rulebook.authoring") for one in imports(module)}
    beside = ("rulebook.commands", "rulebook.table", "rulebook.reports", "rulebook.validation")
    assert {one for one in seen if any(_within(one, other) for other in beside)} == set()


def test_nobody_imports_the_command_line() -> None:
    # `python -m rulebook` is the command line.
    assert importers("rulebook.cli") - {"rulebook.__main__"} == set()


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("yaml", ("rulebook.dsl.reading.reader", "rulebook.dsl.reading.yaml_errors")),
        ("lark", ("rulebook.dsl.parsing.generator",)),
        ("click", ("rulebook.cli", "rulebook.commands", "rulebook.table")),
        ("rich", ("rulebook.table.renderer",)),
        ("reportlab", ("rulebook.printed",)),
        ("pypdfium2", ("rulebook.printed.images",)),
        ("PIL", ("rulebook.printed.pieces",)),
        (
            "cattrs",
            (
                "rulebook.dsl.structuring.structure",
                "rulebook.dsl.structuring.misfits",
                "rulebook.playtest.series.store", "rulebook.reporting.writing",
            ),
        ),
    ],
)
def test_a_library_has_its_place(library: str, allowed: tuple[str, ...]) -> None:
    users = importers(library)
    assert users, f"nobody imports {library}"
    assert {one for one in users if not any(_within(one, place) for place in allowed)} == set()


@pytest.mark.slow
def test_no_import_goes_round_in_a_circle() -> None:
    done: set[str] = set()
    for start in MODULES:
        _visit(start, [], done)


def _visit(module: str, path: list[str], done: set[str]) -> None:
    assert module not in path, " -> ".join([*path[path.index(module) :], module])
    if module in done:
        return
    for one in sorted(imports(module, for_types=False)):
        if one in MODULES:
            _visit(one, [*path, module], done)
    done.add(module)


def folders() -> list[str]:
    """Every package that holds others."""
    packages = {module_of(file) for file in FILES if file.stem == "__init__"}
    return sorted({one.rpartition(".")[0] for one in packages if "." in one})


@pytest.mark.parametrize("package", folders())
def test_no_two_folders_import_each_other(package: str) -> None:
    def beside(module: str) -> str | None:
        """The folder of a module among those that the package holds."""
        rest = module.removeprefix(package + ".") if _within(module, package) else ""
        first = rest.partition(".")[0]
        return first if (MODULES[package].parent / first).is_dir() and first else None

    arrows = {(beside(one), beside(other)) for one in MODULES for other in imports(one) if other in MODULES}
    both = {(one, other) for one, other in arrows if one and other and one < other and (other, one) in arrows}
    assert both == set()


# Files


def test_no_file_is_called_after_what_it_is_not() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "tools"}
    assert {file for file in FILES if vague & set(file.stem.split("_"))} == set()


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each docstring with its sort; that of an attribute or a constant stands in the line below it."""
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef():
                yield ("module" if isinstance(node, ast.Module) else "class"), ast.get_docstring(node) or ""
                for before, after in pairwise(node.body):
                    match before, after:
                        case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(text))):
                            yield "attribute", text
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield "function", ast.get_docstring(node) or ""


@pytest.mark.slow
@pytest.mark.parametrize("sort", ["module", "class", "attribute", "function"])
def test_a_docstring_is_no_riddle(sort: str) -> None:
    """It says what a thing is, or what is done, and not which question it would answer."""
    asks = re.compile(r"(What|Whether|How|Where|Who|Whose|Whom|Of|Which|When|Why|As|Whoever|Whatever|So many)\b")
    written = [text for file in FILES for of, text in docstrings(tree_of(file)) if of == sort and text]
    asking = [text for text in written if asks.match(text)]
    assert len(written) > 300
    assert len(asking) <= 0.05 * len(written), (
        "a thing is named by a noun (`The most games`, `An information set`), a function by its verb (`Return …`, "
        "`Tell whether …`, `Find …`)"
    )


@pytest.mark.slow
def test_a_name_means_one_thing() -> None:
    """A word for several things is found by no search; a method that many classes share is one thing."""
    homes: defaultdict[str, set[Path]] = defaultdict(set)
    for file in FILES:
        for one in ast.walk(tree_of(file)):
            if isinstance(one, ast.FunctionDef) and not re.match(
                r"_*(visit|on|check|print|lower|emit|render)_|__", one.name
            ):
                homes[one.name.strip("_")].add(file)
    vague = {name for name, files in homes.items() if len(files) > 10}
    assert vague <= {"report"}, "name a function by its verb and what it makes"


def test_a_name_says_what_it_holds() -> None:
    """A reader has to look up what `one`, `found` or `told` mean; a card is a `card`, messages are `messages`."""
    vague = {"one", "ones", "found", "made", "told", "given", "said", "asked", "several", "those", "them"}
    names = Counter(word for file in FILES for node in ast.walk(tree_of(file)) for word in _words(node))
    assert names.total() > 100_000
    assert sum(names[word] for word in vague) < names.total() / 100


def test_the_program_does_not_grow() -> None:
    """Whoever adds lines takes others away, or says here why there must be more, such as courses of games, games in
    which something is never chosen, games beside their twins, answers for several levels of play and of skill by both
    rules, figures that say what is seen in them, what editors ask, what a card says wherever it is named, what no
    scenario notices, what all were shown or told until a card moves unseen, choices that are always asked, what becomes
    so and brings something about, players who win as teams, values that are shown, tables by word,
    cards that are thrown in, lists without gaps, lists of which nothing is asked, answers that are kept,
    lines of a variant that messages elsewhere point to, small games that are solved, search and games of
    bots in the core, what a card looks like, cards that are printed, values that are searched for an aim, cards
    from spreadsheets, games as a table of data, a table
    that is begun, programs that learn and search by numbers, verdicts in a sentence, and the
    language on one sheet, records that share methods, images that are kept, points on a sheet,
    games that are written out with their variants, arguments that are checked at the door, piles that are put in
    order before anything reads it, words of pages by name, sums that come to nothing, decks that lie open, cards taken
    where all look, secrets of rules that run each other in a ring, verdicts that planted games have shown false,
    counts of games in the core, which also plays those of players who learned, pages that say what happened, to
    whom, and wait until it is read, tables that go on to another game, at which people talk,
    what good players hardly use or choose nearly always, what guessing at a question costs, what comes of habits,
    several who learned apart, how games end and in a word how they are, how many rounds and turns they have,
    files with a line that is not where it was meant, bounds in words, deeds in vain,
    what one other value makes of what stands out, and what comes out whatever a mistake meant.
    """
    files = [file for end in ("py", "c", "h", "lark") for file in PACKAGE.rglob(f"*.{end}")]
    assert sum(file.read_text("utf-8").count("\n") for file in files) < 109_600


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_file_says_what_it_is_for(file: Path) -> None:
    assert ast.get_docstring(tree_of(file)), "a module begins with what comes in, what goes out, what it never does"


def test_only_one_command_needs_the_extra_web() -> None:
    ours = {module for module in MODULES if _within(module, "rulebook.web")}
    serve = "rulebook.commands.serve"
    assert importers("rulebook.web") - ours == {serve}
    for library in ("segno", "starlette", "uvicorn", "websockets"):
        assert importers(library) <= {*ours, serve}, library


# Games: a new card, action or whole game is YAML only, so no name of a game may stand in the program


def words_of_the_language() -> set[str]:
    """Every word that a rulebook may hold without declaring it."""
    grammar = set(re.findall(r'"([a-z_]+)"', GRAMMAR.read_text("utf-8")))
    fields: set[str] = set()
    for name in ("schema", "structuring/forms"):
        for node in ast.walk(tree_of(PACKAGE / "dsl" / f"{name}.py")):
            if isinstance(node, ast.ClassDef):
                fields |= {
                    line.target.id
                    for line in node.body
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
                }
    kept = {"bag", "pile", "row", "loose", "slot", "pool", "grid"}
    seen = {"nobody", "owner", "everyone", "top", "always", "with_face", "face_up", "face_down", "by", "is"}
    others = {BOX, "steps", "conditions"}
    return {*grammar, *fields, *BUILT_INS, *BANNED, *TYPE_WORDS, *BUILT_IN_NAMES, *kept, *seen, *others}


def words_of_the_games() -> dict[str, str]:
    """Every name that a bundled game declares, and which game."""
    found: dict[str, str] = {}
    for folder in find_games():
        merged, _, _ = read_folder(folder)
        assert merged is not None
        for one in list_declared(merged):
            for part in one.name.split("."):
                found.setdefault(part, folder.name)
    return found


@cache
def words_of_the_program() -> dict[str, set[str]]:
    """Every whole text and every name in the sources, and the files they stand in. Texts stand in quotes here."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            for word in _words(node):
                found.setdefault(word, set()).add(file.relative_to(ROOT).as_posix())
    return found


def _words(node: ast.AST) -> list[str]:
    match node:
        case ast.Constant(str(text)):
            return [f'"{text}"']
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
    return []


COMMAND = "a command of the command line, or one of its words"
OTHER_LANGUAGES = "a word that people try for a verb, and are told the verb that is meant"
TEXTS = {
    '"steal"': "a verb that texts of cards use, which is compared with what their scripts do",
    '"game"': "the rule in which every game begins, and the field of a journal that names the game",
    '"games"': "a field of what a simulation counted",
    '"play"': COMMAND,
    '"rounds"': "what a table counts, and says at the end",
    '"worth"': "a field of what a simulation measured",
    '"base"': "the rules as they are, against which others are compared, and a field of what a comparison found",
    '"played"': "a field of what is counted of a card",
    '"points"': "what players score, in a comparison and in what was counted",
    '"covered"': "the event of cards that were turned face down",
    '"playing"': "an operand of the op that goes round: whether who is out is passed over",
    '"put"': OTHER_LANGUAGES,
    '"take"': OTHER_LANGUAGES,
    '"flip"': OTHER_LANGUAGES,
    '"value"': "what messages call an entry of `values:`, and a field of ops and events",
    '"ties"': "games with several winners or none, in a comparison and in what was counted",
    '"note"': "a style of the terminal",
    '"height"': "a side of a picture",
    '"tile"': "what is cut out of paper",
    '"token"': "what is cut out of paper",
    '"children"': "a plural that is not made with an s",
    '"die"': "what the log calls a thing that was rolled and that it knows nothing else of",
}
"""Whole texts of the program that a game happens to use as a name, and what they are there."""

NAMES = frozenset(
    {
        "actor",
        "aside",
        "base",
        "children",
        "claim",
        "count_up",
        "covered",
        "die",
        "family",
        "game",
        "games",
        "height",
        "ids",
        "item",
        "lead",
        "server",
        "stake",
    }
    | {"inspect", "limit", "marks", "note", "notes", "play", "played", "playing", "plural", "points", "put", "quantity"}
    | {"let_in", "passes", "rounds", "stakes", "stays", "taken", "token", "types", "value", "verdict", "worth"}
)
"""Names of Python's own variables, attributes and functions that a game happens to use too. They name what they are in
the program (a value, a token of the lexer, a module of Python), and what a rulebook says can never reach them: nothing
looks one up."""


@pytest.mark.slow
def test_the_program_knows_no_game() -> None:
    ours, language, words = words_of_the_program(), words_of_the_language(), words_of_the_games()
    assert len(words) > 100
    shared = {
        word: sorted(ours[word])
        for declared_name in words
        if declared_name not in language
        for word in (declared_name, f'"{declared_name}"')
        if word in ours
    }
    assert {word: files for word, files in shared.items() if word not in NAMES and word not in TEXTS} == {}


@pytest.mark.slow
def test_what_is_excused_is_still_there() -> None:
    words = words_of_the_games()
    used = set(words_of_the_program())
    assert {word for word in NAMES | set(TEXTS) if word not in used or word.strip('"') not in words} == set()


@pytest.mark.slow
def test_nothing_runs_text() -> None:
    # Else what a rulebook says could become a part of the program.
    for file in FILES:
        calls = [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.Call)]
        named = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
        assert not named & {"eval", "exec", "compile", "__import__"}, file


def test_the_grammar_knows_no_game() -> None:
    strings = set(re.findall(r'"([a-z_ ]+)"', GRAMMAR.read_text("utf-8")))
    verbs_as_names = {word for word in words_of_the_games() if word in strings}
    # An action may be called like a verb; nothing else of a game is a word of the grammar.
    assert {word for word in verbs_as_names if word in BANNED} == set()
