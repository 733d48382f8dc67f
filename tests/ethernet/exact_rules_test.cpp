// SPDX-License-Identifier: Apache-2.0
// The fewest queues against all assignments: each pair of channels keeps or raises, for all tags alike or for
// each tag.
#include "unknot/ethernet/tags/exact_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "unknot/support/random.hpp"

namespace unknot::ethernet {
namespace {

using Path = std::vector<std::uint32_t>;  // channels that a packet takes
using Pairs = std::vector<std::uint64_t>;

constexpr std::uint64_t kConflicts = 100'000;

std::uint64_t both(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{a} << 32 | b;
}

std::vector<Path> random_paths(Random& random, std::uint32_t channels) {
  std::vector<Path> paths(4 + random.below(9));
  for (Path& path : paths) {
    path.resize(channels);
    std::iota(path.begin(), path.end(), 0U);
    random.shuffle(path);
    path.resize(2 + random.below(channels - 1));
  }
  return paths;
}

Pairs pairs_of(const std::vector<Path>& paths) {
  std::set<std::uint64_t> pairs;
  for (const Path& path : paths) {
    for (std::size_t i = 1; i < path.size(); ++i) pairs.insert(both(path[i - 1], path[i]));
  }
  return {pairs.begin(), pairs.end()};
}

TaggedPackets packets_of(std::uint32_t channels, const std::vector<Path>& paths) {
  TaggedPackets packets(channels, pairs_of(paths));
  for (const Path& path : paths) {
    ExpectedHops expected;
    for (std::uint32_t i = 0; i < path.size(); ++i)
      expected.hops.push_back({i == 0 ? kNone : path[i - 1], i == 0 ? kNone : i - 1, path[i], i});
    expected.states = static_cast<std::uint32_t>(path.size());
    packets.add(expected);
  }
  return packets;
}

bool acyclic(Pairs kept) {
  for (bool changed = true; changed && !kept.empty();) {
    const std::size_t before = kept.size();
    std::erase_if(kept, [&](std::uint64_t pair) {
      return std::none_of(kept.begin(), kept.end(), [&](std::uint64_t other) {
        return static_cast<std::uint32_t>(other) == pair >> 32;
      });
    });
    changed = kept.size() < before;
  }
  return kept.empty();
}

std::uint32_t queues_of(const std::vector<Path>& paths, const Pairs& raises) {
  std::uint32_t most = 0;
  for (const Path& path : paths) {
    std::uint32_t rises = 0;
    for (std::size_t i = 1; i < path.size(); ++i)
      rises += std::binary_search(raises.begin(), raises.end(), both(path[i - 1], path[i])) ? 1 : 0;
    most = std::max(most, rises);
  }
  return most + 1;
}

/// All ways to keep or raise.
std::uint32_t fewest_by_ports(const std::vector<Path>& paths) {
  const Pairs pairs = pairs_of(paths);
  std::uint32_t fewest = kNone;
  for (std::uint32_t choice = 0; choice < 1U << pairs.size(); ++choice) {
    Pairs raises;
    Pairs kept;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      ((choice >> p & 1U) != 0 ? raises : kept).push_back(pairs[p]);
    const std::uint32_t queues = queues_of(paths, raises);
    if (queues < fewest && acyclic(kept)) fewest = queues;
  }
  return fewest;
}

/// How far each packet gets with one more queue whose kept pairs rise in the order, from where it is; tried
/// with all orders of channels for each queue.
bool fits(const std::vector<Path>& paths, const std::vector<std::size_t>& at, std::uint32_t queues,
          std::uint32_t channels) {
  std::vector<std::uint32_t> place(channels);
  std::iota(place.begin(), place.end(), 0U);
  do {
    std::vector<std::size_t> next = at;
    bool all = true;
    for (std::size_t p = 0; p < paths.size(); ++p) {
      std::size_t& i = next[p];
      while (i + 1 < paths[p].size() && place[paths[p][i]] < place[paths[p][i + 1]]) ++i;
      all = all && i + 1 >= paths[p].size();
      ++i;  // raised
    }
    if (all || (queues > 1 && fits(paths, next, queues - 1, channels))) return true;
  } while (std::next_permutation(place.begin(), place.end()));
  return false;
}

TEST(ExactRules, AsFewQueuesAsTheBestOfAllAssignments) {
  std::uint32_t beyond_two = 0;
  std::uint32_t tags_help = 0;
  for (std::uint32_t i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    Random random(17, i);
    const std::uint32_t channels = 3 + i % 2;
    const std::vector<Path> paths = random_paths(random, channels);
    const TaggedPackets packets = packets_of(channels, paths);
    const std::uint32_t fewest = fewest_by_ports(paths);
    EXPECT_EQ(packets.pairs().empty(), fewest == 1);
    std::uint32_t fewest_of_all = fewest;
    for (std::uint32_t queues = 2; queues < 5; ++queues) {
      Pairs raises;
      const SatAnswer answer =
          rules_suffice(packets, queues, RuleKind::ports, kConflicts, Progress(), &raises);
      EXPECT_EQ(answer, queues >= fewest ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
      if (answer == SatAnswer::satisfiable) {
        Pairs kept = pairs_of(paths);
        std::erase_if(
            kept, [&](std::uint64_t pair) { return std::binary_search(raises.begin(), raises.end(), pair); });
        EXPECT_TRUE(acyclic(kept));
        EXPECT_LE(queues_of(paths, raises), queues);
      }
      if (queues == 4) continue;
      const bool enough = fits(paths, std::vector<std::size_t>(paths.size(), 0), queues, channels);
      EXPECT_EQ(rules_suffice(packets, queues, RuleKind::ports_and_tag, kConflicts, Progress(), nullptr),
                enough ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
      if (enough) fewest_of_all = std::min(fewest_of_all, queues);
    }
    beyond_two += fewest > 2 ? 1 : 0;
    tags_help += fewest_of_all < fewest ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(beyond_two, 50U);
  EXPECT_GT(tags_help, 0U);
}

}  // namespace
}  // namespace unknot::ethernet
