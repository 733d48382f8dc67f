# SPDX-License-Identifier: Apache-2.0
"""What the words mean: a packet's way, delivery, deadlock. Plain walks over dictionaries, from InfiniBand's own rules.

A packet from a host to a LID carries one service level for life. Its host sends it onto its cable; each switch looks the LID up,
sends the packet out of that port to whatever is plugged there now, on the lane that its SL-to-VL table gives for (port it came in by,
port it goes out of, level). Lane 15 is for management: data on it is dropped, as where there is no lane.

A packet holds a buffer of each (channel, lane) it goes through and waits for the next: a dependency. A routing can deadlock when the
dependencies of all packets together have a cycle. A packet that is dropped, or that ends at the wrong host, has held
all buffers up to there; one that loops holds them forever.
"""

from collections import deque

DELIVERED = "delivered"
NO_ROUTE = "unreachable"
STRAY = "stray_port"
LOOP = "loop"
NO_LEVEL = "missing_service_level"
DROPPED = "dropped_lane"


class Way:
    """How a packet ends (a word above), and the (channel, lane) pairs it holds, in order. A channel is (switch, output port), the
    host's own cable ("host", port GUID)."""

    def __init__(self, end, held):
        self.end, self.held = end, held


def way(fabric, tables, source, lid, level):
    """Follows one packet from a host to a LID. Where it is lost in two ways, the rows come first: a pair whose rows go round is called
    a loop even if a lane drops its packets before they do."""
    goal = tables.owner[lid]
    if source in fabric.switches:  # out of its port 0, where there is no cable
        switch, in_port = source, 0
        lane, held = 0, []
        dropped = False
    else:
        switch, in_port = fabric.at[source]
        lane = None if level is None else tables.first_lane(source, level)
        held = [] if lane is None else [(("host", source), lane)]
        dropped = lane is None
    seen = set()
    while True:
        again = (switch, in_port) in seen
        seen.add((switch, in_port))
        port = tables.rows.get((switch, lid))
        if port is None:
            return Way(NO_ROUTE, held)
        if port == 0 and switch == goal:  # a switch's own port, where no buffer is waited for
            return Way((NO_LEVEL if level is None else DROPPED) if dropped else DELIVERED, held)
        end = fabric.leads.get((switch, port))
        if end is None or end[0] != "switch" and end != ("host", goal):
            return Way(STRAY, held)
        lane = None if dropped else tables.lane(switch, in_port, port, level)
        dropped = lane is None
        if not dropped:
            held.append(((switch, port), lane))
        if again:  # and so on forever; the hop that closes the ring is among those held
            return Way(LOOP, held)
        if end[0] != "switch":
            return Way((NO_LEVEL if level is None else DROPPED) if dropped else DELIVERED, held)
        switch, in_port = end[1], end[2]


def addresses(fabric, tables):
    """All (source, host, lid, which of the host's LIDs) that packets are sent between."""
    return [(source, host, lid, which)
            for source in fabric.hosts for host in fabric.hosts if host != source
            for which, lid in enumerate(tables.lids_of(host))]


def management(fabric, tables):
    """(source, lid) of what is sent from or to a switch itself."""
    return [(source, lid) for source in fabric.hosts + fabric.switches for lid, goal in tables.owner.items()
            if goal != source and (goal in fabric.switches or goal in fabric.hosts and source in fabric.switches)]


def dependencies(held):
    return set(zip(held, held[1:]))


def has_cycle(edges):
    """Whether a set of (from, to) has a cycle: nodes that nothing leads to are taken away until none is left to take."""
    into, out = {}, {}
    for a, b in edges:
        out.setdefault(a, []).append(b)
        into[b] = into.get(b, 0) + 1
        into.setdefault(a, 0)
    ready = [node for node, count in into.items() if count == 0]
    taken = 0
    while ready:
        node = ready.pop()
        taken += 1
        for after in out.get(node, ()):
            into[after] -= 1
            if into[after] == 0:
                ready.append(after)
    return taken < len(into)


def distances(fabric, goal):
    """Hops from each switch to a switch over the fabric as it is; a one-way cable counts one way."""
    back = {}
    for (switch, _), end in fabric.leads.items():
        if end[0] == "switch":
            back.setdefault(end[1], []).append(switch)
    distance = {goal: 0}
    queue = deque([goal])
    while queue:
        here = queue.popleft()
        for before in back.get(here, ()):
            if before not in distance:
                distance[before] = distance[here] + 1
                queue.append(before)
    return distance


class Verdict:
    """What `unknot verify` is asked: ends of all ways by (source, host, which LID), and what follows from them. `switches`: what
    switches send and are sent counts for deadlocks, where the tables lead there."""

    def __init__(self, fabric, tables, switches=False, multicast=None):
        self.management_lost = None
        self.ways = {}
        self.edges = set()
        self.longer = 0
        self.hops = []
        far = {host: distances(fabric, fabric.at[host][0]) for host in fabric.hosts}
        for source, host, lid, which in addresses(fabric, tables):
            found = way(fabric, tables, source, lid, tables.level.get((source, lid), 0))
            self.ways[(source, host, which)] = found
            self.edges |= dependencies(found.held)
            if found.end == DELIVERED:
                hops = len(found.held) - 2  # cables between switches alone
                self.hops.append(hops)
                self.longer += hops > far[host][fabric.at[source][0]]
        if switches and tables.with_switches:
            ways = [way(fabric, tables, source, lid, tables.level.get((source, lid), 0))
                    for source, lid in management(fabric, tables)]
            self.management_lost = sum(found.end != DELIVERED for found in ways)
            for found in ways:
                self.edges |= dependencies(found.held)
        # multicast(switches): what becomes of groups, where there are some
        self.multicast = multicast and multicast(self.management_lost is not None)
        if self.multicast:
            self.edges |= self.multicast.edges
        self.uneven_addresses = len({len(tables.lids_of(host)) for host in fabric.hosts}) > 1
        self.lost = sum(found.end != DELIVERED for found in self.ways.values())
        self.loops = sum(found.end == LOOP for found in self.ways.values())
        self.deadlock_free = not has_cycle(self.edges)
        self.complete = self.lost == 0

    def good(self):
        return self.complete and self.deadlock_free and (not self.multicast or self.multicast.good())
