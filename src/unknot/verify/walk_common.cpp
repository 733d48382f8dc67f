// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/walk_common.hpp"

#include <vector>

namespace unknot {

RouterId where_lost(const Network& network, const ForwardingTree& tree, RouterId router) {
  std::vector<bool> seen(network.router_count(), false);
  while (!seen[router.value] && tree.channel(router.value).valid()) {
    seen[router.value] = true;
    router = network.target(tree.channel(router.value));
  }
  return router;
}

}  // namespace unknot
