// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/chakra/chakra_fields.hpp"
#include "unknot/collective/chakra/chakra_trace.hpp"

namespace unknot::chakra {
namespace {

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

}  // namespace

std::string trace_text(const Trace& trace) {
  std::string metadata;
  put_text(metadata, field::kVersion, "1.0.0");
  std::string text;
  put_message(text, metadata);
  for (const TraceNode& node : trace) {
    std::string message;
    if (node.id > 0) put_number(message, field::kId, node.id);  // 0 is what is left out
    put_text(message, field::kName, node.name);
    put_number(message, field::kType, static_cast<std::uint64_t>(node.type));
    std::string after;
    for (const std::uint64_t id : node.after) put_varint(after, id);
    if (!after.empty()) put_text(message, field::kDataDeps, after);
    if (node.microseconds > 0) put_number(message, field::kDuration, node.microseconds);
    if (node.type != NodeType::compute) {
      put_attribute(message, field::kAttributes, "comm_type", field::kInt64,
                    static_cast<std::uint64_t>(node.type));
      put_attribute(message, field::kAttributes, "comm_size", field::kInt64, node.bytes);
      const bool sends = node.type == NodeType::send;
      put_attribute(message, field::kAttributes, sends ? "comm_dst" : "comm_src", field::kInt32, node.peer);
      put_attribute(message, field::kAttributes, "comm_tag", field::kInt32, node.tag);
    }
    put_message(text, message);
  }
  return text;
}

}  // namespace unknot::chakra
