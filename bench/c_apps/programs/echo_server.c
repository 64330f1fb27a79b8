/* A TCP server that gives each connection to a thread and counts those that live.
 * bug (races): the count goes down without the lock. */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define MAX_CLIENTS 2
#define BUFSZ 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static int clients;

static void fatal(const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
  exit(EXIT_FAILURE);
}

static int write_all(int fd, const char *p, size_t n)
{
  while (n > 0) {
    ssize_t w = send(fd, p, n, 0);
    if (w < 0) {
      if (errno == EINTR)
        continue;
      return -1;
    }
    p += w;
    n -= (size_t)w;
  }
  return 0;
}

static void *serve(void *arg)
{
  int fd = (int)(intptr_t)arg;
  char buf[BUFSZ];
  ssize_t n;
  while ((n = recv(fd, buf, sizeof buf, 0)) > 0)
    if (write_all(fd, buf, (size_t)n) < 0)
      break;
  close(fd);
#ifdef BUG
  clients--;
  pthread_mutex_lock(&lock);
#else
  pthread_mutex_lock(&lock);
  clients--;
#endif
  pthread_cond_signal(&gone);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static int listen_on(uint16_t port)
{
  struct sockaddr_in addr;
  int one = 1;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0)
    fatal("socket: %s", strerror(errno));
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0)
    fatal("setsockopt: %s", strerror(errno));
  memset(&addr, 0, sizeof addr);
  addr.sin_family = AF_INET;
  addr.sin_addr.s_addr = htonl(INADDR_ANY);
  addr.sin_port = htons(port);
  if (bind(fd, (struct sockaddr *)&addr, sizeof addr) < 0)
    fatal("bind: %s", strerror(errno));
  if (listen(fd, 16) < 0)
    fatal("listen: %s", strerror(errno));
  return fd;
}

int main(int argc, char *argv[])
{
  int port = 7000, served = 0;
  if (argc > 2) {
    fprintf(stderr, "usage: %s [port]\n", argv[0]);
    return 2;
  }
  if (argc == 2)
    port = atoi(argv[1]);
  if (port <= 0 || port > 65535)
    fatal("bad port");
  signal(SIGPIPE, SIG_IGN);
  int fd = listen_on((uint16_t)port);
  while (served < 3) {
    struct sockaddr_in peer;
    socklen_t len = sizeof peer;
    pthread_t t;
    int client = accept(fd, (struct sockaddr *)&peer, &len);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED)
        continue;
      fatal("accept: %s", strerror(errno));
    }
    served++;
    pthread_mutex_lock(&lock);
    while (clients >= MAX_CLIENTS)
      pthread_cond_wait(&gone, &lock);
    clients++;
    pthread_mutex_unlock(&lock);
    if (pthread_create(&t, NULL, serve, (void *)(intptr_t)client) != 0) {
      close(client);
      fatal("pthread_create");
    }
    pthread_detach(t);
  }
  pthread_mutex_lock(&lock);
  while (clients > 0)
    pthread_cond_wait(&gone, &lock);
  assert(clients == 0);
  pthread_mutex_unlock(&lock);
  close(fd);
  return 0;
}
