# SPDX-License-Identifier: Apache-2.0
"""Random small fabrics and tables, sound ones and damaged ones. Everything comes from the random.Random that is given."""

from fabric import Fabric, ROUTER_GUIDS, HOST_GUIDS
from tables import Tables


def fabric(rng, one_way=True):
    made = any_fabric(rng, one_way)
    while not joined(made):
        made = any_fabric(rng, one_way)
    return made


def any_fabric(rng, one_way):
    """1 to 8 switches in a ring, a tree, two layers or anything connected, 0 to 4 hosts each, 10 at most; at least 2 hosts in all."""
    made = Fabric()
    count = rng.choice([1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8])
    first = rng.choice([ROUTER_GUIDS, 0x0002C90300000100])
    made.switches = [first + 3 * i for i in range(count)]
    pairs = cables(rng, count)
    ends = [[] for _ in range(count)]  # what each switch's ports are to lead to
    for a, b in pairs:
        way = rng.choice(["both"] * 9 + ["one"]) if one_way else "both"
        token = object()
        ends[a].append(("cable", token, b, way))
        ends[b].append(("cable", token, a, way))
    hosts = [rng.randrange(0, 5) if rng.random() < 0.6 else rng.randrange(0, 2) for _ in range(count)]
    while sum(hosts) > 10:
        hosts[rng.choice([i for i in range(count) if hosts[i]])] -= 1
    while sum(hosts) < 2:
        hosts[rng.randrange(count)] += 1
    for i in range(count):
        ends[i] += [("host",)] * hosts[i]
    port_of = {}
    at_port = []
    for i in range(count):
        rng.shuffle(ends[i])
        ports = sorted(rng.sample(range(1, len(ends[i]) + 1 + rng.choice([0, 0, 2])), len(ends[i])))
        at_port.append(dict(zip(ports, ends[i])))
        made.port_count[made.switches[i]] = max(ports, default=0) + rng.choice([0, 0, 1])
        for port, end in at_port[i].items():
            if end[0] == "cable":
                port_of[(end[1], i)] = port
    node = HOST_GUIDS
    two_ports = rng.random() < 0.15
    for i, switch in enumerate(made.switches):
        for port, end in sorted(at_port[i].items()):
            if end[0] == "host":
                host = node + 1 + (two_ports and len(made.hosts) % 2)
                made.hosts.append(host)
                made.at[host], made.node_of[host] = (switch, port), node
                made.leads[(switch, port)] = ("host", host)
                if not two_ports or len(made.hosts) % 2 == 0:
                    node += 16
            else:
                _, token, other, way = end
                if way == "both" or i < other:
                    made.leads[(switch, port)] = ("switch", made.switches[other], port_of[(token, other)])
    if rng.random() < 0.05:  # takes no part in traffic
        switch = rng.choice(made.switches)
        made.port_count[switch] += 1
        made.leads[(switch, made.port_count[switch])] = ("service", 0x0003000000000001)
    for kind, guids in (("S", made.switches), ("H", made.hosts)):
        made.name.update({guid: f"{kind}-{i}" for i, guid in enumerate(guids)})
    made.systematic_lids()
    if rng.random() < 0.5:
        made.lids_stated = True
        lids = rng.sample(range(1, 64), len(made.lid))
        made.lid = dict(zip(made.lid, lids))
    return made


def joined(fabric, both_ways=True):
    """Whether every switch reaches every other one, or, not both ways, cables join them at all. Other fabrics are refused."""
    if len(fabric.switches) < 2:
        return bool(fabric.switches)
    forth = [(o[0], e[1]) for o, e in fabric.leads.items() if e[0] == "switch"]
    back = [(b, a) for a, b in forth]
    for links in (forth, back) if both_ways else (forth + back,):
        reached = {fabric.switches[0]}
        while more := {b for a, b in links if a in reached} - reached:
            reached |= more
        if len(reached) < len(fabric.switches):
            return False
    return True


