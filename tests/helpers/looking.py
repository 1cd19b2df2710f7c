"""A page of a table, measured as somebody would see it: contrast, sizes, what is cut off, where the dock stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import define

SIZES = ((360, 740), (1280, 800), (320, 568), (740, 360), (768, 1024))
"""Widths and heights at which pages are looked at: a phone, a desk, a small phone, one that lies, a tablet."""

MEASURE = Path(__file__).with_name("looking.js").read_text("utf-8")


@define
class Look:
    """A page as it stands at one size, in light or dark."""

    width: int
    height: int
    theme: str
    facts: dict[str, Any]

    @property
    def share(self) -> float:
        """The part of the height that the dock takes; nothing where it stands beside the table."""
        return 0 if self.facts["beside"] else self.facts["dock"] / self.height

    def complain(self) -> list[str]:
        """List what is too pale, too small, too wide, cut off or covered."""
        facts = self.facts
        wrong = [f"too pale: {text}" for text in facts["pale"]] + [f"too small: {text}" for text in facts["tiny"]]
        wrong += [f"small to touch: {text}" for text in facts["small"]]
        wrong += [f"wider than the page: {text}" for text in facts["wide"]] + [f"cut: {text}" for text in facts["cut"]]
        wrong += [f"drawn with nothing in it: {text}" for text in facts["empty"]]
        wrong += ["the page is wider than its window"] * (facts["wider"] > 0)
        wrong += [f"{facts['covered']} that may be chosen under the dock"] * (facts["covered"] > 0)
        wrong += [f"a dock of {facts['dock']:.0f} px"] * (facts["dock"] < 129)
        has_gap = abs(facts["gap"]) > 1 and not facts["beside"]
        wrong += [f"the table ends {facts['gap']:.0f} px from the dock"] * has_gap
        return wrong


def look(page: Any, width: int, height: int, theme: str) -> Look:
    """Measure a page at one size."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.wait_for_timeout(80)
    return Look(width, height, theme, page.evaluate(MEASURE))
