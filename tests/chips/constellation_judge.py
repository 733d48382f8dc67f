# SPDX-License-Identifier: Apache-2.0
"""Topologies and routing relations of Constellation, and whether a configuration is free of deadlock, flow by flow and from the definitions.

Shares nothing with what reads and proves configurations. A channel is (from, to, lane, lanes), from is None where a packet comes in; a flow is
(ingress router, egress router, subnet). A relation is a pair of functions: allowed(channel, next, flow) and escape(channel, subnet)."""

import itertools
from types import SimpleNamespace


# Topologies: nodes, the set of their links, and what relations know them by.

def topology(n, links, **more):
    return SimpleNamespace(n=n, links={link for link in links if link[0] != link[1]}, **more)


def both(links):
    return [link for u, v in links for link in ((u, v), (v, u))]


def UnidirectionalLine(n, skips=()):
    return topology(n, [(i, i + 1) for i in range(n - 1)] + [skip for skip in skips if skip[0] < skip[1]])


def BidirectionalLine(n):
    return topology(n, both((i, i + 1) for i in range(n - 1)))


def UnidirectionalTorus1D(n):
    return topology(n, [(i, (i + 1) % n) for i in range(n)])


def BidirectionalTorus1D(n):
    return topology(n, both((i, (i + 1) % n) for i in range(n)))


