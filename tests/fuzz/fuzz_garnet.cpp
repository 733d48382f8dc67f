// SPDX-License-Identifier: Apache-2.0
// Reader of gem5's config.ini: any input gives a network and perhaps the relation of its weights, or an
// InputError.
#include "fabric_fuzz.hpp"
#include "unknot/formats/chips/garnet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace unknot;
  const std::string text(data, data + size);
  try {
    AdaptiveRouting routing;
    const Network network = read_garnet(text, "fuzz");
    read_garnet_weights(network, text, "fuzz", routing);
    require_fit(network, routing);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return fuzz::fabric(data, size, read_garnet);
}
