// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/routing/covers/changed_parameter.hpp"
#include "unknot/routing/covers/covered_routing.hpp"
#include "unknot/routing/covers/dealt_by_size.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/model/deadline.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/multipath/disjoint_paths.hpp"
#include "unknot/routing/orders/covering.hpp"
#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/routing/orders/wished_paths.hpp"
#include "unknot/routing/run_engine.hpp"
#include "unknot/routing/trees/balanced_trees.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostSearched = 8;  // lanes to begin with, where the budget allows more
constexpr std::uint32_t kSamples = 100;     // matchings that bandwidths are compared on
constexpr double kLooksALevel = 6e6;        // work for one number of lanes, times the effort
constexpr double kLooksToWiden = 4e6;       // the same for leaving more choice
constexpr double kWarmth = 0.5;             // first temperature of annealing, in mean loads of a channel
constexpr double kWorthwhile = 0.995;       // share of the reference from which other coverings are tried
constexpr std::uint64_t kOtherCoverings = 2;
constexpr double kWorthWishing = 0.96;     // share of the reference from which lanes are made for paths
constexpr double kMostWished = 1'000'000;  // table entries, times the effort, of networks where that is tried
constexpr double kMostTriedAgain =
    500'000;  // table entries, times the effort: larger networks have no time for others
constexpr double kNearlyEqual = 0.94;                    // share of dor's bandwidth that is enough
constexpr double kNearlyAsMany = 0.97;                   // share of sssp's disjoint paths that is enough
constexpr std::uint64_t kMostPolished = 4'000'000;       // terminals times channels of a fat tree
constexpr std::uint64_t kMostSearchedPairs = 4'000'000;  // of routers and destination routers
constexpr std::uint64_t kMostPairs = 50'000'000;         // of routers and destination routers: about 1 GiB

/// A finished routing and how good it is.
struct Result {
  Routing routing;
  double bandwidth = 0;  // effective bisection bandwidth on the common matchings
};

double bandwidth_of(const Network& network, const Routing& routing, const EngineRequest& request) {
  Progress quiet;
  // Its own matchings: whoever measures the result with the usual seeds sees others.
  constexpr std::uint64_t kSeed = 0x756E6B6E6F74;
  return congestion(network, routing, make_pattern(network, "bisection"), kSamples, kSeed, request.threads,
                    quiet)
      .effective_bisection_bandwidth;
}

/// What results are measured by.
struct Reference {
  double bandwidth = 0;
  double disjoint = 1;  ///< paths to the addresses of a port: enough of them

  /// Bandwidth, less by what paths to several addresses of a port lack of being different.
  [[nodiscard]] Result judged(const Network& network, Routing routing, const EngineRequest& request) const {
    Result result{std::move(routing), 0};
    result.bandwidth = bandwidth_of(network, result.routing, request);
    if (further_addresses(network))
      result.bandwidth *= std::min(1.0, disjoint_paths(network, result.routing.table()) / disjoint);
    return result;
  }
};

class LaneSearch {
 public:
  LaneSearch(const Network& network, const EngineRequest& request, PathDags& dags,
             const ForwardingTable& sssp, const Reference& reference, Progress& progress)
      : network_(network),
        request_(request),
        sssp_(sssp),
        effort_(request.parameters.real("effort")),
        prefer_(request.parameters.text("prefer")),
        passes_(request.parameters.number32("passes")),
        polish_(request.parameters.number32("polish")),
        anneal_(request.parameters.number32("anneal")),
        reference_(reference),
        progress_(progress),
        deadline_(progress, request.parameters.real("time")),
        dags_(cover_dags(network, dags, &level_)),
        portfolio_(network, dags_, level_, request.seed, request.threads) {}

  /// The best routing within the budget of lanes; nothing where no covering was found.
  std::optional<Result> run() {
    try {
      search();
    } catch (const Interrupted&) {
      if (!best_) throw;
    }
    return std::move(best_);
  }

 private:
  /// Coverings from one group of starts, each with one lane less than the one before.
  struct Chain {
    std::span<const StartOrders> kinds;
    OrderSearch::Tie tie;
    std::vector<Covering> coverings = {};
  };

