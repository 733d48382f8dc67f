// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/paths/verify_paths.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/oblivious/oblivious_verdict.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

/// Everything `verify --paths` finds out.
struct Report {
  ObliviousVerdict verdict;
  ObliviousLoad load;       ///< of uniform traffic
  double pairs_a_unit = 0;  ///< pairs of terminals that make a load of 1
  std::string objection;    ///< to the certificate that was to be re-checked
  double seconds = 0;       ///< of the verdict
  bool fits = true;         ///< the hardware has the lanes

  [[nodiscard]] double mean_hops(const Network& network) const {
    const std::uint64_t routed = verdict.pairs - verdict.unroutable_pairs;
    return routed == 0 ? 0 : load.mean * network.channel_count() * pairs_a_unit / static_cast<double>(routed);
  }
  [[nodiscard]] bool confirmed() const { return !verdict.check || verdict.check->equal; }
  [[nodiscard]] bool good() const {
    return verdict.complete() && verdict.deadlock_free && confirmed() && objection.empty() && fits;
  }
};

std::string no_path(ObliviousPaths paths) {
  return paths == ObliviousPaths::minimal ? "no path" : "no path by way of a third router with terminals";
}

Json witness_json(const Network& network, const ObliviousVerdict& verdict) {
  if (!verdict.witness) return {};
  Json steps = Json::array();
  for (const ObliviousWitnessStep& step : verdict.witness->steps) {
    const ObliviousFlow& flow = step.flow;
    Json path = Json::array();
    for (const ChannelId c : flow.channels) path.push_back(network.channel_name(c));
    steps.push_back(
        {{"channel", network.channel_name(step.from.channel)},
         {"lane", step.from.lane},
         {"source", network.terminal_name(network.terminals_at(flow.source)[0])},
         {"destination", network.terminal_name(network.terminals_at(flow.destination)[0])},
         {"intermediate", flow.intermediate.valid() ? Json(network.router_name(flow.intermediate)) : Json()},
         {"path", std::move(path)},
         {"held", step.held}});
  }
  return steps;
}

Json verify_paths_json_report(const Network& network, ObliviousPaths paths, const Report& report,
                              Json document) {
  const ObliviousVerdict& verdict = report.verdict;
  document["complete"] = verdict.complete();
  document["unroutable_pairs"] = verdict.unroutable_pairs;
  document["loops"] = 0;
  document["deadlock_free"] = verdict.deadlock_free;
  document["flow_control"] = "credits";
  document["minimal"] = verdict.complete() && paths == ObliviousPaths::minimal;
  document["virtual_lanes"] = verdict.lanes;
  document["lanes_used"] = verdict.lanes_used;
  document["vertices"] = verdict.vertices;
  document["dependencies"] = verdict.dependencies;
  document["hops"] = {{"max", verdict.max_hops}, {"mean", report.mean_hops(network)}};
  document["witness"] = witness_json(network, verdict);
  Json findings = Json::array();
  if (!verdict.complete()) {
    findings.push_back({{"kind", paths == ObliviousPaths::minimal ? "unreachable" : "no_intermediate"},
                        {"source", network.terminal_name(verdict.lost_source)},
                        {"destination", network.terminal_name(verdict.lost_destination)},
                        {"router", Json()}});
  }
  document["findings"] = std::move(findings);
  document["channel_load"] = {{"max", report.load.max * report.pairs_a_unit},
                              {"min", report.load.min * report.pairs_a_unit},
                              {"mean", report.load.mean * report.pairs_a_unit}};
  document["uniform_saturation"] = report.load.saturation;
  document["paths_listed"] = verdict.check ? Json(verdict.check->paths) : Json();
  document["paths_listed_agree"] = verdict.check ? Json(verdict.check->equal) : Json();
  return document;
}

std::string verify_paths_text_report(const Network& network, ObliviousPaths paths,
                                     const PathsRequest& request, const Report& report, bool certificate) {
  const ObliviousVerdict& verdict = report.verdict;
  const auto yes_or = [](bool yes, const std::string& no) { return yes ? std::string("yes") : "NO, " + no; };
  std::vector<std::pair<std::string, std::string>> rows = {
      {"paths", fmt::format("{}, lanes by {}", request.paths, request.lane_scheme)},
      {"every pair delivered",
       yes_or(verdict.complete(), fmt::format("{} of {} have {}", grouped(verdict.unroutable_pairs),
                                              grouped(verdict.pairs), no_path(paths)))},
      {"deadlock-free",
       yes_or(verdict.deadlock_free,
              fmt::format("CYCLE of {} channels", verdict.witness ? verdict.witness->steps.size() : 0)) +
           ", under credit flow control"},
      {"lanes in use", std::to_string(verdict.lanes_used)},
      {"hops, max and mean", fmt::format("{}, {:.3f}", verdict.max_hops, report.mean_hops(network))},
      {"channel load",
       fmt::format("{:.1f} to {:.1f}, mean {:.1f}, split evenly", report.load.min * report.pairs_a_unit,
                   report.load.max * report.pairs_a_unit, report.load.mean * report.pairs_a_unit)},
      {"uniform traffic fits up to", fmt::format("{:.4f} of what terminals inject", report.load.saturation)},
      {"dependencies", fmt::format("{} among {} channels and lanes", grouped(verdict.dependencies),
                                   grouped(verdict.vertices))},
  };
  if (verdict.check) {
    rows.emplace_back("paths listed one by one",
                      verdict.check->equal ? grouped(verdict.check->paths) + ", with the same dependencies"
                                           : "they DIFFER: " + verdict.check->difference);
  }
  if (certificate) rows.emplace_back("certificate holds", yes_or(report.objection.empty(), report.objection));
  if (request.virtual_lanes) {
    rows.emplace_back(
        fmt::format("fits {} lane{}", *request.virtual_lanes, *request.virtual_lanes == 1 ? "" : "s"),
        yes_or(report.fits, fmt::format("{} are taken", verdict.lanes)));
  }
  rows.emplace_back("proven in", duration(report.seconds));
  std::string text = "\n" + key_values(rows);
  if (!verdict.complete()) {
    text += fmt::format("\n{} to {}: {}\n", network.terminal_name(verdict.lost_source),
                        network.terminal_name(verdict.lost_destination), no_path(paths));
  }
  if (verdict.witness) text += "\n" + describe(network, *verdict.witness);
  return text;
}

