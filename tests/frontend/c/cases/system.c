// What programs ask of the system: pipes and other descriptors, files, signals, futexes, sizes of what was allocated.
// case 1: safe
// case 2: unsafe
// case 3: safe --property deadlock
// case 4: unsafe --property deadlock
// case 5: safe
// case 6: unsafe
// case 7: safe
// case 8: unsafe
// case 9: safe --property deadlock
// case 10: unsafe --property deadlock
// case 11: safe
// case 12: unsafe
// case 13: safe
// case 14: unsafe --property faults
// case 15: safe
// case 16: safe --args "-v -n 12 file"
// case 17: safe
// case 18: unsafe
// case 19: safe
// case 20: unsafe --property faults
// case 21: safe
// case 22: unsafe --property deadlock
// case 23: unsafe --property faults
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if CASE == 1 || CASE == 2
// A pipe hands on bytes in order; the end comes when the last writer has closed.
int main(void) {
  int ends[2], copy;
  char text[8];
  assert(pipe(ends) == 0);
  assert(write(ends[1], "abc", 3) == 3 && write(ends[1], "de", 2) == 2);
  assert(read(ends[0], text, 2) == 2 && text[0] == 'a' && text[1] == 'b');
  assert(read(ends[0], text, 8) == 3 && text[0] == 'c' && text[2] == (CASE == 1 ? 'e' : 'd'));
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  assert(read(ends[0], text, 1) == -1 && errno == EAGAIN);
  copy = dup(ends[1]);
  assert(copy >= 0 && close(ends[1]) == 0);
  assert(read(ends[0], text, 1) == -1 && errno == EAGAIN);
  assert(close(copy) == 0 && read(ends[0], text, 1) == 0);
  assert(read(ends[1], text, 1) == -1 && errno == EBADF);
  assert(close(ends[1]) == -1 && errno == EBADF);
  return 0;
}

#elif CASE == 3 || CASE == 4 || CASE == 22
static int ends[2];
static void *source(void *arg) {
  char byte = 7;
  write(ends[1], &byte, 1);
  if (CASE != 4) close(ends[1]);
  return arg;
}
int main(void) {
  pthread_t t;
  char byte;
  int sum = 0;
  pipe(ends);
  pthread_create(&t, 0, source, 0);
#if CASE == 22
  struct pollfd request = {.fd = ends[0], .events = POLLIN};
  pthread_join(t, 0);
  read(ends[0], &byte, 1);
  close(ends[0]);
  int again[2];
  pipe(again);
  request.fd = again[0];
  poll(&request, 1, -1);
#endif
  while (read(ends[0], &byte, 1) == 1) sum += byte;
  pthread_join(t, 0);
  return sum == 7 ? 0 : 1;
}

#elif CASE == 5 || CASE == 6
// What comes from outside is not more than was asked for, and may be less.
int main(void) {
  char text[5];
  int file = open("/dev/zero", O_RDONLY);
  if (file < 0) return 0;
  ssize_t n = read(file, text, sizeof text - 1);
  if (n >= 0) text[n] = 0;
  assert(n <= 4 && n >= -1);
  if (CASE == 6) assert(n != 4);
  close(file);
  assert(read(file, text, 1) == -1 && errno == EBADF);
  return 0;
}

#elif CASE == 7 || CASE == 8
static volatile sig_atomic_t came, last;
static void handler(int number) {
  came++;
  last = number;
}
int main(void) {
  struct sigaction action, old;
  sigset_t set, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  assert(sigaction(SIGUSR1, &action, 0) == 0);
  assert(raise(SIGUSR1) == 0 && came == 1 && last == SIGUSR1);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(sigismember(&set, SIGUSR1) == 1 && sigismember(&set, SIGUSR2) == 0);
  assert(sigprocmask(SIG_BLOCK, &set, &before) == 0 && sigismember(&before, SIGUSR1) == 0);
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(came == 1 && sigpending(&set) == 0 && sigismember(&set, SIGUSR1));
  assert(sigprocmask(SIG_SETMASK, &before, 0) == 0 && came == 2);
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == handler);
  assert(signal(SIGUSR1, SIG_IGN) == handler && raise(SIGUSR1) == 0 && came == 2);
  assert(signal(SIGUSR2, handler) == SIG_DFL && kill(getpid(), SIGUSR2) == 0 && came == 3);
  assert(signal(SIGUSR2, SIG_DFL) == handler && raise(SIGCHLD) == 0);
  assert(raise(1000) == -1 && errno == EINVAL);
  if (CASE == 8) assert(last != SIGUSR2);
  return 0;
}

