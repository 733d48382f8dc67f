// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/column.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>

#include "unknot/support/error.hpp"

namespace unknot::report {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class Stored>
std::vector<double> unpacked(std::string_view bytes) {
  std::vector<double> values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    values[i] = static_cast<double>(stored);
  }
  return values;
}

std::vector<double> unpacked(const std::string& type, std::string_view bytes) {
  if (type == "u8") return unpacked<std::uint8_t>(bytes);
  if (type == "u16") return unpacked<std::uint16_t>(bytes);
  if (type == "u32") return unpacked<std::uint32_t>(bytes);
  if (type == "f32") return unpacked<float>(bytes);
  if (type == "f64") return unpacked<double>(bytes);
  throw InputError(fmt::format("there is no type '{}'", type));
}

std::vector<double> numbers(const nlohmann::json& json) {
  if (json.is_object() && json.value("type", nlohmann::json()).is_string() &&
      json.value("base64", nlohmann::json()).is_string()) {
    return unpacked(json["type"].get<std::string>(),
                    from_base64(json["base64"].get_ref<const std::string&>()));
  }
  if (!json.is_array()) throw InputError("no list of numbers");
  std::vector<double> values;
  values.reserve(json.size());
  for (const nlohmann::json& item : json) {
    if (!item.is_number() && !item.is_null()) throw InputError("not all are numbers");
    values.push_back(item.is_null() ? std::numeric_limits<double>::quiet_NaN() : item.get<double>());
  }
  return values;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8U | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= have ? kDigits[three >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  static const std::array<std::int8_t, 256> kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kDigits.size(); ++i)
      values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
    return values;
  }();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  if (text.size() % 4 != 0) throw InputError("base64 that is cut off");
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t have = at + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const int value = i < have ? kValues[static_cast<unsigned char>(text[at + i])] : 0;
      if (value < 0) throw InputError("no base64");
      three = three << 6U | static_cast<std::uint32_t>(value);
    }
    for (std::size_t i = 0; i + 1 < have; ++i) bytes += static_cast<char>(three >> (16 - 8 * i) & 0xffU);
  }
  return bytes;
}

std::vector<double> read_column(const nlohmann::json& json, std::size_t count, const std::string& what) {
  std::vector<double> values;
  try {
    values = numbers(json);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", what, error.what()));
  }
  if (values.size() != count)
    throw InputError(fmt::format("{}: {} numbers, where there should be {}", what, values.size(), count));
  return values;
}

}  // namespace unknot::report
