// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/communication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::place {
namespace {

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostTotal = std::uint64_t{1} << 62U;

CommunicationMatrix matrix_of(std::uint32_t ranks, std::vector<RankMessage> messages) {
  CommunicationMatrix matrix = matrix_of_messages(ranks, std::move(messages));
  (void)total_bytes(matrix);
  return matrix;
}

void check_size(std::uint64_t entries) {
  if (entries > kMostEntries) {
    throw InputError(
        fmt::format("{} pairs of ranks that exchange something are too many to place, at most {}", entries,
                    kMostEntries));
  }
}

}  // namespace

Stencil parse_stencil(std::string_view text) {
  const auto fail = [&](const char* what) {
    throw InputError(
        fmt::format("stencil '{}': {}, expected extents as in 8x8x8 or 8x8:periodic", shown(text), what));
  };
  Stencil stencil;
  Cursor cursor(text);
  std::uint64_t ranks = 1;
  do {
    const auto extent = cursor.decimal(kMostRanks);
    if (!extent || *extent == 0) fail("an extent is no number from 1 to 16777216");
    ranks *= *extent;
    if (ranks > kMostRanks) fail("more than 16777216 ranks");
    stencil.extents.push_back(static_cast<std::uint32_t>(*extent));
  } while (cursor.eat('x'));
  if (cursor.eat(':')) {
    if (!cursor.eat("periodic")) fail("only 'periodic' can follow the colon");
    stencil.periodic = true;
  }
  if (!cursor.at_end()) fail("something follows the extents");
  return stencil;
}

CommunicationMatrix stencil_matrix(const Stencil& stencil, std::uint64_t bytes) {
  std::uint32_t ranks = 1;
  for (const std::uint32_t extent : stencil.extents) ranks *= extent;
  std::vector<RankMessage> messages;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::uint32_t stride = ranks;
    for (const std::uint32_t extent : stencil.extents) {
      stride /= extent;
      if (extent == 1) continue;
      const std::uint32_t at = rank / stride % extent;
      const std::uint32_t line = rank - at * stride;
      if (stencil.periodic || at + 1 < extent)
        messages.push_back({rank, line + (at + 1) % extent * stride, bytes});
      if (stencil.periodic || at > 0)
        messages.push_back({rank, line + (at + extent - 1) % extent * stride, bytes});
    }
  }
  if (messages.empty()) throw InputError("the stencil has one rank, which has no neighbour");
  return matrix_of(ranks, std::move(messages));
}

CommunicationMatrix pattern_matrix(const TrafficPattern& pattern, std::uint32_t ranks, std::uint64_t seed,
                                   std::uint64_t bytes) {
  std::vector<RankMessage> messages;
  if (pattern.all_pairs) {
    check_size(std::uint64_t{ranks} * (ranks - std::min(ranks, 1U)));
    for (std::uint32_t from = 0; from < ranks; ++from) {
      for (std::uint32_t to = 0; to < ranks; ++to) {
        if (from != to) messages.push_back({from, to, bytes});
      }
    }
    return matrix_of(ranks, std::move(messages));
  }
  std::vector<Flow> flows;
  pattern.flows(seed, 0, flows);
  for (const Flow& flow : flows) {
    const double amount = std::round(static_cast<double>(bytes) * flow.weight);
    if (amount > static_cast<double>(kMostAmount)) {
      throw InputError(fmt::format("a flow of weight {} has more than {} bytes", flow.weight, kMostAmount));
    }
    messages.push_back({flow.source.value, flow.destination.value,
                        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(amount))});
  }
  return matrix_of(ranks, std::move(messages));
}

CommunicationMatrix workload_matrix(const Workload& workload, std::uint32_t ranks) {
  std::vector<RankMessage> messages;
  if (workload.tasks != nullptr) {
    for (const TaskGraph::Task& task : workload.tasks->tasks) {
      if (task.kind == TaskGraph::Kind::send)
        messages.push_back({task.terminal.value, task.peer, task.amount});
    }
  } else {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t count = workload.count(TerminalId(rank));
      check_size(messages.size() + count);
      for (std::uint32_t k = 0; k < count; ++k) {
        const Message message = workload.message(TerminalId(rank), k);
        messages.push_back({rank, message.destination.value, message.bytes});
      }
    }
  }
  return matrix_of(ranks, std::move(messages));
}

CommunicationMatrix transposed(const CommunicationMatrix& matrix) {
  CommunicationMatrix result;
  result.ranks = matrix.ranks;
  result.first.assign(std::size_t{matrix.ranks} + 1, 0);
  for (const auto& entry : matrix.entries) ++result.first[entry.column + 1];
  for (std::uint32_t r = 0; r < matrix.ranks; ++r) result.first[r + 1] += result.first[r];
  result.entries.resize(matrix.entries.size());
  std::vector<std::uint64_t> next(result.first.begin(), result.first.end() - 1);
  for (std::uint32_t row = 0; row < matrix.ranks; ++row) {
    for (std::uint64_t i = matrix.first[row]; i < matrix.first[row + 1]; ++i)
      result.entries[next[matrix.entries[i].column]++] = {row, matrix.entries[i].bytes};
  }
  return result;
}

std::uint64_t total_bytes(const CommunicationMatrix& matrix) {
  std::uint64_t total = 0;
  for (const auto& entry : matrix.entries) {
    total += std::min(entry.bytes, kMostTotal);
    if (total >= kMostTotal) throw InputError("the ranks send more than 2^62 bytes together");
  }
  return total;
}

}  // namespace unknot::place
