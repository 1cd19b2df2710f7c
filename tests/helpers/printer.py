"""Syntax nodes back to source, in the one preferred form.

In: what the parser made of a script, an expression or a key. Out: its text, two spaces a level, brackets only
where precedence needs them, without a final line break; parsed again, it gives the same nodes.
Never: looks a name up, breaks a long line, or keeps comments and blank lines: the nodes know nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulebook.dsl import syntax as s
from rulebook.dsl.parsing.parser import VERBS

# Every form of expression has a level, loosest first; a place takes some of them without brackets.
_FOR, _CHOICE, _OF, _LIST, _OR, _AND, _NOT, _TEST, _RANGE, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(13)
_ANY = frozenset(range(13))
_SINGLE = _ANY - {_FOR}


def _from(level: int) -> frozenset[int]:
    return frozenset(range(level, 13))


_BRANCH = _from(_OR) | {_CHOICE}  # behind `else`
_WALKED = _from(_RANGE) | {_LIST}  # what `where` and `of` walk over


def print_script(block: s.Block) -> str:
    """The statements of a script."""
    return "\n".join(_block(block, ""))


def format_expression(expr: s.Expr) -> str:
    """One expression."""
    return _expr(expr, _ANY)


def print_ranking(keys: Iterable[s.Key]) -> str:
    """`most points(it) then count(tokens)`."""
    keys = tuple(keys)
    # One direction holds for all that follow; where two mix, each says its own.
    mixed = len({key.most for key in keys}) > 1
    said = [mixed or index == 0 for index in range(len(keys))]
    words = [("most " if key.most else "least ") if aloud else "" for key, aloud in zip(keys, said, strict=True)]
    return " then ".join(word + _expr(key.value, _from(_OR)) for word, key in zip(words, keys, strict=True))


def print_signature(signature: s.Signature) -> str:
    """`ability(me, guest mark)`; without parameters, the bare name."""
    if not signature.parameters:
        return signature.name
    return f"{signature.name}({', '.join(_parameter(one) for one in signature.parameters)})"


def print_expectation(expectation: s.Expectation) -> str:
    """A line of a scenario's `expect`."""
    subject, value = expectation.subject, expectation.value
    if subject is None:
        return "nobody wins" if value is None else _expr(value, _ANY)
    if value is None:
        if expectation.form == "nobody asked":
            return f"{_primary(subject)} sees nobody asked"
        return f"{_expr(subject, _ANY)} {expectation.form}"
    if expectation.form in ("has", "has no"):
        return f"{_expr(subject, _ANY)} {expectation.form} {_expr(value, _ANY)}"
    return f"{_primary(subject)} {expectation.form} {_guarded(_expr(value, _ANY), ('nobody',))}"


def _parameter(parameter: s.Parameter) -> str:
    if parameter.type is None:
        return parameter.name.text
    return f"{'set of ' if parameter.many else ''}{parameter.type} {parameter.name.text}"


# ── expressions ─────────────────────────────────────────────────────────────────────────────────────────────


def _expr(expr: s.Expr, place: frozenset[int]) -> str:
    level, text = _bare(expr)
    return text if level in place else f"({text})"


def _primary(expr: s.Expr) -> str:
    return _expr(expr, frozenset({_PRIMARY}))


def _guarded(text: str, words: Iterable[str]) -> str:
    """In brackets if its first word would mean something else there: `win (nobody)`, `x is (empty)`."""
    first = text.replace(".", " ").replace("(", " ").replace("[", " ").split(" ", 1)[0]
    return f"({text})" if first in words else text


