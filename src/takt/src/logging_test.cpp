// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/logging.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "log_folder.hpp"
#include "logging_system.hpp"
#include "takt/exceptions.hpp"
#include "takt/job.hpp"

namespace takt {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Logging as takt::init starts it.
class LoggingTest : public ::testing::Test {
 protected:
  void start(const std::vector<const char *> & arguments = {}) {
    auto parsed = rcl_get_zero_initialized_arguments();
    const auto allocator = rcl_get_default_allocator();
    detail::check(rcl_parse_arguments(static_cast<int>(arguments.size()), arguments.data(),
                                      allocator, &parsed),
                  "cannot parse");
    token_ = detail::start_logging(parsed, allocator);
    detail::check(rcl_arguments_fini(&parsed), "cannot end arguments");
  }
  void end() { token_.reset(); }
  // rcutils keeps levels for as long as the process lives.
  void TearDown() override { rcutils_logging_set_default_logger_level(RCUTILS_LOG_SEVERITY_INFO); }

  /// Runs `body` as a callback's job does.
  template <typename Body>
  static void as_job(Body && body) {
    const JobInfo info{};
    const detail::CurrentJob current(info);
    body();
  }

 private:
  std::shared_ptr<void> token_;
};

TEST_F(LoggingTest, OutsideACallbackAMessageIsWrittenAtOnce) {
  start();
  ::testing::internal::CaptureStderr();
  const std::string text(5000, 'x');
  TAKT_WARN(get_logger("here"), "%s %d", text.c_str(), 42);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("[here]: " + text + " 42"));
}

/// Sets or unsets an environment variable, and restores it at the end of the scope.
class Variable {
 public:
  Variable(const char * name, const char * value) : name_(name) {
    if (const char * const before = getenv(name)) before_ = before;
    if (value != nullptr) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable &) = delete;
  Variable & operator=(const Variable &) = delete;

 private:
  const char * name_;
  std::optional<std::string> before_;
};

TEST_F(LoggingTest, WithoutAFolderItGoesOnAfterOneWarning) {
  const Variable folder("ROS_LOG_DIR", nullptr);
  const Variable ros("ROS_HOME", nullptr);
  std::string written;
  for (const char * const home : {static_cast<const char *>(nullptr), "/dev/null/nobody"}) {
    const Variable variable("HOME", home);
    ::testing::internal::CaptureStderr();
    start();
    TAKT_WARN(get_logger("here"), "is heard");
    end();
    written = ::testing::internal::GetCapturedStderr();
    EXPECT_THAT(written, HasSubstr("[here]: is heard"));
    EXPECT_EQ(written.find("Set ROS_LOG_DIR") != std::string::npos, home == nullptr) << written;
  }
  const Variable none("ROS_LOG_DIR", "/dev/null/none");
  EXPECT_THAT(detail::log_folder_fault(),
              HasSubstr("'/dev/null/none' cannot be written: Not a dir"));
}

TEST_F(LoggingTest, FromACallbackItIsDeferredAndKeepsItsOrder) {
  start();
  ::testing::internal::CaptureStderr();
  const std::uint64_t before = logging_statistics().deferred;
  as_job([] {
    for (int i = 0; i < 20; ++i) TAKT_INFO(get_logger("job"), "number %d", i);
  });
  TAKT_INFO(get_logger("main"), "afterwards");
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(logging_statistics().deferred - before, 20U);
  std::size_t at = 0;
  for (int i = 0; i < 20; ++i) {
    at = written.find("[job]: number " + std::to_string(i) + "\n", at);
    ASSERT_NE(at, std::string::npos) << i << " in\n" << written;
  }
  EXPECT_NE(written.find("[main]: afterwards", at), std::string::npos);
}

TEST_F(LoggingTest, TheBackgroundThreadWritesByItself) {
  start();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(2);
  dup2(ends[1], 2);
  as_job([] { TAKT_INFO(get_logger("job"), "written by nobody else"); });
  std::string written;
  char c = 0;
  while (c != '\n' && read(ends[0], &c, 1) == 1) written += c;
  dup2(saved, 2);
  for (const int fd : {saved, ends[0], ends[1]}) close(fd);
  EXPECT_THAT(written, HasSubstr("written by nobody else"));
}

