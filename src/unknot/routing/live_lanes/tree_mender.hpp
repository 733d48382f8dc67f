// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/live_lanes/lane_update.hpp"
#include "unknot/routing/live_lanes/turn_rules.hpp"
#include "unknot/tables/blocks/tree_tables.hpp"

namespace unknot {

/// Mends trees block by block: routers whose entry cannot stay take another channel, after which all that
/// comes through them has a path that some lane allows.
///
/// A router's path is allowed on the lanes that allow each of its turns, so that what is known of the next
/// router's path says all. A router that needs a channel takes one whose path is the shortest, of these one
/// by which all that came through it keep their entries, of these the least loaded path. Those behind it that
/// would have no lane look for a channel themselves, and so on. What is left over takes the escape's path,
/// and so do those that had passed where it goes and have no lane any more.
class TreeMender {
 public:
  /// All must outlive this. Loads are counted here. O(entries).
  TreeMender(const LiveNetwork& network, TreeTables& tables, const TurnRules& rules,
             const EscapeOrder& escape);

  /// What could stay where it is makes no channel that has come back busier than this.
  void set_enough(std::uint32_t pairs) { enough_ = pairs; }
  /// Looks at one block until end(). `hops`: of shortest paths towards its home, by router.
  void begin(std::uint32_t block, const std::uint8_t* hops);
  /// The router's entries of these places cannot stay.
  void add_root(RouterId router, std::uint64_t places);
  /// Entries for all roots, and for what they must change.
  void mend();
  /// The home is dead: nothing leads there.
  void clear();
  /// The router has come nearer: goes there where all that comes through it can stay behind it.
  void come_nearer(RouterId router);
  /// Channels that have come back take what is no longer by them, and less loaded.
  void fill(std::span<const ChannelId> channels);
  /// A channel with more than `most` pairs gives some to paths that are as short and less loaded.
  void relieve(ChannelId channel, std::uint32_t most);
  /// The router is dead: it sends nothing. Before mend(); no root.
  void drop(RouterId router);
  /// Lists what differs since begin().
  void end(LaneUpdate& update);

  /// Whether some level of the block may be the escape's.
  [[nodiscard]] bool uses_escape(std::uint32_t block) const { return uses_escape_[block] != 0; }
  /// Adds roots for paths on the escape's lane that it no longer allows, of routers that it has moved. Before
  /// all other roots.
  void add_lost_escapes(std::span<const RouterId> moved);
  /// By channel: pairs of terminals whose path takes it.
  [[nodiscard]] const std::vector<std::uint32_t>& load() const { return load_; }

 private:
  using Mask = TurnRules::Mask;
  static constexpr std::uint32_t kNoRouter = 0xFFFFFFFFU;
  struct Way {
    std::uint32_t hops;
    Mask mask;  // lanes that allow it; 0: none, or no path
  };
  struct Candidate {
    double cost;
    std::uint32_t hops;
    std::uint8_t position;
    Mask mask;
    bool operator<(const Candidate& other) const {
      return hops != other.hops ? hops < other.hops : cost < other.cost;
    }
  };
  struct Changed {
    std::uint32_t place, router;
    std::uint8_t before, after;
  };

  [[nodiscard]] std::uint8_t& entry(std::uint32_t router) { return tree_[std::size_t{router} * places_]; }
  [[nodiscard]] ChannelId channel(std::uint32_t router, std::uint8_t position) const {
    return ChannelId(network_->network().out(RouterId(router)).first() + position);
  }
  [[nodiscard]] bool open(std::uint32_t router) const {
    return mark_[router] == stamp_ && settled_[router] == 0;
  }
  /// What a path pays for a channel: so much more where it is loaded that the greatest load is what counts.
  [[nodiscard]] double price(std::uint32_t channel, std::uint32_t more = 0) const {
    const double load = load_[channel] + more;
    const double fourth = load * load * load * load;
    return fourth * fourth;
  }
  [[nodiscard]] std::uint32_t pairs_moved() const;
  [[nodiscard]] bool has_enough(ChannelId channel, std::uint32_t pairs);
  void count_loads();
  void find_cut();
  [[nodiscard]] std::uint64_t rooted() const;
  void take_tree(std::uint32_t place);
  void forget_cut();
  void mend_place(std::uint32_t place);
  void look_for_all();
  bool look_for(std::uint32_t router);
  void list_candidates(std::uint32_t router, bool shortest_only);
  [[nodiscard]] std::uint32_t failing(std::uint32_t router, std::uint8_t position, Mask mask);
  void settle(std::uint32_t router, std::uint8_t position, Way way);
  Way way_by(std::uint32_t router, std::uint8_t position);
  Way way(std::uint32_t router);
  [[nodiscard]] double cost_from(std::uint32_t router);
  void move_loads(std::uint32_t router, std::uint32_t pairs);
  void look_at_tree(std::uint32_t place);
  void take_loads();
  void finish(std::uint32_t place);
  void take_escape();
  void go_escape(std::uint32_t router);
  void take_level(std::uint32_t place, std::uint32_t router, Mask mask);
  void list_shorter(std::uint32_t router);
  void list_lighter(std::uint32_t router);
  void list_only(ChannelId channel);
  bool take_one(std::uint32_t router);
  template <class List>
  void move_all(RouterId router, std::uint64_t places, const List& list);
  void forget_dropped();

  const LiveNetwork* network_;
  TreeTables* tables_;
  const TurnRules* rules_;
  const EscapeOrder* escape_;
  std::vector<std::uint32_t> load_;        // by channel
  std::vector<std::uint32_t> weight_;      // by router: its terminals
  std::vector<std::uint8_t> uses_escape_;  // by block

  std::uint32_t enough_ = 0xFFFFFFFFU;

  // The block at hand.
  std::uint32_t block_ = 0, places_ = 0;
  RouterId home_;
  const std::uint8_t* hops_ = nullptr;
  std::vector<std::uint64_t> cut_, root_, pending_;  // by router: places
  std::vector<std::uint32_t> cut_list_, dropped_;
  std::vector<std::uint64_t> wanted_;  // by channel to be filled: places
  std::vector<Changed> entries_, levels_;
  std::vector<std::uint8_t> escape_tree_;  // by router; empty: not made yet
  std::uint32_t escaped_ = 0;

  // The tree at hand, by router where its mark is the stamp.
  std::uint8_t* tree_ = nullptr;
  std::uint32_t stamp_ = 0, way_stamp_ = 0;
  std::vector<std::uint32_t> mark_, way_mark_;
  std::vector<std::uint8_t> settled_, loaded_, old_, escaping_;
  std::vector<std::uint32_t> first_kid_, next_kid_;
  std::vector<Way> way_;
  std::vector<std::uint32_t> waits_;  // by router: the round in which it has waited
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> members_, queue_, waiting_, path_;
  std::vector<Candidate> candidates_;
};

}  // namespace unknot
