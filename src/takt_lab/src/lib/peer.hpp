// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <takt/node.hpp>
#include <takt_core/model/types.hpp>
#include <vector>

#include "interrupt.hpp"

namespace takt::lab {

/// What a process beside has done since it began.
struct PeerCounts {
  std::uint64_t times = 0;
  std::uint64_t bytes = 0;
};

/// This program once more, as a process that acts beside this one: it is told when to by a pipe, and
/// tells by another what it has done. It ends with the thread that started it, whatever becomes of
/// that. One thread at a time.
class Peer {
 public:
  /// Starts it and waits until it is there, half a minute at most. Throws Error.
  Peer(std::string role, const std::vector<std::string> & arguments, Interrupt & interrupt);
  /// Ends it by the end of its input, or by SIGKILL if it has not gone after two seconds.
  ~Peer();
  Peer(const Peer &) = delete;
  Peer & operator=(const Peer &) = delete;

  const std::string & role() const noexcept { return role_; }
  pid_t pid() const noexcept { return pid_; }
  /// What follows blocks until it has answered, and throws Error if it does not within ten seconds.
  PeerCounts counts() { return ask('?'); }
  PeerCounts act(bool on) { return ask(on ? '1' : '0'); }
  /// Returns once the kernel says that it is stopped, by SIGSTOP. It answers nothing until go_on().
  void stop();
  /// Returns once the kernel says that it goes on.
  void go_on();

 private:
  PeerCounts ask(char what);
  std::string read_line(model::Duration patience);
  void wait_for_state(int options, const char * what);

  std::string role_;
  pid_t pid_ = 0;
  int commands_ = -1;
  int answers_ = -1;
  std::string text_;
};

/// The other end, in the process that acts: tells that it is there, and answers until its input
/// ends. Blocks.
void serve_peer(const std::function<void(bool)> & act, const std::function<PeerCounts()> & counts);
/// The same, and meanwhile this node spins.
void serve_peer(const std::shared_ptr<Node> & node, const std::function<void(bool)> & act,
                const std::function<PeerCounts()> & counts);
/// To be called first there: it ends with who started it.
void end_with_parent();

}  // namespace takt::lab
