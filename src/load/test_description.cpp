#include "load/test_description.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>

namespace cohort::load {

namespace {

constexpr std::uint32_t file_line = 2;
constexpr std::uint32_t options_line = 3;

enum class Meaning {
  Nothing,  // how it searches, what it prints
  Target,
  Initial,
  Shared,  // the parts of an initial configuration in older versions
  Local,
  Local2,
  Single,
  Label,
  Cover,  // no question with a verdict
};

struct KnownOption {
  std::string_view name;
  char letter;  // 0: none
  bool has_value;
  Meaning meaning;
};

constexpr std::array bfc_options = {
    KnownOption{"target", 'a', true, Meaning::Target},
    KnownOption{"initial", 0, true, Meaning::Initial},
    KnownOption{"init", 0, true, Meaning::Initial},
    KnownOption{"i-shared", 's', true, Meaning::Shared},
    KnownOption{"i-local", 'l', true, Meaning::Local},
    KnownOption{"i-local2", 0, true, Meaning::Local2},
    KnownOption{"i-single", 'i', false, Meaning::Single},
    KnownOption{"ignore-target", 0, false, Meaning::Cover},
    KnownOption{"print-cover", 0, false, Meaning::Nothing},
    KnownOption{"cross-check", 0, false, Meaning::Nothing},
    KnownOption{"stats", 0, false, Meaning::Nothing},
    KnownOption{"net-stats", 0, false, Meaning::Nothing},
    KnownOption{"unsound", 0, false, Meaning::Nothing},
    KnownOption{"interv", 0, true, Meaning::Nothing},
    KnownOption{"time-limit", 't', true, Meaning::Nothing},
    KnownOption{"mem-limit", 'm', true, Meaning::Nothing},
    KnownOption{"prj-all", 0, false, Meaning::Nothing},
    KnownOption{"mode", 'd', true, Meaning::Nothing},
    KnownOption{"acc-bound", 0, true, Meaning::Nothing},
    KnownOption{"sat-bound", 'k', true, Meaning::Nothing},
    KnownOption{"defer", 0, false, Meaning::Nothing},
    KnownOption{"fw-sat-bound", 0, true, Meaning::Nothing},
    KnownOption{"fw-info", 0, false, Meaning::Nothing},
    KnownOption{"fw-log", 0, false, Meaning::Nothing},
    KnownOption{"fw-order", 0, true, Meaning::Nothing},
    KnownOption{"fw-weight", 0, true, Meaning::Nothing},
    KnownOption{"fw-threshold", 0, true, Meaning::Nothing},
    KnownOption{"fw-no-omegas", 0, false, Meaning::Nothing},
    KnownOption{"fw-blocks-bw", 0, false, Meaning::Nothing},
    KnownOption{"max_fw_width", 0, true, Meaning::Nothing},
    KnownOption{"bw-info", 0, false, Meaning::Nothing},
    KnownOption{"bw-log", 0, false, Meaning::Nothing},
    KnownOption{"bw-order", 0, true, Meaning::Nothing},
    KnownOption{"bw-weight", 0, true, Meaning::Nothing},
    KnownOption{"hash-info", 0, false, Meaning::Nothing},
    KnownOption{"reduce-log", 0, false, Meaning::Nothing},
    KnownOption{"force-flush", 0, false, Meaning::Nothing},
    KnownOption{"no-main-info", 0, false, Meaning::Nothing},
    KnownOption{"no-main-log", 0, false, Meaning::Nothing},
    KnownOption{"no-result-info", 0, false, Meaning::Nothing},
    KnownOption{"no-result-log", 0, false, Meaning::Nothing},
    KnownOption{"no-ressource-info", 0, false, Meaning::Nothing},
    KnownOption{"no-ressource-log", 0, false, Meaning::Nothing},
    KnownOption{"no-trace-info", 0, false, Meaning::Nothing},
};

constexpr std::array boppo_options = {
    KnownOption{"", 'l', true, Meaning::Label},
    KnownOption{"por", 0, false, Meaning::Nothing},
    KnownOption{"tvs", 0, false, Meaning::Nothing},
    KnownOption{"compact-trace", 0, false, Meaning::Nothing},
};

struct Word {
  std::string text;
  SourceSpan span;
};

// As a shell divides the line: quotes keep blanks, a backslash keeps what follows.
std::vector<Word> words_of(const SourceFilePtr& file, std::uint32_t line_number) {
  const std::string_view line = file->line(line_number);
  std::vector<Word> words;
  bool in_word = false;
  char quote = '\0';
  SourceSpan opened;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const SourceSpan here{file, line_number, static_cast<std::uint32_t>(i) + 1};
    if (quote == '\0' && std::isspace(static_cast<unsigned char>(c)) != 0) {
      in_word = false;
      continue;
    }
    if (!in_word) words.push_back({"", here});
    in_word = true;
    if (quote == '\0' ? c == '"' || c == '\'' : c == quote) {
      quote = quote == '\0' ? c : '\0';
      opened = here;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back().text += line[++i];
    } else {
      words.back().text += c;
    }
  }
  if (quote != '\0') throw_malformed(opened, "this quote is not closed");
  return words;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Reader {
 public:
  explicit Reader(SourceFilePtr file) : file_(std::move(file)) {}

  TestDescription read() {
    std::string name(file_->line(file_line));
    while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back())) != 0) name.pop_back();
    if (name.empty())
      throw_malformed({file_, file_line, 1}, "expected the name of a program: it is the second line of a description");
    result_.file = beside(name);
    words_ = words_of(file_, options_line);
    if (name.ends_with(".tts") || name.ends_with(".ttd")) {
      read_bfc();
    } else if (name.ends_with(".bp")) {
      while (next_ < words_.size()) take(boppo_options, "boppo");
    } else {
      throw_unsupported({file_, file_line, 1},
                        "descriptions of tests of other programs than thread transition systems and Boolean programs");
    }
    return std::move(result_);
  }

 private:
  // Paths are meant from the folder of the description.
  std::string beside(const std::string& name) const {
    const std::size_t slash = file_->name().find_last_of('/');
    return name.starts_with('/') || slash == std::string::npos ? name : file_->name().substr(0, slash + 1) + name;
  }

  void read_bfc() {
    while (next_ < words_.size()) take(bfc_options, "BFC");
    if (!result_.target)
      throw_unsupported({file_, options_line, 1},
                        "no --target: BFC then computes what can be covered (`cohort cover` prints that), and there is "
                        "no verdict");
    const bool in_parts = single_ || shared_ || local_ || local2_;
    if (in_parts && result_.init)
      throw_malformed({file_, options_line, 1}, "the initial configuration is given twice: as a whole and in parts");
    // Without options BFC means any number of threads in the local state 0.
    if (!result_.init) result_.init = from_parts();
  }

  std::string from_parts() const {
    std::string text = shared_.value_or("0") + (single_ ? "|" : "/") + local_.value_or("0");
    if (local2_ && (single_ || *local2_ != local_.value_or("0"))) text += "," + *local2_;
    return text;
  }

  template <class Table>
  void take(const Table& table, std::string_view tool) {
    const Word& word = words_[next_++];
    const bool is_long = word.text.starts_with("--");
    if (!is_long && (word.text.size() < 2 || word.text[0] != '-'))
      throw_unsupported(word.span, fmt::format("`{}`: a description names one program, in its second line", word.text));
    const std::size_t equals = is_long ? word.text.find('=') : std::string::npos;
    const std::string name = is_long ? word.text.substr(2, equals - 2) : std::string();
    const auto known = std::find_if(table.begin(), table.end(), [&](const KnownOption& option) {
      return is_long ? !option.name.empty() && option.name == name : option.letter == word.text[1];
    });
    if (known == table.end()) throw_unsupported(word.span, fmt::format("the option {} of {}", word.text, tool));
    std::optional<std::string> attached;
    if (equals != std::string::npos) attached = word.text.substr(equals + 1);
    if (!is_long && word.text.size() > 2) attached = word.text.substr(2);
    apply(*known, word, attached);
  }

  void apply(const KnownOption& option, const Word& word, std::optional<std::string> value) {
    Meaning meaning = option.meaning;
    // -i is a switch in older versions and has a configuration behind it in newer ones.
    const bool may_follow = !value && next_ < words_.size() && !words_[next_].text.starts_with('-');
    if (option.letter == 'i' && (value || may_follow) && !word.text.starts_with("--")) meaning = Meaning::Initial;
    if (option.has_value || meaning == Meaning::Initial) {
      if (!value && next_ < words_.size()) value = words_[next_++].text;
      if (!value) throw_malformed(word.span, fmt::format("{} needs a value", word.text));
    } else if (value) {
      throw_malformed(word.span, fmt::format("{} has no value", word.text.substr(0, word.text.find('='))));
    }
    keep(meaning, word.span, value.value_or(""));
  }

  void keep(Meaning meaning, const SourceSpan& span, const std::string& value) {
    switch (meaning) {
      case Meaning::Nothing: return;
      case Meaning::Target: return set(result_.target, span, target_text(value));
      case Meaning::Initial:
        return set(result_.init, span, value == "single" ? "0|0" : value == "unbounded" ? "0/0" : value);
      case Meaning::Shared: return set_number(shared_, span, value);
      case Meaning::Local: return set_number(local_, span, value);
      case Meaning::Local2: return set_number(local2_, span, value);
      case Meaning::Single: single_ = true; return;
      case Meaning::Label: result_.error_labels.push_back(value); return;
      case Meaning::Cover:
        throw_unsupported(span, "--ignore-target: this asks for what can be covered, which `cohort cover` prints");
    }
  }

  static void set(std::optional<std::string>& member, const SourceSpan& span, const std::string& value) {
    if (member) throw_malformed(span, "this is said twice");
    member = value;
  }

  static void set_number(std::optional<std::string>& member, const SourceSpan& span, const std::string& value) {
    if (!is_number(value)) throw_malformed(span, fmt::format("expected a number, found `{}`", value));
    set(member, span, value);
  }

  // A configuration, or the file that has one.
  std::string target_text(const std::string& value) const {
    const bool is_written_out = !value.empty() && value.find_first_not_of("0123456789|,B") == std::string::npos;
    if (is_written_out && !is_number(value)) return value;
    std::string text = read_source_file(beside(value))->text();
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
    return text;
  }

  SourceFilePtr file_;
  TestDescription result_;
  std::vector<Word> words_;
  std::size_t next_ = 0;  // among the words
  std::optional<std::string> shared_;
  std::optional<std::string> local_;
  std::optional<std::string> local2_;
  bool single_ = false;
};

}  // namespace

bool is_test_description(std::string_view path) {
  return path.ends_with(".desc");
}

TestDescription read_test_description(const SourceFilePtr& file) {
  return Reader(file).read();
}

}  // namespace cohort::load
