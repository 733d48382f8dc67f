// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/sweep_script.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/text/shell_word.hpp"

namespace unknot::cli {

std::string sweep_script(const std::string& file, const std::string& folder, std::uint32_t tasks,
                         std::uint32_t threads, std::uint64_t seed) {
  const std::uint32_t cores = std::max(threads, 1U);
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# Submit where the sweep's file is: sbatch THIS. A task that is killed or requeued runs what is "
      "missing;\n"
      "# afterwards, and at any time, unknot sweep prints the table.\n"
      "#SBATCH --job-name=unknot-sweep\n"
      "#SBATCH --array=0-{}\n"
      "#SBATCH --nodes=1\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task={}\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n",
      tasks - 1, cores);
  // exec: what Slurm sends goes to the program itself.
  text += fmt::format(
      "exec \"${{UNKNOT:-unknot}}\" sweep {} -o {} --seed {} --threads {} --part "
      "\"$SLURM_ARRAY_TASK_ID/{}\" --no-wait\n",
      shell_word(file), shell_word(folder), seed, cores, tasks);
  return text;
}

}  // namespace unknot::cli
