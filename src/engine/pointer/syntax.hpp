// What can be told about conditions from their syntax, for programs with a fixed set of processes of one template.
#pragma once

#include <string>
#include <vector>

#include "model/program.hpp"

namespace cohort::engine::pointer {

// A permutation of the processes; process k (from 1) goes to permutation[k], and permutation[0] is 0, for NULL.
using Permutation = std::vector<std::uint32_t>;

Permutation identity(std::uint32_t processes);

// Does a process become a number, or a number a process?  Then a permutation of the processes changes more than names.
bool calculates_with_processes(const model::ExprPool& pool, model::ExprId root);

// The operands of a conjunction or disjunction (of `op`, nested to any depth) that cannot fault and whose order
// therefore does not matter; the expression itself where it is no such thing.
std::vector<model::ExprId> operands(const model::ExprPool& pool, model::ExprId root, model::Op op);

// A text that is the same for conditions which differ only in the order of operands that can be exchanged, with the
// processes named in it permuted (section 6.3 of the RED paper): the condition is invariant under a permutation if its
// text is.
std::string shape(const model::ExprPool& pool, model::ExprId root, const Permutation& permutation);

}  // namespace cohort::engine::pointer
