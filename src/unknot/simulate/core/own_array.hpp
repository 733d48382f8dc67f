// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace unknot::simulate {

/// An array over all ports or lanes of a network of which a core makes those of its own routers: what nobody
/// writes to takes addresses and no memory, so that cores that share a network need together what one needs.
/// Entries that have not been made must not be read.
template <class T>
class OwnArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  /// For `size` entries, of which none is made yet. std::bad_alloc.
  void resize(std::size_t size) {
    memory_.reset(static_cast<T*>(std::malloc(size * sizeof(T))));
    if (memory_ == nullptr && size > 0) throw std::bad_alloc();
  }
  /// Makes entries [first, last), as T() is.
  void make(std::size_t first, std::size_t last) {
    std::uninitialized_value_construct(memory_.get() + first, memory_.get() + last);
  }
  T* data() { return memory_.get(); }
  [[nodiscard]] const T* data() const { return memory_.get(); }
  T& operator[](std::size_t i) { return memory_.get()[i]; }
  const T& operator[](std::size_t i) const { return memory_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory_;
};

}  // namespace unknot::simulate
