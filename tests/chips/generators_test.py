#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What unknot writes for generators of networks on chip, read by what is known of these generators, against its tables.

    generators_test.py --unknot build/release/unknot
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from constellation_stub import Design, acyclic
import gem5_stub

UNKNOT = None

ENGINES = ["minhop", "dor", "updn", "nue"]
# What must be possible in any case: orders of dimensions, and tables where each way is the only shortest one.
ALWAYS = {(spec, "dor") for spec in ("mesh:4x3", "mesh:3x3x2,p=2", "mesh:7", "hypercube:4", "hypercube:3,p=2", "hyperx:4x3,p=2", "hyperx:3x3x2")}
ALWAYS |= {("btree:8", "minhop"), ("fulltree:7", "minhop"), ("hyperx:5", "minhop")}
MOST_ROUTERS, MOST_TERMINALS = 18, 36


def run(*arguments):
    done = subprocess.run([UNKNOT, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def small_specs(few):
    """The examples of all families that are small, or a few of them."""
    all_of_them = [spec for row in json.loads(run("list", "topologies", "--json")[1])["topologies"] for spec in row["examples"]]
    small = []
    for spec in all_of_them:
        network = json.loads(run("topology", spec, "--format", "json", "-o", "-")[1])
        if network["routers"] <= MOST_ROUTERS and 2 <= len(network["terminals"]) <= MOST_TERMINALS:
            small.append(spec)
    return [spec for spec in small if not few or (spec, "dor") in ALWAYS or (spec, "minhop") in ALWAYS or spec == "torus:4x4"]


class Routed:
    """Tables of an engine as JSON: next router and port by router and terminal."""

    def __init__(self, path):
        with open(path) as file:
            tables = json.load(file)
        self.lanes = tables["lanes_needed"]
        self.home = [terminal["router"] for terminal in tables["terminals"]]
        self.names = [terminal["name"] for terminal in tables["terminals"]]
        self.router_names = [router["name"] for router in tables["routers"]]
        self.ports = [router["ports"] for router in tables["routers"]]
        self.target = {(source, port): target for source, target, port in tables["channels"]}
        number = {router["guid"]: i for i, router in enumerate(tables["routers"])}
        self.levels = {number[row["router"]]: row["levels"] for row in tables.get("service_levels", [])}

    def next(self, router, terminal):
        """None at the destination, and where there is no route."""
        port = self.ports[router][terminal]
        return None if self.home[terminal] == router or port == 0 else self.target[router, port]


class Generators(unittest.TestCase):
    specs, few = [], False
    routed = {}  # by spec and engine

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def tables(self, spec, engine):
        """None where the engine refuses the network."""
        if (spec, engine) not in self.routed:
            code, _, _ = run("route", spec, "--engine", engine, "-o", self.path("t.json"), "--format", "json", "--force")
            self.routed[spec, engine] = None if code != 0 else Routed(self.path("t.json"))
        return self.routed[spec, engine]

    def cases(self):
        for spec in Generators.specs:
            for engine in ENGINES:
                routed = self.tables(spec, engine)
                if routed is not None:
                    yield spec, engine, routed

    def garnet_answers(self, spec, way_of, name, deadlock_free):
        """The topology that was written, run as gem5 would, is what the tables say; so is its config.ini, read again."""
        terminals = len(way_of[0])
        network = gem5_stub.make(self.path(name), terminals)
        found = gem5_stub.tables(network)
        for r, row in enumerate(way_of):
            for t, ways in enumerate(row):
                self.assertTrue(not ways or found[r][t] == ways, f"{spec}: from {r} to terminal {t}")
        with open(self.path("config.ini"), "w") as file:
            file.write(gem5_stub.config(network))
        code, out, err = run("verify", self.path("config.ini"), "--adaptive", self.path("config.ini"), "--json")
        self.assertIn(code, (0, 1), err)
        self.assertEqual(code == 0, deadlock_free, f"{spec}: {out}")

    def dependencies(self, home, way_of):
        after = {}
        for terminal in range(len(home)):
            for router in {home[source] for source in range(len(home)) if source != terminal}:
                seen, open_ = set(), [router]
                while open_:
                    at = open_.pop()
                    for to in way_of[at][terminal]:
                        for beyond in way_of[to][terminal]:
                            after.setdefault((at, to), set()).add((to, beyond))
                        if to not in seen:
                            seen.add(to)
                            open_.append(to)
        return after

    def test_garnet_takes_the_tables(self):
        written = 0
        for spec, engine, routed in self.cases():
            with self.subTest(spec=spec, engine=engine):
                code, _, err = run("route", spec, "--engine", engine, "-o", self.path("Tables.py"), "--format", "garnet")
                if (spec, engine) in ALWAYS:
                    self.assertEqual(code, 0, err)
                if code != 0:
                    self.assertEqual(code, 2)
                    self.assertRegex(err, "Garnet|weights|lanes")
                    continue
                written += 1
                way_of = [[set() if routed.next(r, t) is None else {routed.next(r, t)} for t in range(len(routed.home))] for r in range(len(routed.ports))]
                self.assertTrue(acyclic(self.dependencies(routed.home, way_of)))
                self.garnet_answers(spec, way_of, "Tables.py", True)
        self.assertGreater(written, 8 if self.few else 40)

    def test_garnet_takes_all_shortest_ways(self):
        free = {True: 0, False: 0}
        for spec in Generators.specs:
            with self.subTest(spec=spec):
                routed = self.tables(spec, "minhop") or self.tables(spec, "updn")
                if routed is None:
                    continue
                run("route", spec, "--engine", "minhop", "--adaptive-groups", self.path("Ways.py"), "--adaptive-format", "garnet")
                if not os.path.exists(self.path("Ways.py")):
                    continue
                size = len(routed.ports)
                out = [{b for (a, _), b in routed.target.items() if a == r} for r in range(size)]
                hops = [[0 if a == b else size for b in range(size)] for a in range(size)]
                for _ in range(size):
                    for a in range(size):
                        for b in range(size):
                            if a != b:
                                hops[a][b] = min(hops[a][b], 1 + min(hops[n][b] for n in out[a]))
                way_of = [[{n for n in out[r] if hops[n][home] + 1 == hops[r][home]} if r != home else set() for home in routed.home] for r in range(size)]
                good = acyclic(self.dependencies(routed.home, way_of))
                free[good] += 1
                self.garnet_answers(spec, way_of, "Ways.py", good)
                os.remove(self.path("Ways.py"))
        self.assertGreater(free[True], 2)
        self.assertGreater(free[False], 2)

    def test_constellation_takes_the_tables(self):
        written = mapped = 0
        for spec, engine, routed in self.cases():
            with self.subTest(spec=spec, engine=engine):
                code, _, err = run("route", spec, "--engine", engine, "-o", self.path("Tables.scala"), "--format", "constellation")
                if len({(a, b) for (a, _), b in routed.target.items()}) < len(routed.target):
                    self.assertIn("parallel", err)
                    continue
                self.assertEqual(code, 0, err)
                with open(self.path("Tables.scala")) as file:
                    design = Design(file.read())
                written += 1
                mapped += design.hops is not None
                self.assertEqual(design.home, routed.home)
                for r in range(design.routers):
                    self.assertEqual(sorted(design.links[r]), sorted(b for (a, _), b in routed.target.items() if a == r))
                for s in range(design.terminals):
                    for t in range(design.terminals):
                        if s == t:
                            continue
                        at = routed.home[s]
                        for a, b, _ in design.route(s, t):
                            self.assertEqual((a, b), (at, routed.next(at, t)))
                            at = b
                        self.assertEqual(at, routed.home[t])
                        row = routed.levels.get(routed.home[s])
                        self.assertEqual(design.level[s][t], row[t] if row else 0)
                self.assertTrue(design.acyclic())
                # Read back, on the fabric and alone, the relation is the same.
                answers = []
                for fabric in (spec, self.path("Tables.scala")):
                    code, out, err = run("verify", fabric, self.path("Tables.scala"), "--traffic", "data", "--json")
                    self.assertEqual(code, 0, err)
                    answers.append({key: json.loads(out)[key] for key in ("deadlock_free", "lanes_used", "dependencies", "hops")})
                self.assertEqual(*answers)
        self.assertGreater(written, 20 if self.few else 100)
        self.assertGreater(mapped, 0)

    def test_csv_has_the_tables(self):
        for spec, engine, routed in self.cases():
            with self.subTest(spec=spec, engine=engine):
                self.assertEqual(run("route", spec, "--engine", engine, "-o", self.path("t.csv"), "--format", "csv", "--force")[0], 0)
                with open(self.path("t.csv"), newline="") as file:
                    rows = list(csv.DictReader(file))
                found = {(row["router"], row["destination"]): (int(row["port"]), row["next hop"]) for row in rows}
                self.assertEqual(len(found), len(rows))
                wanted = {}
                for r, name in enumerate(routed.router_names):
                    for t, terminal in enumerate(routed.names):
                        to = routed.next(r, t)
                        if routed.ports[r][t] == 0:
                            continue  # nobody comes by here
                        wanted[name, terminal] = (routed.ports[r][t], terminal if to is None else routed.router_names[to])
                self.assertEqual(found, wanted)
                self.assertEqual(run("route", spec, "--engine", engine, "-o", self.path("folder"), "--format", "csv-folder", "--force")[0], 0)
                alone = {}
                for name in routed.router_names:
                    with open(os.path.join(self.path("folder"), name + ".csv"), newline="") as file:
                        alone.update({(name, row["destination"]): (int(row["port"]), row["next hop"]) for row in csv.DictReader(file)})
                self.assertEqual(alone, wanted)
                # Read back, the folder says what the file says.
                answers = []
                for tables in ("t.csv", "folder"):
                    code, out, err = run("verify", spec, self.path(tables), "--json")
                    self.assertIn(code, (0, 1), err)
                    answers.append((code, {k: v for k, v in json.loads(out).items() if k not in ("tables", "seconds")}))
                self.assertEqual(*answers)
                shutil.rmtree(self.path("folder"))
                # By port, by next hop, and by both.
                for columns in (["router", "destination", "port"], ["next hop", "destination", "router"]):
                    with open(self.path("part.csv"), "w", newline="") as file:
                        writer = csv.DictWriter(file, columns, extrasaction="ignore")
                        writer.writeheader()
                        writer.writerows(rows)
                    code, _, err = run("verify", spec, self.path("part.csv"))
                    if code == 2:
                        self.assertIn("links from router", err)  # parallel ones
                    else:
                        self.assertEqual(code, 0 if routed.lanes == 1 else code)

    def test_floogen_gives_the_network_back(self):
        for spec in Generators.specs:
            with self.subTest(spec=spec):
                code, _, err = run("topology", spec, "--format", "floogen", "-o", self.path("n.yml"))
                run("topology", spec, "--format", "json", "-o", self.path("a.json"))
                with open(self.path("a.json")) as file:
                    wanted = json.load(file)
                if "one_way" in wanted or len({(a, b) for a, _, b, *_ in wanted["cables"]}) < len(wanted["cables"]):
                    self.assertEqual(code, 2)
                    continue
                self.assertEqual(code, 0, err)
                self.assertEqual(run("topology", self.path("n.yml"), "--format", "json", "-o", self.path("b.json"))[0], 0)
                with open(self.path("b.json")) as file:
                    found = json.load(file)
                self.assertEqual(found["cables"], wanted["cables"])
                self.assertEqual(found["terminals"], wanted["terminals"])


def main():
    global UNKNOT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unknot", required=True)
    parser.add_argument("--few", action="store_true", help="a few networks, where each start of the program is slow")
    options, rest = parser.parse_known_args()
    UNKNOT = options.unknot
    Generators.specs, Generators.few = small_specs(options.few), options.few
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
