// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/scope_option.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// `verify` on an adaptive routing: its files, and what switches are taken for.
struct AdaptiveRequest {
  std::vector<std::string> files;        ///< none: tables are to be checked
  std::vector<std::string> levels = {};  ///< files of service levels; one at most
  bool committed = false;
};

/// Declares --adaptive, which is returned, and the options that need it.
CLI::Option* add_adaptive_options(CLI::App& app, AdaptiveRequest& request);

/// `certificate` is a file to re-check, `write_certificate` one to write, "" for none.
Answer verify_adaptive_files(const std::string& fabric, const Scope& scope, const AdaptiveRequest& request,
                             const std::string& certificate, const std::string& write_certificate,
                             const Common& common);

}  // namespace unknot::cli
