// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A component whose callback does not return delays nothing else in the container.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <composition_interfaces/srv/list_nodes.hpp>
#include <composition_interfaces/srv/unload_node.hpp>
#include <cstdint>
#include <future>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "testing/container.hpp"
#include "testing/pipe.hpp"

namespace takt::rclcpp {
namespace {

using composition_interfaces::srv::ListNodes;
using composition_interfaces::srv::UnloadNode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::LoadNode;
using testing::Pipe;
using Message = std_msgs::msg::UInt64;
using Ids = std::vector<std::uint64_t>;

class StuckComponentTest : public testing::ContainerTest {
 protected:
  void start_with(const std::string & timeout) {
    start_container({"callback_timeout:=" + timeout});
    executor_->add_node(node_);
    start();
    ASSERT_TRUE(known(*loader_, no_component()));
    ASSERT_TRUE(known(*unloader_, UnloadNode::Request()));
    ASSERT_TRUE(known(*lister_, ListNodes::Request()));
  }
  /// Returns the number of the loaded component; 0 if it could not be loaded.
  std::uint64_t load_stuck(const std::string & name, const Pipe & pipe, int period_ms) {
    const auto response =
        load(*loader_, "takt_test::Stuck", name, {{"pipe", pipe.path()}, {"period_ms", period_ms}});
    return response != nullptr && response->success ? response->unique_id : 0;
  }
  std::uint64_t load_counter() {
    const auto response = load(*loader_);
    return response != nullptr && response->success ? response->unique_id : 0;
  }
  using Answer = std::shared_future<UnloadNode::Response::SharedPtr>;
  Answer unload(std::uint64_t id) {
    const auto request = std::make_shared<UnloadNode::Request>();
    request->unique_id = id;
    return unloader_->async_send_request(request).future.share();
  }
  /// Returns the error of an unload request; "" if the component has been unloaded.
  static std::string error_of(const Answer & answer) {
    if (answer.wait_for(testing::patience) != std::future_status::ready) return "no answer";
    EXPECT_EQ(answer.get()->success, answer.get()->error_message.empty());
    return answer.get()->error_message;
  }
  Ids list() {
    auto answer = lister_->async_send_request(std::make_shared<ListNodes::Request>());
    if (answer.wait_for(testing::patience) != std::future_status::ready) return {};
    return answer.get()->unique_ids;
  }
  bool comes_to(const Ids & ids) {
    return testing::eventually([&] { return list() == ids; });
  }

  void ends_without_it(int signal) {
    const int status = end(signal);
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_THAT(said(), HasSubstr("takt_component_container: terminates although these have not "));
    EXPECT_THAT(said(), HasSubstr(" s: callback 'a/timer:50ms'\n"));
    stop();
  }

  const ::rclcpp::Node::SharedPtr node_ = make_node("asks");
  const ::rclcpp::Client<LoadNode>::SharedPtr loader_ =
      node_->create_client<LoadNode>("/ComponentManager/_container/load_node");
  const ::rclcpp::Client<UnloadNode>::SharedPtr unloader_ =
      node_->create_client<UnloadNode>("/ComponentManager/_container/unload_node");
  const ::rclcpp::Client<ListNodes>::SharedPtr lister_ =
      node_->create_client<ListNodes>("/ComponentManager/_container/list_nodes");
};

TEST_F(StuckComponentTest, HoldsUpNeitherOthersNorWhoUnloadsIt) {
  Pipe first(file_ + ".first");
  Pipe second(file_ + ".second");
  start_with("0.2");
  const std::uint64_t a = load_stuck("a", first, 50);
  ASSERT_NE(a, 0U);
  ASSERT_TRUE(first.holds());
  EXPECT_THAT(error_of(unload(a)), AllOf(HasSubstr("'/a'"), HasSubstr("'a/timer:50ms'")));
  // Others are loaded, run and are unloaded. A second component of the same name gets stuck as
  // well.
  const std::uint64_t again = load_stuck("a", second, 20);
  ASSERT_NE(again, 0U);
  const std::uint64_t counter = load_counter();
  ASSERT_NE(counter, 0U);
  EXPECT_EQ(list(), (Ids{again, counter, a}));
  EXPECT_EQ(error_of(unload(counter)), "");
  if (executor_->grants().realtime) {
    ASSERT_TRUE(second.holds());
    EXPECT_THAT(error_of(unload(again)), HasSubstr("'a/timer:20ms'"));
  } else {
    // Without real-time rights, no callback starts while another one is stuck.
    EXPECT_EQ(error_of(unload(again)), "");
  }
  // A second request to unload it gets the same answer.
  EXPECT_THAT(error_of(unload(a)), HasSubstr("'a/timer:50ms'"));
  // It is destroyed when its callback returns, whatever else is stuck.
  first.let_go();
  const bool both = executor_->grants().realtime;
  EXPECT_TRUE(comes_to(both ? Ids{again} : Ids{}));
  EXPECT_THAT(error_of(unload(a)), HasSubstr("No node found"));
  second.let_go();
  EXPECT_TRUE(comes_to({}));
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(StuckComponentTest, IsUnloadedWhenItsCallbackReturnsInTime) {
  Pipe pipe(file_ + ".pipe");
  testing::Watched<std::uint64_t> beats;
  const auto subscription = node_->create_subscription<Message>(
      "/a/beat", ::rclcpp::QoS(1).transient_local(),
      [&](const Message & message) { beats.set(message.data); });
  start_with("600");
  const std::uint64_t a = load_stuck("a", pipe, 50);
  ASSERT_TRUE(pipe.holds());
  EXPECT_TRUE(beats.wait_for_at_least(1));
  const auto answer = unload(a);
  const auto another = unload(a);
  EXPECT_EQ(list(), (Ids{a}));
  const std::uint64_t last = beats.get();
  // Meanwhile other requests are served. None of its own callbacks starts; one message may still
  // arrive.
  const std::uint64_t counter = load_counter();
  ASSERT_NE(counter, 0U);
  EXPECT_EQ(list(), (Ids{counter, a}));
  EXPECT_EQ(answer.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  pipe.let_go();
  EXPECT_EQ(error_of(answer), "");
  EXPECT_EQ(error_of(another), "");
  EXPECT_EQ(list(), (Ids{counter}));
  EXPECT_LE(beats.get(), last + 1);
  const int status = end(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(StuckComponentTest, TheContainerEndsWithoutIt) {
  Pipe pipe(file_ + ".pipe");
  start_with("1");
  ASSERT_NE(load_stuck("a", pipe, 50), 0U);
  ASSERT_NE(load_counter(), 0U);
  ASSERT_TRUE(pipe.holds());
  ends_without_it(SIGINT);
}

TEST_F(StuckComponentTest, TheContainerEndsWithoutOneThatIsToGo) {
  Pipe pipe(file_ + ".pipe");
  start_with("0.2");
  const std::uint64_t a = load_stuck("a", pipe, 50);
  ASSERT_NE(a, 0U);
  ASSERT_TRUE(pipe.holds());
  EXPECT_THAT(error_of(unload(a)), HasSubstr("'a/timer:50ms'"));
  ends_without_it(SIGTERM);
}

}  // namespace
}  // namespace takt::rclcpp
