/* A growing string that threads append to with a printf of its own.
 * bug (assertions): the length is read before the lock is taken */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct strbuf {
  char *s;
  size_t len, cap;
  pthread_mutex_t lock;
} strbuf;
static void sb_reserve(strbuf *sb, size_t extra) {
  if (sb->len + extra + 1 <= sb->cap) return;
  size_t cap = sb->cap ? sb->cap : 8;
  while (cap < sb->len + extra + 1) cap *= 2;
  char *p = realloc(sb->s, cap);
  if (!p) {
    perror("realloc");
    exit(1);
  }
  sb->s = p;
  sb->cap = cap;
}
static void sb_append(strbuf *sb, const char *text) {
  size_t n = strlen(text);
#ifdef BUG
  size_t at = sb->len;
#endif
  pthread_mutex_lock(&sb->lock);
#ifndef BUG
  size_t at = sb->len;
#endif
  sb_reserve(sb, n);
  memcpy(sb->s + at, text, n);
  sb->len = at + n;
  sb->s[sb->len] = '\0';
  pthread_mutex_unlock(&sb->lock);
}
static strbuf sb = {.lock = PTHREAD_MUTEX_INITIALIZER};
static void *append(void *arg) {
  sb_append(&sb, arg);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, append, "hello");
  pthread_create(&b, NULL, append, "world");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sb.len == 10);
  assert(strcmp(sb.s, "helloworld") == 0 || strcmp(sb.s, "worldhello") == 0);
  free(sb.s);
  return 0;
}
