// The one running instance of BuDDy, owned: made by the constructor, destroyed by the destructor.  At most one manager
// exists at a time, and every Bdd, VarSet and Renaming must be gone before it is.
#pragma once

#include <cstdint>
#include <functional>

#include "dd/bdd.hpp"

namespace cohort::dd {

struct Settings {
  std::uint32_t variables = 0;
  // Tables start small and double: a run over a tiny program must not pay for a large one.
  std::uint32_t initial_nodes = 1U << 14U;
  // What the tables may take together; 0 means as much as BuDDy can number.
  std::uint64_t memory_bytes = 0;
  // Asked at every garbage collection and after every few hundred operations; true makes the operation end in
  // OutOfMemory.
  std::function<bool()> stop_check = nullptr;
};

class Manager {
 public:
  explicit Manager(Settings settings);
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  ~Manager();

  std::uint32_t variable_count() const { return variables_; }
  // Makes `number` more variables below all others and returns the first.
  Var add_variables(std::uint32_t number);
  Bdd literal(Var variable, bool positive = true) const;

  std::uint64_t nodes_in_use() const;
  std::uint64_t nodes_allocated() const;
  std::uint64_t node_limit() const { return node_limit_; }
  std::uint64_t collections() const;
  void collect_garbage();

  // Sifts the variables, each on its own, until the diagrams shrink no more.  Returns false, having done nothing, when
  // the node limit leaves too little room to do it safely.
  bool reorder();
  // Position of a variable in the current order, the root first.
  std::uint32_t level(Var variable) const;

  // Bytes that one node costs with its share of the operation caches.
  static std::uint64_t bytes_per_node();

 private:
  std::uint32_t variables_ = 0;
  std::uint64_t node_limit_ = 0;
};

}  // namespace cohort::dd
