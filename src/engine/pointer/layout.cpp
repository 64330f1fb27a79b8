#include "engine/pointer/layout.hpp"

#include <algorithm>
#include <bit>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "model/analysis/visit.hpp"

namespace cohort::engine::pointer {

using model::Type;

namespace {

constexpr std::uint64_t most_values = 1U << 16U;
constexpr std::uint32_t most_processes = 1000;

std::optional<std::string> refuses_variable(const model::Variable& variable) {
  if (variable.type.is_array()) return fmt::format("the pointer engines take no arrays ('{}')", variable.name);
  if (variable.type.kind() == Type::Kind::ThreadRef) return std::nullopt;
  const std::uint64_t values = variable.type.cardinality();
  if (values != 0 && values <= most_values) return std::nullopt;
  return fmt::format("the pointer engines take variables with at most {} values ('{}')", most_values, variable.name);
}

std::optional<std::string> refuses_action(const model::Program& program, const model::Action& action) {
  if (!action.constraint.empty()) return "the pointer engines take no constraints over two states";
  if (!action.spawns.empty() || action.ends_thread) return "the pointer engines need a fixed set of processes";
  if (!action.takes.empty() || is_broadcast(program.exprs, action)) {
    return "the pointer engines take no steps that move several processes";
  }
  if (action.atomic != model::AtomicChange::None) return "the pointer engines take no atomic sections";
  bool chooses = false;
  for_each_node(program.exprs, action,
                [&](const model::Expr& node, model::ExprId) { chooses = chooses || node.op == model::Op::Nondet; });
  if (chooses) return "the pointer engines take no nondeterministic values in steps";
  return std::nullopt;
}

CellType cell_type(const Type& type, std::uint32_t processes) {
  CellType cell;
  cell.pointer = type.kind() == Type::Kind::ThreadRef;
  cell.lo = cell.pointer ? 0 : type.first();
  cell.values = cell.pointer ? processes + 1 : static_cast<std::uint32_t>(type.cardinality());
  cell.bits = static_cast<unsigned>(std::bit_width(cell.values - 1));
  cell.default_cell = static_cast<Cell>(type.default_value() - cell.lo);
  return cell;
}

}  // namespace

std::optional<std::string> refuses_program(const model::Program& program, std::optional<std::uint32_t> bound) {
  const auto processes = model::fixed_thread_count(program);
  if (!processes) return "the pointer engines need a fixed set of processes";
  if (*processes < 1 || *processes > most_processes) {
    return fmt::format("the pointer engines take 1 to {} processes", most_processes);
  }
  if (!bound) return "the pointer engines need a bound on the number of threads";
  if (*bound < *processes) return "the program starts with more threads than the bound allows";
  const model::TemplateId templ = program.initial.front().templ;
  for (const model::InitialThreads& group : program.initial) {
    if (group.templ != templ) return "the pointer engines take processes of one template only";
  }
  for (const model::Variable& variable : program.shared) {
    if (auto refusal = refuses_variable(variable)) return refusal;
  }
  const model::Template& body = program.templ(templ);
  for (const model::Variable& variable : body.locals) {
    if (auto refusal = refuses_variable(variable)) return refusal;
  }
  for (const model::Edge& edge : body.edges) {
    for (const model::Action& action : edge.actions) {
      if (auto refusal = refuses_action(program, action)) return refusal;
    }
  }
  if (body.locations.size() > most_values) return "the pointer engines take at most 65536 locations";
  return std::nullopt;
}

Layout::Layout(const model::Program& program) : program_(&program), templ_(program.initial.front().templ) {
  processes_ = model::fixed_thread_count(program).value();
  for (const model::Variable& variable : program.shared) shared_.push_back(cell_type(variable.type, processes_));
  for (const model::Variable& variable : templ().locals) locals_.push_back(cell_type(variable.type, processes_));
  location_.values = static_cast<std::uint32_t>(templ().locations.size());
  location_.bits = static_cast<unsigned>(std::bit_width(location_.values - 1));
  std::size_t bits = 0;
  for (std::size_t cell = 0; cell < cells(); ++cell) bits += type(cell).bits;
  packed_bytes_ = std::max<std::size_t>(1, (bits + 7) / 8);
}

const CellType& Layout::type(std::size_t cell) const {
  if (cell < shared_.size()) return shared_[cell];
  const std::size_t within = (cell - shared_.size()) % block();
  return within == 0 ? location_ : locals_[within - 1];
}

Cells Layout::to_cells(const model::State& state) const {
  COHORT_EXPECT(state.threads.size() == processes_, "every process is there");
  Cells cells;
  cells.reserve(this->cells());
  for (std::size_t var = 0; var < shared_.size(); ++var) {
    cells.push_back(static_cast<Cell>(state.shared[var] - shared_[var].lo));
  }
  for (const auto& thread : state.threads) {
    cells.push_back(static_cast<Cell>(thread->location.value));
    for (std::size_t var = 0; var < locals_.size(); ++var) {
      cells.push_back(static_cast<Cell>(thread->locals[var] - locals_[var].lo));
    }
  }
  return cells;
}

model::State Layout::to_state(std::span<const Cell> cells) const {
  model::State state;
  for (std::size_t var = 0; var < shared_.size(); ++var) state.shared.push_back(cells[var] + shared_[var].lo);
  for (std::size_t process = 0; process < processes_; ++process) {
    model::ThreadState thread{templ_, model::LocId(std::size_t{cells[location_cell(process)]}), false, {}};
    for (std::size_t var = 0; var < locals_.size(); ++var) {
      thread.locals.push_back(cells[local_cell(process, var)] + locals_[var].lo);
    }
    state.threads.emplace_back(std::move(thread));
  }
  return state;
}

void Layout::pack(std::span<const Cell> cells, std::vector<std::uint8_t>& bytes) const {
  bytes.clear();
  std::uint64_t window = 0;
  unsigned filled = 0;
  const auto put = [&](Cell cell, unsigned bits) {
    window |= std::uint64_t{cell} << filled;
    for (filled += bits; filled >= 8; filled -= 8, window >>= 8U) bytes.push_back(static_cast<std::uint8_t>(window));
  };
  std::size_t at = 0;
  for (const CellType& type : shared_) put(cells[at++], type.bits);
  for (std::uint32_t process = 0; process < processes_; ++process) {
    put(cells[at++], location_.bits);
    for (const CellType& type : locals_) put(cells[at++], type.bits);
  }
  if (filled > 0 || bytes.empty()) bytes.push_back(static_cast<std::uint8_t>(window));
}

void Layout::unpack(const std::uint8_t* bytes, std::span<Cell> cells) const {
  std::uint64_t window = 0;
  unsigned filled = 0;
  const auto get = [&](unsigned bits) {
    for (; filled < bits; filled += 8) window |= std::uint64_t{*bytes++} << filled;
    const auto cell = static_cast<Cell>(window & ((std::uint64_t{1} << bits) - 1));
    window >>= bits;
    filled -= bits;
    return cell;
  };
  std::size_t at = 0;
  for (const CellType& type : shared_) cells[at++] = get(type.bits);
  for (std::uint32_t process = 0; process < processes_; ++process) {
    cells[at++] = get(location_.bits);
    for (const CellType& type : locals_) cells[at++] = get(type.bits);
  }
}

}  // namespace cohort::engine::pointer
