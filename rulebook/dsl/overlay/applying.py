"""Variants laid over a game: the map of the base becomes that of the game which is played.

Of two deeds that get into each other's way neither wins: the later one is left out, with a message.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

from attrs import NOTHING, evolve, fields

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose, did_you_mean, near, perhaps
from rulebook.dsl import schema
from rulebook.dsl.document import (
    At,
    Doing,
    Layered,
    Mapping,
    Node,
    Reckoned,
    Scalar,
    Seamed,
    find_all_beneath,
    find_layers,
    find_node,
    find_seams,
    is_nothing,
)
from rulebook.dsl.document import Sequence as Listed
from rulebook.dsl.overlay.origins import Origin
from rulebook.dsl.overlay.paths import (
    Draft,
    Keys,
    Lost,
    Place,
    find_key,
    find_path,
    segment,
    spell_path,
    strip_parameters,
    suggest_path,
)
from rulebook.dsl.overlay.seams import (
    Sentence,
    find_fitting,
    find_sentences,
    leave_room,
    name_sentence,
    read_words,
    split_label,
    suggest_words,
)
from rulebook.dsl.overlay.variant import Deed, Variant
from rulebook.dsl.parsing.parser import is_block, parse_head, strip_colon
from rulebook.dsl.parsing.weaving import takes_condition
from rulebook.dsl.structuring.leaves import quoted
from rulebook.dsl.structuring.misfits import is_payoff
from rulebook.source import Span

Pair = frozenset[str]
"""The names of two variants."""

_SUM = re.compile(r"\s*original\s*([+-])\s*([0-9]{1,15})((?:\s+[A-Za-z_]\w*)?)\s*")
_NUMBER = re.compile(r"(-?[0-9]{1,15})((?:\s+[A-Za-z_]\w*)?)")
_MOST_LABELS = 6  # of sentences that a path fits
_SECTIONS = frozenset(
    {(field.name,) for field in fields(schema.Document) if field.default is not NOTHING}
    | {("places", side.name) for side in fields(schema.Places)}
    | {("memory", side.name) for side in fields(schema.Memory)}
)
"""The sections of a rulebook. One that is left out is an empty one."""
_HOOKS = ("asks", "does", "may_do")


@frozen(eq=False)
class Overlaid:
    """A resolved game: its map, and what was done, in order. `left` are the deeds that could not be done."""

    merged: Mapping
    done: tuple[Origin, ...]
    left: tuple[Deed, ...]
    messages: list[Diagnostic]


def overlay(base: Mapping, variants: Sequence[Variant], game: str, known: Collection[str] | None = ()) -> Overlaid:
    """Apply the variants to the base, in order.

    `game` is what the game's folder is called; `known` are the variants that there are beside those given, None if
    nobody can tell.
    """
    refused, messages = check_together(variants, game, known)
    applying = _Applying(base, refused)
    applying.messages += messages
    for number, variant in enumerate(variants):
        if all(variant.id != other.id for other in variants[:number]):  # of a second one of its name all is said
            applying.apply_variant(variant)
    return Overlaid(applying.resolved.snapshot(), tuple(applying.done), tuple(applying.left), applying.messages)


class _Applying:
    """The game so far, and all that was done to it."""

    def __init__(self, base: Mapping, refused: Collection[Pair]) -> None:
        self.base = base
        self.refused = refused  # of these it has been said that they do not go together
        self.resolved = Draft(base)
        self.before = base  # as the variant at work found it
        self.done: list[Origin] = []
        self.touched = Touched()
        self.left: list[Deed] = []
        self.sentences: dict[Keys, list[Sentence]] = {}
        """The sentences of each script that the variant at work touches, without those that it puts there itself."""
        self.messages: list[Diagnostic] = []

    def report(self, code: str, span: Span, labels: Sequence[Label] = (), help: str | None = None, **more: Any) -> None:
        self.messages.append(diagnose(code, span, labels=labels, help=help, **more))

    def apply_variant(self, variant: Variant) -> None:
        self.before = self.resolved.snapshot()
        self.sentences.clear()
        for deed in variant.deeds:
            lost = None if deed.verb == "set" else self.find_script(deed)
            match deed.verb:
                case _ if lost is not None:
                    good = self.apply_seam(variant, deed, lost)
                case "set":
                    good = self.apply_set(variant, deed)
                case "add":
                    good = self.apply_add(variant, deed)
                case "change":
                    good = self.apply_change(variant, deed)
                case "remove":
                    good = self.apply_remove(variant, deed)
                case _:
                    good = self.apply_hang(variant, deed)
            if not good:
                self.left.append(deed)

    # ── verbs: each says whether it could be done ──

    def apply_set(self, variant: Variant, deed: Deed) -> bool:
        """Settle the default of an option."""
        options = self.resolved.root.get("options")
        listed = options if isinstance(options, Mapping) else {}
        name = deed.path.text
        option = listed.get(name)
        if not isinstance(option, Mapping):
            if option is None:
                help = (did_you_mean(name, listed) or None) if listed else "This game has no options."
                self.report("RB301", deed.path.span, help=help, wanted="option", name=name)
            return False
        keys = ("options", name, "default")
        if (reckoned := self.reckon(deed, keys, option.get("default"))) is None:
            return False
        deed = reckoned
        key = option.keys_at.get("default") or Scalar("default", "plain", deed.path.span)
        return self.replace(variant, deed, keys, key, option.get("default"))

    def apply_change(self, variant: Variant, deed: Deed) -> bool:
        """Put something in the place of what is there."""
        place = self.find_place(variant, deed)
        if place is None:
            return False
        key = self.key_of(place.keys)
        there = place.node
        if isinstance(there, Reckoned):  # others may add to it, and the game still says what it said
            *_, there = find_all_beneath(there)
        if deed.was is not None and _plainly(deed.was) != _plainly(there):
            label = Label(key.span, "this is what the game says")
            self.report("RB711", deed.was.span, [label], path=".".join(place.keys), was=quoted(deed.was))
            return False
        if (reckoned := self.reckon(deed, place.keys, place.node)) is None:
            return False
        deed = reckoned
        # A message about what is missing in a map points at its key; that of a script has parameters of its own.
        own = self.key_at(deed.path, place.start, place.keys[-1])
        return self.replace(variant, deed, place.keys, own if own.text == own.span.text else key, place.node)

    def apply_remove(self, variant: Variant, deed: Deed) -> bool:
        place = self.find_place(variant, deed)
        if place is None or not self.may_touch(variant, deed, place.keys):
            return False
        key = self.key_of(place.keys)
        self.resolved.remove(place.keys)
        self.note(Origin(place.keys, variant.id, deed.verb, deed.path.span, place.node, key, None))
        return True

    def apply_add(self, variant: Variant, deed: Deed) -> bool:
        path = deed.path.text
        lost = find_path(self.resolved.root, path)
        if isinstance(lost, Lost):
            lost = _below_sections(lost, path)
        end = segment(path, lost.start)
        there = lost.keys if isinstance(lost, Place) else _find_same_head(lost, path)
        if there is not None:
            if self.may_touch(variant, deed, there):
                label = Label(self.key_of(there).span, "it is here")
                help = None
                if isinstance(lost, Place) and isinstance(lost.node, Mapping) and isinstance(deed.node, Mapping):
                    inner = [f"`{path}.{key}: …`" for key in deed.node if key not in lost.node]
                    help = f"To add to it, write a line for each: {inner[0]}." if inner else None
                self.report("RB712", deed.path.span, [label], help=help, path=".".join(there))
            return False
        assert isinstance(lost, Lost)
        if end < len(path) or not isinstance(lost.node, Mapping):
            self.report_lost(variant, deed, lost)
            return False
        keys = (*lost.keys, path[lost.start :])
        if not self.may_touch(variant, deed, keys):
            return False
        assert deed.node is not None
        node = self.with_copied(deed.node, keys[:-1])
        if node is None:
            return False
        self.resolved.put(keys[:-1], self.key_at(deed.path, lost.start, keys[-1]), node)
        self.note(Origin(keys, variant.id, deed.verb, deed.path.span, None, None, node))
        return True

    def apply_hang(self, variant: Variant, deed: Deed) -> bool:
        """Run a script before, after or instead of another."""
        place = self.find_place(variant, deed)
        if place is None:
            return False
        keys, node = place.keys, place.node
        if len(keys) == 2 and keys[0] == "actions" and isinstance(node, Mapping) and "effect" in node:
            keys, node = (*keys, "effect"), node["effect"]
        if not is_script(keys, self.resolved.root):
            self.report("RB719", deed.path.span, verb=deed.verb, path=".".join(keys))
            return False
        text = deed.node
        assert isinstance(text, Scalar) and deed.verb in ("before", "after", "instead of")
        layer = Layered(text.text, text.style, text.span, place=deed.verb, beneath=node)
        return self.replace(variant, evolve(deed, node=layer), keys, self.key_of(keys), node)

    # ── sentences of a script ──

    def find_script(self, deed: Deed) -> Lost | None:
        """Find the script into which the path of a deed leads, if it leads into one."""
        lost = find_path(self.resolved.root, deed.path.text)
        if isinstance(lost, Lost) and isinstance(lost.node, Scalar) and is_script(lost.keys, self.resolved.root):
            return lost
        return None

    def apply_seam(self, variant: Variant, deed: Deed, script: Lost) -> bool:
        """Do something at one sentence of a script."""
        keys, top = script.keys, script.node
        assert isinstance(top, Scalar)
        if not self.may_touch_inside(variant, deed, keys):
            return False
        if keys not in self.sentences:
            self.sentences[keys] = self.list_sentences(variant, top)
        sentences = self.sentences[keys]
        if not sentences:
            return self.report_no_sentences(deed, script)
        aim = _find_aim(deed, script.start)
        sentence = self.find_sentence(deed, script, aim.end, sentences)
        if sentence is None:
            return False
        doing = self.find_doing(deed, sentence, aim)
        if doing is None:
            return False
        text = deed.path if deed.verb == "remove" else deed.node
        assert isinstance(text, Scalar)
        seam = Seamed(
            text.text, text.style, text.span, doing=doing, at=sentence.at, variant=variant.id, beneath=top,
            label=aim.label,
        )  # fmt: skip
        clashing = list(against(variant, deed, keys, self.touched, seam))
        if clashing:
            return self.refuse(variant, deed, (*keys, sentence.quote()), clashing)
        self.resolved.put(keys[:-1], self.key_of(keys), seam)
        self.note(Origin(keys, variant.id, deed.verb, deed.path.span, top, self.key_of(keys), seam))
        return True

    def may_touch_inside(self, variant: Variant, deed: Deed, keys: Keys) -> bool:
        """Check that nothing else has put another script there, or may have."""
        behind = variant.behind
        whole = [
            origin
            for origin in self.touched.near(keys, whole=True)
            if origin.variant not in behind and not (origin.keys == keys and isinstance(origin.now, Layered))
        ]
        return not whole or self.refuse(variant, deed, keys, whole)

    def list_sentences(self, variant: Variant, top: Scalar) -> list[Sentence]:
        """List the sentences of the game, and of those variants that this one follows."""
        by = {id(origin.now): origin.variant for origin in self.done if origin.now is not None}
        scalars = [
            layer
            for layer in find_layers(top)
            if isinstance(layer, Scalar) and (not isinstance(layer, Layered) or by.get(id(layer)) in variant.behind)
        ]
        return find_sentences(scalars, [seam for seam in find_seams(top) if seam.variant in variant.behind])

    def report_no_sentences(self, deed: Deed, script: Lost) -> bool:
        """Report a path into what is no script of sentences. Why a script cannot be read is said where it stands."""
        *_, own = find_layers(script.node)
        if _is_answer(script.keys) and isinstance(own, Scalar) and not is_block(own.text):
            name = deed.path.text[script.start :]
            above = spell_path(script.keys)
            help = f"{above} is one answer. Hang another `instead of` it, in which `original` is that of the game."
            self.report("RB710", deed.path.locate(script.start, len(deed.path.text)), help=help, name=name, above=above)
        return False

    def find_sentence(self, deed: Deed, script: Lost, end: int, sentences: Sequence[Sentence]) -> Sentence | None:
        """Find the one sentence that the words of a path lead to; None, with a message, if it is not one."""
        words = read_words(deed.path.text[:end], script.start)
        fitting = find_fitting(sentences, words)
        span = deed.path.locate(script.start, end)
        name, above = deed.path.text[script.start : end], spell_path(script.keys)
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            near = [f"`{text}`" for text in suggest_words(sentences, words)]
            advice = "No sentence there begins so." + (f" There is: {', '.join(near)}." if near else "")
            self.report("RB710", span, help=advice, name=name, above=above)
            return None
        named = (name_sentence(sentence, sentences) for sentence in fitting)
        known = [f"`{path}`" for path in named if path is not None]
        help = f"Go on until only one does: {', '.join(known[:_MOST_LABELS])}." if known else None
        labels = [Label(sentence.at.span, "one is here") for sentence in fitting[:_MOST_LABELS]]
        self.report("RB723", span, labels, help=help, name=name, number=len(fitting), above=above)
        return None

    def find_doing(self, deed: Deed, sentence: Sentence, aim: _Aim) -> Doing | None:
        """Find what a deed does to a sentence; None, with a message, if that cannot be done."""
        node, verb, text = sentence.node, deed.verb, deed.node
        if verb != "remove" and (not isinstance(text, Scalar) or is_nothing(text)):
            wanted = "a condition" if aim.part in ("where", "so that") else "a script"
            assert text is not None
            span = deed.path.span if is_nothing(text) else text.span
            self.report("RB112", span, what=f"`{deed.path.text}` in `{verb}`", wanted=wanted, got=quoted(text))
            return None
        misuse = _find_misuse(verb, sentence, aim)
        if misuse is not None:
            self.report("RB724", deed.path.span, help=misuse, verb=verb, path=deed.path.text)
            return None
        if verb == "add":
            assert aim.part != ""
            return aim.part
        if verb == "remove":
            return "remove"
        assert isinstance(text, Scalar)
        if verb == "before" or verb == "after" or verb == "instead of":
            return verb
        is_said = (sentence.words, sentence.words[: sentence.head])
        if deed.was is not None and read_words(strip_colon(_text_of(deed.was))) not in is_said:
            label = Label(sentence.at.span, "this is what the game says")
            self.report("RB711", deed.was.span, [label], path=deed.path.text, was=quoted(deed.was))
            return None
        if read_words(strip_colon(text.text)) in is_said:
            label = Label(sentence.at.span, "the game says it here")
            self.report("RB718", deed.path.span, [label], path=deed.path.text)
        if sentence.is_label:
            return "change of head" if text.text.lstrip().startswith('"') else "change"
        return "change of head" if sentence.has_block and parse_head(text, node) is not None else "change"

    def reckon(self, deed: Deed, keys: Keys, there: Node | None) -> Deed | None:
        """Work out `original + 9`: return the deed with what comes of it; None, with a message, without a number."""
        text = deed.node
        match = _SUM.fullmatch(text.text) if isinstance(text, Scalar) else None
        if match is None or is_script(keys, self.resolved.root):
            return deed
        assert isinstance(text, Scalar)
        number = _NUMBER.fullmatch(there.text.strip()) if isinstance(there, Scalar) and there.style == "plain" else None
        if there is None or number is None or number[2].split() != match[3].split():
            got = "nothing" if there is None else quoted(there)
            what, wanted = "`original`", "a number that the game says there" + (" in the same unit" if number else "")
            self.report("RB112", text.span, what=what, wanted=wanted, got=got)
            return None
        total = int(number[1]) + int(match[2]) * (1 if match[1] == "+" else -1)
        return evolve(deed, node=Reckoned(f"{total}{number[2]}", "plain", text.span, beneath=there))

    # ── what the verbs share ──

    def find_place(self, variant: Variant, deed: Deed) -> Place | None:
        """Find where the path of a deed leads; None, with a message, if nowhere."""
        place = find_path(self.resolved.root, deed.path.text)
        if isinstance(place, Place):
            return place
        first = find_path(self.base, deed.path.text)
        # What another variant took away is not there because of that, and not because it was never there.
        if isinstance(first, Lost) or self.may_touch(variant, deed, first.keys):
            self.report_lost(variant, deed, place)
        return None

    def report_lost(self, variant: Variant, deed: Deed, lost: Lost) -> None:
        """Report a path that leads nowhere."""
        path = deed.path.text
        end = segment(path, lost.start)
        name = path[lost.start : end]
        gone = [
            Label(origin.at, f"the variant `{origin.variant}` removed it here")
            for origin in self.done
            if origin.verb == "remove"
            and origin.keys[:-1] == lost.keys
            and strip_parameters(origin.keys[-1]) == strip_parameters(name)
        ]
        help = suggest_path(self.resolved.root, path, lost)
        unsure = isinstance(lost.node, Mapping) and (not help or help.startswith("Known"))
        sections = near(name, (keys[-1] for keys in sorted(_SECTIONS) if keys[:-1] == lost.keys))
        if deed.verb == "add" and end < len(path) and unsure and sections:
            help = perhaps(name, sections)
        elif deed.verb == "add" and end < len(path) and unsure:
            whole = "".join(f"{{{key}: " for key in _split_keys(path, end + 1)) + "…"
            help = f"Add the whole of it: `{'.'.join((*lost.keys, name))}: {whole}{'}' * whole.count('{')}`."
        elif isinstance(lost.node, Mapping) and deed.verb == "change" and self.copied_from(lost, name):
            help = f"It has `{name}` only from the card that it copies. Write this under `add`."
        elif deed.verb == "change" and end == len(path) and unsure:
            help = f"{help.rstrip('.')}. To put something new there, write it under `add`.".lstrip(". ")
        self.report(
            "RB710", deed.path.locate(lost.start, end), gone, help or None, name=name, above=spell_path(lost.keys)
        )

    def copied_from(self, lost: Lost, name: str) -> bool:
        """Tell whether a card has a field from another one alone."""
        copy = lost.node.get("copy") if isinstance(lost.node, Mapping) else None
        cards = self.resolved.root.get("cards")
        other = cards.get(copy.text) if isinstance(copy, Scalar) and isinstance(cards, Mapping) else None
        return len(lost.keys) == 2 and lost.keys[0] == "cards" and isinstance(other, Mapping) and name in other

    def may_touch(self, variant: Variant, deed: Deed, keys: Keys) -> bool:
        """Check that nothing else has touched a path, or may have."""
        clashing = list(against(variant, deed, keys, self.touched, deed.node))
        return not clashing or self.refuse(variant, deed, keys, clashing)

    def refuse(self, variant: Variant, deed: Deed, keys: Keys, clashing: Sequence[Origin]) -> bool:
        """Report what leaves no room for a deed, if it has not been said of the two variants."""
        unsaid = (origin for origin in clashing if {origin.variant, variant.id} not in self.refused)
        self.messages += [clash(variant, deed, keys, origin) for origin in islice(unsaid, 1)]
        return False

    def replace(self, variant: Variant, deed: Deed, keys: Keys, key: Scalar, before: Node | None) -> bool:
        """Do it: at these keys there is now the node of the deed."""
        if not self.may_touch(variant, deed, keys):
            return False
        assert deed.node is not None
        if before is not None and _exactly(before) == _exactly(deed.node) and not isinstance(deed.node, Reckoned):
            label = Label(before.span, "the game says it here")
            self.report("RB718", deed.path.span, [label], path=".".join(keys[:-1] if deed.verb == "set" else keys))
        old = None if before is None else self.key_of(keys)
        self.resolved.put(keys[:-1], key, deed.node)
        self.note(Origin(keys, variant.id, deed.verb, deed.path.span, before, old, deed.node))
        return True

    def note(self, origin: Origin) -> None:
        self.done.append(origin)
        self.touched.add(origin)

    def key_of(self, keys: Keys) -> Scalar:
        """Return the key that stands at a path."""
        node: Node = self.resolved.root
        for name in keys[:-1]:
            assert isinstance(node, Mapping)
            node = node[name]
        assert isinstance(node, Mapping)
        return node.keys_at[keys[-1]]

    def key_at(self, path: Scalar, start: int, name: str) -> Scalar:
        """Make the last key of a path, as if it stood alone."""
        return Scalar(name, "plain", path.locate(start, len(path.text)))

    def with_copied(self, node: Node, keys: Keys) -> Node | None:
        """Return what is added, with the fields of what it copies; None, with a message, if there is none."""
        copy = node.get("copy") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or not isinstance(copy, Scalar) or is_nothing(copy):
            return node
        siblings = _find_map(self.before, keys)
        sibling = siblings.get(copy.text)
        if sibling is None and copy.text in _find_map(self.resolved.root, keys):
            return node  # of a card that is new too, the copy is made where all copies are
        if not isinstance(sibling, Mapping):
            help = did_you_mean(copy.text, siblings) or None
            self.report("RB710", copy.span, help=help, name=copy.text, above=spell_path(keys))
            return None
        whole = Mapping(node.span)
        whole.take_entries(sibling)
        whole.take_entries(node, without="copy")
        return whole


def _find_map(root: Mapping, keys: Keys) -> Mapping:
    """Return the map at a path, or an empty one."""
    node = find_node(root, keys)
    return node if isinstance(node, Mapping) else Mapping(root.span)


def _below_sections(lost: Lost, path: str) -> Lost:
    """The same, with sections that are left out or empty on its way."""
    keys, node, start = lost.keys, lost.node, lost.start
    while True:
        end = segment(path, start)
        if keys in _SECTIONS and is_nothing(node):
            node = Mapping(node.span)
        inner = (*keys, path[start:end])
        if end == len(path) or not isinstance(node, Mapping) or inner not in _SECTIONS:
            return Lost(keys, node, start)
        keys, node, start = inner, Mapping(node.span), end + 1


def _split_keys(path: str, start: int) -> Iterator[str]:
    """The keys of the rest of a path."""
    while start < len(path):
        end = segment(path, start)
        yield path[start:end]
        start = end + 1


def _find_same_head(lost: Lost, path: str) -> Keys | None:
    """Find the path of what has the same name, and other parameters."""
    same = find_key(lost.node, strip_parameters(path[lost.start :])) if isinstance(lost.node, Mapping) else None
    return None if same is None else (*lost.keys, same)


def _is_answer(keys: Keys) -> bool:
    """Tell whether a path is that of a question, which may be one expression; of a card it is not known."""
    return keys[0] in ("values", "result", "kinds") or keys[-1] == "possible"


def is_script(keys: Keys, root: Mapping) -> bool:
    """Tell whether a path is one of a script or an answer."""
    match keys:
        case ("rules" | "values" | "whenever", _):
            return True
        case ("actions", _, "effect" | "possible") | ("kinds", _, "asks", _, "default"):
            return True
        case ("result", payoff):
            return is_payoff(payoff)
        case ("cards", _, hook):
            kinds = [_find_map(root, ("kinds", kind, part)) for kind in _find_map(root, ("kinds",)) for part in _HOOKS]
            return any(strip_parameters(key) == hook for hooks in kinds for key in hooks)
    return False


def _plainly(node: Node) -> object:
    """Return what a node says, blanks and quotes apart."""
    if isinstance(node, Mapping):
        return {" ".join(name.split()): _plainly(value) for name, value in node.items()}
    if isinstance(node, Listed):
        return [_plainly(item) for item in node]
    return " ".join(node.text.split())


def _exactly(node: Node) -> object:
    """Return what a node says, to compare: a quoted number is another thing than a number."""
    if isinstance(node, Mapping):
        return {name: _exactly(value) for name, value in node.items()}
    if isinstance(node, Listed):
        return [_exactly(item) for item in node]
    quoted_ = node.style in ("single", "double")
    return node if isinstance(node, Layered | Seamed) else (node.text.rstrip(), quoted_)


@frozen
class _Aim:
    """The part of a sentence that the path of an `add` names behind its words: those end at `end`."""

    end: int
    part: Literal["", "where", "so that", "label"] = ""
    label: At | None = None


def _find_aim(deed: Deed, start: int) -> _Aim:
    path = deed.path.text
    if deed.verb != "add":
        return _Aim(len(path))
    for part in ("where", "so that"):
        if match := re.search(rf"\.\s*{part.replace(' ', chr(92) + 's+')}\s*$", path[start:]):
            return _Aim(start + match.start(), part)
    at = split_label(path, start)
    return _Aim(len(path)) if at is None else _Aim(at[0], "label", At(deed.path, at[1], len(path)))


def _find_misuse(verb: str, sentence: Sentence, aim: _Aim) -> str | None:
    """Return what to do instead, if a verb means nothing at a sentence."""
    node = sentence.node
    if sentence.is_else:
        return "An `else` is no sentence. Name one that stands in it, or the sentence with the `else`."
    if aim.part in ("where", "so that"):
        if not takes_condition(node, aim.part):
            return "A `where` narrows what is chosen, picked or gone through with `each`; a `so that` judges a choice."
    elif aim.part == "label":
        if not sentence.is_menu:
            return "A label is added to a menu: to `choose one`, or an `offer`."
        assert aim.label is not None
        if any(read_words(aim.label.words)[0] == other.words[0] for other in sentence.inner if other.is_label):
            return "The menu has this label already. To put something in its place, write it under `change`."
    elif verb == "add":
        return "Sentences stand `before` or `after` others. `add` is for conditions, behind `.where`, and for labels."
    elif sentence.is_line:
        return "Lines of one choice belong together: name the whole sentence, or add a `.where` to the line."
    return None


def _text_of(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


# Variants that get into each other's way, or into their own.


def check_together(
    variants: Sequence[Variant], game: str, known: Collection[str] | None
) -> tuple[frozenset[Pair], list[Diagnostic]]:
    """Check that these variants are of this game, and can be played together in this order; return those that cannot.

    Where it is not `known` which others there are, they may say what they like about those.
    """
    messages: list[Diagnostic] = []
    refused: set[Pair] = set()
    by_id: dict[str, Variant] = {}
    for number, variant in enumerate(variants):
        if variant.extends is not None and variant.extends.text != game:
            written, fact = variant.extends.text, f"this game is `{game}`"
            help = f"If it is a variant of `{game}`, write `extends: {game}`; else lay its file beside `{written}`."
            messages.append(diagnose("RB714", variant.extends.span, key="extends", said=written, fact=fact, help=help))
        first = by_id.get(variant.id)
        if first is not None:
            label = Label(first.named, "the first one is here")
            help = "Name each variant once."
            messages.append(diagnose("RB113", variant.named, labels=[label], help=help, name=variant.id))
            continue
        by_id[variant.id] = variant
        if known is not None:
            messages += _check_known(variant, {*known, *(other.id for other in variants)})
        for other in variants[:number]:
            if more := _check_apart(variant, other):
                refused.add(frozenset({variant.id, other.id}))
                messages += more
    return frozenset(refused), messages


def _check_known(variant: Variant, known: Iterable[str]) -> list[Diagnostic]:
    names = [name for name in sorted(known) if name != variant.id]
    named = [*variant.follows, *(key for key, _ in variant.not_with.values())]
    return [
        diagnose("RB301", key.span, help=did_you_mean(key.text, names) or None, wanted="variant", name=key.text)
        for key in named
        if key.text not in names
    ]


def _check_apart(later: Variant, earlier: Variant) -> list[Diagnostic]:
    """Report what keeps two variants from being played one after the other."""
    apart = []
    for here, other in ((later, earlier), (earlier, later)):
        if other.id in here.not_with:
            key, reason = here.not_with[other.id]
            label = Label(other.named, f"`{other.id}` begins here")
            apart.append(diagnose("RB716", key.span, labels=[label], one=here.id, other=other.id, reason=reason))
            break
    follows = next((key for key in earlier.follows if key.text == later.id), None)
    if follows is not None:
        label = Label(later.named, "it is named after that")
        apart.append(diagnose("RB717", follows.span, labels=[label], one=earlier.id, other=later.id))
    return apart


class Touched:
    """All that was done, by its path, and by each path around that."""

    def __init__(self) -> None:
        self._at: dict[Keys, list[Origin]] = {}
        self._within: dict[Keys, list[Origin]] = {}
        self._seams: dict[Keys, list[Origin]] = {}

    def add(self, origin: Origin) -> None:
        is_seam = isinstance(origin.now, Seamed)
        (self._seams if is_seam else self._at).setdefault(origin.keys, []).append(origin)
        for end in range(1, len(origin.keys) + (not is_seam)):
            self._within.setdefault(origin.keys[:end], []).append(origin)

    def near(self, keys: Keys, *, whole: bool = False) -> Iterator[Origin]:
        """Yield what was done at a path, around it, or inside of it; not at sentences of a script, if `whole`."""
        for end in range(1, len(keys)):
            yield from self._at.get(keys[:end], ())
        yield from self._within.get(keys, ())
        if not whole:
            yield from self._seams.get(keys, ())


def against(variant: Variant, deed: Deed, keys: Keys, touched: Touched, node: Node | None) -> Iterator[Origin]:
    """Yield what touched a path already, by another variant or by the same, and leaves no room for this deed, which
    puts a node there.
    """
    behind = variant.behind
    for origin in touched.near(keys):
        mine = origin.variant == variant.id
        if mine and origin.verb == "add" and deed.verb == "add" and len(origin.keys) < len(keys):
            continue
        if origin.keys == keys and _go_together(origin.now, node, mine):
            continue
        if origin.variant not in behind:
            yield origin


def _go_together(one: Node | None, other: Node | None, same_variant: bool) -> bool:
    """Tell whether two nodes were put at one path without either taking the place of the other."""
    if isinstance(one, Layered | Seamed) and isinstance(other, Layered | Seamed):
        return leave_room(one, other, same_variant=same_variant)
    return isinstance(one, Reckoned) and isinstance(other, Reckoned) and not same_variant


def clash(variant: Variant, deed: Deed, keys: Keys, origin: Origin) -> Diagnostic:
    """Make the message about a deed and what leaves no room for it."""
    mine = origin.variant == variant.id
    label = Label(origin.at, "it is touched here" if mine else f"the variant `{origin.variant}` touches it here")
    help = "Say all of it in one place." if mine else None
    # A sentence stands behind the keys of its script.
    shorter = keys if isinstance(origin.now, Seamed) or len(keys) < len(origin.keys) else origin.keys
    # Of a house rule that is settled, only its name was written.
    path = ".".join(shorter[:2] if shorter == ("options", *shorter[1:2], "default") else shorter)
    return diagnose(
        "RB715", deed.path.span, labels=[label], help=help, path=path, earlier=origin.variant, later=variant.id
    )
