// SPDX-License-Identifier: Apache-2.0
// What a number was and is, and what that makes, for tables.
import { number } from './dom.js';

const kMinus = '\u2212';
export const kNone = '\u2013';
/** Lines of what was; what is has lines without a gap. */
export const kBefore = [5, 4];

const isNumber = (value) => typeof value === 'number';

export function change(before, after) {
  if (!isNumber(before) || !isNumber(after)) return '';
  const difference = after - before;
  if (difference === 0) return 'same';
  const sign = difference > 0 ? '+' : kMinus;
  const share = before !== 0 ? ` (${sign}${number(Math.round((1000 * Math.abs(difference)) / before) / 10)} %)` : '';
  return `${sign}${number(Math.abs(difference))}${share}`;
}

export const amount = (value) => (isNumber(value) ? number(value) : kNone);

/** Cells of a table; `better` is 1 where more is better, -1 where less is, 0 where neither. */
export function changeRow(name, before, after, better = 0) {
  const words = change(before, after);
  const rises = isNumber(before) && isNumber(after) ? Math.sign(after - before) : 0;
  return [name, amount(before), amount(after), rises === 0 || better === 0 ? words : [words, rises === better ? 'good' : 'bad']];
}
