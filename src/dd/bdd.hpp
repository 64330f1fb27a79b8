// Binary decision diagrams with value semantics, over BuDDy 2.4.  BuDDy keeps everything in one global instance; a
// Manager owns it for its lifetime, and every Bdd is a counted reference into it.  Nothing outside this folder calls
// BuDDy, so a second library could take its place.
//
// What the wrapper guards against (each has a test):
//   - BuDDy's default error handler ends the process.  Ours records the code; the wrapper looks at it after each
//     operation, clears BuDDy's state and throws: OutOfMemory when the nodes are used up, InternalError otherwise.
//   - bdd_satcount rounds, and reuses stale cache lines: counting is our own traversal with unbounded numbers.
//   - bdd_appex forms its cache key from the node number of the variable set shifted by 8 bits, so two sets with far
//     numbers could be taken for each other: above 2^23 nodes and_exists conjoins and quantifies in two steps.
//   - A node's external reference count saturates at 1023; such a node is then never freed, which costs memory but is
//     safe.
//   - A failing realloc leaves BuDDy's tables broken: whether the next table fits is tried after each collection, and
//     growth is forbidden when it does not.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dd/natural.hpp"

namespace cohort::dd {

using Var = std::uint32_t;

// The node limit or the memory limit is reached, or the stop check of the manager asked to end.  All handles stay valid
// and the manager can be used on; the operation that was running has no result.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Bdd {
 public:
  Bdd() = default;  // the constant false
  explicit Bdd(bool value) : id_(value ? 1 : 0) {}
  Bdd(const Bdd& other) : id_(other.id_) { acquire(); }
  Bdd(Bdd&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Bdd& operator=(const Bdd& other) {
    Bdd copy(other);
    std::swap(id_, copy.id_);
    return *this;
  }
  Bdd& operator=(Bdd&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Bdd() { release(); }

  bool is_false() const { return id_ == 0; }
  bool is_true() const { return id_ == 1; }
  bool is_constant() const { return id_ < 2; }
  // Diagrams are canonical: equal functions are the same node.
  friend bool operator==(const Bdd& a, const Bdd& b) { return a.id_ == b.id_; }
  // Names the function among all that are referenced now; may be given to another once no handle is left.
  std::uint32_t id() const { return static_cast<std::uint32_t>(id_); }

  // The topmost variable and the two cofactors by it; the diagram must not be constant.
  Var root() const;
  Bdd low() const;
  Bdd high() const;

  Bdd& operator&=(const Bdd& other);
  Bdd& operator|=(const Bdd& other);

 private:
  friend class Manager;
  friend struct Access;
  struct Raw {
    int id;
  };
  explicit Bdd(Raw raw) : id_(raw.id) { acquire(); }

  void acquire() {
    if (id_ >= 2) acquire_node();
  }
  void release() {
    if (id_ >= 2) release_node();
  }
  void acquire_node() const;
  void release_node() const;

  int id_ = 0;
};

// A set of variables to quantify or to count over, in ascending order.
class VarSet {
 public:
  VarSet() : cube_(true) {}
  explicit VarSet(std::vector<Var> variables);

  const std::vector<Var>& variables() const { return variables_; }
  bool empty() const { return variables_.empty(); }
  std::size_t size() const { return variables_.size(); }
  bool contains(Var variable) const;
  VarSet minus(const VarSet& other) const;
  const Bdd& cube() const { return cube_; }

 private:
  std::vector<Var> variables_;
  Bdd cube_;
};

// A simultaneous renaming of variables; sources are distinct, targets are distinct.
class Renaming {
 public:
  explicit Renaming(std::vector<std::pair<Var, Var>> pairs);
  Renaming(const Renaming&) = delete;
  Renaming& operator=(const Renaming&) = delete;
  Renaming(Renaming&& other) noexcept
      : pairs_(std::move(other.pairs_)), table_(std::exchange(other.table_, nullptr)), era_(other.era_) {}
  Renaming& operator=(Renaming&& other) noexcept;
  ~Renaming();

  // f with every source variable replaced by its target.  No target that is not itself a source may occur in f.
  Bdd operator()(const Bdd& f) const;

 private:
  std::vector<std::pair<Var, Var>> pairs_;
  void* table_ = nullptr;
  std::uint64_t era_ = 0;
};

Bdd operator&(const Bdd& a, const Bdd& b);
Bdd operator|(const Bdd& a, const Bdd& b);
Bdd operator^(const Bdd& a, const Bdd& b);
Bdd operator!(const Bdd& a);
Bdd implies(const Bdd& a, const Bdd& b);
Bdd equivalent(const Bdd& a, const Bdd& b);
Bdd difference(const Bdd& a, const Bdd& b);
Bdd ite(const Bdd& condition, const Bdd& then, const Bdd& otherwise);
// Whether every assignment of a satisfies b.
bool subset(const Bdd& a, const Bdd& b);
bool disjoint(const Bdd& a, const Bdd& b);

Bdd exists(const Bdd& f, const VarSet& variables);
Bdd forall(const Bdd& f, const VarSet& variables);
// exists(a & b, variables) without building the conjunction.
Bdd and_exists(const Bdd& a, const Bdd& b, const VarSet& variables);

using Assignment = std::vector<std::pair<Var, bool>>;

// The conjunction of the literals.
Bdd cube(const Assignment& literals);
// f with the variables fixed as the literals say; the variables no longer occur.
Bdd cofactor(const Bdd& f, const Assignment& literals);
Bdd cofactor(const Bdd& f, Var variable, bool value);

std::vector<Var> support(const Bdd& f);
// Number of inner nodes, shared ones counted once.
std::size_t node_count(const Bdd& f);

// The value of f when each variable has the value that the function gives.
bool evaluate(const Bdd& f, const std::function<bool(Var)>& value);

// How many assignments of exactly these variables satisfy f; they must contain the support of f.
Natural count(const Bdd& f, const VarSet& variables);

// One satisfying assignment of exactly these variables (which must contain the support), false where free; f is not
// the constant false.
Assignment pick(const Bdd& f, const VarSet& variables);

// Calls `visit` with disjoint cubes that together are f; stops when it returns false, and then returns false.
bool for_each_cube(const Bdd& f, const std::function<bool(const Assignment&)>& visit);
// The same with every satisfying assignment of exactly these variables, which must contain the support.
bool for_each_assignment(const Bdd& f, const VarSet& variables, const std::function<bool(const Assignment&)>& visit);

// Disjoint cubes that together are f, as texts with one character for each of the first `width` of `variables`, which
// must contain the support: 0, 1, or - for any value.
std::vector<std::string> cube_texts(const Bdd& f, const VarSet& variables, std::size_t width);

}  // namespace cohort::dd

template <>
struct std::hash<cohort::dd::Bdd> {
  std::size_t operator()(const cohort::dd::Bdd& f) const noexcept {
    return f.id() * std::size_t{0x9E3779B97F4A7C15ULL};
  }
};
