// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Execution traces byte by byte, written by the definition of protocol buffers alone.
namespace unknot::test {

inline std::string wire_number(std::uint64_t value) {
  std::string text;
  for (; value >= 128; value /= 128) text += static_cast<char>(128 + value % 128);
  return text + static_cast<char>(value);
}
inline std::string wire_field(unsigned field, std::uint64_t value) {
  return wire_number(std::uint64_t{field} * 8) + wire_number(value);
}
inline std::string wire_block(unsigned field, std::string_view content) {
  return wire_number(std::uint64_t{field} * 8 + 2) + wire_number(content.size()) + std::string(content);
}
/// In so many bytes, 4 or 8.
inline std::string wire_fixed(unsigned field, std::uint64_t value, unsigned size) {
  std::string text = wire_number(std::uint64_t{field} * 8 + (size == 8 ? 1 : 5));
  for (unsigned i = 0; i < size; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}
/// An attribute whose value is a field of its own.
inline std::string attribute(std::string_view name, std::string_view value) {
  return wire_block(10, wire_block(1, name) + std::string(value));
}
inline std::string attribute(std::string_view name, std::uint64_t value) {
  return attribute(name, wire_field(9, value));
}
inline std::string named(std::string_view group) {
  return attribute("pg_name", wire_block(29, group));
}

/// The file of one rank.
class TraceBytes {
 public:
  TraceBytes() { message(wire_block(1, "1.0.0")); }
  void message(const std::string& content) { text_ += wire_number(content.size()) + content; }
  /// `more`: further fields, as they stand.
  void node(std::uint64_t id, std::uint64_t type, const std::vector<std::uint64_t>& after,
            const std::string& more = "") {
    std::string ids;
    for (const std::uint64_t one : after) ids += wire_number(one);
    message(wire_field(1, id) + wire_block(2, "n" + std::to_string(id)) + wire_field(3, type) +
            wire_block(5, ids) + more);
  }
  void compute(std::uint64_t id, std::uint64_t microseconds, const std::vector<std::uint64_t>& after = {}) {
    node(id, 4, after, wire_field(7, microseconds));
  }
  void send(std::uint64_t id, std::uint64_t to, std::uint64_t bytes, std::uint64_t tag = 0,
            const std::vector<std::uint64_t>& after = {}) {
    node(id, 5, after,
         attribute("comm_dst", to) + attribute("comm_size", bytes) + attribute("comm_tag", tag));
  }
  void receive(std::uint64_t id, std::uint64_t from, std::uint64_t bytes, std::uint64_t tag = 0,
               const std::vector<std::uint64_t>& after = {}) {
    node(id, 6, after,
         attribute("comm_src", from) + attribute("comm_size", bytes) + attribute("comm_tag", tag));
  }
  void collective(std::uint64_t id, std::uint64_t type, std::uint64_t bytes,
                  const std::vector<std::uint64_t>& after = {}, const std::string& more = "") {
    node(id, 7, after, attribute("comm_type", type) + attribute("comm_size", bytes) + more);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace unknot::test
