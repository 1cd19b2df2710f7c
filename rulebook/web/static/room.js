// Before the first card is dealt, and after the last one has been played: who is here, who won and why.

import { make } from './link.js';
import { joined, phrase } from './phrases.js';
import { drawScores } from './scores.js';

// `rename` sends the name that somebody has typed.
export function drawRoom(room, seats, rename) {
  const title = phrase(room.missing.length ? 'missing' : 'everybody_here', { number: room.missing.length, names: joined(room.missing) });
  return [
    make('h2', {}, title),
    room.aim && make('p', { class: 'aim', lang: room.language || undefined }, room.aim),
    make('ul', { class: 'folk' }, ...seats.map((seat) => drawPerson(seat, room, rename))),
  ];
}

function drawPerson(seat, room, rename) {
  const isMe = seat.name === room.you;
  const state = phrase(seat.bot ? 'bot' : seat.here ? 'here' : 'unopened');
  const isAsked = isMe && room.is_nameless;
  return make('li', { class: seat.bot || seat.here ? 'here' : '' }, make('i', { class: 'lamp' }), make('span', { class: 'who' }, isMe ? phrase(isAsked ? 'you' : 'you_name', seat) : seat.name), isAsked ? nameForm(rename) : make('span', { class: 'st' }, state));
}

function nameForm(rename) {
  const field = make('input', { 'aria-label': phrase('your_name'), placeholder: phrase('your_name'), maxlength: 30, autocomplete: 'off', 'data-k': 'my-name' });
  const send = (event) => {
    event.preventDefault();
    const name = event.target.querySelector('input').value.trim(); // the one that stands there, not the one drawn last
    if (name) rename(name);
  };
  return make('form', { class: 'my-name', onsubmit: send }, field, make('button', { type: 'submit', class: 'btn small', 'data-k': 'keep-name' }, phrase('take_name')));
}

export function drawEnd(over, me, scores) {
  const won = over.winners.includes(me);
  return [
    make('div', { class: 'crowned' }, make('h2', {}, won && over.winners.length === 1 ? phrase('you_win') : over.result), over.why && make('p', {}, over.why)),
    make('ol', { class: 'ranks' }, ...over.standings.map((standing) => drawStanding(standing, me))),
    ...(scores && (scores.rounds.length || scores.columns.length > 1) ? drawScores(scores, me) : []),
  ];
}

function drawStanding([place, name, score, isMember], me) {
  const marks = [name === me && 'me', isMember && 'member'].filter(Boolean).join(' ');
  return make('li', { class: marks || undefined }, make('span', { class: 'pl' }, place ? `${place}.` : ''), make('b', {}, name === me ? phrase('you_name', { name }) : name), make('span', { class: 'sc' }, score));
}
