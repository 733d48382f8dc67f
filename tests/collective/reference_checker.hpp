// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/network/network.hpp"

namespace unknot::testing {

/// The rules of a schedule restated as plainly as they can be, on the network itself; for direct networks,
/// full duplex. Says only yes or no.
class ReferenceChecker {
 public:
  ReferenceChecker(const Network& network, const Problem& problem) : problem_(problem) {
    for (const ChannelId c : network.channels())
      ++channels_[{network.source(c).value, network.target(c).value}];
    nodes_ = network.router_count();
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (const NodeId n : problem.partners(g)) wanted_.insert({problem.owner[g].value, n.value});
    }
    find_distances();
  }

  [[nodiscard]] bool valid(const Schedule& schedule) const {
    const bool backwards = problem_.delivery == Delivery::reduction;
    std::map<Pair, std::uint32_t> done;  // (origin, node): step
    for (std::uint32_t i = 0; i < schedule.step_count(); ++i) {
      const std::uint32_t step = backwards ? schedule.step_count() - 1 - i : i;
      if (!step_valid(schedule, step, backwards, i, done)) return false;
    }
    return done.size() == wanted_.size();
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  void find_distances() {
    distance_.assign(nodes_, std::vector<std::uint32_t>(nodes_, 1'000'000));
    for (std::uint32_t n = 0; n < nodes_; ++n) distance_[n][n] = 0;
    for (const auto& [ends, count] : channels_) distance_[ends.first][ends.second] = 1;
    for (std::uint32_t k = 0; k < nodes_; ++k) {
      for (auto& row : distance_) {
        for (std::uint32_t j = 0; j < nodes_; ++j) row[j] = std::min(row[j], row[k] + distance_[k][j]);
      }
    }
  }

  bool path_valid(std::span<const NodeId> path) const {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i].value >= nodes_ || !seen.insert(path[i].value).second) return false;
      if (i > 0 && !channels_.contains({path[i - 1].value, path[i].value})) return false;
    }
    if (path.size() < 2) return false;
    return problem_.extra_hops == Problem::kAnyLength ||
           path.size() - 1 <= distance_[path.front().value][path.back().value] + problem_.extra_hops;
  }

  bool step_valid(const Schedule& schedule, std::uint32_t step, bool backwards, std::uint32_t time,
                  std::map<Pair, std::uint32_t>& done) const {
    std::map<Pair, std::uint32_t> used;
    std::map<std::uint32_t, std::uint32_t> sent, received;
    std::vector<Pair> new_ones;
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto path = schedule.path(t);
      if (!path_valid(path)) return false;
      for (std::size_t i = 1; i < path.size(); ++i) {
        const Pair ends{path[i - 1].value, path[i].value};
        if (++used[ends] > channels_.at(ends)) return false;
      }
      if (++sent[path.front().value] > problem_.send_ports) return false;
      if (++received[path.back().value] > problem_.receive_ports) return false;
      const std::uint32_t origin = schedule.origin(t).value;
      const std::uint32_t from = backwards ? path.back().value : path.front().value;
      const std::uint32_t to = backwards ? path.front().value : path.back().value;
      if (from != origin && (problem_.delivery == Delivery::scatter || !done.contains({origin, from})))
        return false;
      if (!wanted_.contains({origin, to})) return false;
      new_ones.emplace_back(origin, to);
    }
    for (const Pair& one : new_ones) {
      if (!done.emplace(one, time).second) return false;
    }
    return true;
  }

  const Problem& problem_;
  std::uint32_t nodes_ = 0;
  std::map<Pair, std::uint32_t> channels_;
  std::set<Pair> wanted_;
  std::vector<std::vector<std::uint32_t>> distance_;
};

}  // namespace unknot::testing
