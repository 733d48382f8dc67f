// SPDX-License-Identifier: Apache-2.0
// Files of paths: any input gives a document, which comes back from what is written of it and which the
// checker takes on some network, or an InputError.
#include <cstddef>
#include <cstdlib>

#include "schedule_fuzz_fabric.hpp"
#include "unknot/collective/exchange/exchange_check.hpp"
#include "unknot/collective/files/exchange_file.hpp"
#include "unknot/support/error.hpp"

namespace {

/// Anything thrown here is a fault, too.
void examine(const unknot::ExchangeDocument& document) noexcept {
  using namespace unknot;
  const ExchangeDocument again = parse_exchange(exchange_json(document), "again");
  if (again.plan.copies != document.plan.copies || again.plan.nodes != document.plan.nodes ||
      again.participants != document.participants)
    std::abort();
  if (exchange_json(again) != exchange_json(document)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const ExchangeDocument document = parse_exchange(fuzz::text_of(data, size), "paths");
    examine(document);
    const Problem problem = make_collective(fuzz::node_graph(), document.collective, document.participants);
    if (problem.delivery == Delivery::scatter) (void)check_exchange(problem, document.plan);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
