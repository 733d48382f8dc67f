// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/record/order_check.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace unknot::simulate {

void OrderCheck::arrived(std::uint32_t source, std::uint32_t destination, std::uint32_t injected) {
  const auto [at, first] = last_.try_emplace(std::uint64_t{source} << 32U | destination, injected);
  // Cycles go round: less than half a turn lies between two that meet.
  if (!first && static_cast<std::int32_t>(injected - at->second) <= 0) {
    throw std::logic_error(
        fmt::format("a packet from terminal {} to {} has overtaken another", source, destination));
  }
  at->second = injected;
}

}  // namespace unknot::simulate
