"""Scripts, expressions and keys, parsed, with the table that `grammar` gives.

After a mistake the rest of the script is still read, sentence by sentence: one run shows them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from typing import TYPE_CHECKING, Any

from attrs import evolve, fields

from rulebook.diagnostics import Advice, Diagnostic, near, perhaps, signs
from rulebook.dsl import syntax
from rulebook.dsl.document import At, Scalar
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import END, Unexpected
from rulebook.dsl.parsing.lexer import QUOTED, WORD, LayoutError, Sentence, Token, has_block, sentence_at, sentence_end
from rulebook.dsl.parsing.rereading import MOST_MISTAKES, Mistake, Reread, reread
from rulebook.dsl.parsing.trees import Builder, parser
from rulebook.source import SourceFile, Span

if TYPE_CHECKING:
    from rulebook.dsl.parsing.idioms import Reworded

_LONGEST = 16_384
_DEEPEST = 128  # levels of the tree, about 32 brackets and blocks; far below what later passes can bear
_LONGEST_QUOTE = 40  # of the script, in a message

VERBS = (
    "add", "always", "arrange", "choose", "deal", "do", "draw", "each", "eliminate", "end", "if", "let", "loop", "may",
    "move", "offer", "original", "pass", "pick", "repeat", "return", "reveal", "roll", "say", "set", "show", "shuffle",
    "skip", "stage", "stop", "swap", "tell", "turn", "win",
)  # fmt: skip

# What people write first who know other languages or the words on cards, and what it is called here.
OTHER_WORDS = {
    "for": "each x in …:", "foreach": "each x in …:", "while": "loop:", "until": "loop:", "when": "if …:",
    "elif": "else if …:", "elsif": "else if …:", "var": "let x = …", "print": "say", "call": "do", "run": "do",
    "ask": "choose", "flip": "turn", "gain": "add … to …", "break": "stop", "continue": "skip",
    **dict.fromkeys(("discard", "give", "pay", "place", "play", "put", "take"), "move … to …"),
}  # fmt: skip

# What may follow any finished value. It is true, but no help, to hear of these where `to` is missing.
_AFTER_VALUES = ("and", "or", "is", "in", "not", "if", "for", "of", "where", "with", "sorted", "then")
_LETTERS = {
    "!": "For `!=` write `is not`.", "&": "Write `and`.", "|": "Write `or`.", ";": "Begin a new line.",
    **dict.fromkeys("{}", "`{…}` stands only inside a text in quotes."),
    **dict.fromkeys("'`", 'A text stands in straight quotes, like `"this"`.'),
}  # fmt: skip

# The builder's problems: what was expected, and what to do.
_FAULTS = {
    "leave": ("a question", "To let players pass, write `may choose … else stop` (or `skip`, or `return`)."),
    "escape": ("a quote or another `\\` after `\\`", "A `\\` that is meant is written `\\\\`."),
    "open": ("a `}` for this `{`", "A value stands in `{…}`. A brace that is meant is written `{{`."),
    "close": ("a `{` before it", "A value stands in `{…}`. A brace that is meant is written `}}`."),
}
_PLAIN_ENGLISH = re.compile(r"[A-Z][a-z]*(?: +[\w,'’]+){3,}[.!?]? *")
_NO_PLAIN_ENGLISH = (
    "This reads like a sentence on a card, which goes into `text:`. A line of a script starts with what is done, "
    "like `move given to me.hand`, or with `if`."
)
_BECOMES_SO = re.compile(r"(?:whenever|as +soon +as)\b", re.IGNORECASE)
_WHENEVER = (
    "What happens as soon as something becomes so stands in a section of its own, `whenever:`, under the name of a "
    "value that says when: `is_rich(p): …`."
)
_FIRST = "A sentence starts with what is done: `move`, `draw`, `choose`, `do` …"
_SENTENCE = "a word that begins a sentence, like `move`"
_KINDS = {"YES": "a name, a number or another value", "NAME": "a name", "INT": "a number", "STRING": "a text in quotes"}
_CHAIN = re.compile(r"\b(\w+ +of) +(\w+ +of +[\w.]+)")  # `glow of flying of players`
_UNIT = re.compile(r"[0-9][ \t]+([A-Za-z_][A-Za-z0-9_]*)[ \t]*$")
_SENTENCES = re.compile(rf"\n[ \t]*(?:(?:{'|'.join(VERBS)})\b|else:)")  # one more below the first
_BEHIND_LABEL = re.compile(r"\s*(?:(?P<word>if)\b|$)")
_PLAIN_WORD = re.compile(r"\S+")
_NO_LABEL = "Behind a label stands nothing, or `if` and when it is there."
BLOCKS = ("body", "otherwise", "options", "choices")
"""The fields of sentences that hold others, labels or lines."""
_LONE = re.compile(r"(?P<word>[A-Za-z_][A-Za-z0-9_]{0,99})|[0-9]{1,15}")  # as most of what is printed is

Parses = dict[tuple[int, str, str], tuple[Scalar, Any, tuple[Diagnostic, ...]]]
"""Trees and messages by the identity of a text, what it is, and where it stands; the text keeps its identity alive."""
_parses: ContextVar[Parses | None] = ContextVar("_parses", default=None)
_noted: ContextVar[list[tuple[Scalar, str]] | None] = ContextVar("_noted", default=None)


@contextmanager
def noting() -> Iterator[list[tuple[Scalar, str]]]:
    """Every scalar that is parsed meanwhile, with what it is: "script", "expression", … as the grammar calls it, or the
    "head" of a sentence.

    Only those who check a game know which of its texts are scripts, so whoever needs to know watches them.
    """
    noted: list[tuple[Scalar, str]] = []
    before = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(before)


@contextmanager
def remember_parses(parses: Parses) -> Iterator[None]:
    """Parse each text once, as long as this lasts and whenever it is done again with the same table."""
    before = _parses.set(parses)
    try:
        yield
    finally:
        _parses.reset(before)


def parse_script(scalar: Scalar, where: str = "") -> tuple[syntax.Block | None, list[Diagnostic]]:
    return _parse_scalar(scalar, "script", where)


def parse_rest(scalar: Scalar) -> tuple[syntax.Block, Reread] | None:
    """Parse a script without the sentences that could not be read; None if nothing can be told of it."""
    try:
        _read_only(scalar.text)
    except Mistake as first:
        rest = None if _advise_bar(scalar) else reread(scalar, first, _read_only, VERBS)[1]
        mistakes: list[Mistake] = []
        block = _build_nodes(rest, rest.text, "script", mistakes) if rest else ()
        return (block, rest) if rest and not mistakes else None
    return None


def _read_only(text: str) -> None:
    """Raises a Mistake for a script that cannot be read; what is wrong in its texts in quotes is another matter."""
    scalar = Scalar(text, "plain", Span(SourceFile("", ""), 0, 0))
    nothing = syntax.Nothing(at=At(scalar, 0, 0))
    _run_builder(text, "script", Builder(scalar, lambda text, offset: nothing, lambda problem, start, end: None))


def parse_expression(scalar: Scalar, where: str = "") -> tuple[syntax.Expr | None, list[Diagnostic]]:
    return _parse_scalar(scalar, "expression", where)


def parse_ranking(scalar: Scalar, where: str = "") -> tuple[tuple[syntax.Key, ...] | None, list[Diagnostic]]:
    """`most points(it) then count(tokens)`."""
    return _parse_scalar(scalar, "ranking", where)


def parse_signature(scalar: Scalar) -> tuple[syntax.Signature | None, list[Diagnostic]]:
    """A key like `ability(me, guest mark)` or `turn`."""
    return _parse_scalar(scalar, "signature", "")


def parse_expectation(scalar: Scalar, where: str = "") -> tuple[syntax.Expectation | None, list[Diagnostic]]:
    """A line of a scenario's `expect`."""
    return _parse_scalar(scalar, "expectation", where)


