// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// In the program of end_signals_test, SIGINT comes at the first instant at which it is handled.
#include <dlfcn.h>
#include <signal.h>

extern "C" [[gnu::visibility("default")]] int sigaction(int number, const struct sigaction * action,
                                                        struct sigaction * before) noexcept {
  using Function = int (*)(int, const struct sigaction *, struct sigaction *);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "sigaction"));
  const int result = real(number, action, before);
  static bool raised = false;
  const bool handled = action != nullptr && (action->sa_flags & SA_SIGINFO) != 0;
  if (number == SIGINT && handled && !raised) {
    raised = true;
    raise(SIGINT);
  }
  return result;
}
