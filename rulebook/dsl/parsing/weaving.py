"""A script and what variants do at its sentences, as one tree: each text is parsed from its own scalar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, evolve, field, fields, has

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import syntax as s
from rulebook.dsl.document import IN_A_SENTENCE, At, Scalar, Seamed
from rulebook.dsl.parsing.parser import BLOCKS, parse_expression, parse_head, parse_label, parse_script, strip_colon

_DEEPEST = 48  # blocks within one another; one text has about 32
SOURCES: dict[type, str] = {
    s.Each: "list", s.EachChooses: "players", s.Offer: "players", s.OfferChoice: "players", s.PickRandom: "source",
}  # fmt: skip
"""The field of a sentence that holds the list to which a condition belongs; of a choice, it is that of its lines."""


def parse_woven(scalar: Scalar, seams: Sequence[Seamed], where: str = "") -> tuple[s.Block | None, list[Diagnostic]]:
    """Parse a script with what variants do at its sentences; None, with messages, if any of it cannot be read."""
    tree, messages = parse_script(scalar, where)
    if tree is None or not seams:
        return tree, messages
    weaving = _Weaving(where)
    for seam in seams:
        weaving.seams.setdefault(seam.at, []).append(seam)
    woven = weaving.weave_block(tree)
    messages += weaving.messages
    if not messages and _is_deep(woven):
        problem = "a script with so much inside one another"
        help = "Give parts of it names of their own under `rules:`."
        messages.append(diagnose("RB106", seams[-1].span, problem=problem, help=help))
    return (None if messages else woven), messages


def takes_condition(node: Any, doing: str) -> bool:
    """Tell whether a sentence, or a line of one, has a list that a condition can narrow, or a choice to judge whole."""
    if isinstance(node, s.Choice | s.Choose | s.OfferChoice):
        return True
    return (isinstance(node, s.EachChooses) and len(node.choices) == 1) or (doing == "where" and type(node) in SOURCES)


@define
class _Weaving:
    """Puts together one script."""

    where: str
    seams: dict[At, list[Seamed]] = field(factory=dict)
    messages: list[Diagnostic] = field(factory=list)
    removed_label: Seamed | None = None
    """The last seam that took a label away."""

    def weave_block(self, block: s.Block) -> s.Block:
        return tuple(woven for node in block for woven in self._weave_sentence(node))

    def _weave_sentence(self, node: s.Statement | s.Seam | s.Beneath) -> s.Block:
        if isinstance(node, s.Seam | s.Beneath):
            return (node,)
        node = self._weave_inside(node)
        around: list[Seamed] = []
        while seams := self.seams.pop(node.at, []):
            around += [seam for seam in seams if seam.doing not in IN_A_SENTENCE]
            for seam in seams:
                if seam.doing in IN_A_SENTENCE:
                    node = self._change_sentence(node, seam)
        if getattr(node, "options", None) == () and self.removed_label is not None:
            help = "It is the last label. Remove the menu itself, or change this label."
            span = self.removed_label.span
            self.messages.append(diagnose("RB724", span, where=self.where, help=help, verb="remove", path=span.text))
        woven: s.Block = (node,)
        reads = frozenset(_find_read(node))
        for seam in around:
            woven = self._lay_around(woven, seam, reads)
        return woven

    def _weave_inside(self, node: Any) -> Any:
        """Weave the blocks, labels and lines of a sentence."""
        parts: dict[str, Any] = {}
        for name in BLOCKS:
            inner = getattr(node, name, None)
            if not inner:
                continue
            match name:
                case "options":
                    parts[name] = tuple(other for option in inner for other in self._weave_label(option))
                case "choices":
                    parts[name] = tuple(map(self._weave_line, inner))
                case _:
                    parts[name] = self.weave_block(inner)
        return evolve(node, **parts) if parts else node

    def _weave_label(self, option: s.MenuOption) -> tuple[s.MenuOption, ...]:
        """Weave a label, which is a script of its own."""
        option = evolve(option, body=self.weave_block(option.body))
        while seams := self.seams.pop(option.at, ()):
            for seam in seams:
                if seam.doing == "remove":
                    self.removed_label = seam
                    return ()
                if seam.doing == "change of head":
                    head, mistakes = parse_label(At(seam, 0, len(strip_colon(seam.text))), self.where)
                    self.messages += mistakes
                    option = option if head is None else evolve(head, body=option.body)
                else:
                    option = evolve(option, body=self._lay_around(option.body, seam))
        return (option,)

    def _weave_line(self, choice: s.Choice) -> s.Choice:
        for seam in self.seams.pop(choice.at, ()):
            choice = self._add_condition(choice, seam)
        return choice

    def _change_sentence(self, node: Any, seam: Seamed) -> Any:
        """Change a part of a sentence: its head, its condition, its labels."""
        match seam.doing:
            case "change of head":
                head: Any = parse_head(seam, node)
                assert head is not None, "the overlay has looked"
                kept = {name: getattr(node, name) for name in BLOCKS if getattr(node, name, None) is not None}
                return evolve(head, **{name: None for name in BLOCKS if getattr(head, name, None) is not None} | kept)
            case "label":
                assert seam.label is not None
                option, mistakes = parse_label(seam.label, self.where)
                body, more = self._parse(seam)
                self.messages += [*mistakes, *more]
                if option is None or body is None:
                    return node
                body = (s.Seam(self.weave_block(body), seam.variant, at=At(seam, 0, len(seam.text))),)
                return evolve(node, options=(*node.options, evolve(option, body=body)))
        return self._add_condition(node, seam)

    def _add_condition(self, node: Any, seam: Seamed) -> Any:
        condition, mistakes = parse_expression(seam, self.where)
        self.messages += mistakes
        if condition is None:
            return node
        added = s.Added(condition, seam.variant, at=condition.at)
        if isinstance(node, s.Choose) or (isinstance(node, s.OfferChoice) and seam.doing == "so that"):
            return evolve(node, choice=_narrow_choice(node.choice, added, seam.doing))
        if isinstance(node, s.Choice):
            return _narrow_choice(node, added, seam.doing)
        if seam.doing == "so that":
            return evolve(node, choices=(_narrow_choice(node.choices[0], added, seam.doing),))
        name = SOURCES[type(node)]
        return evolve(node, **{name: _narrow_list(getattr(node, name), added)})

    def _lay_around(self, block: s.Block, seam: Seamed, reads: frozenset[str] = frozenset()) -> s.Block:
        """Lay a variant's sentences before, behind or around some, or in their place; `reads` are names in those."""
        if seam.doing == "remove":
            return ()
        body, mistakes = self._parse(seam)
        self.messages += mistakes
        if body is None:
            return block
        gives: frozenset[str] = frozenset()
        if seam.doing in ("instead of", "change"):
            gives = frozenset(_find_names(block))
        if seam.doing != "instead of":
            reads = frozenset()
        else:
            body, originals = _put_original(body, block)
            if len(originals) > 1:
                help, problem = "Put before and behind it what differs.", "stands here for the second time"
                span = originals[1].at.span
                self.messages.append(diagnose("RB309", span, where=self.where, help=help, problem=problem))
        around = (s.Seam(self.weave_block(body), seam.variant, gives, reads - gives, at=At(seam, 0, len(seam.text))),)
        match seam.doing:
            case "before":
                return (*around, *block)
            case "after":
                return (*block, *around)
        return around

    def _parse(self, seam: Seamed) -> tuple[s.Block | None, list[Diagnostic]]:
        return parse_script(seam, self.where)


