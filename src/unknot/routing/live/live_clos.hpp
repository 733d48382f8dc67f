// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/candidate_sets.hpp"
#include "unknot/routing/dealing/clos_plan.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

class DirtyUnits;

/// What tables are to be after an event.
enum class Upkeep : std::uint8_t {
  exact,   ///< those that engine clos makes anew, entry for entry
  sticky,  ///< as few entries changed as can be, loads nearly as even
};

struct LiveOptions {
  Upkeep upkeep = Upkeep::sticky;
  std::uint32_t threads = 0;  ///< 0: all
  /// GUIDs of the routers at the top, as Guidance::roots; empty: found from where the terminals are. Those
  /// that are dead do not count.
  std::vector<std::uint64_t> roots = {};
};

/// What an event has changed.
struct LiveUpdate {
  /// Entries that differ, positions among all channels of the router; by router where not `anew`.
  std::vector<EntryChange> entries;
  bool anew = false;  ///< all was made anew: what an event changes could not be told apart
};

/// Tables of engine clos that follow their network: cables and routers die and come back, and only what
/// follows from it is looked at. Made for a subnet manager that wants new tables before anybody notices.
///
/// Everything goes by the numbers of the whole network: a row for every router, an entry the position of the
/// channel among all that leave it, dead ones among them. Entries of dead routers, towards their terminals
/// and where no path is left are none. table_now() is the table of with_faults() of it.
///
/// Exact: the order, the groups and all weights are found again (ClosPlan, milliseconds: a cable has some
/// part in the weights of all others, but they are rounded), and the entries whose candidates or weights
/// differ are dealt again. Where levels, groups or destinations are others than before, all is made anew: a
/// leaf switch that dies or comes back, a cable that joins what was in parts.
///
/// Sticky: an entry stays as long as it is a candidate. Those that cannot stay go where most is missing to
/// the share of a channel; to a channel that comes back, as many are moved as its share. Order and weights
/// stay those of the last time that all was made anew, so that loads drift by and by: make_anew() every
/// hundred events or so takes that back. Pairs that the order leaves without a path although there is one get
/// another order: all is made anew.
///
/// Both: packets go up, then down, in one order, and every pair with a path is delivered. That is for a
/// checker to say (verify() of table_now() on with_faults()). Parts of the fabric that are not a tree cost
/// what engine clos costs. The same at any number of threads. Memory: that of the table, and some bits for
/// each router and destination router.
class LiveClos {
 public:
  /// The network must outlive this; all its parts that may ever be there must be in it. `in_force`: a table
  /// of with_faults() of it, by anyone, of which sticky tables keep what they can; null: all is made anew.
  /// Throws as the engine does. O(clos).
  LiveClos(const Network& network, const Faults& dead, const LiveOptions& options, Progress& progress,
           const ForwardingTable* in_force = nullptr);
  ~LiveClos();
  LiveClos(const LiveClos&) = delete;
  LiveClos& operator=(const LiveClos&) = delete;

  /// An event, however many parts it is about. Throws std::out_of_range for ids the network does not have,
  /// and as the engine does: then the network has changed, and the table is good for nothing until an event
  /// goes well. What it returns is good until the next event.
  const LiveUpdate& apply(const LiveChange& change, Progress& progress);
  /// All by the engine, as it does it on the network as it is. O(clos).
  const LiveUpdate& make_anew(Progress& progress);

  [[nodiscard]] const LiveNetwork& network() const { return network_; }
  [[nodiscard]] const ForwardingTable& table() const { return table_; }
  /// The table of with_faults(network, faults). O(table).
  [[nodiscard]] ForwardingTable table_now() const;

 private:
  void make(const ForwardingTable* in_force, Progress& progress);
  void make_elsewhere(Progress& progress);
  [[nodiscard]] std::vector<std::uint32_t> heights() const;
  void take_table(const ForwardingTable& now);
  void mend_all();
  bool update_exact(const LiveEvent& event);
  bool update_sticky(const LiveEvent& event);
  void find_strength(RouterId router);
  [[nodiscard]] std::uint32_t channels_up(RouterId router) const;
  bool follow_reach(const LiveEvent& event, const UpDownOrder& order, DirtyUnits& units);

  LiveNetwork network_;
  LiveOptions options_;
  std::vector<RouterId> roots_;
  std::unique_ptr<const ClosPlan> plan_;  // null: not a tree, the engine makes all
  std::unique_ptr<LegalReach> reach_;     // of it
  std::unique_ptr<CandidateSets> sets_;   // of the reach; null: sticky
  ForwardingTable table_;
  LiveUpdate update_;                      // the last one: its memory serves the next
  std::vector<std::uint8_t> placed_;       // by router: had a height when all was made anew
  std::vector<std::uint32_t> planned_up_;  // by router: channels up when the weights were made
  std::vector<float> strength_;            // by router: weights of channels to it are multiplied by it
  bool made_ = false;                      // nothing has failed since the last event
};

}  // namespace unknot
