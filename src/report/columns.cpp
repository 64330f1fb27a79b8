#include "report/columns.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "report/text.hpp"

namespace cohort::report {

namespace {

constexpr std::size_t narrowest = 34;  // a column that can be read
constexpr std::size_t narrowest_forced = 16;
constexpr std::size_t widest = 64;
constexpr std::size_t gap = 2;  // between columns

// Breaks the text into lines of the width, at blanks where there are any; those after the first are indented.
std::vector<std::string> wrapped(std::string text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  for (;;) {
    const std::string margin(lines.empty() ? 0 : std::min(indent, width / 2), ' ');
    const std::size_t room = width - margin.size();
    if (text.size() <= room) {
      lines.push_back(margin + text);
      return lines;
    }
    std::size_t cut = text.rfind(' ', room);
    const bool at_blank = cut != std::string::npos && cut > room / 3;
    if (!at_blank) cut = room;
    lines.push_back(margin + text.substr(0, cut));
    text.erase(0, cut + (at_blank ? 1 : 0));
  }
}

std::vector<std::string> threads_of(const std::vector<StoryLine>& lines) {
  std::vector<std::string> threads;
  for (const StoryLine& line : lines) {
    if (std::find(threads.begin(), threads.end(), line.thread) == threads.end()) threads.push_back(line.thread);
  }
  // By number, which is the order of creation.
  std::sort(threads.begin(), threads.end(), [](const std::string& left, const std::string& right) {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  return threads;
}

bool has_one_file(const std::vector<StoryLine>& lines) {
  const SourceSpan* first = nullptr;
  return std::all_of(lines.begin(), lines.end(), [&](const StoryLine& line) {
    if (!line.span.known()) return true;
    if (first == nullptr) first = &line.span;
    return first->file == line.span.file;
  });
}

std::string rtrim(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string columns_text(const std::vector<StoryLine>& lines, std::size_t width, bool forced) {
  const std::vector<std::string> threads = threads_of(lines);
  if (threads.empty() || (threads.size() == 1 && !forced)) return "";
  const std::size_t number_width = std::to_string(lines.size()).size();
  const bool one_file = has_one_file(lines);
  const auto place = [&](const StoryLine& line) {
    return one_file && line.span.known() ? fmt::format("{}", line.span.line) : place_text(line.span);
  };
  std::size_t place_width = 0;
  for (const StoryLine& line : lines) place_width = std::max(place_width, place(line).size());
  const std::size_t margin = gap + number_width + gap + place_width;
  const std::size_t each = width > margin ? (width - margin) / threads.size() : 0;
  const std::size_t least = forced ? narrowest_forced : narrowest;
  if (each < least + gap && !forced) return "";
  const std::size_t column = std::clamp(each, least + gap, widest + gap) - gap;

  std::string text(margin, ' ');
  for (const std::string& thread : threads) text += fmt::format("{:{}}{:<{}}", "", gap, thread, column);
  text = rtrim(text) + "\n" + std::string(margin, ' ');
  for (std::size_t i = 0; i < threads.size(); ++i) text += std::string(gap, ' ') + std::string(column, '-');
  text += "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const StoryLine& line = lines[i];
    const auto at = static_cast<std::size_t>(std::find(threads.begin(), threads.end(), line.thread) - threads.begin());
    const std::size_t indent = std::min(line.depth * 2, column / 3);
    std::vector<std::string> cell = wrapped(std::string(indent, ' ') + line.statement, column, indent + 4);
    if (!line.effect.empty()) {
      for (const std::string& more : wrapped(std::string(indent, ' ') + "  " + line.effect, column, indent + 4)) {
        cell.push_back(more);
      }
    }
    const std::size_t offset = gap + at * (column + gap);
    for (std::size_t row = 0; row < cell.size(); ++row) {
      const std::string head = row == 0 ? fmt::format("  {:>{}}  {:>{}}", i + 1, number_width, place(line), place_width)
                                        : std::string(margin, ' ');
      text += rtrim(head + std::string(offset, ' ') + cell[row]) + "\n";
    }
  }
  return text;
}

}  // namespace cohort::report
