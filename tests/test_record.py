"""Records are what attrs would have made of them."""

import pickle
from typing import Any

import attrs
import pytest

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import Scalar
from rulebook.dsl.syntax import At
from rulebook.record import Record, evolve, field, maker, record
from rulebook.source import SourceFile, Span


@record
class Base(Record):
    place: int = field(kw_only=True, eq=False, repr=False)
    mark: str = field(kw_only=True, default="m")


@record
class One(Base):
    name: str
    rest: tuple[int, ...] = ()
    seen: list[int] = field(factory=list)


@attrs.frozen
class AttrsBase:
    place: int = attrs.field(kw_only=True, eq=False, repr=False)
    mark: str = attrs.field(kw_only=True, default="m")


@attrs.frozen
class AttrsOne(AttrsBase):
    name: str
    rest: tuple[int, ...] = ()
    seen: list[int] = attrs.field(factory=list)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (("a",), {"place": 1}),
        (("a", (1,)), {"place": 1, "mark": "x"}),
        ((), {"name": "a", "place": 1, "seen": [4]}),
        (("a",), {}),
        ((), {"place": 1}),
        (("a", (), [], 7), {"place": 1}),
        (("a",), {"place": 1, "other": 2}),
    ],
)
def test_a_record_is_made_as_attrs_would_make_it(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    made: Any = One
    try:
        theirs = AttrsOne(*values, **named)
    except TypeError:
        with pytest.raises(TypeError):
            made(*values, **named)
        return
    ours = made(*values, **named)
    assert repr(ours) == repr(theirs).removeprefix("Attrs")
    assert [getattr(ours, name) for name in ("place", "mark", "name", "rest", "seen")] == [
        getattr(theirs, name) for name in ("place", "mark", "name", "rest", "seen")
    ]


def test_the_fields_are_those_of_attrs() -> None:
    assert attrs.has(One) and One.__match_args__ == AttrsOne.__match_args__
    for ours, theirs in zip(attrs.fields(One), attrs.fields(AttrsOne), strict=True):
        assert (ours.name, ours.kw_only, ours.eq, ours.repr) == (theirs.name, theirs.kw_only, theirs.eq, theirs.repr)
        assert ours.default == theirs.default


def test_equality_leaves_out_what_does_not_count() -> None:
    one = One("a", place=1)
    assert one == One("a", place=2) and one != One("b", place=1) and one != Base(place=1)
    assert len({ir.Const(1, type=t.NUMBER), ir.Const(1, type=t.NUMBER), ir.Const(2, type=t.NUMBER)}) == 2


def test_each_record_has_a_list_of_its_own() -> None:
    one, other = One("a", place=1), One("a", place=1)
    one.seen.append(1)
    assert not other.seen


def test_a_base_that_was_made_first_does_not_make_what_is_derived() -> None:
    assert Base(place=3).place == 3
    assert One("a", place=3).name == "a"


def test_nothing_of_it_changes() -> None:
    one = One("a", place=1)
    name = "name"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(one, name, "b")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del one.name
    assert not hasattr(one, "__dict__")


def test_a_method_makes_the_same_of_all_values_in_order() -> None:
    seen: list[int] = []
    made = maker(One)(None, 1, "x", "a", (2,), seen)
    assert made == One("a", (2,), seen, place=1, mark="x") and made.seen is seen and made.place == 1


def test_it_is_evolved_and_sent() -> None:
    scalar = Scalar("hand", "plain", Span(SourceFile("a", "hand"), 0, 4))
    one = ir.Const(1, type=t.NUMBER, at=At(scalar, 0, 4))
    assert evolve(one, value=2) == attrs.evolve(one, value=2) == ir.Const(2, type=t.NUMBER)
    assert evolve(one, value=1) is one
    sent = pickle.loads(pickle.dumps(one))
    assert sent == one and sent.at.start == 0


def test_of_equal_types_there_is_one() -> None:
    kinds = frozenset(["a", "b"])
    assert t.Card(kinds) is t.Card(frozenset(["b", "a"]))
    assert t.ListOf(item=t.Card(kinds)) is t.ListOf(t.Card(kinds))
    assert t.ListOf(t.PLAYER) is not t.PerPlayer(t.PLAYER)
    assert pickle.loads(pickle.dumps(t.Either(frozenset([t.PLAYER, t.NOTHING])))) is t.maybe(t.PLAYER)
    card: Any = t.Card
    with pytest.raises(TypeError):
        card()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        card(kinds).kinds = frozenset()
