// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace unknot::evolve {
class Exchange;
}

namespace unknot::cli {

using Json = nlohmann::ordered_json;

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

/// What a command has found out. Who called it prints it, or goes on from it.
struct Answer {
  int code = kYes;
  Json document = {};     ///< with --json; null: nothing to print
  std::string text = {};  ///< without
};

/// Runs a command whose options have been parsed.
using Action = std::function<Answer()>;

/// One subcommand: its help is made from this row and from the options that `declare` adds.
struct Command {
  std::string name;
  std::string summary;
  std::string details;                ///< what the options do not say; sentences
  std::vector<std::string> examples;  ///< work as pasted; the tests run each of them
  Action (*declare)(CLI::App& app, const Common& common) = nullptr;
  bool many_processes = false;  ///< several may share the work
};

/// The commands, each a file that defines NAME_row(), in the order of the help: those that read networks,
/// compute tables and prove them, which are all that the program has that scripts/demo builds first, and the
/// others.
// clang-format off
#define UNKNOT_ROUTING_COMMANDS(row) \
  row(list) row(topology) row(info) row(route) row(lanes) row(verify) row(reroute) row(congestion)
// clang-format on
// clang-format off
#define UNKNOT_OTHER_COMMANDS(row) \
  row(design) row(bound) row(adversary) row(simulate) row(watch) row(place) row(slurm_topology) \
  row(slurm_prolog) row(schedule) row(algorithms) row(plans) row(report) row(reproduce) row(sweep) row(manual) row(completion)
// clang-format on

#define UNKNOT_DECLARE_COMMAND(name) Command name##_row();
UNKNOT_ROUTING_COMMANDS(UNKNOT_DECLARE_COMMAND)
UNKNOT_OTHER_COMMANDS(UNKNOT_DECLARE_COMMAND)
#undef UNKNOT_DECLARE_COMMAND

/// All that the program at hand has, in the order of its help.
const std::vector<Command>& commands();

}  // namespace unknot::cli
