// SPDX-License-Identifier: Apache-2.0
#include "fabric_fuzz.hpp"
#include "unknot/formats/chips/floogen.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return unknot::fuzz::fabric(data, size, unknot::read_floogen, unknot::write_floogen);
}
