// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/waits.hpp"

#include <algorithm>
#include <atomic>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::ethernet {

Waits::Waits(const Forwarding& forwarding, const Usage& usage, const Queues& queues)
    : forwarding_(forwarding),
      usage_(usage),
      queues_(queues),
      channels_(static_cast<std::uint32_t>(forwarding.fabric().channels.size())),
      layers_(queues.uniform()
                  ? std::min<std::uint32_t>(1, static_cast<std::uint32_t>(queues.priorities().size()))
                  : static_cast<std::uint32_t>(queues.priorities().size())) {
  if (std::uint64_t{channels_} * std::max(layers_, 1U) >= kNone)
    throw InputError("the fabric has more buffers than can be numbered");
  std::uint32_t i = 0;
  const auto& conversions = forwarding.conversions();
  for (std::uint32_t s = 0; s <= forwarding.fabric().switches.size(); ++s) {
    while (i < conversions.size() && conversions[i].at < s) ++i;
    first_conversion_.push_back(i);
  }
}

/// Calls visit(flow, next flow) for packets that come by the channel and go on by the other, until it says
/// that this is enough. Those outside of tunnels all have the same queues: one of them will do, but where
/// `all_flows` are asked for.
template <class Visit>
void Waits::for_each_hop(std::uint32_t channel, std::uint32_t next, bool all_flows,
                         const Visit& visit) const {
  const std::uint32_t destinations = forwarding_.destination_count();
  const std::uint32_t flows = forwarding_.flow_count();
  for (std::uint32_t from = 0; from < flows;) {
    const std::uint32_t flow = usage_.common_flow(channel, next, from);
    if (flow == kNone) break;
    if (visit(flow, flow)) return;
    from = flow < destinations && !all_flows ? destinations : flow + 1;
  }
  const std::uint32_t at = forwarding_.fabric().channels[channel].to;
  for (std::uint32_t i = first_conversion_[at]; i < first_conversion_[at + std::size_t{1}]; ++i) {
    const std::uint32_t coming = forwarding_.conversions()[i].flow;
    if (!usage_.carries(channel, coming)) continue;
    const Forwarding::Step step = forwarding_.step(at, coming);
    if (step.flow == coming) continue;
    const auto channels = step.channels();
    if (std::binary_search(channels.begin(), channels.end(), next) && visit(coming, step.flow)) return;
  }
}

/// Pairs that pairs_of_hop(channel, flow, next, next flow, visit) gives of all hops.
template <class Pairs>
std::vector<std::uint64_t> Waits::at_all_switches(std::uint32_t threads, Progress& progress,
                                                  const Pairs& pairs_of_hop) const {
  const std::vector<Switch>& switches = forwarding_.fabric().switches;
  std::vector<std::vector<std::uint64_t>> found(switches.size());
  std::atomic<std::uint64_t> done{0};
  const auto count = static_cast<std::uint32_t>(switches.size());
  progress.begin("waits of buffers", count);
  parallel_blocks(count, 8, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t s = begin; s < end; ++s) {
      std::vector<std::uint64_t>& pairs = found[s];
      for (const std::uint32_t channel : switches[s].in) {
        for (const std::uint32_t next : switches[s].out) {
          for_each_hop(channel, next, false, [&](std::uint32_t flow, std::uint32_t next_flow) {
            pairs_of_hop(channel, flow, next, next_flow, [&](std::uint32_t from, std::uint32_t to) {
              pairs.push_back(std::uint64_t{from} << 32 | to);
            });
            return false;
          });
        }
      }
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    }
    done += end - begin;
    if (progress.interrupted()) throw Interrupted();
    if (worker == 0) progress.update(done);
  });
  // A buffer waits at one switch alone, so that none comes twice.
  std::vector<std::uint64_t> result;
  for (std::vector<std::uint64_t>& pairs : found) {
    result.insert(result.end(), pairs.begin(), pairs.end());
    pairs = {};
  }
  return result;
}

std::vector<std::uint64_t> Waits::all(std::uint32_t threads, Progress& progress) const {
  if (layers_ == 0) return {};
  return at_all_switches(threads, progress,
                         [&](std::uint32_t channel, std::uint32_t flow, std::uint32_t next,
                             std::uint32_t next_flow, const auto& visit) {
                           for_each_pair(
                               channel, flow, next, next_flow,
                               [&](std::uint32_t from, std::uint32_t to, std::uint8_t) { visit(from, to); });
                         });
}

std::vector<std::uint64_t> Waits::hops(std::uint32_t threads, Progress& progress) const {
  return at_all_switches(threads, progress,
                         [](std::uint32_t channel, std::uint32_t, std::uint32_t next, std::uint32_t,
                            const auto& visit) { visit(channel, next); });
}

std::optional<WaitReason> Waits::reason_where(std::uint32_t from, std::uint32_t to,
                                              const std::function<bool(const WaitReason&)>& right) const {
  std::optional<WaitReason> found;
  for_each_hop(channel_of(from), channel_of(to), true, [&](std::uint32_t flow, std::uint32_t next_flow) {
    for_each_pair(channel_of(from), flow, channel_of(to), next_flow,
                  [&](std::uint32_t a, std::uint32_t b, std::uint8_t code_point) {
                    const WaitReason one{flow, next_flow, code_point};
                    if (!found && a == from && b == to && right(one)) found = one;
                  });
    return found.has_value();
  });
  return found;
}

}  // namespace unknot::ethernet
