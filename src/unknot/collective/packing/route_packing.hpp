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

/// A scatter whose messages have one path each, in a given number of steps: messages are put into steps, each
/// where it is in nobody's way, or else where what it throws out weighs least; what is thrown out waits, and
/// weighs more each time it does not fit. [ejection search: Nagata and Braysy 2009, for routes of vehicles]
class RoutePacking {
 public:
  /// The problem must outlive this. InputError where lines times steps are more than 2^29. O(messages * hops
  /// + lines * steps).
  RoutePacking(const Problem& problem, std::uint32_t steps, std::uint64_t seed);

  /// Before the first run, true when that is all there is to do: messages go first where those to the node as
  /// far on in the order of nodes go. On fat trees whose tables spread destinations evenly nothing is in the
  /// way then [Zahavi 2010].
  bool begin_by_shifts();
  /// Before the first run: each message into the step that is said for it, where that is there and free, and
  /// what it weighs from then on; the others wait. By message.
  void begin_with(std::span<const std::uint32_t> steps, std::uint32_t weight);
  /// A step that is not there.
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

  /// Goes on until all are in (true), until about `work` entries of lines and steps have been looked at for
  /// messages that found no free step, or until `stop` says so.
  bool run(std::uint64_t work, const std::function<bool()>& stop);

  [[nodiscard]] std::uint32_t best_waiting() const { return best_waiting_; }
  [[nodiscard]] std::uint64_t insertions() const { return insertions_; }
  /// The most messages that were in at once.
  [[nodiscard]] Schedule schedule() const;

 private:
  [[nodiscard]] bool is_free(std::uint32_t message, std::uint32_t step) const;
  [[nodiscard]] std::span<const std::uint32_t> taken(std::uint32_t message) const {
    return {taken_.data() + first_[message], taken_.data() + first_[message + 1]};
  }
  [[nodiscard]] std::size_t at(std::uint32_t slot, std::uint32_t step) const {
    return std::size_t{slot} * steps_ + step;
  }
  /// A step, of those in which all it takes is free, by chance; kNowhere where there is none.
  std::uint32_t free_step(std::uint32_t message);
  /// The step whose messages in the way weigh least together.
  std::uint32_t cheapest_step(std::uint32_t message);
  void put(std::uint32_t message, std::uint32_t step);
  void take_out(std::uint32_t message);
  void throw_out(std::uint32_t message, std::uint32_t step);
  /// Of what is on a resource in a step, the slot of that which weighs least; kNowhere where there is room.
  [[nodiscard]] std::uint32_t weakest_slot(std::uint32_t resource, std::uint32_t step) const;
  void set_free(std::uint32_t resource, std::uint32_t step);

  const Problem* problem_;
  std::uint32_t steps_, words_;
  RouteResources resources_;
  Random random_;
  std::vector<std::size_t> first_{0};       // by message, and one more
  std::vector<std::uint32_t> taken_;        // resources
  std::vector<std::uint32_t> slot_{0};      // by resource, and one more: as many as it is enough for
  std::vector<std::uint32_t> taker_;        // by slot and step: a message, or nobody
  std::vector<std::uint64_t> free_;         // by resource, a bit for each step
  std::vector<std::uint32_t> step_, best_;  // by message
  std::vector<std::uint32_t> owner_;        // by message: its group
  std::vector<std::uint32_t> weight_;       // by message; one more, of nobody
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint64_t> mask_;
  std::vector<std::uint32_t> price_;  // by step
  std::uint32_t best_waiting_ = kNowhere;
  std::uint64_t insertions_ = 0, work_ = 0;
};

}  // namespace unknot
