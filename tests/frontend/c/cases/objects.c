// Structs, unions, arrays of arrays, initialisers, compound literals, texts, static objects.
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
// case 11: safe
// case 12: safe
// case 13: safe
// case 14: safe
// case 15: safe
// case 16: unsafe
// case 17: unsafe
// case 18: unsafe
// case 19: unsafe --property faults
// case 20: unsafe --property faults
// case 21: unsafe --property faults
// case 22: safe --property faults
// case 23: unsafe --property faults
// case 24: unsafe --property faults not native
// case 25: unsafe --property faults not native
// case 26: unsafe --property faults not native
// case 27: unsafe --property faults not native
// case 29: unsafe --property faults
// case 30: unsafe --property faults not native
// case 31: safe
// case 32: safe
// case 33: unsafe --property faults
// case 34: safe
// case 35: safe
// case 36: safe --property faults
// case 37: unsafe --property faults not native
// case 38: unsafe --property faults not native
// case 39: safe
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };
struct nest { struct pair p[2]; char tag; struct { int deep; } in; };
union value { int i; unsigned u; unsigned char c[4]; struct { short lo, hi; } h; };
struct node { struct node *next; int v; };

static struct pair make(int a, int b) { return (struct pair){a, b}; }
static struct pair swap(struct pair p) { int t = p.a; p.a = p.b; p.b = t; return p; }
static struct nest grown(struct nest n) { n.p[1].b++; n.in.deep = 9; return n; }
static int counter(void) { static int calls = 10; return calls++; }
static int *own(void) { static int value; return &value; }
static int sum(int n, const int *v) { int s = 0; while (n-- > 0) s += v[n]; return s; }
static const char *name(int n) { return n ? "one" : "zero"; }

