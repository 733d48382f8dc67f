// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/verify.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/guidance_option.hpp"
#include "unknot/cli/fabric/scope_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/adaptive/verify_adaptive.hpp"
#include "unknot/cli/routing/certificate_input.hpp"
#include "unknot/cli/routing/class_run.hpp"
#include "unknot/cli/routing/ethernet/verify_ethernet.hpp"
#include "unknot/cli/routing/managed_input.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/cli/routing/message_run.hpp"
#include "unknot/cli/routing/paths/verify_configuration.hpp"
#include "unknot/cli/routing/paths/verify_floogen.hpp"
#include "unknot/cli/routing/paths/verify_paths.hpp"
#include "unknot/cli/routing/paths/verify_rule.hpp"
#include "unknot/cli/routing/port_lanes.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

struct VerifyCommandOptions {
  std::string fabric;
  Scope scope;
  std::string flow_control;  ///< "": the one of the tables
  std::string port_lanes;    ///< file of ports with fewer lanes; "": all have them
  TablesInput input;
  std::vector<std::string> lanes;  ///< of each class of service; the first is the input's
  PathsRequest paths;
  std::string rule;    ///< instead of tables; "": none
  std::string config;  ///< of Constellation, likewise
  AdaptiveRequest adaptive;
  EthernetRequest ethernet;
  std::string certificate;
  ManagementChoice management;
  const CLI::Option* traffic_given = nullptr;
  MulticastChoice multicast;
  std::string no_transit;
  MessagesRequest messages;
};

/// The same tables with the levels of further classes of service; nothing where there is one class alone.
std::optional<ClassRun> check_further_classes(const VerifyCommandOptions& options, const Network& whole,
                                              const Network* part, const Routing& data,
                                              const ManagedRun* management, std::uint32_t threads,
                                              Progress& progress) {
  if (options.lanes.size() < 2) return std::nullopt;
  if (!options.port_lanes.empty()) {
    throw InputError(
        "verify: --port-lanes goes with one --lanes: classes need lanes of their own on all ports");
  }
  if (!from_files(options.input))
    throw InputError("verify: several --lanes need tables that can be read again, and not from a pipe");
  const Network& network = part == nullptr ? whole : *part;
  const Network with = management != nullptr && part != nullptr ? managed_network(whole).network : Network();
  std::vector<ClassRouting> classes;
  for (const std::string& lanes : options.lanes) {
    ClassRouting one{lanes, data, std::nullopt};
    if (management != nullptr) one.managed = management->result.routing;
    if (!classes.empty()) {
      TablesInput input = options.input;
      input.lanes = lanes;
      const auto read = [&](const Network& all, const Network& here) {
        Routing routing = part == nullptr ? read_routing(here, input) : read_routing_within(all, here, input);
        routing.flow_control = data.flow_control;
        if (options.paths.virtual_lanes) limit_lanes(routing, *options.paths.virtual_lanes);
        return routing;
      };
      one.data = read(whole, network);
      if (management != nullptr) one.managed = read(with, management->managed.network);
    }
    classes.push_back(std::move(one));
  }
  return check_classes(network, management == nullptr ? nullptr : &management->managed, std::move(classes),
                       threads, progress);
}

Json verify_json_report(const VerifyCommandOptions& options, const Network& network, const Verdict& verdict,
                        const ManagedRun* management, bool data_free, std::uint32_t available_lanes,
                        const LoadStatistics& load, const CertificateCheck& certificate,
                        const MissingMembers& missing, const std::optional<TransitRun>& transit,
                        double seconds) {
  Json document;
  add_fabric(document, options.fabric, network);
  add_scope(document, options.scope, network);
  document["tables"] = options.input.tables;
  add_verdict(document, management == nullptr ? network : management->managed.network, verdict);
  add_management(document, verdict, management);
  if (management != nullptr) document["management"]["data_alone_deadlock_free"] = data_free;
  add_multicast(document, management == nullptr ? network : management->managed.network, verdict);
  if (verdict.multicast) document["multicast"]["missing_members"] = missing.count;
  document["lanes_available"] = available_lanes;
  document["laneless_pairs"] = verdict.laneless_pairs;
  add_transit(document, network, transit);
  document["channel_load"] = load_json(load);
  if (certificate.asked) {
    document["certificate_holds"] = certificate.holds;
    if (certificate.of_data_alone) document["certificate_of_data_alone"] = true;
    if (!certificate.holds) document["certificate_failure"] = certificate.why;
  }
  document["seconds"] = seconds;
  return document;
}

