// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "unknot/collective/placed/contest.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/simulate/rank_runs.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

constexpr const char* kSwing = "De Sensi, Bonato, Saam, Hoefler: Swing, NSDI 2024";
constexpr const char* kBine = "De Sensi et al.: Bine trees, SC 2025, arXiv 2508.17311";

struct KnownNetwork {
  const char* spec;
  const char* engine;
  std::uint32_t group_routers;
  bool exchanges;  ///< all-to-all too
};
constexpr KnownNetwork kKnownNetworks[] = {{"torus:8x8", "dfsssp", 0, true},
                                           {"torus:16x16", "unknot", 0, false},
                                           {"fattree3:8", "ftree", 0, true},
                                           {"dragonfly:a=4,h=2,p=2", "dfsssp", 4, true},
                                           {"boxes:8,8", "dfsssp", 0, true}};

/// A network with its tables, and all its hosts as ranks in order.
struct RankedNetwork {
  Network network;
  Routing routing;
  std::unique_ptr<PlacedRanks> placed;

  RankedNetwork(const char* spec, const char* engine, const ExperimentRequest& request, Progress& progress)
      : network(make_network(spec)) {
    EngineRequest wanted;
    wanted.virtual_lanes = 8;
    wanted.seed = request.seed;
    wanted.threads = request.threads;
    routing = route(network, engine, wanted, progress);
    std::vector<TerminalId> hosts;
    for (const TerminalId t : network.terminals()) hosts.push_back(t);
    placed = std::make_unique<PlacedRanks>(network, routing, std::move(hosts));
  }
};

/// Largest and smallest error of predictions, of algorithms that are free of contention and of the others.
struct Errors {
  std::uint32_t runs = 0;
  double low = 0, high = 0;
  void take(double error) {
    low = runs == 0 ? error : std::min(low, error);
    high = runs == 0 ? error : std::max(high, error);
    ++runs;
  }
  [[nodiscard]] std::string text() const {
    return runs == 0 ? "-" : fmt::format("{:+.1f} to {:+.1f} %, {} runs", low * 100, high * 100, runs);
  }
};

class KnownComparison {
 public:
  KnownComparison(const ExperimentRequest& request, Progress& progress, Reproduction& result)
      : request_(request), progress_(progress), result_(result) {
    best_.title = "The quickest of all, and the quickest of ours";
    best_.headings = {"network", "collective", "bytes", "by the model", "us", "simulated",
                      "us",      "ours",       "us"};
    free_.title = "Contention on the tables in force";
    free_.headings = {"network", "collective", "free of contention",
                      "share channels, messages on the busiest"};
    errors_.title = "Prediction over simulation, less one";
    errors_.headings = {"network", "collective", "free of contention", "with contention"};
    apart_.title = "All-to-all of 64 KiB, rounds kept apart (`--rounds-apart`) and not, us";
    apart_.headings = {"network",          "algorithm", "predicted", "simulated",
                       "apart: predicted", "simulated", "error"};
  }

  void run() {
    for (const KnownNetwork& network : kKnownNetworks) {
      if (&network != kKnownNetworks && request_.parameters.number("networks") == 1) break;
      const RankedNetwork ranked(network.spec, network.engine, request_, progress_);
      for (const RankCollective collective : {RankCollective::all_reduce, RankCollective::all_gather,
                                              RankCollective::broadcast, RankCollective::all_to_all}) {
        if (collective == RankCollective::all_to_all && !network.exchanges) continue;
        compare_on(network, ranked, collective);
      }
    }
    result_.tables.push_back(std::move(best_));
    result_.tables.push_back(std::move(free_));
    result_.tables.push_back(std::move(errors_));
    result_.tables.push_back(std::move(apart_));
  }

