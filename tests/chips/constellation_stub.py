# SPDX-License-Identifier: Apache-2.0
"""Reads the Scala that is written for Constellation, and does what its generator does with a relation (src/main/scala/noc there)."""

import re


class Design:
    def __init__(self, text):
        def number(name):
            return int(re.search(rf"val {name} = (\d+)\n", text)[1])

        def rows(name):
            body = re.search(rf"private lazy val {name} = Seq\(\n(.*?)\n  \)", text, re.S)[1]
            return [[int(x) for x in row.split()] for row in re.findall(r'"([^"]*)"', body)]

        self.routers, self.terminals, self.channels = number("nRouters"), number("nTerminals"), number("nChannels")
        self.home = [int(x) for x in re.search(r'private val routers = numbers\("([^"]*)"\)', text)[1].split()]
        self.links = rows("links")
        self.next = rows("next")
        self.level = rows("level")
        self.hops = {tuple(row[:3]): row[3:] for row in rows("hops")} if "lazy val hops" in text else None
        assert len(self.home) == self.terminals and len(self.links) == self.routers
        assert len(self.next) == self.routers and all(len(row) == self.terminals for row in self.next)
        assert len(self.level) == self.terminals and all(len(row) == self.terminals for row in self.level)
        assert all(len(set(row)) == len(row) for row in self.links), "parallel links"

    def lane(self, came_from, ingress, at, to, egress):
        level = self.level[ingress][egress]
        if self.hops is None:
            return level
        row = self.hops.get((-1 - ingress if came_from is None else came_from, at, to))
        return -1 if row is None else row[level]

    def route(self, ingress, egress):
        """Channels (from, to, vc) of a flow; fails where the relation gives none, as the generator does."""
        came_from, at, way = None, self.home[ingress], []
        while at != self.home[egress]:
            to = self.next[at][egress]
            assert to in self.links[at], f"no link from {at} to {to}"
            vc = self.lane(came_from, ingress, at, to, egress)
            assert 0 <= vc < self.channels, f"flow {ingress} to {egress} has no channel from {at} to {to}"
            way.append((at, to, vc))
            assert len(way) <= self.routers
            came_from, at = at, to
        return way

    def acyclic(self):
        after = {}
        for s in range(self.terminals):
            for t in range(self.terminals):
                if s != t:
                    way = self.route(s, t)
                    for a, b in zip(way, way[1:]):
                        after.setdefault(a, set()).add(b)
        return acyclic(after)


def acyclic(after):
    """Whether a graph, a dictionary of sets, has no cycle."""
    waiting = {}
    for targets in after.values():
        for b in targets:
            waiting[b] = waiting.get(b, 0) + 1
    free = [a for a in after if a not in waiting]
    seen = 0
    while free:
        a = free.pop()
        seen += 1
        for b in after.get(a, ()):
            waiting[b] -= 1
            if waiting[b] == 0:
                free.append(b)
    return seen == len(set(after) | {b for targets in after.values() for b in targets})
