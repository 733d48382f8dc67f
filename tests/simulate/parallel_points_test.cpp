// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/parallel_points.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

/// Counts what it hears; wants to stop after `most` points.
class CountingProgress : public Progress {
 public:
  explicit CountingProgress(std::uint64_t most = ~std::uint64_t{0}) : most_(most) {}
  void begin(const char* phase, std::uint64_t total) override {
    phase_ = phase;
    total_ = total;
  }
  void update(std::uint64_t done) override {
    EXPECT_EQ(done, done_ + 1);
    done_ = done;
  }
  [[nodiscard]] bool interrupted() const override { return done_ >= most_; }
  std::string phase_;
  std::uint64_t total_ = 0, done_ = 0;

 private:
  std::uint64_t most_;
};

TEST(ParallelPoints, ResultsAreInOrderAtAnyNumberOfThreads) {
  const auto run = [](std::uint32_t index, Progress&) {
    Random random(5, index);
    double sum = 0;
    for (std::uint32_t i = 0; i < 100 + random.below(10'000); ++i) sum += random.unit();
    return sum;
  };
  CountingProgress one;
  const std::vector<double> expected = parallel_points(50, 1, "points", one, run);
  EXPECT_EQ(one.phase_, "points");
  EXPECT_EQ(one.total_, 50U);
  EXPECT_EQ(one.done_, 50U);
  for (const std::uint32_t threads : {0U, 2U, 4U, 7U}) {
    CountingProgress recorder;
    EXPECT_EQ(parallel_points(50, threads, "points", recorder, run), expected) << threads;
    EXPECT_EQ(recorder.done_, 50U);
  }
  CountingProgress none;
  EXPECT_TRUE(parallel_points(0, 0, "points", none, run).empty());
}

TEST(ParallelPoints, TheFirstFailureIsTheOneThatIsTold) {
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      Progress quiet;
      try {
        for_each_point(40, threads, "points", quiet, [](std::uint32_t index, Progress&) {
          if (index % 7 == 5) throw InputError("point " + std::to_string(index));
        });
        ADD_FAILURE();
      } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "point 5");
      }
    }
  }
}

TEST(ParallelPoints, StopsBetweenPointsAndInsideThem) {
  for (const std::uint32_t threads : {1U, 3U}) {
    CountingProgress recorder(4);
    EXPECT_THROW(for_each_point(1000, threads, "points", recorder, [](std::uint32_t, Progress&) {}),
                 Interrupted);
    EXPECT_LT(recorder.done_, 4U + 4U);
    // Points that would never end by themselves.
    CountingProgress endless(2);
    EXPECT_THROW(for_each_point(1000, threads, "points", endless,
                                [](std::uint32_t index, Progress& inner) {
                                  while (index >= 2 && !inner.interrupted()) {
                                  }
                                }),
                 Interrupted);
  }
}

}  // namespace
}  // namespace unknot::simulate
