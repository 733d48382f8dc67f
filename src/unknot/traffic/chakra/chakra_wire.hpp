// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The bytes of execution traces: protocol buffers [Protocol Buffers Encoding, protobuf.dev] with their
// lengths before them, and the numbers of their fields in et_def.proto.
namespace unknot::chakra {

using Field = std::uint32_t;

namespace field {
// GlobalMetadata
inline constexpr Field kVersion = 1;
// Node
inline constexpr Field kId = 1, kName = 2, kType = 3, kControlDeps = 4, kDataDeps = 5, kStart = 6,
                       kDuration = 7, kInputs = 8, kAttributes = 10;
// IOInfo
inline constexpr Field kValues = 1;
// AttributeProto
inline constexpr Field kAttributeName = 1, kInt32 = 7, kInt64 = 9, kUint32 = 11, kUint64 = 13, kSint32 = 15,
                       kSint64 = 17, kFixed32 = 19, kFixed64 = 21, kSfixed32 = 23, kSfixed64 = 25, kBool = 27,
                       kBoolList = 28, kString = 29;
// BoolList
inline constexpr Field kListValues = 1;
}  // namespace field

/// Takes a message apart. InputError, with the file and the number of the message, for what is none.
class Wire {
 public:
  /// `message`: 0 for the metadata, then 1 for the first node.
  Wire(std::string_view text, const std::string& file, std::size_t message)
      : text_(text), file_(file), message_(message) {}

  [[nodiscard]] bool done() const { return text_.empty(); }
  [[noreturn]] void fail(const std::string& why) const;
  std::uint64_t varint();
  std::string_view bytes(std::uint64_t size);

  /// How a field is written: as a number of any length, in 8 or 4 bytes, or as bytes with their length.
  enum class Kind : std::uint8_t { varint = 0, eight = 1, bytes = 2, four = 5 };
  struct Next {
    Field field;
    Kind kind;
    std::uint64_t value;     ///< of numbers; where they are in bytes, the least significant one is first
    std::string_view bytes;  ///< of all but Kind::varint
  };
  Next next();

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t message_;
};

// Writing.
void put_varint(std::string& text, std::uint64_t value);
void put_number(std::string& text, Field field, std::uint64_t value);
void put_text(std::string& text, Field field, std::string_view value);
/// An attribute with a number of that kind, into the list of that field.
void put_attribute(std::string& text, Field list, std::string_view name, Field kind, std::uint64_t value);
void put_message(std::string& text, const std::string& message);

}  // namespace unknot::chakra
