// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/chakra/chakra_nodes.hpp"

namespace unknot::chakra {

Trace parse_trace(std::string_view text, const std::string& file) {
  Trace trace;
  read_nodes(text, file, [&](Node& node) {
    const auto fail = [&](const std::string& why) {
      throw InputError(fmt::format("{}: node {}: {}", file, trace.size(), why));
    };
    TraceNode made{node.id, std::move(node.name), NodeType::compute, std::move(node.after),
                   node.microseconds};
    if (node.type < 4 || node.type > 6)
      fail(fmt::format("type {}, expected 4, 5 or 6: a computation, a send or a receive", node.type));
    made.type = static_cast<NodeType>(node.type);
    if (made.type != NodeType::compute) {
      const bool sends = made.type == NodeType::send;
      const std::optional<std::uint64_t> peer = sends ? node.comm_dst : node.comm_src;
      if (!node.comm_size || !peer) {
        fail(fmt::format("a {} without {}", sends ? "send" : "receive",
                         !node.comm_size ? "comm_size"
                         : sends         ? "comm_dst"
                                         : "comm_src"));
      }
      made.bytes = *node.comm_size;
      made.peer = static_cast<std::uint32_t>(*peer);
      made.tag = static_cast<std::uint32_t>(node.comm_tag.value_or(0));
    }
    trace.push_back(std::move(made));
  });
  return trace;
}

}  // namespace unknot::chakra
