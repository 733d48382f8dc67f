# SPDX-License-Identifier: Apache-2.0
"""Writes fabrics and tables in the formats of docs/formats.md and docs/table-formats.md, for the program and the second checker to read."""

import json


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def cables_of(fabric):
    """(two-way cables, one-way ones) as (switch, port, switch, port)."""
    both, single = [], []
    for out, end in fabric.leads.items():
        if end[0] != "switch":
            continue
        if fabric.leads.get(end[1:]) == ("switch",) + out:
            if out < end[1:]:
                both.append(out + end[1:])
        else:
            single.append(out + end[1:])
    return both, single


def hosts_in_order(fabric):
    return sorted(fabric.hosts, key=lambda h: (fabric.switches.index(fabric.at[h][0]), fabric.at[h][1]))


def fabric_json(fabric):
    number = {guid: i for i, guid in enumerate(fabric.switches)}
    hosts = hosts_in_order(fabric)
    both, single = cables_of(fabric)

    def rate(switch, port):
        return [fabric.rate[(switch, port)]] if fabric.rate.get((switch, port)) else []

    def rows(cables):
        return [[number[a], p, number[b], q] + rate(a, p) for a, p, b, q in cables]

    document = {
        "format": "unknot-network", "version": 1, "routers": len(fabric.switches), "cables": rows(both),
        "terminals": [[number[fabric.at[h][0]], fabric.at[h][1]] for h in hosts],
        "router_name": [fabric.name[s] for s in fabric.switches],
        "router_guid": [f"0x{s:016x}" for s in fabric.switches],
        "router_ports": [fabric.port_count[s] for s in fabric.switches],
        "terminal_name": [fabric.name[h] for h in hosts],
        "terminal_node_guid": [f"0x{fabric.node_of[h]:016x}" for h in hosts],
        "terminal_port_guid": [f"0x{h:016x}" for h in hosts],
        "terminal_adapter_port": [h - fabric.node_of[h] for h in hosts],
    }
    services = [(out, end[1]) for out, end in fabric.leads.items() if end[0] == "service"]
    if services:
        document["service_nodes"] = [{"router": number[s], "router_port": p, "node_guid": f"0x{g:016x}", "port_guid": f"0x{g:016x}",
                                      "lid": 0, "rate": "", "name": "Aggregation Node"} for (s, p), g in services]
    if single:
        document["one_way"] = rows(single)
    if fabric.lids_stated:
        document["router_lid"] = [fabric.lid[s] for s in fabric.switches]
        document["terminal_lid"] = [fabric.lid[h] for h in hosts]
        if fabric.lmc:
            document["lmc"] = fabric.lmc
    return json.dumps(document)


def records(fabric, ibsim):
    """ibnetdiscover's output, or a net file of ibsim; two-way cables alone."""
    stated = fabric.lids_stated

    def lid(guid):
        return f"lid {fabric.lid[guid]}" if stated else "lid 0"

    text = "# a fabric\n"
    for s in fabric.switches:
        text += f"\nswitchguid=0x{s:x}" + ("" if ibsim else f"({s:x})")
        text += f'\nSwitch\t{fabric.port_count[s]} "S-{s:016x}"\t\t# "{fabric.name[s]}" enhanced port 0 {lid(s)} lmc 0\n'
        for (switch, port), end in sorted(fabric.leads.items()):
            if switch != s:
                continue
            rate = fabric.rate.get((s, port)) or "?????"
            if end[0] == "switch":
                text += f'[{port}]\t"S-{end[1]:016x}"[{end[2]}]\t\t# "{fabric.name[end[1]]}" {lid(end[1])} {rate}\n'
            else:
                node = fabric.node_of[end[1]]
                text += (f'[{port}]\t"H-{node:016x}"[{end[1] - node}]({end[1]:x}) \t\t'
                         f'# "{fabric.name[end[1]]}" {lid(end[1])} ?????\n')
    nodes = {}
    for host in fabric.hosts:
        nodes.setdefault(fabric.node_of[host], []).append(host)
    for node, hosts in nodes.items():
        text += f'\ncaguid=0x{node:x}\nCa\t{max(hosts) - node} "H-{node:016x}"\t\t# "{fabric.name[hosts[0]]}"\n'
        for host in sorted(hosts):
            s, port = fabric.at[host]
            text += (f'[{host - node}]({host:x}) \t"S-{s:016x}"[{port}]\t\t'
                     f'# {lid(host)} lmc {fabric.lmc} "{fabric.name[s]}" {lid(s)} ?????\n')
    return text


