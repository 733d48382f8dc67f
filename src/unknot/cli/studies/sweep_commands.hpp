// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/sweep/journal.hpp"
#include "unknot/sweep/plan.hpp"
#include "unknot/sweep/sweep_file.hpp"

namespace unknot::cli {

/// A column of a sweep's table that a command computes.
struct Measure {
  std::string name;
  std::string pointer;    ///< RFC 6901, into the document of --json
  bool headline = false;  ///< shown to people as well
};

/// A command whose runs a sweep can be made of: deterministic, without files of its own.
struct SweepCommand {
  std::string name;
  std::vector<std::string> options;  ///< without dashes; "fabric" is the argument
  std::vector<Measure> measures;
};

const std::vector<SweepCommand>& sweep_commands();

/// The row of the file's command, after a look at every key and value as far as can be told without running
/// anything: loads given as ranges become lists, and where there is no `seed`, `seed` becomes the last axis.
/// With `read_fabrics` every fabric is read or made once, too. Throws InputError with file and line.
const SweepCommand& prepare_sweep(sweep::SweepFile& file, std::uint64_t seed, bool read_fabrics);

/// Runs a cell, on one thread. Bad input and an engine that finds no routing are in the record; anything else
/// is thrown.
sweep::Record run_sweep_cell(const SweepCommand& command, const sweep::Cell& cell);

}  // namespace unknot::cli
