// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/adaptive/class_block.hpp"
#include "unknot/verify/adaptive/class_delivery.hpp"
#include "unknot/verify/adaptive/escape.hpp"
#include "unknot/verify/adaptive/flow_of_buffer.hpp"
#include "unknot/verify/dependency_marks.hpp"

namespace unknot {
namespace {

using Vertex = DependencyGraph::Vertex;
using Marks = MarkSet<std::uint64_t>;

/// Packets of one level and kind, and what the relation is to them.
struct Flavour {
  std::unique_ptr<PacketWays> ways;
  const RelationView* view = nullptr;
};

class AdaptiveCheck {
 public:
  AdaptiveCheck(const Network& network, const AdaptiveRouting& routing, const AdaptiveVerifyOptions& options,
                Progress& progress)
      : network_(network),
        routing_(routing),
        options_(options),
        progress_(progress),
        threads_(options.threads == 0 ? hardware_threads() : options.threads),
        planes_(static_cast<std::uint32_t>(routing.planes.size())),
        lanes_(lane_bound(network, routing)),
        slots_(network) {
    if (routing.adaptive_levels != 0) add_flavours(true, routing.adaptive_levels);
    const std::uint16_t covered = fixed_is_a_choice() ? routing.adaptive_levels : std::uint16_t{0};
    left_out_ = routing.fixed_levels & covered;
    if ((routing.fixed_levels & ~covered) != 0)
      add_flavours(false, static_cast<std::uint16_t>(routing.fixed_levels & ~covered));
  }

  AdaptiveVerdict run() {
    AdaptiveVerdict verdict;
    verdict.committed = options_.committed;
    for (const auto& view : views_) {
      verdict.classes = std::max<std::uint64_t>(verdict.classes, view->class_count());
      for (std::uint32_t plane = 0; plane < planes_; ++plane) {
        for (const RouterId r : network_.routers()) {
          for (const RelationOption& option : view->options(plane, r)) {
            verdict.most_choices =
                std::max(verdict.most_choices, static_cast<std::uint32_t>(option.positions.size()));
          }
        }
      }
    }
    const DependencyGraph graph = look_at_all_choices(verdict);
    verdict.dependencies = graph.arc_count();
    std::vector<std::uint8_t> lane_used(graph.lane_count(), 0);
    for (Vertex v = 0; v < graph.vertex_count(); ++v)
      if (graph.used(v)) lane_used[graph.lane_of(v)] = 1;
    verdict.lanes_used = static_cast<std::uint32_t>(std::count(lane_used.begin(), lane_used.end(), 1));
    TopologicalNumbers numbers = topological_numbers(graph);
    if (numbers.acyclic) {
      verdict.method = AdaptiveMethod::acyclic;
      certify(verdict, graph, std::move(numbers.number));
    } else if (options_.committed) {
      verdict.witness = cycle_witness(graph);
    } else {
      look_for_escape(graph, verdict);
    }
    return verdict;
  }

 private:
  struct Task {
    std::uint32_t flavour = 0;
    std::uint32_t block = 0;
  };
  struct Scratch {
    ClassBlock block;
    ClassReach reach;
  };

  void add_flavours(bool adaptive, std::uint32_t levels) {
    views_.push_back(
        std::make_unique<RelationView>(network_, routing_, adaptive, options_.committed, threads_));
    for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) {
      if ((levels >> level & 1U) != 0) {
        flavours_.push_back({std::make_unique<PacketWays>(network_, routing_, PacketClass{level, adaptive}),
                             views_.back().get()});
      }
    }
  }

