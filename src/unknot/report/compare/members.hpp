// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// Members of a page's data, each of its kind or an InputError: one sentence without the file.
namespace unknot::report {

inline constexpr double kMostWhole =
    9007199254740992.0;                           // 2^53: whole numbers beyond are not those of a page
inline constexpr double kMostIds = 4294967296.0;  // 2^32
inline constexpr std::size_t kMostParts = 1000;   // routings of a page, and what there is of each

[[noreturn]] void not_a_page(const std::string& what);

const nlohmann::json& member(const nlohmann::json& object, const char* key);
std::string text_member(const nlohmann::json& object, const char* key);
bool flag_member(const nlohmann::json& object, const char* key);
double number_member(const nlohmann::json& object, const char* key);
/// At least 0.
double amount_member(const nlohmann::json& object, const char* key);
/// At least 0, or null.
std::optional<double> amount_or_null(const nlohmann::json& object, const char* key);
std::uint64_t whole_member(const nlohmann::json& object, const char* key, double below = kMostWhole);
/// A whole number below `below`, which is at most kMostIds.
std::uint32_t id_member(const nlohmann::json& object, const char* key, double below = kMostIds);
/// A list of at most `most` items.
const nlohmann::json& list_member(const nlohmann::json& object, const char* key,
                                  std::size_t most = static_cast<std::size_t>(-1));
std::vector<std::string> texts_member(const nlohmann::json& object, const char* key);
/// Columns as read_column() takes them.
std::vector<double> reals_member(const nlohmann::json& object, const char* key, std::size_t count);
std::vector<std::uint32_t> wholes_member(const nlohmann::json& object, const char* key, std::size_t count,
                                         double below);

}  // namespace unknot::report
