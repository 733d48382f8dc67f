// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "unknot/collective/chakra/chakra_fields.hpp"
#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::chakra {
namespace {

/// Takes protocol buffers apart [Protocol Buffers Encoding, protobuf.dev].
class Wire {
 public:
  Wire(std::string_view text, const std::string& file, std::size_t message)
      : text_(text), file_(file), message_(message) {}

  [[nodiscard]] bool done() const { return text_.empty(); }
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(message_ == 0 ? fmt::format("{}: metadata: {}", file_, why)
                                   : fmt::format("{}: node {}: {}", file_, message_ - 1, why));
  }
  std::uint64_t varint() {
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
  std::string_view bytes(std::uint64_t size) {
    if (size > text_.size()) fail("it ends within a field");
    const std::string_view result = text_.substr(0, size);
    text_.remove_prefix(size);
    return result;
  }

  /// The next field: its number, and its value where that is one, or its bytes.
  struct Next {
    Field field;
    bool numeric;
    std::uint64_t value;
    std::string_view bytes;
  };
  Next next() {
    const std::uint64_t key = varint();
    const std::uint64_t number = key >> 3U;
    if (number == 0 || number > 0x1FFFFFFF) fail("no field of protocol buffers has that number");
    const auto field = static_cast<Field>(number);
    switch (key & 7U) {
      case 0:
        return {field, true, varint(), {}};
      case 1:
        return {field, false, 0, bytes(8)};
      case 2:
        return {field, false, 0, bytes(varint())};
      case 5:
        return {field, false, 0, bytes(4)};
      default:
        fail("a field of a kind that protocol buffers do not have");
    }
  }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t message_;  // 0: metadata; node + 1
};

class TraceReader {
 public:
  TraceReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Trace run() {
    Trace trace;
    Wire all(text_, file_, 0);
    for (number_ = 0; !all.done(); ++number_) {
      const std::string_view message = all.bytes(all.varint());
      if (number_ == 0) {
        read_metadata(message);
      } else {
        trace.push_back(read_node(message));
      }
    }
    if (number_ == 0) throw InputError(file_ + ": empty, expected metadata and nodes");
    return trace;
  }

 private:
  void read_metadata(std::string_view message) {
    Wire wire(message, file_, 0);
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      if (next.numeric && next.field <= 2) wire.fail("a number where the schema has a text");
    }
  }

  std::uint64_t value_of(const Wire& wire, const Wire::Next& next, const char* what) const {
    if (!next.numeric) wire.fail(fmt::format("its {} is no number", what));
    return next.value;
  }

  TraceNode read_node(std::string_view message) {
    Wire wire(message, file_, number_);
    TraceNode node;
    std::uint64_t type = 0;
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      switch (next.field) {
        case field::kId:
          node.id = value_of(wire, next, "id");
          break;
        case field::kName:
          if (next.numeric) wire.fail("its name is no text");
          node.name = next.bytes;
          break;
        case field::kType:
          type = value_of(wire, next, "type");
          break;
        case field::kControlDeps:
        case field::kDataDeps:
          read_after(next, node);
          break;
        case field::kDuration:
          node.microseconds = value_of(wire, next, "duration");
          break;
        case field::kAttributes:
          if (next.numeric) wire.fail("its attribute is a number");
          read_attribute(next.bytes, node);
          break;
        default:
          break;
      }
    }
    if (type < 4 || type > 6)
      wire.fail(fmt::format("type {}, expected 4, 5 or 6: a computation, a send or a receive", type));
    node.type = static_cast<NodeType>(type);
    if (node.type == NodeType::compute) {
      node.peer = node.tag = 0;
      node.bytes = 0;
    } else if (!size_given_ || !peer_given_[node.type == NodeType::send ? 1 : 0]) {
      wire.fail(fmt::format("a {} without {}", node.type == NodeType::send ? "send" : "receive",
                            !size_given_                  ? "comm_size"
                            : node.type == NodeType::send ? "comm_dst"
                                                          : "comm_src"));
    } else {
      node.peer = peer_[node.type == NodeType::send ? 1 : 0];
    }
    size_given_ = peer_given_[0] = peer_given_[1] = false;
    return node;
  }

  /// One id, or several in a row.
  void read_after(const Wire::Next& next, TraceNode& node) {
    if (next.numeric) {
      node.after.push_back(next.value);
      return;
    }
    Wire list(next.bytes, file_, number_);
    while (!list.done()) node.after.push_back(list.varint());
  }

  void read_attribute(std::string_view bytes, TraceNode& node) {
    Wire wire(bytes, file_, number_);
    std::string_view name;
    std::optional<std::uint64_t> value;
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      if (next.field == field::kAttributeName) {
        if (next.numeric) wire.fail("the name of its attribute is no text");
        name = next.bytes;
      } else if (next.numeric && (next.field == field::kInt32 || next.field == field::kInt64 ||
                                  next.field == field::kUint32 || next.field == field::kUint64)) {
        value = next.value;
      }
    }
    const bool known = name == "comm_size" || name == "comm_src" || name == "comm_dst" || name == "comm_tag";
    if (!known) return;
    const std::uint64_t most = name == "comm_size" ? INT64_MAX : 0x7FFFFFFF;
    if (!value || *value > most) wire.fail(fmt::format("{}: expected a number from 0 to {}", name, most));
    if (name == "comm_size") {
      node.bytes = *value;
      size_given_ = true;
    } else if (name == "comm_tag") {
      node.tag = static_cast<std::uint32_t>(*value);
    } else {
      const std::size_t which = name == "comm_dst" ? 1 : 0;
      peer_[which] = static_cast<std::uint32_t>(*value);
      peer_given_[which] = true;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t number_ = 0;
  bool size_given_ = false;
  std::array<bool, 2> peer_given_{};  // received from, sent to
  std::array<std::uint32_t, 2> peer_{};
};

}  // namespace

Trace parse_trace(std::string_view text, const std::string& file) {
  return TraceReader(text, file).run();
}

}  // namespace unknot::chakra
