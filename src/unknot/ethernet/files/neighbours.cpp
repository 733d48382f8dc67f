// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "unknot/ethernet/files/json_access.hpp"
#include "unknot/ethernet/files/readers.hpp"
#include "unknot/support/error.hpp"

namespace unknot::ethernet {
namespace {

using nlohmann::json;

/// What a device says that it does; what is of another form says nothing.
enum class Role : std::uint8_t { unknown, host, bridges_or_routes };

/// In lldpctl's words one capability is an object, several are a list of such.
Role role_of(const json& device) {
  if (!device.is_object() || !device.contains("capability")) return Role::unknown;
  const json& said = device["capability"];
  bool any = false, clear = true;
  for (const json& one : said.is_array() ? said : json::array({said})) {
    if (!one.is_object() || !one.contains("type") || !one.contains("enabled")) {
      clear = false;
    } else if (one["enabled"] == json(true)) {
      if (one["type"] == json("Bridge") || one["type"] == json("Router")) return Role::bridges_or_routes;
      any = true;
    }
  }
  return any && clear ? Role::host : Role::unknown;
}

/// What a switch is called that gives no name.
std::string nameless(const std::string& id) {
  return "a switch without a name" + (id.empty() ? "" : " (" + id + ")");
}

/// One neighbour of one port in lldpctl's words. A chassis is a member that is called as the device; without
/// a name its members stand in its place.
std::optional<Neighbour> one_neighbour(const JsonFile& file, const std::string& port, const json& said) {
  file.require_object(said, port);
  const json& chassis = file.object(said, "chassis", port);
  const json& behind = file.object(said, "port", port);
  Neighbour neighbour;
  neighbour.port = port;
  if (chassis.size() == 1 && chassis.begin()->is_object() && chassis.begin().key() != "id")
    neighbour.device = chassis.begin().key();
  if (!neighbour.device.empty()) {
    neighbour.host = role_of(*chassis.begin()) == Role::host;
  } else if (role_of(chassis) == Role::bridges_or_routes) {
    neighbour.device = nameless(file.string(file.object(chassis, "id", port + ".chassis"), "value", port));
  } else {
    return std::nullopt;
  }
  const json& id = file.object(behind, "id", port + ".port");
  if (file.string(id, "type", port + ".port.id") != "mac")
    neighbour.device_port = file.string(id, "value", port + ".port.id");
  neighbour.device_port_description = file.string(behind, "descr", port + ".port");
  return neighbour;
}

std::vector<Neighbour> read_lldpctl(std::string_view text, const std::string& name) {
  const JsonFile file(text, name);
  file.require_object(file.document(), "the document");
  if (!file.document().contains("lldp"))
    file.fail("the document", "a member \"lldp\", as lldpctl -f json prints");
  const json& lldp = file.object(file.document(), "lldp", "the document");
  std::vector<Neighbour> found;
  // One interface is an object, several are a list of such.
  const auto add = [&](const json& interfaces) {
    file.require_object(interfaces, "lldp.interface");
    for (const auto& [port, said] : interfaces.items()) {
      std::optional<Neighbour> one = one_neighbour(file, port, said);
      if (one) found.push_back(std::move(*one));
    }
  };
  const auto interfaces = lldp.find("interface");
  if (interfaces == lldp.end()) return found;
  if (interfaces->is_array()) {
    for (const json& one : *interfaces) add(one);
  } else {
    add(*interfaces);
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

/// Columns as the line of dashes below the headings shows them: first and one past the last character.
std::vector<std::pair<std::size_t, std::size_t>> columns_of(std::string_view dashes) {
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  for (std::size_t at = 0; at < dashes.size();) {
    const std::size_t first = dashes.find('-', at);
    if (first == std::string_view::npos) break;
    const std::size_t end = std::min(dashes.find_first_not_of('-', first), dashes.size());
    columns.emplace_back(first, end);
    at = end;
  }
  return columns;
}

std::vector<Neighbour> read_table(std::string_view text, const std::string& file) {
  std::vector<Neighbour> found;
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  bool headings = false;
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (trimmed(line).empty() || line.starts_with("Capability codes:") || line.starts_with("Total entries"))
      continue;
    if (line.starts_with("LocalPort")) {
      headings = true;
      columns.clear();
      continue;
    }
    if (!headings) {
      throw InputError(file, line_number,
                       "expected JSON as lldpctl -f json prints it, or the table of SONiC's show lldp table");
    }
    if (columns.empty()) {
      columns = columns_of(line);
      if (columns.size() < 3 || line.find_first_not_of("- \r") != std::string_view::npos)
        throw InputError(file, line_number, "expected a line of dashes below each of the headings");
      continue;
    }
    if (line.find_first_not_of("- \r") == std::string_view::npos) continue;  // the end of the table
    std::array<std::string, 5> cells;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
      if (columns[i].first >= line.size()) break;
      // The last one may be longer than its column.
      const bool last = i + 1 == columns.size();
      const std::size_t stop = last ? line.size() : columns[i + 1].first;
      cells[i] = trimmed(line.substr(columns[i].first, stop - columns[i].first));
    }
    if (cells[0].empty() || cells[0].find(' ') != std::string::npos)
      throw InputError(file, line_number, "expected the name of a port in the first column");
    if (cells[1].empty()) {  // a device without a name is none of ours
      if (cells[3].find_first_of("BR") == std::string::npos) continue;
      cells[1] = nameless("");
    }
    const bool host = !cells[3].empty() && cells[3].find_first_of("BR") == std::string::npos;
    found.push_back({cells[0], cells[1], cells[2], cells[4], host});
  }
  if (!headings) {
    throw InputError(file, line_number == 0 ? 1 : line_number,
                     "expected a table of LLDP neighbours, and there is none");
  }
  return found;
}

}  // namespace

std::vector<Neighbour> read_neighbours(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? read_lldpctl(text, file)
                                                               : read_table(text, file);
}

}  // namespace unknot::ethernet
