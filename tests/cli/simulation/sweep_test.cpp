// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "cli/run_command.hpp"
#include "unknot/cli/studies/sweep_commands.hpp"
#include "unknot/cli/studies/sweep_table.hpp"
#include "unknot/engines/catalogue.hpp"

namespace unknot::cli::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using Sweep = InFolder;

/// A sweep of each command that gives a value to every column of its table.
const std::map<std::string, std::string>& sweeps() {
  static const std::map<std::string, std::string> all = {
      {"route",
       "command = \"route\"\nfabric = [\"torus:4x4,p=2\", \"ring:6\"]\nengine = [\"minhop\", "
       "\"dfsssp:spread=0\"]\n"
       "fail = [\"\", \"cable-count=1\"]\nvls = 1\nsamples = 10\nseed = [1, 5]\n"},
      {"congestion",
       "command = \"congestion\"\nfabric = \"torus:4x4,p=2\"\nengine = [\"minhop\", \"updn\"]\n"
       "fail = [\"\", \"cable-count=1\"]\nsamples = 20\nseed = [1, 5]\n"},
      {"simulate",
       "command = \"simulate\"\nfabric = \"torus:4x4,p=2\"\nengine = \"dfsssp\"\nfail = [\"\", "
       "\"cable-count=1\"]\n"
       "load = \"0.1:0.2:0.1\"\nset = [[\"measure=300\", \"vcs=4\"]]\nno-proof = [true, false]\n"},
  };
  return all;
}

/// One more for what only workloads have.
constexpr const char* kWorkload =
    "command = \"simulate\"\nfabric = \"torus:4x4,p=2\"\nengine = \"dfsssp\"\nworkload = "
    "\"all-to-all:bytes=64\"\n";

std::vector<std::string> words_of_shell(const std::string& command) {
  std::vector<std::string> words;
  for (std::size_t at = std::string("unknot ").size(), end = 0; at < command.size(); at = end + 1) {
    end = std::min(command.find(' ', at), command.size());
    words.push_back(command.substr(at, end - at));
  }
  return words;
}

TEST_F(Sweep, RowsHaveTheNumbersOfTheSingleCommands) {
  for (const SweepCommand& command : sweep_commands()) {
    write("s.toml", sweeps().at(command.name));
    const Result swept = run("sweep s.toml --json --threads 3 -o " + command.name);
    ASSERT_LE(swept.code, 1) << swept.err;
    const json rows = swept.json()["rows"];
    const json cells = run("sweep s.toml --json --dry-run -o " + command.name).json()["cells"];
    ASSERT_EQ(rows.size(), cells.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string line = cells[i]["command"];
      EXPECT_EQ(cells[i]["cell"], rows[i]["cell"]);
      EXPECT_EQ(cells[i]["state"], "done");
      std::vector<std::string> words = words_of_shell(line);
      words.insert(words.end(), {"--json", "--quiet"});
      const Result single = run(words);
      EXPECT_EQ(rows[i]["exit"], single.code) << line;
      const json document = single.json();
      std::size_t compared = 0;
      for (const Measure& measure : command.measures) {
        const json::json_pointer pointer(measure.pointer);
        const bool there = document.contains(pointer) && !document.at(pointer).is_null();
        ASSERT_EQ(rows[i].contains(measure.name), there) << line << " " << measure.name;
        if (!there) continue;
        EXPECT_EQ(rows[i][measure.name], document.at(pointer)) << line << " " << measure.name;
        ++compared;
      }
      EXPECT_GE(compared, 3U) << line;
    }
  }
}

TEST_F(Sweep, EveryColumnOfEveryCommandIsFilled) {
  for (const SweepCommand& command : sweep_commands()) {
    std::set<std::string> filled;
    const auto collect = [&](const std::string& text) {
      write("s.toml", text);
      const json document = run("sweep s.toml --json").json();
      for (const json& row : document["rows"]) {
        for (const auto& entry : row.items()) filled.insert(entry.key());
      }
    };
    collect(sweeps().at(command.name));
    if (command.name == "simulate") collect(kWorkload);
    for (const Measure& measure : command.measures)
      EXPECT_TRUE(filled.count(measure.name)) << command.name << " " << measure.name;
  }
}

