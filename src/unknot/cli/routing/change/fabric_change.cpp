// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/fabric_change.hpp"

#include <fmt/format.h>

#include <optional>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

/// Rows to a switch are in no column of these tables: what is in force to a host that has its LID now is not
/// known.
void refuse_lids_of_switches(const FabricChange& change, const std::string& to) {
  const LidMap before = LidMap::of(change.before);
  for (const TerminalId t : change.after.terminals()) {
    const std::uint32_t lid = change.after.terminal_lid(t);
    const Device had = before.at(lid);
    if (!had.is_router()) continue;
    throw InputError(fmt::format(
        "{}: {} has LID {}, which {} had: what the switches do with its entries for that LID is not looked "
        "at; give the host "
        "another one",
        to, change.after.terminal_name(t), lid, change.before.router_name(RouterId(had.index()))));
  }
}

/// Entries and steps are of one LID of each host; rows to the others would come and go unseen.
void refuse_several_lids(const char* command, const std::string& fabric, const Network& network) {
  const std::uint32_t lmc = network.labels().lmc;
  if (lmc == 0) return;
  throw InputError(fmt::format(
      "{}: hosts of {} have {} LIDs each (LMC {}), and changes are of one; route anew with --lmc {}", command,
      fabric, 1U << lmc, lmc, lmc));
}

}  // namespace

FabricChange read_change(const char* command, const std::string& fabric, const TablesInput& input,
                         const std::string& faults, const std::string& to, const Common& common) {
  const Network own = load_fabric(fabric);
  std::optional<LidMap> told;
  FabricChange change;
  change.old = read_routing(own, input, &told);
  require_tables(change.old, command);
  refuse_several_lids(command, fabric, own);
  // Where nobody tells LIDs the numbers that the old fabric gets stand for them, as with --fail.
  change.before = with_lids(own, told ? *told : LidMap::of(own));
  if (!to.empty()) {
    change.after = with_lids_kept(load_fabric(to), own, change.before);
    refuse_lids_of_switches(change, to);
    refuse_several_lids(command, to, change.after);
  } else if (!faults.empty()) {
    change.after = with_faults(change.before, read_faults(change.before, faults, common));
  } else {
    change.after = change.before;
  }
  return change;
}

}  // namespace unknot::cli
