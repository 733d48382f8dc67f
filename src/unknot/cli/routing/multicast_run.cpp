// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/multicast_run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShown = 8;  // members that a text names

void add_groups_option(CLI::App& app, MulticastChoice& choice, const std::string& what) {
  app.add_option("--multicast-groups", choice.groups,
                 what +
                     ": lines '0xC001 [sl=N] MEMBERS' (nodes, port GUIDs or all), opensm-sa.dump, or "
                     "what saquery -g prints")
      ->type_name("FILE");
}

/// The groups of the choice, as they are named in `whole`, in `network`.
std::vector<MulticastGroupSpec> groups_of(const Network& whole, const Network& network,
                                          const MulticastChoice& choice) {
  std::vector<MulticastGroupSpec> all = read_multicast_groups(whole, choice.groups);
  return &whole == &network ? all : carried_over(whole, std::move(all), network);
}

/// Groups that want a tree, and the levels that they are told, of any class of service.
struct Wishes {
  std::vector<MulticastWish> groups;
  std::vector<std::optional<std::uint8_t>> told;  ///< by group
};

Wishes wishes(const Network& network, const MulticastChoice& choice, std::uint32_t lanes) {
  Wishes all;
  if (choice.groups.empty()) return {{all_hosts(network)}, {std::nullopt}};
  const Network& whole = choice.whole == nullptr ? network : *choice.whole;
  const std::uint32_t levels = std::max(lanes, choice.classes.lanes());
  for (MulticastGroupSpec& spec : groups_of(whole, network, choice)) {
    if (spec.members.empty()) continue;  // OpenSM keeps groups that everybody has left
    MulticastWish wish{spec.lid, std::nullopt, std::move(spec.members)};
    if (spec.level_told) {
      require_data_level(choice.groups, spec.lid, spec.level);
      if (spec.level >= levels) {
        throw InputError(
            fmt::format("{}: group 0x{:04x} has service level {}, and there are {} lane{} (--vls)",
                        choice.groups, spec.lid, spec.level, levels, levels == 1 ? "" : "s"));
      }
      // Every class does on its levels what the first does: a tree of that one is a tree of any.
      wish.level = static_cast<std::uint8_t>(spec.level % lanes);
    }
    all.told.push_back(spec.level_told ? std::optional(spec.level) : std::nullopt);
    all.groups.push_back(std::move(wish));
  }
  return all;
}

const char* kind_text(MulticastFinding::Kind kind) {
  switch (kind) {
    case MulticastFinding::Kind::lost:
      return "lost";
    case MulticastFinding::Kind::repeated:
      return "repeated";
    case MulticastFinding::Kind::loop:
      return "loop";
  }
  return "";
}

}  // namespace

std::uint32_t MulticastRun::lanes() const {
  std::uint32_t lanes = 0;
  for (const MulticastGroup& group : tables.groups) lanes = std::max(lanes, group.level() + 1U);
  return lanes;
}

void add_multicast_options(CLI::App& app, MulticastChoice& choice) {
  app.add_option(
         "--multicast", choice.tables,
         "Make spanning trees for multicast, prove them with the rest, and write them to FILE as OpenSM "
         "dumps them (opensm.mcfdbs)")
      ->type_name("FILE");
  add_groups_option(app, choice, "Groups that get trees (default: one of all hosts, 0xC000)");
  app.add_option("--multicast-trees", choice.trees, "Trees over which the groups are dealt out, for balance")
      ->check(whole_number(1, 1024))
      ->type_name("N")
      ->capture_default_str();
}

CLI::Option* add_multicast_input(CLI::App& app, MulticastChoice& choice) {
  CLI::Option* tables =
      app.add_option(
             "--multicast", choice.tables,
             "Multicast tables to prove with the rest: opensm.mcfdbs, ibdiagnet2.mcfdbs, or what dump_mfts "
             "and ibroute -M print")
          ->type_name("FILE");
  add_groups_option(
      app, choice,
      "Service levels of the groups, which the tables do not tell (default: all 0), and who must be "
      "in them");
  return tables;
}

void require_multicast(const MulticastChoice& choice, const std::string& command) {
  if (!choice.wanted() && (!choice.groups.empty() || choice.trees != 1)) {
    throw InputError(command +
                     ": --multicast-groups and --multicast-trees are about --multicast, which is missing");
  }
}

std::shared_ptr<const MulticastRun> make_multicast(const Network& network, Routing& routing,
                                                   const MulticastChoice& choice, std::uint32_t lanes,
                                                   Progress& progress) {
  if (!choice.wanted()) return nullptr;
  auto run = std::make_shared<MulticastRun>();
  const Stopwatch time;
  MulticastRequest request;
  Wishes wanted = wishes(network, choice, lanes);
  request.groups = std::move(wanted.groups);
  request.lanes = lanes;
  request.trees = choice.trees;
  run->result = multicast_trees(network, routing, request, progress);
  run->seconds = time.seconds();
  run->tables = run->result.tables;
  for (std::size_t g = 0; g < run->tables.groups.size(); ++g) {
    if (wanted.told[g]) run->tables.groups[g].set_level(*wanted.told[g]);
  }
  routing.multicast = std::make_shared<const MulticastTables>(run->result.tables);
  routing.virtual_lanes += run->result.lanes_more;
  return run;
}

