// The definition of NAME goes, and NAME becomes a variable that gets its value, any from 1 on, before main.  Whatever
// C wants a constant for then is an error of Clang's, with its place, and never a wrong answer: case labels, members
// and static objects in functions, initialisers of static objects.  Arrays in functions are arrays of variable length.
// Arrays at file scope, the usual home of handles and slots, become pointers to zeroed memory that is allocated before
// main; `sizeof` and the address of the whole array would tell the difference and are refused.
//
// This is done on the text, since Clang must not see the constant: a scanner for comments, literals, directives and
// brackets is enough to find definitions at file scope.  What is taken away is replaced by blanks, so that all places
// stay where they are.
#include "frontend/c/any_number.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::frontend::c {

namespace {

struct Token {
  enum class Kind { Word, Number, Text, Mark, Directive };

  Kind kind = Kind::Mark;
  std::size_t begin = 0;
  std::size_t end = 0;
  unsigned braces = 0;  // around it
  unsigned parens = 0;
};

bool is_word(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) next();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, at_, end, braces_, parens_});
    at_ = end;
    begins_line_ = false;
  }

  std::size_t after(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  void next() {
    const char first = text_[at_];
    if (first == '\n') {
      begins_line_ = true;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(first)) != 0) {
      ++at_;
    } else if (starts("//")) {
      at_ = text_.find('\n', at_);
      at_ = std::min(at_, text_.size());
    } else if (starts("/*")) {
      at_ = after("*/", at_ + 2);
    } else if (first == '#' && begins_line_) {
      add(Token::Kind::Directive, end_of_directive());
    } else if (first == '"' || first == '\'') {
      add(Token::Kind::Text, end_of_literal(first));
    } else if (is_word(first)) {
      std::size_t end = at_;
      while (end < text_.size() && is_word(text_[end])) ++end;
      add(std::isdigit(static_cast<unsigned char>(first)) != 0 ? Token::Kind::Number : Token::Kind::Word, end);
    } else {
      if (first == '}' && braces_ > 0) --braces_;
      if (first == ')' && parens_ > 0) --parens_;
      add(Token::Kind::Mark, at_ + 1);
      if (first == '{') ++braces_;
      if (first == '(') ++parens_;
    }
  }

  std::size_t end_of_directive() const {
    std::size_t end = at_;
    while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
    return end;
  }

  std::size_t end_of_literal(char quote) const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
  unsigned braces_ = 0;
  unsigned parens_ = 0;
  std::vector<Token> tokens_;
};

