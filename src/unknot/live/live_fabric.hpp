// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/live/live_fabric_base.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

struct LiveFabricOptions {
  /// Tables are those that engine clos makes anew, entry for entry; else as few entries change as can be.
  bool exact = false;
  std::uint32_t threads = 1;              ///< of the routing; 0: all. The proof takes one.
  std::vector<std::uint64_t> roots = {};  ///< GUIDs of the switches at the top; empty: found
};

/// A fabric that changes, its tables and their proof, held by whoever needs them in its own process: a
/// subnet manager, or a simulator. Each event is routed by engine clos (LiveClos), which is for trees and
/// routes anything else with them, and proven by a checker that has a copy of the tables of its own and
/// knows nothing but the entries it is told (LiveProof). For networks that need lanes: LiveLaneFabric.
///
/// Memory: some four bytes for each router and terminal; it does not grow with the number of events.
class LiveFabric final : public LiveFabricBase {
 public:
  /// `in_force`: a table of with_faults(network, dead), by anyone, of which sticky tables keep what they can;
  /// null: all is made anew. Throws RoutingFailure where there are no tables, and InputError where a GUID is
  /// there twice. O(table).
  LiveFabric(Network network, const Faults& dead, const LiveFabricOptions& options, Progress& progress,
             const ForwardingTable* in_force = nullptr);
  ~LiveFabric() override;

  const LiveStep& apply(const LiveChange& change, Progress& progress) override;
  /// All tables as engine clos makes them, which takes back what sticky ones have drifted.
  const LiveStep& make_anew(Progress& progress) override;

  [[nodiscard]] const LiveNetwork& live() const override;
  [[nodiscard]] std::uint32_t entry(RouterId router, TerminalId destination) const override;
  /// By channel: numbers that go up along each dependency of the tables in force, the proof that they cannot
  /// deadlock. Only where verdict().deadlock_free.
  [[nodiscard]] std::span<const std::uint32_t> order() const;

 private:
  struct Parts;
  template <class Route>
  const LiveStep& follow(const LiveChange& change, const Route& route);

  std::unique_ptr<Parts> parts_;
};

}  // namespace unknot
