// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/known/known_makers.hpp"
#include "unknot/collective/known/rank_check.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

const std::vector<KnownAlgorithm>& known_algorithms() {
  static const std::vector<KnownAlgorithm> rows = {
      ring_row(),  hamiltonian_rings_row(), grid_rings_row(),  recursive_doubling_row(), rabenseifner_row(),
      swing_row(), swing_whole_row(),       bine_row(),        bine_whole_row(),         binomial_row(),
      bruck_row(), pairwise_row(),          hierarchical_row()};
  return rows;
}

Chosen<KnownAlgorithm> choose_known_algorithm(std::string_view spec) {
  return choose_row(known_algorithms(), "algorithm", spec, "unknot list known-algorithms");
}

std::string only_for(const KnownCase& which, const std::vector<RankCollective>& collectives) {
  if (std::find(collectives.begin(), collectives.end(), which.collective) != collectives.end()) return {};
  std::string text = "it is for ";
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const char* before = i == 0 ? "" : i + 1 == collectives.size() ? " and " : ", ";
    text += std::string(before) + name_of(collectives[i]);
  }
  return text;
}

RankSchedule make_known(const Chosen<KnownAlgorithm>& chosen, const KnownCase& which) {
  const KnownAlgorithm& row = *chosen.row;
  if (which.ranks < 2) throw InputError("a collective needs two ranks or more");
  if (const std::string why = row.unsuitable(which, chosen.parameters); !why.empty())
    throw InputError(fmt::format("{}: {}", row.name, why));
  RankSchedule schedule = row.make(which, chosen.parameters);
  if (const std::string fault = rank_schedule_fault(schedule); !fault.empty())
    throw std::logic_error(fmt::format("{} for {} ranks: {}", row.name, which.ranks, fault));
  return schedule;
}

}  // namespace unknot
