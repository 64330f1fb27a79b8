// Texts are what is written, and an access that leads nowhere says how.
// ask: --property faults
// has: UNSAFE with 3 threads: an access outside of its object at
// has: start: len = 0
// has: running w("hello")
// has: running w("world")
// has: = "hello"
// has: reads len = 5, an access outside of its object
// has: why:
// hasnot: [0] = 'h'
#include <pthread.h>
#include <string.h>
char buf[8]; int len; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void append(const char *s) { size_t n = strlen(s); if (len + n < sizeof buf) { pthread_mutex_lock(&m); memcpy(buf + len, s, n); len += n; pthread_mutex_unlock(&m); } }
void *w(void *s) { append(s); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,w,"hello"); pthread_create(&b,0,w,"world"); pthread_join(a,0); pthread_join(b,0); buf[len] = 0; return 0; }
