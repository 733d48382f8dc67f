// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/exchange/exchange_plan.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Leads parts that pass arcs with more to carry than `time` allows over shortest ways through arcs that have
/// room. True where no arc has more then. Routes keep their order; those that are divided are at the end.
/// O(parts led anew * arcs + nodes of routes).
bool relieve_arcs(const Problem& problem, const Fraction& time, ExchangePlan& plan);

}  // namespace unknot