#elif CASE == 9 || CASE == 10
// A handler that wants a lock which the thread that it interrupts holds.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int events;
static void handler(int number) {
  if (CASE == 10) pthread_mutex_lock(&lock);
  events++;
  if (CASE == 10) pthread_mutex_unlock(&lock);
}
int main(void) {
  signal(SIGINT, handler);
  pthread_mutex_lock(&lock);
  usleep(10);
  pthread_mutex_unlock(&lock);
  return 0;
}

#elif CASE == 11 || CASE == 12
// A mutex of a futex with three states.
static _Atomic uint32_t word;
static int counter;
static void lock(void) {
  uint32_t c = 0;
  if (atomic_compare_exchange_strong(&word, &c, 1)) return;
  if (c != 2) c = atomic_exchange(&word, 2);
  while (c != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    c = atomic_exchange(&word, 2);
  }
}
static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) != 1) {
    atomic_store(&word, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  }
}
static void *worker(void *arg) {
  lock();
  counter++;
  unlock();
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == (CASE == 11 ? 2 : 1));
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, 0, 0, 0) == -1 && errno == EAGAIN);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 5, 0, 0, 0) == 0);
  return 0;
}

#elif CASE == 13 || CASE == 14 || CASE == 23
// Objects that change their size keep what fits.
int main(void) {
  int *numbers = malloc(2 * sizeof *numbers);
  numbers[0] = 4;
  numbers[1] = 5;
  int *more = realloc(numbers, 3 * sizeof *more);
  more[2] = 6;
  assert(more[0] == 4 && more[1] == 5 && more[2] == 6);
  char *text = realloc(0, 4);
  strcpy(text, "abc");
  text = realloc(text, 2);
  assert(text[0] == 'a' && text[1] == 'b');
#if CASE == 14
  assert(numbers[0] == 4);
#elif CASE == 23
  more = realloc(numbers, 8);
#endif
  free(more);
  free(text);
  return 0;
}

#elif CASE == 15
static int by_number(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
struct word { char letter; short rank; };
static int by_rank(const void *left, const void *right) {
  return ((const struct word *)left)->rank - ((const struct word *)right)->rank;
}
int main(void) {
  int numbers[] = {3, 1, 2, 1};
  struct word words[] = {{'a', 2}, {'b', 1}, {'c', 2}};
  qsort(numbers, 4, sizeof *numbers, by_number);
  assert(numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 3);
  qsort(words, 3, sizeof *words, by_rank);
  assert(words[0].letter == 'b' && words[1].letter == 'a' && words[2].letter == 'c');
  return 0;
}

#elif CASE == 16
int main(int argc, char **argv) {
  int letter, verbose = 0, number = 0;
  while ((letter = getopt(argc, argv, "vn:")) != -1) {
    switch (letter) {
    case 'v': verbose = 1; break;
    case 'n': number = atoi(optarg); break;
    default: assert(0);
    }
  }
  assert(verbose == 1 && number == 12 && optind == argc - 1 && strcmp(argv[optind], "file") == 0);
  return 0;
}

#elif CASE == 17 || CASE == 18
// A file gives characters until it ends.
int main(void) {
  FILE *file = fopen("/dev/null", "r");
  if (file == NULL) return 0;
  int c = fgetc(file);
  assert(c >= -1 && c < 256);
  if (c == EOF) assert(feof(file) || ferror(file));
  if (CASE == 18) assert(c != EOF);
  char line[4];
  if (fgets(line, sizeof line, file) != NULL) assert(strlen(line) < 4);
  assert(fread(line, 1, 3, file) <= 3);
  fclose(file);
  return 0;
}

#elif CASE == 19
// A descriptor that counts.
int main(void) {
  uint64_t value = 3;
  int counter = eventfd(0, EFD_NONBLOCK);
  struct pollfd request = {.fd = counter, .events = POLLIN};
  assert(counter >= 0 && read(counter, &value, 8) == -1 && errno == EAGAIN);
  assert(poll(&request, 1, 0) == 0 && request.revents == 0);
  assert(write(counter, &value, 8) == 8 && write(counter, &value, 8) == 8);
  assert(poll(&request, 1, -1) == 1 && request.revents == POLLIN);
  value = 0;
  assert(read(counter, &value, 8) == 8 && value == 6);
  assert(read(counter, &value, 4) == -1 && errno == EINVAL);
  close(counter);
  return 0;
}

#elif CASE == 20
int main(void) {
  FILE *file = fopen("/dev/null", "r");
  if (file == NULL) return 0;
  fclose(file);
  fgetc(file);
  return 0;
}

#elif CASE == 21
int main(void) {
  struct tm date, *same;
  time_t now = time(NULL);
  char text[32];
  same = localtime_r(&now, &date);
  assert(same == &date && date.tm_mon >= 0 && date.tm_mon < 12 && date.tm_mday >= 1 && date.tm_mday <= 31);
  size_t n = strftime(text, sizeof text, "%H:%M", &date);
  assert(n < sizeof text);
  return 0;
}
#endif
