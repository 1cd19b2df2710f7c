"""Slips of form: signs and lines that other programs leave in a game when it is typed, pasted or converted there.

In: the text of a file of a game and a random source. Out: the text with one slip, its line, and what the message about
it must name. Each operator is a function of the text; it gives None where the text has nothing for it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from attrs import frozen

from rulebook.diagnostics import Diagnostic


@frozen
class FormSlip:
    """A text with one slip in it: where, by what operator, and of the words in `said` one must be in the message."""

    operator: str
    text: str
    line: int
    said: tuple[str, ...]


Operator = Callable[[str, random.Random], "tuple[str, int, tuple[str, ...]] | None"]
OPERATORS: dict[str, Operator] = {}

SCRIPT_LINE = re.compile(
    r"^ +(?:- )?(?:if|each|move|draw|choose|set|add|let|do|say|return|repeat|stage|win|deal|shuffle)\b.*$"
    r"|^ +\w+(?:\([^)]*\))?: (?:move|draw|do|add|set|return|count|sum|if)\b.*$",
    re.MULTILINE,
)

ENTRY = re.compile(r"( +)\w+: *\S")


def operator(make: Operator) -> Operator:
    OPERATORS[make.__name__] = make
    return make


def _comment(text: str, at: int) -> bool:
    begin = text.rfind("\n", 0, at) + 1
    return "#" in text[begin:at]


def _replace(text: str, chance: random.Random, pattern: str, new: str, group: int = 0) -> tuple[str, int] | None:
    """Put something else in the place of one match of a pattern."""
    matches = [match for match in re.finditer(pattern, text, re.MULTILINE) if not _comment(text, match.start())]
    if not matches:
        return None
    match = chance.choice(matches)
    start, end = match.span(group)
    return text[:start] + match.expand(new) + text[end:], text.count("\n", 0, start) + 1


def _in_script(text: str, chance: random.Random, pattern: str, new: str) -> tuple[str, int] | None:
    """The same on a line of a script, outside texts in quotes."""
    spots = []
    for line in SCRIPT_LINE.finditer(text):
        quoted = [match.span() for match in re.finditer(r'"[^"]*"', line[0])]
        for match in re.finditer(pattern, line[0]):
            if not any(low <= match.start() < high for low, high in quoted) and "#" not in line[0][: match.start()]:
                spots.append((line.start() + match.start(), line.start() + match.end(), match))
    if not spots:
        return None
    start, end, match = chance.choice(spots)
    return text[:start] + match.expand(new) + text[end:], text.count("\n", 0, start) + 1


def _signs(
    name: str, pattern: str, new: tuple[str, ...], said: tuple[str, ...], script: bool = True
) -> tuple[str, Operator]:
    def make(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
        put = (_in_script if script else _replace)(text, chance, pattern, chance.choice(new))
        return put and (*put, said)

    return name, make


OPERATORS |= [
    _signs("dash in a sum", r" - |(?<= )-(?=\d)", (" – ", " − ", " — "), ("`-`",)),
    _signs(
        "dash of a list item", r"^( +)- (?=\w)",
        (r"\1– ", r"\1— ", r"\1• ", r"\1· "), ("`-`", "`- `"), script=False,
    ),
    _signs("sign of comparison", r"<=", ("≤", "⩽"), ("`<=`",)),
    _signs("other sign of comparison", r">=", ("≥",), ("`>=`",)),
    _signs("not equal", r"\bis not\b", ("≠",), ("`is not`",)),
    _signs("times", r" \* ", (" × ", " · ", " ✕ "), ("`*`",)),
    _signs("no-break space", r"(?<=\w) (?=\w)", ("\u00a0", "\u202f", "\u3000"), ("space",)),
    _signs("no-break space in YAML", r"^( +)(?=\w+:)", ("\u00a0" * 2 + r"\1",), ("space",), script=False),
    _signs(
        "zero-width space", r"(?<=\w\w)(?=\w\w)",
        ("\u200b", "\u200c", "\u2060", "\u00ad"), ("invisible", "zero width", "soft hyphen"),
    ),
    _signs(
        "zero-width space in a key", r"^( +\w\w)(?=\w+:)",
        (r"\1" + "\u200b", r"\1" + "\ufeff"), ("invisible", "zero width"), script=False,
    ),
    _signs("letter of another alphabet", r"(?<=\w)[aeo](?=\w)", ("а", "е", "о"), ("cyrillic", "Cyrillic")),
    _signs(
        "letter of another alphabet in a key", r"(?<=^  )([a-z]\w+)(?=:)",
        ("с" + r"\1",), ("cyrillic", "Cyrillic"), script=False,
    ),
    _signs("wide colon", r"(?<=\w): (?=\S)", ("：", "： "), ("`:`",), script=False),
    _signs("wide brackets", r"\((\w*)\)", (r"（\1）",), ("`(`",)),
    _signs("wide comma", r", ", ("，", "、"), ("`,`",)),
    _signs("backticks", r"\b(count\(\w+\)|\w+\.\w+)", (r"`\1`",), ("`", "without")),
    _signs("single quotes", r"(?<=say )\"([^\"]*)\"", ("‘\\1’", "“\\1”", "„\\1“"), ("straight", "`\""), script=False),
    _signs("curly quotes in YAML", r"(?<=: )\"([^\"\n]*)\"$", ("“\\1”",), ("straight", "quotes"), script=False),
    _signs(
        "thousands", r"\b([1-9])(\d\d)0\b",
        (r"\1,\g<2>0", r"\1.\g<2>0", r"\1'\g<2>0"), ("digits", "number", "without"),
    ),
    _signs("number with a point", r"(?<=[a-z] )([1-9])(?= )", (r"\1.0", r"\1,0"), ("whole number", "digits", "number")),
    _signs("arrow", r"(?<=\w): (?=\S)", (" → ", " -> ", " => "), ("`:`",), script=False),
    _signs("equals for a colon", r"^( +\w+): (?=[\w\"])", (r"\1 = ", r"\1="), ("`:`",), script=False),
    _signs("no space behind a colon", r"^( +\w+): (?=[\w\"])", (r"\1:",), ("space",), script=False),
    _signs(
        "capital of a corrector", r"(?<=^    )(move|draw|if|each|set|add|do|say)\b",
        ("CAPITAL",), ("small letter", "did you mean"),
    ),
    _signs(
        "error of a spreadsheet", r"(?<=: )\d+$",
        ("#REF!", "#N/A", "#NAME?", "#VALUE!"), ("spreadsheet", "#"), script=False,
    ),
    _signs(
        "formula of a spreadsheet", r"(?<=: )\d+$",
        ("=SUM(A1:A3)", "=B2*2", "=+3"), ("spreadsheet", "formula"), script=False,
    ),
    _signs("quotes of a spreadsheet", r"(?<=: )\"([^\"\n]*)\"$", ('""\\1""', '"""\\1"""'), ("quote",), script=False),
    _signs("tab between cells", r"(?<=\w): (?=\S)", ("\t",), ("tab", "`:`"), script=False),
    _signs("semicolon", r"(?<=[\w)])$", (";", "."), ("full stop", "line")),
    _signs("something left out", r"(?<=[\w)])$", (" …", " ..."), ("left out", "dots")),
]  # fmt: skip


@operator
def code_fence(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    if chance.random() < 0.5:
        return "```yaml\n" + text + "```\n", 1, ("fence", "```")
    lines = text.splitlines(keepends=True)
    return text + "```\n", len(lines) + 1, ("fence", "```")


def _insert_line(text: str, chance: random.Random, new: Callable[[str], str], pattern: str) -> tuple[str, int] | None:
    lines = text.splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if number > 3 and re.match(pattern, line)]
    if not places:
        return None
    at = chance.choice(places)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at, new(indent) + "\n")
    return "".join(lines), at + 1


@operator
def ruler(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    sign = chance.choice("-=*_~─")
    put = _insert_line(text, chance, lambda indent: sign * chance.randint(4, 40), r"^\w")
    return put and (*put, ("ruler", "line of", "`#`"))


@operator
def dots_on_a_line(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    put = _insert_line(text, chance, lambda indent: indent + chance.choice(("...", "…", "[...]", "(…)")), r"^ +\w")
    return put and (*put, ("left out", "dots"))


@operator
def comment_at_column_1(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    lines = text.splitlines(keepends=True)
    places = [
        number
        for number in range(1, len(lines))
        if SCRIPT_LINE.match(lines[number]) and SCRIPT_LINE.match(lines[number - 1]) and ": " not in lines[number - 1]
    ]
    if not places:
        return None
    at = chance.choice(places)
    lines.insert(at, "# the rest as before\n")
    return "".join(lines), at + 1, ("#", "comment", "deeper", "indent")


@operator
def wrapped_line(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    spots = [match for match in SCRIPT_LINE.finditer(text) if len(match[0]) > 40 and not set('"#') & set(match[0])]
    if not spots:
        return None
    line = chance.choice(spots)
    blanks = [match.start() for match in re.finditer(r"(?<=\w) (?=\w)", line[0]) if match.start() > 15]
    if not blanks:
        return None
    at, indent = chance.choice(blanks), len(line[0]) - len(line[0].lstrip())
    new = line[0][:at] + "\n" + " " * chance.choice((indent, indent, 0)) + line[0][at + 1 :]
    number = text.count("\n", 0, line.start()) + 1
    return text[: line.start()] + new + text[line.end() :], number, ("wrapped", "goes on", "one line", "line above")


@operator
def item_a_column_off(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    lines = text.splitlines(keepends=True)
    places = [n for n in range(1, len(lines)) if re.match(r" +- ", lines[n]) and re.match(r" +- ", lines[n - 1])]
    if not places:
        return None
    at = chance.choice(places)
    lines[at] = " " + lines[at] if chance.random() < 0.5 else lines[at][1:]
    return "".join(lines), at + 1, ("column", "indent", "line up")


@operator
def key_a_column_off(text: str, chance: random.Random) -> tuple[str, int, tuple[str, ...]] | None:
    lines = text.splitlines(keepends=True)
    places = [
        n for n in range(1, len(lines))
        if (here := ENTRY.match(lines[n])) and (above := ENTRY.match(lines[n - 1])) and here[1] == above[1]
    ]  # fmt: skip
    if not places:
        return None
    at = chance.choice(places)
    lines[at] = " " + lines[at] if chance.random() < 0.5 else lines[at][1:]
    return "".join(lines), at + 1, ("column", "indent", "line up")


def draw_slips(texts: dict[str, str], number: int, seed: int | str) -> Iterator[tuple[str, FormSlip]]:
    """Draw slips for files by name, each operator as often as the next."""
    chance = random.Random(f"form {seed}")
    names, files = sorted(OPERATORS), sorted(texts)
    made = tries = 0
    while made < number and tries < number * 50:
        tries += 1
        name, file = names[made % len(names)] if tries % 7 else chance.choice(names), chance.choice(files)
        put = OPERATORS[name](texts[file], chance)
        if put is None:
            continue
        text, line, said = put
        text = text.replace("CAPITAL", "Move")
        if text != texts[file]:
            made += 1
            yield file, FormSlip(name, text, line, said)


def judge(slip: FormSlip, messages: list[Diagnostic]) -> str:
    """Say how well a slip is told: `mended`, `placed` on its line or one beside it, `elsewhere`, or `silent`."""
    near = [message for message in messages if message.span and abs(message.span.line - slip.line) <= 1]
    words = " ".join(
        f"{message.message} {message.help} {message.fix.title if message.fix else ''}" for message in near
    ).lower()
    if any(word.lower() in words for word in slip.said):
        return "mended"
    return "placed" if near else "elsewhere" if messages else "silent"
