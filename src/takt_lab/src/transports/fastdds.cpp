// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/fastdds.hpp"

#ifndef TAKT_LAB_FASTDDS

#include "error.hpp"

namespace takt::lab {

const char * lacks_fastdds() noexcept {
  return "built without Fast DDS 2; its headers and library come with rmw_fastrtps (fastrtps)";
}
std::unique_ptr<Transport> make_fastdds(const TransportOptions &) {
  throw Error(lacks_fastdds());
}

}  // namespace takt::lab

#else

#include <fastrtps/utils/IPLocator.h>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fastdds/dds/core/condition/GuardCondition.hpp>
#include <fastdds/dds/core/condition/WaitSet.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "transports/domain.hpp"
#include "transports/raw.hpp"

namespace takt::lab {
namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

static_assert(std::endian::native == std::endian::little, "messages go out as little-endian CDR");

struct FastSample {
  std::uint64_t sequence = 0;
  std::vector<std::uint8_t> payload;
};

/// takt_msgs/Ping in its serialised form: four bytes that identify little-endian CDR, the sequence number, the
/// length and the payload.
class FastSampleType : public dds::TopicDataType {
  static constexpr std::uint32_t overhead = 4 + 8 + 4;

 public:
  explicit FastSampleType(std::size_t longest) {
    m_typeSize = overhead + static_cast<std::uint32_t>(longest);
    m_isGetKeyDefined = false;
    // A participant has one type of each name.
    setName(("takt::Ping" + std::to_string(longest)).c_str());
  }
  bool serialize(void * data, rtps::SerializedPayload_t * to) override {
    const auto & sample = *static_cast<const FastSample *>(data);
    const auto length = static_cast<std::uint32_t>(sample.payload.size());
    if (overhead + length > to->max_size) return false;
    constexpr std::uint8_t little_endian[4] = {0, 1, 0, 0};
    std::memcpy(to->data, little_endian, 4);
    std::memcpy(to->data + 4, &sample.sequence, 8);
    std::memcpy(to->data + 12, &length, 4);
    if (length > 0) std::memcpy(to->data + overhead, sample.payload.data(), length);
    to->encapsulation = CDR_LE;
    to->length = overhead + length;
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t * from, void * data) override {
    auto & sample = *static_cast<FastSample *>(data);
    std::uint32_t length = 0;
    if (from->length < overhead) return false;
    std::memcpy(&sample.sequence, from->data + 4, 8);
    std::memcpy(&length, from->data + 12, 4);
    if (from->length - overhead < length) return false;
    sample.payload.assign(from->data + overhead, from->data + overhead + length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void * data) override {
    const auto length = static_cast<std::uint32_t>(static_cast<FastSample *>(data)->payload.size());
    return [length] { return overhead + length; };
  }
  void * createData() override { return new FastSample; }
  void deleteData(void * data) override { delete static_cast<FastSample *>(data); }
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
};

template <typename T>
T * made(T * entity, const char * what) {
  if (entity == nullptr) throw Error(std::string("Fast DDS cannot create a ") + what);
  return entity;
}

/// A participant, one for each process as in ROS, which is deleted together with everything that it contains.
class Participant {
 public:
  explicit Participant(const TransportOptions & options) {
    auto * factory = dds::DomainParticipantFactory::get_instance();
    factory->load_profiles();
    dds::DomainParticipantQos qos = factory->get_default_participant_qos();
    if (only_this_host()) {
      rtps::Locator_t here;
      rtps::IPLocator::setIPv4(here, 127, 0, 0, 1);
      qos.wire_protocol().builtin.initialPeersList.push_back(here);
    }
    const auto domain = static_cast<dds::DomainId_t>(domain_of(options.domain));
    entity_ = made(factory->create_participant(domain, qos), "participant");
  }
  ~Participant() {
    entity_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(entity_);
  }
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  dds::DomainParticipant * operator->() const { return entity_; }
  /// Returns the topic, whose messages have at most this payload. One thread at a time.
  dds::Topic * topic(const std::string & name, std::size_t payload) {
    dds::Topic *& found = topics_[name];
    if (found != nullptr) return found;
    dds::TypeSupport & type = types_[payload];
    if (type.empty()) {
      type = dds::TypeSupport(new FastSampleType(payload));
      type.register_type(entity_);
    }
    found = made(entity_->create_topic("rt/" + name, type.get_type_name(), dds::TOPIC_QOS_DEFAULT),
                 "topic");
    return found;
  }