def cables(rng, count):
    """Pairs of switches: connected, perhaps with parallel cables, in no order."""
    if count == 1:
        return []
    shape = rng.choice(["ring", "ring", "tree", "layers", "any"])
    if shape == "ring" and count > 2:
        pairs = [(i, (i + 1) % count) for i in range(count)]
    elif shape == "layers" and count > 2:
        top = rng.randrange(1, count // 2 + 1)
        pairs = [(leaf, spine) for leaf in range(top, count) for spine in range(top)]
    else:
        pairs = [(i, rng.randrange(i)) for i in range(1, count)]
        if shape == "any":
            pairs += [tuple(rng.sample(range(count), 2)) for _ in range(rng.randrange(count + 1))]
    if rng.random() < 0.3:
        pairs += [rng.choice(pairs) for _ in range(rng.randrange(1, 3))]
    numbers = list(range(count))
    rng.shuffle(numbers)
    pairs = [tuple(rng.sample((numbers[a], numbers[b]), 2)) for a, b in pairs]
    rng.shuffle(pairs)
    return pairs


def owners(rng, fabric, lmc):
    """Who owns which LIDs: those of the fabric, or blocks of 2^lmc for hosts beyond them."""
    owner = {lid: guid for guid, lid in fabric.lid.items()}
    if lmc:
        free = 64 + (1 << lmc) * rng.randrange(8)
        for host in fabric.hosts:
            owner.pop(fabric.lid[host])
            wide = lmc if rng.random() < 0.9 else rng.randrange(lmc + 1)
            owner.update({lid: host for lid in range(free, free + (1 << wide))})
            free += 1 << lmc
    return owner


def out_ports(fabric, switch):
    return [port for (s, port) in fabric.leads if s == switch]


def trees(rng, fabric, tables, shortest=0.9):
    """For each LID of a host a random tree towards it, of shortest paths mostly."""
    for lid, host in tables.owner.items():
        if host in fabric.at:
            tree(rng, fabric, tables, lid, host, rng.random() < shortest)


def tree(rng, fabric, tables, lid, host, shortest):
    home, port = fabric.at.get(host, (host, 0))  # a switch's own port is 0
    tables.rows[(home, lid)] = port
    inside = [home]
    left = {out: end for out, end in fabric.leads.items() if end[0] == "switch"}
    while True:
        grown = {}
        for out, end in left.items():
            if end[1] in inside and (out[0], lid) not in tables.rows:
                grown.setdefault(out[0], []).append(out[1])
        if not grown:
            return
        chosen = sorted(grown) if shortest else [rng.choice(sorted(grown))]
        for switch in chosen:
            tables.rows[(switch, lid)] = rng.choice(sorted(grown[switch]))
        inside += chosen


def anything(rng, fabric, tables):
    """Any port that leads to a switch, the right port at the host's own switch: loops are usual."""
    for lid, host in tables.owner.items():
        if host not in fabric.at:
            continue
        for switch in fabric.switches:
            ports = [p for p in out_ports(fabric, switch) if fabric.leads[(switch, p)][0] == "switch"]
            if fabric.at[host][0] == switch:
                tables.rows[(switch, lid)] = fabric.at[host][1]
            elif ports:
                tables.rows[(switch, lid)] = rng.choice(sorted(ports))


def to_switches(rng, fabric, tables):
    """Rows for the switches' own LIDs, and levels for some of what goes there and comes from there."""
    for lid, switch in tables.owner.items():
        if switch in fabric.switches and rng.random() < 0.95:
            tree(rng, fabric, tables, lid, switch, rng.random() < 0.8)
    if not tables.level or rng.random() < 0.3:
        return
    few = sorted({level for level in tables.level.values() if level is not None} | {0})
    for source in fabric.hosts + fabric.switches:
        for lid, goal in tables.owner.items():
            if goal != source and (goal in fabric.switches or source in fabric.switches) and rng.random() < 0.9:
                tables.level[(source, lid)] = rng.choice(few)


def hosts_alone(fabric, tables):
    """Without what is sent from and to switches."""
    tables.rows = {(switch, lid): port for (switch, lid), port in tables.rows.items() if tables.owner.get(lid) in fabric.at}
    tables.level = {(source, lid): level for (source, lid), level in tables.level.items()
                    if source in fabric.at and tables.owner.get(lid) in fabric.at}


def damage_rows(rng, fabric, tables):
    """Holes, wrong ports, ports to nowhere or to oneself, loops of two, hosts' rows exchanged."""
    keys = [key for key in tables.rows if tables.owner[key[1]] in fabric.lid]
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        if not keys:
            return
        key = rng.choice(keys)
        kind = rng.choice(["hole", "hole", "any port", "no port", "no port", "port 0", "back", "exchange"])
        port = tables.rows.get(key)
        if kind == "hole" or port is None:
            tables.rows.pop(key, None)
        elif kind == "any port":
            tables.rows[key] = rng.choice(sorted(out_ports(fabric, key[0])))
        elif kind == "no port":
            empty = [p for p in range(1, fabric.port_count[key[0]] + 1) if (key[0], p) not in fabric.leads]
            if empty:
                tables.rows[key] = rng.choice(empty)
        elif kind == "port 0":
            tables.rows[key] = 0
        elif kind == "back":
            end = fabric.leads.get((key[0], port))
            if end and end[0] == "switch":
                tables.rows[(end[1], key[1])] = end[2]
        else:
            other = rng.choice(keys)
            if other[0] == key[0] and other in tables.rows:
                tables.rows[key], tables.rows[other] = tables.rows[other], tables.rows[key]


def keep_own_rows(fabric, tables):
    """Each LID of a host keeps the row at the host's own switch, at least."""
    for lid, host in tables.owner.items():
        if host in fabric.at and not any(row_lid == lid for _, row_lid in tables.rows):
            tables.rows[(fabric.at[host][0], lid)] = fabric.at[host][1]


def levels(rng, fabric, tables, most):
    """A level for each host and LID of another, one for each switch's hosts perhaps."""
    few = [rng.randrange(most + 1) for _ in range(rng.choice([1, 2, 4]))]
    by_switch = rng.random() < 0.3
    for source in fabric.hosts:
        for lid, host in tables.owner.items():
            if host in fabric.at and host != source:
                first = next(h for h in fabric.hosts if fabric.at[h][0] == fabric.at[source][0] and h != host)
                known = tables.level.get((first, lid)) if by_switch else None
                tables.level[(source, lid)] = rng.choice(few) if known is None else known


def maps(rng, fabric, tables, holes):
    """SL-to-VL rows for all connected ports, a few of which drop a level or are not there."""
    tables.maps = {}
    lanes = rng.choice([1, 2, 2, 4])
    for switch in fabric.switches:
        ports = sorted(set(out_ports(fabric, switch))
                       | {end[2] for end in fabric.leads.values() if end[:2] == ("switch", switch)})
        for into in ports:
            for out in ports:
                row = [rng.randrange(lanes) for _ in range(16)]
                if rng.random() < 0.1 and holes:
                    row[rng.randrange(16)] = 15
                if rng.random() < 0.05 and holes:
                    row = [15] * 16
                if not (holes and rng.random() < (0.001 if into != out else 0.05)):
                    tables.maps[(switch, into, out)] = row
    if rng.random() < 0.3:
        for host in fabric.hosts:
            if rng.random() < 0.7:
                tables.adapter[host] = [rng.randrange(lanes) for _ in range(16)]
                if holes and rng.random() < 0.1:
                    tables.adapter[host][rng.randrange(16)] = 15


def faults(rng, fabric, kinds=("cables", "channels", "terminals", "routers")):
    """A --fail SPEC and what then remains, or None where it would leave less than two hosts."""
    kind = rng.choice(kinds)
    between = sorted(out for out, end in fabric.leads.items() if end[0] == "switch")
    if kind in ("cables", "channels") and between:
        out = rng.choice(between)
        gone = {out}
        end = fabric.leads[out]
        if kind == "cables" and fabric.leads.get(end[1:]) == ("switch",) + out:
            gone.add(end[1:])
        return f"{kind}={fabric.name[out[0]]}:{out[1]}", fabric.copy_without(gone_leads=gone)
    if "terminals" not in kinds:
        return None
    if kind == "terminals":
        host = rng.choice(fabric.hosts)
        rest = fabric.copy_without(gone_hosts=[host])
        return (f"terminals=0x{host:016x}", rest) if len(rest.hosts) > 1 else None
    switch = rng.choice(fabric.switches)
    rest = fabric.copy_without(gone_switches=[switch])
    return (f"routers=0x{switch:016x}", rest) if len(rest.hosts) > 1 else None


def tables(rng, fabric, lmc=None):
    made = Tables()
    made.owner = owners(rng, fabric, rng.choice([0] * 8 + [1, 1, 2]) if lmc is None else lmc)
    if rng.random() < 0.75:
        trees(rng, fabric, made)
    else:
        anything(rng, fabric, made)
    return made
