// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// The rules that the paths of a step keep, whatever they carry: channels that exist, their capacities,
/// ports, lengths. The part of the checkers that is the same for all schedules. Steps must come in order.
class PathRules {
 public:
  using Text = std::function<std::string()>;
  /// Told of each violation; the sentence is made on demand.
  using Report = std::function<void(ViolationKind kind, const Text& sentence)>;

  /// `backwards`: problem and paths are those of reversed time, and only sentences are turned back.
  PathRules(const Problem& problem, bool backwards, Report report);

  /// Takes the arcs of a transfer. False where its path is none: then it delivers nothing. `shown` is the
  /// step as people count, `name` begins each sentence. O(length * log).
  bool take(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown, const Text& name);
  /// Ports of both ends, the length, and where the problem is on routes the lines of that of both ends.
  void check_ends(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown, const Text& name);
  /// Channels taken so far.
  [[nodiscard]] std::uint64_t hops() const { return hops_; }

 private:
  /// Uses of things within the current step: reset by the number of the step, not by clearing.
  class StepCounter {
   public:
    explicit StepCounter(std::size_t things) : step_(things, 0xFFFFFFFFU), count_(things, 0) {}
    /// One more use; returns how many there are now.
    std::uint32_t add(std::size_t thing, std::uint32_t step) {
      if (step_[thing] != step) {
        step_[thing] = step;
        count_[thing] = 0;
      }
      return ++count_[thing];
    }

   private:
    std::vector<std::uint32_t> step_, count_;
  };
  bool has_nodes(std::span<const NodeId> path, const Text& name);
  void take(ArcId arc, std::uint32_t step, std::uint32_t shown);
  void count_port(NodeId node, bool sends, std::uint32_t step, std::uint32_t shown);
  void check_length(std::span<const NodeId> path, const Text& name);
  void check_route(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown, const Text& name);

  const Problem& problem_;
  const NodeGraph& graph_;
  bool backwards_;
  Report report_;
  StepCounter arcs_, links_, sent_, received_, lines_;
  std::vector<std::vector<std::uint32_t>> hops_of_;  // by source, found when asked for
  std::vector<NodeId> sorted_;
  std::uint64_t hops_ = 0;
};

}  // namespace unknot
