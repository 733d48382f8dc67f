// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/simulated_campaign.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "unknot/reproduce/diameter2/simulated.hpp"
#include "unknot/reproduce/kept_points.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SimulatedPoint small_point(double load) {
  return {.network = "slimfly:q=5,p=3",
          .choice = diameter2_paper::minimal_choice(diameter2_paper::kSimulatedNetworks[0]),
          .traffic = "uniform",
          .load = load,
          .assignments = {"warmup_us=1", "measure_us=3"}};
}

std::vector<SimulatedPoint> small_campaign() {
  std::vector<SimulatedPoint> points;
  for (const double load : {0.1, 0.3, 0.5, 0.7, 0.9}) points.push_back(small_point(load));
  SimulatedPoint exchange = small_point(0);
  exchange.traffic = "all-to-all:bytes=256";
  exchange.assignments.clear();
  points.push_back(exchange);
  points.push_back(points[1]);  // a second time
  return points;
}

class Campaign : public ::testing::Test {
 protected:
  Campaign() {
    std::string name = (std::filesystem::temp_directory_path() / "unknot_campaign_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    file_ = (folder_ / "points.jsonl").string();
  }
  ~Campaign() override { std::filesystem::remove_all(folder_); }
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  [[nodiscard]] ExperimentRequest with_file(std::uint32_t threads = 1) const {
    return {.seed = 1, .threads = threads, .parameters = {}, .points_file = file_};
  }
  [[nodiscard]] std::size_t lines() const {
    const std::string text = read_file(file_);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  void append(const std::string& text) const { std::ofstream(file_, std::ios::app) << text; }

  std::filesystem::path folder_;
  std::string file_;
};

/// For files whose results are of no kind.
void any_line(const PointFile::Json& /*line*/) {}

/// Keeps what it is told.
class Heard final : public Progress {
 public:
  void begin(const char* /*phase*/, std::uint64_t total) override { total_ = total; }
  void update(std::uint64_t done) override { done_.push_back(done); }
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> done_;
};

/// The process dies, as by a power cut, when that many points are done.
class DieAt final : public Progress {
 public:
  explicit DieAt(std::uint64_t points) : points_(points) {}
  void update(std::uint64_t done) override {
    if (done >= points_) ::kill(::getpid(), SIGKILL);
  }

 private:
  std::uint64_t points_;
};

std::vector<PointResult> undisturbed() {
  Progress quiet;
  return simulate_points(small_campaign(), {.seed = 1, .threads = 1, .parameters = {}}, quiet);
}

TEST_F(Campaign, GoesOnAfterItWasKilledAndEndsWithTheSameResults) {
  const std::vector<PointResult> whole = undisturbed();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    DieAt second(2);
    (void)simulate_points(small_campaign(), with_file(), second);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(lines(), 2U);
  append(R"({"point":"slimfly:q=5,p=3 | min)");  // what a crash leaves
  Heard heard;
  EXPECT_EQ(simulate_points(small_campaign(), with_file(3), heard), whole);
  EXPECT_EQ(heard.total_, 6U) << "one of seven occurs twice";
  EXPECT_THAT(heard.done_, ElementsAre(2, 3, 4, 5, 6));
  EXPECT_EQ(lines(), 6U);
  // Everything is there: nothing runs, nothing is written, the results are the same bits.
  const std::string before = read_file(file_);
  Heard again;
  EXPECT_EQ(simulate_points(small_campaign(), with_file(), again), whole);
  EXPECT_THAT(again.done_, ElementsAre(6));
  EXPECT_EQ(read_file(file_), before);
}

TEST_F(Campaign, TakesWhatIsOnFileAndRunsNoOtherPoint) {
  PointResult made_up;
  made_up.accepted = 0.1 + 0.2;  // no short decimal
  made_up.half_width = -1;
  made_up.deadlocked = true;
  PointFile(file_, any_line).add(point_key(small_point(0.3)), parts_of(made_up));
  Progress quiet;
  const std::vector<PointResult> results = simulate_points(small_campaign(), with_file(), quiet);
  EXPECT_EQ(results[1], made_up);
  EXPECT_EQ(results[6], made_up);
  EXPECT_EQ(results[0], undisturbed()[0]);
}

TEST_F(Campaign, RefusesFilesThatAreNotItsOwn) {
  const auto expect_refused = [&](const std::string& text, const char* word) {
    std::ofstream(file_, std::ios::trunc) << text;
    try {
      const PointFile file(file_, [](const PointFile::Json& line) { (void)result_of<PointResult>(line); });
      ADD_FAILURE() << "taken: " << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(word));
    }
    EXPECT_EQ(read_file(file_), text) << "left as it was";
  };
  expect_refused("{\"point\":\"a\"}\n", ":1: expected the result of a point");
  expect_refused("preset = \"booksim\"\n", ":1: expected");
  expect_refused("my precious notes, without a line end", "does not end like");
  EXPECT_THROW(PointFile("/nowhere/points", any_line), InputError);
  EXPECT_THROW(PointFile(folder_.string(), any_line), InputError);
}

TEST_F(Campaign, OneRunAtATimeHasTheFile) {
  const PointFile first(file_, any_line);
  EXPECT_THROW(PointFile(file_ + "", any_line), InputError);
}

TEST(PointKey, ChangesWithAllThatTheResultDependsOn) {
  const SimulatedPoint point = small_point(0.5);
  EXPECT_EQ(point_key(point), point_key(small_point(0.5)));
  std::vector<SimulatedPoint> others(8, point);
  others[0].load = 0.25;
  others[1].network = "slimfly:q=5,p=4";
  others[2].traffic = "worst-case";
  others[3].seed = 2;
  others[4].assignments = {"warmup_us=1", "measure_us=4"};
  others[5].choice.lane_scheme = "any";
  others[6].choice.kind = simulate::RoutePlan::Kind::ugal;
  others[7].choice.kind = simulate::RoutePlan::Kind::ugal;
  others[7].choice.ugal.threshold = 0.1;
  std::vector<std::string> keys = {point_key(point)};
  for (const SimulatedPoint& other : others) keys.push_back(point_key(other));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
}

TEST(LoadCurves, SayWhereTheyLeaveTheDiagonal) {
  const std::vector<double> loads = {0.2, 0.4, 0.6, 0.8, 1.0};
  EXPECT_THAT(thinned(loads, 1), ElementsAre(0.2, 0.4, 0.6, 0.8, 1.0));
  EXPECT_THAT(thinned(loads, 2), ElementsAre(0.2, 0.6, 1.0));
  EXPECT_THAT(thinned(loads, 9), ElementsAre(1.0));
  std::vector<LoadCurve> curves(1);
  LoadCurve& curve = curves.front();
  curve.loads = loads;
  curve.results.resize(loads.size());
  const std::vector<double> accepted = {0.2, 0.4, 0.55, 0.79, 0.6};
  const std::vector<bool> steady = {true, true, false, true, false};
  for (std::size_t i = 0; i < loads.size(); ++i) {
    curve.results[i].accepted = accepted[i];
    curve.results[i].steady = steady[i];
  }
  EXPECT_EQ(last_steady_load(curve), 0.4) << "0.8 is steady again, but 0.6 was not";
  EXPECT_EQ(plateau(curve), 0.6);
  EXPECT_EQ(result_at(curve, 0.8)->accepted, 0.79);
  EXPECT_EQ(result_at(curve, 0.7), nullptr);
}

TEST(SimulatedPoints, InAnotherOrderOfTheTerminalsTheSameIsSent) {
  const Progress quiet;
  SimulatedPoint point = small_point(0);
  point.network = "torus:4x2x2x2";
  point.engine = "angara-bfs";
  point.traffic = "flows:bytes=8192,shift:1";
  point.preset = "booksim";
  point.assignments = {"switching=virtual-cut-through", "vcs=1", "flit_bytes=256"};
  const PointResult in_order = simulate_point(point, quiet);
  point.order = 3;
  const PointResult other = simulate_point(point, quiet);
  EXPECT_TRUE(in_order.complete && other.complete);
  EXPECT_NE(in_order.hops, other.hops);
  EXPECT_NEAR(in_order.effective * in_order.completion, other.effective * other.completion, 1e-6);
  EXPECT_EQ(simulate_point(point, quiet), other);
}

/// Bounds by channel loads are met on small networks.
TEST(SimulatedNetworks, SaturateWhereTheirChannelsDo) {
  const Progress quiet;
  for (const diameter2_paper::SimulatedNetwork& network : diameter2_paper::kSimulatedNetworks) {
    SimulatedPoint point{.network = network.small,
                         .choice = minimal_choice(network),
                         .traffic = "worst-case",
                         .load = 1,
                         .assignments = {"speedup=4", "warmup_us=20", "measure_us=10"}};
    const PointResult minimal = simulate_point(point, quiet);
    // One pair of routers of a Slim Fly of odd q is left over and has a channel to itself.
    EXPECT_NEAR(minimal.accepted, network.worst_bound(true), 0.01) << network.label;
    EXPECT_GE(minimal.accepted, 0.98 * network.worst_bound(true)) << network.label;
    EXPECT_EQ(minimal.indirect, 0) << network.label;
    point.choice = valiant_choice(network);
    point.load = 0.3;
    const PointResult indirect = simulate_point(point, quiet);
    EXPECT_NEAR(indirect.accepted, 0.3, 0.01) << network.label;
    EXPECT_GT(indirect.indirect, 0.9) << network.label;
    EXPECT_FALSE(indirect.deadlocked || minimal.deadlocked) << network.label;
  }
}

}  // namespace
}  // namespace unknot
