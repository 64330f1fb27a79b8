// First go many threads that do the same one after the other; then the calls of functions of which a call was told
// before, for their reader knows what they do; then the others in their order, and then lines that were told before, of
// another round of a loop or of another thread; each only until the page suffices.  Where all that does not, a thread's
// steps until another one goes on become a line, the longest first.  What is never folded: calls that another thread
// comes into or that do not end, for there is what went wrong, and the last line.
#include "report/fold.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "report/text.hpp"

namespace cohort::report {

namespace {

constexpr std::size_t page = 30;
constexpr std::size_t most_parts = 5;
constexpr std::string_view for_nobody = "for which nobody waits";  // what a signal changes then: nothing

// Adds what happened; of several values of a variable the last.
void add_part(std::vector<std::string>& parts, const std::string& part) {
  if (part.ends_with(for_nobody)) return;
  const std::size_t equals = part.find(" = ");
  if (equals != std::string::npos) {
    const std::string target = part.substr(0, equals + 3);
    std::erase_if(parts, [&](const std::string& other) { return other.starts_with(target); });
  } else if (std::find(parts.begin(), parts.end(), part) != parts.end()) {
    return;
  }
  parts.push_back(part);
}

class Folder {
 public:
  explicit Folder(std::vector<StoryLine> lines) : lines_(std::move(lines)) {}

  std::vector<StoryLine> fold() {
    fold_turns();
    fold_calls(true);
    fold_calls(false);
    // Lines that say "as in lines 3 to 7" come last, for nothing before them may change then.
    const std::vector<StoryLine> told = lines_;
    fold_repeated();
    if (!fits()) {
      lines_ = told;
      fold_whole_turns();
    }
    return std::move(lines_);
  }

 private:
  // A change to another thread takes a line, too, but for a turn that has only one itself.
  bool fits() const {
    const auto switches = std::count_if(lines_.begin(), lines_.end(), [](const StoryLine& line) {
      return line.switches && line.folded != StoryLine::Folded::Turn;
    });
    return lines_.size() + static_cast<std::size_t>(switches) <= page;
  }

  // Behind the lines of the call that is told at `call`; none: it does not end, or another thread comes into it.
  std::optional<std::size_t> end_of(std::size_t call) const {
    const StoryLine& line = lines_[call];
    std::size_t end = call + 1;
    while (end < lines_.size() && !lines_[end].switches && lines_[end].depth > line.depth) ++end;
    const auto next = std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(end), lines_.end(),
                                   [&](const StoryLine& other) { return other.thread == line.thread; });
    if (end == call + 1 || next == lines_.end() || next->depth > line.depth) return std::nullopt;
    return end;
  }

  // Behind the lines that the thread has before another one goes on.
  std::size_t end_of_turn(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < lines_.size() && !lines_[end].switches) ++end;
    return end;
  }

