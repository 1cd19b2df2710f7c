"""`rulebook show GAME --resolved`: where each part of a game stands, and what variants made of it; and `--paths`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulebook.comparing.changes import SECTIONS
from rulebook.comparing.counts import name_of
from rulebook.comparing.spliced import name_sentence, splice_script
from rulebook.comparing.yaml_text import in_words
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Seamed, find_layers, find_node, find_seams
from rulebook.dsl.overlay.applying import is_script
from rulebook.dsl.overlay.origins import Origin
from rulebook.dsl.overlay.paths import Keys, Place, find_path, strip_parameters
from rulebook.dsl.overlay.seams import find_sentences
from rulebook.dsl.overlay.seams import name_sentence as name_words
from rulebook.loading import CheckedGame
from rulebook.source import Span

_IN_TWO = ("places", "memory")
_VERBS = {"change of head": "change", "where": "add a condition to", "so that": "add a condition to", "label": "add to"}
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
    for keys in find_meant(game, about):
        yield title(".".join(keys)) + lines.name_origin(keys)
        yield from lines.print_before(keys, 1)
        if lines.is_gone(keys):
            before = game.origins[keys][-1].before
            yield from (f"  {line}" for line in ([] if before is None else in_words(before)))
        else:
            yield from lines.print_inside(keys, 1)
        yield ""


_ONE_ANSWER = "  One answer. `instead of` it a variant has another, in which `original` is this one."


def print_paths(game: CheckedGame, about: str | None, title: Title) -> Iterator[str]:
    """Every sentence of the scripts of a thing, or of all, with the path by which a variant names it; nothing of what
    is not there.
    """
    entries = find_meant(game, about) if about is not None else _list_all(game)
    scripts = [keys for entry in entries for keys in _list_scripts(game, entry)]
    for keys in scripts:
        node = find_node(game.merged, keys)
        assert node is not None
        scalars = [layer for layer in find_layers(node) if isinstance(layer, Scalar)]
        sentences = find_sentences(scalars, find_seams(node))
        path = ".".join((*keys[:-1], strip_parameters(keys[-1])))
        if not sentences and about is not None:
            yield from (title(path), _ONE_ANSWER, "")
        if sentences:
            yield title(path)
            for sentence in sentences:
                words = name_words(sentence, sentences)
                if not sentence.is_else and words is not None:
                    yield f"  {_quote_key(f'{path}.{words}')}"
                    yield f"    {'  ' * sentence.depth}{sentence.quote()}"
            yield ""


def _list_all(game: CheckedGame) -> list[Keys]:
    return [keys for section in SECTIONS for keys in _list_entries(game, section)]


def _list_scripts(game: CheckedGame, keys: Keys) -> Iterator[Keys]:
    """The scripts at a path and below it."""
    node = find_node(game.merged, keys)
    if isinstance(node, Mapping):
        for name in node:
            yield from _list_scripts(game, (*keys, name))
    elif isinstance(node, Scalar) and is_script(keys, game.merged):
        yield keys


def _quote_key(path: str) -> str:
    """Spell a path as YAML wants it for a key: in quotes where there is a colon or a sign of comments in it."""
    return "'" + path.replace("'", "''") + "'" if ": " in path or " #" in path else path


def find_meant(game: CheckedGame, about: str) -> list[Keys]:
    """The entries that somebody may mean, those included that a variant took away."""
    wanted = about.casefold()
    paths = [
        keys
        for section in SECTIONS
        for keys in _list_entries(game, section)
        if wanted in (strip_parameters(keys[-1]).casefold(), _find_printed_name(game, keys).casefold())
    ]
    place = find_path(game.merged, about)
    return list(dict.fromkeys([*paths, *([place.keys] if isinstance(place, Place) else [])]))


def _find_printed_name(game: CheckedGame, keys: Keys) -> str:
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
            hanging = [origin for origin in self.origins[path] if isinstance(origin.now, Layered | Seamed)]
            if label and not hanging:
                yield from self.print_leaf(path, 2, label)
            for deed in hanging:
                yield f"    # {_name_deed(deed, label or 'it')}: {_name_place(deed.at)}, by {deed.variant}"

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
            (
                deed
                for deed in reversed(self.origins.get(keys, ()))
                if not isinstance(deed.now, Layered | Seamed) and (deed.verb in _DID or deed.now is None)
            ),
            None,
        )
        if last is None:
            above = find_node(self.merged, keys[:-1])
            assert isinstance(above, Mapping)
            return f"  # {_name_place(above.keys_at[keys[-1]].span)}"
        return f"  # {_name_place(last.at)}, {_DID.get(last.verb, 'removed')} by {last.variant}"

    def print_before(self, keys: Keys, depth: int) -> Iterator[str]:
        """Print the values that stood there before each variant that replaced them, or took them away."""
        for origin in self.origins.get(keys, ()):
            hangs = isinstance(origin.now, Layered | Seamed)
            if origin.before is not None and origin.key is not None and not hangs:
                lines = in_words(origin.before)
                text = lines[0] if len(lines) == 1 else f"{len(lines)} lines"
                span = origin.key.span if isinstance(origin.before, Mapping) else origin.before.span
                yield f"{'  ' * depth}# was: {text}  # {_name_place(span)}"


def _name_deed(deed: Origin, label: str) -> str:
    """Name what a variant does to a script, or at a sentence of it."""
    return f"{deed.verb} {label}{f', {name_sentence(deed.now)}' if isinstance(deed.now, Seamed) else ''}"


def _print_node(node: Node | None) -> list[str]:
    """Print a leaf; of a script what is done at its sentences, each with its place, and all of it as one text."""
    if node is None:
        return []
    seams = find_seams(node)
    did = ((_VERBS.get(seam.doing, seam.doing), seam) for seam in seams)
    notes = (f"# {verb} {name_sentence(seam)}: {_name_place(seam.span)}" for verb, seam in did)
    return [*notes, *_print_layers(node, seams)]


def _print_layers(node: Node, seams: tuple[Seamed, ...]) -> list[str]:
    """Print a script; of one with others hanging on it, each with its place, in the order in which they run."""
    node = next(find_layers(node))
    if not isinstance(node, Layered):
        return in_words(node, seams)
    own = [f"# {node.place}: {_name_place(node.span)}", *splice_script(node, seams).split("\n")]
    beneath = _print_layers(node.beneath, seams)
    if not isinstance(next(find_layers(node.beneath)), Layered):
        beneath = [f"# original: {_name_place(node.beneath.span)}", *beneath]
    return [*beneath, *own] if node.place == "after" else [*own, *beneath]