def _narrow_choice(choice: s.Choice, added: s.Added, doing: str) -> s.Choice:
    if doing == "so that":
        both = added if choice.so_that is None else s.And(choice.so_that, added, at=choice.so_that.at)
        return evolve(choice, so_that=both)
    return evolve(choice, sources=tuple(_narrow_list(source, added) for source in choice.sources))


def _narrow_list(items: s.Expr, added: s.Added) -> s.Expr:
    """Add a condition to that of a list, or as its first one right behind it: before anything is sorted or best."""
    match items:
        case s.Sorted() | s.With():
            return evolve(items, list=_narrow_list(items.list, added))
        case s.Where():
            return evolve(items, condition=s.And(items.condition, added, at=items.condition.at))
    return s.Where(items, added, at=items.at)


def _put_original(tree: Any, block: s.Block) -> tuple[Any, list[s.Original]]:
    """Put the sentences that were there in the place of `original`; return where it is written too."""
    originals: list[s.Original] = []

    def put(sentences: s.Block) -> s.Block:
        return tuple(map(put_one, sentences))

    def put_one(node: Any) -> Any:
        if isinstance(node, s.Original) and node.name is None:
            originals.append(node)
            return s.Beneath(block, at=node.at)
        parts: dict[str, Any] = {}
        for name in ("body", "otherwise"):
            if inner := getattr(node, name, None):
                parts[name] = put(inner)
        if isinstance(node, s.Menu | s.Offer):
            parts["options"] = tuple(evolve(option, body=put(option.body)) for option in node.options)
        return evolve(node, **parts) if parts else node

    return put(tree), originals


def _find_names(block: Any) -> set[str]:
    """Return the names that sentences give to what they choose, draw, reckon or do; not those of loops."""
    names: set[str] = set()
    for node in block:
        match node:
            case s.Choose():
                names |= {name.text for name in node.choice.names}
            case s.EachChooses():
                names |= {name.text for choice in node.choices for name in choice.names}
            case s.PickRandom() | s.Let():
                names |= {name.text for name in node.names}
            case s.Draw() | s.Do() | s.Original() if node.name is not None:
                names.add(node.name.text)
            case s.Seam():
                names |= node.gives
                continue
        for inner in (getattr(node, name, None) for name in BLOCKS if name != "choices"):
            names |= _find_names(inner or ())
    return names


def _find_read(node: Any) -> set[str]:
    """Return the words that stand in a sentence, without those in its blocks, and what it sets."""
    match node:
        case tuple():
            return set[str]().union(*map(_find_read, node))
        case s.Word(name):
            return {name}
        case s.Set(s.Word(), value):
            return _find_read(value)
    if not has(type(node)):
        return set()
    inner = (part.name for part in fields(type(node)) if part.name not in ("at", "body", "otherwise"))
    return _find_read(tuple(getattr(node, name) for name in inner))


def _is_deep(tree: Any) -> bool:
    """Tell whether there are too many blocks within one another."""
    level = [tree]
    for _ in range(_DEEPEST):
        level = [
            inner for block in level for node in block for name in BLOCKS
            if name != "choices" and (inner := getattr(node, name, None))
        ]  # fmt: skip
        if not level:
            return False
    return True
