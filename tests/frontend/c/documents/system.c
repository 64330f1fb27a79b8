// What docs/c.md says of sizes, descriptors, files, signals, futexes and bounds that raise themselves, and the functions of
// docs/c-library.md that no other test calls.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
volatile sig_atomic_t came;
void handler(int number) { came = number; }

// case STRUCT_IN_ONE_STEP: safe
// case STRUCT_COMPARED: safe
#if defined(STRUCT_IN_ONE_STEP) || defined(STRUCT_COMPARED)
struct pair { int a, b; };
_Atomic struct pair s;
void *w(void *arg) {
#ifdef STRUCT_COMPARED
  struct pair old = {0, 0}, new = {1, 1};
  atomic_compare_exchange_strong(&s, &old, new);
#else
  s = (struct pair){1, 1};
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  struct pair r = s;
  assert(r.a == r.b);
  pthread_join(t, 0);
  r = s;
  assert(r.a == 1 && r.b == 1);
  return 0;
}
#endif
// case ANOTHER_SIZE: safe
// case ANOTHER_SIZE --property faults: safe
#ifdef ANOTHER_SIZE
int main(void) {
  int *p = malloc(8);
  p[0] = 3, p[1] = 4;
  p = reallocarray(p, 3, sizeof *p);
  assert(p[0] == 3 && p[1] == 4);
  p = realloc(p, 4);
  assert(p[0] == 3);
  free(p);
  return 0;
}
#endif
// case ANOTHER_SIZE_ZERO --no-reuse: safe, what realloc adds to an object is 0
#ifdef ANOTHER_SIZE_ZERO
int main(void) {
  int *p = calloc(1, 4);
  p = realloc(p, 8);
  assert(p[1] == 0);
  free(p);
  return 0;
}
#endif
// case ANOTHER_SIZE_OVER --property faults: unsafe
#ifdef ANOTHER_SIZE_OVER
int main(void) {
  int *p = calloc(2, 4);
  p = realloc(p, 4);
  p[1] = 1;
  free(p);
  return 0;
}
#endif
// case SIXTEEN_OBJECTS --heap-pool 32: unknown, more than 16 allocated objects
#ifdef SIXTEEN_OBJECTS
int main(void) {
  char *p[17];
  for (int i = 0; i < 17; i++) p[i] = malloc(1);
  p[0] = realloc(p[0], 2);
  assert(p[0] != 0);
  return 0;
}
#endif
// case PIPES: safe
// case PIPES_OVER: unknown, more than 4 pipes
// case PIPE_LARGE: unknown, more than 32 bytes
#if defined(PIPES) || defined(PIPES_OVER) || defined(PIPE_LARGE)
int main(void) {
  int ends[5][2];
  char bytes[40] = {7}, back;
  for (int i = 0; i < 4; i++) assert(pipe2(ends[i], O_NONBLOCK) == 0);
  assert(read(ends[3][0], &back, 1) == -1 && errno == EAGAIN);
  assert(write(ends[3][1], bytes, 3) == 3 && read(ends[3][0], &back, 1) == 1 && back == 7);
#ifdef PIPES_OVER
  assert(pipe(ends[4]) == 0);
#elif defined(PIPE_LARGE)
  write(ends[0][1], bytes, 40);
#endif
  return 0;
}
#endif
// case COUNTER: safe
#ifdef COUNTER
int main(void) {
  unsigned long n = 3;
  int counter = eventfd(2, 0);
  assert(write(counter, &n, 8) == 8 && read(counter, &n, 8) == 8 && n == 5);
  return 0;
}
#endif
// case OUTSIDE: safe
// case OUTSIDE_ANY: unsafe
// case OUTSIDE_LESS: unsafe
// case OUTSIDE_ERROR: unsafe
#if defined(OUTSIDE) || defined(OUTSIDE_ANY) || defined(OUTSIDE_LESS) || defined(OUTSIDE_ERROR)
int main(void) {
  char bytes[2] = {1, 1};
  int file = open("/any/name", O_RDWR);
  if (file < 0) return 0;
  long n = read(file, bytes, 2);
#ifdef OUTSIDE
  assert(n >= -1 && n <= 2);
#elif defined(OUTSIDE_ANY)
  assert(n < 1 || bytes[0] == 1);
#elif defined(OUTSIDE_LESS)
  assert(n == 2 || n <= 0);
#else
  assert(n >= 0);
#endif
  return 0;
}
#endif
// case OUTSIDE_MANY: safe, none, one, all, or all but one
#ifdef OUTSIDE_MANY
int main(void) {
  char bytes[9];
  long n = read(0, bytes, 9);
  assert(n <= 9);
  return 0;
}
#endif
// case DISAPPEARS: unsafe
#ifdef DISAPPEARS
int main(void) {
  char byte = 7;
  int file = open("/any/name", O_RDWR);
  if (write(file, &byte, 1) == 1 && read(file, &byte, 1) == 1) assert(byte == 7);
  return 0;
}
#endif
// case SOCKETS: safe
// case SOCKETS_FAIL: unsafe
#if defined(SOCKETS) || defined(SOCKETS_FAIL)
int main(void) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(80)};
  int on = 1, s = socket(AF_INET, SOCK_STREAM, 0), c;
  char byte;
  assert(s >= 0);
  if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return 0;
  int bound = bind(s, (struct sockaddr *)&here, sizeof here);
