// SPDX-License-Identifier: Apache-2.0
// Names shortened so that they still differ.

/** What all names begin with, up to where a word or a number ends; '' of a single name. */
export function commonStart(names) {
  if (names.length < 2) return '';
  let length = names[0].length;
  for (const name of names) {
    let i = 0;
    while (i < length && i < name.length && name[i] === names[0][i]) ++i;
    length = i;
  }
  const start = names[0].slice(0, length);
  return start.slice(0, start.search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u) + 1);
}

/** What all names end with, from where a word or a number begins; '' of a single name. */
export function commonEnd(names) {
  if (names.length < 2) return '';
  let length = names[0].length;
  for (const name of names) {
    let i = 0;
    while (i < length && i < name.length && name.at(-1 - i) === names[0].at(-1 - i)) ++i;
    length = i;
  }
  const end = names[0].slice(names[0].length - length);
  const from = end.search(/[^\p{L}\p{N}]/u);
  return from < 0 ? '' : end.slice(from);
}

const kShortest = 3;

/**
 * For so many characters, a label for each name: whole, or without what all begin and end with, or its beginning or end,
 * whichever tells most apart. '' where two would read the same: nothing is better than a wrong name.
 */
export function labelMaker(names) {
  const start = commonStart(names);
  const end = commonEnd(names);
  const rest = names.map((name) => name.slice(start.length, Math.max(start.length, name.length - end.length)) || name);
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  const made = new Map();
  const shortened = (text, room, end) =>
    text.length <= room ? text : end ? `\u2026${text.slice(text.length - room + 1)}` : `${text.slice(0, room - 1)}\u2026`;
  const unlike = (labels) => {
    const seen = new Map();
    for (const label of labels) seen.set(label, (seen.get(label) ?? 0) + 1);
    return labels.map((label) => (seen.get(label) > 1 ? '' : label));
  };
  return (characters) => {
    const room = Math.max(kShortest, Math.min(characters, longest));
    if (!made.has(room)) {
      const ways = room >= longest ? [names] : [rest.map((name) => shortened(name, room, false)), rest.map((name) => shortened(name, room, true))];
      const told = ways.map(unlike);
      const count = (labels) => labels.reduce((sum, label) => sum + (label !== '' ? 1 : 0), 0);
      made.set(room, told.reduce((best, next) => (count(next) > count(best) ? next : best)));
    }
    return made.get(room);
  };
}
