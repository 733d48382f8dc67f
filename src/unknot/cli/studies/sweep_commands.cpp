// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/sweep_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/load_list.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/run.hpp"
#include "unknot/cli/simulation/simulated_routing.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/sources/injection.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"
#include "unknot/verify/messages/message_classes.hpp"

namespace unknot::cli {
namespace {

using sweep::Axis;
using sweep::SweepFile;

std::vector<Measure> with_sizes(std::vector<Measure> measures) {
  std::vector<Measure> all = {
      {"routers", "/routers"}, {"terminals", "/terminals"}, {"channels", "/channels"}};
  all.insert(all.end(), measures.begin(), measures.end());
  return all;
}

const SweepCommand& find_command(const SweepFile& file) {
  std::vector<std::string> names;
  for (const SweepCommand& row : sweep_commands()) {
    if (row.name == file.command) return row;
    names.push_back(row.name);
  }
  throw InputError(fmt::format("{}'{}' is no command of a sweep; there are: {}",
                               file.place(file.command_line), shown(file.command), fmt::join(names, ", ")));
}

/// Calls `action`, with the place in the file before what it throws.
template <class Action>
void at(const SweepFile& file, std::size_t line, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    // What is said of the whole file begins with its name.
    std::string_view sentence = error.what();
    const std::string whole = file.name + ": ";
    if (sentence.starts_with(whole)) sentence.remove_prefix(whole.size());
    throw InputError(file.place(line) + std::string(sentence));
  }
}

const Axis* find_axis(const SweepFile& file, std::string_view name) {
  const auto found =
      std::find_if(file.axes.begin(), file.axes.end(), [&](const Axis& axis) { return axis.name == name; });
  return found == file.axes.end() ? nullptr : &*found;
}

/// A range of loads is as many cells.
void split_loads(Axis& axis) {
  std::vector<std::vector<std::string>> values;
  for (const auto& value : axis.values) {
    if (value.empty()) values.push_back(value);
    for (const std::string& word : value) {
      for (const double load : parse_loads(word)) values.push_back({fmt::format("{}", load)});
    }
  }
  axis.values = std::move(values);
}

void check_pattern(const std::string& spec) {
  if (!find_pattern(split_spec(spec).name).read) (void)choose_row(patterns(), "pattern", spec);
}

/// What can be told of a value without a network and without the values of other options. Tables may be made
/// while the sweep runs.
void check_value(const Axis& axis, const std::vector<std::string>& words) {
  using Check = void (*)(const std::string& word);
  static const std::map<std::string, Check, std::less<>> checks = {
      {"engine", [](const std::string& word) { (void)choose_row(engines(), "engine", word); }},
      {"pattern", check_pattern},
      {"traffic", check_pattern},
      {"injection", [](const std::string& word) { (void)simulate::make_injection(word); }},
      {"workload", [](const std::string& word) { (void)find_workload(split_spec(word).name); }},
      {"messages", [](const std::string& word) { (void)parse_message_classes(word, "--messages"); }},
      {"paths", check_paths},
      {"lane-scheme", check_lane_scheme},
      {"preset", [](const std::string& word) { (void)simulate::preset_layer(word); }},
      {"config", [](const std::string& word) { (void)simulate::read_settings(word); }},
  };
  if (axis.name == "set") (void)simulate::parse_assignments(words);
  const auto check = checks.find(axis.name);
  if (check == checks.end()) return;
  for (const std::string& word : words) check->second(word);
}

/// A file that is not there, a spec that makes no network, or what is to fail and no network has, would else
/// be found cell by cell.
void check_fabrics(const SweepFile& file) {
  const Axis* const failing = find_axis(file, "fail");
  std::vector<std::string> faults;
  if (failing != nullptr)
    for (const auto& value : failing->values) faults.insert(faults.end(), value.begin(), value.end());
  std::vector<std::string> reasons(faults.size());  // why the last network has no such parts
  std::vector<bool> had(faults.size());
  const Axis& fabrics = *find_axis(file, "fabric");
  at(file, fabrics.line, [&] {
    for (const auto& value : fabrics.values) {
      for (const std::string& word : value) {
        const Network network = load_fabric(word);
        for (std::size_t i = 0; i < faults.size(); ++i) {
          if (had[i]) continue;
          try {
            (void)parse_faults(network, faults[i]);
            had[i] = true;
          } catch (const InputError& error) {
            reasons[i] = error.what();
          }
        }
      }
    }
  });
  const auto unknown = std::find(had.begin(), had.end(), false);
  if (unknown == had.end()) return;
  at(file, failing->line,
     [&] { throw InputError(reasons[static_cast<std::size_t>(unknown - had.begin())]); });
}

/// Every value of every axis once, beside the first values of the others.
void check_values(const SweepFile& file) {
  for (const Axis& axis : file.axes) {
    SweepFile one = file;
    for (Axis& other : one.axes) {
      if (other.name != axis.name) other.values.resize(1);
    }
    at(file, axis.line, [&] {
      std::vector<std::vector<std::string>> lines;
      for (sweep::Cell& cell : sweep::expand(one, "").cells) lines.push_back(std::move(cell.words));
      check_words(lines);
    });
  }
}

}  // namespace

