# SPDX-License-Identifier: Apache-2.0
"""A fabric as its file says it: switches, hosts, and where each output port leads now.

Reads Unknot's JSON and the grammar that ibnetdiscover and ibsim share, from docs/formats.md alone. A switch is named by
its GUID, a host (one connected port of an adapter) by its port GUID; everything else is looked up from these.
"""

import json
import re

ROUTER_GUIDS = 0x0002000000000000
HOST_GUIDS = 0x0001000000000000  # nodes at even numbers, the port's GUID is the next one


class Fabric:
    """switches: GUIDs in the file's order. hosts: port GUIDs, by switch, then by port. leads[(switch, port)] is
    ("switch", guid, port) or ("host", guid) or ("service", guid): what a packet sent out of that port reaches. at[host] is its
    (switch, port). lid[guid] of hosts and switches."""

    def __init__(self):
        self.switches = []
        self.hosts = []
        self.leads = {}
        self.at = {}
        self.lid = {}
        self.lids_stated = False
        self.lmc = 0  # of the hosts, where LIDs are stated: each has 2^lmc, from lid[guid] on
        self.name = {}
        self.node_of = {}
        self.port_count = {}
        self.rate = {}  # of a cable, by (switch, port) at either end

    def systematic_lids(self):
        """Hosts from 1, then switches: what a fabric gets whose file leaves one out."""
        self.lids_stated = False
        self.lid = {guid: 1 + i for i, guid in enumerate(self.hosts + self.switches)}

    def stated_lids(self, guid):
        return range(self.lid[guid], self.lid[guid] + (1 << self.lmc if guid in self.at else 1))

    def hosts_of_node(self, node):
        return [h for h in self.hosts if self.node_of[h] == node]

    def copy_without(self, gone_leads=(), gone_hosts=(), gone_switches=()):
        """What remains when these directions, hosts and switches have failed; names, LIDs and ports stay."""
        rest = Fabric()
        rest.switches = [s for s in self.switches if s not in gone_switches]
        rest.hosts = [h for h in self.hosts if h not in gone_hosts and self.at[h][0] not in gone_switches]
        for out, end in self.leads.items():
            lost = out in gone_leads or out[0] in gone_switches or end[1] in gone_switches
            if not lost and not (end[0] == "host" and end[1] not in rest.hosts):
                rest.leads[out] = end
        rest.at = {h: self.at[h] for h in rest.hosts}
        rest.lid = {g: self.lid[g] for g in rest.hosts + rest.switches}
        rest.lids_stated, rest.lmc = self.lids_stated, self.lmc
        rest.name, rest.node_of, rest.port_count, rest.rate = self.name, self.node_of, self.port_count, self.rate
        return rest


def read_fabric(path):
    with open(path) as file:
        text = file.read()
    return from_json(json.loads(text)) if text.lstrip().startswith("{") else from_records(text)


def from_json(document):
    fabric = Fabric()
    count = document["routers"]
    terminals = document["terminals"]

    def labels(key, size, systematic, convert=lambda value: value):
        return [convert(v) for v in document[key]] if key in document else [systematic(i) for i in range(size)]

    def number(text):
        return int(text, 16)

    fabric.switches = labels("router_guid", count, lambda i: ROUTER_GUIDS + i, number)
    fabric.hosts = labels("terminal_port_guid", len(terminals), lambda i: HOST_GUIDS + 2 * i + 1, number)
    nodes = document.get("terminal_node_guid")
    for i, host in enumerate(fabric.hosts):
        router, port = terminals[i][:2]
        fabric.at[host] = (fabric.switches[router], port)
        fabric.leads[fabric.at[host]] = ("host", host)
        fabric.node_of[host] = number(nodes[i]) if nodes else HOST_GUIDS + 2 * i
    for guid, name in zip(fabric.switches, labels("router_name", count, lambda i: f"S-{i}")):
        fabric.name[guid] = name
    for guid, name in zip(fabric.hosts, labels("terminal_name", len(terminals), lambda i: f"H-{i}")):
        fabric.name[guid] = name
    for a, p, b, q, *rate in document["cables"]:
        a, b = fabric.switches[a], fabric.switches[b]
        fabric.leads[(a, p)] = ("switch", b, q)
        fabric.leads[(b, q)] = ("switch", a, p)
        fabric.rate[(a, p)] = fabric.rate[(b, q)] = rate[0] if rate else ""
    for a, p, b, q, *rate in document.get("one_way", []):
        fabric.leads[(fabric.switches[a], p)] = ("switch", fabric.switches[b], q)
        fabric.rate[(fabric.switches[a], p)] = rate[0] if rate else ""
    for service in document.get("service_nodes", []):
        fabric.leads[(fabric.switches[service["router"]], service["router_port"])] = (
            "service", number(service["port_guid"]))
    for guid, ports in zip(fabric.switches, document.get("router_ports", [])):
        fabric.port_count[guid] = ports
    fabric.systematic_lids()
    if "router_lid" in document and "terminal_lid" in document:
        fabric.lids_stated = True
        fabric.lid = dict(zip(fabric.switches + fabric.hosts, document["router_lid"] + document["terminal_lid"]))
        fabric.lmc = document.get("lmc", 0)
    return fabric


