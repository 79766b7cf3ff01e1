// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What components can still do when the container is asked to end, and by which signals it is
// asked.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <test_msgs/srv/empty.hpp>
#include <vector>

#include "testing/container.hpp"
#include "testing/pipe.hpp"

namespace takt::rclcpp {
namespace {

using testing::ContainerTest;
using testing::LoadNode;
using Empty = test_msgs::srv::Empty;
using Message = std_msgs::msg::UInt64;

/// A container with the lifecycle node `Motor`, and counts of what that node publishes.
class ContainerEndTest : public ContainerTest {
 protected:
  void start_motor(const std::vector<std::string> & parameters,
                   const std::vector<::rclcpp::Parameter> & of_motor = {}) {
    start_container(parameters);
    node_ = make_node("asks");
    subscription_ =
        node_->create_subscription<Message>("motor/speed", 100, [this](const Message & message) {
          (message.data == 100 ? running_ : message.data == 2 ? braked_ : after_).add(1);
          if (message.data == 100 && braked_.get() > 0) after_.add(1);
        });
    brake_ = node_->create_service<Empty>(
        "brake", [](const Empty::Request::SharedPtr &, const Empty::Response::SharedPtr &) {});
    loader_ = node_->create_client<LoadNode>("/ComponentManager/_container/load_node");
    executor_->add_node(node_);
    start();
    ASSERT_TRUE(known(*loader_, no_component()));
    const auto response = load(*loader_, "takt_test::Motor", "", of_motor);
    ASSERT_NE(response, nullptr);
    ASSERT_TRUE(response->success) << response->error_message;
    ASSERT_TRUE(running_.wait_for_at_least(3));
  }

  ::rclcpp::Node::SharedPtr node_;
  testing::Watched<int> running_;
  testing::Watched<int> braked_;
  testing::Watched<int> after_;
  ::rclcpp::Subscription<Message>::SharedPtr subscription_;
  ::rclcpp::Service<Empty>::SharedPtr brake_;
  ::rclcpp::Client<LoadNode>::SharedPtr loader_;
};

TEST_F(ContainerEndTest, ALifecycleNodeStopsItsMotorBeforeTheShutdown) {
  start_motor({});
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  EXPECT_TRUE(braked_.wait_for_at_least(1)) << said();
  stop();
  EXPECT_EQ(after_.get(), 0);
}

TEST_F(ContainerEndTest, ACallbackThatDoesNotReturnIsNotWaitedFor) {
  start_motor({"pre_shutdown_limit:=2.5"}, {{"hangs", true}});
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_THAT(said(), ::testing::HasSubstr("within 2.5 s: a pre-shutdown callback"));
  EXPECT_TRUE(braked_.wait_for_at_least(1));
  stop();
}

// As if the pre-shutdown callback and another callback waited for the same mutex.
TEST_F(ContainerEndTest, NeitherIsOneBesideAnotherCallbackThatDoesNotReturn) {
  testing::Pipe pipe(file_ + ".pipe");
  start_motor({"pre_shutdown_limit:=0.3"}, {{"hangs", true}});
  const auto response = load(*loader_, "takt_test::Stuck", "", {{"pipe", pipe.path()}});
  ASSERT_NE(response, nullptr);
  ASSERT_TRUE(pipe.holds());
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_THAT(said(), ::testing::HasSubstr("although these have not returned within 0.3 s: a "
                                           "pre-shutdown callback, callback 'stuck/timer:50ms'\n"));
  stop();
}

TEST_F(ContainerEndTest, ACallbackThatThrowsIsToldWithWhatItThrew) {
  const std::string told =
      "takt_component_container: a pre-shutdown callback of a component has thrown: ";
  for (const bool number : {false, true}) {
    start_motor({}, {{"throws", number ? "number" : "the brake is broken"}});
    const int status = end(SIGINT);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
    EXPECT_THAT(said(), ::testing::HasSubstr(
                            told + (number ? "an unknown exception\n" : "the brake is broken\n")));
    stop();
    executor_->remove_node(node_);
  }
}

TEST_F(ContainerEndTest, SoItIsWhereAnotherCallbackHasEndedSpinning) {
  start_motor({}, {{"throws", "the brake is broken"}});
  auto request = std::make_shared<LoadNode::Request>(no_component());
  request->plugin_name = "takt_test::Faulty";
  loader_->async_send_request(request);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_THAT(said(),
              ::testing::AllOf(::testing::HasSubstr("'faulty/timer:5ms', which ends spin()"),
                               ::testing::HasSubstr("has thrown: the brake is broken")));
  stop();
}

/// The number of threads that a process has, and whether it handles SIGINT.
struct Stage {
  std::size_t threads = 0;
  bool handles = false;
};
Stage stage_of(pid_t process) {
  Stage stage;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    if (word == "Threads:") status >> stage.threads;
    if (word == "SigCgt:" && status >> word) {
      stage.handles = (std::stoull(word, nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
    }
  }
  return stage;
}

TEST_F(ContainerEndTest, ASignalWhileItBeginsIsNoFault) {
  // The signal comes a little later each time: when the container has one more thread than before.
  for (std::size_t threads = 1; threads <= 14; ++threads) {
    start_container({});
    EXPECT_TRUE(testing::eventually([&] {
      const Stage stage = stage_of(pid_);
      const bool begun = said().find("schedules by") != std::string::npos;
      return stage.handles && (stage.threads >= threads || begun);
    }));
    const int status = end(SIGINT);
    EXPECT_EQ(status, 0) << threads << " " << said();
  }
}

TEST_F(ContainerEndTest, SignalsThatComeTogetherAreOneAndAHangupIsOne) {
  start_motor({});
  kill(pid_, SIGHUP);
  kill(pid_, SIGINT);
  const int status = end(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
