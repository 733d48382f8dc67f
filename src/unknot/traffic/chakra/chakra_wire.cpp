// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/chakra/chakra_wire.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"

namespace unknot::chakra {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

void Wire::fail(const std::string& why) const {
  throw InputError(message_ == 0 ? fmt::format("{}: metadata: {}", file_, why)
                                 : fmt::format("{}: node {}: {}", file_, message_ - 1, why));
}

std::uint64_t Wire::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (text_.empty()) fail("it ends within a number");
    const auto byte = static_cast<unsigned char>(text_.front());
    text_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  fail("a number of more than 64 bits");
}

std::string_view Wire::bytes(std::uint64_t size) {
  if (size > text_.size()) fail("it ends within a field");
  const std::string_view result = text_.substr(0, size);
  text_.remove_prefix(size);
  return result;
}

Wire::Next Wire::next() {
  const std::uint64_t key = varint();
  const std::uint64_t number = key >> 3U;
  if (number == 0 || number > 0x1FFFFFFF) fail("no field of protocol buffers has that number");
  const auto field = static_cast<Field>(number);
  const auto fixed = [&](Kind kind, std::uint64_t size) -> Next {
    const std::string_view text = bytes(size);
    return {field, kind, little_endian(text), text};
  };
  switch (key & 7U) {
    case 0:
      return {field, Kind::varint, varint(), {}};
    case 1:
      return fixed(Kind::eight, 8);
    case 2:
      return {field, Kind::bytes, 0, bytes(varint())};
    case 5:
      return fixed(Kind::four, 4);
    default:
      fail("a field of a kind that protocol buffers do not have");
  }
}

void put_varint(std::string& text, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) text += static_cast<char>(0x80U | (value & 0x7FU));
  text += static_cast<char>(value);
}
void put_number(std::string& text, Field field, std::uint64_t value) {
  put_varint(text, field << 3U);
  put_varint(text, value);
}
void put_text(std::string& text, Field field, std::string_view value) {
  put_varint(text, field << 3U | 2U);
  put_varint(text, value.size());
  text += value;
}
void put_attribute(std::string& text, Field list, std::string_view name, Field kind, std::uint64_t value) {
  std::string attribute;
  put_text(attribute, field::kAttributeName, name);
  put_number(attribute, kind, value);
  put_text(text, list, attribute);
}
void put_message(std::string& text, const std::string& message) {
  put_varint(text, message.size());
  text += message;
}

}  // namespace unknot::chakra
