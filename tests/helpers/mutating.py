"""Mutants: files of a game that were changed at random, in their bytes, as YAML, or by the grammar of scripts.

In: the folder of a game, and a source of chance. Out: the names and bytes of all files of a mutant, and what was done.
A mutant is nearly right, so that it comes far: most change one thing. Never: writes a file, or knows what is wrong
with what it made.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define, frozen

from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.parsing.generator import generate
from rulebook.dsl.parsing.grammar import grammar, grammar_text
from rulebook.dsl.parsing.lalr import Parser, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError
from rulebook.dsl.reading.reader import read_file
from rulebook.library import scenario_files, sheet_files, variants_of
from rulebook.lsp.occurrences import SCRIPT_FIRST, SCRIPT_LAST, WORD

__all__ = ["Mutant", "Stock"]

NUMBERS = (
    "0", "1", "2", "3", "-1", "7", "8", "9", "100", "1000", "9999", "10000", "10001", "65536", "1000000",
    "999999999999", "999999999999999", "1000000000000000", "9" * 40, "9" * 5000,
)  # fmt: skip
ODD_LEAVES = (
    "", "yes", "no", "nothing", "none", "0", "-1", "1..3", "3..1", "0..0", "1..1000000", "999999999999", "{}", "[]",
    "[[]]", "{a: b}", "[a, b]", "[1, 2, 3]", '""', '" "', '"#"', "every", "each", "all", "this", "it", "me",
    "original", "text",
    "number", "amount", "player", "card", "place", "set of player", "set of number", "yes_no", "conditions", "steps",
    "cell", "action", "auto", "1.5", "1e9", "0x10", "~", "null", "'a b'", "a.b", "a()", "players", "cards", "box",
    "count(players)", "sum(cards)", "first(cards)", "random(cards)", "a: b", "- a", "|", ">", "? a", "!!int 3",
)  # fmt: skip
ODD_NAMES = (
    "", "a#b", "a b", "A", "9", "a-b", "a.b", "a(", "a)", "a(b", "a)b", "a()", "a(b)", "a(b, c)", "ä", "ñandú", "名",
    "_a", "a_", "<<", "~", "null", "yes", "no", "turn", "game", "this", "it", "me", "text", "name", "copies", "each",
    "all",
    "players", "box", "x" * 300, "a\tb", "a'b", 'a"b', "a{b}", "a:b", "a, b", "\u200b", "\U0001f600", "by", "payoff",
)  # fmt: skip
ODD_BYTES = (
    b"\0", b"\xff", b"\xed\xa0\x80", "\u2028".encode(), "\ufeff".encode(), "\u202e".encode(), b"\r", b"\t", b"\n",
    b"  ", b"#", b":", b"- ", b"{", b"}", b"[", b"]", b'"', b"'", b"|", b">", b"&a ", b"*a", b"<<: *a", b"!!binary ",
    b"%", b"@",
    b"`", b"---\n", b"...\n", "ä".encode(), "名".encode(), "\U0001f600".encode(), b"(", b")", b"..", b",", b"\x1b[31m",
)  # fmt: skip
ALIKE = (
    ("is", "<", "<=", ">", ">=", "is not", "in", "not in"), ("+", "-", "*", "/", "%"), ("and", "or"), ("most", "least"),
    ("players", "others", "cards", "actions"), ("sum", "max", "min", "count", "any", "first", "last", "all", "average"),
    ("yes", "no", "nothing"), ("top", "bottom"), ("up", "down"), ("left", "right"), ("stop", "skip", "return"),
    ("together", "in turn"), ("secretly", "publicly", "may"), ("pile", "bag", "row", "loose", "slot", "pool", "grid"),
    ("nobody", "owner", "everyone", "top"), ("number", "amount", "yes_no", "text", "player", "card"),
)  # fmt: skip
DEEPEST = 6  # of what is drawn
TOKEN = re.compile(rb"\w+|[^\w\s]")
TEXT, STRUCTURE = "text", "structure"


WEIGHTS = {"": (2, 4, 6), TEXT: (1, 0, 0), STRUCTURE: (0, 4, 6)}


@frozen
class Leaf:
    """A scalar: its text, and how it is written; `raw` is a piece of YAML as it stands."""

    text: str
    style: str = "plain"


@define
class Map:
    """A map, in which a key may come twice."""

    entries: list[tuple[Leaf, Tree]]


@define
class Items:
    """A list."""

    entries: list[Tree]


Tree = Leaf | Map | Items


@frozen
class Mutant:
    """The bytes of each file by its path in the game's folder; and what was changed in which of them."""

    files: dict[str, bytes]
    file: str
    how: str


