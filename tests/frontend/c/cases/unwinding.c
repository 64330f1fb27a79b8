// setjmp and longjmp, handlers that run when a thread ends, and threads that are cancelled.
// case 1: safe
// case 2: unsafe
// case 3: safe
// case 4: safe
// case 5: unsafe
// case 6: safe
// case 7: safe --property deadlock
// case 8: unsafe --property deadlock
// case 9: safe
// case 10: unknown
// case 11: safe --property deadlock
// case 12: safe
// case 13: unsafe not native
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#if CASE == 1 || CASE == 2
// Out of several calls, with a value; 0 becomes 1.
static jmp_buf back;
static int depth;
static void fail(int code) {
  depth++;
  if (code < 3) fail(code + 1);
  longjmp(back, CASE == 1 ? 0 : code);
}
int main(void) {
  volatile int tries = 0;
  int code = setjmp(back);
  if (code == 0) {
    tries++;
    fail(1);
    assert(0);
  }
  assert(tries == 1 && depth == 3);
  assert(code == 1);
  return 0;
}

#elif CASE == 3
// Several places at once: the innermost, then the outer one; a loop that tries again.
typedef struct {
  jmp_buf place;
  int code;
} try_t;
static void raise_in(try_t *t, int code) {
  t->code = code;
  longjmp(t->place, 1);
}
static int guarded(try_t *outer, int code) {
  try_t inner;
  if (setjmp(inner.place) == 0) {
    if (code == 1) raise_in(&inner, 10);
    if (code == 2) raise_in(outer, 20);
    return 0;
  }
  if (code == 3) raise_in(outer, 30);
  return inner.code;
}
int main(void) {
  try_t t;
  volatile int round = 0, caught = 0, inside = 0;
  if (setjmp(t.place) != 0) caught += t.code;
  while (round < 3) {
    round++;
    inside += guarded(&t, round);
  }
  assert(inside == 10 && caught == 20);
  return 0;
}

#elif CASE == 4 || CASE == 5
// Each thread has its own.
static int errors;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *number) {
  jmp_buf place;
  if (setjmp(place) == 0) {
    if (*(int *)number != 1) longjmp(place, 7);
    return number;
  }
  pthread_mutex_lock(&lock);
  errors++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t[3];
  int numbers[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &numbers[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(errors == (CASE == 4 ? 2 : 3));
  return 0;
}

#elif CASE == 6
// pthread_exit runs the handlers that are there, the last first.
static int order;
static void note(void *digit) { order = order * 10 + *(int *)digit; }
static void leave(void) { pthread_exit(&order); }
static void *work(void *unused) {
  static int one = 1, two = 2, three = 3;
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &three);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(note, &two);
  leave();
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, &result);
  assert(order == 21 && result == &order);
  return 0;
}

#elif CASE == 7 || CASE == 8
// Cancelled while it waits for a condition: the mutex is its own again, and the handler frees it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&lock);
#if CASE == 7
  pthread_cleanup_push(unlock, &lock);
  for (;;) pthread_cond_wait(&ready, &lock);
  pthread_cleanup_pop(1);
#else
  for (;;) pthread_cond_wait(&ready, &lock);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, wait_for_it, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

#elif CASE == 9
// Not while it is switched off; and a thread that asks for it.
static int done;
static void *work(void *unused) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  assert(before == PTHREAD_CANCEL_ENABLE);
  sleep(0);
  done = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
  assert(before == PTHREAD_CANCEL_DISABLE);
  for (;;) pthread_testcancel();
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  // A thread that has not yet begun may be cancelled only after it has switched that off.
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(done == 1);
  return 0;
}

#elif CASE == 10
// To a function that has returned.
static jmp_buf back;
static int set(void) { return setjmp(back); }
int main(void) {
  if (set() == 0) longjmp(back, 1);
  assert(back != 0);
  return 0;
}

#elif CASE == 11
// Cancelled while they wait for a semaphore, for a thread and for input.
static sem_t never;
static void *wait_for_post(void *unused) {
  sem_wait(&never);
  return unused;
}
static void *wait_for_thread(void *thread) {
  pthread_join(*(pthread_t *)thread, 0);
  return 0;
}
static int ends[2];
static void *wait_for_byte(void *unused) {
  char byte;
  read(ends[0], &byte, 1);
  return unused;
}
int main(void) {
  pthread_t t[3];
  void *result;
  sem_init(&never, 0, 0);
  pipe(ends);
  pthread_create(&t[0], 0, wait_for_post, 0);
  pthread_create(&t[1], 0, wait_for_thread, &t[0]);
  pthread_create(&t[2], 0, wait_for_byte, 0);
  for (int i = 2; i >= 0; i--) {
    pthread_cancel(t[i]);
    pthread_join(t[i], &result);
    assert(result == PTHREAD_CANCELED);
  }
  return 0;
}

#elif CASE == 12
// A handler of a signal that leaves by siglongjmp.
static sigjmp_buf back;
static void handle(int number) { siglongjmp(back, number); }
int main(void) {
  signal(SIGUSR1, handle);
  int number = sigsetjmp(back, 1);
  if (number == 0) {
    raise(SIGUSR1);
    assert(0);
  }
  assert(number == SIGUSR1);
  return 0;
}

#elif CASE == 13
// A signal from one thread to another.
static volatile sig_atomic_t stop;
static void handle(int number) { stop = number; }
static void *work(void *unused) {
  while (!stop) pause();
  assert(stop != SIGUSR1);
  return unused;
}
int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
#endif
