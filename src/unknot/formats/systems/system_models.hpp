// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/formats/systems/ibnl.hpp"
#include "unknot/formats/systems/system_plan.hpp"

namespace unknot {

/// Finds what is inside of a system by the name of its type, in IBNL files: of each file its TOPSYSTEM line
/// is read, the rest when a type of it is asked for, and once.
class SystemModels {
 public:
  /// All files *.ibnl of the folders, in their order, count: a type is taken from the first folder that
  /// describes it. Folders that are not there are passed over.
  explicit SystemModels(std::vector<std::string> folders);

  /// An IBNL file that is in memory; its types count before those of the folders.
  void add(std::string text, const std::string& file);

  /// A system of a type: its plan stays where it is. HCA_1 to HCA_16, adapters of so many ports as ibutils
  /// has them, need no file. Throws InputError for a type that no file describes, or two of one folder, and
  /// as read_ibnl() and plan_system() do.
  const SystemPlan& plan(const std::string& type, const BoardVariants& variants);

  /// Two names of one type: a file may give several.
  [[nodiscard]] bool same(const std::string& a, const std::string& b) const;

 private:
  struct Source {
    std::string path;
    std::string text;
    bool read = false;
    IbnlFile file;
  };
  struct Type {
    std::size_t source = 0;
    std::string again_in;  ///< another file of the same folder that describes it
  };

  void look_into(const std::string& folder);
  const IbnlFile& file_of(const std::string& type);

  std::vector<std::string> folders_;
  std::deque<Source> sources_;
  std::map<std::string, Type, std::less<>> types_;
  std::map<std::pair<std::string, BoardVariants>, SystemPlan> plans_;
};

/// Where IBNL files are looked for, for a topology file: its own folder and the folder `ibnl` there, those of
/// the environment variable IBDM_IBNL_PATH (separated by colons, commas or blanks, as for ibutils), and those
/// that ibutils installs.
std::vector<std::string> system_model_folders(const std::string& topology_file);

}  // namespace unknot
