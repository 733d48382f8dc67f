// SPDX-License-Identifier: Apache-2.0
// Repair of broadcasts beside the rule written down plainly: who cannot get the message when its gene says so
// gets it from the one near by that has least to send, or waits.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/collective/evolution/broadcast_genome.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using evolve::Value;
using Loads = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // by node and step

struct Gene {
  Value* values;
  Value& distributor() const { return values[0]; }
  Value& path() const { return values[1]; }
  Value& step() const { return values[2]; }
};

class PlainRepair {
 public:
  PlainRepair(const BroadcastGenome& genome, std::vector<Value>& x, Random& random)
      : genome_(genome), problem_(genome.problem()), x_(x), random_(random) {
    std::vector<std::uint32_t> broken;
    for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
      if (!legal(g)) {
        broken.push_back(g);
        continue;
      }
      for (std::uint32_t i = 1; i <= receivers(g); ++i)
        ++load(g, gene(g, i).distributor(), gene(g, i).step());
    }
    for (const std::uint32_t g : broken) repair(g);
  }

 private:
  [[nodiscard]] std::uint32_t receivers(std::uint32_t g) const {
    return problem_.first[g + 1] - problem_.first[g];
  }
  [[nodiscard]] std::uint32_t message(std::uint32_t g, std::uint32_t i) const {
    return problem_.first[g] + i - 1;
  }
  Gene gene(std::uint32_t g, std::uint32_t i) { return {x_.data() + std::size_t{3} * message(g, i)}; }
  std::uint32_t& load(std::uint32_t g, std::uint32_t member, std::uint32_t step) {
    return loads_[{genome_.orbit()[genome_.member(g, member).value].value, step}];
  }

  bool legal(std::uint32_t g) {
    for (std::uint32_t i = 1; i <= receivers(g); ++i) {
      const std::uint32_t d = gene(g, i).distributor();
      if (d != 0 && gene(g, d).step() >= gene(g, i).step()) return false;
    }
    return true;
  }

  std::uint32_t least(std::uint32_t g, const std::vector<std::uint32_t>& members, std::uint32_t step) {
    std::uint32_t best = members.front(), equal = 1;
    for (std::size_t k = 1; k < members.size(); ++k) {
      const std::uint32_t here = load(g, members[k], step), there = load(g, best, step);
      if (here > there) continue;
      equal = here < there ? 1 : equal + 1;
      if (equal == 1 || random_.below(equal) == 0) best = members[k];
    }
    return best;
  }

  void repair(std::uint32_t g) {
    std::vector<std::deque<std::uint32_t>> due(genome_.steps());
    for (std::uint32_t i = 1; i <= receivers(g); ++i) due[gene(g, i).step()].push_back(i);
    std::vector<std::uint32_t> informed{0};
    std::vector<bool> has(receivers(g) + 1, false);
    has[0] = true;
    for (std::uint32_t s = 0; s < genome_.steps(); ++s) {
      std::vector<std::uint32_t> arrived;
      for (const std::uint32_t i : due[s]) {
        const Gene now = gene(g, i);
        if (!has[now.distributor()]) {
          std::vector<std::uint32_t> from;
          for (const Value d : genome_.near_members(message(g, i))) {
            if (has[d]) from.push_back(d);
          }
          if (from.empty() && s + 1 < genome_.steps()) {
            now.step() = static_cast<Value>(s + 1);
            due[s + 1].push_front(i);
            continue;
          }
          if (from.empty() || genome_.radius() == BroadcastGenome::kWide) from = informed;
          now.distributor() = static_cast<Value>(least(g, from, s));
          now.path() =
              static_cast<Value>(random_.below(genome_.ways(g, now.distributor(), message(g, i)).paths()));
        }
        ++load(g, now.distributor(), s);
        arrived.push_back(i);
      }
      std::sort(arrived.begin(), arrived.end());
      for (const std::uint32_t i : arrived) has[i] = true;
      informed.insert(informed.end(), arrived.begin(), arrived.end());
    }
  }

  const BroadcastGenome& genome_;
  const Problem& problem_;
  std::vector<Value>& x_;
  Random& random_;
  Loads loads_;
};

struct RepairCase {
  const char* network;
  const char* collective;
  std::uint32_t steps;
  GenomeOptions options;
};

TEST(BroadcastRepair, IsTheRuleWrittenPlainly) {
  constexpr std::uint32_t kWide = BroadcastGenome::kWide;
  const std::vector<RepairCase> cases{
      {"hypercube:3", "AAB", 3, {.limits = {}, .radius = 1}},
      {"hypercube:3", "AAB", 6, {.limits = {}, .radius = 2}},
      {"hypercube:3", "AAB", 4, {.limits = {}, .radius = kWide}},
      {"hypercube:3", "AAB", 4, {.limits = {}, .radius = 1, .symmetry = 8}},
      {"kautz:b=2,n=2,oriented=1", "AAB", 5, {.limits = {.extra_hops = 1}, .radius = 1}},
      {"ring:9", "AAB", 9, {.limits = {}, .radius = 1}},
      {"hypercube:6", "OAB", 7, {.limits = {}, .radius = 1}},  // as many members as a word has bits
      {"hypercube:6", "OAB", 3, {.limits = {}, .radius = kWide}},
      {"hypercube:7", "OAB", 8, {.limits = {}, .radius = 1}},  // more
      {"hypercube:7", "OAB", 3, {.limits = {}, .radius = kWide}},
  };
  for (const RepairCase& c : cases) {
    const BroadcastGenome genome(
        make_collective(std::make_shared<NodeGraph>(make_network(c.network), NodeGraphOptions{}),
                        c.collective),
        c.steps, c.options);
    const auto evaluator = genome.evaluator();
    for (std::uint32_t round = 0; round < 20; ++round) {
      Random random(round, 1);
      std::vector<Value> x(genome.layout().length());
      if (round % 2 == 0) evaluator->initial(x, random);
      for (std::uint32_t k = 0; k < (round % 2 == 0 ? 5 : x.size()); ++k) {
        const std::uint32_t at = round % 2 == 0 ? random.below(genome.layout().length()) : k;
        x[at] = static_cast<Value>(random.below(genome.layout().cardinality(at)));
      }
      std::vector<Value> plain = x;
      Random ours(round, 2), theirs(round, 2);
      evaluator->repair(x, ours);
      const PlainRepair repaired(genome, plain, theirs);
      ASSERT_EQ(x, plain) << c.network << ' ' << c.collective << ' ' << c.steps << ", round " << round;
      ASSERT_EQ(ours.next32(), theirs.next32());
    }
  }
}

}  // namespace
}  // namespace unknot
