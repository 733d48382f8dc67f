// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_keys.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using List = InFolder;

TEST_F(List, PresetsAndSettingsAreThoseOfTheirTables) {
  const auto presets = run("list presets --json").json()["presets"];
  ASSERT_EQ(presets.size(), simulate::presets().size());
  for (std::size_t i = 0; i < presets.size(); ++i) EXPECT_EQ(presets[i]["name"], simulate::presets()[i].name);

  const auto settings = run("list settings --json").json()["settings"];
  ASSERT_EQ(settings.size(), simulate::setting_keys().size());
  const std::string text = run("list settings").out;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const simulate::SettingKey& key = simulate::setting_keys()[i];
    EXPECT_EQ(settings[i]["name"], key.parameter.name);
    EXPECT_EQ(settings[i]["unit"], key.unit);
    EXPECT_EQ(settings[i]["default"], *key.parameter.fallback);
    EXPECT_THAT(text,
                HasSubstr("\n                      takes: " + simulate::range_text(key.parameter) + "\n"));
  }
  EXPECT_THAT(text, HasSubstr("vcs "));
  EXPECT_THAT(run("list presets").out,
              HasSubstr("settings: router = \"input-queued\", switching = \"wormhole\", "));
}

TEST_F(List, RefusesNearNames) {
  expect_refused("list preset", "'presets'");
  expect_refused("list setings", "'settings'");
}

}  // namespace
}  // namespace unknot::cli::test
