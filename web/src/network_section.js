// SPDX-License-Identifier: Apache-2.0
// The network coloured by what its channels carry, drawn or as a matrix, with search, filter and the busiest channels.
import { channelName, describer } from './describe.js';
import { brief, element, labelled, number, plural, section } from './dom.js';
import { folded, linkValues } from './folding.js';
import { loadHistogram } from './histogram.js';
import { MatrixCanvas } from './matrix_canvas.js';
import { kHidden, NetworkCanvas } from './network_canvas.js';
import { kChanges, kFactors, loadScale, statistics } from './scale.js';
import { searchBox } from './search.js';
import { classLooks, onThemeChange } from './theme.js';

const kListed = 10;
const kFoldedFrom = 30000; // channels from which on groups are folded at first
const kMostOpened = 8; // groups that are unfolded for what is to be shown
const kTangle = 4; // cables of a router from which on a network without structure is a matrix at first
const kFewRouters = 40;

/** Channels with the largest values, at most kListed, without sorting all of them. */
function largest(values, weight) {
  const best = [];
  for (let c = 0; c < values.length; ++c) {
    const w = weight(values[c]);
    if (!(w > -Infinity) || (best.length === kListed && w <= weight(values[best.at(-1)]))) continue;
    let at = best.length;
    while (at > 0 && w > weight(values[best[at - 1]])) --at;
    best.splice(at, 0, c);
    best.length = Math.min(best.length, kListed);
  }
  return best;
}

