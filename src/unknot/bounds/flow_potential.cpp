// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/length_search.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
/// Shortest length beside the longest: keeps all lengths positive, and sums of them apart.
constexpr double kShortest = 1e-12;
/// Paths longer than the shortest by this part count as shortest, too: what is equal by symmetry stays so.
constexpr double kTie = 1e-9;
/// So much longer may paths be at first: many paths at once are a better direction than one. Halved for a
/// destination whenever a step in such a direction is small.
constexpr double kWidest = 0.25;
constexpr double kSmallStep = 0.1;
/// So many sweeps that leave more than this of the gap have exhausted a potential.
constexpr int kMostIdleSweeps = 20;
constexpr double kIdleSweep = 0.98;
/// Destinations that look for their ways in the same lengths, so that threads do it at once, are at most one
/// in so many, and not more than that in all: what they do not know of each other is little beside what all
/// carry.
constexpr std::uint32_t kAtOnce = 64;
constexpr std::uint32_t kMostAtOnce = 32;
/// A step is as good as the best where the slope is at most this part of what it was at first.
constexpr double kFlat = 1e-3;
constexpr int kMostTrials = 12;

class Potential {
 public:
  Potential(const FlowProblem& problem, std::uint32_t threads)
      : network_(problem.network),
        demand_(problem.demand),
        paths_(problem.ways),
        neighbours_(network_),
        count_(demand_.endpoints().count()),
        channels_(network_.channel_count()),
        threads_(threads == 0 ? hardware_threads() : threads),
        workers_(threads_),
        inverse_(channels_, 1),
        load_(channels_, 0),
        length_(channels_, 1),
        ways_(count_),
        orders_(count_),
        prepared_(std::clamp(count_ / kAtOnce, 1U, kMostAtOnce)),
        slack_(count_, kWidest) {
    result_.flow.assign(std::size_t{count_} * channels_, 0);
    result_.length.assign(channels_, 1);
    for (std::uint32_t c = 0; c < channels_; ++c) inverse_[c] = 1 / problem.capacity_of(c);
  }

  ConcurrentFlow run(const FlowSearch& search, Progress& progress) {
    start();
    least_load_ = max_load();
    best_bound_ = kFar;
    if (least_load_ == 0) return std::move(result_);
    best_flow_ = result_.flow;
    const double most_sharp = 4 * std::log(channels_ + 1.0) / search.gap;
    double sharp = std::min(most_sharp, std::log(channels_ + 1.0));
    progress.begin("moving flow", search.most_rounds);
    double now = measured_gap(sharp);
    double before = now;
    int idle = 0;
    while (now > search.gap && least_load_ > search.enough && result_.rounds < search.most_rounds) {
      if (progress.interrupted()) throw Interrupted();
      move_all_flow(sharp);
      add_up();
      ++result_.rounds;
      now = measured_gap(sharp);
      if (now < kIdleSweep * before) {
        before = now;
        idle = 0;
      } else {
        ++idle;
      }
      // sharper only once this potential, whose least is ln(channels) / sharp from the largest load, is
      // exhausted
      if (now < std::log(channels_ + 1.0) / (4 * sharp) || idle == kMostIdleSweeps) {
        sharp = std::min(most_sharp, sharp * 1.5);
        idle = 0;
      }
      progress.update(result_.rounds);
    }
    result_.flow = std::move(best_flow_);
    return std::move(result_);
  }

 private:
  /// A way to serve all of the demand for a destination, and the part that takes it.
  struct Way {
    double weight = 1;
    std::vector<std::pair<std::uint32_t, double>> flow;  // channel, amount
  };
  /// What a destination would rather do.
  struct Prepared {
    Way shortest;
    std::size_t longest = 0;  // of its ways
  };
  struct Change {
    std::uint32_t channel;
    double amount, load;
    double length;
  };

  /// Loads are over capacities.
  [[nodiscard]] double max_load() const { return *std::max_element(load_.begin(), load_.end()); }
  [[nodiscard]] std::span<double> flow_to(std::uint32_t d) {
    return {result_.flow.data() + std::size_t{d} * channels_, channels_};
  }

  /// Scratch space of one thread.
  struct Worker {
    LengthSearch search;
    std::vector<double> rate;     // by endpoint router
    std::vector<double> passing;  // by router
    std::vector<double> wanted;   // by channel
  };

  Worker& worker_space(std::uint32_t worker) {
    if (!workers_[worker]) {
      workers_[worker] = std::make_unique<Worker>(Worker{{network_, neighbours_, paths_},
                                                         std::vector<double>(count_),
                                                         std::vector<double>(network_.router_count(), 0),
                                                         std::vector<double>(channels_)});
    }
    return *workers_[worker];
  }

