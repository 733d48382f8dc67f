# SPDX-License-Identifier: Apache-2.0
"""Random cases: files in a folder, the command line that is asked about them, and what the second checker says."""

import json
import os
import subprocess

import making
import making_changes
import making_relations
import transition
import writing
from change import Difference, carried
from definitions import Verdict, has_cycle
from fabric import read_fabric
from multicast import Outcome, random_groups, read_groups, text_of
from relation import Relation, RelationVerdict
from tables import Refused, read_tables


class Case:
    """arguments: of the program. expected(): Refused is raised, or a Verdict and more is returned, from the files alone."""

    def __init__(self, arguments, expected):
        self.arguments, self.expected = arguments, expected


def fabric_format(rng, fabric):
    if writing.cables_of(fabric)[1] or any(end[0] == "service" for end in fabric.leads.values()):
        return "json"
    return rng.choice(["json", "json", "ibsim", "ibnetdiscover"])


class Files:
    """The files of one state of a fabric in a folder: the fabric, its tables and what goes with them."""

    def __init__(self, folder, prefix=""):
        self.folder = os.path.join(folder, prefix) if prefix else folder
        os.makedirs(self.folder, exist_ok=True)
        self.fabric = os.path.join(self.folder, "fabric")
        self.tables = os.path.join(self.folder, "tables")
        self.lanes = self.sl2vl = None

    def options(self, prefix="--"):
        options = []
        if self.lanes:
            options += [f"{prefix}lanes", self.lanes]
        if self.sl2vl:
            options += [f"{prefix}sl2vl", self.sl2vl]
        return options

    def read(self, fabric):
        return read_tables(fabric, self.tables, self.lanes, self.sl2vl)


def write_tables(rng, files, fabric, tables, kind=None, by_terminal=None, bad_levels=0):
    lmc = any(len(tables.lids_of(h)) > 1 for h in fabric.hosts)
    own_lids = any(tables.lids_of(h) != list(fabric.stated_lids(h)) for h in fabric.hosts)
    even = len({len(tables.lids_of(h)) for h in fabric.hosts}) <= 1
    kinds = ["opensm", "opensm", "opensm-bare", "plain", "dump_lfts", "fdbs"] + (["json", "json"] if even else [])
    kind = kind or rng.choice(kinds)
    if kind == "json":
        if rng.random() < 0.5:
            tables.lanes_there = rng.randrange(1, 9)
        by_terminal = rng.random() < 0.5 if by_terminal is None else by_terminal
        lids = own_lids and not lmc or rng.random() < 0.5
        writing.write(files.tables, writing.tables_json(fabric, tables, by_terminal, lids, rng if rng.random() < bad_levels else None))
        return
    writing.write(files.tables, writing.lft(fabric, tables, kind, rng.random() < 0.5))
    without = {lid for lid, owner in tables.owner.items() if owner in fabric.at} - {lid for _, lid in tables.rows}
    if (lmc or without) and not fabric.lmc or own_lids or rng.random() < 0.3:
        writing.write(os.path.join(files.folder, "guid2lid"), writing.guid2lid(tables))
    if tables.level:
        files.lanes = os.path.join(files.folder, "lanes")
        lines = writing.lane_lines(fabric, tables)
        if rng.random() < bad_levels:
            lines += lines.splitlines()[0].rsplit(" ", 1)[0] + " 16\n"
        writing.write(files.lanes, lines)
    if tables.maps is not None:
        files.sl2vl = os.path.join(files.folder, "sl2vl")
        text = writing.map_lines(tables) if rng.random() < 0.5 else writing.map_dump(fabric, tables)
        writing.write(files.sl2vl, text)


def lanes_and_maps(rng, fabric, tables):
    if rng.random() < 0.35:
        making.maps(rng, fabric, tables, rng.random() < 0.7)
    if rng.random() < 0.7:
        most = rng.choice([1, 3, 7, 14, 15]) if tables.maps is not None else rng.choice([1, 1, 3, 7, 14, 14, 15])
        making.levels(rng, fabric, tables, most)


def engine_tables(rng, program, files, fabric):
    """Tables that an engine makes, read back; None where it declines this fabric."""
    engine = rng.choice(["updn", "dfsssp", "lash", "minhop", "minhop:paths=dealt", "updn:paths=dealt", "sssp", "dnup", "clos"])
    path = os.path.join(files.folder, "made")
    lanes = os.path.join(files.folder, "made-lanes")
    kind = rng.choice(["opensm", "json"])
    done = subprocess.run(
        [program, "route", files.fabric, "--engine", engine, "-o", path, "--format", kind, "--lanes", lanes, "--json",
         "--threads", "1", "--seed", str(rng.randrange(1000))], capture_output=True, text=True, timeout=60)
    if done.returncode == 2 or not os.path.exists(path):
        return None
    tables = read_tables(fabric, path, lanes if os.path.exists(lanes) else None)
    for name in os.listdir(files.folder):
        if name.startswith("made") or name == "guid2lid":
            os.remove(os.path.join(files.folder, name))
    return tables


