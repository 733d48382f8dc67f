// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/model/prefix.hpp"

#include <arpa/inet.h>

#include <charconv>

namespace unknot::ethernet {
namespace {

constexpr std::size_t kLongestAddress = 64;

/// The first `length` bits, the others 0.
std::array<std::uint64_t, 2> cut(std::array<std::uint64_t, 2> bits, unsigned length) {
  for (unsigned word = 0; word < 2; ++word) {
    const unsigned kept = length > 64 * word ? length - 64 * word : 0;
    if (kept < 64) bits[word] &= kept == 0 ? 0 : ~std::uint64_t{0} << (64 - kept);
  }
  return bits;
}

}  // namespace

bool Prefix::contains(const Prefix& other) const {
  return v6 == other.v6 && length <= other.length && cut(other.bits, length) == bits;
}

Prefix Prefix::wider(unsigned to) const {
  return {v6, cut(bits, to), static_cast<std::uint8_t>(to)};
}

std::optional<Prefix> parse_prefix(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  if (address.size() > kLongestAddress || address.find('\0') != std::string::npos) return std::nullopt;
  Prefix prefix;
  prefix.v6 = address.find(':') != std::string::npos;
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(prefix.v6 ? AF_INET6 : AF_INET, address.c_str(), bytes.data()) != 1) return std::nullopt;
  for (std::size_t i = 0; i < 16; ++i) prefix.bits[i / 8] = prefix.bits[i / 8] << 8 | bytes[i];
  unsigned length = prefix.v6 ? 128 : 32;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    unsigned given = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), given);
    if (error != std::errc() || end != digits.data() + digits.size() || given > length) return std::nullopt;
    length = given;
  }
  prefix.length = static_cast<std::uint8_t>(length);
  prefix.bits = cut(prefix.bits, length);
  return prefix;
}

std::string text(const Prefix& prefix) {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t i = 0; i < 16; ++i)
    bytes[i] = static_cast<unsigned char>(prefix.bits[i / 8] >> (56 - 8 * (i % 8)));
  std::array<char, kLongestAddress> address{};
  inet_ntop(prefix.v6 ? AF_INET6 : AF_INET, bytes.data(), address.data(), address.size());
  return std::string(address.data()) + "/" + std::to_string(prefix.length);
}

}  // namespace unknot::ethernet
