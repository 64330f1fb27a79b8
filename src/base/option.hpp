// Options with owners.  An owner (an engine, a front end, the output) keeps its options in a plain struct, and the
// default of each member says how the option is called and what it does:
//
//   struct BmcOptions {
//     bool normal_form = option::flag(normal_form, {"--mpor", "", "Of executions that differ ..., search one"});
//   };
//
// That line is all there is to write: the command line, its help, the task in documents, the refusal of options that
// mean nothing where they are given, and the list in docs/options.md are made from it.
//
// How: the functions below return the default, and while describe<T>() constructs its one T they also write down the
// text and the place of the member inside T.  So members stay plain values (designated initialisers, comparison and
// copies work as ever), and what is known of an option is found by its place in any T.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cohort::option {

// A text or a value from a document that an option does not take; what() is for the user.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An option's value as documents have it; nothing: not given.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<std::string>>;

std::string to_string(const Value& value);

struct Text {
  const char* names;        // "-n,--threads"; without dashes: an argument by its place
  const char* value;        // what stands for the value in help; empty for switches
  const char* description;  // one sentence without a full stop
  const char* key = "";     // the member of documents; empty: the long name with underscores
};

enum class Kind : std::uint8_t { Switch, Valued, Repeatable };

// One option of an owner, and how to get at its value in the owner's struct.
struct Descriptor {
  std::string names;
  std::string value;
  std::string description;
  std::string key;
  Kind kind = Kind::Valued;
  std::optional<char> separator{};  // Repeatable: one text may hold several values
  Value usual;
  std::ptrdiff_t offset = 0;
  std::function<Value(const void*)> get;
  std::function<void(void*, const std::string&)> parse;  // Switch: the text is ignored.  Throws Refused.
  std::function<void(void*, const Value&)> set;          // from a document; throws Refused

  std::string long_name() const;   // "--threads"
  std::string first_name() const;  // "-n"
};

// An option in one struct of values.
class Reference {
 public:
  Reference(const Descriptor& descriptor, void* owner);

  const Descriptor& descriptor() const { return *descriptor_; }
  Value value() const { return descriptor_->get(member_); }
  bool differs_from_usual() const { return value() != descriptor_->usual; }
  void parse(const std::string& text) const { descriptor_->parse(member_, text); }
  void set(const Value& value) const { descriptor_->set(member_, value); }
  const void* member() const { return member_; }

 private:
  const Descriptor* descriptor_;
  void* member_;
};

// Options, named by the members that hold them; a struct stands for all that it has.
class Members {
 public:
  Members() = default;
  template <class... T>
  explicit Members(const T&... members) : ranges_{{&members, &members + 1}...} {}

  bool contain(const Reference& option) const;

 private:
  std::vector<std::pair<const void*, const void*>> ranges_;
};

// Constructs what `make` makes, which must lie at `base`, and returns the options it has.
std::vector<Descriptor> record(const void* base, const std::function<void()>& make);

template <class T>
const std::vector<Descriptor>& describe() {
  static const std::vector<Descriptor> all = [] {
    alignas(T) std::array<std::byte, sizeof(T)> room{};
    T* made = nullptr;
    auto found = record(room.data(), [&] { made = new (room.data()) T(); });
    std::destroy_at(made);
    return found;
  }();
  return all;
}

template <class T>
std::vector<Reference> options_of(T& values) {
  std::vector<Reference> all;
  for (const Descriptor& descriptor : describe<T>()) all.emplace_back(descriptor, &values);
  return all;
}

