// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::jaros_paper {

std::string StepsCase::label() const {
  return fmt::format("Table {}: {} on {}{}", row->table, kPatterns[pattern], row->spec,
                     root ? fmt::format(", root {}", *root) : "");
}

Problem StepsCase::problem() const {
  Participants who;
  if (root) who.root = NodeId(*root);
  return make_collective(std::make_shared<NodeGraph>(make_network(row->spec)), kPatterns[pattern], who);
}

std::vector<StepsCase> steps_cases(std::uint64_t most_messages) {
  std::vector<StepsCase> cases;
  for (const StepsRow& row : steps_rows()) {
    const std::uint64_t nodes = network_size(row.spec).terminals;
    for (std::uint32_t pattern = 0; pattern < kPatterns.size(); ++pattern) {
      const bool all = kPatterns[pattern][0] == 'A';
      if ((all ? nodes : 1) * (nodes - 1) > most_messages) continue;
      for (std::size_t i = 0; i < row.steps[pattern].size(); ++i) {
        StepsCase one;
        one.row = &row;
        one.pattern = pattern;
        one.published = row.steps[pattern][i];
        if (!all && !row.roots.empty()) one.root = row.roots[i];
        cases.push_back(one);
      }
    }
  }
  return cases;
}

}  // namespace unknot::jaros_paper
