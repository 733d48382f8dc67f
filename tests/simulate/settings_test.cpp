// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "patterns.hpp"
#include "refusal.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ResolvedSettings resolved(const std::string& preset, const std::string& text,
                          const std::vector<std::string>& set = {}) {
  SettingsDraft draft;
  if (!preset.empty()) draft.add(preset_layer(preset));
  draft.add(parse_settings(text, "s.toml"));
  draft.add(parse_assignments(set));
  return draft.resolve();
}

TEST(Settings, DefaultsAreGoodAndThoseOfTheKeys) {
  EXPECT_FALSE(trouble(Settings{}));
  EXPECT_EQ(resolved("", "").settings, Settings{});
  // The default that a key states is the one that the struct has: setting it changes nothing.
  for (const SettingKey& key : setting_keys()) {
    if (key.parameter.fallback->empty()) continue;
    const ResolvedSettings same = resolved("", "", {key.parameter.name + "=" + *key.parameter.fallback});
    EXPECT_EQ(same.settings, Settings{}) << key.parameter.name;
  }
}

TEST(Settings, EveryQuantityHasAKeyThatIsWritten) {
  std::set<Quantity> written;
  std::set<std::string> names;
  for (const SettingKey& key : setting_keys()) {
    EXPECT_TRUE(names.insert(key.parameter.name).second) << key.parameter.name;
    EXPECT_FALSE(key.parameter.help.empty());
    EXPECT_FALSE(key.decides.empty());
    EXPECT_NE(key.set, nullptr);
    if (key.get != nullptr) written.insert(key.decides.begin(), key.decides.end());
  }
  EXPECT_EQ(written.size(), kQuantities);
}

TEST(Settings, BookSim) {
  EXPECT_EQ(resolved("booksim", "").settings, Settings{});
  EXPECT_THAT(resolved("booksim", "").notes, IsEmpty());
}

TEST(Settings, PaperInPacketsOf256Bytes) {
  const ResolvedSettings paper = resolved("paper-sc15", "");
  const Settings& s = paper.settings;
  EXPECT_EQ(s.router, RouterKind::input_output_queued);
  EXPECT_EQ(s.switching, Switching::virtual_cut_through);
  EXPECT_EQ(s.packet_flits, 1U);
  EXPECT_DOUBLE_EQ(s.cycle_ns, 20.48);
  EXPECT_EQ(s.link_steps, 5U);
  EXPECT_EQ(s.terminal_steps, 5U);
  EXPECT_EQ(pipeline_steps(s), 10U);
  EXPECT_EQ(s.routing_delay, 0U);
  EXPECT_EQ(s.port_buffer, 400U);
  EXPECT_EQ(s.port_output_buffer, 400U);
  EXPECT_EQ(s.warmup, 977U);
  EXPECT_EQ(s.measure, 9766U);
  EXPECT_EQ(s.vcs, 0U);
  EXPECT_THAT(
      paper.notes,
      ElementsAre("switch_ns: 100 ns are 9.76562 steps of 10.24 ns, taken as 10 (102.4 ns, +2.4 %)",
                  "link_ns: 50 ns are 4.88281 steps of 10.24 ns, taken as 5 (51.2 ns, +2.4 %)",
                  "terminal_ns: 50 ns are 4.88281 steps of 10.24 ns, taken as 5 (51.2 ns, +2.4 %)",
                  "warmup_us: 20 us are 976.562 cycles of 0.02048 us, taken as 977 (20.009 us, +0.045 %)",
                  "measure_us: 200 us are 9765.62 cycles of 0.02048 us, taken as 9766 (200.008 us, "
                  "+0.0038 %)"));
  const Settings two = for_lanes(s, 2);
  EXPECT_EQ(two.vcs, 2U);
  EXPECT_EQ(two.vc_buffer, 200U);
  EXPECT_EQ(two.output_buffer, 200U);
  EXPECT_EQ(for_lanes(s, 4).vc_buffer, 100U);
}

TEST(Settings, PaperInFlitsOf64Bytes) {
  const Settings s = for_lanes(resolved("paper-sc15-flits", "").settings, 4);
  EXPECT_DOUBLE_EQ(s.cycle_ns, 5.12);
  EXPECT_EQ(s.packet_flits, 4U);
  EXPECT_EQ(s.link_steps, 20U);
  EXPECT_EQ(pipeline_steps(s), 39U);
  EXPECT_EQ(s.vc_buffer, 400U);
  EXPECT_EQ(s.arbitration, Arbitration::packets);
}

