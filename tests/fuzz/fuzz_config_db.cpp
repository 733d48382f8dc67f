// SPDX-License-Identifier: Apache-2.0
// What was collected from an Ethernet switch: any input gives a value or an InputError.
#include <cstddef>
#include <string_view>

#include "unknot/ethernet/files/readers.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    (void)ethernet::read_config(std::string_view(reinterpret_cast<const char*>(data), size), "-");
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