  /// Coverings first, from many lanes to few. Then trees, from few lanes to many, until they cost no
  /// bandwidth.
  void search() {
    static constexpr std::array kAnywhere{StartOrders::up_down, StartOrders::linear};
    static constexpr std::array kGrid{StartOrders::dimension};
    std::vector<Chain> chains;
    chains.push_back({kAnywhere, OrderSearch::Tie::first});
    // Dimension order balances tori better than orders that know nothing of rings: they get a chain of their
    // own.
    if (network_.coordinates() != nullptr) chains.push_back({kGrid, OrderSearch::Tie::later});
    for (Chain& chain : chains) descend(chain);
    for (std::uint32_t lanes = 1; lanes <= request_.virtual_lanes; ++lanes) {
      bool enough = false;
      for (Chain& chain : chains) {
        if (chain.coverings.empty() || chain.coverings.back().orders->lanes() != lanes) continue;
        const double bandwidth = keep_both(chain.coverings.back());
        chain.coverings.pop_back();
        enough = enough || bandwidth >= reference_.bandwidth ||
                 (worthwhile(bandwidth) && another_will_do(chain, lanes));
      }
      if (best_ && (enough || overdue_ || prefer_ == "lanes")) break;
    }
  }

  /// Balances paths inside the lanes; where that falls short, moves the lanes for the sake of paths. Returns
  /// the better bandwidth.
  double keep_both(Covering& covering) {
    const double bandwidth = keep(finish(covering));
    const double entries = static_cast<double>(network_.router_count()) * network_.terminal_count();
    if ((bandwidth >= reference_.bandwidth && prefer_ != "bandwidth") ||
        bandwidth < kWorthWishing * reference_.bandwidth || entries > kMostWished * effort_ || overdue_ ||
        further_addresses(network_)) {
      return bandwidth;
    }
    if (!wished_) wished_.emplace(network_, dags_, level_, sssp_, passes_, request_.seed, deadline_);
    const auto looks = static_cast<std::uint64_t>(kLooksALevel * effort_);
    const std::optional<MaskedTrees> trees = wished_->trees_on(*covering.orders, looks, deadline_);
    if (!trees) return bandwidth;
    return std::max(bandwidth, keep(reference_.judged(network_, trees->routing(), request_)));
  }

  [[nodiscard]] bool worthwhile(double bandwidth) const {
    return bandwidth >= kWorthwhile * reference_.bandwidth && !overdue_ && prefer_ != "lanes";
  }

  /// Nearly enough. More balancing gains nothing, but coverings differ: others are tried, from other starts,
  /// before another lane is taken.
  bool another_will_do(const Chain& chain, std::uint32_t lanes) {
    const double entries = static_cast<double>(network_.router_count()) * network_.terminal_count();
    if (entries > kMostTriedAgain * effort_) return false;
    for (std::uint64_t variant = 1; variant <= kOtherCoverings && !overdue_; ++variant) {
      std::optional<Covering> other = search_from(chain, lanes, nullptr, variant);
      if (other && keep_both(*other) >= reference_.bandwidth) return true;
    }
    return false;
  }

  std::optional<Covering> search_from(const Chain& chain, std::uint32_t lanes, const LaneOrders* more,
                                      std::uint64_t variant) {
    const auto looks = static_cast<std::uint64_t>(kLooksALevel * effort_);
    return portfolio_.find(lanes, chain.kinds, chain.tie, more, looks, variant, deadline_);
  }

  /// Coverings from many lanes to as few as are found, each from what the one before has taught.
  void descend(Chain& chain) {
    try {
      std::uint32_t lanes = std::min(request_.virtual_lanes, kMostSearched);
      progress_.begin("lanes", 0);
      std::optional<Covering> covering = search_from(chain, lanes, nullptr, 0);
      while (!covering && lanes < request_.virtual_lanes) {
        lanes = std::min(2 * lanes, request_.virtual_lanes);
        covering = search_from(chain, lanes, nullptr, 0);
      }
      while (covering) {
        chain.coverings.push_back(std::move(*covering));
        if (prefer_ == "bandwidth" || --lanes == 0) break;
        // A little more choice makes the lane that goes easier to do without.
        const Covering& last = chain.coverings.back();
        last.search->widen(static_cast<std::uint64_t>(kLooksToWiden / 8 * effort_), deadline_);
        covering = search_from(chain, lanes, last.orders.get(), 0);
      }
    } catch (const Interrupted&) {
      if (progress_.interrupted() && chain.coverings.empty()) throw;
      overdue_ = true;
    }
  }

