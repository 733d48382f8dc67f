// SPDX-License-Identifier: Apache-2.0
// Schedules as JSON, read event by event: every message has the line it is about.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_keys.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Counts lines while the parser reads on. The parser keeps copies; all of them count in one place.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    // a line feed counts when what follows it is read: numbers end only where the next character has been
    // seen
    if (after_feed_) ++*line_;
    after_feed_ = *at_ == '\n';
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
  bool after_feed_ = false;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::variant<ScheduleDocument, CombinedDocument> read() {
    const CountingIterator begin(text_.data(), &line_);
    const CountingIterator end(text_.data() + text_.size(), &line_);
    nlohmann::json::sax_parse(begin, end, this);
    refuse_keys_given_twice(text_, file_);  // those that nobody here knows
    if (!seen_collective_) fail("the member \"collective\" is missing");
    if (!seen_steps_) fail("the member \"steps\" is missing");
    if (combined_.transfer_count() == 0) {
      if (!rounds_.empty()) fail("\"rounds\" are for transfers with \"blocks\"");
      return std::move(document_);
    }
    return CombinedDocument{std::move(document_.fabric),
                            std::move(document_.collective),
                            std::move(document_.participants),
                            pieces_,
                            std::move(combined_),
                            std::move(document_.faults),
                            std::move(rounds_)};
  }

  // What the parser calls.
  bool null() { return other(); }
  bool boolean(bool value) {
    if (place_ != Place::combine) return other();
    combine_ = value;
    return value_done();
  }
  bool number_integer(std::int64_t value) {
    if (place_ != Place::ignored && place_ != Place::top_ignored)
      fail(fmt::format("expected {}, found {}", expected(), value));
    return value_done();
  }
  bool number_unsigned(std::uint64_t value) {
    if (is_node_place() && value >= NodeId::kNone)
      fail(fmt::format("expected a node number, found {}", value));
    const NodeId node(static_cast<std::uint32_t>(value));
    switch (place_) {
      case Place::nodes:
        list_->push_back(node);
        return true;
      case Place::path:
        path_.push_back(node);
        return true;
      case Place::root:
        document_.participants.root = node;
        return value_done();
      case Place::origin:
        origin_ = node;
        return value_done();
      case Place::pieces:
        if (value == 0 || value >= Problem::kNone)
          fail(fmt::format("expected {}, found {}", expected(), value));
        pieces_ = static_cast<std::uint32_t>(value);
        return value_done();
      case Place::rounds:
        if (value == 0 || value >= Problem::kNone)
          fail(fmt::format("expected {}, found {}", expected(), value));
        rounds_.push_back(static_cast<std::uint32_t>(value));
        return true;
      case Place::pair:
        if (pair_size_ == 2) fail("expected a pair of numbers, found a third");
        pair_[pair_size_++] = node;
        return true;
      default:
        return other();
    }
  }
  bool number_float(double /*value*/, const std::string& /*text*/) { return other(); }
  bool string(std::string& value) {
    if (place_ == Place::fabric) {
      document_.fabric = value;
      return value_done();
    }
    if (place_ == Place::faults) {
      document_.faults = value;
      return value_done();
    }
    if (place_ == Place::collective) {
      document_.collective = value;
      return value_done();
    }
    return other();
  }
  bool binary(nlohmann::json::binary_t& /*value*/) { return other(); }
  bool start_object(std::size_t /*elements*/) {
    if (place_ == Place::start) {
      place_ = Place::member;
      return true;
    }
    if (place_ == Place::step) {
      place_ = Place::transfer_member;
      origin_ = {};
      path_.clear();
      blocks_.clear();
      combine_.reset();
      return true;
    }
    return enter();
  }
  bool key(std::string& name) {
    if (place_ == Place::member) {
      top_member(name);
    } else if (place_ == Place::transfer_member) {
      if (name == "origin") {
        if (origin_.valid()) fail("\"origin\" comes twice in one transfer");
        place_ = Place::origin;
      } else if (name == "path") {
        if (!path_.empty()) fail("\"path\" comes twice in one transfer");
        place_ = Place::path_start;
      } else if (name == "blocks") {
        if (!blocks_.empty()) fail("\"blocks\" comes twice in one transfer");
        place_ = Place::blocks_start;
      } else if (name == "combine") {
        if (combine_) fail("\"combine\" comes twice in one transfer");
        place_ = Place::combine;
      } else {
        place_ = Place::ignored;
      }
    }
    return true;
  }
  bool end_object() {
    if (depth_ > 0) return leave();
    if (place_ == Place::transfer_member) {
      end_transfer();
      place_ = Place::step;
    }
    return true;
  }
  bool start_array(std::size_t /*elements*/) {
    switch (place_) {
      case Place::nodes_start:
        place_ = Place::nodes;
        return true;
      case Place::path_start:
        place_ = Place::path;
        return true;
      case Place::steps_start:
        place_ = Place::steps;
        return true;
      case Place::steps:
        document_.schedule.add_step();
        combined_.add_step();
        place_ = Place::step;
        return true;
      case Place::messages_start:
        place_ = Place::messages;
        return true;
      case Place::rounds_start:
        place_ = Place::rounds;
        return true;
      case Place::groups_start:
        place_ = Place::groups;
        return true;
      case Place::groups:
        list_ = &document_.participants.groups->emplace_back();
        in_group_ = true;
        place_ = Place::nodes;
        return true;
      case Place::blocks_start:
        place_ = Place::blocks;
        return true;
      case Place::messages:
      case Place::blocks:
        in_blocks_ = place_ == Place::blocks;
        pair_size_ = 0;
        place_ = Place::pair;
        return true;
      default:
        return enter();
    }
  }
  bool end_array() {
    if (depth_ > 0) return leave();
    switch (place_) {
      case Place::path:
        if (path_.empty()) fail("an empty \"path\"");
        place_ = Place::transfer_member;
        break;
      case Place::step:
        place_ = Place::steps;
        break;
      case Place::pair:
        end_pair();
        break;
      case Place::nodes:
        place_ = in_group_ ? Place::groups : Place::member;
        in_group_ = false;
        break;
      case Place::blocks:
        if (blocks_.empty()) fail("empty \"blocks\"");
        place_ = Place::transfer_member;
        break;
      default:
        place_ = Place::member;
    }
    return true;
  }
  [[noreturn]] bool parse_error(std::size_t /*position*/, const std::string& last,
                                const nlohmann::json::exception& /*error*/) {
    fail(last.empty() ? "not valid JSON: the text ends too early"
                      : fmt::format("not valid JSON at '{}'", shown(last)));
  }

 private:
  enum class Place : std::uint8_t {
    start,
    member,  // of the document
    fabric,
    faults,
    collective,
    root,
    nodes_start,
    nodes,
    steps_start,
    steps,
    step,
    transfer_member,
    origin,
    path_start,
    path,
    pieces,
    rounds_start,
    rounds,
    messages_start,
    messages,
    groups_start,
    groups,
    blocks_start,
    blocks,
    pair,  // of either
    combine,
    ignored,      // value of a member of a transfer that nobody knows
    top_ignored,  // of the document
  };

  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_, line_, message); }

  [[nodiscard]] bool is_node_place() const {
    return place_ == Place::nodes || place_ == Place::path || place_ == Place::root ||
           place_ == Place::origin || place_ == Place::pair;
  }
  [[nodiscard]] std::string expected() const {
    switch (place_) {
      case Place::start:
        return "an object with \"collective\" and \"steps\"";
      case Place::fabric:
      case Place::faults:
      case Place::collective:
        return "text";
      case Place::nodes_start:
      case Place::path_start:
        return "a list of node numbers";
      case Place::groups_start:
      case Place::groups:
        return "a list of groups, which are lists of node numbers";
      case Place::steps_start:
        return "a list of steps";
      case Place::steps:
        return "a step, which is a list of transfers";
      case Place::step:
        return "a transfer, which is an object with \"origin\" and \"path\"";
      case Place::pieces:
        return "a number of pieces from 1 on";
      case Place::rounds_start:
      case Place::rounds:
        return "a list of numbers of rounds from 1 on";
      case Place::messages_start:
      case Place::messages:
      case Place::blocks_start:
      case Place::blocks:
        return "a list of pairs of numbers";
      case Place::combine:
        return "true or false";
      default:
        return "a node number";
    }
  }
  /// Back from the value of a member to the next one.
  bool value_done() {
    if (depth_ == 0) {
      const bool of_transfer =
          place_ == Place::origin || place_ == Place::combine || place_ == Place::ignored;
      place_ = of_transfer ? Place::transfer_member : Place::member;
    }
    return true;
  }
  bool other() {
    if (place_ != Place::ignored && place_ != Place::top_ignored) fail("expected " + expected());
    return value_done();
  }
  /// Into a list or an object that nobody knows.
  bool enter() {
    if (place_ != Place::ignored && place_ != Place::top_ignored) fail("expected " + expected());
    ++depth_;
    return true;
  }
  bool leave() {
    --depth_;
    return value_done();
  }

  void end_pair() {
    if (pair_size_ < 2) fail("expected a pair of numbers, found its end");
    if (in_blocks_) {
      blocks_.push_back({pair_[0], pair_[1].value});
    } else {
      document_.participants.messages->push_back({pair_[0], pair_[1]});
    }
    place_ = in_blocks_ ? Place::blocks : Place::messages;
  }
  void end_transfer() {
    const bool combined = !blocks_.empty();
    if (combined && origin_.valid()) fail("a transfer with \"origin\" and \"blocks\"");
    if (!combined && !origin_.valid()) fail("a transfer without \"origin\"");
    if (path_.empty()) fail("a transfer without \"path\", or an empty one");
    if ((combined ? document_.schedule.transfer_count() : combined_.transfer_count()) > 0)
      fail("some transfers have \"origin\" and some have \"blocks\"");
    if (!combined && combine_) fail("\"combine\" in a transfer without \"blocks\"");
    if (combined) {
      combined_.add(path_, blocks_, combine_.value_or(false));
    } else {
      document_.schedule.add(origin_, path_);
    }
  }

  void once(bool seen, const std::string& name) const {
    if (seen) fail(fmt::format("the member \"{}\" comes twice", name));
  }
  void list_member(std::optional<std::vector<NodeId>>& list, const std::string& name) {
    once(list.has_value(), name);
    list_ = &list.emplace();
    place_ = Place::nodes_start;
  }
  void top_member(const std::string& name) {
    Participants& who = document_.participants;
    if (name == "fabric") {
      once(seen_fabric_, name);
      seen_fabric_ = true;
      place_ = Place::fabric;
    } else if (name == "fail") {
      once(seen_faults_, name);
      seen_faults_ = true;
      place_ = Place::faults;
    } else if (name == "collective") {
      once(seen_collective_, name);
      seen_collective_ = true;
      place_ = Place::collective;
    } else if (name == "root") {
      once(who.root.has_value(), name);
      place_ = Place::root;
    } else if (name == "terminals") {
      list_member(who.nodes, name);
    } else if (name == "transmitters") {
      list_member(who.transmitters, name);
    } else if (name == "receivers") {
      list_member(who.receivers, name);
    } else if (name == "groups") {
      once(who.groups.has_value(), name);
      who.groups.emplace();
      place_ = Place::groups_start;
    } else if (name == "messages") {
      once(who.messages.has_value(), name);
      who.messages.emplace();
      place_ = Place::messages_start;
    } else if (name == "pieces") {
      once(seen_pieces_, name);
      seen_pieces_ = true;
      place_ = Place::pieces;
    } else if (name == "rounds") {
      once(seen_rounds_, name);
      seen_rounds_ = true;
      place_ = Place::rounds_start;
    } else if (name == "steps") {
      once(seen_steps_, name);
      seen_steps_ = true;
      place_ = Place::steps_start;
    } else {
      place_ = Place::top_ignored;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t line_ = 1;
  Place place_ = Place::start;
  std::size_t depth_ = 0;  // inside something that nobody knows
  bool seen_fabric_ = false, seen_faults_ = false, seen_collective_ = false, seen_steps_ = false,
       seen_pieces_ = false, seen_rounds_ = false;
  std::vector<NodeId>* list_ = nullptr;
  NodeId origin_;
  std::vector<NodeId> path_;
  std::array<NodeId, 2> pair_;
  std::size_t pair_size_ = 0;
  bool in_blocks_ = false;  // where the pair is
  bool in_group_ = false;   // a list of nodes
  std::vector<Block> blocks_;
  std::optional<bool> combine_;
  std::uint32_t pieces_ = 1;
  std::vector<std::uint32_t> rounds_;
  ScheduleDocument document_;
  CombinedSchedule combined_;
};

}  // namespace

ScheduleDocument parse_schedule(std::string_view text, const std::string& file) {
  auto document = parse_any_schedule(text, file);
  if (auto* plain = std::get_if<ScheduleDocument>(&document)) return std::move(*plain);
  throw InputError(file + ": a schedule with \"blocks\", where one message for each transfer is expected");
}

std::variant<ScheduleDocument, CombinedDocument> parse_any_schedule(std::string_view text,
                                                                    const std::string& file) {
  return Reader(text, file).read();
}

}  // namespace unknot