TEST(Settings, WholePacketsNeedRoomForThem) {
  const std::string what = "arbitration = \"packets\" needs ";
  Settings s;
  s.arbitration = Arbitration::packets;
  EXPECT_EQ(refusal([&] { check(s); }), what + "router = \"input-output-queued\"");
  s.router = RouterKind::input_output_queued;
  EXPECT_EQ(refusal([&] { check(s); }), what + "switching = \"virtual-cut-through\"");
  s.switching = Switching::virtual_cut_through;
  EXPECT_FALSE(trouble(s));
  s.routing_delay = 2;
  EXPECT_EQ(refusal([&] { check(s); }), what + "a routing_delay of 0 or 1");
}

TEST(Settings, LanesThatTheRoutingNeeds) {
  Settings s;
  EXPECT_EQ(for_lanes(s, 4), s);
  EXPECT_EQ(refusal([&] { (void)for_lanes(s, 5); }),
            "the routing needs 5 lanes and 'vcs' is 4; give at least 5, or 0 for as many as are needed");
  s.vcs = 0;
  EXPECT_EQ(for_lanes(s, 5).vcs, 5U);
  EXPECT_EQ(for_lanes(s, 32).vcs, 32U);
  for (s.vcs = 0; s.vcs <= 32; s.vcs += 32) {
    EXPECT_EQ(refusal([&] { (void)for_lanes(s, 33); }),
              "the routing needs 33 lanes, and a port is simulated with at most 32");
  }
  s.vcs = 0;
  s.port_buffer = 7;
  EXPECT_EQ(for_lanes(s, 3).vc_buffer, 2U);
  EXPECT_THAT(refusal([&] { (void)for_lanes(s, 8); }), HasSubstr("7 flits of input buffer a port"));
  s.switching = Switching::virtual_cut_through;
  s.packet_flits = 3;
  EXPECT_FALSE(trouble(s));
  EXPECT_THAT(refusal([&] { (void)for_lanes(s, 3); }), HasSubstr("virtual cut-through"));
}

TEST(Settings, LaterLayersReplaceTheSameThingInAnyUnits) {
  const Settings s = for_lanes(
      resolved("paper-sc15", "link_latency = 3\nvc_buffer = 9\n", {"st_delay=4", "vcs=3"}).settings, 2);
  EXPECT_EQ(s.link_steps, 6U);      // three whole cycles, since the links of terminals are off the grid
  EXPECT_EQ(s.terminal_steps, 5U);  // untouched
  EXPECT_EQ(s.vc_buffer, 9U);
  EXPECT_EQ(s.output_buffer, 133U);  // still a share of 100 KB
  EXPECT_EQ(s.st_delay, 4U);
  EXPECT_EQ(s.routing_delay, 0U);  // still of switch_ns
  EXPECT_EQ(resolved("", "buffer_kb = 1\n", {"buffer_kb=2"}).settings.vc_buffer, 64U);
}

TEST(Settings, PresetsInFiles) {
  EXPECT_EQ(resolved("", "preset = \"paper-sc15\"\nspeedup = 4\n").settings.link_steps, 10U);
  EXPECT_EQ(
      refusal([] { (void)resolved("booksim", "\npreset = \"paper-sc15\"\n"); }),
      "s.toml:2: 'preset' is \"paper-sc15\", and preset booksim is asked for already; give one of them");
}

TEST(Settings, AssignmentsAreChecked) {
  const auto refused = [](const std::vector<std::string>& set) {
    return refusal([&] { (void)resolved("", "", set); });
  };
  EXPECT_EQ(refused({"vcs"}), "--set: expected key=value, not 'vcs'");
  EXPECT_EQ(refused({"vcs=", "seed=1"}), "--set: 'vcs' is empty, expected a whole number from 0 to 32");
  EXPECT_EQ(refused({"vcs=4x"}), "--set: 'vcs' is 4x, expected a whole number from 0 to 32");
  EXPECT_EQ(refused({"vcs=99999999999999999999"}),
            "--set: 'vcs' is 99999999999999999999, expected a whole number from 0 to 32");
  EXPECT_EQ(refused({"vcs=4", "vcs=4"}), "--set: 'vcs' is given twice");
  EXPECT_THAT(refused({"lanes=4"}),
              HasSubstr("--set: unknown key 'lanes'; there are: router, switching, arbitration, vcs"));
  EXPECT_EQ(refused({"link_ns=3", "link_steps=3"}),
            "--set: 'link_ns' and 'link_steps' decide the same thing; give one of them");
  EXPECT_EQ(resolved("", "", {"seed=18446744073709551615"}).settings.seed, ~std::uint64_t{0});
}

