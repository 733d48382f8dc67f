// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/collective_rounds.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace unknot {
namespace {

constexpr std::array<std::string_view, kTraceCollectives> kCollectiveNames = {
    "all-reduce", "reduce",         "all-gather",           "gather", "scatter", "broadcast",
    "all-to-all", "reduce-scatter", "reduce-scatter-block", "barrier"};

/// Makes the rounds of one case.
class CollectiveRounds {
 public:
  CollectiveRounds(const CollectiveCase& which,
                   const std::function<void(std::span<const CollectiveMove>)>& take)
      : which_(which), take_(take), n_(which.members) {}

  void run() {
    if (n_ < 2) return;
    switch (which_.collective) {
      case TraceCollective::all_reduce:
        all_reduce();
        return;
      case TraceCollective::all_gather:
        all_gather();
        return;
      case TraceCollective::reduce_scatter:
      case TraceCollective::reduce_scatter_block:
        reduce_scatter();
        return;
      case TraceCollective::all_to_all:
        each_to_each(which_.way == "pairwise", [&](std::uint32_t, std::uint32_t to) { return share(to); });
        return;
      case TraceCollective::broadcast:
        tree(false);
        return;
      case TraceCollective::reduce:
        tree(true);
        return;
      case TraceCollective::gather:
        star(true, [&](std::uint32_t) { return which_.bytes; });
        return;
      case TraceCollective::scatter:
        star(false, [&](std::uint32_t other) { return share(other); });
        return;
      case TraceCollective::barrier:
        for (std::uint64_t distance = 1; distance < n_; distance *= 2) {
          for (std::uint32_t m = 0; m < n_; ++m) move(m, around(m, distance), 1);
          round();
        }
        return;
    }
  }

