"""Records: classes of a few fields that never change, compared, hashed and shown by these.

In: a class derived from `Record` whose fields are annotated, marked `@record`. Out: just what `attrs.frozen` would make
of it; `fields`, `has` and `evolve` of attrs know it, and those who check types take it for that. Never: writes code for
a class of which nobody makes a record. attrs writes the code of each class at once, and for the hundreds of classes of
a language that takes longer, at every start, than to check most rulebooks.

The classes have no metaclass of their own: with one, asking whether something is of a class takes three times as long,
and a check of a rulebook asks that millions of times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter, is_
from types import CodeType, FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from attrs import NOTHING, Factory, fields
from attrs.exceptions import FrozenInstanceError

__all__ = ["Record", "evolve", "evolved", "field", "maker", "record", "single"]

_Record = TypeVar("_Record")
_Kind = TypeVar("_Kind", bound=type)


class Field:
    """One field, with the names that the fields of attrs have."""

    __slots__ = ("alias", "default", "eq", "factory", "kw_only", "metadata", "name", "repr", "type")
    init, converter = True, None

    def __init__(
        self,
        default: Any = NOTHING,
        factory: Any = None,
        kw_only: bool = False,
        eq: bool = True,
        repr: bool = True,
        metadata: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.default = default if factory is None else Factory(factory)
        self.factory, self.kw_only, self.eq, self.repr = factory, kw_only, eq, repr
        self.metadata = metadata

    def named(self, name: str, type: str) -> Field:
        """This field, as it is called in a class."""
        self.name = self.alias = name
        self.type = type
        return self


def _made(kind: Any, eq: bool = True, single: bool = False, kw_only: bool = False) -> Any:
    """A class of records, made of one as its author wrote it: its fields, in order, are slots."""
    namespace = dict(vars(kind), __qualname__=kind.__qualname__)
    own = []
    for called, words in namespace.get("__annotations__", {}).items():
        given = namespace.pop(called, NOTHING)
        own.append((given if isinstance(given, Field) else Field(given)).named(called, words))
        own[-1].kw_only |= kw_only
    before = [one for base in kind.__bases__ for one in getattr(base, "__attrs_attrs__", ())]
    every = (*before, *own)
    namespace.pop("__dict__")
    namespace.pop("__weakref__", None)
    namespace["__slots__"] = tuple(one.name for one in own)
    namespace["__match_args__"] = tuple(one.name for one in every if not one.kw_only)
    namespace["__attrs_attrs__"] = every
    namespace["__new__"] = partial(_first, single)
    if single or not eq:
        namespace |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
    return type(kind.__name__, kind.__bases__, namespace)


def _first(single: bool, kind: Any, /, *values: Any, **named: Any) -> Any:
    """The first time that a record of a class is made, what makes them all is written."""
    kind.__new__ = staticmethod(_written(kind, _ONE if single else _NEW))
    return kind.__new__(kind, *values, **named)


# A slot of a record refuses to be set. To set those of an open twin, which then becomes a record, takes half of the
# time that it takes to go around the refusal.
_NEW = """
def __new__(_kind, /, {parameters}):
    self = _open()
    {body}
    self.__class__ = _kind
    return self
"""
_ONE = """
def __new__(_kind, /, {parameters}):
    key = ({values})
    self = _known.get(key)
    if self is None:
        self = _open()
        {body}
        self.__class__ = _kind
        _known[key] = self
    return self
"""
_MAKE = """
def made(_, {parameters}):
    self = _open()
    {body}
    self.__class__ = _kind
    return self
