// SPDX-License-Identifier: Apache-2.0
// What the pages of docs/results call published stands in a list of places in print, and verdicts say by what
// they were given.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "patterns.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;
const fs::path kSource = UNKNOT_SOURCE_DIR;

struct Compared {
  std::string page, label, published;
  bool judged;
  std::string verdict;
};

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file.string()));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// Cells of a line of a table, without the backslashes that Markdown needs.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|') {
      cells.emplace_back();
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) {
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
  }
  return cells;
}

/// Rows of every page's tables that have a column "published"; the first cell is what a row is about.
std::vector<Compared> compared_rows() {
  std::vector<Compared> rows;
  for (const auto& entry : fs::directory_iterator(kSource / "docs/results")) {
    if (entry.path().extension() != ".md") continue;
    std::vector<std::string> headings;
    std::size_t published = 0;
    for (const std::string& line : lines_of(entry.path())) {
      const std::vector<std::string> cells = cells_of(line);
      if (!line.starts_with("|")) {
        headings.clear();
      } else if (headings.empty()) {
        headings = cells;
        published =
            static_cast<std::size_t>(std::find(cells.begin(), cells.end(), "published") - cells.begin());
      } else if (published < headings.size() && !line.starts_with("|---")) {
        EXPECT_EQ(cells.size(), headings.size()) << entry.path() << ": " << line;
        const std::size_t verdict = published + 2;
        const bool judged = verdict < headings.size() && headings[verdict] == "verdict";
        rows.push_back({entry.path().stem().string(), cells.at(1), cells.at(published), judged,
                        judged ? cells.at(verdict) : ""});
      }
    }
  }
  return rows;
}

struct Place {
  std::string page, label, published, where;
  [[nodiscard]] bool is_of(const Compared& row) const {
    const auto matches = [](const std::string& pattern, const std::string& text) {
      return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
    };
    return row.published == published && matches(page, row.page) && matches(label, row.label);
  }
};

std::vector<Place> places() {
  std::vector<Place> all;
  for (const auto& entry : fs::directory_iterator(kSource / "src/unknot/reproduce/places")) {
    for (const std::string& line : lines_of(entry.path())) {
      if (line.starts_with("#")) continue;
      std::vector<std::string> cells;
      std::istringstream text(line);
      for (std::string cell; std::getline(text, cell, '\t');) cells.push_back(cell);
      if (cells.size() == 4) {
        all.push_back({cells[0], cells[1], cells[2], cells[3]});
      } else {
        ADD_FAILURE() << entry.path() << ": " << line;
      }
    }
  }
  return all;
}

TEST(PublishedValues, EachHasAPlaceInPrintAndEachPlaceAValue) {
  const std::vector<Compared> rows = compared_rows();
  const std::vector<Place> known = places();
  EXPECT_GT(rows.size(), 1000U);
  std::vector<bool> used(known.size());
  for (const Compared& row : rows) {
    if (row.published == "not printed" || row.published.empty()) continue;
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!known[i].is_of(row)) continue;
      found = used[i] = true;
    }
    EXPECT_TRUE(found) << row.page << ": " << row.label << ": " << row.published
                       << " has no place in src/unknot/reproduce/places";
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_TRUE(used[i]) << known[i].page << ": " << known[i].label << ": " << known[i].published
                         << " is on no page";
}

TEST(PublishedValues, PlacesSayWhere) {
  for (const Place& place : places()) {
    EXPECT_FALSE(matches_in(place.where,
                            "(Table|Figure|Section|Equation) [0-9IVX]|[A-Z]+ 20[0-9]{2}|arXiv [0-9.]+|SCCL|"
                            "of 20[0-9]{2}-[0-9]{2}-[0-9]{2}")
                     .empty())
        << place.where;
  }
}

/// Complete verdicts: what was allowed, or that equal was wanted, and which side is the good one.
constexpr const char* kComplete =
    R"(^(equal|unpublished|within \(.+\)|better \((lower|higher) wanted(, allowed: .+)?\)|)"
    R"(differs \((equal( or (lower|higher))? wanted|allowed: .+)\))(, modelled)?(, timed)?$)";

TEST(Verdicts, SayWhatWasAllowedAndKnowUnpublishedValues) {
  std::size_t within = 0;
  for (const Compared& row : compared_rows()) {
    if (!row.judged) continue;
    EXPECT_FALSE(matches_in(row.verdict, kComplete).empty())
        << row.page << ": " << row.label << ": " << row.verdict;
    if (row.verdict.starts_with("within")) ++within;
    const bool unpublished = row.verdict.starts_with("unpublished") || row.verdict.starts_with("differs");
    EXPECT_TRUE(row.published != "not printed" || unpublished) << row.page << ": " << row.label;
    EXPECT_FALSE(row.published != "not printed" && row.verdict.starts_with("unpublished"))
        << row.page << ": " << row.label;
  }
  EXPECT_GT(within, 100U);
}

TEST(Verdicts, AreNotCompleteWithoutTheirGround) {
  for (const char* bare :
       {"differs", "better", "within", "differs, modelled", "better, timed", "better (+-4 %)", "differs ()",
        "within ()", "differs (+-1)", "better (allowed: +-1)"}) {
    EXPECT_TRUE(matches_in(bare, kComplete).empty()) << bare;
  }
}

/// "About 25 %" and "up to 25 %" are as wide as one likes until both ends are given.
TEST(Verdicts, HaveBothEndsWhereTheValueIsPrintedRoughly) {
  constexpr const char* kBothEnds =
      R"(\+-[0-9]|[0-9] to [0-9]|in the range|no larger one|by no more than printed)";
  std::size_t rough = 0;
  for (const Compared& row : compared_rows()) {
    if (!row.judged || matches_in(row.published, "about|nearly|almost|up to|roughly|approx|around").empty())
      continue;
    ++rough;
    EXPECT_TRUE(row.verdict == "equal" || !matches_in(row.verdict, kBothEnds).empty())
        << row.page << ": " << row.label << ": " << row.published << ": " << row.verdict;
  }
  EXPECT_GT(rough, 20U);
  EXPECT_TRUE(matches_in("within (more than 25 %), modelled", kBothEnds).empty());
}

}  // namespace
}  // namespace unknot
