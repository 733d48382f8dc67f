// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/allocate/switch_allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

using Wishes = std::vector<std::vector<bool>>;  // [input][output]

SwitchRequests requests_of(const Wishes& wishes) {
  const auto inputs = static_cast<std::uint32_t>(wishes.size());
  const auto outputs = static_cast<std::uint32_t>(wishes.front().size());
  SwitchRequests requests(inputs, outputs);
  for (std::uint32_t o = 0; o < outputs; ++o) {
    for (std::uint32_t i = 0; i < inputs; ++i) {
      if (wishes[i][o]) requests.add(i, o);
    }
  }
  return requests;
}

Wishes random_wishes(Random& random, std::uint32_t inputs, std::uint32_t outputs, std::uint32_t one_in) {
  Wishes wishes(inputs, std::vector<bool>(outputs));
  for (auto& row : wishes) {
    for (std::uint32_t o = 0; o < outputs; ++o) row[o] = random.below(one_in) == 0;
  }
  return wishes;
}

/// Largest matching, by trying everything: the outputs that are taken are a mask.
std::size_t most_pairs(const Wishes& wishes, std::size_t input = 0, std::uint32_t taken = 0) {
  if (input == wishes.size()) return 0;
  std::size_t best = most_pairs(wishes, input + 1, taken);
  for (std::uint32_t o = 0; o < wishes[input].size(); ++o) {
    if (wishes[input][o] && (taken >> o & 1U) == 0)
      best = std::max(best, 1 + most_pairs(wishes, input + 1, taken | 1U << o));
  }
  return best;
}

std::size_t pairs_of(const std::vector<std::uint32_t>& given) {
  return given.size() -
         static_cast<std::size_t>(std::count(given.begin(), given.end(), SwitchAllocator::kNone));
}

/// Each pair was wished for and nobody is in two of them. True where no pair can be added.
bool check_matching(const Wishes& wishes, const std::vector<std::uint32_t>& given) {
  std::set<std::uint32_t> outputs;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == SwitchAllocator::kNone) continue;
    EXPECT_TRUE(wishes[i][given[i]]);
    EXPECT_TRUE(outputs.insert(given[i]).second);
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    for (std::uint32_t o = 0; o < wishes[i].size(); ++o) {
      if (given[i] == SwitchAllocator::kNone && wishes[i][o] && !outputs.contains(o)) return false;
    }
  }
  return true;
}

std::vector<std::string> every_allocator() {
  std::vector<std::string> specs;
  for (const AllocatorRow& row : switch_allocators()) {
    specs.push_back(row.name);
    if (!row.parameters.empty()) specs.push_back(row.name + ":iterations=8");
  }
  return specs;
}

TEST(SwitchAllocator, MatchesWhatIsWishedFor) {
  for (const std::string& spec : every_allocator()) {
    for (const auto& [inputs, outputs] : {std::pair(5U, 5U), std::pair(3U, 7U), std::pair(7U, 3U)}) {
      const auto allocator = make_switch_allocator(spec, {2, inputs, outputs, 3});
      Random random(1, 0);
      for (int round = 0; round < 400; ++round) {
        const Wishes wishes = random_wishes(random, inputs, outputs, 1 + random.below(5));
        const SwitchRequests requests = requests_of(wishes);
        const std::vector<std::uint32_t>& given = allocator->match(random.below(2), requests);
        ASSERT_EQ(given.size(), inputs);
        const bool maximal = check_matching(wishes, given);
        // In as many rounds as there are ports nothing is left: each round adds a pair where there is one.
        if (spec == "wavefront" || spec == "max-size" || spec.ends_with("=8")) {
          EXPECT_TRUE(maximal) << spec;
        }
        const std::size_t most = most_pairs(wishes);
        if (spec == "max-size") {
          EXPECT_EQ(pairs_of(given), most);
        }
        if (maximal) {
          EXPECT_GE(2 * pairs_of(given), most) << spec;
        }
        if (most > 0) {
          EXPECT_GE(pairs_of(given), 1U) << spec;
        }
      }
    }
  }
}

/// Everybody wants everything, always.
TEST(SwitchAllocator, UnderFullLoadIsAsTheorySays) {
  constexpr std::uint32_t kPorts = 16;
  constexpr int kRounds = 8000;
  const Wishes all(kPorts, std::vector<bool>(kPorts, true));
  const SwitchRequests requests = requests_of(all);
  for (const std::string& spec : every_allocator()) {
    const auto allocator = make_switch_allocator(spec, {1, kPorts, kPorts, 5});
    for (std::uint32_t i = 0; i < 2 * kPorts; ++i) (void)allocator->match(0, requests);
    std::vector<std::vector<int>> served(kPorts, std::vector<int>(kPorts, 0));
    std::size_t all_pairs = 0;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<std::uint32_t>& given = allocator->match(0, requests);
      all_pairs += pairs_of(given);
      for (std::uint32_t i = 0; i < kPorts; ++i) {
        if (given[i] != SwitchAllocator::kNone) ++served[i][given[i]];
      }
    }
    const double pairs = static_cast<double>(all_pairs) / kRounds;
    if (spec == "pim") {
      // Each output offers itself to a random input: an input is missed with (1 - 1/n)^n. [Anderson et al.]
      const double missed = std::pow(1 - 1.0 / kPorts, kPorts);
      EXPECT_NEAR(pairs, kPorts * (1 - missed), 0.05);
    } else {
      // Turns that move on only with what is taken come apart, and stay so. [McKeown 1999]
      EXPECT_EQ(pairs, kPorts) << spec;
    }
    // Nobody is served more than others: max-size makes no such promise.
    if (spec == "max-size") continue;
    for (const auto& row : served) {
      for (const int count : row) {
        const double fair = pairs / kPorts * kRounds / kPorts;
        EXPECT_NEAR(count, fair, spec.starts_with("pim") ? 6 * std::sqrt(fair) : 1) << spec;
      }
    }
  }
}

