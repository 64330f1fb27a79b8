// A lock that only one thread ever takes is held as well; whoever waits for itself is told so.
// ask: --property deadlock
// has: locks l for reading
// has: the end of T1 (a)
// has: l (which it holds itself since
// has: l (T1 holds it since lock_of_one_thread.c:11)
// has: m since lock_of_one_thread.c:12
// has: why: T1 waits for l, which it holds itself
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int v;
void *up(void *x) { pthread_rwlock_rdlock(&l); if (v == 0) { pthread_rwlock_wrlock(&l); v = 1; pthread_rwlock_unlock(&l); } pthread_rwlock_unlock(&l); return 0; }
void *mix(void *x) { pthread_mutex_lock(&m); pthread_rwlock_wrlock(&l); v++; pthread_rwlock_unlock(&l); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,up,0); pthread_create(&b,0,mix,0); pthread_join(a,0); pthread_join(b,0); return 0; }
