// SPDX-License-Identifier: Apache-2.0
// Reader of guid2lid files: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/tables/lane_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics(
      [&](const Network& network) { (void)parse_guid2lid(network, fuzz::text_of(data, size), "-"); });
  return 0;
}
