// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/verify/live/live_verdict.hpp"

namespace unknot {

struct LiveFabricOptions {
  /// Tables are those that engine clos makes anew, entry for entry; else as few entries change as can be.
  bool exact = false;
  std::uint32_t threads = 1;              ///< of the routing; 0: all. The proof takes one.
  std::vector<std::uint64_t> roots = {};  ///< GUIDs of the switches at the top; empty: found
};

/// What an event has led to.
struct LiveStep {
  /// What is to be installed, by router and destination; positions among all channels of the router in the
  /// whole network. Good until the next event.
  std::span<const EntryChange> entries = {};
  LiveVerdict verdict = {};  ///< of the tables with these entries, on the fabric as it is now
  bool anew = false;         ///< all tables were made anew: what the event changes could not be told apart
  /// Processor time of the thread that called.
  double route_seconds = 0, proof_seconds = 0;
};

/// A fabric that changes, its tables and their proof, held by whoever needs them in its own process: a
/// subnet manager, or a simulator. Each event is routed by engine clos (LiveClos), which is for trees and
/// routes anything else with them, and proven by a checker that has a copy of the tables of its own and
/// knows nothing but the entries it is told (LiveProof).
///
/// Everything goes by the numbers of the whole network, which has all parts that may ever be there. Not to be
/// used by two threads at once. Memory: some four bytes for each router and terminal; it does not grow with
/// the number of events.
class LiveFabric {
 public:
  /// `in_force`: a table of with_faults(network, dead), by anyone, of which sticky tables keep what they can;
  /// null: all is made anew. Throws RoutingFailure where there are no tables, and InputError where a GUID is
  /// there twice. O(table).
  LiveFabric(Network network, const Faults& dead, const LiveFabricOptions& options, Progress& progress,
             const ForwardingTable* in_force = nullptr);
  ~LiveFabric();
  LiveFabric(const LiveFabric&) = delete;
  LiveFabric& operator=(const LiveFabric&) = delete;

  /// An event, however many parts it is about. Throws std::out_of_range for ids that the network does not
  /// have: then nothing has changed; and RoutingFailure: then the parts have changed and no entry, verdict()
  /// is of what is in force, and the next event that can be routed makes good for both.
  const LiveStep& apply(const LiveChange& change, Progress& progress);
  /// Lines as PartNames::events() takes them, and as InputError refuses them: then nothing has changed.
  const LiveStep& apply_events(std::string_view text, const std::string& file, Progress& progress);
  /// All cables that are there now, as PartNames::cable_list() takes them.
  const LiveStep& apply_cable_list(std::string_view text, const std::string& file, Progress& progress);
  /// All tables as engine clos makes them, which takes back what sticky ones have drifted.
  const LiveStep& make_anew(Progress& progress);

  [[nodiscard]] const Network& network() const;
  [[nodiscard]] const LiveNetwork& live() const;
  [[nodiscard]] const LiveStep& last() const { return step_; }
  [[nodiscard]] const LiveVerdict& verdict() const;
  /// In force, as ForwardingTable::get().
  [[nodiscard]] std::uint32_t entry(RouterId router, TerminalId destination) const;
  /// The port of that entry: of the terminal where it is attached to the router; 0: no route.
  [[nodiscard]] std::uint16_t port(RouterId router, TerminalId destination, std::uint32_t entry) const;
  /// By channel: numbers that go up along each dependency of the tables in force, the proof that they cannot
  /// deadlock. Only where verdict().deadlock_free.
  [[nodiscard]] std::span<const std::uint32_t> order() const;
  /// What the last event has changed, as a file of one transition step (`unknot reroute --check-transition`,
  /// docs/faults.md).
  [[nodiscard]] std::string difference() const;
  /// Cables and switches that live, as apply_cable_list() takes them.
  [[nodiscard]] std::string cable_list() const;
  /// Switch of that GUID, and what leaves it by that port; invalid where there is none.
  [[nodiscard]] RouterId find_router(std::uint64_t guid) const;
  [[nodiscard]] ChannelId find_channel(std::uint64_t guid, std::uint32_t port) const;

 private:
  struct Parts;
  template <class Route>
  const LiveStep& take(const LiveChange& change, const Route& route);

  std::unique_ptr<Parts> parts_;
  LiveStep step_;
};

}  // namespace unknot
