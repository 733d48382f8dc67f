// SPDX-License-Identifier: Apache-2.0
// Readers of lists of GUIDs and of hop weights: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/text/node_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  fuzz::on_both_fabrics(
      [&](const Network& network) { (void)parse_node_list(network, fuzz::text_of(data, size), "-"); });
  fuzz::on_both_fabrics(
      [&](const Network& network) { (void)parse_port_weights(network, fuzz::text_of(data, size), "-"); });
  return 0;
}
