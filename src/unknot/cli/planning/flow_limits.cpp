// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/flow_limits.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {

double FlowLimits::gap() const {
  return check.max_load > 0 ? check.upper / check.lower - 1 : 0;
}

FlowLimits flow_limits(const Network& network, const Exchange& exchange, const FlowCheck& check, bool program,
                       std::uint32_t rounds) {
  if (check.imbalance > 1e-6)
    throw std::runtime_error(fmt::format("the flow found does not balance: {:.1e}", check.imbalance));
  return {check, fluid_limit(network, exchange, 1 / check.lower),
          fluid_limit(network, exchange, 1 / check.upper), program, rounds};
}

nlohmann::ordered_json flow_limits_json(const FlowLimits& limits) {
  nlohmann::ordered_json json;
  json["method"] = limits.program ? "linear program" : "potential";
  json["saturation"] = {{"lower", limits.lower.saturation}, {"upper", limits.upper.saturation}};
  json["time"] = {{"lower", limits.upper.time}, {"upper", limits.lower.time}};
  json["effective_throughput"] = {{"lower", limits.lower.effective_throughput},
                                  {"upper", limits.upper.effective_throughput}};
  json["max_load"] = {{"lower", 1 / limits.check.upper}, {"upper", 1 / limits.check.lower}};
  json["gap"] = limits.gap();
  json["rounds"] = limits.rounds;
  json["imbalance"] = limits.check.imbalance;
  return json;
}

std::string flow_limits_text(const FlowLimits& limits) {
  return key_values(
      {{"any paths, split anyhow", limits.program
                                       ? std::string("by linear program")
                                       : fmt::format("by exponential lengths, {} rounds", limits.rounds)},
       {"max load", fmt::format("{:.6f} reached, {:.6f} cannot be passed (gap {:.2f} %)",
                                1 / limits.check.lower, 1 / limits.check.upper, 100 * limits.gap())},
       {"saturation",
        fmt::format("{:.6f} reached, at most {:.6f}", limits.lower.saturation, limits.upper.saturation)},
       {"effective throughput",
        fmt::format("{:.6f} reached, at most {:.6f}", limits.lower.effective_throughput,
                    limits.upper.effective_throughput)}});
}

}  // namespace unknot::cli
