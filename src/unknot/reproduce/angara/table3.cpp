// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/reproduce/angara/node_orders.hpp"
#include "unknot/reproduce/angara/paper.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"

namespace unknot {
namespace {

enum Table3Run : std::size_t { kByBfs, kByGenetic, kBySssp };
constexpr std::array<const char*, 3> kTable3Engines = {"angara-bfs", angara_paper::kGeneticEngine,
                                                       "angara-sssp"};

/// A line of the table: millions of operations a second under each routing.
struct Table3Case {
  const char* name;
  const char* kernel;
  std::uint32_t at_once;  ///< messages of a node under way at the same time
  std::array<double, kTable3Engines.size()> mops;

  [[nodiscard]] double published(Table3Run engine) const { return 100 * (mops[engine] / mops[kByBfs] - 1); }
};
constexpr std::array<Table3Case, 5> kTable3 = {{{"LU", "lu", 8, {364353, 367771, 368548}},
                                                {"MG", "mg", 8, {374789, 376040, 377562}},
                                                {"CG", "cg", 8, {88426, 90354, 90443}},
                                                {"FT", "ft", 1, {172567, 181744, 181911}},
                                                {"IS", "is", 1, {7771, 8073, 8181}}}};

ReproducedRow table3_row(const Table3Case& one, Table3Run engine, const char* name,
                         const angara_paper::OrderGains& gains) {
  const double published = one.published(engine);
  // a program that also computes gains less than its messages alone, where these gain at all
  const bool holds = published >= std::min(0.0, gains.least) && published <= std::max(0.0, gains.most);
  const std::string share =
      gains.mean > published
          ? fmt::format("; {:.0f} % of the time are enough",
                        100 * published * (100 + gains.mean) / (gains.mean * (100 + published)))
          : "";
  const Quantity printed = Quantity::words(fmt::format("{:+.2f} %", published));
  return claim(
      fmt::format("{}: {} on BFS", one.name, name), printed.derived().text,
      fmt::format(
          "messages alone {:+.1f} % in order, {:+.1f} % on the mean of random orders ({:+.1f} to {:+.1f}){}",
          gains.in_order, gains.mean, gains.least, gains.most, share),
      holds, "between nothing and the gain of the messages in some order",
      "The messages alone gain less than the whole program did, in every order of the nodes that was tried: "
      "the "
      "paper's BFS tables are its own, and a run on the machine has costs besides the network's.");
}

Reproduction run_angara_table3(const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t orders = request.parameters.number32("orders");
  const std::uint32_t part = request.parameters.number32("part");
  const std::vector<std::uint32_t> orders_of(kTable3.size(), orders);
  const auto traffic = [&](std::size_t c) {
    return fmt::format("nas:kernel={},class=C,ranks=128,per=4,part={},at_once={}", kTable3[c].kernel, part,
                       kTable3[c].at_once);
  };
  const auto [times, complete] =
      angara_paper::simulate_orders(orders_of, kTable3Engines, traffic, request, progress);
  Reproduction result;
  result.title = "NAS Parallel Benchmarks on the Desmos cluster: their messages, simulated";
  result.text = {
      "The paper ran five kernels of class C with 4 ranks on each of 32 nodes of the 4x2x2x2 torus and "
      "prints "
      "operations a second. What they compute is not simulated here, their messages are: for each kernel the "
      "bytes that "
      "ranks send to ranks in one step ([workload nas](../traffic.md)), from the definition of the "
      "benchmarks; ranks 4n "
      "to 4n + 3 are on node n, and what stays on a node is left out. LU, MG and CG send eight messages of a "
      "node at the "
      "same time, FT and IS, which are all to all, one after the other.",
      fmt::format(
          "Amounts are divided by {}, which changes no ratio as long as a message has many packets. The "
          "router is "
          "that of [angara-desmos](angara-desmos.md). Nodes are taken in order and in {} random orders; the "
          "paper does not say which it had.",
          part, orders),
      "A gain is time with BFS tables over time with the others, minus one. A program that computes, too, "
      "gains less "
      "than its messages alone: a printed gain counts as met where it lies between nothing and what the "
      "messages gain in "
      "some order. How much of the time would have to be messages for the printed gain follows from the "
      "mean."};
  ReproducedTable table{.title = "Completion of the messages of a step, thousands of packet times",
                        .headings = {"kernel", "nodes", "BFS", "genetic", "SSSP"},
                        .lines = {}};
  for (std::size_t c = 0; c < kTable3.size(); ++c) {
    result.rows.push_back(
        table3_row(kTable3[c], kBySssp, "SSSP", angara_paper::gains_of(times[c], kBySssp, kByBfs)));
    result.rows.push_back(
        table3_row(kTable3[c], kByGenetic, "genetic", angara_paper::gains_of(times[c], kByGenetic, kByBfs)));
    angara_paper::add_order_lines(table, kTable3[c].name, times[c]);
  }
  result.rows.push_back(expected("exchanges that do not end", complete ? "0" : "some", complete, "none"));
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment angara_table3_experiment() {
  return {
      .name = "angara-table3",
      .summary = "the messages of LU, MG, CG, FT and IS on 32 nodes, simulated packet by packet",
      .paper = angara_paper::kPaper,
      .place = "Table 3",
      .typical_seconds = 120,
      .quick = "orders=2,part=1024",
      .parameters =
          {{.name = "orders",
            .help = "random orders of the nodes",
            .fallback = "8",
            .min = 1,
            .max = 100'000},
           {.name = "part", .help = "amounts are divided by it", .fallback = "16", .min = 1, .max = 100'000}},
      .resumable = true,
      .run = run_angara_table3};
}

}  // namespace unknot
