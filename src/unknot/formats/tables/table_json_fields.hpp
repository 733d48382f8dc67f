// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/support/error.hpp"

namespace unknot::table_json {

/// Members of tables as JSON, or InputError with the file and what is wrong.
class TableJsonFields {
 public:
  using json = nlohmann::json;

  TableJsonFields(const Network& network, const std::string& name)
      : network_(network), name_(name), guids_(network) {}

 protected:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {}{}", name_, part_, message));
  }
  /// What is read from now on, in front of each sentence; empty: the file as a whole.
  void enter(std::string part) { part_ = std::move(part); }

  const json& member(const json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(fmt::format("'{}' is missing", key));
    return *found;
  }
  const json& list(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_array()) fail(fmt::format("'{}' is not a list", key));
    return value;
  }
  const std::string& text(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_string()) fail(fmt::format("'{}' is not text", key));
    return value.get_ref<const std::string&>();
  }
  std::int64_t integer(const json& value, const std::string& what, std::int64_t low,
                       std::int64_t high) const {
    if (!value.is_number_integer()) fail(fmt::format("{} is not a whole number", what));
    const auto big =
        value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
    if (big || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(fmt::format("{} is outside {} to {}", what, low, high));
    }
    return value.get<std::int64_t>();
  }
  std::int64_t number(const json& object, const char* key, std::int64_t low, std::int64_t high) const {
    return integer(member(object, key), fmt::format("'{}'", key), low, high);
  }
  std::uint64_t hex(const std::string& text, const char* what) const {
    const char* p = text.data();
    const char* const end = p + text.size();
    std::uint64_t value = 0;
    if (!take_hex(p, end, value) || p != end)
      fail(fmt::format("'{}' is not 0x and hexadecimal digits", what));
    return value;
  }
  const json& object(const json& value, const char* where) const {
    if (!value.is_object()) fail(fmt::format("'{}' holds something that is no object", where));
    return value;
  }
  RouterId router(const json& entry, const char* key) const {
    const std::uint64_t guid = hex(text(entry, key), key);
    const RouterId router = guids_.router(guid);
    if (!router.valid()) fail(fmt::format("router 0x{:016x} is not in the fabric", guid));
    return router;
  }
  TerminalId terminal(const json& entry, const char* key) const {
    const std::uint64_t guid = hex(text(entry, key), key);
    const Device device = guids_.port(guid);
    if (!device.is_terminal()) fail(fmt::format("terminal 0x{:016x} is not in the fabric", guid));
    return TerminalId(device.index());
  }

  const Network& network_;
  const std::string& name_;

 private:
  GuidIndex guids_;
  std::string part_;
};

}  // namespace unknot::table_json