TEST_F(Sweep, EveryOptionIsOneOfTheCommand) {
  for (const SweepCommand& command : sweep_commands()) {
    const std::string help = run(command.name + " --help").out;
    for (const std::string& option : command.options) {
      EXPECT_THAT(help, HasSubstr(option == "fabric" ? "FABRIC" : "--" + option)) << command.name;
    }
  }
}

TEST_F(Sweep, GivesTheSameTableWhateverRanBefore) {
  write("s.toml", sweeps().at("congestion"));
  ASSERT_EQ(run("sweep s.toml --threads 1 -o whole").code, 0);
  // Parts, out of order, a line torn off, and what a process has left that was killed as it wrote the table.
  std::filesystem::create_directory("parts");
  write("parts/.unknot-0123456789abcdef.tmp", "half a table");
  write("few.toml",
        "command = \"congestion\"\nfabric = \"torus:4x4,p=2\"\nengine = \"updn\"\n"
        "samples = 20\nseed = 5\n");
  ASSERT_EQ(run("sweep few.toml -o parts").code, 0);
  EXPECT_FALSE(std::filesystem::exists("parts/.unknot-0123456789abcdef.tmp"));
  ASSERT_EQ(run("sweep s.toml --threads 3 --part 1/2 --no-wait -o parts").code, 0);
  const std::string journal = read("parts/000002.journal");
  const std::size_t third = journal.find('\n', journal.find('\n', journal.find('\n') + 1) + 1);
  write("parts/000002.journal", journal.substr(0, third - 10));
  ASSERT_EQ(run("sweep s.toml --threads 2 -o parts").code, 0);
  EXPECT_EQ(read("parts/table.csv"), read("whole/table.csv"));
  EXPECT_EQ(read("parts/table.sqlite"), read("whole/table.sqlite"));
  EXPECT_EQ(run("sweep s.toml -o whole").out.substr(0, 30), run("sweep s.toml -o parts").out.substr(0, 30));
}

TEST_F(Sweep, APartThatIsNoneIsRefusedBeforeADryRunToo) {
  write("s.toml", "command = \"route\"\nfabric = \"ring:4\"\n");
  for (const char* part : {"nan", "1", "1/", "/2", "2/2", "-1/2", "1/2/3"})
    expect_refused(std::string("sweep s.toml --dry-run --part ") + part, "expected K/N with K from 0 to N-1");
}

// Engines run side by side in one process.
TEST_F(Sweep, NoEngineDisturbsAnother) {
  std::string names;
  for (const Engine& engine : engines()) {
    // This one ends by the clock.
    if (engine.name != "angara-opt") names += "\"" + engine.name + "\", ";
  }
  write("s.toml",
        "command = \"route\"\nfabric = [\"torus:4x3\", \"xgft:m=4x4,w=2x2,terminals=16\"]\nengine = [" +
            names + "]\nsamples = 10\nseed = [1, 2]\n");
  EXPECT_EQ(run("sweep s.toml --threads 1 -o one").code, 0);
  EXPECT_EQ(run("sweep s.toml --threads 4 -o four").code, 0);
  EXPECT_EQ(read("one/table.csv"), read("four/table.csv"));
}

