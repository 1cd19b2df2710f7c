"""A client of an editor's language server: opens files, hears what the server says of them, asks for completions.

In: the command that starts a server which speaks the Language Server Protocol on stdin and stdout. Out: its diagnostics
and completions, as plain data. Never: answers more than such a server must be answered.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds that a server may take for one answer


def command() -> list[str] | None:
    """How to start yaml-language-server, if it is installed."""
    found = shutil.which("yaml-language-server")
    return None if found is None else [found, "--stdio"]


class LanguageServer:
    """One running server."""

    def __init__(self, words: Sequence[str], root: Path) -> None:
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._said: dict[str, list[dict[str, Any]]] = {}
        self._number = 0
        self.versions: dict[str, int] = {}
        """By address the version of a text that has been changed."""
        self.times: Counter[str] = Counter()
        """By address how often something was said since that was last asked."""
        threading.Thread(target=self._listen, daemon=True).start()
        started = {"processId": None, "rootUri": root.as_uri(), "capabilities": {"workspace": {"configuration": True}}}
        self.ask("initialize", started)
        self._tell("initialized", {})

    def count_work(self) -> float:
        """How many seconds its processor has worked for it, to a hundredth, as Linux counts them."""
        words = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def leave(self) -> int:
        """End the server as an editor does that is closed; its exit code."""
        self.ask("shutdown", None)
        self._tell("exit", None)
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def diagnostics(self, file: Path, text: str) -> list[dict[str, Any]]:
        """What the server says about a file with this text."""
        uri = self._open(file, text)
        while uri not in self._said:
            self._hear()
        return self._said[uri]

    def completions(self, file: Path, text: str) -> list[str]:
        """What could stand at the `|` in this text."""
        before, _, after = text.partition("|")
        line, character = before.count("\n"), len(before.rpartition("\n")[2])
        return [one["label"] for one in self._at("completion", file, before + after, line, character)["items"]]

    def hover(self, file: Path, text: str) -> str:
        """What is shown about the word behind the `|`."""
        before, _, after = text.partition("|")
        line, character = before.count("\n"), len(before.rpartition("\n")[2]) + 1
        found = self._at("hover", file, before + after, line, character)
        return "" if found is None else str(found["contents"]["value"])

    def _at(self, what: str, file: Path, text: str, line: int, character: int) -> Any:
        uri = self._open(file, text)
        where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{what}", where)

    def _open(self, file: Path, text: str) -> str:
        """Open a text under a name of its own beside the file, so that nothing of an earlier one is mixed in."""
        self._number += 1
        uri = file.with_name(f"{file.stem}_{self._number}.yaml").as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def ask(self, method: str, parameters: Any) -> Any:
        """A request, and its answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": parameters})
        while True:
            heard = self._hear()
            if heard.get("id") == self._number and "method" not in heard:
                assert "error" not in heard, heard
                return heard["result"]

    def _tell(self, method: str, parameters: Any) -> None:
        self._send({"method": method, "params": parameters})

    def _hear(self) -> dict[str, Any]:
        heard = self._heard.get(timeout=PATIENCE)
        assert heard is not None, "the server has ended"
        if heard.get("method") == "textDocument/publishDiagnostics":
            uri, version = heard["params"]["uri"], heard["params"].get("version")
            if version is None or version >= self.versions.get(uri, 1):  # else of a text that is no more
                self._said[uri] = heard["params"]["diagnostics"]
                self.times[uri] += 1
        elif "method" in heard and "id" in heard:
            # It asks for settings; with none it works as it comes.
            items = heard["params"].get("items", ()) if isinstance(heard.get("params"), dict) else ()
            self._send({"id": heard["id"], "result": [{} for _ in items]})
        return heard

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        length = 0
        for line in iter(self._process.stdout.readline, b""):
            name, _, value = line.decode("ascii").partition(":")
            if name.lower() == "content-length":
                length = int(value)
            elif not line.strip():
                self._heard.put(json.loads(self._process.stdout.read(length)))
        self._heard.put(None)
