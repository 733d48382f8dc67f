// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/packing/route_resources.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Broadcasts on routes, step by step: each receiver, those that lack most first, gets the message that the
/// fewest have from the nearest node that has it and whose route is free; those that get nothing then throw
/// out what weighs least [ejection search, Nagata and Braysy 2009]. Where the routes of a closed tour of all
/// nodes are in nobody's way, it comes first in every step: with one port P nodes are done in P - 1 steps, as
/// few as there can be.
class RouteBroadcasts {
 public:
  /// The problem must outlive this. O(pairs of those that take part * hops).
  explicit RouteBroadcasts(const Problem& problem);

  /// Looks for a tour; false where none is found.
  bool find_tour(Random& random);
  /// One try of at most this many steps. Returns how many deliveries are left out. `stop` is asked in each
  /// step.
  std::uint32_t run(std::uint32_t steps, bool with_tour, Random& random, const std::function<bool()>& stop);

  /// A transfer that runs are to make in its step, where its sender has got the message by then; nothing
  /// throws it out. One at most for each message.
  struct Kept {
    NodeId sender, receiver;
    std::uint32_t group = 0, step = 0;
  };
  void keep(std::span<const Kept> kept);

  /// Of the last run.
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

 private:
  using Word = std::uint64_t;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  struct Option {
    std::uint32_t sender;  // end
    std::uint32_t first, count;
  };
  struct Sent {
    std::uint32_t sender, receiver, group, option;
  };
  struct KeptOption {
    std::uint32_t receiver, option, group;
  };

  [[nodiscard]] std::span<const std::uint32_t> taken(const Option& option) const {
    return {taken_.data() + option.first, option.count};
  }
  [[nodiscard]] Word* row(std::vector<Word>& bits, std::uint32_t end) const {
    return bits.data() + std::size_t{end} * words_;
  }
  [[nodiscard]] bool is_free(const Option& option) const;
  [[nodiscard]] bool useful(std::uint32_t sender, std::uint32_t receiver);
  [[nodiscard]] std::uint32_t rarest(std::uint32_t sender, std::uint32_t receiver, Random& random);
  void begin_run();
  void spread_step(bool with_tour, Random& random);
  bool give(std::uint32_t receiver, Random& random);
  void put(std::uint32_t receiver, std::uint32_t option, std::uint32_t group);
  void put_kept();
  void take_back(std::uint32_t transfer);
  void throw_out(Random& random);
  bool force(std::uint32_t receiver, Random& random);
  void deliver();

  const Problem* problem_;
  RouteResources resources_;
  std::uint32_t words_;
  std::vector<NodeId> node_;                 // by end: nodes that take part
  std::vector<std::uint32_t> option_first_;  // by receiver, and one more
  std::vector<Option> options_;              // of each receiver, nearest senders first
  std::vector<std::uint32_t> taken_;
  std::vector<Word> first_has_, first_lacks_, has_, lacks_;  // by end: groups
  std::vector<std::uint32_t> lacking_, got_, weight_;        // by end; got_: in this step
  std::vector<std::uint32_t> holders_;                       // by group
  std::vector<std::uint32_t> slot_{0};                       // by resource, and one more
  std::vector<std::uint32_t> taker_;                         // by slot: a transfer of this step
  std::vector<std::uint32_t> used_slots_;
  std::vector<Sent> sent_;           // of this step; receiver kNone: taken back
  std::vector<std::uint32_t> tour_;  // by receiver: the option, kNone outside
  std::vector<std::uint32_t> order_, hungry_;
  std::vector<std::vector<KeptOption>> kept_;  // by step
  std::uint32_t held_ = 0;                     // transfers of this step that nothing throws out, the first
  std::uint32_t left_ = 0;
  Schedule schedule_;
};

}  // namespace unknot
