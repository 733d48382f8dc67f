// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/watch.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/operation/follow.hpp"
#include "unknot/cli/operation/watch_report.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

struct WatchCommandOptions {
  std::string before, after;
  TablesInput old_tables, new_tables;
  double load_rise = 10;  // percent
  std::uint32_t lines = 20;
  bool only_harm = false;
  FollowCommandOptions follow;
  std::vector<const CLI::Option*> of_two_dumps;  ///< options that --follow does not take
};

/// One moment of the fabric, under the LIDs that its tables go by.
struct Moment {
  Network own;      ///< as its file has it
  Network network;  ///< under the LIDs in force
  std::optional<Routing> routing;
  std::optional<LidMap> told;  ///< the LIDs that the tables go by, where they tell any
};

// Not load_fabric(): a fabric in parts is news, not bad input.
Moment read(const std::string& fabric, const TablesInput& input) {
  Moment moment;
  moment.own = read_fabric(fabric);
  moment.network = moment.own;
  if (input.tables.empty()) return moment;
  moment.routing = read_routing(moment.own, input, &moment.told);
  if (moment.told) moment.network = with_lids(moment.own, *moment.told);
  return moment;
}

/// Terminals that are where they were under their lowest LID, but have lost another one (LMC above 0): what
/// is sent to that one no longer arrives.
std::uint32_t lost_addresses(const LidMap& before, const LidMap& after, const NetworkChange& change) {
  std::uint32_t count = 0;
  std::vector<bool> counted(change.terminal_to_new.size(), false);
  for (std::uint32_t lid = 1; lid <= before.highest(); ++lid) {
    const Device device = before.at(lid);
    if (!device.is_terminal() || counted[device.index()]) continue;
    const std::uint32_t now = change.terminal_to_new[device.index()];
    if (now == NetworkChange::kGone || after.at(lid) == Device(Device::Kind::terminal, now)) continue;
    counted[device.index()] = true;
    ++count;
  }
  return count;
}

watch::TableFiles files_of(const TablesInput& input) {
  return {input.tables, input.lanes, input.lane_map};
}

Answer follow_command(const WatchCommandOptions& options, const Common& common) {
  for (const CLI::Option* option : options.of_two_dumps) {
    if (option->count() > 0)
      throw InputError(fmt::format("watch: {} is for two dumps, without --follow", option->get_name()));
  }
  if (options.before.empty() && !options.old_tables.tables.empty())
    throw InputError("watch: --old-tables are those of OLD, which is missing");
  watch::FollowOptions follow_options;
  if (!options.before.empty()) follow_options.old_fabric = read_fabric(options.before);
  follow_options.old_tables = files_of(options.old_tables);
  follow_options.load_rise = options.load_rise / 100;
  return follow(options.follow, std::move(follow_options), common);
}

Answer watch_command(const WatchCommandOptions& options, const Common& common) {
  check_follow_options(options.follow);
  if (options.follow.wanted()) return follow_command(options, common);
  if (options.after.empty())
    throw InputError("watch: give OLD and NEW, or --follow DIR; see unknot watch --help");
  if (options.before == "-" && options.after == "-")
    throw InputError("watch: only one of the two fabrics can come from standard input");
  Moment old_moment = read(options.before, options.old_tables);
  Moment new_moment = read(options.after, options.new_tables);
  // LIDs that only the tables of one moment tell are those of the other, unless the fabrics say otherwise.
  if (old_moment.told && !new_moment.told)
    new_moment.network = with_lids_kept(new_moment.network, old_moment.own, old_moment.network);
  if (new_moment.told && !old_moment.told)
    old_moment.network = with_lids_kept(old_moment.network, new_moment.own, new_moment.network);
  const Network& before = old_moment.network;
  const Network& after = new_moment.network;
  const std::optional<Routing>& old_routing = old_moment.routing;
  const std::optional<Routing>& new_routing = new_moment.routing;
  watch::WatchReport report;
  {
    ProgressBar bar(common);
    report = watch::watch(before, old_routing ? &*old_routing : nullptr, after,
                          new_routing ? &*new_routing : nullptr,
                          {.load_rise = options.load_rise / 100, .threads = common.threads}, bar);
  }
  if (old_moment.told && new_moment.told) {
    const std::uint32_t lost = lost_addresses(*old_moment.told, *new_moment.told, report.difference.change);
    if (lost > 0) {
      report.hurts.push_back(
          fmt::format("{} lost one of {} addresses",
                      lost == 1 ? "1 terminal has" : fmt::format("{} terminals have", lost),
                      lost == 1 ? "its" : "their"));
    }
  }
  if (common.json) {
    Json document;
    document["old"] = options.before;
    document["new"] = options.after;
    add_watch(document, before, after, report);
    return {report.hurts.empty() ? kYes : kNo, std::move(document), {}};
  }
  if (!options.only_harm || !report.hurts.empty()) {
    return {report.hurts.empty() ? kYes : kNo,
            {},
            watch_text(options.before, options.after, before, after, report, options.lines)};
  }
  return {report.hurts.empty() ? kYes : kNo};
}

