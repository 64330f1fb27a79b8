// Passive threads: those other than the executing one, of which a broadcast speaks.  A PassiveVar names the template of
// the thread it belongs to and which of several passive threads it is, counted from 0.
//
// Almost every conjunct speaks of one passive thread, and must hold for each other thread of that template on its own.
// One that speaks of k of them *ties* them: it must hold for every choice of k different other threads of the templates
// named, in every order; with fewer threads it holds.  This is the ∀≠ I. ψ of the SymmPA paper (figures 2 and 3) with
// |I| = k + 1.  A passive update speaks of one thread, its own.
//
// ExprPool::passive() is short for the first passive thread, of the first template.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

ExprId passive_variable(ExprPool& pool, TemplateId templ, VarId var, Type type, bool primed = false,
                        std::uint32_t number = 0);

// The templates of the passive threads that an expression speaks of, by number; none: it does not speak of that one.
std::vector<std::optional<TemplateId>> passive_threads(const ExprPool& pool, ExprId root);

// Is the expression over one passive thread, of this template?
bool speaks_of_one(const ExprPool& pool, ExprId root, TemplateId templ);
// Does it tie several passive threads to each other?
bool ties_threads(const ExprPool& pool, ExprId root);

// For who cannot take them: the place and text of the first step that ties passive threads to each other, or that looks
// at or changes locals of passive threads of a template other than its own.
std::optional<std::string> first_tie(const Program& program);
std::optional<std::string> first_foreign_passive(const Program& program);

}  // namespace cohort::model
