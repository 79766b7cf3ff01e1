// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Parameters on the container's command line take effect, or are refused with an error that names
// them.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "takt_core/os/rights.hpp"
#include "testing/container.hpp"

namespace takt::rclcpp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ContainerSettingsTest : public testing::ContainerTest {
 protected:
  void expect_end() {
    const int status = end(SIGINT);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  }
};

TEST_F(ContainerSettingsTest, WhatIsNoParameterOfItsIsRefusedWithTheNearest) {
  struct Case {
    const char * parameter;
    const char * why;
  };
  for (const Case & c : std::vector<Case>{
           {"stratgy:=x", "unknown parameter 'stratgy': did you mean 'strategy'?"},
           {"cpu:=[1]", "unknown parameter 'cpu': did you mean 'cpus'?"},
           {"ComponentManager:thread_num:=2",
            "unknown parameter 'thread_num': there are policy, cpus, "},
           {"ComponentManager:lock_memroy:=false", "did you mean 'lock_memory'?"},
           {"cpus:=[-1]", "cpus: -1 is not a CPU number: CPUs are counted from 0"},
           {"cpus:=[]", "cpus: the list is empty: leave it out"},
           {"thread_roles:=[]", "thread_roles: the list is empty: leave it out"},
           {"cpus:=all", "cpus: give numbers of CPUs, as -p 'cpus:=[0, 1]'"},
           {"trace_cpus:=all", "trace_cpus: give numbers of CPUs, as -p 'trace_cpus:=[0, 1]'"},
           {"scenario:=x", "scenario: a scenario needs a strategy"},
           {"lock_memory:=0", "lock_memory: give true or false"},
           {"on_exception:=reprot", "on_exception: 'reprot' is unknown: did you mean 'report'?"},
           {"age_margin:=100 km", "age_margin: give seconds, from 0 to 1000000, or a duration"},
           {"kept_heap:=-1", "kept_heap: give a whole number, from 0 to 2147483647"},
           {"policy:=1", "policy: give a string"},
           {"stack_size:=1", "stack_size"},
           {"thread_roles:=[link.rx]", "thread_roles: 'link.rx' is not a rule: give NAME=ROLE"},
           {"thread_roles:=[link.rx=worker]", "thread_roles: 'link.rx=worker' is not a rule"},
           {"pre_shutdown_limit:=0", "pre_shutdown_limit must be above 0"},
           {"diagnostics.period:=0", "diagnostics.period: must be above 0"},
           {"policy:=fq", "unknown policy 'fq'"},
       }) {
    start_container({c.parameter});
    expect_refusal(std::string(c.why).starts_with("did") ? "unknown parameter 'lock_memroy': "
                                                         : std::string(c.why));
    EXPECT_THAT(said(), HasSubstr(c.why));
  }
}

TEST_F(ContainerSettingsTest, WhatIsNoArgumentOfItsIsRefused) {
  for (const std::vector<std::string> & words : std::vector<std::vector<std::string>>{
           {"--isolated"},
           {"--use_multi_threaded_executor"},
           {"--executor-type", "events", "--ros-args", "-p", "policy:=rm"}}) {
    start_with_arguments(words);
    expect_refusal("unknown argument '" + words[0] + "': only ROS arguments are allowed");
    EXPECT_THAT(said(), HasSubstr("-p 'cpus:=[0, 1]'"));
  }
  start_with_arguments({"--ros-args", "--parms-file", "x"});
  expect_refusal("unknown ROS argument '--parms-file': did you mean '--params-file'?");
  start_with_arguments({"--ros-args", "--params-file", "/no/such/file.yaml"});
  expect_refusal("");
  EXPECT_THAT(said(), HasSubstr("/no/such/file.yaml"));
}

