// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/cyclonedds.hpp"

#ifndef TAKT_LAB_CYCLONEDDS

#include "error.hpp"

namespace takt::lab {

const char * lacks_cyclonedds() noexcept {
  return "built without Cyclone DDS; install cyclonedds-dev (or ros-DISTRO-cyclonedds) and build";
}
std::unique_ptr<Transport> make_cyclonedds(const TransportOptions &) {
  throw Error(lacks_cyclonedds());
}

}  // namespace takt::lab

#else

#include <dds/dds.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "error.hpp"
#include "transports/domain.hpp"
#include "transports/raw.hpp"

namespace takt::lab {
namespace {

struct Sample {
  std::uint64_t sequence;
  struct {
    std::uint32_t maximum;
    std::uint32_t length;
    std::uint8_t * buffer;
    bool release;
  } payload;
};

/// The type description that Cyclone DDS's IDL compiler would generate for takt_msgs/Ping.
constexpr std::uint32_t op_address = DDS_OP_ADR;
constexpr std::uint32_t op_bytes = DDS_OP_SUBTYPE_1BY;
constexpr std::array<std::uint32_t, 5> operations = {
    op_address | DDS_OP_TYPE_8BY, offsetof(Sample, sequence),
    op_address | DDS_OP_TYPE_SEQ | op_bytes, offsetof(Sample, payload), DDS_OP_RTS};

constexpr dds_topic_descriptor_t descriptor = {.m_size = sizeof(Sample),
                                               .m_align = alignof(Sample),
                                               .m_flagset = 0,
                                               .m_nkeys = 0,
                                               .m_typename = "takt::Ping",
                                               .m_keys = nullptr,
                                               .m_nops = 3,
                                               .m_ops = operations.data(),
                                               .m_meta = "",
                                               .type_information = {},
                                               .type_mapping = {},
                                               .restrict_data_representation = 0};

dds_entity_t made(dds_entity_t entity, const char * what) {
  if (entity < 0) {
    throw Error(std::string("Cyclone DDS cannot create a ") + what + ": " + dds_strretcode(entity));
  }
  return entity;
}

/// An entity, which is deleted at the end of the scope together with everything that it contains.
struct Entity {
  explicit Entity(dds_entity_t given) : handle(given) {}
  ~Entity() { dds_delete(handle); }
  Entity(const Entity &) = delete;
  Entity & operator=(const Entity &) = delete;
  const dds_entity_t handle;
};

/// Creates a participant, in a domain with these settings, followed by those of the environment. The settings
/// of the first participant of a domain are used.
dds_entity_t open_participant(const TransportOptions & options) {
  const auto domain = static_cast<dds_domainid_t>(domain_of(options.domain));
  if (only_this_host()) {
    std::string settings =
        "<General><Interfaces><NetworkInterface name=\"lo\" multicast=\"false\"/></Interfaces>"
        "</General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
        "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";
    const char * given = std::getenv("CYCLONEDDS_URI");
    if (given != nullptr && *given != '\0') settings += std::string(",") + given;
    dds_create_domain(domain, settings.c_str());
  }
  return made(dds_create_participant(domain, nullptr, nullptr), "participant");
}

class CycloneEnds : public Ends {
 public:
  CycloneEnds(const TransportOptions & options, const PartyOptions & party,
              std::shared_ptr<Entity> participant)
      : options_(options),
        receivers_(party.receivers),
        payload_(payload_of(party.payload)),
        participant_(std::move(participant)) {
    const dds_entity_t in = participant_->handle;
    const std::unique_ptr<dds_qos_t, decltype(&dds_delete_qos)> qos(dds_create_qos(),
                                                                    dds_delete_qos);
    dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, static_cast<std::int32_t>(options.depth));
    dds_qset_reliability(qos.get(),
                         options.reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_MSECS(100));
    dds_qset_durability(qos.get(), DDS_DURABILITY_VOLATILE);
    const auto topic = [&](const std::string & name) {
      return made(dds_create_topic(in, &descriptor, ("rt/" + name).c_str(), nullptr, nullptr),
                  "topic");
    };
    if (!party.sends.empty()) {
      writer_ = made(dds_create_writer(in, topic(party.sends), qos.get(), nullptr), "writer");
    }
    waits_ = made(dds_create_waitset(in), "wait set");
    wake_ = made(dds_create_guardcondition(in), "condition");
    made(dds_waitset_attach(waits_, wake_, 0), "wait set");
    if (party.receives.empty()) return;
    reader_ = made(dds_create_reader(in, topic(party.receives), qos.get(), nullptr), "reader");
    const dds_entity_t ready = made(dds_create_readcondition(reader_, DDS_ANY_STATE), "condition");
    made(dds_waitset_attach(waits_, ready, 0), "wait set");
  }

  void send(std::uint64_t sequence) override {
    Sample sample{};
    sample.sequence = sequence;
    sample.payload.maximum = sample.payload.length = static_cast<std::uint32_t>(payload_.size());
    sample.payload.buffer = payload_.data();
    dds_write(writer_, &sample);
  }
  bool matched() override {
    dds_publication_matched_status_t there{};
    dds_subscription_matched_status_t here{};
    if (writer_ != 0) dds_get_publication_matched_status(writer_, &there);
    if (reader_ != 0) dds_get_subscription_matched_status(reader_, &here);
    return (writer_ == 0 || there.current_count >= receivers_) &&
           (reader_ == 0 || here.current_count > 0);
  }
  nlohmann::ordered_json qos() const override {
    return {{"reliability", options_.reliable ? "reliable" : "best effort"},
            {"durability", "volatile"},
            {"depth", options_.depth}};
  }
  void receive(const std::function<void(const Message &)> & received) override {
    dds_waitset_wait(waits_, nullptr, 0, DDS_INFINITY);
    bool woken = false;
    dds_take_guardcondition(wake_, &woken);
    while (reader_ != 0) {
      void * sample = nullptr;
      dds_sample_info_t info;
      // A loaned sample, which is not copied again.
      const dds_return_t count = dds_take(reader_, &sample, &info, 1, 1);
      if (count <= 0) return;
      const auto & taken = *static_cast<const Sample *>(sample);
      if (info.valid_data) {
        received({taken.sequence, {taken.payload.buffer, taken.payload.length}});
      }
      dds_return_loan(reader_, &sample, count);
    }
  }
  void wake() override { dds_set_guardcondition(wake_, true); }

 private:
  TransportOptions options_;
  const std::size_t receivers_;
  std::vector<std::uint8_t> payload_;
  std::shared_ptr<Entity> participant_;
  dds_entity_t writer_ = 0;
  dds_entity_t reader_ = 0;
  dds_entity_t waits_ = 0;
  dds_entity_t wake_ = 0;
};

}  // namespace

const char * lacks_cyclonedds() noexcept {
  return nullptr;
}
std::unique_ptr<Transport> make_cyclonedds(const TransportOptions & options) {
  // One for each process, as in ROS.
  auto participant = std::make_shared<Entity>(open_participant(options));
  return std::make_unique<RawTransport>(
      options, [options, participant](const PartyOptions & party) {
        return std::make_unique<CycloneEnds>(options, party, participant);
      });
}

}  // namespace takt::lab

#endif