def strip_colon(head: str) -> str:
    """Take the colon from the head of a sentence with a block."""
    return head.rstrip().removesuffix(":").rstrip()


def parse_head(scalar: Scalar, of: syntax.Statement) -> syntax.Statement | None:
    """Parse one line as the head of a sentence with a block, which is like that of another sentence; None if it is no
    such line. A colon behind it is as good as none. What stands in the block means nothing.
    """
    inner = {"options": '"…":\n    return', "choices": "x from players"}
    block = next((text for name, text in inner.items() if name in _fields(of)), "return")
    head = strip_colon(scalar.text)
    if "\n" in head:
        return None
    mistakes: list[Mistake] = []
    try:
        script: syntax.Block = _build_nodes(scalar, f"{head}:\n  {block}", "script", mistakes)
    except Mistake:
        return None
    (node,) = script
    fits = all(name in _fields(node) for name in BLOCKS if getattr(of, name, None) is not None)
    if not fits or mistakes or isinstance(node, syntax.Seam | syntax.Beneath):
        return None
    if (noted := _noted.get()) is not None:
        noted.append((scalar, "head"))
    return node


def parse_label(at: At, where: str) -> tuple[syntax.MenuOption | None, list[Diagnostic]]:
    """Parse the label of a menu, with its `if`, that stands somewhere in a text."""
    scalar, start, end = at
    label = QUOTED.match(scalar.text, start, end)
    assert label is not None, "it begins with a text in quotes"
    pieces = [(start, label.end(), "expression")]
    rest = _BEHIND_LABEL.match(scalar.text, label.end(), end)
    if rest is not None and rest["word"]:
        pieces.append((rest.end(), end, "expression"))
    nodes, mistakes = [], list[Mistake]()
    try:
        if rest is None:
            word = _PLAIN_WORD.search(scalar.text, label.end(), end)
            assert word is not None
            raise _make_mistake(*word.span(), f"`{label[0]}`", "`if`, or nothing more", f"`{word[0]}`", _NO_LABEL)
        for low, high, rule in pieces:
            nodes.append(_build_nodes(scalar, " " * low + scalar.text[low:high], rule, mistakes))
    except Mistake as mistake:
        mistakes.append(mistake)
    if mistakes:
        return None, [mistake.message(scalar, where) for mistake in mistakes]
    return syntax.MenuOption(nodes[0], nodes[1] if len(nodes) > 1 else None, at=at), []


