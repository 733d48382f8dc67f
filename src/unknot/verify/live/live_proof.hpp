// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/verify/live/live_verdict.hpp"

namespace unknot {

/// The checker for tables that follow their network. It holds what is in force, a copy of its own, and looks
/// at what an event changes, by whomever the changes were made: right ones and wrong ones, tables with holes,
/// loops and deadlocks, and their mending. It knows no engine and believes nothing that it is told but what
/// the entries are from now on.
///
/// For each destination the routers' entries make a forest. Of each router in it the number of routers is
/// kept that send packets there; from it follows which entries packets use at all, as verify() has it: what
/// no packet uses is no dependency. Each pair of channels that follow each other counts the destinations for
/// which packets take both, and DependencyCounts keeps the channels in an order: no cycle, and so no loop
/// either. Packets of a destination whose walks all are without loops can only end where an entry leads
/// nowhere; those ends are counted, and none is left where all is delivered. Where there are some, or a
/// cycle, the destinations that an event touches are counted again router by router.
///
/// One lane, credits, every terminal sends. Everything goes by the numbers of the whole network, as LiveClos
/// has it: an entry is the position of the channel among all that leave its router, dead ones among them; one
/// that leads into a dead channel leads nowhere, and leads on once the channel is back.
///
/// Memory: two bytes for each router and terminal (four where a router has more than 252 channels), four for
/// each pair of channels that follow each other; it does not grow.
class LiveProof {
 public:
  /// `table`: what is in force, of the whole network. All its parts that may ever be there must be in it, and
  /// it must outlive this. O(table).
  LiveProof(const Network& network, const Faults& dead, const ForwardingTable& table);
  ~LiveProof();
  LiveProof(const LiveProof&) = delete;
  LiveProof& operator=(const LiveProof&) = delete;

  /// Parts die and come back, and at the same time entries change to EntryChange::after (`before` is not
  /// looked at). Throws std::out_of_range for ids that the network does not have: then nothing has changed.
  /// O(changes * (hops + channels into a router to which packets come)), and O(routers) for each destination
  /// that is touched while some of its packets are lost, or any dependencies make a cycle; O(table) where
  /// more than a tenth of all entries change.
  const LiveVerdict& apply(const LiveChange& change, std::span<const EntryChange> entries);

  [[nodiscard]] const LiveVerdict& verdict() const { return verdict_; }
  [[nodiscard]] const LiveNetwork& network() const { return network_; }
  /// In force, as ForwardingTable::get().
  [[nodiscard]] std::uint32_t entry(RouterId router, TerminalId destination) const;
  /// By channel: numbers that go up along every dependency. Only where deadlock_free.
  [[nodiscard]] std::span<const std::uint32_t> order() const;

 private:
  struct State;
  void check_ids(std::span<const EntryChange> entries) const;
  void conclude(bool network_changed);

  LiveNetwork network_;
  std::unique_ptr<State> state_;
  LiveVerdict verdict_;
};

}  // namespace unknot