/// One round of iSLIP is outputs first, then inputs.
TEST(SwitchAllocator, OutputFirstIsOneRoundOfIslip) {
  const auto a = make_switch_allocator("islip", {3, 6, 6, 1});
  const auto b = make_switch_allocator("separable-output", {3, 6, 6, 1});
  Random random(7, 0);
  for (int round = 0; round < 2000; ++round) {
    const SwitchRequests requests = requests_of(random_wishes(random, 6, 6, 3));
    const std::uint32_t router = random.below(3);
    EXPECT_EQ(a->match(router, requests), b->match(router, requests));
  }
}

TEST(SwitchAllocator, NamesAreChecked) {
  EXPECT_THROW((void)make_switch_allocator("islop", {}), InputError);
  EXPECT_THROW((void)make_switch_allocator("islip:iterations=0", {}), InputError);
  EXPECT_THROW((void)make_switch_allocator("wavefront:iterations=2", {}), InputError);
}

class NamedAllocators : public ::testing::Test {
 protected:
  SteadyReport steady(const char* allocator, std::uint32_t iterations, double load) {
    Settings settings;
    settings.sw_allocator.name = allocator;
    settings.sw_allocator.iterations = iterations;
    settings.packet_flits = 3;
    settings.measure = 3000;
    settings.warmup = 1000;
    return run_steady(plan_, for_lanes(settings, plan_.lanes_needed), uniform_, load, quiet_);
  }
  SteadyReport lanes_by(const char* allocator, std::uint32_t iterations, double load) {
    Settings settings;
    settings.vc_allocator = {allocator, iterations};
    settings.measure = 3000;
    settings.warmup = 1000;
    return run_steady(plan_, for_lanes(settings, plan_.lanes_needed), uniform_, load, quiet_);
  }
  Network network_ = make_network("hyperx:3x3,p=3");
  Progress quiet_;
  RoutePlan plan_ = plan_routing(network_, route(network_, "minhop", {}, quiet_), true);
  TrafficPattern uniform_ = make_pattern(network_, "uniform");
};

/// The core's own allocator is one round of iSLIP, which output first is by name.
TEST_F(NamedAllocators, TheCoresOwnIsOutputFirst) {
  for (const double load : {0.3, 1.0}) {
    const SteadyReport own = steady("islip", 1, load), named = steady("separable-output", 1, load);
    EXPECT_EQ(own.accepted, named.accepted);
    EXPECT_EQ(own.latency_mean, named.latency_mean);
    EXPECT_EQ(own.flit_hops, named.flit_hops);
  }
}

TEST_F(NamedAllocators, AllDeliverAndMoreRoundsAcceptMore) {
  for (const char* const name : {"pim", "separable-input", "wavefront", "max-size"}) {
    const SteadyReport report = steady(name, 1, 0.3);
    EXPECT_FALSE(report.undelivered) << name;
    EXPECT_NEAR(report.accepted, 0.3, 0.01) << name;
  }
  EXPECT_GT(steady("pim", 4, 1).accepted, steady("pim", 1, 1).accepted);
  EXPECT_GT(steady("wavefront", 1, 1).accepted, 0.97 * steady("islip", 1, 1).accepted);
  EXPECT_EQ(steady("pim", 1, 1).accepted, steady("pim", 1, 1).accepted);
}

TEST_F(NamedAllocators, LanesOfTheCoresOwnAreOutputFirst) {
  for (const double load : {0.3, 0.7, 1.0}) {
    const SteadyReport own = lanes_by("islip", 1, load), named = lanes_by("separable-output", 1, load);
    EXPECT_EQ(own.accepted, named.accepted);
    EXPECT_EQ(own.latency_mean, named.latency_mean);
    EXPECT_EQ(own.flit_hops, named.flit_hops);
  }
}

TEST_F(NamedAllocators, LanesAreGivenByAll) {
  std::set<double> latencies;
  for (const char* const name : {"islip", "pim", "separable-input", "wavefront", "max-size"}) {
    const SteadyReport report = lanes_by(name, 1, 0.5);
    EXPECT_FALSE(report.undelivered) << name;
    EXPECT_NEAR(report.accepted, 0.5, 0.01) << name;
    latencies.insert(report.latency_mean);
  }
  EXPECT_EQ(latencies.size(), 5U) << "they differ";
  EXPECT_EQ(lanes_by("pim", 2, 1).accepted, lanes_by("pim", 2, 1).accepted);
}

TEST_F(NamedAllocators, WhatHasNoSuchSwitchIsRefused) {
  Settings settings;
  settings.sw_allocator.name = "pim";
  settings.router = RouterKind::input_output_queued;
  EXPECT_THROW(run_steady(plan_, for_lanes(settings, 1), uniform_, 0.1, quiet_), InputError);
  settings.sw_allocator = {"wavefront", 2};
  EXPECT_THROW(check(settings), InputError);
  settings.sw_allocator = {};
  settings.vc_allocator.name = "max-size";
  EXPECT_THROW(run_steady(plan_, for_lanes(settings, 1), uniform_, 0.1, quiet_), InputError);
  settings.router = RouterKind::input_queued;
  settings.vc_allocator.iterations = 2;
  EXPECT_THROW(check(settings), InputError);
}

}  // namespace
}  // namespace unknot::simulate
