// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/support/error.hpp"

namespace unknot::mpi {
namespace {

constexpr int kMigrants = 1;  // tags
constexpr int kFailure = 2;
constexpr std::size_t kPiece = 1U << 30U;  // values in one message: MPI counts them in an int
constexpr std::chrono::seconds kPatience{1};

/// Between two looks at what has come: first the core is offered to others, then left to them for a while.
void pause(std::uint32_t looks) {
  constexpr std::uint32_t kEager = 1000;
  if (looks < kEager) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace

MpiProcesses::MpiProcesses(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int count = 1;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  processes_ = static_cast<std::uint32_t>(count);
  process_ = static_cast<std::uint32_t>(rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &work_);
  MPI_Comm_dup(MPI_COMM_WORLD, &leaving_);
}

MpiProcesses::~MpiProcesses() {
  MPI_Comm_free(&work_);
  MPI_Comm_free(&leaving_);
  MPI_Finalize();
}

int MpiProcesses::give_up(std::string_view sentence, int code) {
  failed_ = true;
  if (process_ == 0) {
    cli::message(sentence);
    return code;
  }
  std::string text(1, static_cast<char>(code));
  text += sentence;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kFailure, leaving_, &request);
  // Rank 0 takes it or ends this process, and may be busy until then.
  int sent = 0;
  for (std::uint32_t looks = 0;; ++looks) {
    MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
    if (sent != 0) return code;
    pause(looks);
  }
}

std::optional<MpiProcesses::Failure> MpiProcesses::failure_of_others() const {
  int there = 0;
  MPI_Status status{};
  MPI_Iprobe(MPI_ANY_SOURCE, kFailure, leaving_, &there, &status);
  if (there == 0) return std::nullopt;
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  std::string text(static_cast<std::size_t>(length), ' ');
  MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, kFailure, leaving_, MPI_STATUS_IGNORE);
  return Failure{static_cast<unsigned char>(text[0]),
                 fmt::format("process {}: {}", status.MPI_SOURCE, text.substr(1))};
}

void MpiProcesses::wait(std::span<MPI_Request> requests) {
  for (std::uint32_t looks = 0;; ++looks) {
    int done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    std::optional<Failure> failure;
    if (process_ == 0) failure = failure_of_others();
    if (cli::interrupted() && !failed_) failure = Failure{cli::kInterrupted, Interrupted().what()};
    if (failure && process_ == 0) {
      cli::message(failure->sentence);
      MPI_Abort(MPI_COMM_WORLD, failure->code);
    }
    // What is under way writes to the caller's memory: nothing may be thrown. Rank 0 ends this process.
    if (failure) (void)give_up(failure->sentence, failure->code);
    pause(looks);
  }
}

int MpiProcesses::leave(int code) {
  const auto start = std::chrono::steady_clock::now();
  const int failed = failed_ ? 1 : 0;
  int any = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&failed, &any, 1, MPI_INT, MPI_MAX, leaving_, &request);
  for (std::uint32_t looks = 0;; ++looks) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (process_ == 0) {
      const std::optional<Failure> failure = failure_of_others();
      if (failure && !failed_) {
        failed_ = true;
        code = failure->code;
        cli::message(failure->sentence);
      }
    }
    if (done != 0 && (process_ > 0 || failed_ || any == 0)) return process_ == 0 ? code : 0;
    const bool waited = std::chrono::steady_clock::now() - start > kPatience;
    if (process_ == 0 && failed_ && waited) MPI_Abort(MPI_COMM_WORLD, code);
    pause(looks);
  }
}

void MpiProcesses::minimum(std::span<std::uint64_t> numbers) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_MIN, work_,
                 &request);
  wait({&request, 1});
}

void MpiProcesses::pass_on(std::span<const evolve::Value> out, std::span<evolve::Value> in) {
  const auto next = static_cast<int>((process_ + 1) % processes_);
  const auto before = static_cast<int>((process_ + processes_ - 1) % processes_);
  std::vector<MPI_Request> requests;
  for (std::size_t at = 0; at < in.size(); at += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, in.size() - at));
    MPI_Irecv(in.data() + at, count, MPI_UINT16_T, before, kMigrants, work_, &requests.emplace_back());
    MPI_Isend(out.data() + at, count, MPI_UINT16_T, next, kMigrants, work_, &requests.emplace_back());
  }
  wait(requests);
}

void MpiProcesses::broadcast(std::span<evolve::Value> values, std::uint32_t from) {
  for (std::size_t at = 0; at < values.size(); at += kPiece) {
    const auto count = static_cast<int>(std::min(kPiece, values.size() - at));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(values.data() + at, count, MPI_UINT16_T, static_cast<int>(from), work_, &request);
    wait({&request, 1});
  }
}

}  // namespace unknot::mpi
