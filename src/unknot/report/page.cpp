// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/page.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "unknot/drawing/svg.hpp"
#include "unknot/report/document.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/version.hpp"
#ifdef UNKNOT_HAS_PAGE
#include "unknot/report/bundle.hpp"
#endif

namespace unknot::report {
namespace {

#ifndef UNKNOT_HAS_PAGE
constexpr std::string_view kPageStyle, kPageScript;
#endif

/// JSON inside a script element: the one thing that ends the element, or begins a comment there, is "<".
std::string inside_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

bool page_available() {
  return !kPageScript.empty();
}

void require_page() {
  if (!page_available()) {
    throw InputError(
        "report: this program was built without the page's scripts, as npm was missing; install it, run "
        "cmake again and build");
  }
}

std::vector<std::string> foot_of(const Provenance& provenance, const std::string& fabric) {
  std::vector<std::string> lines = {fabric.empty()
                                        ? fmt::format("Shown by Unknot {}", version())
                                        : fmt::format("Fabric {}, shown by Unknot {}", fabric, version())};
  if (!provenance.date.empty()) lines.front() += fmt::format(", {}", provenance.date);
  if (!provenance.command.empty()) lines.push_back(provenance.command);
  return lines;
}

std::string html_page(const Content& content) {
  const std::string fabric = content.fabric == "-" ? "fabric" : content.fabric;
  const Provenance& provenance = content.provenance;
  return html_page(provenance.title.empty() ? fabric : provenance.title, summary(content),
                   foot_of(provenance, fabric), document(content));
}

std::string html_page(std::string_view title, const std::vector<std::string>& sentences,
                      const std::vector<std::string>& foot, std::string_view data) {
  require_page();
  const std::string heading = drawing::escaped(title);
  std::string rest;
  for (std::size_t i = 1; i < sentences.size(); ++i) rest += drawing::escaped(sentences[i]) + " ";
  // The page may load nothing and send nothing, whatever its data say.
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0} - Unknot</title>\n<style>",
      heading);
  page += kPageStyle;
  page += fmt::format(
      "</style></head>\n<body><main id=\"page\"><h1>{}</h1>\n<p class=\"lead\">{}</p>\n<p>{}</p>\n"
      "<noscript><p>The pictures need JavaScript.</p></noscript></main>\n<footer>",
      heading, drawing::escaped(sentences.front()), rest);
  const char* around = "p";  // its first line is a sentence, the others are commands
  for (const std::string& line : foot) {
    page += fmt::format("<{0}>{1}</{0}>", around, drawing::escaped(line));
    around = "pre";
  }
  page += "</footer>\n";
  page += fmt::format("{}{}</script>\n", kDataBegins, inside_script(data));
  page += "<script>";
  page += kPageScript;
  return page + "</script>\n</body></html>\n";
}

}  // namespace unknot::report
