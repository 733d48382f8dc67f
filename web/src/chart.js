// SPDX-License-Identifier: Apache-2.0
// What all charts share: a heading, an SVG that follows the width of its column, axes with titles, a tip.
import { axisBottom, axisLeft } from 'd3-axis';
import { select } from 'd3-selection';

import { element, number } from './dom.js';

/**
 * A chart with a heading and a sentence. `draw(svg, width, height)` is called with an emptied SVG whenever the width
 * changes; `height` may be a function of the width.
 */
export function chart({ title, caption, label, height, draw }) {
  const host = element('figure', { class: 'chart', style: 'margin:0' });
  host.append(element('h3', {}, title));
  if (caption) host.append(element('p', { class: 'dim' }, caption));
  const holder = element('div', {});
  host.append(holder);
  const svg = select(holder).append('svg').attr('role', 'img').attr('aria-label', label ?? title);
  host.tip = element('div', { class: 'tip', hidden: true });
  host.append(host.tip);
  host.redraw = () => {
    const width = holder.clientWidth;
    if (width === 0) return;
    const tall = typeof height === 'function' ? height(width) : height;
    svg.attr('width', width).attr('height', tall).attr('viewBox', `0 0 ${width} ${tall}`);
    svg.selectAll('*').remove();
    draw(svg, width, tall, host);
  };
  let before = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === before) return;
    before = holder.clientWidth;
    host.redraw();
  }).observe(holder);
  return host;
}

/** Shows a text beside the pointer, or beside what has the focus; hides it where there is none. */
export function showTip(host, event, text) {
  host.tip.hidden = !text;
  if (!text) return;
  host.tip.textContent = text;
  const box = host.getBoundingClientRect();
  const target = event.target.getBoundingClientRect();
  const [x, y] = event.clientX ? [event.clientX, event.clientY] : [target.left, target.top];
  const right = x - box.left > box.width / 2;
  host.tip.style.left = right ? '' : `${x - box.left + 12}px`;
  host.tip.style.right = right ? `${box.right - x + 12}px` : '';
  host.tip.style.top = `${y - box.top - 8}px`;
}

/** Axes with titles and pale lines across; `area` is {left, top, right, bottom} in pixels. */
export function axes(svg, area, { x, y, xTitle, yTitle, xTicks, yTicks = 5, xFormat = number, yFormat = number }) {
  if (y) {
    const ticks = y.ticks(yTicks).filter((v) => yFormat !== number || yTicks > 0 || v);
    svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'grid')
      .attr('x1', area.left).attr('x2', area.right).attr('y1', y).attr('y2', y);
    svg.append('g').attr('transform', `translate(${area.left},0)`).call(axisLeft(y).tickValues(ticks).tickFormat(yFormat).tickSize(0).tickPadding(6))
      .call((axis) => axis.select('.domain').remove());
    svg.append('text').attr('x', 0).attr('y', 10).text(yTitle);
  }
  const bottom = axisBottom(x).tickFormat(xFormat).tickSizeOuter(0);
  if (Array.isArray(xTicks)) bottom.tickValues(xTicks);
  else bottom.ticks(xTicks ?? Math.max(3, Math.floor((area.right - area.left) / 70)));
  svg.append('g').attr('transform', `translate(0,${area.bottom})`).call(bottom);
  svg.append('text').attr('x', area.right).attr('y', area.bottom + 34).attr('text-anchor', 'end').text(xTitle);
}
