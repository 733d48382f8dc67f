// SPDX-License-Identifier: Apache-2.0
// The known algorithms of a collective: time against size, a line for each, and who meets whom.
import { max, min } from 'd3-array';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

import { axes, chart, showTip } from './chart.js';
import { element, number, section, table } from './dom.js';
import { hue, kDashes, kHues } from './theme.js';

// Beyond as many as there are hues the dashes are those of the next one.
export const dashes = (i) => kDashes[(i + Math.floor(i / kHues)) % kDashes.length].join(' ') || null;

/** 65536 as "64 KiB". */
export function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    unit += 1;
  }
  return `${number(value)} ${units[unit]}`;
}

export const micro = (seconds) => `${number(seconds * 1e6)} us`;
/** Of the ticks of a decade only some have room for a label. */
export const sparse = (seconds) => (/^[125]/.test(seconds.toExponential(3)) ? micro(seconds) : '');

function curves({ algorithms, collective, routing }) {
  return chart({
    title: `${collective} on ${routing}`,
    caption: 'Lines: by the cost model. Dots: simulated flit by flit.',
    label: `Time of ${collective} by size, on ${routing}: ${algorithms.map((a) => a.name).join(', ')}`,
    height: (width) => Math.max(280, Math.min(440, width * 0.6)),
    draw(svg, width, height, self) {
      const points = algorithms.flatMap((a) => a.points);
      const area = { left: 64, top: 24, right: width - 12, bottom: height - 42 };
      const sizes = algorithms[0].points.map((p) => p.bytes);
      const x = scaleLog().base(2).domain([sizes[0], sizes.at(-1)]).range([area.left, area.right]);
      const times = points.flatMap((p) => [p.predicted, p.simulated ?? p.predicted]);
      const y = scaleLog().domain([min(times), max(times)]).range([area.bottom, area.top]);
      axes(svg, area, { x, y, xTitle: 'bytes of the call', yTitle: 'time', xTicks: sizes, xFormat: size, yFormat: sparse });
      algorithms.forEach((a, i) => {
        svg.append('path').attr('d', line((p) => x(p.bytes), (p) => y(p.predicted))(a.points)).attr('fill', 'none')
          .attr('stroke', hue(i)).attr('stroke-width', 2).attr('stroke-dasharray', dashes(i));
        const words = (p) => `${a.name}, ${size(p.bytes)}: ${micro(p.predicted)} predicted, ${p.simulated === null ? 'not simulated' : `${micro(p.simulated)} simulated`}`;
        svg.append('g').selectAll('g').data(a.points).join('g')
          .attr('transform', (p) => `translate(${x(p.bytes)},${y(p.simulated ?? p.predicted)})`)
          .call((group) => group.filter((p) => p.simulated !== null).append('circle').attr('r', 3.5).attr('fill', hue(i)))
          .call((group) => group.append('circle').attr('r', 10).attr('class', 'hit').attr('tabindex', 0)
            .attr('role', 'img').attr('aria-label', words)
            .on('pointermove focus', (event, p) => showTip(self, event, words(p)))
            .on('pointerleave blur', (event) => showTip(self, event, '')));
      });
    },
  });
}

/** A line as the charts have it. */
export function legendOf(name, i, dash = dashes(i)) {
  const item = element('span', {});
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  mark.setAttribute('width', 32);
  mark.setAttribute('height', 14);
  mark.setAttribute('aria-hidden', 'true');
  const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  stroke.setAttribute('d', 'M0 7H32');
  stroke.setAttribute('stroke', hue(i));
  stroke.setAttribute('stroke-width', 2);
  if (dash) stroke.setAttribute('stroke-dasharray', dash);
  mark.append(stroke);
  item.append(mark, name);
  return item;
}

/** What there is of one routing. */
export function algorithmsPart(one) {
  const ranges = one.ranges.map(({ from, algorithm }) => [size(from), one.algorithms[algorithm].name]);
  const rows = one.algorithms.map((a) => [a.name, number(a.rounds), a.meeting ? ['no', 'bad'] : 'yes', number(a.most_flows), a.meeting]);
  const numbers = one.algorithms.flatMap((a) => a.points.map((p) => [a.name, size(p.bytes), micro(p.predicted),
    p.simulated === null ? '\u2013' : micro(p.simulated),
    p.simulated === null ? '\u2013' : `${number(Math.round((p.predicted / p.simulated - 1) * 1000) / 10)} %`]));
  return [
    element('div', { class: 'legend' }, ...one.algorithms.map(({ name }, i) => legendOf(name, i))),
    curves(one),
    table(['from', 'the quickest, by the cost model'], ranges),
    element('h3', {}, `Who meets whom, on ${one.routing}`),
    table(['algorithm', 'rounds', 'free of contention', 'most on a channel', 'where'], rows),
    element('details', {}, element('summary', {}, 'All numbers'), table(['algorithm', 'size', 'predicted', 'simulated', 'error'], numbers)),
  ];
}

export function algorithmsSection({ algorithms }) {
  if (algorithms.length === 0) return null;
  const { collective, ranks, alpha } = algorithms[0];
  return section('algorithms', 'Algorithms',
    element('p', { class: 'dim' }, `${collective} among ${number(ranks)} ranks, one on each host in order; a rank takes ${micro(alpha)} to begin a message.`),
    ...algorithms.flatMap(algorithmsPart));
}
