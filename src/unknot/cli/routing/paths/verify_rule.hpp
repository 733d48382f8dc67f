// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/scope_option.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// Declares --rule, which is returned.
CLI::Option* add_rule_option(CLI::App& app, std::string& rule);

/// `verify` on the tables that a rule stands for.
Answer verify_by_rule(const std::string& fabric, const Scope& scope, const std::string& spec,
                      const Common& common);

}  // namespace unknot::cli
