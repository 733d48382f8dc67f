// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "unknot/routing/rules/rules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Routers of one level, numbered from `first` as xgft() does: a router of the level is number
/// (before * `radix` + digit) * `after` + rest, its parent number u (before * `parents` + u) * `after` +
/// rest.
struct TreeLevel {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t parents = 0;   // of each router, w; 0 at the top
  std::uint32_t radix = 1;     // children of each parent, m
  std::uint32_t after = 1;     // values of the digits of the levels above
  std::uint32_t children = 0;  // of each router: positions before those of its channels up
};

class DModKRule : public ForwardingRule {
 public:
  explicit DModKRule(const Network& network) : network_(network) {
    find_shape();
    check_cables();
    for (const RouterId r : network.routers()) {
      most_ = std::max(most_, network.terminals_at(r).size());
      if (!network.terminals_at(r).empty() && r.value >= levels_[0].count)
        refuse(network.router_name(r) + " has terminals and is no leaf");
    }
  }

  [[nodiscard]] std::string name() const override { return "d-mod-k"; }
  [[nodiscard]] std::uint32_t kinds() const override { return std::max(1U, most_); }
  [[nodiscard]] std::uint32_t lanes() const override { return 1; }
  [[nodiscard]] std::uint64_t bytes() const override { return levels_.size() * sizeof(TreeLevel); }

  void column(TerminalId destination, std::span<std::uint16_t> position) const override {
    const std::uint32_t leaf = network_.router_of(destination).value;
    std::uint64_t rest = number_in_tree(destination);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const TreeLevel& level = levels_[l];
      if (level.parents > 0) {
        std::fill_n(position.begin() + level.first, level.count,
                    static_cast<std::uint16_t>(level.children + rest % level.parents));
        rest /= level.parents;
      }
      if (l == 0) continue;
      // Those above the leaf: down to its part of the tree.
      const TreeLevel& below = levels_[l - 1];
      const auto down = static_cast<std::uint16_t>(leaf / below.after % below.radix);
      for (std::uint32_t r = leaf % below.after; r < level.count; r += below.after)
        position[level.first + r] = down;
    }
  }

 private:
  /// Numbered as the tree is drawn: terminals of a leaf, then leaves below one router, then on upwards.
  [[nodiscard]] std::uint64_t number_in_tree(TerminalId t) const {
    const std::uint32_t leaf = network_.router_of(t).value;
    std::uint64_t number = t.value - network_.terminals_at(RouterId(leaf)).first();
    std::uint64_t size = kinds();
    for (const TreeLevel& level : levels_) {
      number += leaf / level.after % level.radix * size;
      size *= level.radix;
    }
    return number;
  }

  [[noreturn]] static void refuse(const std::string& what) {
    throw InputError("rule d-mod-k: not a whole XGFT, " + what);
  }

  void find_shape() {
    const std::span<const std::uint32_t> of = network_.levels();
    if (of.empty()) refuse("its routers have no levels");
    for (std::uint32_t r = 0; r < of.size();) {
      if (of[r] != levels_.size()) {
        refuse(fmt::format("{} is of level {} where one of level {} should follow",
                           network_.router_name(RouterId(r)), of[r], levels_.size()));
      }
      TreeLevel level{.first = r};
      while (r < of.size() && of[r] == levels_.size()) ++r;
      level.count = r - level.first;
      for (const ChannelId c : network_.out(RouterId(level.first))) {
        const bool up = of[network_.target(c).value] > of[level.first];
        ++(up ? level.parents : level.children);
      }
      levels_.push_back(level);
    }
    for (std::size_t l = levels_.size() - 1; l-- > 0;) {
      levels_[l].radix = levels_[l + 1].children;
      levels_[l].after = levels_[l + 1].after * levels_[l + 1].radix;
      if (levels_[l].radix == 0 || levels_[l].parents == 0)
        refuse(fmt::format("no cables between levels {} and {}", l, l + 1));
    }
    if (levels_[0].children > 0 || levels_.back().parents > 0) refuse("cables within a level");
  }

  /// Every channel is the one that the numbering says, and there is none besides.
  void check_cables() {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const TreeLevel& level = levels_[l];
      for (std::uint32_t i = 0; i < level.count; ++i) {
        const RouterId r(level.first + i);
        const IdRange<ChannelId> out = network_.out(r);
        if (out.size() != level.children + level.parents) {
          refuse(fmt::format("{} has {} cables where others of its level have {}", network_.router_name(r),
                             out.size(), level.children + level.parents));
        }
        for (std::uint32_t at = 0; at < out.size(); ++at) {
          const std::uint64_t to = at < level.children ? child(l, i, at) : parent(l, i, at - level.children);
          if (network_.target(out[at]).value != to) {
            refuse(fmt::format("{} should lead to {}", network_.channel_name(out[at]), to));
          }
        }
      }
    }
  }
  [[nodiscard]] std::uint64_t parent(std::size_t l, std::uint32_t i, std::uint32_t up) const {
    const TreeLevel& level = levels_[l];
    const std::uint64_t before = i / level.after / level.radix;
    return levels_[l + 1].first + (before * level.parents + up) * level.after + i % level.after;
  }
  [[nodiscard]] std::uint64_t child(std::size_t l, std::uint32_t i, std::uint32_t down) const {
    const TreeLevel& below = levels_[l - 1];
    const std::uint64_t before = i / below.after / below.parents;
    return below.first + (before * below.radix + down) * below.after + i % below.after;
  }

  const Network& network_;
  std::vector<TreeLevel> levels_;
  std::uint32_t most_ = 0;  // terminals at a router
};

}  // namespace

std::unique_ptr<ForwardingRule> d_mod_k_rule(const Network& network) {
  return std::make_unique<DModKRule>(network);
}

}  // namespace unknot
