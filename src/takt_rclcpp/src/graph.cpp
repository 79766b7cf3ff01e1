// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <rcl/error_handling.h>
#include <rcl/graph.h>
#include <rcl/publisher.h>
#include <rmw/rmw.h>

#include <algorithm>
#include <chrono>
#include <rcl_interfaces/msg/parameter_event.hpp>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <string_view>
#include <thread>

#include "takt_core/tasks/middlewares.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;

/// The longest wait for the graph, enough for any machine. It is limited, because the middleware's thread
/// may have ended.
constexpr auto patience = 2s;
constexpr auto pause = 200us;

/// The namespace of markers; the underscore hides their topics from tools.
constexpr std::string_view marker_space = "/_takt/";

bool is_immediate() {
  return tasks::graph_is_immediate(rmw_get_implementation_identifier());
}

std::vector<std::string> published(Graph::Node & node) {
  std::vector<std::string> topics;
  rcl_names_and_types_t names = rcl_get_zero_initialized_names_and_types();
  rcl_allocator_t allocator = rcl_get_default_allocator();
  if (rcl_get_publisher_names_and_types_by_node(node.get_rcl_node_handle(), &allocator, false,
                                                node.get_name(), node.get_namespace(),
                                                &names) != RCL_RET_OK) {
    rcl_reset_error();
    return topics;
  }
  for (std::size_t i = 0; i < names.names.size; ++i) topics.emplace_back(names.names.data[i]);
  if (rcl_names_and_types_fini(&names) != RCL_RET_OK) rcl_reset_error();
  return topics;
}

/// A publisher on a topic of a unique name.
class Marker {
 public:
  explicit Marker(Graph::Node & node)
      : node_(*node.get_rcl_node_handle()), publisher_(rcl_get_zero_initialized_publisher()) {
    static std::atomic<unsigned> count = 0;
    const std::string name = std::string(marker_space) + "marker_" + std::to_string(count++);
    const rcl_publisher_options_t options = rcl_publisher_get_default_options();
    const auto * type = rosidl_typesupport_cpp::get_message_type_support_handle<
        rcl_interfaces::msg::ParameterEvent>();
    if (rcl_publisher_init(&publisher_, &node_, type, name.c_str(), &options) != RCL_RET_OK) {
      rcl_reset_error();
      return;
    }
    topic_ = rcl_publisher_get_topic_name(&publisher_);
  }
  ~Marker() {
    if (!topic_.empty() && rcl_publisher_fini(&publisher_, &node_) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  Marker(const Marker &) = delete;
  Marker & operator=(const Marker &) = delete;

  /// The topic; empty if the publisher could not be created, for example after the shutdown.
  const std::string & topic() const noexcept { return topic_; }

 private:
  rcl_node_t & node_;
  rcl_publisher_t publisher_;
  std::string topic_;
};

}  // namespace

std::vector<std::string> Graph::published_by(Node & node) {
  if (!is_immediate()) catch_up(node);
  std::vector<std::string> topics = published(node);
  std::erase_if(topics, [](const auto & topic) { return topic.starts_with(marker_space); });
  return topics;
}

void Graph::catch_up(Node & node) {
  const os::Lock lock(mutex_);
  const std::uint64_t version = version_.load();  // later publishers are not waited for
  if (included_version_ == version) return;
  const Marker marker(node);
  if (marker.topic().empty()) return;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    const std::vector<std::string> topics = published(node);
    if (std::find(topics.begin(), topics.end(), marker.topic()) != topics.end()) {
      included_version_ = version;
      return;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace takt::rclcpp
