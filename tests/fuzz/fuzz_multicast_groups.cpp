// SPDX-License-Identifier: Apache-2.0
// Readers of multicast groups: any input gives a value or an InputError.
#include <cstddef>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/multicast/group_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  for (const auto& read : {read_group_lines, read_sa_dump, read_saquery_groups}) {
    fuzz::on_both_fabrics([&](const Network& network) {
      GroupList groups(network);
      LineScanner scanner(fuzz::text_of(data, size), "-");
      read(scanner, groups);
      (void)groups.take();
    });
  }
  return 0;
}
