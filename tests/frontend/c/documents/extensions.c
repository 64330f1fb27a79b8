// What docs/c-library.md lists beside the C standard and no other test calls.  Natively nothing fails here.
#ifndef ERROR_TEXT
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// case LINES: safe
#ifdef LINES
int main(void) {
  char *line = NULL;
  size_t size = 0;
  const long length = getdelim(&line, &size, ':', stdin);
  assert(length == -1 || (length > 0 && (size_t)length < size && line[length] == 0));
  free(line);
  return 0;
}
#endif

// case TEXTS: safe, any text
// case TEXTS_EMPTY: unsafe
#if defined(TEXTS) || defined(TEXTS_EMPTY)
static int print(char **to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
int main(void) {
  char *one, *other;
  const int first = asprintf(&one, "%d", 7);
  const int second = print(&other, "%d", 8);
  if (first < 0 || second < 0) return 0;
  assert(one != other && one[first] == 0 && other[second] == 0);
#ifdef TEXTS_EMPTY
  assert(first == 0);
#endif
  free(one);
  free(other);
  return 0;
}
#endif

// case NUMBERS: safe
// case NUMBERS_RACE --property races: unsafe
#if defined(NUMBERS) || defined(NUMBERS_RACE)
char text[4] = "1.5";
void *writer(void *arg) {
#ifdef NUMBERS_RACE
  text[0] = '2';
#endif
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  char *end;
  strtod(text, &end);
  assert(text <= end && end <= text + 3);
  atof(text);
  srandom(1);
  srand48(1);
  const long number = mrand48();
  assert(INT_MIN <= number && number <= INT_MAX);
  const unsigned any = arc4random();
  assert(any <= UINT_MAX);
  clock();
  pthread_join(thread, NULL);
  return 0;
}
#endif

// case OUTPUT: safe
#ifdef OUTPUT
static int show(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vprintf(format, arguments);
  va_end(arguments);
  return length;
}
int main(void) {
  assert(putc('a', stdout) == 'a' && fputc('b', stdout) == 'b');
  show("%d\n", 3);
  return 0;
}
#endif

// case SCHEDULING: safe
#ifdef SCHEDULING
static char stack[1 << 16] __attribute__((aligned(4096)));
int main(void) {
  struct sched_param parameters = {0};
  cpu_set_t set;
  memset(&set, 0xff, sizeof set);
  sched_setaffinity(0, sizeof set, &set);
  sched_setscheduler(0, SCHED_OTHER, &parameters);
  pthread_setschedprio(pthread_self(), 0);
  pthread_attr_t attributes;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
  pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strlen(name) < sizeof name);
  pthread_mutexattr_t ceiling;
  assert(pthread_mutexattr_init(&ceiling) == 0);
  pthread_mutexattr_setprioceiling(&ceiling, 1);
  return 0;
}
#endif

// case BOUNDED_TEXT: safe
#ifdef BOUNDED_TEXT
size_t strlcpy(char *to, const char *from, size_t size);
size_t strlcat(char *to, const char *from, size_t size);
int main(void) {
  char text[4] = "xyz";
  assert(strlcpy(text, "abcdef", sizeof text) == 6 && strcmp(text, "abc") == 0 && strlcpy(text, "q", 0) == 1 && text[0] == 'a');
  assert(strlcpy(text, "a", sizeof text) == 1 && strlcat(text, "bcde", sizeof text) == 5 && strcmp(text, "abc") == 0);
  assert(strlcat(text, "q", 2) == 3 && strcmp(text, "abc") == 0);
  return 0;
}
#endif

// case MESSAGES: safe
// case MESSAGES_ENDED: safe
// case MESSAGES_WENT_ON: unsafe
#if defined(MESSAGES) || defined(MESSAGES_ENDED) || defined(MESSAGES_WENT_ON)
static void warn_all(const char *format, ...) {
  va_list arguments, others;
  va_start(arguments, format);
  va_copy(others, arguments);
  vwarn(format, arguments);
  vwarnx(format, others);
  va_end(others);
  va_end(arguments);
}
static void give_up(int how, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (how == 0) err(0, "%s", format);
  if (how == 1) errx(0, NULL);
  if (how == 2) verr(0, format, arguments);
  if (how == 3) verrx(0, format, arguments);
  error(how == 4, 0, "%d", how);
  va_end(arguments);
}
int main(int argc, char **argv) {
  (void)argv;
  char text[64];
  warn("%d", 1);
  warnx("a");
  warn_all("%d", 2);
  assert(strerror_r(EINVAL, text, sizeof text) != NULL && strsignal(SIGINT) != NULL);
#ifdef MESSAGES_ENDED
  give_up(argc % 4, "text");
  assert(0);
#elif defined(MESSAGES_WENT_ON)
  give_up(5, "text");
  assert(0);
#endif
  return 0;
}
#endif

