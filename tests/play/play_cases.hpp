// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"

namespace unknot::play::testing {

struct Case {
  std::string name;
  Problem problem;
};

/// Every collective on several networks, and between parts of them.
inline std::vector<Case> cases() {
  std::vector<Case> result;
  for (const char* spec : {"ring:6", "hypercube:3", "petersen", "fat:2,ring:4", "btree:8"}) {
    for (const CollectiveRow& row : collectives())
      result.push_back({row.name + " " + spec, unknot::testing::problem_on(spec, row.name)});
  }
  const auto nodes = [](std::initializer_list<std::uint32_t> list) { return unknot::testing::nodes(list); };
  for (const char* collective : {"MNS", "MNB", "AAR", "AAB"}) {
    Participants some;
    some.transmitters = nodes({0, 1, 2, 5});
    some.receivers = nodes({2, 3, 5, 7});
    result.push_back(
        {std::string(collective) + " some", unknot::testing::problem_on("hypercube:3", collective, some)});
    some.receivers = nodes({0, 1, 2, 5, 6});
    result.push_back({std::string(collective) + " from some to all",
                      unknot::testing::problem_on("hypercube:3", collective, some)});
  }
  for (const char* collective : {"OAS", "OAB", "AOG", "AOR"}) {
    Participants rooted;
    rooted.root = NodeId(3);
    rooted.nodes = nodes({1, 3, 4, 6});
    result.push_back(
        {std::string(collective) + " of four", unknot::testing::problem_on("mesh:3x3", collective, rooted)});
    rooted.nodes = nodes({1, 3});
    result.push_back(
        {std::string(collective) + " of two", unknot::testing::problem_on("mesh:3x3", collective, rooted)});
  }
  return result;
}

}  // namespace unknot::play::testing
