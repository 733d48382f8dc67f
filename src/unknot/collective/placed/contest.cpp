// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "unknot/collective/known/rank_check.hpp"
#include "unknot/collective/placed/our_schedules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostChunks = 64;
constexpr std::uint64_t kMostParts = std::uint64_t{1} << 22U;  // blocks of all messages of trees in chunks

class ContestMaker {
 public:
  ContestMaker(const KnownCase& which, const PlacedRanks& placed, const LineTimes& times,
               const ContestOptions& options, Progress& progress)
      : which_(which), placed_(placed), times_(times), options_(options), progress_(progress) {}

  Contest make() {
    const bool all = options_.algorithms.empty();
    std::vector<std::string> specs = options_.algorithms;
    if (all) {
      for (const KnownAlgorithm& row : known_algorithms()) specs.push_back(row.name);
    }
    for (const std::string& spec : specs) {
      const Chosen<KnownAlgorithm> chosen = choose_known_algorithm(spec);
      const std::string why = chosen.row->unsuitable(which_, chosen.parameters);
      if (!why.empty() && all) {
        contest_.refused.emplace_back(spec, why);
        continue;
      }
      RankSchedule schedule = make_known(chosen, which_);
      if (progress_.interrupted()) throw Interrupted();
      RankCost cost(schedule, placed_, times_);
      Contender contender{spec, {}, {}, contention_of(schedule, placed_, options_.group_routers)};
      contender.variants.push_back({0, std::move(schedule), std::move(cost)});
      contest_.contenders.push_back(std::move(contender));
    }
    if (options_.ours) {
      add_ours("unknot-steps", [&] { return steps(); });
      if (which_.collective != RankCollective::all_to_all) add_ours("unknot-trees", [&] { return trees(); });
    }
    return std::move(contest_);
  }

 private:
  template <class Make>
  void add_ours(const char* name, Make make) {
    try {
      Contender contender = make();
      contender.name = name;
      const RankSchedule& first = contender.variants.front().schedule;
      contender.contention = contention_of(first, placed_, options_.group_routers);
      contest_.contenders.push_back(std::move(contender));
    } catch (const InputError& error) {
      contest_.refused.emplace_back(name, error.what());
    }
  }

  Contender::Variant checked(std::uint32_t chunks, RankSchedule schedule) {
    if (const std::string fault = rank_schedule_fault(schedule); !fault.empty())
      throw std::logic_error("a schedule of our own: " + fault);
    RankCost cost(schedule, placed_, times_);
    return {chunks, std::move(schedule), std::move(cost)};
  }

  Contender steps() {
    SolveOptions solving;
    solving.seed = options_.seed;
    solving.threads = options_.threads;
    solving.seconds = options_.seconds;
    OurSchedule ours = our_steps(which_.collective, which_.root, placed_, solving, progress_);
    Contender contender;
    contender.note = ours.steps == ours.bound
                         ? fmt::format("{} steps, the fewest on these routes: proven", ours.steps)
                         : fmt::format("{} steps, at least {} are needed", ours.steps, ours.bound);
    contender.variants.push_back(checked(0, std::move(ours.schedule)));
    return contender;
  }

  Contender trees() {
    const OurTrees trees(which_.collective, which_.root, placed_, progress_);
    Contender contender;
    contender.note = fmt::format(
        "{} of the time of a share over a capacity of 1, the least on any paths: proven", trees.optimum());
    std::uint64_t parts = 0;
    for (std::uint32_t chunks = 1; chunks <= kMostChunks && parts * 2 <= kMostParts; chunks *= 2) {
      contender.variants.push_back(checked(chunks, trees.in_chunks(chunks)));
      const RankSchedule& made = contender.variants.back().schedule;
      parts = 0;
      for (std::uint32_t m = 0; m < made.message_count(); ++m) parts += made.blocks(m).size();
      if (progress_.interrupted()) throw Interrupted();
    }
    return contender;
  }

  const KnownCase& which_;
  const PlacedRanks& placed_;
  const LineTimes& times_;
  const ContestOptions& options_;
  Progress& progress_;
  Contest contest_;
};

/// Of some the quickest for a size; of equal ones the first.
std::size_t best_of(const Contest& contest, const std::vector<std::size_t>& some, std::uint64_t bytes,
                    const RankPace& pace) {
  std::size_t best = some.front();
  double least = contest.contenders[best].time(static_cast<double>(bytes), pace);
  for (const std::size_t i : some) {
    const double time = contest.contenders[i].time(static_cast<double>(bytes), pace);
    if (time >= least) continue;
    least = time;
    best = i;
  }
  return best;
}

std::vector<double> times_at(const Contest& contest, std::uint64_t bytes, const RankPace& pace) {
  std::vector<double> times;
  times.reserve(contest.contenders.size());
  for (const Contender& contender : contest.contenders)
    times.push_back(contender.time(static_cast<double>(bytes), pace));
  return times;
}

}  // namespace

const Contender::Variant& Contender::variant(double bytes, const RankPace& pace) const {
  return *std::min_element(variants.begin(), variants.end(), [&](const Variant& a, const Variant& b) {
    return a.cost.time(bytes, pace) < b.cost.time(bytes, pace);
  });
}

Contest make_contest(const KnownCase& which, const PlacedRanks& placed, const LineTimes& times,
                     const ContestOptions& options, Progress& progress) {
  return ContestMaker(which, placed, times, options, progress).make();
}

std::vector<CostRange> best_contenders(const Contest& contest, const RankPace& pace, std::uint64_t most) {
  if (contest.contenders.empty()) return {};
  std::vector<double> low_times = times_at(contest, 1, pace);
  const auto first_least = [](const std::vector<double>& times) {
    return static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
  };
  std::vector<CostRange> ranges{{1, first_least(low_times)}};
  for (std::uint64_t low = 1; low < most; low *= 2) {
    const std::uint64_t high = std::min(most, 2 * low);
    std::vector<double> high_times = times_at(contest, high, pace);
    if (const std::size_t last = first_least(high_times); last != ranges.back().best) {
      // Times rise with the size: who takes longer at the lower end than the best at the upper one is best
      // nowhere between.
      std::vector<std::size_t> some;
      for (std::size_t i = 0; i < low_times.size(); ++i) {
        if (low_times[i] <= high_times[last]) some.push_back(i);
      }
      std::uint64_t from = low;
      while (ranges.back().best != last) {
        // The first size at which the last best one is best no more.
        std::uint64_t same = from, other = high;
        while (other - same > 1) {
          const std::uint64_t middle = same + (other - same) / 2;
          (best_of(contest, some, middle, pace) == ranges.back().best ? same : other) = middle;
        }
        ranges.push_back({other, best_of(contest, some, other, pace)});
        from = other;
      }
    }
    low_times = std::move(high_times);
  }
  return ranges;
}

}  // namespace unknot
