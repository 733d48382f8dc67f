// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/rules/rules.hpp"

#include "unknot/support/catalogue.hpp"

namespace unknot {

const std::vector<RuleRow>& rules() {
  static const std::vector<RuleRow> rows = {
      {"dimension-order",
       "dimension order on a torus, mesh, hypercube or HyperX, as engine dor:sl2vl=0",
       {},
       [](const Network& network, const Parameters&) { return dimension_order_rule(network); }},
      {"d-mod-k",
       "up by the digits of the destination's number, then down, on a whole XGFT or fat tree; one lane",
       {},
       [](const Network& network, const Parameters&) { return d_mod_k_rule(network); }},
      {"dragonfly",
       "by one global cable, at most one hop before it and one after; two lanes",
       {{.name = "group", .help = "routers in a group", .min = 1}},
       [](const Network& network, const Parameters& parameters) {
         return dragonfly_rule(network, parameters.number32("group"));
       }},
  };
  return rows;
}

std::unique_ptr<ForwardingRule> make_rule(const Network& network, std::string_view spec) {
  const Chosen<RuleRow> chosen = choose_row(rules(), "rule", spec);
  return chosen.row->make(network, chosen.parameters);
}

}  // namespace unknot
