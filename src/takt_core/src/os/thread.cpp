// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "takt_core/os/event.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

// All but those that report a fault of the thread itself, for which crash handlers exist.
sigset_t asynchronous_signals() noexcept {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
    sigdelset(&set, fault);
  }
  return set;
}

// Touches the stack from here down to its guard, so that no page of it is faulted in later.
__attribute__((noinline, no_sanitize("address", "undefined", "thread"))) void
touch_stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return;
  }
  void * lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto bottom = reinterpret_cast<std::uintptr_t>(lowest);
  auto place = reinterpret_cast<std::uintptr_t>(&attributes) & ~(page - 1);
  // Reading is not enough: the zero page would do for it.
  while (place >= bottom + page) {
    place -= page;
    *reinterpret_cast<volatile char *>(place) = 0;
  }
}

void do_not_pass_on_priority(int policy, int priority) noexcept {
  sched_param parameters{};
  parameters.sched_priority = priority;
  sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &parameters);
}

}  // namespace

struct Thread::Control {
  ThreadOptions options;
  std::function<void()> body;
  pthread_t handle{};
  int tid = 0;
  Granted priority;
  Granted cpu;
  Event ready;

  int start(int at_priority) noexcept {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, options.stack);
    if (at_priority > 0) {
      sched_param parameters{};
      parameters.sched_priority = at_priority;
      pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
      pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
      pthread_attr_setschedparam(&attributes, &parameters);
    }
    const auto body_of_thread = [](void * control) -> void * {
      static_cast<Control *>(control)->run();
      return nullptr;
    };
    const int error = pthread_create(&handle, &attributes, body_of_thread, this);
    pthread_attr_destroy(&attributes);
    return error;
  }

  void run() {
    tid = thread_id();
    name_thread(options.name);
    prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(options.slack), 0, 0, 0);
    priority = set_fifo(0, options.priority);
    do_not_pass_on_priority(priority.granted > 0 ? SCHED_FIFO : SCHED_OTHER, priority.granted);
    cpu = options.cpu >= 0 ? pin(0, options.cpu) : Granted{-1, -1, {}};
    if (options.priority > 0) {
      touch_stack();
    }
    const std::function<void()> work = std::move(body);
    ready.post();
    work();
    // What ends a thread takes locks that know no priorities, destructors of thread-locals for one:
    // who spins for such a lock at a real-time priority may keep its holder off the CPU for ever.
    set_fifo(0, 0);
  }
};

Thread::Thread(ThreadOptions options, std::function<void()> body)
    : control_(std::make_unique<Control>()) {
  control_->options = std::move(options);
  control_->body = std::move(body);
  const sigset_t blocked = asynchronous_signals();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  // Born with its priority where that is granted: on a busy CPU it might not get further without.
  int error = control_->start(control_->options.priority);
  if (error == EPERM) {
    error = control_->start(0);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    throw std::system_error(error, std::generic_category(),
                            "cannot start the thread " + control_->options.name);
  }
  control_->ready.wait();
}

Thread::Thread() noexcept = default;

Thread::~Thread() {
  join();
}

Thread::Thread(Thread && other) noexcept = default;

Thread & Thread::operator=(Thread && other) noexcept {
  join();
  control_ = std::move(other.control_);
  return *this;
}

void Thread::join() noexcept {
  if (control_ == nullptr) return;
  if (pthread_equal(control_->handle, pthread_self()) != 0) {
    pthread_detach(control_->handle);
  } else {
    pthread_join(control_->handle, nullptr);
  }
  control_.reset();
}

int Thread::tid() const noexcept {
  return control_ == nullptr ? 0 : control_->tid;
}
const std::string & Thread::name() const noexcept {
  return control_->options.name;
}
const Granted & Thread::priority() const noexcept {
  return control_->priority;
}
const Granted & Thread::cpu() const noexcept {
  return control_->cpu;
}
void Thread::set_priority(int priority) {
  control_->priority = set_fifo(control_->tid, priority);
}

}  // namespace takt::os
