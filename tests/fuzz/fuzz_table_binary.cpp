// SPDX-License-Identifier: Apache-2.0
// Reader of binary tables: any input gives a value or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/hash.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    // The checksum would stop every mutant at the door: put the right one in its place.
    std::string text(fuzz::text_of(data, size));
    if (text.size() >= sizeof(std::uint64_t)) {
      const std::size_t length = text.size() - sizeof(std::uint64_t);
      Hash64 hash;
      hash.add_bytes(std::as_bytes(std::span(text.data(), length)));
      const std::uint64_t sum = hash.value();
      std::memcpy(text.data() + length, &sum, sizeof sum);
    }
    (void)read_table_binary(fuzz::table_fabric(), text, "-");
    (void)table_binary_lids(fuzz::table_fabric(), text, "-");
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
