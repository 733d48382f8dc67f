// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "temporary_folder.hpp"

namespace unknot::watch::test {

class InFolder : public unknot::test::TemporaryFolder {
 protected:
  /// Makes the folders of `name`, too.
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    TemporaryFolder::write(name, text);
  }
};

}  // namespace unknot::watch::test