def write_fabric(fabric, path, kind):
    write(path, fabric_json(fabric) if kind == "json" else records(fabric, kind == "ibsim"))


def lft(fabric, tables, kind, switch_rows):
    """opensm, opensm-bare, dump_lfts, fdbs, or plain: LIDs and ports, no more."""
    text = ""
    for s in fabric.switches:
        rows = {lid: port for (switch, lid), port in tables.rows.items() if switch == s and tables.owner[lid] in fabric.lid}
        if switch_rows and kind != "fdbs":
            rows |= {fabric.lid[s]: 0} if tables.owner.get(fabric.lid[s]) == s else {}
        top = max(tables.owner)
        if kind == "fdbs":
            text += f"dump_ucast_routes: Switch 0x{s:016x}\nLID    : Port : Hops : Optimal\n"
        elif kind == "opensm":
            text += f"Unicast lids [0-{top}] of switch Lid {fabric.lid[s]} guid 0x{s:016x} ('{fabric.name[s]}'):\n"
        elif kind == "dump_lfts":
            text += (f"Unicast lids [0x0-0x{top:x}] of switch DR path slid 0; dlid 0; 0 guid 0x{s:016x} ({fabric.name[s]}):\n"
                     "  Lid  Out   Destination\n       Port     Info\n")
        else:
            text += f"Unicast lids guid 0x{s:016x} \n"
        for lid, port in sorted(rows.items()):
            guid = tables.owner[lid]
            what = "Switch" if guid in fabric.switches else "Channel Adapter"
            if kind == "fdbs":
                text += f"0x{lid:04X} : {port:03d}  : 01   : yes\n"
            elif kind == "opensm":
                text += f"0x{lid:04x} {port:03d} # {what} portguid 0x{guid:016x}: '{fabric.name[guid]}'\n"
            elif kind == "dump_lfts":
                text += f"0x{lid:04x} {port:03d} : ({what} portguid 0x{guid:016x}: '{fabric.name[guid]}')\n"
            else:
                text += f"0x{lid:04x} {port:03d}" + (f" # portguid 0x{guid:016x}\n" if kind == "opensm-bare" else "\n")
        if kind == "fdbs":
            for lid, guid in sorted(tables.owner.items()):
                if lid not in rows:
                    text += f"0x{lid:04X} : UNREACHABLE\n"
        elif kind not in ("opensm-bare", "plain"):
            text += f"{len(rows)} {'valid ' if kind == 'dump_lfts' else ''}lids dumped\n"
    return text


def guid2lid(tables):
    lids = {}
    for lid, guid in tables.owner.items():
        lids.setdefault(guid, []).append(lid)
    return "".join(f"0x{guid:016x} 0x{min(l):04x} 0x{max(l):04x}\n\n" for guid, l in lids.items())


def lane_lines(fabric, tables):
    """By node GUID where all ports of an adapter send to a LID with the same level, by port GUID elsewhere."""
    text = ""
    for node in dict.fromkeys(fabric.node_of[h] for h in fabric.hosts):
        ports = fabric.hosts_of_node(node)
        for lid, owner in tables.owner.items():
            levels = {h: tables.level.get((h, lid)) for h in ports if h != owner}
            if len(set(levels.values())) == 1 and None not in levels.values():
                text += f"0x{node:016x} {lid} {min(levels.values())}\n"
            else:
                text += "".join(f"0x{h:016x} {lid} {level}\n" for h, level in levels.items() if level is not None)
    for source in fabric.switches:
        text += "".join(f"0x{source:016x} {lid} {tables.level[(source, lid)]}\n" for lid in tables.owner
                        if tables.level.get((source, lid)) is not None)
    return text


