# SPDX-License-Identifier: Apache-2.0
"""What can happen to a fabric between two looks at it, and plans of steps from tables to others, at random."""

import copy

import making
from writing import cables_of

RATES = ["4xHDR", "4xNDR"]


def changed(rng, fabric, kinds, rows, both_ways=True):
    """A copy to which up to two things have happened, in one part still. New cables like the empty ports that `rows` lead to."""
    while True:
        after = copy.deepcopy(fabric)
        after.led_to = sorted({(switch, port) for (switch, _), port in rows.items()
                               if (switch, port) not in fabric.leads and 0 < (port or 0) <= fabric.port_count.get(switch, 0)})
        for _ in range(rng.choice([0] + [1] * 6 + [2] * 3)):
            KINDS[rng.choice(kinds)](rng, after)
        if len(after.hosts) > 1 and making.joined(after, both_ways):
            return after


def cable_gone(rng, fabric):
    both, single = cables_of(fabric)
    if both + single:
        a, p, b, q = rng.choice(both + single)
        fabric.leads.pop((a, p))
        fabric.leads.pop((b, q), None)


def direction_gone(rng, fabric):
    between = sorted(out for out, end in fabric.leads.items() if end[0] == "switch")
    if between:
        fabric.leads.pop(rng.choice(between))


def new_port(rng, fabric, switch):
    """An empty one, to which old rows may lead, or one beyond those of before."""
    used = [p for s, p in fabric.leads if s == switch] + [e[2] for e in fabric.leads.values() if e[:2] == ("switch", switch)]
    empty = sorted(set(range(1, fabric.port_count.get(switch, 0) + 1)) - set(used))
    if empty and rng.random() < 0.7:
        return rng.choice(empty)
    fabric.port_count[switch] = max(used + [fabric.port_count.get(switch, 0)]) + 1
    return fabric.port_count[switch]


def cable_comes(rng, fabric):
    ends = []
    for switch in rng.sample(fabric.switches, min(2, len(fabric.switches))):
        ends.append((switch, new_port(rng, fabric, switch)))
    used = set(fabric.leads) | {end[1:] for end in fabric.leads.values() if end[0] == "switch"}
    led_to = [end for end in fabric.led_to if end not in used and end[0] != ends[-1][0] and end[0] in fabric.switches]
    if led_to and rng.random() < 0.8:
        ends[0] = rng.choice(led_to)
    if len(ends) == 2:
        fabric.leads[ends[0]] = ("switch",) + ends[1]
        fabric.leads[ends[1]] = ("switch",) + ends[0]
        for end in ends:
            fabric.rate.pop(end, None)  # of the cable that was there before


def cables_swapped(rng, fabric):
    both, _ = cables_of(fabric)
    if len(both) > 1:
        (a, p, b, q), (c, r, d, s) = rng.sample(both, 2)
        if a != d and c != b:
            for one, other in (((a, p), (d, s)), ((c, r), (b, q))):
                fabric.leads[one], fabric.leads[other] = ("switch",) + other, ("switch",) + one
                if one in fabric.rate:
                    fabric.rate[other] = fabric.rate[one]


def hosts_swapped(rng, fabric):
    if len(fabric.hosts) < 2:
        return
    one, other = rng.sample(fabric.hosts, 2)
    fabric.at[one], fabric.at[other] = fabric.at[other], fabric.at[one]
    for host in (one, other):
        fabric.leads[fabric.at[host]] = ("host", host)


def lids_swapped(rng, fabric):
    if fabric.lids_stated and len(fabric.hosts) > 1:
        one, other = rng.sample(fabric.hosts, 2)
        fabric.lid[one], fabric.lid[other] = fabric.lid[other], fabric.lid[one]


def lid_new(rng, fabric):
    if fabric.lids_stated:
        fabric.lid[rng.choice(fabric.hosts)] = rng.choice([l for l in range(1, 64) if l not in fabric.lid.values()])


def host_gone(rng, fabric):
    if len(fabric.hosts) < 2:
        return
    host = rng.choice(fabric.hosts)
    fabric.hosts.remove(host)
    fabric.leads.pop(fabric.at.pop(host))
    for table in (fabric.lid, fabric.name, fabric.node_of):
        table.pop(host)


def host_comes(rng, fabric):
    if not fabric.lids_stated:
        return
    host = max(fabric.hosts) + 0x1001
    switch = rng.choice(fabric.switches)
    port = new_port(rng, fabric, switch)
    fabric.hosts.append(host)
    fabric.at[host], fabric.node_of[host] = (switch, port), host - 1
    fabric.leads[(switch, port)] = ("host", host)
    fabric.lid[host] = rng.choice([l for l in range(1, 64) if l not in fabric.lid.values()])
    fabric.name[host] = f"new-{host:x}"


