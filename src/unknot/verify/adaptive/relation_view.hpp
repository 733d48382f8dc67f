// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot {

/// What packets of one kind may do at a router.
struct RelationOption {
  ChoiceKind kind = ChoiceKind::fixed;   ///< adaptive only with two positions or more
  std::vector<std::uint16_t> positions;  ///< ascending; none: the packet is lost
  AdaptiveFinding::Kind why_lost = AdaptiveFinding::Kind::no_route;

  bool operator==(const RelationOption&) const = default;
  /// A packet that waits may still take another.
  [[nodiscard]] bool free() const { return kind == ChoiceKind::adaptive; }
};

/// A routing relation as packets of one kind (adaptive or fixed) see it: each entry an option, options
/// numbered by plane and router, and destinations that all routers treat alike put into one class.
class RelationView {
 public:
  static constexpr std::uint16_t kHere = 0xFFFF;  ///< delivered here

  /// O(planes * routers * terminals). `committed`: no choice is free.
  RelationView(const Network& network, const AdaptiveRouting& routing, bool adaptive, bool committed,
               std::uint32_t threads);

  [[nodiscard]] bool adaptive() const { return adaptive_; }
  [[nodiscard]] std::span<const RelationOption> options(std::uint32_t plane, RouterId r) const {
    return options_[at(plane, r)];
  }
  /// Of options(), or kHere.
  [[nodiscard]] std::uint16_t option_of(std::uint32_t plane, RouterId r, TerminalId t) const {
    return option_of(plane, r, t, routing_->planes[plane].entry(r, t));
  }
  [[nodiscard]] std::uint32_t class_count() const {
    return static_cast<std::uint32_t>(representative_.size());
  }
  /// The first terminal of the class.
  [[nodiscard]] TerminalId representative(std::uint32_t index) const { return representative_[index]; }
  [[nodiscard]] std::uint32_t class_of(TerminalId t) const { return class_of_[t.value]; }

 private:
  [[nodiscard]] std::size_t at(std::uint32_t plane, RouterId r) const {
    return static_cast<std::size_t>(plane) * network_->router_count() + r.value;
  }
  [[nodiscard]] std::uint16_t option_of(std::uint32_t plane, RouterId r, TerminalId t,
                                        std::uint16_t entry) const {
    const std::vector<std::uint16_t>& numbers = of_choice_[at(plane, r)];
    if (entry < numbers.size()) return numbers[entry];
    return entry == AdaptivePlane::kHere && network_->router_of(t) == r ? kHere : std::uint16_t{0};
  }
  void number_options(std::uint32_t plane, RouterId r);
  void find_classes(std::uint32_t threads);
  [[nodiscard]] std::vector<std::uint64_t> column_hashes(std::uint32_t threads) const;
  void add_differing(const std::vector<TerminalId>& first_of, std::uint32_t threads,
                     std::vector<std::uint8_t>& differs) const;

  const Network* network_;
  const AdaptiveRouting* routing_;
  bool adaptive_;
  bool committed_;
  std::vector<std::vector<RelationOption>> options_;   // by plane and router; 0: no route
  std::vector<std::vector<std::uint16_t>> of_choice_;  // by plane and router: option of a choice
  std::vector<TerminalId> representative_;             // by class
  std::vector<std::uint32_t> class_of_;                // by terminal
};

}  // namespace unknot
