// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/example_file.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/message_text.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/slurm/cluster.hpp"
#include "unknot/slurm/job_tables.hpp"
#include "unknot/slurm/table_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/number.hpp"

namespace unknot::cli {
namespace {

struct SlurmPrologOptions {
  std::string configuration;
  std::string job;
  std::string nodes;
  std::string fabric;
  std::string example;
  bool remove = false;
  bool dry_run = false;
};

/// Stops the engine when the time is over, or the user says so.
class TimeLimit : public Progress {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  [[nodiscard]] bool interrupted() const override { return cli::interrupted() || over(); }
  [[nodiscard]] bool over() const { return time_.seconds() > seconds_; }
  [[nodiscard]] double left() const { return std::max(0.0, seconds_ - time_.seconds()); }

 private:
  Stopwatch time_;
  double seconds_;
};

std::string or_environment(const std::string& given, const char* name) {
  if (!given.empty()) return given;
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::uint64_t job_number(const SlurmPrologOptions& options) {
  const std::string text = or_environment(options.job, "SLURM_JOB_ID");
  if (text.empty()) throw InputError("slurm-prolog: which job? give --job, or set SLURM_JOB_ID");
  const auto job = number_in<std::uint64_t>(text);
  if (!job) throw InputError(fmt::format("slurm-prolog: '{}' is not the number of a job", text));
  return *job;
}

/// One line more in the cluster's log. No reason to fail a job: trouble is a message.
void log_line(const slurm::Cluster& cluster, const std::string& text) {
  if (cluster.log.empty()) return;
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  ::localtime_r(&now, &local);
  const std::string line = fmt::format("{:%Y-%m-%dT%H:%M:%S} {}\n", local, message_text(text));
  // A pipe that nobody reads must not hold up the job.
  const Descriptor file(
      ::open(cluster.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  const bool written =
      file.get() >= 0 && ::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!written) message(fmt::format("{}: cannot write: {}", cluster.log, std::strerror(errno)));
}

/// A node may be given to the next job before the epilog of the one before it has taken its tables away:
/// waits for that for a part of the time limit, with the folder open to others.
void await_nodes(const slurm::Cluster& cluster, std::uint64_t job, const slurm::JobTables& tables,
                 const TimeLimit& limit) {
  constexpr double kShare = 0.1;
  constexpr auto kPause = std::chrono::milliseconds(20);
  if (cluster.shared_nodes) return;
  const Stopwatch waited;
  while (waited.seconds() < kShare * cluster.time_limit && !limit.interrupted()) {
    {
      const slurm::TableFolder folder(cluster.directory, limit.left());
      if (slurm::taken_node(tables, folder.others(job)).first == nullptr) return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

Answer remove_tables(const slurm::Cluster& cluster, std::uint64_t job, const Common& common) {
  const bool found = slurm::TableFolder(cluster.directory, cluster.time_limit).remove(job);
  log_line(cluster, fmt::format("job {}: {}", job, found ? "tables removed" : "no tables to remove"));
  if (common.json) {
    return {kYes, {{"job", job}, {"removed", found}}, {}};
  }
  return {kYes, {}, fmt::format("job {}: {}\n", job, found ? "tables removed" : "there were no tables")};
}

Answer write_tables_of(const slurm::Cluster& cluster, std::uint64_t job, const std::string& nodes,
                       const SlurmPrologOptions& options, const Common& common) {
  TimeLimit limit(cluster.time_limit);
  const Stopwatch time;
  slurm::JobTables tables;
  std::string path;
  std::size_t others = 0;
  try {
    tables = slurm::make_job_tables(cluster, nodes, limit);
    await_nodes(cluster, job, tables, limit);
    const slurm::TableFolder folder(cluster.directory, limit.left());
    const auto running = folder.others(job);
    others = running.size();
    slurm::require_sound_together(cluster, tables, running, limit);
    path = folder.path_of(job);
    if (limit.over()) throw Interrupted();
    if (!options.dry_run) folder.put(job, tables.files);
  } catch (const Interrupted&) {
    if (cli::interrupted()) throw;
    throw RoutingFailure(
        fmt::format("nodes {}: no tables within the time limit of {} s", nodes, cluster.time_limit));
  }
  const std::string summary = fmt::format(
      "{} tables, {} links of load up to {}, up to {} hops, deadlock-free alone and with {} other {}, "
      "{:.3f} s",
      tables.files.size(), tables.network.channel_count() / 2, tables.max_load, tables.verdict.max_hops,
      others, others == 1 ? "job" : "jobs", time.seconds());
  log_line(cluster, fmt::format("job {}, nodes {}: {}{}", job, nodes, summary,
                                options.dry_run ? " (not written)" : ""));
  if (common.json) {
    Json document = {{"job", job},
                     {"nodes", nodes},
                     {"engine", cluster.engine},
                     {"transit", cluster.transit == Transit::own ? "own" : "any"},
                     {"tables", tables.files.size()},
                     {"other_jobs", others},
                     {"deadlock_free", true},
                     {"max_load", tables.max_load},
                     {"max_hops", tables.verdict.max_hops},
                     {"directory", path},
                     {"written", !options.dry_run},
                     {"seconds", time.seconds()}};
    return {kYes, std::move(document), {}};
  }
  return {kYes,
          {},
          fmt::format("job {}, nodes {}: {}\n{}{}\n", job, nodes, summary,
                      options.dry_run ? "not written: " : "written to ", path)};
}

Answer slurm_prolog_command(const SlurmPrologOptions& options, const Common& common) {
  if (!options.example.empty()) {
    if (!options.configuration.empty())
      throw InputError("slurm-prolog: --example goes with no configuration");
    return write_example(options.example, slurm::example_cluster(), "a configuration to start from", common);
  }
  if (options.configuration.empty()) throw InputError("slurm-prolog: CONFIG is missing; see --example");
  const slurm::Cluster cluster = slurm::read_cluster(options.configuration);
  for (const std::string& odd : cluster.notes) note(common, odd);
  if (!options.fabric.empty()) {
    check_outputs({options.fabric});
    write_fabric(with_faults(cluster.machine, cluster.faults), "json", options.fabric);
    note(common, fmt::format("wrote the machine to {}", options.fabric));
    if (common.json) {
      return {kYes,
              {{"fabric", options.fabric},
               {"nodes", cluster.machine.router_count() - cluster.faults.routers.size()}},
              {}};
    }
    return {kYes};
  }
  const std::uint64_t job = job_number(options);
  if (options.remove) return remove_tables(cluster, job, common);
  const std::string nodes = or_environment(options.nodes, "SLURM_JOB_NODELIST");
  if (nodes.empty()) throw InputError("slurm-prolog: which nodes? give --nodes, or set SLURM_JOB_NODELIST");
  try {
    return write_tables_of(cluster, job, nodes, options, common);
  } catch (const InputError& error) {
    log_line(cluster, fmt::format("job {}, nodes {}: FAILED: {}", job, nodes, error.what()));
    throw;
  } catch (const RoutingFailure& failure) {
    log_line(cluster, fmt::format("job {}, nodes {}: FAILED: {}", job, nodes, failure.what()));
    throw;
  }
}

Action declare_slurm_prolog(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<SlurmPrologOptions>();
  app.add_option("CONFIG", options->configuration, "The cluster, as TOML: see --example and docs/slurm.md")
      ->type_name("");
  CLI::Option* const job =
      app.add_option("--job", options->job, "Number of the job (default $SLURM_JOB_ID)")->type_name("N");
  CLI::Option* const nodes =
      app.add_option("--nodes", options->nodes, "Its nodes, as a host list (default $SLURM_JOB_NODELIST)")
          ->type_name("LIST");
  CLI::Option* const remove =
      app.add_flag("--remove", options->remove, "Take the job's tables away: for the epilog")
          ->excludes(nodes);
  CLI::Option* const dry_run =
      app.add_flag("--dry-run", options->dry_run, "Compute and prove, but write no tables")->excludes(remove);
  app.add_option("--fabric", options->fabric,
                 "Write the machine as a fabric that other commands read, and stop")
      ->excludes(job, nodes, remove, dry_run)
      ->type_name("FILE");
  app.add_option("--example", options->example, "Write a configuration to start from, and stop")
      ->type_name("FILE");
  return [options, &common] { return slurm_prolog_command(*options, common); };
}

}  // namespace

Command slurm_prolog_row() {
  return {
      .name = "slurm-prolog",
      .summary = "Tables for a job that Slurm starts: computed, proven, one file for each of its nodes",
      .details =
          R"(For PrologSlurmctld, which names job and nodes in the environment; --remove is for EpilogSlurmctld. The tables
are proven deadlock-free by themselves and together with those of all jobs that run. They appear as a whole
or not at all; a second run for the same job replaces them. Exit code 0: done; 1: these nodes cannot be routed;
2: bad configuration or nodes. See docs/slurm.md.)",
      .examples = {"unknot slurm-prolog --example cluster.toml",
                   "unknot slurm-prolog cluster.toml --job 17 --nodes node[01-08]"},
      .declare = declare_slurm_prolog};
}

}  // namespace unknot::cli
