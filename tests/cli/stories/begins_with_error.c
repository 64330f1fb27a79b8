// A routine that begins with the mistake, and a run without any step.
// has: why: T1 begins at begins_with_error.c:5: reach_error()
#include <pthread.h>
extern void reach_error(void);
static void *worker(void *arg) { reach_error(); return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
