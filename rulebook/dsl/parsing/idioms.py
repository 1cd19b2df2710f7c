"""Idioms of tables and of other languages, each with the form that is right here: tried out, not guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import pairwise

from rulebook.classes import frozen
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lexer import QUOTED, WORD, plain_words
from rulebook.dsl.parsing.repairs import Attempt, attempt

_THING = r"[A-Za-z_][\w.]*(?:\([\w., ]*\))?"  # `me.hand`, `notes(me)`
_TEXT_ENDS = re.compile(r" +else\b|:$")
_LONGEST_RUN = 3  # words that were meant as one name
_BETWEEN = frozenset({"to", "from"})
"""Words that are left out: they stand between two others. In a sentence that starts with `each`, `in` does too, and
`then` in one that starts with `loop`.
"""
_BETWEEN_IN = {"each": {"in"}, "loop": {"then"}}


@frozen
class Reworded:
    """`text[start:end]` is said otherwise here: `expected` is how, or what stands there; `help` says why."""

    start: int
    end: int
    expected: str
    help: str


@frozen
class _Idiom:
    """A way to say something, and how it is said here; a missing `expected` is the new words themselves."""

    pattern: re.Pattern[str]
    here: str
    help: str
    expected: str = ""
    named: int = 0
    """The group that is a name, if one is: no word of the language."""
    deed: str = ""
    """The word that stands in sentences of which this is an idiom, if only in some."""


def _idiom(pattern: str, here: str, help: str, expected: str = "", named: int = 0, deed: str = "") -> _Idiom:
    return _Idiom(re.compile(pattern), here, help, expected, named, deed)


_COUNTED = "How many there are is `count(…)`: write `{new}`."
_COMPARED = "To compare two things, write `{new}`."
_IDIOMS = (
    _idiom(
        rf"^((?:set|let) +{_THING}) +(?:to +be|to|as|be|is|equals?(?: +to)?)(?= |$)", r"\1 =",
        "Write `=`: `{new} …`.",
    ),
    _idiom(rf"^set +({_THING}) *\+= *(\S.*)$", r"add \2 to \1", "Write `{new}`."),
    _idiom(r"^(loop +\w+ +from +[^,]*[^, ]) +then\b", r"\1, then", "A comma stands before `then`: `{new} …`."),
    _idiom(r"\b(\w+)['’]s +(\w+)", r"\1.\2", "What somebody has stands behind a dot: `{new}`."),
    _idiom(r"\b(?:my|your) +(\w+)", r"me.\1", "Whoever acts is `me`: write `{new}`."),
    _idiom(rf"\b(?:count|number) +of +({_THING})", r"count(\1)", _COUNTED),
    *(
        _idiom(rf"({_THING}) +(?:has|have|holds?) +{words} +(\d+)(?: +cards?)?", rf"count(\1) {sign} \2", _COUNTED)
        for words, sign in (
            ("more +than", ">"), ("(?:less|fewer) +than", "<"), ("at +least", ">="), ("at +most", "<="),
            ("exactly", "is"),
        )
    ),
    *(
        _idiom(rf"{whose} +{has}", here, "Say in which place, and what it must be: `{new}`.")
        for whose, place in (
            (rf"\b(?=\w+[.(])({_THING})", r"\1"), (r"(?<=where )([a-z]\w*)", r"\1"), (r"\b([a-z]\w*)", r"\1.hand"),
        )
        for has, here in (
            (r"(?:has|have) +(?:any +)?cards?\b", f"{place} is not empty"),
            (r"(?:has|have) +no +cards?\b", f"{place} is empty"),
            *(
                (rf"(?:has|have) +{some}([a-z]\w*){condition}", f"{asked}({place} where it is \\2{more})")
                for some, asked in (("no +", "not any"), ("(?:(?:an?|any|some|the) +)?", "any"))
                for condition, more in ((r" +(?:with|where|whose) +([^:]*[^: ])", r" and \3"), ("", ""))
            ),
        )
    ),
    *(
        _idiom(rf"\bis +{words}(?= )", sign, "Write `{new}`.")
        for words, sign in (
            ("(?:more|greater|larger|higher) +than", ">"), ("(?:less|fewer|smaller|lower) +than", "<"),
            ("at +least", ">="), ("at +most", "<="), ("equal +to", "is"),
        )
    ),
    _idiom(rf"({_THING}) *={{2,3}} *({_THING}|\d+)", r"\1 is \2", _COMPARED),
    _idiom(rf"({_THING}) *= *({_THING}|\d+)", r"\1 is \2", _COMPARED),
    _idiom(rf"({_THING}) *(?:!=|<>) *({_THING}|\d+)", r"\1 is not \2", _COMPARED),
    _idiom(r"=>", ">=", _COMPARED),
    _idiom(r"=<", "<=", _COMPARED),
    _idiom(r"\b(\d{1,3})[,.'](\d{3})\b", r"\1\2", "The digits of a number stand together: `{new}`."),
    _idiom(r"\b(\d+)[,.]0+\b", r"\1", "Numbers are whole: write `{new}`."),
    _idiom(r"\bisn['’]?t\b", "is not", "Write `{new}`."),
    _idiom(r"\b(\w+) +\1\b", r"\1", "The word stands there twice: write `{new}` once."),
    _idiom(r"`([\w.]+(?:\([^`()]*\))?)`?", r"\1", "Names stand alone, without backticks: `{new}`."),
    _idiom(r"(?<![\w!])!(?=[\w(])", "not ", "Write `not`."),
    _idiom(r" *!= *", " is not ", "Write `is not`."),
    _idiom(r" *== *", " is ", "Write `is`."),
    _idiom(r" *:= *", " = ", "Write `=`."),
    _idiom(r"&&?", "and", "Write `{new}`."),
    _idiom(r"\|\|?", "or", "Write `{new}`."),
    _idiom(r" *//.*$", "", "A remark begins with `#`, and ends with its line.", "the end of the line"),
    _idiom(
        r" *\.{2,} *$", "", "Write what the dots leave out, or make it a remark: `# …`.", "the end of the line",
    ),
    _idiom(r" *[.;,!]+ *$", "", "A sentence ends with its line, and has no full stop.", "the end of the line"),
    _idiom(
        r"(?:,? +and +then|,? +then|[.;,]|,? +and) +(?=[a-z])", "\n",
        "One thing is done after the other, each on a line of its own: leave this out, and begin a new line.",
        "the end of the line",
    ),
    _idiom(r",? +then *:?$", ":", "A line that others belong to ends with `:`, without a `then`."),
    _idiom(
        r"(?<=\S) +then +(?=[a-z])", ":\n  ",
        "Write `:` instead, and what is done on the next line, two spaces deeper.", "`:`",
    ),
    _idiom(
        r",? +(?:if|when|whose) +(?=\S)", " where ", "Which of them may be chosen stands behind `where`.", "`where`",
        deed="choose",
    ),
    _idiom(
        rf"\bpick +(\d+) +random +(\w+) +from +({_THING})(?! +at)", r"pick \1 \2_found from \3 at random",
        "What is picked gets a name, and `at random` stands at the end: `{new}`.",
    ),
    _idiom(r"\b(?:into|onto)\b", "to", "Write `{new}`."),
    _idiom(
        r"\bchoose +(?:a|an|any|one|another|the)( +other)? +(?:player|opponent)$", "choose victim from others",
        "Give whoever is chosen a name, and say from whom: `{new}`.",
    ),
    _idiom(r"\b(chooses?|pick|as) +(?:an?|the|another) +(\w+)", r"\1 \2", "A name stands alone: `{new}`.", named=2),
    _idiom(r"\beach +player\b(?! +in)", "each p in players", "Here each gets a name: `{new}`, and then `p.hand`."),
    _idiom(r"\b(\w+) +(?:must|has to|needs to|shall|should) +(choose)\b", r"\1 \2s", "Write `{new}`."),
    _idiom(r"\blet +(\w+) +(choose)\b", r"\1 \2s", "Write `{new}`. `let x = …` only gives a value a name."),
    _idiom(
        r"\b(?:a|an) +(\w{3,})", r"\1",
        "It must be clear which: `choose {new} from …` before this line gives it a name, without `{article}`.", named=1,
    ),
    _idiom(r"\b(the) +(\w+)", r"\2", "A name stands alone, without `the`: `{new}`.", named=2),
)  # fmt: skip


def reword(text: str, start: str, position: int, accepts: Set[str]) -> Reworded | None:
    """Recognise an idiom of other languages where reading stopped, and say it as it is said here.

    `start` is the grammar's rule for the text, and `accepts` the sorts of tokens that could have stood there.
    """
    tried = attempt(text, start, position)
    if tried is None:
        return None
    sentence, at = tried.sentence, position - tried.begin
    for reworded in (
        *_reword_idioms(tried),
        *_put_in_word(sentence, at, accepts),
        *_put_quotes(tried, text[position:].split("\n", 1)[0].rstrip(), at, accepts),
        *_join_name(sentence, at),
    ):
        new, hit = reworded
        if tried.can_be(new):
            return Reworded(hit.start + tried.begin, hit.end + tried.begin, hit.expected, hit.help)
    return None


def _reword_idioms(tried: Attempt) -> Iterator[tuple[str, Reworded]]:
    """The sentence with one of the idioms put as it is said here, everywhere in it."""
    sentence = tried.sentence
    hidden = QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), sentence)
    for idiom in _IDIOMS:
        matches = list(idiom.pattern.finditer(hidden))
        if not matches or (idiom.named and matches[0][idiom.named] in grammar().words) or idiom.deed not in sentence:
            continue
        new = sentence
        for match in reversed(matches):
            new = new[: match.start()] + match.expand(idiom.here) + new[match.end() :]
        first = matches[0]
        shown, article = first.expand(idiom.here), first[0].split()[0] if first[0].split() else ""
        help = idiom.help.replace("{new}", shown).replace("{article}", article)
        begin = first.end() - len(first[0].lstrip())
        yield new, Reworded(begin, max(first.end(), begin + 1), idiom.expected or f"`{shown}`", help)


def _put_in_word(sentence: str, at: int, accepts: Set[str]) -> Iterator[tuple[str, Reworded]]:
    """Put a word into the sentence where reading stopped."""
    letters = WORD.match(sentence, at)
    end = letters.end() if letters else at + 1
    thing = re.compile(_THING).match(sentence, at)
    behind = thing[0] if thing else sentence[at:end]
    between = _BETWEEN | _BETWEEN_IN.get(sentence.partition(" ")[0], set())
    before = sentence[:at].split()[-1:]
    for word, sort in sorted(grammar().words.items()):
        if sort in accepts and word in between and before != [word]:
            shown = " ".join([*before, word, behind])
            yield (
                f"{sentence[:at]}{word} {sentence[at:]}",
                Reworded(at, end, f"`{word}`", f"Here `{word}` was left out: `{shown}`."),
            )


def _put_quotes(tried: Attempt, rest: str, at: int, accepts: Set[str]) -> Iterator[tuple[str, Reworded]]:
    """Put quotes around what players read: the rest of its line, or all before its `else` or `:`.

    Where only the first of the two was forgotten, it is all before the second one.
    """
    if at == 0 or "STRING" not in accepts or set("\\{}") & set(rest) or rest.count('"') > 1:
        return
    read, quote, behind = rest.partition('"')
    if quote:
        texts = [(read, behind)]
    else:
        ends = [*(match.start() for match in _TEXT_ENDS.finditer(rest)), len(rest)]
        texts = [(rest[:end], rest[end:]) for end in ends]
        texts = [(read, behind) for read, behind in texts if " " in read or read.endswith(("?", "!"))]
    for read, behind in texts:
        help = f'What players read stands in quotes: `"{read}"`.'
        end = at + len(read + quote)
        yield f'{tried.sentence[:at]}"{read}"{behind}', Reworded(at, end, "a text in quotes", help)


def _join_name(sentence: str, at: int) -> Iterator[tuple[str, Reworded]]:
    """Join words that stand side by side, as a name is printed, into one name."""
    words = plain_words(sentence, 0, len(sentence))
    here = next((number for number, word in enumerate(words) if word.start() == at), 0)
    known = grammar().words
    for length in range(2, _LONGEST_RUN + 1):
        for first in range(max(0, here - length + 1), here):
            run = words[first : first + length]
            if len(run) < length or any(word[0] in known for word in run) or run[0][0][0].islower():
                continue
            if any(sentence[word.end() : other.start()].strip(" ") for word, other in pairwise(run)):
                continue
            low, high = run[0].start(), run[-1].end()
            name = "_".join(word[0].lower() for word in run)
            help = f"If this is one name, write it as scripts do, in small letters and with `_`: `{name}`."
            yield sentence[:low] + name + sentence[high:], Reworded(low, high, "one name", help)
