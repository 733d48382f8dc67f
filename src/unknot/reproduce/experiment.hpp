// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// A published or computed value as people read it, and as a number or a range where it is one.
struct Quantity {
  std::string text;
  std::optional<double> low, high;  ///< equal for a single number

  static Quantity words(std::string text) { return {std::move(text), {}, {}}; }
  /// Printed with that many digits after the point, which is then also its precision.
  static Quantity number(double value, int digits = 0, const std::string& unit = "");
  static Quantity range(double low, double high, int digits = 0, const std::string& unit = "");
  /// Not printed, but follows from what is: says so.
  [[nodiscard]] Quantity derived() const { return {text + " (derived)", low, high}; }
};

/// How what we compute stands beside what was published.
enum class Agreement : std::uint8_t {
  equal,        ///< the same value, in the digits that were printed
  within,       ///< not the same, but as the row's `allowed` has it
  better,       ///< outside it, on the good side
  differs,      ///< outside it; the note says why
  unpublished,  ///< the print has no value here: shown for completeness
};
const char* agreement_name(Agreement agreement);

/// Which side of a published value is the good one.
enum class Wanted : std::uint8_t { same, lower, higher };
/// "equal", "lower" or "higher".
const char* wanted_name(Wanted wanted);

/// One compared value.
struct ReproducedRow {
  std::string label;  ///< "case" in JSON: what is compared
  Quantity published;
  Quantity ours;
  Agreement verdict = Agreement::unpublished;
  /// What counts as within here, as it is tested: "+-4 %", "in the range", "more than 20 % higher"; "" where
  /// only the same value does.
  std::string allowed = {};
  Wanted wanted = Wanted::same;  ///< the side on which a value outside of that is `better`
  std::string note = {};         ///< sentences; the recorded explanation where the verdict is `differs`
  bool modelled = false;         ///< stands for a measurement on a machine; ours comes from a model
  bool timed = false;            ///< holds times, which change from run to run
  /// Differs, and nobody has said why: the command then exits 1.
  [[nodiscard]] bool unexplained() const { return verdict == Agreement::differs && note.empty(); }
};

/// Its verdict as a page shows it, complete: `within` and `differs` with what was allowed, or that equal was
/// wanted; `better` with the side that is the good one, and what was allowed; "modelled" and "timed".
std::string verdict_text(const ReproducedRow& row);

/// Further numbers below the rows: one line for each point of a figure, say.
struct ReproducedTable {
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> lines;
  bool timed = false;
};

/// One curve, or one kind of bar.
struct Series {
  struct Point {
    double x = 0;  ///< of bars: the index of the group
    double y = 0;
    std::optional<double> low, high;  ///< error bar
  };
  std::string name;
  std::vector<Point> points;
};

/// A figure: curves over x, or groups of bars.
struct Plot {
  std::string name;  ///< part of the file name: letters, digits and dashes
  std::string title, x_label, y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<std::string> groups = {};  ///< names of the groups of bars; empty: curves
  std::vector<Series> series = {};
  bool timed = false;
};

/// The notes of rows, each once, in order of first appearance: several rows often share one.
struct NumberedNotes {
  std::vector<std::string> notes;
  std::vector<std::size_t> of_row;  ///< by row: number of its note, from 1; 0 where it has none
};
NumberedNotes number_notes(const std::vector<ReproducedRow>& rows);

/// What an experiment gives.
struct Reproduction {
  std::string title;
  std::vector<std::string> text;  ///< paragraphs of Markdown: what was done, how to read it
  std::vector<ReproducedRow> rows;
  std::vector<ReproducedTable> tables = {};
  std::vector<Plot> plots = {};
};

struct ExperimentRequest {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: all of the machine; no result depends on it
  Parameters parameters;      ///< of the experiment's row
  /// Where finished points are kept, and taken from; "": nowhere. Only for experiments that say `resumable`.
  std::string points_file = {};
};

/// A published table, figure or statistic that can be computed again.
struct Experiment {
  std::string name;  ///< "dfsssp-heuristics": paper, then what of it
  std::string summary;
  std::string paper;           ///< authors, title, where and when it appeared
  std::string place;           ///< "section IV", "figure 9"
  double typical_seconds = 0;  ///< of a full run on two cores
  std::string quick;           ///< values of its parameters that make it run in about a second
  std::vector<Parameter> parameters;
  bool resumable = false;  ///< made of many runs, each of which can be kept in a file
  std::function<Reproduction(const ExperimentRequest&, Progress&)> run;
};

}  // namespace unknot
