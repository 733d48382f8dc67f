// SPDX-License-Identifier: Apache-2.0
// What the library's objects call of fmt: theirs is a shared library, which OpenSM's machine may lack. The
// plug-in's own sources have fmt as headers, and with all that is used here, compiled without optimisation,
// nothing is left open.
#include <fmt/format.h>

#include <string>

namespace unknot {

std::string with_all_of_fmt(double number, const char* text);
std::string with_all_of_fmt(double number, const char* text) {
  return fmt::format(fmt::runtime("{:L} {:L} {:g} {:?}"), static_cast<int>(number), number, number, text);
}

}  // namespace unknot