// case ERROR_TEXT: safe
#ifdef ERROR_TEXT
int main(void) {
  char text[64] = "";
  const int result = strerror_r(EINVAL, text, sizeof text);
  assert(result == 0 && strlen(text) < sizeof text && text[0] != 0);
  return 0;
}
#endif

// case MESSAGE_RACE --property races: unsafe
// case MESSAGE_ALONE --property races: safe
#if defined(MESSAGE_RACE) || defined(MESSAGE_ALONE)
static char name[4] = "abc";
static void *writer(void *unused) {
#ifdef MESSAGE_RACE
  name[1] = 'x';
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  warnx("%s", name);
  pthread_join(t, NULL);
  return 0;
}
#endif

// case RANDOM_BYTES: safe
#ifdef RANDOM_BYTES
int main(void) {
  unsigned char bytes[4] = {0};
  assert(arc4random_uniform(3) < 3 && arc4random_uniform(0) == 0);
  arc4random_buf(bytes, 2);
  assert(getrandom(bytes, 2, 0) == 2 && getentropy(bytes, 2) == 0 && bytes[2] == 0);
  assert(strtof("x", NULL) == 0 || 1);
  char *memory = valloc(3), *pages = pvalloc(3);
  memory[2] = pages[2] = 1;
  free(memory);
  free(pages);
  return 0;
}
#endif

// case ASKED: safe
#ifdef ASKED
int main(void) {
  pthread_attr_t thread;
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  pthread_rwlockattr_t lock;
  pthread_barrierattr_t barrier;
  static pthread_mutex_t robust = PTHREAD_MUTEX_INITIALIZER;
  struct sched_param parameters;
  size_t size;
  int answer = 5;
  void *stack;
  clockid_t clock;
  cpu_set_t set;
  assert(pthread_attr_init(&thread) == 0 && pthread_attr_getguardsize(&thread, &size) == 0);
  assert(pthread_attr_getstack(&thread, &stack, &size) == 0 || 1);
  assert(pthread_attr_getscope(&thread, &answer) == 0 && answer == PTHREAD_SCOPE_SYSTEM);
  assert(pthread_attr_getschedpolicy(&thread, &answer) == 0 && answer >= 0 && answer < 3);
  assert(pthread_attr_getinheritsched(&thread, &answer) == 0 && answer < 2);
  assert(pthread_attr_getschedparam(&thread, &parameters) == 0 && parameters.sched_priority < 100);
  assert(pthread_getattr_np(pthread_self(), &thread) == 0);
  assert(pthread_getschedparam(pthread_self(), &answer, &parameters) == 0 && parameters.sched_priority >= 0);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && sched_getaffinity(0, sizeof set, &set) >= 0);
  assert(CPU_COUNT(&set) >= 0 && CPU_COUNT(&set) <= CPU_SETSIZE);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && pthread_getconcurrency() == 0);
  assert(pthread_mutexattr_init(&mutex) == 0 && pthread_mutexattr_getpshared(&mutex, &answer) == 0 && answer < 2);
  assert(pthread_mutexattr_getprotocol(&mutex, &answer) == 0 && answer <= PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_getprioceiling(&mutex, &answer);
  assert(pthread_mutexattr_getrobust(&mutex, &answer) == 0 && answer == PTHREAD_MUTEX_STALLED);
  assert(pthread_mutex_consistent(&robust) == EINVAL);
  assert(pthread_condattr_init(&condition) == 0 && pthread_condattr_getclock(&condition, &clock) == 0 && clock <= CLOCK_MONOTONIC);
  assert(pthread_condattr_getpshared(&condition, &answer) == 0 && answer < 2);
  assert(pthread_rwlockattr_init(&lock) == 0 && pthread_rwlockattr_getpshared(&lock, &answer) == 0 && answer < 2);
  assert(pthread_rwlockattr_getkind_np(&lock, &answer) == 0 && answer < 3);
  assert(pthread_barrierattr_init(&barrier) == 0 && pthread_barrierattr_getpshared(&barrier, &answer) == 0 && answer < 2);
  return 0;
}
#endif

