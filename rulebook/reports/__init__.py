"""The messages of a check in forms that other programs read, one module each."""

from collections.abc import Callable

from attrs import frozen

from rulebook.diagnostics import Diagnostic, Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "tip")
"""From the worst to the mildest."""


@frozen
class Report:
    """What a check came to.

    `found` are the messages in the order of their places. `games` are the names of what was checked, as messages show
    paths. `fail_on` is the mildest severity that makes the check fail; a guess never does.
    """

    found: tuple[Diagnostic, ...]
    games: tuple[str, ...]
    fail_on: Severity = "error"

    def fails(self, found: Diagnostic) -> bool:
        return found.confidence != "guess" and SEVERITIES.index(found.severity) <= SEVERITIES.index(self.fail_on)

    @property
    def failed(self) -> bool:
        return any(self.fails(one) for one in self.found)


Writer = Callable[[Report], str]