TEST_F(Sweep, TheDatabaseHasTheRowsOfTheTable) {
  if (!sweep_database_available()) GTEST_SKIP() << "built without SQLite";
  if (std::system("command -v sqlite3 >/dev/null") != 0) GTEST_SKIP() << "no sqlite3";
  write("s.toml", sweeps().at("simulate"));
  const json rows = run("sweep s.toml --json").json()["rows"];
  ASSERT_EQ(std::system("sqlite3 -json s.results/table.sqlite 'select * from rows' > rows.json"), 0);
  const json stored = json::parse(read("rows.json"));
  ASSERT_EQ(stored.size(), rows.size());
  std::map<std::string, json> by_key;
  for (const json& row : stored) by_key[row["cell"]] = row;
  for (const json& row : rows) {
    const json& other = by_key.at(row["cell"]);
    for (const auto& [name, value] : row.items()) {
      if (value.is_boolean()) {
        EXPECT_EQ(other[name], value.get<bool>() ? 1 : 0) << name;
      } else if (value.is_number_float()) {
        EXPECT_NEAR(other[name].get<double>(), value.get<double>(), 1e-12) << name;
      } else {
        EXPECT_EQ(other[name], value) << name;
      }
    }
  }
  ASSERT_EQ(
      std::system(
          "sqlite3 s.results/table.sqlite 'select name from pragma_table_info(\"rows\") where pk = 1' > key"),
      0);
  EXPECT_EQ(read("key"), "cell\n");
}

TEST_F(Sweep, RefusedCellsAreRowsAndAreTriedAgain) {
  write("s.toml",
        "command = \"congestion\"\nfabric = \"mesh:3\"\ntables = [\"now.json\", \"later.json\"]\nsamples = "
        "2\n");
  ASSERT_EQ(run("route mesh:3 --engine minhop -o now.json --format json").code, 0);
  const Result first = run("sweep s.toml --json");
  EXPECT_EQ(first.code, 1);
  EXPECT_EQ(first.json()["refused"], 1);
  EXPECT_EQ(first.json()["rows"][1]["exit"], 2);
  EXPECT_THAT(first.json()["rows"][1]["error"].get<std::string>(), HasSubstr("later.json"));
  EXPECT_EQ(run("sweep s.toml --dry-run --json").json()["cells"][1]["state"], "refused");
  ASSERT_EQ(run("route mesh:3 --engine minhop -o later.json --format json").code, 0);
  const Result second = run("sweep s.toml --json");
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(second.json()["rows"][1]["effective_bisection_bandwidth"],
            second.json()["rows"][0]["effective_bisection_bandwidth"]);
  // An engine that finds nothing is an answer.
  write("no.toml", "command = \"route\"\nfabric = \"petersen\"\nengine = \"dor\"\n");
  const Result no = run("sweep no.toml --json");
  EXPECT_EQ(no.code, 0);
  EXPECT_EQ(no.json()["rows"][0]["exit"], 1);
  EXPECT_TRUE(no.json()["rows"][0].contains("error"));
}

TEST_F(Sweep, AllFabricsAreReadBeforeTheFirstCell) {
  write("s.toml", "command = \"route\"\nfabric = [\"ring:5\",\n\"later.json\"]\nengine = \"updn\"\n");
  for (const char* line : {"sweep s.toml", "sweep s.toml --dry-run", "sweep s.toml --slurm s.sbatch"})
    expect_refused(line, "s.toml:2: later.json: ");
  EXPECT_EQ(files(), std::vector<std::string>{"s.toml"});
  write("s.toml", "command = \"route\"\nfabric = [\"ring:5\", \"torus:4x\"]\nengine = \"updn\"\n");
  expect_refused("sweep s.toml", "s.toml:2: ");
}

TEST_F(Sweep, SeedIsThatOfTheCommandWhereTheFileHasNone) {
  write("s.toml", "command = \"route\"\nfabric = \"ring:5\"\nengine = \"updn\"\n");
  EXPECT_EQ(run("sweep s.toml --json --seed 7").json()["rows"][0]["seed"], 7);
  EXPECT_EQ(run("sweep s.toml --json").json()["rows"][0]["seed"], 1);
}

TEST_F(Sweep, DryRunWritesNothing) {
  write("s.toml", sweeps().at("route"));
  const Result plan = run("sweep s.toml --dry-run");
  EXPECT_EQ(plan.code, 0);
  EXPECT_THAT(plan.out,
              HasSubstr("missing  unknot route ring:6 --engine=minhop --vls=1 --samples=10 --seed=5"));
  EXPECT_EQ(files(), std::vector<std::string>{"s.toml"});
}

