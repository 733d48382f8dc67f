// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/c_self_test.hpp"

#include <fmt/format.h>

#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/play/block_layout.hpp"
#include "unknot/play/promise.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot::play {
namespace {

constexpr const char* kPersonal =
    R"(  int sends[RANKS], send_at[RANKS], receives[RANKS], receive_at[RANKS], i;
  for (i = 0; i < RANKS; ++i) {
    sends[i] = takes[i][rank] == '1' ? count : 0;
    send_at[i] = SEND_MESSAGES == 1 ? 0 : i * count;
    receives[i] = takes[rank][i] == '1' ? count : 0;
    receive_at[i] = i * count;
  }
)";

// No operation of MPI combines the parts of some ranks only: all parts are exchanged, and added up here.
constexpr const char* kAddUp = R"(  int64_t *parts = malloc((size_t)(RANKS * count + 1) * sizeof *parts);
  int error, j, first = 1;
  if (parts == NULL) return MPI_ERR_NO_MEM;
  error = MPI_Alltoallv(send, sends, send_at, MPI_INT64_T, parts, receives, receive_at, MPI_INT64_T, comm);
  for (i = 0; i < RANKS && error == MPI_SUCCESS; ++i) {
    if (takes[rank][i] != '1') continue;
    for (j = 0; j < count; ++j) receive[j] = (first ? 0 : receive[j]) + parts[i * count + j];
    first = 0;
  }
  free(parts);
  return error;
)";

constexpr const char* kIncludes = R"(
#ifdef UNKNOT_MAIN
#include <stdint.h>
#include <stdio.h>
#include <string.h>
)";

constexpr const char* kSignature = R"(
/* The same by what MPI has itself. */
static int reference(const int64_t *send, int64_t *receive, int count, int rank, MPI_Comm comm)
{
)";

constexpr const char* kMainBegin = R"(}

int main(int argc, char **argv)
{
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  const size_t send_words = (size_t)SEND_MESSAGES * (size_t)count;
  const size_t receive_words = (size_t)RECEIVE_MESSAGES * (size_t)count;
  int64_t *send, *ours, *theirs;
  int rank, error, wrong, anywhere = 0;
  size_t i;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (count < 1) MPI_Abort(MPI_COMM_WORLD, 2);
  send = malloc(send_words * sizeof *send);
  ours = malloc(receive_words * sizeof *ours);
  theirs = malloc(receive_words * sizeof *theirs);
  if (send == NULL || ours == NULL || theirs == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  for (i = 0; i < send_words; ++i) send[i] = (int64_t)rank * 1000000007 + (int64_t)i;
  for (i = 0; i < receive_words; ++i) ours[i] = theirs[i] = -1;
)";

constexpr const char* kMainEnd =
    R"(  if (error == MPI_SUCCESS) error = reference(send, theirs, count, rank, MPI_COMM_WORLD);
  if (error != MPI_SUCCESS) {
    if (rank == 0) fprintf(stderr, "%s has failed; is it run by %d ranks?\n", NAME, (int)RANKS);
    MPI_Finalize();
    return 2;
  }
  wrong = memcmp(ours, theirs, receive_words * sizeof *ours) != 0;
  MPI_Allreduce(&wrong, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%s and %s %s: %d ranks, messages of %d words\n", NAME, REFERENCE,
                        anywhere ? "DIFFER" : "agree", (int)RANKS, count);
  free(send);
  free(ours);
  free(theirs);
  MPI_Finalize();
  return anywhere;
}
#endif
)";

/// Whether the reference needs to be told who takes what from whom.
bool needs_table(MpiCollective collective) {
  return collective == MpiCollective::none || collective == MpiCollective::alltoallv ||
         collective == MpiCollective::allgatherv;
}

/// Who takes what from whom, a line for each rank.
std::string table_of(const CombinedProblem& problem) {
  const std::vector<Promise> all = promises(problem);
  std::string text =
      "\n/* takes[r][s] is '1' where rank r gets something of rank s. */\n"
      "static const char takes[RANKS][RANKS + 1] = {\n";
  for (const Promise& promise : all) {
    std::string line(all.size(), '0');
    for (const SentMessage& sent : promise.sent) line[sent.rank] = '1';
    append(text, "  \"{}\",\n", line);
  }
  return text + "};\n";
}

/// The statements of a function that does the same by MPI's own operation.
std::string reference(MpiCollective collective, std::uint32_t root) {
  const std::string one = "send, count, MPI_INT64_T, receive, count, MPI_INT64_T";
  switch (collective) {
    case MpiCollective::scatter:
    case MpiCollective::gather:
      return fmt::format("  (void)rank;\n  return {}({}, {}, comm);\n", name_of(collective), one, root);
    case MpiCollective::alltoall:
    case MpiCollective::allgather:
      return fmt::format("  (void)rank;\n  return {}({}, comm);\n", name_of(collective), one);
    case MpiCollective::alltoallv:
      return std::string(kPersonal) +
             "  return MPI_Alltoallv(send, sends, send_at, MPI_INT64_T, receive, receives, receive_at, "
             "MPI_INT64_T, comm);\n";
    case MpiCollective::allgatherv:
      return std::string(kPersonal) +
             "  (void)send_at;\n"
             "  return MPI_Allgatherv(send, sends[rank], MPI_INT64_T, receive, receives, "
             "receive_at, MPI_INT64_T, comm);\n";
    case MpiCollective::bcast:
      return fmt::format(
          "  if (rank == {0}) memcpy(receive, send, (size_t)count * sizeof *send);\n"
          "  return MPI_Bcast(receive, count, MPI_INT64_T, {0}, comm);\n",
          root);
    case MpiCollective::reduce:
      return fmt::format(
          "  (void)rank;\n  return MPI_Reduce(send, receive, count, MPI_INT64_T, MPI_SUM, {}, comm);\n",
          root);
    case MpiCollective::reduce_scatter_block:
      return "  (void)rank;\n"
             "  return MPI_Reduce_scatter_block(send, receive, count, MPI_INT64_T, MPI_SUM, comm);\n";
    case MpiCollective::allreduce:
    case MpiCollective::scan:
      return fmt::format("  (void)rank;\n  return {}(send, receive, count, MPI_INT64_T, MPI_SUM, comm);\n",
                         name_of(collective));
    case MpiCollective::none:
      break;
  }
  return std::string(kPersonal) + kAddUp;
}

}  // namespace

std::string c_self_test(const CombinedProblem& problem, const std::string& function) {
  const MpiCollective collective = mpi_collective(problem);
  const bool reduction = problem.reduces();
  const char* other = collective == MpiCollective::none ? "MPI_Alltoallv with sums" : name_of(collective);
  std::string text = kIncludes;
  text += fmt::format("\n#define NAME \"{}\"\n#define REFERENCE \"{}\"\n", function, other);
  if (needs_table(collective)) text += table_of(problem);
  text += kSignature + reference(collective, root_rank(problem)) + kMainBegin;
  text += fmt::format("  error = {}(send, ours, count, MPI_INT64_T, {}MPI_COMM_WORLD);\n", function,
                      reduction ? "MPI_SUM, " : "");
  return text + kMainEnd;
}

}  // namespace unknot::play
