// What a card looks like: signs, its picture, its back. Each sign has its word in the label that is read out.

import { GLYPHS } from './glyphs.js';
import { draw, make } from './link.js';
import { phrase } from './phrases.js';

// The language of what the author worded, for hyphens and for those who listen: `lang`, where the rulebook says it.
let language;
export const setLanguage = (name) => (language = name || undefined);
export const worded = (element) => {
  if (language) element.lang = language;
  else element.removeAttribute('lang');
  return element;
};
export const authored = (tag, properties, ...children) => make(tag, { lang: language, ...properties }, ...children);

const SPACE = 'http://www.w3.org/2000/svg';

function drawShape(box, name, tag, properties, text = '') {
  const [svg, shape] = ['svg', tag].map((sort) => document.createElementNS(SPACE, sort));
  for (const [key, value] of Object.entries({ viewBox: box, class: `sign ${name}`, 'aria-hidden': 'true' })) svg.setAttribute(key, value);
  for (const [key, value] of Object.entries(properties)) shape.setAttribute(key, value);
  shape.textContent = text;
  svg.append(shape);
  return svg;
}

// `{glyph}`, `{letters}` or `{file}`; nothing of nothing.
export function drawSign(sign, name = '') {
  if (!sign) return null;
  if (sign.letters) return make('span', { class: `sign ${name}`, 'aria-hidden': 'true' }, sign.letters);
  if (sign.file) return make('img', { class: `sign ${name}`, src: sign.file, alt: '' });
  return drawShape('0 0 24 24', name, 'path', { d: GLYPHS[sign.glyph] ?? '', 'fill-rule': 'evenodd' });
}

// Letters in a box of hundredths of what they stand on, with which they grow. (A card that is a container with units of
// its own costs a phone ten times the layout.)
export function drawLetters(text, width, height, name = '') {
  const size = Math.min(height, (1.42 * width) / text.length);
  return drawShape(`0 0 ${width} ${height}`, `letters ${name}`, 'text', { x: width / 2, y: height / 2 + 0.36 * size, 'font-size': size }, text);
}
const drawGrown = (sign, width, height, name) => (sign?.letters ? drawLetters(sign.letters, width, height, name) : drawSign(sign, name));

export function drawCorner(face) {
  if (face.dots) return make('span', { class: 'corner', 'aria-hidden': 'true' }, ...face.dots.map((sign) => drawSign(sign)));
  return face.corner ? make('span', { class: 'corner', 'aria-hidden': 'true' }, ...face.corner.map((sign) => drawSign(sign))) : null;
}

// The inside of a card: small where its corner tells all, with its picture where it has one, else in words.
export function drawFace(face, hasKinds, isSmall) {
  if (face.dots) return face.dots.map((sign) => drawSign(sign, 'dots'));
  if (isSmall) {
    const signs = face.corner.filter((sign) => !sign.letters);
    return [make('span', { class: 'corner', 'aria-hidden': 'true' }, ...face.corner.map((sign) => drawGrown(sign, 48, 38))), drawGrown(signs.at(-1) ?? face.middle, 48, 48, 'pip')];
  }
  const words = [
    make('span', { class: 'title', lang: face.title && language }, face.title ?? face.spot ?? phrase('unknown')),
    face.changed && authored('span', { class: 'changed' }, face.changed),
    face.text && authored('span', { class: 'text' }, face.text),
    face.attributes && authored('span', { class: 'attrs' }, face.attributes),
  ];
  if (face.picture) return [make('img', { class: 'picture', src: face.picture, alt: '' }), drawCorner(face), ...words];
  // A sign in the corner says what the middle one would say again.
  const sign = face.corner ? null : drawSign(face.middle);
  const head = (face.corner || sign || (hasKinds && face.kind)) && make('span', { class: 'kind' }, drawCorner(face), sign, hasKinds && face.kind && authored('span', {}, face.kind));
  return [head, ...words];
}

export const formOf = (face, isSmall) => (face.dots ? ' small die' : isSmall ? ' small' : face.picture ? ' pictured' : face.text || face.attributes || face.changed ? '' : ' bare');

// The first sign of a card, before its name in a line of words.
export const drawMark = (face) => drawSign(face.corner?.find((sign) => sign.glyph || sign.file) ?? face.middle ?? null);

// A card in the middle: as small as it can be told.
export function drawPlayed(face) {
  if (face.dots || face.small || face.picture) return drawFace(face, false, face.small);
  return [drawCorner(face), !face.corner && drawSign(face.middle), authored('span', { class: 'title' }, face.title)];
}

export const drawCheck = () => make('span', { class: 'mark', 'aria-hidden': 'true' }, draw('check'));
