// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/watch/watch.hpp"

namespace unknot::cli {

/// Adds hurts, the lists of what has changed, damage, and the states of tables to a document.
void add_watch(Json& document, const Network& before, const Network& after, const watch::WatchReport& report);

/// What to look at, what has changed with at most `lines` lines of each kind, and the tables.
std::string watch_text(const std::string& old_name, const std::string& new_name, const Network& before,
                       const Network& after, const watch::WatchReport& report, std::uint32_t lines);

}  // namespace unknot::cli
