// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/combine/plain_schedule.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::play::testing {

struct Case {
  std::string name;
  CombinedProblem problem;
  CombinedSchedule schedule;
};

/// Every collective on several networks, and between parts of them, one message a transfer.
inline std::vector<Case> plain_cases() {
  std::vector<Case> result;
  const auto add = [&](std::string name, const Problem& problem) {
    result.push_back({std::move(name), as_combined(problem),
                      as_combined(problem, unknot::testing::found_schedule(problem))});
  };
  for (const char* spec : {"ring:6", "hypercube:3", "petersen", "fat:2,ring:4", "btree:8"}) {
    for (const CollectiveRow& row : collectives())
      add(row.name + " " + spec, unknot::testing::problem_on(spec, row.name));
  }
  const auto nodes = [](std::initializer_list<std::uint32_t> list) { return unknot::testing::nodes(list); };
  for (const char* collective : {"MNS", "MNB", "AAR", "AAB"}) {
    Participants some;
    some.transmitters = nodes({0, 1, 2, 5});
    some.receivers = nodes({2, 3, 5, 7});
    add(std::string(collective) + " some", unknot::testing::problem_on("hypercube:3", collective, some));
    some.receivers = nodes({0, 1, 2, 5, 6});
    add(std::string(collective) + " from some to all",
        unknot::testing::problem_on("hypercube:3", collective, some));
  }
  for (const char* collective : {"OAS", "OAB", "AOG", "AOR"}) {
    Participants rooted;
    rooted.root = NodeId(3);
    rooted.nodes = nodes({1, 3, 4, 6});
    add(std::string(collective) + " of four", unknot::testing::problem_on("mesh:3x3", collective, rooted));
    rooted.nodes = nodes({1, 3});
    add(std::string(collective) + " of two", unknot::testing::problem_on("mesh:3x3", collective, rooted));
  }
  return result;
}

/// Every way to carry out a collective with combined messages, divided ones with them.
inline std::vector<Case> combined_cases() {
  std::vector<Case> result;
  Progress progress;
  CombiningOptions options;
  options.tries = 4;
  options.effort = 1;
  options.solver = "auto:levels=1,effort=3";
  for (const char* spec : {"ring:5", "mesh:2x3", "hypercube:3"}) {
    if (fewer_cases() && spec == std::string("hypercube:3")) break;
    for (const CombinedRow& row : combined_collectives()) {
      const CombinedProblem problem = make_combined(unknot::testing::graph_of(spec), row);
      for (const CombiningChoice& choice : combining_choices(problem)) {
        try {
          CombinedSolution made = choice.make(options, progress);
          result.push_back(
              {row.name + " " + spec + " " + choice.name, std::move(made.problem), std::move(made.schedule)});
        } catch (const InputError&) {  // it does not take this network
        }
      }
    }
  }
  Participants groups;
  groups.groups = {unknot::testing::nodes({0, 1, 4}), unknot::testing::nodes({2, 3, 5})};
  for (const CombinedRow& row : combined_collectives()) {
    const CombinedProblem problem = make_combined(unknot::testing::graph_of("mesh:2x3"), row, groups);
    for (const CombiningChoice& choice : combining_choices(problem)) {
      CombinedSolution made = choice.make(options, progress);
      result.push_back(
          {row.name + " in groups " + choice.name, std::move(made.problem), std::move(made.schedule)});
    }
  }
  return result;
}

inline std::vector<Case> cases() {
  std::vector<Case> all = plain_cases();
  for (Case& one : combined_cases()) all.push_back(std::move(one));
  return all;
}

}  // namespace unknot::play::testing
