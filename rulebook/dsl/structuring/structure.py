"""A rulebook's map as typed records: every key known, every value of the right kind, every mistake in place.

cattrs walks the classes of `schema`, and those of `forms` for maps that are no record there, and collects what does not
fit; `misfits` turns that into messages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from attrs import fields
from cattrs import Converter
from cattrs.errors import ClassValidationError, IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, override

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, did_you_mean, nearest, perhaps
from rulebook.dsl import schema
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, is_nothing
from rulebook.dsl.structuring import forms, leaves
from rulebook.dsl.structuring.declarations import check_names, list_declared
from rulebook.dsl.structuring.misfits import NO_LIST, PAYOFF, At, Misfit, Misfits, find_key, is_payoff, list_messages

_Read = TypeVar("_Read")
_Reader = Callable[[Any], Any]  # from a node, or from an `_Entry`
_KEY = "\x7fkey"  # under which a record finds its own key; nobody types a key with a control character
_AT_THE_CARD = "What is done stands at each card, under the name of the hook."


def structure(merged: Mapping, id: str, source: dict[str, str]) -> tuple[schema.Authored | None, list[Diagnostic]]:
    """The records of a rulebook, with all messages in the order of the files; none if a map does not fit.

    Names are checked too, but a bad name leaves the records whole: the checker can go on and find more.
    """
    messages = check_names(merged)
    authored = None
    try:
        written: schema.Document = _converter().structure(merged, schema.Document)
    except (ClassValidationError, Misfit) as error:
        messages += list_messages(error, At((), merged, None))
    else:
        authored = schema.Authored(
            **{field.name: getattr(written, field.name) for field in fields(schema.Document)},
            id=id,
            keys={name.address: schema.Key(name.key) for name in reversed(list(list_declared(merged)))},
            source=source,
            rules_at=At((), merged, None).child("rules").span,
        )
    files = {file: number for number, file in enumerate(source)}
    return authored, sorted(messages, key=partial(_order, files))


def _order(files: dict[str, int], message: Diagnostic) -> tuple[int, str, int]:
    if message.span is None:
        return -1, "", 0
    name = message.span.file.name
    return files.get(name.rpartition("/")[2], 0), name, message.span.start


# Readers of maps


@frozen
class _Entry:
    """An entry of a map, for what knows its own key."""

    key: schema.Key
    node: Node


def _read_map(node: Node) -> Mapping:
    """A map; one that was left empty has no entries."""
    if is_nothing(node):
        return Mapping(node.span)
    if not isinstance(node, Mapping):
        raise leaves.unlike(node, "a map, lines of the form `key: value`")
    return node


def _make_map_reader(read: Callable[[_Entry], _Read]) -> Callable[[Node], dict[str, _Read]]:
    """A map from names to things of one sort; what does not fit is raised at the end, all of it."""

    def all_of(node: Node) -> dict[str, _Read]:
        mapping = _read_map(node)
        good: dict[str, _Read] = {}
        bad: list[Exception] = []
        for name, value in mapping.items():
            try:
                good[name] = read(_Entry(schema.Key(mapping.keys_at[name]), value))
            except (ClassValidationError, IterableValidationError, Misfit, Misfits) as error:
                error.add_note(IterableValidationNote("", name, None))
                bad.append(error)
        if bad:
            raise IterableValidationError("entries that do not fit", bad, dict)
        return good

    return all_of


def _make_nodes_reader(read: Callable[[Node], _Read]) -> Callable[[Node], dict[str, _Read]]:
    return _make_map_reader(lambda entry: read(entry.node))


def _make_list_reader(read: Callable[[_Entry], _Read]) -> Callable[[Node], tuple[_Read, ...]]:
    """The same without the names, which the things know themselves."""
    return lambda node: tuple(_make_map_reader(read)(node).values())


def _read_units(node: Node) -> dict[str, int]:
    units = _make_nodes_reader(partial(leaves.read_number, least=1))(node)
    if units and 1 not in units.values():
        smallest = leaves.read_scalar(_read_map(node)[min(units, key=units.__getitem__)])
        raise leaves.impossible(smallest, "1, because the smallest unit is what the others are counted in")
    return units


def _read_words(node: Node) -> dict[str, str]:
    """`{late_nights: Late nights}`, or `[late_nights]` if people read nearly the same."""
    if isinstance(node, Sequence) and node:
        texts = [word.text for word in leaves.read_names(node)]
        return {word: word[:1].upper() + word[1:].replace("_", " ") for word in texts}
    if isinstance(node, Sequence) or is_nothing(node):
        raise Misfit("RB112", None, wanted="`[a, b]`, or words with what people read", got="empty")
    return _make_nodes_reader(leaves.read_text)(node)


def _make_value(entry: _Entry) -> schema.Named:
    return schema.Named(entry.key, leaves.read_body(entry.node))


def _read_rule(entry: _Entry) -> schema.Named:
    return schema.Named(entry.key, leaves.read_script(entry.node, entry.key.text))


def _read_forbidden(entry: _Entry) -> schema.Named:
    return schema.Named(entry.key, leaves.read_scalar(entry.node, "a question about options"))


def _read_measure(entry: _Entry) -> schema.Named:
    return schema.Named(entry.key, leaves.read_scalar(entry.node, "a question about a number"))


def _read_does(entry: _Entry) -> schema.Hook:
    """`effect(me): `, something that a card does: it has no type."""
    if not is_nothing(entry.node):
        raise leaves.unlike(entry.node, "left empty here", _AT_THE_CARD)
    return schema.Hook(entry.key, None, None)


def _read_shown(entry: _Entry) -> schema.ShownValue:
    return schema.ShownValue(entry.key, None if is_nothing(entry.node) else leaves.read_scalar(entry.node))


def _read_symbol(entry: _Entry) -> schema.Symbol:
    sign = entry.node if isinstance(entry.node, Mapping) else leaves.read_scalar(entry.node, "a sign")
    return schema.Symbol(entry.key, sign)


def _read_corner(node: Node) -> tuple[Scalar, ...]:
    """Read the attributes in a corner; `none` of them is `none`."""
    is_none = isinstance(node, Scalar) and node.text in leaves.NO_VALUE
    return () if is_none else leaves.read_names(node)


# The converter


def _wrap_reader(read: _Reader) -> Callable[[Any, Any], Any]:
    """Wrap a reader as cattrs calls it: with a type that says nothing new."""
    return lambda node, _: read(node)


def _make_reader(converter: Converter, cl: type, **slots: _Reader) -> _Reader:
    """A reader of one class's map. `slots` are the attributes whose type does not say all that is wanted."""
    overrides: dict[str, Any] = {}
    for slot in fields(cl):
        read = slots.get(slot.name)
        overrides[slot.name] = override(
            rename=find_key(cl, slot.name), struct_hook=_wrap_reader(read) if read else None
        )
    keyed = "key" in overrides
    if keyed:
        overrides["key"] = override(rename=_KEY, struct_hook=_wrap_reader(lambda key: key))

    @cache
    def form() -> Callable[[Any, Any], Any]:
        """Written when the first such map is read: few games have one of every sort, and to write it takes a while."""
        return make_dict_structure_fn(
            cl, converter, _cattrs_forbid_extra_keys=True, _cattrs_detailed_validation=True, **overrides
        )

    def read_record(entry: Node | _Entry | dict[str, Any]) -> Any:
        node = entry.node if isinstance(entry, _Entry) else entry
        entries: dict[str, Any] = dict(node if isinstance(node, dict) else _read_map(node))
        if keyed and isinstance(entry, _Entry):
            entries[_KEY] = entry.key
        return form()(entries, cl)

    converter.register_structure_hook(cl, _wrap_reader(read_record))
    return read_record


