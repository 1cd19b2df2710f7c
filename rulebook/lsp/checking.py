"""The whole check of a game in a process of its own: it takes seconds, may be given up, and keeps nobody from typing.

In: a folder, and the texts of the files that are open. Out: the messages of `rulebook validate`. What goes between the
processes is JSON of texts, places and words.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.reading.unsaved import with_unsaved
from rulebook.source import SourceFile
from rulebook.validation import find_problems
from rulebook.validation.messages import flatten_messages, restore_messages

__all__ = ["check_all"]


async def check_all(folder: Path, texts: Mapping[Path, str]) -> list[Diagnostic] | None:
    """Find all that is wrong with a game, its variants and scenarios. The process ends with whoever waits for it; None
    if it ended by itself, and found nothing out.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    given = {"folder": str(folder), "texts": {str(file): text for file, text in texts.items()}}
    try:
        said, _ = await process.communicate(json.dumps(given).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        return None
    plain = json.loads(said)
    return restore_messages(plain["found"], [SourceFile(name, text) for name, text in plain["files"]])


def _answer_parent() -> None:
    given = json.load(sys.stdin.buffer)
    with with_unsaved({Path(file): text for file, text in given["texts"].items()}):
        messages, files = flatten_messages(find_problems(Path(given["folder"])))
    plain = {"files": [(file.name, file.text) for file in files], "found": messages}
    sys.stdout.buffer.write(json.dumps(plain).encode())


if __name__ == "__main__":
    _answer_parent()
