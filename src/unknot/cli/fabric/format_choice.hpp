// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"

namespace unknot::cli {

/// Row of a format that can be written; InputError with the near names otherwise. Called before the work, so
/// that a mistyped name costs nothing.
const FabricFormat& fabric_format(std::string_view name);
const TableFormat& table_format(std::string_view name);

/// Refuses to write tables that need their service levels to be deadlock-free in a format that drops them,
/// unless those, and SL-to-VL tables where there are some, go to files of their own or the user insists.
/// InputError.
void require_lanes_kept(const TableFormat& format, const Routing& routing, bool levels_written,
                        bool lane_map_written, bool force);

/// Refuses a format that tables to several addresses of a host cannot be written in. InputError.
void require_several_addresses(const std::string& format);

/// Names of the formats that can be written, for help texts.
std::string writable_fabric_formats();
std::string writable_table_formats();

}  // namespace unknot::cli
