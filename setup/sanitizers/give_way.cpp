// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Starts a program in which sched_yield lets less urgent threads run, too.
//
//     give_way PROGRAM [ARGUMENT...]
//
// The sanitizers' run-time libraries have spin locks. A thread that spins for one at a real-time priority
// above that of the holder, on the same CPU, spins for ever, because sched_yield only yields to threads of
// the same priority. So this program intercepts each sched_yield of the program and of its children
// (seccomp), and lets it return after a pause.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

// The numbers of system calls are those of this architecture.
#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "add the architecture's number, see linux/audit.h"
#endif

// Long enough for the holder to finish a critical section of a few instructions, however many threads wait.
constexpr timespec pause{0, 100'000};

pid_t child = 0;

[[noreturn]] void fail(const char * what) {
  std::perror(what);
  std::_Exit(127);
}

// Intercepts sched_yield in this process and its children. Returns the file descriptor at which the kernel
// reports the calls.
int catch_yields() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_yield, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof filter / sizeof *filter, filter};
  const auto install = [&program] {
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  };
  const int caught = install();
  if (caught >= 0 || errno != EACCES) return caught;
  // Without privileges, the process must first give up the possibility of gaining any.
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return install();
}

void answer(int caught) {
  std::vector<seccomp_notif_resp> answers;
  pollfd ready{caught, POLLIN, 0};
  for (bool paused = false; poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0;) {
    seccomp_notif call{};
    if (ioctl(caught, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) break;
    answers.push_back({.id = call.id, .val = 0, .error = 0, .flags = 0});
    if (!paused) nanosleep(&pause, nullptr);
    paused = true;
  }
  // Errors are ignored, because a thread that has ended meanwhile needs no answer.
  for (seccomp_notif_resp & each : answers) ioctl(caught, SECCOMP_IOCTL_NOTIF_SEND, &each);
}

}  // namespace

int main(int argc, char ** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "give_way: name a program\n");
    return 2;
  }
  int number[2];
  int taken[2];
  if (pipe2(number, O_CLOEXEC) != 0 || pipe2(taken, O_CLOEXEC) != 0) fail("give_way: pipe");
  child = fork();
  if (child < 0) fail("give_way: fork");
  if (child == 0) {
    const int caught = catch_yields();
    const int result = caught < 0 ? -errno : caught;
    char done = 0;
    if (write(number[1], &result, sizeof result) != sizeof result || read(taken[0], &done, 1) != 1) {
      fail("give_way: start");
    }
    if (caught >= 0) close(caught);
    execvp(argv[1], argv + 1);
    fail(argv[1]);
  }

  // The other ends of the pipes are closed, so that reading does not block if the child dies.
  close(number[1]);
  close(taken[0]);
  int caught = -1;
  if (read(number[0], &caught, sizeof caught) != sizeof caught) fail("give_way: start");
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (caught >= 0) caught = static_cast<int>(syscall(SYS_pidfd_getfd, process, caught, 0));
  if (caught < 0) {
    std::fprintf(stderr, "give_way: this kernel hands over no system calls; a test that hangs may be "
                         "a spin lock of the sanitizer\n");
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction pass_on {};
    pass_on.sa_handler = [](int number) { kill(child, number); };
    sigaction(signal, &pass_on, nullptr);
  }
  // A priority above all threads that might spin. Without the right to it, answers take longer.
  const sched_param priority{.sched_priority = 98};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  if (write(taken[1], "", 1) != 1) fail("give_way: start");

  pollfd watched[] = {{process, POLLIN, 0}, {caught, POLLIN, 0}};
  while ((watched[0].revents & POLLIN) == 0) {
    if (poll(watched, 2, -1) < 0 && errno != EINTR) fail("give_way: poll");
    if ((watched[1].revents & POLLIN) != 0) answer(caught);
    if ((watched[1].revents & (POLLHUP | POLLERR)) != 0) watched[1].fd = -1;
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
