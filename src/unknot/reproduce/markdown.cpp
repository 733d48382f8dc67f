// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/markdown.hpp"

#include <fmt/format.h>

namespace unknot {
namespace {

/// A cell must not end early, nor hold emphasis.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '*') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& one : cells) text += fmt::format(" {} |", cell(one));
  return text + "\n";
}

std::string heading(const std::vector<std::string>& names) {
  std::string text = line(names) + "|";
  for (std::size_t i = 0; i < names.size(); ++i) text += "---|";
  return text + "\n";
}

}  // namespace

std::string markdown_page(const Experiment& experiment, const Reproduction& result,
                          const std::string& command, const std::vector<std::string>& pictures) {
  std::string page = fmt::format("# {}\n\n{}: {}. Made by `{}`.\n", result.title, experiment.paper,
                                 experiment.place, command);
  for (const std::string& paragraph : result.text) page += fmt::format("\n{}\n", paragraph);
  const NumberedNotes notes = number_notes(result.rows);
  page += fmt::format("\n{}", heading({"case", "published", "ours", "verdict", "note"}));
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const ReproducedRow& row = result.rows[i];
    const std::size_t note = notes.of_row[i];
    page += line({row.label, row.published.text, row.ours.text, verdict_text(row),
                  note == 0 ? "" : fmt::format("({})", note)});
  }
  for (std::size_t i = 0; i < notes.notes.size(); ++i) {
    page += fmt::format("\n({}) {}\n", i + 1, notes.notes[i]);
  }
  for (const ReproducedTable& table : result.tables) {
    page += fmt::format("\n## {}\n\n{}", table.title, heading(table.headings));
    for (const std::vector<std::string>& cells : table.lines) page += line(cells);
  }
  for (const std::string& picture : pictures) page += fmt::format("\n![{}]({})\n", result.title, picture);
  return page;
}

}  // namespace unknot
