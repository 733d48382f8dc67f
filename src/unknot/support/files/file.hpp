// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace unknot {

/// What a reader can say about its file before all of it is in memory: endless or hostile input (a device, a
/// pipe, a file full of holes) is refused while it is read.
struct ReadLimits {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
  /// More than this many bytes are refused.
  std::uint64_t most = kNone;
  /// The same for what has no size of its own: a pipe, a device.
  std::uint64_t most_streamed = 256 * kMebi;
  /// A NUL byte is refused, with its line, as soon as it comes.
  bool text = true;
  /// Called with the first kHead bytes, or all where there are fewer: throws where the file is of no form
  /// that can be read.
  std::function<void(std::string_view head)> judge;
  static constexpr std::size_t kHead = std::size_t{1} << 16;
};

/// Whole content of a file; "-" is standard input. InputError when it cannot be read or is beyond the limits;
/// Interrupted when the user asks to stop while a pipe has nothing to read. Sequential, one allocation for a
/// file that has a size.
std::string read_file(const std::string& path, const ReadLimits& limits = {});

/// The first ReadLimits::kHead bytes of a regular file, to tell its form by; "" where there is none.
std::string head_of_file(const std::string& path);

/// Takes pieces of a file in order.
using FileSink = std::function<void(std::string_view piece)>;

/// When a file is to survive a loss of power: before write_file() returns, or not before sync_file_system().
enum class Lasting { now, later };

/// Writes what `produce` gives to its sink into a temporary file (temporary_file.hpp) in the folder of
/// `path`, then renames: readers see the old file or the whole new one, and it is on the disk when the
/// function returns. A symbolic link stays, and its target is written; a file that is replaced keeps its mode
/// and, where that is allowed, its owner. A device or a pipe is written as it stands. "-" is standard output.
/// InputError when it cannot be written; nothing is left behind then, nor when `produce` throws. Interrupted
/// when the user asks to stop while nobody reads a pipe.
void write_file(const std::string& path, const std::function<void(const FileSink&)>& produce,
                Lasting lasting = Lasting::now);
void write_file(const std::string& path, std::string_view content, Lasting lasting = Lasting::now);

/// Brings all that was written into the file system of a folder to the disk, for many files of
/// Lasting::later. InputError where that fails.
void sync_file_system(const std::string& folder);
/// Brings the names in a folder to the disk, as far as its file system can. InputError where there is none.
void sync_folder(const std::string& folder);

/// Where write_file() puts its file: `path`, or what it leads to where it is a symbolic link, which need not
/// exist. InputError where links go in a circle.
std::string link_target(const std::string& path);

}  // namespace unknot
