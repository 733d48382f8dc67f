// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/tags/expected_hops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/topological.hpp"

namespace unknot::ethernet {
namespace {

DependencyGraph graph_of(std::uint32_t vertices,
                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& arcs) {
  return {vertices, 1, std::vector<std::uint8_t>(vertices, 1), [&](const auto& visit) {
            for (const auto& [from, to] : arcs) visit(from, to);
          }};
}

/// Places are switches with a flow there, numbered as they are found from the sources.
class ExpectedWays {
 public:
  ExpectedWays(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead)
      : forwarding_(forwarding), fabric_(forwarding.fabric()), destination_(destination) {
    find_places(dead);
    find_parts();
    coming_.resize(place_.size());
    for (const std::uint32_t i : order_) {
      if (!gets_out_[part_[i]]) continue;
      const bool source = place_[i].second == destination_ && fabric_.switches[place_[i].first].source;
      if (source) coming_[i].push_back({kNone, kNone});
      if (in_circle_[i]) {
        go_through(i);
      } else {
        for (const std::uint32_t a : leaving_[i]) leave(a, coming_[i]);
      }
    }
  }
  ExpectedHops take() { return std::move(result_); }

 private:
  struct Arc {
    std::uint32_t to = 0, channel = 0;
  };
  struct Came {
    std::uint32_t channel = kNone, state = kNone;
  };

  void find_places(DeadChannels dead) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number;
    const auto number_of = [&](std::uint32_t at, std::uint32_t flow) {
      const auto [where, added] =
          number.emplace(std::pair(at, flow), static_cast<std::uint32_t>(place_.size()));
      if (added) place_.emplace_back(at, flow);
      return where->second;
    };
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      if (fabric_.switches[s].source) number_of(s, destination_);
    }
    for (std::uint32_t i = 0; i < place_.size(); ++i) {
      const auto [at, flow] = place_[i];
      const Forwarding::Step step = forwarding_.step(at, flow, dead);
      delivered_.push_back(step.delivered());
      leaving_.emplace_back();
      for (const std::uint32_t channel : step.channels()) {
        if (std::find(dead.begin(), dead.end(), channel) != dead.end()) continue;
        leaving_[i].push_back(static_cast<std::uint32_t>(arcs_.size()));
        arcs_.push_back({number_of(fabric_.channels[channel].to, step.flow), channel});
        ends_.emplace_back(i, arcs_.back().to);
      }
    }
    state_of_arc_.assign(arcs_.size(), kNone);
  }

  /// Circles are one part each, all else parts of one place; packets come through them in an order.
  void find_parts() {
    const auto count = static_cast<std::uint32_t>(place_.size());
    const CyclicComponents cyclic = cyclic_components(graph_of(count, ends_));
    std::uint32_t parts = cyclic.count;
    for (std::uint32_t i = 0; i < count; ++i) {
      in_circle_.push_back(cyclic.component[i] != CyclicComponents::kNone);
      part_.push_back(in_circle_[i] ? cyclic.component[i] : parts++);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> between;
    for (const auto& [from, to] : ends_) {
      if (part_[from] != part_[to]) between.emplace_back(part_[from], part_[to]);
    }
    const DependencyGraph graph = graph_of(parts, between);
    const std::vector<std::uint32_t> number = topological_numbers(graph).number;
    for (std::uint32_t i = 0; i < count; ++i) order_.push_back(i);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(number[part_[a]], part_[a]) < std::pair(number[part_[b]], part_[b]);
    });
    gets_out_.assign(parts, false);
    for (std::size_t k = order_.size(); k-- > 0;) {
      const std::uint32_t i = order_[k];
      if (delivered_[i]) gets_out_[part_[i]] = true;
      for (const std::uint32_t next : graph.next(part_[i])) {
        if (gets_out_[next]) gets_out_[part_[i]] = true;
      }
    }
  }

  /// Packets that have come so leave by an arc that is no part of a circle. False where they get nowhere.
  bool leave(std::uint32_t arc, const std::vector<Came>& came) {
    const auto& [to, channel] = arcs_[arc];
    if (!gets_out_[part_[to]] || came.empty()) return false;
    std::uint32_t& state = state_of_arc_[arc];
    if (state == kNone) {
      state = result_.states++;
      coming_[to].push_back({channel, state});
    }
    for (const Came& one : came) result_.hops.push_back({one.channel, one.state, channel, state});
    return true;
  }

  /// All ways through a circle from one of its places on that come to none of them twice.
  void go_through(std::uint32_t entry) {
    if (coming_[entry].empty()) return;
    const std::size_t before = result_.hops.size();
    trail_.assign(1, entry);
    steps_left_ = kMostSteps;
    go_on(entry, coming_[entry]);
    if (steps_left_ > 0) return;
    result_.all = false;
    result_.hops.resize(before);
  }

  bool go_on(std::uint32_t at, const std::vector<Came>& came) {
    bool useful = delivered_[at];
    for (const std::uint32_t a : leaving_[at]) {
      const auto& [to, channel] = arcs_[a];
      if (part_[to] != part_[at]) {
        useful |= leave(a, came);
        continue;
      }
      if (std::find(trail_.begin(), trail_.end(), to) != trail_.end()) continue;
      if (steps_left_ == 0 || --steps_left_ == 0) return false;
      const std::size_t before = result_.hops.size();
      const std::uint32_t state = result_.states++;
      for (const Came& one : came) result_.hops.push_back({one.channel, one.state, channel, state});
      trail_.push_back(to);
      if (go_on(to, {{channel, state}})) {
        useful = true;
      } else {
        result_.hops.resize(before);
      }
      trail_.pop_back();
    }
    return useful;
  }

  const Forwarding& forwarding_;
  const Fabric& fabric_;
  std::uint32_t destination_;
  ExpectedHops result_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> place_;  // switch and flow
  std::vector<bool> delivered_;
  std::vector<Arc> arcs_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;  // of arcs
  std::vector<std::vector<std::uint32_t>> leaving_;            // arcs of each place
  std::vector<bool> in_circle_;
  std::vector<std::uint32_t> part_, order_;
  std::vector<bool> gets_out_;  // of each part
  std::vector<std::uint32_t> state_of_arc_;
  std::vector<std::vector<Came>> coming_;  // packets that are expected at each place
  std::vector<std::uint32_t> trail_;
  std::size_t steps_left_ = 0;
};

}  // namespace

ExpectedHops expected_hops(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead) {
  return ExpectedWays(forwarding, destination, dead).take();
}

}  // namespace unknot::ethernet
