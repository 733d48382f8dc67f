// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"
#include "unknot/tables/blocks/tree_tables.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/verify/live/arc_order.hpp"

namespace unknot {

/// What is so of tables after an event.
struct LiveLaneVerdict {
  bool fits = true;           ///< the changes are of what is in force
  bool delivers = true;       ///< every pair that the network joins, over channels that live, without a loop
  bool deadlock_free = true;  ///< on no lane packets can wait in a circle
  std::uint64_t pairs = 0;    ///< ordered pairs of distinct terminals that live
  std::uint64_t missing_pairs = 0;       ///< of terminals at different routers, joined but not delivered
  std::uint64_t disconnected_pairs = 0;  ///< joined by no path, whatever the tables
  /// Arcs of the channel dependency graph, all lanes: those of paths that arrive.
  std::uint64_t dependencies = 0;
  std::string why;  ///< one sentence where something is not so

  [[nodiscard]] bool usable() const { return fits && delivers && deadlock_free; }
};

/// Proves tables with lanes event by event, by whomever they are made: told what has died or come back and
/// which entries and levels differ, it says whether all that verify() asks for is so, and looks only at what
/// the event touches.
///
/// It holds the tables itself, and for each turn from channel to channel and each lane how many (router,
/// destination) paths make it. Paths through a changed entry, and through one that leads into what has died,
/// are walked as they were and as they are; everything else stays as it was. The turns that some path makes
/// are acyclic on each lane as long as numbers rise along all of them (ArcOrder). Delivery is counted and
/// compared with what the living channels join.
///
/// What it proves is of the tables once all changes are in force: every packet on the level that its pair has
/// now. Whoever sends on with a level from before takes the new entries on another lane, and its turns are
/// not counted.
///
/// Memory: 2 bytes for each router and terminal, 4 for each turn and lane. What it is about: the terminals of
/// living routers; entries of dead ones and towards their terminals are no packet's.
class LiveLaneCheck {
 public:
  /// Tables of the whole network, as TreeTables takes them, on `lanes` lanes at most 16. `hint`: by lane all
  /// channels in an order that may do; it need not. The network must outlive this. O(pairs of routers and
  /// terminals * hops).
  LiveLaneCheck(const Network& network, const Routing& routing, std::uint32_t lanes,
                std::span<const std::vector<std::uint32_t>> hint = {});

  [[nodiscard]] const LiveLaneVerdict& verdict() const { return verdict_; }
  /// Positions in changes are among all channels of a router, dead ones too. After tables that are not usable
  /// the next event is checked from scratch. Throws as LiveNetwork::apply(), and InputError where half a
  /// cable is named. O(paths touched * hops + channels).
  const LiveLaneVerdict& apply(const LiveChange& change, std::span<const EntryChange> entries,
                               std::span<const LevelChange> levels);

  [[nodiscard]] const LiveNetwork& network() const { return network_; }
  [[nodiscard]] const TreeTables& tables() const { return tables_; }
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }

 private:
  void count_all();
  void number_all(std::span<const std::vector<std::uint32_t>> hint);
  [[nodiscard]] bool number_lane(std::uint32_t lane, std::span<const std::uint32_t> hint);
  void sort_changes(std::span<const EntryChange> entries, std::span<const LevelChange> levels);
  void check_block(std::uint32_t block, const LiveEvent& event);
  void find_roots(std::uint32_t block, const LiveEvent& event);
  void add_root(std::uint32_t router, std::uint64_t places);
  void find_cut(std::uint32_t block);
  void make_changes(std::uint32_t block);
  void walk(std::uint32_t block, std::uint32_t place, RouterId from, bool add);
  void judge();
  void list_near(const LiveEvent& event);
  void fetch_ahead(std::uint32_t block) const;
  void add_arcs();
  void complain(bool& which, std::string why);
  template <class Visit>
  void for_each_after(std::uint32_t lane, std::uint32_t channel, const Visit& visit) const;
  template <class Visit>
  void for_each_before(std::uint32_t lane, std::uint32_t channel, const Visit& visit) const;

  LiveNetwork network_;
  TreeTables tables_;
  std::uint32_t lanes_;
  LiveLaneVerdict verdict_;
  std::vector<std::uint32_t> first_turn_;  // by channel
  BulkVector<std::uint32_t> count_;        // by turn and lane: paths that make it
  std::vector<std::uint16_t> arcs_;        // by turn: lanes whose numbers rise along it
  std::vector<ArcOrder> order_;            // by lane
  std::vector<std::uint64_t> touched_;     // turns * lanes whose count has come to or from 0
  std::uint64_t delivered_ = 0;            // pairs of terminals at different routers
  std::uint64_t turns_made_ = 0;           // turns and lanes whose count is above 0

  // Of the event at hand.
  std::vector<std::uint8_t> alive_, was_alive_;  // by router
  struct Change {
    std::uint32_t place, router, before, after;
    bool level;
  };
  std::vector<std::uint32_t> near_;
  std::vector<Change> changes_;
  std::vector<std::uint32_t> first_change_;                           // by block; one more
  std::vector<std::pair<RouterId, std::vector<std::uint8_t>>> lost_;  // routers, and their channels that died

  // Of the block at hand.
  std::vector<std::uint64_t> cut_, pending_, relevelled_;  // by router: places
  std::vector<std::uint32_t> cut_list_, queue_, steps_;
};

}  // namespace unknot
