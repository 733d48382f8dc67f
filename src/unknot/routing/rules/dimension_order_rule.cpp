// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <vector>

#include "unknot/network/grid.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRings = 3;  // eight levels
constexpr std::uint16_t kNoChannel = 0xFFFF;
// Of a ring only neighbours are kept, so that what all routers do fits into a cache.
constexpr std::uint32_t kUp = 0, kDown = 1;

class DimensionOrderRule : public ForwardingRule {
 public:
  explicit DimensionOrderRule(const Network& network)
      : network_(network), at_(*network.coordinates()), grid_(grid_of(network)) {
    for (std::uint32_t d = 0; d < at_.dimensions; ++d) {
      first_.push_back(d == 0 ? 0 : first_.back() + at_.extent[d - 1]);
      offset_.push_back(width_);
      width_ += grid_.ring[d] != 0 ? 2 : at_.extent[d];
      bit_.push_back(grid_.ring[d] != 0 ? static_cast<std::uint8_t>(1U << bits_++) : std::uint8_t{0});
    }
    if (bits_ > kMostRings) {
      throw InputError(
          fmt::format("rule dimension-order: {} dimensions of {} are rings of more than three "
                      "routers, at most {} are taken on",
                      bits_, network.description(), kMostRings));
    }
    fill_towards();
  }

  [[nodiscard]] std::string name() const override { return "dimension-order"; }
  /// Packets to the opposite router of a ring go up or down by whether the terminal's number is even.
  [[nodiscard]] std::uint32_t kinds() const override { return bits_ > 0 ? 2 : 1; }
  [[nodiscard]] std::uint32_t lanes() const override { return 1U << bits_; }
  [[nodiscard]] std::uint64_t bytes() const override {
    return towards_.size() * sizeof(towards_[0]) + at_.value.size() * sizeof(at_.value[0]);
  }

  void column(TerminalId destination, std::span<std::uint16_t> position) const override {
    const std::uint32_t* home = coordinates(network_.router_of(destination).value);
    const std::vector<std::uint32_t> onward = onward_to(home, parity_of(destination));
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      const std::uint32_t* here = coordinates(r);
      std::uint32_t d = 0;
      while (d < at_.dimensions && here[d] == home[d]) ++d;
      if (d == at_.dimensions) continue;
      position[r] = towards_[std::size_t{r} * width_ + onward[first_[d] + here[d]]];
    }
  }

  void levels(TerminalId destination, std::span<std::uint8_t> level) const override {
    const std::uint32_t* home = coordinates(network_.router_of(destination).value);
    const std::uint32_t parity = parity_of(destination);
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      const std::uint32_t* here = coordinates(r);
      std::uint8_t all = 0;
      for (std::uint32_t d = 0; d < at_.dimensions; ++d) {
        if (bit_[d] == 0 || here[d] == home[d]) continue;
        const bool up = goes_up(d, here[d], home[d], parity);
        if (up == (here[d] > home[d])) all |= bit_[d];  // past the cable between last and first
      }
      level[r] = all;
    }
  }

 private:
  [[nodiscard]] const std::uint32_t* coordinates(std::uint32_t router) const {
    return at_.value.data() + std::size_t{router} * at_.dimensions;
  }

  /// Of all coordinates of the destination and of its number at its router.
  [[nodiscard]] std::uint32_t parity_of(TerminalId destination) const {
    const RouterId home = network_.router_of(destination);
    std::uint32_t sum = destination.value - network_.terminals_at(home).first();
    for (std::uint32_t d = 0; d < at_.dimensions; ++d) sum += coordinates(home.value)[d];
    return sum % 2;
  }

  /// Along a ring, the shorter way. To the opposite router every other one goes up; which of them changes
  /// with the destination's other coordinates and its number.
  [[nodiscard]] bool goes_up(std::uint32_t d, std::uint32_t from, std::uint32_t to,
                             std::uint32_t parity) const {
    const std::uint32_t extent = at_.extent[d];
    const std::uint32_t up = (to + extent - from) % extent;
    return 2 * up == extent ? (parity + to + from) % 2 == 0 : 2 * up < extent;
  }
  [[nodiscard]] std::uint32_t in_row(std::uint32_t d, std::uint32_t to, bool up) const {
    if (bit_[d] == 0) return offset_[d] + to;
    return offset_[d] + (up ? kUp : kDown);
  }
  /// By dimension and coordinate: where in a row of towards_ the channel stands that is taken on from there.
  /// A few dozen, which save all routers the arithmetic.
  [[nodiscard]] std::vector<std::uint32_t> onward_to(const std::uint32_t* home, std::uint32_t parity) const {
    std::vector<std::uint32_t> onward;
    for (std::uint32_t d = 0; d < at_.dimensions; ++d) {
      for (std::uint32_t x = 0; x < at_.extent[d]; ++x)
        onward.push_back(in_row(d, home[d], goes_up(d, x, home[d], parity)));
    }
    return onward;
  }

  void fill_towards() {
    towards_.assign(std::size_t{network_.router_count()} * width_, kNoChannel);
    for (const ChannelId c : network_.channels()) {
      const std::uint32_t from = network_.source(c).value;
      const std::uint32_t d = grid_.dimension[c.value];
      const std::uint32_t to = coordinates(network_.target(c).value)[d];
      const bool up = to == (coordinates(from)[d] + 1) % at_.extent[d];
      std::uint16_t& entry = towards_[std::size_t{from} * width_ + in_row(d, to, up)];
      if (entry != kNoChannel) {
        throw InputError(
            fmt::format("rule dimension-order: parallel cables, {} and another", network_.channel_name(c)));
      }
      entry = static_cast<std::uint16_t>(c.value - network_.out(RouterId(from)).first());
    }
    // Along a line of neighbours the others lie behind the next one.
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      for (std::uint32_t d = 0; d < at_.dimensions; ++d) {
        if (bit_[d] != 0) continue;
        std::uint16_t* line = towards_.data() + std::size_t{r} * width_ + offset_[d];
        const std::uint32_t here = coordinates(r)[d];
        for (std::uint32_t x = here + 1; x < at_.extent[d]; ++x) {
          if (line[x] == kNoChannel) line[x] = line[x - 1];
        }
        for (std::uint32_t x = here; x-- > 0;) {
          if (line[x] == kNoChannel) line[x] = line[x + 1];
        }
      }
    }
  }

  const Network& network_;
  const Coordinates& at_;
  Grid grid_;
  std::uint32_t width_ = 0;
  std::uint32_t bits_ = 0;
  std::vector<std::uint32_t> first_;    // by dimension: coordinates of those before it
  std::vector<std::uint32_t> offset_;   // by dimension: where it begins in a row of towards_
  std::vector<std::uint8_t> bit_;       // by dimension: of the level; 0 where there is no dateline
  std::vector<std::uint16_t> towards_;  // router * width_ + offset + (coordinate; on rings, kUp or kDown):
                                        // position of the channel
};

}  // namespace

std::unique_ptr<ForwardingRule> dimension_order_rule(const Network& network) {
  if (const std::string trouble = grid_trouble(network); !trouble.empty())
    throw InputError("rule dimension-order: " + trouble);
  return std::make_unique<DimensionOrderRule>(network);
}

}  // namespace unknot
