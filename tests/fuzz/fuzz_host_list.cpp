// SPDX-License-Identifier: Apache-2.0
// Host lists: any input gives names or an InputError; names come back from their compressed form.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/host_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const auto names = expand_host_list(fuzz::text_of(data, size), 500);
    if (expand_host_list(compress_host_list(names)) != names) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
