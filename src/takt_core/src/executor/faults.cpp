// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <utility>

#include "takt_core/os/lock.hpp"

namespace takt::executor {
namespace {

std::string what(const std::exception_ptr & exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception & error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

Faults::Faults(OnException rule, Log & log, std::function<std::string(TaskId)> name,
               std::function<void()> stop)
    : rule_(rule), log_(log), name_(std::move(name)), stop_(std::move(stop)) {}

void Faults::caught(TaskId task) noexcept {
  handle("callback '" + name_(task) + "'");
}

void Faults::caught_in_handler() noexcept {
  handle("a handler of misses, overruns or budgets");
}

void Faults::handle(const std::string & where) {
  count_.fetch_add(1, std::memory_order_relaxed);
  const auto line = [&where](const char * so) {
    return "exception in " + where + so + ": " + what(std::current_exception());
  };
  switch (rule_) {
    case OnException::terminate:
      log_.write(line(""));  // at once: a stored line would be lost
      std::terminate();
    case OnException::report:
      log_.write_later(line(""));
      break;
    case OnException::rethrow: {
      // Logged, too, since the exception that spin() rethrows does not tell which callback it is
      // from.
      log_.write_later(line(", which ends spin()"));
      {
        const os::Lock lock(mutex_);
        if (first_ == nullptr) first_ = std::current_exception();
      }
      stop_();
      break;
    }
  }
}

std::exception_ptr Faults::take() noexcept {
  const os::Lock lock(mutex_);
  return std::exchange(first_, nullptr);
}

}  // namespace takt::executor
