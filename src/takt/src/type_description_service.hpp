// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt/node_base.hpp"

namespace takt::detail {

/// The service `~/get_type_description`, by which tools learn the types a node uses. Returns its
/// handle.
std::shared_ptr<Callback> make_type_description_service(const std::shared_ptr<NodeBase> & node);

}  // namespace takt::detail
