// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot::cli {

/// Fields that scripts read: deadlock_free, method (acyclic, escape or null), delivers, witness (null where
/// deadlock-free), and the measures.
void add_adaptive_verdict(Json& document, const Network& network, const AdaptiveVerdict& verdict);

/// Lines of the answer, for key_values().
std::vector<std::pair<std::string, std::string>> adaptive_rows(const AdaptiveVerdict& verdict);

/// What is lost or goes in circles, and what can block each other; "" where all is well.
std::string explain_adaptive(const Network& network, const AdaptiveVerdict& verdict);

}  // namespace unknot::cli
