// Descriptors: pipes with what is in them, and everything else as input and output that nobody knows.
//
// A descriptor is closed, one end of a pipe, or something of the outside (a file, a socket, a device).  A pipe is exact up to
// a few bytes: who reads waits for bytes or for the last writer to close, who writes after the last reader has closed gets
// EPIPE.  From the outside come any bytes, any number of them up to what was asked for, the end, or an error; what goes
// there disappears.  Signals that such errors send are not sent.
#include "cohort_intrinsics.h"
#include "types.h"

int *__errno_location(void);
int cohort_interrupt(void);
void cohort_forget_watched(int descriptor);

enum { COHORT_DESCRIPTORS = 16, COHORT_PIPES = 4, COHORT_PIPE_BYTES = 32, COHORT_FEW = 8 };
enum { COHORT_CLOSED, COHORT_OUTSIDE, COHORT_READ_END, COHORT_WRITE_END, COHORT_COUNTER, COHORT_WATCHER };
enum { COHORT_EINTR_ = 4, COHORT_EBADF = 9, COHORT_EPIPE = 32, COHORT_EMFILE = 24 };

static unsigned char cohort_descriptor[COHORT_DESCRIPTORS] = {COHORT_OUTSIDE, COHORT_OUTSIDE, COHORT_OUTSIDE};
static unsigned char cohort_pipe_of[COHORT_DESCRIPTORS];
static _Bool cohort_is_nonblocking[COHORT_DESCRIPTORS];
static struct {
  unsigned char readers;
  unsigned char writers;
  unsigned char first;
  unsigned char count;
  unsigned char bytes[COHORT_PIPE_BYTES];
} cohort_pipes[COHORT_PIPES];
static unsigned char cohort_pipe_count;
static unsigned long cohort_counter_of[COHORT_DESCRIPTORS];

static long cohort_error_result(int error) {
  *__errno_location() = error;
  return -1;
}
// Any error but those that the model decides.
static long cohort_any_error(void) {
  const int error = __cohort_nondet_int();
  __cohort_assume(error >= 1);
  __cohort_assume(error <= 133);
  return cohort_error_result(error);
}
// In an atomic section.
static int cohort_new_descriptor(int kind) {
  int descriptor = 0;
  while (descriptor < COHORT_DESCRIPTORS && cohort_descriptor[descriptor] != COHORT_CLOSED) descriptor++;
  if (descriptor == COHORT_DESCRIPTORS) __cohort_unsupported("more than 16 descriptors at a time");
  cohort_descriptor[descriptor] = (unsigned char)kind;
  cohort_is_nonblocking[descriptor] = 0;
  return descriptor;
}
static int cohort_is_open(int descriptor) {
  if (descriptor < 0 || descriptor >= COHORT_DESCRIPTORS) return 0;
  return cohort_descriptor[descriptor] != COHORT_CLOSED;
}
static int cohort_open_outside(void) {
  __cohort_atomic_begin();
  const int descriptor = cohort_new_descriptor(COHORT_OUTSIDE);
  __cohort_atomic_end();
  return descriptor;
}
// How many of `size` bytes come or go: all numbers where there are few.  Counted, since `size` may be known at run time only.
static long cohort_some_bytes(unsigned long size, long least) {
  const long most = (long)size;
  const int are_many = most > COHORT_FEW;
  long count = least;
  if (are_many) {
    __cohort_note("of more than 8 bytes that come or go at a time it is none, one, all, or all but one");
    if (__cohort_nondet_bool()) return most - (__cohort_nondet_bool() ? 1 : 0);
  }
  while (count < (are_many ? 1 : most) && __cohort_nondet_bool()) count++;
  return count;
}
static void cohort_plain_fill(unsigned char *to, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) {
    unsigned char any;
    to[i] = any;
  }
}
// The ends of what is written, for the faults of leaving it.
static void cohort_plain_look(const unsigned char *from, unsigned long count) {
  unsigned char seen;
  if (count == 0) return;
  seen = from[0];
  seen = from[count - 1];
  (void)seen;
}
static void cohort_plain_byte(unsigned char *to, unsigned char byte) { *to = byte; }
static unsigned char cohort_plain_byte_at(const unsigned char *from) { return *from; }

