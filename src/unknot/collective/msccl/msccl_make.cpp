// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/msccl/msccl_make.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::msccl {
namespace {

Collective collective_of(const Problem& problem) {
  switch (mpi_collective(problem)) {
    case MpiCollective::scatter:
      return Collective::scatter;
    case MpiCollective::gather:
      return Collective::gather;
    case MpiCollective::alltoall:
      return Collective::all_to_all;
    case MpiCollective::bcast:
      return Collective::broadcast;
    case MpiCollective::allgather:
      return Collective::allgather;
    case MpiCollective::reduce:
      return Collective::reduce;
    case MpiCollective::reduce_scatter_block:
      return Collective::reduce_scatter;
    default:
      throw InputError(fmt::format(
          "MSCCL: it has no collective in which not all exchange messages with all, as in this {}",
          problem.collective));
  }
}

class Maker {
 public:
  Maker(const Problem& problem, const Schedule& schedule)
      : problem_(problem), schedule_(schedule), rank_of_(ranks_of(problem)), ranks_(rank_of_.count()) {
    if (ranks_ > kMostRanks)
      throw InputError(fmt::format("MSCCL: {} ranks, the runtime has at most {}", ranks_, kMostRanks));
  }

  Program run(std::string name) {
    program_.name = std::move(name);
    program_.collective = collective_of(problem_);
    program_.in_place = program_.collective != Collective::all_to_all;
    program_.gpus.resize(ranks_);
    const Collective c = program_.collective;
    const bool all =
        c == Collective::all_to_all || c == Collective::allgather || c == Collective::reduce_scatter;
    program_.chunks_per_loop = all ? ranks_ : 1;
    root_ = c == Collective::gather ? rank(problem_.partner[0]) : rank(problem_.owner[0]);
    set_buffers();
    make_blocks();
    for (std::uint32_t t = 0; t < schedule_.transfer_count(); ++t) add(t);
    return std::move(program_);
  }

 private:
  struct Peers {
    std::vector<std::uint32_t> to, from;  // distances in ranks, ascending
  };

  [[nodiscard]] std::uint32_t rank(NodeId n) const { return rank_of_.of(n); }

  void set_buffers() {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      const bool root = r == root_;
      std::array<std::uint32_t, 3>& chunks = program_.gpus[r].chunks;
      switch (program_.collective) {
        case Collective::all_to_all:
          chunks = {ranks_, ranks_, 0};
          break;
        case Collective::allgather:
          chunks = {1, ranks_, 0};
          break;
        case Collective::scatter:
          chunks = {root ? ranks_ : 0, 1, 0};
          break;
        case Collective::gather:
          chunks = {1, root ? ranks_ : 0, 0};
          break;
        case Collective::reduce:
          chunks = {1, root ? 1U : 0U, 0};
          break;
        case Collective::reduce_scatter:
          chunks = {ranks_, 1, 0};
          break;
        default:
          chunks = {1, 1, 0};
      }
    }
  }

  /// What a GPU has for itself; nothing in reductions, which begin with it.
  [[nodiscard]] std::optional<Step> own_copy(std::uint32_t r) const {
    Step step;
    step.action = Action::copy;
    step.source = {Buffer::input, 0};
    step.destination = {Buffer::output, 0};
    switch (program_.collective) {
      case Collective::all_to_all:
        step.source.offset = step.destination.offset = r;
        return step;
      case Collective::allgather:
        step.destination.offset = r;
        return step;
      case Collective::broadcast:
        if (r == root_) return step;
        break;
      case Collective::scatter:
        step.source.offset = r;
        if (r == root_) return step;
        break;
      case Collective::gather:
        step.destination.offset = r;
        if (r == root_) return step;
        break;
      default:
        break;
    }
    return std::nullopt;
  }