def _bare(expr: s.Expr) -> tuple[int, str]:
    """The level of an expression and its text without brackets around it."""
    match expr:
        case s.Word():
            return _PRIMARY, expr.name
        case s.Number():
            return _PRIMARY, str(expr.value) if expr.unit is None else f"{expr.value} {expr.unit}"
        case s.Text():
            return _PRIMARY, _text(expr)
        case s.YesNo():
            return _PRIMARY, "yes" if expr.value else "no"
        case s.Nothing():
            return _PRIMARY, "nothing"
        case s.OriginalAnswer():
            return _PRIMARY, "original"
        case s.Added(condition):
            return _bare(condition)
        case s.Every():
            return _PRIMARY, f"every {expr.enumeration}"
        case s.Listed():
            return _PRIMARY, f"[{_arguments(expr.items)}]"
        case s.Dot():
            return _PRIMARY, f"{_primary(expr.owner)}.{expr.name}"
        case s.Method():
            return _PRIMARY, f"{_primary(expr.owner)}.{expr.name}({_arguments(expr.arguments)})"
        case s.Index():
            return _PRIMARY, f"{_primary(expr.owner)}[{_expr(expr.key, _ANY)}]"
        case s.Call():
            return _PRIMARY, f"{expr.name}({_arguments(expr.arguments)})"
        case s.Negative():
            return _UNARY, f"-{_expr(expr.value, _from(_UNARY))}"
        case s.ClockwiseFrom():
            return _UNARY, f"{'counter' if expr.backwards else ''}clockwise from {_primary(expr.start)}"
        case s.Arithmetic():
            level = _SUM if expr.operator in ("+", "-") else _PRODUCT
            return level, _infix(expr.left, _from(level), expr.operator, expr.right, _from(level + 1))
        case s.Range():
            return _RANGE, f"{_expr(expr.first, _from(_SUM))}..{_expr(expr.last, _from(_SUM))}"
        case s.Compare():
            right = _expr(expr.right, _from(_RANGE))
            right = _guarded(right, ("turn",) if expr.operator == "in" else ("empty", "something"))
            return _TEST, f"{_expr(expr.left, _from(_RANGE))} {expr.operator} {right}"
        case s.IsEmpty():
            return _TEST, f"{_expr(expr.value, _from(_RANGE))} is {'not ' * expr.negated}empty"
        case s.IsSomething():
            return _TEST, f"{_expr(expr.value, _from(_RANGE))} is {'not ' * expr.negated}something"
        case s.Not():
            return _NOT, f"not {_expr(expr.value, _from(_NOT))}"
        case s.And():
            return _AND, _infix(expr.left, _from(_AND), "and", expr.right, _from(_NOT))
        case s.Or():
            return _OR, _infix(expr.left, _from(_OR), "or", expr.right, _from(_AND))
        case s.Where():
            return _LIST, _infix(expr.list, _WALKED, "where", expr.condition, _from(_OR))
        case s.Sorted():
            return _LIST, f"{_expr(expr.list, _WALKED)} sorted by {print_ranking(expr.keys)}"
        case s.With():
            return _LIST, f"{_expr(expr.list, _WALKED)} with {print_ranking(expr.keys)}"
        case s.Of():
            return _OF, f"{expr.name} of {_expr(expr.list, _WALKED)}"
        case s.IfElse():
            then = _infix(expr.then, _from(_OR), "if", expr.condition, _from(_OR))
            return _CHOICE, f"{then} else {_expr(expr.otherwise, _BRANCH)}"
        case s.For():
            return _FOR, f"{_expr(expr.body, _SINGLE)} for {expr.name} in {_expr(expr.list, _SINGLE)}"
    assert_never(expr)


def _infix(left: s.Expr, left_place: frozenset[int], word: str, right: s.Expr, right_place: frozenset[int]) -> str:
    return f"{_expr(left, left_place)} {word} {_expr(right, right_place)}"


def _arguments(items: Iterable[s.Expr]) -> str:
    return ", ".join(_expr(one, _ANY) for one in items)


def _text(text: s.Text) -> str:
    parts = (_plain(one) if isinstance(one, str) else f"{{{_expr(one, _ANY)}}}" for one in text.parts)
    return f'"{"".join(parts)}"'


def _plain(part: str) -> str:
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("{", "{{"), ("}", "}}")):
        part = part.replace(sign, written)
    return part


# ── statements ──────────────────────────────────────────────────────────────────────────────────────────────


def _block(block: s.Block, indent: str) -> list[str]:
    return [line for one in block for line in _statement(one, indent)]


def _deeper(head: str, body: s.Block, indent: str) -> list[str]:
    return [f"{indent}{head}:", *_block(body, indent + "  ")]


def _otherwise(block: s.Block | None, indent: str) -> list[str]:
    return [] if block is None else _deeper("else", block, indent)


