// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "unknot/bounds/path_split.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

}  // namespace

FlowCheck check_split(const Network& network, const PathLists& lists, const PathSplit& split) {
  if (split.rate.size() != lists.path_count() || split.length.size() != network.channel_count())
    throw std::logic_error("check_split: the split is not one of these paths");
  std::vector<double> load(network.channel_count(), 0);
  double largest_rate = 0;
  double taken = 0;  // of the sum of all lengths, by the pairs
  FlowCheck check;
  for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
    const PathLists::Pair& pair = lists.pairs()[i];
    double sent = 0;
    double shortest = kFar;
    for (std::size_t p = lists.first_path(i); p < lists.first_path(i + 1); ++p) {
      RouterId at = pair.source;
      double length = 0;
      for (const ChannelId c : lists.path(p)) {
        if (network.source(c) != at) throw std::logic_error("check_split: a path with a gap");
        at = network.target(c);
        load[c.value] += split.rate[p];
        length += std::max(0.0, split.length[c.value]);
      }
      if (at != pair.destination) throw std::logic_error("check_split: a path that leads elsewhere");
      shortest = std::min(shortest, length);
      sent += split.rate[p];
      check.imbalance = std::max(check.imbalance, -split.rate[p]);
    }
    check.imbalance = std::max(check.imbalance, std::abs(sent - pair.rate));
    largest_rate = std::max(largest_rate, pair.rate);
    taken += pair.rate * shortest;
  }
  if (largest_rate > 0) check.imbalance /= largest_rate;
  for (const double one : load) check.max_load = std::max(check.max_load, one);
  double total = 0;
  for (const double one : split.length) total += std::max(0.0, one);
  check.lower = check.max_load > 0 ? 1 / check.max_load : kFar;
  check.upper = taken > 0 ? total / taken : kFar;
  return check;
}

}  // namespace unknot
