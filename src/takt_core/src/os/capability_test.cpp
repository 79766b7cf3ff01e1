// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "capability.hpp"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "takt_core/os/rights.hpp"

namespace takt::os {
namespace {

TEST(CapabilityTest, OnlyTheFirstUserNamespaceMapsAllUsers) {
  EXPECT_TRUE(maps_all_users("         0          0 4294967295\n"));
  EXPECT_TRUE(maps_all_users(""));
  EXPECT_FALSE(maps_all_users("         0       1000          1\n"));
  EXPECT_FALSE(maps_all_users("         0     100000      65536\n"));
  EXPECT_FALSE(maps_all_users("0 1000 1\n1 100000 65536\n"));
  EXPECT_FALSE(maps_all_users("0 0 4294967295\n1 1 1\n"));
}

TEST(CapabilityTest, ARightInAUserNamespaceIsNoneOfTheHost) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string user = std::to_string(geteuid());
    if (unshare(CLONE_NEWUSER) != 0) _exit(2);
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1\n";
    // In its own user namespace it has all capabilities.
    if (capable(CAP_SYS_NICE) || capable(CAP_IPC_LOCK)) _exit(1);
    const Granted refused = set_fifo(0, 50);
    _exit(!refused.ok() && refused.error.find("has the right") != std::string::npos ? 3 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "this process cannot create a user namespace";
  EXPECT_EQ(WEXITSTATUS(status), 0)
      << "1: a capability of the namespace counts, 3: the error says that there is the right";
}

}  // namespace
}  // namespace takt::os
