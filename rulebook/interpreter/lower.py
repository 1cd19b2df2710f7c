"""Lowering: a checked rulebook and a number of players in, a program out; the pipeline of all in `lowering/`.

The program's `lowering` can add a script or a question later; scenarios do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

import attrs

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.forbidding import refusals
from rulebook.dsl.settling.laying_out import MOST_CARDS, MOST_COPIES
from rulebook.dsl.settling.leaving_out import leave_out, left_out
from rulebook.dsl.walk import nodes, statements
from rulebook.dsl.watched import Marks
from rulebook.dsl.words import word_players
from rulebook.interpreter.decisions import BadSetup, RuleError
from rulebook.interpreter.layout import MOST_PLAYERS
from rulebook.interpreter.lowering import layout, questions
from rulebook.interpreter.lowering.expressions import lower_formula
from rulebook.interpreter.lowering.probes import Probes
from rulebook.interpreter.lowering.reasons import find_values
from rulebook.interpreter.lowering.scripts import lower_script
from rulebook.interpreter.lowering.settings import AROUND, find_house_rules
from rulebook.interpreter.lowering.tables import Tables, rules_hash, sort_of
from rulebook.interpreter.lowering.triggers import spell_out
from rulebook.interpreter.program import (
    Code,
    LateCode,
    Looks,
    Measure,
    Program,
    RankKey,
    Shown,
    Values,
    find_lasting,
)
from rulebook.interpreter.run import Run, TooMuch, Watch
from rulebook.interpreter.wording import word_value
from rulebook.plurals import plural


def lower(
    rulebook: ir.Rulebook, players: int, options: dict[str, Any] | None = None, probes: Probes | None = None,
    has_buttons: bool = True, marks: Marks | None = None, like: Program | None = None,
) -> Program:  # fmt: skip
    """The program of a rulebook, with probes in it if somebody wants to know what runs. Without buttons, nobody is
    asked for the only label of a menu. With marks, it is one that is watched and has mutants. One that is `like` it but
    for house rules is not lowered again where it reads none of these.

    Raises `BadSetup` if so many cannot play it, or not by these house rules.
    """
    if players not in rulebook.players:
        raise BadSetup(f"{rulebook.title} is for {word_players(rulebook.players)} players, not {players}.")
    if players > MOST_PLAYERS:
        raise BadSetup(f"At most {MOST_PLAYERS} can play, not {players}.")
    defaults = {name: option.default for name, option in rulebook.options.items()}
    settled = {**defaults, **(options or {})}
    reasons = refusals(rulebook, settled, players)
    if reasons:
        raise BadSetup("\n".join(reasons))
    try:
        tables = Tables(leave_out(rulebook, left_out(settled)), players, settled, probes, has_buttons, marks)
        program = Lowering(tables, None if like is None else like.lowering).program
    except RuleError as error:
        place = "" if error.at is None else f" ({error.at.span.file.name}:{error.at.span.line})"
        game = f"{rulebook.title} cannot be laid out for {players} players with these house rules"
        raise BadSetup(f"{game}: {error.message}{place}") from error
    if rulebook.kept_as is not None and probes is None and marks is None:
        game, key = rulebook.kept_as
        asked = f"{game} for {players} by {sorted(settled.items())}{'' if has_buttons else ' without buttons'}"
        object.__setattr__(program, "kept_as", (asked, key))
    return program


def find_score_sort(rulebook: ir.Rulebook) -> str:
    """The sort of value in which the standings are counted."""
    result = rulebook.result
    scored = result.payoff or (result.rank[0].value if result.rank else None)
    return "number" if scored is None else sort_of(scored.type)


class Lowering:
    """The state of lowering, kept for scripts and questions that are added to a program."""

    def __init__(self, tables: Tables, like: Lowering | None = None) -> None:
        self.tables = tables
        self._alike = {} if like is None else like.find_alike(tables.options)
        self._added: dict[int, tuple[ir.Script | ir.Expr, Code]] = {}
        self._ask_late()
        self._asking = self._questioner()
        self._paired: set[int] = set()  # cards that come with others, and those others: no copy is like another
        if like is not None and self._alike:
            same, self._paired = like.tables, like._paired
            tables.definition, tables.kind, tables.attributes = same.definition, same.kind, same.attributes
            tables.layout = same.layout
        else:
            self._number_cards()
            self._tabulate_attributes()
            tables.layout = layout.make_layout(tables, self.settle_value)
        self._ask_late()  # what was lowered before could not know where places are
        if tables.probes is None:
            tables.work_out = self._asking.answer_to
        else:  # what is worked out here would be counted here, and not where the game comes by
            for question in tables.questions.values():
                _ = question.steps  # who counts what runs must know all that could
        self.indexes = {name: index for index, name in enumerate(tables.rulebook.scripts)}
        self.program = self._make_program(tuple(map(self._lower_script, tables.rulebook.scripts.values())))

    def _lower_script(self, script: ir.Script) -> Code:
        """A script's code; who counts what runs must know all that could."""
        if script.name in self._alike:
            return self._alike[script.name]
        if script.name == ir.TRIGGERS:
            script = spell_out(self.tables.rulebook)
        lowered = partial(lower_script, self.tables, script, self.indexes, begins=script.name == ir.GAME)
        return LateCode(lowered) if self.tables.probes is None else lowered()

    @cached_property
    def _house_rules(self) -> dict[str, frozenset[str]]:
        return find_house_rules(self.tables.rulebook)

    def find_alike(self, options: dict[str, Any]) -> dict[str, Code]:
        """The codes of scripts and questions that read no house rule which is another one among these; of none if it
        changes what lies there.
        """
        before, read = self.tables.options, self._house_rules
        changed = {name for name in (*before, *options) if before.get(name) != options.get(name)}
        if not changed.isdisjoint(read[AROUND]):
            return {}
        codes = self.tables.questions | dict(zip(self.indexes, self.program.codes, strict=False))
        return {name: code for name, code in codes.items() if changed.isdisjoint(read[name])}

    def rules_hash(self) -> str:
        """The hash of the rules and of what the options are settled to."""
        return rules_hash(self.tables.rulebook, self.tables.options)

    # ── additions ──

    def with_script(self, program: Program, script: ir.Script) -> tuple[Program, int]:
        """The program with one more script, and the index of its code, with which `Machine.new_state` begins."""
        lowered = partial(lower_script, self.tables, script, self.indexes, begins=True)
        codes = (*program.codes, self._lower_once(script, lowered))
        return attrs.evolve(program, codes=codes), len(codes) - 1

    def lower_formula(self, expr: ir.Expr, inside: ir.Function | None = None) -> Code:
        """A question that is not the rulebook's own, or a part of one of these; `Machine.evaluate` asks it."""
        if inside is None:
            return self._lower_once(expr, lambda: lower_formula(self.tables, expr))
        return lower_formula(self.tables, expr, inside.slots, inside.parameters)

    def _lower_once(self, part: ir.Script | ir.Expr, lower: Callable[[], Code]) -> Code:
        """Lower what a scenario adds, once: it may be run many times. It is kept, so that its id stays its own."""
        if id(part) not in self._added:
            self._added[id(part)] = part, lower()
        return self._added[id(part)][1]

    def find_function(self, question: str) -> ir.Function:
        """The question of the rulebook that has this name."""
        return self.tables.rulebook.functions[question]

    def find_sorts(self, question: str) -> tuple[tuple[str, ...], str]:
        """Return the sorts of what a question of the rulebook is asked about, and of its answer."""
        function = self.find_function(question)
        return tuple(map(sort_of, function.slots.types[: function.parameters])), sort_of(function.type)

    def lower_lines(self, question: str) -> tuple[tuple[str, Code], ...]:
        """The named lines of a question of the rulebook, if it has any."""
        return questions.lower_lines(self.tables, self.tables.rulebook.functions[question])

    def find_values(self, run: Run, watch: Watch, seat: int) -> Values:
        """Word what the conditions compare that are not met in what was watched, as far as this seat knows it."""
        return find_values(self.tables, run, watch, seat)

    def _ask_late(self) -> None:
        """Questions are lowered when they are first asked."""
        self.tables.questions = {
            name: self._alike.get(name) or LateCode(partial(questions.lower_question, self.tables, function))
            for name, function in self.tables.rulebook.functions.items()
        }

    # ── what must be settled before there is a state ──

    def _questioner(self) -> Run:
        """A run of a game that has players and options, and nothing else."""
        empty = layout.empty(self.tables.players)
        self.tables.layout = empty
        bare = Program(
            id="",
            name="",
            players=self.tables.players,
            options=self.tables.options,
            layout=empty,
            codes=(),
            root=0,
            questions={},
            hooks={},
            asks={},
            cards=0,
            definition=(),
            likeness=(),
            kind=(),
            definitions={},
            actions=(),
            names=(),
            attributes={},
            changing=(),
            singular=frozenset(),
            words=self.tables.rulebook.words,
            units=self.tables.rulebook.units,
            stages=(),
            lasting={},
            rank=(),
            payoff=None,
        )
        return Run(bare, (), list(empty.start))

    def settle_value(self, expr: ir.Expr) -> Any:
        """The value of an expression that stands in YAML. Raises a RuleError at its place."""
        if isinstance(expr, ir.Const):
            return expr.value
        if isinstance(expr, ir.Listed):  # many cards have some
            return tuple(map(self.settle_value, expr.items))
        self._asking.looked_at = 0
        code = lower_formula(self.tables, expr)
        try:
            return self._asking.ask_question(code)
        except TooMuch as error:
            raise RuleError("Too much is looked at for this.", at=expr.at) from error
        except RuleError as error:
            raise RuleError(error.message, at=error.at or expr.at) from error

    def _settle_count(self, expr: ir.Expr, most: int, what: str) -> int:
        """A number that stands in YAML, of so many at most; one below 0 is none."""
        count = self.settle_value(expr)
        if not isinstance(count, int) or count > most:
            shown = "no number" if count is None else f"{count:,}"
            raise RuleError(f"There would be {shown} of {what}; {most:,} are the most.", at=expr.at)
        return count

    def _number_cards(self) -> None:
        """Cards one by one, definitions and their groups in the order of the rulebook."""
        for card in self.tables.rulebook.cards.values():
            for copies, _ in card.copies:
                count = self._settle_count(copies, MOST_COPIES, f"copies of the card {card.id}")
                if len(self.tables.definition) + count > MOST_CARDS:
                    raise RuleError(f"There would be more than {MOST_CARDS:,} cards.", at=card.at)
                self.tables.definition += [card.id] * count
                self.tables.kind += [card.kind] * count

    def _tabulate_attributes(self) -> None:
        """Tabulate what is printed on each card. Of what comes with it, a card has the copy of its own number."""
        tables = self.tables
        for entry in tables.rulebook.cards.values():
            # In the order in which they are written: each process has another order for a set.
            for name in (*entry.attributes, *(name for _, differing in entry.copies for name in differing)):
                tables.attributes.setdefault(name, [None] * tables.objects)
        card = 0
        for entry in tables.rulebook.cards.values():
            copy = 0
            for copies, differing in entry.copies:
                count = self.settle_value(copies)
                printed = {name: self.settle_value(value) for name, value in (entry.attributes | differing).items()}
                pairs = {name for name, value in entry.attributes.items() if isinstance(value, ir.AllCards)}
                for _ in range(count):
                    for name, value in printed.items():
                        tables.attributes[name][card] = value[copy] if name in pairs else value
                    self._paired |= {card, *(printed[name][copy] for name in pairs)} if pairs else set()
                    card, copy = card + 1, copy + 1

    # ── the whole ──

    def _make_program(self, codes: tuple[Code, ...]) -> Program:
        tables, book = self.tables, self.tables.rulebook
        numbers = {id: number for number, id in enumerate(book.cards)}
        shown = {id: self._settle_words(card.name) for id, card in book.cards.items()}
        actions = {id: self._settle_words(action.name) for id, action in book.actions.items()}
        hooks = {hook: tables.by_object(hook) for hook in book.hooks}
        layout, result = tables.layout, book.result
        stages = self._list_stages()
        lasting = {stage: find_lasting(layout, stage) for stage in stages}
        return Program(
            id=book.id,
            name=book.title,
            players=tables.players,
            options=tables.options,
            layout=layout,
            codes=codes,
            root=self.indexes[ir.GAME],
            triggers=self.indexes.get(ir.TRIGGERS),
            questions=tables.questions,
            hooks={
                hook: tuple(None if name is None else self.indexes.get(name) for name in names)
                for hook, names in hooks.items()
            },
            asks={hook: tables.list_questions(hook) for hook in hooks},
            cards=tables.cards,
            definition=tuple(tables.definition),
            likeness=tuple(numbers[id] for id in tables.definition),
            kind=tuple(tables.kind),
            definitions=shown,
            actions=tuple(actions),
            names=(*(shown[id] for id in tables.definition), *actions.values()),
            attributes={name: tuple(values) for name, values in tables.attributes.items()},
            changing=tuple(layout.states.values()),
            singular=frozenset(
                place.owner for place in layout.places if place.owned_by == "card" and place.owner is not None
            )
            | self._paired,
            words=book.words,
            units=book.units,
            stages=stages,
            lasting=lasting,
            rank=tuple(RankKey(key.most, lower_formula(tables, key.value, parameters=1)) for key in result.rank),
            payoff=None if result.payoff is None else lower_formula(tables, result.payoff, parameters=1),
            team=None if result.team is None else lower_formula(tables, result.team, parameters=1),
            lowering=self,
            zero_sum=None if result.payoff is None or not result.zero_sum else result.payoff.at,
            measures=tuple(
                Measure(
                    measure.name,
                    measure.each,
                    lower_formula(tables, measure.value, None, int(measure.each)),
                    sort_of(measure.value.type),
                )
                for measure in book.measures
            ),
            shown=tuple(
                Shown(name, value.of_each, tables.questions[f"values.{name}"], sort_of(value.type), value.title)
                for name, value in book.display.shown.items()
            ),
            score_sort=find_score_sort(book),
            looks=self._settle_looks(),
        )

    def _settle_looks(self) -> Looks:
        """Return the hints of `display`; what people say for a name is what it is called at the table too."""
        book = self.tables.rulebook
        look = book.display
        # Of what is so or not, a phrase is a whole clause: “hearts are broken: no” is no English.
        types = {name: memory.type for name, memory in book.memories.items()}
        types |= {name: state.type for name, state in book.states.items()}
        named = {*book.places, *(name for name, of in types.items() if of != t.YES_NO)}
        phrases = {name: text for name, text in book.phrases.items() if name in named}
        titles, denials = {**phrases, **look.titles}, dict[str, str]()
        for name in (title for title in look.titles if title in types and t.surely(types[title]) == t.YES_NO):
            titles[name], _, denials[name] = look.titles[name].partition(" / ")
        colours = tuple(
            (frozenset([name, *(id for id, kind in book.kinds.items() if name in kind.ancestors)]), colour)
            for name, colour in look.colours.items()
        )
        told_texts = {name: text for name, text in denials.items() if text}
        kinds = {name: book.phrases[name].partition("/") for name in book.kinds if name in book.phrases}
        nouns = {
            name: (single.strip(), more.strip() or plural(single.strip())) for name, (single, _, more) in kinds.items()
        }
        return Looks(
            look.aim, titles, look.order, look.sort, frozenset(look.hidden), colours, told_texts, nouns, look.language,
            look.scores or tuple(dict.fromkeys(self._find_scores())), look.verbs, self._settle_numerals(),
        )  # fmt: skip

    def _settle_numerals(self) -> dict[str, dict[int, tuple[str, str]]]:
        """Return the signs of numbers, pictures apart; those of a state of dice are dots, unless they are said."""
        book = self.tables.rulebook
        dice = {card.kind for card in book.cards.values() if card.id.partition(".")[0] in ("die", "dice")}
        dots = {number: ir.Sign("glyph", f"die_{number}") for number in range(1, 7)}
        signs = {name: dots for name, state in book.states.items() if dice & {*state.kinds}}
        signs |= book.display.numerals
        return {
            name: {number: (sign.form, sign.said) for number, sign in of.items() if sign.form != "file"}
            for name, of in signs.items()
        }

    def _find_scores(self) -> Iterator[str]:
        """Find the memories and the shown values of players in what decides first who wins."""
        book = self.tables.rulebook
        decisive = book.result.payoff or (book.result.rank[0].value if book.result.rank else None)
        for node in nodes(decisive) if decisive is not None else ():
            if isinstance(node, ir.PlayerMemory):
                yield node.name
            elif isinstance(node, ir.CallValue):
                value = book.display.shown.get(node.function.removeprefix("values."))
                if value is not None and value.of_each:
                    yield node.function.removeprefix("values.")

    def _settle_words(self, name: ir.Expr) -> str:
        # A name stands in the middle of sentences, of which each line break would make two. Seats have their own blank.
        text = word_value(self._asking.program, (), self.settle_value(name), sort_of(name.type))
        return re.sub(r"[^\S\u00a0]+", " ", text).strip()

    def _list_stages(self) -> tuple[str, ...]:
        """The stages in the order in which the scripts name them."""
        scripts = self.tables.rulebook.scripts.values()
        names = (line.name for script in scripts for line in statements(script.body) if isinstance(line, ir.Stage))
        return tuple(dict.fromkeys(names))
