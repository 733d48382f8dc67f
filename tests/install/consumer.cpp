// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <unknot/engines/catalogue.hpp>
#include <unknot/topology/catalogue.hpp>
#include <unknot/verify/verify.hpp>

int main() {
  const unknot::Network network = unknot::make_network("torus:4x4,p=2");
  unknot::Progress progress;
  const unknot::Routing routing = unknot::route(network, "dfsssp", {}, progress);
  const unknot::Verdict verdict = unknot::verify(network, routing, {}, progress);
  std::printf("%u routers, %u lanes, %s\n", network.router_count(), routing.virtual_lanes,
              verdict.deadlock_free ? "free of deadlock" : "not free of deadlock");
  return verdict.complete() && verdict.deadlock_free ? 0 : 1;
}
