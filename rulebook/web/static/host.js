// The host's page: who sits where, the links, what is wrong with the rules, notes. It shows nobody's cards.

import { FULL, RENAMED, connect, draw, joined, make, saveFile } from './link.js';

const one = (id) => document.getElementById(id);
let host = null;
let shownLink = null;
let refused = ''; // why what the host wanted last was not done
let state = 'here';
let isClosed = false;
let seating = null; // the seat of a bot for which a name was given last
const codes = new Map();

const server = connect(
  (message) => {
    if (message.host) {
      [host, refused] = [message.host, ''];
      renderBand();
      render();
    }
    if (message.code) {
      codes.set(message.link, message.code);
      render();
    }
    if (message.refused && seating) askName(seating, message.refused);
    else if (message.refused) {
      refused = message.refused;
      renderBand();
    }
    if (message.file) saveFile(message.file, message.text);
  },
  (found, wasClosed) => {
    [state, isClosed] = [found, wasClosed];
    renderBand();
  },
);

function renderBand() {
  const gone = isClosed ? 'This table is closed. Its games are still on the server.' : 'This link does not work. The server prints the links when it starts.';
  const text = { away: 'No connection. Trying again.', full: FULL, renamed: RENAMED, gone }[state] ?? refused;
  const band = one('band');
  band.hidden = !text;
  band.replaceChildren(draw('away'), make('span', {}, text));
  document.body.classList.toggle('gone', state === 'gone');
  document.querySelector('main').inert = state === 'gone';
}

