"""`rulebook show GAME --resolved`: where each part of a game stands, and what variants made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulebook.comparing.changes import SECTIONS
from rulebook.comparing.counts import name_of
from rulebook.comparing.yaml_text import in_words
from rulebook.dsl.document import Layered, Mapping, Node, find_node
from rulebook.dsl.overlay.paths import Keys, Place, find_path, strip_parameters
from rulebook.loading import CheckedGame
from rulebook.source import Span

_IN_TWO = ("places", "memory")
_DID = {"set": "set", "change": "changed", "add": "added"}

Title = Callable[[str], str]


def print_whole(game: CheckedGame, title: Title) -> Iterator[str]:
    """Every entry of every section with its place, and what a variant did to it or inside of it."""
    lines = _Lines(game)
    for section in SECTIONS:
        node = game.merged.get(section)
        entries = list(_list_entries(game, section))
        if entries:
            yield ""
            yield title(section)
            for keys in entries:
                yield from lines.print_outline(keys)
        elif node is not None and not isinstance(node, Mapping):
            yield from lines.print_leaf((section,), 0)


def print_whole_of(game: CheckedGame, about: str, title: Title) -> Iterator[str]:
    """All that a thing of this name, or what stands at this path, says; nothing if there is no such thing."""
    lines = _Lines(game)
    for keys in _find_meant(game, about):
        yield title(".".join(keys)) + lines.name_origin(keys)
        yield from lines.print_before(keys, 1)
        if lines.is_gone(keys):
            before = game.origins[keys][-1].before
            yield from (f"  {line}" for line in ([] if before is None else in_words(before)))
        else:
            yield from lines.print_inside(keys, 1)
        yield ""


def _find_meant(game: CheckedGame, about: str) -> list[Keys]:
    """The entries that somebody may mean, those included that a variant took away."""
    wanted = about.casefold()
    paths = [
        keys
        for section in SECTIONS
        for keys in _list_entries(game, section)
        if wanted in (strip_parameters(keys[-1]).casefold(), _find_name(game, keys).casefold())
    ]
    place = find_path(game.merged, about)
    return list(dict.fromkeys([*paths, *([place.keys] if isinstance(place, Place) else [])]))


def _find_name(game: CheckedGame, keys: Keys) -> str:
    """Return the name that players read, if the entry is a card or an action."""
    rulebook, id = game.rulebook, keys[-1]
    if keys[0] == "actions" and id in rulebook.actions:
        return name_of(rulebook, rulebook.actions[id])
    return name_of(rulebook, rulebook.cards[id]) if keys[0] == "cards" and id in rulebook.cards else ""


def _list_entries(game: CheckedGame, section: str) -> Iterator[Keys]:
    """The entries of a section; behind them those that a variant took away."""
    depth = 3 if section in _IN_TWO else 2
    yield from (keys for keys in _list_below(game.merged, (section,), depth))
    for keys, done in game.origins.items():
        if keys[0] == section and len(keys) == depth and done[-1].now is None:
            yield keys


def _list_below(root: Mapping, keys: Keys, depth: int) -> Iterator[Keys]:
    node = find_node(root, keys)
    for name in node if isinstance(node, Mapping) else ():
        inner = (*keys, name)
        yield from [inner] if len(inner) == depth else _list_below(root, inner, depth)


def _name_place(span: Span) -> str:
    return f"{span.file.name}:{span.line}"


class _Lines:
    """A printer of the entries of one merged game, with the variant from which each comes."""

    def __init__(self, game: CheckedGame) -> None:
        self.merged, self.origins = game.merged, game.origins

    def is_gone(self, keys: Keys) -> bool:
        return keys in self.origins and self.origins[keys][-1].now is None

    def print_outline(self, keys: Keys) -> Iterator[str]:
        """An entry in one line; below it what variants did to it."""
        yield f"  {'.'.join(keys[1:])}{self.name_origin(keys)}"
        yield from self.print_before(keys, 2)
        for path in self.origins:
            if path[: len(keys)] != keys:
                continue
            label = ".".join(path[len(keys) :])
            hanging = [origin for origin in self.origins[path] if isinstance(origin.now, Layered)]
            if label and not hanging:
                yield from self.print_leaf(path, 2, label)
            yield from (
                f"    # {deed.verb} {label or 'it'}: {_name_place(deed.at)}, by {deed.variant}" for deed in hanging
            )

    def print_inside(self, keys: Keys, depth: int) -> Iterator[str]:
        """All that stands below a path, each leaf with its place."""
        node = find_node(self.merged, keys)
        if not isinstance(node, Mapping):
            yield from ("  " * depth + line for line in _print_node(node))
            return
        gone = [path for path in self.origins if path[:-1] == keys and self.is_gone(path)]
        for path in [*((*keys, name) for name in node), *gone]:
            yield from self.print_leaf(path, depth)
            if isinstance(find_node(self.merged, path), Mapping):
                yield from self.print_inside(path, depth + 1)

    def print_leaf(self, keys: Keys, depth: int, label: str = "") -> Iterator[str]:
        """Print the value at a path, and those that stood there before; of a map only that it is there."""
        node = find_node(self.merged, keys)
        lines = [] if isinstance(node, Mapping) else _print_node(node)
        first = f" {lines[0]}" if len(lines) == 1 else ""
        yield f"{'  ' * depth}{label or keys[-1]}:{first}{self.name_origin(keys)}"
        if len(lines) > 1:
            yield from (f"{'  ' * (depth + 1)}{line}".rstrip() for line in lines)
        yield from self.print_before(keys, depth + 1)

    def name_origin(self, keys: Keys) -> str:
        """Name the file and line of an entry, and the variant that wrote it."""
        last = next(
            (deed for deed in reversed(self.origins.get(keys, ())) if deed.verb in _DID or deed.now is None), None
        )
        if last is None:
            above = find_node(self.merged, keys[:-1])
            assert isinstance(above, Mapping)
            return f"  # {_name_place(above.keys_at[keys[-1]].span)}"
        return f"  # {_name_place(last.at)}, {_DID.get(last.verb, 'removed')} by {last.variant}"

    def print_before(self, keys: Keys, depth: int) -> Iterator[str]:
        """Print the values that stood there before each variant that replaced them, or took them away."""
        for origin in self.origins.get(keys, ()):
            if origin.before is not None and origin.key is not None and not isinstance(origin.now, Layered):
                lines = in_words(origin.before)
                text = lines[0] if len(lines) == 1 else f"{len(lines)} lines"
                span = origin.key.span if isinstance(origin.before, Mapping) else origin.before.span
                yield f"{'  ' * depth}# was: {text}  # {_name_place(span)}"


def _print_node(node: Node | None) -> list[str]:
    """Print a leaf; of a script with others hanging on it, each with its place, in the order in which they run."""
    if not isinstance(node, Layered):
        return [] if node is None else in_words(node)
    own = [f"# {node.place}: {_name_place(node.span)}", *node.text.rstrip("\n").split("\n")]
    beneath = _print_node(node.beneath)
    if not isinstance(node.beneath, Layered):
        beneath = [f"# original: {_name_place(node.beneath.span)}", *beneath]
    return [*beneath, *own] if node.place == "after" else [*own, *beneath]
