// SPDX-License-Identifier: Apache-2.0
// Searches that are stopped, interrupted and cut off go on to the end that they have in one go.
#include "unknot/evolve/checkpoint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evolve/problems.hpp"
#include "evolve/thread_exchange.hpp"
#include "refusal.hpp"
#include "stop_after.hpp"
#include "temporary_folder.hpp"
#include "unknot/evolve/catalogue.hpp"
#include "unknot/evolve/tries.hpp"

namespace unknot::evolve {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::uint64_t kTries = 4;

void expect_same(const Outcome& one, const Outcome& other) {
  EXPECT_EQ(one.best, other.best);
  EXPECT_EQ(one.cost, other.cost);
  EXPECT_EQ(one.reached, other.reached);
  EXPECT_EQ(one.generations, other.generations);
  EXPECT_EQ(one.evaluations, other.evaluations);
}

class KeptSearch : public test::TemporaryFolder, public ::testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] std::string file() const { return path("search.json"); }

  static RunOptions settings(Checkpoint* checkpoint) {
    RunOptions options;
    options.seed = 5;
    options.threads = 2;
    options.generations = 150;
    options.stall = 25;
    options.checkpoint = checkpoint;
    return options;
  }
  static Outcome search(const Problem& problem, const std::string& spec, const RunOptions& options,
                        Progress& progress) {
    return run_tries(problem, kTries, spec, options,
                     [&](const RunOptions& one) { return optimise(problem, spec, one, progress); });
  }
  static Outcome in_one_go(const Problem& problem, const std::string& spec) {
    Progress silent;
    return search(problem, spec, settings(nullptr), silent);
  }
  /// A piece of so many generations at a time, ended by the user or by the watch.
  [[nodiscard]] Outcome in_pieces(const Problem& problem, const std::string& spec, std::uint64_t generations,
                                  bool interrupted) const {
    for (std::uint32_t piece = 0; piece < 1000; ++piece) {
      Checkpoint kept(file());
      RunOptions options = settings(&kept);
      test::StopAfterUpdates interrupts(generations);
      Progress silent;
      std::uint64_t seen = 0;
      if (!interrupted) {
        // The population that a run begins with is seen too.
        options.watch = [&](const Standing& /*now*/) { return seen++ < generations; };
      }
      try {
        Outcome found = search(problem, spec, options, interrupted ? interrupts : silent);
        if (!found.stopped || found.reached) {
          kept.remove();
          return found;
        }
      } catch (const Interrupted&) {
        EXPECT_TRUE(interrupted);
      }
      EXPECT_TRUE(std::filesystem::exists(file()));
    }
    ADD_FAILURE() << "no end";
    return {};
  }
};

TEST_P(KeptSearch, EndsAsInOneGo) {
  const LatinSquare easy(5), hard(9);
  for (const Problem* problem : {static_cast<const Problem*>(&easy), static_cast<const Problem*>(&hard)}) {
    for (const char* islands : {"", ",islands=3,interval=4,migrants=2"}) {
      const std::string spec = GetParam() + ":population=12" + islands;
      const Outcome whole = in_one_go(*problem, spec);
      for (const std::uint64_t piece : {3U, 40U}) {
        for (const bool interrupted : {false, true}) {
          SCOPED_TRACE(fmt::format("{} pieces of {}, interrupted {}", spec, piece, interrupted));
          expect_same(in_pieces(*problem, spec, piece, interrupted), whole);
          EXPECT_FALSE(std::filesystem::exists(file()));
        }
      }
    }
  }
}

