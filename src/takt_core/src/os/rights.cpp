// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/rights.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "capability.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

std::string refused_fifo(int priority, int error) {
  // The same line for every priority, so that it is logged only once.
  const std::string what = "SCHED_FIFO refused: ";
  if (error != EPERM) {
    return what + std::strerror(error);
  }
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  if (!capable(CAP_SYS_NICE) && limit.rlim_cur < static_cast<rlim_t>(priority)) {
    return what + "the limit of real-time priorities is " + text(limit.rlim_cur) +
           "; raise it with `sudo prlimit --rtprio=99 --pid $$` and start again, or for good with "
           "`USER - rtprio 99` in /etc/security/limits.d/takt.conf";
  }
  return what +
         "the process has the right, but its control group has no real-time runtime; move it to "
         "the "
         "root group or write to cpu.rt_runtime_us of its group";
}

std::string list(const std::vector<int> & cpus) {
  std::string result;
  for (const int cpu : cpus) {
    result += (result.empty() ? "" : ",") + std::to_string(cpu);
  }
  return result;
}

// Confines the thread to exactly these CPUs. Returns an error number, 0 if all were granted.
int confine_to(int tid, const std::vector<int> & cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return EINVAL;
    CPU_SET(static_cast<unsigned>(cpu), &set);
  }
  cpu_set_t before;
  CPU_ZERO(&before);
  if (sched_getaffinity(tid, sizeof before, &before) != 0) return errno;
  if (sched_setaffinity(tid, sizeof set, &set) != 0) return errno;
  // The kernel silently leaves out CPUs that it does not have.
  cpu_set_t now;
  CPU_ZERO(&now);
  if (sched_getaffinity(tid, sizeof now, &now) != 0) return errno;
  if (CPU_EQUAL(&set, &now)) return 0;
  sched_setaffinity(tid, sizeof before, &before);
  return EINVAL;
}

std::string refused_cpus(const std::vector<int> & cpus, int error) {
  return "CPU " + list(cpus) + " refused: " + std::strerror(error) +
         "; this process may use CPUs " + list(allowed_cpus()) + " (see taskset, cpuset)";
}

}  // namespace

Granted set_fifo(int tid, int priority) {
  const int before = sched_getscheduler(tid);
  // Only root may clear this flag once it is set.
  const int keep = before < 0 ? 0 : before & SCHED_RESET_ON_FORK;
  sched_param parameters{};
  parameters.sched_priority = priority;
  const int policy = priority > 0 ? SCHED_FIFO : SCHED_OTHER;
  const int error = sched_setscheduler(tid, policy | keep, &parameters) == 0 ? 0 : errno;
  Granted result{priority, realtime_priority(tid), {}};
  if (error != 0 && result.granted != priority) {
    result.error = priority > 0 ? refused_fifo(priority, error)
                                : std::string("SCHED_OTHER refused: ") + std::strerror(error);
  }
  return result;
}

Granted set_idle(int tid) {
  const int before = sched_getscheduler(tid);
  const int keep = before < 0 ? 0 : before & SCHED_RESET_ON_FORK;
  const sched_param parameters{};
  const bool done = sched_setscheduler(tid, SCHED_IDLE | keep, &parameters) == 0;
  Granted result{1, done ? 1 : 0, {}};
  if (!done) result.error = std::string("SCHED_IDLE refused: ") + std::strerror(errno);
  return result;
}

Granted give_up_realtime() {
  Granted result{1, 0, {}};
  const rlimit none{0, 0};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  bool done = setrlimit(RLIMIT_RTPRIO, &none) == 0 && syscall(SYS_capget, &header, data) == 0;
  if (done) {
    auto & sets = data[CAP_TO_INDEX(CAP_SYS_NICE)];
    const auto without = ~static_cast<std::uint32_t>(CAP_TO_MASK(CAP_SYS_NICE));
    sets.effective &= without;
    sets.permitted &= without;
    sets.inheritable &= without;
    done = syscall(SYS_capset, &header, data) == 0;
  }
  if (done) {
    result.granted = 1;
  } else {
    result.error = std::string("real-time rights could not be given up: ") + std::strerror(errno);
  }
  return result;
}

Granted pin(int tid, int cpu) {
  const int error = confine_to(tid, {cpu});
  Granted result{cpu, pinned_cpu(tid), {}};
  if (error != 0 && result.granted != cpu) result.error = refused_cpus({cpu}, error);
  return result;
}

Granted confine(int tid, const std::vector<int> & cpus) {
  const int error = confine_to(tid, cpus);
  const int count = static_cast<int>(cpus.size());
  Granted result{count, error == 0 ? count : 0, {}};
  if (error != 0) result.error = refused_cpus(cpus, error);
  return result;
}

std::vector<int> allowed_cpus(int tid) {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(tid, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

}  // namespace takt::os