  /// All shortest paths.
  void start() {
    Worker& space = worker_space(0);
    for (std::uint32_t d = 0; d < count_; ++d) {
      if (!load_rates(d, space)) continue;
      space.search.run(demand_.endpoints()[d], length_, orders_[d]);
      for (std::uint32_t s = 0; s < count_; ++s) {
        if (space.rate[s] > 0 && space.search.distance(demand_.endpoints()[s]) == kFar) {
          throw InputError(fmt::format("there is no path from {} to {}, which have traffic",
                                       network_.router_name(demand_.endpoints()[s]),
                                       network_.router_name(demand_.endpoints()[d])));
        }
      }
      Way way = spread(space, orders_[d], kTie);
      way.weight = 1;
      for (const auto& [channel, amount] : way.flow) flow_to(d)[channel] = amount;
      ways_[d].push_back(std::move(way));
    }
    add_up();
  }

  /// Demand for the destination into the space's `passing`; false where there is none.
  bool load_rates(std::uint32_t d, Worker& space) const {
    demand_.column(d, space.rate);
    bool any = false;
    for (std::uint32_t s = 0; s < count_; ++s) {
      space.passing[demand_.endpoints()[s].value] = space.rate[s];
      any = any || space.rate[s] > 0;
    }
    return any;
  }

