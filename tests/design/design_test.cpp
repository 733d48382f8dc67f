// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "unknot/bounds/hose_bound.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

const DesignFamily& family(const std::string& name) {
  return *std::find_if(design_families().begin(), design_families().end(),
                       [&](const DesignFamily& row) { return row.name == name; });
}

/// The network is what the design says of it.
void expect_true(const Design& design) {
  SCOPED_TRACE(design.spec);
  const NetworkSize size = network_size(design.spec);
  EXPECT_EQ(size.terminals, design.terminals);
  EXPECT_EQ(size.routers, design.routers);
  EXPECT_EQ(size.cables, design.cables);
  EXPECT_GE(design.room, design.terminals);
  if (size.routers > 700) return;
  const Network net = make_network(design.spec);
  PropertiesOptions light;
  light.bisection.partitioner_seeds = 1;
  const Properties p = properties(net, light);
  EXPECT_EQ(p.radix, design.radix);
  EXPECT_EQ(p.terminals, design.terminals);
  // smaller where a family's smallest members are complete graphs
  if (design.diameter && size.routers > 4) {
    EXPECT_LE(p.distances.diameter, *design.diameter);
  }
  if (design.bisection && p.bisection) {
    EXPECT_LE(p.bisection->per_terminal, *design.bisection + 1e-9);
  }
}

TEST(DesignFamilies, EveryChoiceHasTheNumbersOfItsNetwork) {
  for (const DesignFamily& row : design_families()) {
    for (const DesignRule& rule :
         {DesignRule{14, 0, 1}, DesignRule{15, 0, 1.5}, DesignRule{11, 50, 1}, DesignRule{12, 90, 2}}) {
      std::uint32_t seen = 0;
      row.choices(rule, [&](const DesignChoice& choice) {
        ++seen;
        const std::string spec =
            fmt::format("{},{}={}", choice.spec(choice.parameters), row.each, choice.each);
        const NetworkSize size = network_size(spec);
        EXPECT_EQ(size.routers, choice.routers) << spec;
        EXPECT_EQ(size.cables, choice.cables) << spec;
        EXPECT_EQ(size.terminals, choice.carriers * choice.each) << spec;
        EXPECT_GE(size.terminals, rule.terminals) << spec;
        EXPECT_LE(choice.each, choice.balanced * rule.oversubscription + 1e-9) << spec;
        EXPECT_LE(std::max(choice.degree + choice.each, choice.widest), rule.radix) << spec;
      });
      EXPECT_GT(seen, 0U) << row.name << " " << rule.radix;
    }
  }
}

TEST(DesignFamilies, DesignsAreTheNetworksTheySay) {
  for (const DesignFamily& row : design_families()) {
    for (const double oversubscription : {1.0, 2.0}) {
      for (const std::uint32_t radix : {9U, 14U}) {
        if (const auto design = largest_design(row, radix, oversubscription)) expect_true(*design);
        if (const auto design = fitting_design(row, {radix, 77, oversubscription})) {
          expect_true(*design);
          EXPECT_EQ(design->terminals, 77U) << design->spec;
          EXPECT_LE(design->oversubscription, oversubscription) << design->spec;
        }
      }
    }
  }
}

