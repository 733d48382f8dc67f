// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "unknot/routing/rules/rules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint16_t kNoCable = 0xFFFF;

class DragonflyRule : public ForwardingRule {
 public:
  DragonflyRule(const Network& network, std::uint32_t group) : network_(network), size_(group) {
    if (group == 0 || network.router_count() % group != 0) {
      throw InputError(fmt::format("rule dragonfly: groups of {} do not divide {} routers", group,
                                   network.router_count()));
    }
    groups_ = network.router_count() / group;
    local_.assign(std::size_t{network.router_count()} * size_, kNoCable);
    list_cables();
    check_groups();
  }

  [[nodiscard]] std::string name() const override { return "dragonfly"; }
  [[nodiscard]] std::uint32_t kinds() const override { return 1; }
  [[nodiscard]] std::uint32_t lanes() const override { return groups_ > 1 ? 2 : 1; }
  [[nodiscard]] std::uint64_t bytes() const override {
    return local_.size() * sizeof(local_[0]) + first_.size() * sizeof(first_[0]) +
           global_.size() * sizeof(global_[0]);
  }

  void column(TerminalId destination, std::span<std::uint16_t> position) const override {
    const std::uint32_t home = network_.router_of(destination).value;
    for (std::uint32_t g = 0; g < groups_; ++g) {
      std::uint32_t gate = home;  // router of the group that all others send to
      if (g != home / size_) {
        const ChannelId cable = cable_to(g, home);
        gate = network_.source(cable).value;
        position[gate] = static_cast<std::uint16_t>(cable.value - network_.out(RouterId(gate)).first());
      }
      for (std::uint32_t r = g * size_; r < (g + 1) * size_; ++r) {
        if (r != gate) position[r] = local_[std::size_t{r} * size_ + gate % size_];
      }
    }
  }

  void levels(TerminalId destination, std::span<std::uint8_t> level) const override {
    const std::uint32_t home_group = network_.router_of(destination).value / size_;
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) level[r] = r / size_ > home_group ? 1 : 0;
  }

 private:
  /// Of the cables from group to group, the one whose turn it is.
  [[nodiscard]] ChannelId cable_to(std::uint32_t group, std::uint32_t home) const {
    const std::size_t pair = std::size_t{group} * groups_ + home / size_;
    return global_[first_[pair] + home % size_ % (first_[pair + 1] - first_[pair])];
  }

  /// Channels between groups by pair of groups, in order of channel; those within by router.
  void list_cables() {
    first_.assign(std::size_t{groups_} * groups_ + 1, 0);
    const auto pair_of = [this](ChannelId c) {
      return std::size_t{network_.source(c).value / size_} * groups_ + network_.target(c).value / size_;
    };
    for (const ChannelId c : network_.channels()) {
      const std::uint32_t from = network_.source(c).value;
      const std::uint32_t to = network_.target(c).value;
      if (from / size_ != to / size_) {
        ++first_[pair_of(c) + 1];
        continue;
      }
      std::uint16_t& entry = local_[std::size_t{from} * size_ + to % size_];
      if (entry != kNoCable)
        throw InputError("rule dragonfly: parallel cables in a group, " + network_.channel_name(c));
      entry = static_cast<std::uint16_t>(c.value - network_.out(RouterId(from)).first());
    }
    for (std::size_t pair = 1; pair < first_.size(); ++pair) first_[pair] += first_[pair - 1];
    global_.resize(first_.back());
    std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
    for (const ChannelId c : network_.channels()) {
      const std::size_t pair = pair_of(c);
      if (pair / groups_ != pair % groups_) global_[at[pair]++] = c;
    }
  }

  void check_groups() const {
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      for (std::uint32_t other = 0; other < size_; ++other) {
        if (other != r % size_ && local_[std::size_t{r} * size_ + other] == kNoCable) {
          throw InputError(fmt::format("rule dragonfly: no cable from {} to {}, which are of one group of {}",
                                       network_.router_name(RouterId(r)),
                                       network_.router_name(RouterId(r / size_ * size_ + other)), size_));
        }
      }
    }
    for (std::uint32_t g = 0; g < groups_; ++g) {
      for (std::uint32_t other = 0; other < groups_; ++other) {
        const std::size_t pair = std::size_t{g} * groups_ + other;
        if (g != other && first_[pair] == first_[pair + 1]) {
          throw InputError(fmt::format(
              "rule dragonfly: no cable from group {} to group {}, of {} routers each", g, other, size_));
        }
      }
    }
  }

  const Network& network_;
  std::uint32_t size_;  // routers of a group
  std::uint32_t groups_ = 0;
  std::vector<std::uint16_t> local_;  // router * size_ + number in the group: position of the channel
  std::vector<std::uint32_t> first_;  // by pair of groups, and one more: of its cables in global_
  std::vector<ChannelId> global_;
};

}  // namespace

std::unique_ptr<ForwardingRule> dragonfly_rule(const Network& network, std::uint32_t group) {
  return std::make_unique<DragonflyRule>(network, group);
}

}  // namespace unknot
