// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The main function of test programs, each of which contains the tests of many source files.
//
//     PROGRAM [--takt_file=NAME] [--gtest_...]
//
// With --takt_file only the tests of the source file whose path ends with /NAME run. There may be
// none, for instance if the host does not grant the rights that all of them need, but there must be
// a test from the same folder. Chooses a ROS domain that no other test uses, unless ROS_DOMAIN_ID
// is set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// As ament's tests do: binding a port reserves the domain until the process ends.
bool choose_domain() {
  constexpr int domains = 100;
  constexpr int first_port = 32768;
  if (std::getenv("ROS_DOMAIN_ID") != nullptr) return true;
  const int holder = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  for (int domain = 1; domain <= domains; ++domain) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(first_port + domain));
    if (bind(holder, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) != 0) continue;
    setenv("ROS_DOMAIN_ID", std::to_string(domain).c_str(), 1);
    return true;
  }
  return false;
}

/// The gtest filter for the tests of one file, and whether there are tests from its folder.
struct Chosen {
  std::string filter;
  bool folder = false;
};

Chosen choose(const std::string & name) {
  const std::string end = '/' + name;
  const std::string folder = end.substr(0, end.rfind('/'));
  const testing::UnitTest & all = *testing::UnitTest::GetInstance();
  Chosen chosen;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite & suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo & test = *suite.GetTestInfo(j);
      const std::string_view file = test.file();
      chosen.folder |= file.substr(0, file.rfind('/')).ends_with(folder);
      if (!file.ends_with(end)) continue;
      chosen.filter +=
          (chosen.filter.empty() ? "" : ":") + std::string(suite.name()) + '.' + test.name();
    }
  }
  return chosen;
}

}  // namespace

int main(int argc, char ** argv) {
  testing::InitGoogleMock(&argc, argv);
  constexpr std::string_view option = "--takt_file=";
  if (argc > 1 && std::string_view(argv[1]).starts_with(option)) {
    const std::string name = argv[1] + option.size();
    const Chosen chosen = choose(name);
    if (!chosen.folder) {
      std::fprintf(stderr, "%s: no test comes from the folder of %s\n", argv[0], name.c_str());
      return 1;
    }
    // A given filter, as that of a death test's child, selects some of these tests already.
    if (testing::GTEST_FLAG(filter) == "*") {
      testing::GTEST_FLAG(filter) = chosen.filter.empty() ? "-*" : chosen.filter;
    }
  }
  if (!choose_domain()) {
    std::fprintf(stderr, "%s: no ROS domain is free; set ROS_DOMAIN_ID\n", argv[0]);
    return 1;
  }
  return RUN_ALL_TESTS();
}
