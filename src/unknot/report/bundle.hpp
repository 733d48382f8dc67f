// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What web/bundle.mjs has made of web/; in a source that the build generates.
namespace unknot::report {

extern const std::string_view kPageStyle, kPageScript;

}  // namespace unknot::report
