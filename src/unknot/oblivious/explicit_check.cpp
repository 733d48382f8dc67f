// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/explicit_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNoPath = 0xFFFFFFFFU;

/// Distances and shortest paths, found forwards from each router with terminals.
class Enumerator {
 public:
  explicit Enumerator(const Network& network) : network_(network), distance_(network.router_count()) {
    for (std::uint32_t r = 0; r < network.router_count(); ++r) {
      if (network.terminals_at(RouterId(r)).size() > 0) ends_.push_back(r);
    }
    for (const std::uint32_t s : ends_) distance_[s] = search(s);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& ends() const { return ends_; }
  [[nodiscard]] bool joined(std::uint32_t from, std::uint32_t to) const {
    return distance_[from][to] != kNoPath;
  }

  /// Calls visit(channels) for each shortest path between two routers with terminals.
  template <class Visit>
  void for_each_path(std::uint32_t from, std::uint32_t to, const Visit& visit) const {
    if (!joined(from, to)) return;
    std::vector<std::uint32_t> path(distance_[from][to]);
    step_back(from, to, path, path.size(), visit);
  }

  /// Number of shortest paths from `from` to each router.
  [[nodiscard]] std::vector<double> counts(std::uint32_t from) const {
    const std::vector<std::uint32_t>& distance = distance_[from];
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < distance.size(); ++r) {
      if (distance[r] != kNoPath) order.push_back(r);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return distance[a] < distance[b]; });
    std::vector<double> count(distance.size(), 0);
    count[from] = 1;
    for (const std::uint32_t r : order) {
      for (const ChannelId c : network_.in(RouterId(r))) {
        const std::uint32_t before = network_.source(c).value;
        if (distance[before] != kNoPath && distance[before] + 1 == distance[r]) count[r] += count[before];
      }
    }
    return count;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> search(std::uint32_t source) const {
    std::vector<std::uint32_t> distance(network_.router_count(), kNoPath);
    std::vector<std::uint32_t> layer = {source};
    for (std::uint32_t steps = 0; !layer.empty(); ++steps) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t r : layer) {
        if (distance[r] != kNoPath) continue;
        distance[r] = steps;
        for (const ChannelId c : network_.out(RouterId(r))) next.push_back(network_.target(c).value);
      }
      layer = std::move(next);
    }
    return distance;
  }

  template <class Visit>
  void step_back(std::uint32_t from, std::uint32_t at, std::vector<std::uint32_t>& path, std::size_t left,
                 const Visit& visit) const {
    if (left == 0) {
      visit(path);
      return;
    }
    for (const ChannelId c : network_.in(RouterId(at))) {
      const std::uint32_t before = network_.source(c).value;
      if (distance_[from][before] == kNoPath || distance_[from][before] + 1 != left) continue;
      path[left - 1] = c.value;
      step_back(from, before, path, left - 1, visit);
    }
  }

  const Network& network_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::vector<std::uint32_t>> distance_;  // [from][to]; from with terminals only
};

/// A bit for each arc that can be: a channel and its lane, and one that leaves the router it enters.
class ArcBits {
 public:
  ArcBits(const Network& network, std::uint32_t lanes) : network_(network), lanes_(lanes) {
    std::size_t total = 0;
    for (const ChannelId c : network.channels()) {
      first_.push_back(total);
      total += std::size_t{network.out(network.target(c)).size()} * lanes * lanes;
    }
    first_.push_back(total);
    arcs_.assign(total, false);
    used_.assign(std::size_t{network.channel_count()} * lanes, false);
  }

  void take(std::uint32_t channel, std::uint32_t lane) { used_[vertex(channel, lane)] = true; }
  void wait(std::uint32_t channel, std::uint32_t lane, std::uint32_t next, std::uint32_t next_lane) {
    arcs_[index(channel, lane, next, next_lane)] = true;
  }

