#include "cli/suggestion.hpp"

#include <algorithm>

namespace cohort::cli {

namespace {

// Damerau's distance, restricted to swaps of letters that are not touched otherwise.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> table(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      const std::size_t changed = table[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      table[i][j] = std::min({changed, table[i - 1][j] + 1, table[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[left.size()][right.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  // Nobody means something by a word as long as this, and the table would be large.
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return "";
  std::string best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : known) {
    // What was left unfinished is as near as can be.
    const bool begins = word.size() >= 5 && candidate.starts_with(word);
    const std::size_t away = begins ? 1 : distance(word, candidate);
    if (away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

}  // namespace cohort::cli