/// What counts prove is not less than what distances prove, or than what cables of the fullest router carry.
TEST(DesignFamilies, CountsBoundThroughputAsDistancesDo) {
  std::uint32_t tight = 0, seen = 0;
  for (const DesignFamily& row : design_families()) {
    for (const DesignRule& rule : {DesignRule{9, 0, 1}, DesignRule{12, 0, 1}, DesignRule{12, 0, 2},
                                   DesignRule{12, 61, 1}, DesignRule{14, 100, 1.5}}) {
      const auto design = rule.terminals == 0 ? largest_design(row, rule.radix, rule.oversubscription)
                                              : fitting_design(row, rule);
      if (!design || design->routers > 700) continue;
      SCOPED_TRACE(design->spec);
      ASSERT_TRUE(design->throughput);
      const Network net = make_network(design->spec);
      std::size_t fullest = 0, cables = 0;
      for (const RouterId r : net.routers()) {
        if (net.terminals_at(r).size() < fullest) continue;
        if (net.terminals_at(r).size() > fullest) cables = 0;
        fullest = net.terminals_at(r).size();
        cables = std::max<std::size_t>(cables, net.out(r).size());
      }
      Progress quiet;
      const double measured = std::min(hose_bound(net, 1, quiet).throughput(),
                                       static_cast<double>(cables) / static_cast<double>(fullest));
      EXPECT_GE(*design->throughput, measured - 1e-9);
      ++seen;
      tight += *design->throughput < measured + 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 60U);
  EXPECT_GT(2 * tight, seen) << "more than half are what distances give";
}

TEST(Design, CountsGiveTheThroughputOfFatTrees) {
  for (const char* name : {"fattree2", "fattree3"}) {
    EXPECT_DOUBLE_EQ(*largest_design(family(name), 36)->throughput, 1) << name;
    EXPECT_DOUBLE_EQ(*fitting_design(family(name), {36, 480, 1})->throughput, 1) << name;
    EXPECT_DOUBLE_EQ(*fitting_design(family(name), {36, 480, 2})->throughput, 0.5) << name;
  }
  // ten sides of nine cables each: three hops of a permutation, nine terminals
  EXPECT_DOUBLE_EQ(*largest_design(family("hyperx3"), 36)->throughput, 27.0 / (3 * 9));
  EXPECT_DOUBLE_EQ(*largest_design(family("slimfly"), 36)->throughput, 25.0 / (2 * 11));
  EXPECT_FALSE(fitting_design(family("fattree2"), {36, 1, 1})->throughput) << "nothing to send to";
}

TEST(Design, OversubscriptionNeedsNoMoreRouters) {
  for (const DesignFamily& row : design_families()) {
    const auto once = fitting_design(row, {16, 200, 1});
    const auto twice = fitting_design(row, {16, 200, 2});
    if (!once) continue;
    ASSERT_TRUE(twice) << row.name;
    EXPECT_LE(twice->routers, once->routers) << row.name;
  }
  // a leaf of 24 terminals has 12 cables up
  const auto tree = fitting_design(family("fattree2"), {36, 480, 2});
  EXPECT_EQ(tree->spec, "xgft:m=20,w=12,p=24");
  EXPECT_DOUBLE_EQ(tree->oversubscription, 2);
}

TEST(Design, HasThePublishedScale) {
  // Figure 3 of Kathareios et al. 2015, recomputed for sizes that can be built
  struct Case {
    std::uint32_t radix;
    std::uint64_t fattree2, mlfm, oft, slimfly_floor, slimfly_ceil, slimfly, fattree3;
  };
  for (const Case& one :
       {Case{8, 32, 80, 104, 36, 54, 64, 128}, Case{12, 72, 252, 372, 150, 200, 200, 432},
        Case{18, 162, 810, 1314, 768, 768, 810, 1458}, Case{24, 288, 1872, 3192, 972, 1134, 1694, 3456},
        Case{36, 648, 6156, 11052, 6144, 6144, 6358, 11664},
        Case{64, 2048, 33792, 63552, 35322, 30618, 35322, 65536},
        Case{128, 8192, 266240, 469092, 219102, 224720, 275354, 524288}}) {
    const auto terminals = [&](const char* name) {
      return largest_design(family(name), one.radix)->terminals;
    };
    EXPECT_EQ(terminals("fattree2"), one.fattree2) << one.radix;
    EXPECT_EQ(terminals("mlfm"), one.mlfm) << one.radix;
    EXPECT_EQ(terminals("oft"), one.oft) << one.radix;
    EXPECT_EQ(terminals("slimfly-floor"), one.slimfly_floor) << one.radix;
    EXPECT_EQ(terminals("slimfly-ceil"), one.slimfly_ceil) << one.radix;
    EXPECT_EQ(terminals("slimfly"), one.slimfly) << one.radix;
    EXPECT_EQ(terminals("fattree3"), one.fattree3) << one.radix;
  }
}

TEST(Design, CostsWhatWasPublished) {
  for (const char* name : {"fattree2", "mlfm", "oft"}) {
    const auto design = largest_design(family(name), 24);
    EXPECT_NEAR(design->ports_per_terminal(), 3, 1e-9) << name;
    EXPECT_NEAR(design->links_per_terminal(), 2, 1e-9) << name;
  }
  EXPECT_NEAR(largest_design(family("fattree3"), 24)->ports_per_terminal(), 5, 1e-9);
  const auto floor = largest_design(family("slimfly-floor"), 28);
  EXPECT_EQ(floor->spec, "slimfly:q=13,p=9");
  EXPECT_NEAR(floor->ports_per_terminal(), 3.111, 5e-4);
  EXPECT_NEAR(floor->links_per_terminal(), 2.056, 5e-4);
}

TEST(Design, SmallestReachesTheEndpointsAndNoSmallerRadixDoes) {
  for (const DesignFamily& row : design_families()) {
    for (const std::uint64_t wanted : {1ULL, 100ULL, 3000ULL}) {
      const auto design = smallest_design(row, wanted);
      ASSERT_TRUE(design) << row.name;
      EXPECT_GE(design->terminals, wanted) << row.name;
      EXPECT_LE(10 * design->terminals, 13 * wanted) << row.name;
      EXPECT_EQ(make_network(design->spec).terminal_count(), design->terminals) << row.name;
      const auto smaller = largest_design(row, design->radix - 1);
      EXPECT_TRUE(!smaller || smaller->terminals < wanted) << row.name;
    }
  }
  EXPECT_FALSE(smallest_design(family("fattree2"), 1'000'000));
}

TEST(Design, OffersNothingBelowTheSmallestMember) {
  for (const DesignFamily& row : design_families()) EXPECT_FALSE(largest_design(row, 1)) << row.name;
}

}  // namespace
}  // namespace unknot