/// Of the pairs that are delivered.
std::string shortest_answer(const Verdict& verdict) {
  if (verdict.longer_pairs > 0)
    return fmt::format("NO, {} pairs take longer ones", grouped(verdict.longer_pairs));
  if (verdict.complete()) return "yes";
  return verdict.unroutable_pairs == verdict.pairs ? "no pair is delivered"
                                                   : "yes, where pairs are delivered";
}

/// Whether every packet finds a lane for data, the cables of terminals included.
std::pair<std::string, std::string> lanes_row(const VerifyCommandOptions& options, const Verdict& verdict) {
  std::string key = options.paths.virtual_lanes ? fmt::format("fits {} lane{}", *options.paths.virtual_lanes,
                                                              *options.paths.virtual_lanes == 1 ? "" : "s")
                                                : std::string("fits the lanes for data");
  if (verdict.laneless_pairs == 0) return {std::move(key), "yes"};
  return {std::move(key), fmt::format("NO, {} pairs would travel on lanes that are not there, up to lane {}",
                                      grouped(verdict.laneless_pairs), verdict.lanes_wanted - 1)};
}

/// What the proof covers, and of management how much is delivered.
std::string traffic_answer(const VerifyCommandOptions& options, const Verdict& verdict,
                           const ManagedRun* management) {
  const std::string multicast = verdict.multicast ? " and multicast" : "";
  if (management == nullptr) {
    if (!options.management.wanted()) return "data" + multicast;
    return "data" + multicast +
           (from_files(options.input) ? "; the tables have no rows to switches"
                                      : "; of what comes through a pipe no more is read");
  }
  const std::uint64_t pairs = management->verdict.pairs - verdict.pairs;
  const std::uint64_t lost = management->verdict.unroutable_pairs - verdict.unroutable_pairs;
  const std::string what = verdict.multicast ? "data, management and multicast" : "data and management";
  return lost == 0 ? fmt::format("{}, all {} pairs with switches", what, grouped(pairs))
                   : fmt::format("{}, {} of {} pairs with switches are not delivered", what, grouped(lost),
                                 grouped(pairs));
}

std::string verify_text_report(const VerifyCommandOptions& options, const Network& network,
                               const Verdict& verdict, const ManagedRun* management, bool data_free,
                               const LoadStatistics& load, const CertificateCheck& certificate,
                               const MissingMembers& missing, const std::optional<TransitRun>& transit,
                               const std::optional<FloogenRun>& floogen, double seconds) {
  const auto yes_or = [](bool yes, const std::string& no) { return yes ? std::string("yes") : "NO, " + no; };
  std::vector<std::pair<std::string, std::string>> rows = {
      {"traffic covered", traffic_answer(options, verdict, management)},
      {"every pair delivered",
       verdict.pairs == 0
           ? std::string("there is no pair of endpoints")
           : yes_or(verdict.complete(), fmt::format("{} of {} are not", grouped(verdict.unroutable_pairs),
                                                    grouped(verdict.pairs)))},
      {"free of loops",
       yes_or(verdict.loop_free(), fmt::format("{} pairs loop", grouped(verdict.looping_pairs)))},
      // Beside a protocol, whose answer comes below: the names of the JSON.
      {options.messages.messages.empty() ? "deadlock-free" : "tables deadlock-free",
       deadlock_answer(verdict) + (data_free && !verdict.deadlock_free ? "; data alone is" : "")},
      {"shortest paths", shortest_answer(verdict)},
      {"lanes in use", std::to_string(verdict.lanes_used)},
      {"hops, max and mean", fmt::format("{}, {:.3f}", verdict.max_hops, verdict.mean_hops())},
      {"channel load", fmt::format("{} to {}, mean {:.1f}, sigma(4) {:.1f}", grouped(load.min),
                                   grouped(load.max), load.mean, load.sigma4)},
      {"dependencies", grouped(verdict.dependencies)},
  };
  if (verdict.addresses > 1) {
    rows.insert(rows.begin() + 1,
                {"addresses",
                 fmt::format("up to {} of a terminal (LMC), all of them checked; loads are of the lowest",
                             verdict.addresses)});
  }
  if (verdict.multicast) {
    const auto after =
        std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.first == "free of loops"; });
    rows.insert(after,
                {"multicast delivered",
                 missing.count == 0 ? multicast_answer(*verdict.multicast)
                                    : fmt::format("NO, the tables do not lead to {} members of the groups",
                                                  grouped(missing.count))});
  }
  if (options.paths.virtual_lanes || verdict.laneless_pairs > 0) rows.push_back(lanes_row(options, verdict));
  if (transit) rows.emplace_back("closed to transit", transit_answer(network, *transit));
  if (certificate.asked) {
    rows.emplace_back("certificate holds", yes_or(certificate.holds, certificate.why) +
                                               (certificate.of_data_alone ? "; it is of data alone" : ""));
  }
  if (floogen) {
    const auto first = floogen_rows(*floogen);
    rows.insert(rows.begin(), first.begin(), first.end());
  }
  rows.emplace_back("checked in", duration(seconds));
  std::string explanation = explain(management == nullptr ? network : management->managed.network, verdict);
  if (transit) explanation += transit_text(network, *transit);
  for (const std::string& one : missing.named) explanation += "  " + one + "\n";
  if (!verdict.deadlock_free && verdict.lanes_used == 1 && options.input.lanes.empty() &&
      !verdict.multicast) {
    explanation +=
        "\nAll on lane 0: service levels that belong to the tables are named with --lanes FILE. unknot route "
        "makes tables "
        "that cannot deadlock.\n";
  }
  return fabric_line(options.fabric, network) + scope_line(options.scope, network) + "\n" + key_values(rows) +
         (explanation.empty() ? "" : "\n" + explanation);
}

