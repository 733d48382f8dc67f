// SPDX-License-Identifier: Apache-2.0
// Reader of the private tables of ports: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics(
      [&](const Network& network) { (void)read_plft(network, fuzz::text_of(data, size), "-"); });
  return 0;
}