@frozen
class Part:
    """A piece of a script that one rule of the grammar made."""

    rule: str
    start: int
    end: int


class Stock:
    """A game to make mutants of, with all its words, and its scripts taken apart."""

    def __init__(self, folder: Path, scenarios: bool = True) -> None:
        self.name = folder.name
        self.others: list[Stock] = [self]
        """The games of which pieces may be taken."""
        self.rules = {path.name: path.read_bytes() for path in sorted(folder.glob("*.yaml"))}
        self.sheets = {file.relative_to(folder).as_posix(): file.read_bytes() for file in sheet_files(folder)}
        beside = [*variants_of(folder), *(scenario_files(folder) if scenarios else ())]
        self.beside = {path.relative_to(folder).as_posix(): path.read_bytes() for path in beside}
        self.trees = {name: tree_of(folder / name) for name in (*self.rules, *self.beside)}
        self.leaves = [leaf for name in self.rules for leaf in leaves_of(self.trees[name])]
        texts = [key.text for name in self.rules for key in keys_of(self.trees[name])]
        texts += [leaf.text for leaf in self.leaves if parts_of(leaf.text)]
        self.words = sorted({word for text in texts for word in WORD.findall(text)})
        self.pieces: dict[str, list[str]] = defaultdict(list)
        for leaf in dict.fromkeys(leaf for tree in self.trees.values() for leaf in leaves_of(tree)):
            for part in parts_of(leaf.text):
                self.pieces[part.rule].append(leaf.text[part.start : part.end])

    def mutant(self, chance: random.Random, way: str = "") -> Mutant:
        """One mutant, by text or structure if that is said. A variant or scenario is there only if it was changed."""
        rare = self.beside and chance.random() < 0.15
        found = self.beside if rare else self.rules | self.sheets
        file = chance.choice(sorted(found))
        data = found[file]
        unchanged = self.rules | self.sheets
        changes = chance.choice((1, 1, 1, 1, 2, 3))
        sort = "bytes" if file in self.sheets else chance.choices(("bytes", "yaml", "script"), WEIGHTS[way])[0]
        if sort == "bytes":
            done = [chance.choice(OF_BYTES) for _ in range(changes)]
            for one in done:
                data = one(data, chance)
            return Mutant(unchanged | {file: data}, file, " ".join(one.__name__ for one in done))
        tree, done_ = self.trees[file], []
        for _ in range(changes):
            verb = chance.choice(OF_TREES if sort == "yaml" else OF_SCRIPTS)
            tree = verb(self, tree, chance)
            done_.append(verb.__name__)
        return Mutant(unchanged | {file: written(tree).encode("utf-8", "surrogatepass")}, file, " ".join(done_))


# ── trees ──


def tree_of(file: Path) -> Tree:
    """What a file holds."""
    read, found = read_file(file)
    assert read is not None, found
    return plain(read)


def plain(node: Node) -> Tree:
    """A node without its places."""
    if isinstance(node, Scalar):
        return Leaf(node.text, node.style)
    if isinstance(node, Mapping):
        return Map([(Leaf(key.text, key.style), plain(node[name])) for name, key in node.keys_at.items()])
    return Items([plain(one) for one in node])


