// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Algorithms as they are known: rounds of messages among ranks, that know no network.
namespace unknot {

enum class RankCollective : std::uint8_t { all_reduce, all_gather, reduce_scatter, broadcast, all_to_all };

/// "all-reduce", "all-gather", ...
const char* name_of(RankCollective collective);
const std::vector<RankCollective>& rank_collectives();
/// The collective of that name, of MPI's ("MPI_Allreduce") or of this tool's (AAB, AAR, OAB, AAS); InputError
/// with the near names otherwise.
RankCollective find_rank_collective(std::string_view name);

/// Rounds of messages. What a rank sends in a round is what it holds when the round begins.
///
/// Blocks are numbers. The message of MPI's call, of `bytes` bytes, is divided into `parts` equal ones:
///
/// * all-reduce, broadcast: block p is part p of the vector;
/// * all-gather, reduce-scatter: block o * parts + p is part p of what rank o has, or is to get;
/// * all-to-all: block (s * ranks + d) * parts + p is part p of what s has for d.
///
/// A message either combines, when the receiver adds what comes to what it holds, or is a copy, which takes
/// the place of what was there. Flat arrays: messages by round, blocks by message.
class RankSchedule {
 public:
  struct Message {
    std::uint32_t from = 0, to = 0;
    bool combines = false;
    bool operator==(const Message&) const = default;
  };

  RankSchedule() = default;
  RankSchedule(RankCollective collective, std::uint32_t ranks, std::uint32_t parts, std::uint32_t root = 0)
      : collective_(collective), ranks_(ranks), parts_(parts), root_(root) {}

  void add_round() { round_first_.push_back(message_count()); }
  /// To the last round; there must be one.
  void add(const Message& message, std::span<const std::uint32_t> blocks) {
    messages_.push_back(message);
    blocks_.insert(blocks_.end(), blocks.begin(), blocks.end());
    block_first_.push_back(blocks_.size());
    round_first_.back() = message_count();
  }

  [[nodiscard]] RankCollective collective() const { return collective_; }
  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
  /// Equal parts of a message; a block has bytes / parts.
  [[nodiscard]] std::uint32_t parts() const { return parts_; }
  [[nodiscard]] std::uint32_t root() const { return root_; }  ///< of a broadcast
  /// Blocks that there are.
  [[nodiscard]] std::uint64_t block_count() const;

  [[nodiscard]] std::uint32_t round_count() const {
    return static_cast<std::uint32_t>(round_first_.size()) - 1;
  }
  [[nodiscard]] std::uint32_t message_count() const { return static_cast<std::uint32_t>(messages_.size()); }
  /// Messages of a round: [round_begin, round_end).
  [[nodiscard]] std::uint32_t round_begin(std::uint32_t round) const { return round_first_[round]; }
  [[nodiscard]] std::uint32_t round_end(std::uint32_t round) const { return round_first_[round + 1]; }
  [[nodiscard]] const Message& message(std::uint32_t m) const { return messages_[m]; }
  [[nodiscard]] std::span<const std::uint32_t> blocks(std::uint32_t m) const {
    return {blocks_.data() + block_first_[m], blocks_.data() + block_first_[m + 1]};
  }
  /// Bytes of a message of the schedule where the call has so many; at least one.
  [[nodiscard]] std::uint64_t bytes_of(std::uint32_t m, std::uint64_t bytes) const;

 private:
  RankCollective collective_ = RankCollective::all_reduce;
  std::uint32_t ranks_ = 0, parts_ = 1, root_ = 0;
  std::vector<std::uint32_t> round_first_{0};  // rounds + 1
  std::vector<Message> messages_;
  std::vector<std::uint64_t> block_first_{0};  // messages + 1
  std::vector<std::uint32_t> blocks_;
};

/// Collects messages in any order of rounds, for algorithms that are put together of parts that run at the
/// same time.
class RankDraft {
 public:
  RankDraft(RankCollective collective, std::uint32_t ranks, std::uint32_t parts, std::uint32_t root = 0)
      : result_(collective, ranks, parts, root) {}
  /// A message without blocks is none.
  void add(std::uint32_t round, const RankSchedule::Message& message, std::span<const std::uint32_t> blocks);
  /// Rounds so far: where the next part of an algorithm begins.
  [[nodiscard]] std::uint32_t rounds() const { return static_cast<std::uint32_t>(of_round_.size()); }
  /// Messages of a round in the order in which they came. O(messages + blocks).
  RankSchedule build() &&;

 private:
  struct Kept {
    RankSchedule::Message message;
    std::uint64_t first = 0, end = 0;
  };
  RankSchedule result_;
  std::vector<std::vector<Kept>> of_round_;
  std::vector<std::uint32_t> blocks_;
};

}  // namespace unknot
