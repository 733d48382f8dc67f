// SPDX-License-Identifier: Apache-2.0
// Reader of tables as CSV: any input gives tables or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const Routing routing = read_route_csv(fuzz::table_fabric(), fuzz::text_of(data, size), "-");
    require_fit(fuzz::table_fabric(), routing);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