RECORD = re.compile(r'^(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]+)"\s*(.*)$')
PORT = re.compile(r'^\[(\d+)\](?:\(([0-9a-fA-F]+)\))?\s+"([^"]+)"(?:\[(\d+)\])?(?:\(([0-9a-fA-F]+)\))?\s*(.*)$')
GUID = re.compile(r"^(switchguid|caguid|hcaguids|rtguid)=0x([0-9a-fA-F]+)")


def from_records(text):
    """ibnetdiscover's output and ibsim's net files. Each host has one port unless an adapter lists more."""
    nodes = {}  # id -> kind, guid, name, lid, [(port, own guid, peer id, peer port, lid)]
    order = []
    given = None
    current = None
    automatic = {"Switch": 0x200000, "Ca": 0x100000}
    for line in text.splitlines():
        if match := GUID.match(line):
            given = int(match[2], 16)
        elif match := RECORD.match(line):
            kind = "Ca" if match[1] == "Hca" else match[1]
            guid = automatic[kind] if given is None else given
            automatic[kind] = guid + 1 + (int(match[2]) if kind == "Ca" else 0)
            given = None
            comment = match[4]
            name = re.search(r'"(.*)"', comment)
            lid = re.search(r"\blid (\d+)", comment[comment.rfind('"') + 1:])
            current = {"kind": kind, "guid": guid, "name": name[1] if name else match[3], "size": int(match[2]),
                       "lid": int(lid[1]) if lid else 0, "ports": []}
            nodes[match[3]] = current
            order.append(match[3])
        elif (match := PORT.match(line)) and current is not None:
            own_lid = re.search(r"^#\s*lid (\d+)(?: lmc (\d+))?", match[6]) if current["kind"] == "Ca" else None
            rate = re.search(r"\b(\d+x[A-Z]+\d*)\s*$", match[6])
            current["ports"].append({
                "port": int(match[1]), "own": int(match[2], 16) if match[2] else None, "peer": match[3],
                "peer_port": int(match[4] or 1), "lid": int(own_lid[1]) if own_lid else 0, "lmc": int(own_lid[2] or 0) if own_lid else 0,
                "rate": rate[1] if rate else ""})
    return joined(nodes, order)


def joined(nodes, order):
    fabric = Fabric()
    ends = {}  # (id, port) -> (id, port), either end may state the cable
    for key in order:
        for port in nodes[key]["ports"]:
            ends[(key, port["port"])] = (port["peer"], port["peer_port"])
            ends[(port["peer"], port["peer_port"])] = (key, port["port"])
    own, lids = {}, {}
    for key in order:
        for port in nodes[key]["ports"]:
            own[(key, port["port"])] = port["own"]
            lids[(key, port["port"])] = port["lid"]
            if port["rate"] and nodes[key]["kind"] == "Switch":
                fabric.rate[(nodes[key]["guid"], port["port"])] = port["rate"]
    fabric.switches = [nodes[key]["guid"] for key in order if nodes[key]["kind"] == "Switch"]
    hosts = []
    for (key, p), (peer, q) in ends.items():
        node = nodes[key]
        if node["kind"] != "Switch":
            continue
        guid = node["guid"]
        fabric.name[guid], fabric.port_count[guid] = node["name"], node["size"]
        other = nodes[peer]
        if other["kind"] == "Switch":
            fabric.leads[(guid, p)] = ("switch", other["guid"], q)
        else:
            host = own.get((peer, q)) or other["guid"] + q
            service = other["kind"] == "Rt" or "Aggregation Node" in other["name"]
            fabric.leads[(guid, p)] = ("service" if service else "host", host)
            if not service:
                hosts.append((fabric.switches.index(guid), p, host))
                fabric.at[host] = (guid, p)
                fabric.name[host], fabric.node_of[host] = other["name"], other["guid"]
                fabric.lid[host] = lids.get((peer, q), 0)
    fabric.hosts = [host for _, _, host in sorted(hosts)]
    for key in order:
        if nodes[key]["kind"] == "Switch":
            fabric.lid[nodes[key]["guid"]] = nodes[key]["lid"]
            fabric.name[nodes[key]["guid"]] = nodes[key]["name"]
    if all(fabric.lid.get(g) for g in fabric.hosts + fabric.switches):
        fabric.lids_stated = True
        fabric.lmc = max(port["lmc"] for key in order for port in nodes[key]["ports"])
    else:
        fabric.systematic_lids()
    return fabric