  /// Keeps the result if it is the best so far. Returns its bandwidth.
  double keep(Result result) {
    const double bandwidth = result.bandwidth;
    if (!best_ || bandwidth > best_->bandwidth) best_ = std::move(result);
    return bandwidth;
  }

  /// A step that leaves something sound behind wherever the deadline stops it. Before there is any result,
  /// the deadline only makes an end of the step.
  template <class Step>
  void until_deadline(const Step& step) {
    if (overdue_) return;
    try {
      step();
    } catch (const Interrupted&) {
      if (progress_.interrupted() || best_) throw;
      overdue_ = true;
    }
  }

  Result finish(Covering& covering) {
    until_deadline(
        [&] { covering.search->widen(static_cast<std::uint64_t>(kLooksToWiden * effort_), deadline_); });
    std::vector<std::uint16_t> entries;
    entries.reserve(dags_.size() * network_.router_count());
    for (std::uint32_t j = 0; j < dags_.size(); ++j) {
      const std::uint16_t* const row = covering.search->entries(j);
      entries.insert(entries.end(), row, row + network_.router_count());
    }
    MaskedTrees trees(network_, dags_, *covering.orders, entries);
    std::vector<std::uint32_t> order(network_.terminal_count());
    std::iota(order.begin(), order.end(), 0);
    Random random(request_.seed, 7);
    // Trees of the search are the same for all terminals of a router: the first result gets one whole pass.
    const bool whole = !best_ || overdue_;
    if (passes_ > 0) trees.rebalance(order, whole ? progress_ : static_cast<const Progress&>(deadline_));
    for (std::uint32_t pass = 1; pass < passes_; ++pass) {
      random.shuffle(order);
      until_deadline([&] { trees.rebalance(order, deadline_); });
    }
    const double warmth = kWarmth * mean_load(trees);
    for (std::uint32_t pass = 0; pass < anneal_; ++pass) {
      const double temperature = warmth * (1 - static_cast<double>(pass) / anneal_);
      until_deadline([&] { trees.anneal(order, temperature, random, deadline_); });
    }
    for (std::uint32_t pass = 0; pass < polish_; ++pass) {
      until_deadline([&] { trees.polish(order, deadline_); });
    }
    // Polishing looks at flows alone, and brings addresses of one port together again.
    if (further_addresses(network_)) until_deadline([&] { trees.rebalance(order, deadline_); });
    return reference_.judged(network_, trees.routing(), request_);
  }

  static double mean_load(const MaskedTrees& trees) {
    const std::vector<std::uint64_t>& load = trees.load();
    return static_cast<double>(std::accumulate(load.begin(), load.end(), std::uint64_t{0})) /
           static_cast<double>(load.size());
  }

  const Network& network_;
  const EngineRequest& request_;
  const ForwardingTable& sssp_;
  double effort_;
  std::string prefer_;  // "balance", "lanes" or "bandwidth"
  std::uint32_t passes_, polish_, anneal_;
  Reference reference_;
  Progress& progress_;
  Deadline deadline_;
  std::vector<std::uint16_t> level_;
  std::vector<CoverDag> dags_;
  CoveringPortfolio portfolio_;
  std::optional<WishedPaths> wished_;
  bool overdue_ = false;  // the time is over: finish what there is
  std::optional<Result> best_;
};

/// Where shortest paths go up, then down, every table is deadlock-free: only balance is left to seek.
Routing balanced_fat_tree(const Network& network, const EngineRequest& request, PathDags& dags,
                          ForwardingTable table, Progress& progress) {
  Routing routing;
  routing.paths = std::move(table);
  const std::uint32_t polish = request.parameters.number32("polish");
  const std::uint64_t work = std::uint64_t{network.terminal_count()} * network.channel_count();
  if (polish > 0 && work <= kMostPolished) {
    const std::vector<CoverDag> covers = cover_dags(network, dags, nullptr);
    const LaneOrders any = LaneOrders::unrestricted(network);
    MaskedTrees trees(network, covers, any, routing.table());
    std::vector<std::uint32_t> order(network.terminal_count());
    std::iota(order.begin(), order.end(), 0);
    for (std::uint32_t pass = 0; pass < polish; ++pass) trees.polish(order, progress);
    if (further_addresses(network)) trees.rebalance(order, progress);
    routing = trees.routing();
  }
  routing.engine = "unknot";
  return routing;
}

