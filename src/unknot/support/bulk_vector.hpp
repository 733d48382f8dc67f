// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace unknot {

/// Memory of some megabytes and more lies in huge pages where the system gives any: the first touch of a
/// small page costs as much as filling it. `bytes` must be told again on return.
void* allocate_bulk(std::size_t bytes);
void free_bulk(void* memory, std::size_t bytes);

/// Of that memory; what is not given a value has none, so that resize() touches nothing.
template <class T>
struct BulkAllocator {
  using value_type = T;
  BulkAllocator() = default;
  template <class U>
  BulkAllocator(const BulkAllocator<U>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_bulk(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) { free_bulk(memory, count * sizeof(T)); }
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  template <class U>
  bool operator==(const BulkAllocator<U>& /*other*/) const {
    return true;
  }
};

/// For plain values by the million.
template <class T>
using BulkVector = std::vector<T, BulkAllocator<T>>;

}  // namespace unknot
