// SPDX-License-Identifier: Apache-2.0
// Readers of our objects for Constellation, as a fabric and as its routing: any input gives them or an
// InputError.
#include <cstddef>
#include <string_view>

#include "fabric_fuzz.hpp"
#include "unknot/formats/chips/constellation.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace unknot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Network network = read_constellation(text, "-");
    require_fit(network, read_constellation_tables(network, text, "-"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return fuzz::fabric(data, size, read_constellation);
}
