"""Where somebody who watches may stand while a game runs: what lowering asks of a report of what ran.

In: places in the source and what may happen there. Out: what is called each time it does; formulas that call it. Never:
counts; changes what a script does or a question answers.

Without `Probes` lowering writes nothing of this, so that nobody pays who does not watch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.syntax import At
from rulebook.interpreter.ops import Env, Formula
from rulebook.interpreter.run import NotThere, Run

Answer = Callable[[Run, tuple[Any, ...]], Any]
Count = Callable[[], None]
"""Called each time that something happens."""


Piece = ir.Sentence | ir.Line


class Probes(Protocol):
    """Who watches. The same place and the same `what` are the same point, however often they are lowered."""

    def point(self, at: At | None, what: str, text: str = "", block: Sequence[Piece] = ()) -> Count | None:
        """What to call when `what` happens at a place; None if nobody wants to know.

        `text` tells apart what happens at one place; `block` is what runs then.
        """

    def hook(self, id: str, hook: str) -> Count | None:
        """What to call when a card or action, by its id, does or answers what it has for a hook."""


def both(
    probes: Probes | None,
    asked: Formula,
    at: At | None,
    blocks: tuple[ir.Block, ir.Block] = ((), ()),
    text: str = "",
    about: At | None = None,
    words: tuple[str, str] = ("yes", "no"),
) -> Formula:
    """A condition that tells of both its answers, or of that for which there is a word.

    `blocks` are what runs then; `text`, or the words that stand at `about`, say what is asked.
    """
    if probes is None:
        return asked
    text = about.span.text if about is not None else text
    counted = zip(words, blocks, strict=True)
    yes, no = (probes.point(at, word, text, block) if word else None for word, block in counted)

    def told(run: Run, env: Env) -> Any:
        answer = asked(run, env)
        count = yes if answer else no
        if count is not None:
            count()
        return answer

    return told


def comes_true(probes: Probes | None, asked: Formula, at: At | None) -> Formula:
    """A condition that tells when it is met."""
    count = None if probes is None else probes.point(at, "until")
    if count is None:
        return asked
    met = count

    def told(run: Run, env: Env) -> Any:
        answer = asked(run, env)
        if answer:
            met()
        return answer

    return told


def question(probes: Probes, function: ir.Function, answer: Answer) -> Answer:
    """A question that tells that it is asked and, if it is one of yes or no, what it answers."""
    body, at = function.body, function.at
    lines = body.lines if isinstance(body, ir.Conditions | ir.Total) else ()
    at = at or (lines[0].at if lines else None)
    asked = probes.point(at, "question", function.name, body if isinstance(body, tuple) else lines)
    yes = no = None
    if function.type == t.YES_NO and not isinstance(body, ir.Const):
        yes = probes.point(at, "answers yes", function.name)
        # Of named conditions each has its own no.
        no = None if lines else probes.point(at, "answers no", function.name)

    def told(run: Run, arguments: tuple[Any, ...]) -> Any:
        if asked is not None:
            asked()
        value = answer(run, arguments)
        count = yes if value else no
        if count is not None:
            count()
        return value

    return told


def of_objects(probes: Probes | None, target: Formula, ids: Sequence[str], hook: str) -> Formula:
    """A formula of the card or action whose hook is to run, which tells which one it is."""
    if probes is None:
        return target
    known = {id: probes.hook(id, hook) for id in dict.fromkeys(ids)}
    counts = [known[id] for id in ids]

    def told(run: Run, env: Env) -> Any:
        found = target(run, env)
        count = None if found is None else counts[found]
        if count is not None:
            count()
        return found

    return told


def asked_of(probes: Probes | None, answers: list[Answer | None], ids: Sequence[str], hook: str) -> list[Answer | None]:
    """The answers of cards and actions to a hook, which tell which one was asked."""
    if probes is None:
        return answers
    counts = {id: probes.hook(id, hook) for id in dict.fromkeys(ids)}
    return [_asked(counts[id], answer) for id, answer in zip(ids, answers, strict=True)]


def _asked(count: Count | None, answer: Answer | None) -> Answer | None:
    if count is None or answer is None:
        return answer
    asked, known = count, answer

    def told(run: Run, arguments: tuple[Any, ...]) -> Any:
        asked()
        return known(run, arguments)

    return told


def label_text(label: ir.Expr) -> str:
    """A label as it is written."""
    if isinstance(label, ir.Const):
        return str(label.value)
    return label.at.span.text.strip('"') if label.at is not None else ""


def listed(source: ir.Source) -> tuple[str, ...]:
    """The words and texts of a list that is written out; of any other list none."""
    match source.list:
        case ir.Const(tuple(all_of_them)):
            values: tuple[object, ...] = all_of_them
        case ir.Listed(items):
            values = tuple(item.value for item in items if isinstance(item, ir.Const))
        case _:
            values = ()
    return tuple(value for value in values if isinstance(value, str))


def chosen(probes: Probes, statement: ir.Choose, lists: dict[int, tuple[Formula, ...]]) -> list[Formula]:
    """What tells, behind a choice, from which of its lists the answer came, and which written word it is.

    `lists` are the formulas of the sources of each pick, by its local.
    """
    found: list[Formula] = []
    for pick in statement.picks:
        for source, several in zip(pick.sources, lists[pick.slot], strict=True):
            at = source.list.at or statement.at
            words = listed(source)
            if len(pick.sources) > 1 and not words:
                count = probes.point(at, "source", at.span.text if at is not None else "")
                if count is not None:
                    found.append(_from_list(pick.slot, several, count))
            for word in words:
                count = probes.point(at, "word", word)
                if count is not None:
                    found.append(_this_word(pick.slot, word, count))
    return found


def _values(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _from_list(slot: int, several: Formula, count: Count) -> Formula:
    def look(run: Run, env: Env) -> None:
        try:
            offered = several(run, env) or ()
        except NotThere:
            return
        if any(one in offered for one in _values(env[slot])):
            count()

    return look


def _this_word(slot: int, word: str, count: Count) -> Formula:
    def look(run: Run, env: Env) -> None:
        if word in _values(env[slot]):
            count()

    return look
