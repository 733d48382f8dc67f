// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/dependency_bits.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "routing/lane_cover.hpp"

namespace unknot {
namespace {

/// A router with `leaves` neighbours: rows of several words.
Network star(std::uint32_t leaves) {
  NetworkBuilder builder;
  const RouterId hub = builder.add_router();
  for (std::uint32_t i = 0; i < leaves; ++i) builder.add_cable(hub, builder.add_router());
  builder.add_terminal(hub);
  return std::move(builder).build();
}

std::vector<Network> networks() {
  std::vector<Network> all = test::small_networks();
  for (const std::uint32_t leaves : {63U, 64U, 65U, 130U}) all.push_back(star(leaves));
  return all;
}

TEST(DependencyBits, EveryDependencyHasABitOfItsOwn) {
  for (const Network& network : networks()) {
    const DependencyBits bits(network);
    std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
    std::size_t dependencies = 0;
    for (const ChannelId a : network.channels()) {
      const std::uint32_t near = network.target(a).value;
      for (std::uint32_t entry = 0; entry < network.out(network.target(a)).size(); ++entry) {
        const std::uint32_t word = bits.word(a.value, entry);
        EXPECT_GE(word, bits.channel_row(a.value));
        EXPECT_LT(word, bits.channel_row(a.value) + bits.words(near));
        EXPECT_LT(word, bits.dependency_set_words());
        seen.emplace(word, DependencyBits::bit(entry));
        ++dependencies;
      }
    }
    EXPECT_EQ(seen.size(), dependencies) << network.description();
  }
}

TEST(DependencyBits, RowsOfRoutersAndOfChannelsThatEndThereHaveOneShape) {
  // "Dependencies of a whose b is in the set" by whole words is what a loop over single channels finds.
  for (const Network& network : networks()) {
    const DependencyBits bits(network);
    std::vector<std::uint64_t> dependencies(bits.dependency_set_words(), 0);
    std::vector<std::uint64_t> channels(bits.channel_set_words(), 0);
    for (const ChannelId c : network.channels()) {
      const std::uint32_t entry = c.value - network.out(network.source(c)).first();
      if (c.value % 3 != 0) {
        const std::uint32_t row = bits.router_row(network.source(c).value);
        channels[row + entry / DependencyBits::kWord] |= DependencyBits::bit(entry);
      }
      for (std::uint32_t e = c.value % 2; e < network.out(network.target(c)).size(); e += 2)
        dependencies[bits.word(c.value, e)] |= DependencyBits::bit(e);
    }
    for (const ChannelId a : network.channels()) {
      const std::uint32_t near = network.target(a).value;
      std::uint32_t expected = 0;
      std::uint32_t entry = 0;
      for (const ChannelId b : network.out(network.target(a)))
        expected += entry++ % 2 == a.value % 2 && b.value % 3 != 0 ? 1 : 0;
      std::uint32_t found = 0;
      for (std::uint32_t w = 0; w < bits.words(near); ++w) {
        found += static_cast<std::uint32_t>(__builtin_popcountll(dependencies[bits.channel_row(a.value) + w] &
                                                                 channels[bits.router_row(near) + w]));
      }
      EXPECT_EQ(found, expected) << network.description() << " channel " << a.value;
    }
  }
}

}  // namespace
}  // namespace unknot