 private:
  void compare_on(const KnownNetwork& network, const RankedNetwork& ranked, RankCollective collective) {
    const PlacedRanks& placed = *ranked.placed;
    simulate::SettingsDraft draft;
    draft.add(simulate::rank_settings(ranked.network));
    const simulate::RoutePlan plan = simulate::plan_routing(ranked.network, ranked.routing, false);
    const simulate::Settings settings = simulate::for_lanes(draft.resolve().settings, plan.lanes_needed);
    const KnownCase which{collective, placed.ranks(), 0, grid_of_ranks(placed), ranks_of_a_box(placed)};
    ContestOptions options;
    options.group_routers = network.group_routers;
    options.seed = request_.seed;
    options.threads = request_.threads;
    const Contest contest =
        make_contest(which, placed, simulate::line_times(ranked.network, settings), options, progress_);
    const std::uint64_t sizes[] = {1024, 65536, 1U << 20U};
    const auto trials =
        simulate::run_contest(contest, placed, plan, settings, sizes,
                              {{}, request_.parameters.number("movements"), request_.threads}, progress_);
    add_best(network, contest, trials);
    add_contention(network, contest);
    add_errors(network, contest, trials);
    if (collective != RankCollective::all_to_all) return;
    const std::uint64_t one[] = {sizes[1]};
    const auto apart = simulate::run_contest(
        contest, placed, plan, settings, one,
        {{.apart = true}, request_.parameters.number("movements"), request_.threads}, progress_);
    for (std::size_t i = 0; i < apart.size(); ++i) {
      const auto& loose = trials[contest.contenders.size() + i];
      const auto us = [](double seconds) { return fmt::format("{:.1f}", seconds * 1e6); };
      const auto simulated = [&](const simulate::RankTrial& t) {
        return t.simulated ? us(*t.simulated) : std::string("-");
      };
      apart_.lines.push_back({network.spec, contest.contenders[i].name, us(loose.predicted), simulated(loose),
                              us(apart[i].predicted), simulated(apart[i]),
                              apart[i].simulated ? fmt::format("{:+.1f} %", apart[i].error() * 100) : "-"});
    }
  }

  void add_best(const KnownNetwork& network, const Contest& contest,
                const std::vector<simulate::RankTrial>& trials) {
    const std::size_t count = contest.contenders.size();
    for (std::size_t first = 0; first < trials.size(); first += count) {
      std::optional<std::size_t> predicted, simulated, ours;
      bool whole = true;
      for (std::size_t i = first; i < first + count; ++i) {
        const auto& trial = trials[i];
        if (!predicted || trial.predicted < trials[*predicted].predicted) predicted = i;
        whole = whole && trial.simulated;
        if (trial.simulated && (!simulated || *trial.simulated < *trials[*simulated].simulated))
          simulated = i;
        const bool is_ours = contest.contenders[trial.contender].name.starts_with("unknot-");
        if (is_ours && (!ours || trial.predicted < trials[*ours].predicted)) ours = i;
      }
      const auto name = [&](std::optional<std::size_t> i) {
        return i ? contest.contenders[trials[*i].contender].name : std::string("-");
      };
      best_.lines.push_back({network.spec, name_of(contest_collective(contest)),
                             fmt::format("{}", trials[first].bytes), name(predicted),
                             fmt::format("{:.1f}", trials[*predicted].predicted * 1e6),
                             simulated && !whole ? name(simulated) + " (not all were)" : name(simulated),
                             simulated ? fmt::format("{:.1f}", *trials[*simulated].simulated * 1e6) : "-",
                             name(ours), ours ? fmt::format("{:.1f}", trials[*ours].predicted * 1e6) : "-"});
    }
  }

  void add_contention(const KnownNetwork& network, const Contest& contest) {
    std::vector<std::string> free, shared;
    for (const Contender& contender : contest.contenders) {
      if (contender.contention.free()) {
        free.push_back(contender.name);
      } else {
        shared.push_back(fmt::format("{} {}", contender.name, contender.contention.most_flows));
      }
    }
    free_.lines.push_back({network.spec, name_of(contest_collective(contest)),
                           fmt::format("{}", fmt::join(free, ", ")),
                           fmt::format("{}", fmt::join(shared, ", "))});
  }

  void add_errors(const KnownNetwork& network, const Contest& contest,
                  const std::vector<simulate::RankTrial>& trials) {
    Errors free, shared;
    for (const auto& trial : trials) {
      if (!trial.simulated) continue;
      (contest.contenders[trial.contender].contention.free() ? free : shared).take(trial.error());
    }
    errors_.lines.push_back({network.spec, name_of(contest_collective(contest)), free.text(), shared.text()});
  }

  static RankCollective contest_collective(const Contest& contest) {
    return contest.contenders.front().variants.front().schedule.collective();
  }

  const ExperimentRequest& request_;
  Progress& progress_;
  Reproduction& result_;
  ReproducedTable best_, free_, errors_, apart_;
};

