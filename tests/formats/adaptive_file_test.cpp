// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "effort.hpp"
#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "verify/random_relations.hpp"

namespace unknot {
namespace {

class AdaptiveFile : public test::TemporaryFolder {
 protected:
  [[nodiscard]] AdaptiveRouting written_and_read(const RandomRelation& one) const {
    write_adaptive_json(one.network, one.routing, path("relation"));
    return read_adaptive(one.network, {path("relation")});
  }
};

void expect_same_lanes(const Network& network, const LaneMap* a, const LaneMap* b) {
  ASSERT_EQ(a == nullptr, b == nullptr);
  if (a == nullptr) return;
  for (const RouterId r : network.routers())
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in)
      for (std::uint16_t out = 0; out <= network.port_count(r); ++out)
        EXPECT_EQ(a->get(r, in, out), b->get(r, in, out));
  for (const TerminalId t : network.terminals()) {
    const LaneMap::Row first{};
    const LaneMap::Row* mine = a->source(t);
    const LaneMap::Row* its = b->source(t);
    EXPECT_EQ(mine == nullptr ? first : *mine, its == nullptr ? first : *its);
  }
}

TEST_F(AdaptiveFile, HoldsAllOfARelation) {
  const std::uint64_t cases = fewer_cases() ? 40 : 1000;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRelation one = random_relation(seed, 8);
    const AdaptiveRouting back = written_and_read(one);
    EXPECT_EQ(back.source, one.routing.source);
    EXPECT_EQ(back.adaptive_levels, one.routing.adaptive_levels);
    EXPECT_EQ(back.fixed_levels, one.routing.fixed_levels);
    EXPECT_EQ(back.data_lanes, one.routing.data_lanes);
    ASSERT_EQ(back.planes.size(), one.routing.planes.size());
    for (std::size_t i = 0; i < back.planes.size(); ++i)
      EXPECT_TRUE(back.planes[i].same_ports(one.routing.planes[i]));
    ASSERT_EQ(back.plane_map == nullptr, one.routing.plane_map == nullptr);
    if (back.plane_map) {
      EXPECT_EQ(*back.plane_map, *one.routing.plane_map);
    }
    expect_same_lanes(one.network, back.lane_map.get(), one.routing.lane_map.get());
    expect_same_lanes(one.network, back.lane_steps.get(), one.routing.lane_steps.get());
    for (const RouterId r : one.network.routers()) EXPECT_EQ(back.has_steps(r), one.routing.has_steps(r));
    for (const TerminalId s : one.network.terminals())
      for (const TerminalId d : one.network.terminals())
        EXPECT_EQ(back.service_levels.get(s, d), one.routing.service_levels.get(s, d));
    if (HasFailure()) return;
  }
}

