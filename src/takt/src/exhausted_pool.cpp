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

class Teller {
 public:
  Teller(Logger logger, std::string whose, PoolRule rule)
      : logger_(std::move(logger)), whose_(std::move(whose)), rule_(rule) {}

  void tell(std::size_t size, std::size_t reserved) {
    if (rule_ == PoolRule::grow && size <= 2 * reserved + a_few) return;
    if (said_.exchange(true, std::memory_order_relaxed)) return;
    if (rule_ == PoolRule::drop) {
      TAKT_WARN(
          logger_,
          "%s: all %zu messages of its pool are in use, so a message was not delivered to readers "
          "inside the process (further ones are only counted): a reader keeps the messages that "
          "it receives",
          whose_.c_str(), size);
    } else {
      TAKT_WARN(
          logger_,
          "%s: its pool has grown from %zu messages to %zu (and will grow further if needed): a "
          "reader keeps the messages that it receives",
          whose_.c_str(), reserved, size);
    }
  }

 private:
  const Logger logger_;
  const std::string whose_;
  const PoolRule rule_;
  std::atomic<bool> said_ = false;
};

}  // namespace

MessagePool::Exhausted tell_of_exhausted_pool(NodeBase & node, const std::string & whose,
                                              PoolRule rule) {
  const auto teller =
      std::make_shared<Teller>(get_logger(rcl_node_get_logger_name(node.rcl_node())), whose, rule);
  return [teller](std::size_t size, std::size_t reserved) { teller->tell(size, reserved); };
}

}  // namespace takt::detail
