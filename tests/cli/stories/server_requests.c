// Requests of a server that is never done: objects that come and go.
// has: r = &req1[0]
// has: if (pthread_create(&t, 0, handle, r))
// has: creates T1 running handle(&req1[0])
// has: creates T2 running handle(&req1[1])
// has: frees req1[0]
// has: assert(active >= 0) fails, with active = -1
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
struct req { int id; int len; }; static int active; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *handle(void *p) { struct req *r = p; pthread_mutex_lock(&m); active++; pthread_mutex_unlock(&m); assert(r->len < 10); free(r); active--; assert(active >= 0); return 0; }
int main(void) { for (;;) { struct req *r = malloc(sizeof *r); if (!r) continue; r->len = 3; pthread_t t; if (pthread_create(&t, 0, handle, r)) { free(r); continue; } pthread_detach(t); } }