  /// Empty where the graph says the same. Clears the arcs.
  std::string difference(const DependencyGraph& graph) {
    const std::uint32_t channels = network_.channel_count();
    if (graph.vertex_count() != used_.size()) return "the graph is not one of this network and its lanes";
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
      const std::uint32_t channel = v % channels;
      if (graph.used(v) != used_[v]) {
        return fmt::format("{} on {}", graph.used(v) ? "no path takes" : "a path takes",
                           name(channel, v / channels));
      }
      for (const DependencyGraph::Vertex w : graph.next(v)) {
        const std::uint32_t next = w % channels;
        if (network_.source(ChannelId(next)) != network_.target(ChannelId(channel)))
          return fmt::format("{} does not lead to {}", name(channel, v / channels), name(next, w / channels));
        const std::size_t arc = index(channel, v / channels, next, w / channels);
        if (!arcs_[arc])
          return fmt::format("no path (or no second time) takes {} and then {}", name(channel, v / channels),
                             name(next, w / channels));
        arcs_[arc] = false;
      }
    }
    const auto missed = std::find(arcs_.begin(), arcs_.end(), true);
    if (missed == arcs_.end()) return {};
    const auto arc = static_cast<std::size_t>(missed - arcs_.begin());
    const auto channel =
        static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), arc) - first_.begin() - 1);
    return fmt::format("a path takes {} on some lane and goes on as the graph does not say",
                       network_.channel_name(ChannelId(channel)));
  }

 private:
  [[nodiscard]] std::size_t vertex(std::uint32_t channel, std::uint32_t lane) const {
    return std::size_t{lane} * network_.channel_count() + channel;
  }
  [[nodiscard]] std::size_t index(std::uint32_t channel, std::uint32_t lane, std::uint32_t next,
                                  std::uint32_t next_lane) const {
    const std::uint32_t first = network_.out(network_.source(ChannelId(next))).first();
    return first_[channel] + (std::size_t{next - first} * lanes_ + lane) * lanes_ + next_lane;
  }
  [[nodiscard]] std::string name(std::uint32_t channel, std::uint32_t lane) const {
    return fmt::format("{}, lane {}", network_.channel_name(ChannelId(channel)), lane);
  }

  const Network& network_;
  std::uint32_t lanes_;
  std::vector<std::size_t> first_;  // by channel
  std::vector<bool> arcs_, used_;
};

class Lister {
 public:
  Lister(const Network& network, const LaneScheme& scheme)
      : all_(network), scheme_(scheme), bits_(network, scheme.lanes) {}

  void run(ObliviousPaths paths, Progress& progress) {
    progress.begin("listing paths", all_.ends().size());
    std::uint64_t done = 0;
    for (const std::uint32_t d : all_.ends()) {
      for (const std::uint32_t s : all_.ends()) {
        if (s == d) continue;
        if (paths == ObliviousPaths::minimal) {
          all_.for_each_path(s, d, [&](const std::vector<std::uint32_t>& path) { list(path, {}); });
        } else {
          list_valiant(s, d);
        }
      }
      progress.update(++done);
      if (progress.interrupted()) throw Interrupted();
    }
  }
  [[nodiscard]] std::uint64_t paths() const { return paths_; }
  std::string difference(const DependencyGraph& graph) { return bits_.difference(graph); }

 private:
  void list_valiant(std::uint32_t s, std::uint32_t d) {
    for (const std::uint32_t i : all_.ends()) {
      if (i == s || i == d) continue;
      all_.for_each_path(s, i, [&](const std::vector<std::uint32_t>& first) {
        all_.for_each_path(i, d, [&](const std::vector<std::uint32_t>& second) { list(first, second); });
      });
    }
  }

  void list(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
    ++paths_;
    std::uint32_t before = 0;
    std::uint32_t lane_before = 0;
    for (std::uint32_t hop = 0; hop < first.size() + second.size(); ++hop) {
      const auto turn = static_cast<std::uint32_t>(first.size());
      const bool onward = hop >= turn;
      const std::uint32_t channel = onward ? second[hop - turn] : first[hop];
      const std::uint32_t lane = scheme_.lane({onward ? 1U : 0U, hop, onward ? hop - turn : hop});
      bits_.take(channel, lane);
      if (hop > 0) bits_.wait(before, lane_before, channel, lane);
      before = channel;
      lane_before = lane;
    }
  }

  Enumerator all_;
  const LaneScheme& scheme_;
  ArcBits bits_;
  std::uint64_t paths_ = 0;
};

}  // namespace

double explicit_paths(const Network& network, ObliviousPaths paths) {
  const Enumerator all(network);
  // By router: paths to it from all others, and from it; those of one pair of ends besides, both ways.
  std::vector<std::vector<double>> count(network.router_count());
  for (const std::uint32_t s : all.ends()) count[s] = all.counts(s);
  double sum = 0;
  for (const std::uint32_t middle : all.ends()) {
    double in = 0;
    double out = 0;
    double back = 0;  // from a router to the intermediate and to the same router again
    for (const std::uint32_t end : all.ends()) {
      if (end == middle) continue;
      in += count[end][middle];
      out += count[middle][end];
      back += count[end][middle] * count[middle][end];
    }
    sum += paths == ObliviousPaths::minimal ? out : in * out - back;
  }
  return sum;
}

ExplicitCheck explicit_check(const Network& network, ObliviousPaths paths, const LaneScheme& scheme,
                             const DependencyGraph& graph, Progress& progress) {
  Lister lister(network, scheme);
  lister.run(paths, progress);
  ExplicitCheck check;
  check.paths = lister.paths();
  check.difference = lister.difference(graph);
  check.equal = check.difference.empty();
  return check;
}

}  // namespace unknot
