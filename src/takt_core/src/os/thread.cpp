// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "own_threads.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/locked_memory.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

// All signals except those that report a fault of the thread itself, for which crash handlers
// exist.
sigset_t asynchronous_signals() noexcept {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
    sigdelset(&set, fault);
  }
  return set;
}

// Touches the uppermost `ready` bytes of the stack, so that they cause no page fault later.
__attribute__((noinline, no_sanitize("address", "undefined", "thread"))) void touch_stack(
    const Stack & stack, std::size_t ready) noexcept {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto lowest = reinterpret_cast<std::uintptr_t>(stack.lowest());
  const std::uintptr_t bottom = lowest + stack.size() - std::min(ready, stack.size());
  auto place = reinterpret_cast<std::uintptr_t>(&page) & ~(page - 1);
  // A read would only map the zero page.
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
  explicit Control(ThreadOptions given)
      : options(std::move(given)),
        stack(std::make_unique<Stack>(options.stack != 0 ? options.stack : ordinary_stack_size(),
                                      options.priority > 0 ? options.ready_stack : 0)) {}
  // The thread has ended by now.
  ~Control() {
    if (own()) remove_own_thread(tid);
  }
  Control(const Control &) = delete;
  Control & operator=(const Control &) = delete;

  bool own() const noexcept { return options.name.starts_with("takt."); }

  const ThreadOptions options;
  std::unique_ptr<Stack> stack;
  const pid_t process = getpid();
  std::function<void()> body;
  pthread_t handle{};
  int tid = 0;
  Granted priority;
  Granted cpu;
  bool lost_cpu = false;
  Event ready;

  int start(int at_priority) noexcept {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack->lowest(), stack->size());
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
    if (own()) add_own_thread(tid);
    name_thread(options.name);
    prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(options.slack), 0, 0, 0);
    priority = set_fifo(0, options.priority);
    do_not_pass_on_priority(priority.granted > 0 ? SCHED_FIFO : SCHED_OTHER, priority.granted);
    cpu = options.cpu >= 0 ? pin(0, options.cpu) : Granted{-1, -1, {}};
    if (priority.granted > 0) {
      touch_stack(*stack, options.ready_stack);
      bring_in_heap(options.ready_heap);
    }
    tell_of_overflow(*stack, options.name.c_str(), options.running);
    const std::function<void()> work = std::move(body);
    ready.post();
    work();
    // The end of a thread takes locks without priority inheritance, for instance for destructors of
    // thread-locals: a thread that busy-waits for one at a real-time priority may keep its holder
    // from the CPU for ever.
    set_fifo(0, 0);
  }
};

/// A detached thread, whose stack is freed when the thread has ended.
struct Thread::Left {
  std::unique_ptr<Control> control;
  Left * next = nullptr;

  static std::atomic<Left *> & list() noexcept {
    static constinit std::atomic<Left *> first{nullptr};
    return first;
  }
  static void put(Left * left) noexcept {
    left->next = list().load();
    while (!list().compare_exchange_weak(left->next, left)) {
    }
  }
  static void keep(std::unique_ptr<Control> control) { put(new Left{std::move(control)}); }
  static void clear() noexcept {
    for (Left * each = list().exchange(nullptr); each != nullptr;) {
      Left * const next = each->next;
      const int tid = each->control->tid;
      if (syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH) {
        delete each;
      } else {
        put(each);
      }
      each = next;
    }
  }
};

Thread::Thread(ThreadOptions options, std::function<void()> body)
    : control_(std::make_unique<Control>(std::move(options))) {
  Left::clear();
  control_->body = std::move(body);
  const sigset_t blocked = asynchronous_signals();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  // Created with its real-time priority if that is permitted: without it, the thread might never
  // get a busy CPU.
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
  if (control_->process != getpid()) {
    // The parent's thread: in this process there is no thread to wait for, and its memory may have
    // been in use.
    [[maybe_unused]] const auto * const the_parents = control_.release();
    return;
  }
  if (pthread_equal(control_->handle, pthread_self()) != 0) {
    pthread_detach(control_->handle);
    Left::keep(std::move(control_));
    return;
  }
  pthread_join(control_->handle, nullptr);
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

bool Thread::has_what_was_asked() const noexcept {
  return control_ != nullptr && control_->process == getpid() && control_->priority.ok() &&
         control_->cpu.ok() && realtime_priority(control_->tid) == control_->priority.asked &&
         (control_->options.cpu < 0 || pinned_cpu(control_->tid) == control_->options.cpu);
}

bool Thread::keep_cpu() {
  const int cpu = control_->options.cpu;
  // No CPU was requested, or it was refused at the beginning, which was reported then.
  if (cpu < 0 || (!control_->cpu.ok() && !control_->lost_cpu)) return true;
  const int now = pinned_cpu(control_->tid);
  if (now == cpu && !control_->lost_cpu) return true;
  control_->cpu = pin(control_->tid, cpu);
  control_->lost_cpu = !control_->cpu.ok();
  return !control_->lost_cpu;
}

}  // namespace takt::os
