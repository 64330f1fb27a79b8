// Inside of dd/ only: how an operation of BuDDy ends.
#pragma once

#include <bdd.h>
// The header's own C++ class takes over these names; we use the C functions.
#undef bdd_ithvar
#undef bdd_nithvar
#undef bdd_init
#undef bdd_done

#include "dd/bdd.hpp"

namespace cohort::dd {

// Throws if the last operation failed: OutOfMemory, or InternalError for a misuse.
void check_errors();

// Counts the managers made so far, so that what belonged to an earlier one can be told apart.
std::uint64_t current_era();

struct Access {
  static Bdd take(int raw) {
    check_errors();
    return Bdd(Bdd::Raw{raw});
  }
  static int raw(const Bdd& f) { return f.id_; }
};

inline int raw(const Bdd& f) {
  return Access::raw(f);
}

}  // namespace cohort::dd
