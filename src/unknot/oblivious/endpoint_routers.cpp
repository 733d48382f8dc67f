// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/endpoint_routers.hpp"

namespace unknot {

EndpointRouters::EndpointRouters(const Network& network)
    : routers_(network.endpoint_routers()), index_(network.router_count(), kNone) {
  for (std::uint32_t i = 0; i < count(); ++i) index_[routers_[i].value] = i;
}

}  // namespace unknot
