// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/tasks/duration.hpp"

namespace takt::tasks {

/// A value in a YAML file. The members throw Error with file, line and key if it has the wrong
/// form.
class YamlValue {
 public:
  struct Member;

  [[noreturn]] void fail(const std::string & what) const;
  /// The prefix of error texts: `FILE:LINE: KEY`.
  std::string where() const;

  /// The members of a map, in the order of the file; each key once.
  std::vector<Member> members() const;
  /// Whether it is this text.
  bool is(std::string_view text) const;
  /// Its text, which must not be empty.
  std::string text() const;
  /// One text or a list of texts.
  std::vector<std::string> texts() const;
  std::int64_t integer() const;
  bool boolean() const;
  /// A number with a unit, such as `20ms` or `1.5s`; a whole number of nanoseconds.
  Duration duration() const;

 private:
  friend class YamlFile;
  struct Document;

  YamlValue(std::shared_ptr<Document> document, const yaml_node_t * node, std::string key,
            std::size_t line)
      : document_(std::move(document)), node_(node), key_(std::move(key)), line_(line) {}
  YamlValue at(int index, std::string key, std::size_t line) const;
  std::string_view scalar() const;

  std::shared_ptr<Document> document_;
  const yaml_node_t * node_;
  std::string key_;
  std::size_t line_;
};

struct YamlValue::Member {
  std::string key;
  YamlValue value;
};

/// A file with one YAML document. The constructor throws Error with the file's name.
class YamlFile {
 public:
  explicit YamlFile(const std::string & path);
  const YamlValue & root() const noexcept { return root_; }

 private:
  static YamlValue read(const std::string & path);

  YamlValue root_;
};

}  // namespace takt::tasks
