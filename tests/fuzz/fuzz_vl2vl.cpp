// SPDX-License-Identifier: Apache-2.0
// Reader of VL-to-VL tables: any input gives a value or an InputError.
#include <cstddef>
#include <vector>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics([&](const Network& network) {
    std::vector<bool> at;
    (void)read_vl2vl(network, fuzz::text_of(data, size), "-", at);
  });
  return 0;
}
