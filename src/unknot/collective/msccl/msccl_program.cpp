// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/msccl/msccl_program.hpp"

#include "unknot/collective/msccl/msccl_names.hpp"

namespace unknot::msccl {

std::string_view name_of(Action action) {
  return kActions[static_cast<std::size_t>(action)].name;
}
bool sends(Action action) {
  return kActions[static_cast<std::size_t>(action)].sends;
}
bool receives(Action action) {
  return kActions[static_cast<std::size_t>(action)].receives;
}
bool reduces(Action action) {
  return kActions[static_cast<std::size_t>(action)].reduces;
}
bool reads_source(Action action) {
  return kActions[static_cast<std::size_t>(action)].reads;
}
bool stores(Action action) {
  return kActions[static_cast<std::size_t>(action)].stores;
}
std::string_view name_of(Collective collective) {
  return kCollectives[static_cast<std::size_t>(collective)];
}

}  // namespace unknot::msccl