/** Returns {host, mark(links), choose(layer)}; host.print(paper) draws it for paper, or for the screen again. */
export function networkSection({ network, layers, compare }) {
  const routers = network.names.length;
  const channels = network.from.length;
  let layer = 0;
  let least = 0;
  let scale = loadScale(1);
  const grouped = network.groups.length > 0;
  const everyGroup = () => new Set(network.groups.keys());
  let open = channels > kFoldedFrom ? new Set() : everyGroup();
  let view = folded(network, open);
  let asMatrix = ['free', 'circle'].includes(network.layout) && routers > kFewRouters && channels > 2 * kTangle * routers;

  const change = () => layers[layer]?.change === true;
  const weight = (value) => (change() ? Math.abs(value) : value);
  const values = () => layers[layer]?.values ?? [];
  const describe = describer(network, () => ({ view, values: values(), layer: layers[layer] }));
  const options = {
    describe,
    onpick: (found) => picked(found),
    onenter: ({ place }) => place !== undefined && view.routerOf[place] < 0 && unfold(view.groupOf[place]),
  };
  const moves = 'Arrow keys move it, plus and minus zoom, 0 shows all, Enter picks what is in the middle.';
  const drawing = new NetworkCanvas(view, {
    ...options, label: `Drawing of the network, ${plural(routers, 'router')} and ${plural(channels, 'channel')}. ${moves}`,
  });
  const matrix = new MatrixCanvas({
    ...options, label: `Matrix of the network: rows are routers that send, columns routers that receive. ${moves}`,
  });
  matrix.host.classList.add('square');
  const shown = () => (asMatrix ? matrix : drawing);

  const legend = element('div', { class: 'legend' });
  const busiest = element('ol', { class: 'plain' });
  const filterText = element('output', { class: 'dim' });
  const filter = element('input', { type: 'range', min: 0, max: 1000, value: 0, oninput: () => setLeast() });
  const choice = element('select', { onchange: () => choose(Number(choice.value)) },
    ...layers.map((one, i) => element('option', { value: i }, one.name)));
  const about = element('div', { class: 'hits', 'aria-live': 'polite' });
  const histogram = layers.length > 0 ? loadHistogram(layers[0]) : null;

  /** The class of each link, and what is new or gone where two networks are compared. */
  function paint() {
    const looks = classLooks();
    let group = new Uint8Array(view.from.length);
    if (layers.length > 0) {
      const shownValues = linkValues(view, values(), change());
      group = Uint8Array.from(shownValues, (value) =>
        Number.isNaN(value) || weight(value) < least ? kHidden : scale.classOf(value));
      if (change() && least === 0) {
        for (const [list, dash, name] of [[compare.only_before, [7, 4], 'bad'], [compare.only_after, [2, 3], 'good']]) {
          for (const c of list) if (group[view.linkOf[c]] === kHidden) group[view.linkOf[c]] = looks.length;
          looks.push({ colour: `var(--${name})`, width: 2, dash });
        }
      }
    }
    drawing.paintLinks(group, looks);
    matrix.paintLinks(group, looks);
    paintLegend();
  }

  function paintLegend() {
    if (layers.length === 0) return;
    const { least: low, mean, most } = statistics(values());
    const words = change() ? `from ${number(low)} to ${number(most)}, colours by parts of the mean before` : `mean ${number(mean)}, from ${number(low)} to ${number(most)}`;
    legend.replaceChildren(
      element('span', { class: 'scale' }, ...classLooks().map((look) => element('i', { style: `background:${look.colour}` })),
        ...scale.edges.map((edge) => element('b', {}, brief(edge)))),
      element('span', {}, `${layers[layer].name}: ${layers[layer].unit}; ${words}`),
      ...(change() ? [element('span', {}, element('i', { class: 'gone' }), `${plural(compare.only_before.length, 'channel')} gone`),
        element('span', {}, element('i', { class: 'new' }), `${number(compare.only_after.length)} new`)] : []));
  }

  function list() {
    busiest.replaceChildren(...largest(values(), weight).map((c) => element('li', {},
      element('button', { type: 'button', onclick: () => pick(c) }, channelName(network, c)), ` ${number(values()[c])}`)));
  }

  /** Unfolds groups, unless they are many, and draws anew. */
  function reveal(some) {
    const closed = new Set([...some].filter((router) => grouped && !open.has(network.group[router])).map((router) => network.group[router]));
    if (closed.size === 0 || closed.size > kMostOpened) return;
    open = new Set([...open, ...closed]);
    refold();
  }

  function refold() {
    view = folded(network, open);
    drawing.show(view);
    matrix.show(view, network.groups);
    about.replaceChildren();
    if (foldAll) {
      foldAll.textContent = open.size === 0 ? 'Unfold all groups' : 'Fold all groups';
      foldText.textContent = open.size === 0 ? `${plural(network.groups.length, 'group')}, all folded`
        : open.size === network.groups.length ? `${plural(network.groups.length, 'group')}, none folded`
          : `${number(network.groups.length - open.size)} of ${plural(network.groups.length, 'group')} folded`;
    }
    paint();
  }

  function unfold(group, yes = true) {
    open = new Set(open);
    if (yes) open.add(group);
    else open.delete(group);
    refold();
    ringRouters([network.group.indexOf(group)]);
    offer(group);
  }

  /** A button that unfolds a group, or folds it. */
  function offer(group) {
    if (!grouped) return;
    const yes = !open.has(group);
    about.replaceChildren(element('button', { type: 'button', onclick: () => unfold(group, yes) }, `${yes ? 'Unfold' : 'Fold'} ${network.groups[group]}`));
  }

  function ringRouters(some) {
    for (const one of [drawing, matrix]) one.ring([...new Set(some.map((router) => view.placeOf[router]))]);
  }

  function markChannels(some) {
    const links = [...new Set(some.map((c) => view.linkOf[c]))];
    drawing.mark([{ links, hue: 'var(--mark)', width: 4, alone: true }]);
    ringRouters(some.flatMap((c) => [network.from[c], network.to[c]]));
    matrix.mark(links);
  }

  function pick(c) {
    reveal([network.from[c], network.to[c]]);
    markChannels([c]);
  }

  function picked({ place, link }) {
    drawing.mark([]);
    matrix.mark([]);
    about.replaceChildren();
    if (link !== undefined) {
      const single = view.routerOf[view.from[link]] >= 0 && view.routerOf[view.to[link]] >= 0;
      if (single) markChannels([view.channels[view.first[link]]]);
      else drawing.mark([{ links: [link], hue: 'var(--mark)', width: 4, alone: true }]);
      return;
    }
    for (const one of [drawing, matrix]) one.ring(place === undefined ? [] : [place]);
    if (place !== undefined) offer(view.groupOf[place]);
  }

  function setLeast() {
    const all = statistics(values());
    const top = change() ? Math.max(Math.abs(all.least), Math.abs(all.most)) : all.most;
    least = (Number(filter.value) / 1000) * top;
    let count = 0;
    for (const value of values()) count += weight(value) >= least ? 1 : 0;
    filterText.textContent = least === 0 ? `all ${plural(all.count, 'channel')}` : `${number(least)} or more: ${plural(count, 'channel')} of ${number(all.count)}`;
    filter.setAttribute('aria-valuetext', filterText.textContent);
    paint();
    histogram?.least(least);
  }

  function choose(next) {
    layer = next;
    choice.value = String(next);
    filter.value = '0';
    const before = change() ? layers.find((one) => one.name === layers[layer].name.replace(/ \(change\)$/, ' (before)')) : layers[layer];
    scale = loadScale(statistics(before.values).mean, change() ? kChanges : kFactors);
    drawing.mark([]);
    matrix.mark([]);
    histogram?.set(layers[layer], scale);
    setLeast();
    list();
  }

  const search = searchBox(network, ({ router, group }) => {
    about.replaceChildren();
    drawing.mark([]);
    matrix.mark([]);
    if (router === undefined && group === undefined) return ringRouters([]);
    if (router !== undefined) reveal([router]);
    ringRouters([router ?? network.group.indexOf(group)]);
    return offer(group ?? network.group[router]);
  });

  const foldText = element('span', { class: 'dim' });
  const foldAll = grouped ? element('button', {
    type: 'button',
    onclick: () => {
      open = open.size === 0 ? everyGroup() : new Set();
      refold();
    },
  }) : null;
  const views = [['drawing', false], ['matrix', true]].map(([name, value]) =>
    element('button', { type: 'button', 'data-view': name, onclick: () => setView(value) }, name === 'drawing' ? 'Drawing' : 'Matrix'));
  const caption = element('p', { class: 'dim' });

  function setView(next) {
    asMatrix = next;
    drawing.host.hidden = asMatrix;
    matrix.host.hidden = !asMatrix;
    views.forEach((button) => button.setAttribute('aria-pressed', String((button.dataset.view === 'matrix') === asMatrix)));
    caption.textContent = asMatrix
      ? 'A row for each router, or folded group, that sends, a column for each that receives, in the order of the groups; a cell is a channel between the two, or the busiest of several.'
      : 'Each line is a channel, one direction of a cable; each circle a router, each square a folded group, whose lines have the colour of their busiest channel.';
    shown().fit();
  }

  const host = section('network', compare ? 'Both networks' : 'The network', caption,
    element('div', { class: 'controls' },
      layers.length > 0 ? labelled('Colour by', choice) : null,
      search.control,
      layers.length > 0 ? element('div', {}, labelled(change() ? 'Show channels that change by at least' : 'Show channels with at least', filter), filterText) : null),
    search.hits,
    element('div', { class: 'row views' }, element('div', { class: 'switch', role: 'group', 'aria-label': 'View' }, ...views), foldAll, foldText, about),
    drawing.host, matrix.host, legend,
    element('p', { class: 'dim hint' }, 'Point at a part, or click it, for what it is; pinch, or click the picture and turn the wheel, to zoom.'),
    element('div', { class: 'charts' }, histogram?.host ?? null,
      layers.length > 0 ? element('div', {}, element('h3', {}, compare ? 'Largest changes' : 'Busiest channels'), busiest) : null));
  refold();
  if (layers.length > 0) choose(0);
  setView(asMatrix);
  onThemeChange(() => {
    drawing.refresh();
    matrix.refresh();
  });
  host.print = (paper) => shown().print(paper);
  return {
    host,
    choose,
    /** Shows some channels, with arrows, and brings them into view. */
    mark(some) {
      reveal(some.flatMap((c) => [network.from[c], network.to[c]]));
      markChannels(some);
      shown().host.scrollIntoView({ block: 'nearest' });
    },
  };
}