/// The tables of dimension order; nothing where the network is no whole grid.
std::optional<Result> dimension_order(const Network& network, const EngineRequest& request,
                                      Progress& progress) {
  if (!refusal(dor_engine(), network).empty()) return std::nullopt;
  EngineRequest free = request;
  free.virtual_lanes = kMaxLanes;
  try {
    Result result{run_engine(network, dor_engine(), "", free, progress), 0};
    result.bandwidth = bandwidth_of(network, result.routing, request);
    return result;
  } catch (const RoutingFailure&) {
    return std::nullopt;
  }
}

/// What balance must not fall short of: sssp's, and nearly dimension order's where the network has
/// coordinates; nearly as many disjoint paths to the addresses of a port as sssp's.
Reference reference_of(const Network& network, const Routing& sssp, const EngineRequest& request,
                       const std::optional<Result>& grid) {
  Reference reference;
  reference.bandwidth = bandwidth_of(network, sssp, request);
  if (grid) reference.bandwidth = std::max(reference.bandwidth, kNearlyEqual * grid->bandwidth);
  if (further_addresses(network)) reference.disjoint = kNearlyAsMany * disjoint_paths(network, sssp.table());
  return reference;
}

/// Dimension order loads all channels of a HyperX or hypercube alike, which no search from tree to tree finds
/// again: it is taken where it costs no lane, needs no SL-to-VL tables, has the smaller maximum load and no
/// less bandwidth to speak of.
bool takes_over(const Network& network, const Result& grid, const Result& found,
                const EngineRequest& request) {
  const auto busiest = [&](const Routing& routing) {
    return load_statistics(channel_load(network, routing, request.threads)).max;
  };
  return grid.routing.lane_map == nullptr && grid.routing.virtual_lanes <= found.routing.virtual_lanes &&
         grid.bandwidth >= kWorthwhile * found.bandwidth && busiest(grid.routing) < busiest(found.routing);
}

/// Where shortest paths were not found within the lanes, tables with detours are: for any number of lanes.
Routing with_detours(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing = run_engine(network, nue_engine(), "", request, progress);
  routing.report.note = fmt::format(
      "shortest paths deadlock-free were not found within {} virtual lanes: tables by engine nue, which "
      "takes detours",
      request.virtual_lanes);
  return routing;
}

std::uint64_t router_pairs(const Network& network) {
  std::uint64_t destinations = 0;
  for (const RouterId r : network.routers()) destinations += network.terminals_at(r).empty() ? 0 : 1;
  return destinations * network.router_count();
}

enum class Dealing { never, first, always };

/// Whether tables are dealt out, all at once: always where asked for, and where tables are so large that a
/// search would take minutes; first where there are so many routers.
Dealing dealing_for(const Network& network, const EngineRequest& request) {
  const std::string& paths = request.parameters.text("paths");
  if (paths == "dealt" && !cover_trouble(network).empty())
    throw RoutingFailure("unknot:paths=dealt does not fit this network: " + cover_trouble(network));
  const std::string lost = changed_parameter(unknot_engine().parameters, request.parameters, "paths");
  if (paths == "dealt" && !lost.empty()) throw InputError("unknot:paths=dealt makes no use of " + lost);
  if (paths == "dealt") return Dealing::always;
  if (paths != "auto" || !lost.empty() || !cover_trouble(network).empty() || further_addresses(network) ||
      !network.levels().empty())
    return Dealing::never;
  if (dealt_by_size(network)) return Dealing::always;
  return router_pairs(network) > kMostSearchedPairs ? Dealing::first : Dealing::never;
}

/// Dimension order where it needs no SL-to-VL tables: it loads all channels alike there. Nothing for a torus,
/// where it does, unless tables are always dealt: the search balances it better.
std::optional<Routing> dealt(const Network& network, const EngineRequest& request, Dealing dealing,
                             Progress& progress) {
  if (network.coordinates() != nullptr && refusal(dor_engine(), network).empty()) {
    EngineRequest free = request;
    free.virtual_lanes = kMaxLanes;
    Routing grid = run_engine(network, dor_engine(), "", free, progress);
    if (grid.lane_map == nullptr && grid.virtual_lanes == 1) return grid;
    if (dealing == Dealing::first) return std::nullopt;
  }
  return covered_routing(network, "unknot", request.virtual_lanes, request.seed, request.threads, progress);
}