  /// All that fixed packets do, adaptive ones of their level may do as well.
  [[nodiscard]] bool fixed_is_a_choice() const {
    for (const AdaptivePlane& plane : routing_.planes) {
      for (const RouterId r : network_.routers()) {
        for (const Choice& choice : plane.choices(r)) {
          if (choice.kind == ChoiceKind::fixed) continue;
          const auto group = plane.group(r, choice.group);
          if (!std::binary_search(group.begin(), group.end(), choice.fixed)) return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<Task> tasks() const {
    std::vector<Task> all;
    for (std::uint32_t f = 0; f < flavours_.size(); ++f) {
      const std::uint32_t classes = flavours_[f].view->class_count();
      for (std::uint32_t block = 0; block * ClassBits::kCount < classes; ++block) all.push_back({f, block});
    }
    return all;
  }

  /// visit(task index, flavour, block, reach) for each, on all threads.
  template <class Visit>
  void for_each_block(const char* phase, const std::vector<Task>& all, bool with_free, const Visit& visit) {
    progress_.begin(phase, all.size());
    std::vector<Scratch> scratch(threads_);
    parallel_blocks(static_cast<std::uint32_t>(all.size()), 1, threads_,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i) {
                        const Flavour& flavour = flavours_[all[i].flavour];
                        Scratch& mine = scratch[worker];
                        mine.block.fill(network_, *flavour.view, planes_, all[i].block, with_free);
                        mine.reach.walk(network_, *flavour.ways, *flavour.view, routing_.service_levels,
                                        mine.block);
                        visit(i, flavour, mine.block, mine.reach);
                      }
                    });
  }

  /// Calls visit(buffer, next lane, next channel, position, packets) where packets stand in the buffer that
  /// may go on so.
  template <class Visit>
  void for_each_step(const Flavour& flavour, const ClassBlock& block, const ClassReach& reach,
                     const Visit& visit) const {
    const PacketWays& ways = *flavour.ways;
    const std::uint32_t channels = network_.channel_count();
    for (std::uint32_t buffer = 0; buffer < ways.buffer_count(); ++buffer) {
      if (reach.used[buffer] == 0) continue;
      const std::uint32_t s = ways.stand_of(buffer);
      const PacketWays::Stand& at = ways.stand(s);
      const ClassBits& packets = reach.buffer[buffer];
      const IdRange<ChannelId> out = network_.out(at.router);
      const ClassBits* allowed =
          block.allowed.data() + static_cast<std::size_t>(at.plane) * channels + out.first();
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        const std::uint8_t lane = ways.lane(s, i);
        if (lane >= lanes_) continue;
        const ClassBits moving = packets & allowed[i];
        if (moving.any()) visit(buffer, lane, out[i], i, moving);
      }
    }
  }

  void mark(Marks& marks, std::uint32_t buffer, std::uint32_t position, std::uint8_t lane) const {
    const std::uint32_t channels = network_.channel_count();
    marks.add(slots_.slot(buffer % channels, position) * lanes_ + buffer / channels,
              std::uint64_t{1} << lane);
  }
  void mark_used(Marks& marks, const ClassReach& reach) const {
    const std::uint32_t channels = network_.channel_count();
    for (std::uint32_t buffer = 0; buffer < reach.used.size(); ++buffer) {
      if (reach.used[buffer] != 0)
        marks.add(slots_.end_slot(buffer % channels) * lanes_ + buffer / channels, 1);
    }
  }

  DependencyGraph look_at_all_choices(AdaptiveVerdict& verdict) {
    const std::vector<Task> all = tasks();
    Marks marks(slots_.count() * lanes_);
    std::vector<ClassDelivery> found(all.size());
    std::vector<LastCables> last_cables;
    last_cables.reserve(flavours_.size());
    for (const Flavour& flavour : flavours_)
      last_cables.emplace_back(network_, routing_, *flavour.ways, *flavour.view);
    for_each_block(
        "following all choices", all, false,
        [&](std::uint32_t i, const Flavour& flavour, const ClassBlock& block, const ClassReach& reach) {
          found[i] = deliver(network_, *flavour.ways, *flavour.view, last_cables[all[i].flavour], block,
                             reach, options_.max_findings);
          mark_used(marks, reach);
          for_each_step(flavour, block, reach,
                        [&](std::uint32_t buffer, std::uint8_t lane, ChannelId, std::uint32_t position,
                            const ClassBits&) { mark(marks, buffer, position, lane); });
        });
    sum_up(all, found, verdict);
    return make_graph(network_, slots_, marks, lanes_);
  }

  void sum_up(const std::vector<Task>& all, const std::vector<ClassDelivery>& found,
              AdaptiveVerdict& verdict) {
    std::vector<std::uint8_t> lost(network_.terminal_count(), 0);
    std::vector<std::uint8_t> looping = lost;
    bool longer = false;
    const auto keep = [&](const AdaptiveFinding& finding) {
      if (verdict.findings.size() < options_.max_findings) verdict.findings.push_back(finding);
    };
    for (const Flavour& flavour : flavours_) {
      if (flavour.ways->shut_out().empty()) continue;
      std::fill(lost.begin(), lost.end(), 1);
      const TerminalId source = flavour.ways->shut_out().front();
      keep({AdaptiveFinding::Kind::dropped_lane,
            {},
            flavour.ways->packets(),
            network_.router_of(source),
            {},
            true});
    }
    std::vector<std::vector<std::uint8_t>> fate(flavours_.size());  // by class: 1 lost, 2 looping
    for (std::uint32_t f = 0; f < flavours_.size(); ++f) fate[f].assign(flavours_[f].view->class_count(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ClassDelivery& one = found[i];
      std::vector<std::uint8_t>& of = fate[all[i].flavour];
      const std::uint32_t first = all[i].block * ClassBits::kCount;
      one.lost.for_each([&](std::uint32_t bit) { of[first + bit] |= 1U; });
      one.looping.for_each([&](std::uint32_t bit) { of[first + bit] |= 2U; });
      for (const TerminalId t : one.dropped) lost[t.value] = 1;
      longer = longer || one.longer;
      verdict.max_hops = std::max(verdict.max_hops, one.max_hops);
      verdict.max_distance = std::max(verdict.max_distance, one.max_distance);
      for (const AdaptiveFinding& finding : one.findings) keep(finding);
    }
    for (const TerminalId t : network_.terminals()) {
      for (std::uint32_t f = 0; f < flavours_.size(); ++f) {
        const std::uint8_t its = fate[f][flavours_[f].view->class_of(t)];
        lost[t.value] |= its & 1U;
        looping[t.value] |= its >> 1U;
      }
    }
    verdict.lost_destinations = static_cast<std::uint64_t>(std::count(lost.begin(), lost.end(), 1));
    verdict.looping_destinations = static_cast<std::uint64_t>(std::count(looping.begin(), looping.end(), 1));
    verdict.minimal = verdict.delivers() && !longer;
  }

  void certify(AdaptiveVerdict& verdict, const DependencyGraph& graph,
               std::vector<std::uint32_t> number) const {
    if (!options_.certificate) return;
    verdict.certificate = Certificate{network_.fingerprint(), graph.lane_count(), std::move(number)};
  }

  void look_for_escape(const DependencyGraph& graph, AdaptiveVerdict& verdict) {
    if (left_out_ != 0) add_flavours(false, left_out_);
    const std::vector<Task> all = tasks();
    Marks marks(slots_.count() * lanes_);
    std::vector<FreePackets> free(all.size());
    for_each_block(
        "looking for an escape", all, true,
        [&](std::uint32_t i, const Flavour& flavour, const ClassBlock& block, const ClassReach& reach) {
          mark_used(marks, reach);
          for_each_step(
              flavour, block, reach,
              [&](std::uint32_t buffer, std::uint8_t lane, ChannelId c, std::uint32_t position,
                  const ClassBits& moving) {
                const std::uint32_t plane = flavour.ways->stand(flavour.ways->stand_of(buffer)).plane;
                const std::size_t at = static_cast<std::size_t>(plane) * network_.channel_count() + c.value;
                if ((moving - block.free[at]).any()) mark(marks, buffer, position, lane);
              });
          if (flavour.view->adaptive()) free[i] = free_packets(flavour, block, reach, graph.vertex_count());
        });
    std::erase_if(free, [](const FreePackets& packets) { return packets.ways == nullptr; });
    const DependencyGraph bound = make_graph(network_, slots_, marks, lanes_);
    EscapeResult escape = find_escape(network_, graph, bound, free);
    if (escape.stuck.empty()) {
      verdict.method = AdaptiveMethod::escape;
      certify(verdict, graph, std::move(escape.number));
      return;
    }
    verdict.witness = stuck_witness(small_stuck_set(network_, bound, free, escape), free);
  }

  FreePackets free_packets(const Flavour& flavour, const ClassBlock& block, const ClassReach& reach,
                           std::uint32_t vertices) const {
    const PacketWays& ways = *flavour.ways;
    FreePackets packets{&ways, flavour.view, block.first, block.free, {}};
    packets.blocked.resize(vertices);
    for (std::uint32_t buffer = 0; buffer < std::min(vertices, ways.buffer_count()); ++buffer) {
      if (!reach.buffer[buffer].any()) continue;
      const std::uint32_t s = ways.stand_of(buffer);
      const PacketWays::Stand& at = ways.stand(s);
      const IdRange<ChannelId> out = network_.out(at.router);
      const ClassBits* choices =
          block.free.data() + static_cast<std::size_t>(at.plane) * network_.channel_count() + out.first();
      ClassBits some;
      ClassBits dropped;  // gone, and so not blocked
      for (std::uint32_t i = 0; i < out.size(); ++i)
        (ways.lane(s, i) < lanes_ ? some : dropped) |= choices[i];
      packets.blocked[buffer] = (reach.buffer[buffer] & some) - dropped;
    }
    return packets;
  }

  [[nodiscard]] LaneChannel name(Vertex v) const {
    const std::uint32_t channels = network_.channel_count();
    return {ChannelId(v % channels), static_cast<std::uint8_t>(v / channels)};
  }

  /// A packet that stands in the buffer and goes to the class.
  BlockedPacket packet_at(const PacketWays& ways, const RelationView& view, std::uint32_t index,
                          Vertex v) const {
    BlockedPacket packet;
    packet.holds = name(v);
    packet.destination = view.representative(index);
    packet.packets = ways.packets();
    packet.source = source_of(network_, ways, view, routing_.service_levels, packet.destination, v);
    const PacketWays::Stand& at = ways.stand(ways.stand_of(v));
    packet.choice =
        view.options(at.plane, at.router)[view.option_of(at.plane, at.router, packet.destination)].kind;
    return packet;
  }

  /// Packets that have no choice of their own and make these arcs.
  std::vector<BlockedPacket> bound_packets(const std::vector<std::pair<Vertex, Vertex>>& arcs) {
    std::vector<BlockedPacket> packets(arcs.size());
    std::size_t left = arcs.size();
    Scratch scratch;
    for (const Task& task : tasks()) {
      if (left == 0) break;
      const Flavour& flavour = flavours_[task.flavour];
      scratch.block.fill(network_, *flavour.view, planes_, task.block, true);
      scratch.reach.walk(network_, *flavour.ways, *flavour.view, routing_.service_levels, scratch.block);
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (packets[i].destination.valid()) continue;
        const auto [from, to] = arcs[i];
        const std::uint32_t s = flavour.ways->stand_of(from);
        if (s == PacketWays::kNowhere) continue;
        const PacketWays::Stand& at = flavour.ways->stand(s);
        const LaneChannel next = name(to);
        if (flavour.ways->lane(s, next.channel.value - network_.out(at.router).first()) != next.lane)
          continue;
        const std::size_t way =
            static_cast<std::size_t>(at.plane) * network_.channel_count() + next.channel.value;
        const ClassBits moving =
            (scratch.reach.buffer[from] & scratch.block.allowed[way]) - scratch.block.free[way];
        if (!moving.any()) continue;
        packets[i] = packet_at(*flavour.ways, *flavour.view, scratch.block.first + moving.first(), from);
        packets[i].waits_for = {next};
        --left;
      }
    }
    return packets;
  }

  std::vector<BlockedPacket> cycle_witness(const DependencyGraph& graph) {
    const std::vector<Vertex> cycle = shortest_cycle(graph);
    std::vector<std::pair<Vertex, Vertex>> arcs;
    arcs.reserve(cycle.size());
    for (std::size_t i = 0; i < cycle.size(); ++i) arcs.emplace_back(cycle[i], cycle[(i + 1) % cycle.size()]);
    return bound_packets(arcs);
  }

  std::vector<BlockedPacket> stuck_witness(const std::vector<StuckBuffer>& stuck,
                                           const std::vector<FreePackets>& free) {
    std::vector<std::pair<Vertex, Vertex>> arcs;
    std::vector<BlockedPacket> witness;
    witness.reserve(stuck.size());
    for (const StuckBuffer& one : stuck) {
      if (one.free == StuckBuffer::kBound) {
        arcs.emplace_back(one.vertex, one.waits_for.front());
        witness.emplace_back();
        continue;
      }
      const FreePackets& packets = free[one.free];
      witness.push_back(packet_at(*packets.ways, *packets.view, packets.first + one.bit, one.vertex));
      for (const Vertex next : one.waits_for) witness.back().waits_for.push_back(name(next));
    }
    std::vector<BlockedPacket> bound = bound_packets(arcs);
    std::size_t next = 0;
    for (std::size_t i = 0; i < stuck.size(); ++i)
      if (stuck[i].free == StuckBuffer::kBound) witness[i] = std::move(bound[next++]);
    return witness;
  }

  const Network& network_;
  const AdaptiveRouting& routing_;
  const AdaptiveVerifyOptions& options_;
  Progress& progress_;
  std::uint32_t threads_;
  std::uint32_t planes_;
  std::uint32_t lanes_;
  DependencySlots slots_;
  std::vector<std::unique_ptr<RelationView>> views_;
  std::vector<Flavour> flavours_;
  /// Levels of fixed packets that bring nothing new but where packets without a choice count more.
  std::uint32_t left_out_ = 0;
};

}  // namespace

AdaptiveVerdict verify_adaptive(const Network& network, const AdaptiveRouting& routing,
                                const AdaptiveVerifyOptions& options, Progress& progress) {
  require_fit(network, routing);
  return AdaptiveCheck(network, routing, options, progress).run();
}

}  // namespace unknot
