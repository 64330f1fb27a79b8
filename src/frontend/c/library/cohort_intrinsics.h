// What the models of the library functions are written in, besides C: calls to which lowering gives a meaning of its own.
//
// The models are C so that a C programmer can judge them.  They are read by the same front end as the user's program and
// linked to it by name; a function that the user defines wins over its model.  A handle names a thread; it is not negative.
#pragma once

// Inside an atomic section no other thread moves.
void __cohort_atomic_begin(void);
void __cohort_atomic_end(void);
// Waits until the condition, read without interleaving, holds, and enters an atomic section in the same step.  The
// condition has no `&&`, `||` or `?:`: those are control flow, and would be evaluated before the wait.
void __cohort_atomic_begin_when(int condition);

// Likewise, or goes on for no reason, which nobody can count on.
void __cohort_atomic_begin_when_or_by_chance(int condition);

// Gives up the execution where the condition does not hold.
void __cohort_assume(int condition);
// A violation if properties of this kind are asked for, else the end of the path.
void __cohort_violation(const char *kind, const char *text);
// Refuses the program if this call can be reached.
void __cohort_unsupported(const char *text);
// An entry of the ledger of assumptions.
void __cohort_note(const char *text);

int __cohort_spawn(void *(*start)(void *), void *argument);
int __cohort_self(void);
int __cohort_finished(int handle);
void *__cohort_result(int handle);
void __cohort_exit_thread(void *result);
void __cohort_end_process(void);
// The same, after what atexit was given and the functions with the attribute destructor have run.
void __cohort_exit(void);

// Back to the setjmp that was given the buffer, which returns the value.
void __cohort_longjmp(void *buffer, int value);

// A new object, with any content or with zeros.
void *__cohort_allocate(unsigned long size);
void *__cohort_allocate_zero(unsigned long size);
void __cohort_free(void *pointer);

// Any value of the type.
int __cohort_nondet_int(void);
unsigned __cohort_nondet_uint(void);
long __cohort_nondet_long(void);
_Bool __cohort_nondet_bool(void);

#define COHORT_NULL ((void *)0)
