"""House rules settled for one game: what was asked for, checked, and the defaults for the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from rulebook.diagnostics import did_you_mean, near, nearest, perhaps
from rulebook.dsl.ir import MOST_VALUE, OptionDef
from rulebook.dsl.types import AMOUNT, YES_NO, Number, members

if TYPE_CHECKING:
    from rulebook.dsl.schema import TypeName

Given: TypeAlias = str | int | bool | None
Settled: TypeAlias = int | bool | str | tuple[tuple[int, int], ...] | None

_DIGITS = 15  # as in scripts
_NUMBER = re.compile(rf"[-+]?[0-9]{{1,{_DIGITS}}}")
_AMOUNT = re.compile(rf"([-+]?[0-9]{{1,{_DIGITS}}}) *([A-Za-z][A-Za-z0-9_]*)?")
_STEP = re.compile(rf"([-+]?[0-9]{{1,{_DIGITS}}}) *: *([-+]?[0-9]{{1,{_DIGITS}}}(?: *[A-Za-z]\w*)?)")
_LONGEST = 40
_OTHER_WORDS = {"true": "yes", "on": "yes", "y": "yes", "false": "no", "off": "no", "n": "no"}


class _Unfit(Exception):
    """A request that cannot be met; the text is one more sentence that helps, or empty."""


def settle_options(
    options: Mapping[str, OptionDef], wanted: Mapping[str, Given], units: Mapping[str, int]
) -> tuple[dict[str, Settled], list[str]]:
    """The value of every option, in the order of the rulebook, and the problems, in the order of `given`.

    A text is read as people write it. A number for an amount counts the smallest unit, as in a saved game.
    """
    settled: dict[str, Settled] = {name: option.default for name, option in options.items()}
    problems: list[str] = []
    for name, value in wanted.items():
        option = options.get(name)
        if option is None:
            problems.append(_describe_unknown(name, options))
            continue
        try:
            settled[name] = _read_setting(option, value, units)
        except _Unfit as unfit:
            written = _shorten(value_text(value))
            problems.append(
                f"`{name}` cannot be `{written}`: it must be {describe_wanted(option, units)}. {unfit}".rstrip()
            )
    return settled, problems


def value_text(value: Settled) -> str:
    """A value as people write it, amounts aside: `yes`, `none`, `5`, `3:3,4:5`."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(f"{key}:{entry}" for key, entry in value) or "none"
    return str(value)


def setting_text(option: OptionDef, value: Settled, units: Mapping[str, int]) -> str:
    """A value of this option as people write it: `500 CU`, `yes`, `3:3,4:5`."""
    if _is_amount(option) and isinstance(value, int) and not isinstance(value, bool):
        return amount_text(value, units)
    if _is_amount(option) and isinstance(value, tuple):
        return ",".join(f"{least}:{amount_text(entry, units)}" for least, entry in value) or "none"
    return value_text(value)


def write_settings(
    options: Mapping[str, OptionDef], settled: Mapping[str, Settled], units: Mapping[str, int]
) -> dict[str, str]:
    """Write the value of each house rule as people do."""
    return {name: setting_text(option, settled[name], units) for name, option in options.items()}


def choices_of(
    option: OptionDef | TypeName, words: Mapping[str, Iterable[str]] | None = None
) -> tuple[int | bool | str | None, ...]:
    """All values of an option that has an end of them; none of one that has not.

    With the lists of words of a game, also those of a type as it is written.
    """
    if option.choices is not None:
        return option.choices
    if option.low is not None and option.high is not None:
        return tuple(range(option.low, option.high + 1))
    if isinstance(option, OptionDef):
        return (False, True) if option.type == YES_NO else ()
    return (False, True) if option.words == "yes_no" else tuple((words or {}).get(option.words, ()))


def amount_text(amount: int, units: Mapping[str, int]) -> str:
    """An amount in the largest unit that it is a whole number of: `500 CU`."""
    fitting = [name for name, worth in units.items() if amount % worth == 0]
    if not fitting:
        return str(amount)
    unit = max(fitting, key=units.__getitem__)
    return f"{amount // units[unit]} {unit}"


def _describe_unknown(name: str, options: Iterable[str]) -> str:
    sentence = f"There is no option `{_shorten(name)}`."
    names = list(options)
    help = did_you_mean(name, names)
    if not names:
        help = "This game has no options."
    return f"{sentence} {help if not help or help.endswith(('.', '?')) else help + '.'}".rstrip()


