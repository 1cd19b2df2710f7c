// The words of the pages: `words.toml` has them all, by name.

import { WORDS } from './words.js';

const plurals = new Intl.PluralRules(WORDS.language);

// A sentence with its values; `number` decides which one, where there are several.
export function phrase(name, values = {}) {
  const found = WORDS[name];
  const text = typeof found === 'string' ? found : (found[plurals.select(values.number)] ?? found.other);
  // A value that ends a sentence itself needs no other mark behind it.
  return text.replace(/\{(\w+)\}(\.$)?/g, (_, value, end = '') => values[value] + (/[.!?…]$/.test(values[value]) ? '' : end));
}

export const joined = (names) => (names.length > 1 ? phrase('list', { some: names.slice(0, -1).join(', '), last: names.at(-1) }) : names.join(''));
