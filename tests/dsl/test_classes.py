"""Records that share their methods compare, hash and show themselves as attrs would have it."""

from __future__ import annotations

from itertools import product
from typing import Any

import attrs
from paths import ROOT

from rulebook.classes import frozen


class Base:
    kind: str
    at: Any = attrs.field(default=None, eq=False, repr=False)


class None_:
    pass


def make_both(body: type) -> tuple[type[Any], type[Any]]:
    def copy() -> type[Any]:
        return type(body.__name__, (), {name: value for name, value in vars(body).items() if name[:6] != "__dict"})

    return frozen(copy()), attrs.frozen(copy())


def test_records_are_equal_where_those_of_attrs_are() -> None:
    ours, theirs = make_both(Base)
    arguments = [("a", 1), ("a", 2), ("b", 1), ((1, 2), None)]
    for one, other in product(arguments, repeat=2):
        assert (ours(*one) == ours(*other)) is (theirs(*one) == theirs(*other)), (one, other)
        if ours(*one) == ours(*other):
            assert hash(ours(*one)) == hash(ours(*other))
    assert ours("a") != theirs("a")
    assert ours("a") != "a"
    assert len({ours("a", 1), ours("a", 2), ours("b")}) == 2


def test_records_are_shown_as_those_of_attrs_are() -> None:
    ours, theirs = make_both(Base)
    inner, other = ours("x", 5), theirs("x", 5)
    assert repr(ours((inner, "b"))) == repr(theirs((other, "b"))) == "Base(kind=(Base(kind='x'), 'b'))"
    ours, theirs = make_both(None_)
    assert repr(ours()) == repr(theirs()) == "None_()"
    assert ours() == ours()
    loop: list[Any] = []
    loop.append(make_both(Base)[0](loop))
    assert repr(loop[0]) == "Base(kind=[...])"


def test_what_is_said_of_a_class_holds() -> None:
    @frozen(eq=False)
    class Apart:
        name: str

    @frozen
    class Own:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return "own"

    @frozen(order=True)
    class Ordered:
        name: str

    assert Apart("a") != Apart("a")
    assert Own("a") == Own("b")
    assert (hash(Own("a")), repr(Own("a"))) == (1, "own")
    assert Ordered("a") < Ordered("b")
    assert Ordered("a") == Ordered("a")


def test_all_records_share_their_methods() -> None:
    """A start is shorter by what is not compiled."""
    program = [file for file in (ROOT / "rulebook").rglob("*.py") if file.name != "classes.py"]
    assert [file for file in program if "import frozen" in file.read_text("utf-8")]
    own = [
        file
        for file in program
        if any("frozen" in line and "from attrs" in line for line in file.read_text("utf-8").splitlines())
    ]
    assert own == []
