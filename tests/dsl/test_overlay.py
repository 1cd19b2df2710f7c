"""Variants: what they make of a game, and what is said about those that cannot be laid over it.

Nearly all of it is data: `data/overlay/*.yaml` hold variants of the small game, the place of each mistake between
marks.
`gives` is the code and a part of what is said there, `makes` what the resolved game says at some paths, `weaves` what
scripts are when all is in them that variants do at their sentences.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from paths import DATA
from printer import print_script

from rulebook.comparing.yaml_text import in_words
from rulebook.diagnostics.registry import Example, unmarked
from rulebook.diagnostics.render import render_text
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, find_layers, find_seams
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.paths import Place, find_path
from rulebook.dsl.overlay.variant import variant_of
from rulebook.dsl.parsing.weaving import parse_woven
from rulebook.dsl.reading.reader import read_map
from rulebook.examples import find_messages, over_market
from rulebook.source import SourceFile

FILES = DATA / "overlay"


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{file.stem}: {title}")
        for file in sorted(FILES.glob("*.yaml"))
        for title, case in yaml.load(file.read_text("utf-8"), yaml.BaseLoader).items()
    ]


@pytest.mark.parametrize("case", cases())
def test_variant(case: dict[str, Any]) -> None:
    assert set(case) - {"variant"} and set(case) <= {"variant", "gives", "makes", "label", "weaves"}
    text, places = unmarked(case["variant"])
    found = find_messages(Example("variant", text))
    shown = render_text(found)
    given = case.get("gives", [])
    wanted = given if isinstance(given, list) else [given]
    there = [(one.span.start, one.span.end) for one in found if one.span is not None]
    assert (len(found), there) == (len(wanted), list(places) or there), shown
    for one, said in zip(found, wanted, strict=True):
        code, _, words = said.partition(" ")
        assert one.code.startswith(code) and words in f"{one.message} {one.help}", shown
    for label in case.get("label", []):
        assert label in [f"{one.span.text}: {one.text}" for message in found for one in message.labels], shown
    merged, _ = over_market(text)
    for path, said in case.get("makes", {}).items():
        place = find_path(merged, path)
        assert isinstance(place, Place), path
        assert plain(place.node) == said
    for path, said in case.get("weaves", {}).items():
        place = find_path(merged, path)
        assert isinstance(place, Place), path
        script = next(find_layers(place.node))
        assert isinstance(script, Scalar)
        tree, _ = parse_woven(script, find_seams(place.node))
        assert tree is not None and print_script(tree) == said.rstrip("\n")
        if "also" not in (shown := "\n".join(in_words(place.node))):  # a condition stands there as a comment
            assert shown == said.rstrip("\n")


def test_variants_do_not_nest_blocks_without_end() -> None:
    # Each text is within the bounds of one script; what stands around what is not.
    levels = range(2, 27)
    rule = "".join(f"{'  ' * level}repeat {level}:\n" for level in levels) + "  " * 27 + 'say "…"\n'
    blocks = "".join(f"{'  ' * level}repeat {level + 40}:\n" for level in levels) + "  " * 27 + "original\n"
    seams = "".join(f"  rules.deep.repeat {level}: |\n{blocks}" for level in levels)
    game = f"format: 1\nname: Deep\nplayers: 2..4\nrules:\n  deep: |\n{rule}"
    base, _ = read_map(SourceFile("deep.yaml", game))
    top, _ = read_map(SourceFile("v.yaml", f"variant: v\nname: V\nextends: deep\ninstead of:\n{seams}"))
    assert base is not None and top is not None
    laid = overlay(base, [variant_of(top, "v")[0]], "deep")
    assert not laid.messages
    node = find_path(laid.merged, "rules.deep")
    assert isinstance(node, Place)
    own = next(find_layers(node.node))
    assert isinstance(own, Scalar)
    tree, messages = parse_woven(own, find_seams(node.node))
    assert tree is None and [message.code for message in messages] == ["RB106"]


WINDOW = """\
format: 1
name: Feast
players: 2..4
rules:
  feast: |
    offer others in turn as q to choose card from q.hand "Something?":
      move card to bag
    else:
      say "Nothing."
"""
AT_A_WINDOW = {
    """\
change: {rules.feast.offer others: offer players together as q to choose 2 card from q.hand}
before: {rules.feast.move card: reveal card}
""": """\
offer players together as q to choose 2 card from q.hand:
  reveal card
  move card to bag
else:
  say "Nothing.\"""",
    """\
add:
  rules.feast.offer others.where: points > 3
  rules.feast.offer others.so that: card is not vinegar
after: {rules.feast.else.say: shuffle bag}
""": """\
offer others where points > 3 in turn as q to choose card from q.hand so that card is not vinegar "Something?":
  move card to bag
else:
  say "Nothing."
  shuffle bag""",
}


@pytest.mark.parametrize(("variant", "woven"), AT_A_WINDOW.items())
def test_a_window_of_things_is_changed_in_all_its_parts(variant: str, woven: str) -> None:
    base, _ = read_map(SourceFile("feast.yaml", WINDOW))
    top, _ = read_map(SourceFile("v.yaml", f"variant: v\nname: V\nextends: feast\n{variant}"))
    assert base is not None and top is not None
    laid = overlay(base, [variant_of(top, "v")[0]], "feast")
    assert not laid.messages, render_text(laid.messages)
    place = find_path(laid.merged, "rules.feast")
    assert isinstance(place, Place)
    script = next(find_layers(place.node))
    assert isinstance(script, Scalar)
    tree, messages = parse_woven(script, find_seams(place.node))
    assert tree is not None and not messages
    assert print_script(tree) == woven


def plain(node: Node) -> object:
    if isinstance(node, Mapping):
        return {name: plain(value) for name, value in node.items()}
    return [plain(one) for one in node] if isinstance(node, Sequence) else node.text
