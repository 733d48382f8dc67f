#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""End to end with the real subnet manager: OpenSM on ibsim takes our tables and lanes through the plug-in (and the
tables through its own `file` engine), and what it then answers is compared with what we wrote; where the tables do not
fit, nothing may be installed. Exit code 77, skipped, where OpenSM, ibsim or their tools are not installed.

    opensm_test.py --build BUILD_FOLDER [unittest's arguments]
"""

import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import unittest

import harness
from harness import Simulator, SubnetManager, port_guids, read_levels, read_lfts, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = None
ENGINE_LINE = "ERR UK"
SAMPLES = 1000


def program(name):
    return os.path.join(BUILD, name)


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-opensm-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def plug_in(self, simulator, tables, lanes=None, name="osm", multicast=None, words=(), **options):
        words = ["tables=" + tables] + (["lanes=" + lanes] if lanes else []) + list(words)
        words += ["multicast=" + multicast] if multicast else []
        return SubnetManager(simulator, "unknot", self.path(name), plugins=["unknot_opensm"], plugin_folder=BUILD,
                             plugin_options=" ".join(words), **options)

    @staticmethod
    def between_hosts(levels, switches):
        return {(source, to): level for (source, to), level in levels.items()
                if source not in switches and to not in switches}

    def route(self, fabric, engine="dfsssp", lanes=8):
        """Net file, tables and service levels of a fabric, written by the program."""
        net, tables, levels = self.path("fabric.net"), self.path("tables"), self.path("levels")
        run([program("unknot"), "topology", fabric, "-o", net, "--format", "ibsim"])
        run([program("unknot"), "route", fabric, "--engine", engine, "--vls", lanes, "-o", tables, "--format",
             "opensm", "--lanes", levels])
        return net, tables, levels


def slim_fly_edges(q):
    """The McKay-Miller-Siran graph of a prime q = 1 mod 4 as a Graph Golf edge list, vertices from 0."""
    root = next(g for g in range(2, q) if len({pow(g, e, q) for e in range(q - 1)}) == q - 1)
    even = {pow(root, e, q) for e in range(0, q - 1, 2)}
    odd = {pow(root, e, q) for e in range(1, q - 1, 2)}
    number = lambda side, x, y: (side * q + x) * q + y  # noqa: E731
    edges = [(number(side, x, y), number(side, x, z)) for side, steps in ((0, even), (1, odd)) for x in range(q)
             for y in range(q) for z in range(y + 1, q) if (z - y) % q in steps]
    edges += [(number(0, x, y), number(1, m, (y - m * x) % q)) for x in range(q) for y in range(q) for m in range(q)]
    return edges


class Deploy(WithFolder):
    """Our tables and lanes in the real subnet manager."""

    def check(self, fabric, needs_lanes, engine="dfsssp"):
        net, tables, levels = self.route(fabric, engine)
        ours, our_lids = read_lfts(tables), port_guids(tables)
        our_levels = read_levels(levels, our_lids)
        with Simulator(net, self.path("sim")) as simulator:
            dumped = self.path("dumped-levels")
            with self.plug_in(simulator, tables, levels, levels=dumped) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), ours)
                lids = port_guids(manager.dump("opensm-lfts.dump"))
                engine_levels = read_levels(dumped, lids)
                # The dump has aggregation nodes, too, which our file does not name, and no switches.
                of_hosts = self.between_hosts(our_levels, ours)
                self.assertLess(len(of_hosts), len(our_levels), "no level of a switch was written")
                self.assertEqual({path: engine_levels[path] for path in of_hosts}, of_hosts)
                self.assertFalse(harness.credit_loops(manager, dumped))
                if needs_lanes:
                    self.assertTrue(harness.credit_loops(manager), "one lane was enough: no test of the lanes")
                self.ask_administrator(simulator, lids, our_levels, ours)
                self.ask_switches(simulator, ours)
            self.assertEqual(manager.exit_code, 0, "OpenSM did not end well with the plug-in loaded")

        with Simulator(net, self.path("sim")) as simulator:
            with SubnetManager(simulator, "file", self.path("file"), options=["-U", tables]) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), ours)

    def ask_administrator(self, simulator, lids, our_levels, switches):
        """Path records, asked for over the fabric: all, or a sample. Those from and to switches too."""
        lid_of = {guid: lid for lid, guid in lids.items()}
        # The file names sources by node; the generated and the bundled fabrics have port = node + 1 for hosts.
        paths = sorted((lid_of[source if source in switches else source + 1], lid_of[to], level)
                       for (source, to), level in our_levels.items())
        if len(paths) > SAMPLES:
            paths = random.Random(1).sample(paths, SAMPLES)
        query = self.path("query")
        with open(query, "w") as out:
            out.writelines("%d %d\n" % path[:2] for path in paths)
        with open(query) as stdin:
            answers = simulator.client([program("sa_levels")], stdin=stdin)
        self.assertEqual([tuple(map(int, line.split())) for line in answers.splitlines()], paths)
        # And a few with the tool that administrators use.
        for source, to, level in paths[:: max(1, len(paths) // 5)][:5]:
            record = simulator.client(["saquery", "-p", "--slid", str(source), "--dlid", str(to)])
            self.assertEqual(int(re.search(r"\bsl\.*\s*(0x[0-9a-f]+|\d+)", record).group(1), 0), level, record)

    def ask_switches(self, simulator, ours):
        """What the switches hold, read from them by dump_lfts and smpquery."""
        dump = self.path("dump_lfts")
        with open(dump, "w") as out:
            out.write(simulator.client(["dump_lfts"]))
        self.assertEqual(read_lfts(dump), ours)
        guid = min(ours)
        info = simulator.client(["smpquery", "-G", "switchinfo", "0x%016x" % guid])
        self.assertGreater(int(re.search(r"LinearFdbTop:\.*(\d+)", info).group(1)), 0)

    def check_policy(self, fabric):
        """Tables through the stock `file` engine, service levels through a QoS policy: no plug-in at all."""
        net, tables, levels = self.route(fabric)
        policy = self.path("policy.conf")
        run([program("unknot"), "route", fabric, "--engine", "dfsssp", "--qos-policy", policy])
        with Simulator(net, self.path("sim")) as simulator:
            with SubnetManager(simulator, "file", self.path("osm"), options=["-U", tables, "-Y", policy]) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                self.assertFalse([line for line in manager.errors() if "qos" in line.lower()], manager.errors())
                lids = port_guids(manager.dump("opensm-lfts.dump"))
                ours = read_levels(levels, port_guids(tables))
                self.assertGreater(len(set(ours.values())), 1, "one level: no test of the policy")
                # Terminals of one router need no lane: the policy may give them any.
                switches = read_lfts(tables)
                home = {guid: switch for switch, rows in switches.items()
                        for guid, port in rows.items() if self.is_host_port(net, switch, port)}
                self.ask_administrator(simulator, lids, {
                    path: level for path, level in self.between_hosts(ours, switches).items()
                    if home.get(path[0] + 1) != home.get(path[1])}, switches)

    def is_host_port(self, net, switch, port):
        if not hasattr(self, "hosts"):
            self.hosts = set()
            for row in records(net):
                guid = next((int(line.split("=")[1], 16) for line in row if line.startswith("switchguid=")), None)
                for line in row:
                    end = re.match(r'\[(\d+)\]\S*\s+"H-', line)
                    if guid is not None and end:
                        self.hosts.add((guid, int(end.group(1))))
        return (switch, port) in self.hosts

    def test_both_forms_of_the_levels_give_the_same_answers(self):
        fabric = "torus:4x4,p=2"
        net, tables, plain = self.route(fabric)
        compact = self.path("compact")
        run([program("unknot"), "route", fabric, "--engine", "dfsssp", "--vls", "8", "-o", tables, "--format", "opensm",
             "--lanes", compact, "--lanes-format", "compact"])
        self.assertLess(os.path.getsize(compact), os.path.getsize(plain) / 4)
        answers = []
        for levels in plain, compact:
            dumped = self.path("dumped-levels")
            with Simulator(net, self.path("sim")) as simulator:
                with self.plug_in(simulator, tables, levels, levels=dumped) as manager:
                    self.assertTrue(manager.up, manager.errors())
                    answers.append(read_levels(dumped, port_guids(manager.dump("opensm-lfts.dump"))))
        self.assertEqual(answers[0], answers[1])

    def test_policy_on_a_torus(self):
        self.check_policy("torus:4x4,p=2")

    def test_policy_on_a_kautz_graph(self):
        self.check_policy("kautz:b=2,n=3,p=2")

    def test_torus(self):
        self.check("torus:4x4x3", needs_lanes=True)

    def test_random_network(self):
        self.check("random:switches=20,links=40,terminals=60,seed=3", needs_lanes=True)

    def test_slim_fly_from_a_file(self):
        edges = self.path("n50d7.edges")
        with open(edges, "w") as out:
            out.writelines("%d %d\n" % edge for edge in slim_fly_edges(5))
        self.check(edges, needs_lanes=True)

    def test_slim_fly_on_two_lanes(self):
        self.check("slimfly:q=4,p=2", needs_lanes=True, engine="unknot")

    def test_orthogonal_fat_tree_without_lanes(self):
        self.check("oft:3", needs_lanes=False, engine="unknot")

    def test_multi_layer_full_mesh_without_lanes(self):
        self.check("mlfm:3", needs_lanes=False, engine="unknot")

    def test_leaf_spine_with_parallel_cables(self):
        self.check(os.path.join(ROOT, "data", "golden", "leafspine24", "leafspine24.ibnetdiscover"),
                   needs_lanes=False)

    def test_leaf_spine_of_600_adapters(self):
        self.check(os.path.join(ROOT, "data", "leafspine600.ibnetdiscover"), needs_lanes=False)

    def test_other_lids_than_the_tables(self):
        net, tables, levels = self.route("torus:4x4")
        with open(net) as text:
            without = re.sub(r" lid \d+", "", text.read())
        with open(net, "w") as out:
            out.write(without)
        with Simulator(net, self.path("sim")) as simulator:
            dumped = self.path("dumped-levels")
            with self.plug_in(simulator, tables, levels, levels=dumped) as manager:
                self.assertTrue(manager.up, manager.errors())
                lids = port_guids(manager.dump("opensm-lfts.dump"))
                self.assertNotEqual(lids, port_guids(tables), "OpenSM gave the LIDs of the tables: nothing is tested")
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                self.assertEqual(read_levels(dumped, lids),
                                 self.between_hosts(read_levels(levels, port_guids(tables)), read_lfts(tables)))

    def test_tables_made_by_opensm_come_back(self):
        """OpenSM's own dfsssp, dumped and loaded by the plug-in, in both text forms of the tables."""
        net = os.path.join(ROOT, "data", "golden", "random20", "random20.net")
        levels = self.path("levels")
        other_form = self.path("dump_lfts")
        with Simulator(net, self.path("sim")) as simulator:
            with SubnetManager(simulator, "dfsssp", self.path("dfsssp"), plugin_folder=BUILD,
                               levels=levels) as manager:
                self.assertTrue(manager.up, manager.errors())
                tables = manager.dump("opensm-lfts.dump")
                with open(other_form, "w") as out:
                    out.write(simulator.client(["dump_lfts"]))
        for form in (tables, other_form):
            with Simulator(net, self.path("sim")) as simulator:
                dumped = self.path("dumped-levels")
                with self.plug_in(simulator, form, levels, levels=dumped) as manager:
                    self.assertTrue(manager.up, manager.errors())
                    self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                    lids = port_guids(manager.dump("opensm-lfts.dump"))
                    self.assertEqual(read_levels(dumped, lids), read_levels(levels, port_guids(tables)))


def records(net):
    """The records of a net file, each a list of lines."""
    with open(net) as text:
        return [record.splitlines() for record in text.read().split("\n\n")]


BROADCAST = "ff12401bffff000000000000ffffffff"  # of IP over InfiniBand, which OpenSM makes by itself as group 0xC000
GROUP, OTHER = "ff12a01cfe8000000000000000000001", "ff12a01cfe8000000000000000000002"


class Lanes(WithFolder):
    """SL-to-VL tables that are no identity, ports with fewer lanes than others, classes of service."""

    def verify(self, net, manager, *more):
        """What OpenSM has in force, dumped by it, judged by the program."""
        return run([program("unknot"), "verify", net, manager.dump("opensm-lfts.dump"), "--json"] + list(more))

    def check_dimension_order(self, fabric):
        net, tables, levels, lanes = (self.path(name) for name in ("fabric.net", "tables", "levels", "sl2vl"))
        run([program("unknot"), "topology", fabric, "-o", net, "--format", "ibsim"])
        run([program("unknot"), "route", fabric, "--engine", "dor", "--vls", 2, "-o", tables, "--lanes", levels, "--sl2vl",
             lanes])
        with Simulator(net, self.path("sim")) as simulator:
            dumped = self.path("dumped-levels")
            with self.plug_in(simulator, tables, levels, levels=dumped, words=["sl2vl_file=" + lanes]) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                found = json.loads(self.verify(net, manager, "--lanes", dumped, "--sl2vl",
                                               manager.dump("opensm-sl2vl.dump"), "--traffic", "data"))
                self.assertTrue(found["deadlock_free"], found)
                self.assertEqual(found["unroutable_pairs"], 0)
                # What the switches hold, pair of ports by pair of ports.
                self.assertEqual(self.held(manager.dump("opensm-sl2vl.dump")), self.asked(lanes))
                self.assertFalse(harness.credit_loops(manager, dumped))
                guid = min(read_lfts(tables))
                row = simulator.client(["smpquery", "-G", "sl2vl", "0x%016x" % guid, "1"])
                self.assertIn("SL2VL", row)

    @staticmethod
    def asked(path):
        rows = {}
        with open(path) as text:
            for line in text:
                guid, into, out, *pairs = line.split()
                if into != out:
                    rows[int(guid, 16), int(into), int(out)] = [int(c, 16) for pair in pairs for c in pair[2:]]
        return rows

    @staticmethod
    def held(path):
        """The same of OpenSM's dump."""
        rows, guid = {}, None
        with open(path) as text:
            for line in text:
                head = re.match(r"Switch (0x[0-9a-f]+),", line)
                row = re.match(r"\s*(\d+)\s+(\d+)\s+: ([\d ]+)$", line.rstrip("\n"))
                if line[:1].isalpha():
                    guid = int(head.group(1), 16) if head else None
                elif row and guid is not None and row.group(1) != row.group(2) and row.group(2) != "0":
                    rows[guid, int(row.group(1)), int(row.group(2))] = [int(lane) for lane in row.group(3).split()]
        return rows

    def test_dimension_order_on_a_torus(self):
        self.check_dimension_order("torus:5x5")

    def test_classes_of_service(self):
        """Paths of a partition have levels of its class. OpenSM runs on our lines alone."""
        net, tables, levels, conf = (self.path(name) for name in ("fabric.net", "tables", "levels", "conf"))
        run([program("unknot"), "topology", "torus:4x4", "-o", net, "--format", "ibsim"])
        run([program("unknot"), "route", "torus:4x4", "--engine", "dfsssp", "--vls", 8, "--qos", "mpi=3,storage", "-o",
             tables, "--lanes", levels, "--opensm-conf", conf])
        with open(conf) as text:
            lines = text.read().splitlines()
        partitions = self.path("partitions.conf")
        with open(partitions, "w") as out:
            out.write("Default=0x7fff : ALL=full;\nStorage=0x0001, sl=4 : ALL=full;\n")
        with Simulator(net, self.path("sim")) as simulator:
            with SubnetManager(simulator, None, self.path("osm"), more=lines, options=["-P", partitions],
                               LD_LIBRARY_PATH=BUILD) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                lids = port_guids(manager.dump("opensm-lfts.dump"))
                ours = read_levels(levels, port_guids(tables))
                theirs = read_levels(levels + ".storage", port_guids(tables))
                switches = read_lfts(tables)
                lid_of = {guid: lid for lid, guid in lids.items()}
                hosts = self.between_hosts(ours, switches)
                self.assertGreater(len(set(hosts.values())), 1)
                for path in sorted(hosts)[:: len(hosts) // 20]:
                    for pkey, expected in (("0xffff", ours[path]), ("0x8001", theirs[path])):
                        record = simulator.client(["saquery", "-p", "--slid", str(lid_of[path[0] + 1]), "--dlid",
                                                   str(lid_of[path[1]]), "--pkey", pkey])
                        found = re.search(r"\bsl\.*\s*(0x[0-9a-f]+|\d+)", record)
                        self.assertTrue(found, record)
                        self.assertEqual(int(found.group(1), 0), expected)

    def test_lines_of_the_stock_engine(self):
        net, tables, conf = (self.path(name) for name in ("fabric.net", "tables", "conf"))
        run([program("unknot"), "topology", "kary-ntree:k=3,n=2", "-o", net, "--format", "ibsim"])
        run([program("unknot"), "route", "kary-ntree:k=3,n=2", "--engine", "ftree", "-o", tables, "--opensm-conf", conf])
        with open(conf) as text:
            lines = text.read().splitlines()
        with Simulator(net, self.path("sim")) as simulator:
            with SubnetManager(simulator, None, self.path("osm"), more=lines) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertEqual(read_lfts(manager.dump("opensm-lfts.dump")), read_lfts(tables))
                # Levels without a proof are dropped.
                held = self.held(manager.dump("opensm-sl2vl.dump"))
                self.assertGreater(len(held), 6 * 9)
                self.assertEqual(set(map(tuple, held.values())), {(0,) + (15,) * 15})


class Multicast(WithFolder):
    """Hosts join groups over the fabric, and the switches hold what of our trees the members need."""

    def make(self, fabric, engine="dfsssp", *more):
        self.net, self.tables, self.levels = self.path("fabric.net"), self.path("tables"), self.path("levels")
        self.trees = self.path("trees")
        run([program("unknot"), "topology", fabric, "-o", self.net, "--format", "ibsim"])
        run([program("unknot"), "route", fabric, "--engine", engine, "--vls", 8, "-o", self.tables, "--format",
             "opensm", "--lanes", self.levels, "--multicast", self.trees] + list(more))
        self.cables, self.hosts = harness.read_cables(self.net)
        self.ports = sorted(self.hosts)

    def join(self, simulator, group, ports, level=0, state=1):
        """Asks for each of the ports; returns the group's LID, None where they leave (state 0)."""
        level = "-" if group == BROADCAST else str(level)
        lid = simulator.client([program("sa_join"), group, level] + ["%x:%d" % (p, state) for p in ports])
        return int(lid, 16) if state else None

    def expected(self, tree, ports):
        return harness.pruned(tree, self.cables, {self.hosts[port] for port in ports})

    def check(self, manager, simulator, groups):
        """Dump and switches have these ports, {LID: {switch: ports}}, as soon as OpenSM has seen to the joins."""
        deadline = time.monotonic() + 20
        while harness.read_multicast(manager.dump("opensm.mcfdbs")) != groups and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(harness.read_multicast(manager.dump("opensm.mcfdbs")), groups)
        held = self.path("held")
        with open(held, "w") as out:
            for switch in sorted({switch for ports in groups.values() for switch in ports}):
                out.write(simulator.client(["ibroute", "-M", "-G", "0x%x" % switch]))
        self.assertEqual(harness.read_multicast(held), groups)
        said = harness.checker(manager, manager.levels)
        self.assertIn("no credit loops found", said)
        found = {int(lid, 16): (int(switches), int(hosts)) for lid, switches, hosts in
                 re.findall(r"-I- Multicast Group:(0x\w+) has:(\d+) switches and:(\d+) HCAs", said)}
        self.assertEqual(found, {lid: (len(tree), len(self.hosts_of(tree))) for lid, tree in groups.items()}, said)

    def hosts_of(self, tree):
        return {(switch, port) for switch, ports in tree.items() for port in ports} & set(self.hosts.values())

    def manager(self, simulator, multicast, name="osm"):
        return self.plug_in(simulator, self.tables, self.levels, name=name, multicast=multicast,
                            levels=self.path("dumped-levels"))

    def errors(self, manager):
        return [line for line in manager.errors() if ENGINE_LINE in line]

    def check_members(self, fabric, engine):
        self.make(fabric, engine)
        tree = harness.read_multicast(self.trees)[0xC000]
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, self.trees) as manager:
                self.assertTrue(manager.up, manager.errors())
                few, beside = self.ports[1::5], self.ports[:2]
                self.assertEqual(self.join(simulator, BROADCAST, self.ports), 0xC000)
                first = self.join(simulator, GROUP, few)
                second = self.join(simulator, OTHER, beside)
                groups = {0xC000: self.expected(tree, self.ports), first: self.expected(tree, few),
                          second: self.expected(tree, beside)}
                self.assertEqual(groups[0xC000], tree, "all hosts: the tree as it is in the file")
                self.check(manager, simulator, groups)
                # One leaves, one joins to send alone: OpenSM has it receive, too, and so do we.
                self.join(simulator, GROUP, few[:1], state=0)
                self.join(simulator, GROUP, self.ports[-1:], state=4)
                groups[first] = self.expected(tree, few[1:] + self.ports[-1:])
                self.check(manager, simulator, groups)
                # A single member hears nobody.
                self.join(simulator, OTHER, beside[:1], state=0)
                del groups[second]
                self.check(manager, simulator, groups)
                ups = manager.ups()
                manager.sweep()
                self.assertTrue(manager.wait_for("SUBNET UP", harness.NO_ENGINE, count=ups + 2))
                self.check(manager, simulator, groups)
                self.assertEqual(self.errors(manager), [])
            self.assertEqual(manager.exit_code, 0, "OpenSM did not end well with the plug-in loaded")

    def test_members_on_a_torus(self):
        self.check_members("torus:4x4,p=2", "dfsssp")

    def test_members_on_a_fat_tree(self):
        self.check_members("xgft:m=4x4,w=2x2", "updn")

    def test_members_on_a_random_network(self):
        self.check_members("random:switches=20,links=40,terminals=60,seed=3", "unknot")

    def test_groups_of_the_file_have_trees_of_their_own(self):
        groups = self.path("groups")
        with open(groups, "w") as out:
            out.write("0xC000 all\n0xC001 all\n")
        self.make("torus:4x4,p=2", "dfsssp", "--multicast-groups", groups, "--multicast-trees", "2")
        trees = harness.read_multicast(self.trees)
        self.assertNotEqual(trees[0xC000], trees[0xC001], "one tree for both: nothing is tested")
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, self.trees) as manager:
                self.assertTrue(manager.up, manager.errors())
                members = self.ports[::4]
                self.assertEqual(self.join(simulator, BROADCAST, members), 0xC000)
                self.assertEqual(self.join(simulator, GROUP, members), 0xC001)
                self.assertEqual(self.join(simulator, OTHER, members), 0xC002)
                self.check(manager, simulator, {0xC000: self.expected(trees[0xC000], members),
                                                0xC001: self.expected(trees[0xC001], members),
                                                0xC002: self.expected(trees[0xC000], members)})
                self.assertEqual(self.errors(manager), [])

    def grown_by_opensm(self):
        """What OpenSM grows for all hosts where no file names trees; the dump stays in the folder."""
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, None, "own") as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertIn("unknot: multicast: OpenSM's own trees, which no proof here covers; give multicast=FILE",
                              manager.log_text())
                self.join(simulator, BROADCAST, self.ports)
                deadline = time.monotonic() + 20
                found = {}
                while self.hosts_of(found.get(0xC000, {})) != set(self.hosts.values()):
                    self.assertLess(time.monotonic(), deadline, "OpenSM's own tree does not reach all hosts")
                    found = harness.read_multicast(manager.dump("opensm.mcfdbs"))
                shutil.copy(manager.dump("opensm.mcfdbs"), self.path("grown"))
                self.assertEqual(self.errors(manager), [])
                return found[0xC000]

    def test_without_the_option_opensm_grows_its_own(self):
        self.make("torus:4x4,p=2", "dfsssp")
        self.assertNotEqual(self.grown_by_opensm(), harness.read_multicast(self.trees)[0xC000])

    def test_trees_grown_by_opensm_come_back(self):
        """On a fat tree any tree of shortest ways goes up, then down: OpenSM's own, dumped, is proven and taken."""
        self.make("xgft:m=4x4,w=2x2", "updn")
        tree = self.grown_by_opensm()
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, self.path("grown")) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertNotIn("OpenSM's own trees", manager.log_text())
                self.join(simulator, BROADCAST, self.ports)
                few = self.join(simulator, GROUP, self.ports[::9])
                self.check(manager, simulator, {0xC000: tree, few: self.expected(tree, self.ports[::9])})

    def test_member_that_the_tree_does_not_reach(self):
        self.make("torus:4x4,p=2", "dfsssp")
        tree = harness.read_multicast(self.trees)[0xC000]
        away = next(switch for switch, ports in tree.items()
                    if sum((switch, port) in self.cables for port in ports) == 1)
        left = {port for port in self.ports if self.hosts[port][0] != away}
        less = self.expected(tree, left)
        with open(self.trees, "w") as out:
            for switch, ports in less.items():
                out.write("Switch 0x%016x\nLID    : Out Port(s)\n0xC000 :%s\n"
                          % (switch, "".join(" 0x%03x" % port for port in sorted(ports))))
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, self.trees) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.join(simulator, BROADCAST, self.ports)
                self.check(manager, simulator, {0xC000: less})
                for port in set(self.ports) - left:
                    self.assertIn("ERR UK04: unknot: port 0x%016x is in group 0xC000, but the tree of 0xC000 does not "
                                  "reach its switch; it is left out" % port, manager.log_text())

    def test_level_without_a_proof(self):
        self.make("torus:4x4,p=2", "dfsssp")
        tree = harness.read_multicast(self.trees)[0xC000]
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.manager(simulator, self.trees) as manager:
                self.assertTrue(manager.up, manager.errors())
                members = self.ports[:6]
                lid = self.join(simulator, GROUP, members, level=7)
                self.check(manager, simulator, {lid: self.expected(tree, members)})
                said = self.errors(manager)
                self.assertEqual(len(said), 1, said)
                self.assertIn("ERR UK03: unknot: warning: group 0x%X has service level 7, on which its tree is not "
                              "proven" % lid, said[0])


