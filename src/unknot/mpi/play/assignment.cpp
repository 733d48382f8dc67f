// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/assignment.hpp"

#include <type_traits>
#include <utility>

namespace unknot::mpi {
namespace {

/// One vector for each rank; what this rank gets.
template <class T>
std::vector<T> scattered(MPI_Comm comm, std::uint32_t teller, const std::vector<std::vector<T>>& parts) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<int> sizes;
  std::vector<int> begin;
  std::vector<T> all;
  for (const std::vector<T>& part : parts) {
    begin.push_back(static_cast<int>(all.size() * sizeof(T)));
    sizes.push_back(static_cast<int>(part.size() * sizeof(T)));
    all.insert(all.end(), part.begin(), part.end());
  }
  const int root = static_cast<int>(teller);
  int size = 0;
  MPI_Scatter(sizes.data(), 1, MPI_INT, &size, 1, MPI_INT, root, comm);
  std::vector<T> own(static_cast<std::size_t>(size) / sizeof(T));
  MPI_Scatterv(all.data(), sizes.data(), begin.data(), MPI_BYTE, own.data(), size, MPI_BYTE, root, comm);
  return own;
}

/// One member of what is handed out, by rank.
template <class Items, class Member>
auto members(const Items& items, Member member) {
  std::vector<std::remove_cvref_t<decltype(member(items[0]))>> result;
  result.reserve(items.size());
  for (const auto& item : items) result.push_back(member(item));
  return result;
}

}  // namespace

Assignment hand_out(MPI_Comm comm, PlaySettings settings, std::vector<std::uint64_t> sizes,
                    const std::vector<play::RankProgram>& programs,
                    const std::vector<play::Promise>& promises) {
  static_assert(std::is_trivially_copyable_v<PlaySettings>);
  const std::uint32_t teller = settings.teller;
  const int root = static_cast<int>(teller);
  Assignment result;
  MPI_Bcast(&settings, static_cast<int>(sizeof(settings)), MPI_BYTE, root, comm);
  result.settings = settings;
  auto count = static_cast<int>(sizes.size());
  MPI_Bcast(&count, 1, MPI_INT, root, comm);
  sizes.resize(static_cast<std::size_t>(count));
  MPI_Bcast(sizes.data(), count, MPI_UINT64_T, root, comm);
  result.sizes = std::move(sizes);
  const auto work =
      members(programs, [](const play::RankProgram& p) { return std::vector<std::uint32_t>{p.work_blocks}; });
  result.program.work_blocks = scattered(comm, teller, work).at(0);
  result.program.instructions =
      scattered(comm, teller, members(programs, [](const play::RankProgram& p) { return p.instructions; }));
  result.promise.first =
      scattered(comm, teller, members(promises, [](const play::Promise& p) { return p.first; }));
  result.promise.sent =
      scattered(comm, teller, members(promises, [](const play::Promise& p) { return p.sent; }));
  return result;
}

}  // namespace unknot::mpi
