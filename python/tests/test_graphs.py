# SPDX-License-Identifier: Apache-2.0
"""NetworkX graphs in and out."""

import os
import tempfile
import unittest

import networkx
import unknot


class Graphs(unittest.TestCase):
    def test_out_and_in_again(self):
        for spec in ("torus:4x4,p=2", "kautz:b=2,n=3", "xgft:m=4x4,w=1x2", "mesh:3x3"):
            with self.subTest(spec):
                network = unknot.network(spec)
                graph = unknot.to_networkx(network)
                self.assertEqual(graph.number_of_edges(), network.channel_count + 2 * network.terminal_count)
                again = unknot.from_networkx(graph)
                self.assertEqual(again.router_count, network.router_count)
                self.assertEqual(again.channel_count, network.channel_count)
                self.assertEqual(again.terminal_routers.tolist(), network.terminal_routers.tolist())
                wanted = sorted(zip(network.sources.tolist(), network.targets.tolist()))
                self.assertEqual(sorted(zip(again.sources.tolist(), again.targets.tolist())), wanted)
                self.assertEqual(unknot.from_networkx(graph).fingerprint, again.fingerprint)

    def test_graphml_files_are_fabrics(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.graphml")
            for spec in ("xgft:m=4x4,w=1x2", "kautz:b=2,n=3", "slimfly:5"):
                with self.subTest(spec):
                    network = unknot.network(spec)
                    networkx.write_graphml(unknot.to_networkx(network), path)
                    self.assertEqual(unknot.network(path).fingerprint, network.fingerprint)
            networkx.write_graphml(networkx.petersen_graph(), path)
            petersen = unknot.network(path)
            self.assertEqual((petersen.router_count, petersen.terminal_count, petersen.channel_count), (10, 10, 30))

    def test_distances_agree(self):
        network = unknot.network("slimfly:5")
        graph = unknot.to_networkx(network, terminals=False)
        self.assertEqual(networkx.diameter(graph), network.properties()["router_diameter"])

    def test_an_undirected_graph(self):
        network = unknot.from_networkx(networkx.petersen_graph(), terminals=2)
        self.assertEqual((network.router_count, network.terminal_count, network.channel_count), (10, 20, 30))
        self.assertTrue(unknot.verify(unknot.route(network, "dfsssp")))

    def test_one_way_edges_and_parallel_ones(self):
        graph = networkx.MultiDiGraph([(0, 1), (0, 1), (1, 0), (1, 2), (2, 0)])
        network = unknot.from_networkx(graph)
        self.assertEqual(network.channel_count, 5)
        self.assertEqual(int((network.reverses == 4294967295).sum()), 3)

    def test_terminals_need_one_router(self):
        graph = networkx.Graph([("a", "b"), ("b", "h"), ("a", "h")])
        graph.nodes["h"]["kind"] = "terminal"
        with self.assertRaisesRegex(unknot.InputError, "'h'"):
            unknot.from_networkx(graph)

    def test_loops_are_refused(self):
        for kind in (networkx.Graph, networkx.DiGraph):
            with self.subTest(kind=kind), self.assertRaises(unknot.InputError):
                unknot.from_networkx(kind([(0, 1), (1, 1)]))


if __name__ == "__main__":
    unittest.main()
