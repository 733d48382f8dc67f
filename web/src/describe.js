// SPDX-License-Identifier: Apache-2.0
// What a place or a link of a drawing is, in words.
import { number, plural } from './dom.js';
import { firstTerminals } from './search.js';

export function channelName(network, c) {
  return `${network.names[network.from[c]]} port ${network.from_port[c]} \u2192 ${network.names[network.to[c]]} port ${network.to_port[c]}`;
}

/** `now()` gives {view, values, layer}: the view as folded() makes it, the values by channel and what they are. */
export function describer(network, now) {
  const first = firstTerminals(network);
  const value = (c) => {
    const { values, layer } = now();
    if (!layer) return '';
    return Number.isNaN(values[c]) ? '\nnot in both networks' : `\n${number(values[c])} (${layer.unit})`;
  };
  const router = (r) => {
    const count = network.terminals[r];
    const ends = count === 0 ? 'no terminal' : count === 1 ? `terminal ${network.terminal_names[first[r]]}`
      : `${plural(count, 'terminal')}, ${network.terminal_names[first[r]]} to ${network.terminal_names[first[r] + count - 1]}`;
    const group = network.groups.length > 0 ? `\n${network.groups[network.group[r]]}` : '';
    return `${network.names[r]}\n${ends}${group}`;
  };
  const group = (place) => {
    const { view } = now();
    let terminals = 0;
    view.placeOf.forEach((at, r) => (terminals += at === place ? network.terminals[r] : 0));
    return `${view.names[place]}\n${plural(view.sizes[place], 'router')}, ${plural(terminals, 'terminal')}; folded`;
  };
  const bundle = (link) => {
    const { view, values, layer } = now();
    const list = view.channels.subarray(view.first[link], view.first[link + 1]);
    const [from, to] = [view.names[view.from[link]], view.names[view.to[link]]];
    const title = from === to ? `${plural(list.length, 'channel')} within ${from}` : `${plural(list.length, 'channel')} from ${from} to ${to}`;
    if (!layer) return title;
    let [sum, count, most] = [0, 0, -Infinity];
    for (const c of list) {
      if (Number.isNaN(values[c])) continue;
      sum += values[c];
      count += 1;
      most = Math.max(most, values[c]);
    }
    return count === 0 ? title : `${title}\nat most ${number(most)}, ${number(sum / count)} in the mean (${layer.unit})`;
  };
  return ({ place, link }) => {
    const { view } = now();
    if (place !== undefined) return view.routerOf[place] >= 0 ? router(view.routerOf[place]) : group(place);
    const single = view.routerOf[view.from[link]] >= 0 && view.routerOf[view.to[link]] >= 0;
    const c = view.channels[view.first[link]];
    return single ? `${channelName(network, c)}${value(c)}` : bundle(link);
  };
}
