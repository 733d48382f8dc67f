// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/memory.hpp"
#include "unknot/cli/run.hpp"

int main(int argc, char** argv) {
  unknot::cli::prepare_heap();
  return unknot::cli::run(argc, argv);
}