class Rewriting {
 public:
  Rewriting(SourceFilePtr file, const std::string& name)
      : file_(std::move(file)), name_(name), text_(file_->text()), tokens_(Scanner(file_->text()).run()) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Token::Kind::Directive) {
        directive(tokens_[i]);
      } else if (is(i, name_)) {
        if (defines_constant(i) || defines_enumerator(i)) defined_ = is_constant_ = true;
      }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "[") && tokens_[i].braces == 0 && tokens_[i].parens == 0) array(i);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Token::Kind::Directive) use_in_directive(tokens_[i]);
      if (tokens_[i].kind == Token::Kind::Word && arrays_.contains(word(i))) use(i);
    }
  }

  bool is_defined() const { return defined_; }
  bool is_constant() const { return is_constant_; }
  // Of a name that is no macro.  (A macro is as if it had been given with -D.)
  void refuse_question() const {
    if (asked_) refuse(*asked_, "it is no macro, and would be one here");
  }

  const std::set<std::string>& arrays() const { return arrays_; }
  // Of arrays that are pointers in another file.
  void refuse_other_declarations(const std::set<std::string>& arrays) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].braces > 0 || tokens_[i].parens > 0 || tokens_[i].kind != Token::Kind::Word) continue;
      if (arrays.contains(word(i)) && !arrays_.contains(word(i))) {
        refuse(tokens_[i], "an array of that size is declared without it here");
      }
    }
  }

  SourceFilePtr result(bool chooses) const {
    const std::string object = any_number_object(name_);
    std::string rest;
    if (chooses) {
      rest += fmt::format(
          "\nint {0}; __attribute__((constructor(101))) static void __cohort_choose_{1}(void) "
          "{{ {0} = __cohort_nondet_int(); __cohort_assume({0} >= 1); }}",
          object, name_);
    }
    if (!allocations_.empty()) {
      rest += fmt::format("\n__attribute__((constructor(102))) static void __cohort_arrays_{}(void) {{ {}}}", name_,
                          allocations_);
    }
    return std::make_shared<const SourceFile>(file_->name(), text_ + rest + "\n");
  }

 private:
  std::string_view text_of(const Token& token) const {
    return std::string_view(file_->text()).substr(token.begin, token.end - token.begin);
  }
  std::string word(std::size_t i) const { return std::string(text_of(tokens_[i])); }
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && text_of(tokens_[i]) == text; }

  [[noreturn]] void refuse(const Token& token, const std::string& why) const {
    const std::string_view before = std::string_view(file_->text()).substr(0, token.begin);
    const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    const std::size_t start = before.rfind('\n');
    const auto column = static_cast<std::uint32_t>(token.begin - (start == std::string_view::npos ? 0 : start + 1) + 1);
    throw_unsupported({file_, line, column}, fmt::format("--any {}: {}", name_, why));
  }

  // Blanks, but for the ends of lines.
  void blank(std::size_t begin, std::size_t end) {
    COHORT_EXPECT(begin <= end && end <= text_.size(), "what is taken away is a part of the text");
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '\n') text_[i] = ' ';
    }
  }

  bool mentions(const std::vector<Token>& tokens, std::string_view text) const {
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
      return token.kind == Token::Kind::Word && text.substr(token.begin, token.end - token.begin) == name_;
    });
  }

  void directive(const Token& token) {
    const std::string_view text = text_of(token).substr(1);
    const std::vector<Token> parts = Scanner(text).run();
    const auto part = [&](std::size_t i) {
      return i < parts.size() ? text.substr(parts[i].begin, parts[i].end - parts[i].begin) : std::string_view();
    };
    if (part(0) == "define" && part(1) == name_) {
      const bool is_function = part(2) == "(" && parts[2].begin == parts[1].end;
      std::vector<Token> value(parts.begin() + 2, parts.end());
      const auto is_paren = [&](const Token& one) { return one.kind == Token::Kind::Mark; };
      std::erase_if(value, is_paren);
      if (is_function || value.size() != 1 ||
          !is_plain_number(text.substr(value[0].begin, value[0].end - value[0].begin))) {
        refuse(token, "its definition is not a plain number");
      }
      blank(token.begin, token.end);
      defined_ = true;
    } else if (part(0) == "undef" && part(1) == name_) {
      refuse(token, "it is undefined here");
    } else if ((part(0) == "if" || part(0) == "elif") && mentions(parts, text)) {
      refuse(token, "what the program is depends on it here");
    } else if (part(0).starts_with("ifdef") || part(0).starts_with("ifndef")) {
      if (mentions(parts, text)) asked_ = token;
    }
  }

  // Of type int.
  static bool is_plain_number(std::string_view text) {
    constexpr std::size_t most_digits = 9;
    return !text.empty() && text.size() <= most_digits && std::all_of(text.begin(), text.end(), [](char digit) {
      return std::isdigit(static_cast<unsigned char>(digit)) != 0;
    });
  }

  std::size_t statement_start(std::size_t i) const {
    while (i > 0 && tokens_[i - 1].kind != Token::Kind::Directive && !is(i - 1, ";") && !is(i - 1, "}")) --i;
    return i;
  }

  // `static const int NAME = 4;` at file scope.
  bool defines_constant(std::size_t i) {
    static const std::set<std::string, std::less<>> specifiers = {"static", "const", "int"};
    if (tokens_[i].braces > 0 || tokens_[i].parens > 0) return false;
    const std::size_t first = statement_start(i);
    if (first == i) return false;
    for (std::size_t j = first; j < i; ++j) {
      if (!specifiers.contains(text_of(tokens_[j]))) return false;
    }
    if (!is(i + 1, "=") || i + 2 >= tokens_.size() || !is_plain_number(text_of(tokens_[i + 2])) || !is(i + 3, ";")) {
      refuse(tokens_[i], "its definition is not a plain number");
    }
    blank(tokens_[first].begin, tokens_[i + 3].end);
    return true;
  }

  // `enum { NAME = 4, ... }`, wherever it stands.
  bool defines_enumerator(std::size_t i) {
    std::size_t open = i;
    while (open > 0 && !is(open, "{") && !is(open, ";") && !is(open, "}") && !is(open, "(")) --open;
    if (!is(open, "{") || open == 0 || !(is(open - 1, "enum") || (open > 1 && is(open - 2, "enum")))) return false;
    const bool is_first = open + 1 == i;
    if (!is_first && !is(i - 1, ",")) return false;  // used in another one
    if (!is(i + 1, "=") || i + 3 >= tokens_.size() || !is_plain_number(text_of(tokens_[i + 2]))) {
      refuse(tokens_[i], "its definition is not a plain number");
    }
    if (is(i + 3, "}") && is_first) {
      if (!is(i + 4, ";") || !is(open - 1, "enum") || statement_start(open - 1) != open - 1) {
        refuse(tokens_[i], "it is all that an enumeration has");
      }
      blank(tokens_[open - 1].begin, tokens_[i + 4].end);
    } else if (is(i + 3, "}")) {
      blank(tokens_[i - 1].begin, tokens_[i + 2].end);
    } else {
      if (!is(i + 3, ",") || !is(i + 5, "=")) refuse(tokens_[i], "the next enumerator counts on from it");
      blank(tokens_[i].begin, tokens_[i + 3].end);
    }
    return true;
  }

  // `handles[NAME]`, where it declares something at file scope.
  void array(std::size_t open) {
    std::size_t close = open;
    bool is_sized_by_it = false;
    while (close < tokens_.size() && !is(close, "]")) is_sized_by_it = is(++close, name_) || is_sized_by_it;
    if (!is_sized_by_it || open == 0 || tokens_[open - 1].kind != Token::Kind::Word) return;
    const std::size_t first = statement_start(open);
    const auto initialises = [&](std::size_t i) { return is(i, "=") && tokens_[i].braces == 0; };
    for (std::size_t i = first; i < open; ++i) {
      if (is(i, "typedef")) refuse(tokens_[open], "a type depends on it");
      if (initialises(i)) refuse(tokens_[open], "an initialiser depends on it");
    }
    if (is(close + 1, "[") || is(open - 1, "]")) refuse(tokens_[open], "an array of several dimensions depends on it");
    std::size_t after = close + 1;
    if (is(after, "=")) {
      const std::size_t number = is(after + 2, "0") ? 1 : 0;
      if (!is(after + 1, "{") || !is(after + 2 + number, "}"))
        refuse(tokens_[after], "an array of that size has initial values");
      blank(tokens_[after].begin, tokens_[after + 2 + number].end);
      after += 3 + number;
    }
    if (!is(after, ";") && !is(after, ",")) refuse(tokens_[open], "this use of it at file scope");
    const std::string array = word(open - 1);
    const std::string size = file_->text().substr(tokens_[open].end, tokens_[close].begin - tokens_[open].end);
    blank(tokens_[open - 1].begin, tokens_[close].end);
    text_.replace(tokens_[open - 1].begin, array.size() + 1, "*" + array);
    arrays_.insert(array);
    if (!is(first, "extern")) {
      allocations_ += fmt::format("{0} = __cohort_allocate_zero((unsigned long)({1}) * sizeof *{0}); ", array, size);
    }
  }

  // The array as a whole, where that might be asked for its size or its address, or be handed to a macro that does.
  void use(std::size_t i) const {
    static const std::set<std::string, std::less<>> asking = {"sizeof", "typeof", "__typeof__", "_Alignof", "alignof"};
    if (i == 0 || is(i + 1, "[") || is(i - 1, ".") || (is(i - 1, ">") && i > 1 && is(i - 2, "-"))) return;
    const bool follows_word = tokens_[i - 1].kind == Token::Kind::Word && !asking.contains(text_of(tokens_[i - 1]));
    if (!follows_word && !is(i - 1, "=") && !is(i - 1, "*"))
      refuse(tokens_[i], "an array of that size is used as a whole");
  }

  void use_in_directive(const Token& token) const {
    const std::string_view text = text_of(token).substr(1);
    const std::vector<Token> parts = Scanner(text).run();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto part = [&](std::size_t at) { return text.substr(parts[at].begin, parts[at].end - parts[at].begin); };
      const bool is_element = i + 1 < parts.size() && part(i + 1) == "[";
      if (arrays_.contains(std::string(part(i))) && !is_element)
        refuse(token, "an array of that size is used as a whole");
    }
  }

  SourceFilePtr file_;
  const std::string& name_;
  std::string text_;
  std::vector<Token> tokens_;
  bool defined_ = false;
  bool is_constant_ = false;
  std::optional<Token> asked_;  // whether it is a macro
  std::set<std::string> arrays_;
  std::string allocations_;
};

}  // namespace

