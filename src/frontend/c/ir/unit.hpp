// The halfway house of the C front end: C without Clang, before it becomes a Program.
//
// `parse/` (the only code that sees Clang) turns each translation unit into a Unit: types resolved and laid out,
// conversions explicit, side effects and short circuits taken apart in the order C gives them, control flow as a graph
// of small nodes.  Units are linked by name, the models of the library functions (`library/*.c`, C as well) among them.
// `lower/` then decides what only the whole program can tell: which functions are reachable, what pointers point to,
// what is shared between threads, which accesses are steps of their own.
//
// Invariants: expressions are pure; a Load reads memory, nothing writes it but Assign and Call nodes.  Operands have
// been promoted and converted: both sides of an arithmetic operator have the operator's type, every change of type is
// a Cast.  `&&`, `||` and `?:` appear as expressions only when their later operands cannot fault and load nothing but
// automatic scalars whose address is never taken; else they are branches.  A construct that is not modelled is an
// Unsupported node (or type) where it stands, so that it is refused only if it can be reached.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "model/ids.hpp"

namespace cohort::frontend::c::ir {

using TypeId = model::Id<struct CTypeTag>;
using RecordId = model::Id<struct RecordTag>;
using ExprId = model::Id<struct CExprTag>;
using PlaceId = model::Id<struct PlaceTag>;
using ObjectId = model::Id<struct ObjectTag>;
using FunctionId = model::Id<struct FunctionTag>;
using NodeId = model::Id<struct NodeTag>;  // within one function

struct Type {
  enum class Kind : std::uint8_t {
    Void,
    Bool,  // _Bool
    Int,   // also char and enums: width and sign as the target has them
    Pointer,
    Array,
    Record,       // struct or union
    Function,     // only behind pointers
    Unsupported,  // `reason` says what; refused where an object of it is reachable
  };

  Kind kind = Kind::Void;
  unsigned width = 0;      // Int: 8, 16, 32, 64; Pointer: 32 or 64
  bool is_signed = false;  // Int
  bool is_float = false;   // Int: a floating-point number, of which only the place is known and not the value
  bool is_atomic = false;  // _Atomic: loads, stores and compound assignments are single steps, no race
  bool is_volatile = false;
  TypeId target;            // Pointer: what it points to; Array: its elements; Function: its result
  std::uint64_t count = 0;  // Array: number of elements; 0 for a flexible or incomplete array
  RecordId record;          // Record
  std::string reason;       // Unsupported

  bool operator==(const Type&) const = default;
};

// How people read the numbers in an object, or in the elements of an array, which their type does not tell: the names
// that an enumeration gives them, and whether eight bits are declared as a character.
struct Reading {
  bool is_character = false;
  std::vector<std::pair<std::int64_t, std::string>> names;
};

struct Field {
  std::string name;
  TypeId type;
  std::uint64_t offset = 0;  // in bytes
  // Neighbouring bit-fields are one memory location: the offset of the first of them.
  std::optional<std::uint64_t> location{};
  unsigned bits = 0;   // of a bit-field
  unsigned shift = 0;  // of a bit-field: which bit of a byte its first one is
  std::shared_ptr<const Reading> reading{};
};

// A struct or union.  The types of the thread libraries (pthread_mutex_t, sem_t, mtx_t, ...) are replaced, by the name
// of their typedef, by the records that `library/` defines under `cohort_` + that name; `library` holds for those.
struct Record {
  std::string name;
  bool is_union = false;
  bool is_library = false;
  bool complete = true;
  bool is_slot = false;    // one of several objects that lie in an array: its first field, and a gap that is nobody's
  std::uint64_t size = 0;  // in bytes
  std::vector<Field> fields;
};

enum class Op : std::uint8_t {
  Const,         // `value`; also the null pointer (Const 0 of pointer type)
  Nondet,        // any value of the type: the initial value of an automatic object is written so
  Load,          // the value of `place`
  AddressOf,     // the address of `place`; arrays decay to AddressOf element 0
  FunctionAddr,  // the address of `function`
  Text,          // the address of a string literal, `text`; may be passed around, never read
  Cast,          // to the type of the node, from whatever scalar type args[0] has
  Neg,
  BitNot,
  LogicalNot,  // of a scalar; int 0 or 1
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,           // comparisons: operands of one type (pointers too), the result is an int
  LogicalAnd,   // only where the right operand can be evaluated in any case; see above
  LogicalOr,    // likewise
  Conditional,  // args: condition, then, otherwise; likewise
  PointerAdd,   // args: pointer, integer (in elements; negative for p - n)
  PointerDiff,  // in elements
};

struct Expr {
  Op op = Op::Const;
  TypeId type;
  std::int64_t value = 0;  // Const; a 64-bit unsigned value keeps its bits
  PlaceId place;           // Load, AddressOf
  FunctionId function;     // FunctionAddr
  std::string text;        // Text
  std::vector<ExprId> args;
  SourceSpan span;
};

// An lvalue: an object or what a pointer points to, then fields and elements of it.
struct Place {
  struct Step {
    enum class Kind : std::uint8_t { Field, Index };