TEST_P(KeptSearch, GoesOnFromWhatAKillLeaves) {
  const LatinSquare problem(9);
  const std::string spec = GetParam() + ":population=12";
  const Outcome whole = in_one_go(problem, spec);
  // A copy of the file as it is after each generation; every one of them leads to the same end.
  std::vector<std::string> left;
  {
    Checkpoint kept(file(), 0);
    RunOptions options = settings(&kept);
    options.watch = [&](const Standing& /*now*/) {
      if (std::filesystem::exists(file())) left.push_back(read("search.json"));
      return true;
    };
    Progress silent;
    expect_same(search(problem, spec, options, silent), whole);
  }
  ASSERT_GT(left.size(), 100U);
  for (std::size_t i = 0; i < left.size(); i += 13) {
    write("search.json", left[i]);
    Checkpoint kept(file());
    Progress silent;
    expect_same(search(problem, spec, settings(&kept), silent), whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, KeptSearch, ::testing::Values("sga", "umda", "mboa"));

/// A search that is under way.
class KeptFile : public KeptSearch {
 protected:
  void SetUp() override {
    Checkpoint kept(file());
    RunOptions options = settings(&kept);
    // In the third generation of the second population.
    std::uint64_t before = 0;
    bool second = false;
    options.watch = [&](const Standing& now) {
      second = second || now.generation < before;
      before = now.generation;
      return !second || now.generation < 3;
    };
    Progress silent;
    EXPECT_TRUE(search(problem_, spec_, options, silent).stopped);
    whole_ = json::parse(read("search.json"));
    ASSERT_TRUE(whole_.contains("run"));
    ASSERT_EQ(whole_["searches"].size(), 1U);
    ASSERT_TRUE(whole_["searches"][0].contains("best"));
  }
  /// What is said of the file with something changed.
  std::string refused(const std::function<void(json&)>& change) {
    json changed = whole_;
    change(changed);
    write("search.json", changed.dump());
    return refused_text();
  }
  std::string refused_text() {
    const std::string said = refusal([&] {
      Checkpoint kept(file());
      Progress silent;
      (void)search(problem_, spec_, settings(&kept), silent);
    });
    if (!said.empty()) EXPECT_THAT(said, HasSubstr(file()));
    return said;
  }

  LatinSquare problem_{9};
  std::string spec_ = "umda:population=12";
  json whole_;
};

TEST_F(KeptFile, SaysHowFarItIs) {
  EXPECT_EQ(whole_["version"], 1);
  EXPECT_GE(whole_["seconds"], 0);
  EXPECT_EQ(whole_["searches"][0]["asked"], spec_);
  EXPECT_EQ(whole_["run"]["costs"].size(), 12U);
  EXPECT_EQ(whole_["run"]["values"].size(), 12U * 162U);
  const std::string text = read("search.json");
  EXPECT_EQ(search_text(parse_search_state(text, "search.json")), text);
  EXPECT_EQ(refused([](json&) {}), "");
}

TEST_F(KeptFile, IsNotBelieved) {
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["asked"] = "another"; }),
              HasSubstr("keeps another search: of 'another', where 'umda:population=12' is asked for"));
  EXPECT_THAT(refused([](json& all) { all["run"]["costs"][11] = 1'000'000; }),
              HasSubstr("none of this problem"));
  EXPECT_THAT(refused([](json& all) { all["run"]["values"][0] = 9; }), HasSubstr("none of this problem"));
  EXPECT_THAT(refused([](json& all) {
                // A shade that repair would change.
                json& value = all["run"]["values"][1];
                value = 1 - value.get<int>();
              }),
              HasSubstr("none of this problem"));
  EXPECT_THAT(refused([](json& all) { all["run"]["values"].erase(0); }), HasSubstr("of another search"));
  EXPECT_THAT(refused([](json& all) { all["run"]["costs"].push_back(1'000'000); }),
              HasSubstr("of another search"));
  EXPECT_THAT(refused([](json& all) { all["run"]["generation"] = 1000; }), HasSubstr("of another search"));
  EXPECT_THAT(refused([](json& all) {
                json& run = all["run"];
                const std::size_t length = 162;
                for (std::size_t c = 0; c < length; ++c)
                  std::swap(run["values"][c], run["values"][11 * length + c]);
                std::swap(run["costs"][0], run["costs"][11]);
              }),
              HasSubstr("not in order of cost"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["best"][0] = 9; }),
              HasSubstr("none of this problem"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["generations"] = 151; }),
              HasSubstr("another number of populations or generations"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["reached"] = true; }),
              HasSubstr("another number of populations or generations"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["tries"] = kTries + 1; }),
              HasSubstr("another number of populations or generations"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["cost"] = 0; }), HasSubstr("none of this problem"));
  EXPECT_THAT(refused([](json& all) { all["searches"][0]["best"].clear(); }),
              HasSubstr("none of this problem"));
}