const std::vector<SweepCommand>& sweep_commands() {
  static const std::vector<SweepCommand> rows = {
      {"route",
       {"fabric", "engine", "fail", "nodes", "transit", "vls", "samples", "seed"},
       with_sizes({{"virtual_lanes", "/virtual_lanes"},
                   {"lanes_needed", "/lanes_needed", true},
                   {"complete", "/complete"},
                   {"loops", "/loops"},
                   {"deadlock_free", "/deadlock_free", true},
                   {"minimal", "/minimal"},
                   {"unroutable_pairs", "/unroutable_pairs", true},
                   {"channel_load_max", "/channel_load/max", true},
                   {"channel_load_min", "/channel_load/min"},
                   {"channel_load_mean", "/channel_load/mean", true},
                   {"channel_load_sigma4", "/channel_load/sigma4"},
                   {"hops_max", "/hops/max"},
                   {"hops_mean", "/hops/mean", true},
                   {"effective_bisection_bandwidth", "/effective_bisection_bandwidth"},
                   {"standard_error", "/standard_error"}})},
      {"congestion",
       {"fabric", "engine", "tables", "lanes", "fail", "vls", "pattern", "samples", "seed"},
       with_sizes({{"effective_bisection_bandwidth", "/effective_bisection_bandwidth", true},
                   {"standard_error", "/standard_error", true},
                   {"throughput", "/throughput", true},
                   {"max_congestion", "/max_congestion", true},
                   {"unroutable_flows", "/unroutable_flows", true}})},
      {"simulate",
       {"fabric",      "engine", "tables",  "lanes", "paths",    "lane-scheme", "no-proof",
        "vls",         "fail",   "traffic", "load",  "workload", "messages",    "classes",
        "class-hosts", "preset", "config",  "set",   "seeds",    "seed",        "injection"},
       with_sizes({{"virtual_lanes", "/virtual_lanes"},
                   {"proven_deadlock_free", "/proven_deadlock_free"},
                   {"offered", "/points/0/offered"},
                   {"accepted", "/points/0/accepted", true},
                   {"latency_mean", "/points/0/latency_mean", true},
                   {"latency_half_width", "/points/0/latency_half_width"},
                   {"latency_p50", "/points/0/latency_p50"},
                   {"latency_p95", "/points/0/latency_p95"},
                   {"latency_p99", "/points/0/latency_p99", true},
                   {"latency_max", "/points/0/latency_max"},
                   {"queueing_mean", "/points/0/queueing_mean"},
                   {"hops_mean", "/points/0/hops_mean"},
                   {"indirect_share", "/points/0/indirect_share"},
                   {"utilisation_mean", "/points/0/utilisation_mean"},
                   {"utilisation_max", "/points/0/utilisation_max"},
                   {"packets", "/points/0/packets"},
                   {"cycles", "/points/0/cycles"},
                   {"saturated", "/points/0/saturated", true},
                   {"steady", "/points/0/steady"},
                   {"all_arrived", "/points/0/all_arrived"},
                   {"state", "/points/0/state", true},
                   {"deadlock", "/points/0/deadlock"},
                   {"completion_time", "/completion_time"},
                   {"effective_throughput", "/effective_throughput"}})},
  };
  return rows;
}

const SweepCommand& prepare_sweep(SweepFile& file, std::uint64_t seed, bool read_fabrics) {
  const SweepCommand& command = find_command(file);
  for (Axis& axis : file.axes) {
    at(file, axis.line, [&] {
      if (std::find(command.options.begin(), command.options.end(), axis.name) == command.options.end()) {
        const std::string near = near_names(axis.name, command.options);
        throw InputError(
            fmt::format("a sweep of {} takes no '{}'; {}", command.name, shown(axis.name),
                        near.empty() ? fmt::format("it takes {}", fmt::join(command.options, ", ")) : near));
      }
      if (axis.name == "load") split_loads(axis);
      for (const auto& value : axis.values) check_value(axis, value);
    });
  }
  if (find_axis(file, "seed") == nullptr)
    file.axes.push_back({"seed", file.command_line, {{std::to_string(seed)}}});
  check_values(file);
  if (read_fabrics) check_fabrics(file);
  return command;
}

sweep::Record run_sweep_cell(const SweepCommand& command, const sweep::Cell& cell) {
  std::vector<std::string> words = cell.words;
  // Cells run side by side: each has one thread.
  for (const char* common : {"--json", "--quiet", "--threads=1"}) words.emplace_back(common);
  int code = kYes;
  Json error;
  Json measures = Json::object();
  try {
    const Answer answer = run_inside(words);
    code = answer.code;
    const Json& document = answer.document;
    for (const Measure& measure : command.measures) {
      const Json::json_pointer pointer(measure.pointer);
      if (document.contains(pointer)) measures[measure.name] = document.at(pointer);
    }
    if (document.contains("failure")) error = document["failure"];
  } catch (const InputError& refusal) {
    code = kBadInput;
    error = refusal.what();
  } catch (const RoutingFailure& failure) {
    code = kNo;
    error = failure.what();
  }
  const Json record = {{"exit", code}, {"error", error}, {"measures", measures}};
  return {code == kBadInput, record.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace unknot::cli
