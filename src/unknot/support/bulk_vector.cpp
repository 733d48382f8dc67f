// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/bulk_vector.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace unknot {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kBulk = 2 * kHugePage;

}  // namespace

void* allocate_bulk(std::size_t bytes) {
  if (bytes < kBulk) return ::operator new(bytes);
  void* const memory = ::operator new (bytes, std::align_val_t{kHugePage});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  (void)madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // advice: nothing is lost without
#endif
  return memory;
}

void free_bulk(void* memory, std::size_t bytes) {
  if (bytes < kBulk) {
    ::operator delete(memory);
  } else {
    ::operator delete (memory, std::align_val_t{kHugePage});
  }
}

}  // namespace unknot