/// Returns --AGE-tables.
CLI::Option* add_tables(CLI::App& app, const std::string& age, TablesInput& input) {
  auto* tables = app.add_option("--" + age + "-tables", input.tables,
                                "Third-party forwarding tables of the " + age + " fabric")
                     ->type_name("FILE");
  app.add_option("--" + age + "-lanes", input.lanes, "Service level of each path of these")
      ->type_name("FILE")
      ->needs(tables);
  app.add_option("--" + age + "-sl2vl", input.lane_map, "SL-to-VL tables of these")
      ->type_name("FILE")
      ->needs(tables);
  return tables;
}

Action declare_watch(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<WatchCommandOptions>();
  app.add_option("OLD", options->before, "The fabric as it was: a dump in any format, or a spec")
      ->type_name("");
  std::vector<const CLI::Option*>& of_two = options->of_two_dumps;
  of_two.push_back(app.add_option("NEW", options->after, "The fabric as it is")->type_name(""));
  add_tables(app, "old", options->old_tables);
  of_two.push_back(add_tables(app, "new", options->new_tables));
  app.add_option("--load-rise", options->load_rise,
                 "Percent by which the load of the busiest channel may rise before that hurts")
      ->check(number_between(0.0, 1e9))
      ->type_name("PERCENT")
      ->capture_default_str();
  of_two.push_back(app.add_option("--lines", options->lines,
                                  "Most parts of one kind that the text lists; --json has them all")
                       ->check(whole_number(0, 1'000'000))
                       ->type_name("N")
                       ->capture_default_str());
  of_two.push_back(app.add_flag("--only-harm", options->only_harm,
                                "Print nothing where nothing hurts: cron then sends no mail"));
  add_follow_options(app, options->follow);
  return [options, &common] { return watch_command(*options, common); };
}

}  // namespace

Command watch_row() {
  return {
      .name = "watch",
      .summary =
          "Compares two dumps of a fabric, or follows each new one: what changed, is it still deadlock-free",
      .details =
          R"(Routers are the same by GUID, terminals by port GUID, cables by the ports at both ends; the dumps may be of different
formats. With --old-tables the old routes are followed on the new fabric; --new-tables are checked there, alone and
together with the old ones.

--follow DIR is the service: each dump that appears is compared with the one before, the tables in force are proven on
it and, with --reroute, new ones are made, proven and installed. An event is a line of JSON: verdict (proven, lost,
deadlock, unknown), action (none, kept, rerouted, routed, refused), lost_pairs, changed_cables, lanes, max_load,
seconds, sentence. It ends with exit code 0 on SIGTERM. See docs/watch.md.

--json: hurts, changed, routers_gone, cables_gone, terminals_moved, ..., broken_pairs, old_tables_now, new_tables
{complete, deadlock_free, channel_load, ...}. Exit code 0: nothing hurts; 1: something does, or can deadlock; 2: bad input.)",
      .examples = {"unknot topology torus:4x4 -o old.json --format json",
                   "unknot topology old.json -o new.json --format json", "unknot watch old.json new.json"},
      .declare = declare_watch};
}

}  // namespace unknot::cli
