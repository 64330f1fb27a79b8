// The conventions of SV-COMP, CPROVER and the checkers of weak memory models, and assert().
#include "cohort_intrinsics.h"

void __VERIFIER_error(void) { __cohort_violation("assertion", "__VERIFIER_error is called"); }
void reach_error(void) { __cohort_violation("assertion", "reach_error is called"); }
void __VERIFIER_assert(int condition) {
  if (!condition) __cohort_violation("assertion", "__VERIFIER_assert fails");
}
void __VERIFIER_assume(int condition) { __cohort_assume(condition); }
void assume_abort_if_not(int condition) { __cohort_assume(condition); }
void assume(int condition) { __cohort_assume(condition); }
void __VERIFIER_atomic_begin(void) { __cohort_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __cohort_atomic_end(); }
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int leaves) { (void)leaves; }
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_loop_bound(int rounds) { (void)rounds; }

void __CPROVER_assert(int condition, const char *text) {
  (void)text;
  if (!condition) __cohort_violation("assertion", "__CPROVER_assert fails");
}
void __CPROVER_assume(int condition) { __cohort_assume(condition); }
void __CPROVER_atomic_begin(void) { __cohort_atomic_begin(); }
void __CPROVER_atomic_end(void) { __cohort_atomic_end(); }
void atomic_begin(void) { __cohort_atomic_begin(); }
void atomic_end(void) { __cohort_atomic_end(); }
// Memory is sequentially consistent.
void __CPROVER_fence(const char *kind, ...) { (void)kind; }
// Hints for predicate abstraction.
void __CPROVER_predicate(int predicate) { (void)predicate; }
void __CPROVER_parameter_predicates(void) {}
void __CPROVER_return_predicates(void) {}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text, (void)file, (void)line, (void)function;
  __cohort_violation("assertion", "assert fails");
}
void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
  (void)error, (void)file, (void)line, (void)function;
  __cohort_violation("assertion", "assert_perror fails");
}
void __assert(const char *text, const char *file, int line) {
  (void)text, (void)file, (void)line;
  __cohort_violation("assertion", "assert fails");
}
// Where no header declares assert().
void assert(int condition) {
  if (!condition) __cohort_violation("assertion", "assert fails");
}
