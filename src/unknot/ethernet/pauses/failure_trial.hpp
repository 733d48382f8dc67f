// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "unknot/ethernet/pauses/failures.hpp"

namespace unknot::ethernet {

/// One failure: what packets take other ways now, what waits that brings, whether they close a cycle.
class FailureTrial {
 public:
  /// `gone`: the switch whose links they all are, which is down; kNone: links alone are.
  FailureTrial(const Failures& all, std::span<const std::uint32_t> links, std::uint32_t gone = kNone);
  [[nodiscard]] FailureOutcome run();
  void find_all_rerouted();
  /// After that: destinations whose packets take other ways; ascending.
  [[nodiscard]] std::vector<std::uint32_t> rerouted() const;

 private:
  /// A buffer waits for another that it may not have waited for before.
  struct NewWait {
    std::uint32_t from = 0, to = 0;
    WaitReason reason;
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a switch or a channel, and a flow there

  [[nodiscard]] bool dead(std::uint32_t channel) const { return is_dead(channel, dead_); }
  [[nodiscard]] bool all_dead(const std::vector<std::uint32_t>& channels) const;
  [[nodiscard]] bool comes(std::uint32_t channel, std::uint32_t flow) const;
  void find_rerouted(std::uint32_t channel);
  void reroute(const Place& place);
  void take_on(std::uint32_t channel, std::uint32_t flow);
  void add(std::uint32_t channel, std::uint32_t flow, std::uint32_t next, std::uint32_t next_flow);
  void lose(std::uint32_t at, std::uint32_t flow);
  [[nodiscard]] bool is_behind_gone_alone(std::uint32_t destination) const;
  [[nodiscard]] bool rises(const NewWait& wait) const;
  [[nodiscard]] bool reached(std::uint32_t at, std::uint32_t flow) const;
  [[nodiscard]] bool goes_round(const Place& place) const;
  [[nodiscard]] std::vector<std::uint32_t> cycle_through(std::uint32_t head) const;
  [[nodiscard]] std::optional<WaitReason> reason(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool holds(const WaitReason& reason, std::uint32_t from, std::uint32_t to) const;
  void search(FailureOutcome& outcome);

  const Failures& all_;
  const Forwarding& forwarding_;
  const Fabric& fabric_;
  std::vector<std::uint32_t> links_;
  std::uint32_t gone_switch_;
  std::vector<std::uint32_t> dead_;  // ascending
  std::set<Place> rerouted_;         // at switches, of flows as they come
  std::vector<Place> next_;          // channels that carry a flow now, to be followed
  std::set<Place> taken_on_;         // all of these
  std::vector<NewWait> waits_;
  std::set<std::uint32_t> losing_;  // destinations
  // For the search: what begins where, and what turned out not to be.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> begins_;
  std::unordered_set<std::uint64_t> gone_;
  std::uint32_t lowest_ = 0, highest_ = 0;  // numbers that a cycle can be between
};

}  // namespace unknot::ethernet
