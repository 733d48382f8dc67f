// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/cluster.hpp"

namespace unknot::slurm {

std::string_view example_cluster() {
  return R"(# Tables for the jobs of a torus: see docs/slurm.md.

# Size of each dimension: X, Y, Z, K, ...
dims = [4, 2, 2, 2]

# Names of the nodes in the order of their coordinates, the last dimension running fastest:
# node01 is at [0, 0, 0, 0], node02 at [0, 0, 0, 1], node32 at [3, 1, 1, 1].
nodes = "node[01-32]"
# Or each node with its coordinates; a place without a node counts as failed:
# [coordinates]
# node01 = [0, 0, 0, 0]

# What is broken: nodes, and links by the nodes at their ends. No traffic goes there.
failed_nodes = ""
failed_links = []  # [["node01", "node02"], ...]

# Engine of the tables, as unknot route --engine takes it; here the best found in two seconds at most.
engine = "angara-opt:time=2"

# Who carries a job's traffic: "own", its own nodes alone; or "any", all of the machine.
transit = "own"

# Whether jobs share nodes. Where not, a job on a node that has tables of another job is refused.
shared_nodes = false

# Folder of the tables; job 17 gets job-17/<node>.routes.
directory = "job-tables"

# A line for each job goes here.
log = "unknot-slurm.log"

# Seconds in which the tables of a job must be there.
time_limit = 10

# Threads, 0 for all of the machine.
threads = 1
)";
}

}  // namespace unknot::slurm
