// SPDX-License-Identifier: Apache-2.0
// The network coloured by what its channels carry, with search, filter and the busiest channels.
import { element, labelled, number, plural, section } from './dom.js';
import { loadHistogram } from './histogram.js';
import { kHidden, NetworkCanvas } from './network_canvas.js';
import { onThemeChange, ramp } from './theme.js';

const kSteps = 8; // colours
const kListed = 10;
const kHits = 12;

export function channelName(network, c) {
  return `${network.names[network.from[c]]} port ${network.from_port[c]} \u2192 ${network.names[network.to[c]]} port ${network.to_port[c]}`;
}

/** Number of the first terminal of each router, as terminals are numbered by router. */
function firstTerminals(network) {
  const first = [0];
  for (const count of network.terminals) first.push(first[first.length - 1] + count);
  return first;
}

/** Returns {host, mark(links), choose(layer)}. */
export function networkSection({ network, layers }) {
  let layer = 0;
  let least = 0;
  const first = firstTerminals(network);
  const values = () => layers[layer]?.values ?? [];
  const largest = () => values().reduce((most, value) => Math.max(most, value), 0);

  const describe = ({ place, link }) => {
    if (place === undefined) return `${channelName(network, link)}\n${number(values()[link])} (${layers[layer].unit})`;
    const count = network.terminals[place];
    const ends = count === 0 ? 'no terminal' : count === 1 ? `terminal ${network.terminal_names[first[place]]}`
      : `${plural(count, 'terminal')}, ${network.terminal_names[first[place]]} to ${network.terminal_names[first[place] + count - 1]}`;
    return `${network.names[place]}\n${ends}`;
  };
  const drawing = new NetworkCanvas(network, {
    label: `Drawing of the network, ${plural(network.names.length, 'router')} and ${plural(network.from.length, 'channel')}. Arrow keys move it, plus and minus zoom, 0 shows all.`,
    describe,
    onpick: ({ place, link }) => {
      drawing.mark([]);
      if (link !== undefined) pick(link);
      else drawing.ring(place === undefined ? [] : [place]);
    },
  });
  const histogram = layers.length > 0 ? loadHistogram(layers[0]) : null;

  const scale = element('div', { class: 'legend' });
  const busiest = element('ol', { class: 'plain' });
  const filterText = element('output', { class: 'dim' });
  const filter = element('input', { type: 'range', min: 0, max: 1000, value: 0, oninput: () => setLeast() });
  const choice = element('select', { onchange: () => choose(Number(choice.value)) },
    ...layers.map((one, i) => element('option', { value: i }, one.name)));

  function paint() {
    const most = largest() || 1;
    const colours = ramp(kSteps);
    const group = Uint8Array.from(values(), (value) =>
      value < least ? kHidden : value <= 0 ? 0 : Math.min(kSteps - 1, Math.ceil((value / most) * kSteps) - 1));
    drawing.paint(layers.length === 0 ? new Uint8Array(network.from.length) : group,
      colours.map((one, i) => ({ colour: one, width: 1 + (1.6 * i) / kSteps })));
    if (layers.length > 0) scale.replaceChildren('0', element('span', { class: 'ramp' }, ...colours.map((one) => element('i', { style: `background:${one}` }))),
      `${number(most)} ${layers[layer].unit}`);
  }

  function list() {
    const order = values().map((_, i) => i).sort((a, b) => values()[b] - values()[a] || a - b).slice(0, kListed);
    busiest.replaceChildren(...order.map((c) => element('li', {},
      element('button', { type: 'button', onclick: () => pick(c) }, channelName(network, c)), ` ${number(values()[c])}`)));
  }

  function pick(c) {
    drawing.mark([{ links: [c], hue: 'var(--mark)', width: 4, alone: true }]);
    drawing.ring([network.from[c], network.to[c]]);
  }

  function setLeast() {
    least = (Number(filter.value) / 1000) * largest();
    const shown = values().filter((value) => value >= least).length;
    filterText.textContent = least === 0 ? `all ${plural(values().length, 'channel')}` : `${number(least)} or more: ${plural(shown, 'channel')} of ${number(values().length)}`;
    filter.setAttribute('aria-valuetext', filterText.textContent);
    paint();
    histogram?.least(least);
  }

  function choose(next) {
    layer = next;
    choice.value = String(next);
    filter.value = '0';
    drawing.mark([]);
    histogram?.set(layers[layer]);
    setLeast();
    list();
  }

  const hits = element('div', { class: 'hits', 'aria-live': 'polite' });
  const search = element('input', {
    type: 'search', placeholder: 'name of a router or terminal', autocomplete: 'off', spellcheck: 'false',
    oninput: () => find(),
    onkeydown: (event) => {
      if (event.key === 'Enter') hits.querySelector('button')?.click();
      if (event.key === 'Escape') {
        search.value = '';
        find();
      }
    },
  });

  /** Names that are the text, then those that begin with it, then those that hold it. */
  function find() {
    const text = search.value.trim().toLowerCase();
    hits.replaceChildren();
    drawing.ring([]);
    if (text === '') return;
    const found = [];
    const look = (names, router) => names.forEach((name, i) => {
      const at = name.toLowerCase().indexOf(text);
      if (at >= 0) found.push({ name, place: router(i), rank: name.length === text.length ? 0 : at === 0 ? 1 : 2 });
    });
    look(network.names, (i) => i);
    const home = network.terminals.flatMap((count, router) => Array(count).fill(router));
    look(network.terminal_names, (t) => home[t]);
    found.sort((a, b) => a.rank - b.rank);
    if (found.length === 0) hits.append(element('span', { class: 'dim' }, 'nothing has this name'));
    for (const hit of found.slice(0, kHits)) {
      const where = network.names[hit.place];
      hits.append(element('button', { type: 'button', onclick: () => drawing.ring([hit.place]) },
        hit.name === where ? hit.name : `${hit.name} at ${where}`));
    }
    if (found.length > kHits) hits.append(element('span', { class: 'dim' }, `and ${number(found.length - kHits)} more`));
  }

  const controls = element('div', { class: 'controls' },
    layers.length > 0 ? labelled('Colour by', choice) : null,
    labelled('Find', search),
    layers.length > 0 ? element('div', {}, labelled('Show channels with at least', filter), filterText) : null);
  const host = section('network', 'The network',
    element('p', { class: 'dim' },
      'Each line is a channel, one direction of a cable; each circle a router. Point at one, or click it, for what it is; pinch, or click the drawing and turn the wheel, to zoom.'),
    controls, hits, drawing.host, scale,
    element('div', { class: 'charts' }, histogram?.host ?? null,
      layers.length > 0 ? element('div', {}, element('h3', {}, 'Busiest channels'), busiest) : null));
  if (layers.length > 0) choose(0);
  else paint();
  onThemeChange(paint);
  return {
    host,
    choose,
    /** Shows some channels, with arrows, and brings them into view. */
    mark(links) {
      drawing.mark([{ links, hue: 'var(--mark)', width: 4, alone: true }]);
      drawing.ring([...new Set(links.flatMap((c) => [network.from[c], network.to[c]]))]);
      drawing.host.scrollIntoView({ block: 'nearest' });
    },
  };
}
