// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/labels.hpp"

#include <algorithm>

namespace unknot {

const std::vector<std::string>& link_rate_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{""};
    for (const char* width : {"1x", "2x", "4x", "8x", "12x"}) {
      for (const char* speed : {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"}) {
        all.push_back(std::string(width) + speed);
      }
    }
    return all;
  }();
  return names;
}

LinkRate link_rate_from(const std::string& text) {
  const auto& names = link_rate_names();
  const auto found = std::find(names.begin(), names.end(), text);
  return found == names.end() ? LinkRate{0} : static_cast<LinkRate>(found - names.begin());
}

}  // namespace unknot
