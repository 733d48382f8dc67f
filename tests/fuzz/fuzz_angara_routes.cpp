// SPDX-License-Identifier: Apache-2.0
// Reader of source routes in format angara: any input gives routes that deliver, or an InputError; and what
// was read is written and read again as it was.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/grids/torus.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  static const Network network = torus({4, 2}, {});
  try {
    const Routing routing = read_angara(network, fuzz::text_of(data, size), "-");
    const AngaraTables tables(network, routing);
    std::string text = tables.header();
    for (const TerminalId s : network.terminals()) {
      text += tables.section(s);
      for (const TerminalId d : network.terminals()) {
        if (!routing.routes()->route(s, d).empty() && !delivers(network, *routing.routes(), s, d))
          std::abort();
      }
    }
    if (*read_angara(network, text, "-").routes() != *routing.routes()) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
