"""The language on one sheet, for assistants that help to write games: `AGENTS.md` beside a new game.

In: what the program knows of its language: the schema, the grammar, the questions that are built in, the messages.
Out: Markdown of some 2,000 words. Never: says of the language what does not stand there; written by hand is only what
to do, in `start/agents.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rulebook.authoring.schema import DEFINITIONS, Json, make_schema
from rulebook.diagnostics.registry import codes, template
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.parsing.grammar import grammar_text
from rulebook.dsl.parsing.parser import OTHER_WORDS
from rulebook.dsl.world import BUILT_IN_NAMES, TYPE_WORDS
from rulebook.library import SCENARIOS

SHEET = "AGENTS.md"
"""The name of the sheet beside a game."""
_START = Path(__file__).parent / "start"
_ENTRIES = (
    ("rulebook_file", "The sections of a game"),
    ("option", "An entry of `options`"),
    ("kind", "Of `kinds`"),
    ("place", "Of `places: {table: …, player: …}`"),
    ("memory", "Of `memory: {table: …, player: …}`: a value to start with, a type, or"),
    ("card", "Of `cards`, beside the attributes of its kind"),
    ("action", "Of `actions`"),
    ("result", "The `result`"),
    ("scenario", f"Of `scenarios` in a file in `{SCENARIOS}/`"),
)
_LEVELS = (
    "expr", "single", "ternary", "filtered", "of", "list_level", "filter_level", "or_level", "and_level", "not_level",
    "test_level", "range_level", "sum", "product", "unary", "primary", "atom",
)  # fmt: skip
"""The levels of values in the grammar, the loosest first."""
_WORDS = {
    **dict.fromkeys(_LEVELS, "VALUE"), "statement": "SENTENCE", "group": "VALUE", "simple": "SENTENCE",
    "block": "SENTENCE", "best": "KEYS", "best_key": "[most | least] VALUE", "STRING": '"text"',
    "INT": "number", "NAME": "name", "MAY": "may", "ALWAYS": "always", "SECRETLY": "secretly", "PUBLICLY": "publicly",
    "asked_how": "(in turn | together)", "arguments": "VALUE, …", "otherwise": "ELSE", "destination": "PLACE",
}  # fmt: skip
"""The names of symbols of the grammar on the sheet."""
_SENTENCES = (
    "simple", "block", "leave", "asking", "each_asks", "choice", "names", "count", "destination", "otherwise",
    "else_body", "menu", "menu_option", "body",
)  # fmt: skip
_LIKELY = ("RB3", "RB6")
"""The first letters of codes of messages about names and secrets."""
_LAYOUT = re.compile(r"_(?:NEWLINE|INDENT|DEDENT)\b ?")
_RULE = re.compile(r"^[?!]*_*(\w+): *(.*(?:\n +\|.*)*)", re.MULTILINE)


def write_primer() -> str:
    """Write the sheet."""
    return "\n".join(
        [
            (_START / "agents.md").read_text("utf-8"),
            *_tell_files(),
            *_tell_scripts(),
            *_tell_questions(),
            *_tell_messages(),
        ]
    )


def _tell_files() -> Iterator[str]:
    definitions = make_schema(None)[DEFINITIONS.strip("#/")]
    for name, title in _ENTRIES:
        shape = definitions.get(name) or definitions["rulebook_file"]["properties"][name]
        record = next(record for record in (shape, *shape.get("anyOf", ())) if "properties" in record)
        keys = {**record["properties"], **{_name_pattern(key): of for key, of in _list_patterns(record)}}
        yield f"## {title}\n"
        for key, of in keys.items():
            yield f"- `{key}`{' (needed)' if key in record.get('required', ()) else ''}: {_describe(of)}"
        yield ""
    types = ", ".join(f"`{word}`" for word in TYPE_WORDS)
    yield f"Types: {types}, a range `1..9`, a kind, a list of words, `set of …`, `number by …`.\n"


def _list_patterns(record: Json) -> Iterator[tuple[str, Json]]:
    return ((key, of) for key, of in record.get("patternProperties", {}).items() if "description" in of)


def _name_pattern(pattern: str) -> str:
    return re.sub(r"\W", "", pattern)


def _describe(shape: Json) -> str:
    """Tell what a key is for, and which words it may have."""
    choice = next((one for one in (shape, *shape.get("anyOf", ())) if "enumDescriptions" in one), None)
    if choice is None:
        return str(shape["description"])
    words = zip(choice["enum"], choice["enumDescriptions"], strict=True)
    return f"{shape['description']} {'; '.join(f'`{word}` {about}' for word, about in words)}."


def _tell_scripts() -> Iterator[str]:
    rules = dict(_RULE.findall(grammar_text()))
    for title, names in (("Sentences of scripts", _SENTENCES), ("Values", (*_LEVELS, "best"))):
        yield f"## {title}\n\n```text"
        for symbol, group in groupby(names, lambda name: _WORDS.get(name, name.upper())):
            forms = dict.fromkeys(form for name in group for form in _list_forms(rules, name) if form != symbol)
            yield from (f"{f'{symbol}:' if number == 0 else '':<9} {form}" for number, form in enumerate(forms))
        yield "```\n"
    others = {ours: [theirs for theirs, same in OTHER_WORDS.items() if same == ours] for ours in OTHER_WORDS.values()}
    words = (f"`{ours}` is called {', '.join(theirs)}" for ours, theirs in others.items())
    yield f"Elsewhere {'; '.join(words)}. None of these words begins a sentence.\n"


def _list_forms(rules: dict[str, str], name: str) -> Iterator[str]:
    """List the alternatives of a rule of the grammar as they are written in scripts."""

    def write_symbol(symbol: re.Match[str]) -> str:
        if not symbol[3] or symbol[3] in _WORDS:
            return symbol[1] or _WORDS.get(symbol[3] or "", symbol[0])
        words = re.findall(r'"(\S+)"|\|', rules.get(symbol[3], "x"))
        is_plain = set(re.findall(r"\w+", rules.get(symbol[3], "x"))) <= set(words)
        if not is_plain:
            return symbol[3].upper()
        return f"({' | '.join(filter(None, words))})" if len(words) > 1 else words[0]

    for line in rules[name].splitlines():
        form = _LAYOUT.sub("", re.sub(r"^ *\| *| *->.*$", "", line))
        form = re.sub(r'"([a-z]+)"|("[^"]+")|\b_*([A-Za-z]\w*)', write_symbol, form)
        if form.strip():
            yield re.sub(r"\((\w+) \| *\)", r"[\1]", form.strip()).replace(" )", ")")


def _tell_questions() -> Iterator[str]:
    yield "## Questions that are built in\n"
    yield from (f"- `{name}`: {built_in.about}" for name, built_in in BUILT_INS.items())
    names = ", ".join(f"`{name}`" for name in sorted(BUILT_IN_NAMES))
    yield f"\nNames that are always there: {names}, and `it` in a `where`.\n"


def _tell_messages() -> Iterator[str]:
    yield "## Messages on names and secrets\n"
    titles = ((code, template(code).title) for code in codes() if code.startswith(_LIKELY))
    yield "; ".join(f"{code} {title[0].lower()}{title[1:]}" for code, title in titles) + ".\n"
