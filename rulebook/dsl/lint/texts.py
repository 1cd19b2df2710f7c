"""Lint: texts of cards and actions against their scripts, silent where the scripts could be meant.

Bad: `text: Draw two cards.` with `effect: draw 1 from deck to me.hand`. Good: `draw 2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.checking.declarations import is_told
from rulebook.dsl.document import Node, Scalar
from rulebook.dsl.lint.book import Book
from rulebook.dsl.lint.facts import Facts
from rulebook.dsl.lint.vocabulary import Vocabulary
from rulebook.dsl.walk import everything
from rulebook.dsl.words import NUMBERS
from rulebook.source import Span

Found = Iterator[tuple[Any, ...]]
"""Findings as the values of a message: what a text says, why its scripts differ, and where they say something else."""

_NUMBERS = NUMBERS[1:]
_SEVERAL = {"twice": 2, "both": 2, "thrice": 3, "dozen": 12}
_ANY_NUMBER = "|".join([*_NUMBERS, r"[2-9]|[1-9]\d{1,5}"])
_NUMBER = re.compile(rf"(?<![\w.,:/+-])({_ANY_NUMBER}|{'|'.join(_SEVERAL)})(?![\w%-]|[.,:/]\d)", re.IGNORECASE)
_DRAWN = re.compile(rf"\bdraws?\s+(an?|one|1|{_ANY_NUMBER})\b(?!\s+(?:or|to|more))", re.IGNORECASE)
_DEEDS: dict[str, tuple[type[Any], ...]] = {
    "draw": (ir.Moving,),
    "discard": (ir.Moving,),
    "swap": (ir.Moving, ir.Assign, ir.Arrange),
    "exchange": (ir.Moving, ir.Assign, ir.Arrange),
    "steal": (ir.Moving, ir.Assign),
    "shuffle": (ir.Shuffle, ir.Pass),
    "roll": (ir.Roll, ir.PickRandom),
    "reveal": (ir.Reveal, ir.Placing, ir.Swap, ir.Say, ir.Tell),
    "choose": (ir.Asking, ir.DoHook),
    "look at": (ir.Show, ir.Placing, ir.Deal, ir.Reveal, ir.Arrange),
}
"""Deeds that a text names with one word, each with the sentences one of which it takes."""
_ANY = re.compile(rf"\b(an?|one|1|{_ANY_NUMBER})\b", re.IGNORECASE)
_ASKS_FOR = re.compile(rf"\w+\s+(an?|one|1|{_ANY_NUMBER})\s+\w", re.IGNORECASE)
"""A prompt that begins with so many to be chosen: `Pass three cards to …`."""
_DEED = re.compile(r"(?:^|[.!:;,]\s+|\b(?:then|and|may|must)\s+)(" + "|".join(_DEEDS) + r")\b", re.IGNORECASE)
_SIDE = re.compile(
    r"\b(?:to the|on the|on your|to your|your|the player to your)\s+(left|right)(?=[\s.,;]+(?!hand)|$)"
    r"|\b(left|right)(?:-hand)?\s+neighbou?r",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:(?:each|every|all|the|any) other players?|all (?:of )?the others|another player"
    r"|(?:an|each|your) opponents?|(?:everybody|everyone) else)\b",
    re.IGNORECASE,
)
_EVERYONE = re.compile(r"\b(?:each player|every player|all players|everyone|everybody)\b(?! else)", re.IGNORECASE)
_MAY = re.compile(r"\b(?:you may|you can|may choose|if you (?:like|want|wish))\b", re.IGNORECASE)
_MUST = re.compile(r"\b(?:must|has to|have to)\b", re.IGNORECASE)
_RANDOM = re.compile(r"\b(?:at random|random|randomly)\b", re.IGNORECASE)
_ASKING = re.compile(r"\b(?:which|what|who|whom|whose|where|when|how|why|or|next|last|first|\w+est)\b", re.IGNORECASE)
"""Words of prompts that ask for more than yes or no."""
_OTHERWISE_SO = re.compile(
    r"\b(?:not|no|none|never|no[ -]?one|nobody|nothing|without|cannot|but|except|other|another|else|un\w+|must|may|can"
    r"|only|needs?|have|has|before|after|until|unless|when|if|once|first)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words with which a line says when something holds, or that it does not, and not simply what is so."""
