// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::testing {

/// An element of an XML document, entities resolved.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< of this element alone
  std::vector<Element> children;

  [[nodiscard]] std::string attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
  [[nodiscard]] bool is(const std::string& tag, const std::string& style) const {
    return name == tag && (" " + attribute("class") + " ").find(" " + style + " ") != std::string::npos;
  }
  /// The text of its first child "title".
  [[nodiscard]] std::string title() const {
    for (const Element& child : children) {
      if (child.name == "title") return child.text;
    }
    return "";
  }
  /// This element and all below that a test takes, in order.
  template <class Test>
  void collect(const Test& test, std::vector<const Element*>& found) const {
    if (test(*this)) found.push_back(this);
    for (const Element& child : children) child.collect(test, found);
  }
  [[nodiscard]] std::vector<const Element*> all(const std::string& tag, const std::string& style) const {
    std::vector<const Element*> found;
    collect([&](const Element& e) { return e.is(tag, style); }, found);
    return found;
  }
};

/// Reads the part of XML that drawings need: a declaration, elements, attributes, text, the five entities and
/// numbered characters. Strict: throws where a document is not well-formed or has anything else.
class XmlParser {
 public:
  static Element parse(std::string_view text) {
    XmlParser parser(text);
    parser.expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    parser.blanks();
    Element root = parser.element();
    parser.blanks();
    if (!parser.rest_.empty()) parser.fail("something after the document");
    return root;
  }

 private:
  explicit XmlParser(std::string_view text) : rest_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " before '" + std::string(rest_.substr(0, 40)) + "'");
  }
  bool eat(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!eat(text)) fail("missing '" + std::string(text) + "'");
  }
  bool blanks() {
    bool any = false;
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) {
      rest_.remove_prefix(1);
      any = true;
    }
    return any;
  }
  std::string name() {
    std::size_t n = 0;
    while (n < rest_.size() &&
           (std::string_view("-:").find(rest_[n]) != std::string_view::npos ||
            (rest_[n] >= 'a' && rest_[n] <= 'z') || (rest_[n] >= 'A' && rest_[n] <= 'Z') ||
            (n > 0 && rest_[n] >= '0' && rest_[n] <= '9')))
      ++n;
    if (n == 0) fail("missing name");
    std::string result(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return result;
  }
  /// One character of text or of an attribute, or as many plain ones as there are.
  std::string character() {
    std::size_t plain = 0;
    while (plain < rest_.size() && rest_[plain] >= ' ' && rest_[plain] != '&' && rest_[plain] != '<' &&
           rest_[plain] != '"')
      ++plain;
    if (plain > 0) {
      std::string result(rest_.substr(0, plain));
      rest_.remove_prefix(plain);
      return result;
    }
    const auto first = static_cast<unsigned char>(rest_[0]);
    if (first == '&') {
      static const std::map<std::string, std::string> kEntities = {
          {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
      for (const auto& [entity, meaning] : kEntities) {
        if (eat(entity)) return meaning;
      }
      fail("unknown entity");
    }
    if (first < 0x20 && first != '\n' && first != '\t' && first != '\r') fail("a control character");
    const std::size_t bytes = first < 0x80    ? 1
                              : first >= 0xF0 ? 4
                              : first >= 0xE0 ? 3
                              : first >= 0xC2 ? 2
                                              : 0;
    if (bytes == 0 || rest_.size() < bytes) fail("no UTF-8");
    for (std::size_t i = 1; i < bytes; ++i) {
      if ((static_cast<unsigned char>(rest_[i]) & 0xC0U) != 0x80) fail("no UTF-8");
    }
    std::string result(rest_.substr(0, bytes));
    rest_.remove_prefix(bytes);
    return result;
  }
  Element element() {
    Element result;
    expect("<");
    result.name = name();
    while (blanks() && !rest_.starts_with("/") && !rest_.starts_with(">")) {
      const std::string key = name();
      expect("=\"");
      std::string value;
      while (!rest_.empty() && rest_[0] != '"') {
        if (rest_[0] == '<') fail("'<' in an attribute");
        value += character();
      }
      expect("\"");
      if (!result.attributes.emplace(key, value).second) fail("attribute twice: " + key);
    }
    if (eat("/>")) return result;
    expect(">");
    while (!rest_.starts_with("</")) {
      if (rest_.empty()) fail("no end of " + result.name);
      if (rest_[0] == '<') {
        result.children.push_back(element());
      } else {
        result.text += character();
      }
    }
    expect("</");
    expect(result.name);
    expect(">");
    return result;
  }

  std::string_view rest_;
};

}  // namespace unknot::testing
