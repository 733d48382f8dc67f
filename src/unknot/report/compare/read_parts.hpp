// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "unknot/report/compare/page_data.hpp"

// Parts of a page's data, as docs/report.md describes them. InputError, one sentence without the file, where
// anything is not of its kind.
namespace unknot::report {

PageData::Simulation read_simulation(const nlohmann::json& object, std::size_t layers);
PageData::Contest read_contest(const nlohmann::json& object);
PageData::Schedule read_schedule(const nlohmann::json& object);

}  // namespace unknot::report
