// SPDX-License-Identifier: Apache-2.0
// Places for networks without a structure of their own: modules by forces, then the routers of each around its middle.
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import { quadtree } from 'd3-quadtree';

const kTicks = 300;
const kMostWork = 3e6; // ticks times nodes and links: about a second
const kFew = 100; // routers that can be told apart by themselves
const kInside = 0.7; // of the channels within modules, for these to be shown
const kRing = 0.85; // between neighbours on the ring of a module

/** Settles nodes {radius} and weighted links {source, target, weight}; the same input gives the same places. */
function settle(nodes, links, apart) {
  const strongest = links.reduce((most, link) => Math.max(most, link.weight), 1);
  const simulation = forceSimulation(nodes)
    .force('link', forceLink(links).distance((link) => apart + link.source.radius + link.target.radius)
      .strength((link) => (0.15 * link.weight) / strongest))
    .force('charge', forceManyBody().strength((node) => -(apart + node.radius) * (apart + node.radius) * 2))
    .force('apart', forceCollide((node) => node.radius + apart / 3))
    .force('x', forceX().strength(0.06))
    .force('y', forceY().strength(0.1)) // pages are wider than tall
    .stop();
  const ticks = Math.max(20, Math.min(kTicks, Math.round(kMostWork / (nodes.length * 8 + links.length))));
  simulation.alphaDecay(1 - 0.001 ** (1 / ticks)).tick(ticks);
}

/** Links between parts, each pair once, by how many channels join it; `part` by router. */
function between(network, part, count) {
  const weights = new Map();
  for (let c = 0; c < network.from.length; ++c) {
    const [a, b] = [part(network.from[c]), part(network.to[c])];
    if (a === b) continue;
    const pair = Math.min(a, b) * count + Math.max(a, b);
    weights.set(pair, (weights.get(pair) ?? 0) + 1);
  }
  return [...weights].map(([pair, weight]) => ({ source: Math.floor(pair / count), target: pair % count, weight }));
}

/** Routers of a module on a ring, each on the side of what it is cabled to outside, as far as there is room. */
function placeRing(network, members, centre, radius, x, y, middleOf) {
  const order = members.map((router) => ({ router, angle: Math.atan2(middleOf.y[router] - centre.y, middleOf.x[router] - centre.x) }))
    .sort((a, b) => a.angle - b.angle || a.router - b.router);
  // the turn that leaves them nearest to where they want to be
  let [sin, cos] = [0, 0];
  order.forEach(({ angle }, i) => {
    sin += Math.sin(angle - (2 * Math.PI * i) / order.length);
    cos += Math.cos(angle - (2 * Math.PI * i) / order.length);
  });
  const turn = Math.atan2(sin, cos);
  order.forEach(({ router }, i) => {
    const angle = turn + (2 * Math.PI * i) / order.length;
    x[router] = centre.x + radius * Math.cos(angle);
    y[router] = centre.y + radius * Math.sin(angle);
  });
}

/** Middle of what each router is cabled to in other modules, by where those modules are. */
function outside(network, nodes) {
  const count = network.names.length;
  const [x, y, weight] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let c = 0; c < network.from.length; ++c) {
    for (const [one, other] of [[network.from[c], network.to[c]], [network.to[c], network.from[c]]]) {
      if (network.group[one] === network.group[other]) continue;
      x[one] += nodes[network.group[other]].x;
      y[one] += nodes[network.group[other]].y;
      weight[one] += 1;
    }
  }
  for (let r = 0; r < count; ++r) {
    x[r] /= weight[r] || 1;
    y[r] /= weight[r] || 1;
  }
  return { x, y };
}

/** Mean distance of a node to the one nearest to it. */
function nearest(nodes) {
  const tree = quadtree(nodes, (node) => node.x, (node) => node.y);
  let sum = 0;
  for (const node of nodes) {
    tree.remove(node);
    const other = tree.find(node.x, node.y);
    sum += Math.hypot(other.x - node.x, other.y - node.y);
    tree.add(node);
  }
  return sum / nodes.length || 1;
}

/** Whether its modules are more than what any network can be divided into, or all that can be told apart. */
function showsModules({ group, from, to, names }) {
  let inside = 0;
  for (let c = 0; c < from.length; ++c) inside += group[from[c]] === group[to[c]] ? 1 : 0;
  return names.length > kFew || inside > kInside * from.length;
}

/** The network with places: as it is where its layout says something. */
export function placed(network) {
  const count = network.names.length;
  if (network.layout !== 'free' || count < 2) return network;
  const [x, y] = [new Float64Array(count), new Float64Array(count)];
  if (network.groups.length === 0 || !showsModules(network)) {
    const nodes = Array.from({ length: count }, () => ({ radius: 0.3 }));
    settle(nodes, between(network, (r) => r, count), 1);
    const unit = nearest(nodes);
    nodes.forEach((node, r) => ([x[r], y[r]] = [node.x / unit, node.y / unit]));
    return { ...network, x, y };
  }
  const members = network.groups.map(() => []);
  network.group.forEach((group, router) => members[group].push(router));
  const nodes = members.map((list) => ({ radius: list.length < 2 ? 0.3 : Math.max(0.5, kRing / (2 * Math.sin(Math.PI / list.length))) }));
  settle(nodes, between(network, (r) => network.group[r], members.length), 1.4);
  const middleOf = outside(network, nodes);
  members.forEach((list, g) => placeRing(network, list, nodes[g], nodes[g].radius, x, y, middleOf));
  return { ...network, x, y };
}
