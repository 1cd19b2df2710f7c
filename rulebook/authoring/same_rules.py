"""Two rulebooks held against each other: whether they are the same rules, though a script of the one is two in the
other, which calls what it hangs on, and names stand in other slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, evolve, field, fields

from rulebook.dsl import ir
from rulebook.dsl.naming.layer_names import is_beneath, name_beneath, name_plainly
from rulebook.dsl.walk import statements
from rulebook.interpreter.lowering.tables import list_rule_fields

_SLOTS = frozenset({"slot", "slots", "index", "picker", "guards"})
"""The fields in which slots stand."""
_UNORDERED = frozenset({"functions", "scripts", "phrases", "hooks"})


def find_difference(one: ir.Rulebook, other: ir.Rulebook, called: Mapping[str, str]) -> str | None:
    """Return the name of something that the rulebooks say differently; None if they are the same rules.

    What lies beneath a script of the first one is part of that script in the other, or is `called` otherwise there.
    """
    first, second = _write_parts(one, called), _write_parts(other, {})
    return next((name for name in {**first, **second} if first.get(name) != second.get(name)), None)


def find_asked_behind(rulebook: ir.Rulebook, called: Mapping[str, str]) -> str | None:
    """Return the script beneath which a rule of its own would be another game, as something is asked or drawn there.

    Behind each rule, `until` and `whenever` are asked, but not behind what another script hangs on; and what a script
    draws by lot is drawn with what it hangs on.
    """
    asks = ir.TRIGGERS in rulebook.scripts or any(
        isinstance(sentence, ir.Stage) and sentence.until is not None
        for script in rulebook.scripts.values()
        for sentence in statements(script.body)
    )
    for name in called:
        script = rulebook.scripts.get(name)
        draws = script is not None and any(isinstance(one, ir.PickRandom | ir.Roll) for one in statements(script.body))
        if script is not None and (asks or draws):
            return name_plainly(name)
    return None


def leaves_early(rulebook: ir.Rulebook, name: str) -> bool:
    """Tell whether what lies beneath a script may end with a `return`."""
    script = rulebook.scripts.get(name_beneath(name))
    return script is not None and any(isinstance(sentence, ir.Return) for sentence in statements(script.body))


def _write_parts(rulebook: ir.Rulebook, called: Mapping[str, str]) -> dict[str, object]:
    parts: dict[str, object] = {}
    for name in list_rule_fields(ir.Rulebook):
        section = getattr(rulebook, name)
        if name in ("id", "variants"):
            continue
        if not isinstance(section, dict):
            parts[name] = _Writer(rulebook, called).write(section)
            continue
        if name not in _UNORDERED:
            parts[name] = tuple(key for key in section)
        for key, value in section.items():
            own = called.get(key, key)
            if not _is_made(own):
                parts[f"{name}.{own}" if name not in ("functions", "scripts") else own] = _Writer(
                    rulebook, called
                ).write(value)
    options = {name: option.default for name, option in rulebook.options.items()}
    return {**parts, "box": _Writer(rulebook, called).write(rulebook.box), "options": tuple(options.items())}


def _is_made(name: str) -> bool:
    """Tell whether a script or question has its name only because something hangs on it."""
    return is_beneath(name) or name.startswith("result.")


@define
class _Writer:
    """Writes a script, a question or anything else as plain values that are equal where the rules are."""

    rulebook: ir.Rulebook
    called: Mapping[str, str]
    slots: dict[tuple[int, int], int] = field(factory=dict)
    """By the number of the script within this one, and the slot there: the slot here."""
    frame: int = 0
    frames: int = 1
    last: ir.DoRule | None = None
    """The sentence behind which nothing else is done."""

    def write(self, value: Any) -> object:
        match value:
            case ir.Script() | ir.Function():
                for slot in range(value.parameters):
                    self._number(slot)
                kept = (type(value).__name__, self.called.get(value.name, value.name), value.parameters)
                return (*kept, getattr(value, "type", None), self._write_body(value.body))
            case ir.Slots():
                return None
            case ir.DoRule() if (inside := self._write_call(value, self.rulebook.scripts, value.script)) is not None:
                return inside
            case ir.CallValue() if (
                inside := self._write_call(value, self.rulebook.functions, value.function)
            ) is not None:
                return inside
            case ir.DoRule() if value.script in self.called:
                value = evolve(value, script=self.called[value.script])
            case ir.CallValue() if value.function in self.called:
                value = evolve(value, function=self.called[value.function])
            case ir.If(then=(), otherwise=()):
                return ("inside",)
            case tuple():
                return ("list", *(part for item in value for part in self._spread(self.write(item))))
            case frozenset():
                return frozenset(map(self.write, value))
            case dict():
                return tuple((key, self.write(item)) for key, item in value.items())
        kind: Any = type(value)
        if not hasattr(kind, "__attrs_attrs__") or kind.__module__ != ir.__name__:
            return value
        # What has no part in equality follows from the rest, by the same analysis of both.
        compared = {part.name for part in fields(kind) if part.eq} - ({"name"} if kind is ir.Local else set())
        named = [name for name in list_rule_fields(kind) if name in compared]
        return (kind.__name__, *(self._write_field(name, getattr(value, name)) for name in named))

    def _write_body(self, body: Any) -> object:
        """Write all of a script. What lies beneath it may end with a `return` where it stands last."""
        match body:
            case (*before, ir.DoRule(slot=int(slot)) as call, ir.Return(ir.Local(kept))) if slot == kept:
                body = (*before, evolve(call, slot=None))
        if isinstance(body, tuple) and body and isinstance(body[-1], ir.DoRule):
            self.last = body[-1]
        return self.write(body)

    def _write_field(self, name: str, value: Any) -> object:
        if name not in _SLOTS or not isinstance(value, int | tuple):
            return self.write(value)
        numbers = [self._number(slot) for slot in (value if isinstance(value, tuple) else (value,))]
        return tuple(sorted(numbers) if name == "guards" else numbers)

    def _number(self, slot: int) -> int:
        return self.slots.setdefault((self.frame, slot), len(set(self.slots.values())))

    @staticmethod
    def _spread(written: object) -> tuple[object, ...]:
        """Take the sentences out of a script that was part of another."""
        return written[1:] if isinstance(written, tuple) and written[:1] == ("inside",) else (written,)

    def _write_call(self, call: Any, defined: Mapping[str, Any], name: str) -> object | None:
        """Write what lies beneath a script in the place of its call; None if that is not the same."""
        if name in self.called or not _is_made(name):
            return None
        beneath = defined[name]
        slots = [argument.slot for argument in call.arguments if isinstance(argument, ir.Local)]
        is_sentence = isinstance(beneath, ir.Script)
        if len(slots) != beneath.parameters or getattr(call, "slot", None) is not None or getattr(call, "guards", ()):
            return None
        is_last = call is self.last
        if (
            is_sentence
            and not is_last
            and any(isinstance(sentence, ir.Return) for sentence in statements(beneath.body))
        ):
            # It would leave the script around it too.
            return None
        if not is_sentence and not isinstance(beneath.body, ir.Node):
            return None
        here = [self._number(slot) for slot in slots]
        outer, self.frame, self.frames = self.frame, self.frames, self.frames + 1
        self.slots |= {(self.frame, slot): number for slot, number in enumerate(here)}
        written = self._write_body(beneath.body) if is_last else self.write(beneath.body)
        self.frame = outer
        return ("inside", *written[1:]) if is_sentence and isinstance(written, tuple) else written
