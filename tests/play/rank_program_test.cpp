// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/rank_program.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "play/play_cases.hpp"
#include "unknot/play/data_flow.hpp"
#include "unknot/play/promise.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::play {
namespace {

using Content = std::vector<SentMessage>;  // what a block is combined of, named by blocks, ascending

/// Ranks whose blocks hold names of what was sent, one instruction of any rank after the other.
class Machine {
 public:
  Machine(const BlockLayout& layout, const std::vector<RankProgram>& programs)
      : layout_(layout), programs_(programs), ranks_(programs.size()) {
    for (std::uint32_t r = 0; r < programs.size(); ++r) {
      const std::uint32_t blocks = layout.send_blocks() + layout.receive_blocks() + programs[r].work_blocks;
      ranks_[r].memory.resize(blocks);
      for (std::uint32_t b = 0; b < layout.send_blocks(); ++b) ranks_[r].memory[b] = Content{{r, b}};
      ranks_[r].flow = data_flow_of(programs[r].instructions, blocks);
      ranks_[r].waits = ranks_[r].flow.waits;
      ranks_[r].begun.resize(programs[r].instructions.size());
    }
  }

  /// Whether all came to their end; ranks take turns by chance.
  bool run(std::uint64_t seed) {
    Random random(seed);
    for (;;) {
      std::vector<std::uint32_t> able;
      for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
        if (can_go_on(r)) able.push_back(r);
      }
      if (able.empty()) break;
      const std::uint32_t r = able[random.below(static_cast<std::uint32_t>(able.size()))];
      step(r, programs_[r].instructions[ranks_[r].at++]);
    }
    return messages_.empty() && std::all_of(ranks_.begin(), ranks_.end(), [&](const Rank& rank) {
             return rank.at == programs_[static_cast<std::size_t>(&rank - ranks_.data())].instructions.size();
           });
  }

  /// The same without steps: any instruction for which all is over that it waits for.
  bool run_as_data_comes(std::uint64_t seed) {
    Random random(seed);
    for (;;) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> able;  // rank, instruction
      for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
        const auto& list = programs_[r].instructions;
        for (std::uint32_t i = 0; i < list.size(); ++i) {
          const bool comes =
              list[i].action != Action::receive || messages_.contains({list[i].peer, r, list[i].tag});
          if (!ranks_[r].begun[i] && ranks_[r].waits[i] == 0 && comes) able.emplace_back(r, i);
        }
      }
      if (able.empty()) break;
      const auto [r, i] = able[random.below(static_cast<std::uint32_t>(able.size()))];
      Rank& rank = ranks_[r];
      const Instruction& now = programs_[r].instructions[i];
      rank.begun[i] = true;
      if (now.action != Action::wait) step(r, now);
      if (now.action == Action::receive) take_in(r);
      for (std::uint32_t n = rank.flow.first_next[i]; n < rank.flow.first_next[i + 1]; ++n)
        --rank.waits[rank.flow.next[n]];
    }
    return messages_.empty() && std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
             return std::all_of(rank.begun.begin(), rank.begun.end(), [](bool begun) { return begun; });
           });
  }

  [[nodiscard]] std::optional<Content> received(std::uint32_t rank, std::uint32_t block) const {
    return ranks_[rank].memory[layout_.send_blocks() + block];
  }

 private:
  using Label = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // from, to, tag
  struct Rank {
    std::size_t at = 0;
    std::vector<std::optional<Content>> memory;
    std::vector<Instruction> open;  // receives
    DataFlow flow;
    std::vector<std::uint32_t> waits;
    std::vector<bool> begun;
  };

  bool can_go_on(std::uint32_t r) const {
    const Rank& rank = ranks_[r];
    if (rank.at == programs_[r].instructions.size()) return false;
    if (programs_[r].instructions[rank.at].action != Action::wait) return true;
    return std::all_of(rank.open.begin(), rank.open.end(), [&](const Instruction& now) {
      return messages_.contains({now.peer, r, now.tag});
    });
  }

  void take_in(std::uint32_t r) {
    Rank& rank = ranks_[r];
    for (const Instruction& receive : rank.open) {
      const std::vector<Content> message = messages_.extract({receive.peer, r, receive.tag}).mapped();
      EXPECT_EQ(message.size(), receive.blocks);
      for (std::uint32_t b = 0; b < receive.blocks; ++b) rank.memory.at(receive.to + b) = message.at(b);
    }
    rank.open.clear();
  }

  /// 0: send, 1: receive, 2: work.
  [[nodiscard]] int buffer(std::uint32_t block) const {
    return block < layout_.send_blocks()                              ? 0
           : block < layout_.send_blocks() + layout_.receive_blocks() ? 1
                                                                      : 2;
  }

  void step(std::uint32_t r, const Instruction& now) {
    Rank& rank = ranks_[r];
    const std::uint32_t last = std::max(now.blocks, 1U) - 1;
    if (now.action != Action::receive) {
      EXPECT_EQ(buffer(now.from), buffer(now.from + last));
    }
    if (now.action != Action::send) {
      EXPECT_EQ(buffer(now.to), buffer(now.to + last));
    }
    switch (now.action) {
      case Action::copy:
        for (std::uint32_t b = 0; b < now.blocks; ++b)
          rank.memory.at(now.to + b) = rank.memory.at(now.from + b).value();
        break;
      case Action::send: {
        std::vector<Content> message;
        for (std::uint32_t b = 0; b < now.blocks; ++b)
          message.push_back(rank.memory.at(now.from + b).value());
        EXPECT_TRUE(messages_.emplace(Label{r, now.peer, now.tag}, message).second);
        break;
      }
      case Action::receive:
        rank.open.push_back(now);
        break;
      case Action::combine:
        for (std::uint32_t b = 0; b < now.blocks; ++b) {
          EXPECT_GE(now.to, layout_.send_blocks());
          Content& sum = rank.memory.at(now.to + b).value();
          const Content& more = rank.memory.at(now.from + b).value();
          sum.insert(sum.end(), more.begin(), more.end());
          std::sort(sum.begin(), sum.end());
        }
        break;
      case Action::wait:
        take_in(r);
    }
  }

  BlockLayout layout_;
  const std::vector<RankProgram>& programs_;
  std::vector<Rank> ranks_;
  std::map<Label, std::vector<Content>> messages_;
};

