// Which variables of a program other tools can be told about: integers that the C program has by that name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/program.hpp"

namespace cohort::witness {

// The scalar shared variables that are declared as plain integers at file scope.  Pointers, handles and the insides of
// locks are numbers in the model, too, but not in C.
std::vector<const model::Variable*> plain_integers(const model::Program& program);

// Does the text mention the name as a word of its own?
bool mentions(std::string_view text, std::string_view name);

}  // namespace cohort::witness
