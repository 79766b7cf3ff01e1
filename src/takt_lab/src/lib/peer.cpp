// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "peer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <takt/stock_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/thread.hpp>
#include <utility>

#include "error.hpp"

namespace takt::lab {
namespace {

using model::Time;

constexpr model::Duration starting = 30'000'000'000;
constexpr model::Duration answering = 10'000'000'000;
constexpr model::Duration ending = 2'000'000'000;
constexpr model::Duration again = 2'000'000;
constexpr const char * ready_line = "ready";
constexpr const char * told = "counts";

/// Creates a pipe that other programs do not inherit.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
  }
  return ends;
}

}  // namespace

Peer::Peer(std::string role, const std::vector<std::string> & arguments, Interrupt & interrupt)
    : role_(std::move(role)) {
  const std::array<int, 2> to = make_pipe();
  const std::array<int, 2> from = make_pipe();
  // The name by which the executable is started selects the program.
  std::vector<std::string> all = {program_invocation_short_name, "--peer", role_};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string & argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  // The other process does not inherit the signal mask, because this process receives signals itself.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  // Writing to a process that has ended must return an error instead of ending this one by SIGPIPE.
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error =
      posix_spawn(&pid_, "/proc/self/exe", &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(to[0]);
  ::close(from[1]);
  commands_ = to[1];
  answers_ = from[0];
  if (error != 0) {
    ::close(commands_);
    ::close(answers_);
    throw Error("the " + role_ + " cannot be started: " + std::strerror(error));
  }
  try {
    // Other lines are skipped, because libraries may write to standard output, too.
    const Time limit = os::now() + starting;
    while (read_line(limit - os::now()) != ready_line) {
      if (interrupt.raised()) throw Error("interrupted; there is no result");
    }
  } catch (...) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(commands_);
    ::close(answers_);
    throw;
  }
}

Peer::~Peer() {
  ::kill(pid_, SIGCONT);
  ::close(commands_);
  const Time limit = os::now() + ending;
  while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (os::now() > limit) ::kill(pid_, SIGKILL);
    os::sleep_until(os::now() + again);
  }
  ::close(answers_);
}

PeerCounts Peer::ask(char what) {
  const std::array<char, 2> line = {what, '\n'};
  if (::write(commands_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw Error("the " + role_ + " process has ended: " + std::strerror(errno));
  }
  const Time limit = os::now() + answering;
  for (;;) {
    const std::string answer = read_line(limit - os::now());
    // Other lines are skipped, because libraries may write to standard output, too.
    std::istringstream words(answer);
    std::string first;
    PeerCounts counts;
    if (words >> first >> counts.times >> counts.bytes && first == told) return counts;
  }
}

std::string Peer::read_line(model::Duration patience) {
  const Time limit = os::now() + patience;
  for (;;) {
    if (const auto end = text_.find('\n'); end != std::string::npos) {
      std::string line = text_.substr(0, end);
      text_.erase(0, end + 1);
      return line;
    }
    const model::Duration left = limit - os::now();
    if (left <= 0) throw Error("the " + role_ + " process does not answer");
    pollfd ready_to_read{.fd = answers_, .events = POLLIN, .revents = 0};
    if (::poll(&ready_to_read, 1, static_cast<int>(left / 1'000'000) + 1) <= 0) continue;
    std::array<char, 256> piece{};
    const ssize_t got = ::read(answers_, piece.data(), piece.size());
    if (got == 0) throw Error("the " + role_ + " process has ended unexpectedly");
    if (got > 0) text_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void Peer::stop() {
  ::kill(pid_, SIGSTOP);
  wait_for_state(WSTOPPED, "stop");
}

void Peer::go_on() {
  ::kill(pid_, SIGCONT);
  wait_for_state(WCONTINUED, "go on");
}

void Peer::wait_for_state(int options, const char * what) {
  const Time limit = os::now() + answering;
  for (siginfo_t info{}; os::now() < limit; os::sleep_until(os::now() + again)) {
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, options | WNOHANG);
    if (info.si_pid == pid_) return;
  }
  throw Error("the " + role_ + " process does not " + what);
}

void serve_peer(const std::function<void(bool)> & act, const std::function<PeerCounts()> & counts) {
  std::puts(ready_line);
  std::fflush(stdout);
  for (int what = 0; (what = std::getchar()) != EOF;) {
    if (what == '0' || what == '1') act(what == '1');
    if (what == '\n') continue;
    const PeerCounts now = counts();
    std::printf("%s %" PRIu64 " %" PRIu64 "\n", told, now.times, now.bytes);
    std::fflush(stdout);
  }
}

void serve_peer(const std::shared_ptr<Node> & node, const std::function<void(bool)> & act,
                const std::function<PeerCounts()> & counts) {
  StockExecutor executor;
  executor.add_node(node);
  const os::Thread spin({.name = "lab.peer"}, [&] { executor.spin(); });
  serve_peer(act, counts);
  executor.cancel();
}

void end_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // If the parent ended before this call, no signal is sent, but the pipe is closed.
}

}  // namespace takt::lab
