// SPDX-License-Identifier: Apache-2.0
// Events of a live fabric and lists of its cables: any input gives a change of parts that there are, or an
// InputError. Where a list is taken, the fabric is that list: written down it changes nothing.
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/live/part_names.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  const Network& network = fuzz::table_fabric();
  static const PartNames names(network);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    LiveNetwork live(network);
    live.apply(names.events(text, "events"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  try {
    LiveNetwork live(network);
    live.apply(names.cable_list(live, text, "list"));
    if (!live.apply(names.cable_list(live, PartNames::cable_list_of(live), "again")).empty()) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
