// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/communication_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/place/communication.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::cli {
namespace {

/// Terminals without a network in between: patterns and workloads count them.
Network bare_terminals(std::uint32_t count) {
  NetworkBuilder builder;
  const RouterId hub = builder.add_router();
  for (std::uint32_t t = 0; t < count; ++t) builder.add_terminal(hub);
  return std::move(builder).build();
}

}  // namespace

std::string CommunicationInput::text() const {
  if (!matrix.empty()) return "matrix " + matrix;
  if (!stencil.empty()) return "stencil " + stencil;
  return pattern.empty() ? "workload " + workload : "pattern " + pattern;
}

void add_communication_options(CLI::App& app, CommunicationInput& input) {
  app.add_option("--matrix", input.matrix,
                 "Bytes from each rank to each rank: as many lines as numbers on each")
      ->type_name("FILE");
  app.add_option("--stencil", input.stencil,
                 "A grid of ranks that exchange with their neighbours, as in 8x8x8 or 8x8:periodic, the last "
                 "dimension running fastest")
      ->type_name("DIMS");
  app.add_option(
      "--pattern", input.pattern,
      fmt::format("Traffic between ranks, as NAME or NAME:key=value,...; one of {}", row_names("patterns")));
  app.add_option("--workload", input.workload,
                 fmt::format("A finite exchange between ranks; one of {}", row_names("workloads")));
  app.add_option("--bytes", input.bytes,
                 "Bytes of one message of a stencil, or of a flow of weight 1 (64K: 65,536)")
      ->transform(byte_count(kMostAmount))
      ->type_name("N")
      ->capture_default_str();
}

void check_communication(const CommunicationInput& input, const char* command) {
  int given = 0;
  for (const std::string* one : {&input.matrix, &input.stencil, &input.pattern, &input.workload})
    given += one->empty() ? 0 : 1;
  if (given != 1) {
    throw InputError(fmt::format(
        "{}: give what the ranks exchange: one of --matrix, --stencil, --pattern and --workload", command));
  }
  if (!input.stencil.empty()) (void)place::parse_stencil(input.stencil);
  if (!input.pattern.empty()) (void)find_pattern(split_spec(input.pattern).name);
  if (!input.workload.empty()) (void)find_workload(split_spec(input.workload).name);
}

CommunicationMatrix read_communication(const CommunicationInput& input, const Network& network,
                                       std::uint32_t places, const Common& common) {
  if (!input.matrix.empty()) return parse_matrix(read_file(input.matrix), input.matrix, places);
  if (!input.stencil.empty()) return place::stencil_matrix(place::parse_stencil(input.stencil), input.bytes);
  const bool same = places == network.terminal_count();
  const Network bare = same ? Network() : bare_terminals(places);
  const Network& ranks = same ? network : bare;
  if (!input.pattern.empty())
    return place::pattern_matrix(make_pattern(ranks, input.pattern), places, common.seed, input.bytes);
  return place::workload_matrix(make_workload(ranks, input.workload, common.seed), places);
}

}  // namespace unknot::cli
