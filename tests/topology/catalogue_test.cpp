// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "topology/refusal.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/other_names.hpp"

namespace unknot {
namespace {

TEST(TopologyCatalogue, NamesAreUniqueAndEveryRowHasExamples) {
  std::set<std::string> names;
  for (const Topology& row : topologies()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.examples.empty()) << row.name;
    for (const std::string& spec : row.examples) EXPECT_EQ(spec.substr(0, spec.find(':')), row.name);
  }
}

TEST(TopologyCatalogue, TellsSpecsFromOtherNames) {
  EXPECT_TRUE(is_spec("torus:4x4"));
  EXPECT_TRUE(is_spec("torus"));
  EXPECT_TRUE(is_spec("deimos"));
  EXPECT_FALSE(is_spec("tours:4x4"));
  EXPECT_FALSE(is_spec("./torus.txt"));
  EXPECT_FALSE(is_spec(""));
}

TEST(TopologyCatalogue, UnknownNamesGetTheNearOnes) {
  EXPECT_EQ(refusal("tours:4x4"), "unknown topology 'tours'; did you mean 'torus'?");
  EXPECT_EQ(refusal("quux:4x4"), "unknown topology 'quux'; 'unknot list topologies' names them all");
  EXPECT_EQ(refusal("kautz:b=2,n=2,orientde=1"),
            "topology kautz has no parameter 'orientde'; did you mean 'oriented'?");
}

TEST(TopologyCatalogue, NamesOfOthersGetTheSpecThatIsTheSame) {
  EXPECT_EQ(refusal("cmesh:4x4"),
            "unknown topology 'cmesh'; a concentrated mesh is a mesh with several terminals on each router, "
            "here as 'mesh:4x4,p=4'");
  EXPECT_EQ(refusal("Rail-Only:4"), refusal("Rail-Only"));
  std::set<std::string_view> all;
  for (const OtherName& row : other_names()) {
    EXPECT_NO_THROW((void)make_network(row.spec)) << row.spec;
    EXPECT_GT(network_size(row.spec).terminals, 1U) << row.spec;
    for (const std::string_view name : row.names) {
      EXPECT_TRUE(all.insert(name).second) << name;
      EXPECT_EQ(find_other_name(name), &row) << name << ": capitals, or dashes";
      if (is_spec(name)) continue;  // "fat-tree" is no family, "fattree" one
      const std::string text = refusal(std::string(name) + ":4x4");
      EXPECT_TRUE(text.ends_with(std::string("'") + row.spec + "'")) << text;
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
    }
  }
  for (const char* name :
       {"tofu", "cmesh", "concentrated-mesh", "rail-only", "rail-optimized", "fat-tree", "leaf-spine",
        "spine-leaf", "folded-clos", "flattened-butterfly", "k-ary-n-cube", "dragonfly+", "CCC"}) {
    EXPECT_NE(find_other_name(name), nullptr) << name;
  }
  for (const auto& [name, family] :
       {std::pair("hyper-x", "hyperx"), std::pair("slim-fly", "slimfly"), std::pair("SlimFly", "slimfly"),
        std::pair("fullmesh", "full-mesh"), std::pair("k-ary-n-tree", "kary-ntree"),
        std::pair("de-bruijn", "debruijn")}) {
    EXPECT_THAT(refusal(name), testing::HasSubstr(std::string("did you mean '") + family + "'")) << name;
  }
}

TEST(TopologyCatalogue, FamiliesWhoseNameHasAnotherMeaningSayTheSpecOfThat) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal("clos:radix=8"), HasSubstr("; a folded Clos network of switches is 'fattree2:8'"));
  EXPECT_THAT(refusal("fattree:k=8"), HasSubstr("'fattree2:8' and 'fattree3:8'"));
  EXPECT_THAT(refusal("butterfly:4x4"), HasSubstr("is 'hyperx:4x4,p=4'"));
  for (const char* spec : {"fattree2:8", "fattree3:8", "hyperx:4x4,p=4"})
    EXPECT_NO_THROW((void)make_network(spec));
}

TEST(TopologyCatalogue, BothPlacementsAtOnceAreRefused) {
  EXPECT_EQ(refusal("torus:4x4,p=2,terminals=32"),
            "give p (terminals on each router) or terminals (in all), not both");
}

