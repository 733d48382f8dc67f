/* SPDX-License-Identifier: Apache-2.0 */
/* What the test of its own does not ask of a function that unknot has written: elements with gaps between
 * them, an operation of one's own, and errors. Run by 8 ranks; says "right" once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FUNCTION
#define FUNCTION unknot_aor_8
#endif
#ifndef RECEIVES
#define RECEIVES(rank) ((rank) == 0)
#endif
int FUNCTION(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

enum { COUNT = 1001 }; /* no multiple of the pieces that a message may be divided into */

/* One element of the type below: what is before and behind the value is not of it. */
struct element {
  int before;
  int value;
  int behind;
};

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  const struct element* from = in;
  struct element* to = inout;
  int i;
  (void)type;
  for (i = 0; i < *count; ++i) to[i].value += from[i].value;
}

static void require(int holds, int line) {
  if (holds) return;
  fprintf(stderr, "line %d does not hold\n", line);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  static struct element send[COUNT], receive[COUNT];
  const int one = 1;
  const MPI_Aint at = sizeof(int);
  int rank, i;
  MPI_Datatype bare, type;
  MPI_Op sum, ordered;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct element), &type);
  MPI_Type_commit(&type);
  MPI_Op_create(add, 1, &sum);
  MPI_Op_create(add, 0, &ordered);
  for (i = 0; i < COUNT; ++i) {
    send[i].before = send[i].behind = -1;
    send[i].value = rank * COUNT + i;
    receive[i].before = receive[i].value = receive[i].behind = -2;
  }

  require(FUNCTION(send, receive, COUNT, type, sum, MPI_COMM_WORLD) == MPI_SUCCESS, __LINE__);
  for (i = 0; i < COUNT; ++i) {
    require(receive[i].value == (RECEIVES(rank) ? 28 * COUNT + 8 * i : -2), __LINE__);
    require(receive[i].before == -2 && receive[i].behind == -2, __LINE__);
  }
  require(FUNCTION(send, receive, 0, type, sum, MPI_COMM_WORLD) == MPI_SUCCESS, __LINE__);
  require(FUNCTION(send, receive, -1, type, sum, MPI_COMM_WORLD) == MPI_ERR_COUNT, __LINE__);
  require(FUNCTION(send, receive, 1, type, ordered, MPI_COMM_WORLD) == MPI_ERR_OP, __LINE__);
  require(FUNCTION(send, receive, 1, type, sum, MPI_COMM_SELF) == MPI_ERR_COMM, __LINE__);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}
