// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/measure.hpp"

#include <algorithm>
#include <type_traits>

#include "unknot/mpi/play/own_operation.hpp"
#include "unknot/mpi/play/player.hpp"

namespace unknot::mpi {
namespace {

class Experiment {
 public:
  Experiment(const Assignment& assignment, MPI_Comm comm)
      : assignment_(assignment),
        settings_(assignment.settings),
        comm_(comm),
        data_(settings_.seed, settings_.combination),
        player_(assignment, comm),
        own_(assignment, comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    rank_ = static_cast<std::uint32_t>(rank);
    wrong_.rank = rank_;
    const play::BlockLayout& layout = settings_.layout;
    for (const play::Instruction& now : assignment.program.instructions) {
      const bool reads = now.action != play::Action::receive && now.action != play::Action::wait;
      const bool writes = now.action != play::Action::send && now.action != play::Action::wait;
      if (reads && now.from < layout.send_blocks()) send_messages_ = layout.send_messages;
      if (writes && now.to < layout.send_blocks() + layout.receive_blocks())
        receive_messages_ = layout.receive_messages;
    }
  }

  SizeResult run(std::uint64_t bytes) {
    bytes_ = bytes;
    send_.resize(send_messages_ * bytes);
    receive_.resize(receive_messages_ * bytes);
    data_.fill_send(rank_, bytes, send_);
    player_.set_message_bytes(bytes);
    own_.set_message_bytes(bytes);
    const std::uint64_t wrong_before = wrong_bytes_;
    const bool compares = settings_.own != MpiCollective::none;
    std::vector<double> schedule(settings_.repetitions);
    std::vector<double> own(compares ? settings_.repetitions : 0);
    std::vector<double> barrier(settings_.repetitions);
    for (std::uint32_t i = 0; i < settings_.warm_up + settings_.repetitions; ++i) {
      const double ours = checked_seconds(false);
      const double theirs = compares ? checked_seconds(true) : 0;
      const double neither = seconds([] {});
      if (i < settings_.warm_up) continue;
      schedule[i - settings_.warm_up] = ours;
      if (compares) own[i - settings_.warm_up] = theirs;
      barrier[i - settings_.warm_up] = neither;
    }
    SizeResult result;
    result.bytes = bytes;
    const std::uint64_t wrong = wrong_bytes_ - wrong_before;
    MPI_Reduce(&wrong, &result.wrong_bytes, 1, MPI_UINT64_T, MPI_SUM, teller(), comm_);
    result.schedule = spread_of_slowest(schedule);
    if (compares) result.own = spread_of_slowest(own);
    result.barrier = spread_of_slowest(barrier);
    return result;
  }

  std::optional<FirstWrong> first_wrong() {
    static_assert(std::is_trivially_copyable_v<FirstWrong>);
    int ranks = 0;
    MPI_Comm_size(comm_, &ranks);
    std::vector<FirstWrong> all(static_cast<std::size_t>(ranks));
    constexpr auto kSize = static_cast<int>(sizeof(FirstWrong));
    MPI_Gather(&wrong_, kSize, MPI_BYTE, all.data(), kSize, MPI_BYTE, teller(), comm_);
    const auto found =
        std::find_if(all.begin(), all.end(), [](const FirstWrong& wrong) { return wrong.bytes > 0; });
    if (found == all.end()) return std::nullopt;
    return *found;
  }

 private:
  [[nodiscard]] int teller() const { return static_cast<int>(settings_.teller); }

  /// From one barrier to the next at this rank, with `work` between them.
  template <class Work>
  double seconds(Work work) {
    MPI_Barrier(comm_);
    const double begin = MPI_Wtime();
    work();
    MPI_Barrier(comm_);
    return MPI_Wtime() - begin;
  }

  /// For one run of the schedule or of MPI's own operation. Checks what it leaves.
  double checked_seconds(bool own) {
    data_.fill_receive(rank_, bytes_, receive_);
    const double time = seconds(
        [&] { own ? own_.run(send_.data(), receive_.data()) : player_.run(send_.data(), receive_.data()); });
    const play::DataVerdict verdict = data_.check(rank_, assignment_.promise, bytes_, receive_);
    wrong_bytes_ += verdict.wrong_bytes;
    if (verdict.first && wrong_.bytes == 0) wrong_ = {rank_, bytes_, own, *verdict.first};
    return time;
  }

  play::Spread spread_of_slowest(std::vector<double>& times) {
    std::vector<double> slowest(times.size());
    MPI_Reduce(times.data(), slowest.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, teller(),
               comm_);
    return play::spread_of(std::move(slowest));
  }

  const Assignment& assignment_;
  const PlaySettings& settings_;
  MPI_Comm comm_;
  play::TestData data_;
  Player player_;
  OwnOperation own_;
  std::uint32_t rank_ = 0;
  std::uint32_t send_messages_ = 0, receive_messages_ = 0;  // that this rank uses
  std::uint64_t bytes_ = 0;
  std::vector<std::byte> send_, receive_;
  std::uint64_t wrong_bytes_ = 0;
  FirstWrong wrong_;  // bytes 0: none
};

}  // namespace

PlayResult measure(const Assignment& assignment, MPI_Comm comm) {
  Experiment experiment(assignment, comm);
  PlayResult result;
  for (const std::uint64_t bytes : assignment.sizes) result.sizes.push_back(experiment.run(bytes));
  result.first_wrong = experiment.first_wrong();
  return result;
}

}  // namespace unknot::mpi
