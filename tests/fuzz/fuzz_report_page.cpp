// SPDX-License-Identifier: Apache-2.0
// Pages of unknot report that are compared: any input gives data that can be compared with themselves and
// with a page of ours, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "unknot/report/compare/compare.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const report::PageData page = report::read_page({reinterpret_cast<const char*>(data), size}, "page.html");
    if (report::compared_document(page, page, {}).empty()) std::abort();
    if (report::compared_document({}, page, {}).empty()) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