TEST_F(AdaptiveFile, IsRefusedInOneSentenceWhateverIsWrong) {
  const RandomRelation one = [] {
    for (std::uint64_t seed = 1;; ++seed) {
      RandomRelation tried = random_relation(seed, 5);
      if (tried.routing.plane_map && tried.routing.lane_map && tried.routing.lane_steps &&
          !tried.routing.service_levels.empty())
        return tried;
    }
  }();
  write_adaptive_json(one.network, one.routing, path("good"));
  const auto good = nlohmann::json::parse(read("good"));
  const auto sentence = [&](const nlohmann::json& damaged) {
    write("bad", damaged.dump());
    return refusal([&] { (void)read_adaptive(one.network, {path("bad")}); });
  };
  EXPECT_EQ(sentence(good), "");
  const auto with = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json damaged = good;
    damaged[nlohmann::json::json_pointer(pointer)] = value;
    return sentence(damaged);
  };
  using testing::HasSubstr;
  EXPECT_THAT(with("/version", 2), HasSubstr("'version' is not 1"));
  EXPECT_THAT(with("/network", "0x1"), HasSubstr("another network"));
  EXPECT_THAT(with("/network", 7), HasSubstr("'network' is not text"));
  EXPECT_THAT(with("/adaptive_levels", {16}), HasSubstr("is not a whole number from 0 to 15"));
  EXPECT_THAT(with("/data_lanes", 0), HasSubstr("'data_lanes' is not a whole number from 1 to 64"));
  EXPECT_THAT(with("/terminals/0", "0x99"), HasSubstr("terminal 0x0000000000000099 is not in the fabric"));
  EXPECT_THAT(with("/terminals/1", good["terminals"][0]), HasSubstr("is listed twice"));
  EXPECT_THAT(with("/planes", nlohmann::json::array()), HasSubstr("'planes' has 0 of them"));
  EXPECT_THAT(with("/planes/0/0/guid", "0x99"), HasSubstr("router 0x0000000000000099 is not in the fabric"));
  EXPECT_THAT(with("/planes/0/1/guid", good["planes"][0][0]["guid"]), HasSubstr("is twice in one plane"));
  EXPECT_THAT(with("/planes/0/0/groups", {{99}}),
              HasSubstr("a port of a group of S-0 is not a whole number"));
  EXPECT_THAT(with("/planes/0/0/groups", {5}), HasSubstr("a group of S-0 is not a list of ports"));
  EXPECT_THAT(with("/planes/0/0/choices/0", {"maybe", 1, 0}),
              HasSubstr("expected fixed, adaptive or hashed"));
  EXPECT_THAT(with("/planes/0/0/choices/0", {"fixed", 1, 0}), HasSubstr("expected [kind, port]"));
  EXPECT_THAT(with("/planes/0/0/choices/0", {"adaptive", 1, 999}), HasSubstr("the group of a choice of S-0"));
  EXPECT_THAT(with("/planes/0/0/choices/0", {"fixed", 999}), HasSubstr("the fixed port of a choice of S-0"));
  EXPECT_THAT(with("/planes/0/0/entries/0", 999), HasSubstr("an entry of S-0 is not a whole number"));
  EXPECT_THAT(with("/planes/0/0/entries", {0}), HasSubstr("expected one for each of"));
  const auto last = std::to_string(good["terminals"].size() - 1);
  EXPECT_THAT(with(("/planes/0/0/entries/" + last).c_str(), -2), HasSubstr("is not attached to S-0"));
  EXPECT_THAT(with("/planes_by", "port"), HasSubstr("'planes_by' is neither 'lane' nor 'level'"));
  EXPECT_THAT(with("/planes_of_ports/0/planes/0", 9), HasSubstr("an entry of 'planes'"));
  EXPECT_THAT(with("/planes_of_ports/0/in", 99), HasSubstr("'in' is not a whole number"));
  EXPECT_THAT(with("/sl_to_vl/0/lanes", {1, 2}), HasSubstr("'lanes' has 2 entries, expected 16"));
  EXPECT_THAT(with("/vl_to_vl/0/lanes/0", 16), HasSubstr("an entry of 'lanes'"));
  EXPECT_THAT(with("/service_levels/0/levels/0", 16), HasSubstr("a service level is not"));
  EXPECT_THAT(with("/service_levels/1/terminal", good["service_levels"][0]["terminal"]),
              HasSubstr("two rows"));
  for (const char* member :
       {"format", "version", "adaptive_levels", "fixed_levels", "terminals", "planes", "planes_by"}) {
    nlohmann::json damaged = good;
    damaged.erase(member);
    EXPECT_THAT(sentence(damaged), HasSubstr(std::string(member) == "format" ? "bad: " : "is missing"))
        << member;
  }
}

TEST_F(AdaptiveFile, ThatIsDamagedAnywhereGivesASentenceAtMost) {
  const RandomRelation one = random_relation(7, 5);
  write_adaptive_json(one.network, one.routing, path("good"));
  const std::string good = read("good");
  std::mt19937_64 random(1);
  const int cases = fewer_cases() ? 200 : 5000;
  for (int i = 0; i < cases; ++i) {
    std::string bad = good;
    const std::size_t at = random() % bad.size();
    switch (random() % 3) {
      case 0:
        bad[at] = static_cast<char>(' ' + random() % 95);
        break;
      case 1:
        bad.resize(at);
        break;
      default:
        bad.erase(at, 1 + random() % 20);
        break;
    }
    write("bad", bad);
    (void)refusal([&] { (void)read_adaptive(one.network, {path("bad")}); });
  }
}

TEST_F(AdaptiveFile, FilesOfOneFormAndFilesOfNoneAreRefused) {
  const RandomRelation one = random_relation(3, 4);
  write_adaptive_json(one.network, one.routing, path("a"));
  write_adaptive_json(one.network, one.routing, path("b"));
  write("c", "nothing of the kind\n");
  write("d", "");
  using testing::HasSubstr;
  const auto said = [&](const std::vector<std::string>& files) {
    return refusal([&] { (void)read_adaptive(one.network, files); });
  };
  EXPECT_THAT(said({path("a"), path("b")}), HasSubstr("are both of form json"));
  EXPECT_THAT(said({path("c")}), HasSubstr("no adaptive routing of a known form"));
  EXPECT_THAT(said({path("d")}), HasSubstr("the file is empty"));
  EXPECT_THAT(said({path("e")}), HasSubstr("e: "));
}

}  // namespace
}  // namespace unknot
