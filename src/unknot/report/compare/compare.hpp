// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/report/compare/read_page.hpp"

namespace unknot::report {

/// A page that shows what differs between two: their networks upon each other, parts told apart by the names
/// and ports of routers, each load before, after and its change, and their routings side by side. What it
/// adds to the data of a page is in docs/report.md. The same pages give the same bytes. InputError where both
/// together have more than kMostChannels channels, and where page_available() is false.
std::string compared_page(const PageData& before, const PageData& after, const Provenance& provenance);

/// Its data alone.
std::string compared_document(const PageData& before, const PageData& after, const Provenance& provenance);

/// Its sentences: what carries most, what can deadlock now, which parts are gone and new. At least one.
std::vector<std::string> compared_summary(const PageData& before, const PageData& after);

}  // namespace unknot::report
