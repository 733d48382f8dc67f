// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/report_compare.hpp"

#include <fmt/format.h>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/studies/print_page.hpp"
#include "unknot/report/compare/compare.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {

Answer compare_pages(const std::vector<std::string>& files, const report::Provenance& provenance,
                     const std::string& output, const Common& common) {
  const std::string chromium = is_pdf(output) ? find_chromium() : "";
  ReadLimits limits;
  limits.most = 512 * ReadLimits::kMebi;
  std::vector<report::PageData> pages;
  pages.reserve(files.size());
  for (const std::string& file : files) pages.push_back(report::read_page(read_file(file, limits), file));
  write_page(report::compared_page(pages[0], pages[1], provenance), chromium, output, common);
  if (!common.json) return {kYes};
  Json document = {{"before", files[0]},
                   {"after", files[1]},
                   {"summary", report::compared_summary(pages[0], pages[1])},
                   {"file", output}};
  return {kYes, std::move(document), {}};
}

void write_page(const std::string& html, const std::string& chromium, const std::string& output,
                const Common& common) {
  if (chromium.empty()) {
    write_file(output, html);
  } else {
    print_page(html, chromium, output);
  }
  if (output != "-") note(common, fmt::format("wrote {}", output));
}

}  // namespace unknot::cli
