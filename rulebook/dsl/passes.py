"""Every pass over a rulebook, in order: an authored rulebook becomes IR, or a list of everything that is wrong."""

from __future__ import annotations

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose, has_errors
from rulebook.dsl import ir, schema
from rulebook.dsl.checking.checker import Checker
from rulebook.dsl.checking.goals import check_goals
from rulebook.dsl.checking.statements import MOST_FOUND
from rulebook.dsl.leaks_beside import find_leaks_beside
from rulebook.dsl.lint import lint
from rulebook.dsl.naming.gathering import gather
from rulebook.dsl.secrets.taint import guard_secrets
from rulebook.dsl.settling.forbidding import check_forbidden
from rulebook.dsl.settling.laying_out import check_laying_out
from rulebook.dsl.world import World


@frozen
class Checked:
    """A rulebook, or None when an error is certain: it is not whole then. Its names, and everything that is wrong.

    `texts_to_write` are the cards and actions whose text is `auto`: it is made from what they do.
    """

    rulebook: ir.Rulebook | None
    world: World
    messages: list[Diagnostic]
    texts_to_write: tuple[str, ...] = ()


def check_rulebook(authored: schema.Authored, *, meant: bool = False) -> Checked:
    """Everything: names, types, scripts, secrets.

    With `meant`, also what is right in every word and says nothing; only a rulebook without mistakes is asked for that.
    """
    world, messages = gather(authored)
    checker = Checker(world, messages)
    rulebook = checker.check_rulebook()
    messages += check_forbidden(rulebook)
    messages += check_laying_out(rulebook)
    if len(messages) >= MOST_FOUND:
        problem = f"{MOST_FOUND} problems in one game; the rest of it was not looked at"
        messages.append(diagnose("RB106", messages[-1].span, problem=problem, help="Mend these first."))
    if not has_errors(messages):
        messages += check_goals(rulebook, world)
        rulebook, more = guard_secrets(rulebook, world)
        messages += more
    elif len(messages) < MOST_FOUND:
        messages += find_leaks_beside(rulebook, world, messages)
    broken = has_errors(messages, certain=True)
    if meant and not broken:
        messages += lint(rulebook, world)
    return Checked(None if broken else rulebook, world, drop_repeated(messages), () if broken else tuple(checker.auto))


def drop_repeated(messages: list[Diagnostic]) -> list[Diagnostic]:
    """A script that several cards share is read once for each; its mistakes are one mistake."""
    first: dict[object, Diagnostic] = {}
    for message in messages:
        first.setdefault(message.key, message)
    return list(first.values())
