// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/promise.hpp"

#include <algorithm>

#include "unknot/collective/model/ranks.hpp"
#include "unknot/play/block_layout.hpp"

namespace unknot::play {
namespace {

struct Delivered {
  std::uint32_t rank, block;
  SentBlock sent;
  auto operator<=>(const Delivered&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

}  // namespace

std::vector<Promise> promises(const Problem& problem) {
  const Ranks ranks = ranks_of(problem);
  const BlockLayout layout = block_layout(problem);
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
  for (const NodeId n : own_blocks(problem)) deliver(ranks.of(n), ranks.of(n));
  std::sort(all.begin(), all.end());

  std::vector<Promise> result(ranks.count());
  auto next = all.begin();
  for (std::uint32_t rank = 0; rank < ranks.count(); ++rank) {
    Promise& promise = result[rank];
    for (std::uint32_t block = 0; block < layout.receive_blocks; ++block) {
      for (; next != all.end() && next->rank == rank && next->block == block; ++next)
        promise.sent.push_back(next->sent);
      promise.first.push_back(static_cast<std::uint32_t>(promise.sent.size()));
    }
  }
  return result;
}

}  // namespace unknot::play