// For reading only: the references of a const struct are not written through.
template <class T>
std::vector<Reference> options_of(const T& values) {
  return options_of(const_cast<T&>(values));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

namespace detail {

bool recording();
void note(Descriptor descriptor, const void* member);
std::uint64_t parse_number(const std::string& text, std::uint64_t least, std::uint64_t most);
double parse_seconds(const std::string& text);
Descriptor describe_text(Text text, Kind kind);
Value number_or_text(const std::string& written);
std::string text_or_number(const Value& value);
[[noreturn]] void refuse_word(const std::string& text, const std::vector<std::string>& words);

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct Inner {
  using Type = T;
};
template <class T>
struct Inner<std::optional<T>> {
  using Type = T;
};

// How a plain value becomes one of a document, and back.
template <class T>
Value to_value(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? to_value(*value) : Value();
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

template <class Stored>
const Stored& expect_stored(const Value& value) {
  if (const auto* stored = std::get_if<Stored>(&value)) return *stored;
  throw Refused("not what it should be");
}

}  // namespace detail

struct Range {
  std::uint64_t least = 1;
  std::uint64_t most = UINT32_MAX;
};

// A switch: `usual` until it is given.
bool flag(bool& self, Text text, bool usual = false);
std::string text(std::string& self, Text text);
std::optional<std::string> text(std::optional<std::string>& self, Text text);
// May be given several times; with a separator, one text may hold several.
std::vector<std::string> texts(std::vector<std::string>& self, Text text, std::optional<char> separator = std::nullopt);
// Several words out of those known.
std::vector<std::string> words(std::vector<std::string>& self, Text text, std::vector<std::string> usual,
                               const std::vector<std::string>& known);
std::optional<double> seconds(std::optional<double>& self, Text text);

// T: an unsigned integer, or an optional one.
template <class T>
T number(T& self, Text text, T usual = {}, Range range = {}) {
  if (!detail::recording()) return usual;
  using Inner = typename detail::Inner<T>::Type;
  Descriptor descriptor = detail::describe_text(text, Kind::Valued);
  descriptor.usual = detail::to_value(usual);
  descriptor.get = [](const void* member) { return detail::to_value(*static_cast<const T*>(member)); };
  descriptor.parse = [range](void* member, const std::string& written) {
    *static_cast<T*>(member) = static_cast<Inner>(detail::parse_number(written, range.least, range.most));
  };
  descriptor.set = [range, usual](void* member, const Value& value) {
    if (detail::IsOptional<T>::value && std::holds_alternative<std::monostate>(value)) {
      *static_cast<T*>(member) = usual;
      return;
    }
    const auto stored = detail::expect_stored<std::uint64_t>(value);
    if (stored < range.least || stored > range.most) throw Refused("out of range");
    *static_cast<T*>(member) = static_cast<Inner>(stored);
  };
  detail::note(std::move(descriptor), &self);
  return usual;
}

// One of several words; documents have the word, or the number where the values are numbers.
template <class T>
T choice(T& self, Text text, std::initializer_list<std::pair<const char*, typename detail::Inner<T>::Type>> choices,
         T usual = {}) {
  if (!detail::recording()) return usual;
  using Inner = typename detail::Inner<T>::Type;
  constexpr bool numeric = std::is_integral_v<Inner> && !std::is_same_v<Inner, bool>;
  const std::vector<std::pair<std::string, Inner>> known(choices.begin(), choices.end());
  const auto to_value = [known](const T& current) -> Value {
    for (const auto& [word, meaning] : known) {
      if (!(current == meaning)) continue;
      if constexpr (numeric) return static_cast<std::uint64_t>(meaning);
      return word;
    }
    return {};
  };
  const auto parse = [known](void* member, const std::string& written) {
    std::vector<std::string> words;
    for (const auto& [word, meaning] : known) {
      if (word == written) {
        *static_cast<T*>(member) = meaning;
        return;
      }
      words.push_back(word);
    }
    detail::refuse_word(written, words);
  };
  Descriptor descriptor = detail::describe_text(text, Kind::Valued);
  descriptor.usual = to_value(usual);
  descriptor.get = [to_value](const void* member) { return to_value(*static_cast<const T*>(member)); };
  descriptor.parse = parse;
  descriptor.set = [parse, usual](void* member, const Value& value) {
    if (detail::IsOptional<T>::value && std::holds_alternative<std::monostate>(value)) {
      *static_cast<T*>(member) = usual;
      return;
    }
    if constexpr (numeric) {
      parse(member, std::to_string(detail::expect_stored<std::uint64_t>(value)));
    } else {
      parse(member, detail::expect_stored<std::string>(value));
    }
  };
  detail::note(std::move(descriptor), &self);
  return usual;
}

// A type of its own, or an optional one: `T::parse(text)` changes the value and throws Refused, `T::written()` is a
// text that parse() takes, empty for the default.  Documents have the text, or a number where it is one.
template <class T>
T parsed(T& self, Text text, Kind kind = Kind::Valued) {
  if (!detail::recording()) return {};
  const auto to_value = [](const T& current) -> Value {
    if constexpr (detail::IsOptional<T>::value) {
      return current ? detail::number_or_text(current->written()) : Value();
    } else {
      return detail::number_or_text(current.written());
    }
  };
  const auto parse = [](void* member, const std::string& written) {
    T& stored = *static_cast<T*>(member);
    if constexpr (detail::IsOptional<T>::value) {
      stored.emplace().parse(written);
    } else {
      stored.parse(written);
    }
  };
  Descriptor descriptor = detail::describe_text(text, kind);
  descriptor.usual = to_value({});
  if (kind == Kind::Repeatable) descriptor.separator = ',';
  descriptor.get = [to_value](const void* member) { return to_value(*static_cast<const T*>(member)); };
  descriptor.parse = parse;
  descriptor.set = [parse](void* member, const Value& value) {
    *static_cast<T*>(member) = {};
    if (std::holds_alternative<std::monostate>(value)) return;
    parse(member, detail::text_or_number(value));
  };
  detail::note(std::move(descriptor), &self);
  return {};
}

}  // namespace cohort::option
