// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace unknot::cli {

/// Options and arguments nobody declared, which the parser has let pass: InputError, one sentence with the
/// near names. `where` is the command whose --help to see. Nothing where there are none.
void refuse_extras(const CLI::App& app, const std::string& where);

/// CLI11's message, or ours where its words are not for people.
std::string parse_sentence(const CLI::ParseError& error);

}  // namespace unknot::cli