std::string any_number_object(const std::string& name) {
  return "__cohort_any_" + name;
}

AnyNumber with_any_number(const std::vector<SourceFilePtr>& files, const std::string& name) {
  COHORT_EXPECT(!files.empty(), "there is a program");
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_word) ||
      std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    throw_unsupported({}, fmt::format("--any {}: not a name", name));
  }
  AnyNumber result;
  result.prelude = fmt::format(
      "#define {0} {1}\nextern int {1}; int __cohort_nondet_int(void); void __cohort_assume(int); "
      "void *__cohort_allocate_zero(unsigned long);\n",
      name, any_number_object(name));
  std::vector<Rewriting> rewritings;
  std::set<std::string> arrays;
  for (const SourceFilePtr& file : files) {
    Rewriting& rewriting = rewritings.emplace_back(file, name);
    rewriting.run();
    arrays.insert(rewriting.arrays().begin(), rewriting.arrays().end());
    result.files.push_back(rewriting.result(file == files.front()));
  }
  for (const Rewriting& rewriting : rewritings) rewriting.refuse_other_declarations(arrays);
  const bool is_defined =
      std::any_of(rewritings.begin(), rewritings.end(), [](const auto& one) { return one.is_defined(); });
  if (std::any_of(rewritings.begin(), rewritings.end(), [](const auto& one) { return one.is_constant(); })) {
    for (const Rewriting& rewriting : rewritings) rewriting.refuse_question();
  }
  if (!is_defined) {
    throw_unsupported(
        {files.front(), 0, 0},
        fmt::format("--any {}: no macro, constant or enumerator of that name is defined in the program's files", name));
  }
  return result;
}

}  // namespace cohort::frontend::c
