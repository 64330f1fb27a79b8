// What C programs are made of: lists through their members, names for functions, texts for threads, sockets, readiness.
// case 1: safe --property faults
// case 2: unsafe --property faults
// case 3: safe
// case 4: unsafe
// case 5: safe
// case 6: safe --property deadlock
// case 7: unsafe --property deadlock
// case 8: safe
// case 9: unsafe
// case 10: safe
// case 11: safe
// case 12: safe
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <emmintrin.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#if CASE == 1 || CASE == 2
// The head of a list is no element, but container_of makes one of it, in front of where it lies.
struct list {
  struct list *next, *prev;
};
struct job {
  int number;
  struct list link;
};
#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
#define for_each_safe(job, after, head)                                                                \
  for (job = container_of((head)->next, struct job, link), after = container_of(job->link.next, struct job, link); \
       &job->link != (head); job = after, after = container_of(after->link.next, struct job, link))
static struct list jobs = {&jobs, &jobs};
static void add(int number) {
  struct job *job = malloc(sizeof *job);
  job->number = number;
  job->link.prev = jobs.prev;
  job->link.next = &jobs;
  jobs.prev->next = &job->link;
  jobs.prev = &job->link;
}
int main(void) {
  struct job *job, *after;
  int sum = 0;
  add(1);
  add(2);
  for_each_safe(job, after, &jobs) {
    sum += job->number;
    free(job);
#if CASE == 2
    sum += job->number;
#endif
  }
  assert(sum == 3 && container_of(&jobs, struct job, link)->link.prev == jobs.prev);
  return 0;
}

#elif CASE == 3 || CASE == 4
// Texts for threads, and what is stored for them.
static pthread_key_t key;
static int lengths;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *measure(void *text) {
  pthread_setspecific(key, "own");
  pthread_mutex_lock(&lock);
  lengths += (int)strlen(text) + (int)strlen(pthread_getspecific(key));
  pthread_mutex_unlock(&lock);
  return "done";
}
int main(void) {
  pthread_t t[2];
  void *end;
  pthread_key_create(&key, 0);
  pthread_create(&t[0], 0, measure, "one");
  pthread_create(&t[1], 0, measure, (void *)"three");
  pthread_join(t[0], &end);
  pthread_join(t[1], 0);
  assert(strcmp(end, "done") == 0 && lengths == (CASE == 3 ? 14 : 13));
  return 0;
}

#elif CASE == 5
// Sockets with the types that _GNU_SOURCE brings.
int main(void) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(80)}, peer;
  socklen_t size = sizeof peer;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  assert(listener >= 0 && here.sin_port == 0x5000);
  if (bind(listener, (struct sockaddr *)&here, sizeof here) < 0 || listen(listener, 1) < 0) return 1;
#ifdef NEVER
  int connection = accept(listener, (struct sockaddr *)&peer, &size);
  if (connection >= 0) close(connection);
#endif
  assert(close(listener) == 0 && close(listener) == -1 && errno == EBADF);
  return 0;
}

#elif CASE == 6 || CASE == 7
// epoll over a pipe: what is written wakes who waits.
static int ends[2], watcher;
static void *serve(void *unused) {
  struct epoll_event found[2];
  char byte = 0;
  assert(epoll_wait(watcher, found, 2, -1) == 1);
  assert(found[0].data.fd == ends[0] && (found[0].events & EPOLLIN));
  assert(read(found[0].data.fd, &byte, 1) == 1 && byte == 'x');
  return unused;
}
int main(void) {
  pthread_t t;
  pipe(ends);
  watcher = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN, .data.fd = ends[0]};
  assert(epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  assert(epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &wanted) == -1 && errno == EEXIST);
  assert(epoll_wait(watcher, &wanted, 1, 0) == 0);
  pthread_create(&t, 0, serve, 0);
#if CASE == 6
  write(ends[1], "x", 1);
#endif
  pthread_join(t, 0);
  return 0;
}

#elif CASE == 8 || CASE == 9
// select over two pipes.
static int first[2], second[2];
static void *serve(void *unused) {
  fd_set set;
  char byte = 0;
  FD_ZERO(&set);
  FD_SET(first[0], &set);
  FD_SET(second[0], &set);
  assert(select(second[0] + 1, &set, 0, 0, 0) == 1);
  assert(!FD_ISSET(first[0], &set) && FD_ISSET(second[0], &set));
  assert(read(second[0], &byte, 1) == 1 && byte == (CASE == 8 ? 'y' : 'z'));
  return unused;
}
int main(void) {
  pthread_t t;
  pipe(first);
  pipe(second);
  pthread_create(&t, 0, serve, 0);
  write(second[1], "y", 1);
  pthread_join(t, 0);
  return 0;
}

#elif CASE == 10
// Other names for functions.
static int twice(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));
__attribute__((weak)) int spare(int x) { return x + 1; }
int main(void) {
  int (*function)(int) = doubled;
  assert(doubled(3) == 6 && function(4) == 8 && spare(1) == 2);
  return 0;
}

#elif CASE == 11
// Vectors that are declared and not used.
typedef float four __attribute__((vector_size(16)));
struct body {
  int mass;
  four place;
};
static __m128i unused_sum(__m128i a, __m128i b) { return _mm_add_epi32(a, b); }
int main(void) {
  struct body b;
  b.mass = 3;
  _mm_pause();
  assert(b.mass == 3 && sizeof(struct body) == 32);
  return 0;
}

#elif CASE == 12
// Other names for the same questions.
int main(void) {
  int ends[2], watcher = epoll_create(1);
  struct timespec none = {0, 0};
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = 7}, found;
  pipe(ends);
  struct pollfd request = {.fd = ends[0], .events = POLLIN};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  assert(ppoll(&request, 1, &none, 0) == 0 && pselect(ends[0] + 1, &set, 0, 0, &none, 0) == 0 && !FD_ISSET(ends[0], &set));
  write(ends[1], "x", 1);
  assert(ppoll(&request, 1, 0, 0) == 1 && request.revents == POLLIN);
  assert(epoll_ctl(watcher, EPOLL_CTL_ADD, ends[0], &event) == 0);
  assert(epoll_pwait(watcher, &found, 1, -1, 0) == 1 && found.data.u64 == 7 && epoll_wait(watcher, &found, 1, 0) == 0);
  assert(epoll_ctl(watcher, EPOLL_CTL_MOD, ends[0], &event) == 0 && epoll_wait(watcher, &found, 1, 0) == 1);
  assert(epoll_ctl(watcher, EPOLL_CTL_DEL, ends[0], 0) == 0 && epoll_ctl(watcher, EPOLL_CTL_DEL, ends[0], 0) == -1);
  return 0;
}
#endif