 private:
  [[nodiscard]] std::uint64_t share(std::uint32_t block) const {
    return which_.bytes / n_ + (block < which_.bytes % n_ ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t around(std::uint32_t member, std::uint64_t distance) const {
    return static_cast<std::uint32_t>((member + distance) % n_);
  }
  void move(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    round_.push_back({from, to, bytes});
  }
  void round() {
    take_(round_);
    round_.clear();
  }

  /// n - 1 times to the next, `first` blocks back at first and one more each time.
  void ring(std::uint32_t first, bool shares) {
    for (std::uint32_t step = 0; step + 1 < n_; ++step) {
      for (std::uint32_t m = 0; m < n_; ++m)
        move(m, around(m, 1), shares ? share(around(m, std::uint64_t{2} * n_ - first - step)) : which_.bytes);
      round();
    }
  }

  /// All at once, or each after the one before; each to those after it, so that all receive at any time.
  template <class Bytes>
  void each_to_each(bool one_by_one, const Bytes& bytes) {
    for (std::uint32_t distance = 1; distance < n_; ++distance) {
      for (std::uint32_t m = 0; m < n_; ++m) move(m, around(m, distance), bytes(m, around(m, distance)));
      if (one_by_one) round();
    }
    if (!one_by_one) round();
  }

  void all_reduce() {
    if (which_.way == "recursive-doubling") {
      doubling();
      return;
    }
    reduce_scatter();
    if (which_.way == "direct") {
      each_to_each(false, [&](std::uint32_t from, std::uint32_t) { return share(from); });
    } else {
      ring(0, true);
    }
  }

  void reduce_scatter() {
    if (which_.way == "direct") {
      each_to_each(false, [&](std::uint32_t, std::uint32_t to) { return share(to); });
    } else {
      ring(1, true);
    }
  }

  void all_gather() {
    if (which_.way == "direct") {
      each_to_each(false, [&](std::uint32_t, std::uint32_t) { return which_.bytes; });
    } else if (which_.way == "bruck") {
      for (std::uint64_t distance = 1; distance < n_; distance *= 2) {
        for (std::uint32_t m = 0; m < n_; ++m)
          move(m, around(m, n_ - distance), std::min(distance, n_ - distance) * which_.bytes);
        round();
      }
    } else {
      ring(0, false);
    }
  }

  /// Whole vectors with the one whose number differs in a bit; the odd ones of the first so many that a power
  /// of two is left hand theirs over before, and get the sum behind [Thakur, Rabenseifner, Gropp 2005].
  void doubling() {
    const std::uint32_t paired = std::bit_floor(n_);
    const std::uint32_t others = n_ - paired;
    const auto member = [&](std::uint32_t p) { return p < others ? 2 * p : p + others; };
    for (std::uint32_t p = 0; p < others; ++p) move(2 * p + 1, 2 * p, which_.bytes);
    if (others > 0) round();
    for (std::uint32_t bit = paired / 2; bit > 0; bit /= 2) {
      for (std::uint32_t p = 0; p < paired; ++p) move(member(p), member(p ^ bit), which_.bytes);
      round();
    }
    for (std::uint32_t p = 0; p < others; ++p) move(2 * p, 2 * p + 1, which_.bytes);
    if (others > 0) round();
  }

  /// From the root over a binomial tree, or the same backwards.
  void tree(bool to_root) {
    if (which_.way == "direct") {
      star(to_root, [&](std::uint32_t) { return which_.bytes; });
      return;
    }
    const std::uint32_t top = std::bit_ceil(n_) / 2;
    for (std::uint32_t i = 0; (top >> i) > 0; ++i) {
      const std::uint32_t distance = to_root ? 1U << i : top >> i;
      for (std::uint32_t m = 0; m < n_ - distance; m += 2 * distance) {
        const std::uint32_t near = around(m, which_.root);
        const std::uint32_t far = around(m + distance, which_.root);
        move(to_root ? far : near, to_root ? near : far, which_.bytes);
      }
      round();
    }
  }

  /// Between the root and each other one.
  template <class Bytes>
  void star(bool to_root, const Bytes& bytes) {
    for (std::uint32_t distance = 1; distance < n_; ++distance) {
      const std::uint32_t other = around(which_.root, distance);
      move(to_root ? other : which_.root, to_root ? which_.root : other, bytes(other));
    }
    round();
  }

  const CollectiveCase& which_;
  const std::function<void(std::span<const CollectiveMove>)>& take_;
  std::uint32_t n_;
  std::vector<CollectiveMove> round_;
};

}  // namespace

std::string_view name_of(TraceCollective collective) {
  return kCollectiveNames[static_cast<std::size_t>(collective)];
}

const std::vector<std::string>& all_reduce_ways() {
  static const std::vector<std::string> ways = {"ring", "recursive-doubling", "direct"};
  return ways;
}
const std::vector<std::string>& all_gather_ways() {
  static const std::vector<std::string> ways = {"ring", "bruck", "direct"};
  return ways;
}
const std::vector<std::string>& reduce_scatter_ways() {
  static const std::vector<std::string> ways = {"ring", "direct"};
  return ways;
}
const std::vector<std::string>& all_to_all_ways() {
  static const std::vector<std::string> ways = {"direct", "pairwise"};
  return ways;
}
const std::vector<std::string>& broadcast_ways() {
  static const std::vector<std::string> ways = {"binomial", "direct"};
  return ways;
}

void for_each_round(const CollectiveCase& which,
                    const std::function<void(std::span<const CollectiveMove>)>& take) {
  CollectiveRounds(which, take).run();
}

void add_collective(const CollectiveCase& which, std::span<const TerminalId> terminals,
                    std::span<const std::uint32_t> begins, std::span<const std::uint32_t> ends,
                    TaskGraphBuilder& builder,
                    const std::function<void(std::uint32_t task, std::uint32_t member)>& made) {
  // By member: the task after which it has all that it has received, and what a round brings.
  std::vector<std::uint32_t> has(begins.begin(), begins.end());
  std::vector<std::vector<std::uint32_t>> brought(which.members);
  for_each_round(which, [&](std::span<const CollectiveMove> moves) {
    for (const CollectiveMove& move : moves) {
      const std::uint32_t send =
          builder.send(terminals[move.from], terminals[move.to], std::max<std::uint64_t>(move.bytes, 1));
      made(send, move.from);
      builder.require_done(send, has[move.from]);
      builder.require_done(ends[move.from], send);
      const std::uint32_t receive = builder.receive(send);
      made(receive, move.to);
      builder.require_done(receive, has[move.to]);
      brought[move.to].push_back(receive);
    }
    for (const CollectiveMove& move : moves) {
      std::vector<std::uint32_t>& receives = brought[move.to];
      if (receives.empty()) continue;
      has[move.to] = receives.front();
      if (receives.size() > 1) {
        has[move.to] = builder.compute(terminals[move.to], 0);
        made(has[move.to], move.to);
        for (const std::uint32_t receive : receives) builder.require_done(has[move.to], receive);
      }
      receives.clear();
    }
  });
  for (std::uint32_t m = 0; m < which.members; ++m) builder.require_done(ends[m], has[m]);
}

}  // namespace unknot
