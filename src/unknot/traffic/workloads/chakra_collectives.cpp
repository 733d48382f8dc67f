// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/chakra_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 28U;

std::string told(const TraceCall& call) {
  std::string text = fmt::format("{} {} of {} bytes",
                                 call.collective == TraceCollective::all_reduce ||
                                         call.collective == TraceCollective::all_gather ||
                                         call.collective == TraceCollective::all_to_all
                                     ? "an"
                                     : "a",
                                 name_of(call.collective), call.bytes);
  if (call.root) text += fmt::format(" with root {}", *call.root);
  return text;
}

std::string_view way_of(const CollectiveWays& ways, TraceCollective collective) {
  switch (collective) {
    case TraceCollective::all_reduce:
      return ways.all_reduce;
    case TraceCollective::all_gather:
      return ways.all_gather;
    case TraceCollective::reduce_scatter:
    case TraceCollective::reduce_scatter_block:
      return ways.reduce_scatter;
    case TraceCollective::all_to_all:
      return ways.all_to_all;
    default:
      return ways.broadcast;
  }
}

/// Makes the messages of groups.
class CallMatch {
 public:
  CallMatch(const std::vector<TerminalId>& terminal_of, const CollectiveWays& ways, TaskGraphBuilder& builder,
            const std::function<void(std::uint32_t, std::uint32_t)>& made,
            const std::function<void(std::uint32_t, const std::string&)>& refuse,
            const std::function<std::string(std::uint32_t)>& place)
      : terminal_of_(terminal_of),
        ways_(ways),
        builder_(builder),
        made_(made),
        refuse_(refuse),
        place_(place) {}

  void run(const std::string& group, const std::vector<std::uint32_t>& ranks,
           const std::vector<TraceCall>& calls) {
    std::map<std::uint32_t, std::vector<const TraceCall*>> by_rank;
    for (const TraceCall& call : calls) by_rank[call.rank].push_back(&call);
    const std::vector<const TraceCall*>& first = by_rank[ranks.front()];
    for (const std::uint32_t rank : ranks) {
      const std::vector<const TraceCall*>& own = by_rank[rank];
      if (own.size() == first.size()) continue;
      const auto& longer = own.size() > first.size() ? own : first;
      const std::size_t common = std::min(own.size(), first.size());
      // What differs before may say more.
      for (std::size_t k = 0; k < common; ++k) require_alike(*first[k], *own[k]);
      refuse_(longer[common]->node,
              fmt::format("it is collective {} of group '{}' there, and rank {} has only {}", common + 1,
                          group, &longer == &own ? ranks.front() : rank, common));
    }
    for (std::size_t k = 0; k < first.size(); ++k) {
      members_.clear();
      for (const std::uint32_t rank : ranks) {
        members_.push_back(by_rank[rank][k]);
        require_alike(*first[k], *members_.back());
      }
      add(ranks);
    }
  }

 private:
  void require_alike(const TraceCall& first, const TraceCall& call) const {
    if (call.collective == first.collective && call.bytes == first.bytes && call.root == first.root) return;
    refuse_(call.node, fmt::format("{}, but {} is {}", told(call), place_(first.node), told(first)));
  }

  void add(const std::vector<std::uint32_t>& ranks) {
    const TraceCall& first = *members_.front();
    CollectiveCase which{first.collective, way_of(ways_, first.collective),
                         static_cast<std::uint32_t>(ranks.size()), 0, first.bytes};
    if (first.root) {
      const auto root = std::find(ranks.begin(), ranks.end(), *first.root);
      if (root == ranks.end())
        refuse_(first.node, fmt::format("its root {} is not in its group", *first.root));
      which.root = static_cast<std::uint32_t>(root - ranks.begin());
    }
    terminals_.clear();
    begins_.clear();
    ends_.clear();
    for (const TraceCall* call : members_) {
      terminals_.push_back(terminal_of_[call->rank]);
      begins_.push_back(call->begin);
      ends_.push_back(call->end);
    }
    add_collective(which, terminals_, begins_, ends_, builder_,
                   [&](std::uint32_t task, std::uint32_t member) {
                     if (++tasks_ > 2 * kMostMessages)
                       refuse_(first.node, "the collectives up to here have more than 2^28 messages");
                     made_(task, members_[member]->node);
                   });
  }

  const std::vector<TerminalId>& terminal_of_;
  const CollectiveWays& ways_;
  TaskGraphBuilder& builder_;
  const std::function<void(std::uint32_t, std::uint32_t)>& made_;
  const std::function<void(std::uint32_t, const std::string&)>& refuse_;
  const std::function<std::string(std::uint32_t)>& place_;
  std::uint64_t tasks_ = 0;
  std::vector<const TraceCall*> members_;
  std::vector<TerminalId> terminals_;
  std::vector<std::uint32_t> begins_, ends_;
};

}  // namespace

void TraceCalls::add(const std::string& name, const std::vector<std::uint32_t>& ranks, const TraceCall& call,
                     const std::function<void(const std::string&)>& refuse) {
  Group& group = listed_[{name, ranks}];
  if (group.calls.empty()) {
    std::vector<std::uint32_t> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) refuse(fmt::format("rank {} is in its group '{}' twice", *twice, name));
    group.ranks = ranks;
  }
  if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), call.rank) == ranks.end())
    refuse(fmt::format("rank {} is not in its group '{}'", call.rank, name));
  group.calls.push_back(call);
}

void TraceCalls::add_unlisted(const std::string& name, const TraceCall& call) {
  Group& group = unlisted_[name];
  if (group.ranks.empty() || group.ranks.back() != call.rank) group.ranks.push_back(call.rank);
  group.calls.push_back(call);
}

void TraceCalls::build(std::uint32_t ranks, const std::vector<TerminalId>& terminal_of,
                       const CollectiveWays& ways, TaskGraphBuilder& builder,
                       const std::function<void(std::uint32_t, std::uint32_t)>& made,
                       const std::function<void(std::uint32_t, const std::string&)>& refuse,
                       const std::function<std::string(std::uint32_t)>& place) {
  CallMatch match(terminal_of, ways, builder, made, refuse, place);
  for (auto& [key, group] : listed_) {
    if (group.ranks.empty()) {
      group.ranks.resize(ranks);
      std::iota(group.ranks.begin(), group.ranks.end(), 0);
    }
    for (const std::uint32_t rank : group.ranks) {
      if (rank < ranks) continue;
      refuse(group.calls.front().node,
             fmt::format("there is no rank {} of its group '{}': there are {}", rank, key.first, ranks));
    }
    match.run(key.first, group.ranks, group.calls);
  }
  for (const auto& [name, group] : unlisted_) match.run(name, group.ranks, group.calls);
}

}  // namespace unknot
