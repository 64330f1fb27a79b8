// Which descriptors are ready: poll, select and epoll.  Pipes and eventfds are as they are; whatever is of the outside may be
// ready or not, for anything.  A limit is over at any time.  Who waits without one waits until something is ready.
#include "cohort_intrinsics.h"
#include "types.h"

struct pollfd {
  int fd;
  short events;
  short revents;
};
enum { COHORT_POLLIN = 1, COHORT_POLLOUT = 4, COHORT_POLLERR = 8, COHORT_POLLHUP = 16, COHORT_POLLNVAL = 32 };
// In an atomic section.
static short cohort_events_of(int descriptor, short wanted) {
  if (descriptor < 0) return 0;
  if (!cohort_is_open(descriptor)) return COHORT_POLLNVAL;
  const int kind = cohort_descriptor[descriptor];
  const int pipe = cohort_pipe_of[descriptor];
  if (kind == COHORT_READ_END) {
    return (short)((cohort_pipes[pipe].count > 0 ? wanted & COHORT_POLLIN : 0) |
                   (cohort_pipes[pipe].writers == 0 ? COHORT_POLLHUP : 0));
  }
  if (kind == COHORT_WRITE_END) {
    return (short)((wanted & COHORT_POLLOUT) | (cohort_pipes[pipe].readers == 0 ? COHORT_POLLERR : 0));
  }
  if (kind == COHORT_COUNTER) {
    return (short)((cohort_counter_of[descriptor] != 0 ? wanted & COHORT_POLLIN : 0) | (wanted & COHORT_POLLOUT));
  }
  short events = wanted;
  if (__cohort_nondet_bool()) events = (short)(events & ~COHORT_POLLIN);
  if (__cohort_nondet_bool()) events = (short)(events & ~COHORT_POLLOUT);
  return __cohort_nondet_bool() ? COHORT_POLLHUP : events;
}
static void cohort_plain_store_events(struct pollfd *to, short events) { to->revents = events; }
// Not what was found the last time, which need not have been written.
static int cohort_plain_polled(const struct pollfd *from) { return from->fd; }
static short cohort_plain_asked(const struct pollfd *from) { return from->events; }

// Could the descriptor be ready?  An expression, since the condition of a wait cannot call anything.
enum { COHORT_WATCHED = 4 };
#define COHORT_SLOT(d) ((d) & (COHORT_DESCRIPTORS - 1))
#define COHORT_READY(d, writes)                                                                                             \
  (((d) >= COHORT_DESCRIPTORS) |                                                                                            \
   (((d) >= 0) &                                                                                                            \
    ((writes) | (cohort_descriptor[COHORT_SLOT(d)] <= COHORT_OUTSIDE) | (cohort_descriptor[COHORT_SLOT(d)] == COHORT_WRITE_END) | \
     ((cohort_descriptor[COHORT_SLOT(d)] == COHORT_READ_END) &                                                              \
      ((cohort_pipes[cohort_pipe_of[COHORT_SLOT(d)]].count > 0) | (cohort_pipes[cohort_pipe_of[COHORT_SLOT(d)]].writers == 0))) | \
     ((cohort_descriptor[COHORT_SLOT(d)] == COHORT_COUNTER) & (cohort_counter_of[COHORT_SLOT(d)] != 0)))))

int poll(struct pollfd *requests, unsigned long count, int limit) {
  int ready = 0;
  COHORT_NAME_MYSELF;
  if (cohort_interrupt()) return (int)cohort_error_result(COHORT_EINTR_);
  if (limit >= 0) {
    __cohort_atomic_begin();
  } else {
    if (count > COHORT_WATCHED) __cohort_unsupported("poll of more than 4 descriptors without a limit");
    int one = -1, two = -1, three = -1, four = -1, writes = 0;
    for (unsigned long i = 0; i < count; i++) {
      const int descriptor = cohort_plain_polled(&requests[i]);
      if (descriptor >= 0) writes = writes | ((cohort_plain_asked(&requests[i]) & COHORT_POLLOUT) != 0);
      if (i == 0) one = descriptor;
      if (i == 1) two = descriptor;
      if (i == 2) three = descriptor;
      if (i == 3) four = descriptor;
    }
    __cohort_atomic_begin_when(COHORT_READY(one, writes) | COHORT_READY(two, 0) | COHORT_READY(three, 0) |
                               COHORT_READY(four, 0) | writes COHORT_OR_MUST_END);
  }
  for (unsigned long i = 0; i < count; i++) {
    const short events = cohort_events_of(cohort_plain_polled(&requests[i]), cohort_plain_asked(&requests[i]));
    cohort_plain_store_events(&requests[i], events);
    ready += events != 0;
  }
  __cohort_atomic_end();
  cohort_cancellation_point();
  if (limit < 0) __cohort_assume(ready > 0);
  return ready;
}
int ppoll(struct pollfd *requests, unsigned long count, const struct timespec *limit, const void *mask) {
  if (mask != COHORT_NULL) __cohort_unsupported("ppoll with a mask of signals");
  return poll(requests, count, limit == COHORT_NULL ? -1 : 0);
}

