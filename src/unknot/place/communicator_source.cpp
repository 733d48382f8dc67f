// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/communicator_source.hpp"

#include <fmt/format.h>

namespace unknot::place {
namespace {

constexpr const char* kAbout =
    R"(/* Ranks where they were placed: unknot_placed() makes a communicator of the processes of another one, in which rank r
 * is a process on the host of rank r below{}. Every process of `comm` calls it; there must be as many as ranks below,
 * and on each host as many as it has there. Otherwise all of them return MPI_ERR_ARG and there is no communicator. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
)";

constexpr const char* kBound = R"(#include <hwloc.h>

/* Socket and core of it that this process is bound to; -1 where it is bound to none, or to several. */
static void unknot_core(int* socket, int* core) {
  hwloc_topology_t machine;
  hwloc_cpuset_t bound;
  hwloc_obj_t here, package, first;
  *socket = *core = -1;
  if (hwloc_topology_init(&machine) != 0) return;
  bound = hwloc_bitmap_alloc();
  if (bound != NULL && hwloc_topology_load(machine) == 0 && hwloc_get_cpubind(machine, bound, 0) == 0) {
    here = hwloc_get_next_obj_covering_cpuset_by_type(machine, bound, HWLOC_OBJ_CORE, NULL);
    package = here == NULL ? NULL : hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_PACKAGE, here);
    if (package != NULL) {
      first = hwloc_get_obj_inside_cpuset_by_type(machine, package->cpuset, HWLOC_OBJ_CORE, 0);
      *socket = (int)package->logical_index;
      *core = (int)(here->logical_index - first->logical_index);
    }
  }
  hwloc_bitmap_free(bound);
  hwloc_topology_destroy(machine);
}
)";

constexpr const char* kUnbound = R"(
static void unknot_core(int* socket, int* core) { *socket = *core = -1; }
)";

constexpr const char* kFunction = R"(
struct unknot_process {
  char host[MPI_MAX_PROCESSOR_NAME];
  int socket, core;
};

/* Whether a process is on a host: its name is that, or goes on with a domain. */
static int unknot_is_on(const char* process, const char* host) {
  const size_t length = strlen(host);
  return strncmp(process, host, length) == 0 && (process[length] == '\0' || process[length] == '.');
}

/* Rank that process `self` takes among those of its host; -1 where there are not as many as ranks. Processes that are
 * bound to the core of a rank take it, the others what is left, in order. */
static int unknot_rank_of(const struct unknot_process* all, int count, int self) {
  const char* host = NULL;
  int* taken;
  int rank, process, pass, ranks = 0, processes = 0, found = -1;
  for (rank = 0; rank < count && host == NULL; ++rank)
    if (unknot_is_on(all[self].host, unknot_ranks[rank].host)) host = unknot_ranks[rank].host;
  if (host == NULL) return -1;
  taken = malloc(2 * (size_t)count * sizeof(int));
  if (taken == NULL) return -1;
  for (rank = 0; rank < count; ++rank) {
    const int here = strcmp(unknot_ranks[rank].host, host) == 0;
    ranks += here;
    taken[rank] = !here;
  }
  for (process = 0; process < count; ++process) {
    const int here = unknot_is_on(all[process].host, host);
    processes += here;
    taken[count + process] = !here;
  }
  for (pass = 0; pass < 2 && ranks == processes; ++pass) {
    for (process = 0; process < count; ++process) {
      if (taken[count + process]) continue;
      for (rank = 0; rank < count; ++rank) {
        if (taken[rank]) continue;
        if (pass == 0 && (all[process].core < 0 || unknot_ranks[rank].socket != all[process].socket ||
                          unknot_ranks[rank].core != all[process].core))
          continue;
        taken[rank] = taken[count + process] = 1;
        if (process == self) found = rank;
        break;
      }
    }
  }
  free(taken);
  return found;
}

int unknot_placed(MPI_Comm comm, MPI_Comm* placed) {
  const int ranks = (int)(sizeof unknot_ranks / sizeof unknot_ranks[0]);
  struct unknot_process own;
  struct unknot_process* all;
  int size, self, length, mine = -1, least = -1, error;
  *placed = MPI_COMM_NULL;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &self);
  memset(&own, 0, sizeof own);
  MPI_Get_processor_name(own.host, &length);
  unknot_core(&own.socket, &own.core);
  all = malloc((size_t)size * sizeof own);
  if (all == NULL) MPI_Abort(comm, MPI_ERR_NO_MEM);
  error = MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, comm);
  if (error == MPI_SUCCESS && size == ranks) mine = unknot_rank_of(all, size, self);
  free(all);
  if (error == MPI_SUCCESS) error = MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return error;
  return least < 0 ? MPI_ERR_ARG : MPI_Comm_split(comm, 0, mine, placed);
}
)";

}  // namespace

std::string communicator_source(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& cores) {
  std::string text = fmt::format(
      kAbout, cores.empty()
                  ? ""
                  : ",\n * of several there the one that is bound to the core of rank r (link with -lhwloc)");
  text += cores.empty() ? kUnbound : kBound;
  text += "\nstatic const struct { const char* host; int socket, core; } unknot_ranks[] = {\n";
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    text += cores.empty()
                ? fmt::format("  {{\"{}\", -1, -1}},\n", hosts[rank])
                : fmt::format("  {{\"{}\", {}, {}}},\n", hosts[rank], cores[rank].socket, cores[rank].core);
  }
  return text + "};\n" + kFunction;
}

}  // namespace unknot::place
