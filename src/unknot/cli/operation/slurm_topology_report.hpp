// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/slurm/topology/tree_error.hpp"

namespace CLI {
class Option;
}

namespace unknot::cli {

struct SlurmTopologyOptions {
  std::string fabric;
  std::string type = "tree";
  const CLI::Option* type_given = nullptr;
  const CLI::Option* format_given = nullptr;
  RoutingSource routes;  ///< of a torus; neither engine nor tables: dimension order
  bool all_shapes = false;
  std::string check;
  std::string output;
  std::string format = "conf";
};

/// What a topology says of a fabric, and how wrong it is.
struct Judged {
  slurm::AnyTopology topology;
  slurm::TopologyTree tree;  ///< of trees, and of groups below one root
  slurm::TreeError error;
  double ring_step = 0;
  slurm::Torus torus;
  double torus_error = 0;
  std::string routes;                        ///< of a torus: where they are from
  std::vector<slurm::CubeShape> shapes;      ///< with what routes take
  std::vector<slurm::CubeShape> all_shapes;  ///< where asked for
};

/// What both say to people, to scripts and in the file of Slurm.
std::string slurm_topology_text(const SlurmTopologyOptions& options, const Network& network,
                                const Judged& judged);
Json slurm_topology_json(const SlurmTopologyOptions& options, const Network& network, const Judged& judged);
std::string written_topology(const SlurmTopologyOptions& options, const Judged& judged);

}  // namespace unknot::cli
