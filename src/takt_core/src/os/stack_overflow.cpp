// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/stack_overflow.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace takt::os {
namespace {

/// The thread data for the report of an overflow.
struct Told {
  const Stack * stack = nullptr;
  const char * thread = nullptr;
  TellRunning running = nullptr;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Told this_thread;

// Called in the signal handler. A single write(), so that the line is not interleaved with others.
void tell(const Told & of) noexcept {
  std::array<char, 256> who{};
  if (of.running != nullptr) of.running(who.data(), who.size());
  std::array<char, 768> line{};
  // snprintf() neither allocates nor locks for strings and integers. There is no option for the
  // stacks of other threads.
  const char * const more = of.running != nullptr
                                ? "give the executor more with its option stack_size"
                                : "raise the limit (ulimit -s)";
  const int length = std::snprintf(
      line.data(), line.size(),
      "takt: %s%sthread %s has used up its stack of %zu bytes, which ends the process: use less of "
      "it (large variables, recursion), or %s\n",
      who.data(), who[0] != '\0' ? ": " : "", of.thread, of.stack->size(), more);
  if (length > 0) {
    const auto whole = std::min(static_cast<std::size_t>(length), line.size() - 1);
    static_cast<void>(!write(STDERR_FILENO, line.data(), whole));
  }
}

void on_segmentation_fault(int signal, siginfo_t * info, void * /*context*/) {
  const Told of = this_thread;
  const bool sent = info->si_code <= 0;
  if (!sent && of.stack != nullptr && of.stack->guards(info->si_addr)) tell(of);
  // Restores the default action: the instruction is executed again, faults again, and ends the
  // process.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (sent) raise(signal);
}

void handle_segmentation_faults() noexcept {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_sigaction = on_segmentation_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace

void tell_of_overflow(const Stack & stack, const char * thread, TellRunning running) noexcept {
  this_thread = {&stack, thread, running};
  stack_t now{};
  // Does nothing if there is a signal stack already, for instance a sanitizer's.
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  stack_t own{};
  own.ss_sp = stack.alternate_stack();
  own.ss_size = Stack::alternate;
  if (sigaltstack(&own, nullptr) == 0) handle_segmentation_faults();
}

}  // namespace takt::os
