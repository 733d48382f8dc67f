// SPDX-License-Identifier: Apache-2.0
// Files of trees: any input gives a document, which comes back from what is written of it and which the
// checker takes on some network, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "schedule_fuzz_fabric.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::ForestDocument& document) noexcept {
  using namespace unknot;
  const ForestDocument again = parse_forest(forest_json(document), "again");
  if (again.forest.copies != document.forest.copies || again.forest.way_nodes != document.forest.way_nodes ||
      again.forest.first_of_way != document.forest.first_of_way ||
      again.forest.translations != document.forest.translations ||
      again.participants != document.participants || again.powers != document.powers)
    std::abort();
  if (forest_json(again) != forest_json(document)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const ForestDocument document = parse_forest(fuzz::text_of(data, size), "forest");
    examine(document);
    std::vector<BandwidthProblem> groups =
        make_bandwidth_groups(fuzz::node_graph(), document.collective, document.participants);
    set_powers(document.powers, groups.front());
    (void)check_forest(groups, groups.front().backward ? time_reversed(document.forest) : document.forest);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
