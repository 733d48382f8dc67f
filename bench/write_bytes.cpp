// SPDX-License-Identifier: Apache-2.0
// Seconds that so many bytes take to write, as a table is written: memory fresh from the system, every byte
// once.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "unknot/support/bulk_vector.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto bytes = static_cast<std::size_t>(std::strtoull(argv[1], nullptr, 10));
  const auto begin = std::chrono::steady_clock::now();
  unknot::BulkVector<std::uint8_t> all(bytes);
  std::memset(all.data(), 1, all.size());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // What is written must be read, or nothing need be written.
  fmt::print("{:.6f}\n", seconds.count() + (all[bytes / 2] == 1 ? 0 : 1));
  return 0;
}
