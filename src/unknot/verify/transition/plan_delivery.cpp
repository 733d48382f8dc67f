// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/plan_delivery.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>

#include "unknot/support/parallel.hpp"
#include "unknot/tables/lane_function.hpp"
#include "unknot/verify/transition/plan_changes.hpp"

namespace unknot {
namespace {

/// What routers and sources do with packets to one destination.
struct Column {
  std::vector<std::uint32_t> entries;  // by router, as in ForwardingTable
  std::vector<std::uint8_t> levels;    // by row, as in ServiceLevels; one for all where there are none
};

Column column_of(const Network& network, const Routing& routing, TerminalId destination) {
  Column column;
  for (const RouterId r : network.routers()) column.entries.push_back(routing.table().get(r, destination));
  const ServiceLevels& levels = routing.service_levels;
  column.levels.resize(std::max(1U, levels.row_count()), 0);
  for (std::uint32_t row = 0; row < levels.row_count(); ++row)
    column.levels[row] = levels.row(row)[destination.value];
  return column;
}

/// Which routers deliver, by whichever of the two columns each router on the way goes.
class SureRouters {
 public:
  SureRouters(const Network& network, const Column& old, const Column& now, TerminalId destination)
      : network_(network), old_(old), new_(now), states_(network.router_count(), State::unknown) {
    const std::uint32_t home = network.router_of(destination).value;
    const bool here =
        old.entries[home] == ForwardingTable::kHere && now.entries[home] == ForwardingTable::kHere;
    states_[home] = here ? State::sure : State::unsure;
  }

  /// Depth first, with a stack of its own: a way can be as long as there are routers.
  bool sure(RouterId router) {
    way_.assign(1, router.value);
    while (!way_.empty()) {
      const std::uint32_t at = way_.back();
      if (states_[at] == State::unknown) {
        states_[at] = State::open;
        for (const std::uint32_t next : next_of(at)) {
          if (next != kNowhere && states_[next] == State::unknown) way_.push_back(next);
        }
        continue;  // again when these are known
      }
      way_.pop_back();
      if (states_[at] != State::open) continue;
      // A router that is still open here has led to this one: a circle.
      const std::array<std::uint32_t, 2> both = next_of(at);
      const bool all = std::all_of(both.begin(), both.end(), [&](std::uint32_t next) {
        return next != kNowhere && states_[next] == State::sure;
      });
      states_[at] = all ? State::sure : State::unsure;
    }
    return states_[router.value] == State::sure;
  }

 private:
  enum class State : std::uint8_t { unknown, open, sure, unsure };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

  [[nodiscard]] std::array<std::uint32_t, 2> next_of(std::uint32_t at) const {
    const IdRange<ChannelId> out = network_.out(RouterId(at));
    const auto next = [&](std::uint32_t entry) {
      return entry < out.size() ? network_.target(out[entry]).value : kNowhere;
    };
    return {next(old_.entries[at]), next(new_.entries[at])};
  }

  const Network& network_;
  const Column& old_;
  const Column& new_;
  std::vector<State> states_;
  std::vector<std::uint32_t> way_;
};

class PlanDelivery {
 public:
  PlanDelivery(const Network& network, const Routing& before, std::span<const TransitionStep> steps)
      : network_(network),
        before_(before),
        lanes_(before),
        step_count_(steps.size()),
        entries_(PlanChanges::of_entries(steps)),
        levels_(PlanChanges::of_levels(steps)) {
    for (const auto& changes : {entries_.all(), levels_.all()}) {
      for (const PlanChange& change : changes) destinations_.push_back(change.destination);
    }
    std::sort(destinations_.begin(), destinations_.end());
    destinations_.erase(std::unique(destinations_.begin(), destinations_.end()), destinations_.end());
  }

  /// Destinations that some step changes.
  [[nodiscard]] std::uint32_t destinations() const {
    return static_cast<std::uint32_t>(destinations_.size());
  }

  /// Adds to counts[k] the pairs to the i-th destination that step k leaves without delivery meanwhile, and
  /// to the last of them those that the tables in the end do not deliver.
  void add(std::uint32_t i, std::vector<std::uint64_t>& counts) const {
    const TerminalId destination = destinations_[i];
    std::span<const PlanChange> entries = entries_.of(destination);
    std::span<const PlanChange> levels = levels_.of(destination);
    Column old = column_of(network_, before_, destination);
    Column now = old;
    std::uint64_t settled = undelivered(old, now, destination);
    for (std::uint32_t k = 0; k < step_count_; ++k) {
      const bool entries_change = PlanChanges::take(entries, k, now.entries);
      const bool levels_change = PlanChanges::take(levels, k, now.levels);
      if (!entries_change && !levels_change) {
        counts[k] += settled;
        continue;
      }
      counts[k] += undelivered(old, now, destination);
      settled = undelivered(now, now, destination);
      old = now;
    }
    counts.back() += settled;
  }

 private:
  [[nodiscard]] std::uint64_t undelivered(const Column& old, const Column& now,
                                          TerminalId destination) const {
    const ServiceLevels& levels = before_.service_levels;
    SureRouters routers(network_, old, now, destination);
    std::uint64_t count = 0;
    for (const TerminalId s : network_.terminals()) {
      if (s == destination) continue;
      const std::uint32_t row = levels.empty() ? 0 : levels.row_of(s);
      const bool sent = lanes_.injected(old.levels[row], s) < kLaneDropped &&
                        lanes_.injected(now.levels[row], s) < kLaneDropped;
      if (!sent || !routers.sure(network_.router_of(s))) ++count;
    }
    return count;
  }

  const Network& network_;
  const Routing& before_;
  LaneFunction lanes_;
  std::size_t step_count_;
  PlanChanges entries_, levels_;
  std::vector<TerminalId> destinations_;
};

}  // namespace

std::vector<std::uint64_t> undelivered_in_steps(const Network& network, const Routing& before,
                                                std::span<const TransitionStep> steps,
                                                std::uint64_t undelivered_after, std::uint32_t threads) {
  const PlanDelivery plan(network, before, steps);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::vector<std::uint64_t>> of_worker(threads, std::vector<std::uint64_t>(steps.size() + 1, 0));
  parallel_blocks(plan.destinations(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t i = begin; i < end; ++i) plan.add(i, of_worker[worker]);
                  });
  std::vector<std::uint64_t> counts(steps.size() + 1, 0);
  for (const std::vector<std::uint64_t>& part : of_worker)
    std::transform(counts.begin(), counts.end(), part.begin(), counts.begin(), std::plus<>());
  const std::uint64_t others = undelivered_after - counts.back();
  counts.pop_back();
  for (std::uint64_t& count : counts) count += others;
  return counts;
}

}  // namespace unknot
