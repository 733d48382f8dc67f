// SPDX-License-Identifier: Apache-2.0
// Candidates for a network side by side: a picture of any two of their numbers, bars of each, and a table to sort.
import { max, min } from 'd3-array';
import { scaleBand, scaleLinear, scaleLog } from 'd3-scale';
import { symbol, symbolsStroke } from 'd3-shape';

import { axes, chart, showTip } from './chart.js';
import { element, labelled, number, section } from './dom.js';
import { hue } from './theme.js';

const kNone = '\u2013';
const perTerminal = (key) => (row) => (row[key] === null ? null : row[key] / row.terminals);

/** What there is to compare: words, value of a row, and whether less is better (-1), or more (1). */
function measures(rows) {
  const currency = rows.find((row) => row.currency)?.currency;
  return [
    ['terminals', (row) => row.terminals, 1], ['room for', (row) => (rows.some((one) => one.room !== one.terminals) ? row.room : null), 0], ['routers', (row) => row.routers, -1],
    ['ports of a router', (row) => row.radix, 0], ['diameter', (row) => row.diameter, -1], ['mean distance', (row) => row.mean_distance, -1],
    ['ports a terminal', (row) => row.ports_per_terminal, -1], ['links a terminal', (row) => row.links_per_terminal, -1],
    [`cost a terminal, ${currency}`, perTerminal('cost'), -1], ['price of switches a terminal', perTerminal('switches_price'), -1],
    ['watts a terminal', perTerminal('power'), -1], ['racks', (row) => row.racks, -1],
    ['cable a terminal, m', perTerminal('cable_metres'), -1], ['bisection a terminal', (row) => row.bisection_per_terminal, 1],
    ['bound on throughput (TUB)', (row) => row.tub, 1], ['throughput at most', (row) => row.throughput_at_most, 1], ['oversubscription', (row) => row.oversubscription, -1],
  ].map(([name, value, better]) => ({ name, value, better }))
    .filter(({ value }) => rows.some((row) => value(row) !== null) && (rows.length === 1 || new Set(rows.map(value)).size > 1));
}

const words = (measure, row) => (measure.value(row) === null ? kNone : number(measure.value(row)));
const nameOf = (row) => (row.switch ? `${row.spec} on ${row.switch}` : row.spec);

/** Marks of a scale that have room beside each other: of a logarithmic one 1, 2 and 5 times the powers of ten. */
const ticksOf = (scale) => (scale.base ? scale.ticks().filter((tick) => '125'.includes(tick.toPrecision(1)[0])) : undefined);

/** Logarithmic where values differ by more than a factor of eight. */
function scaleOf(measure, rows, range) {
  const values = rows.map(measure.value).filter((value) => value !== null);
  const [low, high] = [min(values), max(values)];
  if (low > 0 && high > 8 * low) return scaleLog().domain([low / 1.3, high * 1.3]).range(range);
  const room = (high - low || high || 1) / 12;
  return scaleLinear().domain([Math.min(low, Math.max(0, low - room)), high + room]).nice().range(range);
}

function scatter(rows, all) {
  const find = (...names) => names.map((name) => all.find((one) => one.name.startsWith(name))).find(Boolean) ?? all[0];
  const chosen = { x: find('cost', 'terminals', 'ports a terminal'), y: find('bound', 'ports a terminal', 'routers') };
  if (chosen.x === chosen.y) chosen.y = all.find((one) => one !== chosen.x) ?? chosen.x;
  const select = (axis, label) => labelled(label, element('select', { onchange: (event) => {
    chosen[axis] = all[event.target.selectedIndex];
    picture.redraw();
  } }, ...all.map((one) => element('option', { selected: one === chosen[axis] }, one.name))));
  const picture = chart({
    title: 'Two numbers of each',
    label: 'Candidates by two of their numbers; the table below has all of them',
    height: (width) => Math.max(280, Math.min(430, width * 0.55)),
    draw(svg, width, height, self) {
      const area = { left: 56, top: 26, right: width - 16, bottom: height - 42 };
      const x = scaleOf(chosen.x, rows, [area.left, area.right]);
      const y = scaleOf(chosen.y, rows, [area.bottom, area.top]);
      axes(svg, area, { x, y, xTitle: chosen.x.name, yTitle: chosen.y.name, xTicks: ticksOf(x), yTicks: y.base ? 3 : 5 });
      const known = rows.map((row, i) => ({ row, i })).filter(({ row }) => chosen.x.value(row) !== null && chosen.y.value(row) !== null);
      const taken = known.map(({ row }) => [x(chosen.x.value(row)) - 7, y(chosen.y.value(row)) - 8, 14]);
      const group = svg.append('g').selectAll('g').data(known).join('g')
        .attr('transform', ({ row }) => `translate(${x(chosen.x.value(row))},${y(chosen.y.value(row))})`);
      group.append('path').attr('d', ({ i }) => symbol(symbolsStroke[i % symbolsStroke.length], 60)())
        .attr('fill', 'none').attr('stroke', ({ i }) => hue(i)).attr('stroke-width', 2);
      // a name on the side where no other is in the way
      group.append('text').text(({ row }) => row.family).each(function place({ row }) {
        const [left, top] = [x(chosen.x.value(row)), y(chosen.y.value(row))];
        const long = 7 * row.family.length;
        const free = ([l, t]) => l >= 0 && l + long <= width
          && taken.every(([other, level, wide]) => l > other + wide || other > l + long || Math.abs(t - level) > 13);
        const sides = [['start', 10, 4], ['end', -10, 4], ['middle', 0, -11], ['middle', 0, 19], ['start', 7, -10], ['end', -7, -10], ['start', 7, 18], ['end', -7, 18]];
        const boxOf = ([anchor, dx, dy]) => [left + dx - { start: 0, middle: long / 2, end: long }[anchor], top + dy - 12];
        const side = sides.find((one) => free(boxOf(one)));
        if (!side) {
          this.remove();
          return;
        }
        taken.push([...boxOf(side), long]);
        this.setAttribute('text-anchor', side[0]);
        this.setAttribute('x', side[1]);
        this.setAttribute('y', side[2]);
      });
      const tip = ({ row }) => `${nameOf(row)}: ${words(chosen.x, row)} ${chosen.x.name}, ${words(chosen.y, row)} ${chosen.y.name}`;
      group.append('circle').attr('r', 12).attr('class', 'hit').attr('tabindex', 0).attr('role', 'img').attr('aria-label', tip)
        .on('pointermove focus', (event, d) => showTip(self, event, tip(d))).on('pointerleave blur', (event) => showTip(self, event, ''));
    },
  });
  return element('div', {}, element('div', { class: 'controls' }, select('x', 'Across'), select('y', 'Up')), picture);
}

