// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// A text as a field of comma-separated values: quoted where it holds a comma, a quotation mark or the end of
/// a line (RFC 4180).
std::string csv_field(const std::string& text);
/// A value of JSON as such a field; null is empty.
std::string csv_field(const Json& value);

}  // namespace unknot::cli
