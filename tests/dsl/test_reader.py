"""Reading files: nodes, places, messages, and files that mean harm."""

import random
from pathlib import Path

import pytest
import yaml

from rulebook.diagnostics import Diagnostic, template
from rulebook.diagnostics.render import render_text
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, kind_of
from rulebook.dsl.reading import reader
from rulebook.dsl.reading.reader import read_file, read_map
from rulebook.reports import Report, write_json
from rulebook.source import SourceFile


def plain_data(node: Node | None) -> object:
    """The nodes as bare texts, dicts and lists."""
    if isinstance(node, Mapping):
        assert list(node) == list(node.keys_at)
        return {key: plain_data(value) for key, value in node.items()}
    if isinstance(node, Sequence):
        return [plain_data(value) for value in node]
    return node.text if node is not None else None


def read_text(text: str) -> tuple[object, list[str]]:
    """What a text holds, and its messages as `code line:column`."""
    root, problems = read_map(SourceFile("t.yaml", text))
    return plain_data(root), [f"{p.code} {p.span.line}:{p.span.column}" for p in problems if p.span]


def problems_of(text: str) -> list[Diagnostic]:
    return read_map(SourceFile("t.yaml", text))[1]


def test_leaves_keep_their_text() -> None:
    text = "a: 5\nb: 010\nc: yes\nd: 2024-01-02\ne: [1_000, 0x1F, '7']\nf: null\ng: ~\nh:\n1: on the way\n"
    found, problems = read_text(text)
    assert problems == []
    assert found == {
        "a": "5", "b": "010", "c": "yes", "d": "2024-01-02", "e": ["1_000", "0x1F", "7"],
        "f": "null", "g": "~", "h": "", "1": "on the way",
    }  # fmt: skip


def test_spans_cover_the_raw_text() -> None:
    text = "a: 'it''s'\nb: {c: [x, y]}\nd:\n  - e: 1\n    f: 2\n\n# end\n"
    root, _ = read_map(SourceFile("t.yaml", text))
    assert root is not None
    b, d = root["b"], root["d"]
    assert root["a"].span.text == "'it''s'"
    assert isinstance(b, Mapping) and isinstance(d, Sequence)
    assert (b.span.text, b["c"].span.text, b.keys_at["c"].span.text) == ("{c: [x, y]}", "[x, y]", "c")
    assert d.span.text == "- e: 1\n    f: 2"
    assert d[0].span.text == "e: 1\n    f: 2"
    assert root.span.text == text[: text.index("\n\n# end")]


def test_a_block_is_covered_from_its_sign() -> None:
    root, _ = read_map(SourceFile("t.yaml", "a:  |-\n  draw 1\nb: 2\n"))
    assert root is not None
    assert root["a"].span.text.startswith("|-\n  draw 1")
    assert isinstance(root["a"], Scalar) and root["a"].style == "literal"


def test_an_omitted_value_has_an_empty_span() -> None:
    root, _ = read_map(SourceFile("t.yaml", "a: {b(c): }\nd:\n"))
    assert root is not None and isinstance(root["a"], Mapping)
    assert root["a"]["b(c)"].span.text == "" == root["d"].span.text
    assert [kind_of(node) for node in (root, root["a"]["b(c)"], root.keys_at["a"])] == [
        "a map",
        "nothing",
        "text",
    ]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "---\n# x\n...\n", "  \n"])
def test_an_empty_file_is_an_empty_map(text: str) -> None:
    assert read_text(text) == ({}, [])


@pytest.mark.parametrize(("text", "got"), [("- a\n", "a list"), ("goblin\n", "text"), ("'x'\n", "text")])
def test_a_file_that_is_not_a_map(text: str, got: str) -> None:
    root, problems = read_map(SourceFile("t.yaml", text))
    assert root is None
    assert [problem.code for problem in problems] == ["RB112"]
    assert problems[0].message.endswith(f"not {got}.")


