// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/flow_paths.hpp"

#include <algorithm>
#include <stdexcept>

namespace unknot {
namespace {

constexpr std::int64_t kUnknown = INT64_MIN;

}  // namespace

FlowPaths::FlowPaths(const NodeGraph& graph)
    : graph_(graph),
      at_(graph.node_count(), 0),
      place_(graph.node_count(), 0),
      ends_(graph.node_count(), kUnknown) {}

// A walk along the flow: where it comes back to itself there is a circle, and where it cannot go on no circle
// leads through.
void FlowPaths::cancel_circles(std::span<std::uint32_t> flow) {
  for (const NodeId n : graph_.nodes()) at_[n.value] = graph_.out(n).first();
  const auto next = [&](NodeId n) {
    std::uint32_t& a = at_[n.value];
    const std::uint32_t end = graph_.out(n).last();
    while (a < end && flow[a] == 0) ++a;
    return a < end ? ArcId(a) : ArcId();
  };
  for (const NodeId start : graph_.nodes()) {
    path_.assign(1, start);
    walk_.clear();
    place_[start.value] = 1;
    while (!path_.empty()) {
      const NodeId n = path_.back();
      const ArcId a = next(n);
      if (!a.valid()) {
        place_[n.value] = 0;
        path_.pop_back();
        if (walk_.empty()) continue;
        ++at_[path_.back().value];
        walk_.pop_back();
        continue;
      }
      const NodeId to = graph_.head(a);
      if (place_[to.value] == 0) {
        walk_.push_back(a);
        path_.push_back(to);
        place_[to.value] = static_cast<std::uint32_t>(path_.size());
        continue;
      }
      const std::size_t from = place_[to.value] - 1;
      walk_.push_back(a);
      std::uint32_t amount = flow[a.value];
      for (std::size_t i = from; i < walk_.size(); ++i) amount = std::min(amount, flow[walk_[i].value]);
      for (std::size_t i = from; i < walk_.size(); ++i) flow[walk_[i].value] -= amount;
      for (std::size_t i = from + 1; i < path_.size(); ++i) place_[path_[i].value] = 0;
      path_.resize(from + 1);
      walk_.resize(from);
    }
  }
}

std::int64_t FlowPaths::balance(std::span<const std::uint32_t> flow, NodeId n) const {
  std::int64_t sum = 0;
  for (const ArcId a : graph_.in(n)) sum += flow[a.value];
  for (const ArcId a : graph_.out(n)) sum -= flow[a.value];
  return sum;
}

void FlowPaths::split(std::span<std::uint32_t> flow, std::span<const NodeId> starts, const Visit& visit) {
  const auto touch = [&](NodeId n) {
    if (ends_[n.value] != kUnknown) return;
    ends_[n.value] = balance(flow, n);
    at_[n.value] = graph_.out(n).first();
    touched_.push_back(n);
  };
  // Paths that are taken out change no balance but those of their ends, which are known by then.
  for (const NodeId start : starts) {
    touch(start);
    while (ends_[start.value] < 0) {
      ++ends_[start.value];
      path_.assign(1, start);
      NodeId n = start;
      do {
        std::uint32_t& a = at_[n.value];
        const std::uint32_t end = graph_.out(n).last();
        while (a < end && flow[a] == 0) ++a;
        if (a == end) throw std::logic_error("a flow that ends nowhere");
        // The node that is come to is counted with the message that is on its way there.
        const NodeId to = graph_.head(ArcId(a));
        touch(to);
        --flow[a];
        n = to;
        path_.push_back(n);
      } while (ends_[n.value] <= 0);
      --ends_[n.value];
      visit(path_);
    }
  }
  for (const NodeId n : touched_) ends_[n.value] = kUnknown;
  touched_.clear();
}

}  // namespace unknot
