// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/text/line_scanner.hpp"

#include <algorithm>

namespace unknot {

void LineScanner::fail_at(const char* where, const std::string& message) const {
  const auto line = static_cast<std::size_t>(std::count(text_.data(), where, '\n')) + 1;
  throw InputError(std::string(name_), line, message);
}

}  // namespace unknot