def _statement(statement: s.Statement | s.Seam | s.Beneath, indent: str) -> list[str]:
    """The lines of a statement; those with blocks here, the others are one line."""
    match statement:
        case s.Seam() | s.Beneath():
            return _block(statement.body, indent)
        case s.If():
            return _if(statement, "if", indent)
        case s.Each():
            head = f"each {statement.name.text} in {_expr(statement.list, _ANY)}{_label(statement.label)}"
            return _deeper(head, statement.body, indent)
        case s.Repeat():
            head = "loop" if statement.count is None else f"repeat {_expr(statement.count, _ANY)}"
            return _deeper(head + _label(statement.label), statement.body, indent)
        case s.Iterate():
            first, following = _expr(statement.first, _ANY), _expr(statement.next, _ANY)
            head = f"loop {statement.name.text} from {first}, then {following}{_label(statement.label)}"
            return _deeper(head, statement.body, indent)
        case s.Stage():
            until = "" if statement.until is None else f" until {_expr(statement.until, _ANY)}"
            head = f"stage {statement.name.text}{_prompt(statement.title)}{until}{_publicly(statement.publicly)}"
            return _deeper(head, statement.body, indent)
        case s.Choose():
            head = f"{_asking(statement.asking)} {_choice(statement.choice)}"
            if statement.body is None:
                return [indent + head + _else_leave(statement.leave)]
            return [*_deeper(head, statement.body, indent), *_otherwise(statement.otherwise, indent)]
        case s.EachChooses():
            asks = "may choose" if statement.may else _chooses(statement)
            head = f"{indent}each {statement.name.text} in {_expr(statement.players, _ANY)} {asks}"
            choices = [_choice(one) for one in statement.choices]
            if len(choices) == 1:
                return [f"{head} {choices[0]}{_else_leave(statement.leave)}"]
            return [head + ":", *(f"{indent}  {one}" for one in choices)]
        case s.Menu():
            head = f"{indent}{_asking(statement.asking)} one{_prompt(statement.prompt)}:"
            return [head, *_options(statement.options, indent), *_otherwise(statement.otherwise, indent)]
        case s.May():
            head = f"{_subject(statement.subject)}may {_text(statement.label)}"
            return [*_deeper(head, statement.body, indent), *_otherwise(statement.otherwise, indent)]
        case s.Offer():
            how = "together" if statement.together else "in turn"
            name = f"{statement.name.text}{_prompt(statement.prompt)}"
            head = f"{indent}offer {_expr(statement.players, _ANY)} {how} as {name}:"
            return [head, *_options(statement.options, indent), *_otherwise(statement.otherwise, indent)]
        case s.OfferChoice():
            how = "together" if statement.together else "in turn"
            who = f"offer {_expr(statement.players, _ANY)} {how} as {statement.name.text}"
            head = f"{who} to choose {_choice(statement.choice)}"
            return [*_deeper(head, statement.body, indent), *_otherwise(statement.otherwise, indent)]
        case _:
            return [indent + _sentence(statement)]


def _if(statement: s.If, word: str, indent: str) -> list[str]:
    lines = _deeper(f"{word} {_expr(statement.condition, _ANY)}", statement.body, indent)
    match statement.otherwise:
        case (s.If() as chained,):
            return lines + _if(chained, "else if", indent)
        case other:
            return lines + _otherwise(other, indent)


def _options(options: Iterable[s.MenuOption], indent: str) -> list[str]:
    lines: list[str] = []
    for one in options:
        condition = "" if one.condition is None else f" if {_expr(one.condition, _ANY)}"
        head = _text(one.label) + condition
        lines += _deeper(head, one.body, indent + "  ") if one.body else [f"{indent}  {head}"]
    return lines


_Simple = (
    s.Move | s.MovePieces | s.Draw | s.Deal | s.Pass | s.Swap | s.Shuffle | s.Roll | s.PickRandom | s.Arrange
    | s.Reveal | s.Cover | s.Show | s.Tell | s.Say | s.Set | s.Add | s.Let | s.Do | s.Win | s.Eliminate
    | s.Original | s.Leave | s.Return
)  # fmt: skip


