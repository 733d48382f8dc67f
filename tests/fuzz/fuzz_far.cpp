// SPDX-License-Identifier: Apache-2.0
// Reader of adaptive tables: any input gives a relation that fits the network, or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics([&](const Network& network) {
    AdaptiveRouting routing;
    read_far(network, fuzz::text_of(data, size), "-", routing);
    require_fit(network, routing);
  });
  return 0;
}
