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

/// Declares --config, which is returned.
CLI::Option* add_configuration_option(CLI::App& app, std::string& name);

/// Whether the file has configurations of Constellation, of which --config names one.
bool is_configuration_file(const std::string& path);

/// `verify FILE --config NAME`: a configuration of Constellation as the fabric and as its relation. Without a
/// name, InputError that says which there are.
Answer verify_configuration(const std::string& path, const Scope& scope, const std::string& name,
                            const Common& common);

}  // namespace unknot::cli
