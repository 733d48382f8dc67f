// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/follow_state.hpp"

#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "refusal.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/watch/follow/metrics.hpp"
#include "unknot/watch/follow/set_folder.hpp"
#include "watch/in_folder.hpp"

namespace unknot::watch {
namespace {

using ::testing::HasSubstr;

FollowState some_state() {
  FollowState state;
  state.taken = {{"a.fabric", 7}, {"b", 18446744073709551615ULL}};
  state.fabric = 3;
  state.tables = Dump{"b", "in/b/fabric", {"in/b/lfts", "in/b/lanes", ""}, true, 11};
  state.told = 4;
  state.dumps = 9;
  state.refused = 2;
  state.installed = 4;
  state.kept = 1;
  state.last_dump = "b";
  state.last_time = 1772337906.5;
  state.verdict = FollowVerdict::lost;
  state.lost_pairs = 12;
  state.cut_pairs = 12;
  state.changed_cables = 1;
  state.max_load = 44;
  state.lanes = 3;
  state.seconds = 0.25;
  return state;
}

TEST(State, ComesBack) {
  const std::string text = state_text(some_state());
  EXPECT_EQ(state_text(parse_state(text, "state.json")), text);
  const FollowState back = parse_state(text, "state.json");
  EXPECT_EQ(back.taken, some_state().taken);
  EXPECT_EQ(back.tables->tables.lanes, "in/b/lanes");
  EXPECT_EQ(back.verdict, FollowVerdict::lost);
  EXPECT_EQ(parse_state(state_text({}), "state.json").taken.size(), 0U);
}

TEST(State, ThatIsDamagedIsRefused) {
  const std::string text = state_text(some_state());
  const auto said = [](const std::string& damaged) {
    return refusal([&] { (void)parse_state(damaged, "state.json"); });
  };
  EXPECT_THAT(said(""), HasSubstr("state.json"));
  EXPECT_THAT(said("[]"), HasSubstr("expected the state of unknot watch --follow"));
  EXPECT_THAT(said(text.substr(0, text.size() / 2)), HasSubstr("state.json"));
  // Each member is looked at: none may be missing, or be of another kind.
  for (const char* name : {"version",   "taken",          "fabric",    "told",      "dumps",   "refused",
                           "installed", "kept",           "last_dump", "last_time", "verdict", "lost_pairs",
                           "cut_pairs", "changed_cables", "max_load",  "lanes",     "seconds", "name",
                           "folder",    "stamp",          "sl2vl",     "trees",     "groups"}) {
    const std::string key = std::string("\"") + name + "\":";
    const std::size_t at = text.find(key);
    ASSERT_NE(at, std::string::npos) << name;
    std::string other = text;
    other.replace(at + 1, 1, "X");
    EXPECT_THAT(said(other), HasSubstr(std::string("\"") + name + "\" is missing"));
    std::string kind = text;
    kind.insert(at + key.size(), " [1], \"more of it\":");
    EXPECT_THAT(said(kind), HasSubstr(std::string("\"") + name + "\": expected")) << kind;
  }
}

/// The rules of the text format as Prometheus states them, read by this test alone: value by sample.
std::map<std::string, double> samples_of(const std::string& text) {
  static const std::regex kComment("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  static const std::regex kSample(
      "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"[^\"\\\\]*\"\\})? "
      "(-?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)");
  EXPECT_TRUE(text.ends_with("\n"));
  std::map<std::string, double> samples;
  std::map<std::string, std::string> types;
  std::set<std::string> helped, closed;
  std::string family;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, kComment)) {
      if (match[2] != family) closed.insert(family);
      family = match[2];
      EXPECT_FALSE(closed.contains(family)) << "the lines of a family are together: " << line;
      const bool fresh =
          match[1] == "HELP" ? helped.insert(family).second : types.emplace(family, match[3]).second;
      EXPECT_TRUE(fresh) << line;
    } else if (std::regex_match(line, match, kSample)) {
      EXPECT_EQ(match[1], family) << line;
      EXPECT_TRUE(helped.contains(family) && types.contains(family)) << line;
      EXPECT_TRUE(samples.emplace(match[1].str() + match[2].str(), std::stod(match[3])).second) << line;
    } else {
      ADD_FAILURE() << "neither comment nor sample: " << line;
    }
  }
  for (const auto& [name, type] : types) {
    EXPECT_TRUE(type == "gauge" || type == "counter") << name;
    EXPECT_EQ(type == "counter", name.ends_with("_total")) << name;
  }
  return samples;
}

