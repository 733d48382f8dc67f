// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/processes.hpp"

#include <fmt/format.h>

#include "unknot/evolve/exchange.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

bool first_process(const Common& common) {
  return common.exchange == nullptr || common.exchange->process() == 0;
}

void require_one_process(const Common& common, std::string_view what) {
  if (common.exchange != nullptr)
    throw InputError(fmt::format("{} runs in one process: start it without mpirun", what));
}

}  // namespace unknot::cli
