// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/memory.hpp"
#include "unknot/cli/program/run.hpp"

int main(int argc, char** argv) {
  unknot::cli::prepare_heap();
  return unknot::cli::run(argc, argv);
}
