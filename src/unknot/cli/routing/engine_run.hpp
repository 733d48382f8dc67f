// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/fabric/guidance_option.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/addressed_run.hpp"
#include "unknot/cli/routing/class_run.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {

/// What is proven where some ports have fewer lanes than others.
struct PortLanesRun {
  std::uint64_t channels = 0;  ///< that have fewer
  std::uint32_t lanes = 0;     ///< that the engine had
  bool deadlock_free = false;  ///< with levels cut to the lanes of each port
};

/// What one engine gave on one network: tables with proofs and measures, or the reason why there are none.
struct EngineRun {
  std::string engine;      ///< spec as the user wrote it
  double seconds = 0;      ///< of the engine alone
  double cpu_seconds = 0;  ///< of the engine alone, all threads together
  /// Most resident memory of the process when the engine was done, reading included, where asked for: it
  /// differs from run to run.
  std::optional<double> peak_mib;
  std::optional<Routing> routing;
  std::string failure;               ///< where there is no routing: one sentence
  std::uint32_t lanes_needed = 0;    ///< where lanes were the reason
  std::uint64_t unrouted_pairs = 0;  ///< of terminals, where there is no routing: all of them
  Verdict verdict;  ///< by the independent checker: with_proof_of() where management is covered
  std::shared_ptr<const ManagedRun>
      management;  ///< null where only data was asked for, or routes are the sources'
  std::shared_ptr<const AddressedRun> addressed;  ///< null where each terminal has one address
  std::shared_ptr<const MulticastRun> multicast;  ///< null where none was asked for
  ServiceClasses wanted_classes;                  ///< of service
  std::optional<ClassRun> classes;                ///< what they do, where some were asked for
  std::optional<TransitRun> transit;              ///< where routers are closed to traffic between others
  std::optional<PortLanesRun> ports;              ///< where some have fewer lanes
  double verify_seconds = 0;
  LoadStatistics load;
  /// Largest load of a channel over its rate, in pairs for a gigabit a second; nothing where rates are alike
  /// or unknown.
  std::optional<double> load_by_rate;
  bool by_rate = false;                  ///< texts say it
  std::optional<Congestion> congestion;  ///< over random bisections, where asked for
  /// Every pair is delivered, every member of a group has a place in a tree, no deadlock is possible, and
  /// nothing passes where it must not.
  [[nodiscard]] bool good() const {
    return routing && verdict.usable() && (!multicast || multicast->complete()) &&
           (!classes || classes->usable()) && (!transit || transit->check.pairs == 0) &&
           (!ports || ports->deadlock_free);
  }
};

struct EngineRunOptions {
  std::uint32_t virtual_lanes = 8;
  std::uint32_t lmc = 0;      ///< each terminal has 2^lmc addresses
  std::uint32_t samples = 0;  ///< random bisections for the effective bisection bandwidth; 0: none
  bool certificate = false;
  bool memory = false;  ///< measure peak_mib
  ManagementChoice management;
  MulticastChoice multicast;
  ServiceClasses classes;  ///< each has virtual_lanes of its own
  /// All that is said, of which each engine gets what it heeds, with a note of what it does not.
  Guidance guidance;
};

/// Routes, verifies and measures. A RoutingFailure is a result here.
EngineRun measured_engine(const Network& network, const std::string& engine, const EngineRunOptions& options,
                          const Common& common, Progress& progress);

Json engine_run_json(const Network& network, const EngineRun& run);

/// Table with a line for each engine, then what is to be said about failures, lost pairs and cycles.
std::string engine_runs_text(const Network& network, const std::vector<EngineRun>& runs);

/// "0.712 ± 0.004": effective bisection bandwidth and its standard error.
std::string bandwidth_text(const Congestion& congestion);

/// What the proofs of all of them cover, where these are wanted: sources' routes are of data alone.
std::string traffic_line(const std::vector<EngineRun>& runs, bool management, bool multicast);

}  // namespace unknot::cli
