// A call that stands for an error is what the condition leads to.
// has: enters atomic section
// has: if (x > 40)
// has: comes to reach_error()
// has: leads to reach_error(), with x =
#include <pthread.h>
extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x, limit;
void *w(void *a) { int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k > 3 && k < 100); __VERIFIER_atomic_begin(); if (x + k <= limit) x += k; __VERIFIER_atomic_end(); return 0; }
int main(void) { limit = __VERIFIER_nondet_int(); __VERIFIER_assume(limit > 10 && limit < 50); pthread_t a, b; pthread_create(&a,0,w,0); pthread_create(&b,0,w,0); pthread_join(a,0); pthread_join(b,0); if (x > 40) reach_error(); return 0; }
