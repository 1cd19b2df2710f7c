// The host's page: who sits where, the links, what is wrong with the rules, notes. It shows nobody's cards.

import { authored, setLanguage, worded } from './faces.js';
import { connect, draw, fill, make, saveFile } from './link.js';
import { joined, phrase } from './phrases.js';

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
    if (message.games) showGames(message.games);
    if (message.file) saveFile(message.file, message.text);
  },
  (found, wasClosed) => {
    [state, isClosed] = [found, wasClosed];
    renderBand();
  },
);

function renderBand() {
  const name = { away: 'host_away', full: 'full', renamed: 'renamed', gone: isClosed ? 'host_closed' : 'host_gone' }[state];
  const text = name ? phrase(name) : refused;
  const band = one('band');
  band.hidden = !text;
  band.replaceChildren(draw('away'), make('span', {}, text));
  document.body.classList.toggle('gone', state === 'gone');
  document.querySelector('main').inert = state === 'gone';
}

function render() {
  const focused = document.activeElement?.dataset?.k;
  renderNew();
  setLanguage(host.language);
  worded(one('game')).textContent = host.game;
  one('stages').replaceChildren(make('li', {}, phrase('host')), ...host.stages.map((stage) => authored('li', {}, stage)));
  const turn = one('turn');
  turn.hidden = !host.waiting.length || !!host.over;
  turn.textContent = host.paused ? phrase('turn_paused') : host.waiting.length > 2 ? phrase('turn_many', { number: host.waiting.length }) : joined(host.waiting);
  one('people').replaceChildren(...host.seats.map(person), watchers());
  one('notes').replaceChildren(...(host.noted.length ? host.noted.map(noted) : [make('p', { class: 'quiet' }, phrase('host_no_notes'))]));
  one('said').hidden = !host.said.length;
  fill(one('said').lastElementChild, ...host.said.map((line) => make('p', {}, make('b', {}, line.name), make('span', {}, line.text))));
  one('said').lastElementChild.scrollTop = one('said').lastElementChild.scrollHeight;
  one('save-notes').hidden = !host.noted.length && host.earlier.every((game) => !game.noted);
  one('earlier').hidden = !host.earlier.length;
  one('earlier').lastElementChild.replaceChildren(...host.earlier.map(earlier));
  renderGame();
  const checked = one('checked');
  checked.classList.toggle('report', host.checked.includes('\n'));
  const words = host.checked || phrase('host_unchanged');
  if (checked.textContent !== words) checked.textContent = words;
  if (focused) document.querySelector(`[data-k="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// Notes that have come since their part was last in sight.
const SEEN = 'notes-seen';
let areNotesInSight = false;
const countNotes = () => host.noted.length + host.earlier.reduce((sum, game) => sum + game.noted, 0);

function renderNew() {
  if (!host) return;
  const all = countNotes();
  if (areNotesInSight && !document.hidden) sessionStorage.setItem(SEEN, all);
  const number = state === 'gone' ? 0 : Math.max(0, all - Number(sessionStorage.getItem(SEEN) ?? 0));
  document.title = phrase(number ? 'host_title_new' : 'host_title', { ...host, number });
  one('new-notes').hidden = !number;
  one('new-notes').textContent = phrase('host_new_notes', { number });
}

const watching = new IntersectionObserver(([entry]) => ((areNotesInSight = entry.isIntersecting), renderNew()), { threshold: 0.6 });
watching.observe(one('notes'));
document.addEventListener('visibilitychange', renderNew);
one('new-notes').addEventListener('click', () => one('notes-part').scrollIntoView({ block: 'start' }));

function renderGame() {
  const about = (name, names) => phrase(name, { number: names.length, names: joined(names) });
  const inRoom = () => (host.room.missing.length ? about('host_missing', host.room.missing) : phrase('host_everybody_here'));
  const inGame = () => (host.paused ? phrase('host_is_paused') : host.waiting.length ? about('host_thinking', host.waiting) : phrase('host_under_way'));
  one('state').textContent = host.room ? inRoom() : host.failed || (host.over ? host.over.result : inGame());
  one('standings').replaceChildren(...(host.over?.standings ?? []).map(([place, name, score]) => make('li', {}, make('b', {}, place ? `${place}.` : ''), make('span', {}, name), make('span', {}, score))));
  one('rules').textContent = host.rules.length ? [phrase('host_house_rules'), ...host.rules].join('\n') : phrase('host_no_house_rules');
  one('pause').textContent = phrase(host.paused ? 'host_resume' : 'host_pause');
  one('begin').hidden = !host.room;
  one('pause').hidden = !!host.over || !!host.room;
  one('export').hidden = one('rematch').hidden = one('other').hidden = !!host.room;
  one('rematch').classList.toggle('main', !!host.over);
}

const button = (text, key, act) => make('button', { type: 'button', class: 'btn small', 'data-k': key, onclick: act }, text);

function person(seat) {
  const presence = seat.bot ? ['here', phrase(!seat.lent ? 'host_bot' : seat.here ? 'host_is_back' : 'host_bot_plays', seat)] : seat.here ? ['here', phrase('here')] : ['gone', phrase(host.room ? 'unopened' : 'away')];
  const name = `seat${seat.seat}`;
  const acts = [
    !host.room && (seat.bot ? button(phrase(seat.lent ? 'host_give_back' : 'host_give_away', seat), `${name}.bot`, () => (seat.lent ? server.send({ seat: seat.seat, bot: false }) : ((one('name').value = ''), askName(seat)))) : button(phrase('host_let_bot'), `${name}.bot`, () => lend(seat))),
    host.room && !seat.bot && !seat.here && seat.link && button(phrase('host_copy_link'), `${name}.copy`, (event) => copyLink(seat, event.target)),
    seat.link && button(phrase(shownLink === name ? 'host_hide_link' : 'host_show_link'), `${name}.show`, () => toggleLink(name)),
    (!seat.bot || seat.lent) && button(phrase('host_new_link'), `${name}.new`, () => sure(phrase('host_new_link_for', seat), phrase('host_new_link_how'), phrase('host_make_link'), () => ((shownLink = name), server.send({ link: String(seat.seat) })))),
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
function askName(seat, text = phrase('host_who_takes_how')) {
  sure(phrase('host_who_takes', seat), text, phrase('host_give'), () => {
    [seating, shownLink] = [seat, `seat${seat.seat}`];
    server.send({ seat: seat.seat, bot: false, name: one('name').value });
  }, true);
}

function lend(seat) {
  const give = () => server.send({ seat: seat.seat, bot: true });
  if (seat.here) sure(phrase('host_let_bot_for', seat), phrase('host_let_bot_how', seat), phrase('host_let_bot'), give);
  else give();
}

function watchers() {
  const { here, link: known } = host.watchers;
  const shown = { name: phrase('host_watchers'), role: 'watch', ...host.watchers };
  return make(
    'div',
    { class: 'person' },
    make('div', {}, make('p', { class: 'name' }, phrase('host_watchers')), make('p', { class: 'quiet' }, phrase(here ? 'host_watching' : 'host_nobody_watching', { number: here }))),
    make('div', { class: 'acts' }, known && button(phrase(shownLink === 'watch' ? 'host_hide_link' : 'host_show_link'), 'watch.show', () => toggleLink('watch')), button(phrase('host_new_link'), 'watch.new', () => ((shownLink = 'watch'), server.send({ link: 'watch' })))),
    shownLink === 'watch' && known && link(shown),
  );
}

function toggleLink(name) {
  shownLink = shownLink === name ? null : name;
  render();
}

// Where a page may not copy, the link is shown.
async function copyLink(seat, pressed) {
  try {
    await navigator.clipboard.writeText(seat.link);
    pressed.textContent = phrase('host_copied');
  } catch {
    shownLink = `seat${seat.seat}`;
    render();
  }
}

function link(seat) {
  const copy = async (event) => {
    const pressed = event.target;
    try {
      await navigator.clipboard.writeText(seat.link);
      pressed.textContent = phrase('host_copied');
    } catch {
      getSelection().selectAllChildren(pressed.previousSibling);
      pressed.textContent = phrase('host_selected');
    }
  };
  return make('div', { class: 'link acts' }, code(seat), make('div', { class: 'copy' }, make('code', {}, seat.link), button(phrase('host_copy'), `copy.${seat.name}`, copy)));
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
  svg.setAttribute('aria-label', phrase('host_code', seat));
  const lines = document.createElementNS(space, 'path');
  lines.setAttribute('d', path);
  svg.append(lines);
  return svg;
}

const noted = (note) =>
  make('div', { class: 'note' }, make('p', {}, note.text), make('p', { class: 'quiet' }, [note.seat, note.question, note.place, note.answers !== null && phrase('host_after', { number: note.answers })].filter(Boolean).join(' · ')));

const earlier = (game) =>
  make(
    'div',
    { class: 'person' },
    make('div', {}, make('p', { class: 'name' }, phrase(game.title ? 'host_game_titled' : 'host_game_number', game)), make('p', { class: 'quiet' }, phrase(game.noted ? 'host_note' : 'host_no_note', { number: game.noted }))),
    make('div', { class: 'acts' }, button(phrase('host_save_this'), `game${game.game}`, () => server.send({ export: game.game }))),
  );

// The other games that this table may play. What is chosen stays chosen where they are listed anew.
let games = null;
let wanted = '';

function askForGame() {
  const dialog = one('games');
  [games, wanted] = [null, ''];
  dialog.querySelector('p').textContent = phrase(host.over ? 'host_other_how' : 'host_other_now');
  dialog.returnValue = '';
  dialog.onclose = () => dialog.returnValue === 'yes' && wanted && server.send({ other: wanted });
  renderGames();
  dialog.showModal();
  server.send({ games: true });
}

function showGames(listed) {
  games = listed;
  renderGames();
}

function renderGames() {
  const chosen = games?.find(({ game }) => game === wanted);
  const play = one('games').querySelector('.main');
  play.disabled = !chosen;
  play.textContent = chosen ? phrase('host_other_play', chosen) : phrase('choose_one');
  fill(one('games').querySelector('.games'), ...(games ? games.map(offer) : [make('p', { class: 'quiet' }, phrase('moment'))]));
}

function offer({ game, title, numbers, has_rules: hasRules, fits, coming, going }) {
  const choose = () => ((wanted = game), renderGames());
  const about = (name, names) => names.length > 0 && phrase(name, { number: names.length, names: joined(names) });
  const people = host.seats.filter((seat) => !seat.bot || seat.lent).length;
  const facts = [phrase('host_players', { numbers: wordNumbers(numbers) }), !fits && phrase(people > numbers.at(-1) ? 'host_too_many' : 'host_bot_between'), about('host_coming', coming), about('host_going', going), hasRules && phrase('host_own_rules')];
  return make(
    'label',
    { class: fits ? 'offer' : 'offer not' },
    make('input', { type: 'radio', name: 'game', value: game, disabled: !fits, onchange: choose }),
    make('span', {}, make('b', {}, title), make('small', {}, facts.filter(Boolean).join(' · '))),
  );
}

// "2 to 7", "4", "2 to 4 or 6"
function wordNumbers(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.at(-1)?.at(-1) === number - 1) runs.at(-1).push(number);
    else runs.push([number]);
  }
  const texts = runs.map((run) => (run.length > 1 ? phrase('host_from_to', { least: run[0], most: run.at(-1) }) : String(run[0])));
  return texts.length > 1 ? phrase('host_or', { some: texts.slice(0, -1).join(', '), last: texts.at(-1) }) : texts.join('');
}

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
  else sure(phrase('host_save_now'), phrase('host_save_how'), phrase('host_save_it'), save);
});
one('rematch').addEventListener('click', () => {
  const again = () => server.send({ rematch: true });
  sure(phrase('host_again'), phrase(host.over ? 'host_again_how' : 'host_again_now'), phrase('play_again'), again);
});
one('other').addEventListener('click', askForGame);
one('games').querySelector('.btn:not(.main)').addEventListener('click', () => one('games').close('no'));
one('close').addEventListener('click', () => sure(phrase('host_close_sure'), phrase('host_close_how'), phrase('host_close_it'), () => server.send({ close: true })));
one('save-notes').addEventListener('click', () => server.send({ export: 'noted' }));