/// Channels that a byte of an all-reduce passes, mean; no more than one is what links alone allow.
double mean_channels(const char* algorithm, const std::vector<std::uint32_t>& grid,
                     const PlacedRanks& placed) {
  const RankSchedule schedule =
      make_known(choose_known_algorithm(algorithm), {RankCollective::all_reduce, placed.ranks(), 0, grid, 0});
  const Contention all = contention_of(schedule, placed);
  return all.channels / all.sent;
}

void add_swing(const ExperimentRequest& request, Progress& progress, Reproduction& result) {
  struct Torus {
    const char* spec;
    double published;
  };
  ReproducedTable table{
      .title = "Channels that a byte of an all-reduce passes, mean",
      .headings = {"network", "swing", "bine", "rabenseifner", "rabenseifner:near=1", "ring"},
      .lines = {}};
  for (const Torus& torus :
       {Torus{"torus:8x8", 1.19}, {"torus:16x16", 1.19}, {"torus:8x8x8", 1.03}, {"torus:4x4x4x4", 1.008}}) {
    const RankedNetwork ranked(torus.spec, "dor", request, progress);
    const std::vector<std::uint32_t> grid = grid_of_ranks(*ranked.placed);
    constexpr double kShown = 0.0005;
    const double ours = mean_channels("swing", grid, *ranked.placed);
    ReproducedRow row = claim(fmt::format("Swing, {}: channels of a byte, mean", torus.spec),
                              fmt::format("at most {}", torus.published), fmt::format("{:.3f}", ours),
                              ours <= torus.published + kShown, "no more, in three decimals");
    row.note = fmt::format(
        "{}: printed as the congestion deficiency of many nodes; the sum over steps tends to 6/5, 28/27 and "
        "1.0084 in two, three and four dimensions",
        kSwing);
    result.rows.push_back(std::move(row));
    std::vector<std::string> line = {torus.spec, fmt::format("{:.3f}", ours)};
    for (const char* other : {"bine", "rabenseifner", "rabenseifner:near=1", "ring"})
      line.push_back(fmt::format("{:.3f}", mean_channels(other, grid, *ranked.placed)));
    table.lines.push_back(std::move(line));
  }
  result.tables.push_back(std::move(table));
}

/// Traffic on global links of two algorithms, over many jobs.
struct GlobalTraffic {
  const char* what;
  RankCollective collective;
  const char* theirs;
  const char* base;
};
constexpr GlobalTraffic kGlobalTraffic[] = {
    {"broadcast, whole", RankCollective::broadcast, "bine-whole", "binomial"},
    {"all-gather, far first", RankCollective::all_gather, "bine", "recursive-doubling:near=1"},
    {"all-gather, near first", RankCollective::all_gather, "bine", "recursive-doubling"},
    {"all-reduce, far first", RankCollective::all_reduce, "bine", "rabenseifner:near=1"},
    {"all-reduce, near first", RankCollective::all_reduce, "bine", "rabenseifner"}};

double global_bytes(const char* algorithm, RankCollective collective, const PlacedRanks& placed) {
  constexpr std::uint32_t kRoutersOfGroup = 8;
  const RankSchedule schedule =
      make_known(choose_known_algorithm(algorithm), {collective, placed.ranks(), 0, {}, 0});
  return contention_of(schedule, placed, kRoutersOfGroup).between;
}

