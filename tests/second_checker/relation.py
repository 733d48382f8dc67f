# SPDX-License-Identifier: Apache-2.0
"""Adaptive routings, from the file and the definitions alone: every packet by itself, every choice.

A packet has a host it goes to, a level and a kind, adaptive or fixed, for life. A switch finds its entry by (port it came in by,
lane it came on or level), then the host. A fixed packet takes the entry's fixed port; an adaptive one any port of the group, or,
where the entry is hashed, one that a hash has committed it to. It lies in one buffer, (channel, lane), at a time.

Buffers block each other for ever when each may hold a packet that waits for none but them: where it is committed, for one of them;
else all of its choices must be among them. The greatest such set is what is left when buffers whose packets all get on are taken away.
"""

import json

from definitions import distances, has_cycle

ANY_LANES, DROP = 64, 15


class Relation:
    def __init__(self, fabric, path):
        with open(path) as file:
            document = json.load(file)
        self.fabric = fabric
        self.adaptive, self.fixed = document["adaptive_levels"], document["fixed_levels"]
        hosts = [int(guid, 16) for guid in document["terminals"]]
        self.planes = [self.plane(plane, hosts) for plane in document["planes"]]
        self.plane_key = document.get("planes_by")
        self.plane_of = {(int(row["router"], 16), row["in"]): row["planes"] for row in document.get("planes_of_ports", [])}
        self.maps = [self.lanes(document.get(name)) for name in ("sl_to_vl", "vl_to_vl")]
        self.steps_at = {int(guid, 16) for guid in document.get("vl_to_vl_at", [])} if "vl_to_vl_at" in document else \
            set(fabric.switches)
        self.limit = min(document.get("data_lanes", ANY_LANES), ANY_LANES if self.maps == [None, None] else DROP)
        self.level = None
        if "service_levels" in document:
            rows = {int(row["terminal"], 16): dict(zip(hosts, row["levels"])) for row in document["service_levels"]}
            self.level = {}
            for host in fabric.hosts:  # a row counts for the hosts of a switch that follow
                row = rows.get(host) or row
                self.level[host] = row

    @staticmethod
    def plane(routers, hosts):
        entries = {}
        for router in routers:
            switch = int(router["guid"], 16)
            for host, value in zip(hosts, router["entries"]):
                if value == -2:
                    entries[(switch, host)] = "here"
                elif value >= 0:
                    kind, fixed, *group = router["choices"][value]
                    entries[(switch, host)] = (kind, fixed, router["groups"][group[0]] if group else None)
        return entries

    @staticmethod
    def lanes(rows):
        if rows is None:
            return None
        return {("host", int(row["terminal"], 16)) if "terminal" in row else (int(row["router"], 16), row["in"], row["out"]):
                row["lanes"] for row in rows}

    def lane(self, level, came_on, switch, port_in, port_out):
        """None where the packet is dropped."""
        step = self.maps[1] is not None and switch in self.steps_at
        table, key = (self.maps[1], came_on) if step else (self.maps[0], level)
        lane = key if table is None else table.get((switch, port_in, port_out), range(16))[key]
        return lane if lane < self.limit else None

    def first_lane(self, host, level):
        if self.maps[0] is None:
            lane = level
        else:
            lane = self.maps[0].get(("host", host), range(16))[level]
        return lane if lane < self.limit else None

    def sends(self, source, packet):
        return source != packet[2] and (self.level is None or self.level[source][packet[2]] == packet[0])

    def ways(self, switch, port_in, lane, packet):
        """(buffers it may go to, whether it may choose, whether some choice loses it, whether it is there)."""
        level, adaptive, host = packet
        plane = 0
        if self.plane_key:
            plane = self.plane_of.get((switch, port_in), [0] * 16)[lane if self.plane_key == "lane" else level]
        entry = self.planes[plane].get((switch, host))
        if entry == "here" and self.fabric.at[host][0] == switch:
            last = self.lane(level, lane, switch, port_in, self.fabric.at[host][1])
            return [], False, last is None, True
        if entry is None or entry == "here":
            return [], False, True, False
        kind, fixed, group = entry
        ports = sorted(set(group)) if adaptive and kind != "fixed" else [fixed]
        free = adaptive and kind == "adaptive"
        lost = not ports
        buffers = []
        for port in ports:
            end = self.fabric.leads.get((switch, port), ("nowhere",))
            after = self.lane(level, lane, switch, port_in, port) if end[0] == "switch" else None
            if after is None:
                lost = True
            else:
                buffers.append(((switch, port), after))
        return buffers, free, lost, False

    def on(self, buffer, packet):
        """What a packet in the buffer may do at the other end of the cable."""
        _, switch, port = self.fabric.leads[buffer[0]]
        return self.ways(switch, port, buffer[1], packet)

    def packets(self):
        return [(level, adaptive, host) for levels, adaptive in ((self.adaptive, True), (self.fixed, False))
                for level in sorted(set(levels)) for host in self.fabric.hosts]


