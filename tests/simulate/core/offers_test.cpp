// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/offers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

// The definition: of its offers, each requester takes the first at or after where its arbiter starts, around.
template <std::uint32_t kWords>
void try_offers(std::uint32_t requesters, std::uint32_t resources) {
  Offers<kWords> offers;
  offers.resize(requesters, resources / 64 + 1);
  Random random(resources);
  std::vector<std::uint32_t> starts(requesters, 0);
  for (int turn = 0; turn < 500; ++turn) {
    std::map<std::uint32_t, std::set<std::uint32_t>> model;
    std::vector<std::uint32_t> order;
    for (std::uint32_t resource = 0; resource < resources; ++resource) {
      if (random.below(3) == 0) continue;
      const std::uint32_t requester = random.below(requesters);
      offers.offer(requester, resource);
      if (model[requester].empty()) order.push_back(requester);
      model[requester].insert(resource);
    }
    std::vector<std::uint32_t> took;
    offers.settle([&](std::uint32_t requester) { return starts[requester]; },
                  [&](std::uint32_t requester, std::uint32_t resource) {
                    took.push_back(requester);
                    const std::set<std::uint32_t>& offered = model[requester];
                    const auto next = offered.lower_bound(starts[requester]);
                    EXPECT_EQ(resource, next == offered.end() ? *offered.begin() : *next);
                    starts[requester] = resource + 1;  // at most `resources`: a mask has a bit for that
                  });
    ASSERT_EQ(took, order);
  }
}

TEST(Offers, EachRequesterTakesTheFirstInItsTurn) {
  try_offers<1>(8, 4);
  try_offers<1>(1, 63);
  try_offers<1>(40, 40);
  try_offers<0>(5, 63);
  try_offers<0>(5, 64);
  try_offers<0>(70, 200);
}

// Outputs that all have work for all inputs desynchronise: after some steps each output is given to another
// input in every step, which is what iSLIP is for. [McKeown 1999, section IV]
TEST(Offers, IterationsOfIslipFillTheSwitch) {
  constexpr std::uint32_t kPorts = 16;
  Offers<1> offers;
  offers.resize(kPorts, 1);
  std::vector<std::uint32_t> grants(kPorts, 0), accepts(kPorts, 0);
  std::uint32_t crossed = 0;
  for (int step = 0; step < 100; ++step) {
    crossed = 0;
    for (std::uint32_t output = 0; output < kPorts; ++output) {
      offers.offer(first_from((std::uint64_t{1} << kPorts) - 1, grants[output]), output);
    }
    offers.settle([&](std::uint32_t input) { return accepts[input]; },
                  [&](std::uint32_t input, std::uint32_t output) {
                    grants[output] = input + 1;
                    accepts[input] = output + 1;
                    ++crossed;
                  });
  }
  EXPECT_EQ(crossed, kPorts);
}

}  // namespace
}  // namespace unknot::simulate
