// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <optional>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/ethernet/tags/exact_rules.hpp"
#include "unknot/ethernet/tags/expected_hops.hpp"
#include "unknot/ethernet/tags/tags.hpp"
#include "unknot/lanes/online_order.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot::ethernet {
namespace {

std::uint64_t pair_of(std::uint32_t channel, std::uint32_t next) {
  return std::uint64_t{channel} << 32 | next;
}

/// Orders of pairs that are tried where more than two queues are needed, in fabrics that are small.
constexpr std::uint32_t kAttempts = 64;
constexpr std::size_t kMostPairsToTryAgain = 5'000;
/// What an exact search may take: some seconds, and steps that are the same everywhere.
constexpr std::uint64_t kMostToSearch = 200'000;
constexpr std::uint64_t kMostConflicts = 2'000;

/// Packets to a destination while a link is down; kNone: none is.
struct Detour {
  std::uint32_t destination = 0, link = kNone;
};

class TagMaker {
 public:
  TagMaker(const Forwarding& forwarding, const Usage& usage, const Failures* failures)
      : forwarding_(forwarding), usage_(usage), failures_(failures) {}

  /// Detours whose packets have to be followed one by one: all destinations where `all`, and those that a
  /// failure leads elsewhere.
  void find_detours(bool all, std::uint32_t threads, Progress& progress) {
    if (all) {
      for (std::uint32_t d = 0; d < forwarding_.destination_count(); ++d) detours_.push_back({d, kNone});
    }
    without_failure_ = detours_.size();
    if (failures_ == nullptr) return;
    const std::vector<std::uint32_t>& links = failures_->links();
    std::vector<std::vector<std::uint32_t>> rerouted(links.size());
    in_parallel(links.size(), threads, progress,
                [&](std::uint32_t i) { rerouted[i] = failures_->rerouted(std::array{links[i]}); });
    for (std::size_t i = 0; i < links.size(); ++i) {
      // Of a circle a failure may leave a straight way.
      for (const LostPath& loop : usage_.loops()) rerouted[i].push_back(loop.destination);
      std::sort(rerouted[i].begin(), rerouted[i].end());
      rerouted[i].erase(std::unique(rerouted[i].begin(), rerouted[i].end()), rerouted[i].end());
      for (const std::uint32_t d : rerouted[i]) detours_.push_back({d, links[i]});
    }
  }

  /// Adds the pairs of channels that packets of detours take: those without failures first.
  void add_pairs(std::vector<std::uint64_t>& pairs, std::uint32_t threads, Progress& progress) {
    std::vector<std::vector<std::uint64_t>> found(detours_.size());
    in_parallel(detours_.size(), threads, progress, [&](std::uint32_t i) {
      const ExpectedHops expected = hops_of(detours_[i]);
      for (const Hop& hop : expected.hops) {
        if (hop.channel != kNone) found[i].push_back(pair_of(hop.channel, hop.next));
      }
      if (!expected.all) left_out_ = true;
      std::sort(found[i].begin(), found[i].end());
      found[i].erase(std::unique(found[i].begin(), found[i].end()), found[i].end());
    });
    std::sort(pairs.begin(), pairs.end());
    const auto add = [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint64_t> more;
      for (std::size_t i = begin; i < end; ++i) more.insert(more.end(), found[i].begin(), found[i].end());
      std::sort(more.begin(), more.end());
      more.erase(std::unique(more.begin(), more.end()), more.end());
      std::vector<std::uint64_t> added;
      std::set_difference(more.begin(), more.end(), pairs.begin(), pairs.end(), std::back_inserter(added));
      const auto before = static_cast<std::ptrdiff_t>(pairs.size());
      for (const std::uint64_t pair : added) order_.push_back(pair);
      pairs.insert(pairs.end(), added.begin(), added.end());
      std::inplace_merge(pairs.begin(), pairs.begin() + before, pairs.end());
    };
    order_ = pairs;
    add(0, without_failure_);
    add(without_failure_, detours_.size());
  }

