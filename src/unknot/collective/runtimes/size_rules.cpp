// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/runtimes/size_rules.hpp"

namespace unknot::runtimes {

std::uint64_t messages_counted(std::string_view collective, std::uint32_t ranks) {
  const bool one = collective == "all-reduce" || collective == "OAB" || collective == "AOR";
  return one ? 1 : ranks;
}

}  // namespace unknot::runtimes