TEST(Settings, HandMadeOnesAreCheckedToo) {
  const auto wrong = [](auto change) {
    Settings s;
    change(s);
    return refusal([&] { check(s); });
  };
  EXPECT_EQ(wrong([](Settings& s) { s.vc_buffer = 0; }),
            "'vc_buffer' is 0, expected a whole number from 1 to 32767");
  EXPECT_THAT(wrong([](Settings& s) { s.output_buffer = 0; }), HasSubstr("'output_buffer' is 0"));
  EXPECT_THAT(wrong([](Settings& s) { s.packet_flits = 256; }), HasSubstr("'packet_flits' is 256"));
  EXPECT_THAT(wrong([](Settings& s) { s.speedup = 9; }), HasSubstr("'speedup' is 9"));
  EXPECT_THAT(wrong([](Settings& s) { s.speedup = 0; }), HasSubstr("'speedup' is 0"));
  EXPECT_THAT(wrong([](Settings& s) { s.sw_alloc_delay = 0; }), HasSubstr("'sw_alloc_delay' is 0"));
  EXPECT_THAT(wrong([](Settings& s) { s.measure = 0; }), HasSubstr("'measure' is 0"));
  EXPECT_THAT(wrong([](Settings& s) { s.cycle_ns = std::nan(""); }), HasSubstr("'cycle_ns' is nan"));
  EXPECT_THAT(wrong([](Settings& s) {
                s.router = RouterKind::input_output_queued;
                s.switching = Switching::virtual_cut_through;
                s.packet_flits = s.vc_buffer = 9;
              }),
              HasSubstr("a lane's output buffer has 8 flits and a packet 9"));
  EXPECT_THAT(wrong([](Settings& s) { s.link_steps = 3; }), HasSubstr("all or none"));
  EXPECT_THAT(wrong([](Settings& s) { s.link_steps = s.terminal_steps = 70'000; }),
              HasSubstr("more than 65535"));
  EXPECT_THAT(wrong([](Settings& s) {
                s.link_classes.push_back({"nowhere", 1, 0});
              }),
              HasSubstr("'nowhere'"));
  EXPECT_THAT(wrong([](Settings& s) { s.link_classes.push_back({"all", 0, 0}); }), HasSubstr("neither"));
}

TEST(Settings, TextReadBackGivesTheSame) {
  const auto back = [](const Settings& s) {
    SettingsDraft draft;
    draft.add(parse_settings(settings_text(s), "again"));
    const ResolvedSettings read = draft.resolve();
    EXPECT_THAT(read.notes, IsEmpty());
    return read.settings;
  };
  for (const Preset& preset : presets()) {
    const Settings s =
        resolved(preset.name, "[[link]]\nmatch = \"all\"\nns = 77\nbandwidth = 0.3\n").settings;
    EXPECT_EQ(back(s), s) << preset.name;
    EXPECT_EQ(back(for_lanes(s, 4)), for_lanes(s, 4)) << preset.name;
  }
  // Random values of random keys, as many as are good together.
  int good = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    Random random(1, i);
    std::set<Quantity> taken;
    std::vector<std::string> set;
    for (const SettingKey& key : setting_keys()) {
      const Parameter& p = key.parameter;
      if (random.below(2) == 0 ||
          std::any_of(key.decides.begin(), key.decides.end(), [&](Quantity q) { return taken.contains(q); }))
        continue;
      taken.insert(key.decides.begin(), key.decides.end());
      std::string value;
      if (p.kind == ParameterKind::text) {
        value = p.choices[random.below(static_cast<std::uint32_t>(p.choices.size()))];
      } else if (p.name == "seed") {
        value = std::to_string(random.next64());
      } else if (p.kind == ParameterKind::number) {
        value = std::to_string(static_cast<std::uint64_t>(p.min) +
                               random.below(static_cast<std::uint32_t>(std::min(p.max - p.min, 200.0)) + 1));
      } else {
        value = std::to_string(1 + random.unit() * 1000);
      }
      set.push_back(p.name + "=" + value);
    }
    try {
      const Settings s = resolved("", "", set).settings;
      EXPECT_EQ(back(s), s) << settings_text(s);
      ++good;
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): values that do not fit together
    }
  }
  EXPECT_GT(good, 60);
}

TEST(Settings, TableInTheDocsIsTheTableOfKeys) {
  std::ifstream docs(std::string(UNKNOT_SOURCE_DIR) + "/docs/simulation.md");
  ASSERT_TRUE(docs);
  std::vector<std::string> rows;
  for (std::string line; std::getline(docs, line);) {
    if (!match_of(line, R"(\| `(\w+)` \| (.*) \| (.*) \| (.*) \| (.*) \|)").empty()) rows.push_back(line);
  }
  std::vector<std::string> expected;
  for (const SettingKey& key : setting_keys()) {
    const Parameter& p = key.parameter;
    expected.push_back("| `" + p.name + "` | " + key.unit + " | " + range_text(p) + " | " + *p.fallback +
                       " | " + p.help + " |");
  }
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace unknot::simulate
