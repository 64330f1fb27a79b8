// The whole program without calls: one flat graph of nodes for each thread start routine, over instances of objects.
//
// Inlining gives every call its own copy of the callee's automatic objects, so an Inst is an object of the running
// program and everything after inlining is context sensitive for free.  Terms and accesses are values in arenas: a pass
// makes new ones and never changes an old one.  An access is an instance (or what a pointer term points to), an offset
// in bytes and indices with their strides: addresses are the byte addresses of C, so that pointer arithmetic, casts and
// `container_of` mean what they mean there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "frontend/c/ir/unit.hpp"
#include "frontend/c/lower/lower.hpp"
#include "model/call_frames.hpp"

namespace cohort::frontend::c::lower {

using InstId = model::Id<struct InstTag>;
using TermId = model::Id<struct TermTag>;
using AccessId = model::Id<struct AccessTag>;
using NodeId = model::Id<struct FlatNodeTag>;  // within one body
using BodyId = model::Id<struct BodyTag>;

struct Inst {
  enum class Kind : std::uint8_t {
    Static,
    Thread,     // one a thread of `body`
    Automatic,  // of `body`; lives from its Declare node on
    Heap,
    Text,  // a string literal: has an address, cannot be read
  };

  std::string name;
  ir::TypeId type;
  Kind kind = Kind::Static;
  BodyId body;                         // Thread, Automatic
  std::optional<ir::ObjectId> object;  // where its initial values stand
  bool is_temporary = false;           // assigned before it is read, by construction
  bool starts_unknown = false;         // Static, Heap: any value at the start
  bool is_readonly = false;            // Static, Automatic: a string literal, or declared const
  bool is_foreign = false;             // Text: stands for all objects of functions that nobody defines
  bool is_pool = false;                // Heap: an array of objects that are handed out one by one
  bool is_bookkeeping = false;         // Static: made by a stage; no memory of the program, so nobody races for it
  std::optional<InstId> freed{};       // Heap: which of the objects wait to be handed out again, where they may be
  std::optional<InstId> ended{};       // Automatic: holds whether its life has ended, where somebody may use it then
  std::optional<InstId> ends{};        // the object that this one says that of
  std::optional<InstId> extent;        // Heap: holds how many bytes there are, where that is known at run time only
  SourceSpan span;
};

struct Index {
  TermId term;
  std::uint64_t stride = 0;  // in bytes
  std::uint64_t count = 0;   // 0: not bounded by the type
};

struct Access {
  std::optional<InstId> inst;  // else what `pointer` points to
  TermId pointer;
  std::int64_t offset = 0;  // in bytes
  std::vector<Index> indices;
  ir::TypeId type;
  bool is_bit_field =
      false;  // by its name: bit-fields have bytes of their own here, which are not those they have in C
};

struct Term {
  ir::Op op = ir::Op::Const;
  ir::TypeId type;
  std::int64_t value = 0;
  AccessId access;          // Load, AddressOf
  ir::FunctionId function;  // FunctionAddr
  std::vector<TermId> args;
  std::vector<std::int64_t> choices;  // Nondet: the values that make a difference, sorted; empty: all of the type
  SourceSpan span;
};

struct Node {
  enum class Kind : std::uint8_t {
    Skip,
    Assign,       // access := term; scalars only
    Branch,       // term nonzero: next[0], else next[1]
    Declare,      // inst, or one object of a pool: begins to live, with any value or zeros
    Assume,       // term
    AtomicBegin,  // blocks until term holds, where has_term
    AtomicEnd,
    Spawn,  // a thread of what `term` is the address of, with `argument`; its number goes to access, where has_access
    EndThread,
    EndAsync,  // of a thread that Async began
    EndProcess,
    Async,      // a copy of this thread begins at next[1]
    Violation,  // of `kind`, with `text`
    Allocate,   // access := the address of a new object of `term` bytes
    Free,       // term
    Havoc,      // all that `term` leads to gets any values, and pointers there become NULL or the address of `inst`
    Cut,        // something that is not modelled: nothing is known beyond; `message` says why
  };

