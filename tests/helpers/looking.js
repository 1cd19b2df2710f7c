// Measures a page of a table as somebody sees it.
() => {
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part /= 255) <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const read = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const chain = (one) => { const all = []; for (; one; one = one.parentElement) all.push(one); return all; };
  const ground = (all) => {
    let found = [255, 255, 255];
    const layers = [];
    for (const one of all) {
      const colour = read(getComputedStyle(one).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] > .99) break;
    }
    for (const layer of layers.reverse()) found = [0, 1, 2].map((at) => layer[at] * layer[3] + found[at] * (1 - layer[3]));
    return found;
  };
  const isSeen = (one) => {
    const place = one.getBoundingClientRect();
    return place.width > 1 && place.height > 1 && one.checkVisibility({ visibilityProperty: true }) && !one.closest('[hidden], .say, .skip, .air, dialog:not([open])');
  };
  const name = (one) => (one.getAttribute('aria-label') || one.textContent || one.className).trim().slice(0, 32);
  const found = { contrast: 99, pale: [], font: 99, tiny: [], small: [], wide: [], cut: [], empty: [], covered: 0 };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.nodeValue.trim();
    const one = walker.currentNode.parentElement;
    if (!text || !isSeen(one) || one.closest('[disabled]')) continue;
    const style = getComputedStyle(one), size = parseFloat(style.fontSize), all = chain(one);
    if (size < found.font) found.font = size;
    if (size < 11) found.tiny.push(text.slice(0, 24));
    const seen = all.reduce((product, part) => product * getComputedStyle(part).opacity, 1);
    const below = ground(all), ink = read(style.color);
    const part = ink[3] * seen, mixed = [0, 1, 2].map((at) => ink[at] * part + below[at] * (1 - part));
    const [dark, bright] = [light(mixed), light(below)].sort((a, b) => a - b);
    const contrast = (bright + .05) / (dark + .05);
    found.contrast = Math.min(found.contrast, contrast);
    if (contrast < 4.5) found.pale.push(`${text.slice(0, 24)} ${contrast.toFixed(2)}`);
  }
  // A control may be touched around what is drawn of it; with a mouse smaller ones do.
  const least = innerWidth >= 1080 ? 24 : 43.5;
  const reach = (one, x, y, dx, dy) => {
    let far = 0;
    while (far < 44 && one.contains(document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1)))) far += 1;
    return far;
  };
  // What reaches over the edge of what scrolls can be scrolled to: nothing is to be read from how much of it is there.
  const isWhole = (one, place) => {
    for (let box = one.parentElement; box; box = box.parentElement) {
      const edge = box.getBoundingClientRect();
      if (getComputedStyle(box).overflowY !== 'visible' && (place.top - 4 < edge.top || place.bottom + 4 > edge.bottom)) return false;
    }
    return true;
  };
  // Words within a sentence are as high as their line.
  for (const one of document.querySelectorAll('button, a[href], input, textarea, select, [role=button]')) {
    if (!isSeen(one) || one.matches('.named, [disabled]')) continue;
    const place = one.getBoundingClientRect();
    if ((place.right > innerWidth + 1 || place.left < -1) && !one.closest('.grid')) found.wide.push(name(one));
    if (place.width >= least && place.height >= least) continue;
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    const isWithin = place.top >= 60 && place.bottom <= innerHeight - 60 && isWhole(one, place) && one.contains(document.elementFromPoint(x, y));
    if (!isWithin) continue;
    const across = Math.max(place.width, reach(one, x, y, -1, 0) + reach(one, x, y, 1, 0) + 1);
    const along = Math.max(place.height, reach(one, x, y, 0, -1) + reach(one, x, y, 0, 1) + 1);
    if (across < least || along < least) found.small.push(`${name(one)} (${one.className}) ${Math.round(across)}×${Math.round(along)}`);
  }
  for (const one of document.querySelectorAll('.card .title, .tile .title, .btn, .prompt, .hint, .chip, .card .text, .aim, .seat .name > span:first-child')) {
    if (!isSeen(one) || !one.textContent.trim()) continue;
    const box = one.closest('.card, .tile'), place = one.getBoundingClientRect();
    const isOut = box && (place.bottom > box.getBoundingClientRect().bottom + 1 || place.right > box.getBoundingClientRect().right + 1);
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline' || isOut) found.cut.push(`${one.className}: ${name(one)}`);
  }
  for (const one of document.querySelectorAll('.common > *, .mine > *, .holds, .row, .noted > div')) if (one.checkVisibility() && !one.textContent.trim() && !one.querySelector('svg, img, .hole, .back, .card')) found.empty.push(one.className);
  const dock = document.getElementById('ask'), felt = document.querySelector('main');
  const stand = dock?.getBoundingClientRect();
  found.dock = stand ? stand.height : 0;
  found.gap = stand && felt && getComputedStyle(felt).display !== 'contents' ? stand.top - felt.getBoundingClientRect().bottom : 0;
  found.beside = stand && felt ? stand.left >= felt.getBoundingClientRect().right - 1 && stand.left > 0 : false;
  found.covered = stand ? [...document.querySelectorAll('main .may')].filter((one) => {
    const box = felt.getBoundingClientRect().height ? felt : one.closest('.middle > *, .seats');
    const [place, table] = [one, box].map((part) => part.getBoundingClientRect());
    const bottom = Math.min(place.bottom, table.bottom);
    return bottom > place.top && bottom > stand.top + 1 && place.right > stand.left + 1 && place.left < stand.right - 1;
  }).length : 0;
  found.wider = Math.max(0, document.documentElement.scrollWidth - innerWidth);
  found.scrolls = felt ? felt.scrollHeight - felt.clientHeight : 0;
  found.rolls = dock ? dock.scrollHeight - dock.clientHeight : 0;
  return found;
}
