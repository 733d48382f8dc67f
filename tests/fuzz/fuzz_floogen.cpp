// SPDX-License-Identifier: Apache-2.0
// Readers of FlooGen's YAML, as a fabric and as its routing: any input gives them or an InputError.
#include "fabric_fuzz.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/chips/floogen_routing.hpp"
#include "unknot/support/error.hpp"

namespace {

void routing(std::string_view text) {
  using namespace unknot;
  try {
    const Network network = read_floogen(text, "-");
    // Paths of large ones take seconds.
    if (network.router_count() + network.terminal_count() > 64) return;
    require_fit(network, read_floogen_routing(network, text, "-").routing);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  routing({reinterpret_cast<const char*>(data), size});
  return unknot::fuzz::fabric(data, size, unknot::read_floogen, unknot::write_floogen);
}
