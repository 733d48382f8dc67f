// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/rounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace unknot {
namespace {

/// Rounds in the making.
class Rounds {
 public:
  explicit Rounds(const CombinedProblem& problem)
      : problem_(&problem), ranks_(static_cast<std::uint32_t>(problem.nodes.size())) {}

  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
  [[nodiscard]] NodeId node(std::uint32_t rank) const { return problem_->nodes[rank]; }
  void next() { result_.add_step(); }
  /// The message of a rank for another (complete exchange, scatter).
  void want(std::uint32_t origin, std::uint32_t destination) {
    blocks_.push_back({node(origin), node(destination).value});
  }
  /// All pieces of what a rank has for all.
  void want_pieces(std::uint32_t origin) {
    for (std::uint32_t piece = 0; piece < problem_->pieces; ++piece) blocks_.push_back({node(origin), piece});
  }
  /// Sends what was wanted, if anything, in the current round.
  void send(std::uint32_t from, std::uint32_t to, bool combines = false) {
    const std::array<NodeId, 2> ends{node(from), node(to)};
    if (!blocks_.empty()) result_.add(ends, blocks_, combines);
    blocks_.clear();
  }
  CombinedSchedule take() { return std::move(result_); }

 private:
  const CombinedProblem* problem_;
  std::uint32_t ranks_;
  std::vector<Block> blocks_;
  CombinedSchedule result_;
};

/// Of 2^m ranks in the exchange of round k, those whose blocks a rank holds: all that differ in lower bits.
/// Ranks from 2^m on have handed theirs to the rank 2^m below.
void want_held(Rounds& rounds, std::uint32_t rank, std::uint32_t bit, std::uint32_t core) {
  const std::uint32_t first = rank & ~(bit - 1);
  for (std::uint32_t r = first; r < first + bit; ++r) {
    rounds.want_pieces(r);
    if (r + core < rounds.ranks()) rounds.want_pieces(r + core);
  }
}

CombinedSchedule doubled_all_gather(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t core = std::bit_floor(rounds.ranks());
  rounds.next();
  for (std::uint32_t r = core; r < rounds.ranks(); ++r) {
    rounds.want_pieces(r);
    rounds.send(r, r - core);
  }
  for (std::uint32_t bit = 1; bit < core; bit *= 2) {
    rounds.next();
    for (std::uint32_t r = 0; r < core; ++r) {
      want_held(rounds, r, bit, core);
      rounds.send(r, r ^ bit);
    }
  }
  rounds.next();
  for (std::uint32_t r = core; r < rounds.ranks(); ++r) {
    for (std::uint32_t other = 0; other < rounds.ranks(); ++other) {
      if (other != r) rounds.want_pieces(other);
    }
    rounds.send(r - core, r);
  }
  return rounds.take();
}

/// Round k: what rank r holds for ranks that differ from it in bit k, from ranks that agree with it in the
/// bits from k on.
CombinedSchedule doubled_exchange(const CombinedProblem& problem) {
  Rounds rounds(problem);
  for (std::uint32_t bit = 1; bit < rounds.ranks(); bit *= 2) {
    rounds.next();
    for (std::uint32_t r = 0; r < rounds.ranks(); ++r) {
      for (std::uint32_t origin = r & ~(bit - 1); origin < (r | (bit - 1)) + 1; ++origin) {
        for (std::uint32_t to = 0; to < rounds.ranks(); ++to) {
          const bool agrees = (to & (bit - 1)) == (r & (bit - 1));
          if (agrees && (to & bit) != (r & bit)) rounds.want(origin, to);
        }
      }
      rounds.send(r, r ^ bit);
    }
  }
  return rounds.take();
}

CombinedSchedule doubled_all_reduce(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t core = std::bit_floor(rounds.ranks());
  const auto send = [&](std::uint32_t from, std::uint32_t to, bool combines) {
    rounds.want_pieces(0);
    rounds.send(from, to, combines);
  };
  rounds.next();
  for (std::uint32_t r = core; r < rounds.ranks(); ++r) send(r, r - core, true);
  for (std::uint32_t bit = 1; bit < core; bit *= 2) {
    rounds.next();
    for (std::uint32_t r = 0; r < core; ++r) {
      if ((r & bit) != 0) continue;
      send(r, r | bit, true);
      send(r | bit, r, true);
    }
  }
  rounds.next();
  for (std::uint32_t r = core; r < rounds.ranks(); ++r) send(r - core, r, false);
  return rounds.take();
}

/// The last ranks first: where a round is cut, none sends what it has just been sent.
CombinedSchedule doubled_scan(const CombinedProblem& problem) {
  Rounds rounds(problem);
  for (std::uint32_t far = 1; far < rounds.ranks(); far *= 2) {
    rounds.next();
    for (std::uint32_t r = rounds.ranks() - far; r-- > 0;) {
      rounds.want_pieces(0);
      rounds.send(r, r + far, true);
    }
  }
  return rounds.take();
}

bool is_complete(const Problem& base, std::uint64_t ranks) {
  return base.groups() == ranks && base.messages() == ranks * (ranks - 1);
}

}  // namespace

