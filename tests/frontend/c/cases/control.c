// Where control goes: switches, loops, jumps, conditions, recursion, the end of the process.
// case 1: safe
// case 2: safe
// case 3: safe
// case 4: safe
// case 5: safe
// case 6: safe
// case 7: safe
// case 8: safe
// case 9: safe
// case 10: safe
// case 11: unsafe
// case 12: unsafe
// case 13: unsafe
// case 14: unsafe
// case 15: safe
// case 16: safe
// case 17: safe
// case 18: unsafe
// case 19: unsafe
// case 20: safe
// case 21: unsafe
// case 22: unsafe
// case 23: safe
// case 24: unsafe
#include <assert.h>
#include <stdlib.h>

static int log_;
static int see(int n) { log_ = log_ * 10 + n; return n; }
static int sorted(int n) {
  int r = 0;
  switch (n) {
    case 1: r += 1;
    case 2: r += 2; break;
    case 5 ... 7: r += 5;
    default: r += 100;
    case 3: r += 3;
  }
  return r;
}
static int early(int n) {
  for (int i = 0; i < 10; i++) {
    if (i == n) return i;
    if (i > 5) goto out;
  }
  return -1;
out:
  return -2;
}
static int is_even(int n);
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int depth(int n) { return n <= 1 ? n : depth(n - 1) + depth(n - 2); }
static void in_the_end(void) { assert(log_ == 12); }
static void fails(void) { assert(0); }

