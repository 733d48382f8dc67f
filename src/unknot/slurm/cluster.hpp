// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/allocation.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"

/// Tables for the jobs of a cluster that Slurm schedules: docs/slurm.md.
namespace unknot::slurm {

/// A cluster as its administrator describes it, and how jobs are routed on it.
struct Cluster {
  /// The whole torus, failed parts included. Routers and terminals have the names of the nodes; a place
  /// without a node has failed.
  Network machine;
  Faults faults;
  std::string engine;
  Transit transit = Transit::own;
  bool shared_nodes = false;  ///< whether several jobs may run on one node, each with tables of its own
  std::string directory;      ///< of the tables: a folder for each job
  std::string log;            ///< file that gets a line for each run; "": none
  double time_limit = 0;      ///< seconds for one job
  std::uint32_t threads = 0;
  std::vector<std::string> notes;  ///< what is odd and no error, one sentence each
};

/// Reads a configuration (TOML). Relative paths in it are relative to its folder. Every key is checked;
/// throws InputError, one sentence with file and line, for unknown keys, wrong values, a node or place that
/// is named twice, failed parts that do not exist.
Cluster read_cluster(const std::string& path);
/// The same on text; `name` is the file's.
Cluster parse_cluster(std::string_view text, const std::string& name);

/// A configuration to start from, of 32 nodes in a torus of 4x2x2x2.
std::string_view example_cluster();

}  // namespace unknot::slurm