TEST_F(KeptFile, RefusesWhatItIsNot) {
  const auto refuses = [&](const char* expected, const std::function<void(json&)>& change) {
    EXPECT_THAT(refused(change), HasSubstr(expected));
  };
  refuses("\"version\": expected 1", [](json& all) { all["version"] = 2; });
  refuses("\"version\" is missing", [](json& all) { all.erase("version"); });
  refuses("expected how far a search is", [](json& all) { all = json::array(); });
  refuses("\"seconds\": expected 0 or more", [](json& all) { all["seconds"] = -1; });
  refuses("\"searches\": expected a list", [](json& all) { all["searches"] = 1; });
  refuses("expected a search", [](json& all) { all["searches"][0] = 1; });
  refuses("only the last to be under way", [](json& all) { all["searches"].push_back(all["searches"][0]); });
  refuses("\"run\": expected none", [](json& all) { all["searches"].clear(); });
  refuses("\"run\": expected none", [](json& all) { all["searches"][0]["finished"] = true; });
  refuses("\"finished\": expected true or false", [](json& all) { all["searches"][0]["finished"] = 1; });
  refuses("\"tries\": expected one or more", [](json& all) {
    all.erase("run");
    all["searches"][0]["finished"] = true;
    all["searches"][0]["tries"] = 0;
  });
  refuses("\"better\": expected at most", [](json& all) { all["run"]["better"] = 4; });
  refuses("\"generation\": expected a whole number", [](json& all) { all["run"]["generation"] = -1; });
  refuses("\"values\": expected whole numbers", [](json& all) { all["run"]["values"][3] = 65'536; });
  refuses("\"costs\": expected a list", [](json& all) { all["run"]["costs"] = "many"; });
  const std::string text = whole_.dump();
  write("search.json", text.substr(0, text.size() / 2));
  EXPECT_THAT(refused_text(), HasSubstr("search.json:1:"));
  write("search.json", "");
  EXPECT_NE(refused_text(), "");
  write("search.json", R"({"version":1,"version":1,"seconds":0,"searches":[]})");
  EXPECT_THAT(refused_text(), HasSubstr("version"));
}

TEST_F(KeptFile, AFinishedSearchIsNotMadeAgain) {
  Progress silent;
  Outcome first;
  {
    Checkpoint kept(file());
    first = search(problem_, spec_, settings(&kept), silent);
    // The next one is under way, so that the first stands in the file.
    RunOptions options = settings(&kept);
    options.watch = [](const Standing& /*now*/) { return false; };
    (void)run_tries(problem_, kTries, "next", options,
                    [&](const RunOptions& one) { return optimise(problem_, spec_, one, silent); });
  }
  Checkpoint kept(file());
  const Outcome again = run_tries(problem_, kTries, spec_, settings(&kept),
                                  [](const RunOptions& /*one*/) -> Outcome { throw Interrupted(); });
  expect_same(again, first);
  expect_same(first, in_one_go(problem_, spec_));
  EXPECT_GE(kept.seconds(), json::parse(read("search.json"))["seconds"].get<double>());
}

TEST_F(KeptFile, IsOfOneProcess) {
  const std::vector<std::string> said = on_processes(2, [&](Exchange& exchange) {
    return refusal([&] {
      Checkpoint kept(file());
      RunOptions options = settings(&kept);
      options.exchange = &exchange;
      Progress silent;
      (void)optimise(problem_, "umda:population=12,islands=2", options, silent);
    });
  });
  for (const std::string& one : said) EXPECT_THAT(one, HasSubstr("several processes"));
}

TEST_F(KeptFile, MustBeOneThatCanBeWritten) {
  Progress silent;
  Checkpoint kept(path("no/such/folder"), 0);
  EXPECT_THAT(refusal([&] { (void)search(problem_, spec_, settings(&kept), silent); }),
              HasSubstr("no/such/folder"));
}

}  // namespace
}  // namespace unknot::evolve
