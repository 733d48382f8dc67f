// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/grids/faulty_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/grid.hpp"
#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using Cables = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Cables cables_of(const Network& network) {
  Cables cables;
  for (const ChannelId c : network.channels())
    if (c < network.reverse(c)) cables.emplace_back(network.source(c).value, network.target(c).value);
  return cables;
}

/// Of `routers` those that `here` names, in an order by chance, without coordinates.
Network made_of(const std::vector<bool>& here, const Cables& cables, Random& random) {
  std::vector<std::uint32_t> id(here.size(), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < here.size(); ++r)
    if (here[r]) order.push_back(r);
  random.shuffle(order);
  for (std::uint32_t i = 0; i < order.size(); ++i) id[order[i]] = i;
  NetworkBuilder builder;
  builder.add_routers(static_cast<std::uint32_t>(order.size()));
  for (const auto& [a, b] : cables)
    if (here[a] && here[b]) builder.add_cable(RouterId(id[a]), RouterId(id[b]));
  for (std::uint32_t r = 0; r < order.size(); ++r) builder.add_terminal(RouterId(r));
  return std::move(builder).build();
}

bool connected(const std::vector<bool>& here, const Cables& cables) {
  std::vector<std::uint32_t> part(here.size());
  std::iota(part.begin(), part.end(), 0U);
  for (std::size_t again = 0; again < here.size(); ++again) {
    bool changed = false;
    for (const auto& [a, b] : cables) {
      if (!here[a] || !here[b] || part[a] == part[b]) continue;
      part[a] = part[b] = std::min(part[a], part[b]);
      changed = true;
    }
    if (!changed) break;
  }
  std::set<std::uint32_t> parts;
  for (std::uint32_t r = 0; r < here.size(); ++r)
    if (here[r]) parts.insert(part[r]);
  return parts.size() == 1;
}

/// Extents, with each ring of four as two dimensions of two; sorted.
std::vector<std::uint32_t> canonical(const std::vector<std::uint32_t>& extents, bool wraps) {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t extent : extents) {
    if (wraps && extent == 4) {
      all.insert(all.end(), {2, 2});
    } else if (extent > 1) {
      all.push_back(extent);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// What coordinates promise, looked at plainly.
void expect_a_grid(const Network& network, const Coordinates& found) {
  std::set<std::vector<std::uint32_t>> places;
  const auto at = [&](RouterId r) {
    const auto first = found.value.begin() + std::ptrdiff_t{r.value} * found.dimensions;
    return std::vector<std::uint32_t>(first, first + found.dimensions);
  };
  for (const RouterId r : network.routers()) {
    const std::vector<std::uint32_t> here = at(r);
    EXPECT_TRUE(places.insert(here).second);
    for (std::uint32_t d = 0; d < found.dimensions; ++d) EXPECT_LT(here[d], found.extent[d]);
  }
  for (const ChannelId c : network.channels()) {
    const std::vector<std::uint32_t> a = at(network.source(c)), b = at(network.target(c));
    std::uint32_t differ = 0;
    for (std::uint32_t d = 0; d < found.dimensions; ++d) {
      if (a[d] == b[d]) continue;
      ++differ;
      const std::uint32_t apart = std::max(a[d], b[d]) - std::min(a[d], b[d]);
      EXPECT_TRUE(apart == 1 || (found.wraps && apart + 1 == found.extent[d]));
    }
    EXPECT_EQ(differ, 1U);
  }
}

TEST(FaultyGrid, FindsATorusWithoutOneCableWhicheverItIs) {
  Random random(1, 1);
  for (const char* spec : {"torus:5x4", "torus:5x5", "torus:6x3", "torus:3x3x3", "torus:4x4x4", "torus:5x3x2",
                           "mesh:4x4", "mesh:5x5", "mesh:3x3x2", "hypercube:4", "hypercube:5", "torus:4x4"}) {
    const Network whole = make_network(spec);
    const Cables cables = cables_of(whole);
    for (std::size_t missing = 0; missing < cables.size(); ++missing) {
      Cables left = cables;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(missing));
      const Network network = made_of(std::vector<bool>(whole.router_count(), true), left, random);
      EXPECT_FALSE(recognise_grid(network).has_value());
      const std::optional<Coordinates> found = recognise_faulty_grid(network);
      ASSERT_TRUE(found.has_value()) << spec << " without " << missing;
      EXPECT_EQ(canonical(found->extent, found->wraps),
                canonical(whole.coordinates()->extent, whole.coordinates()->wraps))
          << spec << " without " << missing;
      expect_a_grid(network, *found);
    }
  }
}

TEST(FaultyGrid, FindsWhatManyFaultsLeave) {
  std::uint32_t found_all = 0, tried = 0;
  for (const char* spec : {"torus:8x8", "torus:6x7", "torus:5x5x5", "torus:8x4x6", "torus:4x4x4",
                           "torus:3x5x3", "mesh:7x9", "mesh:4x5x6", "hypercube:7", "torus:3x3x3x3"}) {
    const Network whole = make_network(spec);
    const Cables cables = cables_of(whole);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Random random(seed, 2);
      std::vector<bool> here(whole.router_count(), true);
      for (std::uint64_t i = 0; i < seed % 4; ++i) here[random.below(whole.router_count())] = false;
      Cables left = cables;
      random.shuffle(left);
      left.resize(left.size() - seed % 5);
      if (!connected(here, left)) continue;
      const Network network = made_of(here, left, random);
      const std::optional<Coordinates> found = recognise_faulty_grid(network);
      ++tried;
      if (!found) continue;
      expect_a_grid(network, *found);
      EXPECT_EQ(canonical(found->extent, found->wraps),
                canonical(whole.coordinates()->extent, whole.coordinates()->wraps))
          << spec << " " << seed;
      ++found_all;
    }
  }
  EXPECT_GE(found_all * 100, tried * 97) << found_all << " of " << tried;
}

TEST(FaultyGrid, OtherNetworksAreNone) {
  for (const char* spec :
       {"kautz:b=2,n=3", "kautz:b=3,n=2", "debruijn:b=2,n=4", "slimfly:q=5", "dragonfly:a=4,h=2,p=2",
        "kary-ntree:k=4,n=2", "kary-ntree:k=2,n=4", "xgft:m=6,w=3,terminals=64",
        "random:switches=30,links=60,terminals=30", "random:switches=64,links=70,terminals=64", "deimos",
        "jellyfish:routers=24,degree=4", "jellyfish:routers=16,degree=3", "uniring:5", "hyperx:4x4",
        "hyperx:5x3"}) {
    EXPECT_FALSE(recognise_faulty_grid(make_network(spec)).has_value()) << spec;
  }
  Random random(1, 1);
  for (const char* spec : {"torus:5x4", "torus:5x5x5"}) {  // one cable that leads nowhere in a torus
    const Network whole = make_network(spec);
    Cables cables = cables_of(whole);
    cables.emplace_back(0, 7);
    EXPECT_FALSE(recognise_faulty_grid(made_of(std::vector<bool>(whole.router_count(), true), cables, random))
                     .has_value());
  }
  // Less than three quarters.
  const Network whole = make_network("mesh:6x6");
  std::vector<bool> here(36, true);
  for (std::uint32_t i = 0; i < 9; ++i) here[(i / 3) * 6 + i % 3] = false;
  EXPECT_TRUE(recognise_faulty_grid(made_of(here, cables_of(whole), random)).has_value());
  here[3] = false;
  EXPECT_FALSE(recognise_faulty_grid(made_of(here, cables_of(whole), random)).has_value());
}

}  // namespace
}  // namespace unknot
