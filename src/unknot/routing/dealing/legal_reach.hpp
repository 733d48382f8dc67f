// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// Which destination routers each router reaches by paths that go up, then down, and in how many hops: one
/// bit a destination, 64 to a word, so that what a router reaches is the union of what its neighbours do.
///
/// Whichever rule says where a router goes down and where up, each time by the fewest hops: no packet that
/// came down is ever sent up, whatever each router chooses among its candidates; and every pair joined by a
/// path that goes up, then down, has one.
class LegalReach {
 public:
  using Word = std::uint64_t;
  static constexpr std::uint32_t kWordBits = 64;

  enum class Rule : std::uint8_t {
    /// A router goes down wherever some way down leads to the destination: in a tree, where ways down are the
    /// shortest.
    down_first,
    /// Routers decide from the top: one that a router above may go down to goes down; any other takes the
    /// shorter way, down of equals. As UpDownTree does, but the candidates of all terminals of a destination
    /// router are found at once, and count for what may come down.
    shorter,
  };

  /// Destinations of one word that are no longer what they were for a router.
  struct Change {
    RouterId router;
    std::uint32_t word;
    Word bits;
  };

  /// Without an order, every channel leads down: all shortest paths.
  LegalReach(const LiveNetwork& network, std::uint32_t threads);
  /// Destinations are the routers with terminals, in order of id. O(channels * words * hops) word operations,
  /// of which those of empty rows are skipped. `threads` 0: all.
  LegalReach(const LiveNetwork& network, const UpDownOrder& order, Rule rule, std::uint32_t threads);

  [[nodiscard]] std::span<const RouterId> destinations() const { return destinations_; }
  /// Whether the channel leads up, by the order this was made with.
  [[nodiscard]] bool up(ChannelId c) const { return up_[c.value] != 0; }
  /// Words in a set of destinations.
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// (source, destination) pairs of terminals that the rule leaves without a path.
  [[nodiscard]] std::uint64_t missing_pairs() const { return missing_; }

  /// Follows the network, of which `touched` routers have died, have come back, or have lost or gained
  /// channels that leave them (`loses_only`: nothing has come back, and all channels join neighbouring
  /// levels: no way becomes shorter); the order must be such a one as before for all channels that live.
  /// Appends what has changed. Of Rule::down_first alone. False where more hops are needed than ever before:
  /// then this is good for nothing any more, and must be made anew. O(routers) and O(channels * hops) word
  /// operations of the routers and words that change, and of those below them.
  bool update(const LiveNetwork& network, const UpDownOrder& order, std::span<const RouterId> touched,
              bool loses_only, std::vector<Change>& changes);
  /// Ports, as positions among all channels of the router, that are its candidates towards the destination
  /// of this index: a bit each. `ports` has room for all. O(channels out of it).
  void ports_towards(const LiveNetwork& network, RouterId router, std::uint32_t destination,
                     std::span<Word> ports) const;

  /// The same for all destinations of a word: kWordBits sets, each of as many words as one takes.
  void ports_towards_word(const LiveNetwork& network, RouterId router, std::uint32_t word,
                          std::span<Word> ports) const;

  /// One more than the hops of the longest path.
  [[nodiscard]] std::uint32_t levels() const { return levels_; }
  /// Destinations that many hops away from the router, fewer than levels(): words() words.
  [[nodiscard]] const Word* at(std::uint32_t hops, RouterId router) const {
    return at_.data() + row(hops, router.value);
  }
  /// Destinations to which the living channel `out` is a candidate of its source: words() words.
  void candidates(const Network& network, ChannelId out, Word* set) const;

 private:
  [[nodiscard]] std::size_t row(std::uint32_t hops, std::uint32_t router) const {
    return (std::size_t{hops} * routers_ + router) * words_;
  }
  void list_destinations(const LiveNetwork& network);
  void find_down(const LiveNetwork& network, std::uint32_t threads);
  void find_up(const LiveNetwork& network, std::uint32_t threads);
  void decide_from_the_top(const LiveNetwork& network, const UpDownOrder& order, std::uint32_t threads);
  void add_level();
  /// One level of hops more, where `up` over channels that lead up, else down. False when it is empty.
  bool grow(const LiveNetwork& network, bool up, std::uint32_t hops, std::uint32_t threads);
  [[nodiscard]] std::vector<Word> living(const LiveNetwork& network) const;
  void count_missing(const LiveNetwork& network);
  /// Of these destinations of a word.
  [[nodiscard]] std::uint64_t terminals_of(const LiveNetwork& network, std::uint32_t word, Word bits) const;
  struct Update;
  void find_down_again(Update& update, std::uint32_t router, std::uint32_t word);
  [[nodiscard]] bool has_all(const LiveNetwork& network, std::uint32_t router, std::uint32_t word) const;
  void find_up_again(Update& update, std::uint32_t router, std::uint32_t word);
  [[nodiscard]] bool offers_less(const Update& update, std::uint32_t router, std::uint32_t word) const;
  [[nodiscard]] bool offers_more(std::uint32_t above, std::uint32_t router, std::uint32_t word) const;

  std::uint32_t routers_;
  std::uint32_t words_ = 0;
  std::uint32_t levels_ = 0;
  std::vector<RouterId> destinations_;
  std::vector<std::uint8_t> up_;   // by channel
  std::vector<Word> at_;           // by hops and router: destinations that many hops away
  std::vector<std::uint8_t> any_;  // by hops and router: not empty
  std::vector<Word> below_;        // by router: destinations it goes down to
  std::vector<Word> reached_;      // by router: at any number of hops
  std::vector<Word> living_;       // destinations, when pairs were counted last
  std::uint64_t missing_ = 0;
};

}  // namespace unknot
