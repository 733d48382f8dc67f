// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workload_catalogue.hpp"

#include <fmt/format.h>

#include <span>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/patterns.hpp"
#include "unknot/traffic/workloads/chakra_workload.hpp"
#include "unknot/traffic/workloads/collective_rounds.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"
#include "unknot/traffic/workloads/message_file.hpp"
#include "unknot/traffic/workloads/nas_kernels.hpp"
#include "unknot/traffic/workloads/process_groups.hpp"
#include "unknot/traffic/workloads/workloads.hpp"

namespace unknot {
namespace {

SendOrder order_of(const Parameters& parameters) {
  const std::string& name = parameters.text("order");
  return name == "random" ? SendOrder::random : name == "linear" ? SendOrder::linear : SendOrder::shift;
}

RankMapping mapping_of(const Parameters& parameters) {
  return parameters.text("mapping") == "random" ? RankMapping::random : RankMapping::contiguous;
}

Workload make_all_to_all(const Network& network, const Parameters& parameters, const std::string&,
                         std::uint64_t seed) {
  return all_to_all(network.terminal_count(), parameters.number("bytes"), order_of(parameters),
                    parameters.number32("at_once"), seed);
}

Workload make_neighbours(const Network& network, const Parameters& parameters, const std::string&,
                         std::uint64_t seed) {
  const TrafficPattern pattern = stencil3d(network, parameters, "workload neighbours");
  return workload_of_pattern(network.terminal_count(), pattern, 0, parameters.number("bytes"),
                             parameters.number32("at_once"), seed);
}

Workload make_flows(const Network& network, const Parameters& parameters, const std::string& spec,
                    std::uint64_t seed) {
  for (const char* late : {",bytes=", ",at_once=", ",sample="}) {
    if (spec.find(late) != std::string::npos && !spec.starts_with("file:")) {
      throw InputError(fmt::format("workload flows: {} comes before the pattern, which takes the rest",
                                   std::string_view(late).substr(1, std::string_view(late).size() - 2)));
    }
  }
  return workload_of_pattern(network.terminal_count(), make_pattern(network, spec),
                             parameters.number32("sample"), parameters.number("bytes"),
                             parameters.number32("at_once"), seed);
}

Workload read_messages(const Network& network, const Parameters& parameters, const std::string& path,
                       std::uint64_t) {
  return parse_messages(network, read_file(path), path, parameters.number32("at_once"));
}

Workload read_matrix(const Network& network, const Parameters& parameters, const std::string& path,
                     std::uint64_t seed) {
  const std::uint32_t terminals = network.terminal_count();
  const CommunicationMatrix matrix = parse_matrix(read_file(path), path, terminals);
  return workload_of_matrix(terminals, matrix,
                            terminals_of_ranks(terminals, matrix.ranks, mapping_of(parameters), seed),
                            order_of(parameters), parameters.number32("at_once"), seed);
}

/// "all-reduce+all-to-all", one for each dimension.
std::vector<GroupDimension> group_dimensions(const Parameters& parameters) {
  const std::vector<std::uint32_t>& sizes = parameters.list("dims");
  const std::vector<std::uint32_t>& bytes = parameters.list("bytes");
  std::vector<GroupDimension> dimensions;
  const std::string_view names = parameters.text("collectives");
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t plus = std::min(names.find('+', at), names.size());
    dimensions.push_back({1, find_group_collective(names.substr(at, plus - at)), 0});
    at = plus + 1;
  }
  if (dimensions.size() != sizes.size() || (bytes.size() != sizes.size() && bytes.size() != 1)) {
    throw InputError(
        fmt::format("workload groups: {} dims, and {} collectives, of {} sizes of messages (one for each "
                    "dimension, or one for all)",
                    sizes.size(), dimensions.size(), bytes.size()));
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    dimensions[d].size = sizes[d];
    dimensions[d].bytes = bytes[bytes.size() == 1 ? 0 : d];
  }
  return dimensions;
}

Workload make_groups(const Network& network, const Parameters& parameters, const std::string&,
                     std::uint64_t seed) {
  const std::uint32_t terminals = network.terminal_count();
  const CommunicationMatrix matrix = process_group_matrix(group_dimensions(parameters));
  if (matrix.ranks > terminals)
    throw InputError(fmt::format("workload groups: {} ranks on {} terminals", matrix.ranks, terminals));
  return workload_of_matrix(terminals, matrix,
                            terminals_of_ranks(terminals, matrix.ranks, mapping_of(parameters), seed),
                            order_of(parameters), parameters.number32("at_once"), seed);
}

Workload make_nas(const Network& network, const Parameters& parameters, const std::string&,
                  std::uint64_t seed) {
  const std::uint32_t terminals = network.terminal_count();
  const std::uint32_t per = parameters.number32("per");
  const std::uint64_t ranks =
      parameters.has("ranks") ? parameters.number("ranks") : std::uint64_t{terminals} * per;
  const CommunicationMatrix matrix =
      matrix_of_hosts(nas_matrix(parameters.text("kernel"), parameters.text("class").front(),
                                 static_cast<std::uint32_t>(std::min<std::uint64_t>(ranks, 0xFFFFFFFFU))),
                      per, parameters.number("part"));
  if (matrix.ranks > terminals) {
    throw InputError(
        fmt::format("workload nas: {} ranks need {} terminals of {}", ranks, matrix.ranks, terminals));
  }
  return workload_of_matrix(terminals, matrix,
                            terminals_of_ranks(terminals, matrix.ranks, mapping_of(parameters), seed),
                            order_of(parameters), parameters.number32("at_once"), seed);
}

/// Of a trace, whose ranks are fewer than the terminals: `read` gives the graph.
template <class Read>
Workload workload_of_trace(const Network& network, const Parameters& parameters, std::uint64_t seed,
                           std::uint32_t at_once, const Read& read) {
  const std::uint32_t terminals = network.terminal_count();
  TaskTrace trace;
  TaskGraph graph = read(terminals_of_ranks(terminals, terminals, mapping_of(parameters), seed), trace);
  Workload workload = workload_of_tasks(terminals, std::move(graph), at_once);
  workload.trace = std::make_shared<const TaskTrace>(std::move(trace));
  return workload;
}

Workload read_goal(const Network& network, const Parameters& parameters, const std::string& path,
                   std::uint64_t seed) {
  return workload_of_trace(network, parameters, seed, parameters.number32("at_once"),
                           [&](const std::vector<TerminalId>& terminal_of, TaskTrace& trace) {
                             return read_goal_file(path, terminal_of, &trace, parameters.number("overhead"));
                           });
}

Workload read_chakra_traces(const Network& network, const Parameters& parameters, const std::string& path,
                            std::uint64_t seed) {
  ChakraOptions options{parameters.text("all-reduce"), parameters.text("all-gather"),
                        parameters.text("reduce-scatter"), parameters.text("all-to-all"),
                        parameters.text("broadcast")};
  if (parameters.has("dims")) options.dims = parameters.list("dims");
  if (parameters.has("groups")) options.groups = parameters.text("groups");
  options.tera_ops = parameters.real("tflops");
  options.memory = parameters.real("memory");
  options.drop_missing = parameters.text("missing") == "drop";
  return workload_of_trace(network, parameters, seed, 1,
                           [&](const std::vector<TerminalId>& terminal_of, TaskTrace& trace) {
                             return read_chakra(path, options, terminal_of, &trace);
                           });
}

Parameter bytes_parameter(const char* help, const char* fallback) {
  return {
      .name = "bytes", .help = help, .fallback = fallback, .min = 1, .max = static_cast<double>(kMostAmount)};
}

Parameter at_once_parameter(const char* fallback) {
  return {.name = "at_once",
          .help = "messages that a terminal sends at the same time, their packets in turn",
          .fallback = fallback,
          .min = 1,
          .max = 20'000'000};
}

Parameter order_parameter(const char* fallback) {
  return {.name = "order",
          .kind = ParameterKind::text,
          .help = "in which a terminal t sends: to t + 1, t + 2, ..; at random; to 0, 1, ..",
          .fallback = fallback,
          .choices = {"shift", "random", "linear"}};
}

Parameter path_parameter(const char* help) {
  return {.name = "path", .kind = ParameterKind::text, .help = help};
}

Parameter way_parameter(const char* name, const std::vector<std::string>& ways, const char* help) {
  return {.name = name, .kind = ParameterKind::text, .help = help, .fallback = ways.front(), .choices = ways};
}

std::vector<Parameter> chakra_parameters(const Parameter& mapping) {
  return {
      way_parameter("all-reduce", all_reduce_ways(), "how collectives become messages"),
      way_parameter("all-gather", all_gather_ways(), "likewise"),
      way_parameter("reduce-scatter", reduce_scatter_ways(), "likewise"),
      way_parameter("all-to-all", all_to_all_ways(), "likewise"),
      way_parameter("broadcast", broadcast_ways(), "likewise, and reduce"),
      {.name = "dims",
       .kind = ParameterKind::list,
       .help = "of a grid of ranks, the first one fastest, for collectives along some of them (involved_dim)",
       .fallback = "",
       .min = 1,
       .max = 16'777'216},
      {.name = "groups",
       .kind = ParameterKind::text,
       .help = "file of process groups, as {\"0\": [0, 1, 2, 3]}",
       .fallback = ""},
      {.name = "tflops",
       .kind = ParameterKind::real,
       .help = "10^12 operations a second, for computations that state num_ops and no time",
       .fallback = "0",
       .max = 1e9},
      {.name = "memory",
       .kind = ParameterKind::real,
       .help = "GB/s, for those and for accesses to memory that state tensor_size and no time",
       .fallback = "0",
       .max = 1e9},
      {.name = "missing",
       .kind = ParameterKind::text,
       .help = "nodes that others come after and that are not there",
       .fallback = "refuse",
       .choices = {"refuse", "drop"}},
      mapping,
      path_parameter("PREFIX of PREFIX.0.et, PREFIX.1.et, .., or their folder")};
}

std::vector<WorkloadRow> make_rows() {
  const Parameter all_at_once{.name = "at_once",
                              .help =
                                  "messages that a terminal sends at the same time, their packets in "
                                  "turn; 0: all of them",
                              .fallback = "0",
                              .max = 20'000'000};
  const std::vector<Parameter> grid = grid_parameters();
  const Parameter mapping{.name = "mapping",
                          .kind = ParameterKind::text,
                          .help = "where ranks go: rank r on terminal r, or anywhere",
                          .fallback = "contiguous",
                          .choices = {"contiguous", "random"}};
  const Parameter sample{.name = "sample", .help = "which sample of a pattern with chance", .fallback = "0"};
  const Parameter pattern{.name = "pattern",
                          .kind = ParameterKind::text,
                          .help = "a traffic pattern with its parameters: the rest of the spec"};
  std::vector<WorkloadRow> rows;
  rows.push_back(
      {.name = "all-to-all",
       .aliases = {"alltoall"},
       .summary = "every terminal one message to every other",
       .parameters = {bytes_parameter("bytes of a message", "7680"), order_parameter("random"), all_at_once},
       .make = make_all_to_all});
  rows.push_back({.name = "neighbours",
                  .aliases = {"neighbors", "stencil3d", "nearest-neighbour", "nearest-neighbor"},
                  .summary = "each process of a 3D grid, closed around, one message to its six neighbours",
                  .parameters = {grid[0], grid[1], bytes_parameter("bytes of a message", "524288"),
                                 at_once_parameter("6")},
                  .make = make_neighbours});
  rows.push_back({.name = "flows",
                  .aliases = {"pattern"},
                  .summary = "one message for each flow of a traffic pattern",
                  .parameters = {bytes_parameter("bytes of a flow of weight 1", "1048576"),
                                 at_once_parameter("1"), sample, pattern},
                  .rest = true,
                  .make = make_flows});
  rows.push_back(
      {.name = "messages",
       .summary = "the messages in a file, some after others",
       .parameters = {at_once_parameter("1"),
                      path_parameter("lines '[label:] source destination bytes [after label...]'")},
       .rest = true,
       .reads_file = true,
       .make = read_messages});
  rows.push_back({.name = "matrix",
                  .summary = "the communication matrix in a file",
                  .parameters = {order_parameter("shift"), at_once_parameter("1"), mapping,
                                 path_parameter("lines of numbers, the bytes from a rank to each rank")},
                  .rest = true,
                  .reads_file = true,
                  .make = read_matrix});
  rows.push_back(
      {.name = "groups",
       .aliases = {"process-groups"},
       .summary = "collectives in the process groups of a parallel program, all at the same time",
       .parameters = {{.name = "dims",
                       .kind = ParameterKind::list,
                       .help = "of a grid of ranks, the first one fastest, whose lines are the groups",
                       .min = 1,
                       .max = 16'777'216},
                      {.name = "collectives",
                       .kind = ParameterKind::text,
                       .help = "what groups along each dimension do, joined by +: all-reduce, "
                               "all-gather, reduce-scatter (around rings), all-to-all, pipeline or none"},
                      {.name = "bytes",
                       .kind = ParameterKind::list,
                       .help = "of a rank's message, for each dimension or for all",
                       .fallback = "1048576",
                       .min = 1},
                      order_parameter("shift"),
                      at_once_parameter("1"),
                      mapping},
       .make = make_groups});
  std::vector<std::string> kernels;
  for (const NasKernel& kernel : nas_kernels()) kernels.push_back(kernel.name);
  std::vector<std::string> classes;
  for (const char letter : kNasClasses) classes.emplace_back(1, letter);
  rows.push_back(
      {.name = "nas",
       .aliases = {"npb"},
       .summary = "what a step of a kernel of the NAS Parallel Benchmarks sends",
       .parameters = {{.name = "kernel",
                       .kind = ParameterKind::text,
                       .help = "conjugate gradients, Fourier transform, integer sort, LU, multigrid",
                       .choices = kernels},
                      {.name = "class",
                       .kind = ParameterKind::text,
                       .help = "how large the problem is",
                       .fallback = "C",
                       .choices = classes},
                      {.name = "ranks",
                       .help = "a power of two; as many as the terminals take without it",
                       .fallback = "",
                       .min = 2},
                      {.name = "per",
                       .help = "consecutive ranks on each terminal",
                       .fallback = "1",
                       .min = 1,
                       .max = 4096},
                      {.name = "part", .help = "amounts are divided by it", .fallback = "1", .min = 1},
                      order_parameter("shift"),
                      at_once_parameter("1"),
                      mapping},
       .make = make_nas});
  rows.push_back({.name = "goal",
                  .summary = "the schedule in a file, in the GOAL of LogGOPSim, text or binary",
                  .parameters = {{.name = "at_once",
                                  .help = "messages that a NIC sends at the same time, their packets in turn",
                                  .fallback = "1",
                                  .min = 1,
                                  .max = 20'000'000},
                                 {.name = "overhead",
                                  .help = "nanoseconds that a send or a receive takes of its CPU",
                                  .fallback = "0",
                                  .max = static_cast<double>(kMostAmount)},
                                 mapping,
                                 path_parameter("sends, receives, computations, and what requires what")},
                  .rest = true,
                  .reads_file = true,
                  .make = read_goal});
  rows.push_back({.name = "chakra",
                  .summary = "execution traces of Chakra, a file for each rank",
                  .parameters = chakra_parameters(mapping),
                  .rest = true,
                  .reads_file = true,
                  .make = read_chakra_traces});
  return rows;
}

struct SplitSpec {
  std::string_view parameters;  ///< without a comma at the end
  std::string_view rest;
};

/// Parameters of a row with a rest are those key=value items in front that the row knows.
SplitSpec split(const WorkloadRow& row, std::string_view text) {
  if (!row.rest) return {text, ""};
  const auto begins_with_key = [](std::string_view item, const Parameter& parameter) {
    return item.starts_with(parameter.name) && item.substr(parameter.name.size()).starts_with('=');
  };
  std::size_t at = 0;
  for (;;) {
    const std::string_view item = text.substr(at);
    const auto known = std::find_if(row.parameters.begin(), row.parameters.end(),
                                    [&](const Parameter& p) { return begins_with_key(item, p); });
    const std::string_view before = text.substr(0, at == 0 ? 0 : at - 1);
    if (known == row.parameters.end()) return {before, item};
    if (&*known == &row.parameters.back()) return {before, item.substr(known->name.size() + 1)};
    const std::size_t comma = text.find(',', at);
    if (comma == std::string_view::npos) return {text, ""};
    at = comma + 1;
  }
}

}  // namespace

const std::vector<WorkloadRow>& workloads() {
  static const std::vector<WorkloadRow> rows = make_rows();
  return rows;
}

const WorkloadRow& find_workload(std::string_view name) {
  return find_row(workloads(), "workload", name);
}

Workload make_workload(const Network& network, std::string_view spec, std::uint64_t seed) {
  const auto [name, after] = split_spec(spec);
  const WorkloadRow& row = find_workload(name);
  const SplitSpec parts = split(row, after);
  if (row.rest && parts.rest.empty()) {
    throw InputError(fmt::format("workload {}: expected {}:[KEY=VALUE,...]{}", row.name, row.name,
                                 row.reads_file ? "PATH" : "PATTERN"));
  }
  const std::span<const Parameter> all = row.parameters;
  const Parameters parameters =
      parse_parameters("workload " + row.name, all.first(all.size() - (row.rest ? 1 : 0)), parts.parameters);
  Workload workload = row.make(network, parameters, std::string(parts.rest), seed);
  workload.name = spec;
  return workload;
}

}  // namespace unknot
