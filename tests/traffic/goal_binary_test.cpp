// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using Kind = TaskGraph::Kind;

std::vector<TerminalId> ranks(std::uint32_t count) {
  std::vector<TerminalId> list;
  for (std::uint32_t t = 0; t < count; ++t) list.emplace_back(t);
  return list;
}

/// An operation of a binary file, written without the reader's help.
struct Written {
  int type = 3;
  std::uint32_t peer = 0;
  std::uint64_t size = 0;
  std::uint32_t tag = 0;
  int cpu = 0, nic = 0;
  std::vector<std::uint32_t> done_after, begun_after;  ///< operations of the rank that wait for this one
};
using WrittenRank = std::vector<Written>;

std::string bytes(std::uint64_t value, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += static_cast<char>(value >> 8U * static_cast<unsigned>(i));
  return text;
}

std::string binary(const std::vector<WrittenRank>& all) {
  std::vector<std::string> parts;
  for (const WrittenRank& rank : all) {
    std::vector<std::uint32_t> waits(rank.size(), 0);
    for (const Written& one : rank) {
      for (const auto* list : {&one.done_after, &one.begun_after}) {
        for (const std::uint32_t other : *list) ++waits[other];
      }
    }
    std::string roots, records, list;
    std::uint32_t root_count = 0;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const Written& one = rank[i];
      if (waits[i] == 0) {
        roots += bytes(i, 4);
        ++root_count;
      }
      records += bytes(waits[i], 4) + bytes(static_cast<std::uint64_t>(one.type), 1) + bytes(one.peer, 4) +
                 bytes(one.size, 8) + bytes(one.tag, 4) + bytes(static_cast<std::uint64_t>(one.cpu), 1) +
                 bytes(static_cast<std::uint64_t>(one.nic), 1);
      for (const auto* others : {&one.done_after, &one.begun_after}) {
        records += bytes(others->size(), 4) + bytes(list.size() / 4, 4);
        for (const std::uint32_t other : *others) list += bytes(other, 4);
      }
    }
    parts.push_back(bytes(rank.size(), 4) + bytes(root_count, 4) + roots + records + list);
  }
  std::string text = bytes(all.size(), 4) + bytes(7, 1) + bytes(3, 1);
  std::uint64_t at = text.size() + 16 * all.size();
  for (const std::string& part : parts) {
    text += bytes(at, 8) + bytes(at + part.size(), 8);
    at += part.size();
  }
  for (const std::string& part : parts) text += part;
  return bytes(4223, 8) + text;
}

/// The same in words.
std::string words(const std::vector<WrittenRank>& all) {
  std::string text = "num_ranks " + std::to_string(all.size()) + "\n";
  const auto number = [](std::uint32_t value) { return value == 0xFFFFFFFFU ? "-1" : std::to_string(value); };
  for (std::size_t r = 0; r < all.size(); ++r) {
    text += "rank " + std::to_string(r) + " {\n";
    for (std::size_t i = 0; i < all[r].size(); ++i) {
      const Written& one = all[r][i];
      const std::string size = std::to_string(one.size);
      text += "l" + std::to_string(i) + ": ";
      text += one.type == 3 ? "calc " + size
                            : (one.type == 1 ? "send " + size + "b to " : "recv " + size + "b from ") +
                                  number(one.peer) + " tag " + number(one.tag);
      text +=
          " cpu " + std::to_string(one.cpu) + (one.type == 3 ? "" : " nic " + std::to_string(one.nic)) + "\n";
    }
    for (std::size_t i = 0; i < all[r].size(); ++i) {
      for (const std::uint32_t other : all[r][i].done_after)
        text += "l" + std::to_string(other) + " requires l" + std::to_string(i) + "\n";
      for (const std::uint32_t other : all[r][i].begun_after)
        text += "l" + std::to_string(other) + " irequires l" + std::to_string(i) + "\n";
    }
    text += "}\n";
  }
  return text;
}

/// Messages among three ranks, some of no bytes, some taken from anywhere, between computations.
std::vector<WrittenRank> some_schedule(Random& random) {
  std::vector<WrittenRank> all(3);
  for (std::uint32_t message = 0; message < 6; ++message) {
    const auto from = static_cast<std::uint32_t>(random.below(3));
    const auto to = (from + 1 + static_cast<std::uint32_t>(random.below(2))) % 3;
    const std::uint64_t size = random.below(3) * 100;
    Written send{1,  to, size, message, static_cast<int>(random.below(8)), static_cast<int>(random.below(4)),
                 {}, {}};
    Written receive{2, from, size, message, 0, 0, {}, {}};
    if (random.below(4) == 0) receive.peer = 0xFFFFFFFFU;
    all[from].push_back(send);
    all[to].push_back(receive);
    all[random.below(3)].push_back({3, 0, random.below(50), 0, static_cast<int>(random.below(8)), 0, {}, {}});
  }
  for (WrittenRank& rank : all) {
    for (std::uint32_t i = 0; i + 1 < rank.size(); ++i) {
      // Of what comes later alone: no circle within a rank, and messages go in the order in which they were
      // made.
      if (random.below(2) == 0) rank[i].done_after.push_back(i + 1);
      if (random.below(4) == 0) rank[i].begun_after.push_back(i + 1);
    }
  }
  return all;
}

