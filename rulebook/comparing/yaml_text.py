"""Nodes as YAML again, in one way for all of them, so that two texts differ only where the nodes do.

No game can be loaded from it: what hangs on a script stands there as a comment says.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.comparing.spliced import splice_script
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Seamed, Sequence, find_layers, find_seams

_STEP = "  "


def yaml_lines(key: str, node: Node) -> list[str]:
    match node:
        case Mapping() if node and not _is_flow(node):
            inner = [line for name, value in node.items() for line in yaml_lines(_raw(node.keys_at[name]), value)]
            return [f"{key}:", *(_STEP + line for line in inner)]
        case Layered() | Seamed():
            return [f"{key}: |", *(f"{_STEP}{line}".rstrip() for line in in_words(node))]
        case Scalar() if "\n" in node.text.rstrip("\n") or node.style in ("literal", "folded"):
            return [f"{key}: |", *(f"{_STEP}{line}".rstrip() for line in node.text.rstrip("\n").split("\n"))]
    return [f"{key}: {_flow(node)}".rstrip()]


def in_words(node: Node, seams: tuple[Seamed, ...] = ()) -> list[str]:
    """Print a leaf or script, line by line; of a script with others hanging on it, all of them in their order. `seams`
    are what variants do at its sentences, besides those around it.
    """
    seams, node = seams or find_seams(node), next(find_layers(node))
    match node:
        case Layered():
            own = splice_script(node, seams).split("\n")
            beneath = in_words(node.beneath, seams)
            match node.place:
                case "before":
                    return ["# before it:", *own, "# then:", *beneath]
                case "after":
                    return [*beneath, "# after it:", *own]
            return ["# instead of the original:", *own, "# the original:", *(f"#   {line}" for line in beneath)]
        case Scalar():
            return splice_script(node, seams).split("\n")
        case Mapping() if not _is_flow(node):
            return [line for name, value in node.items() for line in yaml_lines(_raw(node.keys_at[name]), value)]
    return [_flow(node)]


def _is_flow(node: Mapping) -> bool:
    """Tell whether a map stands in braces, and still fits there."""
    return node.span.file.text[node.span.start : node.span.start + 1] == "{" and all(map(_fits_one_line, node.values()))


def _fits_one_line(node: Node) -> bool:
    match node:
        case Layered() | Seamed():
            return False
        case Scalar():
            return "\n" not in node.text and node.style not in ("literal", "folded")
        case Mapping():
            return all(map(_fits_one_line, node.values()))
    return all(map(_fits_one_line, node))


def _flow(node: Node) -> str:
    return "".join(_flowing(node))


def _flowing(node: Node) -> Iterator[str]:
    match node:
        case Scalar():
            yield _raw(node)
        case Mapping():
            inner = (f"{_raw(node.keys_at[name])}: {_flow(value)}".rstrip() for name, value in node.items())
            yield f"{{{', '.join(inner)}}}"
        case Sequence():
            yield f"[{', '.join(map(_flow, node))}]"


def _raw(scalar: Scalar) -> str:
    """A text in one line, with its quotes if it has some."""
    written = scalar.span.text
    return written if scalar.style in ("single", "double") and "\n" not in written else scalar.text.rstrip("\n")