Report examine(const Network& network, ObliviousPaths paths, const PathsRequest& request,
               const std::string& certificate, const Common& common) {
  Report report;
  ProgressBar bar(common);
  const Stopwatch time;
  const PathLengths lengths = path_lengths(network, paths, common.threads, bar);
  const LaneScheme scheme = make_lane_scheme(lengths, request.lane_scheme);
  ObliviousVerifyOptions options;
  options.threads = common.threads;
  if (request.check) options.most_listed_paths = std::numeric_limits<double>::infinity();
  report.verdict = verify_oblivious(network, lengths, scheme, options, bar);
  report.seconds = time.seconds();
  report.fits = !request.virtual_lanes || report.verdict.lanes <= *request.virtual_lanes;
  if (!certificate.empty()) {
    (void)check_oblivious_certificate(network, lengths, scheme, read_certificate(network, certificate),
                                      &report.objection);
  }
  report.load = oblivious_load(network, paths, RouterDemand::uniform(network), common.threads, bar);
  report.pairs_a_unit = network.terminal_count() < 2 ? 0 : network.terminal_count() - 1;
  return report;
}

}  // namespace

CLI::Option* add_paths_options(CLI::App& app, PathsRequest& request) {
  CLI::Option* paths =
      app.add_option("--paths", request.paths,
                     "Instead of tables: all shortest paths (minimal), or those by way of any "
                     "other router with terminals (valiant)")
          ->check(CLI::IsMember({"minimal", "valiant"}))
          ->type_name("minimal|valiant");
  app.add_option("--lane-scheme", request.lane_scheme,
                 fmt::format("Lane of each hop of these paths, as NAME or NAME:key=value; one of {}",
                             row_names("lane-schemes")))
      ->needs(paths)
      ->capture_default_str();
  app.add_flag("--check", request.check,
               "List these paths one by one and compare, however many there are (up to a million they are "
               "listed in any case)")
      ->needs(paths);
  app.add_option("--write-certificate", request.write_certificate,
                 "Write the proof of deadlock freedom of these paths, or of an adaptive routing")
      ->type_name("FILE");
  return paths;
}

Answer verify_paths(const std::string& fabric, const Scope& scope, const PathsRequest& request,
                    const std::string& certificate, const Common& common) {
  const ObliviousPaths paths = oblivious_paths_from(request.paths);
  // refuses wrong names before any work
  (void)find_lane_scheme(split_spec(request.lane_scheme).name);
  check_outputs({request.write_certificate});
  const Network network = within(scope, load_rail(scope, fabric), common);
  stop_if_interrupted();
  const Report report = examine(network, paths, request, certificate, common);
  if (!request.write_certificate.empty()) {
    if (report.verdict.certificate) {
      write_certificate(network, *report.verdict.certificate, request.write_certificate);
      if (request.write_certificate != "-")
        note(common, fmt::format("wrote certificate to {}", request.write_certificate));
    } else {
      note(common, "no certificate written: these paths are not deadlock-free on these lanes");
    }
  }
  if (common.json) {
    Json document;
    add_fabric(document, fabric, network);
    add_scope(document, scope, network);
    document["paths"] = request.paths;
    document["lane_scheme"] = request.lane_scheme;
    document = verify_paths_json_report(network, paths, report, std::move(document));
    if (!certificate.empty()) {
      document["certificate_holds"] = report.objection.empty();
      if (!report.objection.empty()) document["certificate_failure"] = report.objection;
    }
    if (request.virtual_lanes) {
      document["lanes_available"] = *request.virtual_lanes;
      document["lanes_fit"] = report.fits;
    }
    document["seconds"] = report.seconds;
    return {report.good() ? kYes : kNo, std::move(document), {}};
  }
  return {report.good() ? kYes : kNo,
          {},
          fabric_line(fabric, network) + scope_line(scope, network) +
              verify_paths_text_report(network, paths, request, report, !certificate.empty())};
}

}  // namespace unknot::cli
