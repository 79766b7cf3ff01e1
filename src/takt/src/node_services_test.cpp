// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_services.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <rcl_interfaces/msg/log.hpp>
#include <rcl_interfaces/srv/describe_parameters.hpp>
#include <rcl_interfaces/srv/get_logger_levels.hpp>
#include <rcl_interfaces/srv/get_parameter_types.hpp>
#include <rcl_interfaces/srv/get_parameters.hpp>
#include <rcl_interfaces/srv/list_parameters.hpp>
#include <rcl_interfaces/srv/set_logger_levels.hpp>
#include <rcl_interfaces/srv/set_parameters.hpp>
#include <rcl_interfaces/srv/set_parameters_atomically.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/logging.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
namespace srv = rcl_interfaces::srv;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using testing::patience;

/// A node with parameters, and another node that calls its services.
class NodeServicesTest : public ::testing::Test {
 protected:
  std::shared_ptr<Node> make(const std::string & name, NodeOptions options = {}) {
    options.context = context_;
    auto node = std::make_shared<Node>(name, options);
    background_.add(node);
    return node;
  }
  template <typename S>
  std::shared_ptr<typename S::Response> ask(const std::string & name, typename S::Request request) {
    const auto client = user_->create_client<S>("/served/" + name);
    EXPECT_TRUE(client->wait_for_service(patience)) << name;
    auto future =
        client->async_send_request(std::make_shared<typename S::Request>(std::move(request)));
    if (future.wait_for(patience) != std::future_status::ready) {
      ADD_FAILURE() << name << " does not answer";
      return std::make_shared<typename S::Response>();
    }
    return future.get();
  }
  SetParametersResult set(const Parameter & parameter) {
    srv::SetParameters::Request request;
    request.parameters.push_back(parameter.to_parameter_msg());
    return ask<srv::SetParameters>("set_parameters", request)->results.at(0);
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  testing::Background<SchedulingExecutor> background_{context_};
  std::shared_ptr<Node> user_ = make("user");
};

TEST_F(NodeServicesTest, ParametersAreServed) {
  const auto node = make("served");
  ParameterDescriptor descriptor;
  descriptor.description = "how strongly it pulls";
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].to_value = 10;
  node->declare_parameter("pid.gain", 0.5, descriptor);
  node->declare_parameter("name", "x");
  background_.start();

  srv::ListParameters::Request list;
  EXPECT_THAT(ask<srv::ListParameters>("list_parameters", list)->result.names,
              IsSupersetOf({"pid.gain", "name", "use_sim_time"}));
  list.prefixes = {"pid"};
  EXPECT_THAT(ask<srv::ListParameters>("list_parameters", list)->result.names,
              ElementsAre("pid.gain"));

  srv::GetParameters::Request get;
  get.names = {"pid.gain", "name"};
  const auto values = ask<srv::GetParameters>("get_parameters", get)->values;
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].double_value, 0.5);
  EXPECT_EQ(values[1].string_value, "x");
  get.names = {"pid.gain", "undeclared"};
  EXPECT_THAT(ask<srv::GetParameters>("get_parameters", get)->values, IsEmpty());

  srv::GetParameterTypes::Request types;
  types.names = {"name", "pid.gain"};
  EXPECT_THAT(ask<srv::GetParameterTypes>("get_parameter_types", types)->types,
              ElementsAre(PARAMETER_STRING, PARAMETER_DOUBLE));

  srv::DescribeParameters::Request describe;
  describe.names = {"pid.gain"};
  const auto descriptors =
      ask<srv::DescribeParameters>("describe_parameters", describe)->descriptors;
  ASSERT_EQ(descriptors.size(), 1U);
  EXPECT_EQ(descriptors[0].description, descriptor.description);
  EXPECT_EQ(descriptors[0].type, PARAMETER_DOUBLE);
}

TEST_F(NodeServicesTest, ParametersAreSetWithinTheirLimits) {
  const auto node = make("served");
  node->declare_parameter("a", 1);
  node->declare_parameter("b", 1);
  std::atomic<bool> in_job{false};
  const auto handle = node->add_on_set_parameters_callback([&](const auto & parameters) {
    in_job = current_job() != nullptr;
    SetParametersResult result;
    result.successful = parameters.front().as_int() != 13;
    result.reason = "13 brings bad luck";
    return result;
  });
  background_.start();

  EXPECT_TRUE(set(Parameter("a", 2)).successful);
  EXPECT_EQ(node->get_parameter("a").as_int(), 2);
  EXPECT_TRUE(in_job);
  EXPECT_EQ(set(Parameter("a", 13)).reason, "13 brings bad luck");
  EXPECT_THAT(set(Parameter("a", "text")).reason, HasSubstr("of type integer"));
  EXPECT_THAT(set(Parameter("c", 1)).reason, HasSubstr("not declared"));
  EXPECT_THAT(set(Parameter("start_type_description_service", false)).reason,
              HasSubstr("read-only"));

  srv::SetParametersAtomically::Request request;
  request.parameters = {Parameter("a", 5).to_parameter_msg(), Parameter("b", 2).to_parameter_msg()};
  EXPECT_TRUE(
      ask<srv::SetParametersAtomically>("set_parameters_atomically", request)->result.successful);
  request.parameters = {Parameter("a", 6).to_parameter_msg(), Parameter("c", 2).to_parameter_msg()};
  EXPECT_FALSE(
      ask<srv::SetParametersAtomically>("set_parameters_atomically", request)->result.successful);
  EXPECT_EQ(node->get_parameter("a").as_int(), 5);
  request.parameters[0].value.type = 77;
  EXPECT_FALSE(
      ask<srv::SetParametersAtomically>("set_parameters_atomically", request)->result.successful);
}

