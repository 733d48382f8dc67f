// SPDX-License-Identifier: Apache-2.0
// Files of tables to several LIDs of a host with something wrong in them: one sentence each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "formats/addresses/addressed_samples.hpp"
#include "formats/table_samples.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using nlohmann::json;

/// Four LIDs of each terminal, lanes and SL-to-VL tables.
Routing small_routing(const Network& network) {
  Routing routing = test::some_routing(network, ServiceLevels::Rows::by_router, 4, 1);
  routing.lane_map = std::make_shared<const LaneMap>(test::some_lane_map(network, 1));
  for (std::uint64_t seed = 2; seed <= 4; ++seed)
    routing.further.push_back(test::some_routing(network, ServiceLevels::Rows::by_router, 4, seed));
  return routing;
}

std::string written(const Network& network, const char* format) {
  const test::ScratchFolder folder;
  write_tables(network, small_routing(network), format, folder.file("tables"));
  return test::bytes_of(folder.file("tables"));
}

struct Wrong {
  std::function<void(json&)> change;
  const char* sentence;
};

/// Terminals have LIDs 4 to 7, 12 to 15, 8 to 11 and 16 to 19, routers 1 to 3.
const std::vector<Wrong>& wrong_files() {
  static const std::vector<Wrong> all = {
      {[](json& j) { j["version"] = 1; }, "'further' is for version 2"},
      {[](json& j) {
         j["version"] = 1;
         j.erase("further");
       },
       "'further_lids' is for version 2"},
      {[](json& j) { j["version"] = 3; }, "'version' is neither 1 nor 2"},
      {[](json& j) { j.erase("further"); }, "'further' is missing"},
      {[](json& j) { j["further"] = json::object(); }, "'further' is not a list"},
      {[](json& j) { j["further"].erase(1); },
       "'further' has 2 entries, expected 3, one for each of the 'further_lids' of a terminal"},
      {[](json& j) { j["further"].push_back(j["further"][0]); },
       "'further' has 4 entries, expected 3, one for each of the 'further_lids' of a terminal"},
      {[](json& j) { j["further"][1] = 5; },
       "entry 2 of 'further': expected an object with 'routers' and 'service_levels'"},
      {[](json& j) { j["further"][1]["sl_to_vl"] = json::array(); },
       "entry 2 of 'further': member 'sl_to_vl', expected 'routers' and 'service_levels' alone"},
      {[](json& j) { j["further"][0].erase("routers"); }, "entry 1 of 'further': 'routers' is missing"},
      {[](json& j) { j["further"][2]["routers"].erase(2); },
       "entry 3 of 'further': 'routers' has 2 entries, expected one for each of the 3 routers of the "
       "fabric"},
      {[](json& j) { j["further"][2]["routers"][1] = j["further"][2]["routers"][0]; },
       "entry 3 of 'further': router leaf1 is listed twice"},
      {[](json& j) { j["further"][0]["routers"][0].erase("ports"); },
       "entry 1 of 'further': 'ports' is missing"},
      {[](json& j) { j["further"][0]["routers"][0]["ports"].erase(0); },
       "entry 1 of 'further': 'ports' of leaf1 has 3 entries, expected one for each of 4 terminals"},
      {[](json& j) { j["further"][0]["routers"][0]["ports"][2] = "5"; },
       "entry 1 of 'further': a port of leaf1 is not a whole number"},
      {[](json& j) { j["further"][0]["routers"][0]["ports"][2] = 9; },
       "entry 1 of 'further': a port of leaf1 is outside -1 to 8"},
      {[](json& j) { j["further"][1]["service_levels"][0]["levels"][1] = 16; },
       "entry 2 of 'further': a service level is outside 0 to 15"},
      {[](json& j) { j["further"][1]["service_levels"].erase(0); },
       "entry 2 of 'further': 'service_levels' lacks the row of a source"},
      {[](json& j) { j["service_levels"][0]["levels"][1] = 16; }, "a service level is outside 0 to 15"},
      {[](json& j) { j["routes"] = json::array(); },
       "source routes ('routes') lead to one address of a terminal, expected version 1"},
      {[](json& j) { j["terminals"].erase(3); },
       "'terminals' has 3 entries, expected one for each of the 4 terminals of the fabric"},
      {[](json& j) { j["routers"].erase(0); },
       "'routers' has 2 entries, expected one for each of the 3 routers of the fabric"},
      {[](json& j) { j["terminals"][0].erase("lid"); }, "'lid' is missing"},
      {[](json& j) { j["terminals"][0].erase("further_lids"); }, "'further_lids' is missing"},
      {[](json& j) { j["terminals"][0]["further_lids"] = 5; }, "'further_lids' is not a list"},
      {[](json& j) { j["terminals"][0]["further_lids"] = json::array(); },
       "'further_lids' of n1 has 0 LIDs, expected 1 to 127"},
      {[](json& j) { j["terminals"][0]["further_lids"] = std::vector<int>(128, 5); },
       "'further_lids' of n1 has 128 LIDs, expected 1 to 127"},
      {[](json& j) { j["terminals"][2]["further_lids"].erase(2); },
       "'further_lids' of n3 has 2 LIDs, expected 3 as of the terminals above"},
      {[](json& j) {
         j["terminals"][0]["further_lids"] = {6, 5, 7};
       },
       "'further_lids' of n1 has 5 after 6, expected them in ascending order above 'lid'"},
      {[](json& j) {
         j["terminals"][0]["further_lids"] = {4, 5, 6};
       },
       "'further_lids' of n1 has 4 after 4, expected them in ascending order above 'lid'"},
      {[](json& j) { j["terminals"][0]["further_lids"][2] = 49152; },
       "a LID of 'further_lids' of n1 is outside 1 to 49151"},
      {[](json& j) { j["terminals"][0]["further_lids"][2] = "7"; },
       "a LID of 'further_lids' of n1 is not a whole number"},
      {[](json& j) { j["terminals"][0]["lid"] = 49152; }, "'lid' is outside 1 to 49151"},
      {[](json& j) {
         j["terminals"][2]["lid"] = 7;
         j["terminals"][2]["further_lids"] = {8, 9, 10};
       },
       "terminals n1 and n3 have the same 'lid' 7"},
      {[](json& j) { j["routers"][0]["lid"] = 5; }, "n1 and leaf1 have the same 'lid' 5"},
      {[](json& j) { j["routers"][1]["lid"] = 49152; }, "'lid' is outside 1 to 49151"},
      {[](json& j) { j["routers"][1].erase("lid"); }, "2 of 3 routers have a 'lid', expected all or none"},
      {[](json& j) { j["sl_to_vl"][0]["lanes"][3] = 16; }, "a lane is outside 0 to 15"},
  };
  return all;
}

