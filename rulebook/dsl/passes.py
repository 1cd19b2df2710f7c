"""Every pass over a rulebook, in order: an authored rulebook becomes IR, or a list of everything that is wrong."""

from __future__ import annotations

from attrs import frozen

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
    found: list[Diagnostic]
    texts_to_write: tuple[str, ...] = ()


def check_rulebook(authored: schema.Authored, *, meant: bool = False) -> Checked:
    """Everything: names, types, scripts, secrets.

    With `meant`, also what is right in every word and says nothing; only a rulebook without mistakes is asked for that.
    """
    world, found = gather(authored)
    checker = Checker(world, found)
    rulebook = checker.check_rulebook()
    found += check_forbidden(rulebook)
    found += check_laying_out(rulebook)
    if len(found) >= MOST_FOUND:
        problem = f"{MOST_FOUND} problems in one game; the rest of it was not looked at"
        found.append(diagnose("RB106", found[-1].span, problem=problem, help="Mend these first."))
    if not has_errors(found):
        found += check_goals(rulebook, world)
        rulebook, more = guard_secrets(rulebook, world)
        found += more
    elif len(found) < MOST_FOUND:
        found += find_leaks_beside(rulebook, world, found)
    broken = has_errors(found, certain=True)
    if meant and not broken:
        found += lint(rulebook, world)
    return Checked(None if broken else rulebook, world, drop_repeated(found), () if broken else tuple(checker.told))


def drop_repeated(found: list[Diagnostic]) -> list[Diagnostic]:
    """A script that several cards share is read once for each; its mistakes are one mistake."""
    first: dict[object, Diagnostic] = {}
    for one in found:
        first.setdefault(one.key, one)
    return list(first.values())
