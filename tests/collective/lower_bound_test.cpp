// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/lower_bound.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "collective/schedules.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Spec for a network's name in the reference results; empty for families that there are not.
std::string spec_of(const std::string& name) {
  std::smatch match;
  if (std::regex_match(name, match, std::regex("(?:([0-9])-fat-)?hypercube-([0-9]+)"))) {
    const auto routers = static_cast<unsigned>(std::stoul(match[2])) / (match[1].matched ? static_cast<unsigned>(std::stoul(match[1])) : 1U);
    return "hypercube:" + std::to_string(std::bit_width(routers) - 1) +
           (match[1].matched ? ",p=" + match[1].str() : "");
  }
  if (std::regex_match(name, match, std::regex("ring-bi-([0-9]+)"))) return "ring:" + match[1].str();
  if (std::regex_match(name, match, std::regex("ring-uni-([0-9]+)"))) return "uniring:" + match[1].str();
  if (std::regex_match(name, match, std::regex("(mesh|torus)-([0-9]+x[0-9]+)")))
    return match[1].str() + ":" + match[2].str();
  if (name == "kautz-12") return "kautz:b=3,n=2,oriented=1";
  if (name == "kautz-36") return "kautz:b=3,n=3,oriented=1";
  return "";
}

TEST(LowerBound, PrintReference) {
  const std::filesystem::path file = std::filesystem::path(UNKNOT_SHARED_DIR) / "reference/collectives/results.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the reference results are not here";
  std::ifstream lines(file);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::stringstream cells(line);
    std::string topology, pattern, root, bound, thesis, value;
    for (std::string* cell : {&topology, &pattern, &root, &bound, &thesis, &value}) std::getline(cells, *cell, ',');
    const std::string spec = spec_of(topology);
    if (spec.empty()) continue;
    const auto start = std::chrono::steady_clock::now();
    try {
      Participants who;
      if (!root.empty()) who.root = NodeId(static_cast<std::uint32_t>(std::stoul(root)));
      const Problem problem = testing::problem_on(spec, pattern, who);
      const LowerBound best = lower_bound(problem);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::printf("%s %s %s root %s ref %s value %s ours %u %s %s %.2f s [%s]\n", std::to_string(best.steps) == bound ? "same" : "DIFF", topology.c_str(), pattern.c_str(), root.c_str(),
                  bound.c_str(), value.c_str(), best.steps, best.name.c_str(), check_bound(problem, best) ? "ok" : "BAD", seconds, best.reason.c_str());
      std::fflush(stdout);
    } catch (const InputError& e) { std::printf("ERR %s %s\n", topology.c_str(), e.what()); }
  }
}

}  // namespace
}  // namespace unknot
