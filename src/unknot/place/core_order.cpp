// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/core_order.hpp"

#include <algorithm>
#include <compare>
#include <numeric>

#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot::place {
namespace {

constexpr std::uint64_t kMostCoreSteps = 200'000'000;
constexpr std::uint32_t kMostStarts = 16;

/// Bytes between sockets, then between caches of a socket: compared in that order.
struct Apart {
  std::int64_t sockets = 0, caches = 0;
  auto operator<=>(const Apart&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
  void add(const HostShape::Core& a, const HostShape::Core& b, std::int64_t bytes) {
    if (a.socket != b.socket) {
      sockets += bytes;
    } else if (a.cache != b.cache) {
      caches += bytes;
    }
  }
};

/// Ranks of each host, ascending.
struct RanksOfHosts {
  RanksOfHosts(const Places& places, const Placement& placement) : first(places.hosts.size() + 1, 0) {
    for (const std::uint32_t place : placement) ++first[places.host_of(place) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    rank.resize(placement.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t r = 0; r < placement.size(); ++r) rank[next[places.host_of(placement[r])]++] = r;
  }
  std::vector<std::uint32_t> first, rank;
};

/// The ranks of one host on its cores. Cores without a rank have one that exchanges nothing.
class OneHost {
 public:
  OneHost(const HostShape& shape, const CommunicationMatrix& sent, const std::uint32_t* ranks,
          std::uint32_t count)
      : shape_(shape), first_(shape.count() + 1, 0) {
    std::vector<Peer> all;
    std::vector<std::uint32_t> from;
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint64_t e = sent.first[ranks[a]]; e < sent.first[ranks[a] + 1]; ++e) {
        const std::uint32_t* const found = std::lower_bound(ranks, ranks + count, sent.entries[e].column);
        if (found == ranks + count || *found != sent.entries[e].column || *found == ranks[a]) continue;
        const auto b = static_cast<std::uint32_t>(found - ranks);
        const auto bytes = static_cast<std::int64_t>(sent.entries[e].bytes);
        from.push_back(a);
        all.push_back({b, bytes});
        from.push_back(b);
        all.push_back({a, bytes});
      }
    }
    for (const std::uint32_t a : from) ++first_[a + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    peers_.resize(all.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < all.size(); ++i) peers_[next[from[i]]++] = all[i];
  }

  [[nodiscard]] bool silent() const { return peers_.empty(); }

  /// Core of each rank, empty cores' ranks last.
  std::vector<std::uint32_t> best(std::uint32_t starts, std::uint64_t steps, Random random) {
    std::vector<std::uint32_t> best(shape_.count());
    std::iota(best.begin(), best.end(), 0U);
    core_ = best;
    Apart least = descend(steps);
    best = core_;
    for (std::uint32_t start = 1; start < starts; ++start) {
      random.shuffle(core_);
      const Apart found = descend(steps);
      if (!(found < least)) continue;
      least = found;
      best = core_;
    }
    return best;
  }

 private:
  struct Peer {
    std::uint32_t other;
    std::int64_t bytes;
  };

  /// Exchanges two ranks wherever that helps, until it nowhere does or there were as many steps.
  Apart descend(std::uint64_t steps) {
    bool changed = true;
    while (changed && steps > 0) {
      changed = false;
      for (std::uint32_t a = 0; a < core_.size() && steps > 0; ++a) {
        if (first_[a] == first_[a + 1]) continue;
        for (std::uint32_t b = 0; b < core_.size(); ++b) {
          if (shape_.cores[core_[a]].cache == shape_.cores[core_[b]].cache) continue;
          const std::uint64_t work = 1 + (first_[a + 1] - first_[a]) + (first_[b + 1] - first_[b]);
          steps -= std::min<std::uint64_t>(steps, work);
          const Apart before = around(a, b);
          std::swap(core_[a], core_[b]);
          if (around(a, b) < before) {
            changed = true;
          } else {
            std::swap(core_[a], core_[b]);
          }
        }
      }
    }
    Apart all;
    for (std::uint32_t a = 0; a < core_.size(); ++a) add(a, a, all);
    return all;
  }
  /// What two ranks exchange with others than each other.
  [[nodiscard]] Apart around(std::uint32_t a, std::uint32_t b) const {
    Apart apart;
    add(a, b, apart);
    add(b, a, apart);
    return apart;
  }
  void add(std::uint32_t rank, std::uint32_t but, Apart& apart) const {
    for (std::uint32_t i = first_[rank]; i < first_[rank + 1]; ++i) {
      if (peers_[i].other != but)
        apart.add(shape_.cores[core_[rank]], shape_.cores[core_[peers_[i].other]], peers_[i].bytes);
    }
  }

  const HostShape& shape_;
  std::vector<std::uint32_t> first_;
  std::vector<Peer> peers_;
  std::vector<std::uint32_t> core_;
};

}  // namespace

std::vector<std::uint32_t> cores_in_order(const Places& places, const Placement& placement) {
  std::vector<std::uint32_t> core(placement.size());
  std::vector<std::uint32_t> next(places.hosts.size(), 0);
  for (std::uint32_t rank = 0; rank < placement.size(); ++rank)
    core[rank] = next[places.host_of(placement[rank])]++;
  return core;
}

std::vector<std::uint32_t> order_cores(const Places& places, const Placement& placement,
                                       const HostShape& shape, const CommunicationMatrix& sent,
                                       std::uint64_t seed, std::uint32_t threads) {
  std::vector<std::uint32_t> core_of(placement.size(), 0);
  const RanksOfHosts on(places, placement);
  const auto hosts = static_cast<std::uint32_t>(places.hosts.size());
  const std::uint64_t each = kMostCoreSteps / hosts;
  const auto starts = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(each / (10 * shape.count() * shape.count()), 1, kMostStarts));
  parallel_blocks(hosts, 1, threads, [&](std::uint32_t, std::uint32_t host, std::uint32_t) {
    const std::uint32_t* const ranks = on.rank.data() + on.first[host];
    const std::uint32_t count = on.first[host + 1] - on.first[host];
    OneHost one(shape, sent, ranks, count);
    if (one.silent()) {
      for (std::uint32_t i = 0; i < count; ++i) core_of[ranks[i]] = i;
      return;
    }
    const std::vector<std::uint32_t> core = one.best(starts, each / starts + 1, Random(seed, host));
    for (std::uint32_t i = 0; i < count; ++i) core_of[ranks[i]] = core[i];
  });
  return core_of;
}

CoreMeasure measure_cores(const Places& places, const Placement& placement, const HostShape& shape,
                          const std::vector<std::uint32_t>& core_of_rank, const CommunicationMatrix& sent) {
  CoreMeasure measure;
  std::vector<std::uint64_t> sockets(places.hosts.size(), 0);
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    for (std::uint64_t e = sent.first[rank]; e < sent.first[rank + 1]; ++e) {
      const std::uint32_t other = sent.entries[e].column;
      const std::uint32_t host = places.host_of(placement[rank]);
      if (host != places.host_of(placement[other])) continue;
      const HostShape::Core& from = shape.cores[core_of_rank[rank]];
      const HostShape::Core& to = shape.cores[core_of_rank[other]];
      if (from.socket != to.socket) {
        sockets[host] += sent.entries[e].bytes;
      } else if (from.cache != to.cache) {
        measure.caches += sent.entries[e].bytes;
      }
    }
  }
  for (const std::uint64_t one : sockets) {
    measure.sockets += one;
    measure.most_sockets = std::max(measure.most_sockets, one);
  }
  return measure;
}

}  // namespace unknot::place
