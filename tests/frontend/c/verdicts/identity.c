// Who a thread is.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

// case SELF: safe
#ifdef SELF
pthread_t own;
void *w(void *a) {
  own = pthread_self();
  assert(own != 0 && !pthread_equal(own, *(pthread_t *)a));
  return a;
}
int main(void) {
  pthread_t t, me = pthread_self();
  assert(me != 0);
  pthread_create(&t, 0, w, &me);
  pthread_join(t, 0);
  assert(pthread_equal(own, t));
}
#endif
// case C11: safe
#ifdef C11
thrd_t own;
int w(void *a) {
  own = thrd_current();
  return 3;
}
int main(void) {
  thrd_t t;
  int r;
  thrd_create(&t, w, 0);
  thrd_join(t, &r);
  assert(r == 3 && thrd_equal(own, t) && !thrd_equal(own, thrd_current()));
}
#endif
// case DETACH_TWICE: safe
#ifdef DETACH_TWICE
void *w(void *a) {
  for (;;)
    ;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  assert(pthread_detach(t) == 0);
  assert(pthread_detach(t) == EINVAL);
}
#endif
// case DETACH_TWICE_IN_VAIN: unsafe
#ifdef DETACH_TWICE_IN_VAIN
void *w(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_detach(t);
  assert(pthread_detach(t) == 0);
}
#endif
// case DETACH_MANY: safe
#ifdef DETACH_MANY
int x;
void *w(void *a) {
  assert(x == 0);
  return a;
}
int main(void) {
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_detach(t);
  }
}
#endif
// case HANDLE_NOT_THERE_YET: unsafe
#ifdef HANDLE_NOT_THERE_YET
pthread_t t;
void *w(void *a) {
  assert(pthread_equal(t, pthread_self()));
  return a;
}
int main(void) {
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
}
#endif
