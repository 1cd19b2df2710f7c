// A batch of events becomes moves between the page before and the page after, which is the truth. The server never waits
// for it and is never told that a move has ended: that would be a clock by which others learn what this seat saw.

export const TIME = {
  move: (px) => Math.max(180, Math.min(420, 120 + 0.35 * px)), // one card, by its way
  sweep: 380, // cards that go together
  stagger: 60, // between them: five at most, more go as one
  atOnce: 5,
  close: 180, // the others of a hand close up
  gap: 90, // between two moves
  read: 2600, // what is turned face up stands for so long
  said: 5000, // and so long if the rules say something of it; so does the end of a game, before who won
  hold: 1100, // a card that came is seen for so long before it leaves, however much waits
  cap: 4000, // all moves that wait; were they to take longer, each is played up to twice as fast
  behind: 8000, // more than that is not played: the last page stands there at once
  kept: 8, // batches that can be looked at again
};
const EASE = 'cubic-bezier(.2,.7,.2,1)';
const calm = matchMedia('(prefers-reduced-motion: reduce)');

// ── what lies where, while one page becomes the next ──

const findPlace = (page, key) => [page.mine, page.table, ...page.others.map((other) => other.places)].flat().find((place) => place.key === key && place.cards);

function take(place, title, times) {
  const at = place.cards.findIndex((card) => (title === undefined ? card.back : card.title === title));
  if (at >= 0) {
    place.cards[at].times -= times;
    if (place.cards[at].times < 1) place.cards.splice(at, 1);
  }
  if (at < 0 || title === undefined) place.hidden = Math.max(0, (place.hidden ?? 0) - times);
  if (typeof place.count === 'number') place.count = Math.max(0, place.count - times);
}

function give(place, face, times) {
  const same = place.cards.find((card) => card.title === face?.title && !card.back && (card.changed ?? '') === (face.changed ?? ''));
  if (!face) place.hidden = (place.hidden ?? 0) + times;
  else if (same) same.times += times;
  else place.cards.push({ ...face, times });
  if (typeof place.count === 'number') place.count += times;
}

// Who knew which cards lay there sees them as before.
function turnUp(place, faces) {
  let covered = (place.hidden ?? 0) + place.cards.filter((card) => card.back).reduce((sum, card) => sum + card.times, 0);
  for (const { times, ...face } of faces) {
    const turned = Math.min(times, covered);
    if (turned < 1) return;
    take(place, undefined, turned);
    give(place, face, turned);
    covered -= turned;
  }
}

export function apply(page, beat) {
  if (beat.shown) {
    const place = findPlace(page, beat.shown);
    if (place) turnUp(place, beat.cards);
    return;
  }
  const [from, to] = [findPlace(page, beat.from), findPlace(page, beat.to)];
  for (const { times, ...face } of beat.cards) {
    if (from) take(from, face.title, times);
    if (to) give(to, face, times);
  }
  if (beat.count && from) take(from, undefined, beat.count);
  if (beat.count && to) give(to, null, beat.count);
}

// Moves of one sort that follow each other go together, and so does what is turned face up.
export function group(beats) {
  const groups = [];
  for (const beat of beats) {
    const last = groups.at(-1)?.[0];
    const isSame = last && (beat.shown ? last.shown : !last.shown && beat.how === last.how && (beat.to === last.to || (beat.from === last.from && !beat.cards.length)));
    if (isSame) groups.at(-1).push(beat);
    else groups.push([beat]);
  }
  return groups;
}

// A page on which nothing can be chosen: what is asked shows when the moves have been played.
function still(page) {
  const { ask, over, ...rest } = structuredClone(page);
  return { ...rest, undo: null, moving: true };
}

// ── the moves ──

const isShown = (one) => one.getClientRects().length > 0;
const places = (key) => [...document.querySelectorAll(`[data-place="${CSS.escape(key)}"]`)].filter(isShown);
const findFace = (key, title) => places(key).flatMap((one) => [...one.querySelectorAll(`[data-face="${CSS.escape(title)}"]`)]).find(isShown);
// A place that is out of sight is where its seat is.
const findAnchor = (key) => places(key)[0] ?? [...document.querySelectorAll('[data-seat]')].find((one) => isShown(one) && key.startsWith(`${one.dataset.seat}.`));
const measure = () => new Map([...document.querySelectorAll('.mine [data-face]')].filter(isShown).map((one) => [nameFace(one), one.getBoundingClientRect()]));
const nameFace = (one) => `${one.closest('[data-place]')?.dataset.place}|${one.dataset.face}`;

