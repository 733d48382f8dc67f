// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "unknot/collective/packing/packing.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Packs items one after the other, each by the path that throws out what weighs least; what is thrown out
/// waits to be packed again, and weighs more each time it does not fit. [ejection search: Nagata and Braysy
/// 2009, for routes of vehicles]
class EjectionSearch {
 public:
  /// The packing must outlive this.
  EjectionSearch(const Packing& packing, std::uint64_t seed, std::uint64_t stream);

  /// Extra weight of what is never thrown out of its home.
  static constexpr std::uint32_t kPinned = 0xFFFFFFFFU;
  /// Where an item that waits is to be if it can, which need not be a way of the lattice: it is packed there
  /// now, where there is room, and goes back whenever there is. At home it weighs so much more.
  void set_home(std::uint32_t item, Packing::Choice home, std::uint32_t extra_weight);
  /// Packs an item that waits into a bin of one step by a path that throws out nothing, where there is one.
  bool settle(std::uint32_t item, std::uint32_t bin);
  /// Takes packed items that are not at home there, where there is room.
  void go_home();
  /// Takes a packed item home, and throws out what is in the way.
  void force_home(std::uint32_t item);
  [[nodiscard]] bool is_away(std::uint32_t item) const { return has_home(item) && at_home_[item] == 0; }
  /// How many are. O(items).
  [[nodiscard]] std::uint32_t away() const;

  /// Packs an item that waits by this path, which need not be one of the lattice, where there is room.
  bool begin_at(std::uint32_t item, const Packing::Choice& choice);
  /// From now on nothing goes into this bin, and what is in it waits; all items weigh the same again, and
  /// best() says nothing any more.
  void close(std::uint32_t bin);
  /// Items that have been packed since the last time this was asked, some of them more than once.
  [[nodiscard]] std::vector<std::uint32_t> newly_packed() { return std::exchange(newly_packed_, {}); }

  /// Goes on until all is packed (true), until about this many arcs more have been looked at, or until
  /// `stop`, asked now and then, says so.
  bool run(std::uint64_t arcs, const std::function<bool()>& stop);

  [[nodiscard]] bool complete() const { return waiting_.empty(); }
  /// Arcs looked at so far.
  [[nodiscard]] std::uint64_t work() const { return arcs_; }
  [[nodiscard]] bool waits(std::uint32_t item) const { return choices_[item].bin == Choice::kNowhere; }
  /// Where all items are now.
  [[nodiscard]] const std::vector<Packing::Choice>& choices() const { return choices_; }
  /// An item goes into none of the bins, whatever is thrown out of them: no need to go on.
  [[nodiscard]] bool hopeless() const { return hopeless_; }
  [[nodiscard]] std::uint64_t insertions() const { return insertions_; }
  /// The most that were packed at once.
  [[nodiscard]] const std::vector<Packing::Choice>& best() const { return best_; }
  [[nodiscard]] std::uint32_t best_waiting() const { return best_waiting_; }

 private:
  using Choice = Packing::Choice;
  struct Offer {
    std::uint64_t price = kNoPrice;
    Choice choice;
  };
  static constexpr std::uint64_t kNoPrice = 0xFFFFFFFFFFFFFFFFU;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

  /// The cheapest way into any bin, by any shift; the first that is free. Its path has no resource more often
  /// than that carries.
  void find_offer(std::uint32_t item, Offer& offer);
  /// A bin in which a path is free, all bins at once; kNobody where there is none. By a row of bits for each
  /// arc, where there is no symmetry and arcs are all that paths share. The first from `begin` on.
  std::uint32_t find_free_bin(std::uint32_t item, std::uint32_t begin);
  /// Before anything is thrown out: each item into the first bin that has a path.
  void first_fit();
  /// Price of the cheapest path, which goes to path_; kNoPrice where it is `limit` or more.
  std::uint64_t cheapest_path(std::uint32_t item, std::uint32_t bin, std::uint32_t shift,
                              std::uint64_t limit);
  [[nodiscard]] bool fits_alone(std::uint32_t item, std::uint32_t bin, std::uint32_t shift);
  [[nodiscard]] bool has_home(std::uint32_t item) const {
    return !home_.empty() && home_[item].bin != Choice::kNowhere;
  }
  /// What it costs to throw out an item that is packed.
  [[nodiscard]] std::uint32_t weight(std::uint32_t item) const {
    if (at_home_[item] == 0) return weight_[item];
    return home_weight_[item] == kPinned ? kPinned : weight_[item] + home_weight_[item];
  }
  bool has_room(std::uint32_t item, const Choice& choice);
  void put(std::uint32_t item, const Choice& choice);
  void take_out(std::uint32_t item);
  void make_room(std::uint32_t item, const Choice& choice);
  void set_price(std::uint32_t bin, std::uint32_t resource);
  void set_crowd(std::uint32_t resource, bool more);
  /// The item that an arc of the path so far throws out is the one that this arc would, too.
  [[nodiscard]] bool same_victim(std::uint32_t bin, std::uint32_t before, std::uint32_t resource) const;
  void keep_best();

  const Packing* packing_;
  Random random_;
  std::vector<Choice> choices_, best_;                 // by item
  std::vector<std::uint32_t> weight_;                  // by item
  std::vector<Choice> home_;                           // by item; empty where none has a home
  std::vector<std::uint32_t> home_weight_;             // by item
  std::vector<std::uint8_t> at_home_;                  // by item
  std::vector<std::uint32_t> waiting_;                 // items
  std::vector<std::uint32_t> place_;                   // by item: among the waiting, or the packed
  std::vector<std::uint32_t> packed_;                  // items
  std::vector<std::uint64_t> price_;                   // by bin and resource
  std::vector<std::uint32_t> used_, taker_;            // by bin and resource; by bin and slot
  std::vector<std::size_t> first_price_, first_slot_;  // by bin
  std::uint32_t best_waiting_ = kNobody;
  std::uint64_t insertions_ = 0, arcs_ = 0;
  bool hopeless_ = false;
  // Of one search for a path:
  std::vector<std::uint64_t> cost_;  // by place
  std::vector<std::uint32_t> edge_;  // by place: by which it is reached
  std::vector<ArcId> path_;
  std::vector<std::uint32_t> taken_, seen_;  // seen_: by resource of a bin
  std::vector<std::uint32_t> noise_;
  std::vector<std::uint8_t> closed_;         // by bin
  std::uint32_t open_;                       // bins that are not
  std::vector<std::uint32_t> newly_packed_;  // where some are closed
  std::vector<std::uint32_t> crowd_;         // by resource, with rows of bits: what it costs for being taken
  std::vector<std::uint32_t> takers_;        // by resource, with rows of bits: items over all bins
  std::size_t words_ = 0;                    // of 64 bins; 0: no rows of bits are kept
  std::vector<std::uint64_t> free_, reach_;  // by resource and word; by place and word
};

}  // namespace unknot
