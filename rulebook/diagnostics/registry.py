"""The sentences of every code, kept as data: `codes/RBnnn.toml`, each read when first needed. A file holds

    title       a few words for lists of codes
    severity    error, warning or tip
    confidence  certain, likely or guess
    message     what is wrong, with `{name}` where a value goes (`{{` and `}}` are braces)
    help        what to do about it; may be empty
    values      the names used in message and help, no more and no fewer
    means       what the message says, for somebody who reads about it for the first time
    why         why it is not simply let pass
    bad         [[bad]] tables: examples that give this code, once at each place between `«` and `»`, and no other
    good        [[good]] tables: the same put right, which gives no message at all

An example is one of these, and the first three stand in the small game of `market.yaml`:

    yaml        a file of the game
    script      the script of a rule that a player runs, `me`
    value       the script that works out an answer about a player
    turn        the same as a script, in the game of `fair.yaml`, where everything has its use
    game        a whole rulebook of its own, below `format`, `name` and `players`
    play        the same, and some random games of it are played
    often       the same, played so often that it shows what says nothing
    variant     a variant of the small game, without the lines that all variants begin with, if it is called `example`
                (and a second one, `other`, below a line `# another variant:`)
    files       no YAML, but the names of the files of a game, one a line

`turn`, `game`, `play` and `often` are also asked for what they say for nothing.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal, TypeAlias, cast, get_args

from rulebook.classes import frozen

Severity: TypeAlias = Literal["error", "warning", "tip"]
Confidence: TypeAlias = Literal["certain", "likely", "guess"]
ExampleKind: TypeAlias = Literal[
    "yaml", "script", "value", "turn", "game", "play", "often", "variant", "files", "scenarios"
]  # fmt: skip

_CODES = Path(__file__).parent / "codes"
_VOWELS = ("a", "e", "i", "o")  # before which `a` is `an`; of u nobody knows
_LONGEST_VALUE = 160  # a value is a name or a few words; more than two lines of a terminal helps nobody
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@frozen
class Example:
    """A piece of source, without its marks; `kind` says where it stands.

    `places` are the start and end of each mark, offsets into `text`: there the code must be reported.
    """

    kind: ExampleKind
    text: str
    places: tuple[tuple[int, int], ...] = ()


@frozen
class Template:
    """The sentences of one code."""

    code: str
    title: str
    severity: Severity
    confidence: Confidence
    message: str
    help: str
    values: tuple[str, ...]
    means: str
    why: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]

    def fill(self, sentence: str, values: Mapping[str, object]) -> str:
        """The sentence with its placeholders replaced. Raises TypeError if one of them has no value."""
        out: list[str] = []
        for literal, name, _, _ in Formatter().parse(sentence):
            out.append(literal)
            if name is None:
                continue
            if name not in values:
                raise TypeError(f"{self.code} needs a value for {{{name}}}")
            value = show_value(str(values[name]))
            if value[:1].lower() in _VOWELS and out[-1].endswith((" a `", " A `")):
                out[-1] = f"{out[-1][:-2]}n `"
            out.append(value)
        return "".join(out)


def show_value(value: str) -> str:
    """A value as a message shows it: one line, nothing invisible, not too long."""
    if len(value) > _LONGEST_VALUE:
        value = value[: _LONGEST_VALUE - 1] + "…"
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), value)


@cache
def codes() -> tuple[str, ...]:
    """Every code there is, in order."""
    return tuple(sorted(path.stem for path in _CODES.glob("RB*.toml")))


@cache
def template(code: str) -> Template:
    """The sentences of a code. Raises LookupError if there is no such code."""
    # Where nothing is said, nothing of it is needed.
    import tomllib

    try:
        data = tomllib.loads((_CODES / f"{code}.toml").read_text("utf-8"))
    except FileNotFoundError:
        raise LookupError(f"there is no code {code}") from None
    return Template(
        code=code,
        title=_read_text(data, code, "title"),
        severity=cast(Severity, _read_one_of(data, code, "severity", get_args(Severity))),
        confidence=cast(Confidence, _read_one_of(data, code, "confidence", get_args(Confidence))),
        message=_read_text(data, code, "message"),
        help=_read_text(data, code, "help"),
        values=tuple(str(name) for name in data["values"]),
        means=_read_text(data, code, "means"),
        why=_read_text(data, code, "why"),
        bad=tuple(_read_example(code, table) for table in data["bad"]),
        good=tuple(_read_example(code, table) for table in data["good"]),
    )


def unmarked(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its marks, and where they stood, in order. Marks may stand inside one another.

    Raises ValueError if a mark has no other half.
    """
    plain = ""
    places: list[tuple[int, int]] = []
    opened: list[int] = []
    for letter in text:
        if letter == "«":
            opened.append(len(plain))
        elif letter == "»":
            if not opened:
                raise ValueError(f"a mark is closed but never opened in {text!r}")
            places.append((opened.pop(), len(plain)))
        else:
            plain += letter
    if opened:
        raise ValueError(f"a mark is never closed in {text!r}")
    return plain, tuple(sorted(places))


def _read_text(data: Mapping[str, object], code: str, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise LookupError(f"{code}: `{key}` must be text")
    return value


def _read_one_of(data: Mapping[str, object], code: str, key: str, legal: tuple[str, ...]) -> str:
    value = _read_text(data, code, key)
    if value not in legal:
        raise LookupError(f"{code}: `{key}` must be one of {', '.join(legal)}")
    return value


def _read_example(code: str, table: Mapping[str, object]) -> Example:
    if len(table) == 1:
        ((kind, text),) = table.items()
        if kind in get_args(ExampleKind) and isinstance(text, str):
            return Example(cast(ExampleKind, kind), *unmarked(text))
    raise LookupError(f"{code}: an example is one of {', '.join(get_args(ExampleKind))}, and a text")