def some_tables(rng, program, files, fabric, engines=0.12, lmc=None):
    writing.write_fabric(fabric, files.fabric, fabric_format(rng, fabric))
    if rng.random() < engines:
        tables = engine_tables(rng, program, files, read_fabric(files.fabric))
        if tables:
            return tables
    tables = making.tables(rng, fabric, lmc)
    lanes_and_maps(rng, fabric, tables)
    return tables


def state_lmc(rng, files, fabric, tables):
    """The fabric itself tells the LIDs of hosts that have several, often."""
    lids = {host: tables.lids_of(host) for host in fabric.hosts}
    wide = {len(own) for own in lids.values()}
    if len(wide) != 1 or wide == {1} or rng.random() < 0.4:
        return
    fabric.lids_stated, fabric.lmc = True, wide.pop().bit_length() - 1
    fabric.lid.update({host: own[0] for host, own in lids.items()})
    writing.write_fabric(fabric, files.fabric, fabric_format(rng, fabric))


def verify_case(rng, folder, program):
    files = Files(folder)
    fabric = making.fabric(rng)
    tables = some_tables(rng, program, files, fabric)
    state_lmc(rng, files, fabric, tables)
    if rng.random() < 0.5 and not tables.lead_to_switches(fabric):
        making.to_switches(rng, fabric, tables)
    making.damage_rows(rng, fabric, tables)
    single = all(tables.lids_of(h) == [fabric.lid[h]] for h in fabric.hosts)
    if tables.level and rng.random() < 0.02:
        tables.level.pop(rng.choice(sorted(tables.level)))
    alone = rng.random() < 0.1
    if tables.level and not single:  # levels to a further LID that no row has are refused
        making.keep_own_rows(fabric, tables)
    if tables.level and single and rng.random() < 0.1:
        for key in rng.sample(sorted(tables.level), min(3, len(tables.level))):
            tables.level[key] = None
        tables.maps, tables.adapter = None, {}
        write_tables(rng, files, fabric, tables, "json", True)
    else:
        write_tables(rng, files, fabric, tables, bad_levels=0.01)
    arguments = ["verify", files.fabric, files.tables] + files.options() + (["--traffic", "data"] if alone else [])
    fault = making.faults(rng, read_fabric(files.fabric)) if rng.random() < 0.2 else None
    if fault:
        arguments += ["--fail", fault[0]]

    limit = rng.randrange(1, 9) if rng.random() < 0.15 else None
    if limit:
        arguments += ["--vls", str(limit)]
    groups = os.path.join(folder, "groups") if rng.random() < 0.4 else None
    if groups:
        levels = range(15) if tables.maps is None else range(16)
        writing.write(groups, text_of(fabric, random_groups(rng, fabric, levels), rng.random() < 0.3))
        arguments += ["--multicast", groups]

    def expected():
        there = read_fabric(files.fabric)
        try:
            carried = files.read(there)
        except Refused:  # tables of what remains will do
            if not fault:
                raise
            carried = files.read(fault[1])
        there = fault[1] if fault else there
        if limit:
            carried.lanes_there = min(carried.lanes_there, limit)
        multicast = groups and (lambda switches: Outcome(there, carried, read_groups(groups), switches))
        return {"verdict": Verdict(there, carried, not alone, multicast), "fabric": there}

    return Case(arguments, expected)


REROUTE_CHANGES = ["cable gone", "cable gone", "direction gone", "cable comes", "cable comes", "cables swapped", "hosts swapped",
                   "lids swapped", "host gone", "switch gone"]


