// SPDX-License-Identifier: Apache-2.0
#include "line_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace unknot::opensm {

namespace {
constexpr std::size_t kBlock = std::size_t{1} << 18U;
}

std::string and_more(std::uint64_t others) {
  return others == 0 ? std::string() : fmt::format(" (and {} more)", others);
}

LineReader::LineReader(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "re")), buffer_(kBlock) {
  if (!file_) throw Misfit(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
}

bool LineReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // No line of these files is this long.
  if (end_ == buffer_.size()) throw misfit("a line of more than 256 KiB");
  const std::size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
  if (got == 0 && std::ferror(file_.get()) != 0) throw misfit("cannot be read");
  end_ += got;
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  ++number_;
  std::size_t seen = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_;
    const void* newline =
        end_ > begin_ + seen ? std::memchr(from + seen, '\n', end_ - begin_ - seen) : nullptr;
    if (newline != nullptr) {
      line = {from, static_cast<std::size_t>(static_cast<const char*>(newline) - from)};
      begin_ += line.size() + 1;
      break;
    }
    seen = end_ - begin_;
    if (!refill()) {
      line = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      if (line.empty()) return false;
      whole_ = false;
      break;
    }
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

void LineReader::expect_whole_line() const {
  if (!whole_) throw misfit("the file ends within this line: it is incomplete");
}

Misfit LineReader::misfit(std::string_view what) const {
  return Misfit(fmt::format("{}:{}: {}", path_, number_, what));
}

void skip_blanks(std::string_view& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  text.remove_prefix(first == std::string_view::npos ? text.size() : first);
}

bool take_number(std::string_view& text, std::uint64_t& value) {
  skip_blanks(text);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace unknot::opensm
