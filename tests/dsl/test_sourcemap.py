"""Every character of a scalar is found at its place in the file, whatever the style it is written in."""

import random
import re
from collections.abc import Iterator

import pytest
import yaml

from rulebook.dsl.document import Mapping, Scalar, Sequence
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.sourcemap import make_source_map
from rulebook.source import SourceFile

WORDS = (
    "draw",
    "gain 1",
    "é",
    "日本",
    "🎲",
    "it's",
    'say "hi"',
    "a\\b",
    "x: y",
    "#1",
    "- z",
    "tab\there",
    " 2",
)
ESCAPED = ("\x07", "\x1b", "\x85", "\u2028", "\ud7ff", "\xa0", "\0")


def check_characters(scalar: Scalar) -> int:
    """Compare each character with the piece of the file it is said to come from, and count them."""
    behind = scalar.span.start
    for at, char in enumerate(scalar.text):
        place = scalar.locate(at, at + 1)
        raw = place.text
        assert place.start >= behind, (scalar, at)
        assert scalar.span.start <= place.start < place.end <= scalar.span.end
        behind = place.end
        if raw == char:
            continue
        if raw in ("\n", "\r\n", "\r"):
            assert char in " \n"
        elif scalar.style == "single":
            assert (raw, char) == ("''", "'")
        else:
            assert scalar.style == "double" and raw.startswith("\\"), (scalar, raw, char)
            assert yaml.safe_load(f'"{raw}"') == char
    return len(scalar.text)


def check_markers(scalar: Scalar) -> None:
    """Words that occur once in the file must be found where they stand, by a plain search."""
    for marker in re.finditer(r"Q\d+Q", scalar.text):
        place = scalar.locate(*marker.span())
        assert place.start == scalar.span.file.text.index(marker[0])
        assert place.text == marker[0]


def check_exact(scalar: Scalar) -> int:
    assert make_source_map(scalar.span.text, scalar.style, scalar.text) is not None, scalar
    check_markers(scalar)
    return check_characters(scalar)


def random_text(dice: random.Random, marker: str, style: str | None) -> str:
    pieces = [marker]
    for _ in range(dice.randrange(8)):
        pieces.append(dice.choice(WORDS))
        if style == '"' and dice.random() < 0.3:
            pieces.append(dice.choice(ESCAPED))
        pieces.append(dice.choice((" ", " ", "  ", "\n", "\n\n", "\n  ", " \n")))
    dice.shuffle(pieces)
    return "".join(pieces)


@pytest.mark.slow
def test_whatever_a_writer_makes_is_mapped_exactly() -> None:
    dice = random.Random(20)
    scalars = characters = 0
    styles: set[str] = set()
    for number in range(260):
        style = dice.choice((None, "'", '"', "|", ">"))
        texts = {f"k{i}": random_text(dice, f"Q{number * 100 + i}Q", style) for i in range(12)}
        text = yaml.dump(
            {"deep": {"er": texts}},
            default_style=style,
            width=dice.choice((10, 20, 40, 80)),
            allow_unicode=dice.random() < 0.7,
            indent=dice.choice((2, 3, 4, 8)),
            line_break=dice.choice(("\n", "\r\n")),
        )
        root, problems = read_map(SourceFile("w.yaml", text))
        assert root is not None and problems == []
        meant = yaml.safe_load(text)["deep"]["er"]  # not the texts: the writer itself loses some blanks
        deep = root["deep"]
        assert isinstance(deep, Mapping) and isinstance(deep["er"], Mapping)
        for key, value in deep["er"].items():
            assert isinstance(value, Scalar)
            assert value.text == meant[key]
            styles.add(value.style)
            characters += check_exact(value)
            scalars += 1
    assert styles == {"plain", "single", "double", "literal", "folded"}
    assert scalars == 3120 and characters > 50_000


def random_block(dice: random.Random, marker: str) -> str:
    """A map with one block scalar: any header, ragged and blank lines, spaces at the ends of lines."""
    depth = dice.randrange(3)
    parent = "".join(f"{'  ' * level}m{level}:\n" for level in range(depth))
    indent = 2 * depth + dice.choice((1, 2, 3, 4))
    header = dice.choice("|>") + dice.choice(("", "-", "+"))
    if dice.random() < 0.4:
        header += str(indent - 2 * depth if depth else indent)
    if dice.random() < 0.2:
        header += "  # a comment"
    lines: list[str] = []
    for _ in range(dice.randrange(7)):
        kind = dice.random()
        if kind < 0.25:
            lines.append(" " * dice.randrange(indent + 2))
        elif kind < 0.45:
            lines.append(" " * (indent + dice.randrange(1, 4)) + dice.choice(WORDS))
        else:
            lines.append(" " * indent + dice.choice(WORDS) + dice.choice(("", "", " ", "\t")))
    if lines:
        lines[dice.randrange(len(lines))] = " " * indent + marker
    text = f"{parent}{'  ' * depth}key: {header}\n" + "".join(line + "\n" for line in lines)
    if dice.random() < 0.5:
        text += "  " * depth + "next: 1\n"
    elif dice.random() < 0.3:
        text = text[:-1]
    return text.replace("\n", dice.choice(("\n", "\r\n", "\r")))


