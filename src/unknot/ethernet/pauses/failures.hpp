// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/ethernet/pauses/pause_verdict.hpp"
#include "unknot/ethernet/pauses/usage.hpp"
#include "unknot/ethernet/pauses/waits.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::ethernet {

/// What a fabric does when links are down and no routing protocol has heard of it yet: switches send by the
/// next hops that are left, and where none is by their next choice (a route of a higher metric, then a less
/// specific one). A less specific one often leads back up: the bounce that locks a Clos.
struct FailureOutcome {
  std::vector<std::uint32_t> links;  ///< that are down, each by one of its channels
  std::uint32_t gone = kNone;        ///< the switch whose links these are, where it is down; kNone: none is
  bool deadlock = false;
  std::uint32_t looping = 0;  ///< prefixes to which packets now go round in circles
  /// Prefixes to which packets are now dropped somewhere, but for those that were behind `gone` alone.
  std::uint32_t losing = 0;
  std::vector<PauseWait> witness;  ///< of a deadlock: a cycle, the last waits for the first

  [[nodiscard]] bool harmless() const { return !deadlock && looping == 0 && losing == 0; }
};

struct FailureReport {
  std::uint64_t tried = 0;
  bool all = false;                                      ///< those tried are all that there are
  std::uint64_t deadlocks = 0, looping = 0, losing = 0;  ///< of those tried
  /// The first that deadlock, then the first that go in circles, then the first that lose, each up to
  /// kMostNamed; with its witness the first of all.
  std::vector<FailureOutcome> named;
  static constexpr std::size_t kMostNamed = 10;
};

/// Tries failures of a fabric that is free of deadlock without. What fails changes waits at few switches:
/// only those new waits are looked at that do not rise in the numbers of the proof, and they alone are
/// searched for a cycle. The answer is that of a computation anew.
class Failures {
 public:
  /// All of them have to outlive it; the verdict is one of freedom.
  Failures(const Forwarding& forwarding, const Usage& usage, const Queues& queues, const Waits& waits,
           const DependencyGraph& graph, const PauseVerdict& verdict);

  /// Links by one of their channels each.
  [[nodiscard]] FailureOutcome outcome(std::span<const std::uint32_t> links) const;
  [[nodiscard]] const std::vector<std::uint32_t>& links() const { return links_; }
  /// A switch with all of its links: nothing comes from its hosts any more, and nothing gets to them.
  [[nodiscard]] FailureOutcome outcome_of_switch(std::uint32_t gone) const;
  /// Destinations whose packets take other ways then, but for fewer of the same next hops. Ascending.
  [[nodiscard]] std::vector<std::uint32_t> rerouted(std::span<const std::uint32_t> links) const;
  /// Every link alone. The same at any number of threads.
  [[nodiscard]] FailureReport single(std::uint32_t threads, Progress& progress) const;
  /// Every switch alone. The same at any number of threads.
  [[nodiscard]] FailureReport switches(std::uint32_t threads, Progress& progress) const;
  /// `samples` pairs of links, drawn by the seed, none twice; all of them where they are no more.
  [[nodiscard]] FailureReport pairs(std::uint32_t samples, std::uint64_t seed, std::uint32_t threads,
                                    Progress& progress) const;

 private:
  friend class FailureTrial;
  template <class Trial>
  [[nodiscard]] FailureReport run(std::uint32_t count, bool all, const Trial& trial, std::uint32_t threads,
                                  Progress& progress) const;

  const Forwarding& forwarding_;
  const Usage& usage_;
  const Queues& queues_;
  const Waits& waits_;
  const DependencyGraph& graph_;
  const PauseVerdict& verdict_;
  std::vector<std::uint32_t> links_;  // lower channel of each
};

}  // namespace unknot::ethernet
