// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/nas_kernels.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kWord = 8;  // bytes of a real
constexpr std::uint32_t kMostNasRanks = 1U << 14U;
constexpr std::uint32_t kMostRanksOfAllToAll = 1U << 12U;  // 16 million messages

/// Messages of ranks to others.
class Rows {
 public:
  void send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    if (from != to && bytes > 0) messages_.push_back({from, to, bytes});
  }
  [[nodiscard]] CommunicationMatrix matrix(std::uint32_t ranks) && {
    return matrix_of_messages(ranks, std::move(messages_));
  }

 private:
  std::vector<RankMessage> messages_;
};

/// The size of a class, and how many ranks it has work for.
template <class Size>
const Size& of_class(const std::array<Size, kNasClasses.size()>& sizes, std::size_t nas_class) {
  return sizes[nas_class];
}

void too_many(std::string_view kernel, std::size_t nas_class, std::uint32_t ranks, std::uint64_t most) {
  if (ranks <= most) return;
  throw InputError(fmt::format("NAS kernel {}, class {}: {} ranks are more than the {} that have work",
                               kernel, kNasClasses[nas_class], ranks, most));
}

/// Ranks in a grid of 2^(n/2) rows, of as many columns or twice as many, rows one after another.
void cg(std::size_t nas_class, std::uint32_t ranks, Rows& rows) {
  constexpr std::array<std::uint64_t, kNasClasses.size()> kUnknowns = {1400,  7000,   14000,
                                                                       75000, 150000, 1500000};
  const std::uint64_t unknowns = of_class(kUnknowns, nas_class);
  const std::uint32_t power = static_cast<std::uint32_t>(std::countr_zero(ranks));
  const std::uint32_t grid_rows = 1U << (power / 2);
  const std::uint32_t columns = ranks / grid_rows;
  too_many("cg", nas_class, columns, unknowns);
  const std::uint64_t of_row = (unknowns + grid_rows - 1) / grid_rows;
  const bool square = columns == grid_rows;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    // twice as many columns: two ranks share the part of a row that one has otherwise
    const std::uint64_t half = rank % 2 == 0 ? (of_row + 1) / 2 : of_row / 2;
    const std::uint64_t own = square ? of_row : half;
    const std::uint32_t row = rank / columns;
    const std::uint32_t column = rank % columns;
    for (std::uint32_t apart = 1; apart < columns; apart *= 2) {
      // the first sum of halves: each gets its own from the one beside it, which it gives the other
      const std::uint64_t words = !square && apart == 1 ? of_row - own : own;
      rows.send(rank, row * columns + (column ^ apart), kWord * words);
    }
    const std::uint32_t pair = rank / 2;
    const std::uint32_t across = square ? rank % grid_rows * grid_rows + rank / grid_rows
                                        : 2 * (pair % grid_rows * grid_rows + pair / grid_rows) + rank % 2;
    rows.send(rank, across, kWord * own);
  }
}

void all_to_all_of(std::string_view kernel, std::uint64_t bytes_of_pair, std::uint32_t ranks, Rows& rows) {
  if (ranks > kMostRanksOfAllToAll) {
    throw InputError(fmt::format("NAS kernel {}: {} ranks, all to all: expected at most {}", kernel, ranks,
                                 kMostRanksOfAllToAll));
  }
  for (std::uint32_t from = 0; from < ranks; ++from) {
    for (std::uint32_t to = 0; to < ranks; ++to) rows.send(from, to, bytes_of_pair);
  }
}

/// Slabs: the ranks divide one dimension.
void ft(std::size_t nas_class, std::uint32_t ranks, Rows& rows) {
  struct Grid {
    std::uint64_t x, y, z;
  };
  constexpr std::array<Grid, kNasClasses.size()> kGrids = {
      {{64, 64, 64}, {128, 128, 32}, {256, 256, 128}, {512, 256, 256}, {512, 512, 512}, {2048, 1024, 1024}}};
  const Grid& grid = of_class(kGrids, nas_class);
  too_many("ft", nas_class, ranks, grid.z);
  all_to_all_of("ft", 2 * kWord * grid.x * grid.y * grid.z / ranks / ranks, ranks, rows);
}

void is(std::size_t nas_class, std::uint32_t ranks, Rows& rows) {
  constexpr std::array<std::uint32_t, kNasClasses.size()> kKeys = {16, 20, 23, 25, 27, 31};  // powers of two
  const std::uint64_t keys = std::uint64_t{1} << of_class(kKeys, nas_class);
  too_many("is", nas_class, ranks, 1U << (of_class(kKeys, nas_class) / 2));
  all_to_all_of("is", 4 * keys / ranks / ranks, ranks, rows);
}

/// Ranks in a grid of two dimensions, the first one twice as long where they cannot be alike, and fastest.
void lu(std::size_t nas_class, std::uint32_t ranks, Rows& rows) {
  constexpr std::array<std::uint32_t, kNasClasses.size()> kSides = {12, 33, 64, 102, 162, 408};
  const std::uint32_t side = of_class(kSides, nas_class);
  const std::uint32_t power = static_cast<std::uint32_t>(std::countr_zero(ranks));
  const std::uint32_t x = 1U << ((power + 1) / 2);
  const std::uint32_t y = ranks / x;
  too_many("lu", nas_class, x, side);
  const auto points = [&](std::uint32_t at, std::uint32_t of) {
    return std::uint64_t{side} / of + (at < side % of ? 1 : 0);
  };
  constexpr std::uint64_t kUnknownsOfPoint = 5;
  // a face of a plane in each of the planes inside, by one of the two sweeps; then two layers of the whole
  // face
  const auto face = [&](std::uint64_t edge) {
    return kWord * kUnknownsOfPoint * edge * (side - 2) + 2 * kWord * kUnknownsOfPoint * edge * side;
  };
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::uint32_t i = rank % x;
    const std::uint32_t j = rank / x;
    if (i > 0) rows.send(rank, rank - 1, face(points(j, y)));
    if (i + 1 < x) rows.send(rank, rank + 1, face(points(j, y)));
    if (j > 0) rows.send(rank, rank - x, face(points(i, x)));
    if (j + 1 < y) rows.send(rank, rank + x, face(points(i, x)));
  }
}

