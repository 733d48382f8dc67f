// SPDX-License-Identifier: Apache-2.0
#include "fabric_fuzz.hpp"
#include "unknot/formats/ibdiagnet/net_dump.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return unknot::fuzz::fabric(data, size, unknot::read_net_dump);
}
