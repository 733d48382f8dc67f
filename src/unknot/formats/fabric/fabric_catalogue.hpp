// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// One outside format of fabrics. A row reads, writes, or both.
struct FabricFormat {
  std::string name;
  std::string summary;
  /// True when the text can only be of this format, judged by its first few kilobytes. Null where it cannot
  /// be read.
  std::function<bool(std::string_view head)> recognises;
  /// Null where it cannot be read. `name` is the file's, for messages.
  std::function<Network(std::string_view text, const std::string& name)> read;
  /// The text of a network. Null where it cannot be written. Throws InputError where the format cannot hold
  /// the network.
  std::function<std::string(const Network&)> write;
  bool holds_latencies = false;   ///< the text has those that the network states
  bool holds_capacities = false;  ///< likewise
  /// The same as `read` for a text with several subnets in it. Null where a fabric must be in one part.
  std::function<Network(std::string_view text, const std::string& name)> read_parts = {};
  bool holds_lmc = false;  ///< the text has the LMC of hosts
};

const std::vector<FabricFormat>& fabric_formats();

/// A network from a spec ("torus:4x4") or a file ("-": standard input), the format told by its content.
Network read_fabric(const std::string& spec_or_path);
/// The same from the text of a file; `name` is for messages.
Network read_fabric_text(std::string_view text, const std::string& name);
/// The same where cables need not join all routers into one fabric, and each part may have LIDs of its own:
/// ibnetdiscover's, ibsim's and OpenSM's files. Coordinates are not looked for.
Network read_fabric_in_parts(const std::string& spec_or_path);
/// Writes through a temporary file and a rename; "-" is standard output.
void write_fabric(const Network& network, std::string_view format, const std::string& path);

}  // namespace unknot
