// The page: an editor for the files of a game, what is wrong with them, a table against bots, and many games at once.
import { basicSetup, EditorView } from "codemirror";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, WidgetType } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const by = (id) => document.getElementById(id);
const WAIT = 350; // milliseconds after the last letter before the rules are checked
const IDLE = 1200; // and then until all is looked at that may be meant otherwise
const MESSAGES = 40; // the most messages that are listed
let files = {}, open = "", checked = 0, timer = 0, games = [];

// ── the engine ──

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let calls = 0;
worker.onmessage = ({ data: { id, value, error } }) => {
  const { done, failed } = waiting.get(id);
  waiting.delete(id);
  error === undefined ? done(value) : failed(new Error(error));
};
worker.onerror = (event) => say(`The engine could not be started: ${event.message ?? "it could not be fetched"}.`);
const ask = (call, ...given) =>
  new Promise((done, failed) => {
    waiting.set(++calls, { done, failed });
    worker.postMessage({ id: calls, call, given });
  });
const say = (words) => { by("state").textContent = words; };

// ── the editor ──

// Where there is no room for a list beside the rules, each message stands below its line as well: see page.css.
class Told extends WidgetType {
  constructor({ message, help, severity }) { super(); Object.assign(this, { message, help, severity }); }
  eq(other) { return this.message === other.message && this.help === other.help; }
  toDOM() {
    const box = code("div", this.message);
    box.className = `told ${this.severity}`;
    if (this.help) box.append(code("p", this.help));
    return box;
  }
}
const tell = StateEffect.define();
const told = StateField.define({
  create: () => Decoration.none,
  update(lines, { changes, effects }) {
    return effects.reduce((before, effect) => (effect.is(tell) ? effect.value : before), lines.map(changes));
  },
  provide: (field) => EditorView.decorations.from(field),
});