// case PIECES: safe
// case PIECES_ALONE: safe
#if defined(PIECES) || defined(PIECES_ALONE)
int main(void) {
  char one[1] = {1}, other[1] = {1};
  struct iovec pieces[] = {{one, 1}, {other, 1}};
#ifdef PIECES
  const long count = readv(0, pieces, 2);
  assert(count <= 2 && (count >= 2 || other[0] == 1));
#else
  const int file = open("/dev/null", O_RDWR);
  if (file < 0) return 0;
  assert(writev(file, pieces, 2) <= 2 && one[0] == 1 && other[0] == 1);
#endif
  return 0;
}
#endif

// case PLACES: safe
#ifdef PLACES
int main(void) {
  char one[1];
  const int made = creat("/dev/null", 0600);
  if (made < 0) return 0;
  assert(pread(made, one, 1, 0) <= 1 && pwrite(made, one, 1, 0) <= 1);
  assert(timerfd_create(CLOCK_MONOTONIC, 0) > made);
  return 0;
}
#endif

// case TEMPORARY: safe
#ifdef TEMPORARY
int main(void) {
  char name[] = "/tmp/XXXXXX";
  const int file = mkstemp(name);
  assert(file >= -1 && name[0] == '/' && name[4] == '/' && name[11] == 0);
  if (file >= 0) unlink(name);
  return 0;
}
#endif

// case SOCKETS: safe
#ifdef SOCKETS
int main(void) {
  int ends[2];
  char byte;
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0 && ends[0] != ends[1]);
  assert(sendto(ends[0], "a", 1, 0, NULL, 0) <= 1 && recvfrom(ends[1], &byte, 1, 0, NULL, NULL) <= 1);
  return 0;
}
#endif

// case SOCKETS_ASKED: safe
#ifdef SOCKETS_ASKED
int main(void) {
  int value, one = socket(AF_INET, SOCK_STREAM, 0);
  char address[2];
  socklen_t size = sizeof address, length = sizeof value;
  if (one < 0) return 0;
  assert(getsockopt(one, SOL_SOCKET, SO_ERROR, &value, &length) <= 0);
  assert(getsockname(one, (struct sockaddr *)address, &size) <= 0);
  size = sizeof address;
  assert(getpeername(one, (struct sockaddr *)address, &size) <= 0);
  return 0;
}
#endif

// case ADDRESSES: safe
// case ADDRESS_TEXT: safe
#if defined(ADDRESSES) || defined(ADDRESS_TEXT)
int main(void) {
  char text[INET6_ADDRSTRLEN];
  struct in_addr internet = {0};
#ifdef ADDRESSES
  assert(inet_ntop(AF_INET, &internet, text, sizeof text) == text && text[0] != 0);
  assert(inet_ntop(AF_INET, &internet, text, 4) == NULL && errno == ENOSPC);
#else
  assert(inet_ntoa(internet)[0] != 0);
#endif
  return 0;
}
#endif

// case NAMES: safe
#ifdef NAMES
int main(void) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
  char host[64];
  const int failed = getaddrinfo("127.0.0.1", "80", &hints, &found);
  assert(failed == 0 || gai_strerror(failed) != NULL);
  if (failed == 0) {
    for (struct addrinfo *each = found; each != NULL; each = each->ai_next) {
      assert(each->ai_family == AF_INET && each->ai_socktype == SOCK_STREAM && each->ai_addrlen == sizeof(struct sockaddr_in));
      assert(each->ai_addr != NULL);
    }
    freeaddrinfo(found);
  }
  struct hostent *entry = gethostbyname("127.0.0.1");
  if (entry != NULL) assert(entry->h_addrtype == AF_INET && entry->h_length == 4 && entry->h_addr_list[0] != NULL);
  assert(gethostname(host, sizeof host) == 0 && strlen(host) < sizeof host);
  return 0;
}
#endif

