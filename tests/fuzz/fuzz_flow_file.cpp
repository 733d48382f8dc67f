// SPDX-License-Identifier: Apache-2.0
// Traffic in a file: any input gives flows or an InputError; flows come back from what is written of them.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/flow_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  static const Network network = make_network("ring:5");
  try {
    const auto flows = parse_flows(network, fuzz::text_of(data, size), "flows");
    if (parse_flows(network, flows_text(flows, ""), "again") != flows) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
