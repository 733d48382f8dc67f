// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/memory.hpp"

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
  constexpr std::size_t kGrowth = std::size_t{256} << 10;
  constexpr std::uintptr_t kSlack = 8 << 10;  // for the allocator's own notes behind it
  mallopt(M_MMAP_THRESHOLD, kLargestOnHeap);
  mallopt(M_TRIM_THRESHOLD, 2 * kStep);
  mallopt(M_TOP_PAD, kStep);
  // The heap is to grow across the start of a huge page that nothing has touched yet: one touched before the
  // advice stays in small pages. The allocator copes with a break that others have moved.
  char* const before = static_cast<char*>(sbrk(0)) + kGrowth + kSlack;
  const std::uintptr_t gap = (kHugePage - reinterpret_cast<std::uintptr_t>(before) % kHugePage) % kHugePage;
  if (reinterpret_cast<std::intptr_t>(sbrk(static_cast<std::intptr_t>(gap))) == -1) return;
  // More than the heap starts with. Volatile, lest the compiler drop the pair of calls.
  void* volatile grow = std::malloc(kGrowth);
  char* const after = static_cast<char*>(sbrk(0));
  std::free(grow);
  char* const first = before + gap;
  if (after > first) madvise(first, static_cast<std::size_t>(after - first), MADV_HUGEPAGE);
#endif
}

}  // namespace unknot::cli
