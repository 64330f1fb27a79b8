// Hides variables: a program with fewer of them and more behaviour.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/env.hpp"
#include "model/program.hpp"

namespace cohort::model {

struct VariableSet {
  std::vector<bool> shared;
  std::vector<std::vector<bool>> locals;  // [template][variable]
  // Choices of numbers of very many values that count as no hidden values: they stay as they are, and are put together
  // so that no engine enumerates them where they are made.
  std::set<ExprId> left_alone{};

  static VariableSet of(const Program& program, bool all);
  bool operator==(const VariableSet&) const = default;
};

// May variables of this program be hidden at all?  Not where a violation could be lost: a deadlock, or a step that
// faults where faults are violations.
bool can_hide(const Program& program);

// `hidden` together with the variables that cannot be kept without those: what is computed from hidden values would be
// any of very many values.
VariableSet close_hidden(const Program& program, VariableSet hidden, Env* env = nullptr);

// Is this a choice of so many values that they count as hidden?
bool is_wide_choice(const Expr& node);

// `program` without the variables of `hidden`, which is closed; its locations, edges and actions are those of
// `program`.  Hidden variables keep their declarations and one value.  None if something that other threads or
// properties see directly would have to be hidden.
std::optional<Program> hide(Program program, const VariableSet& hidden, Env* env = nullptr);

}  // namespace cohort::model