/// What no tables are written down for is proven for hosts.
void refuse_management_of_data(const VerifyCommandOptions& options) {
  const bool data_alone = !options.rule.empty() || !options.config.empty() || !options.paths.paths.empty() ||
                          !options.adaptive.files.empty();
  if (data_alone && options.traffic_given->count() > 0 && options.management.wanted()) {
    throw InputError(
        "verify: --rule, --config, --paths and --adaptive are proven for what hosts send to hosts, --traffic "
        "data");
  }
}

Answer verify_command(VerifyCommandOptions options, const Common& common) {
  const bool adaptive = !options.adaptive.files.empty();
  if (!options.paths.write_certificate.empty() && options.paths.paths.empty() && !adaptive)
    throw InputError("verify: --write-certificate goes with --paths or --adaptive");
  require_multicast(options.multicast, "verify");
  refuse_management_of_data(options);
  if (!options.rule.empty()) return verify_by_rule(options.fabric, options.scope, options.rule, common);
  const bool no_routing = options.input.tables.empty() && options.paths.paths.empty() && !adaptive;
  if (no_routing && is_floogen_file(options.fabric)) {
    options.input.tables = options.fabric;  // which names its routing, too
  } else if (!options.config.empty() || (no_routing && is_configuration_file(options.fabric))) {
    return verify_configuration(options.fabric, options.scope, options.config, common);
  } else if (no_routing) {
    throw InputError(
        "verify: give TABLES, or --rule NAME, or --paths minimal or --paths valiant, or --adaptive FILE");
  }
  if (options.lanes.size() > 1 && !options.messages.messages.empty())
    throw InputError("verify: several --lanes are classes of service; --messages goes with one");
  if (options.lanes.size() > 1 && !options.certificate.empty()) {
    throw InputError(
        "verify: a certificate is of one class of service; several --lanes go without --certificate");
  }
  require_transit_of_pairs(options.no_transit, options.multicast.wanted(), "verify");
  if (adaptive) {
    AdaptiveRequest request = options.adaptive;
    request.levels = options.lanes;
    return verify_adaptive_files(options.fabric, options.scope, request, options.certificate,
                                 options.paths.write_certificate, common);
  }
  if (!options.paths.paths.empty())
    return verify_paths(options.fabric, options.scope, options.paths, options.certificate, common);
  const Network whole = load_rail(options.scope, options.fabric);
  std::optional<Network> part;
  if (!options.scope.whole()) part = within(options.scope, whole, common);
  const Network& network = part ? *part : whole;
  Routing routing =
      part ? read_routing_within(whole, network, options.input) : read_routing(network, options.input);
  const std::shared_ptr<ManagedRun> management =
      routing.routes() == nullptr && options.management.wanted()
          ? read_management(options.input, whole, part ? &*part : nullptr)
          : nullptr;
  std::vector<std::uint8_t> lanes_of_channels;  // where ports differ
  if (!options.port_lanes.empty())
    lanes_of_channels = read_lanes_of_channels(network, options.port_lanes, common);
  for (Routing* one : {&routing, management ? &management->result.routing : nullptr}) {
    if (one == nullptr) continue;
    if (!options.flow_control.empty())
      one->flow_control = options.flow_control == "bubble" ? FlowControl::bubble : FlowControl::credits;
    if (options.paths.virtual_lanes) limit_lanes(*one, *options.paths.virtual_lanes);
    if (!options.port_lanes.empty())
      cut_to_port_lanes(one == &routing ? network : management->managed.network, *one, lanes_of_channels);
  }
  // In force with all that the tables have: the proof is of the network with management, where there is some.
  MissingMembers missing;
  if (management) {
    const Network with = part ? managed_network(whole).network : Network();
    missing = read_multicast(management->managed.network, part ? with : management->managed.network,
                             management->result.routing, options.multicast);
  } else {
    missing = read_multicast(network, part ? whole : network, routing, options.multicast);
  }
  stop_if_interrupted();
  const CertificateCheck certificate =
      check_certificate_file(network, routing, management.get(), options.certificate);
  VerifyOptions verify_options;
  verify_options.threads = common.threads;
  const Stopwatch time;
  Verdict verdict;
  bool data_free = false;
  std::optional<ClassRun> classes;
  std::optional<MessagesRun> messages;
  std::optional<FloogenRun> floogen;
  {
    ProgressBar bar(common);
    classes = check_further_classes(options, whole, part ? &*part : nullptr, routing, management.get(),
                                    common.threads, bar);
    verdict = verify(network, routing, verify_options, bar);
    if (!part) floogen = floogen_run(network, options.input.tables, verdict, common.threads, bar);
    data_free = verdict.deadlock_free;
    messages =
        messages_run(network, routing, management.get(), options.messages, options.paths.virtual_lanes, bar);
    if (management) {
      management->verdict =
          verify(management->managed.network, management->result.routing, verify_options, bar);
      verdict = with_proof_of(management->managed, verdict, management->verdict);
    }
  }
  const double seconds = time.seconds();
  const LoadStatistics load = load_statistics(channel_load(network, routing, common.threads));
  std::optional<TransitRun> transit =
      transit_run(network, routing, read_guidance(network, {.no_transit = options.no_transit}, common));
  if (management) add_management_transit(management->managed.network, management->result.routing, transit);
  const bool yes = verdict.usable() && certificate.holds && missing.count == 0 &&
                   (!classes || classes->usable()) && (!messages || messages->usable()) &&
                   (!transit || transit->check.pairs == 0);
  const int code = yes ? kYes : kNo;
  if (common.json) {
    Json document = verify_json_report(options, network, verdict, management.get(), data_free,
                                       routing.data_lanes, load, certificate, missing, transit, seconds);
    if (classes) add_classes(document, *classes, {});
    if (messages) add_messages(document, *messages);
    if (floogen) add_floogen(document, *floogen);
    return {code, std::move(document), {}};
  }
  std::string text = verify_text_report(options, network, verdict, management.get(), data_free, load,
                                        certificate, missing, transit, floogen, seconds);
  if (messages) text += "\n" + key_values(messages_rows(*messages)) + messages_text(*messages);
  if (classes) {
    text += "\n" + classes_text(management ? &management->managed : nullptr, network, *classes, {});
  }
  return {code, {}, std::move(text)};
}

