// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/network.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {

/// Adds complete, unroutable_pairs, loops, deadlock_free, minimal, hops, witness and findings to a document.
void add_verdict(Json& document, const Network& network, const Verdict& verdict);

/// {max, min, mean, sigma4}.
Json load_json(const LoadStatistics& load);

/// "free", "free (bubble)" or "CYCLE of 4 channels": one cell of a table.
std::string deadlock_cell(const Verdict& verdict);

/// "yes", "NO, CYCLE of 4 channels", and the flow control that this is about.
std::string deadlock_answer(const Verdict& verdict);

/// The witness and the findings, for people; empty when there is nothing to say.
std::string explain(const Network& network, const Verdict& verdict);

}  // namespace unknot::cli
