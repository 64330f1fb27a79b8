// The models of the library functions: C sources that are part of the program, read by the same front end as the user's
// files and linked to them by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/c/ir/unit.hpp"

namespace cohort::frontend::c::library {

// What the program asks of its models.  The less it asks, the less there is to remember in each state.
struct Demands {
  bool owners = false;            // who holds a mutex matters: recursive and checking mutexes, misuse of locks
  bool check_locks = false;       // misuse of locks is a violation; asks for owners
  bool spurious_wakeups = false;  // condition variables may wake a thread for no reason
  bool failing_calls = false;     // allocations and the creation of threads may fail
  bool aborts = false;            // abort() is a violation
  bool sizes = false;             // how large an allocated object is matters: realloc
  bool handlers = false;          // the program may handle signals, which come where it sleeps or waits for input
  bool cancels = false;           // threads are cancelled
  bool directed = false;          // signals are sent to single threads
  bool watches = false;           // the program uses epoll
  bool floats = false;            // something depends on the value of a floating-point number
  bool reuse = true;              // freed addresses come back
  bool faults = false;            // accesses that are none are violations
  bool reads = false;             // what is read though nothing depends on it matters: faults, races
  bool joins = false;             // a thread may be joined that has been detached or joined
  bool races = false;             // races are violations, and locks are initialised
  // What main is given, from the name of the program on; none: any arguments.
  std::optional<std::vector<std::string>> arguments{};
};

// Does the unit make recursive or checking mutexes, or may it?
bool needs_owners(const ir::Unit& unit);

// Does the unit ask for another size of what it has allocated?
bool needs_sizes(const ir::Unit& unit);

// Does the unit initialise locks?
bool makes_locks(const ir::Unit& unit);

// Does the unit say what becomes of signals?
bool needs_handlers(const ir::Unit& unit);

// Does the unit cancel threads?
bool needs_cancellation(const ir::Unit& unit);

// Does the unit send signals to single threads?
bool needs_direction(const ir::Unit& unit);

// Does the unit ask epoll which descriptors are ready?
bool needs_watching(const ir::Unit& unit);

// Does something in the unit depend on the value of a floating-point number?
bool needs_floats(const ir::Unit& unit);

// One translation unit with all models; `#line` names the file of the library that each part comes from.  To be read
// without built-in functions and without warnings.
std::string source(const Demands& demands);

// The header with the names of the Linux kernel, to be included before the program on request.
std::string linux_prelude(const Demands& demands);

// The files as they were embedded when Cohort was built.
struct File {
  std::string_view name;
  std::string_view text;
};
const std::vector<File>& embedded_files();

}  // namespace cohort::frontend::c::library
