// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/message_pool.hpp"

#include <algorithm>
#include <utility>

namespace takt {

/// A message of the pool, with memory for the control block of the shared_ptr that lends it.
struct MessagePool::Slot {
  explicit Slot(const MessageType & message_type)
      : type(message_type), message(::operator new(type.size, std::align_val_t(type.alignment))) {
    try {
      type.construct(message);
    } catch (...) {
      ::operator delete(message, std::align_val_t(type.alignment));
      throw;
    }
  }
  ~Slot() {
    type.destroy(message);
    ::operator delete(message, std::align_val_t(type.alignment));
  }
  Slot(const Slot &) = delete;
  Slot & operator=(const Slot &) = delete;

  const MessageType & type;
  void * message;
  Slot * next = nullptr;
  alignas(std::max_align_t) std::byte control[128];
};

/// Places the control block in the slot. When the block is freed, no shared or weak pointer refers to the
/// message any more, and the slot returns to the pool.
template <typename U>
struct MessagePool::ControlAllocator {
  using value_type = U;
  ControlAllocator(std::shared_ptr<MessagePool> of, Slot * in) noexcept
      : pool(std::move(of)), slot(in) {}
  template <typename V>
  ControlAllocator(const ControlAllocator<V> & other) noexcept
      : pool(other.pool), slot(other.slot) {}

  U * allocate(std::size_t) noexcept {
    static_assert(sizeof(U) <= sizeof(Slot::control));
    return reinterpret_cast<U *>(slot->control);
  }
  void deallocate(U *, std::size_t) noexcept { pool->give_back(slot); }
  template <typename V>
  bool operator==(const ControlAllocator<V> & other) const noexcept {
    return slot == other.slot;
  }

  std::shared_ptr<MessagePool> pool;
  Slot * slot;
};

MessagePool::MessagePool(const MessageType & type, PoolRule rule, Exhausted exhausted)
    : type_(type), rule_(rule), on_exhausted_(std::move(exhausted)) {}

MessagePool::~MessagePool() = default;

MessagePool::Slot * MessagePool::add_slot() {
  auto slot = std::make_unique<Slot>(type_);
  std::shared_ptr<const std::function<void(void *)>> make;
  {
    const os::Lock lock(mutex_);
    make = prepare_;
  }
  if (make != nullptr) (*make)(slot->message);
  const os::Lock lock(mutex_);
  slots_.push_back(std::move(slot));
  return slots_.back().get();
}

void MessagePool::reserve(std::size_t count) {
  while (size() < count) give_back(add_slot());
  const os::Lock lock(mutex_);
  reserved_ = std::max(reserved_, slots_.size());
}

void MessagePool::prepare(std::function<void(void *)> make) {
  const auto prepare = std::make_shared<const std::function<void(void *)>>(std::move(make));
  /// The free messages, withdrawn from the pool while they are prepared. They are returned also if `make`
  /// throws.
  struct Slots {
    MessagePool & pool;
    Slot * first = nullptr;
    ~Slots() {
      while (first != nullptr) pool.give_back(std::exchange(first, first->next));
    }
  } taken{*this};
  {
    const os::Lock lock(mutex_);
    prepare_ = prepare;
    taken.first = std::exchange(free_, nullptr);
  }
  for (Slot * slot = taken.first; slot != nullptr; slot = slot->next) (*prepare)(slot->message);
  reserve(1);
}

std::shared_ptr<void> MessagePool::take() {
  Slot * slot = nullptr;
  {
    const os::Lock lock(mutex_);
    if (free_ != nullptr) {
      slot = std::exchange(free_, free_->next);
    } else {
      ++exhausted_;
    }
  }
  if (slot == nullptr) {
    if (rule_ == PoolRule::grow) slot = add_slot();
    if (on_exhausted_) report_exhausted();
    if (slot == nullptr) return nullptr;
  }
  return std::shared_ptr<void>(
      slot->message, [](void *) noexcept {}, ControlAllocator<std::byte>(shared_from_this(), slot));
}

void MessagePool::report_exhausted() const {
  std::size_t size = 0;
  std::size_t reserved = 0;
  {
    const os::Lock lock(mutex_);
    size = slots_.size();
    reserved = reserved_;
  }
  on_exhausted_(size, reserved);
}

void MessagePool::give_back(Slot * slot) noexcept {
  const os::Lock lock(mutex_);
  slot->next = std::exchange(free_, slot);
}

std::size_t MessagePool::size() const noexcept {
  const os::Lock lock(mutex_);
  return slots_.size();
}

std::uint64_t MessagePool::exhausted() const noexcept {
  const os::Lock lock(mutex_);
  return exhausted_;
}

}  // namespace takt
