// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/network/network.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Where a command takes the exchanges of ranks from: one of these.
struct CommunicationInput {
  std::string matrix;    ///< file
  std::string stencil;   ///< "8x8x8:periodic"
  std::string pattern;   ///< spec
  std::string workload;  ///< spec
  std::uint64_t bytes = 1U << 20U;

  /// "stencil 8x8x8": what was given, for reports.
  [[nodiscard]] std::string text() const;
};

void add_communication_options(CLI::App& app, CommunicationInput& input);

/// InputError where not exactly one is given, before any work.
void check_communication(const CommunicationInput& input, const char* command);

/// Ranks of a pattern or workload are the places, in number; it is made for the network where these are its
/// terminals, else for a single router with this many of them. InputError as the readers and makers.
CommunicationMatrix read_communication(const CommunicationInput& input, const Network& network,
                                       std::uint32_t places, const Common& common);

}  // namespace unknot::cli
