// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/verify/transit_check.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// Files in which an administrator says how a fabric is to be routed; "": not given.
struct GuidanceFiles {
  std::string roots = {};
  std::string no_transit = {};
  std::string order = {};
  std::string compute_nodes = {};
  std::string io_nodes = {};
  std::string hop_weights = {};
  bool by_rate = false;
  bool port_shifting = false;
  std::uint32_t scatter_seed = 0;

  [[nodiscard]] bool any() const;
};

/// Declares --root-guids, --no-transit, --guid-routing-order, --cn-guids, --io-guids, --hop-weights,
/// --by-rate, --port-shifting and --scatter-ports.
/// Returns them.
std::vector<CLI::Option*> add_guidance_options(CLI::App& app, GuidanceFiles& files);
/// Declares --no-transit of a command that checks tables.
CLI::Option* add_transit_option(CLI::App& app, std::string& file);

/// What they say. GUIDs that the network does not have are passed over, as OpenSM does, with a note.
/// InputError for what cannot be read, and for a file that names nothing in the network, unless
/// `none_will_do`.
Guidance read_guidance(const Network& network, const GuidanceFiles& files, const Common& common,
                       bool none_will_do = false);

/// InputError, which names engines that do, where the engine makes no use of something that is given.
void require_heeded(const std::string& engine, const GuidanceFiles& files);
/// InputError where the routers closed to transit would have to hold for trees, too.
void require_transit_of_pairs(const std::string& no_transit, bool multicast, const char* command);

/// The routers that a file closes to traffic between others, and what the checker says of a routing.
struct TransitRun {
  std::vector<RouterId> closed;
  TransitCheck check;
  /// Of what hosts and routers send to routers, and routers to hosts: pairs that pass through all the same.
  /// Told, and no failure: routers without hosts may have no other way.
  std::uint64_t management_pairs = 0;
};
/// Nothing where no router is closed.
std::optional<TransitRun> transit_run(const Network& network, const Routing& routing,
                                      const Guidance& guidance);

/// Counts management_pairs: of a network with management and its routing, those of data included.
void add_management_transit(const Network& managed, const Routing& routing, std::optional<TransitRun>& run);

/// Adds "no_transit": closed routers, pairs that pass through them, and the first of these pairs.
void add_transit(Json& document, const Network& network, const std::optional<TransitRun>& run);
/// "no pair passes through the 2 routers" or "NO, 12 pairs pass through leaf-1".
std::string transit_answer(const Network& network, const TransitRun& run);
/// The first of the pairs, each a line; "" where there is none.
std::string transit_text(const Network& network, const TransitRun& run);

}  // namespace unknot::cli
