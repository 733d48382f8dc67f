// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace unknot::cli {

/// Check of an option's value, with a message that says what was expected.
CLI::Validator whole_number(std::uint64_t min, std::uint64_t max);
/// From 1 to max, "65536" or "64K", in powers of 1024; the option is given the number. For transform().
CLI::Validator byte_count(std::uint64_t max);
CLI::Validator number_between(double min, double max);

/// Refuses those of the options that are given: one that is taken and does nothing would leave its user in
/// error. `task`: what the command is asked to do. InputError.
void refuse_unused(const CLI::App& app, std::span<const char* const> unused, std::string_view task);

/// Text with line breaks at blanks so that no line has more than `width` characters, where words allow; its
/// own line breaks stay.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace unknot::cli
