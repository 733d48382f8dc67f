// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/evolve/outcome.hpp"
#include "unknot/support/clock.hpp"

namespace unknot::evolve {

/// A population between two generations: with what was asked for, all that the rest of a run follows from.
struct RunState {
  std::uint64_t generation = 0;  ///< that the members are of
  std::uint64_t better = 0;      ///< generation of the last better best
  std::vector<Cost> costs;       ///< by island and rank
  std::vector<Value> values;     ///< chromosomes, in the same order
};

/// Populations one after another, from seeds of their own, until one reaches the target.
struct Search {
  std::string asked;        ///< all that it follows from, in words
  bool finished = false;    ///< no population is to follow
  std::uint64_t tries = 0;  ///< populations that ended
  Outcome outcome;          ///< of these; counts are of all
};

/// What is on disk of searches that follow each other.
struct SearchState {
  double seconds = 0;            ///< that they took so far
  std::vector<Search> searches;  ///< all but the last are finished
  std::optional<RunState> run;   ///< of the last one, where it is under way
};

/// As it stands in the file, JSON.
std::string search_text(const SearchState& state);
/// Back from the file. InputError with the file's name for what is none.
SearchState parse_search_state(std::string_view text, const std::string& file);

/// Keeps on disk how far searches that take hours are, so that the same command goes on where it was
/// stopped, killed or cut off, to the same end as if it had not been. The file is replaced whole, so that
/// there is always one that can be read; at most the last `every` seconds of work are lost.
///
/// What a file says is not believed: whoever takes a population or an outcome has it repaired and evaluated
/// again, and refuses what comes out different.
class Checkpoint {
 public:
  static constexpr double kEvery = 60;
  /// Reads the file where there is one. `clock`: seconds that count as taken. InputError.
  explicit Checkpoint(std::string path, double every = kEvery, double (*clock)() = steady_seconds);
  /// Writes what has ended since the file was written, as far as it can be written.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// The next search: the one on file, finished or not, or a new one. Valid until the next call. InputError
  /// where the file has another.
  Search& next(const std::string& asked);
  /// The population of the search under way, once.
  std::optional<RunState> take_run();
  /// It is time to write.
  [[nodiscard]] bool due() const { return seconds_since(written_) >= every_; }
  /// Writes all, with the population of the search under way. InputError where it cannot be written.
  void keep(RunState run);
  /// Taken by the searches so far, those before this process included.
  [[nodiscard]] double seconds() const { return before_ + clock_() - start_; }
  /// The population under way has ended, and stands in the outcome of its search.
  void ended();
  /// Nothing is left to go on with: the file goes.
  void remove();
  /// InputError: what the file says is not so.
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  static double steady_seconds();
  void write();

  std::string path_;
  double every_;
  double (*clock_)();
  double start_;
  double before_ = 0;
  Clock::time_point written_;
  SearchState state_;
  std::size_t next_ = 0;
  bool to_write_ = false;  // something has ended that the file does not have
};

}  // namespace unknot::evolve
