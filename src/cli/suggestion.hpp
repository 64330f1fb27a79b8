// The word that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cohort::cli {

// Of the known words the one that takes the fewest changes of single letters (or swaps of neighbours), if that is few
// for its length; empty: none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace cohort::cli
