// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/promise.hpp"

#include <algorithm>

#include "unknot/collective/model/ranks.hpp"
#include "unknot/play/block_layout.hpp"

namespace unknot::play {
namespace {

struct Delivered {
  std::uint32_t rank, message;
  SentMessage sent;
  auto operator<=>(const Delivered&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

std::vector<Delivered> delivered(const Problem& problem, const CombinedProblem& combined) {
  const Ranks ranks = ranks_of(problem);
  BlockLayout layout = block_layout(combined);
  layout.pieces = 1;  // by messages
  std::vector<Delivered> all;
  const auto deliver = [&](std::uint32_t owner, std::uint32_t other) {
    switch (problem.delivery) {
      case Delivery::scatter:
        all.push_back({other, layout.receive_block(owner), {owner, layout.send_block(other)}});
        break;
      case Delivery::broadcast:
        all.push_back({other, layout.receive_block(owner), {owner, 0}});
        break;
      case Delivery::reduction:
        all.push_back({owner, 0, {other, layout.send_block(owner)}});
    }
  };
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const std::uint32_t owner = ranks.of(problem.owner[g]);
    for (const NodeId n : problem.partners(g)) deliver(owner, ranks.of(n));
  }
  for (const NodeId n : own_messages(combined)) deliver(ranks.of(n), ranks.of(n));
  std::sort(all.begin(), all.end());
  return all;
}

/// Each has the only message of all of its group, or of those of them up to itself.
std::vector<Promise> totals(const CombinedProblem& problem) {
  std::vector<Promise> result(problem.nodes.size());
  for (std::uint32_t b = 0; b < problem.blocks(); b += problem.pieces) {
    for (const NodeId n : problem.targets(b)) {
      Promise& promise = result[problem.rank_of(n)];
      for (const NodeId from : problem.sources(b)) {
        if (problem.outcome != Outcome::scan || from <= n) promise.sent.push_back({problem.rank_of(from), 0});
      }
      promise.first.push_back(static_cast<std::uint32_t>(promise.sent.size()));
    }
  }
  return result;
}

}  // namespace

std::vector<Promise> promises(const CombinedProblem& problem) {
  const auto ranks = static_cast<std::uint32_t>(problem.nodes.size());
  if (problem.outcome != Outcome::as_given) return totals(problem);
  const std::vector<Delivered> all = delivered(problem.base, problem);
  const std::uint32_t messages = block_layout(problem).receive_messages;
  std::vector<Promise> result(ranks);
  auto next = all.begin();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Promise& promise = result[rank];
    for (std::uint32_t message = 0; message < messages; ++message) {
      for (; next != all.end() && next->rank == rank && next->message == message; ++next)
        promise.sent.push_back(next->sent);
      promise.first.push_back(static_cast<std::uint32_t>(promise.sent.size()));
    }
  }
  return result;
}

}  // namespace unknot::play
