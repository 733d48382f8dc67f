// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/report/content.hpp"

namespace unknot::report {

/// What stands before the data of a page.
inline constexpr std::string_view kDataBegins = "<script type=\"application/json\" id=\"data\">";

/// Whether this build holds the page's scripts: they are bundled where npm is installed (UNKNOT_REPORT).
bool page_available();
/// InputError, one sentence, where it does not.
void require_page();

/// One HTML page that needs no other file and no network: the data of document(), the style and the scripts
/// of web/. Names from anywhere are text there, never markup. The same content gives the same bytes.
/// InputError where page_available() is false, and as document().
std::string html_page(const Content& content);

/// The page around any document of this kind: `title` over `sentences`, the first larger, and `foot` below.
std::string html_page(std::string_view title, const std::vector<std::string>& sentences,
                      const std::vector<std::string>& foot, std::string_view data);

/// Lines for the foot of a page: the fabric ("": of none), the version, the date and the command.
std::vector<std::string> foot_of(const Provenance& provenance, const std::string& fabric);

}  // namespace unknot::report
