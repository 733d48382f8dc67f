// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/bandwidth_request.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::cli {
namespace {

CapacityUnit capacity_unit(const std::string& word) {
  if (word == "rates") return CapacityUnit::rates;
  if (word == "cables") return CapacityUnit::cables;
  return word == "stated" ? CapacityUnit::stated : CapacityUnit::automatic;
}

/// "1 is 100 Gb/s, as stated"
std::string unit_text(const NodeGraph& graph) {
  if (graph.unit() == CapacityUnit::cables) return "1 is a cable";
  const std::string gigabits = gigabits_text(graph.unit_megabits());
  if (graph.unit() == CapacityUnit::rates) return fmt::format("1 is {} Gb/s of data", gigabits);
  std::string text = fmt::format("1 is {} Gb/s, as stated", gigabits);
  if (const std::uint32_t assumed = graph.assumed_links(); assumed > 0) {
    text += fmt::format("; {} of which nothing is known count{} as 1 Gb/s",
                        assumed == 1 ? "a link" : fmt::format("{} links", grouped(assumed)),
                        assumed == 1 ? "s" : "");
  }
  return text;
}

}  // namespace

void add_bandwidth_options(CLI::App& app, BandwidthInput& input) {
  app.add_option(
         "--goal", input.goal,
         "steps: as few as can be; bandwidth: as little time for each byte of large messages; front: all "
         "that is between the two")
      ->check(CLI::IsMember({"steps", "bandwidth", "front"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--capacity", input.capacity,
                 "With --goal bandwidth or front: what a link carries counts by cables, by rates or as the "
                 "fabric states "
                 "it; without it as stated where anything is, else by rates where all are known")
      ->check(CLI::IsMember({"cables", "rates", "stated"}))
      ->type_name("WORD");
  app.add_option(
         "--switches", input.switches,
         "With --goal bandwidth: what nodes that take no part do with what comes: pass, or copy (multicast), "
         "combine (reduction in the network), or copy,combine")
      ->type_name("WORDS");
  app.add_option(
         "--group-sizes", input.sizes,
         "With --goal bandwidth and groups: how large a share of each group is, as 1,4,4; without it all are "
         "alike")
      ->type_name("LIST");
  app.add_flag(
      "--translations", input.translations,
      "With --goal bandwidth: trees of one node, and what moves the network onto itself to make those of all "
      "others of them; without it so above 4,096 nodes");
  app.add_option(
         "--chunks", input.chunks,
         "With --goal bandwidth and --bytes: chunks that trees pass on one after the other; without it "
         "the best number. With --goal front: most chunks of a message (24)")
      ->check(whole_number(1, 1'000'000'000))
      ->type_name("N");
}

SwitchPowers powers_of(const std::string& words) {
  if (words == "pass") return {};
  if (words == "copy") return {.copy = true};
  if (words == "combine") return {.sum = true};
  if (words == "copy,combine" || words == "combine,copy") return {.copy = true, .sum = true};
  throw InputError(
      fmt::format("--switches: expected pass, copy, combine or copy,combine, found '{}'", words));
}

std::vector<std::uint32_t> sizes_of(const std::string& words) {
  std::vector<std::uint32_t> sizes;
  Cursor cursor(words);
  do {
    const auto size = cursor.decimal(kMostShareSize);
    if (!size || *size == 0) break;
    sizes.push_back(static_cast<std::uint32_t>(*size));
    if (cursor.at_end()) return sizes;
  } while (cursor.eat(','));
  throw InputError(
      fmt::format("--group-sizes: expected whole numbers from 1 to {} with commas between, found '{}'",
                  grouped(kMostShareSize), words));
}

CostModel cost_of(const BandwidthInput& input, const NodeGraph& graph) {
  CostModel model = parse_cost(input.cost);
  const bool said = input.cost.find("beta") != std::string::npos;
  if (!said && graph.unit_megabits() > 0) model.beta = 8e-6 / graph.unit_megabits();
  return model;
}

std::string cost_text(const CostModel& model) {
  return fmt::format("a step {:g} s, a byte {:g} s, a hop {:g} s", model.alpha, model.beta, model.hop);
}

Json cost_json(const CostModel& model) {
  return {{"alpha", model.alpha}, {"beta", model.beta}, {"hop", model.hop}};
}

CollectiveInput with_capacities(CollectiveInput collective, const BandwidthInput& input) {
  if (!input.terminal_capacity) collective.terminal_capacity = 0;
  collective.unit = capacity_unit(input.capacity);
  return collective;
}

BandwidthRequest load_bandwidth_request(const std::string& fabric, const CollectiveInput& collective,
                                        const BandwidthInput& input, const Common& common,
                                        const PlanHead* head, const std::string& file) {
  CollectiveInput wanted = with_capacities(collective, input);
  BandwidthRequest request;
  const std::string& name =
      head != nullptr && wanted.collective.empty() ? head->collective : collective.collective;
  if (!name.empty()) {
    const CombinedRow& row = in_file(wanted.collective.empty() ? file : "",
                                     [&]() -> const CombinedRow& { return find_combined_collective(name); });
    request.collective = row.name;
    wanted.collective = row.base;
  }
  if (head == nullptr) {
    request.all = load_request(fabric, wanted, common);
  } else {
    const ScheduleDocument document{head->fabric, head->faults, wanted.collective, head->participants, {}};
    request.all = load_request(fabric, wanted, common, &document, file);
  }
  if (input.terminal_capacity && request.all.graph->unit() != CapacityUnit::cables)
    throw InputError("--terminal-capacity counts cables, and capacities here are in Gb/s: see --capacity");
  return request;
}

void begin_report(const std::string& fabric, const BandwidthRequest& request, std::size_t nodes,
                  Json& document, ReportLines& lines) {
  const CollectiveRequest& all = request.all;
  const std::uint32_t unit = all.graph->unit_megabits();
  add_fabric(document, fabric, all.network);
  if (!all.faults.empty()) document["fail"] = all.faults;
  document["collective"] = request.collective;
  document["nodes"] = nodes;
  document["unit_megabits"] = unit == 0 ? Json() : Json(unit);
  document["assumed_links"] = all.graph->assumed_links();
  lines.emplace_back("collective", fmt::format("{} among {} nodes", request.collective, grouped(nodes)));
  if (!all.faults.empty()) lines.emplace_back("failed", all.faults);
  lines.emplace_back("capacity", unit_text(*all.graph));
}

}  // namespace unknot::cli
