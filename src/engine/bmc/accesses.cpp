#include "engine/bmc/accesses.hpp"

#include <algorithm>

namespace cohort::engine::bmc {

using model::Variable;
using smt::Number;
using smt::Term;

void add_elements(smt::Translator& translator, std::vector<Access>& accesses, std::size_t first,
                  const Variable& variable, const Number* index, Term when) {
  if (index == nullptr) {
    accesses.push_back({first, when});
    return;
  }
  for (std::size_t i = 0; i < variable.type.array_size(); ++i) {
    const auto value = static_cast<std::int64_t>(i);
    const Term here = translator.numbers().equal(*index, translator.numbers().constant(value));
    if (!translator.context().is_false(here)) accesses.push_back({first + i, translator.context().conj(here, when)});
  }
}

void store_element(smt::Translator& translator, smt::SymbolicValuation& values, std::vector<std::size_t>& touched,
                   const Variable& variable, const Number* index, Term when, const smt::Datum& value) {
  for (std::size_t i = 0; i < variable.type.slots(); ++i) {
    Term here = when;
    if (index != nullptr) {
      const auto element = static_cast<std::int64_t>(i);
      here =
          translator.context().conj(when, translator.numbers().equal(*index, translator.numbers().constant(element)));
    }
    if (translator.context().is_false(here)) continue;
    const std::size_t at = variable.slot + i;
    values[at] = translator.ite(here, value, values[at]);
    if (std::find(touched.begin(), touched.end(), at) == touched.end()) touched.push_back(at);
  }
}

void Reads::shared(model::VarId var, const Number* index) {
  const Variable& variable = program_.shared[var.value];
  add_elements(translator_, accesses_, cells_.shared(variable.slot), variable, index, translator_.context().truth());
}

void Reads::local(std::size_t slot, model::TemplateId templ, model::VarId var, const Number* index) {
  const auto first = cells_.local(slot, templ, var, 0);
  if (!first) return;
  add_elements(translator_, accesses_, *first, program_.templ(templ).local(var), index, translator_.context().truth());
}

void Reads::place(std::size_t slot, model::TemplateId templ, model::LocId location) {
  const auto cell = cells_.place(slot, templ, location);
  if (cell) accesses_.push_back({*cell, translator_.context().truth()});
}

void Reads::alive(std::size_t slot) {
  accesses_.push_back({cells_.alive(slot), translator_.context().truth()});
}

}  // namespace cohort::engine::bmc