def _fields(node: syntax.Tree) -> set[str]:
    return {attribute.name for attribute in fields(type(node))}


def is_block(text: str) -> bool:
    """Tell whether a value's text is a script of statements, not one expression: several lines, or a `return`."""
    return "\n" in text.strip() or text.lstrip().startswith("return")


def _make_mistake(start: int, end: int, doing: str, expected: str, found: str, help: str | None) -> Mistake:
    return Mistake("RB201", start, end, {"doing": doing, "expected": expected, "found": found}, help)


def _parse_scalar(scalar: Scalar, start: str, where: str) -> tuple[Any, list[Diagnostic]]:
    if (noted := _noted.get()) is not None:
        noted.append((scalar, start))
    known = _parses.get()
    if known is None:
        return _parse_anew(scalar, start, where)
    key = id(scalar), start, where
    if key not in known:
        tree, known_messages = _parse_anew(scalar, start, where)
        known[key] = scalar, tree, tuple(known_messages)
    _, tree, messages = known[key]
    return tree, list(messages)


def _parse_anew(scalar: Scalar, start: str, where: str) -> tuple[Any, list[Diagnostic]]:
    text = scalar.text
    if start == "expression" and (lone := _LONE.fullmatch(text)) and text not in grammar().words:
        at = At(scalar, 0, len(text))
        return (syntax.Word(text, at=at) if lone["word"] else syntax.Number(int(text), None, at=at)), []
    result, mistakes = None, list[Mistake]()
    try:
        result = _build_nodes(scalar, text, start, mistakes)
    except Mistake as first:
        help = _advise_bar(scalar)
        first = evolve(first, help=help) if help else _join_wrapped(text, first) if start == "script" else first
        mistakes = [first]
        mistakes += reread(scalar, first, _read_only, VERBS)[0] if start == "script" and not help else ()
    messages = [mistake.message(scalar, where) for mistake in mistakes[:MOST_MISTAKES]]
    return (None if messages else result), messages


