// SPDX-License-Identifier: Apache-2.0
// Readers of multicast tables, and what follows them: any input gives a verdict or an InputError.
#include <cstddef>
#include <memory>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/verify/multicast/multicast_walk.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  for (const auto& read : {read_mcfdbs, read_mft_dump}) {
    fuzz::on_both_fabrics([&](const Network& network) {
      Routing routing;
      routing.paths = ForwardingTable(network);
      routing.multicast =
          std::make_shared<const MulticastTables>(read(network, fuzz::text_of(data, size), "-"));
      Progress silent;
      (void)walk_multicast(network, routing, 4, silent);
    });
  }
  return 0;
}