"""


def _opened(kind: Any) -> Any:
    """The twin of a class of records: its slots can be set, and it is nothing else."""
    free = {"__slots__": kind.__slots__, "__new__": object.__new__, "__init__": object.__init__}
    return type("Open", kind.__bases__, free | {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__})


def maker(kind: type[_Record]) -> Callable[..., _Record]:
    """A method that makes records of a class of all their values, in the order of their fields: a base's come first.

    It takes half as long as to call the class with names. That is worth it where records are made by the hundred
    thousand; nobody checks the types of what is given here.
    """
    made: Any = kind
    names = [one.name for one in fields(made)]
    code = _named(_code(_MAKE, len(names), len(names), (False,) * len(names)), names)
    return FunctionType(code, {"_kind": kind, "_open": _opened(kind)})


def _written(kind: Any, text: str) -> Callable[..., Any]:
    """What makes the records of a class, as its author would have written it."""
    every = sorted(kind.__attrs_attrs__, key=lambda one: bool(one.kw_only))
    plain = [one for one in every if not one.kw_only]
    code = _code(text, len(plain), len(every), tuple(one.factory is not None for one in every))
    known: dict[str, Any] = {"_nothing": NOTHING, "_known": {}, "_open": _opened(kind)}
    known |= {f"_make_{number}": one.factory for number, one in enumerate(every)}
    given = {
        one.name: NOTHING if one.factory else one.default for one in every if one.factory or one.default is not NOTHING
    }
    defaults = tuple(given[one.name] for one in plain if one.name in given)
    made = FunctionType(_named(code, [one.name for one in every]), known, code.co_name, defaults)
    made.__kwdefaults__ = {one.name: given[one.name] for one in every[len(plain) :] if one.name in given}
    made.__qualname__, made.__module__ = f"{kind.__qualname__}.{code.co_name}", kind.__module__
    return made


@cache
def _code(text: str, plain: int, every: int, makes: tuple[bool, ...]) -> CodeType:
    """The code for all classes with so many fields; only what these are called differs from class to class."""
    values = [f"_{number}" for number in range(every)]
    parameters = [*values[:plain], *(["*"] if plain < every else []), *values[plain:]]
    body = [
        f"self.{value} = {f'_make{value}() if {value} is _nothing else {value}' if made else value}"
        for value, made in zip(values, makes, strict=True)
    ]
    written: dict[str, Any] = {}
    key = "".join(f"{value}, " for value in values)
    exec(text.format(parameters=", ".join(parameters), values=key, body="; ".join(body) or "pass"), written)
    (made,) = (one for one in written.values() if isinstance(one, FunctionType))
    code: CodeType = made.__code__
    return code


def _named(code: CodeType, names: Sequence[str]) -> CodeType:
    """The code with the names of fields for their numbers."""
    known = {f"_{number}": name for number, name in enumerate(names)}
    variables, attributes = (tuple(known.get(one, one) for one in some) for some in (code.co_varnames, code.co_names))
    return code.replace(co_varnames=variables, co_names=attributes)


def _again(kind: Any, values: Sequence[Any]) -> Any:
    """A record that was sent from one process to another."""
    return kind(**dict(zip(_names(kind), values, strict=True)))


class Record:
    """Equal to another of the same class with equal fields; fields with `eq=False` or `repr=False` do not count."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        kind: Any = type(self)
        compared = _compared(kind)
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        kind: Any = type(self)
        return hash((kind, _compared(kind)(self)))

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in _shown(kind))
        return f"{kind.__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        kind: Any = type(self)
        return _again, (kind, [getattr(self, name) for name in _names(kind)])

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError


if TYPE_CHECKING:
    from attrs import evolve as evolve  # who checks types knows from these the fields of each class
    from attrs import field as field
    from attrs import frozen as record
    from attrs import frozen as single
else:

    def record(kind: _Kind | None = None, *, eq: bool = True, kw_only: bool = False) -> Any:
        """A class of records; with `eq=False`, of such as are equal to nothing but themselves. With `kw_only` all its
        fields must be named.
        """
        return partial(_made, eq=eq, kw_only=kw_only) if kind is None else _made(kind)

    def single(kind: _Kind) -> Any:
        """A class of records of which equal ones are one and the same: to compare and to hash them costs nothing."""
        return _made(kind, single=True)

    field = Field

    def evolve(record: Any, **changes: Any) -> Any:
        """A record like this one with other values; the same one if nothing is new."""
        if all(getattr(record, name) is value for name, value in changes.items()):
            return record
        kind = type(record)
        return kind(**{name: getattr(record, name) for name in _names(kind)} | changes)


def evolved(made: Sequence[_Record], before: tuple[_Record, ...]) -> tuple[_Record, ...]:
    """What was made of some records, one of each; the same tuple if nothing is new."""
    return before if all(map(is_, made, before)) else tuple(made)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


@cache
def _compared(kind: Any) -> Callable[[Any], Any]:
    """What gets the values by which records of a class are compared."""
    names = [one.name for one in fields(kind) if one.eq]
    return attrgetter(*names) if names else lambda record: ()


@cache
def _shown(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.repr)