MISTAKES = [
    ("a: 1\nb: 2\na: 3\n", ["RB103 3:1"]),
    ("a: {b: 1, c: 2, b: 3}\n", ["RB103 1:17"]),
    ("a: true\nb: [off, NO, yes, no]\n", ["RB104 1:4", "RB104 2:5", "RB104 2:10"]),
    ("c: 'on'\nd: on the table\ne: True\non: f\n", ["RB104 3:4"]),
    ("text: #1 fan\nb: 1 # one\nc:   # below\n  d: 1\n", ["RB105 1:1"]),
    ("a: {text: #1\n  }\n", ["RB105 1:5"]),
    ("kinds:\n  a: # later\n  b:\n    may_do:\n      leaves(me):  # perhaps\n", []),
    ("kinds: {b: {does: {\n  effect(me): , # the main thing\n  ends: # at last\n  }}}\n", []),
    ("add:\n  kinds.b: # later\n  kinds.b.may_do.leaves(me): # perhaps\n", []),
    ("kinds:\n  b:\n    text: # lost\n    asks:\n      open(me): # lost\n", ["RB105 3:5", "RB105 5:7"]),
    ("a: &x 1\n", ["RB106 1:4"]),
    ("a: *x\n", ["RB106 1:4"]),
    ("a: !!int 5\nb: !x 6\nc: ! 7\n", ["RB106 1:4", "RB106 2:4", "RB106 3:4"]),
    ("a: &x !y\n  b: 1\n", ["RB106 1:4"]),
    ("a:\n  <<: {b: 1}\n", ["RB106 2:3"]),
    ("a: 1\n--- \nb: 2\n", ["RB106 2:1"]),
    ("a: {b: max(1, c)}\n", ["RB108 1:13"]),
    ("a: {b(me, guest c): , d: 1}\n", ["RB108 1:9"]),
    ("a: {b(me, c: guest)}\n", ["RB108 1:9"]),
    ("a: [f(1, g(2, 3)), h]\n", ["RB108 1:8"]),
    ("a: {x: f(x, y), b: g(x, y)}\n", ["RB108 1:11", "RB108 1:23"]),
    ("a: {b: x (, c: y (}\n", []),
    ("a: [1) x, (2]\n", []),
    ("{a: 1}: x\n", ["RB112 1:1"]),
    ("a: {{card}}\n", ["RB112 1:5"]),
    ("a:\n\u00a0\u00a0b: 3\n", ["RB101 2:1"]),
    ("a: Gain 1: draw\n", ["RB101 1:10"]),
    ('a: "Say "hi""\n', ["RB101 1:10"]),
    ("a: 'open\nb: 2\n", ["RB101 1:4"]),
    ("a: [1, 2\nb: 3\n", ["RB101 2:2"]),
    ("a: {x: 1\n", ["RB101 1:4"]),
    ("a: [a, b] is c\n", ["RB101 1:11"]),
    ("a: @x\n", ["RB101 1:4"]),
    ("a: *bold* move\n", ["RB101 1:4"]),
    ("a: - b\n", ["RB101 1:4"]),
    ('a: "\\q"\n', ["RB101 1:5"]),
    ("a: |draw 1\n", ["RB101 1:5"]),
    ("a: 1\n  b: 2\n", ["RB101 2:3"]),
    ("a: 1\ngoblin\nb: 2\n", ["RB101 2:1"]),
    ("a: 1\n- b\n", ["RB101 2:1"]),
    ("a: 1\na: 2\nb: [\n", ["RB103 2:1", "RB101 3:4"]),
    ("a:\n\tb: 1\n\tc: 2\n", ["RB102 2:1", "RB102 3:1"]),
    ("a: |\n\tdraw\n", ["RB102 2:1"]),
    ("a: 1\x00\nb: \x07\n", ["RB101 1:5", "RB101 2:4"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), MISTAKES, ids=[repr(text) for text, _ in MISTAKES])
def test_mistakes_are_found_where_they_are(text: str, places: list[str]) -> None:
    assert sorted(read_text(text)[1]) == sorted(places)


@pytest.mark.parametrize("code", ["RB101", "RB102", "RB103", "RB104", "RB105", "RB106", "RB108"])
def test_the_bad_examples_of_a_code_give_that_code(code: str) -> None:
    for example in template(code).bad:
        assert example.kind == "yaml"
        assert [problem.code for problem in problems_of(example.text)] == [code], example.text


def test_a_cut_text_is_put_together_again() -> None:
    text = "a: {b: max(1,\n   2), c(x, y z): , d: 1}\ne: [f(1, 2), 3]\n"
    found, _ = read_text(text)
    assert found == {"a": {"b": "max(1, 2)", "c(x, y z)": "", "d": "1"}, "e": ["f(1, 2)", "3"]}


def test_a_mended_text_can_be_pointed_into() -> None:
    root, _ = read_map(SourceFile("t.yaml", "a: {b: max(1,\n  two)}\n"))
    assert root is not None and isinstance(root["a"], Mapping)
    scalar = root["a"]["b"]
    assert isinstance(scalar, Scalar) and scalar.text == "max(1, two)"
    assert scalar.locate(7, 10).text == "two"


def test_a_second_key_is_shown_beside_the_first() -> None:
    (problem,) = problems_of("cost: 1\ncost: 2\n")
    assert [(label.span.line, label.span.text) for label in problem.labels] == [(1, "cost")]


def test_the_first_of_two_values_is_kept() -> None:
    assert read_text("a: 1\na: 2\n")[0] == {"a": "1"}


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("text: Gain 1: draw\n", '`text: "Gain 1: draw"`'),
        ('text: "Say "hi" now"\n', "`text: 'Say \"hi\" now'`"),
        ("text: 'it's'\n", '`text: "it\'s"`'),
        ("text: @all\n", '`text: "@all"`'),
        ("a: TRUE\n", "`yes`"),
        ("a: {b: max(1, c)}\n", '`"max(1, c)"`'),
    ],
)
def test_the_help_shows_how_to_write_it(text: str, help: str) -> None:
    (problem,) = problems_of(text)
    assert help in problem.help


