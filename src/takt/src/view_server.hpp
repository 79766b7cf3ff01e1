// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt/context.hpp"
#include "takt_view/live_view.hpp"

namespace takt::detail {

/// Creates a takt node that publishes a view and serves its services. Throws RclError, NameError.
std::unique_ptr<view::Server> make_view_server(const std::shared_ptr<Context> & context,
                                               view::View & view);

}  // namespace takt::detail