int main(void) {
#if CASE == 1
  // Structs are values.
  struct pair p = {1, 2}, q = p;
  q.a = 5;
  assert(p.a == 1 && q.a == 5 && q.b == 2);
  q = swap(p);
  assert(p.a == 1 && q.a == 2 && q.b == 1 && swap(q).a == 1 && make(7, 8).b == 8);
  struct pair r[2] = {{1, 2}, {3, 4}};
  r[0] = r[1];
  r[1].a = 9;
  assert(r[0].a == 3 && r[1].a == 9);
  struct pair *at = &r[0];
  *at = make(at->b, at->a);
  assert(r[0].a == 4 && r[0].b == 3);
#elif CASE == 2
  struct nest n = {.p = {[1] = {.b = 4}}, .tag = 'x'};
  struct nest m = grown(n);
  assert(n.p[1].b == 4 && m.p[1].b == 5 && m.in.deep == 9 && n.in.deep == 0 && m.tag == 'x');
  struct nest *q = &m;
  struct pair *inner = &q->p[1];
  inner->a = 3;
  assert(m.p[1].a == 3 && grown(*q).p[1].a == 3 && (&m.in)->deep == 9);
  m = n;
  assert(inner->a == 0);
#elif CASE == 3
  // Designators.
  int a[6] = {[4] = 40, 50, [1] = 10, 20};
  assert(a[0] == 0 && a[1] == 10 && a[2] == 20 && a[3] == 0 && a[4] == 40 && a[5] == 50);
  struct nest n = {.in.deep = 3, .p[0].b = 2, .p[1] = {5}};
  assert(n.in.deep == 3 && n.p[0].b == 2 && n.p[0].a == 0 && n.p[1].a == 5 && n.p[1].b == 0 && n.tag == 0);
  int b[] = {[2] = 1};
  assert(sizeof b == 12);
  int c[3] = {1, [0] = 7};
  assert(c[0] == 7 && c[1] == 0);
  int d[2][3] = {{1}, [1][2] = 6};
  assert(d[0][0] == 1 && d[0][1] == 0 && d[1][0] == 0 && d[1][2] == 6);
  int e[2][2] = {1, 2, 3};
  assert(e[0][1] == 2 && e[1][0] == 3 && e[1][1] == 0);
#elif CASE == 4
  // Compound literals.
  int *p = (int[]){1, 2, 3};
  p[1] = 7;
  assert(sum(3, p) == 11 && sum(2, (int[]){4, 5}) == 9);
  struct pair *q = &(struct pair){.b = 3};
  q->a++;
  assert(q->a == 1 && q->b == 3);
  assert(((struct pair){1, 2}).b == 2);
  for (int i = 0; i < 2; i++) {
    int *r = &(int){i};
    assert(*r == i);
    *r = 10;
  }
#elif CASE == 5
  // Unions.
  union value v = {0x01020304};
  assert(v.u == 0x01020304u && v.c[0] == 4 && v.c[3] == 1 && v.h.lo == 0x0304 && v.h.hi == 0x0102);
  v.c[1] = 0xff;
  assert(v.i == 0x0102ff04 && v.h.lo == (short)0xff04);
  v.h.hi = -1;
  assert(v.i == (int)0xffffff04 && v.i < 0);
  union value w = v;
  w.c[0] = 0;
  assert(v.c[0] == 4 && w.i == (int)0xffffff00);
  union { char c; int i; } fresh = {.c = 1};
  assert(fresh.c == 1);
#elif CASE == 6
  // Arrays of arrays.
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int(*row)[3] = grid;
  assert(row[1][2] == 6 && (*(row + 1))[0] == 4 && *(*(grid + 1) + 1) == 5 && sizeof grid[0] == 12 && sizeof *row == 12);
  int *flat = &grid[0][0];
  assert(flat[2] == 3 && &grid[1][0] - flat == 3 && (char *)(row + 1) - (char *)row == 12);
  row++;
  (*row)[1] = 50;
  assert(grid[1][1] == 50);
  int cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  assert(cube[1][0][1] == 6 && *cube[1][1] == 7 && **cube[1] == 5);
  int *rows[2] = {grid[1], grid[0]};
  assert(rows[0][0] == 4 && rows[1][2] == 3);
#elif CASE == 7
  // Static objects keep their values; their initialisers happen once.
  assert(counter() == 10 && counter() == 11);
  *own() = 5;
  assert(*own() == 5);
  for (int i = 0; i < 3; i++) {
    static int kept = 1;
    int fresh = 1;
    kept++;
    fresh++;
    assert(kept == i + 2 && fresh == 2);
  }
#elif CASE == 8
  // Texts.
  char a[] = "abc", b[5] = "ab", c[3] = "xyz";
  const char *p = "abc";
  assert(sizeof a == 4 && a[3] == 0 && b[2] == 0 && b[4] == 0 && c[2] == 'z' && sizeof "hello" == 6 && sizeof c == 3);
  a[0] = 'A';
  assert(p[0] == 'a' && "abc"[1] == 'b' && *("abc" + 2) == 'c' && 1["abc"] == 'b');
  assert(strcmp(name(1), "one") == 0 && name(0)[0] == 'z' && strlen("a\0b") == 1 && sizeof "a\0b" == 4);
  const char *words[] = {"x", "yy", 0};
  int n = 0;
  for (const char **w = words; *w; w++) n += strlen(*w);
  assert(n == 3 && "con" "cat"[3] == 'c');
  char grid[2][4] = {"ab", "cde"};
  assert(grid[1][2] == 'e' && grid[0][3] == 0 && strcmp(grid[0], "ab") == 0);
#elif CASE == 9
  // Pointers to pointers, lists, pointers to members.
  struct node third = {0, 3}, second = {&third, 2}, first = {&second, 1}, *list = &first;
  int s = 0;
  for (struct node *n = list; n; n = n->next) s = s * 10 + n->v;
  assert(s == 123);
  struct node **at = &list;
  while (*at && (*at)->v != 2) at = &(*at)->next;
  *at = (*at)->next;
  assert(first.next == &third && list->next->v == 3);
  struct node *reversed = 0;
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  assert(reversed == &third && reversed->next == &first && !first.next);
  int *v = &first.v;
  struct node *back = (struct node *)((char *)v - offsetof(struct node, v));
  assert(back == &first && back->v == 1);
#elif CASE == 10
  // Copies of memory keep the bytes.
  struct pair p = {1, 2}, q;
  memcpy(&q, &p, sizeof p);
  assert(q.b == 2);
  int n = 0x01020304;
  unsigned char bytes[4];
  memcpy(bytes, &n, 4);
  assert(bytes[0] == 4 && bytes[3] == 1);
  bytes[0] = 0xff;
  memcpy(&n, bytes, 4);
  assert(n == 0x010203ff);
  memmove(bytes + 1, bytes, 3);
  assert(bytes[1] == 0xff && bytes[3] == 2);
  long l = -1;
  memset(&l, 0, 4);
  assert(l == (long)0xffffffff00000000);
  memset(&p, 0xff, sizeof p);
  assert(p.a == -1 && memcmp(&p, &p.b, 4) == 0);
  short halves[2];
  memcpy(halves, &n, sizeof n);
  assert(halves[1] == 0x0102);
#elif CASE == 11
  // Allocated memory of odd sizes.
  char *p = malloc(7);
  for (int i = 0; i < 7; i++) p[i] = i;
  int n;
  memcpy(&n, p + 3, 4);
  assert(n == 0x06050403);
  free(p);
  struct pair *q = calloc(3, sizeof *q);
  q[2].b = 4;
  assert(q[0].a == 0 && (q + 2)->b == 4);
  free(q);
  struct { int n; char rest[]; } *r = malloc(sizeof *r + 3);
  r->n = 3;
  memcpy(r->rest, "ab", 3);
  assert(strlen(r->rest) == 2 && r->n == 3);
  free(r);
  int(*grid)[2] = malloc(2 * sizeof *grid);
  grid[1][1] = 5;
  assert(((int *)grid)[3] == 5);
  free(grid);
#elif CASE == 12
  // Arrays of variable length.
  int n = 3;
  int v[n];
  for (int i = 0; i < n; i++) v[i] = i * i;
  assert(sizeof v == 12 && v[2] == 4);
  n = 5;
  assert(sizeof v == 12);
  v[1] = 7;
  assert(sum(n - 2, v) == 11);
#elif CASE == 39
  // The address of an array of variable length is that of its first element.
  int n = 3, v[n];
  v[2] = 4;
  void *all = &v;
  assert(all == (void *)v && ((int *)&v)[2] == 4);
#elif CASE == 13
  // Structs with pointers, arrays and functions in them.
  struct table { int (*f)(int, const int *); int v[3]; struct table *self; } t = {sum, {1, 2, 3}, 0};
  t.self = &t;
  struct table u = t;
  u.v[0] = 10;
  assert(t.f(3, t.v) == 6 && u.f(3, u.v) == 15 && u.self == &t && (*t.self->f)(1, u.v) == 10);
  int (*functions[2])(int, const int *) = {sum, t.f};
  assert(functions[1] == sum && functions[0](2, t.v) == 3);
#elif CASE == 14
  // Anonymous members, flexible order, padding.
  struct { int kind; union { int number; char letter; }; struct { short x, y; }; } s = {1, {.letter = 'q'}, {3, 4}};
  assert(s.letter == 'q' && s.y == 4);
  s.number = 0x141;
  assert(s.letter == 'A');
  struct { char a; int b; char c; } padded;
  assert(sizeof padded == 12 && (char *)&padded.c - (char *)&padded == 8);
  struct { char a; int b; } __attribute__((packed)) tight = {1, 2};
  assert(sizeof tight == 5 && tight.b == 2);
#elif CASE == 15
  // Qualified and volatile objects are objects.
  const int c = 4;
  const int *p = &c;
  volatile int v = 1;
  v = v + v;
  volatile int *q = &v;
  (*q)++;
  int *const fixed = (int[]){1};
  *fixed = 6;
  static const int table[] = {1, [3] = 9};
  assert(*p == 4 && v == 3 && *fixed == 6 && table[3] == 9 && table[2] == 0);
  register int r = 5;
  assert(r == 5);
#elif CASE == 16
  struct pair p = {1, 2};
  swap(p);
  assert(p.a == 2);
#elif CASE == 17
  int e[2][2] = {1, 2, 3};
  assert(e[1][0] == 2);
#elif CASE == 18
  union value v = {1};
  v.c[3] = 0x80;
  assert(v.i > 0);
#elif CASE == 19
  int a[3], *p = a + 3;
  return *p;
#elif CASE == 20
  int grid[2][3] = {0};
  int i = 2;
  return grid[i][0];
#elif CASE == 21
  struct pair *p = malloc(sizeof(int));
  p->a = 1;
  p->b = 2;
#elif CASE == 22
  int a[3] = {0}, *end = a + 3, s = 0;
  for (int *p = a; p != end; p++) s += *p;
  int *last = end - 1;
  return s + *last + (int)sizeof end[0];
#elif CASE == 23
  int *p = malloc(4);
  *p = 1;
  free(p);
  free(p);
#elif CASE == 24
  int x = 1, *p = &x;
  free(p);
#elif CASE == 25
  char *p = malloc(4);
  free(p + 1);
#elif CASE == 26
  char *p = "abc";
  free(p);
#elif CASE == 27
  const int c = 1;
  int *p = (int *)&c;
  *p = 2;
#elif CASE == 29
  int *p = malloc(8), *q;
  p[1] = 2;
  q = realloc(p, 4);
  q[1] = 3;
  free(q);
#elif CASE == 30
  int *p = malloc(4), *q = realloc(p, 64);
  *p = 1;
  free(q);
#elif CASE == 31
  // Which of the members, which of the elements: decided when the program runs.
  struct pair p[2] = {{1, 2}, {3, 4}};
  for (int i = 0; i < 2; i++) {
    int *m[] = {&p[i].a, &p[i].b};
    for (int j = 0; j < 2; j++) *m[j] += 10 * i + j;
  }
  assert(p[0].a == 1 && p[0].b == 3 && p[1].a == 13 && p[1].b == 15);
#elif CASE == 32
  // An assignment of structs that overlap in the source, and one to itself.
  struct pair r[3] = {{1, 2}, {3, 4}, {5, 6}};
  for (int i = 0; i < 2; i++) r[i] = r[i + 1];
  r[1] = r[1];
  struct nest n = {{{1, 2}, {3, 4}}};
  n.p[0] = n.p[1];
  assert(r[0].a == 3 && r[1].b == 6 && r[2].a == 5 && n.p[0].b == 4);
#elif CASE == 33
  struct node n = {0, 1};
  return n.next->v;
#elif CASE == 34
  // Values that go through memory of another type.
  unsigned u = 7;
  unsigned char store[8];
  memcpy(store + 2, &u, 4);
  unsigned back;
  memcpy(&back, store + 2, 4);
  struct { unsigned char c; unsigned n; } s;
  memset(&s, 0, sizeof s);
  *((unsigned char *)&s + 5) = 1;
  assert(back == 7 && s.n == 256);
#elif CASE == 35
  // Every bit-field has its own bits of the bytes.
  struct { unsigned a : 3; int b : 4; unsigned c : 9; } s;
  memset(&s, 0xa6, sizeof s);
  assert(s.a == 6 && s.b == 4 && s.c == 0x14d);
  memset(&s, 2, sizeof s);
  assert(s.a == 2 && s.b == 0 && s.c == 4);
#elif CASE == 36
  // Constants may be initialised, by calls too, in each round of a loop.
  for (int i = 0; i < 2; i++) {
    const struct pair p = make(i, 2);
    const int n = p.a + counter(), v[2] = {n, i};
    assert(v[1] == p.a && n == 10 + 2 * i);
  }
#elif CASE == 37
  const int v[2] = {1, 2};
  memset((void *)v, 0, sizeof v);
#elif CASE == 38
  const struct pair p = make(1, 2);
  struct pair *q = (struct pair *)&p;
  q->b = 3;
#endif
  return 0;
}
