// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/addressed_run.hpp"
#include "unknot/cli/routing/management_option.hpp"
#include "unknot/cli/routing/multicast_run.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {

/// A routing with its management, and the proof of both together.
struct ManagedRun {
  ManagedNetwork managed;
  ManagedRouting result;
  std::shared_ptr<const MulticastRun> multicast;  ///< made for both together; null where none was asked for
  /// With an address a terminal, where there are several: what files are written from; else null.
  std::shared_ptr<const AddressedRun> addressed;
  Verdict verdict;
  double seconds = 0;         ///< of making the management
  double verify_seconds = 0;  ///< of the proof
};

/// What files of a routing hold that name switches: with the management where there is one.
struct FileContent {
  const Network& network;
  const Routing& routing;
};
FileContent file_content(const Network& network, const Routing& data, const ManagedRun* run,
                         const AddressedRun* addressed = nullptr);
/// Writes tables with the management where the format holds it, else without; to several addresses as
/// TableFormat::several_addresses says. A format that declares lanes, which bind whoever reads it, declares
/// `lanes` at least: those of trees and classes of service.
void write_tables_with(const Network& network, const Routing& data, const ManagedRun* run,
                       const AddressedRun* addressed, std::uint32_t lanes, const std::string& format,
                       const std::string& path);
/// The choice where levels go into no file: on the lanes of the data, which is the first alone then.
ManagementChoice without_levels(ManagementChoice choice);

/// The management of a routing, as chosen, on the lanes that the hardware has, multicast where that is chosen
/// too, and the proof of all. RoutingFailure never: what has no way is named. `addressed` is the data as the
/// engine made it for several addresses of a terminal, null where each has one.
std::shared_ptr<ManagedRun> managed_run(const Network& network, const Routing& data,
                                        const AddressedRun* addressed, const ManagementChoice& choice,
                                        const MulticastChoice& multicast, std::uint32_t lanes,
                                        const VerifyOptions& checks, Progress& progress);

/// The verdict on data, as far as that is about pairs, and on all traffic, as far as that is about lanes; its
/// terminals are those of the network with management.
Verdict with_proof_of(const ManagedNetwork& managed, const Verdict& data, Verdict all);

/// Adds "traffic": what the verdict covers.
void add_traffic(Json& document, bool management, bool multicast);
/// Adds "traffic" and, unless `run` is null, "management": its pairs and those that are not delivered.
void add_management(Json& document, const Verdict& data, const ManagedRun* run);
/// Adds to "management" what making it took: lanes, and pairs that have no way.
void add_management_cost(Json& document, const ManagedRun& run);
/// "The proof covers data and management: what hosts and routers send to routers, too.\n"
std::string traffic_line(bool management, bool multicast);
/// What is to be known of it: lanes more, pairs left out, hosts that are answered on another level; else "".
std::string management_text(const ManagedRun& run);

}  // namespace unknot::cli
