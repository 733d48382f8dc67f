// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

// Columns of numbers in a page: lists while they are short, bytes where lists would be long.
namespace unknot::report {

/// From so many numbers on a column is packed.
inline constexpr std::size_t kPackedFrom = 4096;

/// Bytes as text, RFC 4648, section 4.
std::string base64(std::string_view bytes);
/// What it stands for. InputError for what is no such text.
std::string from_base64(std::string_view text);

/// Values of fixed size as little-endian bytes, one after the other, as base64.
template <class Stored, class Values>
nlohmann::ordered_json packed(const char* type, const Values& values) {
  static_assert(std::endian::native == std::endian::little, "packs what lies in memory");
  std::string bytes;
  bytes.reserve(sizeof(Stored) * values.size());
  for (const auto value : values) {
    const auto stored = static_cast<Stored>(value);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
  }
  return {{"type", type}, {"base64", base64(bytes)}};
}

/// A list of numbers as [1, 2], or from kPackedFrom on as {"type": "u8", "u16", "u32", "f32" or "f64",
/// "base64":
/// ...} in the least type that holds them. Not a number, which is "there is none", becomes null or stays.
template <std::integral Value>
nlohmann::ordered_json column(const std::vector<Value>& values) {
  if (values.size() < kPackedFrom) return values;
  std::uint64_t most = 0;
  for (const Value value : values) most = std::max<std::uint64_t>(most, value);
  if (most <= 0xff) return packed<std::uint8_t>("u8", values);
  if (most <= 0xffff) return packed<std::uint16_t>("u16", values);
  if (most <= 0xffff'ffff) return packed<std::uint32_t>("u32", values);
  return packed<double>("f64", values);
}
inline nlohmann::ordered_json column(const std::vector<double>& values) {
  if (values.size() >= kPackedFrom) return packed<float>("f32", values);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double value : values) {
    list.push_back(std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value));
  }
  return list;
}

/// The numbers of a column of either form, not a number for null. InputError, beginning with `what`, where it
/// is none or does not have `count` of them.
std::vector<double> read_column(const nlohmann::json& json, std::size_t count, const std::string& what);

}  // namespace unknot::report
