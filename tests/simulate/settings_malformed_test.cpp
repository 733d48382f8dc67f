// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/malformed/settings, with the sentence it must give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

using ::testing::StartsWith;

struct Malformed {
  const char* file;
  const char* sentence;  ///< after the path; only its beginning where TOML's own reader says the rest
};

constexpr Malformed kMalformed[] = {
    {"not_toml.toml", ":1: "},
    {"unknown_key.toml", ":2: unknown key 'vc_bufer'; did you mean 'vc_buffer'?"},
    {"key_twice.toml", ":2: "},
    {"not_a_number.toml", ":1: 'vcs' is no number, expected a whole number from 0 to 32"},
    {"fraction.toml", ":2: 'vcs' is 2.5, expected a whole number from 0 to 32"},
    {"negative.toml", ":1: 'packet_flits' is -1, expected a whole number from 1 to 255"},
    {"zero_buffer.toml", ":1: 'vc_buffer' is 0, expected a whole number from 1 to 32767"},
    {"too_many_lanes.toml", ":1: 'vcs' is 33, expected a whole number from 0 to 32"},
    {"no_number.toml", ":1: 'link_ns' is nan, expected a number from 1e-06 to 1000000000"},
    {"infinite.toml", ":1: 'bandwidth_gbps' is inf, expected a number from 0.001 to 1000000"},
    {"boolean.toml", ":1: 'vcs' is no number, expected a whole number from 0 to 32"},
    {"router.toml", ":1: 'router' is 'output-queued', expected input-queued or input-output-queued"},
    {"switching.toml", ":1: 'switching' is no text, expected wormhole or virtual-cut-through"},
    {"cycles_and_ns.toml", ":2: 'link_latency' and 'link_ns' decide the same thing; give one of them"},
    {"buffers_twice.toml", ":2: 'buffer_kb' and 'output_buffer' decide the same thing; give one of them"},
    {"pipeline_twice.toml", ":2: 'st_delay' and 'switch_ns' decide the same thing; give one of them"},
    {"fast_switch.toml", ":1: 'switch_ns' is 2 ns, which is 2 steps of 1 ns, expected 3 to 10000 steps"},
    {"short_link.toml", ":3: 'link_ns' is 9 ns, which is 0.45 steps of 20 ns, expected 1 to 65535 steps"},
    {"packet_of_many_flits.toml",
     ":1: 'packet_bytes' is 4096, which is 512 flits of 8 bytes, expected at most 255"},
    {"small_buffer.toml", ":1: 'buffer_kb' is 0.001, which is 0 flits of 8 bytes, expected 1 to 1000000"},
    {"share_of_nothing.toml",
     ":2: 'port_buffer' is 7 flits for a port of 8 lanes, expected at least one for each"},
    {"cut_through.toml",
     ":3: a lane's buffer has 8 flits and a packet 16: virtual cut-through needs room for a whole packet"},
    {"unknown_preset.toml", ":1: unknown preset 'boksim'; did you mean 'booksim'?"},
    {"preset_number.toml", ":1: 'preset' is not text"},
    {"link_no_table.toml", ":1: 'link' is not a list of tables, each headed [[link]]"},
    {"link_numbers.toml", ":1: 'link' is not a list of tables, each headed [[link]]"},
    {"link_table.toml", ":1: 'link' is not a list of tables, each headed [[link]]"},
    {"link_no_match.toml", ":1: a link has no 'match', such as \"level:0\""},
    {"link_nothing.toml", ":1: link 'all': neither latency nor speed is given"},
    {"link_selector.toml",
     ":2: 'match' of a link is 'levels:0', expected all, channels, terminals, level:N, dimension:N, "
     "rate:RATE such as rate:4xEDR or rate:4x, or capacity:GBPS"},
    {"link_rate.toml",
     ":2: 'match' of a link is 'rate:5x', expected all, channels, terminals, level:N, dimension:N, "
     "rate:RATE such as rate:4xEDR or rate:4x, or capacity:GBPS"},
    {"link_level.toml",
     ":2: 'match' of a link is 'level:-1', expected all, channels, terminals, level:N, dimension:N, "
     "rate:RATE such as rate:4xEDR or rate:4x, or capacity:GBPS"},
    {"link_unknown.toml",
     ":3: unknown key 'delay' of a link; there are: match, latency, steps, ns, bandwidth, gbps, period"},
    {"link_twice.toml", ":4: a link has one of 'latency', 'steps' and 'ns'"},
    {"link_two_speeds.toml", ":4: a link has one of 'bandwidth', 'gbps' and 'period'"},
    {"link_fast.toml", ":3: 'bandwidth' of a link is not a part of the base speed, from 0.001 to 1"},
    {"link_faster.toml",
     ":2: link 'all': 200 Gb/s are more than the 100 Gb/s of other links; the fastest links set the base "
     "speed"},
    {"link_steps.toml",
     ":1: link 'all': its latency is in steps and that of other links in cycles; give 'link_steps' too, or "
     "'latency'"},
    {"link_period.toml", ":2: link 'all': a flit takes 1 steps of it, expected 2 (the speedup) to 65535"},
    {"link_half_cycle.toml",
     ":2: link 'all': a flit takes 3 steps of it, which is no whole number of cycles; give link_steps to "
     "leave "
     "the grid of cycles"},
};

TEST(MalformedSettings, EachGivesItsSentence) {
  const std::string folder = std::string(UNKNOT_TEST_DATA) + "/malformed/settings/";
  std::set<std::string> listed;
  for (const auto& [file, sentence] : kMalformed) {
    listed.insert(file);
    const std::string path = folder + file;
    try {
      SettingsDraft draft;
      draft.add(read_settings(path));
      (void)draft.resolve();
      ADD_FAILURE() << file << " was taken";
    } catch (const InputError& error) {
      const std::string expected = path + sentence;
      if (expected.ends_with(": ")) {
        EXPECT_THAT(error.what(), StartsWith(expected));
      } else {
        EXPECT_EQ(error.what(), expected);
      }
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_TRUE(listed.contains(entry.path().filename().string())) << entry.path() << " is not listed here";
}

}  // namespace
}  // namespace unknot::simulate
