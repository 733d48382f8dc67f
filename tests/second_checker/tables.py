# SPDX-License-Identifier: Apache-2.0
"""Forwarding tables, service levels and SL-to-VL tables as their files say them, from docs/table-formats.md alone."""

import json
import os
import re


class Refused(Exception):
    """Files that cannot be meant: the program is expected to refuse them as well."""


class Tables:
    """rows[(switch, lid)] is the output port, None where a row says "no route" in words. owner[lid] is the host or switch that the
    tables' own files give the LID to. level[(host or switch, lid)] is a service level, None where it is not known; where there is no entry, the level is 0.
    maps[(switch, in port, out port)] is the 16 virtual lanes of the levels; maps None means level l on lane l.
    What is not in maps is level l on lane l too. adapter[host]: the lanes of a host's own
    port by level, where a file of SL-to-VL tables says them. lanes_there: lanes 0 to this minus 1 carry data, any other drops it."""

    def __init__(self):
        self.rows = {}
        self.owner = {}
        self.level = {}
        self.maps = None
        self.adapter = {}
        self.lanes_there = 15
        self.with_switches = False  # as read, they lead to switches

    def lead_to_switches(self, fabric):
        """Whether some other switch has a row for a switch's own LID: then management is part of what they carry."""
        return any(self.owner.get(lid) in fabric.switches and self.owner[lid] != switch and switch in fabric.switches
                   for switch, lid in self.rows)

    def lids_of(self, guid):
        return sorted(lid for lid, owner in self.owner.items() if owner == guid)

    def copy(self):
        other = Tables()
        other.rows, other.owner, other.level = dict(self.rows), dict(self.owner), dict(self.level)
        other.maps, other.adapter, other.lanes_there = self.maps, self.adapter, self.lanes_there
        return other

    def lane(self, switch, in_port, out_port, level):
        """The virtual lane on which a switch sends a packet on; None: none that carries data, the packet is dropped."""
        if self.maps is None:
            return self.carries(level)
        lanes = self.maps.get((switch, in_port, out_port), range(16))  # no row is told: level l on lane l
        return self.carries(lanes[level])

    def first_lane(self, host, level):
        """The lane of a packet on its host's own cable. Where there are SL-to-VL tables, and none of this host, it is not known which,
        and the packet gets out: what it is called matters to nobody, since only hosts send there."""
        if host in self.adapter:
            return self.carries(self.adapter[host][level])
        return self.carries(level) if self.maps is None else 0

    def carries(self, lane):
        return lane if lane < self.lanes_there else None


def read_tables(fabric, path, lanes=None, sl2vl=None):
    """The tables of a file, with the side files that belong to it. `fabric` tells which devices there are."""
    with open(path) as file:
        text = file.read()
    if text.lstrip().startswith("{"):
        tables = from_json(fabric, json.loads(text))
    else:
        tables = from_rows(fabric, path, text)
    if sl2vl:
        with open(sl2vl) as file:
            tables.maps, tables.adapter = parse_sl2vl(fabric, file.read())
        require_rows(fabric, tables)
    if lanes:
        with open(lanes) as file:
            tables.level = parse_lanes(fabric, tables, file.read())
        if tables.maps is None and any(level == 15 for level in tables.level.values()):
            raise Refused("level 15 and no SL-to-VL tables")
    tables.with_switches = tables.lead_to_switches(fabric)
    return tables


def from_json(fabric, document):
    tables = Tables()
    hosts = [int(t["guid"], 16) for t in document["terminals"]]
    several = document["version"] == 2
    told = {int(t["guid"], 16): [t["lid"], *t.get("further_lids", [])] for t in document["terminals"] if "lid" in t}
    lids = [lid for of_host in told.values() for lid in of_host]
    if (told or several) and (len(told) < len(hosts) or len(set(lids)) < len(lids)):
        raise Refused("LIDs of some hosts only, or one of two hosts")
    if any(of_host != sorted(of_host) for of_host in told.values()):
        raise Refused("LIDs out of order")
    all_lids = {host: told.get(host, [fabric.lid[host]]) for host in hosts}
    switches = {int(r["guid"], 16): r["lid"] for r in document["routers"] if several and "lid" in r}
    tables.owner = {switches.get(guid, fabric.lid[guid]): guid for guid in fabric.switches}
    tables.owner |= {lid: host for host in hosts for lid in all_lids[host]}
    tables.lanes_there = min(document.get("virtual_lanes", 15), 15)
    for rank, part in enumerate([document, *document.get("further", [])]):
        lid = {host: all_lids[host][rank] for host in hosts}
        for router in part["routers"]:
            guid = int(router["guid"], 16)
            for host, port in zip(hosts, router["ports"]):
                if port != 0:  # -1 leads nowhere: kept, as a port that is not there
                    tables.rows[(guid, lid[host])] = port
        for row in part.get("service_levels", []):
            if "terminal" in row:
                sources = [int(row["terminal"], 16)]
            else:
                sources = [h for h in fabric.hosts if fabric.at[h][0] == int(row["router"], 16)]
            for source in sources:
                for host, level in zip(hosts, row["levels"]):
                    tables.level[(source, lid[host])] = level
    if "sl_to_vl" in document:
        tables.maps = {(int(r["router"], 16), r["in"], r["out"]): r["lanes"] for r in document["sl_to_vl"]}
    return tables


