"""A variant's file as a record: who it is, and what it does at which path."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, is_nothing
from rulebook.dsl.reading.reader import read_file, read_map
from rulebook.dsl.reading.spreadsheets import Fetch, fetch_file, fetch_text, lay_sheets_in_variant
from rulebook.dsl.structuring.leaves import quoted
from rulebook.library import VARIANTS
from rulebook.source import SourceFile, Span, show_path

Verb: TypeAlias = Literal["set", "change", "add", "remove", "before", "after", "instead of"]

HEAD = {
    "variant": "Its id: the name of the file, if that lies beside the game.",
    "name": "What players call it.",
    "about": "Why one would play it, in a sentence or two.",
    "extends": "The game that it changes: the name of the game's folder.",
    "follows": "Variants that come before this one if both are played; then both may change the same thing.",
    "not_with": "Variants that cannot be played together with this one, each with the reason.",
}
VERBS: dict[Verb, str] = {
    "set": "House rules, settled: `{rounds: 5}`. Whoever plays may still choose something else.",
    "change": "What is put in the place of something, by its path: `{cards.goblin.cost: 3}`, or `{was: 2, now: 3}`.",
    "add": "What is new, by its path: `{cards.ogre: {copy: goblin, cost: 5}}`.",
    "remove": "Paths of what is taken away: `[cards.goblin]`.",
    "before": "Scripts that run before others, by their paths.",
    "after": "Scripts that run after others, by their paths.",
    "instead of": "Scripts that run instead of others, by their paths; `original` in one is what it replaces.",
}
FIELDS: dict[str, str] = HEAD | {str(verb): means for verb, means in VERBS.items()}
"""The keys of a variant, and what each is for."""

MOST_DEEDS = 2000
"""The most changes of one variant. The changes of other variants are compared with each of them."""
REQUIRED = ("variant", "name", "extends")
_ORDER: tuple[Verb, ...] = ("set", "change", "remove", "add", "instead of", "before", "after")
assert set(_ORDER) == set(get_args(Verb))


@frozen(eq=False)
class Deed:
    """One thing that a variant does: at a path (of `set`: at an option), and what it puts there, if anything.

    `was` is what the variant says must be there.
    """

    verb: Verb
    path: Scalar
    node: Node | None = None
    was: Node | None = None


@frozen(eq=False)
class Variant:
    """A variant, in the order in which its deeds are done. `named` is where its id stands."""

    id: str
    name: str
    about: str
    extends: Scalar | None
    follows: tuple[Scalar, ...]
    not_with: dict[str, tuple[Scalar, str]]
    deeds: tuple[Deed, ...]
    file: SourceFile
    named: Span
    sheets: dict[str, str] = field(factory=dict)
    """The texts of the spreadsheets from which it adds cards, by the names of their files."""

    @property
    def behind(self) -> frozenset[str]:
        """The variants that come before this one, if they are played."""
        return frozenset(follow.text for follow in self.follows)


def read_variant(path: Path) -> tuple[Variant | None, list[Diagnostic]]:
    """The variant in a file; none if the file cannot be read. People ask for one beside a game by its name."""
    top, problems = read_file(path, show_path(path))
    if top is None:
        return None, problems
    fetch, folder = fetch_file(path.parent), show_path(path).removesuffix(path.name)
    is_beside = path.absolute().parent.name == VARIANTS
    variant, more = _read_with_sheets(top, path.stem, fetch, folder, is_beside=is_beside)
    return variant, problems + more


def read_variant_text(shown: str, name: str, texts: MappingOf[str, str]) -> tuple[Variant | None, list[Diagnostic]]:
    """The variant in a text of this name among those of a game; `shown` is its path in messages."""
    top, problems = read_map(SourceFile(shown, texts[name]))
    if top is None:
        return None, problems
    folder = shown.removesuffix(Path(name).name)
    variant, more = _read_with_sheets(top, Path(name).stem, fetch_text(dict(texts), f"{VARIANTS}/"), folder)
    return variant, problems + more


def _read_with_sheets(
    top: Mapping, stem: str, fetch: Fetch, folder: str, *, is_beside: bool = True
) -> tuple[Variant | None, list[Diagnostic]]:
    laid = lay_sheets_in_variant(top, fetch, folder)
    variant, more = variant_of(top, stem, is_beside=is_beside)
    return None if laid.unread else evolve(variant, sheets=laid.texts), laid.messages + more


def name_id(path: Path) -> str:
    """Name the variant in a file by its id."""
    variant, _ = read_variant(path)
    return path.stem if variant is None else variant.id


def variant_of(top: Mapping, file: str, *, is_beside: bool = True) -> tuple[Variant, list[Diagnostic]]:
    """The variant in a map; `file` is what its file is called, without the ending. One that lies beside a game must be
    called so too.
    """
    reading = _Reading(top)
    return reading.read_variant(file, is_beside), reading.messages


def name_variant(id: str, text: str) -> str:
    """Name a variant as its text does; by its id, if that says no name."""
    top, _ = read_map(SourceFile(id, text))
    return id if top is None else variant_of(top, id)[0].name


class _Reading:
    """Reads one file."""

    def __init__(self, top: Mapping) -> None:
        self.top = top
        self.messages: list[Diagnostic] = []

    def report(self, code: str, span: Span, help: str | None = None, **values: Any) -> None:
        self.messages.append(diagnose(code, span, help=help, **values))

    def misfit(self, node: Node, key: Scalar, what: str, wanted: str, help: str | None = None) -> None:
        span = key.span if is_nothing(node) else node.span
        self.report("RB112", span, help, what=what, wanted=wanted, got=quoted(node))

    def read_variant(self, file: str, is_beside: bool) -> Variant:
        """The whole of it, without what is wrong."""
        top = self.top
        named = top.keys_at["variant"].span if "variant" in top else top.span
        for key in top:
            if key not in FIELDS:
                help = did_you_mean(key, FIELDS) or f"Its fields: {', '.join(f'`{field}`' for field in FIELDS)}."
                self.report("RB110", top.keys_at[key].span, help, thing="A variant", field=key)
        for key in REQUIRED:
            if key not in top:
                self.report("RB111", named, thing="A variant", field=key)
        id = self.read_word("variant")
        if is_beside and id is not None and id.text != file:
            help = f"Call the file `{id.text}.yaml`, or write `variant: {file}`."
            fact = f"its file is called `{file}.yaml`"
            self.report("RB714", id.span, help, key="variant", said=id.text, fact=fact)
        deeds = [deed for verb in _ORDER if verb in top for deed in self.read_deeds(verb, top.keys_at[verb], top[verb])]
        if len(deeds) > MOST_DEEDS:
            problem = f"a variant that does {len(deeds)} things; {MOST_DEEDS} are the most"
            help = "What differs in so much is a game of its own: copy the folder."
            self.report("RB106", deeds[MOST_DEEDS].path.span, help, problem=problem)
            del deeds[MOST_DEEDS:]
        if all(key in HEAD for key in top):
            self.report("RB713", named, what="This variant")
        about = self.read_word("about")
        name = self.read_word("name")
        return Variant(
            id=file if id is None else id.text,
            name=file if name is None else " ".join(name.text.split()),
            about="" if about is None else about.text.rstrip("\n"),
            extends=self.read_word("extends"),
            follows=self.read_follows(),
            not_with=self.read_not_with(),
            deeds=tuple(deeds),
            file=top.span.file,
            named=named if id is None else id.span,
        )

    # ── the head ──

    def read_word(self, key: str) -> Scalar | None:
        """A text of the head."""
        node = self.top.get(key)
        if node is None:
            return None
        if not isinstance(node, Scalar) or is_nothing(node):
            self.misfit(node, self.top.keys_at[key], f"`{key}`", "text")
            return None
        return node

    def read_follows(self) -> tuple[Scalar, ...]:
        node = self.top.get("follows")
        return () if node is None else self.read_list(node, self.top.keys_at["follows"], "the name of a variant")

    def read_list(self, node: Node, key: Scalar, wanted: str) -> tuple[Scalar, ...]:
        """A text, or a list of texts."""
        texts = []
        for item in node if isinstance(node, Sequence) and node else [node]:
            if isinstance(item, Scalar) and not is_nothing(item):
                texts.append(item)
            else:
                self.misfit(item, key, f"`{key.text}`", wanted if item is not node else f"{wanted}, or a list of them")
        return tuple(texts)

    def read_not_with(self) -> dict[str, tuple[Scalar, str]]:
        node = self.top.get("not_with")
        if node is None:
            return {}
        if not isinstance(node, Mapping):
            self.misfit(node, self.top.keys_at["not_with"], "`not_with`", "a map from variants to reasons")
            return {}
        others = {}
        for name, reason in node.items():
            if isinstance(reason, Scalar) and not is_nothing(reason):
                others[name] = (node.keys_at[name], reason.text.rstrip("\n"))
            else:
                self.misfit(reason, node.keys_at[name], f"`{name}` in `not_with`", "the reason, a sentence for players")
        return others

    # ── the verbs ──

    def read_deeds(self, verb: Verb, key: Scalar, node: Node) -> list[Deed]:
        if is_nothing(node) or (not isinstance(node, Scalar) and not node):
            self.report("RB713", key.span, what=f"`{verb}`")
            return []
        if verb == "remove":
            return [Deed(verb, path) for path in self.read_list(node, key, "a path, like `cards.goblin`")]
        if not isinstance(node, Mapping):
            wanted = "a map from options to values" if verb == "set" else "a map from paths to what is done there"
            self.misfit(node, key, f"`{verb}`", wanted)
            return []
        deeds = [self.read_deed(verb, node.keys_at[path], value) for path, value in node.items()]
        return [deed for deed in deeds if deed is not None]

    def read_deed(self, verb: Verb, path: Scalar, node: Node) -> Deed | None:
        match verb:
            case "set" if isinstance(node, Sequence) or is_nothing(node):
                self.misfit(node, path, f"`{path.text}` in `set`", "one value")
                return None
            case "change":
                return self.read_change(path, node)
            case "before" | "after" | "instead of" if not isinstance(node, Scalar) or is_nothing(node):
                help = f"A script of several lines stands below a `|`: write `{path.text}: |`."
                self.misfit(node, path, f"`{path.text}` in `{verb}`", "a script", help)
                return None
        return Deed(verb, path, node)

    def read_change(self, path: Scalar, node: Node) -> Deed | None:
        """`5`, a whole map, or `{was: 3, now: 5}`."""
        was = None
        if isinstance(node, Mapping) and ("was" in node or "now" in node):
            for key in node:
                if key not in ("was", "now"):
                    help = did_you_mean(key, ["was", "now"])
                    self.report("RB110", node.keys_at[key].span, help, thing="A change with `was`", field=key)
                    return None
            if "now" not in node:
                help = "`was` is what the game says, and `now` what this variant says instead."
                self.report("RB111", path.span, help, thing=f"The change of `{path.text}`", field="now")
                return None
            was, node = node.get("was"), node["now"]
        if is_nothing(node):
            self.misfit(node, path, f"`{path.text}` in `change`", "a value", "`remove` takes away what is there.")
            return None
        return Deed("change", path, node, was)
