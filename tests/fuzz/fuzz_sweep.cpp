// SPDX-License-Identifier: Apache-2.0
// Sweep files: any input gives a plan or an InputError; the cells of a plan have different keys and commands.
#include <cstddef>
#include <cstdlib>
#include <set>

#include "unknot/support/error.hpp"
#include "unknot/sweep/plan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  constexpr std::size_t kLongest = 1U << 14U;  // with lists a short text can be a long plan
  if (size > kLongest) return 0;
  try {
    const sweep::SweepFile file =
        sweep::parse_sweep({reinterpret_cast<const char*>(data), size}, "sweep.toml");
    std::size_t cells = 1;
    for (const sweep::Axis& axis : file.axes) {
      if (axis.values.empty()) std::abort();
      cells = cells * axis.values.size();
      if (cells > 10'000) return 0;
    }
    const sweep::Plan plan = sweep::expand(file, "1");
    if (plan.cells.size() != cells) std::abort();
    std::set<std::uint64_t> keys;
    for (const sweep::Cell& cell : plan.cells) {
      if (!keys.insert(cell.key).second || cell.values.size() != plan.axes.size()) std::abort();
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
