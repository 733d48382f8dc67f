// SPDX-License-Identifier: Apache-2.0
// What is drawn of a network: routers, and groups that are folded into one place, their channels into bundles.

/**
 * {x, y, names, sizes, from, to, bent, routerOf, groupOf, placeOf, linkOf, first, channels}: places with the number of routers
 * in them; `routerOf` is -1 for a folded group; placeOf by router; links of which link i stands for channels[first[i]] up to
 * channels[first[i + 1]]; those within a folded group lead from its place to itself. `open`: groups that are unfolded.
 */
export function folded(network, open) {
  const count = network.names.length;
  const grouped = network.groups.length > 0;
  const placeOf = new Uint32Array(count);
  const groupPlace = new Map();
  const places = { x: [], y: [], names: [], sizes: [], routerOf: [], groupOf: [] };
  for (let r = 0; r < count; ++r) {
    const group = grouped ? network.group[r] : 0;
    const single = !grouped || open.has(group);
    if (!single && groupPlace.has(group)) {
      placeOf[r] = groupPlace.get(group);
    } else {
      placeOf[r] = places.x.length;
      if (!single) groupPlace.set(group, placeOf[r]);
      places.x.push(0);
      places.y.push(0);
      places.sizes.push(0);
      places.names.push(single ? network.names[r] : network.groups[group]);
      places.routerOf.push(single ? r : -1);
      places.groupOf.push(group);
    }
    places.x[placeOf[r]] += network.x[r];
    places.y[placeOf[r]] += network.y[r];
    places.sizes[placeOf[r]] += 1;
  }
  places.sizes.forEach((size, p) => {
    places.x[p] /= size;
    places.y[p] /= size;
  });
  return { ...places, ...bundles(network, places, placeOf), placeOf, bent: network.bent && groupPlace.size === 0 };
}

function bundles(network, places, placeOf) {
  const channels = network.from.length;
  const linkOf = new Uint32Array(channels);
  const [from, to, sizes] = [[], [], []];
  const known = new Map();
  for (let c = 0; c < channels; ++c) {
    const [a, b] = [placeOf[network.from[c]], placeOf[network.to[c]]];
    const single = places.routerOf[a] >= 0 && places.routerOf[b] >= 0;
    const pair = a * places.x.length + b;
    const link = single ? undefined : known.get(pair);
    linkOf[c] = link ?? from.length;
    if (link !== undefined) {
      sizes[link] += 1;
      continue;
    }
    if (!single) known.set(pair, from.length);
    from.push(a);
    to.push(b);
    sizes.push(1);
  }
  const first = new Uint32Array(from.length + 1);
  sizes.forEach((size, link) => (first[link + 1] = first[link] + size));
  const next = first.slice();
  const list = new Uint32Array(channels);
  for (let c = 0; c < channels; ++c) list[next[linkOf[c]]++] = c;
  return { from: Uint32Array.from(from), to: Uint32Array.from(to), linkOf, first, channels: list };
}

/** By link the largest value of its channels; not a number where none has one. For changes: what is farthest from 0. */
export function linkValues(view, values, change = false) {
  const count = view.from.length;
  const result = new Float64Array(count).fill(NaN);
  const weight = change ? Math.abs : (value) => value;
  for (let i = 0; i < count; ++i) {
    for (let at = view.first[i]; at < view.first[i + 1]; ++at) {
      const value = values[view.channels[at]];
      if (!(weight(value) <= weight(result[i]))) result[i] = Number.isNaN(value) ? result[i] : value;
    }
  }
  return result;
}