def _sentence(one: _Simple) -> str:
    """A statement of one line."""
    match one:
        case s.Move():
            return f"move {_guarded(_expr(one.what, _ANY), ('all',))} to {_destination(one.goal)}"
        case s.MovePieces():
            count = "all" if one.count is None else _guarded(_expr(one.count, _ANY), ("all",))
            return f"move {count} from {_expr(one.source, _ANY)} to {_destination(one.goal)}"
        case s.Draw():
            way = f"{_expr(one.count, _ANY)} from {_expr(one.source, _ANY)} to {_destination(one.goal)}"
            return f"draw {way}{_label(one.name)}"
        case s.Deal():
            return f"deal {_expr(one.count, _ANY)} from {_expr(one.source, _ANY)} to each {one.place.text}"
        case s.Pass():
            return f"pass each {one.place.text} {one.direction}"
        case s.Swap():
            return f"swap {_primary(one.first)} with {_primary(one.second)}"
        case s.Shuffle():
            return f"shuffle {_expr(one.place, _ANY)}"
        case s.Roll():
            return f"roll {_expr(one.dice, _ANY)}"
        case s.PickRandom():
            return f"pick {_count(one.count)}{_names(one.names)} from {_expr(one.source, _ANY)} at random"
        case s.Arrange():
            verb = "arrange" if one.subject is None else "arranges"
            return f"{_subject(one.subject)}{verb} {_expr(one.what, _ANY)}"
        case s.Reveal():
            return f"reveal {_expr(one.what, _ANY)}"
        case s.Cover():
            return f"turn {_expr(one.what, _ANY)} face down"
        case s.Show():
            return f"show {_expr(one.what, _ANY)} to {_expr(one.to, _ANY)}"
        case s.Tell():
            return f"tell {_expr(one.to, _ANY)} whether {_expr(one.question, _ANY)}"
        case s.Say():
            to = "" if one.to is None else f" to {_expr(one.to, _ANY)}"
            return f"say {_text(one.text)}{to}{_publicly(one.publicly)}"
        case s.Set():
            return f"set {_primary(one.target)} = {_expr(one.value, _ANY)}{_publicly(one.publicly)}"
        case s.Add():
            return f"add {_expr(one.value, _ANY)} to {_primary(one.target)}{_publicly(one.publicly)}"
        case s.Let():
            return f"let {', '.join(name.text for name in one.names)} = {_expr(one.value, _ANY)}"
        case s.Do():
            stand_in = "" if one.stand_in is None else f" for {_primary(one.stand_in)}"
            return f"do {_primary(one.call)}{stand_in}{_label(one.name)}"
        case s.Win(()):
            return "win nobody"
        case s.Win((players,)):
            return f"win {_guarded(_expr(players, _ANY), ('nobody',))}"
        case s.Win(groups):
            # What is sorted has keys with a `then` of their own.
            return f"win {' then '.join(_guarded(_primary(players), ('nobody',)) for players in groups)}"
        case s.Eliminate():
            return f"eliminate {_expr(one.players, _ANY)}"
        case s.Original():
            return f"original{_label(one.name)}"
        case s.Leave():
            return one.how if one.name is None else f"{one.how} {one.name.text}"
        case s.Return():
            return "return" if one.value is None else f"return {_expr(one.value, _ANY)}"
    assert_never(one)


def _subject(subject: s.Expr | None) -> str:
    return "" if subject is None else _guarded(_primary(subject), VERBS) + " "


def _chooses(asked: s.Asking | s.EachChooses) -> str:
    return "always " * asked.always + "secretly " * asked.secretly + "chooses"


def _asking(asking: s.Asking) -> str:
    if asking.subject is None:
        return "may choose" if asking.may else "always choose" if asking.always else "choose"
    how = "may choose" if asking.may else _chooses(asking)
    return _subject(asking.subject) + how


def _choice(choice: s.Choice) -> str:
    sources = ", ".join(_expr(one, _ANY) for one in choice.sources)
    so_that = "" if choice.so_that is None else f" so that {_expr(choice.so_that, _from(_OR))}"
    return f"{_count(choice.count)}{_names(choice.names)} from {sources}{so_that}{_prompt(choice.prompt)}"


def _count(count: s.Count) -> str:
    low, high = (None if one is None else _number(one) for one in (count.low, count.high))
    match count.how:
        case "one":
            return ""
        case "exactly":
            return f"{low} "
        case "range":
            return f"{low}..{high} "
        case "up to":
            return f"up to {high} "
    return f"{count.how} "


def _number(expr: s.Expr) -> str:
    """A number that counts stands bare; anything else in brackets, because a name follows."""
    return str(expr.value) if isinstance(expr, s.Number) and expr.unit is None else f"({_expr(expr, _ANY)})"


def _names(names: Iterable[s.Name]) -> str:
    return ", ".join(one.text for one in names)


def _destination(goal: s.Destination) -> str:
    return _expr(goal.place, _ANY) + (goal.end and f" {goal.end}") + (goal.face and f" face {goal.face}")


def _else_leave(leave: s.Statement | None) -> str:
    return "" if leave is None else f" else {_statement(leave, '')[0]}"


def _label(name: s.Name | None) -> str:
    return "" if name is None else f" as {name.text}"


def _prompt(text: s.Text | None) -> str:
    return "" if text is None else f" {_text(text)}"


def _publicly(publicly: bool) -> str:
    return " publicly" if publicly else ""
