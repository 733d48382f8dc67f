// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

#include "unknot/cli/command/processes.hpp"
#include "unknot/evolve/exchange.hpp"

namespace unknot::mpi {

/// The ranks of an MPI program. One for each program: it begins and ends MPI. Only the thread that made it
/// calls it; others may run meanwhile.
///
/// Every wait for other ranks polls, with sleeps: an idle rank leaves its core to others, hears of Ctrl-C,
/// and rank 0 hears of the errors of the others, of which it prints the first. A rank that is killed takes
/// the others with it by way of mpirun.
class MpiProcesses final : public cli::Processes, public evolve::Exchange {
 public:
  MpiProcesses(int& argc, char**& argv);
  ~MpiProcesses() override;

  [[nodiscard]] evolve::Exchange& exchange() override { return *this; }
  /// Where other ranks do not end, too, within a second, they are made to.
  [[nodiscard]] int give_up(std::string_view sentence, int code) override;
  /// Waits for the others to end. Returns the exit code: that of rank 0 is the command's, those of others are
  /// 0.
  [[nodiscard]] int leave(int code);

  [[nodiscard]] std::uint32_t processes() const override { return processes_; }
  [[nodiscard]] std::uint32_t process() const override { return process_; }
  void minimum(std::span<std::uint64_t> numbers) override;
  void pass_on(std::span<const evolve::Value> out, std::span<evolve::Value> in) override;
  void broadcast(std::span<evolve::Value> values, std::uint32_t from) override;

 private:
  struct Failure {
    int code;
    std::string sentence;
  };
  void wait(std::span<MPI_Request> requests);
  [[nodiscard]] std::optional<Failure> failure_of_others() const;

  std::uint32_t processes_ = 1;
  std::uint32_t process_ = 0;
  MPI_Comm work_ = MPI_COMM_NULL;     // the exchange
  MPI_Comm leaving_ = MPI_COMM_NULL;  // errors, and the end
  bool failed_ = false;
};

}  // namespace unknot::mpi
