// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/racks.hpp"

#include <algorithm>
#include <cmath>

namespace unknot {
namespace {

/// Takes things of some units one after another into racks.
class RackFiller {
 public:
  explicit RackFiller(double rack_units) : rack_units_(rack_units) {}

  /// Rack of the next thing.
  std::uint32_t put(double units) {
    if (used_ + units > rack_units_ + 1e-9) {
      ++rack_;
      used_ = 0;
    }
    used_ += units;
    return rack_;
  }
  [[nodiscard]] std::uint32_t racks() const { return rack_ + 1; }

 private:
  double rack_units_;
  double used_ = 0;
  std::uint32_t rack_ = 0;
};

}  // namespace

Racks::Racks(const Network& network, const FloorPlan& floor) : floor_(floor) {
  of_terminal_.resize(network.terminal_count());
  of_router_.reserve(network.router_count());
  RackFiller filler(floor.rack_units);
  for (const RouterId r : network.routers()) {
    of_router_.push_back(filler.put(floor.router_units));
    for (const TerminalId t : network.terminals_at(r))
      of_terminal_[t.value] = filler.put(floor.terminal_units);
  }
  count_ = filler.racks();
  per_row_ = floor.racks_per_row != 0 ? floor.racks_per_row
                                      : static_cast<std::uint32_t>(std::ceil(std::sqrt(count_)));
}

double Racks::metres(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return floor_.inside;
  const auto apart = [](std::uint32_t x, std::uint32_t y) { return x < y ? y - x : x - y; };
  return floor_.slack + floor_.rack_width * apart(a % per_row_, b % per_row_) +
         floor_.row_pitch * apart(a / per_row_, b / per_row_);
}

FloorPlan grid_floor(std::uint32_t columns) {
  return {.rack_units = 1,
          .router_units = 1,
          .terminal_units = 0,
          .rack_width = 1,
          .row_pitch = 1,
          .racks_per_row = columns,
          .inside = 0,
          .slack = 0};
}

CableLengths cable_lengths(const Network& network, const Racks& racks) {
  CableLengths lengths;
  for (const ChannelId c : network.channels()) {
    if (network.reverse(c).valid() && network.reverse(c) < c) continue;
    const double metres = racks.metres(racks.of(network.source(c)), racks.of(network.target(c)));
    ++lengths.cables;
    lengths.sum += metres;
    lengths.longest = std::max(lengths.longest, metres);
  }
  return lengths;
}

}  // namespace unknot
