// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/formats/catalogue.hpp"

namespace unknot::cli {

/// Row of a format that can be written; InputError with the near names otherwise. Called before the work, so
/// that a mistyped name costs nothing.
const FabricFormat& fabric_format(std::string_view name);
const TableFormat& table_format(std::string_view name);

/// Names of the formats that can be written, for help texts.
std::string writable_fabric_formats();
std::string writable_table_formats();

}  // namespace unknot::cli