def _join_wrapped(text: str, mistake: Mistake) -> Mistake:
    """Return the mistake of a sentence that was broken in two, if with its halves on one line it can be read."""
    lines = text.split("\n")
    at = text.count("\n", 0, mistake.start)
    for first in (at, at - 1):
        halves = lines[first : first + 2]
        if first < 0 or len(halves) < 2 or not all(half.strip() for half in halves) or "#" in halves[0]:
            continue
        joined = [*lines[:first], f"{lines[first].rstrip()} {lines[first + 1].strip()}", "", *lines[first + 2 :]]
        try:
            _read_only("\n".join(joined))
        except Mistake as other:
            if "\n".join(joined).count("\n", 0, other.start) <= first + 1:
                continue
        begin = sum(len(line) + 1 for line in lines[:first])
        start, end = begin + len(lines[first]) - len(lines[first].lstrip()), begin + len(lines[first].rstrip())
        help = "If it goes on in the line below, it was wrapped: a sentence stands on one line, however long."
        expected = "the whole sentence on its line"
        return _make_mistake(start, end, _quote_piece(text[start:end]), expected, "a part", help)
    return mistake


def _advise_bar(scalar: Scalar) -> str | None:
    """Return advice about a script whose lines YAML has made one line of, because no `|` stands above them."""
    written = scalar.span.text
    if scalar.style != "plain" or "\n" in scalar.text or not _SENTENCES.search(written):
        return None
    above = scalar.span.file.text[: scalar.span.start].rstrip()
    key = above[above.rfind("\n") + 1 :].strip()
    return f"Without a `|`, all these lines are one. Write `{key} |`, and the script below it."


def _build_nodes(scalar: Scalar, text: str, start: str, mistakes: list[Mistake]) -> Any:
    """The nodes of a text; `mistakes` gets what is wrong in its texts in quotes, all of which are looked at.

    The text is the scalar's own, or a piece of it with blanks in front, so that offsets are those of the scalar. Raises
    a Mistake if it cannot be read.
    """

    def parse_inner(text: str, offset: int) -> syntax.Expr:
        try:
            if not text.strip():
                raise _make_mistake(offset - 1, offset + 1, "a text in quotes", "a name in `{…}`", "nothing", None)
            if len(mistakes) >= MOST_MISTAKES:
                return syntax.Nothing(at=At(scalar, offset, offset))
            expr: syntax.Expr = _build_nodes(scalar, " " * offset + text, "expression", mistakes)
            return expr
        except Mistake as mistake:
            mistake.values["expected"] = mistake.values.get("expected", "").replace("the end of the line", "`}`")
            mistakes.append(mistake)
            return syntax.Nothing(at=At(scalar, offset, offset + len(text)))

    def fault(problem: str, start: int, end: int) -> None:
        expected, help = _FAULTS[problem]
        doing = _quote_read(scalar.text, start) if problem == "leave" else "a text in quotes"
        quoted = "the end of the text" if problem == "open" else f"`{scalar.text[start:end]}`"
        mistakes.append(_make_mistake(start, end, doing, expected, quoted, help))

    return _run_builder(text, start, Builder(scalar, parse_inner, fault))


def _run_builder(text: str, start: str, builder: Builder) -> Any:
    """Run a builder over a text. Raises a Mistake if it cannot be read."""
    if len(text) > _LONGEST:
        raise _too_much(text, f"a script of more than {_LONGEST} characters")
    if all(not line.strip() or line.strip().startswith("#") for line in text.split("\n")):
        missing = "a sentence" if start == "script" else "a value"
        raise _make_mistake(0, len(text), "this script", missing, "nothing", "Write it, or remove the key.")
    try:
        node, depth = parser().parse(text, start, builder)
    except LayoutError as error:
        raise _layout(error, text, start) from None
    except Unexpected as error:
        raise _find_mistake(text, start, error) from None
    if depth > _DEEPEST:
        raise _too_much(text, "a script with so much inside one another")
    return node


def _too_much(text: str, problem: str) -> Mistake:
    help = "Give parts of it names of their own under `rules:` or `values:`."
    return Mistake("RB106", 0, len(text), {"problem": problem}, help, blame=None)


