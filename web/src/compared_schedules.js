// SPDX-License-Identifier: Apache-2.0
// The schedules of two pages: their numbers side by side, and either step by step.
import { amount, changeRow } from './change.js';
import { element, section, table } from './dom.js';
import { scheduleView } from './schedule_section.js';

/** [what, value of a schedule, whether more is better or less]. */
const kNumbers = [
  ['steps', (s) => s.steps.length, -1],
  ['lower bound of the steps', (s) => s.lower_bound, 0],
  ['messages a step that all channels carry', (s) => s.capacity, 0],
  ['channels in use, % in the mean', (s) => (s.capacity > 0 && s.steps.length > 0
    ? Math.round((1000 * s.steps.reduce((sum, step) => sum + step.busy, 0)) / (s.capacity * s.steps.length)) / 10 : 0), 0],
  ['transfers', (s) => s.steps.reduce((sum, step) => sum + step.transfers.length, 0), 0],
];

const valid = (schedule) => (schedule.valid ? 'yes' : ['NO', 'bad']);

function numbersOf(sides, compared) {
  const [old, fresh] = sides.map(([, schedule]) => schedule);
  if (!compared) {
    const names = sides.map(([when]) => when);
    return table(['', ...names], [['valid', ...sides.map(([, schedule]) => valid(schedule))],
      ...kNumbers.map(([words, value]) => [words, ...sides.map(([, schedule]) => amount(value(schedule)))])]);
  }
  const verdict = old.valid === fresh.valid ? 'same' : fresh.valid ? ['now', 'good'] : ['no more', 'bad'];
  return table(['', 'before', 'after', 'change'], [['valid', valid(old), valid(fresh), verdict],
    ...kNumbers.map(([words, value, better]) => changeRow(words, value(old), value(fresh), better))]);
}

export function comparedSchedules({ schedules }) {
  if (!schedules) return null;
  const sides = [['before', schedules.before], ['after', schedules.after]].filter(([, schedule]) => schedule);
  const compared = sides.length === 2 && schedules.why_not === '';
  const note = sides.length === 2 ? schedules.why_not : `Only the page ${sides[0][0]} has a schedule.`;
  const views = sides.map(([when, schedule]) => ({ when, ...scheduleView(schedule) }));
  for (const view of views) view.host = element('div', { hidden: view !== views[0] }, element('h3', {}, `The schedule ${view.when}`), ...view.parts);
  const buttons = views.map((view, i) => element('button', {
    type: 'button', 'aria-pressed': String(i === 0), onclick: () => views.forEach((one, k) => {
      one.stop();
      one.host.hidden = k !== i;
      buttons[k].setAttribute('aria-pressed', String(k === i));
    }),
  }, view.when === 'before' ? 'Before' : 'After'));
  const host = section('schedule', sides.length === 2 ? 'The schedules, before and after' : 'The schedule',
    note ? element('p', {}, note) : null,
    numbersOf(sides, compared),
    views.length > 1 ? element('div', { class: 'row views' }, element('span', { class: 'switch', role: 'group', 'aria-label': 'Which schedule is shown' }, ...buttons)) : null,
    ...views.map((view) => view.host));
  host.print = (paper) => views.filter((view) => !view.host.hidden).forEach((view) => view.print(paper));
  return host;
}