def leaves(node: Mapping | Sequence | Scalar) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    else:
        for child in node.values() if isinstance(node, Mapping) else node:
            yield from leaves(child)


@pytest.mark.slow
def test_blocks_written_by_hand_are_mapped_exactly() -> None:
    dice = random.Random(7)
    blocks = characters = 0
    for number in range(3000):
        text = random_block(dice, f"Q{number}Q")
        root, _ = read_map(SourceFile("b.yaml", text))
        if root is None:
            continue  # ragged lines can be wrong in themselves
        for scalar in leaves(root):
            if scalar.style in ("literal", "folded"):
                blocks += 1
                characters += check_exact(scalar)
    assert blocks > 2000 and characters > 20_000


HAND_CASES = [
    ("plain", "a: draw HERE now\n", "1:9"),
    ("plain over two lines", "a: draw\n  some HERE\n", "2:8"),
    ("single with a doubled quote", "a: 'it''s HERE'\n", "1:11"),
    ("single over lines with a blank one", "a: 'x\n\n  HERE'\n", "3:3"),
    ("double with escapes", 'a: "\\u0041\\x42\\U0001F3B2\\t HERE"\n', "1:28"),
    ("double with an escaped line break", 'a: "x\\\n     \\ HERE"\n', "2:8"),
    ("literal", "a: |\n  one\n  HERE\n", "3:3"),
    ("literal, stated indentation", "a: |2\n    HERE\n", "2:5"),
    ("literal, stripped, with a comment", "a: |-  # HE\n  one\n\n  HERE\n\n\n", "4:3"),
    ("literal, kept, CRLF", "a: |+\r\n  one\r\n  HERE\r\n\r\nb: 1\r\n", "3:3"),
    ("literal, ragged", "a: |\n  if x:\n      HERE\n  y\n", "3:7"),
    ("folded", "a: >\n  one\n  two HERE\n", "3:7"),
    ("folded with deeper lines", "a: >-\n  one\n    two\n\n  HERE\n", "5:3"),
    ("no final line break", "a: |\n  HERE", "2:3"),
    ("in a list in a list", "a:\n- - |\n    HERE\n", "3:5"),
    ("behind an emoji", "a: 🎲 HERE\n", "1:6"),
]


@pytest.mark.parametrize(("text", "place"), [case[1:] for case in HAND_CASES], ids=[case[0] for case in HAND_CASES])
def test_a_word_is_found_in(text: str, place: str) -> None:
    root, problems = read_map(SourceFile("h.yaml", text))
    assert root is not None and problems == []
    scalar = next(leaf for leaf in leaves(root) if "HERE" in leaf.text)
    at = scalar.text.index("HERE")
    found = scalar.locate(at, at + 4)
    assert f"{found.line}:{found.column}" == place
    assert found.text == "HERE"
    check_exact(scalar)


def test_a_range_covers_all_of_its_first_and_last_character() -> None:
    root, _ = read_map(SourceFile("r.yaml", 'a: "x\\u0041y"\n'))
    assert root is not None
    scalar = root["a"]
    assert isinstance(scalar, Scalar)
    assert scalar.locate(1, 2).text == "\\u0041"
    assert scalar.locate(0, 3).text == "x\\u0041y"
    assert scalar.locate(2, 2).start == scalar.locate(2, 3).start
    assert scalar.locate(3, 3).start == scalar.span.end - 1
    assert scalar.locate(-5, 99).text == "x\\u0041y"


@pytest.mark.parametrize("text", ['a: ""\n', "a: ''\n", "a:\n", "a: |\nb: 1\n"])
def test_an_empty_text_has_a_place(text: str) -> None:
    root, _ = read_map(SourceFile("e.yaml", text))
    assert root is not None
    scalar = root["a"]
    assert isinstance(scalar, Scalar)
    found = scalar.locate(0, 0)
    assert scalar.span.start <= found.start == found.end <= scalar.span.end


def test_what_cannot_be_mapped_falls_back_to_the_whole() -> None:
    assert make_source_map('"a"', "double", "b") is None
    assert make_source_map("nonsense", "literal", "nonsense") is None
    assert make_source_map('"\\UFFFFFFFF"', "double", "x") is None