// case FOLDERS: safe
// case FOLDER_CLOSED --property faults: unsafe
#if defined(FOLDERS) || defined(FOLDER_CLOSED)
int main(void) {
  DIR *folder = opendir(".");
  if (folder == NULL) return 0;
  struct dirent *entry = readdir(folder);
  if (entry != NULL) assert(entry->d_name[0] != 0);
  rewinddir(folder);
  assert(closedir(folder) == 0);
#ifdef FOLDER_CLOSED
  readdir(folder);
#endif
  return 0;
}
#endif

// case HERE: safe
#ifdef HERE
int main(void) {
  char name[256];
  char *here = getcwd(name, sizeof name);
  assert(here == NULL || (here == name && name[0] != 0));
  return 0;
}
#endif

// case FILES: safe
#ifdef FILES
int main(void) {
  char text[4];
  FILE *file = popen("true", "r");
  if (file != NULL) {
    assert(fgets_unlocked(text, sizeof text, file) == NULL || strlen(text) < sizeof text);
    pclose(file);
  }
  file = tmpfile();
  if (file == NULL) return 0;
  setlinebuf(file);
  setbuffer(file, NULL, 0);
  assert(fwrite_unlocked("a", 1, 1, file) <= 1 && fputs_unlocked("b", file) >= -1 && fputc_unlocked('c', file) >= -1);
  assert(putc_unlocked('d', file) >= -1 && putchar_unlocked('e') >= -1 && fflush_unlocked(file) >= -1);
  assert(fseeko(file, 0, SEEK_SET) >= -1 && ftello(file) >= -1);
  assert(getc_unlocked(file) < 256 && fgetc_unlocked(file) < 256 && getchar_unlocked() < 256 && fread_unlocked(text, 1, 2, file) <= 2);
  feof_unlocked(file);
  ferror_unlocked(file);
  assert(fileno_unlocked(file) >= 0);
  file = freopen("/dev/null", "r", file);
  if (file != NULL) fclose(file);
  return 0;
}
#endif

// case FOLDER_OF_NOBODY --property faults: unsafe, a folder that is closed is used
// case FOLDER_OF_NULL: safe
#if defined(FOLDER_OF_NOBODY) || defined(FOLDER_OF_NULL)
int main(void) {
  DIR *one = opendir("."), *other = opendir("..");
  if (one == NULL || other == NULL) return 0;
#ifdef FOLDER_OF_NOBODY
  readdir((DIR *)&one);
#else
  assert(closedir(NULL) == -1 && errno == EINVAL);
#endif
  closedir(one);
  closedir(other);
  return 0;
}
#endif

// case FOLDER_NAME_WITHOUT_ROOM: safe
// case FOLDER_NAME_FAILS_SOMEHOW: unsafe
#if defined(FOLDER_NAME_WITHOUT_ROOM) || defined(FOLDER_NAME_FAILS_SOMEHOW)
int main(void) {
  char name[64];
#ifdef FOLDER_NAME_WITHOUT_ROOM
  assert(getcwd(name, 0) == NULL && errno == EINVAL);
#else
  assert(getcwd(name, sizeof name) != NULL || errno == ERANGE);
#endif
  return 0;
}
#endif

