// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/fair_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace unknot {
namespace {

constexpr int kFittingRounds = 40;

/// A table of neighbours that enter by neighbours that leave.
struct Table {
  std::size_t rows, columns;
  std::vector<double> value;

  double& at(std::size_t row, std::size_t column) { return value[row * columns + column]; }
};

/// Sums of rows towards what enters, of columns towards what leaves, of limited pairs to what they may have.
void fit(Table& table, const SwitchPorts& ports, std::span<const CrossingLimit> limits) {
  std::vector<double> sum;
  for (int round = 0; round < kFittingRounds; ++round) {
    for (const CrossingLimit& limit : limits) {
      double held = 0;
      for (std::size_t i = 0; i < table.rows; ++i) {
        for (std::size_t j = 0; j < table.columns; ++j)
          held += limit.in[i] != 0 && limit.out[j] != 0 ? table.at(i, j) : 0;
      }
      const auto most = static_cast<double>(limit.most);
      if (held <= most) continue;
      for (std::size_t i = 0; i < table.rows; ++i) {
        for (std::size_t j = 0; j < table.columns; ++j) {
          if (limit.in[i] != 0 && limit.out[j] != 0) table.at(i, j) *= most / held;
        }
      }
    }
    for (std::size_t i = 0; i < table.rows; ++i) {
      const auto row = table.value.begin() + static_cast<std::ptrdiff_t>(i * table.columns);
      const double held = std::accumulate(row, row + static_cast<std::ptrdiff_t>(table.columns), 0.0);
      const double factor = held > 0 ? static_cast<double>(ports.in[i]) / held : 0;
      for (std::size_t j = 0; j < table.columns; ++j) table.at(i, j) *= factor;
    }
    sum.assign(table.columns, 0);
    for (std::size_t i = 0; i < table.rows; ++i) {
      for (std::size_t j = 0; j < table.columns; ++j) sum[j] += table.at(i, j);
    }
    for (std::size_t j = 0; j < table.columns; ++j)
      sum[j] = sum[j] > 0 ? static_cast<double>(ports.out[j]) / sum[j] : 0;
    for (std::size_t i = 0; i < table.rows; ++i) {
      for (std::size_t j = 0; j < table.columns; ++j) table.at(i, j) *= sum[j];
    }
  }
}

/// A fitted table in whole numbers.
class Rounding {
 public:
  Rounding(const SwitchPorts& ports, std::span<const CrossingLimit> limits)
      : ports_(ports), limits_(limits), in_(ports.in), out_(ports.out), given_(in_.size() * out_.size(), 0) {
    room_.reserve(limits.size());
    for (const CrossingLimit& limit : limits) room_.push_back(limit.most);
  }

  std::vector<Crossing> round(Table& table) {
    struct Cell {
      std::uint32_t in, out;
      std::int64_t rest;  // millionths
    };
    std::vector<Cell> cells;
    cells.reserve(table.value.size());
    for (std::uint32_t i = 0; i < table.rows; ++i) {
      for (std::uint32_t j = 0; j < table.columns; ++j) {
        const double value = table.at(i, j);
        if (value <= 0) continue;
        const double whole = std::floor(value + 1e-7);
        cells.push_back({i, j, std::llround((value - whole) * 1e6)});
        take(i, j, static_cast<std::uint64_t>(whole));
      }
    }
    // Of equal rests those first that lie on the same diagonal: every neighbour gets another partner.
    const auto diagonal = [&](const Cell& cell) {
      return (cell.out + table.columns - cell.in % table.columns) % table.columns;
    };
    std::stable_sort(cells.begin(), cells.end(), [&](const Cell& a, const Cell& b) {
      return a.rest != b.rest ? a.rest > b.rest : diagonal(a) < diagonal(b);
    });
    for (const Cell& cell : cells) take(cell.in, cell.out, 1);
    for (const Cell& cell : cells) take(cell.in, cell.out, kAll);
    for (std::uint32_t i = 0; i < table.rows; ++i) {
      for (std::uint32_t j = 0; in_[i] > 0 && j < table.columns; ++j) exchange(i, j);
    }
    std::vector<Crossing> crossings;
    for (std::uint32_t i = 0; i < table.rows; ++i) {
      for (std::uint32_t j = 0; j < table.columns; ++j) {
        if (given(i, j) > 0) crossings.push_back({i, j, given(i, j)});
      }
    }
    return crossings;
  }

