"""Misfits with the schema: exceptions while records are made, and the messages they become.

An unknown key is shown at the key, a missing one at the key of its parent, a wrong value at the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Fix, diagnose, did_you_mean, nearest
from rulebook.dsl.commas import cut_off
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.schema import Kind, Result
from rulebook.source import Span

PAYOFF = "payoff(p)"
_RENAMED = {(Kind, "parent"): "is", (Result, "payoff"): PAYOFF}

# What the entries of a section are called.
_THINGS = {
    "units": "unit", "options": "option", "words": "list of words", "kinds": "kind", "cards": "card",
    "places": "place", "memory": "memory", "values": "value", "rules": "rule", "actions": "action",
    "has": "attribute", "state": "state", "asks": "question", "does": "hook", "may_do": "hook",
    "comes_with": "companion", "forbid": "reason", "whenever": "trigger",
}  # fmt: skip
_SIDES = ("table", "player")
NO_LIST = "Each card stands under its own name, without a `-`: `goblin: {kind: note, name: Goblin}`."

_ELSEWHERE = {
    "variant": "A variant is a file of its own in the folder `variants/`.",
    "scenarios": "Scenarios stand in files of their own in the folder `scenarios/`.",
    **dict.fromkeys(("events", "triggers", "when"), "What happens as soon as something becomes so: `whenever:`."),
}
_FIRST_LINES = {
    "format": "Add a line `format: 1`: the version of the language, so that old rulebooks stay readable.",
    "name": "Add a line `name: …` with the name of the game.",
    "players": "Add a line `players: 2..4`: how few and how many may play.",
}


class Misfit(Exception):
    """A value that does not fit: the message's code, its place (None: the key's), what mends it, and its values."""

    def __init__(
        self, code: str, span: Span | None, help: str | None = None, fix: Fix | None = None, **values: str
    ) -> None:
        super().__init__(code, values)
        self.code, self.span, self.help, self.fix, self.values = code, span, help, fix, values


class Misfits(ExceptionGroup[Exception]):
    """Several at once."""


@frozen
class At:
    """A place in the rulebook: the keys that lead there, the node, and the key it stands under."""

    path: tuple[str, ...]
    node: Node
    key: Scalar | None

    def child(self, name: str) -> At:
        """One step down; the place stays the same if there is no such entry."""
        path = (*self.path, name)
        if isinstance(self.node, Mapping):
            named = [name] if name in self.node else filter(is_payoff, self.node if name == PAYOFF else ())
            for written in named:
                return At(path, self.node[written], self.node.keys_at[written])
        return At(path, self.node, self.key)

    @property
    def span(self) -> Span:
        """The key; for the rulebook itself, its first one."""
        if self.key is not None:
            return self.key.span
        keys = list(self.node.keys_at.values()) if isinstance(self.node, Mapping) else []
        return keys[0].span if keys else self.node.span

    @property
    def thing(self) -> str:
        """The name of the entry, as a sentence begins: "The card `goblin`", "`cost`"."""
        if not self.path:
            return "A rulebook"
        *above, name = self.path
        if above and above[-1] in _SIDES:
            above.pop()
        word = _THINGS.get(above[-1]) if above else None
        return f"The {word} `{name}`" if word else f"`{name}`"

    @property
    def where(self) -> str:
        """The named thing around it: "kind note"."""
        depth = 3 if self.path[1:2] and self.path[1] in _SIDES else 2
        if len(self.path) < depth:
            return ""
        return f"{_THINGS.get(self.path[0], self.path[0])} {self.path[depth - 1]}"


def is_payoff(key: str) -> bool:
    """Tell whether a key is that of the payoff, whose parameter may have any name."""
    return key.startswith("payoff(")


def find_key(cl: type, name: str) -> str:
    """The key under which authors write an attribute of a record."""
    return _RENAMED.get((cl, name), name)


def list_messages(error: BaseException, at: At) -> Iterator[Diagnostic]:
    """The messages of an exception and of all that it holds."""
    match error:
        case ClassValidationError():
            inside, beside = error.group_exceptions()
            legal = _legal(error.cl)
            extra = [name for slip in beside if isinstance(slip, ForbiddenExtraKeysError) for name in slip.extra_fields]
            misspelt = {nearest(name, legal) for name in extra}
            for inner, note in inside:
                name = find_key(error.cl, note.name)
                if type(inner) is not KeyError:
                    yield from list_messages(inner, at.child(name))
                elif name not in misspelt:
                    yield _report_missing(name, at)
            for other in beside:
                yield from list_messages(other, at)
        case ForbiddenExtraKeysError():
            for name in sorted(error.extra_fields):
                yield _report_unknown(name, _legal(error.cl), at)
        case IterableValidationError():
            for inner, index in error.group_exceptions()[0]:
                yield from list_messages(inner, at.child(str(index.index)))
        case Misfits():
            for inner in error.exceptions:
                yield from list_messages(inner, at)
        case Misfit():
            values: dict[str, Any] = {"what": at.thing, "thing": at.thing} | error.values
            span = at.span if error.span is None else error.span
            yield diagnose(error.code, span, where=at.where, help=error.help, fix=error.fix, **values)
        case _:
            raise error


def _legal(cl: type) -> list[str]:
    return [find_key(cl, field.name) for field in fields(cl) if field.name != "key"]


def _report_missing(name: str, at: At) -> Diagnostic:
    help = None if at.path else _FIRST_LINES.get(name)
    return diagnose("RB111", at.span, where=at.where, help=help, thing=at.thing, field=name)


def _report_unknown(name: str, legal: list[str], at: At) -> Diagnostic:
    help = None if at.path else _ELSEWHERE.get(name)
    node = at.child(name).node
    if not at.path and isinstance(node, Mapping) and "kind" in node:
        help = "If this is a card, it stands below `cards:`, two spaces deeper."
    if isinstance(at.node, Mapping) and name in at.node:
        help = help or cut_off(at.node, name)
    help = help or did_you_mean(name, legal) or f"Its fields: {', '.join(f'`{field}`' for field in legal)}."
    return diagnose("RB110", at.child(name).span, where=at.where, help=help, thing=at.thing, field=name)
