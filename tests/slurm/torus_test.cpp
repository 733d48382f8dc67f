// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/torus.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::slurm {
namespace {

using ::testing::HasSubstr;
using SlurmTorusFiles = test::TemporaryFolder;

/// The places of each sub-cube, in the order of their anchors along x, then y, then z.
std::vector<std::set<std::uint32_t>> cubes_of(const Torus& torus, const CubePlacement& placement) {
  std::array<std::vector<std::uint32_t>, 3> anchors;
  for (std::uint32_t d = 0; d < 3; ++d) {
    std::uint32_t at = placement.seed[d];
    do {
      anchors[d].push_back(at);
      at = (at + placement.spacing[d]) % torus.dims[d];
    } while (at != placement.seed[d]);
  }
  std::vector<std::set<std::uint32_t>> cubes;
  for (const std::uint32_t x : anchors[0]) {
    for (const std::uint32_t y : anchors[1]) {
      for (const std::uint32_t z : anchors[2]) {
        std::set<std::uint32_t>& cube = cubes.emplace_back();
        for (std::uint32_t i = 0; i < placement.dims[0] * placement.dims[1] * placement.dims[2]; ++i) {
          const std::uint32_t dx = i % placement.dims[0], dy = i / placement.dims[0] % placement.dims[1],
                              dz = i / placement.dims[0] / placement.dims[1];
          cube.insert(
              torus.place({(x + dx) % torus.dims[0], (y + dy) % torus.dims[1], (z + dz) % torus.dims[2]}));
        }
      }
    }
  }
  return cubes;
}

/// Every route between two nodes of a sub-cube, one by one.
void expect_as_walked(const Network& network, const Torus& torus, const NextChannels& next,
                      const CubeShape& shape) {
  const std::vector<std::set<std::uint32_t>> cubes = cubes_of(torus, shape);
  EXPECT_EQ(shape.anchors, cubes.size());
  std::vector<std::uint32_t> place_at(network.router_count(), torus.places());
  for (std::uint32_t p = 0; p < torus.places(); ++p)
    if (torus.node[p].valid()) place_at[network.router_of(torus.node[p]).value] = p;
  std::vector<std::vector<ChannelId>> columns(torus.places(), std::vector<ChannelId>(network.router_count()));
  for (std::uint32_t p = 0; p < torus.places(); ++p)
    if (torus.node[p].valid()) next(torus.node[p], columns[p]);
  std::map<std::uint32_t, std::set<std::size_t>> takers;  // by channel
  bool inside = true;
  for (std::size_t cube = 0; cube < cubes.size(); ++cube) {
    for (const std::uint32_t b : cubes[cube]) {
      for (const std::uint32_t a : cubes[cube]) {
        if (a == b || !torus.node[a].valid() || !torus.node[b].valid()) continue;
        for (RouterId r = network.router_of(torus.node[a]); r != network.router_of(torus.node[b]);) {
          const ChannelId c = columns[b][r.value];
          takers[c.value].insert(cube);
          r = network.target(c);
          inside = inside && cubes[cube].contains(place_at[r.value]);
        }
      }
    }
  }
  const auto apart = [&](std::size_t a, std::size_t b) {
    return std::none_of(cubes[a].begin(), cubes[a].end(),
                        [&](std::uint32_t p) { return cubes[b].contains(p); });
  };
  std::uint64_t shared = 0;
  bool example = false;
  for (const auto& [channel, of] : takers) {
    bool found = false;
    for (const std::size_t a : of) {
      for (const std::size_t b : of) {
        if (!apart(a, b)) continue;
        found = true;
        const auto first = [&](std::size_t cube, const Extents& anchor) {
          return cubes[cube] == cubes_of(torus, {shape.dims, torus.dims, anchor}).front();
        };
        example = example ||
                  (shape.example == ChannelId(channel) && first(a, shape.first) && first(b, shape.second));
      }
    }
    shared += found ? 1 : 0;
  }
  EXPECT_EQ(shape.shared, shared);
  EXPECT_EQ(shape.inside, inside);
  EXPECT_EQ(example, shared > 0);
}

/// Tables of random trees, which take many ways around.
class RandomTrees {
 public:
  RandomTrees(const Network& network, std::uint64_t seed) {
    Random random(seed);
    for (const TerminalId t : network.terminals()) {
      std::vector<ChannelId>& column = columns_.emplace_back(network.router_count());
      std::vector<RouterId> reached{network.router_of(t)};
      while (reached.size() < network.router_count()) {
        const RouterId to = reached[random.below(reached.size())];
        const auto out = network.out(to);
        const ChannelId back =
            network.reverse(ChannelId(out.first() + static_cast<std::uint32_t>(random.below(out.size()))));
        const RouterId from = network.source(back);
        if (from == reached.front() || column[from.value].valid()) continue;
        column[from.value] = back;
        reached.push_back(from);
      }
    }
  }
  [[nodiscard]] NextChannels columns() const {
    return [this](TerminalId t, std::span<ChannelId> next) {
      std::copy(columns_[t.value].begin(), columns_[t.value].end(), next.begin());
    };
  }