function render() {
  const focused = document.activeElement?.dataset?.k;
  document.title = `Host · ${host.game}`;
  one('game').textContent = host.game;
  one('stages').replaceChildren(...['Host', ...host.stages].map((stage) => make('li', {}, stage)));
  const turn = one('turn');
  turn.hidden = !host.waiting.length || !!host.over;
  turn.textContent = host.paused ? 'Paused' : host.waiting.length > 2 ? `${host.waiting.length} think` : joined(host.waiting);
  one('people').replaceChildren(...host.seats.map(person), watchers());
  one('notes').replaceChildren(...(host.noted.length ? host.noted.map(noted) : [make('p', { class: 'quiet' }, 'No notes yet. Players write them with the pencil at the top of their page.')]));
  one('save-notes').hidden = !host.noted.length && host.earlier.every((game) => !game.noted);
  one('earlier').hidden = !host.earlier.length;
  one('earlier').lastElementChild.replaceChildren(...host.earlier.map(earlier));
  renderGame();
  const checked = one('checked');
  checked.classList.toggle('report', host.checked.includes('\n'));
  const words = host.checked || 'Their files have not changed since this game began.';
  if (checked.textContent !== words) checked.textContent = words;
  if (focused) document.querySelector(`[data-k="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function renderGame() {
  const left = host.room ? (host.room.missing.length ? `${joined(host.room.missing)} ${host.room.missing.length > 1 ? 'are' : 'is'} not here yet. If you begin, bots play for who is missing.` : 'Everybody is here.') : host.failed || (host.over ? host.over.result : host.paused ? 'Paused.' : host.waiting.length ? `${joined(host.waiting)} ${host.waiting.length > 1 ? 'are' : 'is'} thinking.` : 'Under way.');
  one('state').textContent = left;
  one('standings').replaceChildren(...(host.over?.standings ?? []).map(([place, name, score]) => make('li', {}, make('b', {}, place ? `${place}.` : ''), make('span', {}, name), make('span', {}, score))));
  one('rules').textContent = host.rules.length ? ['With these house rules:', ...host.rules].join('\n') : 'No house rules: the game as it is.';
  one('pause').textContent = host.paused ? 'Resume' : 'Pause';
  one('begin').hidden = !host.room;
  one('pause').hidden = !!host.over || !!host.room;
  one('export').hidden = one('rematch').hidden = !!host.room;
  one('rematch').classList.toggle('main', !!host.over);
}

const button = (text, key, act) => make('button', { type: 'button', class: 'btn small', 'data-k': key, onclick: act }, text);

function person(seat) {
  const presence = seat.bot ? ['here', !seat.lent ? 'a bot' : seat.here ? `${seat.name} is back; a bot still plays` : `away; a bot plays for ${seat.name}`] : seat.here ? ['here', 'here'] : ['gone', 'away'];
  const name = `seat${seat.seat}`;
  const acts = [
    !host.room && (seat.bot ? button(seat.lent ? `Give back to ${seat.name}` : 'Give this seat to somebody', `${name}.bot`, () => (seat.lent ? server.send({ seat: seat.seat, bot: false }) : ((one('name').value = ''), askName(seat)))) : button('Let a bot play', `${name}.bot`, () => lend(seat))),
    seat.link && button(shownLink === name ? 'Hide link' : 'Show link', `${name}.show`, () => toggleLink(name)),
    (!seat.bot || seat.lent) && button('New link', `${name}.new`, () => sure(`A new link for ${seat.name}?`, 'The old link stops working.', 'Make a new link', () => ((shownLink = name), server.send({ link: String(seat.seat) })))),
  ];
  return make(
    'div',
    { class: 'person' },
    make('div', {}, make('p', { class: 'name' }, seat.name), make('p', { class: `presence ${presence[0]}` }, make('i', {}), presence[1])),
    make('div', { class: 'acts' }, ...acts),
    seat.link && shownLink === name && link({ ...seat, role: String(seat.seat) }),
  );
}

// Who is given the seat of a bot brings a name, as everybody else did.
function askName(seat, text = 'What is their name? All that happened so far is told under it, too.') {
  sure(`Who takes the seat of ${seat.name}?`, text, 'Give the seat', () => {
    [seating, shownLink] = [seat, `seat${seat.seat}`];
    server.send({ seat: seat.seat, bot: false, name: one('name').value });
  }, true);
}

function lend(seat) {
  const give = () => server.send({ seat: seat.seat, bot: true });
  if (seat.here) sure(`Let a bot play for ${seat.name}?`, `${seat.name} is here. They can take the seat back whenever they want.`, 'Let a bot play', give);
  else give();
}

function watchers() {
  const { here, link: known } = host.watchers;
  const shown = { name: 'Watchers', role: 'watch', ...host.watchers };
  return make(
    'div',
    { class: 'person' },
    make('div', {}, make('p', { class: 'name' }, 'Watchers'), make('p', { class: 'quiet' }, here === 0 ? 'nobody is watching' : here === 1 ? 'one person is watching' : `${here} people are watching`)),
    make('div', { class: 'acts' }, known && button(shownLink === 'watch' ? 'Hide link' : 'Show link', 'watch.show', () => toggleLink('watch')), button('New link', 'watch.new', () => ((shownLink = 'watch'), server.send({ link: 'watch' })))),
    shownLink === 'watch' && known && link(shown),
  );
}

function toggleLink(name) {
  shownLink = shownLink === name ? null : name;
  render();
}

function link(seat) {
  const copy = async (event) => {
    const pressed = event.target;
    try {
      await navigator.clipboard.writeText(seat.link);
      pressed.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(pressed.previousSibling);
      pressed.textContent = 'Selected: copy it now';
    }
  };
  return make('div', { class: 'link acts' }, code(seat), make('div', { class: 'copy' }, make('code', {}, seat.link), button('Copy', `copy.${seat.name}`, copy)));
}

// A code for a camera, as the server made it: one path on a white ground.
function code(seat) {
  const space = 'http://www.w3.org/2000/svg';
  const drawn = codes.get(seat.link);
  if (!drawn) {
    server.send({ code: seat.role });
    return null;
  }
  const { side, path } = drawn;
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
  svg.setAttribute('class', 'qr');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `The link of ${seat.name} as a code for a camera`);
  const lines = document.createElementNS(space, 'path');
  lines.setAttribute('d', path);
  svg.append(lines);
  return svg;
}

const noted = (note) =>
  make('div', { class: 'note' }, make('p', {}, note.text), make('p', { class: 'quiet' }, [note.seat, note.question, note.place, note.answers !== null && `after ${note.answers} answers`].filter(Boolean).join(' · ')));

const earlier = (game) =>
  make(
    'div',
    { class: 'person' },
    make('div', {}, make('p', { class: 'name' }, `Game ${game.number}`), make('p', { class: 'quiet' }, game.noted === 1 ? 'one note' : `${game.noted || 'no'} notes`)),
    make('div', { class: 'acts' }, button('Save this game', `game${game.game}`, () => server.send({ export: game.game }))),
  );

function sure(title, text, doing, act, wantsName = false) {
  const dialog = one('sure');
  const field = one('name');
  [field.hidden, field.required] = [!wantsName, wantsName];
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('p').textContent = text;
  dialog.querySelector('.main').textContent = doing;
  dialog.returnValue = '';
  dialog.onclose = () => dialog.returnValue === 'yes' && act();
  dialog.showModal();
}

one('sure').querySelector('.btn:not(.main)').addEventListener('click', () => one('sure').close('no'));
one('begin').addEventListener('click', () => server.send({ begin: true }));
one('pause').addEventListener('click', () => server.send({ pause: !host.paused }));
one('export').addEventListener('click', () => {
  const save = () => server.send({ export: true });
  if (host.over) save();
  else sure('Save the game now?', 'The file shows everything that is hidden. Keep it away from the players until the game is over.', 'Save', save);
});
one('rematch').addEventListener('click', () => {
  const again = () => server.send({ rematch: true });
  if (host.over) sure('Play again?', 'Everyone keeps their seat and their link. You find this game and its notes below.', 'Play again', again);
  else sure('Play again?', 'This ends the game that is being played; you find it below. Everyone keeps their seat and their link.', 'Play again', again);
});
one('close').addEventListener('click', () => sure('Close this table?', 'All its links stop working for good. If you want the game and the notes, save them first.', 'Close it', () => server.send({ close: true })));
one('save-notes').addEventListener('click', () => server.send({ export: 'noted' }));