def _layout(error: LayoutError, text: str, rule: str) -> Mistake:
    start, end = error.start, error.end
    if error.problem in ("tab", "dedent"):
        code = "RB102" if error.problem == "tab" else "RB204"
        return Mistake(code, start, max(end, start + 1), {}, blame=None)
    if error.problem == "string":
        end = start + len(text[start:].split("\n", 1)[0].rstrip("\r"))
        help = 'A text begins and ends with `"`. A quote inside it is written `\\"`.'
        return _make_mistake(start, end, "a text in quotes", 'another `"` on this line', "the end of the line", help)
    doing, read = _quote_read(text, start), text[start:end]
    if error.problem == "number":
        return _make_mistake(start, end, doing, "a number of up to 15 digits", "a longer one", "")
    # Who makes no mistakes need not know those of others.
    from rulebook.dsl.parsing.idioms import reword

    if reworded := reword(text, rule, start, frozenset()):
        return _report_reworded(reworded, text)
    shown = f"`{read}`" if read.isascii() else signs.name_sign(read)
    return _make_mistake(start, end, doing, "a word or a number", shown, _LETTERS.get(read))


def _find_mistake(text: str, start: str, error: Unexpected) -> Mistake:
    """Find the mistake: a misspelt keyword if with another one the sentence could be read, else what did not fit."""
    from rulebook.dsl.parsing.idioms import reword
    from rulebook.dsl.parsing.repairs import repair

    position = error.token.start
    repaired = repair(text, start, position)
    if repaired is None:
        reworded = reword(text, start, position, error.accepts)
        return _report_reworded(reworded, text) if reworded else _misfit(error, text)
    word, meant = text[repaired.start : repaired.end], " or ".join(f"`{word}`" for word in repaired.words)
    help = Advice(f"Did you mean {meant}?", word, repaired.words[0] if len(repaired.words) == 1 else None)
    if repaired.start == sentence_at(text, repaired.start).begin and start == "script":
        return Mistake("RB203", repaired.start, repaired.end, {"word": word}, help)
    return _make_mistake(repaired.start, repaired.end, _quote_read(text, repaired.start), meant, f"`{word}`", help)


def _report_reworded(other: Reworded, text: str) -> Mistake:
    read = _quote_piece(text[other.start : other.end])
    return _make_mistake(other.start, other.end, _quote_read(text, other.start), other.expected, read, other.help)


def _misfit(error: Unexpected, text: str) -> Mistake:
    token = error.token
    start, end = token.start, token.end
    stops = token.sort in (END, "_NEWLINE", "_DEDENT")
    if token.sort == END:
        start = end = sentence_end(text, sentence_at(text, len(text)).begin, ())[0]
    accepts = error.accepts
    words = _literals(accepts)
    here = sentence_at(text, start)
    doing = _quote_read(text, start)
    above = _quote_piece(text[here.before : sentence_end(text, here.before, VERBS)[0]])
    if token.sort == "_INDENT":
        way_out = f"If this belongs to {above}, that line ends with `:`. If not, both stand in the same column."
        return Mistake("RB204", start, end + 1, {}, way_out, blame=here.before)
    if accepts == {"_INDENT"} and not stops:
        way_out = f"What belongs to {above} stands below it, two spaces deeper."
        return Mistake("RB204", start, end, {}, way_out, blame=here.before)
    if here.brackets and (stops or "\n" in text[here.brackets[-1] : start]):
        at = here.brackets[-1]
        if not sentence_end(text, at, VERBS)[1]:
            doing, expected = _quote_read(text, at + 1), "a `)`" if text[at] == "(" else "a `]`"
            way_out = f"This `{text[at]}` is never closed."
            return _make_mistake(at, at + 1, doing, expected, "the end of the sentence", way_out)
    if "chooses" in words:
        match = WORD.match(text, here.begin)
        if match is None:
            help = "A label stands below `choose one:` or `offer …:`, two spaces deeper." if '"' in doing else None
            return _make_mistake(here.begin, start, "the start of this line", _SENTENCE, doing, help)
        rest = text[match.end() : start].strip()
        if match[0] not in VERBS and (not rest or stops or token.text in ("=", "+", "-")):
            return _no_verb(match, text, token, words)
    if (unit := _UNIT.search(text, here.begin, start)) and (close := _find_near(unit[1], words)):
        doing, meant = _quote_read(text, unit.start(1)), f"`{close[0]}`"
        return _make_mistake(*unit.span(1), doing, meant, f"`{unit[1]}`", perhaps(unit[1], close))
    if stops:
        opens = ":" in words and has_block(text, here.begin, start)
        values = {"doing": doing, "expected": "`:`" if opens else _list_expected(accepts, words)}
        hint = "A line that others belong to ends with `:`, and they stand two spaces deeper." if opens else None
        if re.fullmatch(r"`\w+`", values["expected"]) and doing.startswith("`") and "…" not in doing:
            hint = f"Finish the sentence, `{doing[1:-1]} {values['expected'][1:-1]} …`, or remove it."
        return Mistake("RB202", start - 1, start, values, hint)
    hint = _find_advice(text, token, here, accepts, words)
    return _make_mistake(start, end, doing, _list_expected(accepts, words), _quote_piece(token.text), hint)


