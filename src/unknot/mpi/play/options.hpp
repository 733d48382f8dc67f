// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/mpi/play/assignment.hpp"

namespace unknot::mpi {

/// The words of Between: "nothing", "pairs", "barrier".
const std::vector<std::string>& between_names();

/// The command line of unknot-play.
struct PlayOptions {
  std::string fabric, schedule;
  cli::CollectiveInput input;
  std::vector<std::uint64_t> sizes;
  std::string order;  ///< nodes, by rank; "": ascending
  std::optional<std::string> operation;
  Between between = Between::pairs;
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 20;
  std::uint32_t warm_up = 2;
  std::uint64_t chunks = 1;  ///< that what each tree carries is divided into
  bool json = false;
};

/// Nothing where help or the version has been asked for, and printed. InputError for what it cannot mean.
std::optional<PlayOptions> parse_play_options(int argc, const char* const* argv);

}  // namespace unknot::mpi
