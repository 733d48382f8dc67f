# SPDX-License-Identifier: Apache-2.0
"""Multicast groups: their files, random ones, and what becomes of their packets, from docs/multicast.md alone.

A switch copies a packet of a group to each port of its row but the one it came in by. A copy holds a buffer of each (channel, lane)
and waits for all it is copied to. Members are those whose own port is in the row of their switch; any host may send.
"""

import re

from definitions import has_cycle


class Groups:
    """ports[(group, switch)] is a set; level[group], 0 unless told."""

    def __init__(self):
        self.ports, self.level, self.lids = {}, {}, set()

    def row(self, group, switch):
        return self.ports.get((group, switch), set())


def read_groups(path):
    groups, switch, columns = Groups(), None, None
    with open(path) as file:
        for line in file:
            if match := re.match(r"# 0x([0-9a-fA-F]+) sl=(\d+)$", line):
                groups.level[int(match[1], 16)] = int(match[2])
                groups.lids.add(int(match[1], 16))
            elif match := re.match(r"Switch 0x(\w+)", line) or re.match(r"Multicast mlids .* guid 0x(\w+)", line):
                switch = int(match[1], 16)
            elif "Ports:" in line:
                columns = line.index("Ports:") + len("Ports: ")
            elif match := re.match(r"0x([0-9a-fA-F]{4}) :(.*)", line):
                groups.lids.add(int(match[1], 16))
                groups.ports[(int(match[1], 16), switch)] = {int(word, 16) for word in match[2].split()}
            elif match := re.match(r"0x([0-9a-f]{4}) ", line):
                groups.lids.add(int(match[1], 16))
                groups.ports[(int(match[1], 16), switch)] = {(at - columns) // 2 for at, c in enumerate(line) if c == "x" and at > 1}
    return groups


def text_of(fabric, groups, dump):
    """As OpenSM writes them, or as dump_mfts prints them, where levels are not told."""
    text = "" if dump else "".join(f"# 0x{g:04X} sl={level}\n" for g, level in groups.level.items())
    for switch in fabric.switches:
        rows = {g: ports for (g, s), ports in sorted(groups.ports.items()) if s == switch}
        if dump:
            count = fabric.port_count[switch]
            text += (f"Multicast mlids [0xc000-0xc3ff] of switch Lid {fabric.lid[switch]} guid 0x{switch:016x} ({fabric.name[switch]}):\n"
                     "     Ports: " + "".join(f"{port % 10} " for port in range(count + 1)) + "\n MLid\n")
            for g, ports in rows.items():
                text += f"0x{g:04x}      " + "".join("x " if port in ports else "  " for port in range(count + 1)) + "\n"
            text += f"{len(rows)} valid mlids dumped \n"
        elif rows:
            text += f"\nSwitch 0x{switch:016x}\nLID    : Out Port(s)\n"
            text += "".join(f"0x{g:04X} :" + "".join(f" 0x{port:03x} " for port in sorted(ports)) + "\n" for g, ports in rows.items())
    return text


def random_groups(rng, fabric, levels):
    """One to three: trees of cables with most hosts, trees that something is wrong with, or ports at random."""
    groups = Groups()
    for g in rng.sample(range(0xC000, 0xC010), rng.randrange(1, 4)):
        groups.lids.add(g)
        kind = rng.choice(["tree", "tree", "tree", "damaged", "any"])
        ports = {switch: set() for switch in fabric.switches}
        part = {switch: switch for switch in fabric.switches}
        for (switch, port), end in rng.sample(sorted(fabric.leads.items()), len(fabric.leads)):
            if end[0] == "host":
                if rng.random() < 0.8:
                    ports[switch].add(port)
            elif kind == "any":
                if rng.random() < 0.3:
                    ports[switch].add(port)
            elif end[0] == "switch" and part[switch] != part[end[1]] and fabric.leads.get(end[1:]) == ("switch", switch, port):
                old = part[switch]
                part = {s: part[end[1]] if p == old else p for s, p in part.items()}
                ports[switch].add(port)
                ports[end[1]].add(end[2])
        if kind == "damaged":
            for switch in rng.sample(fabric.switches, min(2, len(fabric.switches))):
                ports[switch] ^= {rng.randrange(fabric.port_count[switch] + 1)}
        for switch, some in ports.items():
            if some or rng.random() < 0.1:
                groups.ports[(g, switch)] = some
        if levels and rng.random() < 0.5:
            groups.level[g] = rng.choice(levels)
        if not any(key[0] == g for key in groups.ports):
            groups.ports[(g, fabric.switches[0])] = set()
    return groups


class Outcome:
    """What becomes of all packets. `switches`: they send and are members, too, as port 0 of their own rows."""

    def __init__(self, fabric, tables, groups, switches):
        self.fabric, self.tables, self.groups, self.switches = fabric, tables, groups, switches
        self.edges = set()
        self.pairs = self.lost = self.repeated = self.looping = 0
        for group in groups.lids:
            self.follow(group)

    def follow(self, group):
        level = self.groups.level.get(group, 0)
        senders = {host: self.fabric.at[host] for host in self.fabric.hosts if self.tables.first_lane(host, level) is not None}
        if self.switches:
            senders |= {switch: (switch, 0) for switch in self.fabric.switches}
        copies = {}  # of a place: what it is copied to
        todo = [place for at in senders.values() for place in self.copied(group, level, *at)]
        edges = set()
        while todo:
            place = todo.pop()
            if place in copies or place[0] == "end":
                continue
            end = self.fabric.leads[place[0]]
            copies[place] = self.copied(group, level, end[1], end[2])
            channels = [p for p in copies[place] if p[0] != "end"]
            edges |= {(place, p) for p in channels}
            todo += channels
        self.edges |= edges
        members = [(d, at) for d, at in [*self.fabric.at.items(), *((s, (s, 0)) for s in self.fabric.switches if self.switches)]
                   if at[1] in self.groups.row(group, at[0])]
        self.pairs += len(members) * (len(members) - 1)
        if has_cycle(edges):
            self.looping += 1
            self.lost += len(members) * (len(members) - 1)
            return
        known = {}
        for source, _ in members:
            count = {}
            for place in self.copied(group, level, *senders[source]) if source in senders else []:
                for end, number in self.delivered(place, copies, known).items():
                    count[end] = count.get(end, 0) + number
            got = [count.get(d, 0) for d, _ in members if d != source]
            self.lost += got.count(0)
            self.repeated += sum(number > 1 for number in got)

    def copied(self, group, level, switch, in_port):
        """Where a switch copies a packet to: (channel, lane) pairs, and ("end", who) of those it reaches."""
        places = []
        for port in self.groups.row(group, switch) - {in_port}:
            lane = self.tables.lane(switch, in_port, port, level)
            end = self.fabric.leads.get((switch, port))
            if port == 0 and self.switches:  # no buffer is waited for there
                places.append(("end", switch))
            elif end is not None and lane is not None and end[0] != "service":
                places.append(((switch, port), lane) if end[0] == "switch" else ("end", end[1]))
        return places

    def delivered(self, place, copies, known):
        if place[0] == "end":
            return {place[1]: 1}
        if place not in known:
            count = {}
            for after in copies[place]:
                for end, number in self.delivered(after, copies, known).items():
                    count[end] = count.get(end, 0) + number
            known[place] = count
        return known[place]

    def good(self):
        return self.lost == self.repeated == self.looping == 0