def _no_verb(match: re.Match[str], text: str, token: Token, words: list[str]) -> Mistake:
    """A sentence that starts with a name and goes on as if it were something to do."""
    word = match[0]
    start, end = match.span()
    close, begin = near(word, VERBS), "the start of a sentence"
    if word == "else":
        help = "`else:` stands in the same column as its `if`, `may` or `choose`, right behind their block."
        return _make_mistake(start, end, "this script", begin, "an `else` that belongs to nothing", help)
    if not close and word in ("while", "until"):
        return Mistake("RB203", start, end, {"word": word}, _advise_on_loop(word, text[end:].split("\n", 1)[0]))
    if not close and token.sort == "NAME" and (meant := _find_near(token.text, words)):
        start, end = token.start, token.end
        return _make_mistake(start, end, f"`{word}`", f"`{meant[0]}`", f"`{token.text}`", perhaps(token.text, meant))
    if not close and token.text in VERBS:
        help = f"A sentence starts with what is done: `{token.text} …`."
        return _make_mistake(start, end, "this script", begin, f"`{word}`", help)
    if token.text in ("=", "+", "-"):
        target = text[start : token.start].strip()
        help = f"To change it, write `set {target} = …`. To give a value a name, write `let x = …`."
        return Mistake("RB203", start, end, {"word": word}, help)
    if close[:1] == [word.lower()] or not close:
        line = text[start : text.find("\n", start) % (len(text) + 1)]
        if _PLAIN_ENGLISH.fullmatch(line):
            return Mistake("RB203", start, end, {"word": word}, _NO_PLAIN_ENGLISH)
    if _BECOMES_SO.match(text, start):
        return Mistake("RB203", start, end, {"word": word}, _WHENEVER)
    done = OTHER_WORDS.get(token.text.removesuffix("s")) if token.sort == "NAME" else None
    if not close and (done or token.text.removesuffix("s") in VERBS):
        example = done or f"{token.text.removesuffix('s')} …"
        help = f"A sentence starts with what is done, not with who does it: `{example}`."
        return Mistake("RB203", start, end, {"word": word}, help)
    if close or (known := OTHER_WORDS.get(word.lower())):
        help = perhaps(word, close) if close else f"Here it is written `{known}`."
        return Mistake("RB203", start, end, {"word": word}, help)
    alone = text[end : end + 1] == "(" or not token.text.strip()  # `score(me)`, a rule that lacks its `do`
    return Mistake("RB203", start, end, {"word": word}, None if alone else _FIRST)


def _advise_on_loop(word: str, rest: str) -> str:
    """Say how a block is written that is done again while, or until, something is so."""
    condition = rest.strip().removesuffix(":").strip()
    stops = condition if word == "until" else f"not ({condition})" if " " in condition else f"not {condition}"
    return f"Here it is written `loop:`. First in it stands when it ends: `if {stops}:`, and below that `stop`."


