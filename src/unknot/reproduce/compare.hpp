// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "unknot/reproduce/experiment.hpp"

namespace unknot {

/// A difference that has been looked into: its explanation, and the values it speaks of. A value beyond these
/// is a difference that nobody has explained.
struct Explained {
  std::string why;
  std::optional<double> low = {}, high = {};  ///< none: any value
};

/// Row for numbers and ranges. `equal`: the same to half a unit of the last digit that `published.text`
/// shows; `within`: ours lies in the published range widened by `tolerance` (absolute) on both sides, which
/// is what the row allows; otherwise `better` or `differs`, then with `explained.why` as its note where that
/// covers ours.
ReproducedRow compare(std::string label, Quantity published, Quantity ours, Wanted wanted = Wanted::same,
                      double tolerance = 0, const Explained& explained = {});

/// Row for a statement in words, which holds in the sense of `allowed` (`within`) or not (`differs`). Where
/// `allowed` is empty the statement leaves nothing open, and `equal` is that it holds.
ReproducedRow claim(std::string label, std::string published, std::string ours, bool holds,
                    std::string allowed, std::string why_not = "");

/// Row for "up to so many percent better": a gain between none and that, or a larger one (`better`); else it
/// differs.
ReproducedRow gain_up_to(std::string label, double most, double ours, std::string why_not);

/// Row for a value that was not printed.
ReproducedRow shown(std::string label, Quantity ours, std::string note = "");

/// The same for one that is to hold, in the sense of `allowed`: without a reason it `differs` where it does
/// not.
ReproducedRow expected(std::string label, std::string ours, bool holds, std::string allowed);

}  // namespace unknot
