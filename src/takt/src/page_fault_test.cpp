// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// While they run, threads with real-time priority cause no page faults: memory is locked, and
// stacks and pools are touched in advance. What was not granted is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sensor_msgs/msg/image.hpp>
#include <sstream>
#include <string>

#include "takt/takt.hpp"
#include "takt_core/os/testing/sanitized.hpp"
#include "takt_core/os/thread.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using sensor_msgs::msg::Image;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::size_t page = 4096;
constexpr std::size_t image_size = 1 << 20;

constexpr bool countable = !os::testing::sanitized;

/// Minor and major page faults so far of takt's workers, timer thread and handlers' thread, by
/// name.
std::map<std::string, std::uint64_t> page_faults() {
  std::map<std::string, std::uint64_t> faults;
  for (const auto & entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    // `tid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt`
    const std::size_t begin = text.find('(') + 1;
    const std::size_t end = text.rfind(") ");
    const std::string name = text.substr(begin, end - begin);
    const bool worker = name.starts_with("takt.w") && name != "takt.watchdog";
    if (!worker && name != "takt.timer" && name != "takt.handler") continue;
    std::istringstream fields(text.substr(end + 2));
    std::string skipped;
    std::uint64_t minor = 0;
    std::uint64_t of_children = 0;
    std::uint64_t major = 0;
    for (int i = 0; i < 7; ++i) fields >> skipped;
    fields >> minor >> of_children >> major;
    faults[name] = minor + major;
  }
  return faults;
}

/// The number of page faults between two calls of page_faults(), over all threads in both.
std::uint64_t sum_since(const std::map<std::string, std::uint64_t> & before,
                        const std::map<std::string, std::uint64_t> & after) {
  std::uint64_t sum = 0;
  for (const auto & [thread, faults] : after) {
    const auto found = before.find(thread);
    if (found != before.end()) sum += faults - found->second;
  }
  return sum;
}

/// Goes deep into the stack, as a callback with large variables does.
[[gnu::noinline]] void use_stack() {
  volatile char place[image_size];
  for (std::size_t at = 0; at < sizeof place; at += page) place[at] = 1;
}

// Must be the first test, while memory is not locked yet.
TEST(PageFaultsTest, TheCounterCounts) {
  std::map<std::string, std::uint64_t> before;
  std::map<std::string, std::uint64_t> after;
  os::Thread({.name = "takt.w1"}, [&] {
    void * memory =
        mmap(nullptr, 100 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, 100 * page, MADV_NOHUGEPAGE);
    before = page_faults();
    for (std::size_t i = 0; i < 100; ++i) static_cast<volatile char *>(memory)[i * page] = 1;
    after = page_faults();
    munmap(memory, 100 * page);
  }).join();
  EXPECT_GE(sum_since(before, after), 100u);
}

TEST(PageFaultsTest, NoneOnThreadsThatMustBeOnTime) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  const auto images = node->create_publisher<Image>("images", 2);
  images->prepare_messages([](Image & image) { image.data.assign(image_size, 1); });
  std::uint64_t seen = 0;
  const auto look = [&seen](const Image & image) {
    for (std::size_t at = 0; at < image.data.size(); at += page) seen += image.data[at];
    use_stack();
  };
  const auto reads = node->create_subscription<Image>("images", 2, look);
  const auto triggers = node->create_subscription<Image>("images", 2, look, {.priority = 30});
  SchedulingExecutor executor({.policy = "fp", .context = context});
  std::uint64_t misses = 0;
  executor.on_deadline_miss([&](const Miss &, const std::string &) {
    use_stack();
    ++misses;
  });
  std::map<std::string, std::uint64_t> before;
  std::map<std::string, std::uint64_t> after;
  int rounds = 0;
  const auto produce = node->create_timer("produce", 2ms, {.priority = 9}, [&] {
    // Counted from the first job on.
    if (++rounds == 1) before = page_faults();
    auto loan = images->borrow_loaned_message();
    for (std::size_t at = 0; at < image_size; at += page) loan->data[at] = 2;
    images->publish(std::move(loan));
    if (rounds < 100) return;
    after = page_faults();
    executor.cancel();
  });
  const auto consume = node->create_timer(
      "consume", 3ms, {.priority = 20, .deadline = 1ns, .reads = {{reads}}}, use_stack);
  executor.add_node(node);
  executor.spin();
  EXPECT_GT(seen, 0u);
  EXPECT_GT(misses, 10u);
  EXPECT_EQ(images->pool_exhausted(), 0u);
  EXPECT_GE(after.size(), 2u);
  const Grants grants = executor.grants();
  if (grants.memory_locked) {
    EXPECT_TRUE(sum_since(before, after) == 0 || !countable);
  } else {
    EXPECT_THAT(grants.refused, Contains(HasSubstr("locking memory refused")));
  }
}

}  // namespace
}  // namespace takt
