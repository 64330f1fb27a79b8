// Where the parts of a state lie.  A state is one array of 16-bit cells: the shared variables, then for each process
// its location and its locals.  A cell holds the value's distance from the least value of its type, so that every cell
// counts from 0; a pointer's cell is 0 for NULL and k for process k.  In the store a state is packed to as many bits as
// its cells need, which makes all code words equally long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/program.hpp"
#include "model/state.hpp"

namespace cohort::engine::pointer {

using Cell = std::uint16_t;
using Cells = std::vector<Cell>;

struct CellType {
  model::Value lo = 0;
  std::uint32_t values = 1;  // how many
  unsigned bits = 0;         // to hold them
  bool pointer = false;
  Cell default_cell = 0;
};

// Why the engines of this folder cannot take the program, if so: see fragment() of the engines.
std::optional<std::string> refuses_program(const model::Program& program, std::optional<std::uint32_t> bound);

class Layout {
 public:
  // The program is not refused.
  explicit Layout(const model::Program& program);

  const model::Program& program() const { return *program_; }
  const model::Template& templ() const { return program_->templates[templ_.value]; }
  model::TemplateId templ_id() const { return templ_; }
  std::uint32_t processes() const { return processes_; }
  std::size_t cells() const { return shared_.size() + processes_ * block(); }
  std::size_t shared_count() const { return shared_.size(); }
  // Location and locals of one process.
  std::size_t block() const { return 1 + locals_.size(); }
  // Processes count from 0 here.
  std::size_t location_cell(std::size_t process) const { return shared_.size() + process * block(); }
  std::uint32_t process_of(std::size_t cell) const {
    return static_cast<std::uint32_t>((cell - shared_.size()) / block());
  }
  std::size_t local_cell(std::size_t process, std::size_t var) const { return location_cell(process) + 1 + var; }
  const CellType& shared(std::size_t var) const { return shared_[var]; }
  const CellType& local(std::size_t var) const { return locals_[var]; }
  const CellType& location() const { return location_; }
  // Of the cell with this number.
  const CellType& type(std::size_t cell) const;

  Cells to_cells(const model::State& state) const;
  model::State to_state(std::span<const Cell> cells) const;

  std::size_t packed_bytes() const { return packed_bytes_; }
  void pack(std::span<const Cell> cells, std::vector<std::uint8_t>& bytes) const;
  void unpack(const std::uint8_t* bytes, std::span<Cell> cells) const;

 private:
  const model::Program* program_;
  model::TemplateId templ_;
  std::uint32_t processes_ = 0;
  std::vector<CellType> shared_;
  std::vector<CellType> locals_;
  CellType location_;
  std::size_t packed_bytes_ = 0;
};

}  // namespace cohort::engine::pointer
