// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/bulk_vector.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/verify/live/dependency_counts.hpp"

namespace unknot {

/// Where the packets for each destination go, kept entry by entry: what LiveProof knows of the tables.
///
/// A router is busy towards a destination when packets to it come through, its own terminals' among them: it
/// has such terminals, or some busy router sends to it. Of each router and destination the busy routers that
/// send to it are counted. Dependencies are those between the channel that a busy router sends to and the
/// one that follows it. A loop keeps itself busy: recount() finds those that nobody feeds.
///
/// Entry: std::uint8_t where no router has more than 252 channels out or in, else std::uint16_t.
template <class Entry>
class LiveForest {
 public:
  /// Of what lives. The network must outlive it. O(table).
  LiveForest(const LiveNetwork& network, const ForwardingTable& table);

  // What will be looked at soon is asked for before it is needed: most of the time goes into waiting for
  // memory. First the entry, some entries later where it leads, then what is counted there.
  void expect(std::uint32_t router, std::uint32_t terminal) const { bring_near(&cell(router, terminal)); }
  void expect_next(std::uint32_t router, std::uint32_t terminal, Entry entry) const {
    if (const std::uint32_t c = edge(router, entry); c != kNowhere)
      bring_near(&cell(hops_[c].target, terminal));
  }
  void expect_count(std::uint32_t router, std::uint32_t terminal, Entry entry) const {
    const std::uint32_t c = edge(router, entry);
    if (c == kNowhere) return;
    const std::uint32_t after = edge(hops_[c].target, cell(hops_[c].target, terminal).entry);
    if (after != kNowhere) dependencies_.expect(c, after - hops_[c].target_first);
  }
  [[nodiscard]] Entry stored(std::uint32_t router, std::uint32_t terminal) const {
    return cell(router, terminal).entry;
  }

  // An event: first lift() what changes, retire() routers and block() channels, then the opposite.
  /// The entry leads nowhere for now; returns what it was. O(hops + channels in).
  Entry lift(std::uint32_t router, std::uint32_t terminal);
  void put(std::uint32_t router, std::uint32_t terminal, Entry entry);
  /// Terminals of a router send no more and are no destinations. O(terminals + terminals of it * routers).
  void retire(RouterId router);
  void enlist(RouterId router);
  /// No packet may take the channel. Before a channel is blocked or opened, all entries into it must be
  /// lifted.
  void block(ChannelId c) { usable_[c.value] = 0; }
  void open(ChannelId c) { usable_[c.value] = 1; }
  /// Entries of its source that lead into the channel.
  [[nodiscard]] std::uint32_t entries_into(ChannelId c) const { return entries_into_[c.value]; }
  /// After an event: dependencies and pairs as they are. O(destinations touched), and O(routers) for those
  /// that need it.
  void conclude();

  [[nodiscard]] std::uint32_t entry(std::uint32_t router, std::uint32_t terminal) const {
    return ForwardingTable::position_of(cell(router, terminal).entry);
  }
  [[nodiscard]] const DependencyCounts& dependencies() const { return dependencies_; }
  [[nodiscard]] std::uint64_t unroutable_pairs() const { return unroutable_; }
  [[nodiscard]] std::uint64_t looping_pairs() const { return looping_; }

  // Where very much changes: all entries at once, then what follows from them.
  void set(std::uint32_t router, std::uint32_t terminal, Entry entry) {
    cell(router, terminal).entry = entry;
  }
  /// Everything from the entries again, with what lives now. O(table).
  void fill(const LiveNetwork& network);

 private:
  struct Cell {
    Entry entry;
    Entry senders;  // busy routers that send here
  };
  struct Hop {
    std::uint32_t target;
    std::uint32_t target_first;  // of the channels that leave the target
  };
  struct Feeder {
    std::uint32_t channel, from, position;  // a channel into a router
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

