// SPDX-License-Identifier: Apache-2.0
// Latency and accepted load against offered load, a line for each routing.
import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { line, symbol, symbolsStroke } from 'd3-shape';

import { axes, chart, showTip } from './chart.js';
import { element, number, section, table } from './dom.js';
import { hue, kDashes } from './theme.js';

const shape = (line) => symbol(symbolsStroke[line.mark % symbolsStroke.length], 42)();
const dashes = (line) => line.dashes.join(' ') || null;

/** A line with its mark, as the charts have it. */
function legendOf(one) {
  const item = element('span', {});
  const svg = select(item).append('svg').attr('width', 32).attr('height', 14).attr('aria-hidden', 'true')
    .append('g').attr('fill', 'none').attr('stroke', hue(one.hue)).attr('stroke-width', 2);
  svg.append('path').attr('d', 'M0 7H32').attr('stroke-dasharray', dashes(one));
  svg.append('path').attr('d', shape(one)).attr('transform', 'translate(16,7)');
  item.append(one.name);
  return item;
}

export const state = (point) => (['deadlock', 'undelivered'].includes(point.state) ? point.state.toUpperCase()
  : point.saturated ? 'saturated' : '');

function curves(lines, { title, caption, unit, value, diagonal }) {
  return chart({
    title, caption,
    label: `${title}: ${lines.map((one) => `${one.name} from ${number(value(one.points[0]) ?? 0)} to ${number(value(one.points.at(-1)) ?? 0)}`).join('; ')}`,
    height: (width) => Math.max(230, Math.min(320, width * 0.6)),
    draw(svg, width, height, self) {
      const points = lines.flatMap((one) => one.points);
      const area = { left: 46, top: 24, right: width - 12, bottom: height - 42 };
      const x = scaleLinear().domain([0, max(points, (p) => p.load)]).nice().range([area.left, area.right]);
      const top = max(points, (p) => value(p) ?? 0) || 1;
      const y = scaleLinear().domain([0, diagonal ? Math.max(top, max(points, (p) => p.offered)) : top]).nice(5).range([area.bottom, area.top]);
      axes(svg, area, { x, y, xTitle: 'offered load, part of what a terminal can send', yTitle: unit });
      if (diagonal) {
        const end = Math.min(x.domain()[1], y.domain()[1]);
        svg.append('line').attr('stroke', 'var(--quiet)').attr('x1', x(0)).attr('y1', y(0)).attr('x2', x(end)).attr('y2', y(end)).attr('stroke-dasharray', '2 3');
      }
      for (const one of lines) {
        const known = one.points.filter((p) => value(p) !== null).sort((a, b) => a.load - b.load);
        svg.append('path').attr('d', line((p) => x(p.load), (p) => y(value(p)))(known)).attr('fill', 'none')
          .attr('stroke', hue(one.hue)).attr('stroke-width', 2).attr('stroke-dasharray', dashes(one));
        svg.append('g').selectAll('g').data(known).join('g')
          .attr('transform', (p) => `translate(${x(p.load)},${y(value(p))})`)
          .call((group) => group.append('path').attr('d', shape(one)).attr('fill', 'none').attr('stroke', hue(one.hue)).attr('stroke-width', 2))
          .call((group) => group.append('circle').attr('r', 12).attr('class', 'hit').attr('tabindex', 0)
            .attr('role', 'img').attr('aria-label', (p) => words(one, p))
            .on('pointermove focus', (event, p) => showTip(self, event, words(one, p)))
            .on('pointerleave blur', (event) => showTip(self, event, '')));
      }
      function words(one, p) {
        return `${one.name} at load ${number(p.load)}: ${number(value(p))} ${unit}${state(p) ? `, ${state(p)}` : ''}`;
      }
    },
  });
}

/** Legend and charts of lines {name, points, hue, mark, dashes}; hue and mark are numbers. */
export function loadCharts(lines) {
  return [
    element('div', { class: 'legend' }, ...lines.map(legendOf)),
    element('div', { class: 'charts' },
      curves(lines, { title: 'Mean latency', caption: 'From the creation of a packet to the arrival of its last flit.', unit: 'cycles', value: (p) => p.latency_mean }),
      curves(lines, { title: 'Accepted load', caption: 'What arrives; on the dotted line all that is offered does.', unit: 'flits a cycle and terminal', value: (p) => p.accepted, diagonal: true })),
  ];
}

export function simulationSection({ simulations }) {
  if (simulations.length === 0) return null;
  const rows = simulations.flatMap((s) => s.points.map((p) => [s.routing, number(s.lanes), number(p.load), number(p.accepted),
    p.latency_mean === null ? '\u2013' : number(p.latency_mean), p.latency_p99 === null ? '\u2013' : number(p.latency_p99),
    state(p) ? [state(p), 'bad'] : '']));
  return section('simulation', 'Simulated',
    element('p', { class: 'dim' }, `Flit by flit, under ${simulations[0].traffic} traffic. A latency is missing where packets were left behind.`),
    ...loadCharts(simulations.map((s, i) => ({ name: s.routing, points: s.points, hue: i, mark: i, dashes: kDashes[i % kDashes.length] }))),
    element('details', {}, element('summary', {}, 'All numbers'),
      table(['routing', 'lanes', 'load', 'accepted', 'mean latency', '99 % latency', ''], rows)));
}
