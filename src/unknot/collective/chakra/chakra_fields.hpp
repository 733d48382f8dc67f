// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Numbers of fields in et_def.proto.
namespace unknot::chakra {

using Field = std::uint32_t;

namespace field {
// GlobalMetadata
inline constexpr Field kVersion = 1;
// Node
inline constexpr Field kId = 1, kName = 2, kType = 3, kControlDeps = 4, kDataDeps = 5, kDuration = 7,
                       kAttributes = 10;
// AttributeProto
inline constexpr Field kAttributeName = 1, kInt32 = 7, kInt64 = 9, kUint32 = 11, kUint64 = 13;
}  // namespace field

}  // namespace unknot::chakra
