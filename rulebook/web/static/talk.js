// What people say across the table: whoever sits there writes a line, and all pages of the table show it. Of the game it
// knows nothing. Lines are text, whatever stands in them.

import { fill, make } from './link.js';
import { phrase } from './phrases.js';

const one = (id) => document.getElementById(id);
const SHOWN = 6000; // milliseconds
const READ = 'talk read';

// `close` closes what else lies over the table; `say` reads aloud.
export function makeTalk({ send, say, isWide, isWatching, close }) {
  const part = one('talk');
  const field = part.querySelector('input');
  const box = part.querySelector('.lines');
  const heard = one('heard');
  let lines = [];
  let read = Number(sessionStorage.getItem(READ) ?? 0);
  let hiding = 0;

  const isOpen = () => part.classList.contains('open');
  const isSeen = () => (isWide() ? part.offsetParent !== null : isOpen()) && !document.hidden;
  const toEnd = () => (box.scrollTop = box.scrollHeight);

  function hear(said, isWhole) {
    if (isWhole) lines = said;
    else lines.push(...said);
    const last = lines.at(-1)?.number ?? 0;
    if (read > last) read = 0; // the server was started again
    const theirs = isWhole ? undefined : said.findLast((line) => !line.own);
    if (said.some((line) => line.own) && !isWhole) field.value = '';
    if (theirs && isSeen() && !isWide()) say(phrase('talk_line', theirs));
    else if (theirs) show(theirs);
    render();
    toEnd();
  }

  // Seen for a while, and read aloud; who touches it answers.
  function show(line) {
    fill(heard, make('b', {}, line.name), ' ', line.text);
    clearTimeout(hiding);
    hiding = setTimeout(() => fill(heard), SHOWN);
  }

  function render() {
    if (isSeen()) markRead();
    const unread = lines.filter((line) => line.number > read && !line.own).length;
    const empty = make('p', { class: 'quiet' }, phrase(isWatching ? 'talk_watching' : 'talk_none'));
    fill(box, ...(lines.length ? lines.map(drawLine) : [empty]));
    one('open-talk').querySelector('.new').hidden = !unread;
    one('open-talk').setAttribute('aria-label', phrase(unread ? 'talk_new' : 'talk', { number: unread }));
  }

  function markRead() {
    read = lines.at(-1)?.number ?? 0;
    sessionStorage.setItem(READ, read);
  }

  // A name stands once above what somebody says in one go.
  function drawLine(line, at) {
    const isNew = lines[at - 1]?.name !== line.name;
    return make('p', { class: line.own ? 'own' : undefined }, isNew && make('b', {}, line.own ? phrase('you') : line.name), make('span', {}, line.text));
  }

  function open() {
    close();
    part.classList.add('open');
    fill(heard);
    render();
    toEnd();
    if (matchMedia('(pointer: fine)').matches) field.focus();
  }

  function shut() {
    part.classList.remove('open');
    part.querySelector('.called')?.remove();
  }

  part.querySelector('form').hidden = isWatching;
  part.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    if (!send({ say: field.value })) show({ name: '', text: phrase('talk_lost') });
  });
  field.addEventListener('keydown', (event) => event.key === 'Escape' && (shut(), field.blur()));
  part.querySelector('.shut').addEventListener('click', shut);
  heard.addEventListener('click', open);
  one('open-talk').addEventListener('click', () => (isOpen() ? shut() : open()));
  document.addEventListener('visibilitychange', () => document.hidden || render());
  render();
  return { hear, open, shut, render };
}