def transition_case(rng, folder, program, carry=True):
    """A plan of steps of our own, or the one the program makes, which it calls proven."""
    files = Files(folder)
    fabric = making.fabric(rng)
    tables = some_tables(rng, program, files, fabric, lmc=0)
    making.hosts_alone(fabric, tables)
    tables.maps, tables.adapter = None, {}
    tables.level = {key: level % 15 for key, level in tables.level.items()}
    if rng.random() < 0.5:
        making.damage_rows(rng, fabric, tables)
    making.keep_own_rows(fabric, tables)
    by_terminal = not making_changes.levels_by_switch(fabric, tables)
    write_tables(rng, files, fabric, tables, by_terminal=by_terminal)
    arguments = ["reroute", files.fabric, "--tables", files.tables] + files.options()
    old = read_fabric(files.fabric)
    fault = making.faults(rng, old) if rng.random() < 0.4 else None
    if fault:
        new = fault[1]
        arguments += ["--fail", fault[0]]
    else:
        new = making_changes.changed(rng, old, making_changes.kinds_for(old, tables, REROUTE_CHANGES), tables.rows)
        after = Files(folder, "after")
        writing.write_fabric(new, after.fabric, fabric_format(rng, new))
        arguments += ["--to", after.fabric]
    plan = os.path.join(folder, "plan")
    planned = False
    if rng.random() < 0.3:
        done = subprocess.run([program] + arguments + ["--transition", plan, "-q"], capture_output=True, text=True, timeout=60)
        planned = os.path.exists(plan) and done.returncode != 2
    if not planned:
        now = carried(old, files.read(old), new)
        writing.write(plan, json.dumps(making_changes.plan(rng, new, now, by_terminal)))
    arguments += ["--check-transition", plan]
    limit = rng.randrange(1, 9) if rng.random() < 0.2 else None
    if limit:
        arguments += ["--vls", str(limit)]
        planned = False  # for as many lanes as the tables declare

    def expected():
        before = read_fabric(files.fabric)
        there = fault[1] if fault else read_fabric(after.fabric)
        if any(h in there.at and there.at[h][0] != before.at[h][0] for h in before.hosts):
            raise Refused("a host has moved to another switch: neither a failure nor a repair")
        now = carried(before, files.read(before), there)
        with open(plan) as file:
            steps = transition.read_steps(there, json.load(file))
        if limit:
            now.lanes_there = min(now.lanes_there, limit)
        free, lost, end = transition.check(there, now, steps, carry)
        return {"steps": free, "undelivered": lost, "planned": planned, "verdict": Verdict(there, end), "fabric": there}

    return Case(arguments, expected)


def watch_case(rng, folder, program):
    old_files, new_files = Files(folder, "old"), Files(folder, "new")
    fabric = making.fabric(rng)
    making_changes.rated(rng, fabric)
    tables = some_tables(rng, program, old_files, fabric)
    making.hosts_alone(fabric, tables)
    if rng.random() < 0.4:
        making.damage_rows(rng, fabric, tables)
    making.keep_own_rows(fabric, tables)
    if tables.maps is None:
        tables.level = {key: level % 15 for key, level in tables.level.items()}
    writing.write_fabric(fabric, old_files.fabric, fabric_format(rng, fabric))
    there = read_fabric(old_files.fabric)
    new = making_changes.changed(rng, there, making_changes.kinds_for(there, tables, making_changes.KINDS), tables.rows,
                                 both_ways=False)
    writing.write_fabric(new, new_files.fabric, fabric_format(rng, new))
    arguments = ["watch", old_files.fabric, new_files.fabric, "--load-rise", "1000000"]
    with_tables = rng.random() < 0.85
    if with_tables:
        write_tables(rng, old_files, fabric, tables)
        arguments += ["--old-tables", old_files.tables] + old_files.options("--old-")
    own_lids = all(tables.lids_of(h) == [there.lid[h]] for h in there.hosts)
    with_new = rng.random() < 0.3 and own_lids
    if with_new:
        newer = making.tables(rng, new, 0)
        if tables.maps is None and rng.random() < 0.7:
            making.levels(rng, new, newer, rng.choice([1, 3, 14]))
        if rng.random() < 0.3:
            making.damage_rows(rng, new, newer)
        making.keep_own_rows(new, newer)
        write_tables(rng, new_files, new, newer)
        arguments += ["--new-tables", new_files.tables] + new_files.options("--new-")

    def expected():
        before, after = read_fabric(old_files.fabric), read_fabric(new_files.fabric)
        answer = {"difference": Difference(before, after), "fabric": after, "old fabric": before}
        if with_tables:
            now = old_files.read(before)
            answer["before"] = Verdict(before, now)
            there = carried(before, now, after)
            answer["carried"] = Verdict(after, there)
        if with_new:
            newer = new_files.read(after)
            answer["new"] = Verdict(after, newer)
            if with_tables and there.maps is None and newer.maps is None and newer.owner == there.owner:
                traffic = transition.Traffic(after, there)
                there.lanes_there = max(there.lanes_there, newer.lanes_there)  # a port may have both yet
                traffic.grow(there, newer)
                answer["together"] = not has_cycle(traffic.edges)
        return answer

    return Case(arguments, expected)


def adaptive_case(rng, folder, program):
    """An adaptive routing, and the proof that the program writes of it."""
    files = Files(folder)
    fabric = making.fabric(rng)
    writing.write_fabric(fabric, files.fabric, fabric_format(rng, fabric))
    fabric = read_fabric(files.fabric)
    writing.write(files.tables, json.dumps(making_relations.relation(rng, fabric)))
    proof = os.path.join(folder, "proof")
    committed = rng.random() < 0.3
    arguments = ["verify", files.fabric, "--adaptive", files.tables, "--write-certificate", proof]
    if committed:
        arguments.append("--committed")

    def expected():
        return {"relation": RelationVerdict(Relation(fabric, files.tables), committed), "proof": proof, "fabric": fabric}

    return Case(arguments, expected)
