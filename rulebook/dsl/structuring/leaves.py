"""The values at the ends of a rulebook's maps: whole numbers, yes and no, texts, types, one of a few words.

What does not fit is raised as a `Misfit`, because only the maps around it know what the value is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Edit, Fix, diagnose, did_you_mean, nearest
from rulebook.dsl import types as t
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Sequence, find_layers, is_nothing, kind_of
from rulebook.dsl.schema import Changes, TypeName
from rulebook.dsl.settling.laying_out import LONGEST_SIDE
from rulebook.dsl.structuring.declarations import BANNED, check_word
from rulebook.dsl.structuring.misfits import Misfit, Misfits
from rulebook.source import Span

_Read = TypeVar("_Read")

_DIGITS = 15  # as in scripts
NUMBER = re.compile(r"-?[0-9]+")
RANGE = re.compile(r"(-?[0-9]+) ?\.\. ?(-?[0-9]+)")
_ALMOST_RANGE = re.compile(r"(-?[0-9]+) *(?:-|–|—|−|…|:|\.{1,4}|to|bis|through) *(-?[0-9]+)")
_VALUE = re.compile(r"-?[0-9]+( ?[A-Za-z][A-Za-z0-9_]*)?|yes|no")
TYPE = re.compile(r"(set of )?[a-z][a-z0-9_]*")
TABLE = re.compile(r"(.+?) +by +([a-z][a-z0-9_]*)")
_ASKED = re.compile(r"options\.\w+|[a-z]\w*\(.*\)")
NO_VALUE = ("none", "nothing", "empty")
FORMAT = 1
MOST_PLAYERS = 12
_MOST_CHOICES = 1000
_LONGEST_QUOTE = 40


def is_value(node: Node) -> bool:
    """Tell whether this is a value to start with, and no type: `0`, `500 CU`, `no`."""
    return isinstance(node, Scalar) and node.style == "plain" and _VALUE.fullmatch(node.text) is not None


def quoted(node: Node) -> str:
    """Quote a node as a message mentions it."""
    if not isinstance(node, Scalar):
        return kind_of(node) if node else kind_of(node).replace("a ", "an empty ")
    if isinstance(node, Layered):
        return f"a script hung `{node.place}` it"
    if is_nothing(node):
        return "nothing"
    line, *more = node.text.split("\n")
    if any(more):
        return "a text of several lines"
    return f"`{line}`" if len(line) <= _LONGEST_QUOTE else f"`{line[:_LONGEST_QUOTE]}…`"


def unlike(node: Node, wanted: str, help: str | None = None) -> Misfit:
    """Make the misfit of a node where something else is wanted."""
    return Misfit("RB112", None if is_nothing(node) else node.span, help, wanted=wanted, got=quoted(node))


def unlike_range(node: Node, wanted: str) -> Misfit:
    """Make the misfit of a node where a range may stand: with two dots, if it is one written otherwise."""
    inner = node[0] if isinstance(node, Sequence) and len(node) == 1 else node
    ends = _find_ends(inner.text) if isinstance(inner, Scalar) else None
    if ends is None:
        return unlike(node, wanted)
    text = f"{ends[0]}..{ends[1]}"
    help = f"Write `{text}`."
    fix = Fix(help, (Edit(node.span, text),), safe=True)
    return Misfit("RB112", node.span, help, fix, wanted=wanted, got=f"`{node.span.text}`")


def _find_ends(text: str) -> tuple[str, str] | None:
    """Find the two ends of what can only be a range, the smaller one first: `1-6`, `1 to 6`."""
    match = _ALMOST_RANGE.fullmatch(text)
    return None if match is None or int(match[1]) >= int(match[2]) else (match[1], match[2])


def impossible(node: Scalar, wanted: str, help: str | None = None) -> Misfit:
    """Make the misfit of a value that is of the right kind, but not possible."""
    return Misfit("RB411", node.span, help, value=node.text, wanted=wanted)


def read_scalar(node: Node, wanted: str = "text") -> Scalar:
    """Read any text that is there; no script that was hung on it."""
    if not isinstance(node, Scalar) or is_nothing(node):
        raise unlike(node, wanted)
    if isinstance(node, Layered):
        raise unlike(node, wanted, "`before`, `after` and `instead of` hang on a rule, a value, an action or a hook.")
    return node


def read_script(node: Node, key: str) -> Scalar:
    """Read the text of a script, and of those it hangs on. Without its `|`, a line that ends with `:` makes a map of
    it.
    """
    for layer in find_layers(node):
        if isinstance(layer, Mapping):
            raise unlike(layer, "a script", without_bar(key))
        if not isinstance(layer, Scalar) or is_nothing(layer):
            raise unlike(layer, "a script")
    assert isinstance(node, Scalar)
    return node


def folded(script: Scalar, where: str) -> Diagnostic:
    """Make the message about a script behind `>`."""
    sign = Span(script.span.file, script.span.start, script.span.start + 1)
    fix = Fix("Write `|` instead of `>`.", (Edit(sign, "|"),), safe=True)
    return diagnose("RB107", script.span, where=where, fix=fix)


def without_bar(key: str) -> str:
    """Return advice about a script of several lines that YAML has read as something else."""
    return f"A script of several lines stands below a `|`: write `{key}: |`."


def read_text(node: Node) -> str:
    """Read words for people, numbers included; the line break at the end of a block is not part of them."""
    return read_scalar(node).text.rstrip("\n")


def read_number(node: Node, least: int | None = None) -> int:
    """Read digits without quotes."""
    what = "a whole number" + ("" if least is None else f", at least {least}")
    leaf = read_scalar(node, what)
    if leaf.style != "plain" or not NUMBER.fullmatch(leaf.text):
        raise unlike(leaf, what)
    return _read_whole(leaf, leaf.text, what, least)


def _read_whole(leaf: Scalar, digits: str, what: str, least: int | None = None) -> int:
    if len(digits) > _DIGITS:
        raise impossible(leaf, f"a whole number of at most {_DIGITS} digits")
    if least is not None and int(digits) < least:
        raise impossible(leaf, what)
    return int(digits)


def read_yes_no(node: Node) -> bool:
    """Read `yes` or `no` without quotes."""
    leaf = read_scalar(node, "`yes` or `no`")
    if leaf.style != "plain" or leaf.text not in ("yes", "no"):
        raise unlike(leaf, "`yes` or `no`", _nearest(leaf.text, ("yes", "no")))
    return leaf.text == "yes"


_FIGURES = re.compile(r"[-+]?[0-9][0-9.,'\u00a0\u202f ]*%?")
_MONEY = re.compile(r"[$€£¥]\s*[-+]?[0-9][0-9.,']*|[-+]?[0-9][0-9.,'\u00a0\u202f ]*[$€£¥]")
_DATE = re.compile(r"[0-9]{1,4}([-/])[0-9]{1,2}\1[0-9]{1,4}|[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})?")
_DASHES = ("-", "–", "—", "−")
_NO_FRACTION = re.compile(r"([-+]?[0-9]+)[.,]0{1,2}")


def read_sheet_cell(leaf: Scalar, wanted: t.Type) -> tuple[Scalar, str]:
    """Read a cell where a number, or yes or no, is wanted, as spreadsheets write them: `2,00`, `TRUE`.

    Fractions, money and what could mean two things are refused, with what to do.
    """
    plain, text = t.surely(wanted), leaf.text
    if plain == t.YES_NO and text.lower() in ("true", "false"):
        return evolve(leaf, text="yes" if text.lower() == "true" else "no"), ""
    if plain not in (t.NUMBER, t.AMOUNT) or NUMBER.fullmatch(text):
        return leaf, ""
    if _MONEY.fullmatch(text):
        return leaf, "There are no signs of money here. Format the column as a plain number."
    if text in _DASHES:
        return leaf, "A dash is no number: write 0, or empty the cell."
    if _DATE.fullmatch(text):
        return leaf, "It is a date, made of what looks like `1-2`. Format the column as text and type it again."
    if not _FIGURES.fullmatch(text):
        return leaf, ""
    if whole := _NO_FRACTION.fullmatch(text):
        span = Span(leaf.span.file, leaf.span.start, leaf.span.start + len(whole[1]))
        return Scalar(whole[1].removeprefix("+"), "plain", span), ""
    if text.endswith("%"):
        return leaf, "There are no per cents here. Format the column as a plain number, and write 50 for 50 %."
    if re.fullmatch(r"[-+]?[0-9]{1,3}(?:[.,' \u00a0\u202f][0-9]{3})+", text):
        return leaf, "It could be thousands or a fraction. Format the column without a sign between thousands."
    return leaf, "Numbers are whole here. Count in smaller units: 25 tenths for 2.5."


_SEATS = "a number, a range like `2..7`, or a list like `[2, 4]`"


def read_seats(node: Node) -> tuple[int, ...]:
    """Read how many can play, a range or a list of numbers and ranges: all numbers in order."""
    numbers: list[int] = []
    for leaf in node if isinstance(node, Sequence) else (node,):
        scalar = read_scalar(leaf, _SEATS)
        single = NUMBER.fullmatch(scalar.text) is not None
        low, high = (_read_whole(scalar, scalar.text, _SEATS),) * 2 if single else _read_range(scalar, _SEATS)
        if not 1 <= low <= high <= MOST_PLAYERS:
            raise impossible(scalar, f"within 1..{MOST_PLAYERS}, the smaller number first")
        if numbers and low <= numbers[-1]:
            raise impossible(scalar, "more than the number before it")
        numbers += range(low, high + 1)
    if not numbers:
        raise unlike(node, _SEATS)
    return tuple(numbers)


def _read_range(leaf: Scalar, what: str) -> tuple[int, int]:
    match = RANGE.fullmatch(leaf.text)
    if match is None:
        if NUMBER.fullmatch(leaf.text):
            raise unlike(leaf, what, f"Write `{leaf.text}..{leaf.text}`.")
        raise unlike_range(leaf, what)
    return _read_whole(leaf, match[1], what), _read_whole(leaf, match[2], what)


def make_word_reader(*legal: str) -> Callable[[Node], Scalar]:
    """Make a reader of one word of a few."""
    names = [f"`{word}`" for word in legal]
    what = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]

    def read_word(node: Node) -> Scalar:
        leaf = read_scalar(node, what)
        if leaf.text not in legal:
            raise impossible(leaf, what, _nearest(leaf.text, legal))
        return leaf

    return read_word


def _nearest(word: str, legal: Iterable[str]) -> str | None:
    """Suggest a name that is near; those that there are stand in the message already."""
    help = did_you_mean(word, legal)
    return help if help.startswith("Did") else None


def read_language_version(node: Node) -> int:
    """Read the version of the language: `format: 1`."""
    if read_number(node) != FORMAT:
        raise impossible(read_scalar(node), f"{FORMAT}, the one version of the language there is")
    return FORMAT


def read_anything(node: Node) -> Node:
    """Read any value that is there; only its type says more."""
    if is_nothing(node):
        raise unlike(node, "a value")
    return node


def read_size(node: Node) -> Sequence:
    """Read the size of a grid: `[3, 3]`, two expressions."""
    wanted = "the numbers of rows and columns, `[3, 3]`"
    if not isinstance(node, Sequence) or len(node) != 2:
        raise unlike(node, wanted)
    _read_all(node, lambda item: _check_length(read_scalar(item, wanted)))
    return node


def _check_length(leaf: Scalar) -> None:
    """Check a side of a grid; what is reckoned is no number yet."""
    if NUMBER.fullmatch(leaf.text) and not 1 <= _read_whole(leaf, leaf.text, "") <= LONGEST_SIDE:
        raise impossible(leaf, f"a number from 1 to {LONGEST_SIDE}")


def read_body(node: Node) -> Scalar | Mapping:
    """Read one line, a script, or several lines with names; with all that it hangs on."""
    for layer in find_layers(node):
        if isinstance(layer, Mapping):
            _check_named_lines(layer)
        elif not isinstance(layer, Scalar) or is_nothing(layer):
            raise unlike(layer, "an expression, a script, or named lines")
    assert not isinstance(node, Sequence)
    return node


def _check_named_lines(node: Mapping) -> None:
    for name, line in node.items():
        if not isinstance(line, Scalar) or isinstance(line, Layered) or is_nothing(line):
            what = f"The line `{name}`"
            raise Misfit("RB112", node.keys_at[name].span, what=what, wanted="an expression", got=quoted(line))


def read_names(node: Node) -> tuple[Scalar, ...]:
    """Read a name, or a list of names."""
    if isinstance(node, Sequence) and node:
        return _read_all(node, lambda item: read_scalar(item, "a name"))
    return (read_scalar(node, "a name or a list of names"),)


def read_changes(node: Node) -> Changes:
    """Read names of attributes: one, a list, or a map from each to `{lasts: STAGE}` (or to nothing)."""
    if not isinstance(node, Mapping):
        return Changes(read_names(node))
    lasts = {}
    for name, detail in node.items():
        if isinstance(detail, Mapping) and list(detail) == ["lasts"]:
            lasts[name] = read_scalar(detail["lasts"], "the name of a stage")
        elif not is_nothing(detail):
            wanted = "`{lasts: STAGE}`, or nothing"
            raise Misfit("RB112", detail.span, what=f"`{name}`", wanted=wanted, got=quoted(detail))
    return Changes(tuple(node.keys_at[name] for name in node), lasts)


def make_switched_reader(read: Callable[[Node], object]) -> Callable[[Node], Node]:
    """Make a reader of a leaf, or of `{by: options.x, …}` with one for every choice; the node itself is kept."""

    def check_leaf(node: Node) -> Node:
        if not isinstance(node, Mapping):
            read(node)
            return node
        if "by" not in node:
            what = "a value, or a map with `by: options.…`"
            raise Misfit("RB112", node.span, wanted=what, got="a map without `by`")
        read_scalar(node["by"], "the name of an option, `options.…`")
        _read_all([value for name, value in node.items() if name != "by"], read)
        return node

    return check_leaf


def refuse_worked_out(node: Node) -> None:
    """Refuse a start that an option or a value would give: what is remembered starts before these are asked."""
    if isinstance(node, Scalar) and _ASKED.fullmatch(node.text) is not None:
        raise unlike(node, "a type, or a value as it stands", advise_on_start(node.text))


def advise_on_start(text: str) -> str:
    """Say how something starts as what is only worked out."""
    source = f"the house rule `{text[8:]}`" if text.startswith("options.") else "what is worked out"
    return f"A start cannot come from {source}. Set it at the beginning of the rule `game`: `set … = {text}`."


def read_type_name(node: Node, *, of_option: bool = False) -> TypeName:
    """Read the name of a type: `amount`, `set of topic`, `1..9`, `[a, b, none]`, `number by good`."""
    what = "a type: `number`, `amount`, `yes_no`, `1..9`, `[a, b]`, a kind, or the name of a list in `words:`"
    if isinstance(node, Sequence):
        if len(node) == 1 and isinstance(node[0], Scalar) and _find_ends(node[0].text):
            raise unlike_range(node, what)
        if not node:
            raise Misfit("RB112", node.span, wanted="a list of choices", got="an empty list")
        seen: dict[str, Scalar] = {}
        banned = BANNED - {"any", "all"} if of_option else BANNED
        return TypeName(node.span, choices=_read_all(node, lambda item: _read_choice(item, banned, seen)))
    leaf = read_scalar(node, what)
    if (table := TABLE.fullmatch(leaf.text)) is not None:
        if of_option:
            raise unlike(leaf, what, "House rules are single values: give each entry an option of its own.")
        inner = Scalar(table[1], leaf.style, leaf.span)
        return evolve(read_type_name(inner, of_option=of_option), by=table[2])
    if RANGE.fullmatch(leaf.text):
        low, high = _read_range(leaf, what)
        if low > high:
            raise impossible(leaf, "a range, the smaller number first")
        if of_option and high - low >= _MOST_CHOICES:
            raise impossible(leaf, f"a range of at most {_MOST_CHOICES} numbers")
        return TypeName(leaf.span, low=low, high=high)
    if leaf.text in NO_VALUE:
        raise unlike(leaf, what, "Write the type that it will have: it then starts as nothing.")
    if not TYPE.fullmatch(leaf.text):
        words = leaf.text.split()
        is_set = len(words) == 3 and nearest(" ".join(words[:2]), ["set of"])
        if not is_set:
            raise unlike_range(leaf, what)
        raise unlike(leaf, what, f"Did you mean `set of {words[2]}`?")
    return TypeName(leaf.span, words=leaf.text)


def _read_choice(node: Node, banned: frozenset[str], seen: dict[str, Scalar]) -> int | bool | str | None:
    leaf = read_scalar(node, "a word, a whole number, `yes`, `no` or `none`")
    if seen.setdefault(leaf.text, leaf) is not leaf:
        raise Misfit("RB113", leaf.span, "Remove one of them.", name=leaf.text)
    if leaf.style == "plain":
        if leaf.text in ("yes", "no", "none"):
            return {"yes": True, "no": False, "none": None}[leaf.text]
        if NUMBER.fullmatch(leaf.text):
            return _read_whole(leaf, leaf.text, "")
    wrong = check_word(leaf, banned)
    if wrong is not None:
        raise Misfit(wrong.code, wrong.span, wrong.help, name=leaf.text)
    return leaf.text


def _read_all(nodes: Iterable[Node], read: Callable[[Node], _Read]) -> tuple[_Read, ...]:
    """Read every node; what does not fit is raised at the end, all of it."""
    good: list[_Read] = []
    bad: list[Exception] = []
    for node in nodes:
        try:
            good.append(read(node))
        except (Misfit, Misfits) as misfit:
            bad.append(misfit)
    if bad:
        raise Misfits("values that do not fit", bad)
    return tuple(good)