TEST_F(Sweep, ScriptIsForAnArrayOfTasks) {
  write("my sweep.toml", "command = \"route\"\nfabric = \"ring:5\"\n");
  const Result made =
      run({"sweep", "my sweep.toml", "--slurm", "s.sbatch", "--tasks", "8", "--threads", "4", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.json()["tasks"], 8);
  const std::string script = read("s.sbatch");
  for (const char* line : {"#SBATCH --array=0-7\n", "#SBATCH --requeue\n", "#SBATCH --cpus-per-task=4\n",
                           "sweep 'my sweep.toml' -o 'my sweep.results' --seed 1 --threads 4 --part "
                           "\"$SLURM_ARRAY_TASK_ID/8\" --no-wait\n"})
    EXPECT_THAT(script, HasSubstr(line));
  EXPECT_EQ(files(), (std::vector<std::string>{"my sweep.toml", "s.sbatch"}));
}

TEST_F(Sweep, BadInputIsOneSentence) {
  const std::string head = "command = \"route\"\nfabric = \"ring:5\"\n";
  const auto refused = [&](const std::string& text, const std::string& sentence) {
    write("s.toml", text);
    expect_refused("sweep s.toml", sentence);
  };
  refused("command = \"verify\"\nfabric = \"ring:5\"\n",
          "s.toml:1: 'verify' is no command of a sweep; there are: route, congestion, simulate");
  refused(head + "load = 0.1\n", "s.toml:3: a sweep of route takes no 'load'; ");
  refused(head + "output = \"x\"\n", "s.toml:3: a sweep of route takes no 'output'; ");
  refused(head + "threads = 2\n", "s.toml:3: a sweep of route takes no 'threads'; ");
  refused(head + "engine = [\"updn\", \"dfssp\"]\n", "s.toml:3: ");
  refused(head + "vls = [1, 99]\n", "s.toml:3: ");
  refused(head + "seed = [1,\n\"x\"]\n", "s.toml:3: ");
  refused("command = \"congestion\"\nfabric = \"ring:5\"\npattern = \"bogus\"\n", "s.toml:3: ");
  refused(head + "engine = [\"updn\", \"dfsssp:nothing=1\"]\n", "s.toml:3: ");
  refused(head + "fail = [\"\", \"cabel-count=1\"]\n", "s.toml:3: ");
  // What one of the fabrics has is taken: for the others the cell is refused.
  refused("command = \"route\"\nfabric = [\"ring:5\", \"ring:4\"]\nfail = [\"routers=4\", \"routers=5\"]\n",
          "s.toml:3: ");
  const std::string simulated = "command = \"simulate\"\nfabric = \"ring:5\"\nload = 0.1\n";
  for (const char* wrong :
       {"set = [\"vcs=4\", \"vsc=4\"]", "set = [[\"vcs=4\", \"measure=-1\"]]",
        "injection = [\"bernoulli\", \"poison\"]", "preset = \"paper-sc16\"", "config = \"none.toml\"",
        "paths = [\"minimal\", \"ugal:indrect=1\"]", "lane-scheme = \"hops\"", "workload = \"all-to-none\"",
        "traffic = \"hotspot:fraction=2\"", "messages = \"request>\""})
    refused(simulated + wrong + "\n", "s.toml:4: ");
  refused("command = \"simulate\"\nfabric = \"ring:5\"\nload = \"0.1:2:0.1\"\n",
          "s.toml:3: load 2 is not between");
  expect_refused("sweep none.toml", "none.toml: cannot open");
  expect_refused("sweep", "sweep: FILE.toml is missing; see --example");
  write("s.toml", head);
  for (const char* part : {"2", "2/2", "1/0", "/2", "a/2", "0/2x", "-1/2"})
    expect_refused("sweep s.toml --part=" + std::string(part), "expected K/N");
  expect_refused("sweep s.toml -o none/results", "none/results: cannot make the folder");
  expect_refused("sweep s.toml --slurm none/script", "none");
  expect_refused("sweep s.toml --tasks 4", "sweep: --tasks is for --slurm");
  expect_refused("sweep s.toml --example e.toml", "sweep: --example goes with no file");
}

}  // namespace
}  // namespace unknot::cli::test
