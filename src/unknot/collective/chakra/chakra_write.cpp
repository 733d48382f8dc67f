// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/traffic/chakra/chakra_wire.hpp"

namespace unknot::chakra {
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