def _read_setting(option: OptionDef, value: Given, units: Mapping[str, int]) -> Settled:
    if _is_amount(option) and isinstance(value, int) and not isinstance(value, bool):
        return _check_bounds(option, value)
    text = value_text(value).strip()
    if _has_steps(option):
        return _read_steps(text, units if _is_amount(option) else {})
    if option.choices is not None:
        return _find_choice(option.choices, text)
    if option.type == YES_NO:
        return _find_choice((True, False), text)
    if _is_amount(option):
        return _check_bounds(option, _read_amount(text, units))
    if any(isinstance(member, Number) for member in members(option.type)):
        if not _NUMBER.fullmatch(text):
            raise _Unfit
        return _check_bounds(option, int(text))
    return text


def _find_choice(choices: Iterable[int | bool | str | None], text: str) -> int | bool | str | None:
    by_text = {value_text(choice): choice for choice in choices}
    if text in by_text:
        return by_text[text]
    meant = _OTHER_WORDS.get(text.lower())
    meant_texts = [meant] if meant in by_text else near(text, by_text)
    raise _Unfit(perhaps(text, meant_texts) if meant_texts else "")


def _read_amount(text: str, units: Mapping[str, int]) -> int:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise _Unfit
    number, unit = int(match[1]), match[2]
    if unit is None:
        # Of nothing there is as much in every unit.
        if number and units:
            raise _Unfit("Say of what: " + ", ".join(f"`{number} {name}`" for name in units) + ".")
        return number
    if unit not in units:
        meant = nearest(unit, units)
        raise _Unfit(f"There is no unit `{_shorten(unit)}`." + (f" Did you mean `{number} {meant}`?" if meant else ""))
    if number * units[unit] >= MOST_VALUE:
        raise _Unfit
    return number * units[unit]


def _read_steps(text: str, units: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """Read a table of numbers, or of amounts if there are units."""
    steps: dict[int, int] = {}
    for part in text.split(",") if text not in ("", "none") else ():
        match = _STEP.fullmatch(part.strip())
        if match is None:
            raise _Unfit
        key = int(match[1])
        if key in steps:
            raise _Unfit(f"`{key}` is given twice.")
        steps[key] = _read_amount(match[2], units)
    return tuple(sorted(steps.items()))


def _check_bounds(option: OptionDef, number: int) -> int:
    if option.low is not None and number < option.low:
        raise _Unfit
    if option.high is not None and number > option.high:
        raise _Unfit
    return number


def _is_amount(option: OptionDef) -> bool:
    return option.choices is None and AMOUNT in members(option.type)


def _has_steps(option: OptionDef) -> bool:
    """A table of steps has the type of its entries, so its default tells."""
    return isinstance(option.default, tuple)


def describe_wanted(option: OptionDef, units: Mapping[str, int]) -> str:
    """Describe the values that an option takes."""
    if _has_steps(option):
        steps = option.default if isinstance(option.default, tuple) and option.default else ((3, 3), (4, 5))
        is_amount = _is_amount(option)
        entries = [(least, amount_text(entry, units) if is_amount else f"{entry}") for least, entry in steps]
        written = ",".join(f"{least}:{entry}" for least, entry in entries)
        from_where = ", ".join(f"{entry} from {least} on" for least, entry in entries)
        return f"steps like `{written}` ({from_where} and for all above, 0 below {steps[0][0]})"
    if option.choices is not None or option.type == YES_NO:
        choices = [f"`{value_text(choice)}`" for choice in option.choices or (True, False)]
        if set(choices) == {"`yes`", "`no`"}:
            choices = ["`yes`", "`no`"]
        return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)
    if _is_amount(option):
        example = option.default if isinstance(option.default, int) else max(units.values(), default=1)
        return f"an amount like `{amount_text(example, units)}`" + _bounds(
            option, lambda number: amount_text(number, units)
        )
    if any(isinstance(member, Number) for member in members(option.type)):
        return "a whole number" + _bounds(option, str)
    return "a text"


def _bounds(option: OptionDef, text: Callable[[int], str]) -> str:
    if option.low is not None and option.high is not None:
        return f" from {text(option.low)} to {text(option.high)}"
    if option.low is not None:
        return f", at least {text(option.low)}"
    return f", at most {text(option.high)}" if option.high is not None else ""


def _shorten(text: str) -> str:
    """At most one short line of a text that may be anything."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
