// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace takt {

class Context;

namespace detail {

/// SIGINT and SIGTERM shut `context` down. The first context installs the handlers and starts the
/// waiting thread; the last one that leaves puts the previous handlers back. Throws Error.
void watch_signals(const std::shared_ptr<Context> & context);
/// Idempotent. Any thread.
void unwatch_signals(const Context & context);

}  // namespace detail
}  // namespace takt
