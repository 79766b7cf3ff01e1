// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/udp.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "error.hpp"
#include "transports/raw.hpp"

namespace takt::lab {
namespace {

enum class Kind : std::uint32_t { data, hello, welcome };

/// The header of each piece of a message.
struct Head {
  std::uint64_t sequence = 0;
  std::uint32_t kind = 0;
  std::uint32_t total = 0;   ///< size of the message in bytes
  std::uint32_t offset = 0;  ///< offset of this piece in bytes
  std::uint32_t length = 0;
};
constexpr std::size_t longest_piece = 60'000;
constexpr int buffer_bytes = 4 << 20;

sockaddr_in address_of(const std::string & text) {
  const auto colon = text.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  std::uint16_t port = 0;
  bool good = colon != text.npos &&
              inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr) == 1;
  if (good) {
    const char * const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, port);
    good = error == std::errc{} && stop == end && port > 0;
  }
  if (!good) throw Error("'" + text + "' is not an address: write IP:PORT, as 127.0.0.1:41000");
  address.sin_port = htons(port);
  return address;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number < 0) throw Error(std::string("cannot create a descriptor: ") + std::strerror(errno));
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor &) = delete;
  Descriptor & operator=(const Descriptor &) = delete;
  int get() const noexcept { return number_; }

 private:
  int number_;
};

class UdpEnds : public Ends {
 public:
  UdpEnds(const TransportOptions & options, const PartyOptions & party)
      : newest_only_(!options.reliable && options.depth == 1),
        sends_(!party.sends.empty()),
        payload_(payload_of(party.payload)),
        piece_(sizeof(Head) + longest_piece),
        peers_(party.there.size()) {
    for (std::size_t i = 0; i < peers_.size(); ++i) peers_[i].address = address_of(party.there[i]);
    const sockaddr_in here = address_of(party.here);
    for (const int which : {SO_RCVBUF, SO_SNDBUF}) {
      setsockopt(socket_.get(), SOL_SOCKET, which, &buffer_bytes, sizeof(buffer_bytes));
    }
    if (::bind(socket_.get(), reinterpret_cast<const sockaddr *>(&here), sizeof(here)) != 0) {
      throw Error(party.here + ": cannot be bound: " + std::strerror(errno) +
                  "; choose another address with --here");
    }
  }

  void send(std::uint64_t sequence) override {
    if (!sends_) return;
    for (const Peer & peer : peers_) {
      std::size_t offset = 0;
      do {
        const std::size_t length = std::min(payload_.size() - offset, longest_piece);
        put(peer.address,
            {.sequence = sequence,
             .kind = static_cast<std::uint32_t>(Kind::data),
             .total = static_cast<std::uint32_t>(payload_.size()),
             .offset = static_cast<std::uint32_t>(offset),
             .length = static_cast<std::uint32_t>(length)},
            payload_.data() + offset);
        offset += length;
      } while (offset < payload_.size());
    }
  }
  bool matched() override {
    bool all = true;
    for (const Peer & peer : peers_) {
      if (peer.matched.load()) continue;
      put(peer.address, {.kind = static_cast<std::uint32_t>(Kind::hello)}, nullptr);
      all = false;
    }
    return all;
  }
  nlohmann::ordered_json qos() const override {
    return {{"socket_buffer", buffer_bytes}, {"newest_only", newest_only_}};
  }

  void receive(const std::function<void(const Message &)> & received) override {
    std::array<pollfd, 2> both = {{{socket_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    if (::poll(both.data(), both.size(), -1) < 0 || both[1].revents != 0) return;
    // Read all datagrams; with a history of one message, only the last complete message is delivered.
    bool any_complete = false;
    while (take()) {
      if (filled_ != incoming_.size() || !complete_) continue;
      complete_ = false;
      latest_.swap(incoming_);
      latest_sequence_ = sequence_;
      any_complete = true;
      if (!newest_only_) received({latest_sequence_, latest_});
    }
    if (any_complete && newest_only_) received({latest_sequence_, latest_});
  }
  void wake() override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
  }

 private:
  struct Peer {
    sockaddr_in address{};
    std::atomic<bool> matched{false};
  };

  void put(sockaddr_in to, const Head & head, const std::uint8_t * bytes) {
    // Header and piece are sent in one datagram, without a copy.
    Head copy = head;
    std::array<iovec, 2> parts = {
        {{&copy, sizeof(copy)}, {const_cast<std::uint8_t *>(bytes), head.length}}};
    msghdr message{};
    message.msg_name = &to;
    message.msg_namelen = sizeof(to);
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    // If there is no receiver yet, or no room, the message is lost.
    [[maybe_unused]] const auto sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
  }
  /// Receives one datagram; returns whether there may be more.
  bool take() {
    sockaddr_in from{};
    socklen_t from_size = sizeof(from);
    const ssize_t size = ::recvfrom(socket_.get(), piece_.data(), piece_.size(), MSG_DONTWAIT,
                                    reinterpret_cast<sockaddr *>(&from), &from_size);
    // ECONNREFUSED reports, once, that an earlier datagram had no receiver.
    if (size < 0) return errno == ECONNREFUSED;
    Head head;
    if (static_cast<std::size_t>(size) < sizeof(head)) return true;
    std::memcpy(&head, piece_.data(), sizeof(head));
    const std::size_t length = static_cast<std::size_t>(size) - sizeof(head);
    if (head.length != length || std::size_t{head.offset} + length > head.total) return true;
    for (Peer & peer : peers_) {
      if (peer.address.sin_port == from.sin_port &&
          peer.address.sin_addr.s_addr == from.sin_addr.s_addr) {
        peer.matched.store(true);
      }
    }
    if (head.kind == static_cast<std::uint32_t>(Kind::hello)) {
      put(from, {.kind = static_cast<std::uint32_t>(Kind::welcome)}, nullptr);
    }
    if (head.kind != static_cast<std::uint32_t>(Kind::data)) return true;
    if (head.offset == 0) {
      sequence_ = head.sequence;
      incoming_.resize(head.total);
      filled_ = 0;
    }
    if (head.sequence != sequence_ || head.offset != filled_ || incoming_.size() != head.total) {
      return true;  // an earlier piece of the message has been lost
    }
    std::copy_n(piece_.data() + sizeof(head), length, incoming_.begin() + head.offset);
    filled_ += length;
    complete_ = filled_ == incoming_.size();
    return true;
  }

  const bool newest_only_;
  const bool sends_;
  std::vector<std::uint8_t> payload_;
  std::vector<std::uint8_t> piece_;
  std::vector<Peer> peers_;
  Descriptor socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  Descriptor wake_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  // Used only by the thread that receives.
  std::uint64_t sequence_ = 0;
  std::vector<std::uint8_t> incoming_;
  std::size_t filled_ = 0;
  bool complete_ = false;
  std::vector<std::uint8_t> latest_;
  std::uint64_t latest_sequence_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_udp(const TransportOptions & options) {
  return std::make_unique<RawTransport>(options, [options](const PartyOptions & party) {
    return std::make_unique<UdpEnds>(options, party);
  });
}

}  // namespace takt::lab
