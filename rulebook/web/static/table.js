// The page of a seat, or of somebody who watches. It shows what the server sends and works out nothing of a game: titles,
// reasons, sums and sentences come in words, and an option is a number in the list of the question.

import { authored, drawCheck, drawCorner, drawFace, drawLetters, drawMark, drawPlayed, drawSign, formOf, setLanguage, worded } from './faces.js';
import { connect, draw, fill, make } from './link.js';
import { makePlayer } from './motion.js';
import { joined, phrase } from './phrases.js';
import { drawEnd, drawRoom } from './room.js';
import { drawScores } from './scores.js';
import { listWays, makeSignals } from './signals.js';
import { makeTalk } from './talk.js';

const one = (id) => document.getElementById(id);
const felt = document.querySelector('main');
const isWatching = location.pathname.startsWith('/watch');
const wide = matchMedia('(min-width: 1080px)');
const phone = matchMedia('(max-width: 639.98px)');

const MOST_CHIPS = 7;
const MOST_ROOMY = 12;
const MOST_ROOMY_ON_A_PHONE = 4;
const MOST_BUTTONS = 12;
const MOST_LETTERS = 3;
const MOST_SPOKEN = 5;
const MOST_LAID = 4; // cards of the table that lie alone, each drawn as a card
const MOST_BEFELL = 2;
const SHOWN = 5000; // milliseconds
const SETTLING = 250; // milliseconds in which a second touch is still meant for the question before

let page = null;
let log = [];
let seats = new Map();
let status = { paused: false, wish: '', again: [] };
let questions = [];
let written = {}; // questions after the end that were answered
let typed = {}; // what is being written in answer to them
let wished = []; // what has been shown since the answer that somebody wants to take back
let noteDeal = 0; // the game that the note in the window is about
let deal = 0;
let failed = '';
let state = 'wait';
let chosen = [];
let question = '';
let sent = ''; // the question that was answered, until the table says so
let askedAt = 0;
let why = '';
let refusal = '';
let mayAskAll = false;
let isAskingAll = false;
let isWishing = false; // the others are asked, until they have answered or the game has gone on
let lastChosen = '';
let opened = new Set();
let reading = null; // the card that is read: what is on it, and where it was touched
let unread = 0;
let drawnLines = 0; // of the log
let answers = []; // lines of the log when each answer was sent from here
let answeredAt = 0; // the last of them
let toasted = 0;
let roundRead = 0;
let wasInRoom = false; // no game had begun when this page was shown last
let isEndHidden = false; // to look at the table once more
let isClosed = false; // by the host, and for good
let isOpening = true; // a page opens at its top
let answerBy = 0; // when a bot answers for who sits here, if it does
let isFollowing = true; // the log shows its end
let cards = new Map(); // what is printed on cards that say something, by their names
let naming = null; // finds those names in a sentence
let menus = new Map(); // how often each menu was asked, by its labels
let areTexts = true; // a phone shows what the lines of a menu say
let mayFold = true; // nobody has asked for them
const drawn = new Map(); // of which the parts of this game are made, as they stand there
let packed = 0; // places of one's own whose cards have no room for their texts

const server = connect(hear, (now, closed) => {
  if (state === now) return;
  isClosed = closed === true;
  const before = state;
  state = now;
  if (now === 'away') say(phrase('lost'));
  if (now === 'here' && before === 'away') say(phrase('found'));
  renderBand();
});

const signals = makeSignals();

const talk = makeTalk({ send: server.send, say, isWide: () => wide.matches, isWatching, close: () => shut() });

// What led to a page is played before it: its question shows then.
const player = makePlayer((shown) => {
  page = shown;
  render();
});
document.addEventListener('pointerdown', () => player.skip(), true);
document.addEventListener('keydown', () => player.skip(), true);
document.addEventListener('visibilitychange', () => document.hidden && player.skip());

// ── what comes in ──