int pipe(int ends[2]) {
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return (int)cohort_error_result(COHORT_EMFILE);
#endif
  __cohort_atomic_begin();
  if (cohort_pipe_count >= COHORT_PIPES) __cohort_unsupported("more than 4 pipes");
  const int in = cohort_new_descriptor(COHORT_READ_END);
  const int out = cohort_new_descriptor(COHORT_WRITE_END);
  cohort_pipe_of[in] = cohort_pipe_of[out] = cohort_pipe_count;
  cohort_pipes[cohort_pipe_count].readers = 1;
  cohort_pipes[cohort_pipe_count].writers = 1;
  cohort_pipe_count++;
  __cohort_atomic_end();
  cohort_plain_store(&ends[0], in);
  cohort_plain_store(&ends[1], out);
  return 0;
}
enum { COHORT_O_NONBLOCK = 04000 };
int pipe2(int ends[2], int flags) {
  const int result = pipe(ends);
  if (result == 0 && (flags & COHORT_O_NONBLOCK)) cohort_is_nonblocking[ends[0]] = cohort_is_nonblocking[ends[1]] = 1;
  return result;
}
int eventfd(unsigned start, int flags) {
  __cohort_atomic_begin();
  const int descriptor = cohort_new_descriptor(COHORT_COUNTER);
  cohort_counter_of[descriptor] = start;
  cohort_is_nonblocking[descriptor] = (flags & COHORT_O_NONBLOCK) != 0;
  __cohort_atomic_end();
  if (flags & 1) __cohort_unsupported("an eventfd that is a semaphore");
  return descriptor;
}

static long cohort_read_pipe(int descriptor, unsigned char *to, unsigned long size) {
  COHORT_NAME_MYSELF;
  const int pipe = cohort_pipe_of[descriptor];
  const int is_nonblocking = cohort_is_nonblocking[descriptor];
  unsigned long count = 0;
  if (size == 0) return 0;
  __cohort_atomic_begin_when((cohort_pipes[pipe].count > 0) | (cohort_pipes[pipe].writers == 0) | is_nonblocking COHORT_OR_MUST_END);
  const int nothing = cohort_pipes[pipe].count == 0;
  const int ended = cohort_pipes[pipe].writers == 0;
  while (count < size && cohort_pipes[pipe].count > 0) {
    const unsigned char first = cohort_pipes[pipe].first;
    cohort_plain_byte(to + count, cohort_pipes[pipe].bytes[first]);
    cohort_pipes[pipe].first = (unsigned char)((first + 1) % COHORT_PIPE_BYTES);
    cohort_pipes[pipe].count--;
    count++;
  }
  __cohort_atomic_end();
  if (count == 0) cohort_cancellation_point();
  if (nothing && !ended) return cohort_error_result(COHORT_EAGAIN);
  return (long)count;
}
static long cohort_write_pipe(int descriptor, const unsigned char *from, unsigned long size) {
  const int pipe = cohort_pipe_of[descriptor];
  int has_readers;
  __cohort_atomic_begin();
  has_readers = cohort_pipes[pipe].readers > 0;
  if (has_readers) {
    if (cohort_pipes[pipe].count + size > COHORT_PIPE_BYTES) __cohort_unsupported("more than 32 bytes in a pipe");
    for (unsigned long i = 0; i < size; i++) {
      const int last = (cohort_pipes[pipe].first + cohort_pipes[pipe].count) % COHORT_PIPE_BYTES;
      cohort_pipes[pipe].bytes[last] = cohort_plain_byte_at(from + i);
      cohort_pipes[pipe].count++;
    }
  }
  __cohort_atomic_end();
  if (!has_readers) return cohort_error_result(COHORT_EPIPE);
  return (long)size;
}
static void cohort_plain_store_long(unsigned long *to, unsigned long value) { *to = value; }
static unsigned long cohort_plain_long(const unsigned long *from) { return *from; }
static long cohort_read_counter(int descriptor, unsigned long *to, unsigned long size) {
  const int is_nonblocking = cohort_is_nonblocking[descriptor];
  if (size < sizeof *to) return cohort_error_result(COHORT_EINVAL);
  __cohort_atomic_begin_when((cohort_counter_of[descriptor] != 0) | is_nonblocking);
  const unsigned long value = cohort_counter_of[descriptor];
  cohort_counter_of[descriptor] = 0;
  __cohort_atomic_end();
  if (value == 0) return cohort_error_result(COHORT_EAGAIN);
  cohort_plain_store_long(to, value);
  return sizeof *to;
}
static long cohort_write_counter(int descriptor, const unsigned long *from, unsigned long size) {
  if (size < sizeof *from) return cohort_error_result(COHORT_EINVAL);
  const unsigned long value = cohort_plain_long(from);
  __cohort_atomic_begin();
  cohort_counter_of[descriptor] += value;
  __cohort_atomic_end();
  return sizeof *from;
}

