// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/journal.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "sweep/in_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/sweep/claims.hpp"

namespace unknot::sweep::test {
namespace {

using JournalFolder = InFolder;

std::string text_of(const Journal& journal, std::uint64_t key) {
  const Record* record = journal.find(key);
  return record == nullptr ? "none" : record->text;
}

TEST_F(JournalFolder, KeepsWhatWasAdded) {
  {
    Journal journal(path("results"));
    EXPECT_EQ(journal.find(1), nullptr);
    journal.add(1, {false, "one"});
    journal.add(2, {false, ""});
    EXPECT_EQ(text_of(journal, 1), "one");
  }
  Journal again(path("results"));
  EXPECT_EQ(text_of(again, 1), "one");
  EXPECT_EQ(text_of(again, 2), "");
  EXPECT_EQ(again.damaged_lines(), 0U);
  again.add(3, {false, "three"});
  EXPECT_EQ(lines_of(path("results")).size(), 3U);
}

TEST_F(JournalFolder, HearsOfOthersWhenAsked) {
  Journal one(path("results"));
  Journal two(path("results"));
  one.add(1, {false, "one"});
  two.add(2, {false, "two"});
  EXPECT_EQ(two.find(1), nullptr);
  two.refresh();
  EXPECT_EQ(text_of(two, 1), "one");
  one.add(3, {false, "three"});
  two.refresh();
  one.refresh();
  EXPECT_EQ(text_of(two, 3), "three");
  EXPECT_EQ(text_of(one, 2), "two");
}

// The end of a file that a killed process has left, cut at every byte.
TEST_F(JournalFolder, PassesOverATornLine) {
  {
    Journal journal(path("whole"));
    journal.add(1, {false, "one"});
    journal.add(2, {false, "two"});
  }
  const std::string text = content(path("whole/000001.journal"));
  const std::size_t first = text.find('\n') + 1;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string folder = path("torn" + std::to_string(size));
    std::filesystem::create_directory(folder);
    append(folder + "/000001.journal", text.substr(0, size));
    Journal journal(folder);
    EXPECT_EQ(text_of(journal, 1), size < first ? "none" : "one") << size;
    EXPECT_EQ(text_of(journal, 2), "none") << size;
    journal.add(2, {false, "anew"});
    EXPECT_EQ(text_of(Journal(folder), 2), "anew") << size;
  }
}

// A process that is seen in the middle of a line finishes it.
TEST_F(JournalFolder, WaitsForTheEndOfALine) {
  {
    Journal journal(path("whole"));
    journal.add(1, {false, "one"});
  }
  const std::string text = content(path("whole/000001.journal"));
  std::filesystem::create_directory(path("live"));
  append(path("live/000001.journal"), text.substr(0, 20));
  Journal journal(path("live"));
  EXPECT_EQ(journal.find(1), nullptr);
  append(path("live/000001.journal"), text.substr(20));
  journal.refresh();
  EXPECT_EQ(text_of(journal, 1), "one");
}

TEST_F(JournalFolder, PassesOverADamagedLineAndSaysSo) {
  {
    Journal journal(path("whole"));
    journal.add(1, {false, "one"});
    journal.add(2, {false, "two"});
  }
  const std::string text = content(path("whole/000001.journal"));
  const std::size_t first = text.find('\n');
  for (std::size_t at = 0; at < first; ++at) {
    const std::string folder = path("damaged" + std::to_string(at));
    std::filesystem::create_directory(folder);
    std::string damaged = text;
    damaged[at] = damaged[at] == 'x' ? 'y' : 'x';
    append(folder + "/000001.journal", damaged);
    const Journal journal(folder);
    EXPECT_EQ(text_of(journal, 1), "none") << at;
    EXPECT_EQ(text_of(journal, 2), "two") << at;
    EXPECT_EQ(journal.damaged_lines(), 1U) << at;
  }
}

TEST_F(JournalFolder, WhatWasRefusedMayBeTriedAgain) {
  Journal journal(path("results"));
  journal.add(1, {true, "no such file"});
  EXPECT_TRUE(journal.find(1)->refused);
  Journal later(path("results"));
  EXPECT_EQ(text_of(later, 1), "no such file");
  later.forget_refused();
  EXPECT_EQ(later.find(1), nullptr);
  later.add(1, {false, "now it is there"});
  EXPECT_EQ(text_of(Journal(path("results")), 1), "now it is there");
}

TEST_F(JournalFolder, RefusesAFolderThatCannotBe) {
  append(path("file"), "");
  EXPECT_THROW(Journal{path("file")}, InputError);
  EXPECT_THROW(Journal{path("none/results")}, InputError);
}

using ClaimsFolder = InFolder;

TEST_F(ClaimsFolder, AreOfOneAtATime) {
  Claims one(path("claims"));
  Claims two(path("claims"));
  EXPECT_TRUE(one.take(0xFFFFFFFFFFFFFFFFU));
  EXPECT_FALSE(two.take(0xFFFFFFFFFFFFFFFFU));
  EXPECT_TRUE(two.take(0));
  EXPECT_FALSE(one.take(0));
  one.release(0xFFFFFFFFFFFFFFFFU);
  EXPECT_TRUE(two.take(0xFFFFFFFFFFFFFFFFU));
  one.take_table();
  one.release_table();
  two.take_table();
}

TEST_F(ClaimsFolder, EndWithTheirHolder) {
  Claims two(path("claims"));
  {
    Claims one(path("claims"));
    EXPECT_TRUE(one.take(7));
    EXPECT_FALSE(two.take(7));
  }
  EXPECT_TRUE(two.take(7));
  EXPECT_THROW(Claims{path("none/claims")}, InputError);
}

}  // namespace
}  // namespace unknot::sweep::test
