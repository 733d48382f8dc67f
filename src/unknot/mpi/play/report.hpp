// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/mpi/play/measure.hpp"
#include "unknot/mpi/play/prepare.hpp"

namespace unknot::mpi {

/// Prints what has been measured: text for people, or JSON where that is asked for.
void print_result(const PlayOptions& options, const Prepared& prepared, const PlayResult& result);

/// The sentence about a schedule that is not valid goes to standard error, and with JSON a document that says
/// so to standard output.
void print_refusal(const PlayOptions& options, const Prepared& prepared);

}  // namespace unknot::mpi
