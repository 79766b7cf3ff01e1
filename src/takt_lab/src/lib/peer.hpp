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

/// The number of actions of another process since it began, and their bytes.
struct PeerCounts {
  std::uint64_t times = 0;
  std::uint64_t bytes = 0;
};

/// A second process of this program that acts beside this one. It is controlled by a pipe and reports its
/// counts by another. It ends when the thread that started it ends, for whatever reason. One thread at a
/// time.
class Peer {
 public:
  /// Starts the process and waits until it is ready, for at most 30 s. Throws Error.
  Peer(std::string role, const std::vector<std::string> & arguments, Interrupt & interrupt);
  /// Ends the process by closing its input, or by SIGKILL if it has not ended after 2 s.
  ~Peer();
  Peer(const Peer &) = delete;
  Peer & operator=(const Peer &) = delete;

  const std::string & role() const noexcept { return role_; }
  pid_t pid() const noexcept { return pid_; }
  // The functions below block until the process has answered, and throw Error if it has not within 10 s.

  /// Returns the counts.
  PeerCounts counts() { return ask('?'); }
  /// Switches the activity of the process on or off, and returns the counts.
  PeerCounts act(bool on) { return ask(on ? '1' : '0'); }
  /// Stops the process by SIGSTOP, and returns once the kernel confirms that. It does not answer until
  /// go_on().
  void stop();
  /// Continues the process, and returns once the kernel confirms that.
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

/// The counterpart in the other process: reports that it is ready, and answers until its input ends. Blocks.
void serve_peer(const std::function<void(bool)> & act, const std::function<PeerCounts()> & counts);
/// Does the same while the node spins.
void serve_peer(const std::shared_ptr<Node> & node, const std::function<void(bool)> & act,
                const std::function<PeerCounts()> & counts);
/// To be called first in the other process: makes it end when the thread that started it ends.
void end_with_parent();

}  // namespace takt::lab
