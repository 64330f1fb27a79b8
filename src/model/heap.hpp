// Objects that nobody can tell apart by where they lie: what a front end knows of allocated memory.
//
// A family is a row of objects of one kind.  The front end promises that programs only store the addresses of these
// objects, compare them for equality and follow them: to give the objects of a family other places, in the memory and
// in every variable that holds their addresses, turns executions into executions.  It also promises that an object to
// which no such variable leads, nor an object to which one leads, is never looked at again until it is handed out anew.
// Outside of atomic sections, that is: within one, a thread may be about to hand out an object.  Objects are handed out
// in the order of their numbers.
//
// Like the calls of call_frames.hpp, this is kept in the atlas, which travels with the program.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.hpp"

namespace cohort::model {

struct Heap {
  struct Family {
    Value address = 0;  // of the first object
    Value stride = 0;   // from one object to the next; every address in between belongs to the first of them
    std::uint32_t count = 1;
    std::vector<VarId> columns;  // shared variables: so many elements for each object, one object's after the other's
    bool comes_back = false;     // what was freed is handed out again, with what stands in it

    bool operator==(const Family&) const = default;
  };

  std::vector<Family> families;
  // Variables that hold addresses, of these objects or of others, and never a number: shared ones, and those of each
  // template.
  std::vector<VarId> shared;
  std::vector<std::vector<VarId>> locals;

  bool operator==(const Heap&) const = default;

  void write(Atlas& atlas) const;
};

// What the front end said of the program's heap; none: every object has its place.
std::optional<Heap> heap_of(const Program& program);

}  // namespace cohort::model
