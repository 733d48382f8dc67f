// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "unknot/design/design.hpp"

// The largest networks, and those of the fewest routers, found again by trying all parameters: each family is
// written down here as its paper has it, with nothing of the library.

namespace unknot {
namespace {

using Number = std::uint64_t;

/// A network by its numbers: `degree` cables and at most `most` terminals on each of `carriers` routers.
struct Try {
  Number carriers = 0, routers = 0, degree = 0, most = 0, widest = 0;
};
using See = std::function<void(const Try&)>;

bool prime_power(Number q) {
  for (Number p = 2; p <= q; ++p) {
    if (q % p != 0) continue;
    while (q % p == 0) q /= p;
    return q == 1;
  }
  return false;
}

void two_levels(Number radix, const See& see) {
  for (Number leaves = 2; leaves <= radix; ++leaves) {
    for (Number spines = 1; spines < radix; ++spines) {
      for (Number cables = 1; spines * cables < radix && leaves * cables <= radix; ++cables)
        see({leaves, leaves + spines, spines * cables, spines * cables, leaves * cables});
    }
  }
}

void three_levels(Number radix, const See& see) {
  for (Number m1 = 1; m1 < radix; ++m1) {
    for (Number pods = 2; pods <= radix; ++pods) {
      for (Number cables = 1; cables * pods <= radix; ++cables) {
        for (Number w2 = (m1 + cables - 1) / cables; m1 + w2 * cables <= radix; ++w2) {
          for (Number w1 = 1; w1 < radix; ++w1) {
            see({m1 * pods, m1 * pods + w1 * pods + w1 * w2, w1, w1,
                 std::max(m1 + w2 * cables, pods * cables)});
          }
        }
      }
    }
  }
}

void hyperx(Number radix, Number dimensions, const See& see) {
  for (Number a = 2; a <= radix; ++a) {
    for (Number b = 2; b <= radix; ++b) {
      if (dimensions == 2) {
        see({a * b, a * b, a + b - 2, std::min(a, b) - 1, 0});
        continue;
      }
      for (Number c = 2; c <= radix; ++c) {
        const Number least = std::min({a, b, c});
        if (std::max({a, b, c}) > 2 * least) continue;
        see({a * b * c, a * b * c, a + b + c - 3, least - 1, 0});
      }
    }
  }
}

Number slimfly_degree_by_hand(Number q) {
  return q % 4 == 1 ? (3 * q - 1) / 2 : q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2;
}

void slimfly(Number radix, const See& see) {
  for (Number q = 3; q <= radix; ++q) {
    if (!prime_power(q)) continue;
    const Number degree = slimfly_degree_by_hand(q);
    see({2 * q * q, 2 * q * q, degree, (degree + 1) / 2, 0});
  }
}

void oft(Number radix, const See& see) {
  for (Number k = 2; k <= radix; ++k) {
    if (k > 2 && !prime_power(k - 1)) continue;
    const Number points = k * k - k + 1;
    see({2 * points, 3 * points, k, k, 2 * k});
  }
}

void mlfm(Number radix, const See& see) {
  for (Number h = 2; h <= radix; ++h) {
    for (Number l = 1; l <= radix; ++l) see({l * (h + 1), l * (h + 1) + h * (h + 1) / 2, h, h, 2 * l});
  }
}

void dragonfly(Number radix, const See& see) {
  for (Number a = 1; a <= radix; ++a) {
    for (Number h = 1; h <= radix; ++h) {
      for (Number groups = 2; groups <= a * h + 1; ++groups)
        see({a * groups, a * groups, a - 1 + h, std::min(h, a / 2), 0});
    }
  }
}

void dragonflyplus(Number radix, const See& see) {
  for (Number leaves = 1; leaves <= radix; ++leaves) {
    for (Number spines = 1; spines <= radix; ++spines) {
      for (Number h = leaves; leaves + h <= radix; ++h) {
        // with fewer groups for the sizes that are tried only
        for (Number groups = 2; groups <= spines * h + 1;
             groups += radix > 16 ? std::max<Number>(1, spines * h - 1) : 1)
          see({leaves * groups, (leaves + spines) * groups, spines, spines, leaves + h});
      }
    }
  }
}

void polarfly(Number radix, const See& see) {
  for (Number q = 2; q <= radix; ++q) {
    if (prime_power(q)) see({q * q + q + 1, q * q + q + 1, q + 1, (q + 1) / 2, 0});
  }
}

void polarstar(Number radix, const See& see) {
  for (Number q = 2; q <= radix; ++q) {
    for (Number d = 0; prime_power(q) && d <= radix; ++d) {
      const Number points = q * q + q + 1;
      const Number degree = q + 1 + d;
      const Number order = 2 * d + 1;  // of a Paley graph: a prime power, 1 modulo 4
      if (d > 0 && order % 4 == 1 && prime_power(order))
        see({points * order, points * order, degree, degree / 3, 0});
      const Number quads = 2 * d + 2;
      if (d % 4 == 0 || d % 4 == 3) see({points * quads, points * quads, degree, degree / 3, 0});
    }
  }
}

void bundlefly(Number radix, const See& see) {
  for (Number q = 3; q <= radix; ++q) {
    for (Number d = 1; prime_power(q) && d <= radix; ++d) {
      const Number order = 2 * d + 1;
      const Number degree = (q % 4 == 1 ? 3 * q - 1 : q % 4 == 3 ? 3 * q + 1 : 3 * q) / 2 + d;
      if (order % 4 == 1 && prime_power(order))
        see({2 * q * q * order, 2 * q * q * order, degree, degree / 3, 0});
    }
  }
}

const std::map<std::string, std::function<void(Number, const See&)>>& families() {
  static const std::map<std::string, std::function<void(Number, const See&)>> all{
      {"fattree2", two_levels},
      {"fattree3", three_levels},
      {"hyperx2", [](Number radix, const See& see) { hyperx(radix, 2, see); }},
      {"hyperx3", [](Number radix, const See& see) { hyperx(radix, 3, see); }},
      {"slimfly", slimfly},
      {"oft", oft},
      {"mlfm", mlfm},
      {"dragonfly", dragonfly},
      {"dragonflyplus", dragonflyplus},
      {"polarfly", polarfly},
      {"polarstar", polarstar},
      {"bundlefly", bundlefly}};
  return all;
}

const DesignFamily& row_of(const std::string& name) {
  return *std::find_if(design_families().begin(), design_families().end(),
                       [&](const DesignFamily& row) { return row.name == name; });
}

/// Terminals that fit on a carrier; 0 where the network does not fit at all.
Number each_of(const Try& one, Number radix) {
  if (one.degree >= radix || one.widest > radix) return 0;
  return std::min(one.most, radix - one.degree);
}

TEST(DesignByTrying, TheLargestIsTheLargest) {
  for (const auto& [name, all] : families()) {
    for (Number radix = 2; radix <= 40; ++radix) {
      Number most = 0;
      all(radix, [&](const Try& one) { most = std::max(most, one.carriers * each_of(one, radix)); });
      const auto design = largest_design(row_of(name), static_cast<std::uint32_t>(radix));
      EXPECT_EQ(design ? design->terminals : 0, most) << name << " " << radix;
    }
  }
}

TEST(DesignByTrying, TheFittingOneHasTheFewestRouters) {
  for (const auto& [name, all] : families()) {
    for (const Number radix : {8U, 11U, 16U}) {
      for (const Number wanted : {5U, 24U, 60U, 100U, 333U, 1000U}) {
        Number fewest = std::numeric_limits<Number>::max();
        all(radix, [&](const Try& one) {
          if (one.carriers * each_of(one, radix) >= wanted) fewest = std::min(fewest, one.routers);
        });
        const auto design = fitting_design(row_of(name), {static_cast<std::uint32_t>(radix), wanted, 1});
        ASSERT_EQ(design.has_value(), fewest != std::numeric_limits<Number>::max()) << name << " " << radix;
        if (!design) continue;
        EXPECT_EQ(design->routers, fewest) << name << " " << radix << " " << wanted << " " << design->spec;
        EXPECT_EQ(design->terminals, wanted) << design->spec;
        EXPECT_LE(design->radix, radix) << design->spec;
      }
    }
  }
}

TEST(DesignByTrying, HasThePublishedMaxima) {
  EXPECT_EQ(largest_design(row_of("dragonfly"), 36)->spec, "dragonfly:a=19,h=9,p=9");
  EXPECT_EQ(largest_design(row_of("dragonfly"), 36)->terminals, 29'412U);
  EXPECT_EQ(largest_design(row_of("polarfly"), 64)->spec, "polarfly:q=43,p=20");
  EXPECT_EQ(largest_design(row_of("polarfly"), 64)->terminals, 37'860U);
  EXPECT_EQ(largest_design(row_of("polarfly"), 128)->terminals, 304'418U);
}

}  // namespace
}  // namespace unknot