  /// Thread blocks: the copy, those that receive, those that send. Peers are on channels by their distance in
  /// ranks where one channel is not enough: the same at both ends, and no more than fit for any rank.
  void make_blocks() {
    std::vector<Peers> peers(ranks_);
    for (std::uint32_t t = 0; t < schedule_.transfer_count(); ++t) {
      const std::uint32_t from = rank(schedule_.distributor(t));
      const std::uint32_t to = rank(schedule_.receiver(t));
      const std::uint32_t distance = (to + ranks_ - from) % ranks_;
      peers[from].to.push_back(distance);
      peers[to].from.push_back(distance);
    }
    std::size_t most = 0;
    for (Peers& p : peers) {
      for (std::vector<std::uint32_t>* list : {&p.to, &p.from}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
        most = std::max(most, list->size());
      }
    }
    const bool several = most > kMostPeers;
    const auto channel = [&](std::uint32_t distance) { return several ? (distance - 1) / kMostPeers : 0; };
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      std::vector<ThreadBlock>& blocks = program_.gpus[r].blocks;
      if (const auto copy = own_copy(r)) blocks.emplace_back().steps.push_back(*copy);
      const bool together = blocks.size() + peers[r].to.size() + peers[r].from.size() > kMostBlocks;
      const auto first = static_cast<std::uint32_t>(blocks.size());
      for (const std::uint32_t distance : peers[r].from) {
        const std::uint32_t from = (r + ranks_ - distance) % ranks_;
        receiver_[{r, from}] = static_cast<std::uint32_t>(blocks.size());
        ThreadBlock& block = blocks.emplace_back();
        block.receive_from = from;
        block.channel = channel(distance);
      }
      for (const std::uint32_t distance : peers[r].to) {
        const std::uint32_t to = (r + distance) % ranks_;
        auto block = blocks.end();
        if (together) {
          block = std::find_if(blocks.begin() + first, blocks.end(), [&](const ThreadBlock& b) {
            return !b.send_to && b.channel == channel(distance);
          });
        }
        if (block == blocks.end()) block = blocks.insert(blocks.end(), ThreadBlock{});
        sender_[{r, to}] = static_cast<std::uint32_t>(block - blocks.begin());
        block->send_to = to;
        block->channel = channel(distance);
        program_.channels = std::max(program_.channels, block->channel + 1);
      }
    }
  }

  /// The step that a rank did last for a message: after it, what it has may be sent on.
  using Progress = std::map<std::pair<std::uint32_t, std::uint32_t>, Dependency>;

  /// Makes a step wait for another, where not the order of their thread block sees to that.
  void wait(std::uint32_t r, std::uint32_t block, Step& step, const Dependency& after) {
    if (after.block == block) return;
    step.after = after;
    program_.gpus[r].blocks[after.block].steps[after.step].announced = true;
  }

  /// Where partial results for an owner are collected.
  Place collected(std::uint32_t r, std::uint32_t owner) {
    if (r == owner) return {Buffer::output, 0};
    std::uint32_t& slots = program_.gpus[r].chunks[2];
    const auto [found, is_new] = slot_.emplace(std::pair(r, owner), slots);
    if (is_new) ++slots;
    return {Buffer::scratch, found->second};
  }

  void add(std::uint32_t t) {
    const std::uint32_t from = rank(schedule_.distributor(t));
    const std::uint32_t to = rank(schedule_.receiver(t));
    const std::uint32_t owner = rank(schedule_.origin(t));
    Step send;
    Step receive;
    send.action = Action::send;
    receive.action = Action::receive;
    send.destination = {Buffer::output, 0};
    const std::uint32_t send_block = sender_.at({from, to});
    const std::uint32_t receive_block = receiver_.at({to, from});
    const auto had = last_.find({from, owner});
    if (had != last_.end() && problem_.delivery != Delivery::scatter)
      wait(from, send_block, send, had->second);
    switch (program_.collective) {
      case Collective::all_to_all:
        send.source.offset = to;
        receive.destination = {Buffer::output, from};
        break;
      case Collective::scatter:
        send.source.offset = to;
        receive.destination = {Buffer::output, 0};
        break;
      case Collective::gather:
        receive.destination = {Buffer::output, from};
        break;
      case Collective::allgather:
      case Collective::broadcast: {
        const Place kept{Buffer::output, program_.collective == Collective::allgather ? owner : 0};
        if (from != owner) send.source = kept;
        receive.destination = kept;
        break;
      }
      default: {  // reductions
        const Place own{Buffer::input, program_.collective == Collective::reduce ? 0 : owner};
        const Place kept = collected(to, owner);
        send.source = had == last_.end() ? own : collected(from, owner);
        receive.action = Action::receive_reduce_copy;
        receive.destination = kept;
        const auto earlier = last_.find({to, owner});
        receive.source = earlier == last_.end() ? own : kept;
        if (earlier != last_.end()) wait(to, receive_block, receive, earlier->second);
      }
    }
    program_.gpus[from].blocks[send_block].steps.push_back(send);
    std::vector<Step>& steps = program_.gpus[to].blocks[receive_block].steps;
    last_[{to, owner}] = {receive_block, static_cast<std::uint32_t>(steps.size())};
    steps.push_back(receive);
  }

  const Problem& problem_;
  const Schedule& schedule_;
  Ranks rank_of_;
  std::uint32_t ranks_;
  std::uint32_t root_ = 0;
  Program program_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sender_, receiver_;  // rank, peer: block
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> slot_;  // rank, owner: scratch chunk
  Progress last_;                                                          // rank, owner
};

}  // namespace

Program make_program(const Problem& problem, const Schedule& schedule, std::string name) {
  Problem strict = problem;
  strict.repeats = false;  // a second copy would overwrite the first as it is sent on
  const ScheduleVerdict verdict = check_schedule(strict, schedule);
  if (!verdict.valid())
    throw InputError("MSCCL: the schedule is not valid: " + verdict.findings.front().first);
  Program program = Maker(problem, schedule).run(std::move(name));
  if (const auto fault = find_fault(program)) throw InputError("MSCCL: " + fault->sentence);
  return program;
}

}  // namespace unknot::msccl