  Kind kind = Kind::Skip;
  bool has_term = false;
  bool has_access = false;
  bool zeroed = false;        // Allocate, Declare: the object starts as zeros
  std::uint64_t element = 0;  // Declare: of a pool, which of its objects
  TermId term;
  TermId argument;  // Spawn: what the routine is given
  TermId number;    // Spawn: the number of the new thread, where threads are numbered
  bool has_number = false;
  AccessId access;
  InstId inst;
  Wrong violation = Wrong::Assertion;  // the kind of a Violation
  std::string message;                 // Violation, Cut
  std::vector<NodeId> next;
  std::uint32_t statement = 0;     // nodes of one execution path of one C statement; 0: none
  std::uint32_t atomic_group = 0;  // counted in the whole body
  bool is_atomic_access = false;   // of an _Atomic object, or of the library's: never half of a data race
  bool in_model = false;           // of a library function
  bool hands_out = false;          // of an allocation: names the object that it gives
  bool through_pointer = false;    // Assign: not by the name of the object, so no initialiser of it
  bool spins = false;              // in a loop where the thread waits, see waiting_loops.hpp
  bool by_chance = false;          // AtomicBegin: goes on for no reason, too
  SourceSpan span;                 // in the user's program, also for code of the library
  std::string text;
  model::CallNotes::CallId call = model::CallNotes::outside;  // of the user's program that it is in
};

// What the threads of one start routine execute, or main.
struct Body {
  std::string name;
  ir::FunctionId function;
  bool is_main = false;
  bool has_async = false;
  std::optional<InstId> parameter;  // what a new thread is given
  bool drops_argument = false;      // threads are given 0 in its place, since it tells nobody anything
  std::optional<InstId> number;     // the thread's own number, where threads are numbered
  InstId result;                    // what the root function returned
  bool has_result = false;
  std::vector<Node> nodes;
  NodeId entry;
};

// A place where objects of one known size come from, once that is resolved.
struct Allocation {
  BodyId body;
  NodeId site;      // where it begins
  NodeId next;      // what follows it
  AccessId result;  // gets the address
  InstId object;    // or the pool of them
  ir::TypeId type;  // of one object
  bool zeroed = false;
};

struct Flat {
  ir::Unit& unit;  // types are added to it
  Options options;
  std::vector<Inst> insts{};
  std::vector<Term> terms{};
  std::vector<Access> accesses{};
  std::vector<Body> bodies{};
  // Initial values by instance and offset; 0 where silent.  Filled by Inliner::read_initial_values.
  std::vector<std::map<std::int64_t, TermId>> initial{};
  std::vector<InstId> statics{};  // by ObjectId; `no_inst` where not needed yet
  std::optional<InstId> foreign{};
  std::vector<Allocation> allocations{};  // filled by resolve_allocations
  model::CallNotes calls{};

  static constexpr InstId no_inst{UINT32_MAX};

  const Term& term(TermId id) const { return terms[id.value]; }
  const Access& access(AccessId id) const { return accesses[id.value]; }
  const Inst& inst(InstId id) const { return insts[id.value]; }
  const ir::Type& type_of(TermId id) const { return unit.type(term(id).type); }

  TermId add(Term term);
  AccessId add(Access access);
  InstId add(Inst inst);
  TermId constant(std::int64_t value, ir::TypeId type);
  TermId load(AccessId access);
  TermId address_of(AccessId access, ir::TypeId type);
  // The whole of a scalar instance.
  AccessId whole(InstId inst);
  ir::TypeId int_type();
  ir::TypeId bool_type();
  InstId static_inst(ir::ObjectId object);
  // The object that stands for all those of functions that nobody defines.
  InstId foreign_inst();
};

std::uint64_t size_of(const ir::Unit& unit, ir::TypeId type);
// Does the node store to something that must not change, other than its initialiser?
bool changes_constant(const Flat& flat, const Node& node, InstId inst);
bool is_scalar(const ir::Type& type);
// Does the access lead to something else than the whole of an object that is one scalar: a part of it, or beside it?
bool is_partial(const Flat& flat, const Access& access);

}  // namespace cohort::frontend::c::lower