    Kind kind = Kind::Field;
    std::uint32_t field = 0;
    ExprId index;
  };

  std::optional<ObjectId> object;  // else the target of `pointer`
  ExprId pointer;
  TypeId base_type;  // of the object or of the pointer's target
  std::vector<Step> steps;
  TypeId type;  // of the place as a whole
  SourceSpan span;
};

// One scalar of a constant initialiser.
struct InitialValue {
  std::vector<std::uint64_t> path;  // field numbers and element indices from the object down to the scalar
  ExprId value;                     // Const, AddressOf a place with constant indices, FunctionAddr or Text
};

struct Object {
  enum class Storage : std::uint8_t {
    Static,  // file scope, or `static` in a function: one for the process, starts as `initial`, 0 where that is silent
    Thread,  // _Thread_local, __thread: one a thread, likewise
    Automatic,  // locals and parameters: their initialisation is code
  };

  std::string name;
  TypeId type;
  Storage storage = Storage::Static;
  bool is_extern =
      false;  // declared only, so far; linking finds the definition, else any value is possible at the start
  bool is_internal = false;   // `static` at file scope or in a function: not visible to the linker
  bool is_temporary = false;  // made by the front end
  bool is_library = false;    // of a library function, or the library's own
  bool is_readonly = false;   // a string literal, or declared const with a value: to change it is undefined
  std::vector<InitialValue> initial;
  SourceSpan span;
  std::shared_ptr<const Reading> reading{};
};

struct Node {
  enum class Kind : std::uint8_t {
    Assign,       // place := value (records are assigned as a whole)
    Branch,       // value nonzero: next[0], else next[1]
    Skip,         // nothing; next[0]
    Call,         // result (if any) := callee(args); next[0]
    Return,       // value, if the function has one
    Declare,      // the automatic `object` begins its life: any value; next[0]
    Live,         // the automatic `object` lives from here on, with the value that it has; next[0]
    Leave,        // the life of the automatic `object` ends; next[0]
    Async,        // a new thread with a copy of the locals begins at next[1]; this one goes on at next[0]
    EndAsync,     // the thread that Async began ends
    Unsupported,  // `text` says what
  };

  Kind kind = Kind::Skip;
  PlaceId place;
  std::optional<PlaceId> result;
  ExprId value;
  bool has_value = false;            // Return: is there a value?
  std::optional<FunctionId> callee;  // Call by name
  ExprId callee_pointer;             // Call through a pointer, where `callee` is empty
  std::vector<ExprId> args;
  std::uint64_t read_only_args = 0;  // bit i: argument i leads to what the callee promises not to change
  std::optional<ObjectId> object;    // Declare, Live, Leave
  std::vector<NodeId> next;
  // Nodes of one C statement share the number (`--interleave=statement` makes them one step); counted in each function.
  std::uint32_t statement = 0;
  // Nodes with the same number, not 0, are one indivisible step (a compound assignment of an _Atomic object).
  std::uint32_t atomic_group = 0;
  SourceSpan span;
  std::string text;  // the C statement or expression as written, cut to one line
};

struct Function {
  std::string name;
  TypeId result;
  std::vector<ObjectId> params;
  std::vector<ObjectId> mortal;  // those and locals that somebody may use when they live no more
  bool is_variadic = false;
  bool is_internal = false;  // `static`
  bool is_library = false;   // from `library/`, or an intrinsic (`__cohort_*`)
  bool is_noreturn = false;
  // The priorities of functions that run before main, the least first, and at the end of the process, the least last.
  std::optional<int> constructor{};
  std::optional<int> destructor{};
  bool has_body = false;
  std::vector<Node> nodes;
  NodeId entry;
  SourceSpan span;
};

// What a function without a body and without a model is taken to do.
enum class Undefined : std::uint8_t {
  Havoc,   // returns any value and writes anything to what its arguments lead to
  Pure,    // returns any value
  Refuse,  // nothing is known beyond the call
};

struct Unit {
  std::vector<Type> types;
  std::vector<Record> records;
  std::vector<Expr> exprs;
  std::vector<Place> places;
  std::vector<Object> objects;
  std::vector<Function> functions;
  unsigned pointer_width = 64;

  const Type& type(TypeId id) const { return types[id.value]; }
  const Record& record(RecordId id) const { return records[id.value]; }
  const Expr& expr(ExprId id) const { return exprs[id.value]; }
  const Place& place(PlaceId id) const { return places[id.value]; }
  const Object& object(ObjectId id) const { return objects[id.value]; }
  const Function& function(FunctionId id) const { return functions[id.value]; }
  // Types are compared by value: an equal one is found again.
  TypeId add_type(Type type);
  ExprId add_expr(Expr expr);
  PlaceId add_place(Place place);
};

// For tests and `--dump`: the unit as text, one line a node.
std::string to_string(const Unit& unit);

}  // namespace cohort::frontend::c::ir
