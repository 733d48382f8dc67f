# SPDX-License-Identifier: Apache-2.0
"""Two states of a fabric: what of it is the same, what the tables of the one mean on the other."""

from definitions import distances


def lids_in_force(old, tables, new):
    """Who owns which LID on the new fabric, where `tables` (of the old one) were in force: hosts keep the LIDs that these tables go by,
    unless the two fabrics' files say that a LID has changed."""
    owner = {}
    for guid in new.hosts + new.switches:
        known = guid in old.lid
        said = old.lids_stated and new.lids_stated and (not known or old.lid[guid] != new.lid[guid])
        lids = tables.lids_of(guid) if known and not said else [new.lid[guid]]
        owner.update({lid: guid for lid in lids})
    return owner


def carried(old, tables, new):
    """The old tables in the new fabric: rows of switches that are there still, with the LIDs' new owners."""
    now = tables.copy()
    now.owner = lids_in_force(old, tables, new)
    now.rows = {key: port for key, port in tables.rows.items() if key[0] in new.switches}
    return now


def directed(fabric):
    """(switch, port, switch, port) of every direction between switches."""
    return {out + end[1:] for out, end in fabric.leads.items() if end[0] == "switch"}


class Difference:
    def __init__(self, old, new):
        self.switches_gone = set(old.switches) - set(new.switches)
        self.switches_come = set(new.switches) - set(old.switches)
        self.hosts_gone = set(old.hosts) - set(new.hosts)
        self.hosts_come = set(new.hosts) - set(old.hosts)
        both = set(old.switches) & set(new.switches)
        common = [h for h in old.hosts if h in new.at]
        stated = old.lids_stated and new.lids_stated
        self.hosts_moved = {h for h in common
                            if old.at[h] != new.at[h] or stated and old.lid[h] != new.lid[h]}
        self.renamed = {g for g in list(both) + common if old.name[g] != new.name[g]}
        before, after = directed(old), directed(new)
        self.directions_lost = {d for d in before - after if d[0] in both and d[2] in both}
        self.directions_come = {d for d in after - before if d[0] in both and d[2] in both}
        same = before & after
        rank = {"": None, "4xHDR": 1, "4xNDR": 2}
        rates = [(rank[old.rate.get(d[:2], "")], rank[new.rate.get(d[:2], "")]) for d in same]
        self.slower = sum(bool(a and b and a > b) for a, b in rates)
        self.faster = sum(bool(a and b and a < b) for a, b in rates)
        self.disconnected = disconnected_pairs(new)

    def hurts(self):
        return bool(self.switches_gone or self.hosts_gone or self.hosts_moved or self.directions_lost or self.slower
                    or self.disconnected)

    def any(self):
        return bool(self.hurts() or self.switches_come or self.hosts_come or self.renamed or self.directions_come
                    or self.faster)


def disconnected_pairs(fabric):
    count = 0
    for host in fabric.hosts:
        far = distances(fabric, fabric.at[host][0])
        count += sum(fabric.at[source][0] not in far for source in fabric.hosts if source != host)
    return count