Shape shape_of(const CombinedProblem& problem) {
  const Problem& base = problem.base;
  const std::uint64_t ranks = problem.nodes.size();
  if (problem.outcome == Outcome::all_reduce) return Shape::all_reduce;
  if (problem.outcome == Outcome::scan) return Shape::scan;
  if (base.delivery == Delivery::reduction) return Shape::other;
  const bool scatter = base.delivery == Delivery::scatter;
  if (is_complete(base, ranks)) return scatter ? Shape::complete_exchange : Shape::all_gather;
  if (base.groups() == 1) return scatter ? Shape::one_to_all_scatter : Shape::one_to_all_broadcast;
  return Shape::other;
}

CombinedSchedule pairwise_rounds(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t ranks = rounds.ranks();
  const bool scatter = problem.base.delivery == Delivery::scatter;
  for (std::uint32_t i = 1; i < ranks; ++i) {
    rounds.next();
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const std::uint32_t to = std::has_single_bit(ranks) ? r ^ i : (r + i) % ranks;
      scatter ? rounds.want(r, to) : rounds.want_pieces(r);
      rounds.send(r, to);
    }
  }
  return rounds.take();
}

CombinedSchedule bruck_rounds(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t ranks = rounds.ranks();
  const bool scatter = problem.base.delivery == Delivery::scatter;
  for (std::uint32_t bit = 1; bit < ranks; bit *= 2) {
    rounds.next();
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (!scatter) {
        for (std::uint32_t i = 0; i < std::min(bit, ranks - bit); ++i) rounds.want_pieces((r + i) % ranks);
        rounds.send(r, (r + ranks - bit) % ranks);
        continue;
      }
      for (std::uint32_t far = 1; far < ranks; ++far) {
        if ((far & bit) == 0) continue;
        const std::uint32_t origin = (r + ranks - far % bit) % ranks;
        rounds.want(origin, (origin + far) % ranks);
      }
      rounds.send(r, (r + bit) % ranks);
    }
  }
  return rounds.take();
}

CombinedSchedule ring_rounds(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t ranks = rounds.ranks();
  for (std::uint32_t i = 0; i + 1 < ranks; ++i) {
    rounds.next();
    if (problem.outcome == Outcome::scan) {
      rounds.want_pieces(0);
      rounds.send(i, i + 1, true);
      continue;
    }
    for (std::uint32_t r = 0; r < ranks; ++r) {
      rounds.want_pieces((r + ranks - i) % ranks);
      rounds.send(r, (r + 1) % ranks);
    }
  }
  return rounds.take();
}

CombinedSchedule recursive_doubling_rounds(const CombinedProblem& problem) {
  switch (shape_of(problem)) {
    case Shape::complete_exchange:
      return doubled_exchange(problem);
    case Shape::all_reduce:
      return doubled_all_reduce(problem);
    case Shape::scan:
      return doubled_scan(problem);
    default:
      return doubled_all_gather(problem);
  }
}

CombinedSchedule binomial_rounds(const CombinedProblem& problem) {
  Rounds rounds(problem);
  const std::uint32_t ranks = rounds.ranks();
  const std::uint32_t root = problem.rank_of(problem.base.owner.front());
  const bool scatter = problem.base.delivery == Delivery::scatter;
  const auto rank = [&](std::uint32_t after_root) { return (root + after_root) % ranks; };
  for (std::uint32_t half = std::bit_ceil(ranks) / 2; half > 0; half /= 2) {
    rounds.next();
    for (std::uint32_t v = 0; v + half < ranks; v += 2 * half) {
      if (!scatter) rounds.want_pieces(root);
      for (std::uint32_t w = v + half; scatter && w < std::min(v + 2 * half, ranks); ++w)
        rounds.want(root, rank(w));
      rounds.send(rank(v), rank(v + half));
    }
  }
  return rounds.take();
}

}  // namespace unknot
