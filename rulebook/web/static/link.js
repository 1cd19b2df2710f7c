// The connection of a page to its table: it finds its way back by itself, and sends what was not acknowledged again.

const SHORTEST = 100;
const LONGEST = 2000;
const ASLEEP = 15000;

// The token stands in the address only until it is read, and then for this tab alone.
function takeToken() {
  const name = `token ${location.pathname}`;
  if (location.hash.length > 1) {
    sessionStorage.setItem(name, location.hash.slice(1));
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(name);
}

export function connect(hear, tellState) {
  const token = takeToken();
  let socket = null;
  let wait = SHORTEST;
  let unanswered = null;
  let hiddenSince = 0;
  let isGone = !token;
  let isFull = false;
  let wasOpen = false;

  function open() {
    if (isGone) return tellState('gone');
    socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`);
    const mine = socket;
    mine.onopen = () => mine.send(JSON.stringify({ link: token }));
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      const message = JSON.parse(event.data);
      if (message.full) {
        isFull = true;
        return tellState('full');
      }
      if (message.gone) {
        isGone = true;
        return tellState('gone', message.closed === true);
      }
      wait = SHORTEST;
      isFull = false;
      wasOpen = true;
      tellState('here');
      if (message.accepted !== undefined || message.refused !== undefined) unanswered = null;
      const isBack = message.whole;
      hear(message);
      if (isBack && unanswered) mine.send(unanswered);
    };
    mine.onclose = () => {
      if (mine !== socket || isGone) return;
      if (!isFull) tellState('away');
      if (!wasOpen) askForName();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST);
    };
  }

  // A proxy that asks for the server by another name is let in only with --address.
  async function askForName() {
    const answer = await fetch('/files/as/asked').catch(() => null);
    const name = answer?.ok ? await answer.text() : location.host;
    if (name !== location.host && !wasOpen) tellState('renamed');
  }

  function reopen() {
    if (isGone) return;
    const old = socket;
    socket = null;
    old?.close();
    open();
  }

  // A phone that slept may hold a connection that nobody is at the other end of.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenSince = Date.now();
    else if (Date.now() - hiddenSince > ASLEEP) reopen();
  });
  addEventListener('online', reopen);
  open();

  return {
    // Answers are sent again after a break; the table knows one that it has.
    answer(message) {
      unanswered = JSON.stringify(message);
      if (socket?.readyState === WebSocket.OPEN) socket.send(unanswered);
    },
    // Says whether there is a connection to send it by.
    send(message) {
      const isOpen = socket?.readyState === WebSocket.OPEN;
      if (isOpen) socket.send(JSON.stringify(message));
      return isOpen;
    },
  };
}

// Elements are made, never parsed: whatever a text holds, it stays text.
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') made.className = value;
    else if (name.startsWith('on')) {
      made.acts = { ...made.acts, [name.slice(2)]: value };
      made.addEventListener(name.slice(2), (event) => made.acts[name.slice(2)]?.(event));
    }
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return made;
}

// Puts children into a part; what stands there already and is as wanted stays, so that nothing is drawn twice, and what
// is scrolled or being typed stays so.
export function fill(part, ...children) {
  const wanted = children.filter((child) => child !== null && child !== undefined && child !== false && child !== '').map((child) => (child.nodeType ? child : document.createTextNode(String(child))));
  wanted.forEach((child, at) => {
    const old = part.childNodes[at];
    if (!old) part.append(child);
    else if (old === child) return;
    else if (!suit(old, child)) old.replaceWith(child);
    else if (old.nodeType === Node.TEXT_NODE) old.data !== child.data && (old.data = child.data);
    else become(old, child);
  });
  while (part.childNodes.length > wanted.length) part.lastChild.remove();
}

// The same sort of thing, that listens to the same.
const suit = (old, child) =>
  old.nodeName === child.nodeName && old.dataset?.k === child.dataset?.k && String(Object.keys(old.acts ?? {})) === String(Object.keys(child.acts ?? {}));

function become(old, child) {
  for (const { name } of [...old.attributes]) if (!child.hasAttribute(name) && name !== 'style' && name !== 'tabindex') old.removeAttribute(name);
  for (const { name, value } of child.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (child.acts) old.acts = child.acts;
  fill(old, ...child.childNodes);
}

const DRAWN = {
  check: 'm4 12 5 6L20 6',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 .01 0',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  no: 'M6 6l12 12M18 6 6 18',
  away: 'M3 3l18 18M5 12a10 10 0 0 1 4-2.5M2 8.5a15 15 0 0 1 4.5-2.6M12 5a15 15 0 0 1 10 3.5M15 10a10 10 0 0 1 4 2M9 16a5 5 0 0 1 6 0M12 20v.01',
};

export function draw(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', DRAWN[name]);
  svg.append(path);
  return svg;
}

export function saveFile(name, text) {
  const link = make('a', { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
