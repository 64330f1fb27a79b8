// `--interleave=statement`: a full expression, or a declaration with its initialiser, is a step, and two are never one.
// case 1: unsafe --interleave=statement
// case 2: safe --interleave=statement
// case 3: unsafe --interleave=statement
// case 4: unsafe --interleave=statement
// case 5: unsafe --interleave=statement
// case 6: unsafe --interleave=statement
// case 7: safe --interleave=statement
// case 8: unsafe --interleave=statement
// case 9: unsafe --interleave=statement
// case 10: unsafe --interleave=statement
// case 11: safe --interleave=statement
#include <assert.h>
#include <pthread.h>

int x, y;
static int get(void) { return x; }
static void set(int n) { x = n; }

void *work(void *p) {
#if CASE == 1
  int t = x; x = t + 1;
#elif CASE == 2
  x = x + 1;
#elif CASE == 3
  int t; t = x; t++; x = t;
#elif CASE == 4
  set(get() + 1);
#elif CASE == 5
  x = ({ int t = x; t + 1; });
#elif CASE == 6
  int t = x, u = t + 1; x = u;
#elif CASE == 7
  x++;
#elif CASE == 8
  if (x == 0) x = 1; else x = 2;
#elif CASE == 9
  for (int t = x; ; ) { x = t + 1; break; }
#elif CASE == 10
  switch (x) { case 0: x = 1; break; default: x = 2; }
#elif CASE == 11
  x += 1, y += 1;
#endif
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
