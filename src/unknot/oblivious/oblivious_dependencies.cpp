// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/oblivious_dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"
#include "unknot/oblivious/ends.hpp"
#include "unknot/oblivious/paths_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/verify/dependency_marks.hpp"

namespace unknot {
namespace {

using LaneSet = std::uint64_t;
using Marks = MarkSet<LaneSet>;

constexpr std::uint32_t kBlock = 4;  // destinations handed to a thread at once

LaneSet bit(std::uint32_t lane) {
  return LaneSet{1} << lane;
}

template <class Visit>
void for_each_lane(LaneSet lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// What all workers share. Keys of the marks are slots, masks the lanes of the channel held.
struct Shared {
  Shared(const Network& net, const LaneScheme& scheme, const PathLengths& lengths)
      : network(net),
        endpoints(net),
        neighbours(net),
        slots(net),
        steps(lane_steps(scheme, lengths)),
        lanes(scheme.lanes),
        onward(slots.count()),
        turned(lengths.paths == ObliviousPaths::valiant ? slots.count() : 0) {}

  const Network& network;
  EndpointRouters endpoints;
  InNeighbours neighbours;
  DependencySlots slots;
  LaneSteps steps;
  std::uint32_t lanes;
  Marks onward;  // next hop of the same phase; end slots: lanes in use
  Marks turned;  // next hop beyond the intermediate
  // Valiant's routing.
  std::vector<Ends>
      leaving;  // by channel of an endpoint router: destinations whose shortest paths start with it
  std::vector<Ends> reached;   // by endpoint router: other endpoint routers it reaches
  std::vector<Ends> arriving;  // [endpoint router * lanes + lane]: sources that come in on that lane
};

/// Space of one worker.
class Worker {
 public:
  explicit Worker(Shared& shared)
      : shared_(shared),
        network_(shared.network),
        paths_(shared.network, shared.neighbours),
        lanes_(shared.network.router_count(), 0) {}

  void minimal(std::uint32_t d) {
    paths_.run(shared_.endpoints[d]);
    for (const RouterId s : shared_.endpoints.all()) lanes_[s.value] = bit(shared_.steps.first);
    push();
  }

  /// First pass: what leaves each endpoint router as an intermediate towards `d`.
  void note_destination(std::uint32_t d) {
    if (leaving_.empty()) {
      leaving_.resize(network_.channel_count());
      reached_.resize(shared_.endpoints.count());
    }
    paths_.run(shared_.endpoints[d]);
    for (std::uint32_t i = 0; i < shared_.endpoints.count(); ++i) {
      const std::uint32_t router = shared_.endpoints[i].value;
      if (i == d || paths_.distance()[router] == PathsTo::kUnreached) continue;
      reached_[i].add(Ends(d));
      paths_.for_each_next(router,
                           [&](std::uint32_t channel, std::uint32_t) { leaving_[channel].add(Ends(d)); });
    }
  }
  void add_notes() {
    for (std::size_t c = 0; c < leaving_.size(); ++c) shared_.leaving[c].add(leaving_[c]);
    for (std::size_t i = 0; i < reached_.size(); ++i) shared_.reached[i].add(reached_[i]);
  }

  /// Second pass: the ways to the intermediate `i`, and the turns there.
  void first_phase(std::uint32_t i) {
    const Ends destinations = shared_.reached[i];
    if (destinations.empty()) return;
    if (sources_.empty()) sources_.resize(std::size_t{network_.router_count()} * shared_.lanes);
    const RouterId here = shared_.endpoints[i];
    paths_.run(here);
    for (std::uint32_t s = 0; s < shared_.endpoints.count(); ++s) {
      const std::uint32_t router = shared_.endpoints[s].value;
      if (s == i || !destinations.beside(s)) continue;
      lanes_[router] = bit(shared_.steps.first);
      sources_at(router, shared_.steps.first).add(Ends(s));
    }
    came_in_.assign(network_.in(here).size() * std::size_t{shared_.lanes}, Ends());
    push_sources(i);
    push();
    turn(i);
  }

  /// Third pass: the ways from all intermediates to `d`.
  void second_phase(std::uint32_t d) {
    paths_.run(shared_.endpoints[d]);
    for (std::uint32_t i = 0; i < shared_.endpoints.count(); ++i) {
      LaneSet start = 0;
      for (std::uint32_t lane = 0; lane < shared_.lanes; ++lane) {
        if (shared_.arriving[i * std::size_t{shared_.lanes} + lane].beside(d))
          start |= bit(shared_.steps.turned[lane]);
      }
      lanes_[shared_.endpoints[i].value] = start;
    }
    push();
  }

 private:
  [[nodiscard]] Ends& sources_at(std::uint32_t router, std::uint32_t lane) {
    return sources_[router * std::size_t{shared_.lanes} + lane];
  }

  [[nodiscard]] LaneSet onward(LaneSet lanes) const {
    LaneSet next = 0;
    for_each_lane(lanes, [&](std::uint32_t lane) {
      if (shared_.steps.onward[lane] != LaneSteps::kNever) next |= bit(shared_.steps.onward[lane]);
    });
    return next;
  }

  /// Pushes the lanes that packets leave their routers on towards the destination of `paths_`, farthest
  /// first, and marks what they hold and wait for. Leaves `lanes_` all 0.
  void push() {
    const std::span<const std::uint32_t> order = paths_.order();
    for (std::size_t at = order.size() - 1; at > 0; --at) {
      const std::uint32_t r = order[at];
      const LaneSet lanes = std::exchange(lanes_[r], 0);
      if (lanes == 0) continue;
      const LaneSet next_lanes = onward(lanes);
      paths_.for_each_next(r, [&](std::uint32_t channel, std::uint32_t target) {
        shared_.onward.add(shared_.slots.end_slot(channel), lanes);
        lanes_[target] |= next_lanes;
        const std::uint32_t first = network_.out(RouterId(target)).first();
        paths_.for_each_next(target, [&](std::uint32_t next, std::uint32_t) {
          shared_.onward.add(shared_.slots.slot(channel, next - first), lanes);
        });
      });
    }
    for (const RouterId r : shared_.endpoints.all())
      lanes_[r.value] = 0;  // the destination, and unreached ones
  }

  /// As push(), for the sources of the packets: fills came_in_ and the intermediate's row of arriving. Leaves
  /// sources_ empty.
  void push_sources(std::uint32_t i) {
    const RouterId here = shared_.endpoints[i];
    const std::span<const ChannelId> in = network_.in(here);
    const std::span<const std::uint32_t> order = paths_.order();
    for (std::size_t at = order.size() - 1; at > 0; --at) {
      const std::uint32_t r = order[at];
      for (std::uint32_t lane = 0; lane < shared_.lanes; ++lane) {
        const Ends sources = std::exchange(sources_at(r, lane), Ends());
        if (sources.empty()) continue;
        const std::uint8_t next_lane = shared_.steps.onward[lane];
        paths_.for_each_next(r, [&](std::uint32_t channel, std::uint32_t target) {
          if (target != here.value) {
            if (next_lane == LaneSteps::kNever)
              throw std::logic_error("oblivious_dependencies: a path longer than the lengths say");
            sources_at(target, next_lane).add(sources);
            return;
          }
          const auto position = std::lower_bound(in.begin(), in.end(), ChannelId(channel)) - in.begin();
          came_in_[static_cast<std::size_t>(position) * shared_.lanes + lane].add(sources);
          shared_.arriving[i * std::size_t{shared_.lanes} + lane].add(sources);
        });
      }
    }
    for (const RouterId r : shared_.endpoints.all()) sources_at(r.value, shared_.steps.first) = Ends();
  }

  void turn(std::uint32_t i) {
    const RouterId here = shared_.endpoints[i];
    const std::span<const ChannelId> in = network_.in(here);
    const IdRange<ChannelId> out = network_.out(here);
    for (std::uint32_t a = 0; a < in.size(); ++a) {
      const Ends* sources = came_in_.data() + a * std::size_t{shared_.lanes};
      for (std::uint32_t b = 0; b < out.size(); ++b) {
        LaneSet lanes = 0;
        for (std::uint32_t lane = 0; lane < shared_.lanes; ++lane) {
          if (Ends::differ(sources[lane], shared_.leaving[out[b].value])) lanes |= bit(lane);
        }
        if (lanes != 0) shared_.turned.add(shared_.slots.slot(in[a].value, b), lanes);
      }
    }
  }

  Shared& shared_;
  const Network& network_;
  PathsTo paths_;
  std::vector<LaneSet> lanes_;  // by router: of packets that leave it; all 0 between calls
  std::vector<Ends> sources_;   // [router * lanes + lane]: of packets that leave it; all empty between calls
  std::vector<Ends> came_in_;   // [channel into the intermediate * lanes + lane]
  std::vector<Ends> leaving_, reached_;
};

/// The arcs that the marks stand for.
class Arcs {
 public:
  explicit Arcs(const Shared& shared) : shared_(shared), channels_(shared.network.channel_count()) {
    shared.onward.for_each([&](std::uint64_t slot, LaneSet lanes) { marked_.push_back({slot, lanes, 0}); });
    const std::size_t onward = marked_.size();
    shared.turned.for_each([&](std::uint64_t slot, LaneSet lanes) { marked_.push_back({slot, 0, lanes}); });
    std::inplace_merge(marked_.begin(), marked_.begin() + static_cast<std::ptrdiff_t>(onward), marked_.end(),
                       [](const Marked& a, const Marked& b) { return a.slot < b.slot; });
  }

  [[nodiscard]] std::vector<std::uint8_t> used() const {
    std::vector<std::uint8_t> used(static_cast<std::size_t>(channels_) * shared_.lanes, 0);
    SlotCursor cursor(shared_.network, shared_.slots);
    for (const Marked& marked : marked_) {
      cursor.move_to(marked.slot);
      if (cursor.next().valid()) continue;
      for_each_lane(marked.onward, [&](std::uint32_t lane) {
        used[static_cast<std::size_t>(lane) * channels_ + cursor.channel()] = 1;
      });
    }
    return used;
  }

  /// Calls visit(from vertex, to vertex) once for each.
  template <class Visit>
  void for_each(const Visit& visit) const {
    const LaneSteps& steps = shared_.steps;
    SlotCursor cursor(shared_.network, shared_.slots);
    for (std::size_t i = 0; i < marked_.size(); ++i) {
      const Marked& marked = marked_[i];
      cursor.move_to(marked.slot);
      if (!cursor.next().valid()) continue;
      const auto arc = [&](std::uint32_t lane, std::uint32_t next_lane) {
        visit(lane * channels_ + cursor.channel(), next_lane * channels_ + cursor.next().value);
      };
      for_each_lane(marked.onward, [&](std::uint32_t lane) { arc(lane, steps.onward[lane]); });
      // The same two channels, one after the other, may lie within a phase of one path and about the
      // intermediate of another.
      const LaneSet within = i > 0 && marked_[i - 1].slot == marked.slot ? marked_[i - 1].onward : 0;
      for_each_lane(marked.turned, [&](std::uint32_t lane) {
        if ((within & bit(lane)) == 0 || steps.onward[lane] != steps.turned[lane])
          arc(lane, steps.turned[lane]);
      });
    }
  }

 private:
  struct Marked {
    std::uint64_t slot;
    LaneSet onward, turned;  // one of them
  };
  const Shared& shared_;
  std::uint32_t channels_;
  std::vector<Marked> marked_;  // by slot; of one slot onward before turned
};

}  // namespace

DependencyGraph oblivious_dependencies(const Network& network, const PathLengths& lengths,
                                       const LaneScheme& scheme, std::uint32_t threads, Progress& progress) {
  if (std::uint64_t{network.channel_count()} * scheme.lanes > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{} channels on {} lanes are more than fit into a dependency graph",
                                 network.channel_count(), scheme.lanes));
  }
  Shared shared(network, scheme, lengths);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::unique_ptr<Worker>> workers(threads);
  const auto for_each_endpoint = [&](const char* phase, void (Worker::*step)(std::uint32_t)) {
    SharedProgress report(progress, phase, shared.endpoints.count());
    parallel_blocks(shared.endpoints.count(), kBlock, threads,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      if (!workers[worker]) workers[worker] = std::make_unique<Worker>(shared);
                      for (std::uint32_t e = begin; e < end; ++e) {
                        ((*workers[worker]).*step)(e);
                        report.step();
                      }
                    });
  };
  if (lengths.paths == ObliviousPaths::minimal) {
    for_each_endpoint("dependencies", &Worker::minimal);
  } else {
    shared.leaving.resize(network.channel_count());
    shared.reached.resize(shared.endpoints.count());
    shared.arriving.resize(std::size_t{shared.endpoints.count()} * shared.lanes);
    for_each_endpoint("destinations", &Worker::note_destination);
    for (const auto& worker : workers) {
      if (worker) worker->add_notes();
    }
    for_each_endpoint("first phase", &Worker::first_phase);
    for_each_endpoint("second phase", &Worker::second_phase);
  }
  const Arcs arcs(shared);
  return {network.channel_count(), shared.lanes, arcs.used(),
          [&](const auto& visit) { arcs.for_each(visit); }};
}

}  // namespace unknot
