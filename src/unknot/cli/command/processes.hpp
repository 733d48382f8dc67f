// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// The processes, several of them, that have been started with the same command line. Process 0 alone prints
/// and writes files.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;
  /// What the processes share their work by.
  [[nodiscard]] virtual evolve::Exchange& exchange() = 0;
  /// This process cannot go on. One sentence is printed, of one process, and all end. Returns the exit code
  /// of this one, if it returns.
  [[nodiscard]] virtual int give_up(std::string_view sentence, int code) = 0;
};

/// Whether this process prints and writes.
bool first_process(const Common& common);
/// InputError where several processes run what `what` names.
void require_one_process(const Common& common, std::string_view what);

}  // namespace unknot::cli
