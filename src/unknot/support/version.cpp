// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/version.hpp"

namespace unknot {

const char* version() {
  return UNKNOT_VERSION;
}

}  // namespace unknot
