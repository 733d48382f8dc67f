// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/cut_bound.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "unknot/network/cuts/local_cut.hpp"
#include "unknot/network/cuts/partitioners.hpp"
#include "unknot/place/spread.hpp"

namespace unknot::place {
namespace {

constexpr std::uint32_t kMostParts = 128;
/// Sums of so many doubles are off by less.
constexpr double kRounding = 1e-9;

/// What ranks send, or receive, beyond their heaviest partners.
class Direct {
 public:
  explicit Direct(const CommunicationMatrix& matrix) : first_(matrix.first), rest_(matrix.entries.size()) {
    std::vector<std::uint64_t> bytes;
    for (std::uint32_t rank = 0; rank < matrix.ranks; ++rank) {
      bytes.clear();
      for (std::uint64_t i = first_[rank]; i < first_[rank + 1]; ++i)
        bytes.push_back(matrix.entries[i].bytes);
      std::sort(bytes.begin(), bytes.end());  // the lightest first: sums from there
      std::uint64_t sum = 0;
      for (std::size_t k = 0; k < bytes.size(); ++k) {
        sum += bytes[k];
        rest_[first_[rank + 1] - 1 - k] = sum;
      }
    }
  }
  /// Bytes that leave a group of at most `size`, by member.
  void leaving(std::uint32_t size, std::vector<double>& by_rank) const {
    by_rank.clear();
    for (std::size_t rank = 0; rank + 1 < first_.size(); ++rank) {
      const std::uint64_t at = first_[rank] + (size - 1);
      by_rank.push_back(at < first_[rank + 1] ? static_cast<double>(rest_[at]) : 0);
    }
  }

 private:
  const std::vector<std::uint64_t>& first_;
  std::vector<std::uint64_t> rest_;  // by entry, the heaviest first: bytes from there on
};

void leaving(const Spread& spread, std::uint32_t size, std::vector<double>& by_rank) {
  const double each = (1 - kRounding) / spread.congestion;
  by_rank.clear();
  for (const std::uint32_t reach : spread.reach)
    by_rank.push_back(reach > size - 1 ? each * (reach - (size - 1)) : 0);
}

/// A fabric in parts.
struct Parts {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_router;
};

std::vector<Parts> cuts_of(const Network& network, const std::vector<std::uint32_t>& hosts_on) {
  std::vector<Parts> cuts;
  const auto with_hosts = static_cast<std::uint32_t>(
      std::count_if(hosts_on.begin(), hosts_on.end(), [](std::uint32_t hosts) { return hosts > 0; }));
  Parts single;
  single.of_router.assign(hosts_on.size(), with_hosts);  // routers without hosts are one more part
  for (std::size_t r = 0; r < hosts_on.size(); ++r) {
    if (hosts_on[r] > 0) single.of_router[r] = single.count++;
  }
  if (with_hosts < hosts_on.size()) ++single.count;
  cuts.push_back(std::move(single));
  CutGraph graph(network);
  graph.weight = hosts_on;
  graph.total_weight = std::accumulate(hosts_on.begin(), hosts_on.end(), std::uint64_t{0});
  graph.max_weight = *std::max_element(hosts_on.begin(), hosts_on.end());
  for (std::uint32_t count = 2; count <= kMostParts && count < with_hosts; count *= 2) {
    const std::vector<std::uint8_t> sides = metis_parts(graph, count, 1);
    if (!sides.empty()) cuts.push_back({count, {sides.begin(), sides.end()}});
  }
  return cuts;
}

/// What one cut says of one direction.
class Cut {
 public:
  Cut(const Network& network, const Places& places, const LinkWidths& widths, const Parts& parts)
      : places_(parts.count, 0), leaves_(parts.count, 0), enters_(parts.count, 0) {
    for (const TerminalId host : places.hosts)
      places_[parts.of_router[network.router_of(host).value]] += places.per_host;
    for (const ChannelId c : network.channels()) {
      const std::uint32_t from = parts.of_router[network.source(c).value];
      const std::uint32_t to = parts.of_router[network.target(c).value];
      if (from == to) continue;
      leaves_[from] += widths.of(c);
      enters_[to] += widths.of(c);
    }
    most_ = *std::max_element(places_.begin(), places_.end());
  }

  /// Each host a part of its own, and its cable all that leads out of it.
  Cut(const Places& places, const LinkWidths& widths)
      : places_(places.hosts.size(), places.per_host), most_(places.per_host) {
    leaves_.reserve(places.hosts.size());
    for (const TerminalId host : places.hosts) leaves_.push_back(widths.of(host));
    enters_ = leaves_;
  }

  /// `at_least(size, by_rank)`: bytes of each rank that leave (enter) a group of at most `size`.
  template <class AtLeast>
  double bound(const AtLeast& at_least, std::uint32_t ranks, std::uint32_t all_places, bool leaving) {
    const std::vector<double>& width = leaving ? leaves_ : enters_;
    // of the parts with places: what leaves one of them enters another, maybe by way of the rest
    double all = 0;
    std::map<std::uint32_t, double> narrowest;  // by places, of the parts with so many
    for (std::size_t part = 0; part < places_.size(); ++part) {
      if (places_[part] == 0 || width[part] == 0) continue;
      all += width[part];
      double& least = narrowest.emplace(places_[part], width[part]).first->second;
      least = std::min(least, width[part]);
    }
    if (all == 0) return 0;
    at_least(most_, by_rank_);
    double best = std::accumulate(by_rank_.begin(), by_rank_.end(), 0.0) / all;
    // where every place is taken, a part has as many ranks as places
    if (ranks != all_places || places_.size() > kMostParts) return best;
    for (const auto& [size, least] : narrowest) {
      at_least(size, by_rank_);
      std::sort(by_rank_.begin(), by_rank_.end());
      best = std::max(best, std::accumulate(by_rank_.begin(), by_rank_.begin() + size, 0.0) / least);
    }
    return best;
  }

 private:
  std::vector<std::uint32_t> places_;    // by part
  std::vector<double> leaves_, enters_;  // by part: width of channels
  std::uint32_t most_ = 0;               // places of a part
  std::vector<double> by_rank_;
};

}  // namespace

CutBound cut_bound(const Network& network, const Places& places, const LinkWidths& widths,
                   const CommunicationMatrix& sent, const CommunicationMatrix& received,
                   std::uint32_t threads) {
  std::vector<std::uint32_t> hosts_on(network.router_count(), 0);
  for (const TerminalId host : places.hosts) ++hosts_on[network.router_of(host).value];
  const std::vector<Parts> parts = cuts_of(network, hosts_on);
  CutBound best;
  std::vector<Cut> cuts{Cut(places, widths)};
  for (const Parts& one : parts) cuts.emplace_back(network, places, widths, one);
  std::vector<Spread> spreads;
  for (const bool leaves : {true, false}) {
    const CommunicationMatrix& matrix = leaves ? sent : received;
    const Direct direct(matrix);
    if (leaves || received != sent) spreads = find_spreads(matrix, threads);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const auto take = [&](const auto& at_least) {
        const double load = cuts[i].bound(at_least, sent.ranks, places.count(), leaves);
        if (i == 0) {
          best.cables = std::max(best.cables, load);
        } else if (load > best.load) {
          best.load = load;
          best.parts = parts[i - 1].count;
        }
      };
      take([&](std::uint32_t size, std::vector<double>& by_rank) { direct.leaving(size, by_rank); });
      for (const Spread& spread : spreads)
        take([&](std::uint32_t size, std::vector<double>& by_rank) { leaving(spread, size, by_rank); });
    }
  }
  return best;
}

}  // namespace unknot::place