const measureNow = (before, goals) => [...document.querySelectorAll('.mine [data-face]')].filter((one) => before.has(nameFace(one)) && !goals.has(one)).map((one) => [one, before.get(nameFace(one)), one.getBoundingClientRect()]);

// All is measured before anything moves: whoever asks for a rectangle between two animations makes the page lay itself out anew.
const closeUp = (measured, speed) =>
  measured.filter(([, old, now]) => now.width && (old.x !== now.x || old.y !== now.y)).map(([one, old, now]) => one.animate([{ transform: `translate(${old.x - now.x}px, ${old.y - now.y}px)` }, { transform: 'none' }], { duration: TIME.close / speed, easing: EASE }));

const middle = (place) => [place.x + place.width / 2, place.y + place.height / 2];

function makeGhost(start, from, face) {
  const ghost = from?.cloneNode(true) ?? document.createElement('span');
  ghost.classList.add('ghost');
  if (!from) {
    ghost.classList.add(face ? 'printed' : 'covered');
    ghost.textContent = face?.title ?? '';
    if (face?.colour) ghost.dataset.colour = face.colour;
  }
  ghost.removeAttribute('data-k');
  ghost.ariaHidden = 'true';
  const width = from ? Math.min(start.width, 120) : 44;
  const [x, y] = middle(start);
  Object.assign(ghost.style, { left: `${x - width / 2}px`, top: `${y - 30}px`, width: `${width}px` });
  return ghost;
}

// Cards that lie open at their goal fly there themselves; others as a copy, into the place or the seat.
function flyAll(moves, starts, before, speed) {
  const shown = moves.slice(0, TIME.atOnce);
  const goals = shown.map(({ to, face }) => (face && findFace(to, face.title)) || null);
  const ends = shown.map(({ to }, at) => (goals[at] ?? findAnchor(to))?.getBoundingClientRect());
  const others = measureNow(before, new Set(goals));
  const flights = [];
  shown.forEach(({ ghost }, at) => {
    const [goal, start, end] = [goals[at], starts[at], ends[at]];
    if (!start || !end) return;
    const [dx, dy] = [middle(start)[0] - middle(end)[0], middle(start)[1] - middle(end)[1]];
    const timing = { duration: (moves.length > 1 ? TIME.sweep : TIME.move(Math.hypot(dx, dy))) / speed, delay: (at * TIME.stagger) / speed, easing: EASE };
    if (goal) {
      const scale = Math.min(1, Math.max(0.3, start.width / end.width));
      const flight = goal.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: 'none' }], { ...timing, fill: 'backwards' });
      goal.classList.add('flying');
      flight.onfinish = flight.oncancel = () => goal.classList.remove('flying');
      flights.push(flight);
      return;
    }
    document.getElementById('air').append(ghost);
    const flight = ghost.animate([{ transform: 'none', opacity: 1 }, { transform: `translate(${-0.9 * dx}px, ${-0.9 * dy}px) scale(.5)`, opacity: 1, offset: 0.85 }, { transform: `translate(${-dx}px, ${-dy}px) scale(.4)`, opacity: 0 }], { ...timing, fill: 'both' });
    flight.onfinish = flight.oncancel = () => ghost.remove();
    flights.push(flight);
  });
  return [...flights, ...closeUp(others, speed)];
}

const listMoves = (beats) => beats.flatMap(({ from, to, cards, count }) => [...cards.map((face) => ({ from, to, face })), ...(count ? [{ from, to, face: null }] : [])]);

