// SPDX-License-Identifier: Apache-2.0
// Reader of guid2lid files: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    (void)parse_guid2lid(fuzz::table_fabric(), fuzz::text_of(data, size), "-");
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
