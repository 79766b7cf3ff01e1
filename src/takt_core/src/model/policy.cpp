// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/policy.hpp"

#include <stdexcept>

#include "policies/deadline_monotonic.hpp"
#include "policies/earliest_deadline_first.hpp"
#include "policies/first_in_first_out.hpp"
#include "policies/fixed_priority.hpp"
#include "policies/rate_monotonic.hpp"
#include "policies/stock_order.hpp"

namespace takt::model {

namespace {

struct Entry {
  std::string name;
  std::unique_ptr<Policy> (*make)();
};

template <typename T, auto... Arguments>
Entry entry(std::string name) {
  return {std::move(name),
          []() -> std::unique_ptr<Policy> { return std::make_unique<T>(Arguments...); }};
}

const std::vector<Entry> & entries() {
  static const std::vector<Entry> all = {
      entry<FixedPriority, true>("fp"),         entry<RateMonotonic, true>("rm"),
      entry<DeadlineMonotonic, true>("dm"),     entry<EarliestDeadlineFirst, true>("edf"),
      entry<FixedPriority, false>("np-fp"),     entry<RateMonotonic, false>("np-rm"),
      entry<DeadlineMonotonic, false>("np-dm"), entry<EarliestDeadlineFirst, false>("np-edf"),
      entry<FirstInFirstOut>("fifo"),           entry<StockOrder>("ros"),
  };
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Entry & entry : entries()) all.push_back(entry.name);
  return all;
}

}  // namespace

std::unique_ptr<Policy> make_policy(std::string_view name) {
  std::string known;
  for (const Entry & entry : entries()) {
    if (entry.name == name) return entry.make();
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument("unknown policy '" + std::string(name) + "': use one of " + known);
}

const std::vector<std::string> & policy_names() {
  static const std::vector<std::string> all = names();
  return all;
}

std::string non_preemptive_name(std::string_view name) {
  std::string candidate = "np-" + std::string(name);
  for (const Entry & entry : entries()) {
    if (entry.name == candidate) return candidate;
  }
  return std::string(name);
}

}  // namespace takt::model
