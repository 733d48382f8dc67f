// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/goal_schedule.hpp"

namespace unknot::goal {
namespace {

using Kind = TaskGraph::Kind;

constexpr std::uint64_t kMagic = 4223;
constexpr std::uint64_t kMagicSize = 8;
constexpr std::uint64_t kHeadSize = 6;     // ranks, greatest CPU, greatest NIC
constexpr std::uint64_t kRangeSize = 16;   // begin and end of a rank
constexpr std::uint64_t kCountsSize = 8;   // of a rank: operations, and those that wait for none
constexpr std::uint64_t kRecordSize = 39;  // an operation
constexpr std::uint64_t kIndexSize = 4;
constexpr int kSend = 1, kReceive = 2, kCompute = 3;

/// Numbers of a text, the least significant byte first. What is read is there: the callers have looked.
std::uint64_t number_at(std::string_view text, std::uint64_t at, std::uint64_t size) {
  std::uint64_t value = 0;
  for (std::uint64_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(text[at + i]);
  return value;
}
std::uint32_t word_at(std::string_view text, std::uint64_t at) {
  return static_cast<std::uint32_t>(number_at(text, at, 4));
}

class BinaryReader {
 public:
  BinaryReader(std::string_view text, const std::string& file)
      : text_(text.substr(kMagicSize)), file_(file) {}

  Schedule run(std::uint32_t most_ranks) {
    schedule_.binary = true;
    if (text_.size() < kHeadSize) fail("it ends within its first numbers");
    const std::uint32_t ranks = word_at(text_, 0);
    if (ranks == 0) fail("no rank, expected at least one");
    if (ranks > most_ranks)
      fail(fmt::format("{} ranks, but the network has {} terminals", ranks, most_ranks));
    most_cpu_ = static_cast<std::uint32_t>(number_at(text_, 4, 1));
    most_nic_ = static_cast<std::uint32_t>(number_at(text_, 5, 1));
    if ((text_.size() - kHeadSize) / kRangeSize < ranks) fail("it ends within the list of its ranks");
    schedule_.ranks = ranks;
    for (rank_ = 0; rank_ < ranks; ++rank_) {
      const std::uint64_t at = kHeadSize + rank_ * kRangeSize;
      read_rank(number_at(text_, at, 8), number_at(text_, at + 8, 8));
    }
    if (schedule_.operations.empty()) fail("no operations; expected a schedule in GOAL");
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", file_, why));
  }
  [[noreturn]] void fail_rank(const std::string& why) const { fail(fmt::format("rank {}: {}", rank_, why)); }
  [[noreturn]] void fail_at(std::uint32_t operation, const std::string& why) const {
    fail(fmt::format("operation {} of rank {}: {}", operation, rank_, why));
  }

  void read_rank(std::uint64_t begin, std::uint64_t end) {
    if (begin > end || end > text_.size()) {
      fail_rank(
          fmt::format("its part goes from byte {} to {}, and {} bytes are there", begin, end, text_.size()));
    }
    const std::string_view part = text_.substr(begin, end - begin);
    if (part.size() < kCountsSize) fail_rank("its part ends within its first numbers");
    const std::uint32_t count = word_at(part, 0);
    const std::uint32_t roots = word_at(part, 4);
    if (roots > count) fail_rank(fmt::format("{} of its {} operations wait for none", roots, count));
    const std::uint64_t records = kCountsSize + roots * kIndexSize;
    const std::uint64_t lists = records + count * kRecordSize;
    if (part.size() < lists || (part.size() - lists) % kIndexSize != 0) {
      fail_rank(
          fmt::format("its part has {} bytes, which {} operations do not fit into", part.size(), count));
    }
    if (schedule_.operations.size() + count >= kAny) fail_rank("2^32 operations or more");
    const auto first = static_cast<std::uint32_t>(schedule_.operations.size());
    for (std::uint32_t i = 0; i < count; ++i)
      read_operation(part.substr(records + i * kRecordSize, kRecordSize), i);
    waits_.assign(count, 0);
    const std::string_view list = part.substr(lists);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view record = part.substr(records + i * kRecordSize, kRecordSize);
      read_list(list, word_at(record, 23), word_at(record, 27), first, i, false);
      read_list(list, word_at(record, 31), word_at(record, 35), first, i, true);
    }
    check_waits(part, records, count, roots);
  }

  void read_operation(std::string_view record, std::uint32_t index) {
    Operation operation;
    operation.rank = rank_;
    operation.line = index;
    operation.amount = number_at(record, 9, 8);
    operation.cpu = static_cast<std::uint8_t>(record[21]);
    operation.nic = static_cast<std::uint8_t>(record[22]);
    if (operation.cpu > most_cpu_ || operation.nic > most_nic_) {
      fail_at(index, fmt::format("CPU {}, NIC {}, but the file declares {} and {} as the greatest",
                                 operation.cpu, operation.nic, most_cpu_, most_nic_));
    }
    switch (record[4]) {
      case kSend:
        operation.kind = Kind::send;
        break;
      case kReceive:
        operation.kind = Kind::receive;
        break;
      case kCompute:
        operation.kind = Kind::compute;
        break;
      default:
        fail_at(index, fmt::format("type {}, expected 1, 2 or 3: a send, a receive or a computation",
                                   static_cast<unsigned char>(record[4])));
    }
    if (operation.amount > kMostAmount) fail_at(index, fmt::format("{} is too large", operation.amount));
    if (operation.kind != Kind::compute) {
      operation.peer = word_at(record, 5);
      operation.tag = word_at(record, 17);
      const bool any = operation.peer == kAny && operation.kind == Kind::receive;
      if (operation.peer >= schedule_.ranks && !any) {
        fail_at(index, fmt::format("there is no rank {}: there are {}, counted from 0", operation.peer,
                                   schedule_.ranks));
      }
      if (operation.peer == rank_) fail_at(index, "a message to itself");
      if (operation.tag == kAny && operation.kind == Kind::send) fail_at(index, "a send of any tag");
    }
    schedule_.operations.push_back(operation);
  }

  /// Those that wait for operation `before`, by its part of the list of all.
  void read_list(std::string_view list, std::uint32_t count, std::uint32_t begin, std::uint32_t first,
                 std::uint32_t before, bool begun) {
    if (count == 0) return;
    const std::uint64_t all = list.size() / kIndexSize;
    if (begin > all || count > all - begin) {
      fail_at(before, fmt::format("{} wait for it, from number {} of a list of {}", count, begin, all));
    }
    for (std::uint64_t i = begin; i < std::uint64_t{begin} + count; ++i) {
      const std::uint32_t operation = word_at(list, i * kIndexSize);
      if (operation >= waits_.size())
        fail_at(before, fmt::format("operation {} waits for it, and there are {}", operation, waits_.size()));
      ++waits_[operation];
      if (++total_ > text_.size()) fail_at(before, "its list of who waits is shared with others");
      schedule_.requirements.push_back({first + operation, first + before, begun});
    }
  }

  /// What operations say of how many they wait for is what the lists say, and the first ones are those of
  /// none.
  void check_waits(std::string_view part, std::uint64_t records, std::uint32_t count,
                   std::uint32_t roots) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t said = word_at(part, records + i * kRecordSize);
      if (said != waits_[i])
        fail_at(i, fmt::format("it waits for {}, by the lists of these for {}", said, waits_[i]));
    }
    std::uint32_t none = 0;
    for (const std::uint32_t waits : waits_) none += waits == 0 ? 1 : 0;
    if (none != roots) fail_rank(fmt::format("{} operations wait for none, it lists {}", none, roots));
    std::vector<bool> seen(count, false);
    for (std::uint32_t i = 0; i < roots; ++i) {
      const std::uint32_t root = word_at(part, kCountsSize + i * kIndexSize);
      if (root >= count || waits_[root] != 0 || seen[root])
        fail_rank(fmt::format("operation {} is not another one that waits for none", root));
      seen[root] = true;
    }
  }

  std::string_view text_;  // behind the magic number: offsets count from here
  const std::string& file_;
  Schedule schedule_;
  std::uint32_t rank_ = 0;
  std::uint32_t most_cpu_ = 0, most_nic_ = 0;
  std::uint64_t total_ = 0;           // requirements so far: each has bytes of its own
  std::vector<std::uint32_t> waits_;  // by operation of the rank
};

}  // namespace

bool is_binary(std::string_view text) {
  return text.size() >= kMagicSize && number_at(text, 0, kMagicSize) == kMagic;
}

Schedule parse_binary_schedule(std::string_view text, const std::string& file, std::uint32_t most_ranks) {
  return BinaryReader(text, file).run(most_ranks);
}

}  // namespace unknot::goal
