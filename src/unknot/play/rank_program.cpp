// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/rank_program.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/support/error.hpp"

namespace unknot::play {
namespace {

using Blocks = std::vector<std::uint32_t>;

class ProgramMaker {
 public:
  ProgramMaker(const CombinedProblem& problem, const CombinedSchedule& schedule)
      : problem_(problem),
        schedule_(schedule),
        layout_(block_layout(problem)),
        programs_(problem.nodes.size()),
        later_(problem.nodes.size()) {}

  std::vector<RankProgram> run() {
    find_sources();
    copy_own();
    if (problem_.reduces()) begin_partial_results();
    for (std::uint32_t step = 0; step < schedule_.step_count(); ++step) {
      messages_.clear();
      for (std::uint32_t t = schedule_.step_begin(step); t < schedule_.step_end(step); ++t) look_at(t);
      // what is received first: a message that comes then finds its place
      for (const Message& message : messages_) receive(message);
      for (const Message& message : messages_) send(message);
      for (std::uint32_t rank = 0; rank < programs_.size(); ++rank) {
        std::vector<Instruction>& list = programs_[rank].instructions;
        list.emplace_back();
        list.insert(list.end(), later_[rank].begin(), later_[rank].end());
        later_[rank].clear();
      }
    }
    return std::move(programs_);
  }

 private:
  struct Message {
    std::uint32_t from, to, tag;
    bool combines;
    Blocks named;    // numbers of problem.block, ascending
    Blocks sources;  // where the sender has them when the step begins
  };

  static std::uint64_t key(std::uint32_t rank, std::uint32_t block) {
    return std::uint64_t{rank} << 32U | block;
  }
  void add(std::uint32_t rank, const Instruction& instruction) {
    programs_[rank].instructions.push_back(instruction);
  }
  std::uint32_t new_work_blocks(std::uint32_t rank, std::size_t count) {
    const std::uint32_t first =
        layout_.send_blocks() + layout_.receive_blocks() + programs_[rank].work_blocks;
    programs_[rank].work_blocks += static_cast<std::uint32_t>(count);
    return first;
  }
  /// Whether a block lies behind another: in the same buffer, too.
  [[nodiscard]] bool follows(std::uint32_t block, std::uint32_t other) const {
    return block == other + 1 && block != layout_.send_blocks() &&
           block != layout_.send_blocks() + layout_.receive_blocks();
  }
  [[nodiscard]] bool is_run(const Blocks& blocks) const {
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      if (!follows(blocks[i], blocks[i - 1])) return false;
    }
    return true;
  }
  /// Copies or combines, as few times as there are runs of which both ends lie together.
  void add_runs(std::vector<Instruction>& list, Action action, const Blocks& from, const Blocks& to) const {
    for (std::size_t i = 0; i < from.size();) {
      std::size_t end = i + 1;
      while (end < from.size() && follows(from[end], from[end - 1]) && follows(to[end], to[end - 1])) ++end;
      list.push_back({action, 0, 0, from[i], to[i], static_cast<std::uint32_t>(end - i)});
      i = end;
    }
  }

  /// Where a rank has a block for others, or its contribution to one, at the outset.
  [[nodiscard]] std::uint32_t send_place(const Block& block) const {
    if (problem_.outcome != Outcome::as_given) return block.part;
    switch (problem_.base.delivery) {
      case Delivery::scatter:
        return layout_.send_block(problem_.rank_of(NodeId(block.part)));
      case Delivery::broadcast:
        return block.part;
      case Delivery::reduction:
        break;
    }
    return layout_.send_block(problem_.rank_of(block.origin)) + block.part;
  }
  /// Where a target wants it.
  [[nodiscard]] std::uint32_t receive_place(const Block& block) const {
    const std::uint32_t begin = layout_.send_blocks();
    if (problem_.reduces()) return begin + block.part;
    const std::uint32_t first = begin + layout_.receive_block(problem_.rank_of(block.origin));
    return problem_.base.delivery == Delivery::scatter ? first : first + block.part;
  }
  [[nodiscard]] bool is_target(std::uint32_t rank, std::uint32_t block) const {
    const auto targets = problem_.targets(block);
    return std::binary_search(targets.begin(), targets.end(), problem_.nodes[rank]);
  }
  /// A place that may be written, where a rank keeps a block from now on.
  std::uint32_t new_place(std::uint32_t rank, std::uint32_t block) {
    return is_target(rank, block) ? receive_place(problem_.block[block]) : new_work_blocks(rank, 1);
  }

  void find_sources() {
    for (std::uint32_t b = 0; b < problem_.blocks(); ++b) {
      for (const NodeId n : problem_.sources(b))
        held_[key(problem_.rank_of(n), b)] = send_place(problem_.block[b]);
    }
  }

