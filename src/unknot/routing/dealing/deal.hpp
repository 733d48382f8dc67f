// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace unknot {

/// How the terminals of one destination router are dealt out to ports of another router, in proportion to
/// weights.
///
/// Terminals lie on places 0 .. count-1, and ports take stretches of them one after the other, in the order
/// of their positions. The k-th begins at place floor(sum of the weights before it * count / sum of all + u),
/// with one u in [0, 1) for all, so that each gets its share rounded up or down, and on the average over u
/// its share. Places are then turned: place p is terminal (p + turn) modulo count.
///
/// All in whole numbers of 32 bits: the same on every machine, in either form.
struct Deal {
  /// Weights are at least 1; those of the ports of one deal sum up to about this, as finely as 32 bits allow.
  static constexpr std::uint32_t kMostWeight = 1U << 16;
  /// Bytes that a deal may write past the last terminal.
  static constexpr std::uint32_t kOverrun = 64;

  std::uint32_t count = 0;   ///< terminals, at least 1
  std::uint32_t turn = 0;    ///< below count
  std::uint32_t shift = 0;   ///< shift_for(count)
  std::uint32_t offset = 0;  ///< u in parts of 1 << shift

  /// Fraction bits with which `count` places and one more fit 32 bits.
  static std::uint32_t shift_for(std::uint32_t count) {
    return 31U - static_cast<std::uint32_t>(std::bit_width(count));
  }
};

/// Writes the port of each terminal to `out`. `ports`: a bit for each port, at least one; `weights` by port.
/// `places` is scratch of 2 * count entries and 2 * Deal::kOverrun bytes more. O(ports + count / 16).
template <class Entry>
void deal_out(const Deal& deal, std::span<const std::uint64_t> ports, const std::uint32_t* weights,
              Entry* places, Entry* out) {
  constexpr std::uint32_t kRun = 16 / sizeof(Entry);  // entries of one wide store
  std::uint32_t total = 0;
  const std::uint32_t* weight = weights;
  for (const std::uint64_t word : ports) {
    for (std::uint64_t left = word; left != 0; left &= left - 1) total += weight[std::countr_zero(left)];
    weight += 64;
  }
  const std::uint32_t each = (deal.count << deal.shift) / total;
  // Each stretch is written as if it went on: the next one begins where it ends, and writes over the rest.
  std::array<Entry, kRun> run{};
  std::uint32_t before = 0;
  std::uint32_t begin = 0;
  std::uint32_t first_port = 0;
  weight = weights;
  for (const std::uint64_t word : ports) {
    for (std::uint64_t left = word; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
      before += weight[bit];
      const std::uint32_t end = (before * each + deal.offset) >> deal.shift;
      run.fill(static_cast<Entry>(first_port + bit));
      std::uint32_t at = begin;
      do {
        std::memcpy(places + at, run.data(), sizeof run);
        at += kRun;
      } while (at < end);
      begin = end;
    }
    weight += 64;
    first_port += 64;
  }
  for (; begin < deal.count; ++begin) places[begin] = run[0];  // what rounding has left of the last port's
  for (std::uint32_t at = 0; at < deal.count; at += kRun) {
    std::memcpy(run.data(), places + at, sizeof run);
    std::memcpy(places + deal.count + at, run.data(), sizeof run);
  }
  const Entry* from = places + deal.count - deal.turn;
  for (std::uint32_t at = 0; at < deal.count; at += kRun) std::memcpy(out + at, from + at, sizeof run);
}

}  // namespace unknot