_DENIED = re.compile(
    r"(?:\b(?:may|can|could|must|will|do|does|is|are)\s+)?"
    r"(?:\b(?:nobody|no[ -]?one|no (?:other )?(?:players?|opponents?)|none|neither|never|not|cannot)\b|\b\w+n['’]t\b)"
    r"[^.!?:;,]*",
    re.IGNORECASE,
)
"""A denial in a text, up to the end of the clause."""
_ALONE = re.compile(
    r"\b(?:(?:nobody|no[ -]?one) else|no other players?)\s+(?:sees?|may see|looks?|may look)\b"
    r"|\bonly you\s+(?:may\s+)?(?:look|see)\b|\b(?:secretly|in secret|privately)\b",
    re.IGNORECASE,
)
"""Words for what one player sees alone."""
_SECRETLY = re.compile(r"\b(?:secretly|in secret)\b", re.IGNORECASE)
_GAIN = re.compile(rf"\b(?:gain|get|earn|receive|score)s?\s+(an?|one|1|{_ANY_NUMBER})\s+(\w+)", re.IGNORECASE)
_LOSS = re.compile(rf"\b(?:lose|pay|spend)s?\s+(an?|one|1|{_ANY_NUMBER})\s+(\w+)", re.IGNORECASE)
_MOST = re.compile(r"(?<!at )\b(?:the (?:most|highest|largest|richest|greatest))\b", re.IGNORECASE)
_LEAST = re.compile(r"(?<!at )\b(?:the (?:least|fewest|lowest|smallest|poorest))\b", re.IGNORECASE)


_FEWEST = ("fewest", "least", "lowest", "smallest")
_EXTREME = re.compile(rf"\b(most|highest|largest|greatest|{'|'.join(_FEWEST)})\s+(\w+)", re.IGNORECASE)
_SIGNS = {
    "at least": ">=", "no fewer than": ">=", "no less than": ">=", "or more": ">=", "and more": ">=", "more than": ">",
    "over": ">", "at most": "<=", "no more than": "<=", "not more than": "<=", "or fewer": "<=", "or less": "<=",
    "fewer than": "<", "less than": "<", "under": "<",
}  # fmt: skip
"""The sign that says the same as a bound in words."""
_BOUNDS = {">=": "at least", ">": "more than", "<=": "at most", "<": "fewer than"}
_A_BOUND = "|".join(sorted(_SIGNS, key=len, reverse=True))
_BOUND = re.compile(
    rf"\b(?P<before>{_A_BOUND})\s+(?:(?P<number>an?|one|1|{_ANY_NUMBER})\b"
    r"|(?:the |its |his |her |their )?(?P<name>[^\W\d]+)\b)"
    rf"|\b(?P<counted>one|1|{_ANY_NUMBER})\s+(?:[^\W\d]+\s+){{0,2}}(?P<behind>{_A_BOUND})\b(?!\s+\w)",
    re.IGNORECASE,
)
"""A bound in words: `at least three`, `more than the limit`, `two currencies at most`."""
_SMALL = 5
"""Up to here a number in the text of a house rule may be about anything: two who are equal, all four colours."""
_NEGATED = re.compile(r"\b(?:not(?! more than)|never|nobody|without|except)\b|n['’]t\b", re.IGNORECASE)
_WINNING = re.compile(r"[^.!?;:]*\bwin(?:s|ner)?\b[^.!?;:]*", re.IGNORECASE)
_OTHERWISE = re.compile(r"\b(?:los(?:e|es|er|ers|ing)|not|last|never|nobody)\b", re.IGNORECASE)


