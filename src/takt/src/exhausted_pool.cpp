// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "exhausted_pool.hpp"

#include <rcl/node.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "takt/logging.hpp"

namespace takt::detail {
namespace {

constexpr std::size_t a_few = 8;

class ExhaustionWarning {
 public:
  ExhaustionWarning(Logger logger, std::string owner, PoolRule rule)
      : logger_(std::move(logger)), owner_(std::move(owner)), rule_(rule) {}

  void warn(std::size_t size, std::size_t reserved) {
    if (rule_ == PoolRule::grow && size <= 2 * reserved + a_few) return;
    if (warned_.exchange(true, std::memory_order_relaxed)) return;
    if (rule_ == PoolRule::drop) {
      TAKT_WARN(
          logger_,
          "%s: all %zu messages of its pool are in use, so a message was not delivered to readers "
          "inside the process (further ones are only counted): a reader keeps the messages that "
          "it receives",
          owner_.c_str(), size);
    } else {
      TAKT_WARN(
          logger_,
          "%s: its pool has grown from %zu messages to %zu (and will grow further if needed): a "
          "reader keeps the messages that it receives",
          owner_.c_str(), reserved, size);
    }
  }

 private:
  const Logger logger_;
  const std::string owner_;
  const PoolRule rule_;
  std::atomic<bool> warned_ = false;
};

}  // namespace

MessagePool::Exhausted exhausted_pool_warning(NodeBase & node, const std::string & owner,
                                              PoolRule rule) {
  const auto warning = std::make_shared<ExhaustionWarning>(
      get_logger(rcl_node_get_logger_name(node.rcl_node())), owner, rule);
  return [warning](std::size_t size, std::size_t reserved) { warning->warn(size, reserved); };
}

}  // namespace takt::detail
