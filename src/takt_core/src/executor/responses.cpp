// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/responses.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace takt::executor {
namespace {

constexpr unsigned unit_bits = 7;  // the first buckets are 2^7 = 128 ns wide
constexpr unsigned step_bits = 5;  // 2^5 = 32 buckets per doubling
constexpr std::uint64_t steps = std::uint64_t{1} << step_bits;

}  // namespace

std::size_t ResponseBuckets::of(model::Duration response) noexcept {
  const std::uint64_t units =
      response > 0 ? static_cast<std::uint64_t>(response) >> unit_bits : std::uint64_t{0};
  const auto width = static_cast<unsigned>(std::bit_width(units));
  const unsigned shift = width > step_bits + 1 ? width - step_bits - 1 : 0;
  return std::min<std::uint64_t>(steps * shift + (units >> shift), count - 1);
}

model::Duration ResponseBuckets::longest(std::size_t bucket) noexcept {
  const std::size_t shift = bucket < 2 * steps ? 0 : bucket / steps - 1;
  const std::uint64_t next = (bucket - steps * shift + 1) << shift << unit_bits;
  return static_cast<model::Duration>(next) - 1;
}

model::Duration ResponseCounts::percentile(double share) const noexcept {
  if (jobs == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(jobs)));
  const std::uint64_t wanted = std::clamp<std::uint64_t>(rank, 1, jobs);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i + 1 < buckets.size(); ++i) {
    seen += buckets[i];
    if (seen >= wanted) return std::min(ResponseBuckets::longest(i), worst);
  }
  return worst;
}

ResponseCounts ResponseCounts::since(const ResponseCounts & before) const noexcept {
  ResponseCounts between = *this;
  between.jobs = jobs - before.jobs;
  for (std::size_t i = 0; i < buckets.size(); ++i) between.buckets[i] -= before.buckets[i];
  between.worst = between.percentile(1);
  return between;
}

const void * Responses::record(model::Duration response, model::Duration margin,
                               model::Duration age) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  std::atomic<std::uint64_t> & bucket = buckets_[ResponseBuckets::of(response)];
  bucket.store(bucket.load(relaxed) + 1, relaxed);
  if (response > worst_.load(relaxed)) worst_.store(response, relaxed);
  if (margin < least_margin_.load(relaxed)) least_margin_.store(margin, relaxed);
  if (age > greatest_age_.load(relaxed)) greatest_age_.store(age, relaxed);
  return &bucket;
}

ResponseCounts Responses::read() const noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  ResponseCounts counts;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    counts.buckets[i] = buckets_[i].load(relaxed);
    counts.jobs += counts.buckets[i];
  }
  counts.worst = worst_.load(relaxed);
  counts.least_margin = least_margin_.load(relaxed);
  counts.greatest_age = greatest_age_.load(relaxed);
  return counts;
}

}  // namespace takt::executor
