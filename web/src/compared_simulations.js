// SPDX-License-Identifier: Apache-2.0
// Latency and accepted load of two pages in one chart: a hue for each simulation, lines with gaps for what was before.
import { amount, change, changeRow, kBefore, kNone } from './change.js';
import { element, number, section, table } from './dom.js';
import { loadCharts, state } from './simulation_section.js';

const kSides = ['before', 'after'];
const kWords = { earlier: ['earlier', 'bad'], later: ['later', 'good'], same: 'same', unknown: 'not told apart' };

/** What tells simulations apart: of several kinds of traffic, and numbers of lanes, these too. */
function namer(simulations) {
  const several = (key) => new Set(simulations.map((one) => one[key])).size > 1;
  const [traffics, lanes] = [several('traffic'), several('lanes')];
  return (one) => `${one.routing}${traffics ? `, ${one.traffic}` : ''}${lanes ? `, ${number(one.lanes)} lanes` : ''}`;
}

const alone = (one) => (one.before && one.after ? '' : `only ${one.before ? 'before' : 'after'}`);

function linesOf(simulations, name) {
  return simulations.flatMap((one, i) => kSides.filter((side) => one[side]).map((side) => ({
    name: `${name(one)}, ${alone(one) || side}`,
    points: one.points.filter((p) => p[side]).map((p) => ({ load: p.load, ...p[side] })),
    // two lines have two hues; of more, those of one simulation are of one hue
    hue: simulations.length > 1 ? i : kSides.indexOf(side),
    mark: simulations.length > 1 ? i : kSides.indexOf(side),
    dashes: side === 'before' ? kBefore : [],
  })));
}

function saturated(side) {
  if (!side) return kNone;
  if (side.stops === null) return `not up to ${number(side.keeps_up)}`;
  return `${number(side.stops)}${side.by === 'saturated' ? '' : ` (${side.by.toUpperCase()})`}`;
}

function rowsOf(one, name) {
  const rows = [[`${name}: saturated at load`, saturated(one.before), saturated(one.after), alone(one) || kWords[one.saturation]]];
  const compared = (index, words, key, better) => {
    if (index === null) return;
    const { load, before, after } = one.points[index];
    rows.push(changeRow(`${name}: ${words} at load ${number(load)}`, before[key], after[key], better));
  };
  compared(one.accepted_at, 'accepted', 'accepted', 1);
  compared(one.latency_at, 'mean latency', 'latency_mean', -1);
  return rows;
}

export function comparedSimulations({ simulations }) {
  if (simulations.length === 0) return null;
  const name = namer(simulations);
  const numbers = simulations.flatMap((one) => one.points.map(({ load, before, after }) => [name(one), number(load),
    ...['accepted', 'latency_mean'].flatMap((key) => [amount(before?.[key]), amount(after?.[key]), change(before?.[key], after?.[key])]),
    amount(before?.latency_p99), amount(after?.latency_p99), ...[before, after].map((point) => (point && state(point) ? [state(point), 'bad'] : ''))]));
  const traffics = new Set(simulations.map((one) => one.traffic));
  return section('simulation', 'Simulated, before and after',
    element('p', { class: 'dim' }, `Flit by flit${traffics.size === 1 ? `, under ${simulations[0].traffic} traffic` : ''}. Compared are simulations of one routing under one kind of traffic on as many lanes, `
      + 'at loads that both have; saturation is not told apart where other loads leave it open. Lines with gaps are before. A latency is missing where packets were left behind.'),
    ...loadCharts(linesOf(simulations, name)),
    table(['', 'before', 'after', 'change'], simulations.flatMap((one) => rowsOf(one, name(one)))),
    element('details', {}, element('summary', {}, 'All numbers'),
      table(['routing', 'load', 'accepted before', 'after', 'change', 'mean latency before', 'after', 'change', '99 % latency before', 'after', 'before', 'after'], numbers)));
}