// `show(page)` draws a page; the last one is drawn as it came.
export function makePlayer(show) {
  const queue = [];
  const came = new Map(); // when a card came to where it lies
  let isBusy = false;
  let isSkipped = false;
  let isStopped = false;
  let flights = [];
  let wake = null;
  let latest = null; // what was played, or passed over, last: the page before it, and what came
  let missed = 0;

  const pause = (ms) =>
    isSkipped || ms <= 0 ? Promise.resolve() : new Promise((done) => {
      const timer = setTimeout(() => wake(), ms);
      wake = () => (clearTimeout(timer), (wake = null), done());
    });

  function skip() {
    if (!isBusy) return;
    isSkipped = true;
    flights.forEach((flight) => flight.finish());
    wake?.();
  }

  // How long the moves of all that waits take; what is only read comes on top.
  const estimate = () => queue.reduce((sum, { beats }) => sum + group(beats).length * (TIME.sweep + TIME.gap), 0);

  async function step(working, beats, speed, boards) {
    const moves = listMoves(beats.filter((beat) => !beat.shown));
    const found = moves.map(({ from, face }) => (face && findFace(from, face.title)) || null);
    const starts = moves.map(({ from }, at) => (found[at] ?? findAnchor(from))?.getBoundingClientRect());
    if (!calm.matches) moves.forEach((move, at) => starts[at] && (move.ghost = makeGhost(starts[at], found[at], move.face)));
    const before = measure();
    beats.forEach((beat) => apply(working, beat));
    // What is turned up on a board is read there.
    if (beats[0].shown && boards) working.grids = boards;
    working.said = beats.findLast((beat) => beat.said)?.said;
    show(working);
    if (!calm.matches) {
      flights = flyAll(moves, starts, before, speed);
      await Promise.race([Promise.all(flights.map((flight) => flight.finished.catch(() => {}))), pause(2000)]);
      wake?.();
      flights = [];
    }
    for (const beat of beats) for (const { title } of beat.cards) if (findFace(beat.to ?? beat.shown, title)) came.set(`${beat.to ?? beat.shown}|${title}`, performance.now());
    await pause(TIME.gap / speed);
  }

  const holdFor = (beats) => {
    const since = beats.flatMap((beat) => beat.cards.map(({ title }) => came.get(`${beat.from}|${title}`) ?? -Infinity));
    return Math.max(...since, -Infinity) + TIME.hold - performance.now();
  };

  async function run(first, isAgain = false) {
    let now = first;
    isBusy = true;
    [isSkipped, isStopped] = [false, false];
    let isPassed = false;
    try {
      while (queue.length && !isSkipped) {
        const left = estimate();
        isPassed = document.hidden || (left > TIME.behind && !isAgain);
        if (isPassed) break;
        const speed = Math.min(2, Math.max(1, left / TIME.cap));
        const { page, beats, lines } = queue.shift();
        const working = { ...still(now), lines };
        for (const part of group(beats)) {
          await pause(holdFor(part));
          if (isSkipped) break;
          await step(working, part, speed, page.grids);
          if (part[0].shown) await pause((part.some((beat) => beat.said) ? TIME.said : TIME.read) / speed);
        }
        if (page.over && !now.over && !isSkipped) {
          show({ ...still(page), round: now.round, lines, ending: true });
          await pause(TIME.said);
        }
        now = page;
      }
    } finally {
      if (isPassed || document.hidden) missed += queue.reduce((sum, { beats }) => sum + beats.length, 0);
      const last = queue.at(-1)?.page ?? (isStopped ? null : now);
      queue.length = 0;
      isBusy = false;
      const before = measure();
      if (last) show(last);
      if (!calm.matches && !isSkipped && !isPassed) closeUp(measureNow(before, new Set()), 1);
      if (document.getElementById('air')) document.getElementById('air').replaceChildren();
      if (came.size > 400) came.clear();
    }
  }

  function keep(part) {
    latest.parts.push(part);
    if (latest.parts.length > TIME.kept) latest.before = latest.parts.shift().page;
  }

  function halt() {
    isStopped = isBusy;
    skip();
    queue.length = 0;
  }

  return {
    skip,
    isBusy: () => isBusy,
    missed: () => missed,
    // Plays what led to a page, of which these lines of the log tell; `before` is the page that is shown now.
    add(before, page, beats, lines) {
      // What comes while nobody looks is looked at again in one.
      if (!isBusy && !(document.hidden && missed)) [latest, missed] = [{ before, parts: [] }, 0];
      keep({ page, beats, lines });
      queue.push({ page, beats, lines });
      if (!isBusy) run(before);
    },
    again() {
      if (isBusy || !latest) return;
      missed = 0;
      came.clear();
      queue.push(...latest.parts);
      run(latest.before, true);
    },
    // The same game, as it stands after a break: what was missed before can still be looked at, and ends here.
    comeBack(page) {
      const isKept = latest && missed > 0;
      if (isKept) keep({ page, beats: [] });
      halt();
      if (!isKept) [latest, missed] = [null, 0];
    },
    // Something else is the truth now.
    stop() {
      halt();
      [latest, missed] = [null, 0];
    },
  };
}
