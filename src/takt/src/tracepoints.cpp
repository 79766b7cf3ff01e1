// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/tracepoints.hpp"

#include <tracetools/utils.hpp>

#include <cstdlib>
#include <memory>

namespace takt::detail {

void trace_callback([[maybe_unused]] const void * callback,
                    [[maybe_unused]] const CallbackSymbol & symbol) noexcept {
#ifndef TRACETOOLS_DISABLED
  if (!TRACETOOLS_TRACEPOINT_ENABLED(rclcpp_callback_register)) return;
  char * found = nullptr;
  if (symbol.function != nullptr) found = tracetools::detail::get_symbol_funcptr(symbol.function);
  if (found == nullptr) found = tracetools::detail::demangle_symbol(symbol.type);
  const std::unique_ptr<char, void (*)(void *)> text(found, std::free);
  TRACETOOLS_DO_TRACEPOINT(rclcpp_callback_register, callback,
                           text != nullptr ? text.get() : "(unknown)");
#endif
}

}  // namespace takt::detail
