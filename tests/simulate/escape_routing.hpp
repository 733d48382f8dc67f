// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::simulate {

/// All shortest paths around the engine's tables, which are the escape.
inline AdaptiveRouting escape_around(const Network& network, const std::string& engine) {
  Progress silent;
  const Routing tables = route(network, engine, {}, silent);
  VerifyOptions options;
  options.certificate = true;
  const Verdict verdict = verify(network, tables, options, silent);
  return escape_groups(network, tables, verdict.certificate->number, silent);
}

}  // namespace unknot::simulate
