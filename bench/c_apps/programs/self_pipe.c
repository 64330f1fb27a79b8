/* A daemon's loop with a self-pipe, sigaction and select.
 * bug (assertions): the handler forgets to write to the pipe for the second signal */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>
static int pfd[2];
static volatile sig_atomic_t got;
static void handler(int sig) {
  int saved = errno;
  got++;
#ifdef BUG
  if (got > 1) return;
#endif
  if (write(pfd[1], "s", 1) == -1 && errno != EAGAIN) _exit(1);
  errno = saved;
  (void)sig;
}
int main(void) {
  struct sigaction sa;
  if (pipe(pfd) == -1) {
    perror("pipe");
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < 2; i++) {
    int flags = fcntl(pfd[i], F_GETFL);
    if (flags == -1 || fcntl(pfd[i], F_SETFL, flags | O_NONBLOCK) == -1) exit(EXIT_FAILURE);
  }
  memset(&sa, 0, sizeof sa);
  sigemptyset(&sa.sa_mask);
  sa.sa_handler = handler;
  sa.sa_flags = SA_RESTART;
  if (sigaction(SIGUSR1, &sa, NULL) == -1) exit(EXIT_FAILURE);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sa.sa_handler = SIG_IGN;
  if (sigaction(SIGUSR1, &sa, NULL) == -1) exit(EXIT_FAILURE);
  fd_set rd;
  FD_ZERO(&rd);
  FD_SET(pfd[0], &rd);
  int ready;
  struct timeval tv = {0, 0};
  while ((ready = select(pfd[0] + 1, &rd, NULL, NULL, &tv)) == -1 && errno == EINTR) continue;
  assert(ready == 1 && FD_ISSET(pfd[0], &rd));
  int n = 0;
  char ch;
  while (read(pfd[0], &ch, 1) == 1) n++;
  assert(n == 2);
  return 0;
}
