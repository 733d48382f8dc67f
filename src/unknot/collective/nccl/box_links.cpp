// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <string_view>

#include "unknot/collective/nccl/nccl_graph.hpp"

namespace unknot::nccl {
namespace {

bool is_switch(std::string_view name) {
  return name.starts_with("nvswitch") || name.starts_with("switch");
}

/// GPUs in the fewest hops from a part, over parts that are neither GPUs nor NVLink's switches.
std::vector<std::uint32_t> nearest_gpus(const std::vector<std::vector<std::uint32_t>>& slow,
                                        std::uint32_t part, std::uint32_t gpus) {
  if (part < gpus) return {part};
  std::vector<std::uint32_t> hops(slow.size(), 0xFFFFFFFFU), found;
  std::deque<std::uint32_t> reached{part};
  hops[part] = 0;
  std::uint32_t nearest = 0xFFFFFFFFU;
  while (!reached.empty()) {
    const std::uint32_t at = reached.front();
    reached.pop_front();
    if (hops[at] > nearest) break;
    if (at < gpus) {
      nearest = hops[at];
      found.push_back(at);
      continue;
    }
    for (const std::uint32_t next : slow[at]) {
      if (hops[next] != 0xFFFFFFFFU) continue;
      hops[next] = hops[at] + 1;
      reached.push_back(next);
    }
  }
  return found;
}

}  // namespace

BoxLinks links_of(const BoxPlan& box) {
  BoxLinks result;
  result.gpus = static_cast<std::uint32_t>(box.gpus.size());
  result.direct.assign(std::size_t{result.gpus} * result.gpus, 0);
  result.to_switch.assign(result.gpus, 0);
  result.from_switch.assign(result.gpus, 0);
  std::vector<std::vector<std::uint32_t>> slow(result.gpus + box.others.size());
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint64_t megabits) {
    const bool from_gpu = from < result.gpus;
    const bool to_gpu = to < result.gpus;
    if (from_gpu && to_gpu) {
      result.direct[from * result.gpus + to] += megabits;
    } else if (from_gpu && is_switch(box.others[to - result.gpus])) {
      result.to_switch[from] += megabits;
    } else if (to_gpu && is_switch(box.others[from - result.gpus])) {
      result.from_switch[to] += megabits;
    } else {
      slow[from].push_back(to);
    }
  };
  for (const BoxPlan::Link& link : box.links) {
    add(link.a, link.b, link.there);
    if (!link.one_way) add(link.b, link.a, link.back);
  }
  for (const BoxPlan::Card& card : box.cards)
    result.cards.push_back({nearest_gpus(slow, card.part, result.gpus), card.capacity});
  return result;
}

}  // namespace unknot::nccl
