// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/cluster.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::slurm {

/// The tables of one job, as they are to be written.
struct JobTables {
  Network network;  ///< what the job sees of the machine
  Routing routing;
  Verdict verdict;
  std::uint64_t max_load = 0;                              ///< pairs over the busiest channel
  std::vector<std::pair<std::string, std::string>> files;  ///< node, text in format angara
};

/// Routes the nodes of a job, and proves the tables as they will be read: the texts are parsed again and go
/// through the independent checker. Throws InputError for nodes that the cluster does not have or that have
/// failed; RoutingFailure, one sentence, where the engine finds no tables, a pair has no route, or packets
/// could deadlock; Interrupted.
JobTables make_job_tables(const Cluster& cluster, std::string_view nodes, Progress& progress);

/// The tables of a job in force.
struct RunningJob {
  std::string name;
  std::vector<std::pair<std::string, std::string>> files;  ///< paths and texts
  std::vector<std::string> nodes;                          ///< that have a file
};

/// The first of the running jobs that has tables for a node of the job, with that node; nulls where none has.
std::pair<const RunningJob*, const std::string*> taken_node(const JobTables& job,
                                                            const std::vector<RunningJob>& running);

/// Throws RoutingFailure where one of the job's nodes has tables of a running job, unless the cluster's nodes
/// are shared, and where the job's packets and those of the running jobs could deadlock together: possible
/// where they share channels and were routed under different failures or options. InputError where the tables
/// of a running job are no tables of this machine, or not those of all its nodes: then nothing can be proven.
void require_sound_together(const Cluster& cluster, const JobTables& job,
                            const std::vector<RunningJob>& running, Progress& progress);

}  // namespace unknot::slurm