  /// Keeps the tag between as many pairs as stay without a cycle, those first that come first.
  /// Attempts but 0 take them in a random order.
  void choose(std::uint32_t attempt) {
    const std::uint32_t channels = channel_count();
    // All of them where they are free of cycles, at once.
    const DependencyGraph graph(channels, 1, std::vector<std::uint8_t>(channels, 1), [&](const auto& visit) {
      for (const std::uint64_t pair : order_)
        visit(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
    });
    acyclic_ = topological_numbers(graph).acyclic;
    raises_.clear();
    if (acyclic_) return;
    std::vector<std::uint64_t> pairs = order_;
    if (attempt > 0) Random(1, attempt).shuffle(pairs);
    keep_first(pairs);
  }

  /// Raises no others than these, and of them those that have to be.
  void raise_only(const std::vector<std::uint64_t>& raises) {
    std::vector<std::uint64_t> pairs = order_;
    std::stable_partition(pairs.begin(), pairs.end(), [&](std::uint64_t pair) {
      return !std::binary_search(raises.begin(), raises.end(), pair);
    });
    keep_first(pairs);
  }

  [[nodiscard]] std::uint32_t channel_count() const {
    return static_cast<std::uint32_t>(forwarding_.fabric().channels.size());
  }
  /// Those of all detours; nothing where a search for two queues would be too large.
  [[nodiscard]] std::optional<TaggedPackets> packets(const Progress& progress) const {
    std::vector<std::uint64_t> pairs = order_;
    std::sort(pairs.begin(), pairs.end());
    TaggedPackets packets(channel_count(), std::move(pairs));
    for (const Detour& detour : detours_) {
      packets.add(hops_of(detour));
      if (packets.size(2) > kMostToSearch) return std::nullopt;
      if (progress.interrupted()) throw Interrupted();
    }
    return packets;
  }

  /// The most that a packet rises on its way, and one more.
  [[nodiscard]] std::uint32_t count_queues(std::uint32_t threads, Progress& progress) const {
    if (acyclic_) return 1;
    std::vector<std::uint32_t> most(detours_.size(), 0);
    in_parallel(detours_.size(), threads, progress, [&](std::uint32_t i) {
      const ExpectedHops expected = hops_of(detours_[i]);
      std::vector<std::uint32_t> rises(expected.states, 0);
      for (const Hop& hop : expected.hops) {
        std::uint32_t now = 0;
        if (hop.channel != kNone) {
          now = rises[hop.state];
          if (std::binary_search(raises_.begin(), raises_.end(), pair_of(hop.channel, hop.next))) ++now;
        }
        std::uint32_t& there = rises[hop.next_state];
        there = std::max(there, now);
        most[i] = std::max(most[i], now);
      }
    });
    return most.empty() ? 1 : 1 + *std::max_element(most.begin(), most.end());
  }

  [[nodiscard]] bool left_out() const { return left_out_; }
  [[nodiscard]] bool raises_without_failure(const std::vector<std::uint64_t>& base) const {
    return std::any_of(base.begin(), base.end(), [&](std::uint64_t pair) {
      return std::binary_search(raises_.begin(), raises_.end(), pair);
    });
  }
  [[nodiscard]] std::vector<PortPairRule> rules() const {
    std::vector<PortPairRule> result;
    result.reserve(order_.size());
    for (const std::uint64_t pair : order_) {
      const bool raise = std::binary_search(raises_.begin(), raises_.end(), pair);
      result.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair),
                        raise ? TagRule::raise : TagRule::keep});
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  /// Keeps the tag between those pairs that stay without a cycle with the ones before them.
  void keep_first(const std::vector<std::uint64_t>& pairs) {
    const std::uint32_t channels = channel_count();
    std::vector<std::uint32_t> place(channels);
    std::vector<std::vector<std::uint32_t>> next(channels);
    std::vector<std::vector<std::uint32_t>> before(channels);
    raises_.clear();
    for (std::uint32_t c = 0; c < channels; ++c) place[c] = c;
    OnlineOrder order(place);
    const auto visit_all = [](const std::vector<std::vector<std::uint32_t>>& of) {
      return [&of](std::uint32_t v, const auto& visit) {
        for (const std::uint32_t w : of[v]) {
          if (!visit(w)) return;
        }
      };
    };
    for (const std::uint64_t pair : pairs) {
      const auto from = static_cast<std::uint32_t>(pair >> 32);
      const auto to = static_cast<std::uint32_t>(pair);
      if (order.allows(from, to, visit_all(next), visit_all(before))) {
        next[from].push_back(to);
        before[to].push_back(from);
      } else {
        raises_.push_back(pair);
      }
    }
    std::sort(raises_.begin(), raises_.end());
  }

