"""The extension for VS Code, started by node with stand-ins for what VS Code lends it; and what its manifest says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
from paths import ROOT

from rulebook.version import __version__

FOLDER = ROOT / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
# An editor as the extension sees it; of what was done with it the last line of the output tells.
EDITOR = """
const Module = require("module"), done = {shown: [], started: 0, stopped: 0, watched: []};
const [, extension, starts, ...command] = process.argv;
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(done, {id, server, options}); }
  async start() { if (starts === "no") throw new Error("spawn ENOENT"); done.started += 1; }
  async stop() { done.stopped += 1; }
}
const lent = {
  vscode: {
    window: {showErrorMessage: (text) => done.shown.push(text)},
    workspace: {
      getConfiguration: (section) => ({get: (name) => `${section}.${name}` === "rulebook.command" ? command : null}),
      createFileSystemWatcher: (pattern) => (done.watched.push(pattern), {pattern}),
    },
  },
  "vscode-languageclient/node": {LanguageClient},
};
const load = Module._load;
Module._load = (name, ...more) => lent[name] ?? load(name, ...more);
const {activate, deactivate} = require(extension);
(async () => {
  await activate({subscriptions: []});
  await deactivate();
  console.log(JSON.stringify(done));
})();
"""
HAS_NODE = shutil.which("node") is not None
pytestmark = pytest.mark.needs(HAS_NODE, "there is no node here: on Debian, apt-get install nodejs")


def start(starts: str, *command: str) -> dict[str, Any]:
    words = ["node", "-e", EDITOR, str(FOLDER / MANIFEST["main"]), starts, *command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_it_starts_the_server_and_ends_it() -> None:
    done = start("yes", "rulebook", "lsp")
    assert done["server"] == {"command": "rulebook", "args": ["lsp"]}
    assert done["options"]["documentSelector"] == [{"scheme": "file", "language": "yaml"}]
    assert (done["started"], done["stopped"], done["shown"]) == (1, 1, [])
    assert done["watched"] == ["**/*.{yaml,csv}"]


def test_where_the_server_does_not_start_it_says_what_to_do() -> None:
    done = start("no", "/nowhere/rulebook", "lsp")
    [shown] = done["shown"]
    assert "`/nowhere/rulebook`" in shown and "tabletop-rulebook[lsp]" in shown and "rulebook.command" in shown
    assert done["stopped"] == 0


def test_its_manifest_is_whole() -> None:
    """What `vsce package` asks for, and that settings and files are there which it names."""
    assert {"name", "displayName", "description", "publisher", "engines", "license"} <= MANIFEST.keys()
    assert MANIFEST["version"] == __version__ and re.fullmatch(r"[a-z0-9-]+", MANIFEST["name"])
    assert (FOLDER / MANIFEST["main"]).is_file()
    code = (FOLDER / MANIFEST["main"]).read_text("utf-8")
    settings = MANIFEST["contributes"]["configuration"]["properties"]
    assert settings.keys() == {"rulebook.command"} and settings["rulebook.command"]["default"] == ["rulebook", "lsp"]
    assert 'getConfiguration("rulebook").get("command")' in code
    required = set(re.findall(r'require\("([^"]+)"\)', code)) - {"vscode"}
    assert {name.partition("/")[0] for name in required} == MANIFEST["dependencies"].keys()
