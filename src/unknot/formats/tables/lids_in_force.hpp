// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The network under the LIDs that its tables go by, whatever its own file says of them: devices that `told`
/// does not know keep the LID that the file states where nobody else has it, and have none known otherwise.
/// Where the file states none at all, the systematic ones of routers and terminals count as stated.
/// InputError as LidMap::of(). O(devices).
Network with_lids(Network network, const LidMap& told);

/// `network` under the LIDs that are in force in another moment of the same fabric. `own` is that moment as
/// its file has it, `in_force` the same after with_lids(). A device has kept its LID unless both files state
/// one and these differ; then it has the LID that its own file states. Devices are the same by (port) GUID.
/// One that has come and states none gets the lowest LID that nobody has or had in the other moment: switches
/// still have entries for those of devices that are gone, which are kept for them (Labels::kept_lids).
/// O(devices log devices).
Network with_lids_kept(Network network, const Network& own, const Network& in_force);

/// The network under the LIDs of a guid2lid file, as with_lids(), so that devices keep what they had; LIDs of
/// GUIDs that the network does not have are kept for them (Labels::kept_lids), but for those that some device
/// has now. `kept` gets how many ports that are. InputError as parse_guid2lid(). O(text + devices).
Network with_guid2lid(Network network, const std::string& path, std::size_t& kept);

}  // namespace unknot
