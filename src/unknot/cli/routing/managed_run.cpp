// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/managed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShown = 8;  // pairs that a text names

std::string pair_name(const Network& network, const ManagementPair& pair) {
  return fmt::format("{} to {}", network.terminal_name(pair.source), network.terminal_name(pair.destination));
}

std::string listed(const Network& network, const std::vector<ManagementPair>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < std::min(pairs.size(), kShown); ++i)
    text += fmt::format("  {}\n", pair_name(network, pairs[i]));
  if (pairs.size() > kShown) text += "  ...\n";
  return text;
}

Json pairs_json(const Network& network, const std::vector<ManagementPair>& pairs) {
  Json list = Json::array();
  for (const ManagementPair& pair : pairs)
    list.push_back({network.terminal_name(pair.source), network.terminal_name(pair.destination)});
  return list;
}

}  // namespace

std::shared_ptr<ManagedRun> managed_run(const Network& network, const Routing& data,
                                        const ManagementChoice& choice, const MulticastChoice& multicast,
                                        std::uint32_t lanes, const VerifyOptions& checks,
                                        Progress& progress) {
  auto run = std::make_shared<ManagedRun>();
  const Stopwatch time;
  run->managed = managed_network(network);
  run->result = with_management(
      network, data, run->managed,
      management_request(choice, network, data.virtual_lanes, lanes, checks.threads), progress);
  run->seconds = time.seconds();
  run->multicast = make_multicast(run->managed.network, run->result.routing, multicast, lanes, progress);
  stop_if_interrupted();
  const Stopwatch verify_time;
  run->verdict = verify(run->managed.network, run->result.routing, checks, progress);
  run->verify_seconds = verify_time.seconds();
  return run;
}

FileContent file_content(const Network& network, const Routing& data, const ManagedRun* run) {
  if (run == nullptr) return {network, data};
  return {run->managed.network, run->result.routing};
}

void write_tables_with(const Network& network, const Routing& data, const ManagedRun* run,
                       std::uint32_t lanes, const std::string& format, const std::string& path) {
  const bool switches = table_format(format).has_switches;
  const FileContent content = file_content(network, data, switches ? run : nullptr);
  if (switches || lanes <= data.virtual_lanes) {
    write_tables(content.network, content.routing, format, path);
    return;
  }
  Routing declared = data;
  declared.virtual_lanes = lanes;
  write_tables(network, declared, format, path);
}

ManagementChoice without_levels(ManagementChoice choice) {
  if (!choice.lanes) choice.lanes = 0;
  return choice;
}

Verdict with_proof_of(const ManagedNetwork& managed, const Verdict& data, Verdict all) {
  Verdict verdict = data;
  for (Finding& finding : verdict.findings) {
    finding.source = managed.of_terminal[finding.source.value];
    finding.destination = managed.of_terminal[finding.destination.value];
  }
  verdict.lanes_used = all.lanes_used;
  verdict.dependencies = all.dependencies;
  verdict.deadlock_free = all.deadlock_free;
  verdict.witness = std::move(all.witness);
  verdict.certificate = std::move(all.certificate);
  verdict.multicast = std::move(all.multicast);
  return verdict;
}

void add_traffic(Json& document, bool management, bool multicast) {
  Json& traffic = document["traffic"] = Json::array({"data"});
  if (management) traffic.push_back("management");
  if (multicast) traffic.push_back("multicast");
}

void add_management(Json& document, const Verdict& data, const ManagedRun* run) {
  add_traffic(document, run != nullptr, data.multicast.has_value());
  if (run == nullptr) return;
  document["management"] = {{"pairs", run->verdict.pairs - data.pairs},
                            {"unroutable_pairs", run->verdict.unroutable_pairs - data.unroutable_pairs}};
}

void add_management_cost(Json& document, const ManagedRun& run) {
  const Network& network = run.managed.network;
  Json& management = document["management"];
  management["lanes_more"] = run.result.lanes_more;
  management["left_out"] = pairs_json(network, run.result.left_out);
  management["answered_on_another_level"] = pairs_json(network, run.result.other_level);
  management["seconds"] = run.seconds;
}

std::string traffic_line(bool management, bool multicast) {
  if (management && multicast) {
    return "The proof covers data, management and multicast: what hosts and routers send to routers and "
           "groups, too.\n";
  }
  if (multicast) return "The proof covers data and multicast: what hosts send to hosts and to groups.\n";
  return management ? "The proof covers data and management: what hosts and routers send to routers, too.\n"
                    : "The proof covers data: what hosts send to hosts.\n";
}

std::string management_text(const ManagedRun& run) {
  const Network& network = run.managed.network;
  std::string text;
  if (run.result.lanes_more > 0) {
    text += fmt::format("management takes {} lane{} more than the data: routers without hosts need {}\n",
                        run.result.lanes_more, run.result.lanes_more == 1 ? "" : "s",
                        run.result.lanes_more == 1 ? "it" : "them");
  }
  if (!run.result.left_out.empty()) {
    text += fmt::format(
                "{} pairs with routers have no way without a cycle on {} lane{}, and no entry; more lanes "
                "(--vls, --management-lanes) may give them one:\n",
                grouped(run.result.left_out.size()), run.result.routing.virtual_lanes,
                run.result.routing.virtual_lanes == 1 ? "" : "s") +
            listed(network, run.result.left_out);
  }
  if (!run.result.other_level.empty()) {
    text += fmt::format("{} questions of --management-hosts are answered on another level:\n",
                        grouped(run.result.other_level.size())) +
            listed(network, run.result.other_level);
  }
  return text;
}

}  // namespace unknot::cli
