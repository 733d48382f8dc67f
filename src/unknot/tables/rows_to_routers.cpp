// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/rows_to_routers.hpp"

namespace unknot {

bool lead_to_routers(const ManagedNetwork& managed, const ForwardingTable& table) {
  for (const TerminalId own : managed.of_router) {
    for (const RouterId r : managed.network.routers()) {
      if (r != managed.network.router_of(own) && table.get(r, own) != ForwardingTable::kNone) return true;
    }
  }
  return false;
}

}  // namespace unknot