#ifdef SOCKETS_FAIL
  assert(bound == 0);
#endif
  if (bound != 0 || listen(s, 1) != 0) return 0;
  if (connect(s, (struct sockaddr *)&here, sizeof here) != 0) return 0;
  c = on ? accept(s, 0, 0) : accept4(s, 0, 0, 0);
  if (c < 0) return 0;
  assert(recv(c, &byte, 1, 0) <= 1);
  if (shutdown(c, SHUT_RDWR) != 0) return 0;
  assert(close(c) == 0 && send(c, "x", 1, 0) == -1);
  return 0;
}
#endif
// case ADDRESS_READ --property faults: unsafe
#ifdef ADDRESS_READ
int main(void) { int s = socket(AF_INET, SOCK_STREAM, 0); bind(s, 0, sizeof(struct sockaddr_in)); return 0; }
#endif
// case FILES: safe
#ifdef FILES
int main(void) {
  char byte = 1;
  FILE *f = fopen("name", "r");
  if (!f) f = fdopen(1, "w");
  if (!f) return 0;
  int c = getc(f);
  assert(c >= -1 && c <= 255 && (c != EOF || feof(f) || ferror(f)));
  if (c >= 0) assert(ungetc(c, f) == c);
  rewind(f);
  assert(fseek(f, 0, SEEK_SET) <= 0 && ftell(f) >= -1 && !feof(f) && fwrite(&byte, 1, 1, f) <= 1);
  fclose(f);
  assert(remove("name") <= 0 && unlink("name") <= 0);
  return 0;
}
#endif
// case FILE_CLOSED --property faults: unsafe, a file that is closed is used
#ifdef FILE_CLOSED
int main(void) {
  FILE *f = fopen("name", "r");
  if (!f) return 0;
  fclose(f);
  getc(f);
  return 0;
}
#endif
// case FUTEX: safe
// case FUTEX --property deadlock: safe
// case FUTEX_LOST --property deadlock: unsafe
#if defined(FUTEX) || defined(FUTEX_LOST)
atomic_int word;
void *w(void *arg) {
  word = 1;
#ifdef FUTEX
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  assert(word == 1);
  pthread_join(t, 0);
  return 0;
}
#endif
// case RAISED: safe
#ifdef RAISED
int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  assert(came == SIGUSR1);
  came = 0;
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  kill(getpid(), SIGUSR1);
  sigpending(&pending);
  assert(came == 0 && sigismember(&pending, SIGUSR1));
  sigprocmask(SIG_UNBLOCK, &set, 0);
  assert(came == SIGUSR1);
  return 0;
}
#endif
// case RAISED_IN_THREAD: safe
#ifdef RAISED_IN_THREAD
pthread_t in;
void note(int number) { in = pthread_self(); }
void *w(void *arg) {
  raise(SIGUSR1);
  assert(pthread_equal(in, pthread_self()));
  return arg;
}
int main(void) {
  pthread_t t;
  signal(SIGUSR1, note);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0;
}
#endif
// case FROM_OUTSIDE: unsafe
// case FROM_OUTSIDE_NOWHERE: safe, signals from outside come where a thread sleeps
#if defined(FROM_OUTSIDE) || defined(FROM_OUTSIDE_NOWHERE)
int main(void) {
  signal(SIGUSR1, handler);
#ifdef FROM_OUTSIDE
  sleep(1);
#endif
  assert(came == 0);
  return 0;
}
#endif
// case FIVE_SIGNALS: unknown, more than 4 signals
#ifdef FIVE_SIGNALS
int main(void) {
  signal(1, handler), signal(2, handler), signal(3, handler), signal(10, handler), signal(12, handler);
  assert(came == 0);
  return 0;
}
#endif
// case WAITED_FOR: safe
#ifdef WAITED_FOR
int main(void) {
  sigset_t set, none;
  sigemptyset(&set);
  sigemptyset(&none);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  assert(sigwaitinfo(&set, 0) == SIGUSR1);
  struct timespec limit = {1, 0};
  int n = sigtimedwait(&set, 0, &limit);
  assert(n == SIGUSR1 || (n == -1 && errno == EAGAIN));
  signal(SIGUSR1, handler);
  assert(sigsuspend(&none) == -1 && errno == EINTR && came == SIGUSR1);
  return 0;
}
#endif
// case MEMORY: safe
#ifdef MEMORY
int main(void) {
  char *p = mmap(0, 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(p[15] == 0 && mprotect(p, 16, PROT_READ) == 0 && madvise(p, 16, MADV_NORMAL) == 0);
  char *q = sbrk(8);
  q[7] = 5;
  assert((char *)sbrk(0) == q + 8 && q[7] == 5 && prctl(PR_SET_NAME, "name") == 0);
  assert(munmap(p, 16) == 0);
  return 0;
}
#endif
// case UNMAPPED --property faults: unsafe
#ifdef UNMAPPED
int main(void) {
  char *p = mmap(0, 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p, 16);
  p[0] = 1;
  return 0;
}
#endif
// case DATES: safe
#ifdef DATES
int main(void) {
  time_t now = time(0);
  struct tm date, *other;
  setlocale(LC_ALL, "C");
  assert(gmtime_r(&now, &date) == &date && date.tm_mon >= 0 && date.tm_mon < 12);
  other = localtime(&now);
  assert(other->tm_hour < 24);
  other = gmtime(&now);
  assert(other->tm_sec <= 60 && asctime(other)[25] == 0 && ctime(&now) != 0);
  mktime(&date);
  double passed = difftime(now, 0);
  (void)passed;
  return 0;
}
#endif

// case OBJECTS_RAISED: safe, raised:
// case OBJECTS_RAISED --heap-pool 4: unknown, objects allocated here
#ifdef OBJECTS_RAISED
struct node { struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 6; i++) {
    struct node *one = malloc(sizeof *one);
    one->next = head;
    head = one;
  }
  assert(head != NULL);
  return 0;
}
#endif
// case ELEMENTS_RAISED: safe, raised:
// case ELEMENTS_RAISED --heap-array 8: unknown
#ifdef ELEMENTS_RAISED
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 12) return 0;
  char *p = malloc(n);
  p[n - 1] = 1;
  assert(p[n - 1] == 1);
  return 0;
}
#endif
// case CALLS_RAISED: safe, raised:
// case CALLS_RAISED --recursion 8: unknown
#ifdef CALLS_RAISED
int count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }
int main(void) { assert(count(11) == 11); return 0; }
#endif
// case RAISED_UNTIL_FOUND: unsafe
#ifdef RAISED_UNTIL_FOUND
int count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }
int main(void) { assert(count(11) == 10); return 0; }
#endif

