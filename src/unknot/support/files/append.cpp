// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/files/append.hpp"

#include <iterator>

namespace unknot {

void append_arguments(std::string& text, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text), format, arguments);
}

void append_arguments(fmt::memory_buffer& text, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text), format, arguments);
}

}  // namespace unknot