def test_both_parsers_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: 'x🎲'\r\nb: &c [1, {d: 2}]\r\ne: |\r\n  f\r\n\r\ng: true\r\nh:\r\n- 1\r\n- 2\r\n"

    def everything() -> list[object]:
        root, problems = read_map(SourceFile("t.yaml", text))
        assert root is not None
        spans = [(key, node.span.start, node.span.end) for key, node in root.items()]
        return [plain_data(root), spans, [(p.code, p.message, p.span and p.span.start) for p in problems]]

    fast = everything()
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    monkeypatch.setattr(reader, "WITH_LIBYAML", False)
    assert everything() == fast
    for bad, places in MISTAKES:
        assert sorted(read_text(bad.replace("! 7", "!z 7"))[1]) == sorted(places), bad
    assert read_text('a: "\\ud800"\n')[1] == ["RB101 1:4"]
    assert read_text("%YAML 1." + "9" * 5000 + "\n---\na: 1\n")[0] is None


MIB = 1024 * 1024
HOSTILE = {
    "open brackets": "[" * 100_000,
    "open braces": "{" * 100_000,
    "braces as keys": "? " * 50_000,
    "dashes": "- " * 100_000,
    "deeper and deeper": "\n".join(" " * depth + "a:" for depth in range(1000)),
    "alias bomb": "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a, *a, *a]\n" for i in range(30)),
    "merge bomb": "a: &a {x: 1}\n" + "b: {<<: [*a, *a]}\n" * 30,
    "itself": "a: &a [*a]\n",
    "too many": "- \n" * 300_000,
    "too many keys": "a: 1\n" * 200_000,
    "two MiB": "a: b\n" * (2 * MIB // 5),
    "long text": "a: " + "x" * (MIB - 10),
    "open quote": "a: '" + "x\n" * 400_000,
    "tabs": "a:\n" + "\tb: 1\n" * 100_000,
    "cut by commas": "a: [" + "f(," * 60_000 + "x)]",
    "documents": "---\n" * 200_000,
    "huge version": "%YAML 1." + "9" * 5000 + "\n---\na: 1",
    "half a character": 'a: "\\ud83d\\ude00"',
    "no character": 'a: "\\UFFFFFFFF"',
    "surrogate": "a: \ud800\n",
    "nul": "a: \0\n",
    "next line": "a: b\x85c: d\n",
    "line separator": "a: 'x\u2028y'\n",
    "mark in the middle": "a: 1\n\ufeffb: 2\n",
    "tag": "a: !%zz b\n",
    "percent": "%" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_can_do_harm(name: str) -> None:
    _, problems = read_map(SourceFile("h.yaml", HOSTILE[name]))
    assert problems and all(problem.span is not None for problem in problems)
    assert any(problem.severity == "error" for problem in problems)
    text = render_text(problems) + write_json(Report(tuple(problems), ()))
    text.encode("utf-8")
    assert len(text) < 200_000


def test_odd_but_harmless() -> None:
    assert read_text("a: " + "9" * 5000)[0] == {"a": "9" * 5000}
    assert read_text("a: [" + "f(," * 60_000 + "]")[1] == []
    assert read_text("a: 1\rb: 2\r") == ({"a": "1", "b": "2"}, [])
    assert read_text('a: "\\0\\u2028"')[0] == {"a": "\0\u2028"}


@pytest.mark.slow
def test_random_noise_never_raises() -> None:
    dice = random.Random(3)
    alphabet = "ab: -?[]{},#&*!|>'\"%@`\n\n  \t\\(){}é🎲\r<~=." + "yes"
    for _ in range(3000):
        text = "".join(dice.choice(alphabet) for _ in range(dice.randrange(40)))
        root, problems = read_map(SourceFile("n.yaml", text))
        assert root is not None or problems, text
        render_text(problems)


def test_a_file_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: caf\xc3\xa9\r\n")
    root, problems = read_file(path, "games/a.yaml")
    assert problems == [] and root is not None
    assert plain_data(root) == {"name": "café"}
    assert root.keys_at["name"].span.start == 0
    assert root.span.file.name == "games/a.yaml"
    assert read_file(path)[0] is not None


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"a: 1\nb: caf\xe9\n", "RB101 2:7", "0xe9"),
        ("a: 1\n".encode("utf-16"), "RB101 1:1", "UTF-16"),
        (b"\xef\xbb\xbf" + "é: ".encode() + b"\xff", "RB101 1:4", "UTF-8"),
        (b"x" * (MIB + 1), "RB106 1:1", "1 MiB"),
        (b"\x89PNG\r\n\x1a\n\0\0", "RB101 1:1", "UTF-8"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, data: bytes, place: str, words: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    root, (problem,) = read_file(path)
    assert root is None and problem.span is not None
    assert f"{problem.code} {problem.span.line}:{problem.span.column}" == place
    assert words in problem.message


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, tmp_path / "a\0b"):
        root, (problem,) = read_file(path, "x.yaml")
        assert root is None and problem.code == "RB101"
        assert "--> x.yaml\n" in render_text([problem])