TEST_F(NodeServicesTest, ChangesAreToldOnParameterEvents) {
  std::mutex mutex;
  std::vector<rcl_interfaces::msg::ParameterEvent> events;
  const auto subscription = user_->create_subscription<rcl_interfaces::msg::ParameterEvent>(
      "/parameter_events", parameter_events_qos(),
      [&](const rcl_interfaces::msg::ParameterEvent & event) {
        const std::lock_guard lock(mutex);
        if (event.node == "/served") events.push_back(event);
      });
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return events.size();
  };
  background_.start();
  const auto node = make("served");
  const std::size_t before = 2;  // use_sim_time, start_type_description_service
  ASSERT_TRUE(eventually([&] { return count() == before; }));
  ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  node->declare_parameter("x", 1, dynamic);
  node->set_parameter(Parameter("x", 2));
  node->undeclare_parameter("x");
  ASSERT_TRUE(eventually([&] { return count() == before + 3; }));
  EXPECT_EQ(events[before].new_parameters.at(0).value.integer_value, 1);
  EXPECT_EQ(events[before + 1].changed_parameters.at(0).value.integer_value, 2);
  EXPECT_EQ(events[before + 2].deleted_parameters.at(0).name, "x");
  EXPECT_GT(events[before].stamp.sec, 0);
}

TEST_F(NodeServicesTest, AServedNodeMayGoAtAnyTime) {
  background_.start();
  for (int i = 0; i < 10; ++i) {
    auto node = make("served");
    node->declare_parameter("x", 1);
    const auto client = user_->create_client<srv::GetParameters>("/served/get_parameters");
    auto request = std::make_shared<srv::GetParameters::Request>();
    request->names = {"x"};
    ASSERT_TRUE(client->wait_for_service(patience));
    client->async_send_request(request);
    node.reset();
  }
}

TEST_F(NodeServicesTest, LevelsOfLoggersAreServedIfAsked) {
  const auto node = make("served", {.enable_logger_service = true});
  background_.start();
  srv::SetLoggerLevels::Request set_levels;
  set_levels.levels.resize(1);
  set_levels.levels[0].name = "served";
  set_levels.levels[0].level = static_cast<std::uint32_t>(Severity::error);
  EXPECT_TRUE(ask<srv::SetLoggerLevels>("set_logger_levels", set_levels)->results.at(0).successful);
  EXPECT_FALSE(node->get_logger().is_enabled(Severity::warn));
  srv::GetLoggerLevels::Request get_levels;
  get_levels.names = {"served"};
  EXPECT_EQ(ask<srv::GetLoggerLevels>("get_logger_levels", get_levels)->levels.at(0).level, 40U);
  Logger("served").set_level(Severity::unset);  // levels outlive contexts
}

TEST_F(NodeServicesTest, MessagesLoggedReachRosout) {
  const auto node = make("served");
  std::atomic<int> seen{0};
  const auto subscription = user_->create_subscription<rcl_interfaces::msg::Log>(
      "/rosout", rosout_qos(), [&](const rcl_interfaces::msg::Log & log) {
        if (log.msg == "direct 1" && log.name == "served") seen |= 1;
        if (log.msg == "from a job" && log.name == "served.child") seen |= 2;
      });
  const Logger child = node->get_logger().get_child("child");
  const auto timer = node->create_timer("log", 10ms, [&] { TAKT_INFO_ONCE(child, "from a job"); });
  background_.start();
  TAKT_INFO(node->get_logger(), "direct %d", 1);
  EXPECT_TRUE(eventually([&] { return seen == 3; }));
}

// ---- parameters from outside --------------------------------------------------------------------

class NodeParametersTest : public ::testing::Test {
 protected:
  NodeParametersTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "takt_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    file_ = folder_ / "parameters.yaml";
  }
  ~NodeParametersTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string & yaml) { std::ofstream(file_) << yaml; }

  std::filesystem::path folder_;
  std::string file_;
};