Action declare_verify(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<VerifyCommandOptions>();
  add_fabric_argument(app, options->fabric);
  CLI::Option* tables =
      app.add_option("TABLES", options->input.tables,
                     "Forwarding tables or source routes, their format told by their content, or the "
                     "folder of csv-folder; not with --paths")
          ->type_name("");
  CLI::Option* lanes =
      app.add_option(
             "--lanes", options->lanes,
             "Service level of each path, lines 0x<source node guid> <destination lid> <sl>; several "
             "files are classes of service, proven each alone and all together; with --adaptive one file")
          ->type_name("FILE")
          ->allow_extra_args(false);
  CLI::Option* lane_map = app.add_option("--sl2vl", options->input.lane_map,
                                         "SL-to-VL tables: OpenSM's dump, or the lines ibdmchk takes")
                              ->type_name("FILE");
  CLI::Option* certificate =
      app.add_option("--certificate", options->certificate, "Proof of deadlock freedom to re-check")
          ->type_name("FILE");
  CLI::Option* flow_control =
      app.add_option(
             "--flow-control", options->flow_control,
             "What the proof is about, other than the tables say: credits (no cycle at all) or bubble (the "
             "rings of a torus cannot fill up)")
          ->check(CLI::IsMember({"credits", "bubble"}))
          ->type_name("credits|bubble");
  CLI::Option* lanes_there =
      app.add_option(
             "--vls", options->paths.virtual_lanes,
             fmt::format(
                 "Virtual lanes for data that the hardware has, 1 to {}: a pair whose packets would travel "
                 "on another is not delivered (default: what the tables declare)",
                 LaneMap::kDrop))
          ->check(whole_number(1, LaneMap::kDrop))
          ->type_name("N");
  CLI::Option* port_lanes = add_port_lanes_option(app, options->port_lanes);
  add_traffic_option(app, options->management);
  options->traffic_given = app.get_option("--traffic");
  CLI::Option* multicast = add_multicast_input(app, options->multicast);
  CLI::Option* no_transit = add_transit_option(app, options->no_transit);
  CLI::Option* paths = add_paths_options(app, options->paths);
  CLI::Option* messages = add_messages_options(app, options->messages);
  messages->excludes(multicast);
  messages->excludes(port_lanes);  // virtual networks need lanes of their own on all ports
  for (CLI::Option* other :
       {tables, lanes, lane_map, flow_control, port_lanes, multicast, no_transit, messages})
    paths->excludes(other);
  CLI::Option* adaptive = add_adaptive_options(app, options->adaptive);
  for (CLI::Option* other :
       {tables, lane_map, flow_control, port_lanes, multicast, no_transit, paths, messages})
    adaptive->excludes(other);
  CLI::Option* rule = add_rule_option(app, options->rule);
  CLI::Option* config = add_configuration_option(app, options->config);
  for (CLI::Option* other : {tables, lanes, lane_map, flow_control, port_lanes, multicast, no_transit, paths,
                             adaptive, certificate, lanes_there, messages})
    for (CLI::Option* one : {rule, config}) one->excludes(other);
  config->excludes(rule);
  add_scope_options(app, options->scope);
  CLI::Option* ethernet = add_ethernet_options(app, options->ethernet);
  // What is collected says all that FABRIC and the other options do.
  CLI::Option* fabric = app.get_option("FABRIC")->required(false);
  for (CLI::Option* other : {fabric, tables, lanes, lane_map, flow_control, port_lanes, multicast, no_transit,
                             paths, adaptive, rule, config, certificate, lanes_there, messages})
    ethernet->excludes(other);
  return [options, &common] {
    if (!options->ethernet.folder.empty()) {
      if (!options->scope.whole() || options->scope.rail != 0) {
        throw InputError(
            "verify: --ethernet is of all that was collected: it goes without --nodes, --fail and --rail");
      }
      return verify_ethernet(options->ethernet, common);
    }
    if (options->fabric.empty()) throw InputError("verify: FABRIC is required");
    if (!options->lanes.empty()) options->input.lanes = options->lanes.front();
    return verify_command(*options, common);
  };
}

}  // namespace

