// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/engine_list.hpp"

#include "unknot/engines/catalogue.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
std::vector<std::string> split_engines(std::string_view text) {
  std::vector<std::string> specs;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::string_view name = split_spec(piece).name;
    const bool has_parameters = !specs.empty() && specs.back().find(':') != std::string::npos;
    if (piece == "all") {
      for (const Engine& engine : engines()) specs.push_back(engine.name);
    } else if (has_parameters && look_up_row(engines(), name) == nullptr) {
      specs.back() += ',';
      specs.back() += piece;
    } else {
      (void)find_engine(name);  // refuses unknown names with the near ones
      specs.emplace_back(piece);
    }
  }
  if (specs.empty()) throw InputError("an engine's name is missing; see unknot list engines");
  return specs;
}

}  // namespace unknot::cli
