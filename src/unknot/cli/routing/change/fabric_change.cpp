// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/fabric_change.hpp"

#include <optional>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"

namespace unknot::cli {

FabricChange read_change(const char* command, const std::string& fabric, const TablesInput& input,
                         const std::string& faults, const std::string& to, const Common& common) {
  const Network own = load_fabric(fabric);
  std::optional<LidMap> told;
  FabricChange change;
  change.old = read_routing(own, input, &told);
  require_tables(change.old, command);
  // Where nobody tells LIDs the numbers that the old fabric gets stand for them, as with --fail.
  change.before = with_lids(own, told ? *told : LidMap::of(own));
  if (!to.empty()) {
    change.after = with_lids_kept(load_fabric(to), own, change.before);
  } else if (!faults.empty()) {
    change.after = with_faults(change.before, read_faults(change.before, faults, common));
  } else {
    change.after = change.before;
  }
  return change;
}

}  // namespace unknot::cli