  /// What a rank has for itself goes where it would have been received, and is held there where it is
  /// combined with more.
  void copy_own() {
    for (const NodeId n : own_messages(problem_)) {
      const std::uint32_t rank = problem_.rank_of(n);
      const std::uint32_t from = layout_.send_block(rank);
      const std::uint32_t to = layout_.send_blocks() + (problem_.reduces() ? 0 : layout_.receive_block(rank));
      add(rank, {Action::copy, 0, 0, from, to, layout_.pieces});
    }
    if (!problem_.reduces()) return;
    for (std::uint32_t b = 0; b < problem_.blocks(); ++b) {
      const Block& block = problem_.block[b];
      const bool for_all = problem_.outcome != Outcome::as_given;
      for (const NodeId n : for_all ? problem_.sources(b) : std::span<const NodeId>(&block.origin, 1))
        held_[key(problem_.rank_of(n), b)] = receive_place(block);
    }
  }

  /// Who combines for others begins with its own part.
  void begin_partial_results() {
    for (std::uint32_t t = 0; t < schedule_.transfer_count(); ++t) {
      const std::uint32_t rank = problem_.rank_of(schedule_.receiver(t));
      Blocks from;
      Blocks to;
      for (const std::uint32_t block : named(t)) {
        const auto held = held_.find(key(rank, block));
        if (held == held_.end() || held->second >= layout_.send_blocks()) continue;
        from.push_back(held->second);
        held->second = new_place(rank, block);
        to.push_back(held->second);
      }
      add_runs(programs_[rank].instructions, Action::copy, from, to);
    }
  }

  [[nodiscard]] Blocks named(std::uint32_t t) const {
    Blocks result;
    result.reserve(schedule_.blocks(t).size());
    for (const Block& block : schedule_.blocks(t)) result.push_back(problem_.block_of(block));
    std::sort(result.begin(), result.end());
    return result;
  }

  void look_at(std::uint32_t t) {
    Message message{problem_.rank_of(schedule_.sender(t)),
                    problem_.rank_of(schedule_.receiver(t)),
                    0,
                    schedule_.combines(t),
                    named(t),
                    {}};
    if (message.named.empty()) return;
    message.tag = sent_[{message.from, message.to}]++ % kTags;
    for (const std::uint32_t block : message.named)
      message.sources.push_back(held_.at(key(message.from, block)));
    messages_.push_back(std::move(message));
  }

  void receive(const Message& message) {
    const std::uint32_t rank = message.to;
    const auto count = static_cast<std::uint32_t>(message.named.size());
    bool any_held = false;  // then it may be read, or written by another, in this step
    Blocks places;
    std::vector<bool> is_new;
    for (const std::uint32_t block : message.named) {
      const auto [held, first] = held_.try_emplace(key(rank, block), 0);
      if (first) held->second = new_place(rank, block);
      any_held |= !first;
      is_new.push_back(first);
      places.push_back(held->second);
    }
    if (!any_held && is_run(places)) {
      add(rank, {Action::receive, message.from, message.tag, 0, places[0], count});
      return;
    }
    const std::uint32_t came = new_work_blocks(rank, count);
    add(rank, {Action::receive, message.from, message.tag, 0, came, count});
    // What is combined with nothing is a copy: of who passes on the sums of others.
    std::array<Blocks, 2> from;
    std::array<Blocks, 2> to;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t combines = message.combines && !is_new[i] ? 1 : 0;
      from[combines].push_back(came + i);
      to[combines].push_back(places[i]);
    }
    add_runs(later_[rank], Action::copy, from[0], to[0]);
    add_runs(later_[rank], Action::combine, from[1], to[1]);
  }

  void send(const Message& message) {
    const auto count = static_cast<std::uint32_t>(message.sources.size());
    std::uint32_t from = message.sources[0];
    if (!is_run(message.sources)) {
      Blocks together(count);
      std::iota(together.begin(), together.end(), new_work_blocks(message.from, count));
      add_runs(programs_[message.from].instructions, Action::copy, message.sources, together);
      from = together[0];
    }
    add(message.from, {Action::send, message.to, message.tag, from, 0, count});
  }

  const CombinedProblem& problem_;
  const CombinedSchedule& schedule_;
  BlockLayout layout_;
  std::vector<RankProgram> programs_;
  std::vector<std::vector<Instruction>> later_;                            // by rank: after the wait
  std::unordered_map<std::uint64_t, std::uint32_t> held_;                  // rank, block: where it is
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent_;  // from, to: how many so far
  std::vector<Message> messages_;                                          // of the step
};

}  // namespace

std::vector<RankProgram> rank_programs(const CombinedProblem& problem, const CombinedSchedule& schedule,
                                       Channels channels) {
  const ScheduleVerdict verdict = check_combined(problem, schedule);
  const std::uint64_t allowed =
      channels == Channels::shared ? verdict.of(ViolationKind::channel_conflict) : 0;
  if (verdict.violations() != allowed)
    throw InputError("the schedule is not valid: " + verdict.findings.front().first);
  return ProgramMaker(problem, schedule).run();
}

}  // namespace unknot::play
