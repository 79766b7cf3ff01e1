// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <rcl/graph.h>
#include <rcl/wait.h>

#include <algorithm>

#include "takt/exceptions.hpp"
#include "takt_core/os/clock.hpp"

namespace takt::detail {
namespace {

using namespace std::chrono_literals;

// The longest wait before the condition is evaluated again. It is needed because a change of the graph
// wakes only one of several waiting threads, and a shutdown wakes none.
constexpr Duration longest_wait = 100ms;

class GraphWaitSet {
 public:
  explicit GraphWaitSet(NodeBase & node) : node_(node) {
    check(rcl_wait_set_init(&set_, 0, 1, 0, 0, 0, 0, node.context()->rcl_context(),
                            rcl_get_default_allocator()),
          "cannot make a wait set");
  }
  ~GraphWaitSet() {
    if (rcl_wait_set_fini(&set_) != RCL_RET_OK) take_rcl_error();
  }
  GraphWaitSet(const GraphWaitSet &) = delete;
  GraphWaitSet & operator=(const GraphWaitSet &) = delete;

  void wait(Duration timeout) {
    check(rcl_wait_set_clear(&set_), "cannot clear a wait set");
    check(rcl_wait_set_add_guard_condition(
              &set_, rcl_node_get_graph_guard_condition(node_.rcl_node()), nullptr),
          "cannot wait for the graph");
    const rcl_ret_t code = rcl_wait(&set_, timeout.count());
    if (code == RCL_RET_TIMEOUT) {
      take_rcl_error();
    } else {
      check(code, "cannot wait for the graph");
    }
  }

 private:
  NodeBase & node_;
  rcl_wait_set_t set_ = rcl_get_zero_initialized_wait_set();
};

}  // namespace

bool wait_for_graph(NodeBase & node, Duration timeout, const std::function<bool()> & condition) {
  try {
    if (condition()) return true;
    const os::Time begin = os::now();
    GraphWaitSet set(node);
    while (node.context()->is_valid()) {
      Duration rest = longest_wait;
      if (timeout >= Duration::zero()) {
        rest = std::min(rest, timeout - Duration(os::now() - begin));
        if (rest <= Duration::zero()) break;
      }
      set.wait(rest);
      if (condition()) return true;
    }
  } catch (const RclError &) {
    // A failure because of a concurrent shutdown ends the wait; it is not an error.
    if (node.context()->is_valid()) throw;
  }
  return false;
}

}  // namespace takt::detail
