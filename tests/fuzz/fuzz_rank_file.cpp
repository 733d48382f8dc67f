// SPDX-License-Identifier: Apache-2.0
// Hosts of ranks: any input gives hosts, which come back from every format, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/place/rank_files.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const std::vector<std::string>& hosts) noexcept {
  for (const unknot::place::RankFileFormat& row : unknot::place::rank_file_formats()) {
    const std::vector<unknot::place::CoreSlot> cores(hosts.size(), {1, 7});
    for (const auto& slots : {std::vector<unknot::place::CoreSlot>{}, cores}) {
      const std::string text = row.write(hosts, slots);
      if (row.read && row.read(text, "again") != hosts) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(place::read_rank_file(fuzz::text_of(data, size), "ranks"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
