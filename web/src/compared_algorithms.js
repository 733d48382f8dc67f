// SPDX-License-Identifier: Apache-2.0
// The known algorithms of a collective before and after: how many times as long each takes, and which is the quickest.
import { extent, max } from 'd3-array';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

import { algorithmsPart, dashes, legendOf, micro, size, sparse } from './algorithms_section.js';
import { changeRow, kBefore, kNone } from './change.js';
import { axes, chart, showTip } from './chart.js';
import { element, labelled, number, section, table } from './dom.js';
import { hue } from './theme.js';

const kLeastRange = 1.1; // of the times that the axis shows: less looks like much
const kSides = ['before', 'after'];

/** After by before; NaN where one is missing or takes no time. */
const ratio = (point, key) => (point.before?.[key] > 0 && point.after?.[key] > 0 ? point.after[key] / point.before[key] : NaN);
const times = (value) => `${number(value)} \u00d7`;

function axisOfSizes(svg, area, points, y, more) {
  const sizes = [...new Set(points.map((p) => p.bytes))].filter((bytes) => bytes > 0).sort((a, b) => a - b);
  const x = scaleLog().base(2).domain([sizes[0], Math.max(sizes.at(-1), sizes[0] * 2)]).range([area.left, area.right]);
  axes(svg, area, { x, y, xTitle: 'bytes of the call', xTicks: sizes, xFormat: size, ...more });
  return x;
}

/** Dots that say what they are: `at(point)` is where, `words(point)` what. */
function dots(svg, self, points, { at, words, fill, hollow }) {
  svg.append('g').selectAll('g').data(points).join('g').attr('transform', (p) => `translate(${at(p)})`)
    .call((group) => group.filter((p) => p.dot).append('circle').attr('r', 3.5).attr('stroke', fill).attr('stroke-width', 1.5)
      .attr('fill', hollow ? 'var(--paper)' : fill))
    .call((group) => group.append('circle').attr('r', 10).attr('class', 'hit').attr('tabindex', 0)
      .attr('role', 'img').attr('aria-label', words)
      .on('pointermove focus', (event, p) => showTip(self, event, words(p)))
      .on('pointerleave blur', (event) => showTip(self, event, '')));
}

/** A line for each algorithm: what its time after is of that before. */
function ratios({ collective, routing }, both) {
  const shown = both.map(({ name, points }) => ({ name, points: points.filter((p) => p.bytes > 0 && ratio(p, 'predicted') > 0) }));
  const all = shown.flatMap((one) => one.points);
  if (all.length === 0) return null;
  return chart({
    title: `${collective} on ${routing}: time after by time before`,
    caption: 'Lines: by the cost model. Dots: simulated flit by flit. Above 1 it takes longer than before.',
    label: `Time after by time before, by size: ${shown.map((one) => `${one.name} at most ${number(max(one.points, (p) => ratio(p, 'predicted')) ?? 1)}`).join(', ')}`,
    height: (width) => Math.max(280, Math.min(440, width * 0.8)),
    draw(svg, width, height, self) {
      const area = { left: 58, top: 24, right: width - 12, bottom: height - 42 };
      const [low, high] = extent(all.flatMap((p) => [ratio(p, 'predicted'), ratio(p, 'simulated')]).filter((r) => r > 0));
      const y = scaleLog().domain([Math.min(low, 1 / kLeastRange), Math.max(high, kLeastRange)]).range([area.bottom, area.top]);
      const x = axisOfSizes(svg, area, all, y, { yTitle: 'times as long', yFormat: times });
      svg.append('line').attr('stroke', 'var(--quiet)').attr('x1', area.left).attr('x2', area.right).attr('y1', y(1)).attr('y2', y(1)).attr('stroke-dasharray', '2 3');
      shown.forEach((one, i) => {
        svg.append('path').attr('d', line((p) => x(p.bytes), (p) => y(ratio(p, 'predicted')))(one.points)).attr('fill', 'none')
          .attr('stroke', hue(i)).attr('stroke-width', 2).attr('stroke-dasharray', dashes(i));
        dots(svg, self, one.points.map((p) => ({ ...p, dot: ratio(p, 'simulated') > 0 })), {
          at: (p) => [x(p.bytes), y(p.dot ? ratio(p, 'simulated') : ratio(p, 'predicted'))], fill: hue(i),
          words: (p) => `${one.name}, ${size(p.bytes)}: ${times(ratio(p, 'predicted'))} predicted, ${p.dot ? `${times(ratio(p, 'simulated'))} simulated` : 'not simulated'}`,
        });
      });
    },
  });
}

