// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/chakra/chakra_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/support/error.hpp"
#include "unknot/traffic/chakra/chakra_wire.hpp"

namespace unknot::chakra {
namespace {

using Kind = Wire::Kind;

/// What an attribute says.
struct Value {
  std::optional<std::uint64_t> number;  ///< whole, and not below zero
  std::optional<std::string_view> text;
  std::optional<std::vector<bool>> flags;
};

/// A whole number, where it is one and not below zero.
std::optional<std::uint64_t> number_of(const Wire::Next& next) {
  const auto unless_negative = [](std::uint64_t value, std::uint64_t sign) {
    return (value & sign) == 0 ? std::optional(value) : std::nullopt;
  };
  constexpr std::uint64_t kSign32 = std::uint64_t{1} << 31U;
  constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63U;
  switch (next.field) {
    case field::kInt32:
    case field::kInt64:
      if (next.kind == Kind::varint) return unless_negative(next.value, kSign64);
      return std::nullopt;
    case field::kUint32:
    case field::kUint64:
    case field::kBool:
      if (next.kind == Kind::varint) return next.value;
      return std::nullopt;
    case field::kSint32:
    case field::kSint64:
      if (next.kind == Kind::varint && (next.value & 1U) == 0) return next.value >> 1U;
      return std::nullopt;
    case field::kFixed32:
      if (next.kind == Kind::four) return next.value;
      return std::nullopt;
    case field::kFixed64:
      if (next.kind == Kind::eight) return next.value;
      return std::nullopt;
    case field::kSfixed32:
      if (next.kind == Kind::four) return unless_negative(next.value, kSign32);
      return std::nullopt;
    case field::kSfixed64:
      if (next.kind == Kind::eight) return unless_negative(next.value, kSign64);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

class NodeReader {
 public:
  NodeReader(const std::string& file, std::size_t number) : file_(file), number_(number) {}

  Node run(std::string_view message) {
    Wire wire(message, file_, number_);
    while (!wire.done()) read_field(wire, wire.next());
    return std::move(node_);
  }

 private:
  void read_field(const Wire& wire, const Wire::Next& next) {
    switch (next.field) {
      case field::kId:
        node_.id = whole(wire, next, "id");
        break;
      case field::kName:
        node_.name = text(wire, next, "its name is no text");
        break;
      case field::kType:
        node_.type = whole(wire, next, "type");
        break;
      case field::kControlDeps:
      case field::kDataDeps:
        read_after(wire, next);
        break;
      case field::kDuration:
        node_.microseconds = whole(wire, next, "duration");
        break;
      case field::kInputs:
        read_inputs(text(wire, next, "its inputs are no message"));
        break;
      case field::kAttributes:
        read_attribute(wire, text(wire, next, "its attribute is a number"));
        break;
      default:
        break;
    }
  }

  static std::uint64_t whole(const Wire& wire, const Wire::Next& next, const char* what) {
    if (next.kind != Kind::varint) wire.fail(fmt::format("its {} is no number", what));
    return next.value;
  }
  static std::string_view text(const Wire& wire, const Wire::Next& next, const char* why) {
    if (next.kind != Kind::bytes) wire.fail(why);
    return next.bytes;
  }

  /// One id, or several in a row.
  void read_after(const Wire& wire, const Wire::Next& next) {
    if (next.kind == Kind::varint) {
      node_.after.push_back(next.value);
      return;
    }
    Wire list(text(wire, next, "what it comes after is no number"), file_, number_);
    while (!list.done()) node_.after.push_back(list.varint());
  }

  void read_inputs(std::string_view message) {
    Wire wire(message, file_, number_);
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      if (next.field == field::kValues) node_.inputs = text(wire, next, "its inputs are no text");
    }
  }

  std::vector<bool> read_flags(std::string_view message) {
    std::vector<bool> flags;
    Wire wire(message, file_, number_);
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      if (next.field != field::kListValues) continue;
      if (next.kind == Kind::varint) {
        flags.push_back(next.value != 0);
        continue;
      }
      Wire list(text(wire, next, "a list that is none"), file_, number_);
      while (!list.done()) flags.push_back(list.varint() != 0);
    }
    return flags;
  }

  void read_attribute(const Wire& node, std::string_view message) {
    Wire wire(message, file_, number_);
    std::string_view name;
    Value value;
    while (!wire.done()) {
      const Wire::Next next = wire.next();
      if (next.field == field::kAttributeName) {
        name = text(wire, next, "the name of its attribute is no text");
      } else if (next.field == field::kBoolList && next.kind == Kind::bytes) {
        value.flags = read_flags(next.bytes);
      } else if (next.field == field::kString && next.kind == Kind::bytes) {
        value.text = next.bytes;
      } else if (const std::optional<std::uint64_t> number = number_of(next)) {
        value.number = number;
      }
    }
    keep(node, name, value);
  }

  void keep(const Wire& wire, std::string_view name, const Value& value) {
    struct Number {
      std::string_view name;
      std::optional<std::uint64_t> Node::*member;
      std::uint64_t most;
    };
    static constexpr std::array<Number, 8> kNumbers{{{"comm_size", &Node::comm_size, INT64_MAX},
                                                     {"comm_type", &Node::comm_type, INT32_MAX},
                                                     {"comm_src", &Node::comm_src, INT32_MAX},
                                                     {"comm_dst", &Node::comm_dst, INT32_MAX},
                                                     {"comm_tag", &Node::comm_tag, INT32_MAX},
                                                     {"root", &Node::root, INT32_MAX},
                                                     {"num_ops", &Node::num_ops, UINT64_MAX},
                                                     {"tensor_size", &Node::tensor_size, UINT64_MAX}}};
    const auto* const known =
        std::find_if(kNumbers.begin(), kNumbers.end(), [&](const Number& n) { return n.name == name; });
    if (known != kNumbers.end()) {
      if (!value.number || *value.number > known->most)
        wire.fail(fmt::format("{}: expected a number from 0 to {}", name, known->most));
      node_.*(known->member) = value.number;
    } else if (name == "pg_name" || name == "comm_group") {
      if (!value.text && !value.number) wire.fail(fmt::format("{}: expected a text or a number", name));
      node_.group = value.text ? std::string(*value.text) : fmt::format("{}", *value.number);
    } else if (name == "involved_dim") {
      if (!value.flags) wire.fail("involved_dim: expected a list of yes and no");
      node_.involved_dims = *value.flags;
    } else if (name == "is_cpu_op") {
      node_.on_host = value.number.value_or(0) != 0;
    }
  }

  const std::string& file_;
  std::size_t number_;
  Node node_;
};

}  // namespace

void read_nodes(std::string_view text, const std::string& file, const std::function<void(Node&)>& take) {
  Wire all(text, file, 0);
  std::size_t number = 0;
  for (; !all.done(); ++number) {
    const std::string_view message = all.bytes(all.varint());
    if (number > 0) {
      Node node = NodeReader(file, number).run(message);
      take(node);
      continue;
    }
    Wire metadata(message, file, 0);
    while (!metadata.done()) {
      const Wire::Next next = metadata.next();
      if (next.kind == Kind::varint && next.field <= 2) metadata.fail("a number where the schema has a text");
    }
  }
  if (number == 0) throw InputError(file + ": empty, expected metadata and nodes");
}

std::string with_times(std::string_view text, const std::string& file,
                       const std::vector<std::optional<NodeTimes>>& times) {
  std::string made;
  Wire all(text, file, 0);
  for (std::size_t number = 0; !all.done(); ++number) {
    std::string message(all.bytes(all.varint()));
    if (number > 0 && number <= times.size() && times[number - 1]) {
      put_number(message, field::kStart, times[number - 1]->start);
      put_number(message, field::kDuration, times[number - 1]->duration);
    }
    put_message(made, message);
  }
  return made;
}

}  // namespace unknot::chakra
