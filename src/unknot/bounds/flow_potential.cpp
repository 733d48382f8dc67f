// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <span>
#include <utility>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
/// Shortest length beside the longest: keeps all lengths positive.
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

/// Shortest paths to one router in given lengths, of all or of those of fewest channels. Scratch space of one
/// worker.
class LengthSearch {
 public:
  LengthSearch(const Network& network, const InNeighbours& neighbours, FlowWays paths)
      : network_(network),
        paths_(paths),
        hops_(neighbours),
        distance_(network.router_count()),
        rank_(network.router_count()) {}

  void run(RouterId home, std::span<const double> length) {
    std::fill(distance_.begin(), distance_.end(), kFar);
    std::fill(rank_.begin(), rank_.end(), kNone);
    order_.clear();
    distance_[home.value] = 0;
    if (paths_ == FlowWays::shortest) {
      run_by_hops(home, length);
    } else {
      run_by_length(home, length);
    }
  }
  [[nodiscard]] double distance(RouterId r) const { return distance_[r.value]; }

  /// Lays `passing`, the rate that starts at each router, over the shortest paths, evenly at each router, and
  /// adds it to `flow`, by channel. `passing` is 0 afterwards.
  void spread(std::span<const double> length, double slack, std::vector<double>& passing,
              std::span<double> flow) {
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::uint32_t r = order_[i];
      if (passing[r] == 0) continue;
      next_.clear();
      for (const ChannelId c : network_.out(RouterId(r))) {
        const std::uint32_t to = network_.target(c).value;
        // settled before, so that no circle can arise from ties
        if (rank_[to] < rank_[r] && allowed(r, to) &&
            distance_[to] + length[c.value] <= distance_[r] * (1 + slack)) {
          next_.push_back(c);
        }
      }
      const double share = passing[r] / static_cast<double>(next_.size());
      for (const ChannelId c : next_) {
        flow[c.value] += share;
        passing[network_.target(c).value] += share;
      }
      passing[r] = 0;
    }
    if (!order_.empty()) passing[order_[0]] = 0;
  }

 private:
  void run_by_length(RouterId home, std::span<const double> length) {
    queue_.emplace(0.0, home.value);
    while (!queue_.empty()) {
      const std::uint32_t r = queue_.top().second;
      queue_.pop();
      if (rank_[r] != kNone) continue;
      rank_[r] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(r);
      for (const ChannelId c : network_.in(RouterId(r))) {
        const std::uint32_t from = network_.source(c).value;
        const double through = distance_[r] + length[c.value];
        if (through >= distance_[from]) continue;
        distance_[from] = through;
        queue_.emplace(through, from);
      }
    }
  }

  /// Channels lead nearer in hops, so that one pass in their order settles all.
  void run_by_hops(RouterId home, std::span<const double> length) {
    hops_.run(home);
    order_.assign(hops_.order().begin(), hops_.order().end());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t r = order_[i];
      rank_[r] = i;
      for (const ChannelId c : network_.out(RouterId(r))) {
        const std::uint32_t to = network_.target(c).value;
        if (i > 0 && allowed(r, to)) distance_[r] = std::min(distance_[r], distance_[to] + length[c.value]);
      }
    }
  }

  /// A channel from one to the other may be taken.
  [[nodiscard]] bool allowed(std::uint32_t from, std::uint32_t to) const {
    return paths_ == FlowWays::any || hops_.distance()[from] == hops_.distance()[to] + 1;
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  using Item = std::pair<double, std::uint32_t>;
  const Network& network_;
  FlowWays paths_;
  DistancesTo hops_;  // of the last search, where hops matter
  std::vector<double> distance_;
  std::vector<std::uint32_t> rank_, order_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  std::vector<ChannelId> next_;
};

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
        search_(network_, neighbours_, paths_),
        inverse_(channels_, 1),
        load_(channels_, 0),
        length_(channels_, 1),
        wanted_(channels_, 0),
        passing_(network_.router_count(), 0),
        rate_(count_),
        ways_(count_),
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
      steepness_ = sharp / max_load();
      for (std::uint32_t d = 0; d < count_; ++d) move_flow(d);
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
  /// Loads are over capacities.
  [[nodiscard]] double max_load() const { return *std::max_element(load_.begin(), load_.end()); }
  [[nodiscard]] std::span<double> flow_to(std::uint32_t d) {
    return {result_.flow.data() + std::size_t{d} * channels_, channels_};
  }

  /// All shortest paths.
  void start() {
    for (std::uint32_t d = 0; d < count_; ++d) {
      if (!load_rates(d)) continue;
      search_.run(demand_.endpoints()[d], length_);
      for (std::uint32_t s = 0; s < count_; ++s) {
        if (rate_[s] > 0 && search_.distance(demand_.endpoints()[s]) == kFar) {
          throw InputError(fmt::format("there is no path from {} to {}, which have traffic",
                                       network_.router_name(demand_.endpoints()[s]),
                                       network_.router_name(demand_.endpoints()[d])));
        }
      }
      search_.spread(length_, kTie, passing_, flow_to(d));
      Way way;
      for (std::uint32_t c = 0; c < channels_; ++c) {
        if (flow_to(d)[c] > 0) way.flow.emplace_back(c, flow_to(d)[c]);
      }
      ways_[d].push_back(std::move(way));
    }
    add_up();
  }

  /// Demand for the destination into passing_; false where there is none.
  bool load_rates(std::uint32_t d) {
    demand_.column(d, rate_);
    bool any = false;
    for (std::uint32_t s = 0; s < count_; ++s) {
      passing_[demand_.endpoints()[s].value] = rate_[s];
      any = any || rate_[s] > 0;
    }
    return any;
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
    struct Worker {
      LengthSearch search;
      std::vector<double> rate;
    };
    std::vector<std::unique_ptr<Worker>> workers(threads_);
    parallel_blocks(count_, 8, threads_, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
      if (!workers[worker]) {
        workers[worker] =
            std::make_unique<Worker>(Worker{{network_, neighbours_, paths_}, std::vector<double>(count_)});
      }
      Worker& space = *workers[worker];
      for (std::uint32_t d = begin; d < end; ++d) {
        demand_.column(d, space.rate);
        space.search.run(demand_.endpoints()[d], length_);
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

  /// Moves flow to one destination from the longest of the ways it takes to the shortest paths, as far as
  /// lowers the potential most.
  void move_flow(std::uint32_t d) {
    if (!load_rates(d)) return;
    set_lengths(steepness_);
    search_.run(demand_.endpoints()[d], length_);
    std::fill(wanted_.begin(), wanted_.end(), 0.0);
    search_.spread(length_, slack_[d], passing_, wanted_);
    std::vector<Way>& ways = ways_[d];
    std::size_t longest = 0;
    double most = -1;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      double cost = 0;
      for (const auto& [channel, amount] : ways[i].flow) cost += amount * length_[channel];
      if (cost > most) {
        most = cost;
        longest = i;
      }
    }
    Way shortest;
    shortest.weight = 0;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      if (wanted_[c] > 0) shortest.flow.emplace_back(c, wanted_[c]);
    }
    for (const auto& [channel, amount] : ways[longest].flow) wanted_[channel] -= amount;
    changes_.clear();
    const double part = ways[longest].weight;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      if (wanted_[c] != 0)
        changes_.push_back({c, wanted_[c] * part, wanted_[c] * part * inverse_[c], length_[c]});
    }
    const double step = best_step();
    if (step < kSmallStep) slack_[d] = std::max(kTie, slack_[d] / 2);
    if (step == 0) return;
    const std::span<double> flow = flow_to(d);
    for (const Change& change : changes_) {
      flow[change.channel] = std::max(0.0, flow[change.channel] + step * change.amount);
      load_[change.channel] += step * change.load;
    }
    std::size_t same = 0;
    while (same < ways.size() && ways[same].flow != shortest.flow) ++same;
    if (same < ways.size()) {
      ways[same].weight += step * part;
    } else {
      shortest.weight = step * part;
      ways.push_back(std::move(shortest));
    }
    ways[longest].weight -= step * part;
    if (step == 1) ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(longest));
  }

  /// Where the derivative of the potential along the changes is 0, in [0, 1]: it ascends, so bisection finds
  /// it.
  [[nodiscard]] double best_step() const {
    const auto slope = [&](double step) {
      double sum = 0;
      for (const Change& change : changes_)
        sum += change.amount * change.length * std::exp(steepness_ * step * change.load);
      return sum;
    };
    if (slope(0) >= 0) return 0;
    if (slope(1) <= 0) return 1;
    double low = 0;
    double high = 1;
    for (int i = 0; i < 12; ++i) {
      const double middle = (low + high) / 2;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return low;
  }

  /// A way to serve all of the demand for a destination, and the part that takes it.
  struct Way {
    double weight = 1;
    std::vector<std::pair<std::uint32_t, double>> flow;  // channel, amount
  };
  struct Change {
    std::uint32_t channel;
    double amount, load;
    double length;
  };
  const Network& network_;
  const RouterDemand& demand_;
  FlowWays paths_;
  InNeighbours neighbours_;
  std::uint32_t count_;
  std::uint32_t channels_;
  std::uint32_t threads_;
  LengthSearch search_;
  std::vector<double> inverse_;                 // by channel: 1 / capacity
  std::vector<double> load_, length_, wanted_;  // by channel
  std::vector<double> passing_;                 // by router
  std::vector<double> rate_;                    // by endpoint router
  std::vector<Change> changes_;
  std::vector<std::vector<Way>> ways_;  // by destination
  std::vector<double> slack_;           // by destination
  double steepness_ = 1;                // length is exp(steepness * load), scaled
  double least_load_ = 0;               // smallest largest load of a flow so far, that of best_flow_
  double best_bound_ = 0;               // smallest bound of lengths so far, that of the result's
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