@cache
def _converter() -> Converter:
    """Built on first use: generating the code for the classes takes longer than reading a small rulebook."""
    converter = Converter(detailed_validation=True, forbid_extra_keys=True)
    plain: dict[type, _Reader] = {
        str: leaves.read_text, int: leaves.read_number, bool: leaves.read_yes_no, Scalar: leaves.read_scalar,
        Mapping: _read_map,
        schema.TypeName: leaves.read_type_name,
    }  # fmt: skip
    for cl, read in plain.items():
        converter.register_structure_hook(cl, _wrap_reader(read))
    record = partial(_make_reader, converter)
    seen_by = leaves.make_word_reader("nobody", "owner", "others", "everyone")
    of_memory: dict[str, _Reader] = {"default": leaves.read_anything, "seen_by": lambda node: seen_by(node).text}
    in_full = record(forms.Has, default=leaves.read_anything)
    seen = leaves.make_word_reader(*forms.SEEN)
    field_of_kind = _make_field_reader(in_full, lists=False)
    state = _make_field_reader(record(forms.Changing, seen=lambda node: seen(node).text, **of_memory), lists=True)
    memory = _make_field_reader(record(forms.Remembered, **of_memory), lists=True)
    option = record(schema.Option, type=partial(leaves.read_type_name, of_option=True), default=leaves.read_anything)
    looked_at: dict[str, _Reader] = {
        "recall": leaves.make_switched_reader(leaves.read_yes_no),
        "counted": leaves.make_switched_reader(leaves.make_word_reader("owner", "everyone")),
        "opened_at_end": leaves.make_switched_reader(leaves.read_yes_no),
    }
    place = record(
        schema.Place,
        holds=leaves.read_names,
        kept=leaves.make_word_reader(*forms.KEPT),
        seen_by=leaves.make_switched_reader(leaves.make_word_reader(*forms.SEEN_BY)),
        size=leaves.read_size,
        alike=leaves.make_word_reader(*forms.ALIKE),
        **looked_at,
    )
    box = record(
        schema.Box, seen_by=leaves.make_switched_reader(leaves.make_word_reader(*forms.BOX_SEEN_BY)), **looked_at
    )
    shown = leaves.make_switched_reader(leaves.read_scalar)
    kind = record(
        schema.Kind,
        has=_make_nodes_reader(field_of_kind),
        state=_make_nodes_reader(state),
        places=_make_map_reader(place),
        asks=_make_list_reader(partial(_read_asks, in_full)),
        does=_make_list_reader(_read_does),
        may_do=_make_list_reader(_read_does),
        may_change=leaves.read_changes,
        for_set_up=leaves.read_names,
        comes_with=_make_nodes_reader(leaves.read_scalar),
        text=shown,
    )
    effect = partial(leaves.read_script, key="effect")
    phrases = _make_map_reader(lambda entry: schema.Phrase(entry.key, leaves.read_scalar(entry.node)))
    action = record(schema.Action, effect=effect, name=shown, text=shown, possible=leaves.read_body)
    result = record(schema.Result, payoff=_make_value)
    record(
        schema.Display,
        about=phrases,
        titles=phrases,
        shown=_make_map_reader(_read_shown),
        order=leaves.read_names,
        sort=_make_nodes_reader(leaves.read_names),
        hidden=leaves.read_names,
        scores=leaves.read_names,
        colours=phrases,
        verbs=phrases,
        symbols=_make_map_reader(_read_symbol),
        card=_make_map_reader(record(schema.Look, corner=_read_corner, cut=leaves.make_word_reader(*schema.CUTS))),
    )
    of_table = _make_map_reader(lambda entry: (box if entry.key.text == forms.BOX else place)(entry))
    record(schema.Places, table=of_table, player=_make_map_reader(place))
    record(schema.Memory, table=_make_nodes_reader(memory), player=_make_nodes_reader(memory))
    record(
        schema.Document,
        format=leaves.read_language_version,
        players=leaves.read_seats,
        units=_read_units,
        words=_make_nodes_reader(_read_words),
        options=_make_nodes_reader(option),
        forbid=_make_list_reader(_read_forbidden),
        kinds=_make_map_reader(kind),
        cards=partial(_read_cards, record(forms.Kinded)),
        values=_make_list_reader(_make_value),
        rules=_make_list_reader(_read_rule),
        whenever=_make_list_reader(_read_rule),
        actions=_make_map_reader(action),
        measures=_make_list_reader(_read_measure),
        phrases=phrases,
        result=lambda node: result(_payoff_found(_read_map(node))),
    )
    return converter


