// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_schedule.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::simulate {
namespace {

/// Which terminals of the simulated network are a node's: as many as it sends or receives messages in one
/// step.
class Places {
 public:
  Places(const NodeGraph& graph, const Schedule& schedule) : first_(graph.node_count() + std::size_t{1}, 0) {
    std::vector<std::uint32_t> most(graph.node_count(), 0), sent, received;
    for (std::uint32_t s = 0; s < schedule.step_count(); ++s) {
      sent.assign(graph.node_count(), 0);
      received.assign(graph.node_count(), 0);
      for (std::uint32_t t = schedule.step_begin(s); t < schedule.step_end(s); ++t) {
        const std::uint32_t from = schedule.distributor(t).value, to = schedule.receiver(t).value;
        most[from] = std::max(most[from], ++sent[from]);
        most[to] = std::max(most[to], ++received[to]);
      }
    }
    for (const NodeId n : graph.nodes()) first_[n.value + 1] = first_[n.value] + most[n.value];
  }
  [[nodiscard]] std::uint32_t first(NodeId n) const { return first_[n.value]; }
  [[nodiscard]] std::uint32_t count(NodeId n) const { return first_[n.value + 1] - first_[n.value]; }
  [[nodiscard]] std::uint32_t all() const { return first_.back(); }

 private:
  std::vector<std::uint32_t> first_;  // by node, and one more
};

/// The same routers and channels, with the terminals that the messages of a step need.
Network network_with(const Network& network, const NodeGraph& graph, const Places& places) {
  NetworkBuilder builder;
  builder.add_routers(network.router_count());
  for (const ChannelId c : network.channels()) {
    const ChannelId back = network.reverse(c);
    if (!back.valid()) {
      builder.add_channel(network.source(c), network.source_port(c), network.target(c),
                          network.target_port(c), network.channel_rate(c));
      builder.set_latency(network.channel_latency(c), 0);
    } else if (c < back) {
      builder.add_cable(network.source(c), network.source_port(c), network.target(c), network.target_port(c),
                        network.channel_rate(c));
      builder.set_latency(network.channel_latency(c), network.channel_latency(back));
    }
  }
  for (const NodeId n : graph.nodes()) {
    const RouterId router =
        graph.is_leaf(n) ? network.router_of(TerminalId(n.value - graph.router_count())) : RouterId(n.value);
    for (std::uint32_t i = 0; i < places.count(n); ++i) builder.add_terminal(router);
  }
  builder.set_levels({network.levels().begin(), network.levels().end()});
  if (network.coordinates() != nullptr) builder.set_coordinates(*network.coordinates());
  builder.set_description(network.description());
  return std::move(builder).build();
}

/// A transfer of the step that is played.
struct Sent {
  std::uint32_t source = 0, destination = 0;  // terminals
  std::uint32_t flits = 0;
  std::vector<ChannelId> route;
};

class StepPlayer {
 public:
  /// `flits` is by transfer.
  StepPlayer(const Network& network, const NodeGraph& graph, const Places& places, const Settings& settings,
             std::span<const std::uint32_t> flits)
      : network_(&network), graph_(&graph), places_(&places), settings_(settings), flits_(flits) {}

  PlayedStep play(const Schedule& schedule, std::uint32_t step, const Progress& progress) const {
    const std::vector<Sent> sent = sent_in(schedule, step);
    PlayedStep result;
    result.transfers = static_cast<std::uint32_t>(sent.size());
    if (sent.empty()) return result;
    const RoutePlan plan = plan_of(sent);
    std::vector<std::uint32_t> all(sent.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    const std::vector<std::uint64_t> arrived = arrivals(plan, sent, all, progress);
    // Where all links are alike what a message takes alone depends on its length and that of its path only.
    std::map<std::pair<std::uint32_t, std::vector<ChannelId>>, std::uint64_t> alone;
    for (std::uint32_t i = 0; i < sent.size(); ++i) {
      std::vector<ChannelId> key = sent[i].route;
      if (settings_.link_classes.empty()) key.assign(key.size(), ChannelId(0));
      const auto [at, fresh] = alone.try_emplace({sent[i].flits, std::move(key)}, 0);
      if (fresh) at->second = arrivals(plan, sent, {i}, progress)[i];
      result.steps = std::max(result.steps, arrived[i]);
      result.alone_steps = std::max(result.alone_steps, at->second);
      if (arrived[i] <= at->second) continue;
      if (result.held_up++ == 0) result.first_held_up = schedule.step_begin(step) + i;
    }
    return result;
  }

 private:
  [[nodiscard]] std::vector<Sent> sent_in(const Schedule& schedule, std::uint32_t step) const {
    std::map<NodeId, std::uint32_t> sends, receives;
    std::map<ChannelId, std::uint32_t> busy;
    std::vector<Sent> sent;
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto path = schedule.path(t);
      Sent one;
      one.source = places_->first(path.front()) + sends[path.front()]++;
      one.destination = places_->first(path.back()) + receives[path.back()]++;
      one.flits = flits_[t];
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (graph_->is_leaf(path[i]) || graph_->is_leaf(path[i + 1])) continue;
        // Of parallel channels the one that carries least.
        ChannelId best;
        for (const ChannelId c : network_->out(RouterId(path[i].value))) {
          if (network_->target(c).value != path[i + 1].value) continue;
          if (!best.valid() || busy[c] < busy[best]) best = c;
        }
        ++busy[best];
        one.route.push_back(best);
      }
      sent.push_back(std::move(one));
    }
    return sent;
  }

