# SPDX-License-Identifier: Apache-2.0
"""A plan of steps from old tables to new ones, on the fabric as it is now: can some mixture of what is in force deadlock?

During a step each switch may forward by its old or its new entry, and each host send with its old or its new level. A packet that was
sent during an earlier step may be under way still, in any place that it could have got to, and goes on from there by what is in
force now; what it waits for, it has waited for since then. Only where the plan waits for the lifetime of a packet is all that over.
"""

from definitions import has_cycle
from tables import Refused


class Step:
    """rows[(switch, lid)] and level[(host, lid)] that the step brings; None: no route, nothing is sent. drained: before the step,
    all packets of the steps before have arrived or been dropped."""

    def __init__(self, rows, level, drained):
        self.rows, self.level, self.drained = rows, level, drained


def read_steps(fabric, document):
    """Steps of a transition file."""
    steps = []
    for step in document["steps"]:
        rows, level = {}, {}
        for entry in step.get("entries", []):
            key = (int(entry["router"], 16), entry["lid"])
            if key in rows:
                raise Refused("an entry twice in a step")
            rows[key] = entry["port"]
        for change in step.get("levels", []):
            if "terminal" in change:
                senders = [int(change["terminal"], 16)]
            else:
                senders = [h for h in fabric.hosts if fabric.at[h][0] == int(change["router"], 16)]
            for sender in senders:
                if (sender, change["lid"]) in level:
                    raise Refused("a level twice in a step")
                level[(sender, change["lid"])] = change["level"]
        steps.append(Step(rows, level, step.get("wait", False)))
    return steps


class Traffic:
    """Where packets can be, and what they can wait for, grown step by step. A place is (lid, level, channel, lane):
    the head of a packet to that LID fills that buffer."""

    def __init__(self, fabric, tables):
        self.fabric, self.tables = fabric, tables
        self.places = set()
        self.edges = set()

    def grow(self, before, after):
        """Everything that can happen while each entry and each level is the one of `before` or that of `after`."""
        work = list(self.places)
        for source in self.fabric.hosts:
            for lid, owner in before.owner.items():
                if owner not in self.fabric.at or owner == source:
                    continue
                for levels in (before.level, after.level):
                    level = levels.get((source, lid), 0)
                    lane = None if level is None else before.first_lane(source, level)
                    if lane is not None:
                        work.append((lid, level, ("host", source), lane))
        seen = set()
        while work:
            place = work.pop()
            if place in seen:
                continue
            seen.add(place)
            lid, level, channel, lane = place
            if channel[0] == "host":
                switch, in_port = self.fabric.at[channel[1]]
            else:
                end = self.fabric.leads[channel]
                if end[0] != "switch":
                    continue
                switch, in_port = end[1], end[2]
            for rows in (before.rows, after.rows):
                port = rows.get((switch, lid))
                if port is None or (switch, port) not in self.fabric.leads:
                    continue
                onto = before.lane(switch, in_port, port, level)
                if onto is None:
                    continue
                self.edges.add(((channel, lane), ((switch, port), onto)))
                work.append((lid, level, (switch, port), onto))
        self.places |= seen


def after_step(now, step):
    after = now.copy()
    for key, port in step.rows.items():
        if port is None:
            after.rows.pop(key, None)
        else:
            after.rows[key] = port
    after.level.update(step.level)
    return after


def sure(fabric, before, after, switch, lid, known):
    """Whether a packet to a LID arrives from a switch by whichever of the two rows each switch on the way goes. known: of switches
    looked at before; one that is not decided yet is on the way here, so that the rows can go round."""
    if switch in known:
        return known[switch]
    known[switch] = False
    ends = [fabric.leads.get((switch, rows.get((switch, lid)))) for rows in (before.rows, after.rows)]
    known[switch] = all(end is not None and (end == ("host", before.owner[lid]) or
                                             end[0] == "switch" and sure(fabric, before, after, end[1], lid, known))
                        for end in ends)
    return known[switch]


def undelivered(fabric, before, after):
    """Pairs of hosts that some mixture of two tables does not deliver, or whose source may send nothing. Without SL-to-VL tables."""
    count = 0
    for lid, owner in before.owner.items():
        known = {}
        for source in fabric.hosts:
            if owner not in fabric.at or owner == source:
                continue
            levels = [levels.get((source, lid), 0) for levels in (before.level, after.level)]
            sent = all(level is not None and before.carries(level) is not None for level in levels)
            count += not (sent and sure(fabric, before, after, fabric.at[source][0], lid, known))
    return count


def check(fabric, tables, steps, carry):
    """Whether each step is free of deadlock, how many pairs it leaves without delivery meanwhile, and the tables that the last one
    ends with. carry: packets of earlier steps count."""
    free, lost = [], []
    now = tables
    traffic = Traffic(fabric, tables)
    for step in steps:
        if step.drained or not carry:
            traffic = Traffic(fabric, tables)
        after = after_step(now, step)
        traffic.grow(now, after)
        free.append(not has_cycle(traffic.edges))
        lost.append(undelivered(fabric, now, after))
        now = after
    return free, lost, now