static unsigned long cohort_plain_set(const unsigned long *set) { return *set; }
static void cohort_plain_store_set(unsigned long *set, unsigned long value) { *set = value; }
// Descriptors are below 16, so the first word of a set has them all.
int select(int end, unsigned long *reads, unsigned long *writes, unsigned long *others, const void *limit) {
  struct pollfd requests[COHORT_WATCHED];
  unsigned long count = 0, in = 0, out = 0;
  int result = 0;
#if COHORT_READS
  if (limit != COHORT_NULL) cohort_plain_limit(limit);
#endif
  const unsigned long wants_in = reads != COHORT_NULL ? cohort_plain_set(reads) : 0;
  const unsigned long wants_out = writes != COHORT_NULL ? cohort_plain_set(writes) : 0;
  for (int i = 0; i < end && i < COHORT_DESCRIPTORS; i++) {
    const unsigned long bit = 1ul << i;
    if (((wants_in | wants_out) & bit) == 0) continue;
    if (count == COHORT_WATCHED) __cohort_unsupported("select of more than 4 descriptors");
    if (cohort_descriptor[i] == COHORT_CLOSED) return (int)cohort_error_result(COHORT_EBADF);
    requests[count].fd = i;
    requests[count].events = (short)(((wants_in & bit) != 0 ? COHORT_POLLIN : 0) | ((wants_out & bit) != 0 ? COHORT_POLLOUT : 0));
    count++;
  }
  if (poll(requests, count, limit == COHORT_NULL ? -1 : 0) < 0) return -1;
  for (unsigned long i = 0; i < count; i++) {
    const unsigned long bit = 1ul << requests[i].fd;
    // What has hung up or failed does not let anybody wait.
    const int ends = requests[i].revents & (COHORT_POLLHUP | COHORT_POLLERR);
    if ((wants_in & bit) != 0 && ((requests[i].revents & COHORT_POLLIN) | ends) != 0) in |= bit;
    if ((wants_out & bit) != 0 && ((requests[i].revents & COHORT_POLLOUT) | ends) != 0) out |= bit;
    result += ((in & bit) != 0) + ((out & bit) != 0);
  }
  if (reads != COHORT_NULL) cohort_plain_store_set(reads, in);
  if (writes != COHORT_NULL) cohort_plain_store_set(writes, out);
  if (others != COHORT_NULL) cohort_plain_store_set(others, 0);
  return result;
}
int pselect(int end, unsigned long *reads, unsigned long *writes, unsigned long *others, const struct timespec *limit,
            const void *mask) {
  if (mask != COHORT_NULL) __cohort_unsupported("pselect with a mask of signals");
  return select(end, reads, writes, others, limit);
}