def leaves_of(tree: Tree) -> Iterator[Leaf]:
    """All scalars but keys."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        for _, one in children(tree):
            yield from leaves_of(one)


def keys_of(tree: Tree) -> Iterator[Leaf]:
    """All keys."""
    for key, one in children(tree):
        yield from () if key is None else (key,)
        yield from keys_of(one)


def children(tree: Tree) -> list[tuple[Leaf | None, Tree]]:
    """The entries of a map or list."""
    if isinstance(tree, Leaf):
        return []
    return [(None, one) for one in tree.entries] if isinstance(tree, Items) else list(tree.entries)


def spots(tree: Tree) -> Iterator[tuple[int, ...]]:
    """The way to each node below this one."""
    for number, (_, one) in enumerate(children(tree)):
        yield (number,)
        yield from ((number, *rest) for rest in spots(one))


def at(tree: Tree, spot: tuple[int, ...]) -> Tree:
    """The node there."""
    for number in spot:
        tree = children(tree)[number][1]
    return tree


def changed(tree: Tree, spot: tuple[int, ...], change: Callable[[Leaf | None, Tree], list[tuple[Leaf, Tree]]]) -> Tree:
    """The tree with other entries instead of one; the tree itself stays as it is."""
    assert not isinstance(tree, Leaf)
    number, *rest = spot
    entries = children(tree)
    key, value = entries[number]
    if rest:
        now: list[tuple[Leaf | None, Tree]] = [(key, changed(value, tuple(rest), change))]
    else:
        now = list(change(key, value))
    entries[number : number + 1] = now
    if isinstance(tree, Items):
        return Items([one for _, one in entries])
    return Map([(name or Leaf("new"), one) for name, one in entries])


def put(tree: Tree, spot: tuple[int, ...], node: Tree) -> Tree:
    """The tree with another node there."""
    return changed(tree, spot, lambda key, _: [(key or Leaf(""), node)])


def written(tree: Tree, indent: int = 0) -> str:
    """YAML of a tree, one entry a line."""
    blank = "  " * indent
    match tree:
        case Leaf(text, "plain" | "raw"):
            return text
        case Leaf(text, "literal") if text.strip("\n") and not text.startswith((" ", "\n")):
            lines = "".join(f"{blank}  {line}\n" if line else "\n" for line in text.rstrip("\n").split("\n"))
            return f"|\n{lines}"
        case Leaf(text):
            return json.dumps(text, ensure_ascii=False)
        case Map([]):
            return "{}"
        case Items([]):
            return "[]"
    below = [("- " if key is None else f"{written(key)}: ", one) for key, one in children(tree)]
    made = []
    for head, one in below:
        said = written(one, indent + 1)
        nested = not isinstance(one, Leaf) and children(one)
        made.append(f"{blank}{head.rstrip() if nested or not said else head}" + ("\n" if nested else "") + said)
    return "".join(one if one.endswith("\n") else one + "\n" for one in made)


# ── what is done to bytes ──


def flip(data: bytes, chance: random.Random) -> bytes:
    """One byte is another one."""
    place = chance.randrange(len(data) or 1)
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def insert(data: bytes, chance: random.Random) -> bytes:
    """Something odd stands there, too."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(ODD_BYTES) + data[place:]


def cut_out(data: bytes, chance: random.Random) -> bytes:
    """A piece is gone."""
    place = chance.randrange(len(data) + 1)
    return data[:place] + data[place + chance.choice((1, 1, 1, 2, 5, 40, 1000)) :]


def cut_off(data: bytes, chance: random.Random) -> bytes:
    """The rest is gone."""
    return data[: chance.randrange(len(data) + 1)]


def repeat(data: bytes, chance: random.Random) -> bytes:
    """A piece stands there again, or elsewhere, or very often."""
    place, other = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    piece = data[place : min(other, place + chance.choice((1, 3, 30, 300)))]
    there = chance.randrange(len(data) + 1)
    return data[:there] + piece * chance.choice((1, 1, 1, 20, 500)) + data[there:]


