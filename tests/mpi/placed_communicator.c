/* SPDX-License-Identifier: Apache-2.0 */
/* Processes on hosts of other names than this machine's, and what communicator they get. Rank 0 of the world
 * says for each rank of the world "host rank", or "refused". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int unknot_placed(MPI_Comm comm, MPI_Comm* placed);

/* In place of MPI's: the host that HOSTS names for this rank of the world. */
int MPI_Get_processor_name(char* name, int* length) {
  char hosts[4096];
  char* word;
  int rank, i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  strncpy(hosts, getenv("HOSTS"), sizeof hosts - 1);
  hosts[sizeof hosts - 1] = 0;
  word = strtok(hosts, ",");
  for (i = 0; i < rank; ++i) word = strtok(NULL, ",");
  strcpy(name, word);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Comm placed;
  int own[2] = {-1, -1};
  int all[2 * 64];
  int size, rank, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (unknot_placed(MPI_COMM_WORLD, &placed) == MPI_SUCCESS) {
    MPI_Comm_rank(placed, &own[0]);
    MPI_Comm_size(placed, &own[1]);
    MPI_Comm_free(&placed);
  } else if (placed != MPI_COMM_NULL) {
    own[0] = -2;
  }
  MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  for (i = 0; rank == 0 && i < size; ++i) printf("process %d %d %d\n", i, all[2 * i], all[2 * i + 1]);
  MPI_Finalize();
  return 0;
}
