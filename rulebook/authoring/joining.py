"""A script and what variants hang on it, as the one script that does the same."""

from __future__ import annotations

import re
from textwrap import indent
from typing import Any

from attrs import define, field

from rulebook.comparing.spliced import splice_script
from rulebook.dsl import syntax as s
from rulebook.dsl.checking.scope import find_originals, walk_syntax
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Seamed, find_layers, find_seams
from rulebook.dsl.naming.layer_names import name_beneath
from rulebook.dsl.overlay.paths import Keys, strip_parameters
from rulebook.dsl.parsing.parser import is_block, parse_expression, parse_script
from rulebook.dsl.sourcemap import Style
from rulebook.source import SourceFile, Span

_ORIGINAL = re.compile(r"^( *)original\b", re.MULTILINE)
_SIMPLE = re.compile(r"[\w.]+(\([\w., ]*\))?")


class CannotJoin(Exception):
    """A script that cannot be written as one with what hangs on it: its path, and a sentence."""

    def __init__(self, keys: Keys, why: str) -> None:
        super().__init__(f"`{'.'.join(keys)}` {why}.")
        self.path = ".".join(keys)


@define
class Joiner:
    """Joins the scripts of a game. What lies beneath those that stand in `apart` becomes a rule or value of its own."""

    apart: set[Keys] = field(factory=set)
    joined: list[Keys] = field(factory=list)
    """The paths of scripts on which something hangs."""
    made: dict[Keys, Node] = field(factory=dict)
    """The rules and values that were made, by their paths."""
    called: dict[str, str] = field(factory=dict)
    """The names of what lies beneath a script, with those that it has since."""

    def join_all(self, now: Mapping, keys: Keys = ()) -> Mapping:
        """Return a map in which every script is one."""
        joined = Mapping(now.span)
        for name, node in now.items():
            path = (*keys, name)
            if isinstance(node, Mapping):
                inner = self.join_all(node, path)
                is_same = len(inner) == len(node) and all(inner[name] is node[name] for name in node)
                joined.put(now.keys_at[name], node if is_same else inner)
            elif isinstance(node, Layered | Seamed):
                self.joined.append(path)
                text = self._join(path, node, find_seams(node), _name_fully(path))
                joined.put(now.keys_at[name], make_text(text))
            else:
                joined.put(now.keys_at[name], node)
        for path, script in self.made.items() if not keys else ():
            section = Mapping(now.span)
            if isinstance(there := joined.get(path[0]), Mapping):
                section.take_entries(there)
            key = joined.keys_at.get(path[0]) or make_text(path[0])
            section.put(make_text(path[1]), script)
            joined.put(key, section)
        return joined

    def _join(self, keys: Keys, node: Node, seams: tuple[Seamed, ...], name: str) -> str:
        layer = next(find_layers(node))
        if isinstance(layer, Mapping):
            raise CannotJoin(keys, "has named lines, and those cannot be part of another answer")
        assert isinstance(layer, Scalar)
        own = splice_script(layer, seams)
        if not isinstance(layer, Layered):
            return own
        is_question = _is_question(keys)
        tree: Any = None
        if layer.place == "instead of":
            script = make_text(own)
            is_script = not is_question or is_block(own)
            tree, _ = parse_script(script) if is_script else parse_expression(script)
            if not find_originals(tree):
                return own
        if keys in self.apart:
            beneath, gives = self._set_apart(keys, layer.beneath, seams, name, is_question)
        else:
            beneath, gives = self._join(keys, layer.beneath, seams, name_beneath(name)), False
        if is_question:
            return _join_question(keys, layer.place, own, beneath, tree)
        if layer.place == "instead of":
            return _ORIGINAL.sub(lambda match: indent(beneath, match[1]), own)
        if layer.place == "after":
            return f"{beneath}{' as answer' if gives else ''}\n{own}" + ("\nreturn answer" if gives else "")
        return f"{own}\n{beneath}" + (" as answer\nreturn answer" if gives else "")

    def _set_apart(
        self, keys: Keys, node: Node, seams: tuple[Seamed, ...], name: str, is_question: bool
    ) -> tuple[str, bool]:
        """Make a rule or value of what lies beneath a script; return the call of it, and whether it gives something."""
        section, key = ("values" if is_question else "rules"), keys[1]
        if keys[0] == "actions":
            key = f"{key}{'_possible' if is_question else ''}(me)"
        elif keys[0] != section:
            raise CannotJoin(
                keys, "is no rule or value, so what something hangs on there cannot have a name of its own"
            )
        plain = strip_parameters(key)
        number = sum(strip_parameters(made[1]).startswith(f"{plain}_original") for made in self.made) + 1
        own = f"{plain}_original{number if number > 1 else ''}"
        parameters = key[len(plain) :]
        call = f"{own}({', '.join(part.split()[-1] for part in parameters.strip('()').split(',') if part.split())})"
        self.called[name_beneath(name)] = f"{section}.{own}"
        self.made[section, f"{own}{parameters}"] = make_text("")  # the name is taken
        beneath = next(find_layers(node))
        text = None if isinstance(beneath, Mapping) else self._join(keys, node, seams, name_beneath(name))
        self.made[section, f"{own}{parameters}"] = beneath if text is None else make_text(text)
        if is_question:
            return call, False
        tree, _ = parse_script(make_text(text or ""))
        return f"do {call if parameters.strip('()') else own}", _gives(tree)


def make_text(text: str) -> Scalar:
    """A text that stands in no file."""
    style: Style = "literal" if "\n" in text.strip("\n") or is_block(text) else "plain"
    return Scalar(text, style, Span(SourceFile("", text), 0, len(text)))


def _join_question(keys: Keys, place: str, own: str, beneath: str, tree: Any) -> str:
    if place == "before":
        return f"{own}\n{beneath}" if is_block(beneath) else f"{own}\nreturn {beneath}"
    if is_block(beneath):
        raise CannotJoin(keys, "is a script with an answer, and that cannot be part of another answer")
    at = find_originals(tree)[0].at
    answer = beneath if _SIMPLE.fullmatch(beneath) else f"({beneath})"
    return own[: at.start] + answer + own[at.end :]


def _gives(tree: Any) -> bool:
    """Tell whether a script gives something back."""
    return any(isinstance(node, s.Return) and node.value is not None for node in walk_syntax(tree))


def _is_question(keys: Keys) -> bool:
    return keys[0] in ("values", "result") or keys[-1] in ("possible", "default")


def _name_fully(keys: Keys) -> str:
    """Name a script as the rulebook does."""
    return ".".join((keys[0], strip_parameters(keys[1]), *keys[2:]))
