// Three threads meet at a barrier for two.
// ask: --property deadlock
// has: running w(NULL), T2 running w((void *)1), T3 running w((void *)2)
// has: arrives at b
// has: passes b
// has: why: T1 waits at b, and nobody is left to come there, too; T0 waits for the end of T1
// hasnot: ; w
#include <pthread.h>
#include <assert.h>
pthread_barrier_t b; int phase[3];
void *w(void *a) { long me = (long)a; phase[me] = 1; pthread_barrier_wait(&b); assert(phase[(me+1)%3] == 1); phase[me] = 2; return 0; }
int main(void) { pthread_t t[3]; pthread_barrier_init(&b, 0, 2); for (long i=0;i<3;i++) pthread_create(&t[i],0,w,(void*)i); for (int i=0;i<3;i++) pthread_join(t[i],0); return 0; }