const states = new Map();
const editor = new EditorView({ parent: by("editor") });
const makeState = (text) =>
  EditorState.create({
    doc: text,
    extensions: [basicSetup, yaml(), syntaxHighlighting(classHighlighter), lintGutter(), told, EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": "The rules, as YAML" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) change(update.state.doc.toString()); })],
  });

function change(text) {
  files[open] = text;
  clearTimeout(timer);
  timer = setTimeout(check, WAIT, false);
}

function show(name) {
  if (open) states.set(open, editor.state);
  open = name;
  editor.setState(states.get(name) ?? makeState(files[name]));
  for (const tab of by("files").children) tab.setAttribute("aria-selected", tab.textContent === name);
}

function lay(chosen) {
  files = { ...chosen };
  states.clear();
  open = "";
  const names = Object.keys(files).sort((one, other) => (one !== "rulebook.yaml") - (other !== "rulebook.yaml") || one.localeCompare(other));
  by("files").replaceChildren(...names.map((name) => {
    const tab = make("button", name);
    tab.type = "button";
    tab.role = "tab";
    tab.onclick = () => { show(name); mark(); };
    return tab;
  }));
  show(names[0]);
  check();
}

// ── messages ──

let messages = [];

async function check(whole = false) {
  clearTimeout(timer);
  const number = ++checked, written = { ...files };
  if (!whole) say("Checking …");
  pack(written).then((text) => { if (number === checked) history.replaceState(null, "", `#${text}`); });
  try {
    const result = await ask("check", written, whole);
    if (number !== checked) return;
    messages = result.messages;
    list(messages);
    mark();
    const errors = messages.filter((message) => message.severity === "error").length;
    say(errors ? `${errors} ${errors === 1 ? "mistake" : "mistakes"}` : messages.length ? "It can be played; there is something to read." : `${result.title}: no problems.`);
    if (result.players.length) offer(result.players);
    for (const id of ["deal", "simulate", "test"]) by(id).disabled = errors > 0;
    if (!whole && !errors) timer = setTimeout(check, IDLE, true);
  } catch (error) {
    if (number === checked) say(error.message);
  }
}

function list(found) {
  by("messages").replaceChildren(...found.slice(0, MESSAGES).map((message) => {
    const card = make("button", "");
    card.type = "button";
    card.className = `message ${message.severity}`;
    const { place } = message;
    card.append(code("b", message.message), make("small", `${place ? `${place.file}, line ${place.line} · ` : ""}${message.code}`));
    if (message.help) card.append(code("p", message.help));
    if (place && place.file in files) card.onclick = () => { view("edit"); show(place.file); mark(); go(place); };
    return card;
  }));
  if (!found.length) by("messages").append(make("p", "Nothing is wrong with these rules."));
  if (found.length > MESSAGES) by("messages").append(make("p", `And ${found.length - MESSAGES} more.`));
}

// Places are counted in code points; the editor counts in units of UTF-16.
function units(text, points) {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

function mark() {
  const text = editor.state.doc;
  const found = messages
    .filter(({ place }) => place?.file === open)
    .map(({ place, ...message }) => ({ ...message, from: units(text.toString(), place.start), to: units(text.toString(), Math.max(place.start, place.end)) }))
    .filter(({ to }) => to <= text.length);
  const marks = found.map(({ from, to, severity, message, help }) => ({
    from,
    to,
    severity: severity === "error" ? "error" : "warning",
    message: help ? `${message}\n${help}` : message,
  }));
  const lines = found.map((message) => Decoration.widget({ widget: new Told(message), block: true, side: 1 }).range(text.lineAt(message.from).to));
  editor.dispatch(setDiagnostics(editor.state, marks), { effects: tell.of(Decoration.set(lines, true)) });
}

function go(place) {
  const at = units(editor.state.doc.toString(), place.start);
  editor.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  editor.focus();
}

by("test").onclick = () => busy("test", "Playing the scenarios …", async () => {
  const { said } = await ask("command", files, ["test"], columns("check"));
  by("tested").hidden = false;
  by("tested").textContent = said.trim();
});

// ── one game ──

let chosen = [];

by("deal").onclick = () => busy("deal", "Dealing …", async () => {
  const seed = Number.parseInt(by("seed").value, 10) || 1;
  draw(await ask("deal", files, Number(by("players").value), seed, by("bot").value, columns("play")));
  by("undo").disabled = false;
});
by("undo").onclick = () => busy("undo", "Taking back …", async () => draw(await ask("undo")));

function draw(seen) {
  chosen = [];
  const parts = [make("h2", seen.headline)];
  if (seen.happened.length) {
    const log = make("ul", "");
    log.append(...seen.happened.map((line) => make("li", line)));
    parts.push(log);
  }
  parts.push(make("pre", seen.table));
  if (seen.refused) parts.push(Object.assign(make("p", seen.refused), { className: "refused" }));
  if (seen.question) parts.push(...word(seen.question));
  if (seen.over) parts.push(make("h2", seen.over));
  by("table").replaceChildren(...parts);
  const log = by("table").querySelector("ul");
  if (log) log.scrollTop = log.scrollHeight;
}

function word({ words, picked, options, least, most }) {
  const box = make("div", "");
  box.id = "options";
  const single = least === 1 && most === 1;
  const go = make("button", "That is all");
  go.type = "button";
  go.onclick = () => answer(chosen);
  const settle = () => {
    for (const button of box.children) if (button.dataset.key) button.setAttribute("aria-pressed", chosen.includes(button.dataset.key));
    go.disabled = chosen.length < least || chosen.length > most;
  };
  box.append(...options.map((option) => {
    const button = make("button", option.label);
    button.type = "button";
    button.dataset.key = option.key;
    button.onclick = () => {
      if (single || option.key === "pass") return answer([option.key]);
      // Of equal cards one key means several: it is chosen once more, until there are no more.
      const times = chosen.filter((key) => key === option.key).length;
      chosen = times < option.count && chosen.length < most ? [...chosen, option.key] : chosen.filter((key) => key !== option.key);
      button.textContent = option.count > 1 && chosen.includes(option.key) ? `${option.label} (${chosen.filter((key) => key === option.key).length})` : option.label;
      settle();
    };
    return button;
  }));
  if (!single) box.append(go);
  settle();
  return [make("h2", words), ...(picked ? [make("p", picked)] : []), box];
}

const answer = (keys) => busy("undo", "The others think …", async () => draw(await ask("answer", keys)));

// ── many games ──

by("simulate").onclick = () => busy("simulate", "Playing …", async () => {
  const games = Number(by("count").value), players = Number(by("many-players").value);
  const { said } = await ask("many", files, players, games, by("bots").value, by("details").checked, columns("many"));
  by("said").hidden = false;
  by("said").textContent = said.trim();
});

// ── all of it ──

async function busy(id, words, act) {
  by(id).disabled = true;
  say(words);
  const began = performance.now();
  try {
    await act();
    say(`${((performance.now() - began) / 1000).toFixed(1)} seconds.`);
  } catch (error) {
    say(error.message);
  }
  by(id).disabled = false;
}

// The letters of one width that fit side by side into a part of the page.
function columns(id) {
  const ruler = document.createElement("pre");
  ruler.textContent = "0".repeat(100);
  ruler.style.cssText = "position: absolute; visibility: hidden; white-space: pre; padding: 0";
  document.body.append(ruler);
  const letter = ruler.getBoundingClientRect().width / 100;
  ruler.remove();
  return Math.max(24, Math.min(100, Math.floor((by(id).clientWidth - 60) / letter)));
}

function offer(players) {
  for (const id of ["players", "many-players"]) {
    const before = by(id).value;
    by(id).replaceChildren(...players.map((number) => make("option", String(number))));
    if (players.includes(Number(before))) by(id).value = before;
  }
}

function view(name) {
  const narrow = matchMedia("(max-width: 760px)").matches;
  for (const id of ["edit", "check", "play", "many"]) by(id).hidden = id !== name && !(id === "edit" && !narrow);
  if (name === "edit" && !narrow) by("check").hidden = false;
  for (const button of by("views").children) button.setAttribute("aria-pressed", button.dataset.view === name);
}
for (const button of by("views").children) button.onclick = () => view(button.dataset.view);
matchMedia("(max-width: 760px)").onchange = () => view("edit");

function make(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

// Words between backticks are code, as in every message.
function code(tag, words) {
  const element = document.createElement(tag);
  element.append(...words.split("`").map((part, at) => (at % 2 ? make("code", part) : part)));
  return element;
}

// The link: all files, packed, behind the sign # of the address, which no browser sends anywhere.
async function pack(what) {
  const stream = new Blob([JSON.stringify(what)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const found = JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text());
  const right = found && typeof found === "object" && Object.values(found).every((file) => typeof file === "string");
  if (!right || !("rulebook.yaml" in found)) throw new Error("no game");
  return found;
}

by("link").onclick = async () => {
  const address = `${location.href.split("#")[0]}#${await pack(files)}`;
  try {
    await navigator.clipboard.writeText(address);
    say("The link is copied: it holds these rules.");
  } catch {
    history.replaceState(null, "", address);
    say("The link stands in the address bar: it holds these rules.");
  }
};

by("games").onchange = () => {
  const game = games.find(({ id }) => id === by("games").value);
  if (game) lay(game.files);
};

async function begin() {
  view("edit");
  const held = location.hash.slice(1);
  const before = held ? await unpack(held).catch(() => null) : null;
  if (before) lay(before);
  games = await ask("games");
  by("games").replaceChildren(make("option", "another game …"), ...games.map(({ id }) => Object.assign(make("option", id), { value: id })));
  by("games").options[0].value = "";
  by("games").disabled = false;
  if (held && !before) say("The link holds no game.");
  if (!before) lay((games.find(({ id }) => id === "tic_tac_toe") ?? games[0]).files);
}
begin().catch((error) => say(error.message));
