// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "unknot/watch/follow/tables_in_force.hpp"

namespace unknot::watch {

/// One dump of a fabric, with the tables in force where it has them.
struct Dump {
  std::string name;    ///< "night-03.fabric" or, of a folder, "night-03"
  std::string fabric;  ///< path
  TableFiles tables;
  bool folder = false;      ///< complete as soon as it is there
  std::uint64_t stamp = 0;  ///< of all its files; another one once any of them is changed
};

/// The dumps in a folder that somebody else fills:
///
///     NAME.fabric, with NAME.lfts, NAME.lanes, NAME.sl2vl, NAME.trees and NAME.groups where there are such
///     NAME/fabric, with NAME/lfts and so on: a folder that was renamed to NAME when it was complete
///
/// Names that begin with a dot are passed over, and so is all else.
class DumpFolder {
 public:
  explicit DumpFolder(std::string path);

  /// The dumps that are complete, by name: folders, and files whose stamp is that of the look before. Files
  /// that go meanwhile are no error. InputError where the folder cannot be read. O(files log files).
  std::vector<Dump> look();
  /// Whether some dump was not complete at the last look, for nobody had seen it before.
  [[nodiscard]] bool growing() const { return growing_; }
  /// All of the last look, complete or not: name to stamp.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& present() const { return seen_; }

 private:
  std::string path_;
  std::map<std::string, std::uint64_t> seen_;  // name to stamp, of the look before
  bool growing_ = false;
};

/// The stamp of a dump as its files are now: inode, size and time of change of each; 0 where the fabric's is
/// gone.
std::uint64_t stamp_of(const Dump& dump);

}  // namespace unknot::watch
