# SPDX-License-Identifier: Apache-2.0
"""Networks as BookSim2 has them: ports in its order, since its arbiters start at the lowest, and its routes."""

import heapq
import json
import os


class Routed:
    """Routers, terminals as (router, port), port(router, home): BookSim2's routing function. Ports count from 1."""

    def route(self, source, destination):
        """The routers passed from terminal to terminal."""
        at, home = self.terminals[source][0], self.terminals[destination][0]
        passed = [at]
        while at != home:
            at = self.beyond[at][self.port(at, home)]
            passed.append(at)
        return passed

    def tables(self):
        ports = [[own if r == home else self.port(r, home) for home, own in self.terminals] for r in range(self.routers)]
        return {"format": "unknot-tables", "version": 1,
                "terminals": [{"guid": "0x%016x" % (0x0001000000000001 + 2 * t)} for t in range(len(self.terminals))],
                "routers": [{"guid": "0x%016x" % (0x0002000000000000 + r), "ports": row} for r, row in enumerate(ports)],
                **self.lanes()}

    def lanes(self):
        return {}  # a packet takes any lane


class Grid(Routed):
    """BookSim2's mesh and torus: k routers a dimension, ports +x, -x, +y, -y, ..., terminal; dimension order, the lowest
    first, in a torus of odd k the shorter way."""

    def __init__(self, k, n, wraps):
        self.k, self.n, self.wraps = k, n, wraps
        self.routers = k ** n
        self.terminals = [(r, 2 * n + 1) for r in range(self.routers)]
        self.beyond = [{} for _ in range(self.routers)]
        self.cables = []
        for r in range(self.routers):
            for d in range(n):
                step = k ** d
                x = r // step % k
                if x + 1 == k and not wraps:
                    continue
                other = r + ((x + 1) % k - x) * step
                self.cables.append([r, 2 * d + 1, other, 2 * d + 2])
                self.beyond[r][2 * d + 1], self.beyond[other][2 * d + 2] = other, r
        self.words = ["topology=" + ("torus" if wraps else "mesh"), "k=%d" % k, "n=%d" % n, "routing_function=dim_order"]

    def number(self, name):  # router_2_0: the highest dimension first
        number = 0
        for digit in name.split("_")[1:]:
            number = number * self.k + int(digit)
        return number

    def port(self, router, home):
        for d in range(self.n):
            x, goal = router // self.k ** d % self.k, home // self.k ** d % self.k
            if x != goal:
                up = 2 * ((goal - x) % self.k) < self.k if self.wraps else goal > x
                return 2 * d + (1 if up else 2)

    def write(self, file):
        with open(file, "w") as out:
            json.dump({"format": "unknot-network", "version": 1, "routers": self.routers, "cables": self.cables,
                       "terminals": [list(t) for t in self.terminals]}, out)

    def lanes(self):
        """BookSim2's datelines: of a dimension's lanes the second half is for packets that enter it at a higher coordinate
        than they leave it, whichever way they go round. Bit d of a level says so for dimension d."""
        if not self.wraps:
            return {}
        digits = [[r // self.k ** d % self.k for d in range(self.n)] for r in range(self.routers)]
        levels = [{"router": "0x%016x" % (0x0002000000000000 + s),
                   "levels": [sum((a > b) << d for d, (a, b) in enumerate(zip(digits[s], digits[t])))
                              for t in range(self.routers)]} for s in range(self.routers)]
        ends = range(1, 2 * self.n + 2)
        rows = [{"router": "0x%016x" % (0x0002000000000000 + r), "in": i, "out": o,
                 "lanes": [level >> min((o - 1) // 2, self.n - 1) & 1 for level in range(16)]}
                for r in range(self.routers) for i in ends for o in ends]
        return {"virtual_lanes": 2, "service_levels": levels, "sl_to_vl": rows}


class AnyNet(Routed):
    """An anynet file: the ports of a router are its nodes by number, then its neighbours by number. The route from a router
    is that of Dijkstra's algorithm begun there, which settles the lowest of equally near routers first and keeps the first
    of equally short ways; a channel is as long as its latency."""

    def __init__(self, file):
        self.file = file
        self.words = ["topology=anynet", "routing_function=min", "network_file=" + file]
        nodes, self.latency = {}, {}
        with open(file) as lines:
            for line in lines:
                words = iter(line.split()[1:])  # "router 0 node 0 router 1 3 router 2": 3 cycles to router 1
                router = int(next(words))
                nodes.setdefault(router, [])
                near = self.latency.setdefault(router, {})
                other = None
                for word in words:
                    if word not in ("node", "router"):
                        near[other] = int(word)
                    elif word == "node":
                        nodes[router].append(int(next(words)))
                    else:
                        other = int(next(words))
                        near[other] = 1
        self.routers = len(self.latency)
        places = sorted((node, r, i + 1) for r, here in nodes.items() for i, node in enumerate(sorted(here)))
        self.terminals = [(r, port) for _, r, port in places]
        self.beyond = [{len(nodes[r]) + 1 + i: other for i, other in enumerate(sorted(self.latency[r]))}
                       for r in range(self.routers)]
        self.ports = [self.ports_from(r) for r in range(self.routers)]

    def ports_from(self, start):
        port_to = {other: port for port, other in self.beyond[start].items()}
        length, first, settled, queue = {start: 0}, {start: None}, set(), [(0, start)]
        while queue:
            _, router = heapq.heappop(queue)
            if router in settled:
                continue
            settled.add(router)
            for other, latency in self.latency[router].items():
                far = length[router] + latency
                if far < length.get(other, far + 1):
                    length[other] = far
                    first[other] = port_to[other] if router == start else first[router]
                    heapq.heappush(queue, (far, other))
        return first

    def number(self, name):
        return int(name.split("_")[1])

    def port(self, router, home):
        return self.ports[router][home]

    def write(self, file):
        os.symlink(self.file, file)
