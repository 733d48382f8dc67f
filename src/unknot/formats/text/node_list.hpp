// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A GUID that a file names and a network does not have: of something that is off, or gone.
struct AbsentGuid {
  std::uint64_t guid = 0;
  std::uint32_t line = 0;
};

/// The nodes that a file lists, in its order, each once.
struct NodeList {
  std::vector<RouterId> routers;      ///< named themselves, or by a terminal of theirs
  std::vector<TerminalId> terminals;  ///< named themselves, or by the name of their router
  std::vector<AbsentGuid> absent;
};

/// Reads a file of GUIDs as OpenSM takes them (root_guid_file, cn_guid_file, io_guid_file,
/// guid_routing_order_file): one in each line, what follows it is passed over, '#' begins a comment.
///
///     0x0002c9020040a1b8          of a switch, of an adapter's port, or of an adapter (all its ports)
///     leaf-[01-04],gateway        instead of a GUID, names and numbers as parse_nodes() takes them
///
/// InputError, with file and line, for what is neither, for a second GUID in a line, and where the file names
/// no node of the network at all. O(text + network log network).
///
/// `none_will_do`: it may name nothing of the network, since what it names is off.
NodeList read_node_list(const Network& network, const std::string& path, bool none_will_do = false);
NodeList parse_node_list(const Network& network, std::string_view text, const std::string& name);

/// What a file says of a switch's port: the weight of a hop out of it, or its data lanes.
struct PortValue {
  std::uint64_t guid = 0;
  std::uint16_t port = 0;
  std::uint32_t weight = 1;
};
struct PortValues {
  std::vector<PortValue> weights;  ///< of switches of the network
  std::vector<AbsentGuid> absent;
};

/// Reads OpenSM's hop_weights_file: lines "0x<switch guid> <port> <weight>", weights 1 to 255, '#' begins a
/// comment. InputError, with file and line, for anything else, for a port that the switch does not have, and
/// where no line is of a switch of the network.
PortValues read_port_weights(const Network& network, const std::string& path, bool none_will_do = false);
PortValues parse_port_weights(const Network& network, std::string_view text, const std::string& name);

/// The same with numbers of data lanes in place of weights, as InfiniBand has them: 1, 2, 4, 8 or 15.
PortValues read_port_lanes(const Network& network, const std::string& path);
PortValues parse_port_lanes(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