void expect_promised(const Machine& machine, const BlockLayout& layout, const std::vector<Promise>& all) {
  for (std::uint32_t r = 0; r < all.size(); ++r) {
    ASSERT_EQ(all[r].messages(), layout.receive_messages);
    for (std::uint32_t b = 0; b < layout.receive_blocks(); ++b) {
      Content expected;
      for (const SentMessage& sent : all[r].of(b / layout.pieces))
        expected.push_back({sent.rank, sent.message * layout.pieces + b % layout.pieces});
      const std::optional<Content> found = machine.received(r, b);
      ASSERT_EQ(found.has_value(), !expected.empty()) << r << " " << b;
      ASSERT_EQ(found.value_or(Content()), expected) << r << " " << b;
    }
  }
}

TEST(RankProgram, LeavesWhatIsPromisedInAnyOrderOfTheRanks) {
  bool divided = false;
  for (const auto& [name, problem, schedule] : testing::cases()) {
    SCOPED_TRACE(name);
    const auto programs = rank_programs(problem, schedule);
    const std::vector<Promise> all = promises(problem);
    const BlockLayout layout = block_layout(problem);
    ASSERT_EQ(programs.size(), problem.nodes.size());
    ASSERT_EQ(all.size(), programs.size());
    divided = divided || layout.pieces > 1;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Machine machine(layout, programs);
      ASSERT_TRUE(machine.run(seed));
      expect_promised(machine, layout, all);
      Machine free(layout, programs);
      ASSERT_TRUE(free.run_as_data_comes(seed));
      expect_promised(free, layout, all);
    }
  }
  EXPECT_TRUE(divided);
}

TEST(RankProgram, SendsOneMessageForEachTransferInItsStep) {
  for (const auto& [name, problem, schedule] : testing::cases()) {
    SCOPED_TRACE(name);
    const auto programs = rank_programs(problem, schedule);
    using Message =
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // step, from, to, blocks
    std::multiset<Message> expected;
    for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
      for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t)
        expected.insert({step, problem.rank_of(schedule.sender(t)), problem.rank_of(schedule.receiver(t)),
                         static_cast<std::uint32_t>(schedule.blocks(t).size())});
    }
    std::multiset<Message> sent;
    std::multiset<Message> received;
    for (std::uint32_t r = 0; r < programs.size(); ++r) {
      std::uint32_t step = 0;
      std::set<std::uint32_t> into;
      for (const Instruction& now : programs[r].instructions) {
        if (now.action == Action::wait) ++step;
        if (now.action == Action::send) sent.insert({step, r, now.peer, now.blocks});
        if (now.action != Action::receive) continue;
        received.insert({step, now.peer, r, now.blocks});
        for (std::uint32_t b = 0; b < now.blocks; ++b) EXPECT_TRUE(into.insert(now.to + b).second);
      }
      EXPECT_EQ(step, schedule.step_count());
    }
    EXPECT_EQ(sent, expected);
    EXPECT_EQ(received, expected);
  }
}

TEST(RankProgram, BroadcastOnASquare) {
  const Problem problem = unknot::testing::problem_on("hypercube:2", "OAB");
  const auto programs =
      rank_programs(as_combined(problem), as_combined(problem, unknot::testing::recursive_doubling(2)));
  EXPECT_THAT(programs[0].instructions,
              ::testing::ElementsAre(Instruction{Action::copy, 0, 0, 0, 1, 1},
                                     Instruction{Action::send, 1, 0, 0, 0, 1}, Instruction{},
                                     Instruction{Action::send, 2, 0, 0, 0, 1}, Instruction{}));
  EXPECT_THAT(programs[1].instructions,
              ::testing::ElementsAre(Instruction{Action::receive, 0, 0, 0, 1, 1}, Instruction{},
                                     Instruction{Action::send, 3, 0, 1, 0, 1}, Instruction{}));
}

TEST(RankProgram, RefusesSchedulesThatAreNotValid) {
  const Problem cube = unknot::testing::problem_on("hypercube:3", "OAB");
  EXPECT_THROW(
      (void)rank_programs(as_combined(cube), as_combined(cube, unknot::testing::recursive_doubling(2))),
      InputError);
  // A second copy would come into a block that may be on its way already.
  Problem square = unknot::testing::problem_on("hypercube:2", "OAB");
  square.repeats = true;
  Schedule twice = unknot::testing::recursive_doubling(2);
  twice.add_step();
  twice.add(NodeId(0), unknot::testing::nodes({0, 1}));
  EXPECT_THROW((void)rank_programs(as_combined(square), as_combined(square, twice)), InputError);
}

}  // namespace
}  // namespace unknot::play
