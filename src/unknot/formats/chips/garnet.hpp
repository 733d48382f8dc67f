// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"

/// gem5's network Garnet: docs/generators.md.
namespace unknot {

/// True when the text begins as gem5's config.ini does.
bool looks_like_garnet(std::string_view head);
/// The Garnet network of a config.ini: routers by router_id, a terminal for each controller, two opposite
/// links of a pair of routers as a cable, with their latencies. gem5 has no port numbers: those of a router
/// are its controllers in the order of the file, then its neighbours by router_id. InputError as
/// read_garnet_config(), and for a fabric in several parts.
Network read_garnet(std::string_view text, const std::string& name);

/// Garnet's table routing (routing_algorithm=0) on that network: to each destination all links of least
/// weight among those on ways of least total weight, one of them at random (the one to the router with the
/// lowest id in ordered virtual networks), committed to once it is chosen. InputError where the network is
/// another, or is not routed by tables.
void read_garnet_weights(const Network& network, std::string_view text, const std::string& name,
                         AdaptiveRouting& routing);

/// A topology for gem5, in Python, whose weights make Garnet's tables those of the routing. The name of the
/// file is that of the class. InputError where no weights are found that do (find_link_weights()), for source
/// routes, and for a file name that is no name of Python. "-" is standard output.
void write_garnet_topology(const Network& network, const Routing& routing, const std::string& path);
/// The same for groups of one plane: Garnet takes any port of a group with the same chance.
void write_garnet_topology(const Network& network, const AdaptiveRouting& routing, const std::string& path);

}  // namespace unknot
