// SPDX-License-Identifier: Apache-2.0
// Reader of opensm.fdbs: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/tables/table_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics(
      [&](const Network& network) { (void)read_fdbs(network, fuzz::text_of(data, size), "-"); });
  return 0;
}