class Refuse(WithFolder):
    """Where anything does not fit, the plug-in says so in one sentence and OpenSM installs nothing."""

    def setUp(self):
        super().setUp()
        self.net, self.tables, self.levels = self.route("torus:4x4")
        self.options = {}

    def write_records(self, rows):
        with open(self.net, "w") as out:
            out.write("\n\n".join("\n".join(row) for row in rows) + "\n")

    def edit(self, path, change):
        with open(path) as text:
            before = text.read()
        after = change(before)
        self.assertNotEqual(before, after)
        with open(path, "w") as out:
            out.write(after)

    def remove_cable(self, switch, port):
        """Takes the cable at a port of a switch out of the net file, at both ends; returns its other end."""
        rows, ends = records(self.net), []
        for row in rows:
            name = next((re.match(r'\w+\s+\d+ "([^"]+)"', line).group(1) for line in row
                         if re.match(r'\w+\s+\d+ "', line)), None)
            for line in list(row):
                end = re.match(r'\[(\d+)\]\S*\s+"([^"]+)"\[(\d+)\]', line)
                here = end and (name, int(end.group(1))), end and (end.group(2), int(end.group(3)))
                if end and (switch, port) in here:
                    row.remove(line)
                    ends += [e for e in here if e != (switch, port)]
        self.assertEqual(len(set(ends)), 1)
        self.write_records(rows)
        return ends[0]

    def add_cable(self, a, port_a, b, port_b):
        rows = records(self.net)
        for row in rows:
            for here, port, there, peer in ((a, port_a, b, port_b), (b, port_b, a, port_a)):
                if any(re.match(r'\w+\s+\d+ "%s"' % re.escape(here), line) for line in row):
                    row.append('[%d]\t"%s"[%d]' % (port, there, peer))
        self.write_records(rows)

    def multicast(self, *lines):
        path = self.path("trees")
        with open(path, "w") as out:
            out.write("\n".join(lines) + "\n")
        return path

    def test_multicast_that_is_no_tree(self):
        guid = min(read_lfts(self.tables))
        self.refused(r"copies group 0xC000 from switch .* port 1 to switch .*, but not back by port \d+",
                     multicast=self.multicast("Switch 0x%016x" % guid, "LID    : Out Port(s)", "0xC000 : 0x001 0x005"))

    def test_multicast_of_a_switch_that_the_fabric_lacks(self):
        self.refused(r"switch 0x00000000000000aa of .* is not in the fabric",
                     multicast=self.multicast("Switch 0x00000000000000aa", "LID    : Out Port(s)", "0xC000 : 0x001"))

    def test_multicast_that_can_deadlock_with_the_tables(self):
        """A tree of all switches, grown breadth first without a look at the tables."""
        cables, _ = harness.read_cables(self.net)
        first = min(read_lfts(self.tables))
        tree, queue = {first: set()}, [first]
        for switch in queue:
            for (here, port), (there, back) in sorted(cables.items()):
                if here == switch and there not in tree:
                    tree[here].add(port)
                    tree[there] = {back}
                    queue.append(there)
        lines = []
        for switch, ports in tree.items():
            lines += ["Switch 0x%016x" % switch, "0xC000 :" + "".join(" 0x%03x" % port for port in sorted(ports))]
        self.refused(r"packets of service level 0 can wait .* on this fabric together with the multicast trees of",
                     multicast=self.multicast(*lines))

    def refused(self, pattern, **more):
        """Runs OpenSM; it must fail, the log must match, and the switches must be empty."""
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.plug_in(simulator, self.tables, self.levels, **self.options, **more) as manager:
                self.assertFalse(manager.up, "the plug-in took tables that do not fit")
                said = [line for line in manager.errors() if ENGINE_LINE in line]
                self.assertTrue(said, manager.errors())
                self.assertRegex(said[0], pattern)
                self.assertIn("nothing is installed", said[0])
                # Along a directed route, since no LID leads anywhere: the first switch, from the manager's host.
                held = simulator.client(["ibroute", "-D", "0,1"])
                self.assertIn("\n0 valid lids dumped", held)

    def switches(self):
        return [re.match(r'Switch\s+\d+ "([^"]+)"', line).group(1) for row in records(self.net) for line in row
                if line.startswith("Switch")]

    def test_control(self):
        """The same tables on the fabric they were made for are taken, and the switches are not empty."""
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.plug_in(simulator, self.tables, self.levels) as manager:
                self.assertTrue(manager.up, manager.errors())
                self.assertNotIn("\n0 valid lids dumped", simulator.client(["ibroute", "-D", "0,1"]))

    def test_removed_cable(self):
        self.remove_cable(self.switches()[5], 1)
        self.refused(r"sends packets for .* to port \d+, which is not connected")

    def test_swapped_cables(self):
        """Two cables between four switches, plugged in the wrong way round."""
        first, second = self.switches()[0], self.switches()[10]
        end_1, end_2 = self.remove_cable(first, 1), self.remove_cable(second, 1)
        self.add_cable(first, 1, *end_2)
        self.add_cable(second, 1, *end_1)
        self.refused(r"was a cable moved\?|can deadlock on this fabric")

    def test_swapped_hosts(self):
        """Two hosts at each other's switch: all ports are connected, and all lead to the wrong one."""
        first, second = self.switches()[1], self.switches()[2]
        port = max(int(p) for row in records(self.net) for line in row for p in re.findall(r"^\[(\d+)\]\s", line))
        end_1, end_2 = self.remove_cable(first, port), self.remove_cable(second, port)
        self.add_cable(first, port, *end_2)
        self.add_cable(second, port, *end_1)
        self.refused(r"to port \d+, where adapter .* is: was a cable moved\?")

    def test_switch_that_the_tables_lack(self):
        self.edit(self.tables, lambda text: re.sub(r"\AUnicast lids.*?\n(?=Unicast)", "", text, flags=re.S))
        self.refused(r"switch '.*' \(0x[0-9a-f]{16}\) of the fabric has no table")

    def test_switch_that_the_fabric_lacks(self):
        self.edit(self.tables,
                  lambda text: text + "Unicast lids [0-1] of switch Lid 99 guid 0x00000000000000aa ('gone'):\n1 lids dumped\n")
        self.refused(r"switch 0x00000000000000aa of .* is not in the fabric")

    def test_adapter_that_the_tables_lack(self):
        self.edit(self.tables, lambda text: re.sub(r"^0x0003 .*\n", "", text, flags=re.M))
        self.edit(self.levels, lambda text: re.sub(r"^.* 3 \d+\n", "", text, flags=re.M))
        self.refused(r"adapter .* of the fabric has no row")

    def test_missing_row_of_one_switch(self):
        self.edit(self.tables, lambda text: re.sub(r"^0x0003 .*\n", "", text, count=1, flags=re.M))
        self.refused(r"the table of switch .* has no row for adapter")

    def test_port_beyond_the_switch(self):
        self.edit(self.tables, lambda text: re.sub(r"^0x0003 \d+", "0x0003 077", text, count=1, flags=re.M))
        self.refused(r"to port 77, but the switch has \d+ ports")

    def test_file_cut_short(self):
        self.edit(self.tables, lambda text: text[: len(text) * 9 // 10])
        self.refused(r"it is incomplete")

    def test_service_levels_cut_short(self):
        self.edit(self.levels, lambda text: text[:-3])
        self.refused(r"it is incomplete")

    def test_missing_service_level(self):
        self.edit(self.levels, lambda text: text.replace(text.splitlines(True)[17], "", 1))
        self.refused(r"names no service level for the path from adapter .* to adapter")

    def test_one_lane_where_several_are_needed(self):
        self.edit(self.levels, lambda text: re.sub(r"\d+$", "0", text, flags=re.M))
        self.refused(r"can wait for each other in a circle .* deadlock")

    def test_more_levels_than_lanes(self):
        """Levels 0 and 8 are both cut to lane 0."""
        self.edit(self.levels, lambda text: re.sub(r"[1-7]$", "8", text, flags=re.M))
        self.refused(r"service levels up to 8 need 9 operational virtual lanes, but port \d+ of switch .* has 8.*; on the "
                     r"lanes that there are, packets can wait for each other in a circle")

    def test_quality_of_service_off(self):
        self.options["qos"] = False
        self.refused(r"need OpenSM's option 'qos TRUE'")

    def test_no_such_file(self):
        self.tables = self.path("nowhere")
        self.refused(r"nowhere: cannot be opened: No such file")

    def test_bad_file_after_a_good_one(self):
        """Files are read again at each sweep; what does not fit leaves the installed tables alone."""
        good = self.path("good")
        shutil.copy(self.tables, good)
        with Simulator(self.net, self.path("sim")) as simulator:
            with self.plug_in(simulator, self.tables, self.levels) as manager:
                self.assertTrue(manager.up, manager.errors())
                held = simulator.client(["dump_lfts"])
                self.edit(self.tables, lambda text: re.sub(r"^0x0003 \d+", "0x0003 077", text, flags=re.M))
                manager.sweep()
                self.assertFalse(manager.wait_for("SUBNET UP", harness.NO_ENGINE, count=1 + manager.ups()))
                self.assertRegex(manager.errors()[-2] + manager.errors()[-3], "to port 77")
                self.assertEqual(simulator.client(["dump_lfts"]), held)


def main():
    global BUILD
    BUILD, rest = harness.build_folder(__doc__.split("\n\n")[0])
    unittest.main(argv=[sys.argv[0]] + rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
