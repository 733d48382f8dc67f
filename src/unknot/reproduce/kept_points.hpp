// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/reproduce/experiment.hpp"
#include "unknot/reproduce/point_file.hpp"
#include "unknot/simulate/parallel_points.hpp"

namespace unknot {

/// Shows a part of the points as the whole campaign.
class RestOfPoints final : public Progress {
 public:
  RestOfPoints(Progress& outer, std::uint64_t done) : outer_(&outer), done_(done) {}
  void begin(const char* phase, std::uint64_t total) override {
    outer_->begin(phase, total + done_);
    outer_->update(done_);
  }
  void update(std::uint64_t done) override { outer_->update(done + done_); }
  [[nodiscard]] bool interrupted() const override { return outer_->interrupted(); }

 private:
  Progress* outer_;
  std::uint64_t done_;
};

/// A result as the parts of a line, and back. `Result::each_part(result, visit)` calls visit(name, value) for
/// every part; a part that a line lacks, or that is of another type, throws an exception of the JSON library.
template <class Result>
PointFile::Json parts_of(const Result& result) {
  PointFile::Json parts;
  Result::each_part(result, [&](const char* name, const auto& value) { parts[name] = value; });
  return parts;
}
template <class Result>
Result result_of(const PointFile::Json& line) {
  Result result;
  Result::each_part(result, [&](const char* name, auto& value) { line.at(name).get_to(value); });
  return result;
}

/// Results of points, in the order of their keys, which say all that a result follows from: of those in
/// request.points_file what stands there is taken, and those that are run, by run(index, inner progress), are
/// added. Points run in parallel, each on one thread: the results are the same at any number of threads, and
/// from a file. Points that occur twice are run once. `progress` counts the points; what was on file counts
/// as done. InputError for files as PointFile; errors of points as for_each_point().
template <class Result, class Run>
std::vector<Result> kept_points(const std::vector<std::string>& keys, const ExperimentRequest& request,
                                const char* phase, Progress& progress, Run&& run) {
  std::unique_ptr<PointFile> file;
  if (!request.points_file.empty()) {
    file = std::make_unique<PointFile>(
        request.points_file, [](const PointFile::Json& line) { static_cast<void>(result_of<Result>(line)); });
  }
  std::unordered_map<std::string, std::uint32_t> first;
  std::vector<Result> results(keys.size());
  std::vector<std::uint32_t> missing;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (!first.emplace(keys[i], i).second) continue;
    if (const auto known = file != nullptr ? file->find(keys[i]) : std::nullopt) {
      results[i] = result_of<Result>(*known);
    } else {
      missing.push_back(i);
    }
  }
  RestOfPoints rest(progress, first.size() - missing.size());
  simulate::for_each_point(static_cast<std::uint32_t>(missing.size()), request.threads, phase, rest,
                           [&](std::uint32_t index, Progress& inner) {
                             const std::uint32_t i = missing[index];
                             results[i] = run(i, inner);
                             if (file != nullptr) file->add(keys[i], parts_of(results[i]));
                           });
  for (std::uint32_t i = 0; i < keys.size(); ++i) results[i] = results[first.at(keys[i])];
  return results;
}

/// The same for cells of several runs: fills `cell.runs`, which has a place for each. key(cell, run) says all
/// that a run follows from, run(cell, number, inner progress) makes it.
template <class Cell, class Key, class Run>
void keep_runs(std::vector<Cell>& cells, const ExperimentRequest& request, Progress& progress, Key&& key,
               Run&& run) {
  using Result = typename decltype(Cell::runs)::value_type;
  std::vector<std::string> keys;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cases;  // cell, run
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    for (std::uint32_t i = 0; i < cells[c].runs.size(); ++i) {
      keys.push_back(key(std::as_const(cells[c]), i));
      cases.emplace_back(c, i);
    }
  }
  const std::vector<Result> all =
      kept_points<Result>(keys, request, "runs", progress, [&](std::uint32_t i, Progress& inner) {
        return run(std::as_const(cells[cases[i].first]), cases[i].second, inner);
      });
  for (std::size_t i = 0; i < all.size(); ++i) cells[cases[i].first].runs[cases[i].second] = all[i];
}

}  // namespace unknot