long read(int descriptor, void *to, unsigned long size) {
  if (!cohort_is_open(descriptor)) return cohort_error_result(COHORT_EBADF);
  const int kind = cohort_descriptor[descriptor];
  if (kind == COHORT_READ_END) return cohort_read_pipe(descriptor, to, size);
  if (kind == COHORT_COUNTER) return cohort_read_counter(descriptor, to, size);
  if (kind == COHORT_WRITE_END) return cohort_error_result(COHORT_EBADF);
  if (cohort_interrupt()) return cohort_error_result(COHORT_EINTR_);
  const long count = cohort_some_bytes(size, -1);
  if (count < 0) return cohort_any_error();
  cohort_plain_fill(to, (unsigned long)count);
  return count;
}
long write(int descriptor, const void *from, unsigned long size) {
  if (!cohort_is_open(descriptor)) return cohort_error_result(COHORT_EBADF);
  const int kind = cohort_descriptor[descriptor];
  if (kind == COHORT_WRITE_END) return cohort_write_pipe(descriptor, from, size);
  if (kind == COHORT_COUNTER) return cohort_write_counter(descriptor, from, size);
  if (kind == COHORT_READ_END) return cohort_error_result(COHORT_EBADF);
  cohort_plain_look(from, size);
  if (size == 0) return 0;
  const long count = cohort_some_bytes(size, 0);
  if (count == 0) return cohort_any_error();
  return count;
}
long recv(int descriptor, void *to, unsigned long size, int flags) {
  (void)flags;
  return read(descriptor, to, size);
}
long send(int descriptor, const void *from, unsigned long size, int flags) {
  (void)flags;
  return write(descriptor, from, size);
}
int close(int descriptor) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  __cohort_atomic_begin();
  const int kind = cohort_descriptor[descriptor];
  if (kind == COHORT_READ_END) cohort_pipes[cohort_pipe_of[descriptor]].readers--;
  if (kind == COHORT_WRITE_END) cohort_pipes[cohort_pipe_of[descriptor]].writers--;
  cohort_descriptor[descriptor] = COHORT_CLOSED;
#if COHORT_WATCHES
  cohort_forget_watched(descriptor);
