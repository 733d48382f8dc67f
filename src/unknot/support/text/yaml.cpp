// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <new>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostLevels = 64;

std::uint32_t line_of(const yaml_mark_t& mark) {
  return static_cast<std::uint32_t>(mark.line) + 1;
}

/// Events of a text, one at a time.
class Events {
 public:
  Events(std::string_view text, const std::string& file) : file_(file) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  yaml_event_type_t next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) fail_to_parse();
    return event_.type;
  }
  [[nodiscard]] const yaml_event_t& event() const { return event_; }
  [[nodiscard]] std::uint32_t line() const { return line_of(event_.start_mark); }
  [[nodiscard]] std::string scalar() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_, line(), message); }

 private:
  [[noreturn]] void fail_to_parse() {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    // A character that cannot be read has no line of its own.
    const std::uint32_t line =
        parser_.error == YAML_READER_ERROR ? line_of(parser_.mark) : line_of(parser_.problem_mark);
    throw InputError(file_, line, fmt::format("this is no YAML: {}", parser_.problem));
  }

  std::string file_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : events_(text, file), file_(file) {}

  YamlValue run() {
    events_.next();  // the stream begins
    if (events_.next() != YAML_DOCUMENT_START_EVENT) events_.fail("expected a YAML document, there is none");
    events_.next();
    YamlValue value = read(0);
    events_.next();  // the document ends
    if (events_.next() != YAML_STREAM_END_EVENT)
      events_.fail("expected one YAML document, found another one");
    return value;
  }

 private:
  /// The value that begins with the event at hand.
  YamlValue read(std::uint32_t level) {
    if (level >= kMostLevels) events_.fail(fmt::format("more than {} levels", kMostLevels));
    YamlValue value;
    value.line = events_.line();
    switch (events_.event().type) {
      case YAML_SCALAR_EVENT:
        value.text = events_.scalar();
        return value;
      case YAML_SEQUENCE_START_EVENT:
        value.kind = YamlValue::Kind::sequence;
        while (events_.next() != YAML_SEQUENCE_END_EVENT) value.items.push_back(read(level + 1));
        return value;
      case YAML_MAPPING_START_EVENT:
        value.kind = YamlValue::Kind::mapping;
        read_members(value, level);
        return value;
      default:
        events_.fail("an alias, which is not followed here: write its value");
    }
  }

  void read_members(YamlValue& value, std::uint32_t level) {
    while (events_.next() != YAML_MAPPING_END_EVENT) {
      if (events_.event().type != YAML_SCALAR_EVENT) events_.fail("expected the name of a member");
      std::string key = events_.scalar();
      events_.next();
      value.members.push_back({std::move(key), read(level + 1)});
    }
    std::vector<const YamlMember*> sorted;
    for (const YamlMember& member : value.members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->name < b->name; });
    const auto twice =
        std::adjacent_find(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->name == b->name; });
    if (twice != sorted.end())
      throw InputError(file_, twice[1]->value.line, fmt::format("{} is given twice", shown((*twice)->name)));
  }

  Events events_;
  std::string file_;
};

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  const auto member =
      std::find_if(members.begin(), members.end(), [&](const YamlMember& m) { return m.name == key; });
  return member == members.end() ? nullptr : &member->value;
}

YamlValue parse_yaml(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

}  // namespace unknot
