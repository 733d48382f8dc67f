// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/report/compare/page_data.hpp"

namespace unknot::report {

/// The data of a page that html_page() wrote, which anyone may have changed since. InputError with `file`,
/// one sentence, for what is no such page, for a comparison of two, and where anything in it is not of its
/// kind.
PageData read_page(std::string_view html, const std::string& file);

}  // namespace unknot::report
