// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/ethernet/verify_ethernet.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/routing/ethernet/ethernet_run.hpp"
#include "unknot/ethernet/files/read_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

using namespace unknot::ethernet;

constexpr std::uint32_t kMostFailurePairs = 100'000'000;

/// The fewest queues for all links together; with --tags the rules, and with --failures those that keep
/// packets from loss on their detours, too.
void make_and_check_tags(const EthernetRequest& request, const Common& common, const Queues& queues,
                         const Waits& waits, const Failures& failures, EthernetRun& run, Progress& progress) {
  if (request.tags.empty() && run.verdict.deadlock_free && queues.uniform()) {
    return;  // one is enough, as no buffers wait in a circle
  }
  run.tags_of_failures = !request.tags.empty() && request.failures;
  run.tags = make_tags(*run.forwarding, *run.usage, waits.hops(common.threads, progress),
                       run.tags_of_failures ? &failures : nullptr, common.threads, progress);
  if (request.tags.empty()) return;
  std::string why;
  if (!check_tags(*run.forwarding, run.tags,
                  run.tags_of_failures ? failures.links() : std::vector<std::uint32_t>(), &why)) {
    throw std::logic_error("the rules for tags do not hold: " + why);
  }
  run.tags_checked = true;
  write_file(request.tags, tags_json(run).dump(1) + "\n");
}

/// A file of the folder that would not be there for the next run.
void refuse_tags_over_input(const EthernetRequest& request) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (request.tags.empty() || !fs::is_regular_file(request.tags, ignored)) return;
  const fs::path file = fs::canonical(request.tags, ignored), folder = fs::canonical(request.folder, ignored);
  if (!folder.empty() &&
      std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end()) {
    throw InputError(
        fmt::format("{}: --tags would replace a file of {}, which is read", request.tags, request.folder));
  }
}

/// Where a link takes others with it, one link is not what fails.
void require_links_fail_alone(const EthernetRequest& request, const Fabric& fabric) {
  if (!request.failures && request.failure_pairs == 0) return;
  const std::uint32_t fail = request.failure_pairs > 0 ? 2 : 1;
  for (const auto& [at, channel] : fabric.wholes) {
    if (channel.links >= channel.min_links + fail) continue;
    throw InputError(fmt::format(
        "{}: {} of {} has {} links and is down with fewer than {} (min_links): what fails together is not "
        "covered, and --failures and --failure-pairs go without it",
        request.folder, at.second, fabric.switches[at.first].name, channel.links, channel.min_links));
  }
}

}  // namespace

CLI::Option* add_ethernet_options(CLI::App& app, EthernetRequest& request) {
  CLI::Option* ethernet =
      app.add_option(
             "--ethernet", request.folder,
             "Instead of FABRIC and tables: what was collected from the switches of a lossless Ethernet "
             "fabric (PFC), for each its LLDP neighbours, routes and SONiC configuration")
          ->type_name("FOLDER");
  app.add_option("--queues", request.queues,
                 "Lossless priorities of switches without config_db.json (default 3,4)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0U, ethernet::kPriorities - 1))
      ->type_name("P,...")
      ->needs(ethernet);
  app.add_flag("--failures", request.failures,
               "Try every link and every switch that may be down, before protocols have heard of it")
      ->needs(ethernet);
  app.add_option("--failure-pairs", request.failure_pairs,
                 "Try that many pairs of links, drawn by --seed; all where there are no more")
      ->check(CLI::Range(1U, kMostFailurePairs))
      ->type_name("N")
      ->needs(ethernet);
  app.add_option(
         "--tags", request.tags,
         "Write the rules (Tagger) by which switches keep the fabric safe with the fewest lossless queues")
      ->type_name("FILE")
      ->needs(ethernet);
  for (const char* unused : {"--traffic", "--multicast-groups", "--write-certificate"})
    ethernet->excludes(app.get_option(unused));
  return ethernet;
}

Answer verify_ethernet(const EthernetRequest& request, const Common& common) {
  check_outputs({request.tags});
  refuse_tags_over_input(request);
  std::uint8_t lossless = 0;
  for (const std::uint32_t p : request.queues) lossless |= static_cast<std::uint8_t>(1U << p);
  if (request.queues.empty()) lossless = 1U << 3U | 1U << 4U;
  ProgressBar bar(common);
  std::vector<SwitchParts> parts = read_folder(request.folder, common.threads, bar);
  if (!request.queues.empty() &&
      std::all_of(parts.begin(), parts.end(), [](const SwitchParts& one) { return one.config.has_value(); }))
    note(common, "--queues says nothing here: every switch has a config_db.json");
  const Fabric fabric = join_fabric(std::move(parts), lossless);
  require_links_fail_alone(request, fabric);
  stop_if_interrupted();
  const Stopwatch time;
  const Forwarding forwarding(fabric);
  if (forwarding.destination_count() == 0) {
    throw InputError(
        fmt::format("{}: no route leads to a host: all interfaces of routes are links between switches, "
                    "or their neighbours are missing",
                    request.folder));
  }
  const Usage usage(forwarding, common.threads, bar);
  const Queues queues(forwarding);
  const Waits waits(forwarding, usage, queues);
  EthernetRun run;
  run.forwarding = &forwarding;
  run.usage = &usage;
  run.seed = common.seed;
  const DependencyGraph graph = wait_graph(waits, waits.all(common.threads, bar));
  run.verdict = pause_verdict(waits, queues, graph);
  const Failures failures(forwarding, usage, queues, waits, graph, run.verdict);
  if (run.verdict.deadlock_free) {
    if (request.failures) {
      run.single = failures.single(common.threads, bar);
      run.switches = failures.switches(common.threads, bar);
    }
    if (request.failure_pairs > 0)
      run.pairs = failures.pairs(request.failure_pairs, common.seed, common.threads, bar);
  }
  if (!run.verdict.deadlock_free && (request.failures || request.failure_pairs > 0))
    note(common, "no failure is tried: buffers can wait in a circle with all links up");
  make_and_check_tags(request, common, queues, waits, failures, run, bar);
  run.seconds = time.seconds();
  const int code = run.usable() ? kYes : kNo;
  if (common.json) return {code, ethernet_json(request.folder, run), {}};
  return {code, {}, ethernet_text(request.folder, run)};
}

}  // namespace unknot::cli