TEST(TopologyCatalogue, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
  using testing::HasSubstr;
  EXPECT_EQ(
      refusal("torus:4000000000x4000000000"),
      "topology torus:4000000000x4000000000 would have 16000000000000000000 routers; at most 20000000 are "
      "supported");
  EXPECT_THAT(refusal("mesh:4000000000x4000000000x4000000000"), HasSubstr("more than"));
  EXPECT_THAT(refusal("ring:4294967295"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("uniring:4294967295"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("hyperx:4294967295"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("hyperx:4294967295x4294967295x4294967295"), HasSubstr("more than"));
  EXPECT_THAT(refusal("hyperx:4x4,cables=4294967295"), HasSubstr("cables; at most"));
  EXPECT_THAT(refusal("hypercube:4294967295"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("hypercube:24"), HasSubstr("cables; at most"));
  EXPECT_THAT(refusal("xgft:m=4000000000x4000000000,w=4000000000x4000000000"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("kary-ntree:k=4294967295,n=64"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("kautz:b=4294967295,n=64"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("debruijn:b=4294967295,n=64"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("slimfly:q=4294967295"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("dragonfly:a=60000,h=60000"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("jellyfish:routers=4294967295,degree=4294967294"), HasSubstr("routers; at most"));
  EXPECT_THAT(refusal("random:switches=64,links=4294967295"), HasSubstr("cables; at most"));
  EXPECT_THAT(refusal("torus:4x4,terminals=4294967295"), HasSubstr("terminals; at most"));
  EXPECT_THAT(refusal("torus:4000x4000,p=4294967295"), HasSubstr("terminals; at most"));
  EXPECT_THAT(refusal("torus:2x2,p=65535"), HasSubstr("at most 65535 fit"));
  EXPECT_THAT(refusal("kautz:b=2,n=2,p=65535"), HasSubstr("more than 65535 ports"));
}

TEST(TopologyCatalogue, EachFamilySaysWhatItCannotBuild) {
  EXPECT_EQ(refusal("torus"), "topology torus: parameter dims is missing (size of each dimension, as 4x4x2)");
  EXPECT_EQ(refusal("torus:4x0"), "topology torus, parameter dims: 0 is outside 1 to 4294967295");
  EXPECT_EQ(refusal("xgft:m=4x4,w=2"),
            "topology xgft: m has 2 values and w has 1; each level needs one of both");
  EXPECT_EQ(refusal("jellyfish:routers=5,degree=5"),
            "topology jellyfish: degree 5 needs more than 5 routers");
  EXPECT_EQ(refusal("jellyfish:routers=6,degree=1"),
            "topology jellyfish: 6 routers of degree 1 cannot be connected");
  EXPECT_EQ(refusal("deimos:terminals=745"),
            "topology deimos has room for 744 terminals, and for 9 on each line crossbar");
  EXPECT_NE(refusal("deimos:p=10"), "");
  EXPECT_EQ(refusal("deimos:terminals=744"), "");
  EXPECT_EQ(refusal("odin:p=13"), "topology odin has room for 144 terminals, 12 on each line crossbar");
  EXPECT_EQ(refusal("odin:terminals=144"), "");
}

TEST(TopologyCatalogue, RandomRefusesTooFewAndTooManyLinks) {
  EXPECT_EQ(refusal("random:switches=64,links=62"),
            "topology random: 62 links are too few, 64 switches need at least 63 to be connected");
  EXPECT_EQ(refusal("random:switches=64,links=63,genmode=3"),
            "topology random: 63 links are too few, 64 switches need at least 64 to be a ring");
  EXPECT_EQ(
      refusal("random:switches=5,links=11"),
      "topology random: 11 links are too many, at most 10 fit 5 switches without parallel links (parallel=1 "
      "allows them)");
  EXPECT_EQ(refusal("random:switches=128,links=1025,terminals=2048,ports=32,parallel=1"),
            "topology random: 1025 links are too many, at most 1024 fit 128 switches");
  EXPECT_EQ(refusal("random:switches=4,links=4,p=3,ports=4"),
            "topology random: 4 ports a switch are too few for 3 terminals and 2 links on one");
  EXPECT_NE(refusal("random:switches=4,links=4,genmode=4"), "");
}

TEST(TopologyCatalogue, MangledSpecsAreBuiltOrRefused) {
  Random random(1);
  const std::string_view alphabet = "0123456789x,=:-.mwbnpqkahd ";
  int built = 0;
  int refused = 0;
  for (const Topology& row : topologies()) {
    for (const std::string& example : row.examples) {
      for (int round = 0; round < 300; ++round) {
        std::string values = example.substr(std::min(example.size(), row.name.size() + 1));
        for (std::uint32_t edits = 1 + random.below(3); edits > 0; --edits) {
          const std::uint32_t at = random.below(static_cast<std::uint32_t>(values.size()) + 1);
          const char letter = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
          if (at < values.size() && random.below(2) == 0) {
            values[at] = letter;
          } else {
            values.insert(at, 1, letter);
          }
        }
        try {
          const NetworkSize size = row.size(parse_parameters(row.name, row.parameters, values));
          if (size.routers > 3000 || size.cables > 3000 || size.terminals > 10'000) continue;
          const Network net = make_network(row.name + ":" + values);
          EXPECT_EQ(net.router_count(), size.routers) << row.name << ":" << values;
          EXPECT_EQ(net.terminal_count(), size.terminals) << row.name << ":" << values;
          ++built;
        } catch (const InputError& error) {
          EXPECT_STRNE(error.what(), "");
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(built, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace unknot