TEST_F(ContainerSettingsTest, AFileForAllNodesMayNameOthersParameters) {
  std::ofstream(file_) << "/**: {ros__parameters: {gain: 1.5, stratgy: x, policy: np-fp}}\n";
  start_with_arguments({"--ros-args", "--params-file", file_});
  ASSERT_TRUE(says("schedules by policy 'np-fp'")) << said();
  EXPECT_THAT(said(),
              AllOf(HasSubstr("parameter 'stratgy', given to all nodes, is not the container's"),
                    HasSubstr("the container has no such parameters: gain (")));
  expect_end();
  // Parameters of another node have no effect, even if the container would refuse them.
  std::ofstream(file_) << "/camera: {ros__parameters: {gain: 1.5, cpus: [], lanes: []}}\n"
                          "/**: {ros__parameters: {policy: np-rm}}\n";
  start_with_arguments({"--ros-args", "--params-file", file_});
  ASSERT_TRUE(says("schedules by policy 'np-rm'")) << said();
  EXPECT_THAT(said(), Not(HasSubstr("given to all nodes")));
  expect_end();
  // Nor are they named if a parameter of the container itself is invalid, whatever its node's name
  // is.
  std::ofstream(file_) << "/camera: {ros__parameters: {lanes: []}}\n"
                          "/robot/*: {ros__parameters: {thread_roles: []}}\n"
                          "/**/box: {ros__parameters: {trace_cpus: []}}\n";
  start_with_arguments(
      {"--ros-args", "-r", "__node:=box", "-r", "__ns:=/robot", "--params-file", file_});
  expect_refusal("thread_roles, trace_cpus: the list is empty: leave it out");
  std::ofstream(file_) << "ComponentManager: {ros__parameters: {gain: 1.5}}\n";
  start_with_arguments({"--ros-args", "--params-file", file_});
  expect_refusal("unknown parameter 'gain': there are ");
}

// A launch file's set_parameter gives a parameter to all nodes, on their command lines.
TEST_F(ContainerSettingsTest, WhatALaunchFileSetsForAllNodesIsPassedOverWithOneLine) {
  start_container({"robot_name:=r2", "policy:=np-fp", "use_sim_time:=false", "thread_num:=2"});
  ASSERT_TRUE(says("schedules by policy 'np-fp'")) << said();
  EXPECT_THAT(said(), HasSubstr("ignored, as the container has no such parameters: robot_name, "
                                "thread_num ("));
  expect_end();
}

TEST_F(ContainerSettingsTest, ACpuThatIsRefusedIsNotSaidToBeRunOn) {
  const std::string cpu = std::to_string(os::allowed_cpus().at(0));
  start_container({"policy:=np-rm", "cpus:=[" + cpu + ", 4000]"});
  EXPECT_TRUE(says("schedules by policy 'np-rm' on CPU " + cpu + ", 4000 (not pinned), with"))
      << said();
  // The container logs the executor's warnings.
  EXPECT_THAT(said(),
              AllOf(HasSubstr("CPU 4000 refused"), HasSubstr("[WARN]"), Not(HasSubstr("takt: "))));
  expect_end();
}

TEST_F(ContainerSettingsTest, EveryOptionOfTheExecutorIsAParameterAndOneLineTellsOfTheStart) {
  const std::string trace = file_ + ".trace";
  const std::string cpu = std::to_string(os::allowed_cpus().at(0));
  start_container({"policy:=np-edf",
                   "cpus:=" + cpu,
                   "lock_memory:=false",
                   "on_exception:=report",
                   "kept_heap:=1000000",
                   "age_margin:=50 us",
                   "max_section:=0.0001",
                   "trace:=" + trace,
                   "trace_capacity:=1024",
                   "trace_cpus:=[" + cpu + "]",
                   "plan.timer:=60",
                   "plan.middleware:=55",
                   "plan.handler:=52",
                   "plan.workers_high:=50",
                   "plan.workers_low:=3",
                   "plan.background:=1",
                   "log_misses:=true",
                   "log_overruns:=true",
                   "log_budgets:=true",
                   "time_decisions:=true",
                   "stack_size:=1048576",
                   "thread_roles:=[link.rx*=middleware]",
                   "widen_started_threads:=true",
                   "diagnostics.enabled:=false",
                   "diagnostics.period:=200ms",
                   "diagnostics.node:=robot_executor",
                   "callback_timeout:=1",
                   "pre_shutdown_limit:=1.5",
                   "strategy_check_after:=500ms"});
  ASSERT_TRUE(says("schedules by policy 'np-edf' on CPU " + cpu + ", with")) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr(" real-time priorities, memory not locked"),
                            Not(HasSubstr("no such parameters"))));
  expect_end();
  EXPECT_GT(std::filesystem::file_size(trace), 0U);
  std::filesystem::remove(trace);
}

TEST_F(ContainerSettingsTest, APlanThatContradictsItselfIsRefused) {
  start_container({"plan.timer:=10"});
  expect_refusal("priority plan: timer is 10, but must be above workers_high (46)");
}

}  // namespace
}  // namespace takt::rclcpp