void add_bine(const ExperimentRequest& request, Progress& progress, Reproduction& result) {
  const auto jobs = static_cast<std::uint32_t>(request.parameters.number("jobs"));
  const RankedNetwork ranked("dragonfly:a=8,h=4,p=4", "minhop", request, progress);
  const std::vector<TerminalId>& all = ranked.placed->hosts();
  ReproducedTable table{
      .title = "Bytes on global links of dragonfly:a=8,h=4,p=4, Bine's less than the other's",
      .headings = {"collective", "beside", "hosts", "ranks", "all jobs", "least", "most"},
      .lines = {}};
  double most_in_trees = 0;
  for (const GlobalTraffic& pair : kGlobalTraffic) {
    for (const bool together : {true, false}) {
      for (const std::uint32_t ranks : {64U, 128U, 256U}) {
        double theirs = 0, base = 0, least = 1, most = -1;
        for (std::uint32_t job = 0; job < jobs; ++job) {
          Random random(request.seed, job);
          std::vector<TerminalId> hosts;
          if (together) {
            const std::uint32_t first = random.below(static_cast<std::uint32_t>(all.size()) - ranks + 1);
            hosts.assign(all.begin() + first, all.begin() + first + ranks);
          } else {
            hosts = all;
            random.shuffle(hosts);
            hosts.resize(ranks);
            std::sort(hosts.begin(), hosts.end());
          }
          const PlacedRanks placed = ranked.placed->with_hosts(std::move(hosts));
          const double a = global_bytes(pair.theirs, pair.collective, placed);
          const double b = global_bytes(pair.base, pair.collective, placed);
          theirs += a;
          base += b;
          least = std::min(least, 1 - a / b);
          most = std::max(most, 1 - a / b);
        }
        if (std::string_view(pair.what).find("near first") == std::string_view::npos)
          most_in_trees = std::max(most_in_trees, 1 - theirs / base);
        table.lines.push_back({pair.what, pair.base, together ? "in a row" : "anywhere, in order",
                               fmt::format("{}", ranks), fmt::format("{:.1f} %", (1 - theirs / base) * 100),
                               fmt::format("{:.1f} %", least * 100), fmt::format("{:.1f} %", most * 100)});
      }
    }
  }
  constexpr double kPublishedLess = 0.33;
  ReproducedRow row =
      claim("Bine beside binomial trees and butterflies of the same order: less on global links",
            "up to 33 %", fmt::format("up to {:.1f} %, mean of jobs", most_in_trees * 100),
            most_in_trees > 0 && most_in_trees <= kPublishedLess, "less, and by no more than printed");
  row.note = fmt::format(
      "{}; ours is of {} jobs of each kind on a dragonfly, shortest routes. Single jobs, see the table, save "
      "more, or lose where powers of two fit the groups",
      kBine, jobs);
  result.rows.push_back(std::move(row));
  result.tables.push_back(std::move(table));
}

Reproduction run_known_algorithms(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Known algorithms of collectives on real tables";
  result.text = {
      "All algorithms of `unknot list known-algorithms` and what Unknot makes itself, one rank on each host "
      "in "
      "order, on "
      "the forwarding tables of an engine: which rounds meet on a channel, what the cost model says, and "
      "what the "
      "simulator says flit by flit. Every schedule has been executed on symbols by code that knows none of "
      "them. "
      "Each row of the first table is one line of `unknot algorithms NETWORK --engine ENGINE --collective "
      "COLLECTIVE --bytes 1K,64K,1M`; the engines are dfsssp, and unknot for torus:16x16 and ftree for the "
      "fat "
      "tree.",
      "Hosts have one port. Links are of 200 Gb/s, those of boxes as they state, with 51 ns; switches take "
      "102 ns; "
      "to begin a message takes a rank 1 us. `ours` is the quicker of `unknot-steps`, a schedule in as few "
      "steps as "
      "there can be that shares no channel, and `unknot-trees`, trees optimal in bandwidth, by the model.",
      "Where a round is free of contention the prediction is within 1 % of the simulation, but for two "
      "things: ranks that keep their rounds by themselves drift apart, and messages of different rounds meet "
      "(all-to-all of few steps on direct networks: no barrier keeps its steps apart; with one, below, they "
      "take what is predicted), and a chain of chunks "
      "overlaps more than the model has it. With contention the model does not see that packets behind a "
      "busy channel hold up others (predicted too quick), nor that messages which share a channel need not "
      "be sent at the same time (too slow)."};
  add_swing(request, progress, result);
  add_bine(request, progress, result);
  KnownComparison(request, progress, result).run();
  // What everyone looks for comes first.
  std::rotate(result.tables.begin(), result.tables.begin() + 2, result.tables.end());
  return result;
}

}  // namespace

Experiment known_algorithms_experiment() {
  return {
      .name = "known-algorithms",
      .summary =
          "rings, trees, butterflies, Swing and Bine on networks: contention, prediction, simulation, ours",
      .paper = "De Sensi et al.: Swing, NSDI 2024; Bine trees, SC 2025",
      .place = "congestion deficiency of Swing, global traffic of Bine, and beyond",
      .typical_seconds = 120,
      .quick = "networks=1,movements=20000,jobs=1",
      .parameters = {{.name = "networks", .help = "1: the first alone; 0: all", .fallback = "0", .max = 1},
                     {.name = "movements",
                      .help = "of flits over channels: longer runs are predicted alone",
                      .fallback = "20000000",
                      .max = 1e12},
                     {.name = "jobs",
                      .help = "placements for the traffic on global links",
                      .fallback = "20",
                      .min = 1,
                      .max = 1000}},
      .run = run_known_algorithms};
}

}  // namespace unknot
