// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/endpoint_routers.hpp"

namespace unknot {

EndpointRouters::EndpointRouters(const Network& network) : index_(network.router_count(), kNone) {
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    index_[r.value] = count();
    routers_.push_back(r);
  }
}

}  // namespace unknot
