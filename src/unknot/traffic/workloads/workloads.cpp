// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/support/random_order.hpp"

namespace unknot {
namespace {

/// Messages by source, in compressed rows.
struct MessageRows {
  std::vector<std::uint64_t> first;
  std::vector<Message> messages;
};

// Streams of random numbers, so that placing and ordering do not hang together.
constexpr std::uint64_t kPlacing = std::uint64_t{1} << 40U;

}  // namespace

Workload all_to_all(std::uint32_t terminals, std::uint64_t bytes, SendOrder order, std::uint32_t at_once,
                    std::uint64_t seed) {
  const std::uint32_t others = terminals == 0 ? 0 : terminals - 1;
  const std::uint64_t messages = std::uint64_t{terminals} * others;
  if (messages > 0 && bytes > std::numeric_limits<std::uint64_t>::max() / messages) {
    throw InputError(
        fmt::format("{} messages of {} bytes are more bytes than 64 bits can count", messages, bytes));
  }
  Workload workload;
  workload.at_once = at_once == 0 ? std::max(1U, others) : at_once;
  workload.count = [others](TerminalId) { return others; };
  switch (order) {
    case SendOrder::shift:
      workload.message = [=](TerminalId t, std::uint32_t k) {
        const std::uint64_t to = std::uint64_t{t.value} + 1 + k;
        return Message{TerminalId(static_cast<std::uint32_t>(to < terminals ? to : to - terminals)), bytes};
      };
      break;
    case SendOrder::random:
      workload.message = [bytes, random = RandomOrder(others, seed)](TerminalId t, std::uint32_t k) {
        const auto other = static_cast<std::uint32_t>(random.at(t.value, k));
        return Message{TerminalId(other < t.value ? other : other + 1), bytes};
      };
      break;
    case SendOrder::linear:
      workload.message = [=](TerminalId t, std::uint32_t k) {
        return Message{TerminalId(k < t.value ? k : k + 1), bytes};
      };
  }
  workload.totals = {.messages = messages,
                     .bytes = messages * bytes,
                     .most_messages_sent = others,
                     .most_messages_received = others,
                     .most_bytes_sent = others * bytes,
                     .most_bytes_received = others * bytes};
  return workload;
}

Workload workload_of_list(std::uint32_t terminals, const std::vector<ListedMessage>& list,
                          std::uint32_t at_once) {
  auto rows = std::make_shared<MessageRows>();
  rows->first.assign(std::size_t{terminals} + 1, 0);
  for (const ListedMessage& item : list) ++rows->first[item.source.value + 1];
  for (std::uint32_t t = 0; t < terminals; ++t) {
    if (rows->first[t + 1] > std::numeric_limits<std::uint32_t>::max())
      throw InputError("a terminal sends 2^32 messages or more");
    rows->first[t + 1] += rows->first[t];
  }
  std::vector<std::uint64_t> next(rows->first.begin(), rows->first.end() - 1);
  rows->messages.resize(list.size());
  for (const ListedMessage& item : list) rows->messages[next[item.source.value]++] = item.message;
  Workload workload;
  workload.at_once = std::max(1U, at_once);
  workload.count = [rows](TerminalId t) {
    return static_cast<std::uint32_t>(rows->first[t.value + 1] - rows->first[t.value]);
  };
  workload.message = [rows](TerminalId t, std::uint32_t k) {
    return rows->messages[rows->first[t.value] + k];
  };
  workload.totals = counted_totals(workload, terminals);
  return workload;
}

Workload workload_of_tasks(std::uint32_t terminals, TaskGraph graph, std::uint32_t at_once) {
  Workload workload;
  workload.at_once = std::max(1U, at_once);
  workload.tasks = std::make_shared<const TaskGraph>(std::move(graph));
  workload.totals = counted_totals(workload, terminals);
  return workload;
}

Workload workload_of_pattern(std::uint32_t terminals, const TrafficPattern& pattern, std::uint32_t sample,
                             std::uint64_t bytes, std::uint32_t at_once, std::uint64_t seed) {
  if (pattern.all_pairs) return all_to_all(terminals, bytes, SendOrder::shift, at_once, seed);
  std::vector<Flow> flows;
  pattern.flows(seed, sample, flows);
  std::vector<ListedMessage> list;
  list.reserve(flows.size());
  for (const Flow& flow : flows) {
    const double scaled = std::round(static_cast<double>(bytes) * flow.weight);
    if (scaled > static_cast<double>(kMostAmount)) {
      throw InputError(
          fmt::format("a flow of weight {} makes a message of more than {} bytes", flow.weight, kMostAmount));
    }
    list.push_back(
        {flow.source, {flow.destination, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(scaled))}});
  }
  return workload_of_list(terminals, list, at_once);
}

std::vector<TerminalId> terminals_of_ranks(std::uint32_t terminals, std::uint32_t ranks, RankMapping mapping,
                                           std::uint64_t seed) {
  std::vector<std::uint32_t> places(terminals);
  std::iota(places.begin(), places.end(), 0U);
  if (mapping == RankMapping::random) Random(seed, kPlacing).shuffle(places);
  std::vector<TerminalId> terminal_of(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) terminal_of[rank] = TerminalId(places[rank]);
  return terminal_of;
}

Workload workload_of_matrix(std::uint32_t terminals, const CommunicationMatrix& matrix,
                            const std::vector<TerminalId>& terminal_of, SendOrder order,
                            std::uint32_t at_once, std::uint64_t seed) {
  std::vector<ListedMessage> list;
  list.reserve(matrix.entries.size());
  std::vector<CommunicationMatrix::Entry> row;
  for (std::uint32_t rank = 0; rank < matrix.ranks; ++rank) {
    const auto begin = matrix.entries.begin();
    row.assign(begin + static_cast<std::ptrdiff_t>(matrix.first[rank]),
               begin + static_cast<std::ptrdiff_t>(matrix.first[rank + 1]));
    if (order == SendOrder::random) Random(seed, rank).shuffle(row);
    if (order == SendOrder::shift) {
      std::rotate(
          row.begin(),
          std::find_if(row.begin(), row.end(), [&](const auto& entry) { return entry.column > rank; }),
          row.end());
    }
    for (const auto& [column, bytes] : row) list.push_back({terminal_of[rank], {terminal_of[column], bytes}});
  }
  return workload_of_list(terminals, list, at_once);
}

}  // namespace unknot
