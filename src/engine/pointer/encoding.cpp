#include "engine/pointer/encoding.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace cohort::engine::pointer {

namespace {

std::uint32_t bits_of(const Layout& layout) {
  std::uint32_t bits = 0;
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) bits += layout.type(cell).bits;
  return std::max(1U, bits);
}

}  // namespace

Encoding::Encoding(const Layout& layout, std::function<bool()> stop_check, std::uint64_t memory_bytes)
    : layout_(&layout),
      stop_check_(std::move(stop_check)),
      manager_({.variables = bits_of(layout), .memory_bytes = memory_bytes, .stop_check = stop_check_}) {
  dd::Var next = 0;
  std::vector<std::vector<dd::Var>> variables(layout.cells());
  for (std::size_t cell = 0; cell < layout.shared_count(); ++cell) {
    for (unsigned bit = 0; bit < layout.shared(cell).bits; ++bit) variables[cell].push_back(next++);
  }
  for (std::size_t cell = layout.shared_count(); cell < layout.cells(); ++cell) {
    for (unsigned bit = 0; bit < layout.type(cell).bits; ++bit) variables[cell].push_back(next++);
  }
  std::vector<dd::Var> all;
  for (dd::Var var = 0; var < manager_.variable_count(); ++var) all.push_back(var);
  all_ = dd::VarSet(all);
  for (auto& of_cell : variables) {
    dd::VarSet set(of_cell);
    bits_.push_back({std::move(of_cell), std::move(set)});
  }
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    auto& values = equals_.emplace_back();
    for (std::uint32_t value = 0; value < layout.type(cell).values; ++value) {
      values.push_back(dd::cube(literals(cell, static_cast<Cell>(value))));
    }
  }
}

void Encoding::poll() const {
  if (stop_check_()) throw dd::OutOfMemory("stopped");
}

dd::Assignment Encoding::literals(std::size_t cell, Cell value) const {
  dd::Assignment result;
  const auto& variables = bits_[cell].variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    result.emplace_back(variables[i], ((value >> (variables.size() - 1 - i)) & 1U) != 0);
  }
  return result;
}

dd::Bdd Encoding::valid() const {
  dd::Bdd result(true);
  for (const auto& values : equals_) {
    dd::Bdd any;
    for (const dd::Bdd& value : values) any |= value;
    result &= any;
  }
  return result;
}

dd::Bdd Encoding::before_setting(const dd::Bdd& states, std::size_t cell, Cell value) const {
  return cofactor(states, literals(cell, value));
}

dd::Bdd Encoding::state(const Cells& cells) const {
  dd::Bdd result(true);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) result &= equals(cell, cells[cell]);
  return result;
}

Cells Encoding::pick(const dd::Bdd& states) const {
  COHORT_EXPECT(!states.is_false(), "there is a state to pick");
  std::vector<bool> values(manager_.variable_count(), false);
  for (const auto& [variable, value] : dd::pick(states, all_)) values[variable] = value;
  Cells cells(layout_->cells(), 0);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (const dd::Var variable : bits_[cell].variables) {
      cells[cell] = static_cast<Cell>(2 * cells[cell] + (values[variable] ? 1 : 0));
    }
    COHORT_EXPECT(cells[cell] < layout_->type(cell).values, "sets hold valid states only");
  }
  return cells;
}

dd::Natural Encoding::count(const dd::Bdd& states) const {
  return dd::count(states, all_);
}

}  // namespace cohort::engine::pointer
