// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "unknot/ethernet/tags/expected_hops.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/solve/sat_solver.hpp"

namespace unknot::ethernet {

/// What a rule may look at: the ports that a packet comes and goes by, or its tag as well.
enum class RuleKind : std::uint8_t { ports, ports_and_tag };

/// Packets of which rules are asked for, each state once however many packets share it.
class TaggedPackets {
 public:
  /// `pairs` of channels, ascending, are all that they take one after the other. O(channels + pairs).
  TaggedPackets(std::uint32_t channels, std::vector<std::uint64_t> pairs);
  /// More of them. O(hops log hops).
  void add(const ExpectedHops& expected);

  /// A step into a state: by a pair of channels that lies on a circle of pairs, kFree where it does not and
  /// its tag can always be kept.
  struct Step {
    std::uint32_t state = 0, pair = 0;
    auto operator<=>(const Step&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;

  [[nodiscard]] std::uint32_t channel_count() const { return channels_; }
  /// On circles: the first channel in the upper half, ascending.
  [[nodiscard]] const std::vector<std::uint64_t>& pairs() const { return pairs_; }
  /// Of each state but the first, which is that of packets as they come from hosts: how packets get there.
  /// Steps are from states of lower numbers.
  [[nodiscard]] const std::vector<std::vector<Step>>& before() const { return before_; }
  /// Numbers that a formula of so many queues has; what a search costs grows with it.
  [[nodiscard]] std::uint64_t size(std::uint32_t queues) const { return (steps_ + pairs_.size()) * queues; }

 private:
  std::uint32_t channels_;
  std::vector<std::uint64_t> pairs_;
  std::vector<std::vector<Step>> before_;
  std::map<std::vector<Step>, std::uint32_t> known_;  // states by what leads to them
  std::uint64_t steps_ = 0;
};

/// Whether some rules that keep or raise tags, from 1 on, protect all these packets with so many queues and
/// form no cycle in any of them: by satisfiability. A variable says of a pair that it raises (of each tag),
/// one of a state that some packet there has more than a tag; solutions whose kept pairs have cycles are
/// answered with clauses that forbid them, until there is none or no solution is left. `raises` (optional)
/// gets the pairs of a solution by ports alone, ascending. `unknown` after `conflicts` of the solver in one
/// of its calls, and after some tens of solutions with cycles.
SatAnswer rules_suffice(const TaggedPackets& packets, std::uint32_t queues, RuleKind kind,
                        std::uint64_t conflicts, const Progress& progress,
                        std::vector<std::uint64_t>* raises);

}  // namespace unknot::ethernet
