// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "unknot/bounds/hose_bound.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// The bound on the throughput over all traffic, as a member of a document and as lines for people.
nlohmann::ordered_json hose_json(const HoseBound& bound);
std::string hose_text(const Network& network, const HoseBound& bound);

}  // namespace unknot::cli