  /// What has been loaded, over the paths that the last search found.
  Way spread(Worker& space, std::span<const std::uint32_t> order, double slack) const {
    std::fill(space.wanted.begin(), space.wanted.end(), 0.0);
    space.search.spread(length_, order, slack, space.passing, space.wanted);
    Way way;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      if (space.wanted[c] > 0) way.flow.emplace_back(c, space.wanted[c]);
    }
    return way;
  }

  /// Anew, so that rounding does not pile up.
  void add_up() {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::uint32_t d = 0; d < count_; ++d) {
      const std::span<const double> flow = flow_to(d);
      for (std::uint32_t c = 0; c < channels_; ++c) load_[c] += flow[c] * inverse_[c];
    }
  }

  void set_lengths(double steepness) {
    const double most = max_load();
    for (std::uint32_t c = 0; c < channels_; ++c)
      length_[c] = std::max(kShortest, std::exp(steepness * (load_[c] - most))) * inverse_[c];
  }

  /// upper / lower - 1 of the best flow and the best lengths so far.
  double measured_gap(double sharp) {
    const double most = max_load();
    if (most < least_load_) {
      least_load_ = most;
      best_flow_ = result_.flow;
    }
    for (const double factor : {1.0, 0.5}) {
      set_lengths(sharp * factor / most);
      const double upper = bound_of_lengths();
      if (upper < best_bound_) {
        best_bound_ = upper;
        result_.length = length_;
      }
    }
    return best_bound_ * least_load_ - 1;
  }

  /// Sum of lengths / sum of rate * distance.
  double bound_of_lengths() {
    std::vector<double> taken(count_, 0);
    parallel_blocks(count_, 8, threads_, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
      Worker& space = worker_space(worker);
      for (std::uint32_t d = begin; d < end; ++d) {
        demand_.column(d, space.rate);
        space.search.run(demand_.endpoints()[d], length_, orders_[d]);
        for (std::uint32_t s = 0; s < count_; ++s) {
          if (space.rate[s] > 0) taken[d] += space.rate[s] * space.search.distance(demand_.endpoints()[s]);
        }
      }
    });
    double sum = 0;
    for (const double one : taken) sum += one;
    double total = 0;
    for (std::uint32_t c = 0; c < channels_; ++c) total += length_[c] / inverse_[c];
    return total / sum;
  }

  /// Moves flow to every destination once. The same at any number of threads.
  void move_all_flow(double sharp) {
    reference_ = max_load();
    steepness_ = sharp / reference_;
    for (std::uint32_t c = 0; c < channels_; ++c) set_length(c);
    const auto most = static_cast<std::uint32_t>(prepared_.size());
    for (std::uint32_t first = 0; first < count_; first += most) {
      const std::uint32_t some = std::min(most, count_ - first);
      parallel_blocks(some, 1, threads_, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) prepare(first + i, worker_space(worker), prepared_[i]);
      });
      for (std::uint32_t i = 0; i < some; ++i) {
        if (!prepared_[i].shortest.flow.empty()) move_flow(first + i, prepared_[i]);
      }
    }
  }

  void set_length(std::uint32_t c) {
    length_[c] = std::max(kShortest, std::exp(steepness_ * (load_[c] - reference_))) * inverse_[c];
  }

  /// The shortest paths to a destination, none where it gets nothing, and the longest of the ways it takes.
  void prepare(std::uint32_t d, Worker& space, Prepared& move) {
    move.shortest.flow.clear();
    if (!load_rates(d, space)) return;
    space.search.run(demand_.endpoints()[d], length_, orders_[d]);
    move.shortest = spread(space, orders_[d], slack_[d]);
    double most = -1;
    for (std::size_t i = 0; i < ways_[d].size(); ++i) {
      double cost = 0;
      for (const auto& [channel, amount] : ways_[d][i].flow) cost += amount * length_[channel];
      if (cost > most) {
        most = cost;
        move.longest = i;
      }
    }
  }

  /// Moves flow to one destination from the longest of the ways it takes to the shortest paths, as far as
  /// lowers the potential most.
  void move_flow(std::uint32_t d, Prepared& move) {
    std::vector<Way>& ways = ways_[d];
    Way& longest = ways[move.longest];
    const double part = longest.weight;
    list_changes(longest, move.shortest);
    const double step = best_step();
    if (step < kSmallStep) slack_[d] = std::max(kTie, slack_[d] / 2);
    if (step == 0) return;
    const std::span<double> flow = flow_to(d);
    for (const Change& change : changes_) {
      flow[change.channel] = std::max(0.0, flow[change.channel] + step * change.amount);
      load_[change.channel] += step * change.load;
      set_length(change.channel);
    }
    longest.weight -= step * part;
    std::size_t same = 0;
    while (same < ways.size() && ways[same].flow != move.shortest.flow) ++same;
    if (same < ways.size()) {
      ways[same].weight += step * part;
    } else {
      move.shortest.weight = step * part;
      ways.push_back(std::move(move.shortest));
    }
    if (step == 1) ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(move.longest));
  }

  /// What each channel carries more or less where all that takes one way takes the other.
  void list_changes(const Way& from, const Way& to) {
    changes_.clear();
    auto old = from.flow.begin();
    auto next = to.flow.begin();
    while (old != from.flow.end() || next != to.flow.end()) {
      const std::uint32_t c = old == from.flow.end()  ? next->first
                              : next == to.flow.end() ? old->first
                                                      : std::min(old->first, next->first);
      double amount = 0;
      if (next != to.flow.end() && next->first == c) amount += (next++)->second;
      if (old != from.flow.end() && old->first == c) amount -= (old++)->second;
      if (amount == 0) continue;
      amount *= from.weight;
      changes_.push_back({c, amount, amount * inverse_[c], length_[c]});
    }
  }

  /// Where the derivative of the potential along the changes is 0, in [0, 1]: it ascends, so Newton's steps
  /// between two ends that close in find it.
  [[nodiscard]] double best_step() const {
    struct Slope {
      double value = 0, rise = 0;
    };
    const auto slope = [&](double step) {
      Slope sum;
      for (const Change& change : changes_) {
        const double one = change.amount * change.length * std::exp(steepness_ * step * change.load);
        sum.value += one;
        sum.rise += one * change.load;
      }
      sum.rise *= steepness_;
      return sum;
    };
    const Slope first = slope(0);
    if (first.value >= 0) return 0;
    if (slope(1).value <= 0) return 1;
    double low = 0;
    double high = 1;
    double step = 0;
    Slope here = first;
    for (int i = 0; i < kMostTrials && std::abs(here.value) > kFlat * -first.value; ++i) {
      const double newton = step - here.value / here.rise;
      step = newton > low && newton < high ? newton : (low + high) / 2;
      here = slope(step);
      (here.value < 0 ? low : high) = step;
    }
    return step;
  }

  const Network& network_;
  const RouterDemand& demand_;
  FlowWays paths_;
  InNeighbours neighbours_;
  std::uint32_t count_;
  std::uint32_t channels_;
  std::uint32_t threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<double> inverse_;        // by channel: 1 / capacity
  std::vector<double> load_, length_;  // by channel
  std::vector<Change> changes_;
  std::vector<std::vector<Way>> ways_;              // by destination
  std::vector<std::vector<std::uint32_t>> orders_;  // by destination: routers from near to far, the last time
  std::vector<Prepared> prepared_;                  // of those that look for their ways at once
  std::vector<double> slack_;                       // by destination
  double steepness_ = 1;                            // length is exp(steepness * (load - reference))
  double reference_ = 0;                            // the largest load when this sweep began
  double least_load_ = 0;  // smallest largest load of a flow so far, that of best_flow_
  double best_bound_ = 0;  // smallest bound of lengths so far, that of the result's
  std::vector<double> best_flow_;
  ConcurrentFlow result_;
};

}  // namespace

ConcurrentFlow flow_by_potential(const FlowProblem& problem, const FlowSearch& search, Progress& progress) {
  const std::uint64_t entries =
      std::uint64_t{problem.network.channel_count()} * problem.demand.endpoints().count();
  if (entries > kMaxFlowEntries) {
    throw InputError(
        fmt::format("a flow on this network has {} entries (endpoint routers times channels), at most {} "
                    "are taken on",
                    entries, kMaxFlowEntries));
  }
  if (problem.network.channel_count() == 0) return {};
  return Potential(problem, search.threads).run(search, progress);
}

}  // namespace unknot