def lines(data: bytes, chance: random.Random) -> bytes:
    """A line is gone, doubled, indented, or has changed places with another one."""
    all = data.split(b"\n")
    one, other = chance.randrange(len(all)), chance.randrange(len(all))
    match chance.randrange(5):
        case 0:
            del all[one]
        case 1:
            all.insert(other, all[one])
        case 2:
            all[one] = b" " * chance.choice((1, 2, 4)) + all[one]
        case 3:
            all[one] = all[one].removeprefix(b"  ")
        case 4:
            all[one], all[other] = all[other], all[one]
    return b"\n".join(all)


def number(data: bytes, chance: random.Random) -> bytes:
    """A number is another one."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(NUMBERS).encode() + data[one.end() :]


def tokens(data: bytes, chance: random.Random) -> bytes:
    """A word or sign is gone, doubled, in another place, or another one of the file."""
    all = list(TOKEN.finditer(data))
    if not all:
        return data
    one, other = chance.choice(all), chance.choice(all)
    match chance.randrange(4):
        case 0:
            return data[: one.start()] + data[one.end() :]
        case 1:
            return data[: one.end()] + chance.choice((b"", b" ")) + one[0] + data[one.end() :]
        case 2:
            return data[: one.start()] + other[0] + data[one.end() :]
        case _:
            first, last = sorted((one, other), key=lambda found: found.start())
            if first is last:
                return data
            between = data[first.end() : last.start()]
            return data[: first.start()] + last[0] + between + first[0] + data[last.end() :]


def letters(data: bytes, chance: random.Random) -> bytes:
    """Two letters have changed places, or one is there twice."""
    place = chance.randrange(len(data) or 1)
    one, other = data[place : place + 1], data[place + 1 : place + 2]
    return data[:place] + (other + one if chance.random() < 0.5 else one + one + other) + data[place + 2 :]


def indentation(data: bytes, chance: random.Random) -> bytes:
    """Some lines stand further left or right."""
    all = data.split(b"\n")
    first = chance.randrange(len(all))
    by = chance.choice((-4, -2, -1, 1, 2, 4))
    for at in range(first, min(len(all), first + chance.choice((1, 1, 2, 3, 8)))):
        left = len(all[at]) - len(all[at].lstrip(b" "))
        all[at] = b" " * max(0, left + by) + all[at].lstrip(b" ")
    return b"\n".join(all)


OF_BYTES = (
    flip, insert, cut_out, cut_off, repeat, lines, lines, number, number, tokens, tokens, tokens, letters, indentation,
)  # fmt: skip


# ── what is done to YAML ──


def some(tree: Tree, chance: random.Random) -> tuple[int, ...]:
    """A node, as often near the top as far below; () if there is none."""
    every = list(spots(tree))
    if not every:
        return ()
    depth = chance.choice(sorted({len(one) for one in every}))
    return chance.choice([one for one in every if len(one) == depth])


def delete(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """An entry is gone."""
    spot = some(tree, chance)
    return changed(tree, spot, lambda *_: []) if spot else tree


def duplicate(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """An entry is there again, under another name or the same one."""
    spot = some(tree, chance)
    name = Leaf(chance.choice((*stock.words, "again", "again", "again")))

    def twice(key: Leaf | None, value: Tree) -> list[tuple[Leaf, Tree]]:
        again = key if key is not None and chance.random() < 0.2 else name
        return [(key or name, value), (again, value)]

    return changed(tree, spot, twice) if spot else tree


def swap(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """Two nodes change places."""
    one, other = some(tree, chance), some(tree, chance)
    if not one or not other or one[: len(other)] == other or other[: len(one)] == one:
        return tree
    first, second = at(tree, one), at(tree, other)
    return put(put(tree, one, second), other, first)


def copy_over(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A node stands elsewhere, too."""
    one, other = some(tree, chance), some(tree, chance)
    return put(tree, other, at(tree, one)) if one and other else tree


