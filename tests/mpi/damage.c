/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before MPI's library, through MPI's profiling interface: all that rank 2 sends has one wrong bit. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  int rank, bytes;
  char* copy;
  MPI_Comm_rank(comm, &rank);
  MPI_Type_size(type, &bytes);
  bytes *= count;
  if (rank != 2 || bytes <= 5) return PMPI_Isend(data, count, type, to, tag, comm, request);
  copy = malloc((size_t)bytes); /* MPI reads it later: it is left to the end of the program */
  if (copy == NULL) return MPI_ERR_NO_MEM;
  memcpy(copy, data, (size_t)bytes);
  copy[5] = (char)(copy[5] ^ 0x10);
  return PMPI_Isend(copy, count, type, to, tag, comm, request);
}
