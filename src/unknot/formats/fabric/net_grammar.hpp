// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/formats/draft/fabric_draft.hpp"

namespace unknot {

/// The two dialects of one grammar: records of devices (a header line, a line for each connected port, an
/// empty line).
enum class NetDialect {
  ibnetdiscover,  ///< ids are the GUIDs; every link at both ends; comments in the tool's form
  ibsim,          ///< any quoted id, GUIDs counted up from directives, free comments, directives
};

/// Reads the records of `text` into a draft. O(length of text), one pass, no copies of strings.
/// Throws InputError for a line that is none of the grammar's, or an empty text.
FabricDraft read_net_records(std::string_view text, const std::string& name, NetDialect dialect);

/// True when the first record header in `head` is one of the dialect.
bool looks_like_net(std::string_view head, NetDialect dialect);

}  // namespace unknot
