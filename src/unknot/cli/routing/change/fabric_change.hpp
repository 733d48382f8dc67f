// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::cli {

/// A fabric, its tables, and what has become of it. LIDs are those that the tables go by.
struct FabricChange {
  Network before, after;
  Routing old;  ///< forwarding tables of `before`
};

/// The fabric with its tables, then without what `faults` names, or as the fabric `to` has it; "" for both:
/// nothing has changed. Throws InputError as the readers do, and for source routes; `command` is for
/// messages.
FabricChange read_change(const char* command, const std::string& fabric, const TablesInput& input,
                         const std::string& faults, const std::string& to, const Common& common);

}  // namespace unknot::cli
