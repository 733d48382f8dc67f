// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// Whether all can be read a second time.
bool from_files(const TablesInput& input);

/// Third-party tables with their rows to switches; null where they have none, or cannot be read a second
/// time. `part` (null: all) is what is left of `whole`, which the tables may be of. Throws InputError as the
/// readers do.
std::shared_ptr<ManagedRun> read_management(const TablesInput& input, const Network& whole,
                                            const Network* part);

}  // namespace unknot::cli
