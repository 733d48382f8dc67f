// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot {

/// The version of this library and its programs, as "0.1.0".
const char* version();

}  // namespace unknot
