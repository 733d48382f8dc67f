// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/adaptive/verify_adaptive.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/adaptive/adaptive_report.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

CLI::Option* add_adaptive_options(CLI::App& app, AdaptiveRequest& request) {
  std::vector<std::string> forms;
  for (const AdaptiveFormat& format : adaptive_formats()) forms.push_back(format.name);
  CLI::Option* adaptive =
      app.add_option(
             "--adaptive", request.files,
             fmt::format("Instead of tables: an adaptive routing, its files joined by commas, their forms "
                         "told by their content ({})",
                         fmt::join(forms, ", ")))
          ->delimiter(',')
          ->allow_extra_args(false)
          ->type_name("FILE,...");
  app.add_flag("--committed", request.committed,
               "A packet that waits is committed to one of its ports: no cycle over all choices is allowed")
      ->needs(adaptive);
  return adaptive;
}

Answer verify_adaptive_files(const std::string& fabric, const Scope& scope, const AdaptiveRequest& request,
                             const std::string& certificate, const std::string& write_certificate_to,
                             const Common& common) {
  check_outputs({write_certificate_to});
  if (request.levels.size() > 1) {
    throw InputError(
        "verify: several --lanes are classes of service of tables; --adaptive goes with one file of levels");
  }
  const Network stated = load_rail(scope, fabric);
  if (!scope.whole()) {
    throw InputError(
        "verify: an adaptive routing is of all of a fabric: --adaptive goes without --nodes and --fail");
  }
  // Each LID of a host has entries of its own, all in force at once.
  std::optional<Network> addressed;
  if (stated.labels().lmc > 0) addressed = addressed_network(stated, stated.labels().lmc);
  const Network& network = addressed ? *addressed : stated;
  AdaptiveRouting routing = read_adaptive(network, request.files);
  if (!request.levels.empty())
    take_pair_levels(routing, read_service_levels(network, request.levels.front()), request.levels.front());
  stop_if_interrupted();
  AdaptiveVerifyOptions options;
  options.threads = common.threads;
  options.committed = request.committed;
  options.certificate = !write_certificate_to.empty();
  const Stopwatch time;
  AdaptiveVerdict verdict;
  {
    ProgressBar bar(common);
    verdict = verify_adaptive(network, routing, options, bar);
  }
  const double seconds = time.seconds();
  std::string why;
  const bool holds = certificate.empty() ||
                     check_adaptive_certificate(network, routing, read_certificate(network, certificate),
                                                request.committed, common.threads, &why);
  if (!write_certificate_to.empty()) {
    if (verdict.certificate) {
      write_certificate(network, *verdict.certificate, write_certificate_to);
    } else {
      note(common, fmt::format("{} is not written: there is no proof", write_certificate_to));
    }
  }
  const int code = verdict.delivers() && verdict.deadlock_free() && holds ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, fabric, stated);
    document["adaptive"] = request.files;
    document["source"] = routing.source;
    add_adaptive_verdict(document, network, verdict);
    if (!certificate.empty()) {
      document["certificate_holds"] = holds;
      if (!holds) document["certificate_failure"] = why;
    }
    document["seconds"] = seconds;
    return {code, std::move(document), {}};
  }
  auto rows = adaptive_rows(verdict);
  if (!certificate.empty()) rows.emplace_back("certificate holds", holds ? "yes" : "NO, " + why);
  rows.emplace_back("checked in", duration(seconds));
  const std::string explanation = explain_adaptive(network, verdict);
  return {code,
          {},
          fabric_line(fabric, stated) + "\n" + key_values(rows) +
              (explanation.empty() ? "" : "\n" + explanation)};
}

}  // namespace unknot::cli