 private:
  std::vector<std::vector<ChannelId>> columns_;
};

TEST(SlurmTorus, SubCubesShareWhatTheirRoutesShare) {
  std::uint32_t sharing = 0;
  for (const char* spec : {"torus:4x4", "torus:3x4x2", "torus:6x4", "torus:5x2x3", "mesh:4x3x2", "ring:6"}) {
    const Network network = make_network(spec);
    const Torus torus = find_torus(network);
    Progress quiet;
    const Routing dor = route(network, "dor:sl2vl=0", {}, quiet),
                  minhop = route(network, "minhop", {}, quiet);
    const RandomTrees trees(network, 5), others(network, 6);
    for (const NextChannels& next :
         {next_by_tables(network, dor.table()), next_by_tables(network, minhop.table()), trees.columns(),
          others.columns()}) {
      SCOPED_TRACE(spec);
      std::vector<CubeShape> shapes = cube_shapes(torus);
      for (const std::uint32_t threads : {1U, 2U}) {
        prove_disjoint(network, torus, next, threads, shapes);
        for (const CubeShape& shape : shapes) {
          EXPECT_TRUE(shape.proven);
          expect_as_walked(network, torus, next, shape);
          sharing += shape.shared > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(sharing, 50U);
}

/// More shapes than a word has bits, and routes by rule, the same as by tables.
TEST(SlurmTorus, ManyShapesAreProvenTogether) {
  const Network network = make_network("torus:12x6x4");
  const Torus torus = find_torus(network);
  Progress quiet;
  const Routing dor = route(network, "dor:sl2vl=0", {}, quiet);
  const std::unique_ptr<ForwardingRule> rule = dimension_order_rule(network);
  const NextChannels by_tables = next_by_tables(network, dor.table()), by_rule = next_by_rule(network, *rule);
  std::vector<ChannelId> stored(network.router_count()), computed(network.router_count());
  for (const TerminalId t : network.terminals()) {
    by_tables(t, stored);
    by_rule(t, computed);
    ASSERT_EQ(stored, computed);
  }
  // To one node packets go around a ring the other way: out of all sub-cubes that hold but a part of it.
  const TerminalId to = torus.node[torus.place({0, 5, 3})];
  const NextChannels next = [&](TerminalId destination, std::span<ChannelId> entries) {
    by_rule(destination, entries);
    if (destination != to) return;
    for (std::uint32_t x = 1; x < 7; ++x) {
      const RouterId r = network.router_of(torus.node[torus.place({x, 5, 3})]);
      for (const ChannelId c : network.out(r)) {
        if (network.target(c) == network.router_of(torus.node[torus.place({x + 1, 5, 3})]))
          entries[r.value] = c;
      }
    }
  };
  std::vector<CubeShape> shapes = cube_shapes(torus);
  ASSERT_GT(shapes.size(), 64U);
  prove_disjoint(network, torus, next, 2, shapes);
  std::uint32_t leave = 0;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (s % 4 == 0) expect_as_walked(network, torus, next, shapes[s]);
    EXPECT_EQ(shapes[s].inside, shapes[s].dims[0] == 1 || shapes[s].dims[0] == 12);
    leave += shapes[s].inside ? 0 : 1;
  }
  EXPECT_EQ(leave, 48U);
  prove_disjoint(network, torus, by_rule, 2, shapes);
  for (const CubeShape& shape : shapes) EXPECT_TRUE(shape.inside);
}

/// Dimension order, the same at every router, but for one entry that sends packets another way around: found
/// wherever it is.
TEST(SlurmTorus, OneEntryThatDiffersIsFound) {
  const Network network = make_network("torus:4x3");
  const Torus torus = find_torus(network);
  Progress quiet;
  const Routing dor = route(network, "dor:sl2vl=0", {}, quiet);
  const NextChannels before = next_by_tables(network, dor.table());
  std::uint32_t changes = 0, leave = 0;
  std::vector<ChannelId> column(network.router_count());
  for (const TerminalId to : network.terminals()) {
    before(to, column);
    for (const ChannelId other : network.channels()) {
      const RouterId at = network.source(other);
      if (at == network.router_of(to) || column[at.value] == other) continue;
      RouterId r = network.target(other);
      while (r != at && r != network.router_of(to)) r = network.target(column[r.value]);
      if (r == at) continue;  // a circle
      const NextChannels next = [&](TerminalId destination, std::span<ChannelId> entries) {
        before(destination, entries);
        if (destination == to) entries[at.value] = other;
      };
      std::vector<CubeShape> shapes = cube_shapes(torus);
      prove_disjoint(network, torus, next, 1, shapes);
      for (const CubeShape& shape : shapes) {
        expect_as_walked(network, torus, next, shape);
        leave += shape.inside ? 0 : 1;
      }
      ++changes;
    }
  }
  EXPECT_GT(changes, 200U);
  EXPECT_GT(leave, 100U);
}

/// A torus that a file names, of a fabric that has lost cables since.
TEST(SlurmTorus, RoutesAroundDeadCables) {
  std::uint32_t leave = 0;
  for (const char* spec : {"torus:4x4", "torus:6x2x3", "mesh:4x3x2"}) {
    SCOPED_TRACE(spec);
    const Network whole = make_network(spec);
    const Torus found = find_torus(whole);
    for (const char* faults : {"cable-count=1,seed=1", "cable-count=1,seed=2", "cable-count=2,seed=3"}) {
      const Network network = with_faults(whole, parse_faults(whole, faults));
      const Torus torus = torus_on(network, named(whole, found, cube_shapes(found)));
      Progress quiet;
      const Routing routing = route(network, "minhop", {}, quiet);
      const NextChannels next = next_by_tables(network, routing.table());
      std::vector<CubeShape> shapes = cube_shapes(torus);
      prove_disjoint(network, torus, next, 2, shapes);
      for (const CubeShape& shape : shapes) {
        expect_as_walked(network, torus, next, shape);
        leave += shape.inside ? 0 : 1;
      }
    }
  }
  EXPECT_GT(leave, 10U);
}

/// Placements of a file that lie anywhere, around ends and over each other.
TEST(SlurmTorus, SubCubesLieWhereTheFileSays) {
  std::uint32_t leave = 0, sharing = 0, around = 0;
  for (const char* spec : {"torus:6x4", "torus:5x3x2", "mesh:4x4", "torus:3x3x3", "ring:8"}) {
    const Network network = make_network(spec);
    const Torus torus = find_torus(network);
    Progress quiet;
    const Routing dor = route(network, "dor:sl2vl=0", {}, quiet), updn = route(network, "updn", {}, quiet);
    const RandomTrees trees(network, 3);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(std::string(spec) + " " + std::to_string(seed));
      Random random(seed, 4);
      CubePlacement placement;
      for (std::uint32_t d = 0; d < 3; ++d) {
        placement.dims[d] = 1 + static_cast<std::uint32_t>(random.below(torus.dims[d]));
        placement.spacing[d] = 1 + static_cast<std::uint32_t>(random.below(torus.dims[d]));
        placement.seed[d] = static_cast<std::uint32_t>(random.below(torus.dims[d]));
      }
      for (const NextChannels& next :
           {next_by_tables(network, dor.table()), next_by_tables(network, updn.table()), trees.columns()}) {
        std::vector<CubeShape> shapes{cube_shape(torus, placement)};
        prove_disjoint(network, torus, next, 2, shapes);
        EXPECT_TRUE(shapes[0].proven);
        expect_as_walked(network, torus, next, shapes[0]);
        leave += shapes[0].inside ? 0 : 1;
        sharing += shapes[0].shared > 0 ? 1 : 0;
      }
      around += placement.seed[0] + placement.dims[0] > torus.dims[0] ? 1 : 0;
    }
  }
  EXPECT_GT(leave, 50U);
  EXPECT_GT(sharing, 20U);
  EXPECT_GT(around, 10U);
}

TEST(SlurmTorus, MoreSubCubesThanCanBeComparedAreRefused) {
  const Network network = make_network("ring:40000");
  const Torus torus = find_torus(network);
  const std::unique_ptr<ForwardingRule> rule = dimension_order_rule(network);
  std::vector<CubeShape> shapes{cube_shape(torus, {.dims = {2, 1, 1}, .spacing = {1, 1, 1}})};
  EXPECT_THAT(refusal([&] { prove_disjoint(network, torus, next_by_rule(network, *rule), 1, shapes); }),
              HasSubstr("placement 2x1x1: its 40000 sub-cubes are too many to compare"));
}

Network without_coordinates(const Network& network) {
  NetworkBuilder builder;
  builder.add_routers(network.router_count());
  for (const ChannelId c : network.channels())
    if (c < network.reverse(c)) builder.add_cable(network.source(c), network.target(c));
  for (const TerminalId t : network.terminals()) builder.add_terminal(network.router_of(t));
  return std::move(builder).build();
}

/// What is left of a torus, found by its cables, written and read.
TEST(SlurmTorus, CablesAndNodesMayBeMissing) {
  std::uint32_t parted = 0, slower = 0;
  for (const char* spec : {"torus:5x5x3", "torus:6x6", "mesh:7x9", "torus:3x5x6"}) {
    const Network whole = make_network(spec);
    for (const char* faults :
         {"cable-count=1", "cable-count=3,seed=2", "router-count=1", "router-count=2,cable-count=1,seed=3",
          "terminal-count=1", "terminal-count=2,router-count=1"}) {
      SCOPED_TRACE(std::string(spec) + " " + faults);
      const Network with_coordinates = with_faults(whole, parse_faults(whole, faults));
      const Network network = without_coordinates(with_coordinates);
      const Torus torus = find_torus(network);
      Extents dims = torus.dims;
      std::sort(dims.begin(), dims.end());
      Extents expected = find_torus(whole).dims;
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(dims, expected);
      EXPECT_FALSE(is_whole(torus));
      std::set<std::uint32_t> nodes;
      for (const TerminalId t : torus.node)
        if (t.valid()) nodes.insert(t.value);
      EXPECT_EQ(nodes.size(), network.terminal_count());
      std::vector<CubeShape> shapes = cube_shapes(torus);
      Progress quiet;
      const Routing routing = route(network, "minhop", {}, quiet);
      const NextChannels next = next_by_tables(network, routing.table());
      prove_disjoint(network, torus, next, 2, shapes);
      for (const CubeShape& shape : shapes) {
        expect_as_walked(network, torus, next, shape);
        std::uint32_t full = 0;
        for (const std::set<std::uint32_t>& cube : cubes_of(torus, shape))
          full +=
              std::all_of(cube.begin(), cube.end(), [&](std::uint32_t p) { return torus.node[p].valid(); })
                  ? 1
                  : 0;
        EXPECT_EQ(shape.whole, full);
        slower += shape.whole > 0 && shape.all_to_all_bound < 1 ? 1 : 0;
      }
      const NamedTorus written = named(network, torus, best_shapes(shapes));
      const std::string text = torus_yaml(written, "");
      parted += text.find("regions") != std::string::npos ? 1 : 0;
      const auto read = std::get<NamedTorus>(parse_any_topology(text, "file"));
      EXPECT_EQ(read.nodes, written.nodes);
      EXPECT_EQ(read.placements, written.placements);
      EXPECT_EQ(torus_on(network, read).node, torus.node);
    }
  }
  EXPECT_EQ(parted, 16U);
  EXPECT_GT(slower, 20U);
}

/// Channels across a cut bound an all-to-all of the sub-cube with the cables that are left.
TEST(SlurmTorus, TheBoundHoldsWhereCablesAreMissing) {
  const Network whole = make_network("torus:6x4x2");
  std::uint32_t tried = 0;
  for (const char* faults : {"cable-count=4,seed=1", "cable-count=6,seed=2", "cable-count=3,seed=3"}) {
    const Network network = with_faults(whole, parse_faults(whole, faults));
    const Torus torus = find_torus(network);
    for (const CubeShape& shape : cube_shapes(torus)) {
      if (shape.nodes < 2 || shape.nodes > 24) continue;
      double slowest = 1;
      for (const std::set<std::uint32_t>& cube : cubes_of(torus, shape)) {
        NetworkBuilder builder;
        builder.add_routers(shape.nodes);
        const auto number = [&](RouterId r) {
          std::uint32_t at = 0;
          for (const std::uint32_t p : cube) {
            if (network.router_of(torus.node[p]) == r) return at;
            ++at;
          }
          return at;
        };
        for (std::uint32_t r = 0; r < shape.nodes; ++r) builder.add_terminal(RouterId(r));
        for (const ChannelId c : network.channels()) {
          const std::uint32_t a = number(network.source(c)), b = number(network.target(c));
          if (c < network.reverse(c) && a < shape.nodes && b < shape.nodes)
            builder.add_cable(RouterId(a), RouterId(b));
        }
        const Network alone = std::move(builder).build();
        if (!describe_disconnection(alone).empty()) {
          slowest = 0;
          continue;
        }
        const RouterDemand demand = RouterDemand::uniform(alone);
        const FlowCheck best = check_flow({alone, demand}, flow_by_program({alone, demand}));
        slowest = std::min(slowest, best.lower);
      }
      EXPECT_LE(slowest, shape.all_to_all_bound + 1e-6);
      ++tried;
    }
  }
  EXPECT_GT(tried, 20U);
}

/// Routers of two nodes are of no one sub-cube.
TEST(SlurmTorus, NodesThatShareARouterAreNotInside) {
  const Network network = make_network("ring:4,p=2");
  NamedTorus by_name;
  by_name.dims = {2, 4, 1};
  for (const TerminalId t : network.terminals()) by_name.nodes.emplace_back(network.terminal_name(t));
  const Torus torus = torus_on(network, by_name);
  const std::unique_ptr<ForwardingRule> rule = dimension_order_rule(network);
  std::vector<CubeShape> shapes = cube_shapes(torus);
  prove_disjoint(network, torus, next_by_rule(network, *rule), 1, shapes);
  std::uint64_t shared = 0;
  for (const CubeShape& shape : shapes) {
    EXPECT_TRUE(shape.proven);
    EXPECT_FALSE(shape.inside);
    if (shape.anchors == 1 || shape.nodes == 1) {
      EXPECT_EQ(shape.shared, 0U);
    }
    shared += shape.shared;
  }
  EXPECT_GT(shared, 0U);
}

/// A sub-cube by itself: a line where it is part of a ring, a ring where it is all of one.
Network cube_alone(const Torus& torus, const Extents& dims) {
  NetworkBuilder builder;
  builder.add_routers(dims[0] * dims[1] * dims[2]);
  const auto number = [&](const Extents& at) {
    return RouterId(at[0] + dims[0] * (at[1] + dims[1] * at[2]));
  };
  for (std::uint32_t z = 0; z < dims[2]; ++z) {
    for (std::uint32_t y = 0; y < dims[1]; ++y) {
      for (std::uint32_t x = 0; x < dims[0]; ++x) {
        const Extents at{x, y, z};
        builder.add_terminal(number(at));
        for (std::uint32_t d = 0; d < 3; ++d) {
          Extents next = at;
          const bool ring = torus.ring[d] && dims[d] == torus.dims[d];
          if (++next[d] == dims[d]) next[d] = 0;
          if (next[d] > at[d] || (ring && dims[d] > 2)) builder.add_cable(number(at), number(next));
        }
      }
    }
  }
  return std::move(builder).build();
}

/// No routing inside is better than the bound, and the best one is as good: all-to-all as a fluid, by the
/// linear program.
TEST(SlurmTorus, TheBoundIsThatOfTheBestRoutingOfTheSubCube) {
  const Network network = make_network("torus:6x4x2");
  const Torus torus = find_torus(network);
  std::uint32_t tried = 0;
  for (const CubeShape& shape : cube_shapes(torus)) {
    if (shape.nodes < 2 || shape.nodes > 24) continue;
    const Network alone = cube_alone(torus, shape.dims);
    const RouterDemand demand = RouterDemand::uniform(alone);
    const FlowCheck best = check_flow({alone, demand}, flow_by_program({alone, demand}));
    EXPECT_LT(best.imbalance, 1e-7);
    const std::string what = std::to_string(shape.dims[0]) + " " + std::to_string(shape.dims[1]) + " " +
                             std::to_string(shape.dims[2]);
    EXPECT_LE(std::min(1.0, best.lower), shape.all_to_all_bound + 1e-6) << what;
    EXPECT_GE(std::min(1.0, best.upper), shape.all_to_all_bound - 1e-6) << what;
    ++tried;
  }
  EXPECT_GT(tried, 10U);
}

TEST(SlurmTorus, OtherFabricsAreRefused) {
  EXPECT_THAT(refusal([] { (void)find_torus(make_network("slimfly:q=5,p=1")); }),
              HasSubstr("no torus or mesh"));
  EXPECT_THAT(refusal([] { (void)find_torus(make_network("torus:4x4,p=2")); }), HasSubstr("2 terminals"));
  EXPECT_THAT(refusal([] { (void)find_torus(make_network("torus:3x3x3x3")); }), HasSubstr("4 dimensions"));
  EXPECT_THAT(refusal([] { (void)find_torus(make_network("hyperx:5x5,p=1")); }), HasSubstr("full meshes"));
  EXPECT_THAT(refusal([] { (void)find_torus(make_network("kary-ntree:k=4,n=2")); }),
              HasSubstr("no torus or mesh"));
}

// Cables alone do not tell a ring of four from two dimensions of two: the torus has three dimensions all the
// same.
TEST_F(SlurmTorusFiles, AreFoundByTheirCablesAlone) {
  for (const char* format : {"ibnetdiscover", "ibsim", "graphml"}) {
    for (std::uint32_t x = 2; x <= 5; ++x) {
      for (std::uint32_t y = 2; y <= x; ++y) {
        for (std::uint32_t z = 1; z <= y; ++z) {
          const std::string spec = fmt::format("torus:{}x{}x{}", x, y, z);
          SCOPED_TRACE(spec + " " + format);
          write_fabric(make_network(spec), format, path("fabric"));
          const Network network = read_fabric(path("fabric"));
          Torus torus = find_torus(network);
          EXPECT_EQ(torus.places(), x * y * z);
          for (std::uint32_t d = 0; d < 3; ++d) EXPECT_EQ(torus.ring[d], torus.dims[d] > 2);
          EXPECT_EQ(torus_error(network, torus), 0);
          if (z > 2 || y == 5) {  // else two sides of two are a ring of four as well
            std::array<std::uint32_t, 3> sides{x, y, z};
            std::sort(sides.begin(), sides.end());
            std::sort(torus.dims.begin(), torus.dims.end());
            EXPECT_EQ(torus.dims, sides);
          }
        }
      }
    }
  }
}

TEST(SlurmTorus, FilesComeBack) {
  for (const char* spec : {"torus:4x4x2", "torus:3x5", "mesh:4x4", "ring:7", "torus:2x2x2"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Torus torus = find_torus(network);
    const NamedTorus written = named(network, torus, best_shapes(cube_shapes(torus)));
    const auto read = std::get<NamedTorus>(parse_any_topology(torus_yaml(written, "a\nb"), "file"));
    EXPECT_EQ(read.dims, written.dims);
    EXPECT_EQ(read.nodes, written.nodes);
    EXPECT_EQ(read.placements, written.placements);
    const Torus again = torus_on(network, read);
    EXPECT_EQ(again.node, torus.node);
    EXPECT_EQ(torus_error(network, torus), 0);
    if (std::string(spec).starts_with("mesh")) {
      EXPECT_GT(torus_error(network, again), 0);
    }
    Blocks blocks = make_blocks(network);
    const auto blocks_read = std::get<Blocks>(parse_any_topology(blocks_yaml(blocks, ""), "file"));
    EXPECT_EQ(blocks_read.sizes, blocks.sizes);
    ASSERT_EQ(blocks_read.blocks.size(), blocks.blocks.size());
    const Rings rings{make_rings(network)};
    const auto rings_read = std::get<Rings>(parse_any_topology(rings_yaml(rings, ""), "file"));
    ASSERT_EQ(rings_read.rings.size(), rings.rings.size());
    for (std::size_t r = 0; r < rings.rings.size(); ++r)
      EXPECT_EQ(rings_read.rings[r].nodes, rings.rings[r].nodes);
  }
}

TEST(SlurmTorus, WrongFilesAreRefusedWithTheLine) {
  const std::string head =
      "- topology: a\n  torus3d:\n    toruses:\n      - name: t\n        dims: {x: 2, y: 2, z: 1}\n";
  const std::string nodes = "        nodes: n[1-4]\n",
                    shapes = "        placements:\n          - dims: {x: 2, y: 1, z: 1}\n";
  EXPECT_NO_THROW((void)parse_any_topology(head + nodes + shapes, "f"));
  const std::string regions =
      "        regions:\n          - {anchor: {x: 0, y: 0, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: "
      "\"a,b\"}\n";
  EXPECT_NO_THROW((void)parse_any_topology(
      head + regions +
          "          - {anchor: {x: 0, y: 1, z: 0}, dims: {x: 2, y: 1, z: 1}, nodes: \"c,d\"}\n" + shapes,
      "f"));
  const auto anywhere = std::get<NamedTorus>(parse_any_topology(
      head + nodes + shapes +
          "            anchor_spacing: {x: 1, y: 2, z: 1}\n            anchor_seed: {x: 1, y: 0, z: 0}\n",
      "f"));
  EXPECT_EQ(anywhere.placements.at(0), (CubePlacement{{2, 1, 1}, {1, 2, 1}, {1, 0, 0}}));
  EXPECT_EQ(std::get<NamedTorus>(parse_any_topology(torus_yaml(anywhere, ""), "f")).placements,
            anywhere.placements);
  const auto expect = [](const std::string& text, const std::string& sentence) {
    EXPECT_THAT(refusal([&] { (void)parse_any_topology(text, "f"); }), HasSubstr(sentence)) << text;
  };
  expect(head + shapes, "f:4: torus has no 'nodes'");
  expect(head + nodes, "torus has no 'placements'");
  expect(head + "        nodes: n[1-5]\n" + shapes, "f:6: 5 nodes for 4 places");
  expect(head + "        nodes: n[1-3],n1\n" + shapes, "node n1 is there twice");
  EXPECT_NO_THROW((void)parse_any_topology(head + regions + shapes, "f"));  // two places without a node
  expect(head + nodes + regions + shapes, "nodes and regions");
  expect(head + nodes + "        placements:\n          - dims: {x: 3, y: 1, z: 1}\n",
         "f:8: 3 is beyond the torus of 2x2x1");
  expect(head + nodes + "        placements:\n          - dims: {x: 0, y: 1, z: 1}\n", "from 1 to");
  expect(head + nodes + shapes + "            anchor_seed: {x: 2, y: 0, z: 0}\n", "2 is beyond");
  expect(head + nodes + shapes + "            anchr: 2\n", "f:9: placement has no 'anchr'");
  expect("- topology: a\n  torsu3d: {}\n", "'torus3d'");
  expect("- topology: a\n  flat: true\n", "no topology is a tree");
  expect("- topology: a\n  ring: {rings: [{ring: r, nodes: \"n[1-17]\"}]}\n",
         "17 nodes, expected at most 16");
  expect("- topology: a\n  ring: {rings: [{ring: r, nodes: n1}, {ring: r, nodes: n2}]}\n",
         "ring r is there twice");
  expect("- topology: a\n  block: {block_sizes: [4, 12], blocks: [{block: b, nodes: \"n[1-4]\"}]}\n",
         "block size 12 is not a power of two times 4");
  expect("- topology: a\n  block: {blocks: []}\n", "expected a list for 'blocks'");
  expect(
      "- topology: a\n  ring: {rings: [{ring: r, nodes: n1}]}\n- topology: b\n  block: {blocks: [{block: c, "
      "nodes: n1}]}\n",
      "2 topologies could be meant");
}

}  // namespace
}  // namespace unknot::slurm
