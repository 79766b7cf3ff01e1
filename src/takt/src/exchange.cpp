// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/exchange.hpp"

#include <rmw/qos_profiles.h>
#include <rmw/rmw.h>

#include <algorithm>
#include <utility>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

bool matches(const MessageType & written, const QoS & offered, const MessageType & read,
             const QoS & requested) {
  if (*written.type != *read.type) return false;
  rmw_qos_compatibility_type_t compatible = RMW_QOS_COMPATIBILITY_ERROR;
  const rmw_ret_t code = rmw_qos_profile_check_compatible(offered.profile(), requested.profile(),
                                                          &compatible, nullptr, 0);
  return code == RMW_RET_OK && compatible != RMW_QOS_COMPATIBILITY_ERROR;
}

}  // namespace

InsideMessage MessageRing::push(InsideMessage message) noexcept {
  if (ring_.empty()) return message;
  if (size_ == ring_.size()) {
    std::swap(ring_[first_], message);
    first_ = (first_ + 1) % ring_.size();
    return message;
  }
  ring_[(first_ + size_++) % ring_.size()] = std::move(message);
  return {};
}

bool MessageRing::pop(InsideMessage & message) noexcept {
  if (size_ == 0) return false;
  message = std::move(ring_[first_]);
  first_ = (first_ + 1) % ring_.size();
  --size_;
  return true;
}

InsideReader::InsideReader(const MessageType & type, const QoS & qos, void (*arrived)(void *),
                           void * context)
    : type_(type), qos_(qos), arrived_(arrived), context_(context), queue_(qos.queue_depth()) {}

void InsideReader::push(InsideMessage message) noexcept {
  InsideMessage oldest;
  {
    const os::Lock lock(mutex_);
    const model::Time published = message.published;
    oldest = queue_.push(std::move(message));
    if (oldest.message != nullptr) ++lost_;
    if (newest_ != nullptr) newest_->published(published);
  }
  arrived_(context_);
}

bool InsideReader::pop(InsideMessage & message, model::Time now, std::int64_t until) noexcept {
  const os::Lock lock(mutex_);
  while (!queue_.empty()) {
    const bool expired = queue_[0].expires <= now;
    if (!expired && queue_[0].source_timestamp > until) return false;
    queue_.pop(message);
    if (!expired) return true;
    ++lost_;
  }
  return false;
}

std::size_t InsideReader::size() const noexcept {
  const os::Lock lock(mutex_);
  return queue_.size();
}

void InsideReader::watch(const std::shared_ptr<model::Newest> & newest) {
  const os::Lock lock(mutex_);
  newest_ = newest;
  for (std::size_t i = 0; i < queue_.size(); ++i) newest_->published(queue_[i].published);
}

std::uint64_t InsideReader::lost() const noexcept {
  const os::Lock lock(mutex_);
  return lost_;
}

bool InsideReader::knows_publisher(const Gid & publisher) const noexcept {
  const os::Lock lock(mutex_);
  return std::find(writers_.begin(), writers_.end(), publisher) != writers_.end();
}

void InsideReader::forget_departed(std::size_t count) noexcept {
  if (count == 0) return;
  const os::Lock lock(mutex_);
  writers_.erase(writers_.begin(), writers_.begin() + static_cast<std::ptrdiff_t>(count));
  departed_.fetch_sub(count, std::memory_order_relaxed);
}

void InsideReader::add_writer(const Gid & writer) {
  const os::Lock lock(mutex_);
  writers_.push_back(writer);
}

void InsideReader::remove_writer(const Gid & writer) {
  const os::Lock lock(mutex_);
  const auto departed = writers_.begin() + static_cast<std::ptrdiff_t>(departed_.load());
  const auto found = std::find(departed, writers_.end(), writer);
  if (found == writers_.end()) return;
  std::rotate(departed, found, found + 1);
  departed_.fetch_add(1, std::memory_order_relaxed);
}

InsideWriter::InsideWriter(const MessageType & type, const QoS & qos, const Gid & gid,
                           PoolRule rule, MessagePool::Exhausted exhausted)
    : type_(type),
      qos_(qos),
      lifespan_(qos.lifespan()),
      gid_(gid),
      pool_(std::make_shared<MessagePool>(type, rule, std::move(exhausted))),
      retained_(qos.durability() == Durability::transient_local ? qos.queue_depth() : 0) {}

