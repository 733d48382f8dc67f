// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/ethernet/model/parts.hpp"

namespace unknot::ethernet {

/// What `lldpctl -f json` prints (lldpd 1.0), or SONiC's `show lldp table`, told by the content. Each port
/// with each of its neighbours. InputError, with file and line where the text has lines, for anything else.
std::vector<Neighbour> read_neighbours(std::string_view text, const std::string& file);

/// A table of routes, told by the content: `ip -j route` and `ip -6 -j route` (iproute2), `show ip route
/// json` of FRR and of SONiC, or the ROUTE_TABLE of SONiC's APPL_DB (`sonic-db-dump -n APPL_DB -k
/// "ROUTE_TABLE:*"`). Next hops that are dead are left out. `v6`: of IPv6 is a default of iproute2's, which
/// calls it "default" in both families, where nothing in the table tells. InputError for anything else.
std::vector<RouteText> read_routes(std::string_view text, const std::string& file, bool v6 = false);

/// SONiC's config_db.json: DEVICE_METADATA, PORT, PORTCHANNEL_MEMBER, VLAN_MEMBER, LOOPBACK_INTERFACE,
/// PORT_QOS_MAP with the maps that it names, TUNNEL and PEER_SWITCH; all other tables are skipped. InputError
/// for a table of another form and for a map that is named and not there.
SwitchConfig read_config(std::string_view text, const std::string& file);

}  // namespace unknot::ethernet
