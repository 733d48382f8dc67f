// SPDX-License-Identifier: Apache-2.0
// Numbers of two networks and their routings side by side: before, after, and what that makes.
import { changeRow } from './change.js';
import { element, section, table } from './dom.js';

/** Whether less is better of a number of a routing, or more. */
const kOfRoutings = [
  ['busiest channel', 'max_load', -1], ['mean load', 'mean_load', -1], ['mean hops', 'mean_hops', -1], ['most hops', 'max_hops', -1],
  ['lanes', 'lanes', -1], ['lost pairs', 'lost_pairs', -1], ['effective bisection bandwidth', 'effective_bisection_bandwidth', 1]];

function side(title, { title: heading, fabric, fail, date, version, command, summary }) {
  const where = `${heading || fabric}${fail ? ` without ${fail}` : ''}${date ? `, ${date}` : ''}, Unknot ${version}`;
  return element('div', {}, element('h3', {}, title), element('p', {}, where),
    command ? element('pre', {}, command) : null, ...summary.map((sentence) => element('p', { class: 'dim' }, sentence)));
}

export function compareSection({ compare, routings }) {
  if (!compare) return null;
  const { before, after } = compare;
  const rows = [['routers'], ['terminals'], ['channels'], ['diameter', -1], ['mean_hops', -1]].map(([key, better]) =>
    changeRow(key.replace('_', ' '), before[key], after[key], better));
  for (const old of routings.filter((one) => one.name.endsWith(' (before)'))) {
    const name = old.name.slice(0, -' (before)'.length);
    const fresh = routings.find((one) => one.name === `${name} (after)`);
    if (!fresh || old.failure !== undefined || fresh.failure !== undefined) continue;
    rows.push([`${name}: deadlock`, ...[old, fresh].map((one) => (one.deadlock_free ? 'free' : ['possible', 'bad'])), old.deadlock_free === fresh.deadlock_free ? 'same' : '']);
    for (const [words, key, better] of kOfRoutings) {
      if (typeof old[key] === 'number') rows.push(changeRow(`${name}: ${words}`, old[key], fresh[key], better));
    }
  }
  return section('compare', 'What has changed', table(['', 'before', 'after', 'change'], rows),
    element('div', { class: 'charts' }, side('Before', before), side('After', after)));
}