def map_lines(tables):
    text = ""
    rows = list(tables.maps.items()) + [((host, 0, 0), lanes) for host, lanes in tables.adapter.items()]
    for (guid, into, out), lanes in rows:
        pairs = " ".join(f"0x{a:x}{b:x}" for a, b in zip(lanes[::2], lanes[1::2]))
        text += f"0x{guid:016x} {into} {out} {pairs}\n"
    return text


def map_dump(fabric, tables):
    text = ""
    for s in fabric.switches:
        text += f'Switch 0x{s:016x}, base LID {fabric.lid[s]}, "{fabric.name[s]}"\n#in out : ' + " ".join(map(str, range(16))) + "\n"
        for (switch, into, out), lanes in tables.maps.items():
            if switch == s:
                text += f"{into:3d} {out:3d} : " + " ".join(f"{lane:2d}" for lane in lanes) + "\n"
    for host, lanes in tables.adapter.items():
        text += f'Channel Adapter 0x{host:016x}, base LID {tables.lids_of(host)[0]}, "{fabric.name[host]}"\n'
        text += "  0   0 : " + " ".join(f"{lane:2d}" for lane in lanes) + "\n"
    return text


def tables_json(fabric, tables, by_terminal, lids, spoil=None):
    """lids: the LIDs of the tables are told, and with `spoil`, a source of chance, one of them is missing or another's.
    All hosts have as many LIDs; where they have several, these are told, and those of switches with `lids`."""
    hosts = hosts_in_order(fabric)
    all_lids = {h: sorted(tables.lids_of(h)) for h in hosts}
    ranks = len(all_lids[hosts[0]]) if hosts else 1

    def to_rank(rank):
        lid = {h: all_lids[h][rank] for h in hosts}
        part = {"routers": [{"guid": f"0x{s:016x}", "ports": [tables.rows.get((s, lid[h]), 0) or 0 for h in hosts]}
                            for s in fabric.switches]}
        if tables.level:
            def row(sources):
                return [next((tables.level[(s, lid[h])] for s in sources if (s, lid[h]) in tables.level), 0) for h in hosts]
            if by_terminal:
                part["service_levels"] = [{"terminal": f"0x{h:016x}", "levels": row([h])} for h in hosts]
            else:
                there = {s: [h for h in hosts if fabric.at[h][0] == s] for s in fabric.switches}
                part["service_levels"] = [{"router": f"0x{s:016x}", "levels": row(there[s])} for s in fabric.switches if there[s]]
        return part

    document = {"format": "unknot-tables", "version": 1, "terminals": [{"guid": f"0x{h:016x}"} for h in hosts], **to_rank(0)}
    if lids or ranks > 1:
        for terminal, host in zip(document["terminals"], hosts):
            terminal["lid"] = all_lids[host][0]
    if ranks > 1:
        document["version"] = 2
        document["further"] = [to_rank(rank) for rank in range(1, ranks)]
        for terminal, host in zip(document["terminals"], hosts):
            terminal["further_lids"] = all_lids[host][1:]
        if lids:
            for router, switch in zip(document["routers"], fabric.switches):
                router["lid"] = tables.lids_of(switch)[0]
    if (lids or ranks > 1) and spoil:
        terminal = spoil.choice(document["terminals"])
        if spoil.random() < 0.5:
            terminal.pop("lid")
        else:
            terminal["lid"] = all_lids[spoil.choice(hosts)][0]
    if tables.lanes_there < 15:
        document["virtual_lanes"] = tables.lanes_there
    if tables.maps is not None:
        document["sl_to_vl"] = [{"router": f"0x{s:016x}", "in": i, "out": o, "lanes": lanes}
                                for (s, i, o), lanes in tables.maps.items()]
    return json.dumps(document)