std::uint64_t InsideWriter::write(std::shared_ptr<const void> message, model::Time published,
                                  std::int64_t source_timestamp) noexcept {
  InsideMessage item{std::move(message), published, source_timestamp, model::never, 0, gid_};
  if (lifespan_ > Duration::zero() && lifespan_.count() < model::never - published) {
    item.expires = published + lifespan_.count();
  }
  InsideMessage oldest;
  const os::Lock lock(mutex_);
  const std::uint64_t sequence = item.sequence = ++sequence_;
  for (InsideReader * reader : readers_) reader->push(item);
  oldest = retained_.push(std::move(item));
  return sequence;
}

bool InsideWriter::wanted() const noexcept {
  return qos_.durability() == Durability::transient_local || readers() > 0;
}

void InsideWriter::match(InsideReader & reader) {
  reader.add_writer(gid_);
  // The number of messages that can be in use at a time: the capacity of each reader's queue, one that
  // each reader is processing, and one that the writer is filling.
  std::size_t messages = 1;
  std::vector<InsideReader *> readers;
  {
    const os::Lock lock(mutex_);
    readers = readers_;
  }
  readers.push_back(&reader);
  if (qos_.durability() == Durability::transient_local) messages += qos_.queue_depth();
  for (const InsideReader * each : readers) messages += each->qos().queue_depth() + 1;
  pool_->reserve(messages);

  const os::Lock lock(mutex_);
  readers_.swap(readers);
  count_.store(readers_.size(), std::memory_order_relaxed);
  if (reader.qos().durability() != Durability::transient_local) return;
  for (std::size_t i = 0; i < retained_.size(); ++i) reader.push(retained_[i]);
}

void InsideWriter::unmatch(InsideReader & reader) {
  const os::Lock lock(mutex_);
  if (std::erase(readers_, &reader) > 0) reader.remove_writer(gid_);
  count_.store(readers_.size(), std::memory_order_relaxed);
}

void InsideWriter::leave() {
  const os::Lock lock(mutex_);
  for (InsideReader * reader : readers_) reader->remove_writer(gid_);
  readers_.clear();
  count_.store(0, std::memory_order_relaxed);
}

void Exchange::join(const std::string & name, InsideWriter & writer) {
  const os::Lock lock(mutex_);
  Topic & topic = topics_[name];
  topic.writers.push_back(&writer);
  for (InsideReader * reader : topic.readers) {
    if (matches(writer.type_, writer.qos_, reader->type(), reader->qos())) writer.match(*reader);
  }
}

void Exchange::join(const std::string & name, InsideReader & reader) {
  const os::Lock lock(mutex_);
  Topic & topic = topics_[name];
  topic.readers.push_back(&reader);
  for (InsideWriter * writer : topic.writers) {
    if (matches(writer->type_, writer->qos_, reader.type(), reader.qos())) writer->match(reader);
  }
}

void Exchange::leave(const std::string & name, InsideWriter & writer) {
  const os::Lock lock(mutex_);
  const auto found = topics_.find(name);
  if (found == topics_.end()) return;
  std::erase(found->second.writers, &writer);
  writer.leave();
  if (found->second.writers.empty() && found->second.readers.empty()) topics_.erase(found);
}

void Exchange::leave(const std::string & name, InsideReader & reader) {
  const os::Lock lock(mutex_);
  const auto found = topics_.find(name);
  if (found == topics_.end()) return;
  std::erase(found->second.readers, &reader);
  for (InsideWriter * writer : found->second.writers) writer->unmatch(reader);
  if (found->second.writers.empty() && found->second.readers.empty()) topics_.erase(found);
}

model::ChannelId Exchange::channel(const std::string & topic) {
  static std::atomic<model::ChannelId> next = 0;
  const os::Lock lock(mutex_);
  const auto [found, added] = channels_.try_emplace(topic);
  if (added) found->second = next++;
  return found->second;
}

std::map<std::string, model::ChannelId> Exchange::channels() const {
  const os::Lock lock(mutex_);
  return channels_;
}

std::size_t Exchange::writers_of(const std::string & name, const InsideReader & reader) const {
  const os::Lock lock(mutex_);
  const auto found = topics_.find(name);
  if (found == topics_.end()) return 0;
  return static_cast<std::size_t>(
      std::count_if(found->second.writers.begin(), found->second.writers.end(),
                    [&reader](const InsideWriter * writer) {
                      return matches(writer->type_, writer->qos_, reader.type(), reader.qos());
                    }));
}

}  // namespace takt
