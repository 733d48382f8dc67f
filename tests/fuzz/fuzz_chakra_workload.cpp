// SPDX-License-Identifier: Apache-2.0
// Chakra traces as workloads: two files of any bytes, the first as long as the first two bytes say, give a
// task graph that keeps its promises, or an InputError.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/chakra_workload.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(unknot::TaskGraph graph, const unknot::TaskTrace& trace) noexcept {
  if (trace.node_of.size() != graph.tasks.size()) std::abort();
  unknot::Workload workload;
  workload.tasks = std::make_shared<const unknot::TaskGraph>(std::move(graph));
  if (!unknot::workload_fault(workload, 4).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  if (size < 2) return 0;
  const std::string_view rest = fuzz::text_of(data, size).substr(2);
  const std::size_t first = std::min<std::size_t>(rest.size(), data[0] + 256U * data[1]);
  const std::vector<std::string> texts = {std::string(rest.substr(0, first)),
                                          std::string(rest.substr(first))};
  const std::vector<std::string> files = {"t.0.et", "t.1.et"};
  const std::vector<TerminalId> terminals = {TerminalId(0), TerminalId(1), TerminalId(2), TerminalId(3)};
  ChakraOptions options;
  options.dims = {1, 2};
  options.tera_ops = options.memory = 1;
  try {
    TaskTrace trace;
    TaskGraph graph = parse_chakra(
        files, [&](std::uint32_t rank) { return texts[rank]; }, options, terminals, &trace);
    examine(std::move(graph), trace);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
