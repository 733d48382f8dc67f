// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// `verify` on what was collected from the switches of an Ethernet fabric.
struct EthernetRequest {
  std::string folder;  ///< "": no such thing is asked for
  std::vector<std::uint32_t> queues;
  bool failures = false;
  std::uint32_t failure_pairs = 0;
  std::string tags;  ///< file for the rules; "": none
};

/// Declares --ethernet, which is returned, and the options that need it; it excludes what else the command
/// has of --traffic, --multicast-groups and --write-certificate, which are declared before.
CLI::Option* add_ethernet_options(CLI::App& app, EthernetRequest& request);

Answer verify_ethernet(const EthernetRequest& request, const Common& common);

}  // namespace unknot::cli