class RelationVerdict:
    def __init__(self, relation, committed):
        fabric = relation.fabric
        self.relation, self.committed = relation, committed
        self.lost, self.looping = set(), set()
        self.heads = {}  # by buffer: (packet, buffers it may go to, whether it may choose, whether a choice loses it)
        self.max_hops = 0
        longer = False
        for packet in relation.packets():
            host = packet[2]
            far = distances(fabric, fabric.at[host][0])
            begins, reached = [], {}
            for source in fabric.hosts:
                if not relation.sends(source, packet):
                    continue
                lane = relation.first_lane(source, packet[0])
                if lane is None:
                    self.lost |= set(fabric.hosts)
                    continue
                switch, port = fabric.at[source]
                begins.append((switch, relation.ways(switch, port, lane, packet)))
            queue = [way for _, way in begins]
            while queue:
                buffers, _, lost, _ = queue.pop()  # the last cable loses packets, too
                if lost:
                    self.lost.add(host)
                for buffer in buffers:
                    if buffer not in reached:
                        reached[buffer] = relation.on(buffer, packet)
                        queue.append(reached[buffer])
            for buffer, way in reached.items():
                self.heads.setdefault(buffer, [])
                if not way[3]:
                    self.heads[buffer].append((packet,) + way[:3])
            longest = {}
            left = dict(reached)
            while left:  # the longest ways first of those that are at their end
                done = {b: 1 + max((longest[to] for to in way[0]), default=0) for b, way in left.items()
                        if all(to in longest for to in way[0])}
                if not done:
                    self.looping.add(host)
                    break
                longest.update(done)
                left = {b: way for b, way in left.items() if b not in done}
            for switch, (buffers, *_) in begins:
                for buffer in buffers:
                    hops = longest.get(buffer, 0)
                    self.max_hops = max(self.max_hops, hops)
                    longer = longer or hops > far[switch]
        self.edges = {(a, b) for a, packets in self.heads.items() for _, to, _, _ in packets for b in to}
        self.delivers = not self.lost and not self.looping
        self.minimal = self.delivers and not longer
        acyclic = not has_cycle(self.edges)
        self.method = "acyclic" if acyclic else "escape" if not committed and not self.stuck() else None

    def waits(self, head, among):
        _, to, free, lost = head
        if not free or self.committed:
            return any(b in among for b in to)
        return bool(to) and not lost and all(b in among for b in to)

    def stuck(self):
        among = set(self.heads)
        while True:
            moving = {b for b in among if not any(self.waits(head, among) for head in self.heads[b])}
            if not moving:
                return among
            among -= moving

    def objection(self, path):
        """Why a certificate proves nothing; "" where it does."""
        number = {}
        with open(path) as file:
            for line in file.read().splitlines()[3:-1]:  # the last line counts the others
                lane, guid, port, value = line.split()
                number[((int(guid, 16), int(port)), int(lane))] = int(value)
        for buffer, packets in self.heads.items():
            if buffer not in number:
                return f"no number for {buffer}"
            for packet, to, free, lost in packets:
                larger = [b in number and number[b] > number[buffer] for b in to]
                if not (any(larger) or lost or not to if free and not self.committed else all(larger)):
                    return f"{packet} in {buffer} waits for {to}"
        return ""