TEST(Metrics, KeepToTheTextFormat) {
  const auto samples = samples_of(metrics_text(some_state(), 5, 1772337910.25));
  EXPECT_EQ(samples.at("unknot_watch_verdict{verdict=\"lost\"}"), 1);
  EXPECT_EQ(samples.at("unknot_watch_verdict{verdict=\"proven\"}"), 0);
  EXPECT_EQ(samples.at("unknot_watch_lost_pairs"), 12);
  EXPECT_EQ(samples.at("unknot_watch_last_dump_timestamp_seconds"), 1772337906.5);
  EXPECT_EQ(samples.at("unknot_watch_last_look_timestamp_seconds"), 1772337910.25);
  EXPECT_EQ(samples.at("unknot_watch_installed_set"), 5);
  EXPECT_EQ(samples.at("unknot_watch_dumps_total"), 9);
  EXPECT_EQ(samples.at("unknot_watch_refused_dumps_total"), 2);
  (void)samples_of(metrics_text({}, 0, 0));
}

using Folders = test::InFolder;

TEST_F(Folders, KeepStateAndFabric) {
  const Network network = make_network("torus:3x3");
  {
    StateFolder folder(path("state"));
    EXPECT_FALSE(folder.fabric());
    folder.state().dumps = 5;
    folder.keep(&network);
    folder.keep(&network);
    EXPECT_THAT(refusal([&] { StateFolder again(path("state")); }), HasSubstr("another process follows"));
  }
  StateFolder folder(path("state"));
  EXPECT_EQ(folder.state().dumps, 5U);
  EXPECT_EQ(folder.fabric()->router_count(), 9U);
  EXPECT_FALSE(std::filesystem::exists(path("state/fabric-1")));
  EXPECT_TRUE(std::filesystem::exists(path("state/fabric-2")));
}

TEST_F(Folders, HaveOneSetInForce) {
  const auto fill = [](const char* text, bool good) {
    return [text, good](const std::string& folder) {
      std::ofstream(folder + "/lfts") << text;
      return good;
    };
  };
  {
    SetFolder sets(path("sets"));
    EXPECT_EQ(sets.number(), 0U);
    EXPECT_FALSE(sets.install(fill("bad", false)));
    EXPECT_EQ(sets.number(), 0U);
    EXPECT_TRUE(sets.install(fill("one", true)));
    EXPECT_EQ(content(path("sets/current/lfts")), "one");
    EXPECT_FALSE(sets.install(fill("bad", false)));
    EXPECT_EQ(content(path("sets/current/lfts")), "one");
    EXPECT_TRUE(sets.install(fill("two", true)));
    EXPECT_TRUE(sets.install(fill("three", true)));
    EXPECT_EQ(content(path("sets/current/lfts")), "three");
    EXPECT_EQ(content(path("sets/set-000002/lfts")), "two") << "somebody may be reading the one before";
    EXPECT_FALSE(std::filesystem::exists(path("sets/set-000001")));
  }
  // As a process that was killed leaves it: a set that never came into force, one half made.
  write("sets/set-000004/lfts", "four");
  write("sets/.new-set-000004/lfts", "fo");
  SetFolder sets(path("sets"));
  EXPECT_EQ(sets.number(), 3U);
  EXPECT_EQ(sets.current(), path("sets/set-000003"));
  EXPECT_FALSE(std::filesystem::exists(path("sets/set-000004")));
  EXPECT_FALSE(std::filesystem::exists(path("sets/.new-set-000004")));
}

TEST_F(Folders, OfSomebodyElseAreRefused) {
  write("sets/current", "a file");
  EXPECT_THAT(refusal([&] { SetFolder sets(path("sets")); }), HasSubstr("expected a symbolic link"));
}

}  // namespace
}  // namespace unknot::watch