  Cell& cell(std::uint32_t router, std::uint32_t terminal) {
    return cells_[std::size_t{router} * stride_ + terminal];
  }
  [[nodiscard]] const Cell& cell(std::uint32_t router, std::uint32_t terminal) const {
    return cells_[std::size_t{router} * stride_ + terminal];
  }
  /// Channel that packets to the terminal leave by; kNowhere where they do not.
  [[nodiscard]] std::uint32_t edge(std::uint32_t router, Entry entry) const {
    const std::uint32_t first = out_first_[router];
    if (entry >= out_first_[router + 1] - first) return kNowhere;
    return usable_[first + entry] != 0 ? first + entry : kNowhere;
  }
  [[nodiscard]] std::uint32_t own(std::uint32_t router, std::uint32_t terminal) const {
    if (router < senders_from_[terminal]) return 0;
    return sources_[router] - (sources_[router] > 0 && router == home_[terminal] ? 1U : 0U);
  }
  [[nodiscard]] bool busy(std::uint32_t router, std::uint32_t terminal) const {
    return cell(router, terminal).senders > 0 || own(router, terminal) > 0;
  }
  [[nodiscard]] bool arrives(std::uint32_t router, std::uint32_t terminal, Entry entry) const {
    return entry == ForwardingTable::here<Entry> && home_[terminal] == router;
  }
  /// Where a busy router's packets end, some are lost unless they arrive.
  void ends(std::uint32_t router, std::uint32_t terminal, Entry entry, std::uint32_t more) {
    if (!arrives(router, terminal, entry)) lost_ends_[terminal] += more;
  }
  template <class EntryOf>
  void fill(const LiveNetwork& network, const EntryOf& entry_of);
  template <class Visit>
  void for_each_sender(std::uint32_t router, std::uint32_t terminal, const Visit& visit) const;
  void touch(std::uint32_t terminal) {
    if (touched_[terminal] != 0) return;
    touched_[terminal] = 1;
    touched_list_.push_back(terminal);
  }
  void becomes_busy(std::uint32_t router, std::uint32_t terminal);
  void count_senders(std::uint32_t router, std::uint32_t terminal);
  void count_block(const LiveNetwork& network, std::uint32_t begin, std::uint32_t end);
  /// It has sent by that entry, and sends no more.
  void becomes_idle(std::uint32_t router, std::uint32_t terminal, Entry entry);
  void sends_less(std::uint32_t channel, std::uint32_t terminal);
  void recount(std::uint32_t terminal);
  void stop_unfed_loops(std::uint32_t terminal);

  const Network* network_;
  std::uint32_t terminals_;
  std::uint32_t stride_;  // of rows: no power of two, for which all rows would share a few lines of a cache
  DependencyCounts dependencies_;
  BulkVector<Cell> cells_;                   // router-major
  std::vector<std::uint32_t> out_first_;     // by router, and one more
  std::vector<Hop> hops_;                    // by channel
  std::vector<Feeder> feeders_;              // by router
  std::vector<std::uint32_t> feeder_first_;  // by router, and one more
  std::vector<std::uint8_t> usable_;         // by channel
  std::vector<std::uint32_t> entries_into_;  // by channel
  std::vector<std::uint32_t> home_;          // by terminal: its router
  std::vector<std::uint32_t> senders_from_;  // by terminal: routers below have no terminals that send to it
  std::vector<std::uint32_t> sources_;       // by router: terminals that send
  std::vector<std::uint32_t> lost_ends_;     // by terminal: busy routers where packets to it are lost
  std::vector<std::uint32_t> lost_;          // by terminal: sources that do not reach it
  std::vector<std::uint32_t> loops_;         // by terminal: part of these, into loops
  std::vector<std::uint8_t> touched_;        // by terminal: something has changed in this event
  std::vector<std::uint32_t> touched_list_;
  std::uint64_t unroutable_ = 0, looping_ = 0;
  std::vector<std::uint8_t> fate_;   // of recount(), by router
  std::vector<std::uint32_t> path_;  // of recount()
};

extern template class LiveForest<std::uint8_t>;
extern template class LiveForest<std::uint16_t>;

}  // namespace unknot
