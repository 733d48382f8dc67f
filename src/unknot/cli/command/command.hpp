// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace unknot::evolve {
class Exchange;
}

namespace unknot::cli {

/// Exit codes: a negative answer is a result, not an error.
inline constexpr int kYes = 0;
inline constexpr int kNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// Options that every command takes.
struct Common {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: all of the machine
  bool json = false;
  bool quiet = false;
  evolve::Exchange* exchange = nullptr;  ///< among several processes that run the command; nullptr: one does
};

/// Runs a command whose options have been parsed; returns the exit code.
using Action = std::function<int()>;

/// One subcommand: its help is made from this row and from the options that `declare` adds.
struct Command {
  std::string name;
  std::string summary;
  std::string details;                ///< what the options do not say; sentences
  std::vector<std::string> examples;  ///< work as pasted; the tests run each of them
  Action (*declare)(CLI::App& app, const Common& common) = nullptr;
  bool many_processes = false;  ///< several may share the work
};

/// Those that read networks, compute tables and prove them: the program that scripts/demo builds first has no
/// others.
const std::vector<Command>& routing_commands();
/// All that the program at hand has, in the order of its help.
const std::vector<Command>& commands();

Action declare_list(CLI::App& app, const Common& common);
Action declare_topology(CLI::App& app, const Common& common);
Action declare_design(CLI::App& app, const Common& common);
Action declare_info(CLI::App& app, const Common& common);
Action declare_route(CLI::App& app, const Common& common);
Action declare_reroute(CLI::App& app, const Common& common);
Action declare_lanes(CLI::App& app, const Common& common);
Action declare_verify(CLI::App& app, const Common& common);
Action declare_place(CLI::App& app, const Common& common);
Action declare_watch(CLI::App& app, const Common& common);
Action declare_slurm_topology(CLI::App& app, const Common& common);
Action declare_slurm_prolog(CLI::App& app, const Common& common);
Action declare_congestion(CLI::App& app, const Common& common);
Action declare_bound(CLI::App& app, const Common& common);
Action declare_adversary(CLI::App& app, const Common& common);
Action declare_simulate(CLI::App& app, const Common& common);
Action declare_schedule(CLI::App& app, const Common& common);
Action declare_report(CLI::App& app, const Common& common);
Action declare_sweep(CLI::App& app, const Common& common);
Action declare_reproduce(CLI::App& app, const Common& common);
Action declare_manual(CLI::App& app, const Common& common);
Action declare_completion(CLI::App& app, const Common& common);

}  // namespace unknot::cli
