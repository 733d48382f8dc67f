// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// The best that traffic split at will reaches: between what a flow carries and what lengths allow, both
/// checked.
struct FlowLimits {
  FlowCheck check;
  FluidLimit lower, upper;  ///< what is reached, and what cannot be passed
  bool program = false;     ///< by linear program, otherwise by exponential lengths
  std::uint32_t rounds = 0;

  /// upper / lower - 1; 0 where there is no flow.
  [[nodiscard]] double gap() const;
};

/// Throws where the flow does not carry what it is to carry: a mistake of the solver's, or of numbers.
FlowLimits flow_limits(const Network& network, const Exchange& exchange, const FlowCheck& check, bool program,
                       std::uint32_t rounds);

nlohmann::ordered_json flow_limits_json(const FlowLimits& limits);
/// Of any paths, for people.
std::string flow_limits_text(const FlowLimits& limits);

}  // namespace unknot::cli
