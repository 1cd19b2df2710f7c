// The sheet of points: how many everybody has, and how many after each round.

import { authored } from './faces.js';
import { make } from './link.js';
import { phrase } from './phrases.js';

const cell = (text, change) => make('td', {}, text, change && make('small', {}, change));

export function drawScores({ columns, rows, counted, rounds }, me) {
  const who = (name) => make('th', { scope: 'col', class: name === me ? 'me' : undefined }, name === me ? phrase('you') : name);
  const parts = [];
  if (!rounds.length || columns.length > 1) {
    parts.push(
      make(
        'table',
        { class: 'points' },
        make('thead', {}, make('tr', {}, make('td', {}), ...columns.map((title) => authored('th', { scope: 'col' }, title)))),
        make('tbody', {}, ...rows.map(([name, points]) => make('tr', { class: name === me ? 'me' : undefined }, make('th', { scope: 'row' }, name === me ? phrase('you_name', { name }) : name), ...points.map((text) => cell(text))))),
      ),
    );
  }
  if (rounds.length) {
    parts.push(
      make(
        'table',
        { class: 'points rounds' },
        make('caption', {}, phrase('after_rounds', { what: counted[0].toUpperCase() + counted.slice(1) })),
        make('thead', {}, make('tr', {}, make('td', {}), ...rows.map(([name]) => who(name)))),
        make('tbody', {}, ...rounds.map(({ title, points, changes }) => make('tr', {}, make('th', { scope: 'row' }, title), ...points.map((text, at) => cell(text, changes[at]))))),
      ),
    );
  }
  return parts;
}
