// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/report/content.hpp"

namespace unknot::report {

inline constexpr const char* kFormat = "unknot-report-2";

/// Sentences for the top of the page, the answer first: whether the schedule is valid and shortest, which
/// routings hold and which loads channels least, where simulated traffic saturates, what the network is. At
/// least one.
std::vector<std::string> summary(const Content& content);

/// The page's data as one JSON document; docs/report.md has its fields. Arrays are by router, channel, node
/// or arc, so that large networks stay small files. Text that is not UTF-8 gets U+FFFD for the wrong bytes.
/// The same content gives the same bytes. InputError for schedules that are too large to be drawn.
std::string document(const Content& content);

}  // namespace unknot::report