Command verify_row() {
  return {
      .name = "verify",
      .summary =
          "Check third-party tables, an adaptive routing, a rule, or many paths: delivery, loops, deadlock, "
          "shortest paths",
      .details =
          R"(Without --lanes every path has service level 0, as the stock subnet manager's file engine gives it; with them, paths
from and to switches that no line names have it. Tables with rows to switches are proven with what hosts and switches
send there, and switches to hosts; lengths, loads and "every pair delivered" are of what hosts send to hosts.
A pair is delivered only where its packets find a lane for data on every cable, the first and the last included:
one that the tables declare and, with --vls, the hardware has. Lane 15 is for management.

--paths is about routings that are no tables: all shortest paths at once (minimal), or all shortest paths to
every other router with terminals and on from there (valiant), each hop on the lane that --lane-scheme says.
A routing that chooses among these paths by the load is proven with them. See docs/oblivious.md.

--adaptive is about switches that choose a port of a group for each packet, by the load or by a hash: every choice that
any of them may make is covered, packets that are not adaptive included. See docs/adaptive.md.

--messages is about protocols: a host that answers takes a request only when it has room to send the answer, so that a
routing that is free of deadlock can still lock where both share buffers. See docs/messages.md.

--rule is about tables of regular networks that are never written down: what each switch does is computed for one
destination after another, followed, and forgotten. A million endpoints take minutes and a few GiB.

--config is about networks on chip: FABRIC is a Scala file of configurations of Constellation, whose routers choose a
virtual channel anew at every hop; NAME is the class to prove. See docs/generators.md.

--ethernet is about lossless Ethernet (PFC), in place of FABRIC and TABLES: FOLDER holds for each switch NAME.lldp.json or
NAME.lldp.txt, NAME.routes.json and, of SONiC, NAME.config_db.json, or a folder NAME with them. See docs/pauses.md.)",
      .examples = {"unknot verify torus:4x4x2,p=2 tables --lanes lanes --certificate proof",
                   "unknot verify slimfly:q=5,p=3 --paths valiant --lane-scheme hop",
                   "unknot verify fattree3:8 --rule d-mod-k"},
      .declare = declare_verify};
}

}  // namespace unknot::cli
