// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/slurm/topology/topology_tree.hpp"

// Slurm's topology/tree in its two files: topology.conf, of all versions, and topology.yaml, of Slurm 25.05
// and later.
namespace unknot::slurm {

/// `comment` goes in front, behind '#', line by line.
std::string topology_conf(const TopologyTree& tree, std::string_view comment);
std::string topology_yaml(const TopologyTree& tree, std::string_view comment);

/// Tree of a topology.conf of anyone. Switches come level by level as topology_tree() has them; links speeds
/// are passed over. InputError with file and line for anything else: unknown keys, a switch without hosts or
/// switches or with both, a name given twice, a switch below none or below two, a circle, several roots.
TopologyTree parse_topology_conf(std::string_view text, const std::string& file);
/// The same of a topology.yaml: its default topology, or the only one that has a tree. InputError also for
/// what is no YAML, and where no topology or several could be meant.
TopologyTree parse_topology_yaml(std::string_view text, const std::string& file);
/// Whether the text begins as lists of YAML do; a line of topology.conf begins with a letter.
bool is_topology_yaml(std::string_view text);
/// Either, told by how the text begins.
TopologyTree parse_topology(std::string_view text, const std::string& file);

}  // namespace unknot::slurm