function hear(message) {
  if (message.page && !message.whole && message.deal !== deal) return; // all of that game comes next
  const isBack = message.whole && page !== null && message.deal === deal;
  if (message.whole) {
    isWishing = false;
    if (message.deal !== deal) {
      if (page) toast(message.title === page.game ? phrase('new_game') : phrase('other_game', message));
      wasInRoom ||= page !== null;
      const unsent = Object.entries(typed).filter(([, text]) => text.trim());
      if (unsent.length) openNote(deal, phrase('note_unsent'), unsent.map(([text, answer]) => `${text} ${answer}`).join('\n'));
      [chosen, lastChosen, opened, written, typed, unread] = [[], '', new Set(), {}, {}, 0];
      one('open-note').hidden = isWatching;
      closeReader();
      roundRead = Number(sessionStorage.getItem(`round ${message.deal}`) ?? 0);
    }
    [page, log, drawnLines, failed, deal, isEndHidden] = [null, [], 0, '', message.deal, false];
    markAnswers(JSON.parse(sessionStorage.getItem(`answered-${deal}`) ?? '[]'));
    questions = message.questions;
    drawn.clear();
    for (const address of message.pictures) new Image().src = address;
    cards = new Map(message.cards.map((thing) => [thing.title, thing]));
    const names = [...cards.keys()].sort((one, other) => other.length - one.length).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    naming = names.length ? new RegExp(`(^|[^\\p{L}\\p{N}])(${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu') : null;
  }
  if (message.status) {
    if (message.status.wish && message.status.wish !== status.wish) say(phrase('wish_said', { name: message.status.wish }));
    status = message.status;
    if (status.asking?.length) isWishing = true;
    seats = new Map(message.status.seats.map((seat) => [seat.name, seat]));
  }
  if (message.within !== undefined) answerBy = performance.now() + 1000 * message.within;
  else if (message.page && !message.page.ask) answerBy = 0;
  if (message.said) talk.hear(message.said, message.whole === true);
  if (message.said && !message.whole) return; // nothing else has changed
  if (message.late) toast(phrase('was_late'));
  if (message.page) {
    const isNew = page !== null && message.log.length > 0;
    const before = page;
    isOpening = page === null;
    const isTakenBack = message.taken_back === true;
    const isEnd = before && message.page.over && !before.over;
    const isPlayed = before && !isTakenBack && !message.whole && (message.beats || isEnd || player.isBusy());
    if (!isPlayed) {
      if (isBack) player.comeBack(message.page);
      else player.stop();
      page = message.page;
    }
    if (isTakenBack) lastChosen = '';
    if (isTakenBack) markAnswers(answers.filter((at) => at < message.log_from));
    if (before && String(before.stages[0]) !== String(message.page.stages[0])) closeReader();
    // A question that comes again behind a refusal is still the one that it was about.
    if (isTakenBack || isNew || nameQuestion() !== question) [refusal, mayAskAll, isAskingAll] = ['', false, false];
    log.splice(message.log_from, log.length, ...message.log);
    drawnLines = Math.min(drawnLines, message.log_from);
    if (isTakenBack) tellTakenBack(message.whose);
    else if (isNew && !message.whole) tell(message.log);
    if (message.forced) toast(phrase('no_choice', { what: message.forced }));
    if (isPlayed) player.add(before, message.page, message.beats ?? [], message.log);
  }
  if ((message.accepted !== undefined && !message.again) || message.asked === false) {
    if (page?.ask) delete page.ask;
    if (page) page.undo = message.undo ?? null;
    [refusal, mayAskAll] = ['', false];
  }
  if (message.accepted !== undefined || message.refused !== undefined) sent = '';
  if (message.refused !== undefined) isAskingAll = false;
  if (message.of_wish) {
    toast(phrase('not_agreed', { why: message.refused }));
    [isWishing, status.asking] = [false, undefined];
  } else if (message.refused !== undefined) {
    [refusal, mayAskAll] = [message.refused, message.may_ask_all === true];
    say(refusal);
  }
  if (message.tried !== undefined && String(message.tried) === String(chosen)) {
    why = message.why;
    if (why && chosen.length) say(why);
  }
  if (message.failed) failed = message.failed;
  if (message.wished) wished = message.wished;
  if (message.noted) {
    if (!message.question) note.querySelector('textarea').value = '';
    else if (message.deal === deal) [written[message.question], typed[message.question]] = [true, ''];
    toast(phrase(message.question ? 'thanks' : 'note_kept'));
  }
  if (message.rules) showRules(message.rules);
  if (message.story) showStory(message.story);
  render();
}

function tell(lines) {
  const spoken = lines.filter((line) => line.weight > 0).map((line) => line.text);
  one('spoken').textContent = spoken.length > MOST_SPOKEN ? phrase('things_happened', { number: spoken.length }) : spoken.join(' ');
  if (!wide.matches && !one('log').classList.contains('open')) unread += spoken.length;
}

function tellTakenBack(whose) {
  if (isWishing) toast(phrase('agreed'));
  else if (whose) toast(phrase(whose === page.you ? 'taken_back_mine' : 'taken_back_of', { name: whose }));
  else toast(phrase('taken_back'));
  isWishing = false;
}

function say(text) {
  one('status').textContent = text;
}

// What stands nowhere else on the page is said to everybody: seen for a while, and read aloud.
function toast(text) {
  const shown = one('toast');
  shown.textContent = text;
  clearTimeout(toasted);
  toasted = setTimeout(() => (shown.textContent = ''), SHOWN);
}

// ── the whole ──

function render() {
  if (!page) return renderRoom();
  const focused = document.activeElement?.dataset?.k;
  const isNew = takeQuestion();
  tellOverlaid(isNew);
  setLanguage(page.language);
  renderBar();
  renderBand();
  showHall(page.over && !page.moving && !ended() && !isEndHidden ? [...drawEnd(page.over, page.you, page.scores), acts(lookButton(), roundAgain())] : []);
  renderSeats();
  renderRound();
  renderCommon();
  renderMine();
  renderDock();
  renderLog();
  renderReader();
  renderScores();
  pack();
  rove();
  if (focused) document.querySelector(`[data-k="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  if (isNew && !ended() && !isOpening) bringIntoView();
  return undefined;
}

// Says that something has changed of which a part is made: else it stands there as it is wanted, and is not drawn again.
function isOther(part, ...madeOf) {
  const now = JSON.stringify([...madeOf, asked(), chosen, reading, [...opened], packed, wide.matches, phone.matches]);
  if (drawn.get(part) === now) return false;
  drawn.set(part, now);
  return true;
}

// The room in which people wait, and the end: each fills the page, and no table lies there.
function showHall(parts) {
  document.body.classList.toggle('in-hall', parts.length > 0);
  document.body.classList.toggle('waits', parts.length > 0 && !page);
  fill(one('hall'), ...parts);
  one('hall').hidden = !parts.length;
}

function renderRoom() {
  renderBand();
  const { room } = status;
  if (!room) return;
  wasInRoom = true;
  const focused = document.activeElement?.dataset?.k;
  setLanguage(room.language);
  one('game').textContent = room.game;
  worded(one('game'));
  document.title = room.game;
  one('open-note').hidden = true;
  showHall([...drawRoom(room, [...seats.values()], (name) => server.send({ name })), room.you && acts(callButton())]);
  const dock = one('ask');
  dock.className = room.may_begin && room.you ? 'dock' : 'dock wait';
  fill(dock, ...dockRoom(room));
  document.querySelector(`[data-k="${CSS.escape(focused ?? '')}"]`)?.focus({ preventScroll: true });
}

function dockRoom({ missing, may_begin: mayBegin, you }) {
  const begin = (text, isMain) => acts(button(text, 'begin', () => server.send({ begin: true }), isMain));
  const refused = reason(refusal);
  const late = status.late && hint(phrase(status.late.is_passing ? 'late_passing' : 'late_bot', { time: inTime(status.late.seconds) }));
  if (!missing.length) return [prompt(phrase('ready'), hint(phrase('ready_how')), late, refused), you && begin(phrase('begin'), true)];
  const absent = { number: missing.length, names: joined(missing) };
  return [prompt(phrase('not_ready'), hint(phrase(mayBegin ? 'may_begin' : 'come_in', absent)), late, refused), you && mayBegin && begin(phrase('begin_without', absent), false)];
}

// Where the log stood at my last answer, also after the page was opened anew.
function markAnswers(marks) {
  answers = marks;
  answeredAt = marks.at(-1) ?? 0;
  sessionStorage.setItem(`answered-${deal}`, JSON.stringify(marks.slice(-50)));
}

const nameQuestion = () => (page.ask ? JSON.stringify([deal, page.ask.number, page.ask.picked, page.ask.options]) : '');

// A question is another one if its number or its options are; else what was chosen stays chosen.
function takeQuestion() {
  const now = nameQuestion();
  if (now === question) return false;
  question = now;
  packed = 0;
  countMenu();
  sent = '';
  askedAt = performance.now();
  why = '';
  chosen = page.ask?.ordered && page.ask.at_least === page.ask.options.length ? page.ask.options.map((_, at) => at) : [];
  if (page.ask) {
    if (!ended()) say(page.ask.prompt);
    tryChoice(page.ask);
    if (!wide.matches) closeReader(); // else it would lie on what may be chosen
  }
  return page.ask !== undefined;
}

// A phone shows the texts of a menu the first two times, and then when they are asked for.
function countMenu() {
  const labels = String(page.ask?.options.map((option) => option.label));
  menus.set(labels, (menus.get(labels) ?? 0) + 1);
  [areTexts, mayFold] = [menus.get(labels) < 3, true];
}

const ended = () => (page.round && page.round.number > roundRead ? page.round : undefined);
const asked = () => (state === 'gone' || status.paused || failed || !page || ended() || (sent && sent === question) ? undefined : page.ask);
const times = (number) => chosen.filter((other) => other === number).length;
const isLent = () => page?.you != null && seats.get(page.you)?.bot === true;
const theOthersAsked = () => (Array.isArray(page.waiting) ? page.waiting.filter((name) => name !== page.you) : []);

const MINE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#2f8f66"/></svg>')}`;

function renderBar() {
  fill(worded(one('game')), page.game);
  const turn = one('turn');
  const waiting = theOthersAsked();
  const isMine = page.ask && !status.paused && !isLent();
  fill(one('stages'), ...listStages(isMine && phone.matches));
  turn.hidden = !!page.over || state === 'gone' || (!status.paused && !isMine && waiting.length === 0);
  turn.className = isMine ? 'turn mine' : 'turn';
  fill(turn, status.paused ? phrase('turn_paused') : isMine ? phrase('turn_mine') : waiting.length > 2 ? phrase('turn_many', { number: waiting.length }) : phrase('thinking', { number: waiting.length, names: joined(waiting) }));
  const whose = page.over ? 'title_over' : status.paused ? 'title_paused' : isMine ? 'title_mine' : waiting.length === 1 ? 'title_other' : '';
  const title = whose ? phrase(whose, { game: page.game, name: waiting[0] }) : page.game;
  if (document.title !== title) document.title = title;
  const icon = isMine ? MINE : 'data:,';
  if (document.querySelector('link[rel=icon]').getAttribute('href') !== icon) document.querySelector('link[rel=icon]').setAttribute('href', icon);
  signals.tell(isMine ? nameQuestion() : '', page.ask?.public === true, phrase('call', page));
  signals.play(!page.over);
}

// A phone that stands upright has no room beside the stages: there it is marked among them that it is my turn.
function listStages(isMarked) {
  const made = page.stages.map((stage) => authored('li', {}, stage));
  if (!isMarked) return made;
  const [own] = page.own_stage === undefined ? [null] : made.splice(page.own_stage, 1);
  return [make('li', { class: 'mine' }, own ? own.textContent : phrase('turn_mine')), ...made];
}

const BANDS = { gone: 'gone', closed: 'closed', away: 'no_connection', full: 'full', renamed: 'renamed' };

function renderBand() {
  const name = BANDS[isClosed ? 'closed' : state] ?? (status.paused ? 'host_paused' : isWatching ? 'watching' : '');
  const text = (state === 'here' && failed) || (name && phrase(name));
  const band = one('band');
  band.hidden = !text;
  if (band.textContent !== text) band.replaceChildren(draw(state === 'here' ? 'eye' : 'away'), make('span', {}, text));
  document.body.classList.toggle('flat', state === 'away' || state === 'full' || state === 'renamed' || state === 'gone');
  document.body.classList.toggle('gone', state === 'gone');
  document.querySelector('main').inert = state === 'gone';
  one('ask').hidden = state === 'gone';
  if (state === 'gone') [document.title, one('turn').hidden] = [phrase('title_gone'), true];
}

// ── things that lie somewhere ──

// Anything that shows a card or a pile: touching it reads it, and chooses it where it may be chosen.
function touchable(tag, thing, key, properties, ...children) {
  const ask = asked();
  const may = ask && thing.option !== undefined;
  const number = may ? times(thing.option) : 0;
  const isKnown = thing.title !== undefined;
  const made = make(
    tag,
    {
      type: tag === 'button' ? 'button' : undefined,
      'data-k': key,
      'data-face': thing.title,
      'data-colour': thing.colour,
      'aria-pressed': may ? String(number > 0) : undefined,
      'aria-label': label(thing, may, number),
      'data-order': may && ask.ordered && number ? String(chosen.indexOf(thing.option) + 1) : undefined,
      ...properties,
      class: `${properties.class}${may ? ' may' : ''}${isRead(thing, key) ? ' read' : ''}`,
      onclick: () => {
        if (isKnown) read(thing, !may, key);
        if (may) choose(thing.option);
        else if (isKnown) render();
      },
    },
    ...children,
  );
  if (may) made.append(drawCheck());
  return made;
}

function label(thing, may, number) {
  const words = [
    thing.title ?? phrase('unknown_card'),
    thing.spot,
    thing.kind,
    thing.attributes,
    thing.signs,
    thing.changed,
    thing.times > 1 && phrase('times', { number: thing.times }),
    may && phrase(number ? (thing.times > 1 ? 'chosen_number' : 'chosen') : 'may_be_chosen', { number }),
    thing.why && phrase('may_not_be_chosen'),
  ];
  return words.filter(Boolean).join(', ');
}

// A sentence in which each name of a card can be touched, to read that card.
const named = (text, key) => (naming ? String(text).split(naming) : [text]).map((part, at) => (at % 3 === 2 ? reference(part, `${key}.${at}`) : part));

// No button: a line may break within it, and not before it where none could.
function reference(name, key) {
  const open = () => (read(cards.get(name), true), render());
  return make('span', { role: 'button', tabindex: 0, class: 'named', 'data-k': key, onclick: open, onkeydown: (event) => event.key === 'Enter' && open() }, name);
}

const isRead = (thing, key) => reading?.what === describe(thing) && (reading.key ?? key) === key;
const describe = (thing) => [thing.title, thing.kind, thing.attributes, thing.changed, thing.why].join('|');

function card(thing, key, hasKinds, isSmall) {
  const number = asked() && thing.option !== undefined ? times(thing.option) : 0;
  return touchable(
    'button',
    thing,
    key,
    { class: `card${thing.times > 1 ? ' many' : ''}${formOf(thing, isSmall)}` },
    ...drawFace(thing, hasKinds, isSmall),
    thing.times > 1 && make('span', { class: 'times' }, number ? phrase('number_of', { number, all: thing.times }) : `×${thing.times}`),
  );
}

// What there is to know of a thing that anybody may look at or choose stands beside its name.
function chip(thing, key, tells = false) {
  const name = thing.below ? phrase('below', { number: thing.times }) : thing.back ? (thing.spot ?? phrase('unknown')) : thing.title;
  return touchable(
    'button',
    thing,
    key,
    { class: `chip${thing.back ? ' unknown' : ''}` },
    drawMark(thing),
    authored('span', {}, name),
    (tells || (asked() && thing.option !== undefined)) && thing.attributes && authored('small', { class: 'attrs' }, thing.attributes),
    thing.changed && authored('small', {}, thing.changed),
    thing.times > 1 && !thing.below && make('span', { class: 'n' }, `×${thing.times}`),
  );
}

// Chips of a place, the first few; what may be chosen is always among them.
function chips(place, key, tells = false) {
  // Under the top of a pile lie cards at which nobody may look.
  const isCovered = place.kept === 'pile' && place.cards.length > 1 && !place.cards[0].back;
  const things = place.cards.map((thing) => (isCovered && thing.back && thing.option === undefined && !thing.changed ? { ...thing, below: true } : thing));
  if (place.hidden && place.cards.length && !place.cards.some((thing) => thing.back)) {
    things.push({ back: true, times: place.hidden, option: place.option });
  }
  const isOpen = opened.has(key) || things.length <= MOST_CHIPS + 1 || (asked() && things.some((thing) => thing.option !== undefined));
  const shown = isOpen ? things : things.slice(0, MOST_CHIPS);
  const made = shown.map((thing, at) => chip(thing, `${key}.${at}`, tells));
  if (!isOpen) made.push(opener(phrase('more', { number: things.length - MOST_CHIPS }), key));
  return made;
}

const opener = (text, key) =>
  make('button', { type: 'button', class: 'rest', 'data-k': `${key}.rest`, onclick: () => (opened.add(key), render()) }, text);

const isEmpty = (place) => (place.pieces !== undefined ? !place.count : !place.cards.length && !place.hidden);
const words = (rows) =>
  rows.length > 0 && make('dl', { class: 'noted' }, ...rows.map(([name, text, place]) => make('div', { 'data-place': place?.key }, authored('dt', {}, name), authored('dd', { 'data-face': place?.cards?.length === 1 ? place.cards[0].title : undefined }, ...named(text, `noted.${name}`)))));

// ── the others ──

function renderSeats() {
  if (!isOther('seats', page.others, [...seats.values()], theOthersAsked())) return;
  fill(one('seats').firstElementChild, ...page.others.map(seat));
}

function seat(player, at) {
  const who = seats.get(player.name) ?? {};
  const isNow = theOthersAsked().includes(player.name);
  const isAway = !who.bot && !who.here;
  const may = asked() && player.option !== undefined;
  const key = `seat${at}`;
  const held = player.places.filter((place) => !isEmpty(place) && place.at !== 'centre');
  const isOpen = opened.has(key) || (asked() && held.some((place) => [place, ...(place.cards ?? []), ...(place.among ?? [])].some((thing) => thing.option !== undefined)));
  const name = make(
    'button',
    {
      type: 'button',
      class: 'name',
      'data-k': key,
      'aria-pressed': may ? String(times(player.option) > 0) : undefined,
      'aria-expanded': may ? undefined : String(isOpen),
      onclick: () => {
        if (may) return choose(player.option);
        if (!opened.delete(key)) opened.add(key);
        return render();
      },
    },
    make('span', {}, player.name),
    who.bot && make('span', { class: 'tag' }, phrase('bot')),
    isAway && make('span', { class: 'tag' }, phrase('away')),
    player.out && make('span', { class: 'tag' }, phrase('out')),
    isNow && make('span', { class: 'say' }, phrase('is_thinking')),
  );
  const holds = make(
    'div',
    { class: 'holds' },
    ...held.map((place, number) => (isOpen ? holding(place, `${key}.${number}`, number === 0) : told(place, number === 0))),
    ...player.noted.map(([what, text]) => authored('span', {}, `${what} `, make('b', {}, ...named(text, `${key}.${what}`)))),
  );
  const marks = [isNow && 'now', isAway && 'away', may && 'may', isOpen && 'open', may && times(player.option) && 'chosen'];
  return make('li', {}, make('div', { 'data-seat': player.name, class: ['seat', ...marks.filter(Boolean)].join(' ') }, name, holds.children.length > 0 && holds));
}

// A place of a seat that is not opened: how many lie there, and of how many of them it is known which they are.
function told(place, isFirst) {
  if (place.pieces !== undefined) return make('span', {}, make('b', {}, place.pieces));
  const known = place.cards.filter((thing) => !thing.back).reduce((sum, thing) => sum + thing.times, 0);
  const number = place.count === null ? phrase('some') : String(place.count);
  // All that lies there is known, and a sign or two say which card is which.
  const isPlain = known > 0 && !place.hidden && place.cards.length < 9 && place.cards.every((thing) => thing.small || thing.dots);
  const signs = isPlain && make('span', { class: 'signs' }, ...place.cards.map((thing) => make('span', { class: 'mini', 'data-colour': thing.colour }, make('span', { class: 'say' }, [` ${thing.title}`, thing.changed].filter(Boolean).join(' ')), drawCorner(thing), thing.times > 1 && make('small', {}, `×${thing.times}`))));
  // The one card that can lie there is named; an eye says that not everybody knows it.
  const only = place.kept === 'slot' && known === 1 && !place.hidden && !isPlain && place.cards[0];
  if (only) return make('span', { class: 'first only', 'data-place': place.key }, place.told && draw('eye'), authored('span', { class: 'say' }, place.title), authored('b', { 'data-face': only.title }, only.title), place.told && make('span', { class: 'say' }, ` ${place.told}`));
  const eye = known > 0 && !isPlain && [draw('eye'), make('b', {}, String(known)), make('span', { class: 'say' }, ` ${phrase('known')}`)];
  return make('span', { class: isFirst ? 'first' : 'more', 'data-place': place.key }, isFirst && make('span', { class: 'tiny', 'aria-hidden': 'true' }), authored('span', { class: isFirst ? 'say' : 'what' }, place.title), make('b', {}, number), ...(eye || []), signs);
}

// One place of somebody else: a number, and what is known of it. A phone leaves out what is only a number.
function holding(place, key, isFirst) {
  if (place.pieces !== undefined) return make('span', {}, make('b', {}, place.pieces));
  const isKnown = place.cards.some((thing) => !thing.back) || (asked() && place.option !== undefined);
  const number = place.count === null ? phrase('some') : String(place.count);
  const among = (place.among ?? []).map((thing, at) => chip(thing, `${key}.among${at}`));
  if (!isKnown && !among.length) {
    return make('span', { class: isFirst ? 'first' : 'more', 'data-place': place.key }, isFirst && make('span', { class: 'tiny', 'aria-hidden': 'true' }), authored('span', { class: 'word' }, `${place.title} `), make('b', {}, number));
  }
  const shown = place.cards.length ? chips(place, key) : asked() && place.option !== undefined ? [chip({ back: true, times: place.hidden, option: place.option }, `${key}.back`)] : [];
  // Of a place of which something is known, too, it is said how much lies there.
  const rest = place.hidden || place.count === null || place.count > 1 ? make('b', { class: 'of' }, number) : null;
  return make('span', { class: 'lying', 'data-place': place.key }, authored('span', { class: 'what' }, place.title), rest, ...shown, place.told && make('span', {}, place.told), among.length > 0 && make('span', { class: 'quiet' }, phrase('among')), ...among);
}

// ── the end of a round: it stands until somebody has read it ──

function renderRound() {
  const round = ended();
  const part = one('round');
  if (!round) return void (part.hidden = true);
  const isNew = part.hidden || part.dataset.number !== String(round.number);
  part.hidden = false;
  if (!isNew) return undefined;
  part.dataset.number = round.number;
  const shown = [
    make('h2', { id: 'round-title' }, phrase('round_over', { round: round.title })),
    ...round.parts.map(([heading, rows]) => make('section', { class: 'outcome' }, make('h3', {}, heading), make('dl', {}, ...rows.flatMap(([name, groups]) => [make('dt', {}, name), make('dd', {}, ...groups.map((text, at) => make('p', {}, ...named(text, `round.${heading}.${name}.${at}`))))])))),
    round.parts.length > 0 && round.besides.length > 0 && make('h3', {}, phrase('besides')),
    round.besides.length > 0 && make('ul', {}, ...round.besides.map((text, at) => make('li', {}, ...named(text, `besides.${at}`)))),
  ];
  part.replaceChildren(...shown.filter(Boolean));
  say(phrase('round_over', { round: round.title }));
  felt.scrollTop = 0;
  part.parentElement.scrollTop = part.scrollTop = 0;
  return undefined;
}

function leaveRound() {
  roundRead = page.round.number;
  sessionStorage.setItem(`round ${deal}`, roundRead);
  if (page.ask) say(page.ask.prompt);
  render();
  one('ask').focus({ preventScroll: true });
  if (page.ask) bringIntoView();
  else felt.scrollTop = 0;
}

function showRound() {
  roundRead = page.round.number - 1;
  render();
}

const roundAgain = () => page.round && button(phrase('round_again', { round: page.round.title }), 'round', showRound);

// ── the table ──

function renderCommon() {
  if (!isOther('common', page.table, page.grids, page.table_noted, page.remarks, page.others.map(({ places }) => places.filter(isCentral)), page.mine.filter(isCentral), theOthersAsked(), !!page.ask)) return;
  const places = page.table.filter((place) => !isEmpty(place));
  const empty = page.table.filter(isEmpty).map((place) => place.title);
  const piles = places.filter((place) => place.pieces === undefined && !place.cards.length);
  // What lies alone in a place for all to see is looked at more than anything else.
  const single = places.filter((place) => place.kept === 'slot' && place.cards?.length === 1 && !place.cards[0].back);
  const laid = single.length > MOST_LAID ? [] : single;
  const rows = places.filter((place) => place.cards?.length && !laid.includes(place));
  const pieces = places.filter((place) => place.pieces !== undefined).map((place) => [place.title, place.pieces]);
  const isBeside = page.you !== null && page.grids.length + places.length - pieces.length > 0;
  one('common').parentElement.className = `middle${isBeside ? ` beside${page.grids.length ? ' board-game' : ''}` : ''}`;
  const told = [
    ...rows.map((place, at) => make('div', { class: 'row', 'data-place': place.key }, authored('h3', {}, place.title), make('div', { class: 'chips' }, ...chips(place, `row${at}`, true)))),
    words([...pieces, ...page.table_noted]),
    words(page.remarks.map(([name, text]) => [name, text])),
  ].filter(Boolean);
  const about = (told.length > 0 || empty.length > 0) && make('div', { class: `rows${told.length ? '' : ' none'}` }, ...told, empty.length > 0 && make('p', { class: 'empty' }, phrase('empty', { places: empty.join(', ') })));
  const isBroad = !piles.length || piles.length > 4 || (phone.matches && rows.some((place) => place.cards.length > 2));
  one('common').className = `common${asked() ? ' asking' : ''}`;
  const piled = piles.length > 0 && make('ul', { class: `piles${piles.length > 4 ? ' wide' : ''}` }, ...piles.map(pile));
  fill(
    one('common'),
    centre(),
    laid.length > 0 && make('div', { class: 'laid' }, ...laid.map((place, at) => make('div', { 'data-place': place.key }, authored('h3', {}, place.title), card(place.cards[0], `laid${at}`, true, place.cards[0].small))), piled),
    ...page.grids.map(board),
    ((piles.length > 0 && !laid.length) || about) && make('div', { class: isBroad || laid.length ? 'under' : 'under split' }, !laid.length && piled, about),
  );
  document.querySelectorAll('.board').forEach((made, at) => made.style.setProperty('--columns', page.grids[at].columns));
}

// ── the middle: what is being played, one card of each player ──

const isCentral = (place) => place.at === 'centre';

function centre() {
  const mine = page.mine.filter(isCentral).map((place) => ({ place, name: page.you }));
  const others = page.others.flatMap((other) => other.places.filter(isCentral).map((place) => ({ place, name: other.name })));
  if (!mine.length && !others.length) return null;
  const spots = others.length === mine.length * (page.others.length || 1) && mine.length === 1 ? SPOTS[others.length] : undefined;
  const waiting = new Set([...theOthersAsked(), ...(page.ask ? [page.you] : [])]);
  const slots = [...others.map((one, at) => ({ ...one, spot: spots?.[at] ?? '' })), ...mine.map((one) => ({ ...one, spot: spots ? 'bottom' : '' }))];
  return make('section', { class: `trick${spots ? ' around' : ''}`, 'aria-label': slots[0].place.title }, ...slots.map((slot, at) => played(slot, at, waiting.has(slot.name))));
}

// From who sits behind me on, from the left around to the right.
const SPOTS = { 1: ['top'], 2: ['left', 'right'], 3: ['left', 'top', 'right'] };

function played({ place, name, spot }, at, isNext) {
  const card = place.cards[0];
  const inside = card ? touchable('button', card, `trick${at}`, { class: `card played${formOf(card, card.small)}` }, ...drawPlayed(card)) : make('span', { class: `hole${isNext ? ' next' : ''}` });
  return make('div', { class: `spot ${spot}`, 'data-place': place.key }, inside, make('span', { class: 'who' }, name === page.you ? phrase('you') : name));
}

function pile(place, at) {
  const number = place.count === null ? '?' : String(place.count);
  const may = asked() && place.option !== undefined;
  const known = place.among ?? [];
  const content = [
    make('span', { class: 'back' }, drawSign(place.looks, 'behind'), make('span', {}, number)),
    authored('span', {}, place.title),
    make('span', { class: 'say' }, phrase('face_down')),
  ];
  const inside = may ? touchable('button', { ...place, title: undefined, times: place.hidden }, `pile${at}`, { class: 'pile', 'aria-label': phrase('pile_may_be_chosen', { place: place.title, number }) }, ...content) : content;
  return make('li', { 'data-place': place.key, class: `pile${place.count > 3 ? ' deep' : ''}` }, ...[inside].flat(), ...known.map((thing, n) => chip(thing, `pile${at}.${n}`)));
}

function board(grid, number) {
  const made = make('div', { class: 'board', 'data-place': grid.key });
  made.append(make('span', { class: 'axis' }));
  for (let column = 0; column < grid.columns; column += 1) made.append(make('span', { class: 'axis', 'aria-hidden': 'true' }, grid.cells[column].spot.replace(/\d+/, '')));
  grid.cells.forEach((cell, at) => {
    if (at % grid.columns === 0) made.append(make('span', { class: 'axis', 'aria-hidden': 'true' }, cell.spot.replace(/\D+/, '')));
    made.append(tile(cell, `grid${number}.${at}`));
  });
  const legend = grid.legend.length > 0 && make('ul', { class: 'legend' }, ...grid.legend.map((text) => make('li', {}, text)));
  return make('section', { class: 'grid', 'aria-label': grid.title }, made, legend);
}

// Long words may be broken before a consonant (or two that are spoken together) and a vowel, never near their ends.
const SYLLABLE = /(?:[bcdfgkpt][lr]|[cgpstw]h|s[klmnpt]|[bcdfghj-np-tvwxz])(?=[aeiouyäöüáéíóúàèìòùâêîôû])/giu;
const hyphened = (word) => word.replace(SYLLABLE, '\u00ad$&').replace(/^\u00ad?(\p{L}{0,2})\u00ad/u, '$1').replace(/\u00ad(\p{L}{1,2})$/u, '$1');
const softened = (text) => page.language ? text : text.replace(/\p{L}{8,}/gu, hyphened);

function tile(cell, key) {
  const isVoid = cell.title === undefined && !cell.back;
  if (isVoid && cell.option === undefined) return make('span', { class: 'tile void' });
  const isBare = cell.title?.length <= 2 && !cell.signs && !cell.changed;
  const thing = { ...cell, title: cell.title ?? (cell.back ? undefined : cell.spot) };
  return touchable(
    'button',
    thing,
    key,
    { class: `tile${cell.changed ? ' state' : ''}${cell.own ? ' own' : ''}${cell.back ? ' covered' : ''}${isVoid ? ' void' : ''}${isBare ? ' bare' : ''}` },
    isBare ? drawLetters(cell.title, 36, 36) : authored('span', { class: 'title' }, softened(cell.title ?? '')),
    cell.changed && authored('span', { class: 'changed' }, softened(cell.changed)),
    cell.signs && make('span', { class: 'signs' }, cell.signs),
  );
}

// ── mine ──

function renderMine() {
  if (!isOther('mine', page.mine, page.noted, page.out)) return;
  const ask = asked();
  const places = page.mine.filter((place) => !isEmpty(place) && place.at !== 'centre');
  const isPlain = (place, at) =>
    at > 0 && (place.pieces !== undefined || (place.cards.length < 2 && !place.cards.some((thing) => thing.text || thing.why || thing.option !== undefined)));
  const plain = places.filter(isPlain).map((place) => [place.title, inWords(place), place]);
  const laid = places.filter((place, at) => !isPlain(place, at));
  const made = laid.map((place, at) => myPlace(place, `mine${at}`, at === 0 ? [...plain, ...page.noted] : [], !wide.matches || at >= packed));
  if (!laid.length && (plain.length || page.noted.length)) made.push(words([...plain, ...page.noted]));
  const empty = page.mine.filter((place) => isEmpty(place) && place.at !== 'centre').map((place) => place.title);
  if (!made.length && empty.length && page.you !== null) made.push(make('p', { class: 'empty' }, phrase('hold_nothing')));
  if (page.out) made.unshift(make('p', { class: 'quiet' }, phrase('you_are_out')));
  const part = one('mine');
  part.className = `mine${ask ? ' asking' : ''}${wide.matches && packed ? ' packed' : ''}`;
  document.querySelector('.felt').classList.toggle('one', ask?.single === true);
  fill(part, ...made);
  part.hidden = !part.children.length;
}

// On a wide page all that is one's own stands in sight: where it is too much, the first places go without their texts,
// until another question comes.
function pack() {
  const part = one('mine').parentElement.matches('.beside') ? one('mine') : one('mine').parentElement;
  while (wide.matches && packed < one('mine').children.length && part.scrollHeight > part.clientHeight) {
    packed += 1;
    renderMine();
  }
}

const inWords = (place) =>
  place.pieces ?? [...place.cards.map((thing) => thing.title + (thing.times > 1 ? ` ×${thing.times}` : '')), ...(place.hidden ? [phrase('number_unknown', { number: place.hidden })] : [])].join(', ');

function myPlace(place, key, beside, hasRoom) {
  if (place.pieces !== undefined) return make('section', {}, make('div', { class: 'head' }, authored('h2', {}, place.title), make('span', { class: 'count' }, place.pieces), words(beside)));
  const kinds = new Set(place.cards.map((thing) => thing.kind));
  const longest = Math.max(0, ...place.cards.flatMap((thing) => (thing.title ?? '').split(/[\s-]+/)).map((word) => word.length));
  const hasText = place.cards.some((thing) => thing.text);
  const isSmall = place.cards.length > 0 && place.cards.every((thing) => thing.small || thing.dots || thing.back);
  const form = isSmall ? ` tiny-cards${place.cards.length > 10 ? ' seven' : ''}` : place.cards.some((thing) => thing.picture) ? ' pictures' : hasText && hasRoom && place.cards.length <= (phone.matches ? MOST_ROOMY_ON_A_PHONE : MOST_ROOMY) ? ` roomy${place.cards.length === 4 ? ' four' : ''}` : longest > 9 ? ' long' : longest > 7 ? ' tight' : '';
  const hidden = place.hidden && !place.cards.some((thing) => thing.back) ? [{ back: true, times: place.hidden, option: place.option }] : [];
  // Dice lie one by one.
  const lying = place.cards.flatMap((thing) => (thing.dots && thing.option === undefined && thing.times < 7 ? Array(thing.times).fill({ ...thing, times: 1 }) : [thing]));
  return make(
    'section',
    { 'data-place': place.key },
    make('div', { class: 'head' }, make('h2', {}, phrase('your_place', { place: place.title })), make('span', { class: 'count' }, place.count === null ? '' : String(place.count)), words(beside)),
    make('ul', { class: `cards${form}` }, ...[...lying, ...hidden].map((thing, at) => make('li', {}, card(isSmall && thing.back ? { spot: '?', ...thing } : thing, `${key}.${at}`, kinds.size > 1, isSmall && !thing.back)))),
    place.among && make('p', { class: 'quiet' }, phrase('among_these', { cards: place.among.map((thing) => thing.title + (thing.times > 1 ? ` ×${thing.times}` : '')).join(', ') })),
  );
}

// ── choosing ──

function choose(number) {
  const ask = asked();
  if (!ask) return;
  const option = ask.options[number];
  const most = ask.at_most;
  [refusal, why] = ['', ''];
  if (ask.single) chosen = chosen[0] === number ? [] : [number];
  else if (times(number) >= option.count) chosen = chosen.filter((other) => other !== number);
  else if (chosen.length < most) chosen = [...chosen, number];
  else if (most === 1) chosen = [number];
  else if (times(number)) chosen = chosen.filter((other) => other !== number);
  else refusal = phrase('all_chosen', { number: most });
  if (refusal) say(refusal);
  tryChoice(ask);
  render();
}

const isEnough = (ask) => chosen.length >= ask.at_least && chosen.length <= ask.at_most;

// The table says what is still missing, from the start.
function tryChoice(ask) {
  if (!ask.single && isEnough(ask)) server.send({ try: chosen });
}

function send(numbers) {
  const ask = asked();
  if (!ask || state !== 'here' || performance.now() - askedAt < SETTLING) return;
  markAnswers([...answers, log.length]);
  closeReader();
  isFollowing = true;
  lastChosen = joined(numbers.map((number) => ask.options[number].label));
  refusal = '';
  server.answer({ answer: ask.number, picked: ask.picked, chosen: numbers, deal });
  sent = question;
  render();
}

// ── the dock ──

function renderDock() {
  const ask = asked();
  const dock = one('ask');
  const isLoud = (isLent() && !page.moving) || (ask && state !== 'gone') || (ended() && page.ask) || (status.wish && !failed);
  dock.className = `${isLoud ? 'dock' : 'dock wait'}${page.over && !ended() ? ' end' : ''}`;
  const parts = () => (status.wish ? dockWish() : ended() ? dockRound() : page.over ? dockOver() : page.moving ? dockMoving() : isLent() ? dockLent() : ask ? dockAsk(ask) : dockWait());
  fill(dock, ...parts());
  // Choices are not scrolled for what they say.
  if (phone.matches && areTexts && mayFold && dock.scrollHeight > dock.clientHeight + 1) {
    areTexts = false;
    fill(dock, ...parts());
  }
}

const headline = (text) => make('h2', { class: 'prompt', id: 'prompt' }, ...named(text, 'prompt'));
const prompt = (text, ...more) => make('div', { class: 'asked' }, headline(text), ...more);
const hint = (text) => text && make('p', { class: 'hint' }, ...named(text, text));
const reason = (text) => text && make('p', { class: 'why' }, draw('no'), make('span', {}, text));
// The card or the deed that asks, before the question.
const cause = (text) => text && make('p', { class: 'cause' }, ...named(text, 'cause'));
const acts = (...buttons) => buttons.some(Boolean) && make('div', { class: 'acts' }, ...buttons);
const button = (text, key, act, main = false, off = false) =>
  make('button', { type: 'button', class: main ? 'btn main' : 'btn', 'data-k': key, 'aria-disabled': off ? 'true' : undefined, onclick: () => !off && act() }, ...[text].flat());

// Where others must agree, it asks them: where something cannot be undone, or a person has answered since.
function undoButton() {
  if (isAsking()) return wishButton('withdraw', 'no', phrase('withdraw_what'), phrase('withdraw'), withdraw);
  if (!page.undo || page.over || status.paused || state !== 'here') return false;
  const { what, final, answered, behind } = page.undo;
  const persons = listPersons();
  const isBetween = final || answered.some((name) => persons.includes(name));
  const mustAsk = isBetween && persons.length > 0;
  if (mustAsk && behind) return false; // nobody can agree to forget it
  const act = () => (mustAsk ? askAll() : server.send({ undo: isBetween ? 'all' : true }));
  const title = phrase(mustAsk ? 'ask_undo_what' : 'undo_what', { what });
  return wishButton('undo', 'undo', title, phrase(mustAsk ? 'ask_undo' : 'undo'), act);
}
const wishButton = (key, sign, title, text, act) => make('button', { type: 'button', class: 'undo', 'data-k': key, title, 'aria-label': title, onclick: act }, draw(sign), text);

// Persons are asked; for whom a bot plays meanwhile has a say in it, too.
const listPersons = () => [...seats.values()].filter((seat) => seat.name !== page.you && (!seat.bot || seat.lent)).map((seat) => seat.name);
const isAsking = () => !page.over && (isAskingAll || status.asking?.length > 0);
const tellAsking = () => isAsking() && phrase('asking', { names: joined(status.asking?.length ? status.asking : listPersons()) });

function withdraw() {
  server.send({ withdraw: true });
  [isAskingAll, isWishing, status.asking] = [false, false, undefined];
  toast(phrase('withdrawn'));
  render();
}
const askAllButton = () => mayAskAll && button(phrase('ask_all'), 'ask-all', askAll);

function askAll() {
  server.send({ undo: 'all' });
  [isAskingAll, mayAskAll, refusal] = [true, false, ''];
  say(tellAsking());
  render();
}

function dockAsk(ask) {
  const pass = ask.options.findIndex((option) => option.pass);
  const passButton = pass >= 0 && button(ask.options[pass].label, 'pass', () => send([pass]));
  const free = ask.options.map((option, at) => ({ ...option, at })).filter((option) => !option.placed && !option.pass);
  const isMenu = ask.single && free.length > 0;
  const about = [hint(ask.before?.length > 0 && phrase('chosen_before', { what: ask.before.join(', ') })), hint(tellLate()), hint(tellAsking()), hint(ask.so_far && phrase('chosen_already', { cards: ask.so_far })), hint(ask.wanted && phrase('choose_wanted', ask))];
  // Nobody has done anything wrong who has chosen nothing yet.
  const refused = reason(refusal || (chosen.length > 0 && why)) || hint(why);
  if (ask.ordered && ask.at_least === ask.options.length) return [prompt(ask.prompt, ...about, order(ask), refused), acts(askAllButton(), undoButton(), button(phrase('this_order'), 'send', () => send(chosen), true, !!why))];
  const list = isMenu && free.length > MOST_BUTTONS && free.every((option) => /^-?\d+$/.test(option.label)) ? stepper(free) : free.length + ask.barred.length > 0 && menu(ask, free, isMenu && passButton);
  const main = !isMenu || chosen.length ? mainButton(ask) : null;
  const last = ask.options[chosen.at(-1)];
  const text = last?.placed && last.text && `${last.label}: ${last.text}`;
  return [
    make('div', { class: 'asked' }, make('div', { class: 'top' }, make('div', { class: 'question' }, cause(ask.cause ?? befell()), worded(headline(ask.prompt))), isMenu && tellsButton([...free, ...ask.barred]), undoButton()), ...about, ask.ordered && chosen.length > 1 && order(ask), text && authored('p', { class: 'says' }, text), refused),
    list,
    acts(lookAgain(), !isMenu && passButton, askAllButton(), main),
  ];
}

function mainButton(ask) {
  const names = joined([...new Set(chosen)].map((number) => ask.options[number].label + (times(number) > 1 ? ` ×${times(number)}` : '')));
  const missing = ask.at_least - chosen.length;
  const verb = ask.verb ?? phrase('choose');
  if (ask.single) return button(names ? phrase('verb_names', { verb, names }) : phrase(ask.options.some((option) => option.placed) ? 'touch_one' : 'choose_one'), 'send', () => send(chosen), true, !chosen.length);
  if (missing > 0) return button(phrase(chosen.length ? 'more' : 'touch_number', { number: missing }), 'send', () => {}, true, true);
  if (why) return button(phrase('not_yet'), 'send', () => {}, true, true);
  return button(phrase(!chosen.length ? 'choose_nothing' : chosen.length > 3 ? 'verb_number' : 'verb_names', { verb, names, number: chosen.length }), 'send', () => send(chosen), chosen.length > 0);
}

// What the lines of a menu say, on a phone.
const tellsButton = (lines) =>
  lines.some((line) => line.text || line.why) &&
  make('button', { type: 'button', class: 'undo tells', 'data-k': 'tells', 'aria-expanded': String(areTexts), 'aria-label': phrase('tells'), onclick: () => (([areTexts, mayFold] = [!areTexts, false]), render()) }, '?');

function menu(ask, free, passButton) {
  const rows = free.map((option) => {
    const number = times(option.at);
    return make(
      'button',
      {
        type: 'button',
        class: number ? 'btn chosen' : 'btn',
        'data-k': `option${option.at}`,
        'aria-pressed': ask.single ? undefined : String(number > 0),
        'aria-description': areTexts ? undefined : option.text,
        onclick: () => (ask.single ? send([option.at]) : choose(option.at)),
      },
      option.look && (option.look.dots ? drawCorner(option.look) : drawMark(option.look)),
      authored('span', { class: option.look?.dots && 'say' }, option.label, option.count > 1 && !ask.single && make('b', {}, number ? ` ${phrase('number_of', { number, all: option.count })}` : ` ×${option.count}`), option.text && make('small', {}, option.text)),
    );
  });
  // Numbers and words of a few letters go into one row, and why some may not be chosen below it.
  const isShort = [...free, ...ask.barred].every((option) => option.label.length <= MOST_LETTERS && !option.text);
  const reasons = [...new Set(ask.barred.map((option) => option.why))];
  const isBelow = isShort || (reasons.length === 1 && ask.barred.length > 1);
  const below = isBelow && reasons.map((text) => make('p', { class: 'hint' }, `${joined(ask.barred.filter((option) => option.why === text).map((option) => option.label))}: ${text}`));
  const barred = ask.barred.map((option, at) => make('button', { type: 'button', class: 'btn', 'aria-disabled': 'true', 'data-k': `barred${at}`, 'aria-description': areTexts ? undefined : option.why, onclick: () => (areTexts ? say : toast)(option.why) }, authored('span', {}, option.label, !isBelow && make('small', {}, option.why))));
  return make('div', { class: `menu wide scroll${isShort ? ' short' : ''}${areTexts ? '' : ' brief'}` }, ...rows, ...barred, passButton, ...(below || []));
}

function stepper(free) {
  const numbers = free.map((option) => Number(option.label));
  const field = make('input', { type: 'number', 'data-k': 'number', min: Math.min(...numbers), max: Math.max(...numbers), value: numbers[0], 'aria-label': phrase('number') });
  const give = () => {
    const at = numbers.indexOf(Number(field.value));
    if (at >= 0) send([free[at].at]);
    else say(refusal = phrase('between', { least: Math.min(...numbers), most: Math.max(...numbers) }));
  };
  return make('div', { class: 'stepper' }, button('−', 'less', () => field.stepDown()), field, button('+', 'more', () => field.stepUp()), button(phrase('choose'), 'send', give, true));
}

function order(ask) {
  const move = (at, by) => {
    const moved = [...chosen];
    [moved[at], moved[at + by]] = [moved[at + by], moved[at]];
    chosen = moved;
    tryChoice(ask);
    render();
  };
  const arrow = (name, at, by, off) =>
    make('button', { type: 'button', class: 'tool', 'data-k': `${name}${at}`, 'aria-label': phrase(`move_${name}`, { name: ask.options[chosen[at]].label }), disabled: off, onclick: () => move(at, by) }, draw(name));
  return make(
    'ol',
    { class: 'order scroll' },
    ...chosen.map((number, at) => make('li', {}, make('b', {}, String(at + 1)), authored('span', { class: 'title' }, ask.options[number].label), arrow('up', at, -1, at === 0), arrow('down', at, 1, at === chosen.length - 1))),
  );
}

function dockWish() {
  const since = wished.length > 3 ? [...wished.slice(0, 2), phrase('more_lines', { number: wished.length - 2 })] : wished;
  const list = since.length > 0 && make('ul', { class: 'since' }, ...since.map((text, at) => make('li', {}, ...named(text, `since${at}`))));
  return [prompt(phrase('wish', { name: status.wish }), hint(phrase(list ? 'seen_since' : 'must_agree')), list), acts(button(phrase('no'), 'no', () => server.send({ agree: false })), button(phrase('agree'), 'agree', () => server.send({ agree: true }), true))];
}

const dockRound = () => [prompt(phrase('round_over', { round: page.round.title }), hint(page.over ? page.over.result : page.ask && phrase('asked_next'))), acts(button(phrase('go_on'), 'go-on', leaveRound, true))];

// A bot plays for who sits here; the link is the person's proof.
function dockLent() {
  const back = seats.get(page.you).lent && button(phrase('back'), 'back', () => server.send({ back: true }), true);
  return [prompt(phrase('lent'), hint(phrase('lent_how'))), acts(roundAgain(), back)];
}

// What happens, while it is played; a touch ends that. How a game ended stands before who won.
function dockMoving() {
  const end = page.ending ? heavy(page.lines).slice(-MOST_BEFELL) : [];
  const last = page.said?.join(' ') ?? brief(end.length ? end : findNews(page.lines));
  return [prompt(last || phrase('moment'), hint(phrase('touch_on')))];
}

// What has come since one's answer: what came of it, which ends where the turn of somebody else begins, and what they did.
function splitNews() {
  const since = log.slice(answeredAt);
  const others = since.findIndex((line) => line.title);
  const isTold = (line) => !line.title && line.weight > 0;
  return others < 0 ? [since.filter(isTold), []] : [since.slice(0, others).filter(isTold), since.slice(others).filter(isTold)];
}
const heavy = (lines) => lines.filter((line) => line.weight > 1);
const brief = (lines) => lines.map((line) => line.text.replace(/\n[^]*/, ' …')).join(' ');

// What befell who is asked, where no card or deed is known that asks so: what touches them, else what others did.
function befell() {
  const [own, theirs] = splitNews();
  const most = heavy(theirs.length ? theirs : own);
  return brief(most.length ? most.slice(-1) : theirs.slice(-MOST_BEFELL));
}
const cameOf = () => brief(heavy(splitNews()[0]).slice(-MOST_BEFELL));

const lookAgain = () => !page.moving && player.missed() > 0 && button(phrase('look_again', { number: player.missed() }), 'again', () => player.again());

// Where somebody may be asked in secret, nobody is named: that they are asked is for nobody else.
function dockWait() {
  const waiting = theOthersAsked();
  // Who has answered is not told who else is asked, where that is a secret.
  const isQuiet = !waiting.length;
  const stage = page.stages.at(-1);
  const away = waiting.filter((name) => !seats.get(name)?.bot && !seats.get(name)?.here);
  const about = (name, names) => phrase(name, { number: names.length, names: joined(names) });
  const text = status.paused ? phrase('paused') : failed ? phrase('failed') : waiting.length ? about('thinking', waiting) : (stage ?? phrase('moment'));
  const said = [
    !status.paused && away.length > 0 && about('are_away', away),
    !status.paused && isQuiet && !stage && phrase('secret'),
    tellAsking() || (lastChosen ? `${phrase('you_chose', { what: lastChosen })} ${cameOf()}` : !isWatching && !isQuiet && phrase('nothing_asked')),
  ];
  return [make('div', { class: 'asked' }, make('div', { class: 'top' }, make('div', { class: 'question' }, headline(text)), undoButton()), hint(said.filter(Boolean).join(' ')), reason(refusal)), acts(askAllButton(), roundAgain(), lookAgain(), !isWatching && !page.moving && callButton())];
}

// Another game begins when all want it who are here; the host begins one at once.
function dockOver() {
  const form = !isWatching && questions.some((text) => !written[text]) && askAfterwards();
  const everything = isWatching && button(phrase('story'), 'story', () => server.send({ story: true }));
  const { again } = status;
  const wants = again.includes(page.you);
  const rivals = again.filter((name) => name !== page.you);
  const text = phrase(rivals.length ? 'others_again' : wants ? 'you_again' : 'another', { names: joined(rivals) });
  const left = [...seats.values()].filter((seat) => seat.name !== page.you && !seat.bot && !again.includes(seat.name)).map((seat) => seat.name);
  const about = [phrase(wants ? 'again_when' : 'again_how'), wants && left.length && phrase('again_left', { names: joined(left) })].filter(Boolean).join(' ');
  const act = !isWatching && button(phrase(wants ? 'leave_it' : rivals.length ? 'am_in' : 'play_again'), 'again', () => server.send({ again: !wants }), !wants);
  return [isWatching ? prompt(phrase('over')) : prompt(text, hint(about), reason(refusal)), acts(isEndHidden && lookButton(), everything, act), form];
}

const lookButton = () => button(phrase(isEndHidden ? 'who_won' : 'show_table'), 'look', () => ((isEndHidden = !isEndHidden), render()));

// The questions of the designer, after the end; each answer is a note.
function askAfterwards() {
  const fields = questions.filter((text) => !written[text]).map((text, at) => ({ text, field: make('textarea', { 'data-k': `after${at}`, maxlength: 2000, rows: 2, oninput: (event) => (typed[text] = event.target.value) }, typed[text] ?? '') }));
  return make(
    'form',
    {
      class: 'after wide',
      onsubmit: (event) => {
        event.preventDefault();
        for (const { text, field } of fields) {
          if (field.value.trim()) sendNote({ note: field.value, question: text, deal });
        }
      },
    },
    ...fields.map(({ text, field }) => make('label', {}, authored('span', {}, text), field)),
    make('button', { type: 'submit', class: 'btn main', 'data-k': 'after-send' }, phrase('send_answers')),
  );
}

// ── log and reader ──

// Of a long log only what has changed is drawn: runs of lines, each named by its first one and its end.
function renderLog() {
  const box = one('log').lastElementChild;
  const runs = [];
  log.forEach((line, at) => {
    if (at > 0 && at === answeredAt) runs.push({ sort: 'mark', from: at, to: at });
    const last = runs.at(-1);
    if (line.title || last?.sort !== 'list') runs.push({ sort: line.title ? 'title' : 'list', from: at, to: at + 1 });
    else last.to = at + 1;
  });
  const parts = runs.map((run, number) => {
    const [old, name] = [box.children[number], `${run.sort} ${run.from} ${run.to}`];
    return old?.dataset.run === name && run.to <= drawnLines ? old : logRun(run, name);
  });
  fill(box, ...parts);
  drawnLines = log.length;
  const fresh = one('open-log').querySelector('.new');
  fresh.hidden = !unread;
  one('open-log').setAttribute('aria-label', phrase(unread ? 'log_new' : 'log', { number: unread }));
}

function logRun({ sort, from, to }, name) {
  if (sort === 'mark') return make('p', { class: 'mark-since', 'data-run': name }, phrase('since'));
  if (sort === 'title') return make('h3', { 'data-run': name }, log[from].text);
  return make('ul', { 'data-run': name }, ...log.slice(from, to).map((line, at) => make('li', { class: line.weight > 1 ? 'result' : line.weight > 0 ? 'fresh' : undefined }, ...named(line.text, `log${from + at}`))));
}

// What happens if nobody answers, before it does.
const inTime = (seconds) => (seconds < 60 ? phrase('time_seconds', { number: seconds }) : seconds < 120 ? phrase('time_minute') : phrase('time_minutes', { number: Math.floor(seconds / 60) }));
function tellLate() {
  if (!status.late || !answerBy || status.paused) return '';
  const left = Math.floor((answerBy - performance.now()) / 5000) * 5;
  return phrase(status.late.is_passing ? 'you_late_passing' : 'you_late_bot', { time: left < 5 ? phrase('time_moment') : inTime(left) });
}
setInterval(() => page?.ask && tellLate() && renderDock(), 5000);

// The last line that counts; for who is asked, what befell them since they answered, if it counts for more.
function findNews(lines = log) {
  const last = lines.findLast((line) => !line.title && line.weight > 0);
  const mine = page.ask ? log.slice(answeredAt).filter((line) => line.yours && !line.title && line.weight > 1) : [];
  const most = Math.max(...mine.map((line) => line.weight));
  return mine.length ? mine.filter((line) => line.weight === most).slice(-2) : last ? [last] : [];
}

// A name that was touched stands for all cards that are called so. Where the card does not stay in sight, none is marked.
function read(thing, isOpening, key) {
  reading = isOpening || wide.matches ? { what: describe(thing), key } : null;
  const reader = one('reader');
  const fill = (name, text) => {
    const line = reader.querySelector(`.${name}`);
    line.textContent = text ?? '';
    line.hidden = !text;
    if (name !== 'attrs') worded(line);
  };
  fill('kind', [thing.spot, thing.kind].filter(Boolean).join(' · '));
  fill('title', thing.title);
  fill('attrs', [thing.attributes, thing.changed].filter(Boolean).join(' · '));
  fill('text', thing.text);
  reader.querySelector('.why span').textContent = thing.why ?? '';
  reader.querySelector('.why').hidden = !thing.why;
  reader.dataset.colour = thing.colour ?? '';
  reader.hidden = false;
  reader.classList.toggle('open', isOpening);
}

function renderReader() {
  if (!reading) one('reader').hidden = true;
}

function closeReader() {
  one('reader').classList.remove('open');
  reading = null;
}

// ── sheets ──

const shut = () => (closeLog(), closeReader(), talk.shut());

function closeLog() {
  one('log').classList.remove('open');
  one('log').querySelector('.called')?.remove();
}

// What lies over the table does not hide that the game has begun, or that somebody is asked: it says so, and leads back.
function tellOverlaid(isNew) {
  const isAsked = page.ask !== undefined && isNew;
  const said = [wasInRoom && phrase('begun'), isAsked && phrase('asked_now')].filter(Boolean).join(' ');
  wasInRoom = false;
  if (!page.ask) document.querySelectorAll('.called[data-asked]').forEach((line) => line.remove());
  const sheets = wide.matches ? '' : ', .log.open, .talk.open';
  for (const over of said ? document.querySelectorAll(`dialog[open]${sheets}`) : []) {
    over.querySelector('.called')?.remove();
    const leave = () => (over.close ? over.close() : shut());
    over.querySelector('h2').after(make('p', { class: 'called', role: 'status', 'data-asked': isAsked }, make('span', {}, said), button(phrase('to_table'), 'to-table', leave, true)));
  }
}
document.querySelectorAll('dialog').forEach((made) => made.addEventListener('close', () => made.querySelector('.called')?.remove()));

function toggleLog() {
  if (one('log').classList.contains('open')) closeLog();
  else talk.shut(), one('log').classList.add('open');
  unread = 0;
  render();
  showNews();
}

// What is new since my last answer is brought into view, from its beginning.
function showNews() {
  const sheet = one('log');
  const mark = sheet.querySelector('.mark-since');
  const head = sheet.querySelector('h2').offsetHeight;
  sheet.scrollTop = sheet.scrollHeight;
  const hidden = mark ? sheet.getBoundingClientRect().top + head - mark.getBoundingClientRect().top : 0;
  if (hidden > 0) sheet.scrollTop -= hidden;
  isFollowing = isAtEnd();
}

// What stands in the seats' lines, as one sheet; it changes while it is open.
function renderScores() {
  one('open-scores').hidden = !page.scores;
  if (page.scores && one('scores').open) fill(one('scores').querySelector('.tally'), ...drawScores(page.scores, page.you));
}

function openScores() {
  if (!page?.scores || one('scores').open) return;
  one('scores').showModal();
  renderScores();
  const sheet = one('scores').querySelector('.tally');
  sheet.scrollTop = sheet.scrollHeight;
}

function openRules() {
  server.send({ rules: true });
}

function showRules(parts) {
  const box = one('rules').querySelector('.words');
  box.replaceChildren(...parts.flatMap(([title, lines]) => [make('h3', {}, title), ...lines.map((text) => (text[0] ? make('p', {}, make('b', {}, text[0]), `\n${text[1]}`) : make('p', {}, text[1])))]));
  one('rules-title').textContent = phrase('rules');
  if (!one('rules').open) one('rules').showModal();
}

function showStory(lines) {
  one('rules-title').textContent = phrase('story_title');
  one('rules').querySelector('.words').replaceChildren(...lines.map((text) => make('p', { class: 'told' }, text)));
  if (!one('rules').open) one('rules').showModal();
}

const note = one('note');
function openNote(about = deal, title = phrase('note_title'), text = '') {
  if (isWatching) return;
  noteDeal = about;
  one('note-title').textContent = title;
  note.querySelector('p').textContent = phrase(text ? 'note_unsent_how' : 'note_how');
  if (text) note.querySelector('textarea').value = text;
  note.showModal();
}
note.addEventListener('close', () => {
  const field = note.querySelector('textarea');
  if (note.returnValue === 'yes' && field.value.trim()) sendNote({ note: field.value, deal: noteDeal });
  note.returnValue = '';
});

// What was written stays where it is until the host has it.
const sendNote = (message) => server.send(message) || toast(phrase('note_lost'));

// Who reads further up stays there; a card that opens above takes room, and is no reason to stop following.
const isAtEnd = () => one('log').scrollHeight - one('log').scrollTop - one('log').clientHeight < 4;
// What has grown meanwhile is no reason either: only who scrolls goes up.
let scrolledTo = 0;
one('log').addEventListener('scroll', () => {
  const { scrollTop } = one('log');
  if (isAtEnd()) isFollowing = true;
  else if (scrollTop < scrolledTo) isFollowing = false;
  scrolledTo = scrollTop;
});
const following = new ResizeObserver(() => isFollowing && (one('log').scrollTop = one('log').scrollHeight));
for (const part of [one('log'), one('log').lastElementChild]) following.observe(part);

one('open-log').addEventListener('click', toggleLog);
one('open-scores').addEventListener('click', openScores);
one('open-rules').addEventListener('click', openRules);
one('open-note').addEventListener('click', () => openNote());
one('open-note').hidden = isWatching;
one('reader').querySelector('.shut').addEventListener('click', () => (closeReader(), render()));
one('log').querySelector('.shut').addEventListener('click', closeLog);

// ── how I am called to my turn ──

const WORDS_OF_WAYS = {
  awake: ['way_awake', 'way_awake_how'],
  sound: ['way_sound'],
  shake: ['way_shake'],
  notice: ['way_notice', 'way_notice_how'],
};
const callButton = () => listWays().length > 0 && button([draw('bell'), phrase('call_me')], 'calls', openCalls);

function openCalls() {
  const choose = async (way, field) => (field.checked = await signals.choose(way, field.checked));
  const row = (way) => {
    const field = make('input', { type: 'checkbox', checked: signals.has(way), onchange: () => choose(way, field) });
    const [text, about] = WORDS_OF_WAYS[way].map((name) => phrase(name));
    return make('label', { class: 'way' }, field, make('span', {}, text, about && make('small', {}, about)));
  };
  fill(one('calls').querySelector('.words'), ...listWays().map(row));
  one('calls').showModal();
}

// ── keys ──

// One tab stop a place; arrows go on from there.
function rove() {
  document.querySelectorAll('.cards, .board, .chips').forEach((place) => {
    const things = [...place.querySelectorAll('.card, button.tile, button.chip')];
    things.forEach((thing, at) => thing.tabIndex === (at ? -1 : 0) || (thing.tabIndex = at ? -1 : 0));
  });
}

function step(from, key) {
  const here = from.getBoundingClientRect();
  const sign = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const near = [...from.closest('.cards, .board, .chips').querySelectorAll('.card, button.tile, button.chip')]
    .filter((thing) => thing !== from)
    .map((thing) => {
      const there = thing.getBoundingClientRect();
      return { thing, dx: (there.x - here.x) * (isAcross ? sign : 1), dy: (there.y - here.y) * (isAcross ? 1 : sign) };
    })
    .filter(({ dx, dy }) => (isAcross ? dx > 4 && Math.abs(dy) < 8 : dy > 4));
  near.sort((a, b) => (isAcross ? a.dx - b.dx : Math.round(a.dy / 24) - Math.round(b.dy / 24) || Math.abs(a.dx) - Math.abs(b.dx)));
  near[0]?.thing.focus();
}

document.addEventListener('keydown', (event) => {
  if (event.target.matches('input, textarea') || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const may = [...document.querySelectorAll('.may[data-k], .may > .name, .menu .btn:not([aria-disabled])')];
  if (/^[1-9]$/.test(event.key) && may[event.key - 1]) {
    may[event.key - 1].focus();
    if (may[event.key - 1].matches('.may, .may > .name')) may[event.key - 1].click();
  } else if (event.key.startsWith('Arrow') && event.target.matches('.card, .tile, .chip')) {
    event.preventDefault();
    step(event.target, event.key);
  } else if (event.key === 'Enter' && event.target.getAttribute('aria-pressed') === 'true') {
    const main = one('ask').querySelector('.btn.main:not([aria-disabled])');
    if (main) {
      event.preventDefault();
      main.click();
    }
  } else if (event.key === 'Escape') {
    shut();
    chosen = [];
    render();
  } else if (event.key === 'l') toggleLog();
  else if (event.key === 's') openScores();
  else if (event.key === 't') {
    event.preventDefault();
    talk.open();
  }
  else if (event.key === 'u') one('ask').querySelector('[data-k="undo"]')?.click();
  else if (event.key === 'n') {
    event.preventDefault();
    openNote();
  } else if (event.key === '?') openRules();
  else if (event.key === 'q') one('ask').focus();
});

// A new question: what may be chosen is brought into view above the dock, once. Focus stays where it was.
function bringIntoView() {
  const first = document.querySelector('.middle .may');
  if (!first) return;
  if (wide.matches) return void first.scrollIntoView({ block: 'nearest' });
  const place = (first.closest('.mine > section, .grid') ?? first).getBoundingClientRect();
  const { top, bottom } = felt.getBoundingClientRect();
  if (place.height > bottom - top - 20 || place.top < top) felt.scrollBy({ top: place.top - top - 8 });
  else if (place.bottom > bottom) felt.scrollBy({ top: place.bottom - bottom + 12 });
}

for (const query of [wide, phone]) query.addEventListener('change', () => page && (render(), talk.render(), (one('log').scrollTop = one('log').scrollHeight)));
new ResizeObserver(() => document.documentElement.style.setProperty('--dock', `${one('ask').offsetHeight}px`)).observe(one('ask'));
