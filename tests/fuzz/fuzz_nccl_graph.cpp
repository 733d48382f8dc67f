// SPDX-License-Identifier: Apache-2.0
// Graphs of NCCL: any input gives graphs, which come back from what is written of them and which the checker
// takes, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/machines/box_plans.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const std::vector<unknot::nccl::Graph>& graphs) noexcept {
  using namespace unknot;
  const std::string text = nccl::graphs_text(graphs);
  if (nccl::graphs_text(nccl::parse_graphs(text, "again")) != text) std::abort();
  BoxPlan box = plain_box(4);
  add_box_switches(box, 1, {800'000, 0});
  add_cards(box, 2, 400'000, {512'000, 0});
  (void)nccl::check_graphs(box, graphs);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(nccl::parse_graphs(fuzz::text_of(data, size), "graphs"));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