HEADER = re.compile(r"Unicast lids.*\bguid 0x([0-9a-fA-F]+)")
ROW = re.compile(r"^\s*0x([0-9a-fA-F]+)\s+(\d+)\b(.*)$")
FDBS_HEADER = re.compile(r"^dump_ucast_routes: Switch 0x([0-9a-fA-F]+)")
FDBS_ROW = re.compile(r"^0x([0-9a-fA-F]+)\s*:\s*(\d+|UNREACHABLE)")
PORT_GUID = re.compile(r"portguid 0x([0-9a-fA-F]+)")


def from_rows(fabric, path, text):
    tables = Tables()
    stated = {}
    switch = None
    known = set(fabric.lid) | {end[1] for end in fabric.leads.values() if end[0] == "service"}
    for line in text.splitlines():
        if match := HEADER.search(line) or FDBS_HEADER.match(line):
            switch = int(match[1], 16)
            if switch not in fabric.switches:
                raise Refused("a switch that is not there")
        elif match := FDBS_ROW.match(line):
            if match[2] != "UNREACHABLE":
                tables.rows[(switch, int(match[1], 16))] = int(match[2])
        elif match := ROW.match(line):
            lid, port = int(match[1], 16), int(match[2])
            if port != 255:
                tables.rows[(switch, lid)] = port
            if guid := PORT_GUID.search(match[3]):
                stated[lid] = int(guid[1], 16)
                if stated[lid] not in known:
                    raise Refused("a port GUID of nobody")
    told = None
    folder = os.path.dirname(path)
    for owners in (owners_of_dump(os.path.join(folder, "opensm-lfts.dump")),
                   owners_of_guid2lid(os.path.join(folder, "guid2lid"))):
        if set(fabric.hosts) <= set(owners.values()):
            told = owners
    if told is None:  # the fabric's LIDs are those of who has none from the rows
        told = {lid: guid for guid in fabric.lid for lid in fabric.stated_lids(guid)
                if guid not in stated.values() or fabric.lmc and guid in fabric.at and
                min(l for l, g in stated.items() if g == guid) in fabric.stated_lids(guid)}
    tables.owner = told | stated
    known |= set(fabric.hosts)
    if any(tables.owner.get(lid) not in known for _, lid in tables.rows):
        raise Refused("a LID of nobody")
    return tables


def owners_of_guid2lid(path):
    owners = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                if line.strip():
                    guid, low, high = (int(word, 16) for word in line.split())
                    owners.update({lid: guid for lid in range(low, high + 1)})
    return owners


def owners_of_dump(path):
    owners = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                match, guid = ROW.match(line), PORT_GUID.search(line)
                if match and guid:
                    owners[int(match[1], 16)] = int(guid[1], 16)
    return owners


def parse_lanes(fabric, tables, text):
    by_node, by_port, by_switch = {}, {}, {}
    nodes = {}
    for host in fabric.hosts:
        nodes.setdefault(fabric.node_of[host], []).append(host)
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        guid, lid, level = line.split()
        guid, lid, level = int(guid, 16), int(lid), int(level)
        if level > 15:
            raise Refused("a level above 15")
        if lid not in tables.owner:
            raise Refused("a LID of nobody")
        if guid in fabric.hosts and (guid not in nodes or len(nodes[guid]) > 1):
            by_port[(guid, lid)] = level
        elif guid in nodes:
            for host in nodes[guid]:
                by_node[(host, lid)] = level
        elif guid in fabric.switches:
            by_switch[(guid, lid)] = level
        else:
            raise Refused("a GUID of nobody")
    level = by_node | by_port | by_switch
    for source in fabric.hosts:
        for host in fabric.hosts:
            for lid in tables.lids_of(host):
                if host != source and (source, lid) not in level:
                    raise Refused("a pair without a level")
    return level


DUMP_HEADER = re.compile(r"^(Switch|Channel Adapter) 0x([0-9a-fA-F]+)")


def parse_sl2vl(fabric, text):
    """The lines ibdmchk takes, or OpenSM's dump: rows of switches by (switch, in port, out port), and of hosts."""
    maps, adapter = {}, {}
    guid = None
    for line in text.splitlines():
        if match := DUMP_HEADER.match(line):
            guid = int(match[2], 16)
            continue
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("0x"):
            word, into, out, *pairs = line.split()
            guid = int(word, 16)
            lanes = [int(digit, 16) for pair in pairs for digit in pair[2:].zfill(2)]
        else:
            left, right = line.split(":")
            into, out = left.split()
            lanes = [int(word) for word in right.split()]
        if guid in fabric.switches:
            maps[(guid, int(into), int(out))] = lanes
        elif guid in fabric.hosts:
            adapter[guid] = lanes
        else:
            hosts = fabric.hosts_of_node(guid)
            if len(hosts) == 1:
                adapter[hosts[0]] = lanes
    return maps, adapter


def require_rows(fabric, tables):
    """Every way between two ports of a switch that a packet between hosts can take needs a row."""
    for switch in fabric.switches:
        out_ports = {port for s, port in fabric.leads if s == switch}
        in_ports = ({end[2] for end in fabric.leads.values() if end[:2] == ("switch", switch)}
                    | {fabric.at[h][1] for h in fabric.hosts if fabric.at[h][0] == switch})
        out_ports -= {port for (s, port), end in fabric.leads.items() if s == switch and end[0] == "service"}
        if any((switch, a, b) not in tables.maps for a in in_ports for b in out_ports if a != b):
            raise Refused("ports without an SL-to-VL row")