int main(void) {
#if CASE == 1
  assert(sorted(1) == 3 && sorted(2) == 2 && sorted(3) == 3 && sorted(4) == 103 && sorted(6) == 108 && sorted(-1) == 103);
  switch (3) { }
  switch (see(2)) { int skipped; case 2: skipped = 4; assert(skipped == 4); }
  unsigned char c = 200;
  switch (c) { case 200: break; default: assert(0); }
  switch ((signed char)c) { case -56: break; default: assert(0); }
  switch (1ul << 32) { case 0: assert(0); case 1ul << 32: break; default: assert(0); }
#elif CASE == 2
  // continue of a do-while goes to its condition.
  int n = 0, rounds = 0;
  do {
    rounds++;
    if (rounds < 3) continue;
    n = 5;
  } while (rounds < 4 && n == 0);
  assert(rounds == 3 && n == 5);
  do continue; while (rounds++ < 5);
  assert(rounds == 6);
  do {
    if (rounds == 6) break;
    assert(0);
  } while (1);
#elif CASE == 3
  // Jumps into and out of blocks.
  int n = 0;
  goto inside;
  {
    int skipped = 7;
  inside:
    skipped = 1;
    n += skipped;
    if (n < 3) goto inside;
  }
  assert(n == 3);
  for (n = 10; n > 0; n--) {
    for (int k = 0; k < 3; k++) {
      if (n == 8 && k == 1) goto done;
    }
  }
done:
  assert(n == 8 && early(3) == 3 && early(20) == -2);
  n = 0;
again:
  if (++n < 4) goto again;
  assert(n == 4);
#elif CASE == 4
  // && and || look at the right side only where it matters, and give 0 or 1.
  see(0) && see(1);
  see(2) || see(3);
  assert(log_ == 2);
  int v = see(4) && see(5);
  assert(v == 1 && log_ == 245);
  v = 7 || see(6);
  assert(v == 1 && log_ == 245);
  int *p = 0;
  if (p && *p) assert(0);
  if (!p || *p) v = 9;
  assert(v == 9 && (p ? *p : 3) == 3);
  log_ = 0;
  if ((see(1) && see(0)) || (see(2) && !see(0))) see(3);
  assert(log_ == 10203);
#elif CASE == 5
  // The comma, and conditions with effects.
  int a = (see(1), see(2), 3);
  assert(a == 3 && log_ == 12);
  int i, j;
  for (i = 0, j = 10; i < j; i++, j--) continue;
  assert(i == 5 && j == 5);
  int n = 3, s = 0;
  while (n--) s += n;
  assert(s == 3 && n == -1);
  while (s ? s-- : 0) {}
  assert(s == 0);
  a = n < 0 ? see(7), 8 : 9;
  assert(a == 8 && log_ == 127);
#elif CASE == 6
  // Switches inside of loops, loops inside of switches.
  int s = 0;
  for (int i = 0; i < 6; i++) {
    switch (i) {
      case 0: continue;
      case 1: s += 1; break;
      case 2: for (;;) { s += 10; break; }
      case 3: s += 100; break;
      case 4: goto end;
    }
    s += 1000;
  }
end:
  assert(s == 3211);
  int n = 7, copied = 0;
  switch (n % 4) {
    case 0: do { copied++;
    case 3: copied++;
    case 2: copied++;
    case 1: copied++;
    } while ((n -= 4) > 0);
  }
  assert(copied == 7);
#elif CASE == 7
  assert(is_even(6) && !is_odd(6) && depth(6) == 8);
#elif CASE == 8
  // Statement expressions and conditionals without a middle.
  int v = ({ int t = see(3); t * 2; });
  assert(v == 6);
  v = see(0) ?: 5;
  assert(v == 5);
  v = see(4) ?: see(9);
  assert(v == 4 && log_ == 304);
#elif CASE == 9
  // Names that hide others.
  int n = 1;
  {
    int n = 2;
    { n = 3; }
    assert(n == 3);
  }
  for (int n = 5; n < 6; n++) { int n = 9; assert(n == 9); }
  assert(n == 1);
  struct log { int n; } log = {4};
  assert(log.n == 4);
#elif CASE == 10
  atexit(in_the_end);
  see(1);
  see(2);
  exit(0);
  assert(0);
#elif CASE == 11
  assert(sorted(6) == 105);
#elif CASE == 12
  int n = 0;
  do { if (n == 0) continue; n = 1; } while (0);
  assert(n == 1);
#elif CASE == 13
  see(0) && see(1);
  assert(log_ == 1);
#elif CASE == 14
  atexit(fails);
  return 0;
#elif CASE == 15
  // Nobody comes here after the end.
  if (see(1)) _Exit(0);
  assert(0);
#elif CASE == 16
  int i = 0;
  for (;;) {
    if (i++ == 3) break;
    if (i == 2) continue;
    see(i);
  }
  assert(i == 4 && log_ == 13);
  int k;
  for (k = 0; k < 3; k++);
  assert(k == 3);
  while (k-- > 1);
  assert(k == 0);
#elif CASE == 17
  // The order in which C evaluates.
  int a[2] = {0, 0}, i = 0;
  i = i + 1, a[i] = 5;
  assert(a[1] == 5);
  int f = see(1) ? see(2) : see(3);
  assert(log_ == 12 && f == 2);
  i = 0;
  (i++, a[i]) ? see(4) : see(5);
  assert(log_ == 124);
#elif CASE == 18
  int x = 0;
  goto set;
  x = 5;
set:
  assert(x == 5);
#elif CASE == 19
  switch (2) { case 1: break; default: assert(0); case 3: break; }
#elif CASE == 20
  // Conditions of every type.
  unsigned char c = 0;
  char *p = 0;
  _Bool b = 3;
  long l = 1l << 40;
  int hit = 0;
  if (c) assert(0); else hit++;
  if (p) assert(0); else hit++;
  if (b) hit++;
  if (l) hit++;
  if ((int)l) assert(0); else hit++;
  if (!l) assert(0);
  if (main) hit++;
  assert(hit == 6);
#elif CASE == 21
  assert(early(20) == -1);
#elif CASE == 22
  int n = 4;
  while (n --> 0) if (n == 2) break;
  assert(n == 1);
#elif CASE == 23
  // A function that calls itself with its own local objects.
  int rec(int n, int *outer);
  int mine = 1;
  assert(rec(3, &mine) == 6 && mine == 4);
#elif CASE == 24
  int rec(int n, int *outer);
  int mine = 1;
  rec(2, &mine);
  assert(mine == 1);
#endif
  return 0;
}
int rec(int n, int *outer) {
  int local = n;
  if (n == 0) return 0;
  (*outer)++;
  int below = rec(n - 1, outer);
  return below + local;
}
