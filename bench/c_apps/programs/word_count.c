/* Words in files, counted by threads that take file names from a shared list, with results merged under a lock.
 * bug (races): the total is added up without the lock. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 2

struct totals {
  unsigned long lines, words, chars;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char **files;
static int nfiles, next_file, failed;
static struct totals grand;

static int count_file(const char *path, struct totals *t)
{
  FILE *f = fopen(path, "r");
  int c, in_word = 0;
  if (f == NULL) {
    fprintf(stderr, "wc: %s: %s\n", path, strerror(errno));
    return -1;
  }
  while ((c = fgetc(f)) != EOF) {
    t->chars++;
    if (c == '\n')
      t->lines++;
    if (isspace(c))
      in_word = 0;
    else if (!in_word) {
      in_word = 1;
      t->words++;
    }
    if (t->chars >= 2)
      break;
  }
  if (ferror(f)) {
    fclose(f);
    return -1;
  }
  return fclose(f) == 0 ? 0 : -1;
}

static void *worker(void *arg)
{
  (void)arg;
  for (;;) {
    struct totals mine = { 0, 0, 0 };
    pthread_mutex_lock(&lock);
    int i = next_file < nfiles ? next_file++ : -1;
    pthread_mutex_unlock(&lock);
    if (i < 0)
      return NULL;
    int rc = count_file(files[i], &mine);
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    if (rc != 0)
      failed++;
    grand.lines += mine.lines;
    grand.words += mine.words;
    grand.chars += mine.chars;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
  }
}

int main(int argc, char **argv)
{
  pthread_t t[WORKERS];
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE...\n", argv[0]);
    return 2;
  }
  files = argv + 1;
  nfiles = argc - 1;
  if (nfiles > 2)
    nfiles = 2;
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(t[i], NULL);
  assert(grand.words <= grand.chars);
  printf("%lu %lu %lu\n", grand.lines, grand.words, grand.chars);
  return failed ? 1 : 0;
}