#endif
  __cohort_atomic_end();
  return 0;
}
int dup(int descriptor) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  __cohort_atomic_begin();
  const int kind = cohort_descriptor[descriptor];
  if (kind == COHORT_COUNTER) __cohort_unsupported("two descriptors for one eventfd");
  const int copy = cohort_new_descriptor(kind);
  cohort_pipe_of[copy] = cohort_pipe_of[descriptor];
  cohort_is_nonblocking[copy] = cohort_is_nonblocking[descriptor];
  if (kind == COHORT_READ_END) cohort_pipes[cohort_pipe_of[descriptor]].readers++;
  if (kind == COHORT_WRITE_END) cohort_pipes[cohort_pipe_of[descriptor]].writers++;
  __cohort_atomic_end();
  return copy;
}
int dup2(int descriptor, int copy) {
  if (!cohort_is_open(descriptor) || copy < 0) return (int)cohort_error_result(COHORT_EBADF);
  if (copy >= COHORT_DESCRIPTORS) __cohort_unsupported("more than 16 descriptors at a time");
  if (copy == descriptor) return copy;
  if (cohort_is_open(copy)) close(copy);
  __cohort_atomic_begin();
  const int kind = cohort_descriptor[descriptor];
  if (kind == COHORT_COUNTER) __cohort_unsupported("two descriptors for one eventfd");
  cohort_descriptor[copy] = (unsigned char)kind;
  cohort_pipe_of[copy] = cohort_pipe_of[descriptor];
  cohort_is_nonblocking[copy] = cohort_is_nonblocking[descriptor];
  if (kind == COHORT_READ_END) cohort_pipes[cohort_pipe_of[descriptor]].readers++;
  if (kind == COHORT_WRITE_END) cohort_pipes[cohort_pipe_of[descriptor]].writers++;
  __cohort_atomic_end();
  return copy;
}
int dup3(int descriptor, int copy, int flags) {
  (void)flags;
  return copy == descriptor ? (int)cohort_error_result(COHORT_EINVAL) : dup2(descriptor, copy);
}
enum { COHORT_F_DUPFD = 0, COHORT_F_GETFL = 3, COHORT_F_SETFL = 4 };
int fcntl(int descriptor, int command, int argument) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (command == COHORT_F_DUPFD) return dup(descriptor);
  if (command == COHORT_F_GETFL) return cohort_is_nonblocking[descriptor] ? 02 | COHORT_O_NONBLOCK : 02;
  if (command == COHORT_F_SETFL) cohort_is_nonblocking[descriptor] = (argument & COHORT_O_NONBLOCK) != 0;
  return 0;
}
int open(const char *name, int flags, int mode) {
  (void)name, (void)flags, (void)mode;
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
  return cohort_open_outside();
}
int creat(const char *name, int mode) { return open(name, 0, mode); }
int mkstemp(char *name) {
  unsigned long length = 0;
  while (name[length] != 0) length++;
  if (length < 6) return (int)cohort_error_result(COHORT_EINVAL);
  for (unsigned long i = length - 6; i < length; i++) {
    if (name[i] != 'X') return (int)cohort_error_result(COHORT_EINVAL);
  }
  cohort_plain_fill((unsigned char *)name + length - 6, 6);
  return open(name, 0, 0);
}
int timerfd_create(int clock, int flags) {
  (void)clock, (void)flags;
  return cohort_open_outside();
}
static int cohort_is_pipe(int descriptor) {
  const int kind = cohort_descriptor[descriptor];
  return kind == COHORT_READ_END || kind == COHORT_WRITE_END;
}
enum { COHORT_ESPIPE = 29 };
long pread(int descriptor, void *to, unsigned long size, long offset) {
  (void)offset;
  if (cohort_is_open(descriptor) && cohort_is_pipe(descriptor)) return cohort_error_result(COHORT_ESPIPE);
  return read(descriptor, to, size);
}
long pwrite(int descriptor, const void *from, unsigned long size, long offset) {
  (void)offset;
  if (cohort_is_open(descriptor) && cohort_is_pipe(descriptor)) return cohort_error_result(COHORT_ESPIPE);
  return write(descriptor, from, size);
}
// As in <sys/uio.h>.
struct cohort_piece {
  void *start;
  unsigned long size;
};
// Into the pieces one after the other, until one is not filled.
long readv(int descriptor, const struct cohort_piece *pieces, int count) {
  long all = 0;
  if (count > 1 && cohort_is_open(descriptor) && cohort_descriptor[descriptor] != COHORT_OUTSIDE) {
    __cohort_unsupported("readv into several pieces from a pipe");
  }
  for (int i = 0; i < count; i++) {
    const long read_now = read(descriptor, pieces[i].start, pieces[i].size);
    if (read_now < 0) return i == 0 ? read_now : all;
    all += read_now;
    if ((unsigned long)read_now < pieces[i].size) return all;
  }
  return all;
}
long writev(int descriptor, const struct cohort_piece *pieces, int count) {
  long all = 0;
  if (count > 1 && cohort_is_open(descriptor) && cohort_descriptor[descriptor] != COHORT_OUTSIDE) {
    __cohort_unsupported("writev of several pieces into a pipe");
  }
  for (int i = 0; i < count; i++) {
    const long written = write(descriptor, pieces[i].start, pieces[i].size);
    if (written < 0) return i == 0 ? written : all;
    all += written;
    if ((unsigned long)written < pieces[i].size) return all;
  }
  return all;
}

