"""The messages that a page may send: each is one of these forms, whole, and holds nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebook.interpreter.decisions import Refused
from rulebook.playtest.protocol import Form
from rulebook.web.words import find_words

WATCH, HOST = "watch", "host"
"""The roles of who does not sit at the table; a seat's role is its number."""
MOST_CHOSEN = 1000
"""Options that one answer may name."""


def _is_number(value: Any) -> bool:
    return type(value) is int


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_yes(value: Any) -> bool:
    return value is True


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


def _are_numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_CHOSEN and all(map(_is_number, value))


def _says_how_far(value: Any) -> bool:
    return value is True or value == "all"


def _names_a_file(value: Any) -> bool:
    return value is True or value == "noted" or _is_number(value)


_RULES = {"rules": Form({"rules": _is_yes})}
_OF_SEATS = {
    "answer": Form({"answer": _is_number, "picked": _is_number, "chosen": _are_numbers, "deal": _is_number}),
    "try": Form({"try": _are_numbers}),
    "undo": Form({"undo": _says_how_far}),
    "withdraw": Form({"withdraw": _is_yes}),
    "agree": Form({"agree": _is_yes_or_no}),
    "note": Form({"note": _is_text}, {"question": _is_text, "deal": _is_number}),
    "back": Form({"back": _is_yes}),
    "begin": Form({"begin": _is_yes}),
    "name": Form({"name": _is_text}),
    "say": Form({"say": _is_text}),
    "again": Form({"again": _is_yes_or_no}),
    **_RULES,
}
_OF_WATCHERS = {"story": Form({"story": _is_yes}), **_RULES}
_OF_HOSTS = {
    "begin": Form({"begin": _is_yes}),
    "bot": Form({"bot": _is_yes_or_no, "seat": _is_number}, {"name": _is_text}),
    "link": Form({"link": _is_text}),
    "pause": Form({"pause": _is_yes_or_no}),
    "code": Form({"code": _is_text}),
    "export": Form({"export": _names_a_file}),
    "rematch": Form({"rematch": _is_yes}),
    "games": Form({"games": _is_yes}),
    "other": Form({"other": _is_text}),
    "close": Form({"close": _is_yes}),
}


def list_forms(role: str) -> Mapping[str, Form]:
    """The forms of messages that a page of this role may send, by name."""
    return {WATCH: _OF_WATCHERS, HOST: _OF_HOSTS}.get(role, _OF_SEATS)


def find_form(role: str, message: Mapping[str, Any]) -> str:
    """Find the one form that a message has. Raises Refused if it has none."""
    for name, form in list_forms(role).items():
        if name in message and form.fits(message):
            return name
    raise Refused(find_words("no_message"))
