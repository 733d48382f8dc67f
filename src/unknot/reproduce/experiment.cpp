// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/experiment.hpp"

#include <fmt/format.h>

namespace unknot {

Quantity Quantity::number(double value, int digits, const std::string& unit) {
  return {fmt::format("{:.{}f}{}", value, digits, unit), value, value};
}

Quantity Quantity::range(double low, double high, int digits, const std::string& unit) {
  if (low == high) return number(low, digits, unit);
  return {fmt::format("{:.{}f} to {:.{}f}{}", low, digits, high, digits, unit), low, high};
}

const char* agreement_name(Agreement agreement) {
  switch (agreement) {
    case Agreement::equal:
      return "equal";
    case Agreement::within:
      return "within";
    case Agreement::better:
      return "better";
    case Agreement::differs:
      return "differs";
    case Agreement::unpublished:
      return "unpublished";
  }
  return "";
}

}  // namespace unknot