  bool is_same_turn(std::size_t one, std::size_t other) const {
    const std::size_t count = end_of_turn(one) - one;
    if (end_of_turn(other) - other != count || lines_[one].thread == lines_[other].thread) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_same_statement(one + i, other + i)) return false;
    }
    return true;
  }

  // Many threads that do the same one after the other.
  void fold_turns() {
    constexpr std::size_t many = 3;
    for (std::size_t first = 0; first < lines_.size() && !fits(); first = end_of_turn(first)) {
      const std::size_t others = end_of_turn(first);
      std::vector<std::string> threads;
      std::size_t end = others;
      const auto is_new = [&](const std::string& thread) {
        return std::find(threads.begin(), threads.end(), thread) == threads.end();
      };
      for (; end < lines_.size() && is_same_turn(first, end) && is_new(lines_[end].thread); end = end_of_turn(end)) {
        if (end_of_turn(end) == lines_.size()) break;  // the last line is never folded
        threads.push_back(lines_[end].thread);
      }
      if (threads.size() >= many) fold_turns(others, end, threads);
    }
  }

  void fold_turns(std::size_t first, std::size_t end, const std::vector<std::string>& threads) {
    std::vector<std::string> parts;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) {
        if (!part.ends_with(" ends")) add_part(parts, part);
      }
    }
    StoryLine& line = lines_[first];
    line.folded = StoryLine::Folded::Repeated;
    line.effect = fmt::format("{} do the same one after the other{}{}", in_short(threads), parts.empty() ? "" : ": ",
                              fmt::join(few(parts), ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.thread = lines_[end - 1].thread;
    line.last = lines_[end - 1].last;
    erase(first + 1, end);
  }

  // "T2 to T19" where they were created one after the other, else "T2, T7, T4".
  static std::string in_short(const std::vector<std::string>& threads) {
    constexpr std::size_t most_names = 6;
    const auto number = [](const std::string& name) { return std::stoul(name.substr(1)); };
    bool is_row = true;
    for (std::size_t i = 1; i < threads.size(); ++i)
      is_row = is_row && number(threads[i]) == number(threads[i - 1]) + 1;
    if (is_row) return fmt::format("{} to {}", threads.front(), threads.back());
    if (threads.size() > most_names) return fmt::format("{} and {} others", threads.front(), threads.size() - 1);
    return fmt::format("{}", fmt::join(threads, ", "));
  }

  void fold_calls(bool only_repeated) {
    std::set<std::string> told;
    for (std::size_t i = 0; i < lines_.size() && !fits(); ++i) {
      const std::string function = lines_[i].called;
      if (function.empty()) continue;
      const auto end = end_of(i);
      if (!end) continue;
      if (only_repeated ? told.contains(function) : true) fold_call(i, *end);
      told.insert(function);
    }
  }

  void fold_call(std::size_t call, std::size_t end) {
    StoryLine& line = lines_[call];
    std::vector<std::string> parts;
    for (std::size_t i = call + 1; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) add_part(parts, part);
    }
    // What the statement around the call does with the result.
    const bool goes_on =
        end < lines_.size() && !lines_[end].switches && lines_[end].depth == line.depth && lines_[end].called.empty() &&
        lines_[end].folded == StoryLine::Folded::No && place_text(lines_[end].span) == place_text(line.span) &&
        lines_[end].statement.find(line.statement) != std::string::npos &&
        // What the next call of it is given is no result of this one.
        (lines_[end].statement != line.statement || lines_[end].effect.find(" = ") == std::string::npos);
    std::string result;
    if (goes_on) {
      line.statement = lines_[end].statement;
      result = lines_[end].effect;
      std::erase(parts, result);
    }
    std::vector<std::string> shown = few(parts);
    if (goes_on) {
      shown.push_back(result);
      for (const std::string& part : lines_[end].outside) add_part(parts, part);
      ++end;
    }
    line.folded = StoryLine::Folded::Call;
    line.effect = fmt::format("calls {}{}{}", line.called, shown.empty() ? "" : ": ", fmt::join(shown, ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.last = lines_[end - 1].last;
    erase(call + 1, end);
  }

  // How it ends is what counts, then what threads do to each other, and then values, the first ones first.
  static std::vector<std::string> few(const std::vector<std::string>& parts) {
    if (parts.size() <= most_parts) return parts;
    const auto is_value = [](const std::string& part) { return part.find(" = ") != std::string::npos; };
    std::vector<bool> keeps(parts.size(), false);
    keeps.back() = true;
    std::size_t kept = 1;
    for (const bool values : {false, true}) {
      for (std::size_t i = 0; i < parts.size() && kept < most_parts; ++i) {
        if (keeps[i] || is_value(parts[i]) != values) continue;
        keeps[i] = true;
        ++kept;
      }
    }
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (keeps[i])
        shown.push_back(parts[i]);
      else if (shown.empty() || shown.back() != "...")
        shown.emplace_back("...");
    }
    return shown;
  }

  bool is_same_statement(std::size_t one, std::size_t other) const {
    if (lines_[one].folded != lines_[other].folded || lines_[one].folded == StoryLine::Folded::Repeated) return false;
    return lines_[one].statement == lines_[other].statement && lines_[one].depth == lines_[other].depth &&
           place_text(lines_[one].span) == place_text(lines_[other].span);
  }

  // How many lines from `other` on are those from `one` on, without a change of the thread in either.
  std::size_t common(std::size_t one, std::size_t other) const {
    std::size_t count = 0;
    while (one + count < other && other + count < lines_.size() && is_same_statement(one + count, other + count) &&
           (count == 0 || (!lines_[one + count].switches && !lines_[other + count].switches)))
      ++count;
    return count;
  }

  // Whatever a thread does before another one goes on, the longest first; how it ends is told in full.
  void fold_whole_turns() {
    while (!fits()) {
      std::size_t longest = 0;
      std::size_t length = 1;
      for (std::size_t first = 0; first < lines_.size(); first = end_of_turn(first)) {
        const std::size_t end = end_of_turn(first);
        if (end == lines_.size()) break;
        if (end - first > length) {
          longest = first;
          length = end - first;
        }
      }
      if (length == 1) return;
      fold_turn(longest, end_of_turn(longest));
    }
  }

  void fold_turn(std::size_t first, std::size_t end) {
    std::vector<std::string> parts;
    std::uint32_t last_line = lines_[first].span.line;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) add_part(parts, part);
      if (lines_[i].span.file == lines_[first].span.file && lines_[i].span.known()) last_line = lines_[i].span.line;
    }
    StoryLine& line = lines_[first];
    line.folded = StoryLine::Folded::Turn;
    if (last_line > line.span.line)
      line.effect = fmt::format("goes on to line {}", last_line);
    else
      line.effect = "goes on";
    if (!parts.empty()) line.effect += fmt::format(": {}", fmt::join(few(parts), ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.last = lines_[end - 1].last;
    erase(first + 1, end);
  }

  // Lines that have been told before, with other values or of another thread.
  void fold_repeated() {
    for (std::size_t i = 0; i < lines_.size() && !fits(); ++i) {
      std::size_t longest = 0;
      std::size_t told = 0;
      for (std::size_t before = 0; before < i; ++before) {
        const std::size_t count = common(before, i);
        if (count <= longest) continue;
        longest = count;
        told = before;
      }
      if (i + longest == lines_.size()) --longest;
      const bool is_turn = lines_[i].switches && (i + longest == lines_.size() || lines_[i + longest].switches);
      if (longest >= (is_turn ? 2 : 3)) fold_as(told, i, i + longest);
    }
  }

  void fold_as(std::size_t told, std::size_t first, std::size_t end) {
    std::vector<std::string> parts;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::string& part : lines_[i].outside) add_part(parts, part);
    }
    StoryLine& line = lines_[first];
    line.folded = StoryLine::Folded::Repeated;
    line.effect = fmt::format("as in lines {} to {}{}{}", told + 1, told + end - first, parts.empty() ? "" : ": ",
                              fmt::join(few(parts), ", "));
    line.called.clear();
    line.outside = std::move(parts);
    line.last = lines_[end - 1].last;
    erase(first + 1, end);
  }

  void erase(std::size_t first, std::size_t last) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(first),
                 lines_.begin() + static_cast<std::ptrdiff_t>(last));
  }

  std::vector<StoryLine> lines_;
};

}  // namespace

std::vector<StoryLine> folded(std::vector<StoryLine> lines) {
  return Folder(std::move(lines)).fold();
}

}  // namespace cohort::report
