// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {

XmlText::XmlText(std::string_view text, const std::string& file, bool keep_blanks)
    : text_(text), file_(file), document_(std::make_unique<pugi::xml_document>()) {
  if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos)
    throw InputError(file_, line_at(nul), "a NUL byte, expected text");
  const unsigned int options =
      keep_blanks ? pugi::parse_default | pugi::parse_ws_pcdata_single : pugi::parse_default;
  const pugi::xml_parse_result result =
      document_->load_buffer(text_.data(), text_.size(), options, pugi::encoding_utf8);
  if (!result) {
    throw InputError(file_, line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0))),
                     std::string("not valid XML: ") + result.description());
  }
}

XmlText::~XmlText() = default;

pugi::xml_node XmlText::root(std::string_view name) {
  const pugi::xml_node root = document_->document_element();
  if (name != root.name())
    fail(root, fmt::format("expected an element <{}>, found <{}>", name, shown(root.name())));
  if (const auto second = root.next_sibling())
    fail(second, fmt::format("<{}> behind the element <{}>", shown(second.name()), name));
  return root;
}

std::uint32_t XmlText::line_at(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < counted_) {
    counted_ = 0;
    line_ = 1;
  }
  line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  counted_ = offset;
  return line_;
}

std::uint32_t XmlText::line_of(const pugi::xml_node& node) {
  return line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
}

void XmlText::fail(const pugi::xml_node& node, const std::string& message) {
  throw InputError(file_, line_of(node), message);
}

}  // namespace unknot
