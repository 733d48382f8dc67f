// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multipath/layer_annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "unknot/routing/multipath/moving_tree.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

// The weights were found by trial on slimfly:q=5,p=3 under worst-case traffic and uniform traffic.
constexpr double kSteep = 40;  // above an even share, beside 1 for a pair's square
constexpr double kPerTerminal = 0.5;
constexpr double kJoined = 0.5;
constexpr double kUnrelated = 0.66;  // beside the chance that two unrelated pairs meet
constexpr double kBalance = 12;      // of loads about their mean, beside what the mean costs
constexpr double kRelief = 0.74;     // part of the first layers' mean load that costs nothing
constexpr double kHot = 40;          // first temperature, and
constexpr double kCool = 0.3;        // the last one
constexpr double kTepid = 0.9;       // the first one where there are few moves

constexpr std::uint32_t kAtOnce = 8;  // destination routers that do not see each other's moves
constexpr double kMovesPerHop = 9600;
constexpr double kSmallHops = 100e3;  // networks of so few hops are worth, and take,
constexpr double kSmallMoves = 480e6;
constexpr double kFewMoves = 50e6;    // where kMostMoves are too few to anneal from hot
constexpr double kMostMoves = 120e6;  // but for networks that need more for kLeastPerHop
constexpr double kLeastPerHop = 2;
constexpr std::uint32_t kSweeps = 20;
constexpr std::size_t kMostPerTerminal = std::size_t{8} << 20;  // bytes of use by terminal

/// What all destinations share.
struct Ground {
  const Network& network;
  std::uint32_t most_hops;
  std::vector<std::uint32_t> ports;  // by router that sends: how many terminals
  std::uint32_t layers = 1;
  double unrelated = 0;
  double relief = 0;                             // load that costs nothing
  std::vector<double> steep = {};                // cost of a pair's use, by use; increments
  std::vector<std::uint32_t> pair_first = {};    // joined: by destination * routers + source, in pair_channel
  std::vector<std::uint32_t> pair_channel = {};  // channels of the first layer's path
  [[nodiscard]] bool joins() const { return !pair_first.empty(); }
};

/// A change of the pairs' use of a channel, by channel that joins them.
struct JoinedChange {
  std::uint32_t at;
  std::int32_t by;
};

/// What one destination router's moves have changed.
struct Change {
  std::vector<std::int64_t> load;  // by channel
  std::vector<JoinedChange> joined;
};

/// Space of one worker.
class Visit {
 public:
  Visit(const Ground& ground, std::vector<std::int32_t> joined)
      : ground_(ground),
        joined_(std::move(joined)),
        pair_(std::size_t{ground.network.router_count()} * ground.network.channel_count(), 0) {}

  void run(RouterId root, const std::vector<std::int64_t>& load, LayerTrees& trees, double temperature,
           std::uint64_t moves, Random random, Change& change) {
    begin(root, load, trees);
    const auto routers = ground_.network.router_count();
    const std::uint32_t further =
        static_cast<std::uint32_t>(trees_.size()) / ground_.layers * (ground_.layers - 1);
    for (std::uint64_t i = 0; i < moves; ++i) {
      const std::uint32_t which = random.below(further);
      const std::uint32_t tree =
          which / (ground_.layers - 1) * ground_.layers + 1 + which % (ground_.layers - 1);
      const std::uint32_t router = random.below(routers);
      const IdRange<ChannelId> out = ground_.network.out(RouterId(router));
      if (router == root.value || out.empty()) continue;
      const std::uint32_t channel = out[random.below(out.size())].value;
      MovingTree::Move move;
      if (!trees_[tree].look(router, channel, ground_.most_hops, move)) continue;
      const double rise = cost(tree / ground_.layers, move);
      if (rise > 0 && random.unit() >= std::exp(-rise / temperature)) continue;
      apply(tree / ground_.layers, move, change);
      trees_[tree].make(move);
    }
    end(root, load, trees, change);
  }

  /// Takes over what a destination has changed.
  void heed(const Change& change) {
    for (const JoinedChange& one : change.joined) joined_[one.at] += one.by;
  }

