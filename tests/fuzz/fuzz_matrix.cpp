// SPDX-License-Identifier: Apache-2.0
// Communication matrices: any input gives a matrix, which comes back from what is written of it, or an
// InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::CommunicationMatrix& matrix) noexcept {
  using namespace unknot;
  if (parse_matrix(matrix_text(matrix), "again", matrix.ranks) != matrix) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    examine(parse_matrix(fuzz::text_of(data, size), "matrix", 40));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