def texts_against_scripts(book: Book, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Every text that says something which its scripts do not."""
    done: set[tuple[str, int]] = set()
    things: dict[str, ir.CardDef | ir.ActionDef] = {**book.rulebook.cards, **book.rulebook.actions}
    for id, thing in things.items():
        node = _find_written(book, id)
        if thing.text is None or node is None or is_told(node) or (node.span.file.name, node.span.start) in done:
            continue
        done.add((node.span.file.name, node.span.start))
        names = [table[id] for table in book.rulebook.hooks.values() if id in table]
        text, names = _words(thing.text), [name for name in names if name in book.homes and book.homes[name].root.body]
        if text and names:
            facts = _facts(book, thing, names)
            seen = set()
            # What is only asked has fewer words than what is done: the rest of a text may be about all such cards.
            acts = any(isinstance(book.homes[name].root, ir.Script) for name in names)
            claims = _against(text, facts, vocabulary, id) if acts else _find_other_words(text, facts, vocabulary)
            for words, why, *others in claims:
                if words.lower() not in seen:
                    seen.add(words.lower())
                    labels = [Label(at.span, "its script says this") for at in others if at is not None]
                    yield diagnose("RB801", _place(node, words), said=words, why=why, labels=labels)


def find_aim_against_rank(book: Book, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """The aim of a game that says the most of what the result ranks from the least, or the other way round."""
    rank, aim = book.rulebook.result.rank, book.rulebook.display.aim
    node = book.world.authored.display.aim
    if not rank or node is None:
        return
    match rank[0].value:
        case ir.PlayerMemory(name) | ir.CallValue(name):
            pass
        case _:
            return
    wins = [sentence for sentence in _WINNING.findall(aim) if not _OTHERWISE.search(sentence)]
    nouns = vocabulary.nouns(name.removeprefix("values."))
    extremes = [match for win in wins for match in _EXTREME.finditer(win) if match.group(2).lower() in nouns]
    least = {extreme.group(1).lower() in _FEWEST for extreme in extremes}
    if least == {rank[0].most}:
        first = extremes[0].group(0)
        why = f"the result puts the {'most' if rank[0].most else 'least'} first"
        at = rank[0].value.at
        labels = [Label(at.span, "it is ranked here")] if at is not None else []
        yield diagnose("RB801", _place(node, first), said=first, why=why, labels=labels)


def find_labels_against_scripts(book: Book, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    """Every label of an answer, and every name of an action, that says a number or a person its script does not."""
    # What an answer says may be done where it was asked for; what an action is called it does itself.
    labelled: list[tuple[ir.Expr, Sequence[Any], bool]] = []
    for menu in book.all(ir.Menu, ir.Offer):
        labelled += [(option.label, (option.condition, *option.body), False) for option in menu.options if option.body]
    for id, action in book.rulebook.actions.items():
        done = book.homes.get(f"actions.{id}.effect")
        if done is not None and done.root.body:
            labelled.append((action.name, done.root.body, True))
    for label, script, is_name in labelled:
        text, at = _words(label), label.at
        if text and at is not None:
            facts = Facts(book.rulebook, _gather(book, *(part for part in script if part is not None)), ())
            claims = (
                *_numbers(text, facts),
                *_players(text, facts),
                *_signs(text, facts, vocabulary),
                *(_deeds(_DENIED.sub("…", text), facts, vocabulary) if is_name else ()),
            )
            for words, why, *others in claims:
                labels = [Label(other.span, "its script says this") for other in others if other is not None]
                yield diagnose("RB801", _place(at.scalar, words), said=words, why=why, labels=labels)


def find_options_against_scripts(book: Book) -> Iterator[Diagnostic]:
    """Every text of a house rule with a number of some size that no sentence has which asks for the house rule."""
    asking: dict[str, list[Any]] = {}
    for record in book.all(ir.Sentence, ir.Line):
        parts = [*everything(record)]
        names = {part.name for part in parts if isinstance(part, ir.OptionValue)}
        for name in sorted(names | {part.option for part in parts if isinstance(part, ir.ByOption)}):
            asking.setdefault(name, []).extend(parts)
    for name, parts in asking.items():
        option = book.rulebook.options[name]
        facts = Facts(book.rulebook, parts, ())
        for word, why, *_ in _numbers(option.text, facts):
            if _number(word) > _SMALL and option.at is not None:
                yield diagnose("RB801", option.at.span, said=word, why=why)


def _gather(book: Book, *roots: Any) -> list[Any]:
    """All that stands in some parts of a script, and in what they call."""
    records = everything(*roots)
    called = {name for record in records for name in book.callees(record)}
    return [*records, *(record for name in sorted(book.below(*called)) for record in book.homes[name].records)]


def find_denied_lines(book: Book) -> Iterator[Diagnostic]:
    """Every line of conditions that names a number or a word which its condition excludes, and denies nothing."""
    for line in book.all(ir.Line):
        if _OTHERWISE_SO.search(line.name):
            continue
        for part in everything(line.value):
            match part:
                case ir.Not(ir.Compare("==", _, ir.Const(value))) | ir.Compare("!=", _, ir.Const(value)) if (
                    line.at is not None and (said := _find_said(value, line.name)) and part.at is not None
                ):
                    yield diagnose("RB801", part.at.span, said=said, why="the condition beside it is that it is not")


def find_turned_bounds(book: Book) -> Iterator[Diagnostic]:
    """Every line of conditions that says at least so many, with a condition of at most so many, and the like."""
    for line in book.all(ir.Line):
        said = _BOUND.search(line.name)
        if said is None or _NEGATED.search(line.name):
            continue
        denied, value = False, line.value
        while isinstance(value, ir.Not):
            denied, value = not denied, value.value
        sign, bound = _find_bound(value)
        sign = ir.OPPOSITE.get(sign, "") if denied else sign
        meant = _SIGNS[(said["before"] or said["behind"]).lower()]
        if sign and sign != meant and value.at is not None and _is_bound(book, said, bound):
            why = f"the condition beside it is {_BOUNDS[sign]}"
            yield diagnose("RB801", value.at.span, said=said[0], why=why)


def _find_bound(value: ir.Expr) -> tuple[str, ir.Expr]:
    """Find the sign of a comparison and the bound behind it, a number or what has a name; no sign of anything else."""
    match value:
        case ir.Compare(sign, _, ir.Const(int()) | ir.OptionValue() | ir.TableMemory() as bound) if sign in ir.TURNED:
            return sign, bound
        case ir.Compare(sign, ir.Const(int()) | ir.OptionValue() | ir.TableMemory() as bound, _) if sign in ir.TURNED:
            return ir.TURNED[sign], bound
    return "", value


def _is_bound(book: Book, said: re.Match[str], bound: ir.Expr) -> bool:
    """Tell whether words name the bound of a condition: the same number, or a word of its name."""
    match bound:
        case ir.Const(int(number)):
            word = said["number"] or said["counted"]
            worths = (1, *book.rulebook.units.values())
            return bool(word) and _number(word) in {number // worth for worth in worths if number % worth == 0}
        case ir.OptionValue(name) | ir.TableMemory(name):
            return (said["name"] or "").lower() in name.split("_")
    return False


def _find_said(value: object, text: str) -> str:
    """Find the number or word in a text; empty if it is not there."""
    words = [str(value)]
    if isinstance(value, int) and not isinstance(value, bool) and 2 <= value < len(_NUMBERS) + 2:
        words.append(_NUMBERS[value - 2])
    found = (re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) for word in words if word)
    return next((match.group(0) for match in found if match is not None), "")


def find_prompts_against_picks(book: Book) -> Iterator[Diagnostic]:
    """Every prompt that begins with another number than is to be chosen, or asks whether where nobody may decline."""
    for choice in book.all(ir.Choose, ir.ChooseEach, ir.Offer):
        if not choice.picks:
            continue
        yield from _find_no_question(choice)
        yield from _find_no_secret(choice)
        prompt, (first, *more) = choice.prompt, choice.picks
        begins = None if prompt is None or prompt.at is None else _ASKS_FOR.match(_words(prompt))
        if begins is None or more or first.most != first.least:
            continue
        numbers = {_number(number) for number in _ANY.findall(_words(prompt))}
        match first.least:
            case ir.Const(int(wanted)) if wanted not in numbers:
                written, number = prompt.at.span, begins.group(1)
                start = written.file.text.index(number, written.start)
                place = Span(written.file, start, start + len(number))
                yield diagnose("RB801", place, said=number, why=f"its script asks for {wanted}")


def _find_no_secret(choice: ir.Choose | ir.ChooseEach | ir.Offer) -> Iterator[Diagnostic]:
    """A prompt that says it is in secret, of a choice of which everybody is told what was chosen."""
    if isinstance(choice, ir.Choose) and choice.prompt is not None and choice.prompt.at is not None:
        said = _SECRETLY.search(_words(choice.prompt))
        # What of a hidden card is told goes by where it lies.
        is_open = {source.sort for pick in choice.picks for source in pick.sources}.isdisjoint({"card"})
        if said is not None and is_open and not (choice.secretly or choice.quiet or choice.veiled):
            written, words = choice.prompt.at.span, said.group(0)
            start = written.file.text.find(words, written.start)
            place = written if start < 0 else Span(written.file, start, start + len(words))
            yield diagnose("RB801", place, said=words, why="everybody is told what is chosen here")


def _find_no_question(choice: ir.Choose | ir.ChooseEach | ir.Offer) -> Iterator[Diagnostic]:
    """A prompt that can be answered by no, of a choice of cards or players that has no such answer."""
    prompt = choice.prompt
    if prompt is None or prompt.at is None or isinstance(choice, ir.Offer) or choice.may:
        return
    text = _words(prompt)
    is_forced = all(isinstance(pick.least, ir.Const) and pick.least.value != 0 for pick in choice.picks)
    things = {source.sort for pick in choice.picks for source in pick.sources}
    if is_forced and things <= {"card", "player"} and text.endswith("?") and not _ASKING.search(text):
        yield diagnose("RB801", prompt.at.span, said=" ".join(text.split()), why="nobody may decline")


def _facts(book: Book, thing: ir.CardDef | ir.ActionDef, names: list[str]) -> Facts:
    records = [record for name in sorted(book.below(*names)) for record in book.homes[name].records]
    printed = tuple(everything(*thing.attributes.values())) if isinstance(thing, ir.CardDef) else ()
    return Facts(book.rulebook, records, printed)


def _find_written(book: Book, id: str) -> Node | None:
    """Find the text that somebody wrote for this card or action; that of a kind is about no card's script."""
    authored = book.world.authored
    if id in authored.actions:
        return authored.actions[id].text
    entry = authored.cards.get(book.world.cards[id].family)
    return None if entry is None else entry.fields.get("text")


def _place(node: Node, words: str) -> Span:
    """Return the span of the words in a text; all of a text that goes by options."""
    match = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", node.text) if isinstance(node, Scalar) else None
    return node.span if match is None or not isinstance(node, Scalar) else node.locate(match.start(), match.end())


def _words(text: ir.Expr) -> str:
    """A text without what is put into it."""
    match text:
        case ir.Const(str(words)):
            return words
        case ir.Joined(parts):
            return " … ".join(part for part in parts if isinstance(part, str))
    return ""


# ── what is compared ─────────────────────────────────────────────────────────────────────────────────────────────────


def _against(text: str, facts: Facts, vocabulary: Vocabulary, id: str) -> Found:
    yield from _numbers(text, facts)
    yield from _names(text, facts, vocabulary, id)
    alone = _ALONE.search(text)
    if alone is not None and facts.shows_all and not facts.has(ir.Placing):
        yield alone.group(0), "its scripts show it to everybody", *(show.at for show in facts.shows_all)
    text = _DENIED.sub("…", text)  # scripts need no sentence for what never happens
    yield from _deeds(text, facts, vocabulary)
    yield from _players(text, facts)
    for pattern, so, why in _SAID:
        match = pattern.search(text)
        if match is not None and not so(facts):
            yield match.group(0), why
    yield from _signs(text, facts, vocabulary)
    yield from _ends(text, facts)


_SAID: tuple[tuple[re.Pattern[str], Callable[[Facts], bool], str], ...] = (
    (_MAY, lambda facts: facts.leaves_a_choice, "its scripts leave nobody a choice"),
    (_MUST, lambda facts: facts.forces, "its scripts let everybody decline"),
    (_RANDOM, lambda facts: facts.has_chance, "nothing in its scripts is random"),
    (_MOST, lambda facts: facts.most != {False}, "its scripts look for the least"),
    (_LEAST, lambda facts: facts.most != {True}, "its scripts look for the most"),
)


def _deeds(text: str, facts: Facts, vocabulary: Vocabulary) -> Found:
    for verb in dict.fromkeys(match.group(1) for match in _DEED.finditer(text)):
        deed = verb.lower()
        if not facts.has(*_DEEDS[deed]):
            yield verb, "no script of it does that"
        elif deed == "look at" and facts.has(ir.Reveal) and not facts.has(ir.Show, ir.Placing, ir.Deal, ir.Arrange):
            yield verb, "its scripts turn it face up for everybody", *(reveal.at for reveal in facts.of(ir.Reveal))
        elif deed == "draw" and not facts.draws:
            yield verb, "its scripts take nothing from a pile or bag"
        elif deed == "discard" and vocabulary.for_discarding and not facts.goals & {"", *vocabulary.for_discarding}:
            yield verb, "its scripts put nothing there"


def _numbers(text: str, facts: Facts) -> Found:
    for word in dict.fromkeys(match.group(1) for match in _NUMBER.finditer(text)):
        # Two that are there are both, without a number.
        if _number(word) not in facts.numbers and not (word.lower() == "both" and facts.has(ir.Roll, ir.Swap)):
            yield word, f"nothing in its scripts is {_number(word)}"
    drawn = {_number(match.group(1)): match.group(0) for match in _DRAWN.finditer(text)}
    if facts.drawn is not None and len(drawn) == 1:
        (number, words), (scripted, at) = drawn.popitem(), facts.drawn
        if number != scripted and number in {1, *facts.numbers}:
            yield words, f"its scripts draw {scripted}", at


def _number(word: str) -> int:
    low = word.lower()
    if low in ("a", "an", "one"):
        return 1
    if low in _SEVERAL:
        return _SEVERAL[low]
    return _NUMBERS.index(low) + 2 if low in _NUMBERS else int(word)


def _names(text: str, facts: Facts, vocabulary: Vocabulary, id: str) -> Found:
    for words, places in vocabulary.places(text):
        if not places & facts.places:
            yield words, "its scripts never go there"
    for words, places in vocabulary.sources(text):
        if places & facts.only_filled:
            yield words, "its scripts only put something there"
    for words, ids in vocabulary.things(text):
        if id not in ids and facts.definitions and not ids & facts.definitions:
            yield words, "its scripts ask for another"
    yield from _find_other_words(text, facts, vocabulary)


def _find_other_words(text: str, facts: Facts, vocabulary: Vocabulary) -> Found:
    for phrase, word, words in vocabulary.words(text):
        if word not in facts.words and words & facts.words:
            yield phrase, "its scripts say another word"


def _players(text: str, facts: Facts) -> Found:
    sides_told = {match.group(0): (match.group(1) or match.group(2)).lower() for match in _SIDE.finditer(text)}
    # A text that knows one side alone means it with what is done, too, and not only with what is asked.
    sides = facts.sides_of_deeds or facts.sides if len(set(sides_told.values())) == 1 else facts.sides
    for words, side in sides_told.items():
        if sides and (1 if side == "left" else -1) not in sides:
            yield words, f"its scripts go to the {'right' if side == 'left' else 'left'}", *sides.values()
    others = _OTHERS.search(text)
    if others is not None and not facts.has_others:
        yield others.group(0), "its scripts are not about the others"
    everyone = _EVERYONE.search(text)
    if everyone is not None and not facts.has_everyone:
        yield everyone.group(0), "its scripts are not about all players"


def _signs(text: str, facts: Facts, vocabulary: Vocabulary) -> Found:
    for pattern, added, why in ((_GAIN, True, "its scripts take that away"), (_LOSS, False, "its scripts add that")):
        for match in pattern.finditer(text):
            memory = vocabulary.numbers.get(match.group(2).lower())
            if memory is None:
                continue
            amounts = facts.amounts.get(memory)
            if facts.signs.get(memory) == {not added}:
                yield match.group(0), why, facts.changes[memory]
            elif amounts and _number(match.group(1)) not in amounts and _number(match.group(1)) in {1, *facts.numbers}:
                why = f"its scripts make it {' or '.join(map(str, sorted(amounts)))}"
                yield match.group(0), why, facts.changes[memory]


def _ends(text: str, facts: Facts) -> Found:
    for words, end, other in (("at the bottom", "bottom", "top"), ("on top", "top", "bottom")):
        if words in text.lower() and facts.ends and end not in facts.ends and other in facts.ends:
            yield words, f"its scripts put it at the {other}"
    for words, other in (("face up", "down"), ("face down", "up")):
        if words in text.lower() and facts.faces == {other} and f"face {other}" not in text.lower():
            yield words, f"its scripts put it face {other}"