 private:
  [[nodiscard]] std::uint16_t& pair(std::uint32_t source, std::uint32_t channel) {
    return pair_[std::size_t{source} * ground_.network.channel_count() + channel];
  }
  [[nodiscard]] std::uint8_t* terminal(std::uint32_t source, std::uint32_t number) {
    return &terminal_[(std::size_t{number} * ground_.network.router_count() + source) *
                      ground_.network.channel_count()];
  }
  [[nodiscard]] std::span<const std::uint32_t> joins(std::uint32_t source) const {
    const std::size_t at = std::size_t{root_} * ground_.network.router_count() + source;
    return {ground_.pair_channel.data() + ground_.pair_first[at],
            ground_.pair_channel.data() + ground_.pair_first[at + 1]};
  }

  void begin(RouterId root, const std::vector<std::int64_t>& load, LayerTrees& trees) {
    const Network& network = ground_.network;
    root_ = root.value;
    load_ = load;
    mean_ = std::accumulate(load.begin(), load.end(), 0.0) / static_cast<double>(load.size());
    const IdRange<TerminalId> here = network.terminals_at(root);
    const std::size_t size = here.size() / ground_.layers * pair_.size();
    by_terminal_ = size <= kMostPerTerminal;
    if (by_terminal_ && terminal_.size() < size) terminal_.resize(size, 0);
    trees_.resize(here.size());
    for (std::uint32_t i = 0; i < here.size(); ++i)
      trees_[i].begin(network, root.value, trees.towards(here[i]));
    count(root, trees, 1);
  }
  void end(RouterId root, const std::vector<std::int64_t>& load, LayerTrees& trees, Change& change) {
    count(root, trees, -1);  // all 0 again, for the next destination
    change.load.resize(load.size());
    for (std::size_t c = 0; c < load.size(); ++c) change.load[c] = load_[c] - load[c];
    for (const JoinedChange& one : change.joined) joined_[one.at] -= one.by;
  }
  void count(RouterId root, const LayerTrees& trees, std::int32_t by) {
    const Network& network = ground_.network;
    std::uint32_t number = 0;
    for (const TerminalId t : network.terminals_at(root)) {
      const std::span<const std::uint32_t> hops = trees.towards(t);
      for (const RouterId s : network.routers()) {
        if (ground_.ports[s.value] == 0 || s == root || hops[s.value] == LayerTrees::kNone) continue;
        for (RouterId at = s; at != root;) {
          const ChannelId c(hops[at.value]);
          pair(s.value, c.value) = static_cast<std::uint16_t>(pair(s.value, c.value) + by);
          if (by_terminal_) {
            std::uint8_t& use = terminal(s.value, number / ground_.layers)[c.value];
            use = static_cast<std::uint8_t>(use + by);
          }
          at = network.target(c);
        }
      }
      ++number;
    }
  }

  double cost(std::uint32_t number, const MovingTree::Move& move) {
    double rise = 0;
    double ports = 0;
    for (const std::uint32_t s : move.routers) {
      if (ground_.ports[s] == 0) continue;
      ports += ground_.ports[s];
      for (const std::uint32_t c : move.left) rise -= ground_.steep[pair(s, c) - 1U];
      for (const std::uint32_t c : move.taken) rise += ground_.steep[pair(s, c)];
      if (by_terminal_) {
        const std::uint8_t* const use = terminal(s, number);
        for (const std::uint32_t c : move.left) rise -= kPerTerminal * (2 * use[c] - 1);
        for (const std::uint32_t c : move.taken) rise += kPerTerminal * (2 * use[c] + 1);
      }
      if (!ground_.joins()) continue;
      for (const std::uint32_t join : joins(s)) {
        const std::int32_t* const use = &joined_[std::size_t{join} * load_.size()];
        for (const std::uint32_t c : move.left) rise -= kJoined * (2 * use[c] - 1);
        for (const std::uint32_t c : move.taken) rise += kJoined * (2 * use[c] + 1);
      }
    }
    double squares = 0;
    const double hop = 2 * (mean_ - ground_.relief);
    for (const std::uint32_t c : move.left)
      squares -= kBalance * (2 * (static_cast<double>(load_[c]) - mean_) - ports) + hop;
    for (const std::uint32_t c : move.taken)
      squares += kBalance * (2 * (static_cast<double>(load_[c]) - mean_) + ports) + hop;
    return rise + ground_.unrelated * ports * squares;
  }