/// Where the search has found no lanes.
Routing without_search(const Network& network, const EngineRequest& request, bool dealt_in_vain,
                       Progress& progress) {
  if (!dealt_in_vain && cover_trouble(network).empty() && !further_addresses(network)) {
    try {
      return covered_routing(network, "unknot", request.virtual_lanes, request.seed, request.threads,
                             progress);
    } catch (const RoutingFailure&) {  // there are detours for any number of lanes
    }
  }
  return with_detours(network, request, progress);
}

Routing run_unknot(const Network& network, const EngineRequest& request, Progress& progress) {
  bool dealt_in_vain = false;
  if (const Dealing dealing = dealing_for(network, request); dealing != Dealing::never) {
    std::optional<Routing> routing;
    try {
      routing = dealt(network, request, dealing, progress);
    } catch (const RoutingFailure&) {
      dealt_in_vain = true;
      if (dealing == Dealing::always) routing = with_detours(network, request, progress);
    }
    if (routing) {
      routing->engine = "unknot";
      return std::move(*routing);
    }
  }
  PathDags dags(network);
  // As published where lanes are to be found; where none are needed, with all its rounds.
  BalancedTrees sssp = balanced_trees(network, dags, 0, progress, request.parameters.number32("passes"));
  if (sssp.up_down) return balanced_fat_tree(network, request, dags, std::move(sssp.table), progress);
  Routing routing;
  routing.paths = std::move(sssp.table);
  std::optional<Result> result;
  if (router_pairs(network) <= kMostPairs) {
    // One path for all addresses of a port is not what they are for.
    std::optional<Result> grid =
        further_addresses(network) ? std::nullopt : dimension_order(network, request, progress);
    const Reference reference = reference_of(network, routing, request, grid);
    result = LaneSearch(network, request, dags, routing.table(), reference, progress).run();
    if (result && grid && takes_over(network, *grid, *result, request)) result = std::move(grid);
  }
  routing = result ? std::move(result->routing) : without_search(network, request, dealt_in_vain, progress);
  routing.engine = "unknot";
  return routing;
}

}  // namespace

Engine unknot_engine() {
  return {
      .name = "unknot",
      .summary = "balanced shortest paths on few virtual lanes, each lane an order of the channels",
      .parameters =
          {{.name = "prefer",
            .kind = ParameterKind::text,
            .help = "the fewest lanes that cost no bandwidth against sssp, the fewest at all, or bandwidth",
            .fallback = "balance",
            .choices = {"balance", "lanes", "bandwidth"}},
           {.name = "effort",
            .kind = ParameterKind::real,
            .help = "work of the search, in units of the usual",
            .fallback = "1",
            .max = 1e6},
           {.name = "passes",
            .kind = ParameterKind::number,
            .help = "times each tree is rebuilt against all others",
            .fallback = "4",
            .max = 1000},
           {.name = "polish",
            .kind = ParameterKind::number,
            .help = "times each tree is polished against collisions of flows",
            .fallback = "2",
            .max = 1000},
           {.name = "anneal",
            .kind = ParameterKind::number,
            .help = "passes of annealing before the polish: slow, worth while on tori",
            .fallback = "0",
            .max = 100000},
           {.name = "time",
            .kind = ParameterKind::real,
            .help = "seconds after which the best so far is returned; 0: none. The result then depends on "
                    "the machine",
            .fallback = "0",
            .max = 1e9},
           {.name = "paths",
            .kind = ParameterKind::text,
            .help =
                "searched for, with all the other parameters; dealt out on lanes soon found, all at once, "
                "with none of them; auto: dealt in tables of more than 100 million entries or for more than "
                "2,000 routers with terminals, but for trees and tori, where no other parameter is given",
            .fallback = "auto",
            .choices = {"auto", "searched", "dealt"}}},
      .promise = {.deadlock_free = true, .minimal = true},
      .run = run_unknot,
  };
}

}  // namespace unknot