TEST(AddressedMalformed, JsonGivesItsSentence) {
  const Network network = test::small_fabric();
  const json good = json::parse(written(network, "json"));
  EXPECT_EQ(test::error_of([&] { (void)read_table_json(network, good.dump(), "f"); }), "");
  for (const Wrong& wrong : wrong_files()) {
    json file = good;
    wrong.change(file);
    EXPECT_EQ(test::error_of([&] { (void)read_table_json(network, file.dump(), "f"); }),
              std::string("f: ") + wrong.sentence);
  }
}

TEST(AddressedMalformed, RoutersNeedNoLid) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  json file = json::parse(written(network, "json"));
  for (json& router : file["routers"]) router.erase("lid");
  std::optional<LidMap> told;
  (void)read_routing(network, folder.put("f", file.dump()), "", "", &told);
  EXPECT_EQ(told->further(), 3U);
  EXPECT_EQ(told->of(RouterId(2)), 3U);  // the fabric's, which no terminal has here
}

/// As many bytes as the name of the engine takes, and what precedes the LIDs.
std::size_t lids_at(const std::string& text) {
  constexpr std::size_t kName = 40;
  std::uint32_t length = 0;
  std::memcpy(&length, text.data() + kName, sizeof length);
  return kName + sizeof length + length;
}

