// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/rank_program.hpp"

#include <map>
#include <utility>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/support/error.hpp"

namespace unknot::play {
namespace {

using RankPair = std::pair<std::uint32_t, std::uint32_t>;

class Maker {
 public:
  Maker(const Problem& problem, const Schedule& schedule)
      : problem_(problem),
        schedule_(schedule),
        ranks_(ranks_of(problem)),
        layout_(block_layout(problem)),
        programs_(ranks_.count()) {}

  std::vector<RankProgram> run() {
    copy_own();
    if (problem_.delivery == Delivery::reduction) begin_partial_results();
    for (std::uint32_t step = 0; step < schedule_.step_count(); ++step) {
      combined_.clear();
      tags_.clear();
      // what is received first: a message that comes then finds its place
      for (std::uint32_t t = schedule_.step_begin(step); t < schedule_.step_end(step); ++t) receive(t);
      for (std::uint32_t t = schedule_.step_begin(step); t < schedule_.step_end(step); ++t)
        send(t, tags_[t - schedule_.step_begin(step)]);
      for (RankProgram& program : programs_) program.instructions.emplace_back();
      for (const auto& [rank, instruction] : combined_) add(rank, instruction);
    }
    return std::move(programs_);
  }

 private:
  void add(std::uint32_t rank, const Instruction& instruction) {
    programs_[rank].instructions.push_back(instruction);
  }
  void add_copy(std::uint32_t rank, std::uint32_t from, std::uint32_t to) {
    add(rank, {Action::copy, 0, 0, from, to});
  }
  [[nodiscard]] std::uint32_t receive_block(std::uint32_t from) const {
    return layout_.send_blocks + layout_.receive_block(from);
  }
  std::uint32_t new_work_block(std::uint32_t rank) {
    return layout_.send_blocks + layout_.receive_blocks + programs_[rank].work_blocks++;
  }

  void copy_own() {
    for (const NodeId n : own_blocks(problem_)) {
      const std::uint32_t rank = ranks_.of(n);
      add_copy(rank, layout_.send_block(rank), receive_block(rank));
    }
  }

  /// Who combines for others begins with its own part.
  void begin_partial_results() {
    for (std::uint32_t t = 0; t < schedule_.transfer_count(); ++t) {
      const std::uint32_t rank = ranks_.of(schedule_.receiver(t));
      const std::uint32_t owner = ranks_.of(schedule_.origin(t));
      if (rank == owner || partial_.contains({rank, owner})) continue;
      const std::uint32_t block = new_work_block(rank);
      partial_[{rank, owner}] = block;
      add_copy(rank, layout_.send_block(owner), block);
    }
  }

  /// Where a rank has what it sends of an owner's message, or of the result for an owner.
  [[nodiscard]] std::uint32_t source(std::uint32_t from, std::uint32_t to, std::uint32_t owner) const {
    switch (problem_.delivery) {
      case Delivery::scatter:
        return layout_.send_block(to);
      case Delivery::broadcast:
        return from == owner ? 0 : receive_block(owner);
      case Delivery::reduction:
        break;
    }
    const auto partial = partial_.find({from, owner});
    return partial == partial_.end() ? layout_.send_block(owner) : partial->second;
  }

  void receive(std::uint32_t t) {
    const std::uint32_t from = ranks_.of(schedule_.distributor(t));
    const std::uint32_t to = ranks_.of(schedule_.receiver(t));
    const std::uint32_t owner = ranks_.of(schedule_.origin(t));
    tags_.push_back(messages_[{from, to}]++ % kTags);
    if (problem_.delivery != Delivery::reduction) {
      add(to, {Action::receive, from, tags_.back(), 0, receive_block(owner)});
      return;
    }
    const std::uint32_t came = new_work_block(to);
    const std::uint32_t result = to == owner ? receive_block(owner) : partial_.at({to, owner});
    add(to, {Action::receive, from, tags_.back(), 0, came});
    combined_.push_back({to, {Action::combine, 0, 0, came, result}});
  }

  void send(std::uint32_t t, std::uint32_t tag) {
    const std::uint32_t from = ranks_.of(schedule_.distributor(t));
    const std::uint32_t to = ranks_.of(schedule_.receiver(t));
    add(from, {Action::send, to, tag, source(from, to, ranks_.of(schedule_.origin(t))), 0});
  }

  const Problem& problem_;
  const Schedule& schedule_;
  Ranks ranks_;
  BlockLayout layout_;
  std::vector<RankProgram> programs_;
  std::map<RankPair, std::uint32_t> messages_;                   // from, to: how many so far
  std::map<RankPair, std::uint32_t> partial_;                    // rank, owner: block of the partial result
  std::vector<std::uint32_t> tags_;                              // of the transfers of the step
  std::vector<std::pair<std::uint32_t, Instruction>> combined_;  // by rank, at the end of the step
};

}  // namespace

std::vector<RankProgram> rank_programs(const Problem& problem, const Schedule& schedule) {
  Problem strict = problem;
  strict.repeats = false;  // a second copy would overwrite the first as it is sent on
  const ScheduleVerdict verdict = check_schedule(strict, schedule);
  if (!verdict.valid()) throw InputError("the schedule is not valid: " + verdict.findings.front().first);
  return Maker(problem, schedule).run();
}

}  // namespace unknot::play