// case SEMAPHORE_OF_A_NAME: safe
#ifdef SEMAPHORE_OF_A_NAME
#include <semaphore.h>
int main(void) {
  int value;
  sem_unlink("/a");
  assert(sem_open("/a", 0) == SEM_FAILED && errno == ENOENT);
  sem_t *a = sem_open("/a", O_CREAT, 0600, 2), *b = sem_open("/a", O_CREAT, 0600, 5);
  assert(a != SEM_FAILED && a == b && sem_getvalue(b, &value) == 0 && value == 2);
  assert(sem_open("/a", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  assert(sem_unlink("/a") == 0 && sem_unlink("/a") == -1);
  b = sem_open("/a", O_CREAT | O_EXCL, 0600, 1);
  assert(a != b && sem_getvalue(b, &value) == 0 && value == 1 && sem_close(b) == 0);
  assert(sem_unlink("/a") == 0);
  return 0;
}
#endif

// case ECHOED: safe
// case ECHOED_SHORT: unsafe
// case ECHOED_NOTHING: unsafe
// case ECHO_FAILS: unsafe
#if defined(ECHOED) || defined(ECHOED_SHORT) || defined(ECHOED_NOTHING) || defined(ECHO_FAILS)
// What is written is as long as what was read, which is known at run time only.
int main(void) {
  char bytes[4];
  long got, sent;
  do got = read(0, bytes, sizeof bytes);
  while (got < 0 && errno == EINTR);
  assert(got >= -1 && got <= 4);
  if (got <= 0) return 0;
  sent = write(1, bytes, got);
  assert(sent == -1 || (sent >= 1 && sent <= got));
#if defined(ECHOED_SHORT)
  assert(sent != 2 || got != 3);
#elif defined(ECHOED_NOTHING)
  assert(sent != -1);
#elif defined(ECHO_FAILS)
  assert(sent != -1 || errno != EAGAIN);
#endif
  return 0;
}
#endif
// case READ_SOME: safe
// case READ_LESS: unsafe
// case READ_MANY: unsafe
#if defined(READ_SOME) || defined(READ_LESS) || defined(READ_MANY)
int main(int argc, char **argv) {
  (void)argv;
  static char bytes[16];
  const unsigned long wanted = argc < 4 ? 2 : 16;
  const unsigned long got = fread(bytes, 1, wanted, stdin);
  assert(got <= wanted);
#ifdef READ_LESS
  assert(got != 1 || wanted != 2);
#elif defined(READ_MANY)
  assert(got != 15);
#endif
  return 0;
}
#endif
// case OWN_NUMBERS: safe
// case OWN_NUMBER_FOUND: unsafe
#if defined(OWN_NUMBERS) || defined(OWN_NUMBER_FOUND)
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
// Of any numbers that threads keep for themselves those matter that comparisons tell apart.
static _Thread_local int last;
static int found;
static void *look(void *unused) {
  assert(last == 0);
  last = __VERIFIER_nondet_int();
  if (last == 77) __atomic_fetch_add(&found, 1, __ATOMIC_SEQ_CST);
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, look, 0);
  pthread_create(&other, 0, look, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
#ifdef OWN_NUMBERS
  assert(found <= 2 && last == 0);
#else
  assert(found != 2);
#endif
  return 0;
}
#endif
