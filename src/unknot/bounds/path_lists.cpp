// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/path_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/bounds/k_shortest_paths.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Path = std::vector<ChannelId>;

[[noreturn]] void refuse_pair(const Network& network, const PathLists::Pair& pair, const char* what) {
  throw InputError(fmt::format("there is no {} from {} to {}, which have traffic", what,
                               network.router_name(pair.source), network.router_name(pair.destination)));
}

/// Calls make(pair, lists) for each pair with demand, which is to add its paths.
template <class Make>
PathLists lists_of(const Network& network, const RouterDemand& demand, const char* what, Progress& progress,
                   Make make) {
  const EndpointRouters& endpoints = demand.endpoints();
  std::vector<double> rate(endpoints.count());
  PathLists lists;
  progress.begin("listing paths", endpoints.count());
  for (std::uint32_t d = 0; d < endpoints.count(); ++d) {
    progress.update(d);
    demand.column(d, rate);
    for (std::uint32_t s = 0; s < endpoints.count(); ++s) {
      if (rate[s] == 0) continue;
      if (progress.interrupted()) throw Interrupted();
      const PathLists::Pair pair{endpoints[s], endpoints[d], rate[s]};
      const std::size_t before = lists.path_count();
      lists.add_pair(pair);
      make(pair, lists);
      if (lists.path_count() == before) refuse_pair(network, pair, what);
    }
  }
  return lists;
}

/// Channels of the paths that are found of one pair, those found several times included.
constexpr std::size_t kMaxFoundChannels = kMaxListedChannels / 4;

[[noreturn]] void refuse_size() {
  throw TooManyPaths(
      fmt::format("the paths of this set are too many to be listed, with more than {} channels together, or "
                  "{} of one pair",
                  kMaxListedChannels, kMaxFoundChannels));
}

void add(PathLists& lists, const Path& path) {
  if (lists.channel_count() + path.size() > kMaxListedChannels) refuse_size();
  lists.add_path(path);
}

/// Calls visit(path) with each continuation of `path` from `at` on shortest paths, in order of channels.
template <class Visit>
void continue_shortest(const Network& network, const MinimalPaths& minimal, RouterId at, RouterId destination,
                       Path& path, const Visit& visit) {
  if (at == destination) {
    visit(path);
    return;
  }
  for (const ChannelId c : minimal.next(at, destination)) {
    path.push_back(c);
    continue_shortest(network, minimal, network.target(c), destination, path, visit);
    path.pop_back();
  }
}

/// By length, then by channels.
bool before(const Path& a, const Path& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::vector<double> even_load(const Network& network, const PathLists& lists) {
  std::vector<double> load(network.channel_count(), 0);
  for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
    const std::size_t end = lists.first_path(i + 1);
    const double each = lists.pairs()[i].rate / static_cast<double>(end - lists.first_path(i));
    for (std::size_t p = lists.first_path(i); p < end; ++p) {
      for (const ChannelId c : lists.path(p)) load[c.value] += each;
    }
  }
  return load;
}

PathCount count_shortest_paths(const Network& network, const RouterDemand& demand) {
  const std::uint32_t count = demand.endpoints().count();
  const InNeighbours neighbours(network);
  DistancesTo hops(neighbours);
  std::vector<double> rate(count);
  std::vector<double> paths(network.router_count());
  PathCount all;
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    hops.run(demand.endpoints()[d]);
    std::fill(paths.begin(), paths.end(), 0.0);
    for (const std::uint32_t r : hops.order()) {
      if (hops.distance()[r] == 0) paths[r] = 1;
      for (const ChannelId c : network.in(RouterId(r))) {
        const std::uint32_t from = network.source(c).value;
        if (hops.distance()[from] == hops.distance()[r] + 1) paths[from] += paths[r];
      }
    }
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t from = demand.endpoints()[s].value;
      if (rate[s] == 0 || hops.distance()[from] == DistancesTo::kUnreached) continue;
      ++all.pairs;
      all.paths += paths[from];
      all.channels += paths[from] * hops.distance()[from];
    }
  }
  return all;
}

PathLists shortest_path_lists(const Network& network, const RouterDemand& demand, Progress& progress) {
  const MinimalPaths minimal(network);
  Path path;
  return lists_of(network, demand, "path", progress, [&](const PathLists::Pair& pair, PathLists& lists) {
    continue_shortest(network, minimal, pair.source, pair.destination, path,
                      [&](const Path& found) { add(lists, found); });
  });
}

PathLists k_shortest_path_lists(const Network& network, const RouterDemand& demand, std::uint32_t count,
                                Progress& progress) {
  KShortestPaths search(network);
  return lists_of(network, demand, "path", progress, [&](const PathLists::Pair& pair, PathLists& lists) {
    for (const Path& path : search.find(pair.source, pair.destination, count)) add(lists, path);
  });
}

PathLists valiant_path_lists(const Network& network, const RouterDemand& demand, bool shortest,
                             Progress& progress) {
  const MinimalPaths minimal(network);
  const EndpointRouters& endpoints = minimal.endpoints();
  std::vector<Path> found;
  Path path;
  const char* const what = shortest ? "path" : "path by another router with terminals";
  return lists_of(network, demand, what, progress, [&](const PathLists::Pair& pair, PathLists& lists) {
    found.clear();
    std::size_t channels = 0;
    const auto keep = [&](const Path& one) {
      channels += one.size();
      if (channels > kMaxFoundChannels) refuse_size();
      found.push_back(one);
    };
    for (const RouterId middle : endpoints.all()) {
      if (middle == pair.source || middle == pair.destination) continue;
      continue_shortest(network, minimal, pair.source, middle, path, [&](const Path&) {
        continue_shortest(network, minimal, middle, pair.destination, path, keep);
      });
    }
    if (shortest) continue_shortest(network, minimal, pair.source, pair.destination, path, keep);
    std::sort(found.begin(), found.end(), before);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const Path& one : found) add(lists, one);
  });
}

}  // namespace unknot
