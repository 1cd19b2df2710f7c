// The engine, beside the page: Python and rulebook in a worker, so that no long game stops anybody's typing.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = start();

async function start() {
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  const packed = await fetch(new URL("./rulebook.zip", import.meta.url));
  if (!packed.ok) throw new Error(`rulebook.zip: ${packed.status}`);
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: "/site" });
  python.runPython("import sys; sys.path.insert(0, '/site'); import json, bridge; tables = {}");
  return python;
}

// Each call names one function of `bridge`, or what to do at the table; arguments and results are JSON.
const CALLS = {
  games: "bridge.list_games()",
  check: "bridge.check_game(*given)",
  command: "bridge.run_command(*given)",
  many: "bridge.play_many(*given)",
  deal: "tables.update(now=bridge.Table(*given)) or tables['now'].go_on()",
  answer: "tables['now'].answer(*given)",
  undo: "tables['now'].undo()",
};

self.onmessage = async ({ data: { id, call, given } }) => {
  try {
    const python = await ready;
    const value = call === "begin" ? "null" : python.runPython(`json.dumps((lambda given: ${CALLS[call]})(json.loads(text)))`, {
      globals: bind(python, JSON.stringify(given)),
    });
    self.postMessage({ id, value: JSON.parse(value) });
  } catch (error) {
    const last = String(error.message ?? error).trim().split("\n").at(-1);
    self.postMessage({ id, error: last.replace(/^[\w.]*Error: /, "") });
  }
};

function bind(python, text) {
  python.globals.set("text", text);
  return python.globals;
}
