// SPDX-License-Identifier: Apache-2.0
// Names of routers, terminals and groups, found by a part of them.
import { element, labelled, number } from './dom.js';

const kHits = 12;

/** Number of the first terminal of each router, as terminals are numbered by router. */
export function firstTerminals(network) {
  const first = new Uint32Array(network.terminals.length + 1);
  network.terminals.forEach((count, r) => (first[r + 1] = first[r] + count));
  return first;
}

/** The last router whose first terminal is not after this one. */
function homeOf(first, terminal) {
  let [low, high] = [0, first.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (first[middle] <= terminal) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** {control, hits}: `show({router})` or `show({group})` is called with what is chosen, `show({})` where the text changes. */
export function searchBox(network, show) {
  const first = firstTerminals(network);
  const hits = element('div', { class: 'hits', 'aria-live': 'polite' });
  const search = element('input', {
    type: 'search', placeholder: network.groups.length > 0 ? 'router, terminal or group' : 'name of a router or terminal',
    autocomplete: 'off', spellcheck: 'false',
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
    show({});
    if (text === '') return;
    const found = [];
    const look = (names, what) => names.forEach((name, i) => {
      const at = name.toLowerCase().indexOf(text);
      if (at >= 0) found.push({ name, what: what(i), rank: name.length === text.length ? 0 : at === 0 ? 1 : 2 });
    });
    look(network.names, (router) => ({ router }));
    look(network.groups, (group) => ({ group }));
    look(network.terminal_names, (t) => ({ router: homeOf(first, t) }));
    found.sort((a, b) => a.rank - b.rank);
    if (found.length === 0) hits.append(element('span', { class: 'dim' }, 'nothing has this name'));
    for (const { name, what } of found.slice(0, kHits)) {
      const where = what.group === undefined ? network.names[what.router] : name;
      hits.append(element('button', { type: 'button', onclick: () => show(what) }, name === where ? name : `${name} at ${where}`));
    }
    if (found.length > kHits) hits.append(element('span', { class: 'dim' }, `and ${number(found.length - kHits)} more`));
  }
  return { control: labelled('Find', search), hits };
}
