// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <fmt/format.h>

#include <new>
#include <optional>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/memory.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/mpi/play/report.hpp"
#include "unknot/support/error.hpp"

namespace unknot::mpi {
namespace {

/// Calls `work`; what it throws becomes one sentence on standard error and the exit code.
template <class Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const InputError& error) {
    cli::message(error.what());
  } catch (const std::bad_alloc&) {
    cli::message("not enough memory for messages of this size among this many ranks");
  } catch (const std::exception& error) {
    cli::message(fmt::format("internal error, please report it: {}", error.what()));
  }
  return cli::kBadInput;
}

/// What rank 0 knows, and the others learn of.
struct Beginning {
  std::optional<PlayOptions> options;
  Prepared prepared;
  bool plays = false;
};

int begin(int argc, const char* const* argv, std::uint32_t processes, Beginning& beginning) {
  beginning.options = parse_play_options(argc, argv);
  if (!beginning.options) return cli::kYes;
  beginning.prepared = prepare(*beginning.options, processes);
  beginning.plays = beginning.prepared.verdict.valid();
  if (beginning.plays) return cli::kYes;
  print_refusal(*beginning.options, beginning.prepared);
  return cli::kNo;
}

/// Returns the exit code of rank 0; that of the others is 0, so that mpirun reports one.
int run(int argc, const char* const* argv) {
  int rank = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  Beginning beginning;
  int code = cli::kYes;
  if (rank == 0) {
    code = guarded([&] { return begin(argc, argv, static_cast<std::uint32_t>(processes), beginning); });
  }
  int plays = beginning.plays ? 1 : 0;
  MPI_Bcast(&plays, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (plays == 0) return code;

  std::uint32_t part = 0;
  Prepared& prepared = beginning.prepared;
  MPI_Scatter(prepared.part.data(), 1, MPI_UINT32_T, &part, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
  std::uint32_t teller = prepared.settings.teller;
  MPI_Bcast(&teller, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
  prepared.settings.teller = teller;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, static_cast<int>(part), &comm);
  const Assignment assignment =
      hand_out(comm, prepared.settings, rank == 0 ? beginning.options->sizes : std::vector<std::uint64_t>(),
               prepared.programs, prepared.promises);
  const PlayResult result = measure(assignment, comm);
  MPI_Comm_free(&comm);
  if (rank > 0) return cli::kYes;
  print_result(*beginning.options, prepared, result);
  return result.first_wrong ? cli::kNo : cli::kYes;
}

}  // namespace
}  // namespace unknot::mpi

/// unknot-play: schedules of collective communications with real messages, beside what MPI has itself.
int main(int argc, char** argv) {
  unknot::cli::prepare_heap();
  MPI_Init(&argc, &argv);
  bool finished = false;
  const int code = unknot::mpi::guarded([&] {
    const int answer = unknot::mpi::run(argc, argv);
    finished = true;
    return answer;
  });
  if (!finished) MPI_Abort(MPI_COMM_WORLD, code);  // others may be waiting for this rank
  MPI_Finalize();
  return code;
}
