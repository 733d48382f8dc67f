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
#include "unknot/tables/further_addresses.hpp"

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

/// Routers for which no level was found send all the same where data has an entry at them: on level 0, which
/// the proof has to know.
void count_what_goes_on_level_0(const Network& network, ManagedRouting& made) {
  ServiceLevels& levels = made.routing.service_levels;
  if (made.routing.lane_map == nullptr || levels.empty()) return;
  std::erase_if(made.left_out, [&](const ManagementPair& pair) {
    const RouterId r = network.router_of(pair.source);
    if (!made.routing.table().next(network, r, pair.destination).valid()) return false;
    levels.row(levels.row_of(pair.source))[pair.destination.value] = 0;
    return true;
  });
}

/// The same where terminals have several addresses: on the network that has each as a terminal.
void manage_addressed(ManagedRun& run, const AddressedRun& data, ManagementRequest request,
                      Progress& progress) {
  for (TerminalId& host : request.hosts) host = TerminalId(host.value << data.lmc);
  const ManagedNetwork managed = managed_network(data.network);
  ManagedRouting made = with_management(data.network, data.routing, managed, request, progress);
  count_what_goes_on_level_0(managed.network, made);
  std::vector<TerminalId> of(
      managed.network.terminal_count());  // by terminal there: the one of all addresses
  std::uint32_t count = 0;
  for (const TerminalId t : managed.network.terminals())
    of[t.value] = TerminalId(managed.network.further_address(t) ? count - 1 : count++);
  run.result.lanes_more = made.lanes_more;
  const auto brought_back = [&of](const std::vector<ManagementPair>& pairs) {
    std::vector<ManagementPair> back;
    back.reserve(pairs.size());
    for (const ManagementPair& pair : pairs)
      back.push_back({of[pair.source.value], of[pair.destination.value]});
    back.erase(std::unique(back.begin(), back.end(),
                           [](const ManagementPair& a, const ManagementPair& b) {
                             return a.source == b.source && a.destination == b.destination;
                           }),
               back.end());
    return back;
  };
  run.result.left_out = brought_back(made.left_out);
  run.result.other_level = brought_back(made.other_level);
  run.result.routing = with_further_addresses(run.managed.network, managed.network, made.routing);
  auto written = std::make_shared<AddressedRun>();
  written->lmc = data.lmc;
  written->network = managed.network;
  written->routing = std::move(made.routing);
  run.addressed = std::move(written);
}

}  // namespace

std::shared_ptr<ManagedRun> managed_run(const Network& network, const Routing& data,
                                        const AddressedRun* addressed, const ManagementChoice& choice,
                                        const MulticastChoice& multicast, std::uint32_t lanes,
                                        const VerifyOptions& checks, Progress& progress) {
  auto run = std::make_shared<ManagedRun>();
  const Stopwatch time;
  run->managed = managed_network(network);
  const ManagementRequest request =
      management_request(choice, network, data.virtual_lanes, lanes, checks.threads);
  if (addressed != nullptr) {
    manage_addressed(*run, *addressed, request, progress);
    run->seconds = time.seconds();
  } else {
    run->result = with_management(network, data, run->managed, request, progress);
    count_what_goes_on_level_0(run->managed.network, run->result);
    run->seconds = time.seconds();
    run->multicast = make_multicast(run->managed.network, run->result.routing, multicast, lanes, progress);
  }
  stop_if_interrupted();
  const Stopwatch verify_time;
  run->verdict = verify(run->managed.network, run->result.routing, checks, progress);
  run->verify_seconds = verify_time.seconds();
  return run;
}

FileContent file_content(const Network& network, const Routing& data, const ManagedRun* run,
                         const AddressedRun* addressed) {
  if (run != nullptr && run->addressed) return {run->addressed->network, run->addressed->routing};
  if (run == nullptr && addressed != nullptr) return {addressed->network, addressed->routing};
  if (run == nullptr) return {network, data};
  return {run->managed.network, run->result.routing};
}

void write_tables_with(const Network& network, const Routing& data, const ManagedRun* run,
                       const AddressedRun* addressed, std::uint32_t lanes, const std::string& format,
                       const std::string& path) {
  const bool switches = table_format(format).has_switches;
  const FileContent content =
      switches ? file_content(network, data, run, addressed) : FileContent{network, data};
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
    const Routing& routing = run.result.routing;
    const bool one = run.result.left_out.size() == 1;
    text +=
        fmt::format("{} with routers {} ", one ? "1 pair" : grouped(run.result.left_out.size()) + " pairs",
                    one ? "has" : "have");
    if (routing.lane_map != nullptr || routing.flow_control != FlowControl::credits) {
      text += fmt::format("no entry: routers without hosts get none where {}:\n",
                          routing.lane_map != nullptr ? "SL-to-VL tables choose the lanes"
                                                      : "bubbles keep the rings free of deadlock");
    } else {
      text += fmt::format(
          "no way without a cycle on {} lane{}, and no entry; more lanes (--vls, --management-lanes) may "
          "give {} one:\n",
          routing.virtual_lanes, routing.virtual_lanes == 1 ? "" : "s", one ? "it" : "them");
    }
    text += listed(network, run.result.left_out);
  }
  if (!run.result.other_level.empty()) {
    text += fmt::format("{} questions of --management-hosts are answered on another level:\n",
                        grouped(run.result.other_level.size())) +
            listed(network, run.result.other_level);
  }
  return text;
}

}  // namespace unknot::cli
