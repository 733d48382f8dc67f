// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/guidance_option.hpp"
#include "unknot/cli/routing/change/upkeep_option.hpp"
#include "unknot/cli/routing/management_option.hpp"
#include "unknot/watch/follow/follower.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// What `watch --follow` is told beside what `watch` takes.
struct FollowCommandOptions {
  std::string folder;   ///< of dumps
  std::string command;  ///< that writes a dump to standard output
  double every = 10;    ///< seconds
  bool once = false;
  std::string state, install, metrics, run_on_install;
  std::string engine = "unknot";
  UpkeepChoice upkeep;
  std::uint32_t virtual_lanes = 8;
  ManagementChoice management;
  GuidanceFiles guidance;
  bool trees = false;       ///< --multicast
  double time_limit = 300;  ///< seconds, of a command
  std::vector<const CLI::Option*> declared;
  [[nodiscard]] bool wanted() const { return !folder.empty() || !command.empty(); }
};

void add_follow_options(CLI::App& app, FollowCommandOptions& options);
/// InputError for an option that means nothing without --follow, or together with another one.
void check_follow_options(const FollowCommandOptions& options);

/// Follows until the user asks to stop: exit code 0, as it is meant to end so. With --once, 1 where a dump
/// was refused, or what is in force is not proven. `old` gives the fabric and the tables before the first
/// dump, where there are such, and how much load may rise.
Answer follow(const FollowCommandOptions& options, watch::FollowOptions old, const Common& common);

}  // namespace unknot::cli