def Butterfly(kAry, nFly):
    height = kAry ** (nFly - 1)
    links = []
    for stage, y, digit in itertools.product(range(nFly - 1), range(height), range(kAry)):
        place = kAry ** stage
        links.append((stage * height + y, (stage + 1) * height + y + (digit - y // place % kAry) * place))
    return topology(height * nFly, links, height=height)


def BidirectionalTree(height, dAry=2):
    n = sum(dAry ** level for level in range(height + 1))
    return topology(n, both(((i - 1) // dAry, i) for i in range(1, n)), parent=[None] + [(i - 1) // dAry for i in range(1, n)])


def grid(nX, nY, one_way, wraps):
    links = []
    for x, y in itertools.product(range(nX), range(nY)):
        for (tx, ty), size in (((x + 1, y), nX), ((x, y + 1), nY)):
            if wraps and size > 1 or tx < nX and ty < nY:
                links.append((x + nX * y, tx % nX + nX * (ty % nY)))
    return topology(nX * nY, links if one_way else both(links), nX=nX, nY=nY)


def Mesh2D(nX, nY):
    return grid(nX, nY, False, False)


def UnidirectionalTorus2D(nX, nY):
    return grid(nX, nY, True, True)


def BidirectionalTorus2D(nX, nY):
    return grid(nX, nY, False, True)


def TerminalRouter(base):
    return topology(2 * base.n, both((i, i + base.n) for i in range(base.n)) + [(u + base.n, v + base.n) for u, v in base.links], base=base)


def HierarchicalSubTopology(src, dst, topo):
    return (src, dst, topo)


def HierarchicalTopology(base, children):
    links, first, parts = list(base.links), base.n, []
    for src, dst, child in children:
        links += [(u + first, v + first) for u, v in child.links] + both([(src, dst + first)])
        parts.append((first, src, dst, child))
        first += child.n
    return topology(first, links, base=base, parts=parts)


def CustomTopology(n, edges):
    return topology(n, edges, edges=list(edges))


# Relations on a topology.

def everywhere(channel, subnet):
    return True


def AllLegalRouting():
    return lambda topo: (lambda c, d, flow: True, everywhere)


def UnidirectionalLineRouting():
    return lambda topo: (lambda c, d, flow: d[1] <= flow[1], everywhere)


def BidirectionalLineRouting():
    return lambda topo: (lambda c, d, flow: flow[1] >= d[1] if d[1] > d[0] else flow[1] <= d[1], everywhere)


def dateline(c, d, crosses, may_cross_later):
    """Lanes go down at the dateline, and on lane 0 are those alone who do not cross it any more."""
    if c[0] is None:
        return d[2] > 0
    if c[2] == 0:
        return d[2] == 0
    return d[2] < c[2] if crosses else d[2] <= c[2] and (d[2] > 0 or not may_cross_later)


def UnidirectionalTorus1DDatelineRouting():
    def on(topo):
        return lambda c, d, flow: dateline(c, d, d[0] == topo.n - 1, flow[1] <= d[0]), lambda c, v: c[2] < 2
    return on


def BidirectionalTorus1DDatelineRouting():
    def on(topo):
        def allowed(c, d, flow):
            up = (d[1] - d[0]) % topo.n == 1
            # With two nodes each link is one up.
            return dateline(c, d, d[0] == (topo.n - 1 if up else 0), flow[1] <= d[0] if up else flow[1] >= d[0])
        return allowed, everywhere
    return on


def BidirectionalTorus1DShortestRouting():
    def on(topo):
        base = BidirectionalTorus1DDatelineRouting()(topo)[0]

        def allowed(c, d, flow):
            up, down = (flow[1] - d[0]) % topo.n, (d[0] - flow[1]) % topo.n
            step = (d[1] - d[0]) % topo.n
            return (up == down or step == (1 if up < down else topo.n - 1)) and base(c, d, flow)
        return allowed, everywhere
    return on


def BidirectionalTorus1DRandomRouting():
    def on(topo):
        base = BidirectionalTorus1DDatelineRouting()(topo)[0]

        def allowed(c, d, flow):
            if c[0] is None:
                return base(c, d, flow)
            return (d[1] - d[0]) % topo.n == (1 if (d[0] - c[0]) % topo.n == 1 else topo.n - 1) and base(c, d, flow)
        return allowed, everywhere
    return on


def ButterflyRouting():
    def on(topo):
        last = topo.n // topo.height - 1

        def ends(node):
            if node // topo.height == last:
                return {node % topo.height}
            return set().union(*(ends(v) for u, v in topo.links if u == node))
        reach = [ends(node) for node in range(topo.n)]
        return lambda c, d, flow: flow[1] // topo.height > d[0] // topo.height and flow[1] % topo.height in reach[d[1]], everywhere
    return on


def BidirectionalTreeRouting():
    def on(topo):
        def above(u, v):
            while v is not None and v != u:
                v = topo.parent[v]
            return v == u

        def allowed(c, d, flow):
            if above(d[0], flow[1]):
                return d[1] > d[0] and above(d[1], flow[1])
            return topo.parent[d[0]] == d[1]
        return allowed, everywhere
    return on


def by_grid(rule):
    def on(topo):
        def at(node):
            return (node % topo.nX, node // topo.nX)
        return lambda c, d, flow: rule(at(d[0]), at(d[1]), at(flow[1])), everywhere
    return on


def nearer(u, v, t):
    """From u to v, which differ, not beyond t."""
    return t >= v if v > u else t <= v


def minimal(u, v, t):
    return all(u[i] == v[i] or nearer(u[i], v[i], t[i]) for i in (0, 1))


def Mesh2DDimensionOrderedRouting(firstDim=0):
    def rule(u, v, t):
        first, second = (0, 1) if firstDim == 0 else (1, 0)
        dim = first if u[first] != t[first] else second
        return u[1 - dim] == v[1 - dim] and nearer(u[dim], v[dim], t[dim])
    return by_grid(rule)


def Mesh2DMinimalRouting():
    return by_grid(minimal)


def Mesh2DWestFirstRouting():
    return by_grid(lambda u, v, t: v[0] == u[0] - 1 if t[0] < u[0] else minimal(u, v, t))


def Mesh2DNorthLastRouting():
    def rule(u, v, t):
        north = v[1] == u[1] + 1
        if t[1] <= u[1]:
            return minimal(u, v, t)
        return minimal(u, v, t) and not north if t[0] != u[0] else north
    return by_grid(rule)


def EscapeChannelRouting(escapeRouter, normalRouter, nEscapeChannels=1):
    def on(topo):
        n, escape, normal = nEscapeChannels, escapeRouter(topo)[0], normalRouter(topo)[0]

        def allowed(c, d, flow):
            if d[2] < n:
                return escape(c, (*d[:3], n), flow)
            if c[0] is not None and c[2] < n:
                return False
            return normal(c if c[0] is None else (c[0], c[1], c[2] - n, c[3] - n), (d[0], d[1], d[2] - n, d[3] - n), flow)
        return allowed, lambda c, v: c[2] < n
    return on


def Mesh2DEscapeRouting():
    return EscapeChannelRouting(Mesh2DDimensionOrderedRouting(), Mesh2DMinimalRouting())


def ring(rule, n, i, nX):
    """A relation of a ring along a dimension of a torus."""
    allowed = rule()(SimpleNamespace(n=n))

    def part(node):
        return None if node is None else node // nX if i else node % nX
    return lambda c, d, flow: allowed[0]((part(c[0]), part(c[1]), *c[2:]), (part(d[0]), part(d[1]), *d[2:]), (None, part(flow[1]), flow[2]))


def DimensionOrderedUnidirectionalTorus2DDatelineRouting():
    def on(topo):
        along = [ring(UnidirectionalTorus1DDatelineRouting, n, i, topo.nX) for i, n in enumerate((topo.nX, topo.nY))]

        def allowed(c, d, flow):
            u, v, t = ((node % topo.nX, node // topo.nX) for node in (d[0], d[1], flow[1]))
            dim = 0 if u[0] != t[0] else 1
            if u[1 - dim] != v[1 - dim]:
                return False
            if c[0] is None:
                return d[2] > 0
            w = (c[0] % topo.nX, c[0] // topo.nX)
            if w[0] != v[0] and w[1] != v[1]:
                return d[2] > 0
            return along[1 if w[0] == v[0] else 0](c, d, flow)
        return allowed, everywhere
    return on


def DimensionOrderedBidirectionalTorus2DDatelineRouting():
    def on(topo):
        sizes = (topo.nX, topo.nY)
        one_way = [ring(UnidirectionalTorus1DDatelineRouting, n, i, topo.nX) for i, n in enumerate(sizes)]
        shortest = [ring(BidirectionalTorus1DShortestRouting, n, i, topo.nX) for i, n in enumerate(sizes)]

        def allowed(c, d, flow):
            u, v, t = ((node % topo.nX, node // topo.nX) for node in (d[0], d[1], flow[1]))
            dim = 0 if u[0] != t[0] else 1
            return u[dim] != v[dim] and shortest[dim](c, d, flow) and (d[2] > 0 if c[0] is None else one_way[dim](c, d, flow))
        return allowed, everywhere
    return on


def TerminalRouterRouting(baseRouting):
    def on(topo):
        n = topo.base.n
        base, escape = baseRouting(topo.base)

        def allowed(c, d, flow):
            if d[1] == flow[1] or c[0] is None and d[1] >= n:
                return True
            if min(d[0], d[1]) < n or (d[0] - flow[1]) % n == 0:
                return False
            came = (None, c[1] % n, 0, 1) if c[0] is None or c[0] < n else (c[0] - n, c[1] - n, *c[2:])
            return base(came, (d[0] - n, d[1] - n, *d[2:]), (flow[0], flow[1] % n, flow[2]))
        return allowed, lambda c, v: min(c[0], c[1]) < n or escape((c[0] - n, c[1] - n, *c[2:]), v)
    return on


def HierarchicalRouting(baseRouting, childRouting):
    def on(topo):
        base = baseRouting(topo.base)
        children = [rule(part[3]) for rule, part in zip(childRouting, topo.parts, strict=True)]

        def home(node):
            """Number of the child of a node, None in the base."""
            return next((i for i, (first, _, _, child) in enumerate(topo.parts) if first <= node < first + child.n), None)

        def local(c, i):
            first = topo.parts[i][0]
            return (None if c[0] is None or home(c[0]) is None else c[0] - first, c[1] - first, *c[2:])

        def allowed(c, d, flow):
            here, there, to = home(d[0]), home(d[1]), home(flow[1])
            if here is None:
                if there is not None:
                    return there == to
                gate = flow[1] if to is None else topo.parts[to][1]
                came = (None if c[0] is None or home(c[0]) is not None else c[0], *c[1:])
                return (to is None or d[0] != gate) and base[0](came, d, (flow[0], gate, flow[2]))
            if there is None:
                return to != here
            first, _, gate, _ = topo.parts[here]
            target = flow[1] - first if to == here else gate
            return (to == here or d[0] - first != gate) and children[here][0](local(c, here), local(d, here), (flow[0], target, flow[2]))

        def escape(c, v):
            here, there = home(c[0]), home(c[1])
            if (here is None) != (there is None):
                return True
            return base[1](c, v) if here is None else children[here][1](local(c, here), v)
        return allowed, escape
    return on


def NonblockingVirtualSubnetworksRouting(f, n, nDedicatedChannels):
    def on(topo):
        base, escape = f(topo)
        own, each = n * nDedicatedChannels, nDedicatedChannels

        def lower(c):
            return (c[0], c[1], c[2] % each if c[2] < own else each + c[2] - own, 1 if c[0] is None else c[3] - own + each)
        return (lambda c, d, flow: (d[2] >= own or d[2] // each == flow[2]) and base(lower(c), lower(d), (*flow[:2], 0)),
                lambda c, v: escape(lower(c), 0))
    return on


def BlockingVirtualSubnetworksRouting(f, n, nDedicated=1):
    def on(topo):
        base, escape = f(topo)

        def above(c, v):
            return (c[0], c[1], c[2] - v * nDedicated, c[3] - v * nDedicated)

        def allowed(c, d, flow):
            v = flow[2]
            if above(d, v)[2] < 0 or c[0] is not None and above(c, v)[2] < 0:
                return False
            return base(c if c[0] is None else above(c, v), above(d, v), (*flow[:2], 0))
        return allowed, lambda c, v: above(c, v)[2] >= 0 and escape(above(c, v), 0)
    return on


def shortest_ways(n, neighbours):
    """Nodes of one shortest path for each pair, neighbours tried in their order."""
    ways = {}
    for source in range(n):
        ways[source, source] = [source]
        front = [source]
        while front:
            ahead = []
            for u in front:
                for v in neighbours[u]:
                    if (source, v) not in ways:
                        ways[source, v] = ways[source, u] + [v]
                        ahead.append(v)
            front = ahead
    return {pair: way for pair, way in ways.items() if len(way) > 1}


def ShortestPathRouting(maxVCs=1):
    def on(topo):
        ways = shortest_ways(topo.n, [sorted(v for w, v in topo.links if w == u) for u in range(topo.n)])
        return lambda c, d, flow: d[0] != flow[1] and (d[0], flow[1]) in ways and ways[d[0], flow[1]][1] == d[1], lambda c, v: False
    return on


def EscapeIDOrderRouting():
    return lambda topo: (lambda c, d, flow: c[0] is None or d[0] < d[1], everywhere)


def CustomLayeredRouting():
    def on(topo):
        ways = shortest_ways(topo.n, [[v for w, v in topo.edges if w == u] for u in range(topo.n)])
        steps = {pair: frozenset(zip(way, way[1:])) for pair, way in ways.items()}
        longest = [steps[pair] for pair in sorted(steps) if not any(steps[pair] < other for other in steps.values())]

        def fits(layer):
            after = {}
            for u, v in layer:
                after.setdefault(u, set()).add(v)
            return acyclic(after)

        def pack(i, layers):
            if i == len(longest):
                return layers
            for j, layer in enumerate(layers):
                if fits(layer | longest[i]):
                    packed = pack(i + 1, layers[:j] + [layer | longest[i]] + layers[j + 1:])
                    if packed:
                        return packed
            return None
        layers = next(packed for k in itertools.count(1) if (packed := pack(0, [frozenset()] * k)))
        lane = {pair: next(j for j, layer in enumerate(layers) if one <= layer) for pair, one in steps.items()}

        def allowed(c, d, flow):
            pair = flow[:2]
            return pair in steps and d[2] == lane[pair] and (c[0] is None or c[2] == lane[pair]) and d[:2] in steps[pair]
        return allowed, lambda c, v: False
    return on


# The judge.

def acyclic(after):
    """Whether a graph, a dictionary of sets, has no cycle: by depth-first search."""
    state = {}
    for root in after:
        stack = [] if root in state else [(root, iter(after[root]))]
        if stack:
            state[root] = 1
        while stack:
            for b in stack[-1][1]:
                if state.get(b) == 1:
                    return False
                if b not in state:
                    state[b] = 1
                    stack.append((b, iter(after.get(b, ()))))
                    break
            else:
                state[stack.pop()[0]] = 2
    return True


def judge(topo, lanes, relation, flows, blocking=lambda a, b: True):
    """delivers, method, blocked (a deadlock is there), subnets_move. flows: (ingress router, egress router, subnet, ordered)."""
    allowed, escape = relation(topo)
    out = {u: [] for u in range(topo.n)}
    for u, v in sorted(topo.links):
        out[u] += [(u, v, lane, lanes(u, v)) for lane in range(lanes(u, v))]
    delivers, subnets = True, {flow[2] for flow in flows}
    after, escapes, packets, needs_escape = {}, {}, [], True
    usable = {v: set() for v in subnets}
    is_escape = {v: {c for u in out for c in out[u] if escape(c, v)} for v in subnets}
    any_escape = set().union(*is_escape.values())
    for ingress, egress, v, ordered in dict.fromkeys(flows):
        flow = (ingress, egress, v)
        start = (None, ingress, 0, 1)
        choices, todo = {}, [start]
        while todo:
            c = todo.pop()
            if c in choices:
                continue
            choices[c] = [] if c[1] == egress else [d for d in out[c[1]] if allowed(c, d, flow)]
            delivers &= bool(choices[c]) or c[1] == egress
            delivers &= not ordered or len({d[1] for d in choices[c]}) <= 1
            todo += choices[c]
        usable[v] |= set(choices) - {start}
        loops = not acyclic({c: set(choices[c]) for c in choices})
        delivers &= not loops
        for c in choices:
            if c == start or not choices[c]:
                continue
            packets.append((v, c, choices[c]))
            after.setdefault(c, set()).update(choices[c])
            needs_escape &= any(d in is_escape[v] for d in choices[c])
            if c in any_escape:
                behind, todo = set(), [c]
                while todo:
                    b = todo.pop()
                    if b not in behind:
                        behind.add(b)
                        todo += choices[b]
                escapes.setdefault(c, set()).update(d for b in behind for d in choices[b] if d in is_escape[v])
    method = "acyclic" if acyclic(after) else "escape" if needs_escape and acyclic(escapes) else None
    full = set(after)
    while True:
        stay = {c for _, c, some in packets if c in full and all(d in full for d in some)}
        if stay == full:
            break
        full = stay
    moves = True
    for v in subnets:
        stalled = {w for w in subnets if w != v and blocking(v, w)}
        while more := {u for u in subnets - stalled - {v} if any(not blocking(u, w) for w in stalled)}:
            stalled |= more
        taken = set().union(*(usable[w] for w in stalled))
        for w, _, some in packets:
            moves &= w != v or any(d not in taken and (method != "escape" or d in is_escape[v]) for d in some)
        for ingress, egress, w, _ in dict.fromkeys(flows):
            if w == v and ingress != egress:
                some = [d for d in out[ingress] if allowed((None, ingress, 0, 1), d, (ingress, egress, v))]
                moves &= not some or any(d not in taken for d in some)  # who has no choice at all is not delivered
    return {"delivers": delivers, "method": method, "blocked": bool(full), "subnets_move": moves}