// Sockets: all that comes is from outside.
int socket(int family, int kind, int protocol) {
  (void)family, (void)kind, (void)protocol;
#if COHORT_FAILING
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
#endif
  return cohort_open_outside();
}
static int cohort_socket_call(int descriptor) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
  return 0;
}
int bind(int descriptor, const void *address, unsigned size) {
  cohort_plain_look(address, size);
  return cohort_socket_call(descriptor);
}
int listen(int descriptor, int length) {
  (void)length;
  return cohort_socket_call(descriptor);
}
int connect(int descriptor, const void *address, unsigned size) {
  cohort_plain_look(address, size);
  return cohort_socket_call(descriptor);
}
int shutdown(int descriptor, int how) {
  (void)how;
  return cohort_socket_call(descriptor);
}
int setsockopt(int descriptor, int level, int name, const void *value, unsigned size) {
  (void)level, (void)name;
  cohort_plain_look(value, size);
  return cohort_socket_call(descriptor);
}
// Any address, and how long it is.
static void cohort_plain_address(unsigned char *address, unsigned *size) {
  const unsigned room = *size;
  const int length = __cohort_nondet_int();
  __cohort_assume(length >= 0);
  __cohort_assume(length <= 128);
  cohort_plain_fill(address, room < (unsigned)length ? room : (unsigned)length);
  *size = (unsigned)length;
}
int accept(int descriptor, void *address, unsigned *size) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (cohort_interrupt()) return (int)cohort_error_result(COHORT_EINTR_);
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
  if (address != COHORT_NULL) cohort_plain_address(address, size);
  return cohort_open_outside();
}
int accept4(int descriptor, void *address, unsigned *size, int flags) {
  (void)flags;
  return accept(descriptor, address, size);
}
int socketpair(int family, int kind, int protocol, int ends[2]) {
  (void)family, (void)kind, (void)protocol;
  __cohort_note("what comes from one end of a socketpair is any bytes, whatever was sent into the other");
  const int one = cohort_open_outside();
  const int other = cohort_open_outside();
  cohort_plain_store(&ends[0], one);
  cohort_plain_store(&ends[1], other);
  return 0;
}
long recvfrom(int descriptor, void *to, unsigned long size, int flags, void *address, unsigned *length) {
  const long count = recv(descriptor, to, size, flags);
  if (count >= 0 && address != COHORT_NULL) cohort_plain_address(address, length);
  return count;
}
long sendto(int descriptor, const void *from, unsigned long size, int flags, const void *address, unsigned length) {
  if (address != COHORT_NULL) cohort_plain_look(address, length);
  return send(descriptor, from, size, flags);
}
static int cohort_tell_address(int descriptor, void *address, unsigned *length) {
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
  cohort_plain_address(address, length);
  return 0;
}
int getsockname(int descriptor, void *address, unsigned *length) { return cohort_tell_address(descriptor, address, length); }
int getpeername(int descriptor, void *address, unsigned *length) { return cohort_tell_address(descriptor, address, length); }
int getsockopt(int descriptor, int level, int name, void *value, unsigned *length) {
  (void)level, (void)name;
  if (!cohort_is_open(descriptor)) return (int)cohort_error_result(COHORT_EBADF);
  if (__cohort_nondet_bool()) return (int)cohort_any_error();
  cohort_plain_fill(value, *length);
  return 0;
}
unsigned cohort_builtin_bswap32(unsigned value);
unsigned htonl(unsigned value) { return cohort_builtin_bswap32(value); }
unsigned ntohl(unsigned value) { return cohort_builtin_bswap32(value); }
unsigned short htons(unsigned short value) { return (unsigned short)(value << 8 | value >> 8); }
unsigned short ntohs(unsigned short value) { return (unsigned short)(value << 8 | value >> 8); }
