// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "yaml_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "takt_core/tasks/error.hpp"

namespace takt::tasks {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

/// The text of the file. Throws Error.
std::string contents(const std::string & path) {
  const auto refuse = [&path](const std::string & what) { throw Error(path + ": " + what); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"),
                                                              std::fclose);
  if (file == nullptr) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  std::string text(most_bytes + 1, '\0');
  errno = 0;
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    refuse(std::string("cannot be read: ") + std::strerror(errno));
  }
  if (text.size() > most_bytes) refuse("is longer than 1 MiB");
  return text;
}

bool is_control(char byte) noexcept {
  return std::iscntrl(static_cast<unsigned char>(byte)) != 0;
}

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array<Unit, 5> units{
    {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}}};

/// The value of 1 to 15 decimal digits; no value for other text.
std::optional<std::int64_t> digits(std::string_view text) {
  std::int64_t value = 0;
  const bool all = !text.empty() && text.size() <= 15 && text.front() != '-';
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!all || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `number` times `unit` in ns; no value unless that is a whole number that fits.
std::optional<std::int64_t> nanoseconds(std::string_view number, std::int64_t unit) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const auto whole = digits(number.substr(0, point));
  if (!whole || *whole > std::numeric_limits<std::int64_t>::max() / unit - 1) return std::nullopt;
  std::int64_t result = *whole * unit;
  if (point == number.size()) return result;
  if (!digits(number.substr(point + 1))) return std::nullopt;
  for (const char digit : number.substr(point + 1)) {
    if (unit % 10 != 0 && digit != '0') return std::nullopt;
    unit /= 10;
    result += (digit - '0') * unit;
  }
  return result;
}

}  // namespace

struct YamlValue::Document {
  explicit Document(std::string path_) : path(std::move(path_)) {}
  ~Document() {
    if (loaded) yaml_document_delete(&document);
  }
  Document(const Document &) = delete;
  Document & operator=(const Document &) = delete;

  const std::string path;
  yaml_document_t document{};
  bool loaded = false;
};

// ---- values -------------------------------------------------------------------------------------

std::string YamlValue::where() const {
  return document_->path + ":" + std::to_string(line_) + (key_.empty() ? "" : ": " + key_);
}

void YamlValue::fail(const std::string & what) const {
  std::string line = where() + ": " + what;
  // Control characters of the file must not break the line.
  std::replace_if(line.begin(), line.end(), is_control, '?');
  throw Error(line);
}

YamlValue YamlValue::at(int index, std::string key, std::size_t line) const {
  const yaml_node_t * node = yaml_document_get_node(&document_->document, index);
  // The node of an alias has the line of its anchor.
  return {document_, node, std::move(key), line > 0 ? line : node->start_mark.line + 1};
}

std::vector<YamlValue::Member> YamlValue::members() const {
  if (node_->type != YAML_MAPPING_NODE) fail("must be a map: lines of `key: value`");
  std::vector<Member> members;
  std::set<std::string> seen;
  const auto & pairs = node_->data.mapping.pairs;
  for (const yaml_node_pair_t * pair = pairs.start; pair < pairs.top; ++pair) {
    const YamlValue name = at(pair->key, key_, 0);
    if (name.node_->type != YAML_SCALAR_NODE) name.fail("a key must be a text");
    std::string key = name.text();
    if (!seen.insert(key).second) name.fail("'" + key + "' is there twice");
    YamlValue value = at(pair->value, key_.empty() ? key : key_ + "." + key, name.line_);
    members.push_back({std::move(key), std::move(value)});
  }
  return members;
}

std::string_view YamlValue::scalar() const {
  if (node_->type != YAML_SCALAR_NODE) fail("must be one value, not a list or a map");
  const auto & value = node_->data.scalar;
  return {reinterpret_cast<const char *>(value.value), value.length};
}

bool YamlValue::is(std::string_view text) const {
  return node_->type == YAML_SCALAR_NODE && scalar() == text;
}

std::string YamlValue::text() const {
  const std::string_view text = scalar();
  if (text.empty()) fail("must be a text that is not empty");
  if (std::any_of(text.begin(), text.end(), is_control)) fail("must be one line of text");
  return std::string(text);
}

std::vector<std::string> YamlValue::texts() const {
  if (node_->type != YAML_SEQUENCE_NODE) return {text()};
  std::vector<std::string> texts;
  const auto & items = node_->data.sequence.items;
  for (const yaml_node_item_t * item = items.start; item < items.top; ++item) {
    texts.push_back(at(*item, key_, 0).text());
  }
  return texts;
}

std::int64_t YamlValue::integer() const {
  const std::string_view text = scalar();
  const bool negative = text.starts_with('-');
  const auto value = digits(text.substr(negative ? 1 : 0));
  if (!value) fail("must be a whole number, not '" + std::string(text) + "'");
  return negative ? -*value : *value;
}

bool YamlValue::boolean() const {
  const std::string_view text = scalar();
  if (text != "true" && text != "false") {
    fail("must be true or false, not '" + std::string(text) + "'");
  }
  return text == "true";
}

Duration YamlValue::duration() const {
  const std::string_view text = scalar();
  const std::size_t end = text.find_last_of("0123456789.") + 1;
  const std::string_view number = text.substr(0, end);
  std::string_view name = text.substr(end);
  if (name.starts_with(' ')) name.remove_prefix(1);
  const auto * const unit =
      std::find_if(units.begin(), units.end(), [name](const Unit & u) { return u.name == name; });
  const auto result = unit != units.end() ? nanoseconds(number, unit->nanoseconds) : std::nullopt;
  if (!result) {
    fail(
        "must be a number of whole nanoseconds with a unit (ns, us, ms, s, min) as in 20ms, not '" +
        std::string(text) + "'");
  }
  return Duration(*result);
}

// ---- file ---------------------------------------------------------------------------------------

YamlFile::YamlFile(const std::string & path) : root_(read(path)) {}

YamlValue YamlFile::read(const std::string & path) {
  const std::string text = contents(path);
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) throw Error(path + ": no memory to read it");
  const std::unique_ptr<yaml_parser_t, void (*)(yaml_parser_t *)> end(&parser, yaml_parser_delete);
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char *>(text.data()),
                               text.size());
  const auto load = [&](yaml_document_t * document) {
    if (yaml_parser_load(&parser, document) != 0) return;
    const bool marked = parser.error != YAML_READER_ERROR && parser.error != YAML_MEMORY_ERROR;
    throw Error(path + (marked ? ":" + std::to_string(parser.problem_mark.line + 1) : "") +
                ": is not YAML: " + (parser.problem != nullptr ? parser.problem : "no memory"));
  };
  auto document = std::make_shared<YamlValue::Document>(path);
  load(&document->document);
  document->loaded = true;
  const yaml_node_t * root = yaml_document_get_root_node(&document->document);
  if (root == nullptr) throw Error(path + ": is empty");
  YamlValue::Document next(path);
  load(&next.document);
  next.loaded = true;
  if (const auto * more = yaml_document_get_root_node(&next.document)) {
    throw Error(path + ":" + std::to_string(more->start_mark.line + 1) +
                ": begins a second document: one is read");
  }
  return {std::move(document), root, "", root->start_mark.line + 1};
}

}  // namespace takt::tasks
