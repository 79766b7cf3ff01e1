// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "started_threads.hpp"

#include <unistd.h>

#include <utility>
#include <vector>

#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {

void StartedThreads::look() {
  const int program = getpid();
  const std::vector<int> cpus = os::allowed_cpus(program);
  std::set<int> present;
  // If the whole process is confined to one CPU, there is no other one to give them.
  if (cpus.size() > 1) {
    for (const os::ThreadInfo & thread : os::threads_of_process()) {
      if (thread.own || thread.tid == program || thread.cpu != cpu_ || thread.priority > 0)
        continue;
      present.insert(thread.tid);
      // Not at its first sight: a thread sets its name and its CPUs only after it has begun. Until
      // then, and usually for good, it has the name of the worker that started it.
      if (!known_.contains(thread.tid)) continue;
      if (widen_ && os::confine(thread.tid, cpus).ok()) continue;
      if (!logged_names_.insert(thread.name).second) continue;
      const std::string which = thread.name.starts_with("takt.")
                                    ? unnamed_thread(thread.name) + ", "
                                    : "thread '" + thread.name + "' ";
      log_.write(which + "may run on CPU " + std::to_string(cpu_) +
                 " alone, the executor's, as threads that a callback starts inherit its CPU, and "
                 "gets only the time that callbacks leave: start it outside of callbacks, give it "
                 "other CPUs (pthread_setaffinity_np), or set the executor's option "
                 "widen_started_threads");
    }
  }
  known_ = std::move(present);
}

}  // namespace takt::executor