 private:
  dds::DomainParticipant * entity_ = nullptr;
  std::map<std::size_t, dds::TypeSupport> types_;
  std::map<std::string, dds::Topic *> topics_;
};

/// Returns the QoS with the settings that rmw_fastrtps uses for its writers and readers.
template <typename Qos>
Qos adapted(Qos qos, const TransportOptions & options) {
  qos.history().kind = dds::KEEP_LAST_HISTORY_QOS;
  qos.history().depth = static_cast<std::int32_t>(options.depth);
  qos.reliability().kind =
      options.reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = dds::VOLATILE_DURABILITY_QOS;
  qos.data_sharing().off();
  qos.endpoint().history_memory_policy = options.history > 0
                                             ? rtps::PREALLOCATED_MEMORY_MODE
                                             : rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  if (options.history > 0) {
    qos.resource_limits().allocated_samples = static_cast<std::int32_t>(options.history);
  }
  return qos;
}

/// Returns the QoS of a writer or reader. The mode of publication is that of all writers of this transport.
template <typename Qos>
nlohmann::ordered_json qos_json(const Qos & qos) {
  const bool reliable = qos.reliability().kind == dds::RELIABLE_RELIABILITY_QOS;
  return {{"reliability", reliable ? "reliable" : "best effort"},
          {"durability", "volatile"},
          {"depth", qos.history().depth},
          {"publication_mode", "SYNCHRONOUS"},
          {"data_sharing", false}};
}

class FastEnds : public Ends {
 public:
  FastEnds(const TransportOptions & options, const PartyOptions & party,
           std::shared_ptr<Participant> participant)
      : receivers_(party.receivers), participant_(std::move(participant)) {
    sample_.payload = payload_of(party.payload);
    Participant & in = *participant_;
    const auto topic = [&](const std::string & name) { return in.topic(name, party.payload); };
    if (!party.sends.empty()) {
      auto * publisher = made(in->create_publisher(dds::PUBLISHER_QOS_DEFAULT), "publisher");
      dds::DataWriterQos writer = adapted(publisher->get_default_datawriter_qos(), options);
      writer.publish_mode().kind = dds::SYNCHRONOUS_PUBLISH_MODE;
      writer_ = made(publisher->create_datawriter(topic(party.sends), writer), "writer");
    }
    waits_.attach_condition(wake_);
    if (party.receives.empty()) return;
    auto * subscriber = made(in->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT), "subscriber");
    reader_ =
        made(subscriber->create_datareader(
                 topic(party.receives), adapted(subscriber->get_default_datareader_qos(), options)),
             "reader");
    reader_->get_statuscondition().set_enabled_statuses(dds::StatusMask::data_available());
    waits_.attach_condition(reader_->get_statuscondition());
  }
  ~FastEnds() override {
    if (reader_ != nullptr) waits_.detach_condition(reader_->get_statuscondition());
    waits_.detach_condition(wake_);
  }

  void send(std::uint64_t sequence) override {
    sample_.sequence = sequence;
    writer_->write(&sample_);
  }
  bool matched() override {
    dds::PublicationMatchedStatus there;
    dds::SubscriptionMatchedStatus here;
    if (writer_ != nullptr) writer_->get_publication_matched_status(there);
    if (reader_ != nullptr) reader_->get_subscription_matched_status(here);
    return (writer_ == nullptr || static_cast<std::size_t>(there.current_count) >= receivers_) &&
           (reader_ == nullptr || here.current_count > 0);
  }
  nlohmann::ordered_json qos() const override {
    return reader_ != nullptr ? qos_json(reader_->get_qos()) : qos_json(writer_->get_qos());
  }
  void receive(const std::function<void(const Message &)> & received) override {
    if (waits_.wait(active_, eprosima::fastrtps::c_TimeInfinite) != ReturnCode_t::RETCODE_OK)
      return;
    wake_.set_trigger_value(false);
    dds::SampleInfo info;
    while (reader_ != nullptr &&
           reader_->take_next_sample(&taken_, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data) received({taken_.sequence, taken_.payload});
    }
  }
  void wake() override { wake_.set_trigger_value(true); }

 private:
  const std::size_t receivers_;
  std::shared_ptr<Participant> participant_;
  FastSample sample_;
  FastSample taken_;
  dds::DataWriter * writer_ = nullptr;
  dds::DataReader * reader_ = nullptr;
  dds::GuardCondition wake_;
  dds::WaitSet waits_;
  dds::ConditionSeq active_;
};

}  // namespace

const char * lacks_fastdds() noexcept {
  return nullptr;
}
std::unique_ptr<Transport> make_fastdds(const TransportOptions & options) {
  auto participant = std::make_shared<Participant>(options);
  return std::make_unique<RawTransport>(
      options, [options, participant](const PartyOptions & party) {
        return std::make_unique<FastEnds>(options, party, participant);
      });
}

}  // namespace takt::lab

#endif
