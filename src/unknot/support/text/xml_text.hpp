// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pugi {
class xml_document;
class xml_node;
}  // namespace pugi

namespace unknot {

/// A text of XML, and the lines that its elements are on. The names and values it gives live as long as it
/// does.
class XmlText {
 public:
  /// `keep_blanks`: an element that holds nothing but blanks holds a text. Throws InputError, with the line,
  /// for what is not well-formed, and for a NUL byte.
  XmlText(std::string_view text, const std::string& file, bool keep_blanks = false);
  ~XmlText();
  XmlText(const XmlText&) = delete;
  XmlText& operator=(const XmlText&) = delete;

  /// The outermost element. Throws InputError when it is not `name`, or when another follows.
  pugi::xml_node root(std::string_view name);
  /// O(text) for all elements in the order of the text.
  std::uint32_t line_of(const pugi::xml_node& node);
  /// Throws InputError at the element's line.
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& message);

 private:
  std::uint32_t line_at(std::size_t offset);

  std::string_view text_;
  const std::string& file_;
  std::unique_ptr<pugi::xml_document> document_;
  std::size_t counted_ = 0;  // lines are counted on from here
  std::uint32_t line_ = 1;
};

}  // namespace unknot