/// Ranks in a grid of three dimensions, the first one fastest; of a coarse grid fewer ranks have points, at
/// equal distances.
void mg(std::size_t nas_class, std::uint32_t ranks, Rows& rows) {
  constexpr std::array<std::uint32_t, kNasClasses.size()> kLevels = {5, 7, 8, 8, 9, 10};  // powers of two
  const std::uint32_t levels = of_class(kLevels, nas_class);
  const std::uint32_t power = static_cast<std::uint32_t>(std::countr_zero(ranks));
  const std::uint32_t first = power / 3;
  const std::uint32_t second = (power - first) / 2;
  const std::array<std::uint32_t, 3> extent = {1U << first, 1U << second, 1U << (power - first - second)};
  too_many("mg", nas_class, extent[2], 1U << levels);
  const std::array<std::uint32_t, 3> stride = {1, extent[0], extent[0] * extent[1]};
  for (std::uint32_t level = 1; level <= levels; ++level) {
    const std::uint32_t side = 1U << level;
    // times that faces are exchanged: the coarsest has no residual on the way up, the finest a last one
    const std::uint64_t times = level == 1 ? 2 : 3;
    std::array<std::uint32_t, 3> step{};
    std::array<std::uint64_t, 3> points{};
    for (std::size_t d = 0; d < 3; ++d) {
      step[d] = side < extent[d] ? extent[d] / side : 1;
      points[d] = side < extent[d] ? 1 : side / extent[d];
    }
    // one dimension after the other: each sends the ghosts that those before it have filled
    const std::array<std::uint64_t, 3> face = {points[1] * points[2], (points[0] + 2) * points[2],
                                               (points[0] + 2) * (points[1] + 2)};
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      bool has_points = true;
      for (std::size_t d = 0; d < 3; ++d)
        has_points = has_points && rank / stride[d] % extent[d] % step[d] == 0;
      if (!has_points) continue;
      for (std::size_t d = 0; d < 3; ++d) {
        const std::uint32_t at = rank / stride[d] % extent[d];
        for (const std::uint32_t to : {(at + step[d]) % extent[d], (at + extent[d] - step[d]) % extent[d]})
          rows.send(rank, rank - at * stride[d] + to * stride[d], kWord * times * face[d]);
      }
    }
  }
}

}  // namespace

const std::vector<NasKernel>& nas_kernels() {
  static const std::vector<NasKernel> rows = {
      {"cg", "an iteration of the conjugate gradients", "sums along the rows of a grid, and across it"},
      {"ft", "a transposition", "all to all"},
      {"is", "a ranking of all keys", "all to all"},
      {"lu", "a time step", "neighbours in two dimensions"},
      {"mg", "a V-cycle", "neighbours in three dimensions, near and far, around"},
  };
  return rows;
}

CommunicationMatrix nas_matrix(std::string_view kernel, char nas_class, std::uint32_t ranks) {
  const std::string& name = find_row(nas_kernels(), "NAS kernel", kernel).name;
  const std::size_t number = kNasClasses.find(nas_class);
  if (number == std::string_view::npos)
    throw InputError(fmt::format("NAS kernel {}: class '{}' is none of S, W, A, B, C, D", name, nas_class));
  if (ranks < 2 || ranks > kMostNasRanks || !std::has_single_bit(ranks)) {
    throw InputError(fmt::format("NAS kernel {}: {} ranks, expected a power of two from 2 to {}", name, ranks,
                                 kMostNasRanks));
  }
  Rows rows;
  if (name == "cg") cg(number, ranks, rows);
  if (name == "ft") ft(number, ranks, rows);
  if (name == "is") is(number, ranks, rows);
  if (name == "lu") lu(number, ranks, rows);
  if (name == "mg") mg(number, ranks, rows);
  return std::move(rows).matrix(ranks);
}

CommunicationMatrix matrix_of_hosts(const CommunicationMatrix& ranks, std::uint32_t per_host,
                                    std::uint64_t part) {
  if (ranks.ranks % per_host != 0)
    throw InputError(fmt::format("{} ranks do not fill hosts of {} each", ranks.ranks, per_host));
  Rows rows;
  for (std::uint32_t rank = 0; rank < ranks.ranks; ++rank) {
    for (std::uint64_t e = ranks.first[rank]; e < ranks.first[rank + 1]; ++e)
      rows.send(rank / per_host, ranks.entries[e].column / per_host, ranks.entries[e].bytes);
  }
  CommunicationMatrix matrix = std::move(rows).matrix(ranks.ranks / per_host);
  if (matrix.entries.empty()) throw InputError(fmt::format("all {} ranks are on one host", ranks.ranks));
  for (CommunicationMatrix::Entry& entry : matrix.entries) entry.bytes = (entry.bytes + part - 1) / part;
  return matrix;
}

}  // namespace unknot
