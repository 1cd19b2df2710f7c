"""A report for programs and notebooks: what many games say, as a sentence, as a page, and as a table of data."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from rulebook.classes import frozen
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.tidy import Row, list_rows
from rulebook.printing import dump_json
from rulebook.reporting.answering import answer_questions, find_headline
from rulebook.reporting.figures import escape
from rulebook.reporting.page import write_pages
from rulebook.reporting.records import Points
from rulebook.reporting.records import Report as Record
from rulebook.reporting.writing import write_json
from rulebook.version import __version__

_NO_PANDAS = "A data frame needs pandas: `pip install 'tabletop-rulebook[frames]'`. `rows` has the same without it."


@frozen(repr=False)
class Report:
    """The report of many games between bots. A notebook shows it as a page."""

    record: Record
    """All that was counted, as `--json` has it."""
    _points: Points
    _result: Result

    def __repr__(self) -> str:
        return f"<rulebook.Report {self.record.title}: {self.headline}>"

    def _repr_html_(self) -> str:
        """The page of `simulate --report` in a frame of its own, so that its style stays there."""
        page = escape(write_pages([self.record], self._points, __version__))
        return f'<iframe sandbox srcdoc="{page}" style="width: 100%; height: 40rem; border: 0"></iframe>'

    @property
    def headline(self) -> str:
        """The sentence that is most worth knowing."""
        return find_headline(self.record, self._points)

    @property
    def answers(self) -> dict[str, tuple[str, ...]]:
        """The answer to each question of a designer, in sentences."""
        return {answer.question: tuple(answer.lines) for answer in answer_questions(self.record, self._points)}

    @property
    def rows(self) -> list[Row]:
        """A row for each seat of each game, as `simulate --export` writes them."""
        return [*list_rows(self._result)]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, those that `simulate --json` prints."""
        plain: dict[str, Any] = json.loads(dump_json(write_json(self.record), "utf-8"))
        return plain

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas. Raises ImportError where pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError(_NO_PANDAS) from None
        return pandas.DataFrame(self.rows)
