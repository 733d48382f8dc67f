// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/rank_program.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "play/play_cases.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/play/promise.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::play {
namespace {

using Content = std::vector<SentBlock>;  // what a block is combined of, ascending

/// Ranks whose blocks hold names of what was sent, one instruction of any rank after the other.
class Machine {
 public:
  Machine(const BlockLayout& layout, const std::vector<RankProgram>& programs)
      : layout_(layout), programs_(programs), ranks_(programs.size()) {
    for (std::uint32_t r = 0; r < programs.size(); ++r) {
      const std::size_t blocks = layout.send_blocks + layout.receive_blocks + programs[r].work_blocks;
      ranks_[r].memory.resize(blocks);
      for (std::uint32_t b = 0; b < layout.send_blocks; ++b) ranks_[r].memory[b] = Content{{r, b}};
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
      step(able[random.below(static_cast<std::uint32_t>(able.size()))]);
    }
    return messages_.empty() && std::all_of(ranks_.begin(), ranks_.end(), [&](const Rank& rank) {
             return rank.at == programs_[static_cast<std::size_t>(&rank - ranks_.data())].instructions.size();
           });
  }

  [[nodiscard]] std::optional<Content> received(std::uint32_t rank, std::uint32_t block) const {
    return ranks_[rank].memory[layout_.send_blocks + block];
  }

 private:
  using Label = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // from, to, tag
  struct Rank {
    std::size_t at = 0;
    std::vector<std::optional<Content>> memory;
    std::vector<Instruction> open;  // receives
  };

  bool can_go_on(std::uint32_t r) const {
    const Rank& rank = ranks_[r];
    if (rank.at == programs_[r].instructions.size()) return false;
    if (programs_[r].instructions[rank.at].action != Action::wait) return true;
    return std::all_of(rank.open.begin(), rank.open.end(), [&](const Instruction& now) {
      return messages_.contains({now.peer, r, now.tag});
    });
  }

  void step(std::uint32_t r) {
    Rank& rank = ranks_[r];
    const Instruction& now = programs_[r].instructions[rank.at++];
    switch (now.action) {
      case Action::copy:
        rank.memory.at(now.to) = rank.memory.at(now.from).value();
        break;
      case Action::send:
        EXPECT_TRUE(messages_.emplace(Label{r, now.peer, now.tag}, rank.memory.at(now.from).value()).second);
        break;
      case Action::receive:
        rank.open.push_back(now);
        break;
      case Action::combine: {
        Content& sum = rank.memory.at(now.to).value();
        const Content& more = rank.memory.at(now.from).value();
        sum.insert(sum.end(), more.begin(), more.end());
        std::sort(sum.begin(), sum.end());
        break;
      }
      case Action::wait:
        for (const Instruction& receive : rank.open)
          rank.memory.at(receive.to) = messages_.extract({receive.peer, r, receive.tag}).mapped();
        rank.open.clear();
    }
  }

  BlockLayout layout_;
  const std::vector<RankProgram>& programs_;
  std::vector<Rank> ranks_;
  std::map<Label, Content> messages_;
};

TEST(RankProgram, LeavesWhatIsPromisedInAnyOrderOfTheRanks) {
  for (const auto& [name, problem] : testing::cases()) {
    SCOPED_TRACE(name);
    const auto programs = rank_programs(problem, unknot::testing::found_schedule(problem));
    const std::vector<Promise> all = promises(problem);
    ASSERT_EQ(programs.size(), ranks_of(problem).count());
    ASSERT_EQ(all.size(), programs.size());
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Machine machine(block_layout(problem), programs);
      ASSERT_TRUE(machine.run(seed));
      for (std::uint32_t r = 0; r < all.size(); ++r) {
        ASSERT_EQ(all[r].blocks(), block_layout(problem).receive_blocks);
        for (std::uint32_t b = 0; b < all[r].blocks(); ++b) {
          const auto promised = all[r].of(b);
          const std::optional<Content> found = machine.received(r, b);
          ASSERT_EQ(found.has_value(), !promised.empty()) << r << " " << b;
          const Content expected(promised.begin(), promised.end());
          ASSERT_EQ(found.value_or(Content()), expected) << r << " " << b;
        }
      }
    }
  }
}

TEST(RankProgram, SendsOneMessageForEachTransferInItsStep) {
  for (const auto& [name, problem] : testing::cases()) {
    SCOPED_TRACE(name);
    const Schedule schedule = unknot::testing::found_schedule(problem);
    const auto programs = rank_programs(problem, schedule);
    const Ranks ranks = ranks_of(problem);
    using Message = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // step, from, to
    std::multiset<Message> expected;
    for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
      for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t)
        expected.insert({step, ranks.of(schedule.distributor(t)), ranks.of(schedule.receiver(t))});
    }
    std::multiset<Message> sent;
    std::multiset<Message> received;
    for (std::uint32_t r = 0; r < programs.size(); ++r) {
      std::uint32_t step = 0;
      std::set<std::uint32_t> into;
      bool copies = true;
      for (const Instruction& now : programs[r].instructions) {
        EXPECT_TRUE(copies || now.action != Action::copy);
        copies = copies && now.action == Action::copy;
        if (now.action == Action::wait) ++step;
        if (now.action == Action::send) sent.insert({step, r, now.peer});
        if (now.action != Action::receive) continue;
        received.insert({step, now.peer, r});
        EXPECT_TRUE(into.insert(now.to).second);
      }
      EXPECT_EQ(step, schedule.step_count());
    }
    EXPECT_EQ(sent, expected);
    EXPECT_EQ(received, expected);
  }
}

TEST(RankProgram, BroadcastOnASquare) {
  const Problem problem = unknot::testing::problem_on("hypercube:2", "OAB");
  const auto programs = rank_programs(problem, unknot::testing::recursive_doubling(2));
  EXPECT_THAT(
      programs[0].instructions,
      ::testing::ElementsAre(Instruction{Action::copy, 0, 0, 0, 1}, Instruction{Action::send, 1, 0, 0, 0},
                             Instruction{}, Instruction{Action::send, 2, 0, 0, 0}, Instruction{}));
  EXPECT_THAT(programs[1].instructions,
              ::testing::ElementsAre(Instruction{Action::receive, 0, 0, 0, 1}, Instruction{},
                                     Instruction{Action::send, 3, 0, 1, 0}, Instruction{}));
}

TEST(RankProgram, RefusesSchedulesThatAreNotValid) {
  const Problem cube = unknot::testing::problem_on("hypercube:3", "OAB");
  EXPECT_THROW((void)rank_programs(cube, unknot::testing::recursive_doubling(2)), InputError);
  // A second copy would come into a block that may be on its way already.
  Problem square = unknot::testing::problem_on("hypercube:2", "OAB");
  square.repeats = true;
  Schedule twice = unknot::testing::recursive_doubling(2);
  twice.add_step();
  twice.add(NodeId(0), unknot::testing::nodes({0, 1}));
  EXPECT_THROW((void)rank_programs(square, twice), InputError);
}

}  // namespace
}  // namespace unknot::play