// case FILE_LOCKED: safe
// case FILE_LOCKED --property races: safe
// case FILE_NOT_LOCKED --property races: unsafe
// case FILE_TRIED --property races: safe
// case FILE_HELD --property deadlock: unsafe
// case FILE_NOT_HELD --property locks: unsafe
#if defined(FILE_LOCKED) || defined(FILE_NOT_LOCKED) || defined(FILE_TRIED) || defined(FILE_HELD) || defined(FILE_NOT_HELD)
#ifdef __SANITIZE_THREAD__  // it does not see the locks of files, so it is shown others
static pthread_mutex_t file_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#define flockfile(file) pthread_mutex_lock(&file_lock)
#define ftrylockfile(file) pthread_mutex_trylock(&file_lock)
#define funlockfile(file) pthread_mutex_unlock(&file_lock)
#endif
static int lines;
static void *writer(void *unused) {
#if defined(FILE_TRIED)
  if (ftrylockfile(stdout) != 0) return unused;
#elif !defined(FILE_NOT_LOCKED)
  flockfile(stdout);
  flockfile(stdout);
  funlockfile(stdout);
#endif
  lines++;
#if !defined(FILE_NOT_LOCKED) && !defined(FILE_HELD)
  funlockfile(stdout);
#endif
  return unused;
}
int main(void) {
  pthread_t one, other;
#ifdef FILE_NOT_HELD
  funlockfile(stdout);
#endif
  pthread_create(&one, NULL, writer, NULL);
  pthread_create(&other, NULL, writer, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
#ifdef FILE_LOCKED
  assert(lines == 2);
#endif
  return 0;
}
#endif

// case LONG_OPTIONS: safe, stands in a word of its own
// case LONG_OPTION_MISSED: unsafe
// case LONG_OPTION_MISSED --args=--verbose: safe
// case LONG_OPTION_MISSED --args=--size=3: unsafe
#if defined(LONG_OPTIONS) || defined(LONG_OPTION_MISSED)
int main(int argc, char **argv) {
  static const struct option words[] = {{"size", required_argument, NULL, 's'}, {"verbose", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0}};
  int letter, sizes = 0;
  while ((letter = getopt_long(argc, argv, "s:v", words, NULL)) != -1) {
    assert(letter == 's' || letter == 'v' || letter == '?');
    if (letter == 's') {
      assert(optarg != NULL);
      sizes = 1;
    }
  }
  assert(optind <= argc);
#ifdef LONG_OPTION_MISSED
  assert(!sizes);
#endif
  return 0;
}
#endif

// case TIMER_COUNTS: safe
// case TIMER_CALLS: unsafe
// case TIMER_RACE --property races: unsafe
// case TIMER_DELETED: safe
// case TIMER_AGAIN: unsafe
// case TIMER_ONCE: safe
#if defined(TIMER_COUNTS) || defined(TIMER_CALLS) || defined(TIMER_RACE) || defined(TIMER_DELETED) || defined(TIMER_AGAIN) || defined(TIMER_ONCE)
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;
static void expire(union sigval value) {
  pthread_mutex_lock(&mutex);
  calls += value.sival_int;
  pthread_mutex_unlock(&mutex);
}
int main(void) {
  timer_t timer;
  struct sigevent event;
  struct itimerspec times = {{0, 0}, {0, 1000}};
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expire;
  event.sigev_value.sival_int = 3;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_getoverrun(timer) >= 0);
#if defined(TIMER_AGAIN)
  times.it_interval.tv_nsec = 1000;
#endif
#if defined(TIMER_DELETED)
  assert(timer_delete(timer) == 0 && timer_settime(timer, 0, &times, NULL) == -1 && errno == EINVAL);
#else
  assert(timer_settime(timer, 0, &times, NULL) == 0);
#endif
#if defined(TIMER_RACE)
  calls = 0;
#endif
  pthread_mutex_lock(&mutex);
#if defined(TIMER_CALLS)
  assert(calls == 0);
#elif defined(TIMER_DELETED)
  assert(calls == 0);
#elif defined(TIMER_AGAIN)
  assert(calls < 6);
#else
  assert(calls == 0 || calls == 3);
#endif
  pthread_mutex_unlock(&mutex);
  return 0;
}
#endif

// case TIMER_SIGNALS: safe
// case TIMER_SIGNALS_SEEN: unsafe
#if defined(TIMER_SIGNALS) || defined(TIMER_SIGNALS_SEEN)
static volatile sig_atomic_t came;
static void handler(int number) { came = number; }
int main(void) {
  timer_t timer;
  struct itimerspec times = {{0, 0}, {0, 1000}};
  bsd_signal(SIGALRM, handler);
  sysv_signal(SIGUSR1, handler);
  assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 && timer_settime(timer, 0, &times, NULL) == 0);
  sleep(1);
#ifdef TIMER_SIGNALS
  assert(came == 0 || came == SIGALRM || came == SIGUSR1);
#else
  assert(came == 0);
#endif
  return 0;
}
#endif

// case USERS: safe
#ifdef USERS
int main(void) {
  struct passwd *user = getpwuid(7);
  if (user != NULL) assert(user->pw_uid == 7 && user->pw_name[0] != 0);
  user = getpwnam("root");
  if (user != NULL) assert(user->pw_dir[0] == '/');
  assert(sysconf(_SC_PAGESIZE) == 4096);
  return 0;
}
#endif
