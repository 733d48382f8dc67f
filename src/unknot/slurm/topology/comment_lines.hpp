// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace unknot::slurm {

/// Each line of the text behind '#'.
std::string comment_lines(std::string_view text);

}  // namespace unknot::slurm
