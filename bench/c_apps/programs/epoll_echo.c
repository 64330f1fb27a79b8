/* A server with epoll, an accepting thread and workers that take ready connections.
 * bug (faults): a connection is closed and freed twice when it fails while it is written */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#define MAX_EVENTS 2
#define die(msg) do { perror(msg); exit(EXIT_FAILURE); } while (0)
struct conn {
  int fd;
  size_t used;
  char buf[4];
};
static int set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL, 0);
  if (flags == -1) return -1;
  return fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
static int make_listener(uint16_t port) {
  struct sockaddr_in addr;
  int fd, yes = 1;
  if ((fd = socket(AF_INET, SOCK_STREAM, 0)) < 0) die("socket");
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0) die("setsockopt");
  memset(&addr, 0, sizeof addr);
  addr.sin_family = AF_INET;
  addr.sin_addr.s_addr = htonl(INADDR_ANY);
  addr.sin_port = htons(port);
  if (bind(fd, (struct sockaddr *)&addr, sizeof addr) < 0) die("bind");
  if (listen(fd, SOMAXCONN) < 0) die("listen");
  if (set_nonblocking(fd) < 0) die("fcntl");
  return fd;
}
static void conn_close(int ep, struct conn *c) {
  epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, NULL);
  close(c->fd);
  free(c);
}
static int conn_write(int ep, struct conn *c) {
  ssize_t n = write(c->fd, c->buf, c->used);
  if (n < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
#ifdef BUG
    conn_close(ep, c);
#endif
    return -1;
  }
  c->used = 0;
  return 0;
}
static void conn_read(int ep, struct conn *c) {
  ssize_t n = read(c->fd, c->buf, sizeof c->buf);
  if (n <= 0) {
    if (n < 0 && errno == EAGAIN) return;
    conn_close(ep, c);
    return;
  }
  c->used = (size_t)n;
  if (conn_write(ep, c) < 0) conn_close(ep, c);
}
int main(int argc, char *argv[]) {
  uint16_t port = argc > 1 ? (uint16_t)atoi(argv[1]) : 8080;
  int lfd = make_listener(port);
  int ep = epoll_create1(0);
  struct epoll_event ev, events[MAX_EVENTS];
  if (ep < 0) die("epoll_create1");
  ev.events = EPOLLIN;
  ev.data.ptr = NULL;
  if (epoll_ctl(ep, EPOLL_CTL_ADD, lfd, &ev) < 0) die("epoll_ctl");
  for (int round = 0; round < 2; round++) {
    int n = epoll_wait(ep, events, MAX_EVENTS, -1);
    if (n < 0) {
      if (errno == EINTR) continue;
      die("epoll_wait");
    }
    for (int i = 0; i < n; i++) {
      if (events[i].data.ptr == NULL) {
        int fd = accept(lfd, NULL, NULL);
        if (fd < 0) continue;
        struct conn *c = calloc(1, sizeof *c);
        if (c == NULL) {
          close(fd);
          continue;
        }
        c->fd = fd;
        set_nonblocking(fd);
        ev.events = EPOLLIN | EPOLLET;
        ev.data.ptr = c;
        if (epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) < 0) {
          close(fd);
          free(c);
        }
      } else {
        conn_read(ep, events[i].data.ptr);
      }
    }
  }
  close(lfd);
  return 0;
}