  [[nodiscard]] RoutePlan plan_of(const std::vector<Sent>& sent) const {
    const std::uint32_t terminals = places_->all();
    std::vector<std::uint16_t> lengths(std::size_t{terminals} * terminals, 0);
    for (const Sent& one : sent) {
      lengths[std::size_t{one.source} * terminals + one.destination] =
          static_cast<std::uint16_t>(one.route.size());
    }
    auto routes = std::make_shared<SourceRoutes>(terminals, lengths);
    for (const Sent& one : sent) {
      const auto to = routes->route(TerminalId(one.source), TerminalId(one.destination));
      std::copy(one.route.begin(), one.route.end(), to.begin());
    }
    Routing routing;
    routing.engine = "schedule";
    routing.paths = std::move(routes);
    return plan_routing(*network_, routing, true);
  }

  /// By transfer: the step at which its last flit arrives; 0 for those that are not sent.
  [[nodiscard]] std::vector<std::uint64_t> arrivals(const RoutePlan& plan, const std::vector<Sent>& sent,
                                                    const std::vector<std::uint32_t>& which,
                                                    const Progress& progress) const {
    std::vector<ListedPacket> packets;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> transfer;  // of source and destination
    for (const std::uint32_t i : which) {
      transfer[{sent[i].source, sent[i].destination}] = i;
      for (std::uint32_t left = sent[i].flits; left > 0;) {
        const std::uint32_t flits = std::min(left, settings_.packet_flits);
        packets.push_back({0, sent[i].source, sent[i].destination, flits});
        left -= flits;
      }
    }
    std::vector<Recorder::Delivery> deliveries;
    const RunReport report = run_packets(plan, settings_, std::move(packets), &deliveries, progress);
    if (report.undelivered) throw std::runtime_error("messages of a step have not arrived");
    std::vector<std::uint64_t> arrived(sent.size(), 0);
    for (const Recorder::Delivery& delivery : deliveries) {
      std::uint64_t& last = arrived[transfer.at({delivery.source, delivery.destination})];
      last = std::max(last, delivery.arrived);
    }
    return arrived;
  }

  const Network* network_;
  const NodeGraph* graph_;
  const Places* places_;
  Settings settings_;
  std::span<const std::uint32_t> flits_;
};

std::vector<PlayedStep> play(const Network& network, const NodeGraph& graph, const Schedule& schedule,
                             const Settings& settings, std::span<const std::uint32_t> flits,
                             std::uint32_t threads, Progress& progress) {
  const Places places(graph, schedule);
  const Network played = network_with(network, graph, places);
  const StepPlayer player(played, graph, places, for_lanes(settings, 1), flits);
  std::vector<PlayedStep> steps(schedule.step_count());
  progress.begin("play", steps.size());
  parallel_blocks(schedule.step_count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t s = begin; s < end; ++s) {
                      if (progress.interrupted()) throw Interrupted();
                      steps[s] = player.play(schedule, s, progress);
                      if (worker == 0) progress.update(s + 1);
                    }
                  });
  return steps;
}

}  // namespace

std::vector<PlayedStep> play_schedule(const Network& network, const NodeGraph& graph,
                                      const Schedule& schedule, const Settings& settings,
                                      std::uint32_t message_flits, std::uint32_t threads,
                                      Progress& progress) {
  const std::vector<std::uint32_t> flits(schedule.transfer_count(), message_flits);
  return play(network, graph, schedule, settings, flits, threads, progress);
}

std::vector<PlayedStep> play_schedule(const Network& network, const NodeGraph& graph,
                                      const CombinedSchedule& schedule, const Settings& settings,
                                      std::uint32_t block_flits, std::uint32_t threads, Progress& progress) {
  Schedule paths;
  std::vector<std::uint32_t> flits;
  for (std::uint32_t s = 0; s < schedule.step_count(); ++s) {
    paths.add_step();
    for (std::uint32_t t = schedule.step_begin(s); t < schedule.step_end(s); ++t) {
      paths.add(schedule.sender(t), schedule.path(t));
      const std::uint64_t length = std::uint64_t{block_flits} * schedule.blocks(t).size();
      if (length > UINT32_MAX) throw InputError("a transfer has more than 2^32 flits");
      flits.push_back(static_cast<std::uint32_t>(length));
    }
  }
  return play(network, graph, paths, settings, flits, threads, progress);
}

}  // namespace unknot::simulate