def nest(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A node stands in a map or list of its own, or stands where the map did that it was in."""
    spot = some(tree, chance)
    if not spot:
        return tree
    node = at(tree, spot)
    below = children(node)
    if below and chance.random() < 0.4:
        return put(tree, spot, chance.choice(below)[1])
    return put(tree, spot, chance.choice((Items([node]), Map([(Leaf(chance.choice(stock.words)), node)]))))


def retype(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A node is something else."""
    spot = some(tree, chance)
    return put(tree, spot, Leaf(chance.choice(ODD_LEAVES), "raw")) if spot else tree


def other_leaf(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A scalar is another scalar of the game."""
    spot = some(tree, chance)
    return put(tree, spot, chance.choice(stock.leaves)) if spot else tree


def rename(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A key is another name of the game, or an odd one."""
    spot = some(tree, chance)
    name = chance.choice((chance.choice(stock.words), chance.choice(ODD_NAMES)))
    key = Leaf(name, "plain" if WORD.fullmatch(name) else chance.choice(("plain", "double")))
    return changed(tree, spot, lambda _, value: [(key, value)]) if spot else tree


def spoil_name(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A letter in a key is an odd one."""
    spot = some(tree, chance)

    def spoilt(key: Leaf | None, value: Tree) -> list[tuple[Leaf, Tree]]:
        if key is None:
            return [(Leaf(""), value)]
        place = chance.randrange(len(key.text) + 1)
        letter = chance.choice("#()[]{}.,:;-_ \t'\"ä0AÀ名\u200b&*!|>%@`$/\\~^=+?\u00a0")
        now = key.text[:place] + letter + key.text[place + chance.randrange(2) :]
        return [(Leaf(now, chance.choice((key.style, "double"))), value)]

    return changed(tree, spot, spoilt) if spot else tree


def name_itself(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A scalar is the name of something around it, or of something beside it."""
    spot = some(tree, chance)
    if not spot:
        return tree
    up = spot[: chance.randrange(len(spot))]
    names = [key for key, _ in children(at(tree, up)) if key is not None]
    own = children(at(tree, up))[spot[len(up)]][0]
    name = chance.choice([own or Leaf("a"), own or Leaf("a"), *names[:20]])
    return put(tree, spot, name)


def anchor(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """Something is marked, and repeated or mixed in elsewhere."""
    one, other = some(tree, chance), some(tree, chance)
    if not one or not other:
        return tree
    tree = changed(tree, one, lambda key, value: [(Leaf(f"&a {written(key)}", "raw") if key else Leaf(""), value)])
    if chance.random() < 0.5:
        return put(tree, other, Leaf("*a", "raw"))
    return changed(tree, other, lambda key, value: [(key or Leaf(""), value), (Leaf("<<"), Leaf("*a", "raw"))])


def number_in_tree(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A number in a scalar is another one."""
    return in_leaf(tree, chance, re.compile(r"\d+"), lambda _: chance.choice(NUMBERS))


def transplant(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A node is what another game has below the same key, or anywhere."""
    spot = some(tree, chance)
    if not spot:
        return tree
    other = chance.choice(list(chance.choice(stock.others).trees.values()))
    key = children(at(tree, spot[:-1]))[spot[-1]][0]
    there = [one for one in spots(other) if children(at(other, one[:-1]))[one[-1]][0] == key]
    if key is None or not there or chance.random() < 0.2:
        there = [some(other, chance)]
    return put(tree, spot, at(other, chance.choice(there)))


OF_TREES = (
    delete, duplicate, swap, copy_over, nest, retype, other_leaf, rename, spoil_name, name_itself, anchor,
    number_in_tree, transplant,
)  # fmt: skip


# ── what is done to scripts ──


def in_leaf(tree: Tree, chance: random.Random, pattern: re.Pattern[str], change: Callable[[str], str]) -> Tree:
    """The tree with one place changed that is so in a scalar."""
    leaves = [(spot, leaf) for spot in spots(tree) if isinstance(leaf := at(tree, spot), Leaf)]
    there = [(spot, leaf) for spot, leaf in leaves if pattern.search(leaf.text)]
    if not there:
        return tree
    spot, leaf = chance.choice(there)
    one = chance.choice(list(pattern.finditer(leaf.text)))
    return put(tree, spot, Leaf(leaf.text[: one.start()] + change(one[0]) + leaf.text[one.end() :], leaf.style))


def in_script(tree: Tree, chance: random.Random, change: Callable[[Leaf, list[Part]], str]) -> Tree:
    """The tree with one script changed."""
    there = [(spot, leaf) for spot in spots(tree) if isinstance(leaf := at(tree, spot), Leaf) and parts_of(leaf.text)]
    if not there:
        return tree
    spot, leaf = chance.choices(there, [len(parts_of(leaf.text)) for _, leaf in there])[0]
    text = change(leaf, parts_of(leaf.text))
    return put(tree, spot, Leaf(text, "literal" if "\n" in text or leaf.style == "literal" else "double"))


def exchange(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A piece of a script is another one that the same rule made, somewhere in the game."""

    def change(leaf: Leaf, parts: list[Part]) -> str:
        part = chance.choice(parts)
        return replaced(leaf.text, part, chance.choice(stock.pieces[part.rule] or [""]))

    return in_script(tree, chance, change)


def draw(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A piece of a script is another one that the grammar would allow there."""

    def change(leaf: Leaf, parts: list[Part]) -> str:
        part = chance.choice(parts)
        depth = chance.randrange(1, DEEPEST)
        return replaced(leaf.text, part, drawn(origin_of(part.rule), stock.words, chance, depth))

    return in_script(tree, chance, change)


def splice(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A piece of a script is one that the same rule made in another game."""
    pieces = chance.choice(stock.others).pieces

    def change(leaf: Leaf, parts: list[Part]) -> str:
        part = chance.choice(parts)
        return replaced(leaf.text, part, chance.choice(pieces[part.rule] or [""]))

    return in_script(tree, chance, change)


def reuse(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A piece of a script is another piece of the same one."""

    def change(leaf: Leaf, parts: list[Part]) -> str:
        one, other = chance.choice(parts), chance.choice(parts)
        return replaced(leaf.text, one, leaf.text[other.start : other.end])

    return in_script(tree, chance, change)


def lines_of_script(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A line of a script is gone, doubled, indented, or stands elsewhere."""
    return in_script(tree, chance, lambda leaf, _: lines(leaf.text.encode(), chance).decode())


def other_name(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A word of a script is another word of the game."""
    return in_script(tree, chance, lambda leaf, _: one_word(leaf.text, chance, lambda _: chance.choice(stock.words)))


def alike(stock: Stock, tree: Tree, chance: random.Random) -> Tree:
    """A word of the language is another one that may stand there."""
    group = chance.choice(ALIKE)
    some = "|".join(re.escape(one) for one in sorted(group, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{some})(?!\w)")
    return in_leaf(tree, chance, pattern, lambda _: chance.choice(group))


def one_word(text: str, chance: random.Random, change: Callable[[str], str]) -> str:
    """A text with another word in it."""
    one = chance.choice(list(WORD.finditer(text)) or [re.match("", text)])
    return text if one is None else text[: one.start()] + change(one[0]) + text[one.end() :]


OF_SCRIPTS = (
    exchange, exchange, exchange, draw, draw, reuse, lines_of_script, other_name, alike, alike, number_in_tree, splice,
)  # fmt: skip


def replaced(text: str, part: Part, new: str) -> str:
    """A text with another piece, indented like the line that it begins in."""
    line = text[text.rfind("\n", 0, part.start) + 1 :]
    blank = line[: len(line) - len(line.lstrip(" "))]
    new = new.strip("\n").replace("\n", "\n" + blank)
    return text[: part.start] + new + text[part.end :]


class Noted:
    """What the parser made of a text."""

    source = None

    def __init__(self) -> None:
        self.parts: list[Part] = []


@cache
def noting() -> Parser:
    """A parser that makes nothing, and notes which rule made what."""

    def note(rule: str) -> Callable[..., None]:
        def noted(context: Noted, place: tuple[int, int], *_: object) -> None:
            context.parts.append(Part(rule, *place))

        return noted

    names = {rule.name for rule in grammar().rules if rule.name}
    return Parser(grammar(), {name: note(name) for name in names}, lambda place: place[1:])


@cache
def parts_of(text: str) -> list[Part]:
    """The pieces of a script or question; none if it is no script, or only a name."""
    if not re.search(r"\W", text):
        return []
    for start in (*SCRIPT_LAST[:1], *SCRIPT_FIRST[:1], *SCRIPT_LAST[1:4]):
        noted = Noted()
        try:
            noting().parse(text, start, noted)
        except (Unexpected, LayoutError):
            continue
        return [one for one in noted.parts if one.start < one.end <= len(text)]
    return []


@cache
def rules() -> dict[str, list[list[Any]]]:
    """What each symbol of the grammar may become: terminals and symbols."""
    made = generate(grammar_text())
    found: dict[str, list[list[Any]]] = defaultdict(list)
    for rule in made.rules:
        found[str(rule.origin.name)].append(list(rule.expansion))
    return dict(found)


@cache
def origins() -> dict[str, str]:
    """The symbol that each name of a rule belongs to."""
    return {rule.name: rule.origin for rule in grammar().rules if rule.name}


def origin_of(rule: str) -> str:
    """The symbol that a rule of this name makes."""
    return origins()[rule]


@cache
def spellings() -> dict[str, str]:
    """How each terminal is written that is always the same."""
    table = grammar()
    return {sort: text for text, sort in (*table.words.items(), *table.signs.items())}


@cache
def depths() -> dict[str, int]:
    """How deep the flattest text of each symbol is."""
    found: dict[str, int] = {}
    while True:
        before = dict(found)
        for name, ways in rules().items():
            for way in ways:
                below = [0 if one.is_term else found.get(one.name) for one in way]
                if None not in below:
                    found[name] = min(found.get(name, 10**9), 1 + max((one or 0 for one in below), default=0))
        if found == before:
            return found


def drawn(symbol: str, words: list[str], chance: random.Random, depth: int) -> str:
    """A text that the grammar makes of a symbol, with words of a game as names."""
    said: list[str] = []
    indent = 0

    def say(name: str, left: int) -> None:
        nonlocal indent
        ways = rules()[name]
        costs = [max((0 if one.is_term else depths()[one.name] for one in way), default=0) for way in ways]
        cheap = [way for way, cost in zip(ways, costs, strict=True) if cost <= left]
        for one in chance.choice(cheap or [ways[costs.index(min(costs))]]):
            if not one.is_term:
                say(one.name, left - 1)
            elif one.name == "_NEWLINE":
                said.append("\n" + "  " * indent)
            elif one.name in ("_INDENT", "_DEDENT"):
                indent += 1 if one.name == "_INDENT" else -1
                said.append("\n" + "  " * indent)
            elif one.name == "NAME":
                said.append(chance.choice(words))
            elif one.name == "INT":
                said.append(chance.choice(NUMBERS if chance.random() < 0.2 else ("0", "1", "2", "3")))
            elif one.name == "STRING":
                said.append(chance.choice(('"a text"', f'"{{{chance.choice(words)}}}"', '""')))
            else:
                said.append(spellings()[one.name])

    say(symbol, depth)
    text = re.sub(r"[ \n]*\n *(?=\n)", "", " ".join(said))
    return re.sub(r" *\n( *)", lambda found: "\n" + " " * (len(found[1]) // 2 * 2), text)
