"""A page played by keys alone, and the words that it has for those who listen."""

from __future__ import annotations

from typing import Any

from browsers import Person, Stuck

_IS_CHOOSABLE = "document.activeElement.matches('.may, .may > .name, #ask .menu .btn:not([aria-disabled])')"
_IS_BESIDE = f"{_IS_CHOOSABLE} || !!document.activeElement.closest('.cards, .board, .chips')?.querySelector('.may')"
_IS_SENDING = "document.activeElement.matches('#ask .main, #ask [data-k=send], #ask [data-k=pass]')"
_WHERE = "document.activeElement.dataset.k"
_SPEAKS = ("button", "link", "img", "image", "checkbox", "textbox", "spinbutton", "dialog", "heading", "region")
_SIGNS = """() => [...document.querySelectorAll('.sign, .card svg, .chip svg, .tile svg, .mini')]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const holder = one.closest('[aria-label], button, .mini, li, p, h2, .hidden, [data-place]');
    return !/\\p{L}{2}|\\d/u.test(`${holder?.ariaLabel ?? ''} ${holder?.textContent ?? ''}`);
  }).map((one) => one.outerHTML.slice(0, 80))"""


def find_nameless(page: Any) -> list[str]:
    """Find controls and parts that a screen reader could not name, and signs that have no word beside them."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    silent = [
        node["role"]["value"]
        for node in nodes
        if not node["ignored"]
        and node["role"]["value"] in _SPEAKS
        and not node.get("name", {}).get("value", "").strip()
    ]
    return [*silent, *page.evaluate(_SIGNS)]


def play_by_keys(person: Person) -> bool:
    """Answer one question: `q` leads to it, Tab and arrows to what may be chosen, Enter chooses and sends. Raises Stuck
    where that leads nowhere.
    """
    page, before = person.page, person.look()
    number = page.evaluate("document.querySelectorAll('.may, #ask .menu .btn:not([aria-disabled])').length")
    for attempt in range(12):
        _choose_by_keys(person, 1 + person.random.randrange(max(number, 1)) if attempt else 1)
        page.keyboard.press("Enter")
        page.wait_for_timeout(350)
        now = person.look()
        if now["dock"] != before["dock"] and (not now["asked"] or now["over"] or not now["chosen"]):
            return True
    raise Stuck(f"keys lead nowhere: {before['dock']!r}")


def _choose_by_keys(person: Person, steps: int) -> None:
    """Go to a place in which something may be chosen, and there to the so-manieth thing that may be."""
    page, seen = person.page, person.look()
    page.keyboard.press("q")
    if seen["sends"] and (seen["chosen"] or not (seen["may"] or seen["menu"])):
        _tab_to(person, _IS_SENDING)
        return
    _tab_to(person, _IS_BESIDE, backwards=not seen["menu"])
    if seen["menu"]:
        for _ in range(steps - 1):
            page.keyboard.press("Tab")
        return
    # Along the rows, to and fro.
    forwards = True
    for _ in range(120):
        steps -= page.evaluate(_IS_CHOOSABLE)
        before = page.evaluate(_WHERE)
        if steps == 0:
            return
        page.keyboard.press("ArrowRight" if forwards else "ArrowLeft")
        if page.evaluate(_WHERE) == before:
            page.keyboard.press("ArrowDown")
            forwards = not forwards
        if page.evaluate(_WHERE) == before:
            return


def _tab_to(person: Person, there: str, backwards: bool = False) -> None:
    for _ in range(60):
        if person.page.evaluate(there):
            return
        person.page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise Stuck(f"Tab leads {person.name} to nothing that may be chosen: {person.look()['dock']!r}")
