// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace unknot {

/// 64-bit hash of a stream of values (xxHash3): names contents, guards nothing against malice. Same value on
/// every machine of the same byte order.
class Hash64 {
 public:
  Hash64();
  ~Hash64();
  Hash64(const Hash64&) = delete;
  Hash64& operator=(const Hash64&) = delete;
  void add(std::uint64_t value);
  void add_bytes(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  void* state_;
};

}  // namespace unknot