  [[nodiscard]] ExpectedHops hops_of(const Detour& detour) const {
    if (detour.link == kNone) return expected_hops(forwarding_, detour.destination, {});
    const std::array dead{detour.link, forwarding_.fabric().channels[detour.link].reverse};
    return expected_hops(forwarding_, detour.destination, dead);
  }

  template <class Work>
  static void in_parallel(std::size_t count, std::uint32_t threads, Progress& progress, const Work& work) {
    std::atomic<std::uint64_t> done{0};
    progress.begin("tags", count);
    parallel_blocks(static_cast<std::uint32_t>(count), 16, threads,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i) work(i);
                      done += end - begin;
                      if (progress.interrupted()) throw Interrupted();
                      if (worker == 0) progress.update(done);
                    });
  }

  const Forwarding& forwarding_;
  const Usage& usage_;
  const Failures* failures_;
  std::vector<Detour> detours_;
  std::size_t without_failure_ = 0;
  std::vector<std::uint64_t> order_;   // pairs, those first that should keep the tag
  std::vector<std::uint64_t> raises_;  // ascending
  bool acyclic_ = false;
  std::atomic<bool> left_out_{false};
};

/// Asks for fewer queues than were found, from the fewest on.
void ask_for_fewer(TagMaker& maker, Tags& tags, std::uint32_t threads, Progress& progress) {
  if (tags.least == tags.queues) return;
  progress.begin("fewest queues", 0);
  const std::optional<TaggedPackets> packets = maker.packets(progress);
  if (!packets) return;
  for (std::uint32_t k = tags.least; k < tags.queues && packets->size(k) <= kMostToSearch; ++k) {
    if (tags.least == k && rules_suffice(*packets, k, RuleKind::ports_and_tag, kMostConflicts, progress,
                                         nullptr) == SatAnswer::unsatisfiable) {
      tags.least = tags.least_by_ports = k + 1;
      continue;
    }
    std::vector<std::uint64_t> raises;
    const SatAnswer answer = rules_suffice(*packets, k, RuleKind::ports, kMostConflicts, progress, &raises);
    if (answer == SatAnswer::unsatisfiable && tags.least_by_ports == k) tags.least_by_ports = k + 1;
    if (answer != SatAnswer::satisfiable) continue;
    maker.raise_only(raises);
    tags.queues = maker.count_queues(threads, progress);
    tags.rules = maker.rules();
  }
}

}  // namespace

Tags make_tags(const Forwarding& forwarding, const Usage& usage, const std::vector<std::uint64_t>& hops,
               const Failures* failures, std::uint32_t threads, Progress& progress) {
  // Where every packet is delivered, what channels carry says all; else packets have to be followed.
  const bool straight = usage.loops().empty() && usage.dead_ends().empty();
  std::vector<std::uint64_t> base;
  if (straight) base = hops;
  Tags tags;
  for (bool follow_all = !straight;; follow_all = true) {
    TagMaker maker(forwarding, usage, failures);
    maker.find_detours(follow_all, threads, progress);
    std::vector<std::uint64_t> pairs = base;
    maker.add_pairs(pairs, threads, progress);
    maker.choose(0);
    // Without a rise all of its packets have tag 1, and need not be followed.
    if (!follow_all && maker.raises_without_failure(base)) continue;
    tags.queues = maker.count_queues(threads, progress);
    tags.rules = maker.rules();
    const bool small = pairs.size() <= kMostPairsToTryAgain;
    if (tags.queues > 2 && small && !follow_all) continue;  // what follows looks at all packets
    const std::uint32_t attempts = small ? kAttempts : 1;
    for (std::uint32_t attempt = 1; attempt < attempts && tags.queues > 2; ++attempt) {
      maker.choose(attempt);
      const std::uint32_t queues = maker.count_queues(threads, progress);
      if (queues >= tags.queues) continue;
      tags.queues = queues;
      tags.rules = maker.rules();
    }
    // One is enough exactly where nothing has to rise; two are the fewest where something does.
    tags.least = tags.least_by_ports = std::min(tags.queues, 2U);
    if (small) ask_for_fewer(maker, tags, threads, progress);
    tags.all_expected = !maker.left_out();
    return tags;
  }
}

}  // namespace unknot::ethernet