function bars(rows, measure) {
  const known = rows.filter((row) => measure.value(row) !== null);
  return chart({
    title: measure.name,
    label: `${measure.name}: ${known.map((row) => `${row.family} ${words(measure, row)}`).join(', ')}`,
    height: 22 * known.length + 6,
    draw(svg, width) {
      const left = Math.min(130, 10 + 7 * max(known, (row) => row.family.length));
      const x = scaleLinear().domain([0, max(known, measure.value) || 1]).range([left, width - 64]);
      const y = scaleBand().domain(known.map((_, i) => i)).range([0, 22 * known.length]).padding(0.25);
      const best = measure.better === 0 ? null : (measure.better > 0 ? max : min)(known, measure.value);
      const line = svg.selectAll('g').data(known).join('g').attr('transform', (_, i) => `translate(0,${y(i)})`);
      line.append('text').attr('x', left - 8).attr('y', 12).attr('text-anchor', 'end').text((row) => row.family);
      line.append('rect').attr('x', left).attr('height', y.bandwidth()).attr('width', (row) => Math.max(1, x(measure.value(row)) - left))
        .attr('fill', (row) => (measure.value(row) === best ? 'var(--accent)' : 'var(--quiet)'));
      line.append('text').attr('x', (row) => x(measure.value(row)) + 6).attr('y', 12).text((row) => words(measure, row));
    },
  });
}

/** All numbers; a heading sorts by its column, again the other way. */
function sortable(rows, all) {
  const columns = [{ name: 'family', value: (row) => row.family }, ...all];
  const body = element('tbody', {});
  let sorted = null;
  let up = false;
  const fill = () => {
    const order = [...rows];
    if (sorted) {
      const way = up ? 1 : -1;
      order.sort((a, b) => {
        const [p, q] = [sorted.value(a), sorted.value(b)];
        if (p === null || q === null) return (p === null) - (q === null);
        return way * (typeof p === 'string' ? p.localeCompare(q) : p - q);
      });
    }
    body.replaceChildren(...order.map((row) => element('tr', {}, ...columns.map((column) => {
      const value = column.value(row);
      if (typeof value === 'string') return element('td', {}, value, element('span', { class: 'spec' }, nameOf(row)));
      const best = column.better && value !== null && value === (column.better > 0 ? max : min)(rows, column.value);
      return element('td', { class: best ? 'good' : null }, words(column, row));
    }))));
  };
  const heads = columns.map((column) => element('th', { scope: 'col' }, element('button', { onclick: () => {
    up = sorted === column ? !up : column.better !== 1;
    sorted = column;
    heads.forEach((head, i) => head.setAttribute('aria-sort', columns[i] === sorted ? (up ? 'ascending' : 'descending') : 'none'));
    fill();
  } }, column.name.replace('oversub', 'over\u00adsub'))));
  fill();
  return element('div', { class: 'scroll-x', tabindex: 0, role: 'region', 'aria-label': 'all candidates' },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body));
}

export function designSections({ rows }) {
  const all = measures(rows);
  return [
    section('candidates', 'Candidates', sortable(rows, all)),
    all.length > 1 && rows.length > 1 ? section('pairs', 'Against each other', scatter(rows, all)) : null,
    section('numbers', 'Number by number', element('div', { class: 'charts' }, ...all.map((measure) => bars(rows, measure)))),
  ].filter(Boolean);
}