// What epoll watches: at most 4 descriptors in all.
struct __attribute__((packed)) cohort_epoll_event {
  unsigned events;
  unsigned long data;
};
static struct {
  int instance;
  int descriptor;
  unsigned events;
  unsigned long data;
} cohort_watched[COHORT_WATCHED];
static int cohort_watched_of[COHORT_WATCHED] = {-1, -1, -1, -1};  // the descriptor, or -1
enum { COHORT_EPOLL_ADD = 1, COHORT_EPOLL_DELETE = 2, COHORT_EPOLL_CHANGE = 3 };
#define COHORT_ONE_SHOT 0x40000000u
#define COHORT_EDGE 0x80000000u
int epoll_create1(int flags) {
  (void)flags;
  __cohort_atomic_begin();
  const int descriptor = cohort_new_descriptor(COHORT_WATCHER);
  __cohort_atomic_end();
  return descriptor;
}
int epoll_create(int size) { return size > 0 ? epoll_create1(0) : (int)cohort_error_result(COHORT_EINVAL); }
static unsigned cohort_plain_wanted(const struct cohort_epoll_event *event) { return event->events; }
static unsigned long cohort_plain_wanted_data(const struct cohort_epoll_event *event) { return event->data; }
int epoll_ctl(int instance, int operation, int descriptor, const struct cohort_epoll_event *event) {
  unsigned events = 0;
  unsigned long data = 0;
  int error = 0, found = -1, free = -1;
  if (!cohort_is_open(instance) || !cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (cohort_descriptor[instance] != COHORT_WATCHER) return (int)cohort_error_result(COHORT_EINVAL);
  if (operation != COHORT_EPOLL_DELETE) {
    events = cohort_plain_wanted(event);
    data = cohort_plain_wanted_data(event);
    if (events & COHORT_EDGE) __cohort_note("epoll reports what is ready again and again, also with EPOLLET");
  }
  __cohort_atomic_begin();
  for (int i = 0; i < COHORT_WATCHED; i++) {
    if (cohort_watched_of[i] == descriptor && cohort_watched[i].instance == instance) found = i;
    if (cohort_watched_of[i] < 0) free = i;
  }
  if (operation == COHORT_EPOLL_ADD) {
    if (found >= 0) error = COHORT_EEXIST;
    found = free;
    if (error == 0 && free < 0) __cohort_unsupported("epoll of more than 4 descriptors");
  } else if (found < 0) {
    error = COHORT_ENOENT;
  }
  if (error == 0) {
    cohort_watched_of[found] = operation == COHORT_EPOLL_DELETE ? -1 : descriptor;
    cohort_watched[found].instance = instance;
    cohort_watched[found].events = events;
    cohort_watched[found].data = data;
  }
  __cohort_atomic_end();
  return error == 0 ? 0 : (int)cohort_error_result(error);
}
// Who closes a descriptor takes it away, too.
void cohort_forget_watched(int descriptor) {
  for (int i = 0; i < COHORT_WATCHED; i++) {
    if (cohort_watched_of[i] == descriptor) cohort_watched_of[i] = -1;
  }
}
static void cohort_plain_report(struct cohort_epoll_event *to, unsigned events, unsigned long data) {
  to->events = events;
  to->data = data;
}
int epoll_wait(int instance, struct cohort_epoll_event *to, int most, int limit) {
  int ready = 0;
  unsigned long data[COHORT_WATCHED];
  unsigned events[COHORT_WATCHED];
  COHORT_NAME_MYSELF;
  if (!cohort_is_open(instance)) return (int)cohort_error_result(COHORT_EBADF);
  if (most <= 0) return (int)cohort_error_result(COHORT_EINVAL);
  if (cohort_interrupt()) return (int)cohort_error_result(COHORT_EINTR_);
  if (limit >= 0) {
    __cohort_atomic_begin();
  } else {
    __cohort_atomic_begin_when(COHORT_READY(cohort_watched_of[0], 0) | COHORT_READY(cohort_watched_of[1], 0) |
                               COHORT_READY(cohort_watched_of[2], 0) | COHORT_READY(cohort_watched_of[3], 0) COHORT_OR_MUST_END);
  }
  for (int i = 0; i < COHORT_WATCHED && ready < most; i++) {
    if (cohort_watched_of[i] < 0 || cohort_watched[i].instance != instance || cohort_watched[i].events == 0) continue;
    const unsigned found = (unsigned short)cohort_events_of(cohort_watched_of[i], (short)(cohort_watched[i].events & 0x7fffu));
    if (found == 0) continue;
    events[ready] = found;
    data[ready] = cohort_watched[i].data;
    if (cohort_watched[i].events & COHORT_ONE_SHOT) cohort_watched[i].events = 0;
    ready++;
  }
  __cohort_atomic_end();
  cohort_cancellation_point();
  if (limit < 0) __cohort_assume(ready > 0);
  for (int i = 0; i < ready; i++) cohort_plain_report(&to[i], events[i], data[i]);
  return ready;
}
int epoll_pwait(int instance, struct cohort_epoll_event *to, int most, int limit, const void *mask) {
  if (mask != COHORT_NULL) __cohort_unsupported("epoll_pwait with a mask of signals");
  return epoll_wait(instance, to, most, limit);
}
// Where a descriptor stands in a set, as FD_SET asks for it where it is checked.
long __fdelt_chk(long descriptor) {
  if (descriptor < 0) __cohort_violation("fault", "a negative descriptor in a set");
  if (descriptor >= 1024) __cohort_violation("fault", "a descriptor in a set that is too small for it");
  return descriptor / 64;
}