def _find_advice(text: str, token: Token, here: Sentence, accepts: Set[str], words: list[str]) -> str | None:
    """Return advice about a word or sign that does not fit; None if nothing better than usual comes to mind."""
    start, word = token.start, token.text
    before = text[here.begin : start].split()
    if before[-1:] == ["from"] and "from" in words:
        return f"Say first how many, or which: `{before[0]} {'1' if before[0] == 'draw' else 'x'} from …`."
    if token.sort == "NAME" and (close := _find_near(word, words)):
        return perhaps(word, close)
    if word == "of" and (chain := _CHAIN.search(text, here.begin)):
        return f"Of two `of`, one stands in brackets: `{chain[1]} ({chain[2]})`."
    if "where" in words and "or" not in words:
        return f"What `of` gives is tested in brackets: `(value of S) {word} …`."
    if word == "=" and ("is" in words or text[start - 1 : start] == "="):
        return "To compare two things, write `is`: `a is b`."
    if word in ("<", "<=", ">", ">=") and "or" in words:
        return "Two things are compared at a time: `a < b and b < c`."
    if word in (")", "]") and not here.brackets:
        return f"There is nothing open before it that this `{word}` closes."
    if accepts == {"_NEWLINE"} and before[-1:] and before[-1].endswith(":"):
        return "Write it on the next line, two spaces deeper."
    if len(before) == 1 and "or" in words and before[0] in VERBS:
        return f"`{before[0]}` begins a sentence, but here stands a question or a value."
    if word == "empty" and before[-1:] == ["not"]:
        return "Write `is not empty`."
    if accepts == {"$END"}:
        return "One value stands here, in one piece. Only a script has several lines."
    if accepts == {"STRING"}:
        return "A text stands in quotes." if before else 'Each choice begins with its label, like `"Take a card":`.'
    if before[-1:] == ["not"]:
        return f"Put brackets around `not` and what it is about: `(not {word} …)`."
    if word == "for" and "for" in before:
        return "Of two `for`, one stands in brackets: `(E for x in S) for y in T`."
    if word in ("of", "where", "with", "sorted") and before and "or" in words:
        return f"Put brackets around the list and its `{word}`: `({before[-1].strip('([')} {word} …)`."
    if word in ("is", "in") and "or" in words:
        return f"Two things are compared at a time: join tests with `and`, or put one in brackets: `(a is b) {word} c`."
    return None


def _find_near(word: str, words: list[str]) -> list[str]:
    """Find the words that may have been meant, first among those that the sentence needs."""
    needed = [needed_word for needed_word in words if needed_word not in _AFTER_VALUES]
    return near(word, needed) or near(word, [other for other in words if other not in ("no", "not")])


def _literals(accepts: Set[str]) -> list[str]:
    table = grammar()
    return sorted(text for text, sort in chain(table.words.items(), table.signs.items()) if sort in accepts)


def _list_expected(accepts: Set[str], words: list[str]) -> str:
    """List what could stand here, in a handful of words."""
    if "shuffle" in words or accepts == {"_INDENT"}:
        return _SENTENCE if "shuffle" in words else "a deeper line that says what happens"
    shown = [kind for name, kind in _KINDS.items() if name in accepts][:1]
    if shown and "_NEWLINE" not in accepts:
        return shown[0]
    if "or" in words or "where" in words:
        words = [word for word in words if word not in _AFTER_VALUES]
    shown += [f"`{word}`" for word in words if word[0].isalpha() or word in "=:)]"][: 4 - len(shown)]
    if "_NEWLINE" in accepts:
        shown.append("the end of the line")
    if len(shown) < 2:
        return shown[0] if shown else f"`{words[0]}`" if words else "nothing more"
    return f"{', '.join(shown[:-1])} or {shown[-1]}"


def _quote_read(text: str, position: int) -> str:
    """Return the part of a sentence that has been read, as a message quotes it."""
    read = text[sentence_at(text, position).begin : position]
    return _quote_piece(read) if read.strip() else "the start of this line"


def _quote_piece(text: str) -> str:
    """Quote a piece of the script on one line; of a long one, the end."""
    short = " ".join(text.split())
    return f"`{short}`" if len(short) <= _LONGEST_QUOTE else f"`… {short[-_LONGEST_QUOTE:].lstrip()}`"
