#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What unknot says of configurations of Constellation, against constellation_judge.py.

    configurations_test.py --unknot build/release/unknot [--few]

Topologies and relations are written as both Scala and Python take them, so that Python itself reads them for the judge. Where
UNKNOT_CONSTELLATION names a checkout of Constellation, the configurations that it publishes are compared as well."""

import argparse
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import constellation_judge
from constellation_judge import judge

UNKNOT = None
FEW = False

NAMES = {name: value for name, value in vars(constellation_judge).items() if name[0].isupper()}
NAMES |= {"Seq": lambda *elements: list(elements), "TopologyEdge": lambda src, dst: (src, dst), "true": True, "false": False}

# Topology, relation, numbers of virtual channels to try.
DESIGNS = [
    ("UnidirectionalLine(4)", "UnidirectionalLineRouting()", (1, 2)),
    ("UnidirectionalLine(6, Seq((0, 2), (2, 5)))", "UnidirectionalLineRouting()", (1,)),
    ("UnidirectionalLine(5)", "AllLegalRouting()", (2,)),
    ("BidirectionalLine(5)", "BidirectionalLineRouting()", (1, 3)),
    ("BidirectionalLine(3)", "AllLegalRouting()", (1,)),
    ("UnidirectionalTorus1D(5)", "UnidirectionalTorus1DDatelineRouting()", (1, 2, 4)),
    ("UnidirectionalTorus1D(5)", "AllLegalRouting()", (2,)),
    ("BidirectionalTorus1D(6)", "BidirectionalTorus1DShortestRouting()", (1, 2, 4)),
    ("BidirectionalTorus1D(5)", "BidirectionalTorus1DRandomRouting()", (2, 3)),
    ("BidirectionalTorus1D(4)", "BidirectionalTorus1DDatelineRouting()", (2,)),
    ("Butterfly(2, 3)", "ButterflyRouting()", (1,)),
    ("Butterfly(3, 2)", "ButterflyRouting()", (2,)),
    ("BidirectionalTree(2, 2)", "BidirectionalTreeRouting()", (1, 2)),
    ("BidirectionalTree(2, dAry = 3)", "BidirectionalTreeRouting()", (1,)),
    ("Mesh2D(4, 3)", "Mesh2DDimensionOrderedRouting()", (1, 2)),
    ("Mesh2D(3, 4)", "Mesh2DDimensionOrderedRouting(firstDim=1)", (1,)),
    ("Mesh2D(4, 3)", "Mesh2DMinimalRouting()", (1,)),
    ("Mesh2D(3, 3)", "Mesh2DWestFirstRouting()", (1, 2)),
    ("Mesh2D(3, 3)", "Mesh2DNorthLastRouting()", (1, 2)),
    ("Mesh2D(3, 3)", "Mesh2DEscapeRouting()", (1, 2, 3)),
    ("Mesh2D(3, 3)", "EscapeChannelRouting(Mesh2DWestFirstRouting(), Mesh2DMinimalRouting(), nEscapeChannels = 2)", (3, 4)),
    ("Mesh2D(3, 3)", "EscapeChannelRouting(escapeRouter = Mesh2DMinimalRouting(), normalRouter = Mesh2DMinimalRouting())", (2,)),
    ("Mesh2D(3, 3)", "EscapeChannelRouting(EscapeIDOrderRouting(), Mesh2DMinimalRouting())", (2,)),
    ("UnidirectionalTorus2D(3, 4)", "DimensionOrderedUnidirectionalTorus2DDatelineRouting()", (1, 2, 3)),
    ("BidirectionalTorus2D(3, 3)", "DimensionOrderedBidirectionalTorus2DDatelineRouting()", (2, 3)),
    ("BidirectionalTorus2D(5, 4)", "DimensionOrderedBidirectionalTorus2DDatelineRouting()", (2,)),
    ("BidirectionalTorus2D(3, 3)", "Mesh2DMinimalRouting()", (1,)),
    ("TerminalRouter(BidirectionalLine(4))", "TerminalRouterRouting(BidirectionalLineRouting())", (1, 2)),
    ("TerminalRouter(Mesh2D(3, 2))", "TerminalRouterRouting(Mesh2DEscapeRouting())", (2,)),
    ("TerminalRouter(UnidirectionalTorus1D(5))", "TerminalRouterRouting(UnidirectionalTorus1DDatelineRouting())", (3,)),
    ("TerminalRouter(BidirectionalTorus2D(3, 4))", "TerminalRouterRouting(DimensionOrderedBidirectionalTorus2DDatelineRouting())", (2,)),
    ("HierarchicalTopology(base = UnidirectionalTorus1D(4), children = Seq(HierarchicalSubTopology(0, 1, Mesh2D(2, 2)), "
     "HierarchicalSubTopology(2, 0, BidirectionalLine(3))))",
     "HierarchicalRouting(baseRouting = UnidirectionalTorus1DDatelineRouting(), childRouting = Seq(Mesh2DEscapeRouting(), BidirectionalLineRouting()))",
     (2, 3)),
    ("TerminalRouter(HierarchicalTopology(BidirectionalLine(2), Seq(HierarchicalSubTopology(1, 1, Mesh2D(2, 2)))))",
     "TerminalRouterRouting(HierarchicalRouting(BidirectionalLineRouting(), Seq(Mesh2DDimensionOrderedRouting())))", (1,)),
    ("CustomTopology(4, Seq(TopologyEdge(0, 1), TopologyEdge(1, 2), TopologyEdge(2, 3), TopologyEdge(3, 0), TopologyEdge(0, 2)))",
     "CustomLayeredRouting()", (1, 3, 4)),
    ("CustomTopology(4, Seq(TopologyEdge(0, 1), TopologyEdge(1, 2), TopologyEdge(2, 3), TopologyEdge(3, 0), TopologyEdge(0, 2)))",
     "ShortestPathRouting(2)", (1, 2)),
    ("Mesh2D(3, 2)", "ShortestPathRouting()", (1,)),
]
SUBNETS = [
    ("Mesh2D(3, 3)", "BlockingVirtualSubnetworksRouting(Mesh2DEscapeRouting(), 3)", (2, 3, 4)),
    ("Mesh2D(3, 3)", "BlockingVirtualSubnetworksRouting(Mesh2DDimensionOrderedRouting(), 3, 1)", (3,)),
    ("Mesh2D(3, 3)", "NonblockingVirtualSubnetworksRouting(Mesh2DEscapeRouting(), 3, 1)", (3, 4)),
    ("Mesh2D(3, 3)", "NonblockingVirtualSubnetworksRouting(Mesh2DEscapeRouting(), 3, nDedicatedChannels = 2)", (6, 7)),
    ("BidirectionalLine(9)", "BidirectionalLineRouting()", (3,)),
]
BLOCKING = {"(a, b) => true": lambda a, b: True, "(a, b) => a < b": lambda a, b: a < b, "_ < _": lambda a, b: a < b,
            "(_, _) => false": lambda a, b: False}


def run(*arguments):
    done = subprocess.run([UNKNOT, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read(text):
    """Scala that is Python as well."""
    return eval(" ".join(text.split()), NAMES)  # noqa: S307 of this file, or of a checkout that its owner names


class Written:
    """A configuration with flows of its own: between some routers, of as many subnets."""

    def __init__(self, name, topology, relation, lanes, subnets, blocking, dice):
        self.name, self.lanes, self.blocking = name, lanes, BLOCKING[blocking]
        self.topo, self.relation = read(topology), read(relation)
        n = self.topo.n
        if "Butterfly" in topology:
            ingresses, egresses = list(range(self.topo.height)), list(range(n - self.topo.height, n))
        elif topology.startswith("TerminalRouter"):
            ingresses = egresses = list(range(n // 2))
        else:
            ingresses = sorted(dice.choices(range(n), k=n))
            egresses = list(range(n))
        ordered = dice.random() < 0.3 and subnets == 1
        pairs = [(s, d) for s, d in itertools.product(range(len(ingresses)), range(len(egresses))) if s % subnets == d % subnets]
        if topology.startswith("UnidirectionalLine"):
            pairs = [(s, d) for s, d in pairs if ingresses[s] <= egresses[d]]
        self.flows = [(ingresses[s], egresses[d], s % subnets, ordered) for s, d in pairs]
        fifo = ", fifo=true" if ordered else ""
        if topology.startswith("UnidirectionalLine"):
            flows = "Seq(%s)" % ", ".join(f"FlowParams({s}, {d}, 0{fifo})" for s, d in pairs)
        elif subnets == 1:
            flows = f"Seq.tabulate({len(ingresses)}, {len(egresses)}) {{ (s, d) => FlowParams(s, d, 0{fifo}) }}.flatten"
        else:
            flows = (f"Seq.tabulate({len(ingresses)}, {len(egresses)}) {{ (s, d) =>\n    if (s % {subnets} == d % {subnets}) "
                     f"Some(FlowParams(s, d, s % {subnets})) else None\n  }}.flatten.flatten")
        self.scala = f"""class {name} extends NoCTesterConfig(NoCTesterParams(NoCParams(
  topology        = {topology},
  channelParamGen = (a, b) => UserChannelParams(Seq.fill({lanes}) {{ UserVirtualChannelParams(3) }}),
  ingresses       = Seq({", ".join(map(str, ingresses))}).map {{ i => UserIngressParams(i) }},
  egresses        = ({egresses[0]} until {egresses[-1] + 1}).map(UserEgressParams(_)),
  routerParams    = (i) => UserRouterParams(payloadBits = i match {{ case 0 | 1 => 8; case _ => 16 }}),
  flows           = {flows},
  vNetBlocking    = {blocking},
  routingRelation = {relation}
)))
"""

    def verdict(self):
        return judge(self.topo, lambda u, v: self.lanes, self.relation, self.flows, self.blocking)


class Configurations(unittest.TestCase):
    def compare(self, path, name, wanted):
        code, out, error = run("verify", path, "--config", name, "--json")
        self.assertNotEqual(code, 2, error)
        found = json.loads(out)
        self.assertEqual(found["delivers"], wanted["delivers"])
        self.assertEqual(found["method"], wanted["method"])
        self.assertEqual(found["deadlock_free"], wanted["method"] is not None)
        self.assertEqual(found["witness_kind"] == "blocked", wanted["method"] is None and wanted["blocked"])
        self.assertEqual(found["subnets_move"], wanted["subnets_move"])
        self.assertEqual(code == 0, wanted["delivers"] and wanted["method"] is not None and wanted["subnets_move"])
        for packet in found["witness"] if found["witness_kind"] == "blocked" else []:
            self.assertTrue(packet["waits_for"])
            for channel in packet["waits_for"]:
                self.assertIn(channel, [other["holds"] for other in found["witness"]])

    def test_own(self):
        dice = random.Random(7)
        designs = []
        for topology, relation, lanes in DESIGNS[::4] if FEW else DESIGNS:
            designs += [(topology, relation, count, 1, "(a, b) => true") for count in lanes]
        for (topology, relation, lanes), blocking in itertools.product(SUBNETS, BLOCKING):
            designs += [(topology, relation, count, 3, blocking) for count in lanes]
        written = [Written(f"Own{i:03}", *design, dice) for i, design in enumerate(designs)]
        seen = set()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "Own.scala")
            with open(path, "w") as file:
                file.write("import constellation.noc._\n\n" + "\n".join(one.scala for one in written))
            for one in written:
                with self.subTest(one.scala):
                    wanted = one.verdict()
                    seen.add((wanted["method"], wanted["blocked"], wanted["delivers"], wanted["subnets_move"]))
                    self.compare(path, one.name, wanted)
        # All answers occur, or the comparison would say little.
        self.assertEqual({method for method, *_ in seen}, {"acyclic", "escape", None})
        self.assertIn(True, {blocked for method, blocked, *_ in seen})
        self.assertEqual({moves for *_, moves in seen}, {True, False})
        if not FEW:
            self.assertEqual({delivers for _, _, delivers, _ in seen}, {True, False})


# Published configurations, taken apart by what they look like.

def published(folder):
    for path in sorted(pathlib.Path(folder).rglob("Configs.scala")):
        text = path.read_text()
        for name, body in re.findall(r"^class (\w+) extends \w+Config\((\w+Params\(.*?)^(?=class |\Z)", text, re.S | re.M):
            if "NoCParams" in body and "inNodeMapping" not in body and "flows  " in body:
                yield str(path), name, body


def python_of(text):
    return re.sub(r"Seq\.fill\((\d+)\) \{ (\w+\(\)) \}", r"[\2] * \1", text)


def argument(body, name):
    """What stands after name =, up to the comma of the same depth."""
    start = re.search(rf"\b{name} *= ", body).end()
    depth = 0
    for end in range(start, len(body)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(body[end], 0)
        if depth < 0 or depth == 0 and body[end] == ",":
            return body[start:end]
    raise ValueError(name)


def terminals(text):
    base, expression = re.fullmatch(r"(.*?)\.map \{ i => User\w+Params\((.*?)(?:, payloadBits=\d+)?\) \}", text.strip()).groups()
    numbers = re.match(r"\((\d+) until (\d+)(?: by (\d+))?\)", base)
    nodes = range(*(int(x) for x in numbers.groups() if x)) if numbers else read(base)
    return [eval(expression, {"i": i}) for i in nodes]


def judged(body):
    topo, relation = read(python_of(argument(body, "topology"))), read(python_of(argument(body, "routingRelation")))
    ingresses, egresses = terminals(argument(body, "ingresses")), terminals(argument(body, "egresses"))
    flows = argument(body[body.index("NoCParams("):], "flows")
    rows, columns = map(int, re.match(r"Seq\.tabulate\((\d+), (\d+)\)", flows).groups())
    condition = re.search(r"if \((.*)\) Some", flows)
    subnet = re.search(r"FlowParams\(s, d, (.*?)(, fifo=true)?\)", flows)
    taken = []
    for s, d in itertools.product(range(rows), range(columns)):
        if condition is None or eval(condition[1], {"s": s, "d": d}):
            taken.append((ingresses[s], egresses[d], eval(subnet[1], {"s": s}), bool(subnet[2])))
    channels = argument(body, "channelParamGen")
    count = re.search(r"Seq\.fill\((\w+)\)", channels)[1]
    if count == "mult":  # 2 ** (height - the deeper level), with height 3
        degree = int(re.search(r"dAry = (\d+)", channels)[1])

        def level(i):
            # floor(log_degree(i + 1)), as its double rounds it
            return next(k for k in itertools.count() if degree ** (k + 1) > i + 1)

        def lanes(u, v):
            return int(2 ** (3 - max(level(u), level(v))))
    else:
        def lanes(u, v):
            return int(count)
    blocking = (lambda a, b: a < b) if "blocker < blockee" in body else lambda a, b: True
    return judge(topo, lanes, relation, taken, blocking)


class Published(Configurations):
    def test_own(self):
        pass

    @unittest.skipUnless(os.environ.get("UNKNOT_CONSTELLATION"), "UNKNOT_CONSTELLATION names no checkout of Constellation")
    def test_published(self):
        compared = 0
        for path, name, body in published(os.environ["UNKNOT_CONSTELLATION"]):
            with self.subTest(name):
                self.compare(path, name, judged(body))
                compared += 1
        print(f"{compared} published configurations compared")
        self.assertGreater(compared, 70)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--unknot", required=True)
    parser.add_argument("--few", action="store_true")
    options, rest = parser.parse_known_args()
    UNKNOT, FEW = options.unknot, options.few
    unittest.main(argv=[sys.argv[0], *rest])
