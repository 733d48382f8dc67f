// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/average_linkage.hpp"

namespace unknot::slurm {

/// Hosts with the routers that all of them are at: one, or several where they have adapters in several rails.
/// A router may be of several leaves, where not all of its hosts have all rails.
struct HostLeaf {
  std::vector<RouterId> routers;   ///< ascending
  std::vector<std::string> hosts;  ///< in the order of their first terminals
};

/// Leaves in the order of their routers; each host is at one. InputError for names that Slurm does not
/// take, no host, or more than 8192 leaves. O(terminals log terminals).
std::vector<HostLeaf> host_leaves(const Network& network);

/// Channels between leaves, by way of whichever of their routers are nearest: those that `from` has to all,
/// by leaf. InputError, naming the two, where there is no path. O(routers and channels) for each router of
/// it.
std::vector<std::uint32_t> leaf_distances_from(const Network& network, const std::vector<HostLeaf>& leaves,
                                               std::uint32_t from);
/// All of them, the larger of both directions.
DistanceMatrix leaf_distances(const Network& network, const std::vector<HostLeaf>& leaves);

/// InputError for a name that no node of Slurm can have.
void require_node_name(const std::string& name);
/// Letters, digits, '-', '_' and '.', which host lists and files of Slurm take: anything else becomes '_'.
std::string slurm_name(std::string name);

}  // namespace unknot::slurm
