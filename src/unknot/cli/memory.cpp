// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/memory.hpp"

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)  // known once a header of the library has been seen
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace unknot::cli {

void prepare_heap() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr int kLargestOnHeap = 32 << 20;  // the most that glibc lets stay on the heap
  constexpr int kStep = 64 << 20;           // address space, not memory
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestOnHeap);
  mallopt(M_TRIM_THRESHOLD, 2 * kStep);
  mallopt(M_TOP_PAD, kStep);
  char* const before = static_cast<char*>(sbrk(0));
  // More than the heap starts with: it grows by a step. Volatile, lest the compiler drop the pair of calls.
  void* volatile grow = std::malloc(std::size_t{1} << 20);
  char* const after = static_cast<char*>(sbrk(0));
  std::free(grow);
  char* const first = before + (kHugePage - reinterpret_cast<std::uintptr_t>(before) % kHugePage) % kHugePage;
  if (after > first) madvise(first, static_cast<std::size_t>(after - first), MADV_HUGEPAGE);
#endif
}

}  // namespace unknot::cli