  void apply(std::uint32_t number, const MovingTree::Move& move, Change& change) {
    const auto add = [&](std::uint32_t s, std::uint32_t c, std::int32_t by) {
      pair(s, c) = static_cast<std::uint16_t>(pair(s, c) + by);
      if (by_terminal_) terminal(s, number)[c] = static_cast<std::uint8_t>(terminal(s, number)[c] + by);
      load_[c] += by * static_cast<std::int64_t>(ground_.ports[s]);
      if (!ground_.joins()) return;
      for (const std::uint32_t join : joins(s)) {
        const auto at = static_cast<std::uint32_t>(join * load_.size() + c);
        joined_[at] += by;
        change.joined.push_back({at, by});
      }
    };
    for (const std::uint32_t s : move.routers) {
      if (ground_.ports[s] == 0) continue;
      for (const std::uint32_t c : move.left) add(s, c, -1);
      for (const std::uint32_t c : move.taken) add(s, c, 1);
    }
  }

  const Ground& ground_;
  std::vector<std::int32_t> joined_;    // by channel that joins pairs, and channel: their use
  std::vector<std::uint16_t> pair_;     // by source and channel: use by trees to the root
  std::vector<std::uint8_t> terminal_;  // by terminal of the root, source and channel
  std::vector<std::int64_t> load_;      // by channel: terminals and trees
  std::vector<MovingTree> trees_;
  double mean_ = 0;  // of the loads when the visit began
  std::uint32_t root_ = 0;
  bool by_terminal_ = false;
};

/// Calls visit(source router, root, channel) along all paths of the trees towards a terminal from routers
/// that send.
template <class Visitor>
void along_paths(const Ground& ground, const LayerTrees& trees, TerminalId t, const Visitor& visit) {
  const RouterId root = ground.network.router_of(t);
  const std::span<const std::uint32_t> hops = trees.towards(t);
  for (const RouterId s : ground.network.routers()) {
    if (ground.ports[s.value] == 0 || hops[s.value] == LayerTrees::kNone) continue;
    for (RouterId at = s; at != root;) {
      const ChannelId c(hops[at.value]);
      visit(s, root, c);
      at = ground.network.target(c);
    }
  }
}

std::vector<std::int64_t> load_of_trees(const Ground& ground, const LayerTrees& trees, bool first) {
  std::vector<std::int64_t> load(ground.network.channel_count(), 0);
  for (const TerminalId t : ground.network.terminals()) {
    if (first && ground.network.further_address(t)) continue;
    along_paths(ground, trees, t,
                [&](RouterId s, RouterId, ChannelId c) { load[c.value] += ground.ports[s.value]; });
  }
  return load;
}

/// The channels by which pairs of routers are joined: those on the path to the first terminal.
void join_pairs(Ground& ground, const LayerTrees& trees) {
  const Network& network = ground.network;
  if (network.channel_count() > kMostJoined) return;
  const std::size_t routers = network.router_count();
  ground.pair_first.assign(routers * routers + 1, 0);
  for (const RouterId root : network.routers()) {
    const std::size_t row = root.value * routers;
    if (!network.terminals_at(root).empty()) {
      along_paths(ground, trees, network.terminals_at(root)[0], [&](RouterId s, RouterId, ChannelId c) {
        ++ground.pair_first[row + s.value + 1];
        ground.pair_channel.push_back(c.value);
      });
    }
  }
  for (std::size_t i = 1; i < ground.pair_first.size(); ++i) ground.pair_first[i] += ground.pair_first[i - 1];
}

std::vector<std::int32_t> joined_use(const Ground& ground, const LayerTrees& trees) {
  std::vector<std::int32_t> use;
  if (!ground.joins()) return use;
  const std::size_t channels = ground.network.channel_count();
  use.assign(channels * channels, 0);
  for (const TerminalId t : ground.network.terminals()) {
    along_paths(ground, trees, t, [&](RouterId s, RouterId root, ChannelId c) {
      const std::size_t at = std::size_t{root.value} * ground.network.router_count() + s.value;
      for (std::uint32_t i = ground.pair_first[at]; i < ground.pair_first[at + 1]; ++i)
        ++use[ground.pair_channel[i] * channels + c.value];
    });
  }
  return use;
}

/// Increments of the square of a pair's use, steeper above an even share over the ports.
std::vector<double> steep_costs(double share, std::uint32_t most) {
  std::vector<double> costs(most + std::size_t{1});
  const auto cost = [&](double use) { return use * use + kSteep * std::pow(std::max(0.0, use - share), 2); };
  for (std::uint32_t use = 0; use <= most; ++use) costs[use] = cost(use + 1.0) - cost(use);
  return costs;
}

}  // namespace

