// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/hash.hpp"

#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace unknot {

Hash64::Hash64() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

Hash64::~Hash64() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

void Hash64::add(std::uint64_t value) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), &value, sizeof value);
}

void Hash64::add_bytes(std::span<const std::byte> bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}

std::uint64_t Hash64::value() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

}  // namespace unknot