def _make_field_reader(in_full: _Reader, *, lists: bool) -> Callable[[Node], schema.Field]:
    """A type, a value to start with, or both in full. A list is such a value, or else choices."""

    def read_field(node: Node) -> schema.Field:
        if isinstance(node, Mapping):
            full = in_full(node)
            rest = {name: getattr(full, name) for name in ("lasts", "seen_by") if hasattr(full, name)}
            return schema.Field(full.type, full.default, **rest, with_face=getattr(full, "seen", "") == "with_face")
        if leaves.is_value(node) or (lists and isinstance(node, Sequence)):
            return schema.Field(None, node)
        if lists:
            leaves.refuse_worked_out(node)
        return schema.Field(leaves.read_type_name(node), None)

    return read_field


def _read_asks(in_full: _Reader, entry: _Entry) -> schema.Hook:
    """`innocent(me): conditions`, a question that a card answers."""
    if isinstance(entry.node, Mapping):
        full = in_full(entry.node)
        return schema.Hook(entry.key, full.type, full.default)
    return schema.Hook(entry.key, leaves.read_type_name(entry.node), None)


def _read_cards(kinded: _Reader, node: Node) -> dict[str, schema.Card]:
    """Cards with their own fields; one that copies another has those of the other too."""
    if isinstance(node, Sequence) and node:
        raise leaves.unlike(node, "a map, lines of the form `key: value`", NO_LIST)
    cards = _read_map(node)

    def read_card(entry: _Entry) -> schema.Card:
        own = _read_map(entry.node)
        all_fields = _copy_fields(own, cards) if "copy" in own else own
        known, rest = Mapping(own.span), Mapping(own.span)
        if "kind" not in all_fields and (slip := next((field for field in own if nearest(field, ["kind"])), None)):
            help = perhaps(slip, ["kind"])
            raise Misfit("RB110", own.keys_at[slip].span, help, thing="A card", field=slip)
        for name, value in all_fields.items():
            (known if name == "kind" else rest).put(all_fields.keys_at[name], value)
        return schema.Card(entry.key, kinded(known).kind, rest)

    return _make_map_reader(read_card)(cards)


def _copy_fields(own: Mapping, cards: Mapping) -> Mapping:
    name = leaves.read_scalar(own["copy"], "the name of a card")
    original = cards.get(name.text)
    if leaves.NUMBER.fullmatch(name.text):
        help = f"How many there are of it is `copies: {name.text}`; `copy` names a card that it is like."
        raise Misfit("RB112", name.span, help, what="`copy`", wanted="the name of a card", got=f"`{name.text}`")
    if not isinstance(original, Mapping):
        raise Misfit("RB301", name.span, did_you_mean(name.text, cards) or None, wanted="card", name=name.text)
    if "copy" in original:
        raise leaves.impossible(name, "a card that is not a copy itself")
    fields = Mapping(own.span)
    fields.take_entries(original)
    fields.take_entries(own, without="copy")
    return fields


def _payoff_found(node: Mapping) -> dict[str, Any]:
    """The map with the payoff, which is a signature, under a name that does not vary."""
    payoff = next((name for name in node if is_payoff(name)), None)
    renamed: dict[str, Any] = {name: value for name, value in node.items() if name != payoff}
    if payoff is not None:
        renamed[PAYOFF] = _Entry(schema.Key(node.keys_at[payoff]), node[payoff])
    return renamed
