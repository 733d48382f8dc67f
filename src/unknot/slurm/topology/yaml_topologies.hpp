// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/slurm/topology/topology_tree.hpp"
#include "unknot/support/text/yaml.hpp"

// For the two readers of topology.yaml, of trees alone and of all types.
namespace unknot::slurm {

/// InputError for a document that is no list, or an item of it that is no topology with a name.
void require_topologies(const YamlValue& document, const std::string& file);
/// Whether the topology says that it is the cluster's default one.
bool is_default(const YamlValue& topology);
/// What `tree:` says. InputError as parse_topology_yaml().
TopologyTree read_tree(const YamlValue& tree, const std::string& file);

}  // namespace unknot::slurm
