// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/hose_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {

nlohmann::ordered_json hose_json(const HoseBound& bound) {
  return {{"saturation", std::min(1.0, bound.throughput())},
          {"channels", bound.channels},
          {"length", bound.length},
          {"longest", bound.longest},
          {"exact", bound.exact()},
          {"terminals_matched", bound.terminals_matched},
          {"diameter", bound.diameter},
          {"unreachable_pairs", bound.unreachable_pairs}};
}

std::string hose_text(const Network& network, const HoseBound& bound) {
  const double throughput = bound.throughput();
  std::vector<std::pair<std::string, std::string>> rows = {
      {"all traffic", "whatever it is, no terminal sending or receiving more than 1 (hose model)"},
      {"throughput", std::isinf(throughput) ? std::string("no bound: no traffic leaves a router")
                                            : fmt::format("at most {:.6f}", throughput)}};
  if (bound.unreachable_pairs > 0)
    rows.emplace_back("pairs of routers without a path", grouped(bound.unreachable_pairs));
  if (bound.length > 0) {
    rows.emplace_back(
        "longest matching",
        fmt::format("{} of {} terminals, {:.4f} channels each, {}", grouped(bound.terminals_matched),
                    grouped(network.terminal_count()),
                    static_cast<double>(bound.length) / static_cast<double>(bound.terminals_matched),
                    bound.exact() ? "proven to be the longest"
                                  : fmt::format("{} in all, the longest has {} at most",
                                                grouped(bound.length), grouped(bound.longest))));
  }
  rows.emplace_back("channels", fmt::format("{} of {} on a way between terminals", grouped(bound.channels),
                                            grouped(network.channel_count())));
  return key_values(rows);
}

}  // namespace unknot::cli
