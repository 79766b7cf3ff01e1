// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <takt/takt.hpp>

/// Prints one line, for the test that started the program.
[[gnu::format(printf, 1, 2)]] inline void say(const char * format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::printf("\n");
  std::fflush(stdout);
}

/// Prints `ready` and spins until a signal comes.
inline void spin_ready(const std::shared_ptr<takt::Node> & node) {
  takt::SchedulingExecutor executor({.policy = "fp", .lock_memory = false});
  executor.add_node(node);
  say("ready");
  executor.spin();
  takt::shutdown();
}