TEST(AddressedMalformed, BinaryGivesItsSentence) {
  const Network network = test::small_fabric();
  const std::string good = written(network, "binary");
  const std::size_t lids = lids_at(good);       // of four terminals
  const std::size_t count = lids + 4 * 4;       // of further addresses
  const std::size_t routers = count + 4;        // three LIDs
  const std::size_t further = routers + 3 * 4;  // three times four
  const std::size_t kind = further + 12 * 4;    // of service levels, and whether there are SL-to-VL tables
  const std::size_t levels = kind + 8 + 12;     // of two routers, after the first tables
  const std::size_t second = levels + 8;
  const auto error = [&](std::size_t at, std::uint32_t value) {
    std::string text = good;
    std::memcpy(text.data() + at, &value, sizeof value);
    return test::error_of([&] { (void)read_table_binary(network, test::with_right_checksum(text), "f"); });
  };
  EXPECT_EQ(test::error_of([&] { (void)read_table_binary(network, good, "f"); }), "");
  EXPECT_EQ(error(8, 4), "f: version 4 of binary tables, expected 2 or 3");
  EXPECT_EQ(error(lids, 49152), "f: LID 49152 of n1, expected 1 to 49151");
  EXPECT_EQ(error(lids, 0), "f: LID 0 of n1, expected 1 to 49151");
  EXPECT_EQ(error(count, 0), "f: 0 further addresses of a terminal, expected 1 to 127");
  EXPECT_EQ(error(count, 128), "f: 128 further addresses of a terminal, expected 1 to 127");
  EXPECT_NE(error(count, 2), "");
  EXPECT_NE(error(count, 127), "");
  EXPECT_EQ(error(routers, 0), "f: LID 0 of leaf1, expected 1 to 49151");
  EXPECT_EQ(error(routers, 12), "f: LID 12 is given twice");
  EXPECT_EQ(error(further, 4), "f: LID 4 of n1, expected 5 to 49151");
  EXPECT_EQ(error(further, 12), "f: LID 12 is given twice");
  EXPECT_EQ(error(further + 4 * 4, 5), "f: LID 5 of n1, expected 6 to 49151");
  EXPECT_EQ(error(further + 8 * 4, 49152), "f: LID 49152 of n1, expected 7 to 49151");
  EXPECT_EQ(error(kind, 3), "f: unknown kind of service levels");
  EXPECT_EQ(error(levels, 0x10101010), "f: a service level is out of range");
  EXPECT_EQ(error(second, 3), "f: unknown kind of service levels");
  EXPECT_EQ(error(second + 4, 0x7F7F7F7F), "f: an entry of leaf1 names a channel it does not have");
  EXPECT_EQ(error(second + 4, 0xFEFEFEFE), "f: an entry of leaf1 delivers a terminal of another router");
  EXPECT_EQ(error(second + 4 + 12, 0x10101010), "f: a service level is out of range");
}

/// With a checksum that fits, so that what comes behind it is looked at.
TEST(AddressedMalformed, BinaryThatEndsEarlyIsNeverTaken) {
  const Network network = test::small_fabric();
  const std::string good = written(network, "binary");
  for (std::size_t size = 8; size < good.size(); ++size) {
    const std::string cut = test::with_right_checksum(good.substr(0, size));
    const std::string sentence = test::error_of([&] { (void)read_table_binary(network, cut, "f"); });
    EXPECT_NE(sentence, "") << size;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(AddressedMalformed, DamageGivesAtMostASentence) {
  const Network network = test::small_fabric();
  const auto survives = [&](const char* format, const std::string& damaged) {
    try {
      if (std::string(format) == "json") {
        (void)read_table_json(network, damaged, "f");
        (void)table_json_lids(network, damaged, "f");
      } else {
        (void)read_table_binary(network, test::with_right_checksum(damaged), "f");
      }
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }  // anything else fails the test
  };
  for (const char* format : {"json", "binary"}) {
    const std::string text = written(network, format);
    const std::size_t step = 1 + text.size() / 70;
    for (std::size_t at = 0; at + 8 < text.size(); at += step) {
      if (std::string(format) == "json") survives(format, text.substr(0, at));
      for (const char byte : {'\0', '\n', '9', 'f', '\xff', static_cast<char>(text[at] ^ 1)}) {
        std::string damaged = text;
        damaged[at] = byte;
        survives(format, damaged);
      }
    }
  }
}

}  // namespace
}  // namespace unknot
