// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/grids/recognise_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/grid.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// The same network with its routers renumbered by chance, its cables in another order (so that ports differ
/// too), and no coordinates. Cables listed in `without`, by their place in the new order, are left out.
Network shuffled(const Network& network, std::uint64_t seed, std::vector<std::size_t> without = {}) {
  Random random(seed, 1);
  std::vector<std::uint32_t> id(network.router_count());
  std::iota(id.begin(), id.end(), 0U);
  random.shuffle(id);
  std::vector<std::pair<RouterId, RouterId>> cables;
  for (const ChannelId c : network.channels()) {
    if (network.reverse(c) < c) continue;
    cables.emplace_back(id[network.source(c).value], id[network.target(c).value]);
  }
  random.shuffle(cables);
  NetworkBuilder builder;
  builder.add_routers(network.router_count());
  for (std::size_t i = 0; i < cables.size(); ++i) {
    if (std::find(without.begin(), without.end(), i) == without.end()) {
      builder.add_cable(cables[i].first, cables[i].second);
    }
  }
  for (const RouterId r : network.routers()) builder.add_terminal(r);
  return std::move(builder).build();
}

Network cabled(std::uint32_t routers, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& cables) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (const auto& [a, b] : cables) builder.add_cable(RouterId(a), RouterId(b));
  return std::move(builder).build();
}

/// Extents, with each ring of four as two dimensions of two; sorted.
std::vector<std::uint32_t> canonical(const Coordinates& coordinates, bool rings) {
  std::vector<std::uint32_t> extents;
  for (const std::uint32_t extent : coordinates.extent) {
    if (rings && extent == 4) {
      extents.insert(extents.end(), {2, 2});
    } else if (extent > 1) {
      extents.push_back(extent);
    }
  }
  std::sort(extents.begin(), extents.end());
  return extents;
}

TEST(RecogniseGrid, FindsEveryShuffledTorusMeshAndHypercube) {
  const std::vector<std::string> shapes{
      "2",     "3",     "4",     "5",       "7",       "8",       "2x2",     "2x3",       "3x3",
      "4x3",   "4x4",   "5x4",   "6x5",     "8x8",     "2x2x2",   "3x2x2",   "3x3x3",     "4x4x3",
      "4x4x4", "5x3x2", "6x5x4", "2x2x2x2", "3x3x2x2", "4x3x5x2", "5x5x5x3", "3x2x4x2x3", "2x3x2x3x2x3"};
  for (const std::string& shape : shapes) {
    for (const char* family : {"torus:", "mesh:"}) {
      const Network whole = make_network(family + shape);
      ASSERT_NE(whole.coordinates(), nullptr);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Network network = shuffled(whole, seed);
        ASSERT_EQ(network.coordinates(), nullptr);
        const std::optional<Coordinates> found = recognise_grid(network);
        ASSERT_TRUE(found.has_value()) << family << shape << " " << seed;
        EXPECT_EQ(grid_trouble(network, *found), "") << family << shape;
        EXPECT_EQ(canonical(*found, found->wraps),
                  canonical(*whole.coordinates(), whole.coordinates()->wraps))
            << family << shape;
      }
    }
  }
  for (const char* cube : {"hypercube:1", "hypercube:3", "hypercube:6", "hypercube:9"}) {
    const Network network = shuffled(make_network(cube), 1);
    const std::optional<Coordinates> found = recognise_grid(network);
    ASSERT_TRUE(found.has_value()) << cube;
    EXPECT_EQ(found->extent, std::vector<std::uint32_t>(found->dimensions, 2)) << cube;
    EXPECT_EQ(grid_trouble(network, *found), "") << cube;
  }
}

TEST(RecogniseGrid, FindsHyperXToo) {
  for (const char* spec : {"hyperx:5x4", "hyperx:4x4x2", "hyperx:3x3", "hyperx:7", "hyperx:6x3x2"}) {
    const Network network = shuffled(make_network(spec), 5);
    const std::optional<Coordinates> found = recognise_grid(network);
    ASSERT_TRUE(found.has_value()) << spec;
    EXPECT_EQ(grid_trouble(network, *found), "") << spec;
  }
}

TEST(RecogniseGrid, ParallelCablesDoNotMatter) {
  // A ring of five beside its copy, two cables between the two, some doubled.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cables;
  for (std::uint32_t i = 0; i < 5; ++i) {
    cables.insert(cables.end(), {{i, (i + 1) % 5}, {5 + i, 5 + (i + 1) % 5}, {i, 5 + i}, {i, 5 + i}});
  }
  cables.insert(cables.end(), {{0, 1}, {7, 8}, {7, 8}});
  const Network network = shuffled(cabled(10, cables), 2);
  const std::optional<Coordinates> found = recognise_grid(network);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(canonical(*found, true), (std::vector<std::uint32_t>{2, 5}));
}

TEST(RecogniseGrid, OneCableMissingIsNoGrid) {
  for (const char* spec :
       {"torus:5x4", "torus:4x4x3", "torus:3x3", "mesh:4x3", "hypercube:4", "hyperx:4x3"}) {
    const Network whole = make_network(spec);
    for (std::size_t cable = 0; cable < whole.channel_count() / 2; ++cable) {
      EXPECT_FALSE(recognise_grid(shuffled(whole, 3, {cable})).has_value()) << spec << " without " << cable;
    }
  }
}

TEST(RecogniseGrid, OtherNetworksAreNone) {
  for (const char* spec :
       {"kautz:b=2,n=3", "kautz:b=3,n=2", "debruijn:b=2,n=4", "slimfly:q=5", "dragonfly:a=4,h=2,p=2",
        "kary-ntree:k=4,n=2", "xgft:m=6,w=3,terminals=64", "random:switches=30,links=60,terminals=30",
        "deimos", "jellyfish:routers=24,degree=4", "uniring:5"}) {
    EXPECT_FALSE(recognise_grid(make_network(spec)).has_value()) << spec;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> petersen;
  for (std::uint32_t i = 0; i < 5; ++i)
    petersen.insert(petersen.end(), {{i, (i + 1) % 5}, {i, 5 + i}, {5 + i, 5 + (i + 2) % 5}});
  EXPECT_FALSE(recognise_grid(cabled(10, petersen)).has_value());
  EXPECT_FALSE(recognise_grid(cabled(1, {})).has_value());
  EXPECT_FALSE(recognise_grid(cabled(4, {{0, 1}, {2, 3}})).has_value());
  EXPECT_FALSE(recognise_grid(cabled(4, {{0, 1}, {0, 2}, {0, 3}})).has_value());
}

TEST(RecogniseGrid, ATwistedTorusIsNone) {
  for (const auto& [width, height, twist] :
       {std::array{6U, 5U, 2U}, {5U, 7U, 1U}, {8U, 8U, 4U}, {7U, 3U, 3U}}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cables;
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) {
        cables.emplace_back(y * width + x, y * width + (x + 1) % width);
        const bool last = y + 1 == height;
        cables.emplace_back(y * width + x, last ? (x + twist) % width : (y + 1) * width + x);
      }
    }
    EXPECT_FALSE(recognise_grid(shuffled(cabled(width * height, cables), 1)).has_value())
        << width << "x" << height;
  }
}

TEST(RecogniseGrid, LeavesCoordinatesThatAreThere) {
  const Network torus = make_network("torus:4x3");
  const Network same = with_recognised_grid(torus);
  EXPECT_EQ(same.coordinates(), torus.coordinates());
}

}  // namespace
}  // namespace unknot