TEST_F(NodeParametersTest, FileCommandLineNodeArgumentsAndOptionsComeInThisOrder) {
  write(
      "/**:\n  ros__parameters:\n    one: 1\n    two: 1\n    three: 1\n    four: 1\n    "
      "only_file: [1.5, 2.5]\n/ns/robot:\n  ros__parameters:\n    one: 2\n    deep: {er: text}\n"
      "/other:\n  ros__parameters:\n    one: 99\n");
  const auto context = testing::make_context(
      {"program", "--ros-args", "--params-file", file_.c_str(), "-p", "two:=3"});
  Node node("robot", {.context = context,
                      .namespace_ = "ns",
                      .arguments = {"--ros-args", "-p", "three:=4"},
                      .parameter_overrides = {Parameter("four", 5)}});
  EXPECT_EQ(node.declare_parameter("one", 0), 2);
  EXPECT_EQ(node.declare_parameter("two", 0), 3);
  EXPECT_EQ(node.declare_parameter("three", 0), 4);
  EXPECT_EQ(node.declare_parameter("four", 0), 5);
  EXPECT_EQ(node.declare_parameter("deep.er", ""), "text");
  EXPECT_EQ(node.declare_parameter<std::vector<double>>("only_file"), (std::vector{1.5, 2.5}));
  EXPECT_FALSE(node.has_parameter("never_declared"));

  Node deaf("robot", {.context = context, .namespace_ = "ns", .use_global_arguments = false});
  EXPECT_EQ(deaf.declare_parameter("one", 0), 0);
}

TEST_F(NodeParametersTest, DeclaredByBeingGivenIfAsked) {
  const auto context = testing::make_context(
      {"program", "--ros-args", "-p", "x:=7", "-p", "use_sim_time:=true", "-p", "plugins:=[]"});
  Node node("node", {.context = context, .automatically_declare_parameters_from_overrides = true});
  EXPECT_EQ(node.get_parameter("x").as_int(), 7);
  EXPECT_TRUE(node.set_parameter(Parameter("x", "another type")).successful);
  EXPECT_TRUE(node.get_clock()->ros_time_is_active());
  // An empty list has the type with which it is declared.
  EXPECT_FALSE(node.has_parameter("plugins"));
  EXPECT_TRUE(node.declare_parameter("plugins", std::vector<std::string>{"a"}).empty());
}

TEST_F(NodeParametersTest, ABadFileIsOneClearLine) {
  write("robot:\n  ros__parameters:\n    x: [1, text]\n");
  try {
    testing::make_context({"program", "--ros-args", "--params-file", file_.c_str()});
    FAIL() << "an invalid file was accepted";
  } catch (const Error & error) {
    EXPECT_THAT(error.what(), HasSubstr(file_));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

// ---- time ---------------------------------------------------------------------------------------

TEST_F(NodeServicesTest, TimeFollowsTheTopicClockWhileToldTo) {
  const auto node = make("served", {.parameter_overrides = {Parameter("use_sim_time", true)}});
  const auto publisher = user_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", clock_qos());
  const auto publish = [&](int seconds) {
    rosgraph_msgs::msg::Clock message;
    message.clock.sec = seconds;
    publisher->publish(message);
  };
  EXPECT_EQ(node->now(), Time(0, 0, ClockType::ros));
  std::mutex mutex;
  std::vector<Duration> jumps;
  const auto handle = node->get_clock()->create_jump_callback({},
                                                              [&](const TimeUpdate & update) {
                                                                const std::lock_guard lock(mutex);
                                                                jumps.push_back(update.delta);
                                                              },
                                                              {.min_backward = -1s});
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  publish(100);
  EXPECT_TRUE(eventually([&] { return node->now() == Time(100, 0, ClockType::ros); }));
  publish(40);
  EXPECT_TRUE(eventually([&] { return node->now() == Time(40, 0, ClockType::ros); }));
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return jumps == std::vector<Duration>{-60s};
  }));
  EXPECT_EQ(user_->now().get_clock_type(), ClockType::ros);
  EXPECT_FALSE(user_->get_clock()->ros_time_is_active());

  node->set_parameter(Parameter("use_sim_time", false));
  EXPECT_FALSE(node->get_clock()->ros_time_is_active());
  EXPECT_GT(node->now().seconds(), 1e9);
  EXPECT_TRUE(eventually([&] { return publisher->get_subscription_count() == 0; }));
  node->set_parameter(Parameter("use_sim_time", true));
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  publish(7);
  EXPECT_TRUE(eventually([&] { return node->now() == Time(7, 0, ClockType::ros); }));
}

TEST_F(NodeServicesTest, TimersOnRosTimeAreReleasedAsTheClockPassesTheirGrid) {
  const auto node = make("served", {.parameter_overrides = {Parameter("use_sim_time", true)}});
  const auto publisher =
      user_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", QoS(10).reliable());
  std::atomic<int> runs{0};
  const auto timer = node->create_timer("tick", 1s, {.clock = ClockType::ros}, [&] { ++runs; });
  background_.start();
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  const auto advance = [&](double seconds) {
    rosgraph_msgs::msg::Clock message;
    message.clock = Time(static_cast<std::int64_t>(seconds * 1e9), ClockType::ros);
    publisher->publish(message);
    ASSERT_TRUE(eventually([&] { return node->now().seconds() == seconds; }));
  };
  advance(10);  // its grid begins
  advance(10.5);
  advance(11);
  EXPECT_TRUE(eventually([&] { return runs == 1; }));
  advance(5);  // back: a new grid begins
  advance(5.5);
  advance(6.1);
  EXPECT_TRUE(eventually([&] { return runs == 2; }));
}

}  // namespace
}  // namespace takt
