// SPDX-License-Identifier: Apache-2.0
import { bin, max } from 'd3-array';
import { scaleLinear } from 'd3-scale';

import { axes, chart, showTip } from './chart.js';
import { element, number, plural } from './dom.js';
import { statistics } from './scale.js';

const kBins = 24;

/** How many channels carry how much. `set(layer)` and `least(value)` follow what the drawing shows. */
export function loadHistogram(layer) {
  let scale;
  let threshold = 0;
  const hidden = (b) => (layer.change ? Math.max(Math.abs(b.x0), Math.abs(b.x1)) <= threshold : b.x1 <= threshold);
  const host = chart({
    title: layer.change ? 'How the load changes' : 'How the load is spread',
    height: 230,
    draw(svg, width, height, self) {
      const { unit, name } = layer;
      const values = layer.values.filter((value) => !Number.isNaN(value));
      const { least, mean: middle, most } = statistics(values);
      const top = most || 1;
      const whole = values.every(Number.isInteger);
      const x = scaleLinear().domain([Math.min(0, least), top]).nice();
      const bins = bin().domain(x.domain()).thresholds(whole ? Math.min(kBins, x.domain()[1] - x.domain()[0]) : kBins)(values);
      const area = { left: 46, top: 24, right: width - 8, bottom: height - 42 };
      x.range([area.left, area.right]);
      const y = scaleLinear().domain([0, max(bins, (b) => b.length) || 1]).nice(5).range([area.bottom, area.top]);
      axes(svg, area, { x, y, xTitle: unit, yTitle: 'channels' });
      svg.append('g').selectAll('rect').data(bins.filter((b) => b.x1 > b.x0)).join('rect')
        .attr('class', (b) => (hidden(b) ? 'bar off' : 'bar'))
        .style('fill', (b) => (scale && !hidden(b) ? `var(--load-${scale.classOf((b.x0 + b.x1) / 2)})` : null))
        .attr('x', (b) => x(b.x0) + 0.5).attr('width', (b) => Math.max(1, x(b.x1) - x(b.x0) - 1))
        .attr('y', (b) => y(b.length)).attr('height', (b) => area.bottom - y(b.length))
        .on('pointermove', (event, b) => showTip(self, event, `${number(b.x0)} to ${number(b.x1)}: ${plural(b.length, 'channel')}`))
        .on('pointerleave', (event) => showTip(self, event, ''));
      svg.append('line').attr('x1', x(middle)).attr('x2', x(middle)).attr('y1', area.top - 6).attr('y2', area.bottom)
        .attr('stroke', 'var(--ink)').attr('stroke-dasharray', '4 3');
      const right = x(middle) > (area.left + area.right) / 2;
      svg.append('text').attr('class', 'strong').attr('x', x(middle) + (right ? -5 : 5)).attr('y', area.top)
        .attr('text-anchor', right ? 'end' : 'start').text(`mean ${number(middle)}`);
      svg.attr('aria-label', `Histogram of ${name}: ${values.length} channels from ${number(least)} to ${number(top)}, mean ${number(middle)}`);
    },
  });
  const caption = element('p', { class: 'dim' });
  host.querySelector('h3').after(caption);
  const say = () => {
    caption.textContent = layer.name;
  };
  say();
  return {
    host,
    set(next, colours) {
      layer = next;
      scale = colours;
      threshold = 0;
      say();
      host.redraw();
    },
    least(value) {
      threshold = value;
      host.redraw();
    },
  };
}
