// SPDX-License-Identifier: Apache-2.0
// Routings side by side: what the checker says, bars for each measure, lanes, and what closes a circle.
import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';

import { axes, chart, showTip } from './chart.js';
import { channelName } from './describe.js';
import { element, number, plural, section, table } from './dom.js';
import { labelMaker } from './labels.js';
import { hue } from './theme.js';

function verdictTable(routings) {
  const holds = (routing) => routing.deadlock_free ? ['free', 'good'] : [`CYCLE of ${routing.witness.length}`, 'bad'];
  return table(['routing', 'deadlock', 'lost pairs', 'lanes', 'busiest channel', 'mean load', 'mean hops', 'most hops', 'eBB'],
    routings.map((r) => r.failure !== undefined
      ? [r.name, ['no tables', 'bad'], ...Array(7).fill('\u2013')]
      : [r.name, holds(r), r.lost_pairs === 0 ? '0' : [number(r.lost_pairs), 'bad'], number(r.lanes), number(r.max_load),
        number(Math.round(r.mean_load * 10) / 10), r.mean_hops.toFixed(2), number(r.max_hops),
        r.effective_bisection_bandwidth === undefined ? '\u2013' : `${r.effective_bisection_bandwidth.toFixed(3)} \u00b1 ${r.standard_error.toFixed(3)}`]));
}

/** A bar for each routing, in the same order and colours everywhere. */
function bars(routings, title, caption, unit, value) {
  const kBar = 30;
  return chart({
    title, caption,
    label: `${title}: ${routings.map((r) => `${r.name} ${number(value(r))}`).join(', ')}`,
    height: 24 + kBar * routings.length + 40,
    draw(svg, width, height, self) {
      const longest = max(routings, (r) => r.name.length);
      const left = Math.min(width * 0.4, 12 + 7 * longest);
      const area = { left, top: 4, right: width - 52, bottom: height - 40 };
      const x = scaleLinear().domain([0, max(routings, value) || 1]).nice().range([area.left, area.right]);
      const y = scaleBand().domain(routings.map((_, i) => i)).range([area.top, area.bottom]).padding(0.3);
      axes(svg, area, { x, xTitle: unit, xTicks: 4 });
      const labels = labelMaker(routings.map((r) => r.name))(Math.floor((left - 8) / 6.6));
      routings.forEach((r, i) => {
        svg.append('rect').attr('x', area.left).attr('y', y(i)).attr('height', y.bandwidth())
          .attr('width', Math.max(0, x(value(r)) - area.left)).attr('fill', hue(i))
          .on('pointermove', (event) => showTip(self, event, `${r.name}: ${number(value(r))} ${unit}`))
          .on('pointerleave', (event) => showTip(self, event, ''));
        svg.append('text').attr('class', 'strong').attr('x', area.left - 6).attr('y', y(i) + y.bandwidth() / 2)
          .attr('dy', '0.35em').attr('text-anchor', 'end').text(labels[i]);
        svg.append('text').attr('x', x(value(r)) + 5).attr('y', y(i) + y.bandwidth() / 2).attr('dy', '0.35em').text(number(value(r)));
      });
    },
  });
}

function lanes(routing, index, levels, most) {
  const word = routing.levels_are_lanes ? 'lane' : 'service level';
  return chart({
    title: routing.name,
    label: `${routing.name}: pairs by ${word}: ${routing.pairs_by_level.map(number).join(', ')}`,
    height: 170,
    draw(svg, width, height, self) {
      const area = { left: 58, top: 24, right: width - 8, bottom: height - 42 };
      const x = scaleBand().domain(Array.from({ length: levels }, (_, i) => i)).range([area.left, area.right]).padding(0.25);
      const y = scaleLinear().domain([0, most]).nice(3).range([area.bottom, area.top]);
      axes(svg, area, { x, y, xTitle: word, yTitle: 'pairs of terminals', xTicks: x.domain(), yTicks: 3 });
      routing.pairs_by_level.forEach((pairs, level) => {
        svg.append('rect').attr('x', x(level)).attr('width', Math.min(x.bandwidth(), 48)).attr('y', y(pairs)).attr('height', area.bottom - y(pairs))
          .attr('transform', `translate(${Math.max(0, (x.bandwidth() - 48) / 2)},0)`)
          .attr('fill', hue(index))
          .on('pointermove', (event) => showTip(self, event, `${word} ${level}: ${plural(pairs, 'pair')}`))
          .on('pointerleave', (event) => showTip(self, event, ''));
      });
    },
  });
}

/** "S-0 port 1 -> S-6 port 2 on lane 0: held by packets of H-0 to H-14", for every step. */
function witness(network, routing, mark) {
  const { terminal_names: names } = network;
  const list = element('ol', { class: 'plain' }, ...routing.witness.map((step) => element('li', {},
    element('button', { type: 'button', onclick: () => mark([step.channel]) }, channelName(network, step.channel)),
    ` on lane ${step.lane}: held by packets of ${names[step.source]} to ${names[step.destination]}`)));
  return element('div', { class: 'witness' },
    element('h3', {}, `${routing.name}: ${plural(routing.witness.length, 'channel')} that wait for each other in a circle`),
    list,
    element('button', { type: 'button', onclick: () => mark(routing.witness.map((step) => step.channel)) }, 'Show the circle on the network'));
}

/** `mark(links, layer)` shows channels on the network. */
export function routingSections({ network, routings }, mark) {
  if (routings.length === 0) return [];
  const made = routings.filter((r) => r.failure === undefined);
  const several = made.length > 1 ? 'Routings side by side' : 'The routing';
  const sections = [];
  const charts = [];
  if (made.length > 1) {
    charts.push(bars(made, 'Busiest channel', 'Fewer is better: a bound on what all can send at once.', 'pairs of terminals', (r) => r.max_load));
    if (made.every((r) => r.effective_bisection_bandwidth !== undefined)) {
      charts.push(bars(made, 'Effective bisection bandwidth', 'More is better: mean rate of a flow under random bisections, 1 where no channel is shared.', 'rate of a flow', (r) => r.effective_bisection_bandwidth));
    }
    charts.push(bars(made, 'Mean path', 'Channels between routers, over all pairs.', 'channels', (r) => r.mean_hops));
  }
  sections.push(section('routings', several, verdictTable(routings), element('div', { class: 'charts' }, ...charts)));
  const levels = max(made, (r) => r.pairs_by_level.length) ?? 1;
  if (levels > 1) {
    const most = max(made, (r) => max(r.pairs_by_level));
    sections.push(section('lanes', 'Lanes',
      element('p', { class: 'dim' }, 'How many pairs of terminals send on each virtual lane.'),
      element('div', { class: 'charts' }, ...made.map((r, i) => lanes(r, i, levels, most)))));
  }
  const stuck = made.filter((r) => r.witness.length > 0);
  if (stuck.length > 0) {
    sections.push(section('deadlock', 'What can deadlock',
      element('p', { class: 'dim' }, 'Each channel is held by packets that wait for the next one of the list, the last for the first.'),
      ...stuck.map((r) => witness(network, r, (links) => mark(links, r.layer)))));
  }
  return sections;
}