/** One algorithm that is chosen, both its curves. */
function curves(both) {
  const change = (one) => max(one.points, (p) => Math.abs(Math.log(ratio(p, 'predicted'))) || 0) ?? 0;
  let chosen = both.reduce((most, one) => (change(one) > change(most) ? one : most));
  const choice = element('select', { onchange: () => {
    chosen = both[choice.selectedIndex];
    told.textContent = chosen.name;
    picture.redraw();
  } }, ...both.map((one) => element('option', { selected: one === chosen }, one.name)));
  const told = element('strong', {}, chosen.name);
  const picture = chart({
    title: 'One algorithm, before and after',
    caption: 'Lines: by the cost model. Dots: simulated flit by flit; hollow ones are before.',
    label: 'Time by size of the algorithm that is chosen, before and after; all numbers are in the table below',
    height: (width) => Math.max(240, Math.min(400, width * 0.7)),
    draw(svg, width, height, self) {
      const lines = kSides.map((side) => chosen.points.filter((p) => p.bytes > 0 && p[side]?.predicted > 0)
        .map((p) => ({ bytes: p.bytes, ...p[side], dot: p[side].simulated > 0 })));
      const all = lines.flat();
      if (all.length === 0) return;
      const area = { left: 64, top: 24, right: width - 12, bottom: height - 42 };
      const [low, high] = extent(all.flatMap((p) => [p.predicted, p.dot ? p.simulated : p.predicted]));
      const y = scaleLog().domain([low, Math.max(high, low * kLeastRange)]).range([area.bottom, area.top]);
      const x = axisOfSizes(svg, area, all, y, { yTitle: 'time', yFormat: sparse });
      lines.forEach((points, i) => {
        svg.append('path').attr('d', line((p) => x(p.bytes), (p) => y(p.predicted))(points)).attr('fill', 'none')
          .attr('stroke', hue(i)).attr('stroke-width', 2).attr('stroke-dasharray', i === 0 ? kBefore.join(' ') : null);
        dots(svg, self, points, {
          at: (p) => [x(p.bytes), y(p.dot ? p.simulated : p.predicted)], fill: hue(i), hollow: i === 0,
          words: (p) => `${chosen.name} ${kSides[i]}, ${size(p.bytes)}: ${micro(p.predicted)} predicted, ${p.dot ? `${micro(p.simulated)} simulated` : 'not simulated'}`,
        });
      });
    },
  });
  picture.querySelector('p').after(element('div', { class: 'legend' }, told, legendOf('before', 0, kBefore.join(' ')), legendOf('after', 1, null)));
  return element('div', {}, element('div', { class: 'controls' }, labelled('Algorithm', choice)), picture);
}

const only = (one) => (one.before && one.after ? '' : `only ${one.before ? 'before' : 'after'}`);
const time = (seconds) => (typeof seconds === 'number' ? micro(seconds) : kNone);

function compared(one) {
  const { algorithms } = one;
  const both = algorithms.filter((a) => a.before && a.after);
  const name = (index) => (index === null ? kNone : algorithms[index].name);
  const ranges = one.ranges.map(({ from, before, after }) => [size(from), name(before), before === after ? 'the same' : name(after)]);
  const meeting = algorithms.map((a) => (only(a) ? [...changeRow(a.name, a.before?.most_flows, a.after?.most_flows).slice(0, 3), only(a)]
    : changeRow(a.name, a.before.most_flows, a.after.most_flows, -1)));
  const numbers = algorithms.flatMap((a) => a.points.map((p) => [a.name, size(p.bytes),
    ...['predicted', 'simulated'].flatMap((key) => [time(p.before?.[key]), time(p.after?.[key]), ratio(p, key) > 0 ? times(ratio(p, key)) : kNone])]));
  return [
    element('h3', {}, `${one.collective} among ${number(one.ranks)} ranks on ${one.routing}`),
    both.length > 0 ? element('div', { class: 'legend' }, ...both.map((a, i) => legendOf(a.name, i))) : null,
    both.length > 0 ? element('div', { class: 'charts' }, ...[ratios(one, both), curves(both)].filter(Boolean)) : null,
    element('h3', {}, 'The quickest, by the cost model'),
    table(['from', 'before', 'after'], ranges),
    element('h3', {}, 'Most messages on a channel at once'),
    table(['algorithm', 'before', 'after', 'change'], meeting),
    element('details', {}, element('summary', {}, 'All numbers'),
      table(['algorithm', 'size', 'predicted before', 'after', 'after by before', 'simulated before', 'after', 'after by before'], numbers)),
  ];
}

/** As a page of its own shows it. */
function inOne(one) {
  const side = one.before ? 'before' : 'after';
  return [
    element('h3', {}, `${one.collective} among ${number(one.ranks)} ranks on ${one.routing}, only ${side}`),
    ...algorithmsPart({
      ...one,
      algorithms: one.algorithms.map((a) => ({ name: a.name, ...a[side], points: a.points.map((p) => ({ bytes: p.bytes, ...p[side] })) })),
      ranges: one.ranges.map((range) => ({ from: range.from, algorithm: range[side] })),
    }),
  ];
}

export function comparedAlgorithms({ algorithms }) {
  if (algorithms.length === 0) return null;
  const alphas = [...new Set(algorithms.map((one) => micro(one.alpha)))].join(' or ');
  return section('algorithms', 'Algorithms, before and after',
    element('p', { class: 'dim' }, `A rank on each host in order; a rank takes ${alphas} to begin a message. Compared are times of one algorithm for one collective on one routing, among as many ranks, at sizes that both have.`),
    ...algorithms.filter((one) => !only(one)).flatMap(compared).filter(Boolean), ...algorithms.filter(only).flatMap(inOne));
}
