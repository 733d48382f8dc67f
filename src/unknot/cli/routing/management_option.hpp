// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/verify/verify.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What a proof is about besides what hosts send to hosts.
struct ManagementChoice {
  std::string traffic = "all";
  std::string hosts;                   ///< as parse_nodes() takes it
  std::optional<std::uint32_t> lanes;  ///< lanes more, at most; nothing: all that the hardware has
  [[nodiscard]] bool wanted() const { return traffic != "data"; }
};

/// Declares --traffic.
void add_traffic_option(CLI::App& app, ManagementChoice& choice);
/// Declares --traffic, --management-hosts and --management-lanes.
void add_management_options(CLI::App& app, ManagementChoice& choice);
/// `lanes`: what the hardware has. InputError for hosts that name nothing.
ManagementRequest management_request(const ManagementChoice& choice, const Network& network,
                                     std::uint32_t data_lanes, std::uint32_t lanes, std::uint32_t threads);

/// A routing with its management, and the proof of both together.
struct ManagedRun {
  ManagedNetwork managed;
  ManagedRouting result;
  Verdict verdict;
  double seconds = 0;         ///< of making it
  double verify_seconds = 0;  ///< of the proof
};

/// The verdict on data, as far as that is about pairs, and on all traffic, as far as that is about lanes; its
/// terminals are those of the network with management.
Verdict with_proof_of(const ManagedNetwork& managed, const Verdict& data, Verdict all);

/// Adds "traffic": what the verdict covers.
void add_traffic(Json& document, bool management);
/// Adds "traffic" and, unless `run` is null, "management": its pairs and those that are not delivered.
void add_management(Json& document, const Verdict& data, const ManagedRun* run);
/// Adds to "management" what making it took: lanes, and pairs that have no way.
void add_management_cost(Json& document, const ManagedRun& run);
/// "Covers data and management: what hosts and routers send to routers, too.\n"
std::string traffic_line(bool management);
/// What is to be known of it: lanes more, pairs left out, hosts that are answered on another level; else "".
std::string management_text(const ManagedRun& run);

}  // namespace unknot::cli