 private:
  static constexpr std::uint64_t kAll = 0xFFFFFFFFFFFFFFFFU;

  std::uint64_t& given(std::uint32_t i, std::uint32_t j) { return given_[i * out_.size() + j]; }
  [[nodiscard]] bool turns_back(std::uint32_t i, std::uint32_t j) const {
    return ports_.in_vertex[i] == ports_.out_vertex[j];
  }
  [[nodiscard]] bool limited(std::size_t l, std::uint32_t i, std::uint32_t j) const {
    return limits_[l].in[i] != 0 && limits_[l].out[j] != 0;
  }

  void take(std::uint32_t i, std::uint32_t j, std::uint64_t wanted) {
    std::uint64_t amount = std::min({wanted, in_[i], out_[j]});
    for (std::size_t l = 0; l < room_.size() && amount > 0; ++l) {
      if (limited(l, i, j)) amount = std::min(amount, room_[l]);
    }
    if (amount == 0) return;
    for (std::size_t l = 0; l < room_.size(); ++l) {
      if (limited(l, i, j)) room_[l] -= amount;
    }
    in_[i] -= amount;
    out_[j] -= amount;
    given(i, j) += amount;
  }

  void give_back(std::uint32_t i, std::uint32_t j, std::uint64_t amount) {
    for (std::size_t l = 0; l < room_.size(); ++l) {
      if (limited(l, i, j)) room_[l] += amount;
    }
    in_[i] += amount;
    out_[j] += amount;
    given(i, j) -= amount;
  }

  /// What is left of both, which cannot go straight: another pair gives up its place, and each takes one half
  /// of it.
  void exchange(std::uint32_t i, std::uint32_t j) {
    for (std::uint32_t p = 0; p < ports_.in.size(); ++p) {
      if (p == i || turns_back(p, j)) continue;
      for (std::uint32_t q = 0; q < ports_.out.size(); ++q) {
        if (in_[i] == 0 || out_[j] == 0) return;
        if (q == j || given(p, q) == 0 || turns_back(i, q)) continue;
        const std::uint64_t amount = std::min({in_[i], out_[j], given(p, q)});
        give_back(p, q, amount);
        const std::uint64_t first = given(i, q), second = given(p, j);
        take(i, q, amount);
        take(p, j, amount);
        if (given(i, q) - first == amount && given(p, j) - second == amount) continue;
        give_back(i, q, given(i, q) - first);
        give_back(p, j, given(p, j) - second);
        take(p, q, amount);
      }
    }
  }

  const SwitchPorts& ports_;
  std::span<const CrossingLimit> limits_;
  std::vector<std::uint64_t> in_, out_;  // by neighbour: what has no place yet
  std::vector<std::uint64_t> given_;     // by pair
  std::vector<std::uint64_t> room_;      // by limit
};

}  // namespace

std::vector<Crossing> fair_shares(const SwitchPorts& ports, std::span<const double> weights,
                                  std::span<const CrossingLimit> limits) {
  Table table{ports.in.size(), ports.out.size(), {weights.begin(), weights.end()}};
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t j = 0; j < table.columns; ++j) {
      table.at(i, j) *= ports.in_vertex[i] == ports.out_vertex[j]
                            ? 0
                            : static_cast<double>(ports.in[i]) * static_cast<double>(ports.out[j]);
    }
  }
  fit(table, ports, limits);
  return Rounding(ports, limits).round(table);
}

}  // namespace unknot