TEST_F(LoggingTest, ALongMessageFromACallbackIsCutVisibly) {
  start();
  ::testing::internal::CaptureStderr();
  const std::uint64_t before = logging_statistics().truncated;
  const std::string fits(log_text_capacity, 'f');
  const std::string too_long(log_text_capacity + 1, 't');
  as_job([&] {
    TAKT_INFO(get_logger("job"), "%s", fits.c_str());
    TAKT_INFO(get_logger("job"), "%s", too_long.c_str());
  });
  flush_logging();
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(logging_statistics().truncated - before, 1U);
  EXPECT_THAT(written, HasSubstr(fits + "\n"));
  EXPECT_THAT(written, HasSubstr(too_long.substr(0, log_text_capacity - 3) + "...\n"));
}

// Nobody reads the pipe to which the log is written: the background thread blocks, the callback
// does not.
TEST_F(LoggingTest, ABlockedOutputDoesNotBlockACallbackAndDropsAreSaid) {
  start();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(2);
  dup2(ends[1], 2);
  const std::uint64_t before = logging_statistics().dropped;
  const std::string text(500, '.');
  as_job([&] {
    for (int i = 0; i < 2000; ++i) TAKT_INFO(get_logger("job"), "%s", text.c_str());
  });
  const std::uint64_t dropped = logging_statistics().dropped - before;
  std::string written;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
      written.append(buffer, static_cast<std::size_t>(n));
    }
  });
  flush_logging();
  dup2(saved, 2);
  close(saved);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_GT(dropped, 0U);
  EXPECT_THAT(written, HasSubstr(" messages logged by callbacks were dropped"));
}

TEST_F(LoggingTest, LevelsComeFromArgumentsAndAreInherited) {
  start({"--ros-args", "--log-level", "a:=debug", "--log-level", "warn"});
  const Logger a = get_logger("a");
  const Logger child = a.get_child("b");
  const Logger other = get_logger("other");
  EXPECT_EQ(child.get_name(), "a.b");
  EXPECT_TRUE(child.is_enabled(Severity::debug));
  EXPECT_FALSE(other.is_enabled(Severity::info));
  EXPECT_TRUE(other.is_enabled(Severity::warn));

  get_logger("a").set_level(Severity::error);
  EXPECT_EQ(child.get_effective_level(), Severity::error);
  EXPECT_FALSE(a.is_enabled(Severity::warn));
  child.get_child("c").set_level(Severity::info);
  EXPECT_FALSE(child.is_enabled(Severity::info));
}

TEST_F(LoggingTest, ADisabledMessageIsNotEvenEvaluated) {
  start();
  int evaluated = 0;
  const auto count = [&] { return ++evaluated; };
  TAKT_DEBUG(get_logger("here"), "%d", count());
  TAKT_DEBUG_STREAM(get_logger("here"), count());
  EXPECT_EQ(evaluated, 0);
}

TEST_F(LoggingTest, OnceIsOnceAndStreamsAreWritten) {
  start();
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) TAKT_INFO_ONCE(get_logger("here"), "once %d", i);
  TAKT_INFO_STREAM(get_logger("here"), "x = " << 5 << "%s");
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, HasSubstr("once 0"));
  EXPECT_THAT(written, Not(HasSubstr("once 1")));
  EXPECT_THAT(written, HasSubstr("x = 5%s"));
}

TEST_F(LoggingTest, StartsAgainAfterItEnded) {
  start();
  end();
  TAKT_INFO(get_logger("here"), "without a context a message goes to the console");
  start();
  ::testing::internal::CaptureStderr();
  as_job([] { TAKT_INFO(get_logger("job"), "again"); });
  end();  // flushes
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("again"));
}

TEST(LogDueTest, OncePerIntervalAndAnewAfterTheClockWentBack) {
  std::atomic<std::int64_t> last{INT64_MIN};
  constexpr std::int64_t ms = 1'000'000;
  EXPECT_TRUE(detail::log_due(last, 5 * ms, 10));
  EXPECT_FALSE(detail::log_due(last, 14 * ms, 10));
  EXPECT_TRUE(detail::log_due(last, 15 * ms, 10));
  EXPECT_TRUE(detail::log_due(last, 1 * ms, 10));
  EXPECT_FALSE(detail::log_due(last, 2 * ms, 10));
}

}  // namespace
}  // namespace takt