TEST(GoalBinary, SaysWhatTheTextSays) {
  Random random(5);
  int named = 0;
  for (int run = 0; run < 300; ++run) {
    const std::vector<WrittenRank> all = some_schedule(random);
    TaskGraph read = parse_goal(binary(all), "file", ranks(4));
    EXPECT_EQ(read.tasks, parse_goal(words(all), "text", ranks(4)).tasks);
    EXPECT_EQ(read.nics, parse_goal(words(all), "text", ranks(4)).nics);
    named +=
        std::any_of(read.nics.begin(), read.nics.end(), [](std::uint8_t nic) { return nic > 0; }) ? 1 : 0;
    EXPECT_EQ(goal_text(read, 3), goal_text(parse_goal(words(all), "text", ranks(4)), 3));
    EXPECT_EQ(parse_goal(goal_text(read, 3), "again", ranks(4)).nics, read.nics);
  }
  EXPECT_GT(named, 100);
}

TEST(GoalBinary, RefusesWhatDoesNotFitTogether) {
  const std::vector<WrittenRank> good = {{{1, 1, 8, 0, 0, 0, {1}, {}}, {3, 0, 5, 0, 0, 0, {}, {}}},
                                         {{2, 0, 8, 0, 0, 0, {}, {}}}};
  const std::string text = binary(good);
  const auto refused = [&](const std::string& changed, std::uint32_t count = 4) {
    return refusal([&] { (void)parse_goal(changed, "file", ranks(count)); });
  };
  EXPECT_EQ(refused(text), "");
  EXPECT_EQ(refused(text, 1), "file: 2 ranks, but the network has 1 terminals");
  // Behind the magic number 2 ranks, two numbers, two ranges; then rank 0: 2 operations, 1 first one, number
  // 0.
  const std::size_t first = 8 + 6 + 32;
  const auto with = [&](std::size_t at, std::uint64_t value, int size) {
    std::string changed = text;
    return changed.replace(at, static_cast<std::size_t>(size), bytes(value, size));
  };
  EXPECT_EQ(refused(with(8, 0, 4)), "file: no rank, expected at least one");
  EXPECT_THAT(refused(with(14, 10000, 8)), HasSubstr("file: rank 0: its part goes from byte 10000 to"));
  EXPECT_THAT(refused(with(first, 3, 4)), HasSubstr("which 3 operations do not fit into"));
  EXPECT_THAT(refused(with(first, 0xFFFFFFFF, 4)), HasSubstr("operations do not fit into"));
  EXPECT_EQ(refused(with(first + 4, 3, 4)), "file: rank 0: 3 of its 2 operations wait for none");
  EXPECT_EQ(refused(with(first + 8, 1, 4)),
            "file: rank 0: operation 1 is not another one that waits for none");
  const std::size_t send = first + 12;
  EXPECT_EQ(refused(with(send, 1, 4)),
            "file: operation 0 of rank 0: it waits for 1, by the lists of these for 0");
  EXPECT_THAT(refused(with(send + 4, 4, 1)), HasSubstr("operation 0 of rank 0: type 4, expected 1, 2 or 3"));
  EXPECT_THAT(refused(with(send + 5, 2, 4)), HasSubstr("there is no rank 2: there are 2, counted from 0"));
  EXPECT_THAT(refused(with(send + 5, 0, 4)), HasSubstr("a message to itself"));
  EXPECT_THAT(refused(with(send + 9, ~std::uint64_t{0}, 8)), HasSubstr("is too large"));
  EXPECT_THAT(refused(with(send + 9, 9, 8)),
              HasSubstr("file: operation 0 of rank 1: the message of operation 0 of rank 0 has 9 bytes, its "
                        "receive takes 8"));
  EXPECT_THAT(refused(with(send + 17, 1, 4)),
              HasSubstr("file: operation 0 of rank 0: send to rank 1, tag 1: no receive"));
  EXPECT_THAT(refused(with(send + 21, 8, 1)), HasSubstr("CPU 8, NIC 0, but the file declares 7 and 3"));
  EXPECT_THAT(refused(with(send + 23, 2, 4)), HasSubstr("2 wait for it, from number 0 of a list of 1"));
  EXPECT_THAT(refused(with(send + 27, 0xFFFFFFFF, 4)), HasSubstr("from number 4294967295 of a list of 1"));
  const std::size_t list = send + 2 * 39;
  EXPECT_THAT(refused(with(list, 2, 4)), HasSubstr("operation 2 waits for it, and there are 2"));
  const std::vector<WrittenRank> circle = {{{3, 0, 5, 0, 0, 0, {1}, {}}, {3, 0, 5, 0, 0, 0, {0}, {}}}};
  EXPECT_THAT(refused(binary(circle)),
              HasSubstr("wait for each other in a circle, those of rank and number 0:"));
  for (std::size_t size = 8; size < text.size(); ++size)
    EXPECT_THAT(refused(text.substr(0, size)), ::testing::StartsWith("file: ")) << size;
}

// Any single byte otherwise is read or refused, and what is read is a graph that can be written.
TEST(GoalBinary, DamagedFilesAreReadOrRefusedNeverWorse) {
  Random random(6);
  const std::string text = binary(some_schedule(random));
  int read = 0;
  for (std::size_t at = 8; at < text.size(); ++at) {
    for (const int value : {0, 1, 255}) {
      std::string changed = text;
      changed[at] = static_cast<char>(value);
      const std::string why = refusal([&] {
        const TaskGraph graph = parse_goal(changed, "file", ranks(4));
        ++read;
        EXPECT_FALSE(goal_text(graph, 4).empty());
      });
      EXPECT_TRUE(why.empty() || why.starts_with("file: ")) << why;
    }
  }
  EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace unknot
