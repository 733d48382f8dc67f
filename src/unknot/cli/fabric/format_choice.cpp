// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/format_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {
namespace {

template <class Rows>
std::vector<std::string> writable(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (row.write) names.push_back(row.name);
  }
  return names;
}

template <class Rows>
const auto& find_writable(const Rows& rows, const char* what, std::string_view name) {
  for (const auto& row : rows) {
    if (row.name == name && row.write) return row;
  }
  const std::vector<std::string> names = writable(rows);
  throw InputError(
      fmt::format("no format '{}' to write {} in; {}", name, what, near_or_all_names(name, names)));
}

}  // namespace

const FabricFormat& fabric_format(std::string_view name) {
  return find_writable(fabric_formats(), "fabrics", name);
}

const TableFormat& table_format(std::string_view name) {
  return find_writable(table_formats(), "tables", name);
}

void require_lanes_kept(const TableFormat& format, const Routing& routing, bool levels_written,
                        bool lane_map_written, bool force) {
  if (force || format.holds_lanes || routing.lanes_needed <= 1) return;
  if (!levels_written) {
    throw InputError(
        fmt::format("the tables can deadlock without their {} lanes, which format '{}' drops; write the "
                    "service levels too "
                    "(--lanes, --qos-policy), take a format that holds them, or insist with --force",
                    routing.lanes_needed, format.name));
  }
  if (routing.lane_map != nullptr && !lane_map_written) {
    throw InputError(fmt::format(
        "the tables can deadlock without their SL-to-VL tables, which format '{}' drops; write those too "
        "(--sl2vl FILE), take engine dor:sl2vl=0, which needs none, take a format that holds them, or insist "
        "with --force",
        format.name));
  }
}

void require_several_addresses(const std::string& format) {
  if (table_format(format).several_addresses) return;
  std::vector<std::string> names;
  for (const TableFormat& row : table_formats()) {
    if (row.write && row.several_addresses) names.push_back(row.name);
  }
  throw InputError(
      fmt::format("tables to several addresses of a host (--lmc) cannot be written as '{}', take one of {}",
                  format, fmt::join(names, ", ")));
}

std::string writable_fabric_formats() {
  return fmt::format("{}", fmt::join(writable(fabric_formats()), ", "));
}

std::string writable_table_formats() {
  return fmt::format("{}", fmt::join(writable(table_formats()), ", "));
}

}  // namespace unknot::cli