def switch_gone(rng, fabric):
    if len(fabric.switches) < 2:
        return
    rest = fabric.copy_without(gone_switches=[rng.choice(fabric.switches)])
    if len(rest.hosts) > 1:
        fabric.__dict__.update(copy.deepcopy(rest).__dict__)


def rate_new(rng, fabric):
    both, _ = cables_of(fabric)
    both = [c for c in both if fabric.rate.get(c[:2])]
    if both:
        cable = rng.choice(both)
        fabric.rate[cable[:2]] = fabric.rate[cable[2:]] = rng.choice(RATES)


def name_new(rng, fabric):
    guid = rng.choice(fabric.hosts + fabric.switches)
    fabric.name[guid] = f"renamed-{guid:x}"


KINDS = {"cable gone": cable_gone, "direction gone": direction_gone, "cable comes": cable_comes,
         "cables swapped": cables_swapped, "hosts swapped": hosts_swapped, "lids swapped": lids_swapped,
         "lid new": lid_new, "host gone": host_gone, "host comes": host_comes, "switch gone": switch_gone,
         "rate new": rate_new, "name new": name_new}


def kinds_for(fabric, tables, kinds):
    """The kinds of change after which what the tables mean is for the files alone to say. Left out are

    - hosts that go or move where no file states LIDs: the numbers that stand for them shift;
    - hosts and LIDs that come or move where there are levels: nobody has said the level to what was one's own LID, and the program
      keeps levels by switch where it can, so that a host that moves does not take its own along."""
    hosts = {"hosts swapped", "host gone", "host comes", "switch gone"}
    lids = {"lids swapped", "lid new"}
    out = set()
    if not fabric.lids_stated:
        out |= hosts
    if tables.level:
        out |= lids | {"host comes", "hosts swapped"}
    return [kind for kind in kinds if kind not in out]


def rated(rng, fabric):
    """All cables have a rate, or none has."""
    if rng.random() < 0.5:
        for a, p, b, q in cables_of(fabric)[0]:
            fabric.rate[(a, p)] = fabric.rate[(b, q)] = rng.choice(RATES)


def levels_by_switch(fabric, tables):
    """Whether the hosts of each switch send with the same levels: the program then keeps one row for them, and a plan speaks of the switch."""
    seen = {}
    return all(seen.setdefault((fabric.at[source][0], lid), level) == level
               for (source, lid), level in tables.level.items() if source in fabric.at and tables.owner.get(lid) != source)


def plan(rng, fabric, now, by_terminal):
    """Steps from the tables `now` to others on this fabric, as the document of a transition file."""
    goal = now.copy()
    goal.rows = {key: port for key, port in now.rows.items() if key[0] in fabric.switches}
    lids = [lid for lid, owner in now.owner.items() if owner in fabric.at]
    for lid in rng.sample(lids, rng.randrange(1, len(lids) + 1)):
        for switch in fabric.switches:
            goal.rows.pop((switch, lid), None)
        making.tree(rng, fabric, goal, lid, now.owner[lid], rng.random() < 0.5)
    entries = []
    for switch in fabric.switches:
        for lid in lids:
            port = goal.rows.get((switch, lid))
            if port != now.rows.get((switch, lid)) and rng.random() < 0.95:
                entries.append({"router": f"0x{switch:016x}", "lid": lid, "port": port})
    steps = [{"what": f"step {i}", "entries": [], "levels": []} for i in range(rng.randrange(1, 5))]
    for entry in entries:
        rng.choice(steps)["entries"].append(entry)
        if rng.random() < 0.05:  # there and back, or on
            again = dict(entry, port=rng.choice([None, entry["port"]]))
            rng.choice(steps)["entries"].append(again)
    if now.level and rng.random() < 0.6:
        for (source, lid) in rng.sample(sorted(now.level), min(len(now.level), rng.randrange(1, 6))):
            if source in fabric.at and now.owner.get(lid) in fabric.at:
                sender = {"terminal": f"0x{source:016x}"} if by_terminal else {"router": f"0x{fabric.at[source][0]:016x}"}
                steps[-1 if rng.random() < 0.5 else rng.randrange(len(steps))]["levels"].append(
                    sender | {"lid": lid, "level": rng.choice([None, 0, 1, 2])})
    for step in steps:
        if rng.random() < 0.2:
            step["wait"] = True
    return {"steps": steps, "drained_paths": 0, "drained_paths_alive": 0}
