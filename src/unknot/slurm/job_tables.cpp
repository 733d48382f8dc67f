// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/job_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/verify/joint_check.hpp"

namespace unknot::slurm {
namespace {

/// Why tables cannot be used; "" when they can.
std::string trouble(const Network& network, const Verdict& verdict) {
  if (!verdict.complete()) {
    const DisconnectedPairs apart = disconnected_pairs(network);
    if (apart.count > 0) {
      return fmt::format(
          "its nodes are not joined by links of their own: {} of {} pairs, such as {} to {}, have no path",
          apart.count, verdict.pairs, network.terminal_name(apart.source),
          network.terminal_name(apart.destination));
    }
    std::string example;
    if (!verdict.findings.empty()) {
      example = fmt::format(", such as {} to {},", network.terminal_name(verdict.findings[0].source),
                            network.terminal_name(verdict.findings[0].destination));
    }
    return fmt::format("{} of {} pairs{} have no route that a packet header can hold",
                       verdict.unroutable_pairs, verdict.pairs, example);
  }
  if (!verdict.deadlock_free) return "its tables can deadlock";
  return "";
}

/// InputError unless the files are those of all nodes that the routes are of: a proof over a part of a job's
/// tables would say nothing.
void require_whole(const Network& machine, const RunningJob& job, const Routing& routing,
                   const std::map<std::string, TerminalId>& terminals) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format(
        "tables of {}: {}; take them away (--remove) if the job is over, or start it again", job.name, why));
  };
  if (job.nodes.empty()) refuse("its folder has none");
  std::vector<bool> has_file(machine.terminal_count(), false);
  for (const std::string& node : job.nodes) {
    const auto found = terminals.find(node);
    if (found == terminals.end()) refuse(fmt::format("no node of the cluster is called '{}'", shown(node)));
    has_file[found->second.value] = true;
  }
  for (const TerminalId s : machine.terminals()) {
    bool any = false;
    for (const TerminalId d : machine.terminals()) {
      if (s == d || routing.routes()->route(s, d).empty()) continue;
      any = true;
      for (const TerminalId end : {s, d}) {
        if (!has_file[end.value]) refuse(fmt::format("node {} has no file", machine.terminal_name(end)));
      }
    }
    if (has_file[s.value] && !any && job.nodes.size() > 1)
      refuse(fmt::format("the file of node {} has no routes of it", machine.terminal_name(s)));
  }
}

}  // namespace

JobTables make_job_tables(const Cluster& cluster, std::string_view nodes, Progress& progress) {
  const Allocation allocation = parse_nodes(cluster.machine, nodes);
  require_alive(cluster.machine, allocation, cluster.faults);
  JobTables job;
  job.network = with_faults(cluster.machine,
                            merged(cluster.faults, outside(cluster.machine, allocation, cluster.transit)));
  EngineRequest request;
  request.threads = cluster.threads;
  const Routing made = route(job.network, cluster.engine, request, progress);
  const AngaraTables tables(job.network, made);
  std::string all;
  for (const TerminalId t : job.network.terminals()) {
    job.files.emplace_back(job.network.terminal_name(t), tables.header() + tables.section(t));
    all += job.files.back().second;
  }
  job.routing = read_angara(job.network, all, "the tables just made");
  VerifyOptions checks;
  checks.threads = cluster.threads;
  job.verdict = verify(job.network, job.routing, checks, progress);
  if (const std::string why = trouble(job.network, job.verdict); !why.empty())
    throw RoutingFailure(fmt::format("nodes {}: {}", nodes, why));
  job.max_load = load_statistics(channel_load(job.network, job.routing, cluster.threads)).max;
  return job;
}

std::pair<const RunningJob*, const std::string*> taken_node(const JobTables& job,
                                                            const std::vector<RunningJob>& running) {
  std::map<std::string_view, const RunningJob*> taken;
  for (const RunningJob& one : running) {
    for (const std::string& node : one.nodes) taken.emplace(node, &one);
  }
  for (const auto& [node, text] : job.files) {
    if (const auto found = taken.find(node); found != taken.end()) return {found->second, &node};
  }
  return {nullptr, nullptr};
}

/// All files of a job are one table. Where something is wrong with it, the file that is wrong is named.
Routing read_running(const Network& machine, const RunningJob& job) {
  std::string joined;
  for (const auto& [path, text] : job.files) joined += text;
  try {
    return read_angara(machine, joined, fmt::format("tables of {}", job.name));
  } catch (const InputError&) {
    for (const auto& [path, text] : job.files) (void)read_angara(machine, text, path);
    throw;
  }
}

void require_sound_together(const Cluster& cluster, const JobTables& job,
                            const std::vector<RunningJob>& running, Progress& progress) {
  if (running.empty()) return;
  std::map<std::string, TerminalId> terminals;
  for (const TerminalId t : cluster.machine.terminals())
    terminals.emplace(cluster.machine.terminal_name(t), t);
  // On the whole machine: a job that runs may still have routes over what has failed since.
  std::vector<Routing> routings;
  routings.reserve(running.size() + 1);
  for (const RunningJob& one : running) {
    routings.push_back(one.files.empty() ? Routing() : read_running(cluster.machine, one));
    require_whole(cluster.machine, one, routings.back(), terminals);
  }
  if (const auto [other, node] = taken_node(job, running); other != nullptr && !cluster.shared_nodes) {
    throw RoutingFailure(
        fmt::format("node {} has tables of {} already: take them away (--remove) if that job is over, or say "
                    "shared_nodes = true in the configuration",
                    *node, other->name));
  }
  std::string own;
  for (const auto& [node, text] : job.files) own += text;
  routings.push_back(read_angara(cluster.machine, own, "the tables just made"));
  const JointVerdict verdict = verify_together(cluster.machine, routings, cluster.threads, progress);
  if (verdict.deadlock_free) return;
  std::vector<std::string> names;
  names.reserve(running.size());
  for (const RunningJob& one : running) names.push_back(one.name);
  throw RoutingFailure(
      fmt::format("its packets and those of {} could wait for each other forever: {} channels in a circle, "
                  "{} among them",
                  fmt::join(names, ", "), verdict.cycle.size(),
                  cluster.machine.channel_name(verdict.cycle.front().channel)));
}

}  // namespace unknot::slurm
