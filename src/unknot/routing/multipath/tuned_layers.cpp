// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multipath/tuned_layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "unknot/routing/multipath/moving_tree.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr double kTunedMovesPerPath = 15000;  // of a flow to one address
constexpr double kMostTunedMoves = 3e7;
constexpr std::uint32_t kTunedSweeps = 40;
constexpr double kTunedHot = 0.3;  // temperatures, beside 1 for the busiest channel
constexpr double kTunedCool = 0.001;
constexpr double kBehindSource = 0.02;  // cost of a path by way of a router that sends

double high_power(double load) {
  const double square = load * load;
  const double fourth = square * square;
  return fourth * fourth * fourth;
}

/// A tree with traffic.
struct Loaded {
  MovingTree tree;
  std::vector<std::uint32_t> sources;  // routers that send to it
  std::vector<double> weight;          // by router
};

class Tuning {
 public:
  Tuning(const Network& network, std::span<const Flow> flows, std::uint32_t most_hops, LayerTrees& trees)
      : network_(network), most_hops_(most_hops), trees_(trees), load_(network.channel_count(), 0) {
    std::map<std::uint32_t, std::map<std::uint32_t, double>> sent;  // by destination, by source router
    for (const Flow& flow : flows)
      sent[flow.destination.value][network.router_of(flow.source).value] += flow.weight;
    for (const auto& [destination, sources] : sent) {
      for (TerminalId t(destination); t.value < network.terminal_count(); ++t.value) {
        if (t.value != destination && !network.further_address(t)) break;
        add(t, sources, t.value != destination);
      }
    }
  }

  [[nodiscard]] std::size_t trees() const { return loaded_.size(); }
  [[nodiscard]] double busiest() const { return *std::max_element(load_.begin(), load_.end()); }

  void move(Random& random, double scale, double temperature) {
    Loaded& one = loaded_[random.below(static_cast<std::uint32_t>(loaded_.size()))];
    std::uint32_t router = random.below(network_.router_count());
    if (random.below(2) == 0) {
      // one on the path of a source
      router = one.sources[random.below(static_cast<std::uint32_t>(one.sources.size()))];
      for (std::uint32_t steps = random.below(one.tree.depth(router)); steps > 0; --steps)
        router = one.tree.next(router);
    }
    const IdRange<ChannelId> out = network_.out(RouterId(router));
    MovingTree::Move move;
    if (out.empty() || !one.tree.look(router, out[random.below(out.size())].value, most_hops_, move)) return;
    double weight = 0;
    for (const std::uint32_t r : move.routers) weight += one.weight[r];
    double rise = 0;
    const auto change = [&](std::uint32_t c, double by) {
      rise += high_power((load_[c] + by) / scale) - high_power(load_[c] / scale);
      load_[c] += by;
    };
    for (const std::uint32_t c : move.left) change(c, -weight);
    for (const std::uint32_t c : move.taken) change(c, weight);
    // routers behind a source, that itself may not become deep for it, had better go elsewhere
    const auto by_sources = [&](std::span<const std::uint32_t> path) {
      double count = 0;
      for (const std::uint32_t c : path) {
        const std::uint32_t at = network_.source(ChannelId(c)).value;
        count += at != router && one.weight[at] > 0 ? 1 : 0;
      }
      return count;
    };
    rise += kBehindSource * static_cast<double>(move.routers.size()) *
            (by_sources(move.taken) - by_sources(move.left));
    if (rise <= 0 || random.unit() < std::exp(-rise / temperature)) {
      one.tree.make(move);
      return;
    }
    for (const std::uint32_t c : move.left) load_[c] += weight;
    for (const std::uint32_t c : move.taken) load_[c] -= weight;
  }

 private:
  void add(TerminalId t, const std::map<std::uint32_t, double>& sources, bool further) {
    const std::span<std::uint32_t> hops = trees_.towards(t);
    const RouterId root = network_.router_of(t);
    Loaded one;
    one.weight.assign(network_.router_count(), 0);
    for (const auto& [source, weight] : sources) {
      if (hops[source] == LayerTrees::kNone) continue;
      one.sources.push_back(source);
      one.weight[source] = weight;
      for (RouterId at(source); at != root;) {
        const ChannelId c(hops[at.value]);
        load_[c.value] += weight;
        at = network_.target(c);
      }
    }
    if (!further || one.sources.empty()) return;
    one.tree.begin(network_, root.value, hops);
    loaded_.push_back(std::move(one));
  }

  const Network& network_;
  std::uint32_t most_hops_;
  LayerTrees& trees_;
  std::vector<double> load_;  // by channel: weight times addresses
  std::vector<Loaded> loaded_;
};

}  // namespace

void tune_layers(const Network& network, std::span<const Flow> flows, const LayerAnnealing& options,
                 LayerTrees& trees, Progress& progress) {
  Tuning tuning(network, flows, options.most_hops, trees);
  if (tuning.trees() == 0) return;
  Random random(options.seed, ~std::uint64_t{0});
  const double wanted = options.effort * kTunedMovesPerPath * static_cast<double>(tuning.trees());
  const auto moves = static_cast<std::uint64_t>(std::min(wanted, options.effort * kMostTunedMoves));
  progress.begin("tuning", kTunedSweeps);
  for (std::uint32_t sweep = 0; sweep < kTunedSweeps; ++sweep) {
    const double scale = tuning.busiest();
    const double temperature =
        kTunedHot * std::pow(kTunedCool / kTunedHot, static_cast<double>(sweep) / (kTunedSweeps - 1));
    for (std::uint64_t i = 0; i < moves / kTunedSweeps; ++i) {
      if (i % 65'536 == 0 && progress.interrupted()) throw Interrupted();
      tuning.move(random, scale, temperature);
    }
    progress.update(sweep + 1);
  }
}

}  // namespace unknot