void anneal_layers(const Network& network, const LayerAnnealing& options, LayerTrees& trees,
                   Progress& progress) {
  Ground ground{network, options.most_hops, sending_ports(network)};
  const std::vector<std::uint32_t> ranks = address_ranks(network);
  for (const std::uint32_t rank : ranks) ground.layers = std::max(ground.layers, rank + 1);
  std::vector<RouterId> roots;
  std::uint32_t most_trees = 0;
  double ports = 0;
  double degrees = 0;
  for (const RouterId r : network.routers()) {
    if (ground.ports[r.value] == 0) continue;
    roots.push_back(r);
    most_trees = std::max(most_trees, network.terminals_at(r).size());
    ports += ground.ports[r.value];
    degrees += network.out(r).size();
  }
  if (ground.layers == 1 || roots.size() < 2 || degrees == 0) return;
  const auto senders = static_cast<double>(roots.size());
  ports /= senders;
  const double share = ports * ground.layers / (degrees / senders);
  ground.unrelated = kUnrelated / ((senders - 1) * ports * ports);
  ground.steep = steep_costs(share, most_trees);
  double first = 0;
  for (const std::int64_t load : load_of_trees(ground, trees, true)) first += static_cast<double>(load);
  ground.relief = kRelief * first * ground.layers / network.channel_count();
  join_pairs(ground, trees);

  std::vector<std::int64_t> load = load_of_trees(ground, trees, false);
  const std::vector<std::int32_t> joined = joined_use(ground, trees);
  const std::uint32_t threads = options.threads == 0 ? hardware_threads() : options.threads;
  std::vector<std::unique_ptr<Visit>> visits(std::min(threads, kAtOnce));
  for (std::unique_ptr<Visit>& visit : visits) visit = std::make_unique<Visit>(ground, joined);

  const double hops = ports * senders * (ground.layers - 1) * (network.router_count() - 1.0);
  const double most = hops > kSmallHops ? kMostMoves : kSmallMoves;
  const bool few = options.effort * std::min(kMovesPerHop, most / hops) < 4 * kSweeps;
  const double per_hop =
      options.effort * std::max(kLeastPerHop, std::min(kMovesPerHop, (few ? kFewMoves : most) / hops));
  const std::uint32_t sweeps = few ? std::clamp(static_cast<std::uint32_t>(per_hop), 1U, 4U) : kSweeps;
  const double cool = kCool * share;
  const double hot = few ? kTepid * share : kHot * share;
  std::vector<Change> changes(kAtOnce);
  const auto count = static_cast<std::uint32_t>(roots.size());
  progress.begin("layers", std::uint64_t{sweeps} * count);
  for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
    const double temperature =
        hot * std::pow(cool / hot, sweeps == 1 ? 1.0 : static_cast<double>(sweep) / (sweeps - 1));
    for (std::uint32_t from = 0; from < count; from += kAtOnce) {
      const std::uint32_t batch = std::min(kAtOnce, count - from);
      parallel_blocks(batch, 1, static_cast<std::uint32_t>(visits.size()),
                      [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t i = begin; i < end; ++i) {
                          const RouterId root = roots[from + i];
                          changes[i].joined.clear();
                          const double moves = per_hop / sweeps * ground.ports[root.value] *
                                               (ground.layers - 1) * (network.router_count() - 1.0);
                          visits[worker]->run(
                              root, load, trees, temperature, static_cast<std::uint64_t>(moves),
                              Random(options.seed, std::uint64_t{sweep} << 32 | root.value), changes[i]);
                        }
                      });
      for (std::uint32_t i = 0; i < batch; ++i) {
        for (std::size_t c = 0; c < load.size(); ++c) load[c] += changes[i].load[c];
      }
      parallel_blocks(static_cast<std::uint32_t>(visits.size()), 1, threads,
                      [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t v = begin; v < end; ++v) {
                          for (std::uint32_t i = 0; i < batch; ++i) visits[v]->heed(changes[i]);
                        }
                      });
      if (progress.interrupted()) throw Interrupted();
      progress.update(std::uint64_t{sweep} * count + from + batch);
    }
  }
}

}  // namespace unknot
