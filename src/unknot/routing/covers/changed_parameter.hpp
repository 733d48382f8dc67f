// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "unknot/support/number.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// The first parameter of a row, but `besides`, whose value is not its default: what tables that are dealt
/// out make no use of. "" where there is none. Every parameter has a default; none is a list or a rest.
inline std::string changed_parameter(std::span<const Parameter> row, const Parameters& values,
                                     std::string_view besides) {
  const auto is_default = [&](const Parameter& parameter) {
    const std::string& usual = *parameter.fallback;
    switch (parameter.kind) {
      case ParameterKind::number:
        return values.number(parameter.name) == number_in<std::uint64_t>(usual);
      case ParameterKind::real:
        return values.real(parameter.name) == number_in<double>(usual);
      case ParameterKind::flag:
        return values.flag(parameter.name) == (usual == "1");
      default:
        return values.text(parameter.name) == usual;
    }
  };
  for (const Parameter& parameter : row) {
    if (parameter.name != besides && !is_default(parameter)) return parameter.name;
  }
  return {};
}

}  // namespace unknot
