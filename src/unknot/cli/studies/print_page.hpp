// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace unknot::cli {

/// Whether that is the name of a PDF.
bool is_pdf(const std::string& path);

/// The Chromium of this machine: the first of chromium, chromium-browser, google-chrome and
/// google-chrome-stable on the PATH. InputError, one sentence, where there is none.
std::string find_chromium();

/// A page printed as PDF to a file, by that program, without a window. The bytes hold the time. InputError
/// where it does not print; Interrupted.
void print_page(std::string_view html, const std::string& chromium, const std::string& path);

}  // namespace unknot::cli
