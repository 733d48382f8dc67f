// SPDX-License-Identifier: Apache-2.0
// A schedule step by step on its network: slider, transfers, share of the channels in use.
import { scaleBand, scaleLinear } from 'd3-scale';

import { axes, chart, showTip } from './chart.js';
import { element, labelled, number, plural, section } from './dom.js';
import { NetworkCanvas } from './network_canvas.js';

const kListed = 300;
const kPace = 1000; // milliseconds a step

/** A bar for each step; a click goes there. */
function busyChart(schedule, now, go) {
  const { steps, capacity } = schedule;
  const share = (i) => (capacity > 0 ? (100 * steps[i].busy) / capacity : 0);
  const busy = chart({
    title: 'Channels in use',
    caption: 'Of what all channels carry in one step.',
    label: `Channels in use by step: ${steps.slice(0, 40).map((_, i) => `${i + 1}: ${share(i).toFixed(0)} %`).join(', ')}`,
    height: 190,
    draw(svg, width, height, self) {
      const area = { left: 46, top: 24, right: width - 8, bottom: height - 42 };
      const x = scaleBand().domain(steps.map((_, i) => i)).range([area.left, area.right]).padding(steps.length > 80 ? 0 : 0.2);
      const y = scaleLinear().domain([0, 100]).range([area.bottom, area.top]);
      const every = Math.max(1, Math.ceil(steps.length / Math.max(3, (area.right - area.left) / 34)));
      axes(svg, area, { x, y, xTitle: 'step', yTitle: '% of the channels', xTicks: x.domain().filter((i) => i % every === 0), xFormat: (i) => i + 1, yTicks: 4 });
      svg.append('g').selectAll('rect').data(steps).join('rect')
        .attr('class', (_, i) => (i === now() ? 'bar picked' : 'bar'))
        .attr('x', (_, i) => x(i)).attr('width', x.bandwidth())
        .attr('y', (_, i) => y(share(i))).attr('height', (_, i) => area.bottom - y(share(i)))
        .style('cursor', 'pointer')
        .on('click', (_, d) => go(steps.indexOf(d)))
        .on('pointermove', (event, d) => showTip(self, event, `step ${steps.indexOf(d) + 1}: ${number(d.busy)} of ${plural(capacity, 'channel')}, ${share(steps.indexOf(d)).toFixed(0)} %`))
        .on('pointerleave', (event) => showTip(self, event, ''));
    },
  });
  return busy;
}

/** {parts, stop(), print(paper)}: a schedule with all that moves through it. */
export function scheduleView(schedule) {
  const { network, steps } = schedule;
  const verdict = schedule.valid
    ? element('p', {}, `${schedule.collective}: ${plural(steps.length, 'step')}, checked; the lower bound is ${number(schedule.lower_bound)}.`)
    : element('p', { class: 'bad-text' }, `${schedule.collective}: not valid. ${schedule.findings.slice(0, 3).join('. ')}`);
  if (steps.length === 0) return { parts: [verdict], stop() {}, print() {} };
  // places have the names of their nodes
  const drawn = { ...network, names: network.node.map((node) => network.names[node]) };
  let step = 0;
  let timer;

  const users = (link) => steps[step].transfers.filter((t) => t.arcs.includes(link));
  const drawing = new NetworkCanvas(drawn, {
    label: 'Drawing of the schedule on its network. Arrow keys move it, plus and minus zoom, 0 shows all.',
    describe: ({ place, link }) => {
      if (place !== undefined) {
        const node = network.node[place];
        const about = steps[step].transfers.filter((t) => t.from === node || t.to === node).slice(0, 6).map((t) => t.words);
        return [`node ${node}, ${drawn.names[place]}`, ...about].join('\n');
      }
      const using = users(link).slice(0, 6).map((t) => t.words);
      return [`${drawn.names[network.from[link]]} \u2192 ${drawn.names[network.to[link]]}`, ...(using.length > 0 ? using : ['idle in this step'])].join('\n');
    },
  });
  drawing.paintLinks(new Uint8Array(network.from.length), [{ colour: 'var(--quiet)', width: 0.9 }]);

  const list = element('ol', { class: 'plain scroll', tabindex: 0, 'aria-label': 'Transfers of this step' });
  const title = element('output', { 'aria-live': 'polite' });
  const slider = element('input', { type: 'range', min: 1, max: Math.max(1, steps.length), value: 1, oninput: () => go(Number(slider.value) - 1) });
  const busy = busyChart(schedule, () => step, (i) => go(i));

  const marksOf = (transfers) => transfers.map((t) => ({ links: t.arcs, hue: t.colour }));
  function showAll() {
    drawing.mark(marksOf(steps[step].transfers));
  }

  function go(next) {
    step = Math.max(0, Math.min(steps.length - 1, next));
    slider.value = String(step + 1);
    const { transfers } = steps[step];
    title.textContent = `Step ${step + 1} of ${steps.length}: ${plural(transfers.length, 'transfer')}`;
    slider.setAttribute('aria-valuetext', title.textContent);
    list.replaceChildren(...transfers.slice(0, kListed).map((t) => {
      const only = () => drawing.mark(marksOf([t]));
      return element('li', {}, element('button', { type: 'button', onmouseenter: only, onfocus: only, onmouseleave: showAll, onblur: showAll, onclick: only },
        t.words.replace(/^step \d+: /, '')));
    }));
    if (transfers.length > kListed) list.append(element('li', { class: 'dim' }, `and ${number(transfers.length - kListed)} more`));
    showAll();
    busy.redraw();
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
    play.textContent = 'Play';
  }
  const play = element('button', {
    type: 'button',
    onclick: () => {
      if (timer !== undefined) return stop();
      if (step === steps.length - 1) go(0);
      play.textContent = 'Pause';
      timer = setInterval(() => (step < steps.length - 1 ? go(step + 1) : stop()), kPace);
      return undefined;
    },
  }, 'Play');
  const move = (by, text, name) => element('button', { type: 'button', 'aria-label': name, onclick: () => go(step + by) }, text);

  go(0);
  return {
    parts: [
      verdict,
      element('div', { class: 'row' }, move(-1, '\u25c0', 'step before'), play, move(1, '\u25b6', 'next step'), element('strong', {}, title)),
      labelled('Step', slider), drawing.host,
      element('p', { class: 'dim' }, 'Colours tell messages apart, by origin where there are several. Point at a transfer below to see it alone.'),
      element('div', { class: 'charts' }, element('div', {}, element('h3', {}, 'Transfers of this step'), list), busy),
    ],
    stop,
    print: (paper) => drawing.print(paper),
  };
}

export function scheduleSection({ schedule }) {
  if (!schedule) return null;
  const view = scheduleView(schedule);
  const host = section('schedule', 'The schedule', ...view.parts);
  host.print = view.print;
  return host;
}
