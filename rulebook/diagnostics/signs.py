"""Signs and lines that other programs leave in a file: named, with the nearest that a rulebook knows.

In: the place of a message. Out: what stands there that no rulebook has, in words, and an edit that puts it right. A
sign is known by its Unicode name, category and decomposition, so no list of them is needed; only letters that look like
others, and signs of mathematics that are words here, are listed.

```effect
if gold ≥ 3:      # `≥` (greater-than or equal to): write `>=`
draw 1 frоm deck to me.hand     # `о` (Cyrillic small letter o): write `o`
```
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from rulebook.classes import frozen
from rulebook.source import Span

_LOOK_ALIKE = dict(
    zip(
        "авекмнорстухіјѕԁԛԝҽАВЕКМНОРСТУХІЈЅαβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡⅼ",
        "abekmhopctyxijsdqweABEKMHOPCTYXIJSabeikvoptuxwABEZHIKMNOPTYXigl",
        strict=True,
    )
)
"""Letters that look like those of scripts."""
_WORDS = {
    **dict.fromkeys("≤⩽≦", "<="), **dict.fromkeys("≥⩾≧", ">="), **dict.fromkeys("≠≢", "is not"), "≡": "is",
    **dict.fromkeys("×✕✖⨯·∙⋅∗", "*"), **dict.fromkeys("÷∕", "/"), "∧": "and", "∨": "or", "¬": "not", "∈": "in",
    "∉": "not in", **dict.fromkeys("→⇒➔➜⟶", ":"), **dict.fromkeys("‘’‚‛“”„‟«»‹›「」『』＂", '"'),
}  # fmt: skip
"""Signs, and the words or signs of scripts that mean the same."""
_NAMED = (
    (r"\b(?:DASH|HYPHEN|MINUS|BULLET|HORIZONTAL)\b", "-"), (r"\b(?:APOSTROPHE|PRIME)\b", "'"),
    (r"\bSEMICOLON\b", ";"), (r"\bCOLON\b", ":"), (r"\bCOMMA\b", ","), (r"\bFULL STOP\b", "."),
)  # fmt: skip
"""The nearest sign of the keyboard, by a word in the Unicode name of another."""
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_ELLIPSIS = "…⋯⋮"


@frozen
class Oddity:
    """Something that no rulebook has, where a message points: what to do, and the edits that do it, if they are known.

    `title` says it as an instruction.
    """

    help: str
    title: str
    edits: tuple[tuple[Span, str], ...]


@cache
def find_nearest(sign: str) -> str | None:
    """Return what a rulebook writes instead of a sign: nothing, for one that cannot be seen; None if nobody knows."""
    if sign in _ELLIPSIS:
        return None
    known = _WORDS.get(sign) or _LOOK_ALIKE.get(sign)
    if known is not None:
        return known
    category, name = unicodedata.category(sign), unicodedata.name(sign, "")
    if category in ("Cf", "Cc", "Mn"):
        return ""
    if category == "Zs":
        return " "
    for form in ("NFKC", "NFKD") if category != "No" else ():
        plain = "".join(letter for letter in unicodedata.normalize(form, sign) if not unicodedata.combining(letter))
        if plain.isascii() and plain.strip():
            return plain
    return next((near for pattern, near in _NAMED if re.search(pattern, name)), None)


def name_sign(sign: str) -> str:
    """Name a sign for people: `` `–` (en dash) ``, or “an invisible sign (zero width space)”."""
    name = unicodedata.name(sign, f"U+{ord(sign):04X}").lower()
    for script in ("cyrillic", "greek", "latin"):
        name = name.replace(script, script.capitalize())
    if find_nearest(sign) == " ":
        return f"a space that is not an ordinary one ({name})"
    if sign.isalpha() and sign not in _LOOK_ALIKE and not unicodedata.normalize("NFKC", sign).isascii():
        return f"`{sign}`"
    return f"an invisible sign ({name})" if find_nearest(sign) == "" else f"`{sign}` ({name})"


def advise(sign: str) -> str:
    """Say what to write instead of a sign."""
    near = find_nearest(sign)
    if sign in _ELLIPSIS:
        return "If something was left out here, write it, or make it a remark: `# …`."
    if sign.isalpha() or near is None:
        letters = "Names are written with the letters a to z, digits and `_`."
        return f"{letters} Write `{near}` instead." if near else letters
    if near == "":
        return "Delete it. It came along when the text was copied from elsewhere."
    if near == " ":
        return "Only a space of the keyboard parts words: type it again."
    return 'A text stands in straight quotes, like `"this"`.' if near == '"' else f"Write `{near}` instead."


# ── lines ────────────────────────────────────────────────────────────────────────────────────────

_COLON = "Behind a key stands `:` and a space."
_REMARK = "Write what was left out, or make it a remark: `# …`."


@frozen
class _Form:
    """A line that other programs or habits make: the group `odd` of its pattern, what that is, what to do, and what
    stands there instead, if it is known; `only` in messages about the form of a line, or also about scripts.
    """

    pattern: re.Pattern[str]
    name: str
    help: str
    instead: str | None
    only: bool


def _form(pattern: str, name: str, help: str, instead: str | None = None, only: bool = False) -> _Form:
    return _Form(re.compile(pattern), name, help, instead, only)


_FORMS = (
    _form(r"^\s*(?P<odd>(?:`{3,}|~{3})\w*)\s*$", "the fence of a code block", "Leave this line out.", ""),
    _form(
        r"^\s*(?P<odd>([-=*_~─━═—–#])\2{3,})\s*$", "a ruler",
        "A line that is only for the eye is a remark: write `# ` before it.", r"# \g<odd>",
    ),
    _form(r"^\s*(?P<odd>\[?\(?(?:\.{3,}|…)\)?\]?)\s*$", "dots for something left out", _REMARK, r"# \g<odd>"),
    _form(
        r":\s+(?P<odd>#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|SPILL!))", "an error of a spreadsheet",
        "Write the value itself.",
    ),
    _form(r":\s+(?P<odd>=[-+A-Z(0-9].*?)\s*$", "a formula of a spreadsheet", "Write what it comes to."),
    _form(r"(?:^|[{,])\s*[\w.]+(?:\([^()]*\))?(?P<odd> *(?:→|⇒|->|=>) *)\S", "an arrow", _COLON, ": "),
    _form(r"(?:^|[{,])\s*[\w.]+(?P<odd> *\t+ *)\S", "a tab", _COLON, ": "),
    _form(
        r"^(?P<odd>(?:<{7}|>{7}|={7}|\|{7})(?: .*)?)$", "a mark of a conflict between two versions",
        "Keep the one version of the lines between these marks, and delete the other and the marks.",
    ),
    _form(r"^(?P<odd>[-+])\s{2,}\S", "a sign of a comparison of two versions (a diff)", "Delete it.", " "),
    _form(
        r"^\s*(?P<odd>\d+ *[|:.)]?)\s+\w+.*[^|]$", "a number of a line or of a list",
        "Lines have no numbers: delete it.", only=True,
    ),
    _form(r"(?P<odd><!--.*?(?:-->|$))", "a remark of a web page", "A remark begins with `#`, and ends with its line."),
    _form(r"^\s*(?P<odd>//+|/\*|--)(?=\s)", "how a remark begins in other languages", "Here it begins with `#`.", "#"),
    _form(
        r"(?P<odd>&(?:nbsp|gt|lt|amp|quot|#\d+);)", "how a web page writes a sign (an HTML entity)",
        "Write the sign itself: `>` for `&gt;`, `<` for `&lt;`, `&` for `&amp;`, a space for `&nbsp;`.",
    ),
    _form(
        r"(?P<odd>\[[^\]\n]+\]\(\w+://[^)]*\)|<\w+://[^>]*>)", "a link, which a program made of a name",
        "Write the name alone, as plain text.",
    ),
    _form(
        r"(?P<odd>â€.|Ã.|Â(?=\s|\u00a0))", "a sign of a text that was opened in a wrong encoding",
        "Write the sign itself.",
    ),
    _form(
        r"[}\]](?P<odd>,)\s*$", "a comma behind an entry, as in JSON", "Lines of a map end without one: delete it.", "",
        only=True,
    ),
    _form(r"^\s*[\w.]+(?P<odd>:{2,})(?=\s|$)", "one `:` too many", _COLON, ":", only=True),
    _form(r"^\s*[\w.]+(?P<odd> *:= *)\S", "no `:`", _COLON, ": ", only=True),
    _form(
        r"^\s*(?P<odd>-)(?=[^\W\d])", "no sign of a list without a space", "Write `- ` before an item of a list.", "- ",
        only=True,
    ),
    _form(r"[{,]\s*[\w.]+(?P<odd>:)[^\W\d]", "no `:` with a space", _COLON, ": ", only=True),
    _form(r"^\s*[\w.]+(?P<odd> *= *)[^\s=]", "no `:`", _COLON, ": ", only=True),
    _form(r"^\s*[\w.]+(?P<odd>:)[\w\"'{\[]", "no `:` with a space", _COLON, ": ", only=True),
)  # fmt: skip


_LONGEST_LINE = 2_000
"""The letters of a line that is looked at; no person writes longer ones, and a hostile file has one that is endless."""
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|#.*')
_ON_THE_LINE = frozenset({"RB101", "RB110", "RB111", "RB112"})
"""Codes of what is wrong with the form of a line, wherever on it they point."""
CODES = _ON_THE_LINE | {"RB102", "RB106", "RB115", "RB204", "RB201", "RB202", "RB203", "RB301", "RB303"}
"""Codes behind which a sign of elsewhere may stand."""


def find_oddity(code: str, span: Span) -> Oddity | None:
    """Find what stands on the line of a message, or in the place that it points at, and in no rulebook."""
    file, number = span.file, span.line
    if code in _ON_THE_LINE and not file.has_lines:
        return None
    line, begin = file.line(number), file.offset(number, 1)
    if len(line) > _LONGEST_LINE:
        return None
    for form in _FORMS:
        match = form.pattern.search(line)
        if match and (code in _ON_THE_LINE or (not form.only and match.end("odd") > span.start - begin)):
            where = Span(file, begin + match.start("odd"), begin + match.end("odd"))
            replaced = () if form.instead is None else ((where, match.expand(form.instead)),)
            shown = match["odd"].strip()
            return Oddity(f"{f'`{shown}`' if shown else 'This'} is {form.name}. {form.help}", form.help, replaced)
    low, high = span.start - begin, span.end - begin
    if code in _ON_THE_LINE:
        low, high = 0, len(line)
    elif code.startswith("RB2"):
        high = len(line)
    signs = list(_FOREIGN.finditer(_hide_quoted(line), max(low, 0), min(max(high, low + 1), len(line))))
    if code in _ON_THE_LINE:
        signs = [match for match in signs if not match[0].isalpha() or unicodedata.name(match[0], "")[:5] != "LATIN"]
    if not signs:
        return None
    near = [find_nearest(match[0]) for match in signs]
    places = [Span(file, begin + match.start(), begin + match.end()) for match in signs]
    first, edits = signs[0][0], tuple(zip(places, [sign for sign in near if sign is not None], strict=False))
    if len(edits) < len(places) or '"' in near:  # a quote of YAML may stand around it
        edits = ()
    advice = advise(first)  # of a sentence the message itself names what was found
    return Oddity(advice if code == "RB201" else f"Here stands {name_sign(first)}. {advice}", advice, edits)


def _hide_quoted(line: str) -> str:
    """The line with blanks instead of texts in quotes and remarks."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), line)
