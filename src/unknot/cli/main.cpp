// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/run.hpp"

int main(int argc, char** argv) {
  return unknot::cli::run(argc, argv);
}
