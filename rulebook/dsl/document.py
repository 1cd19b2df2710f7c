"""The nodes of a file that was read: scalars, mappings and sequences, each with its place.

A node does not decide what it is: `5`, `yes` and `draw 2` are text here, because only the schema knows what is wanted.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl.sourcemap import SourceMap, Style, make_source_map
from rulebook.source import Span

_WORD = re.compile(r"\w+")


@frozen(eq=False, weakref_slot=False)
class Scalar:
    """One piece of text: `cost: 2` holds the scalars `cost` and `2`.

    `text` is what YAML makes of it (quotes, escapes and indentation resolved, always `\\n` for a line break).
    `span` covers its raw text in the file: with the quotes, and for a block from its `|` or `>`. A value that
    was left out is an empty plain scalar whose span is empty too.
    """

    text: str
    style: Style
    span: Span = field(repr=False)

    @cached_property
    def _map(self) -> SourceMap | None:
        # Most scalars are never part of a message, so the map waits until somebody asks.
        return make_source_map(self.span.text, self.style, self.text)

    def locate(self, start: int, end: int) -> Span:
        """The exact place in the file of `self.text[start:end]`; the whole span if it cannot be known.

        Offsets outside the text mean its nearest end; an empty range gives an empty span (at the end of the
        text, just behind its last character).
        """
        ranges = self._map
        if ranges is None:
            return self.span
        first, last = ranges.find_raw_range(start, end)
        return Span(self.span.file, self.span.start + first, self.span.start + last)


class At(NamedTuple):
    """The place of a node: a range of a script's text; the place in the file is worked out only when somebody asks."""

    scalar: Scalar
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.scalar.locate(self.start, self.end)

    @property
    def words(self) -> str:
        """The author's own words."""
        return self.scalar.text[self.start : self.end].strip()


@frozen(eq=False, weakref_slot=False)
class Layered(Scalar):
    """A script that a variant hung on another, as `before`, `after` or `instead of` it.

    `beneath` is what lay there: a script, a map of named lines, or again a layer, of the variant before this one.
    Only where a script is wanted is a layer anything but a mistake.
    """

    place: Literal["before", "after", "instead of"] = field(kw_only=True)
    beneath: "Node" = field(kw_only=True, repr=False)


Doing: TypeAlias = Literal[
    "before", "after", "instead of", "change", "change of head", "remove", "where", "so that", "label"
]
"""All that a variant may do at a sentence: to its condition, its head or its labels too."""
IN_A_SENTENCE = ("change of head", "where", "so that", "label")
"""The verbs that change the sentence itself; they come before those that put something around it."""


@frozen(eq=False, weakref_slot=False)
class Seamed(Scalar):
    """A script, and what a variant does at one sentence of it: the text is what the variant writes there.

    `at` is the place of the sentence: in the author's text, or in that of a variant before this one. `beneath` is the
    script as it was. Of a new label, `label` is the place of its head in the variant's path.
    """

    doing: Doing = field(kw_only=True)
    at: At = field(kw_only=True, repr=False)
    variant: str = field(kw_only=True)
    beneath: "Node" = field(kw_only=True, repr=False)
    label: At | None = field(kw_only=True, default=None, repr=False)


@frozen(eq=False, weakref_slot=False)
class Reckoned(Scalar):
    """A number that a variant made of the one that stood there, as `original + 9`. The text is what comes of it."""

    beneath: "Node" = field(kw_only=True, repr=False)


class Mapping(dict[str, "Node"]):
    """A map from text keys to nodes, in the order of the file.

    `span` runs from the first key to the end of the last value (with the brackets of `{...}`); `keys_at`
    holds each key as the scalar it was written as, for messages about the key itself.
    """

    __slots__ = ("keys_at", "span")

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span
        self.keys_at: dict[str, Scalar] = {}

    def put(self, key: Scalar, value: "Node") -> None:
        """Add an entry under the key's text, replacing an earlier one of that text."""
        self[key.text] = value
        self.keys_at[key.text] = key

    def take_entries(self, other: "Mapping", *, without: str = "") -> None:
        """Add all entries of another map, but for one key."""
        for name, value in other.items():
            if name != without:
                self.put(other.keys_at[name], value)


class Sequence(list["Node"]):
    """A list of nodes; `span` runs from the first `-` (or the `[`) to the end of the last item."""

    __slots__ = ("span",)

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span


Node: TypeAlias = Scalar | Mapping | Sequence


def find_all_beneath(node: Node) -> Iterator[Node]:
    """A node and all that lies beneath it: what was done last first, the author's own last."""
    yield node
    while isinstance(node, Layered | Seamed | Reckoned):
        node = node.beneath
        yield node


def find_layers(node: Node) -> Iterator[Node]:
    """A script and all that it hangs on: the layer that was hung last first, the author's own last."""
    return (layer for layer in find_all_beneath(node) if not isinstance(layer, Seamed))


def find_seams(node: Node) -> tuple[Seamed, ...]:
    """Return what variants do at sentences of a script, or of what it hangs on, in the order in which it was done."""
    return tuple(layer for layer in find_all_beneath(node) if isinstance(layer, Seamed))[::-1]


def find_node(root: Node, keys: Iterable[str]) -> Node | None:
    """Return the node at a path of keys; None if there is none."""
    node: Node | None = root
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def walk_nodes(*nodes: Node) -> Iterator[Node]:
    """Nodes and all that is in them, in no order: keys, values, items, and what lies beneath a layer."""
    left = [*nodes]
    while left:
        for layer in find_all_beneath(left.pop()):
            yield layer
            if isinstance(layer, Mapping):
                left += [*layer.keys_at.values(), *layer.values()]
            elif isinstance(layer, Sequence):
                left += layer


def find_words(node: Node | None) -> Iterator[str]:
    """Every word of a node's keys and texts; not of what lies beneath them."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield from _WORD.findall(key)
            yield from find_words(value)
    else:
        for item in node or ():
            yield from find_words(item)


def is_nothing(node: Node) -> bool:
    """Tell whether the value was left out."""
    return isinstance(node, Scalar) and not node.text and node.style == "plain"


def kind_of(node: Node) -> str:
    """Name the sort of a node for people: "a map", "a list", "text" or "nothing"."""
    if isinstance(node, Mapping):
        return "a map"
    if isinstance(node, Sequence):
        return "a list"
    return "nothing" if is_nothing(node) else "text"