MissingMembers read_multicast(const Network& network, const Network& whole, Routing& routing,
                              const MulticastChoice& choice) {
  MissingMembers missing;
  if (!choice.wanted()) return missing;
  MulticastTables tables = read_multicast_tables(whole, choice.tables);
  if (&network != &whole) tables = carried_over(whole, tables, network);
  if (!choice.groups.empty()) {
    const std::vector<MulticastGroupSpec> groups = groups_of(whole, network, choice);
    set_levels(tables, groups);
    for (const MulticastGroupSpec& spec : groups) {
      const auto found = std::find_if(tables.groups.begin(), tables.groups.end(),
                                      [&](const MulticastGroup& group) { return group.lid() == spec.lid; });
      std::vector<TerminalId> there;
      if (found != tables.groups.end()) there = members(network, *found);
      std::vector<TerminalId> lost;
      std::set_difference(spec.members.begin(), spec.members.end(), there.begin(), there.end(),
                          std::back_inserter(lost));
      missing.count += lost.size();
      for (const TerminalId t : lost) {
        if (missing.named.size() < kShown) {
          missing.named.push_back(fmt::format("group 0x{:04x}: the tables do not lead to {}", spec.lid,
                                              network.terminal_name(t)));
        }
      }
    }
  }
  if (routing.lane_map == nullptr)
    require_data_levels(tables, choice.groups.empty() ? choice.tables : choice.groups);
  routing.multicast = std::make_shared<const MulticastTables>(std::move(tables));
  return missing;
}

void add_multicast(Json& document, const Network& network, const Verdict& verdict) {
  if (!verdict.multicast) return;
  const MulticastVerdict& m = *verdict.multicast;
  Json findings = Json::array();
  for (const MulticastFinding& finding : m.findings) {
    Json one = {{"kind", kind_text(finding.kind)},
                {"group", fmt::format("0x{:04x}", finding.group)},
                {"source", network.terminal_name(finding.source)}};
    if (finding.destination.valid()) one["destination"] = network.terminal_name(finding.destination);
    if (finding.at.valid()) one["channel"] = network.channel_name(finding.at);
    findings.push_back(std::move(one));
  }
  document["multicast"] = {{"groups", m.groups},
                           {"pairs", m.pairs},
                           {"lost_pairs", m.lost_pairs},
                           {"repeated_pairs", m.repeated_pairs},
                           {"looping_groups", m.looping_groups},
                           {"dead_ports", m.dead_ports},
                           {"findings", std::move(findings)}};
}

void add_multicast_cost(Json& document, const Network& network, const MulticastRun& run) {
  Json& multicast = document["multicast"];
  Json levels = Json::object();
  for (const MulticastGroup& group : run.tables.groups)
    levels[fmt::format("0x{:04x}", group.lid())] = group.level();
  Json left = Json::array();
  for (const MulticastGap& gap : run.result.left_out) {
    Json members = Json::array();
    for (const TerminalId t : gap.members) members.push_back(network.terminal_name(t));
    left.push_back({{"group", fmt::format("0x{:04x}", gap.lid)}, {"members", std::move(members)}});
  }
  Json roots = Json::array();
  for (const RouterId r : run.result.roots) roots.push_back(network.router_name(r));
  multicast["service_levels"] = std::move(levels);
  multicast["roots"] = std::move(roots);
  multicast["lanes_more"] = run.result.lanes_more;
  multicast["left_out"] = std::move(left);
  multicast["seconds"] = run.seconds;
}

std::string multicast_answer(const MulticastVerdict& verdict) {
  const std::string of = fmt::format("{} group{}", grouped(verdict.groups), verdict.groups == 1 ? "" : "s");
  if (verdict.complete())
    return fmt::format("yes, {}: each of {} pairs gets one copy", of, grouped(verdict.pairs));
  std::string text = "NO, " + of + ":";
  if (verdict.looping_groups > 0) {
    text += fmt::format(" {} send{} copies round for ever;", grouped(verdict.looping_groups),
                        verdict.looping_groups == 1 ? "s" : "");
  }
  if (verdict.lost_pairs > 0)
    text += fmt::format(" {} of {} pairs get no copy;", grouped(verdict.lost_pairs), grouped(verdict.pairs));
  if (verdict.repeated_pairs > 0) text += fmt::format(" {} get several;", grouped(verdict.repeated_pairs));
  text.pop_back();
  return text;
}

std::string multicast_text(const Network& network, const MulticastRun& run) {
  std::string text;
  if (const std::uint32_t lanes = run.lanes(); lanes > 1) {
    text += fmt::format(
        "multicast needs service levels up to {}: create the groups with theirs (partitions.conf, "
        "sl={}; --json lists them)\n",
        lanes - 1, lanes - 1);
  }
  if (run.result.lanes_more > 0) {
    text +=
        fmt::format("multicast takes {} lane{} more than the rest: on its lanes every tree closes a cycle\n",
                    run.result.lanes_more, run.result.lanes_more == 1 ? "" : "s");
  }
  std::size_t lines = 0;
  std::uint64_t left = 0;
  std::string named;
  for (const MulticastGap& gap : run.result.left_out) {
    left += gap.members.size();
    for (const TerminalId t : gap.members) {
      if (lines++ < kShown)
        named += fmt::format("  {} of group 0x{:04x}\n", network.terminal_name(t), gap.lid);
    }
  }
  if (left > 0) {
    text += fmt::format(
        "{} members have no place in a tree that closes no cycle, and get nothing; more lanes (--vls) "
        "may give them one:\n{}{}",
        grouped(left), named, left > kShown ? "  ...\n" : "");
  }
  return text;
}

}  // namespace unknot::cli
