// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/automorphisms.hpp"

#include <nauty/nausparse.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>

namespace unknot {
namespace {

// nauty calls back without a context, and keeps its working space between calls: one call at a time.
std::mutex one_call;
std::vector<Permutation>* found = nullptr;
const std::function<bool()>* asked = nullptr;

void keep(int /*count*/, int* image, int* /*orbits*/, int /*orbit_count*/, int /*fixed*/, int vertices) {
  found->emplace_back(image, image + vertices);
}

// At each node of the search tree.
void ask(graph* /*input*/, int* /*labels*/, int* /*ends*/, int /*level*/, int /*cells*/, int /*cell*/,
         int /*code*/, int /*words*/, int /*vertices*/) {
  if (*asked && (*asked)()) nauty_kill_request = 1;
}

}  // namespace

Automorphisms automorphisms(const ColouredGraph& input, const std::function<bool()>& stop) {
  const std::size_t vertices = input.colour.size();
  Automorphisms result;
  if (vertices == 0) return result;

  std::vector<std::size_t> first(vertices + 1, 0);
  for (const auto& [from, to] : input.arcs) ++first[from + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::size_t> at(first.begin(), first.end() - 1);
  std::vector<int> head(input.arcs.size()), degree(vertices), order(vertices), ends(vertices, 1),
      orbits(vertices);
  for (const auto& [from, to] : input.arcs) head[at[from]++] = static_cast<int>(to);
  for (std::size_t v = 0; v < vertices; ++v) degree[v] = static_cast<int>(first[v + 1] - first[v]);

  // Vertices by colour; 0 in `ends` where a colour ends.
  std::iota(order.begin(), order.end(), 0);
  const auto colour = [&](int v) { return input.colour[static_cast<std::size_t>(v)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return colour(a) < colour(b); });
  for (std::size_t i = 0; i < vertices; ++i) {
    if (i + 1 == vertices || colour(order[i]) != colour(order[i + 1])) ends[i] = 0;
  }

  sparsegraph sparse;
  SG_INIT(sparse);
  sparse.nv = static_cast<int>(vertices);
  sparse.nde = input.arcs.size();
  sparse.v = first.data();
  sparse.d = degree.data();
  sparse.e = head.data();
  sparse.vlen = sparse.dlen = vertices;
  sparse.elen = head.size();

  DEFAULTOPTIONS_SPARSEDIGRAPH(options);
  options.defaultptn = FALSE;
  options.userautomproc = keep;
  options.usernodeproc = ask;
  statsblk statistics;
  const std::lock_guard lock(one_call);
  found = &result.generators;
  asked = &stop;
  nauty_kill_request = 0;
  sparsenauty(&sparse, order.data(), ends.data(), orbits.data(), &options, &statistics, nullptr);
  found = nullptr;
  asked = nullptr;
  if (statistics.errstatus == NAUKILLED) return result;
  if (statistics.errstatus != 0)
    throw std::runtime_error("nauty ends with error " + std::to_string(statistics.errstatus));
  result.log_order = std::log(statistics.grpsize1) + statistics.grpsize2 * std::log(10.0);
  return result;
}

}  // namespace unknot
