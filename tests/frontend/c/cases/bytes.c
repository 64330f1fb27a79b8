// Memory is bytes: objects are looked at as other types, and several share one allocation.
// case 1: safe
// case 2: safe --property faults
// case 3: safe
// case 4: safe --property faults
// case 5: unsafe --property faults
// case 6: safe
// case 7: safe --property faults
// case 8: unsafe --property faults
// case 9: safe
// case 10: safe
// case 11: safe
// case 12: safe
// case 13: safe
// case 14: safe
// case 15: safe
// case 16: unsafe
// case 18: safe
// case 19: safe
// case 20: unsafe --property faults
// case 21: safe
// case 22: safe
// case 23: safe
// case 24: safe
// case 25: safe
// case 26: safe
// case 27: unsafe --property faults
// case 28: unsafe --property faults
// case 29: unknown
// case 30: unknown
// case 31: safe
// case 32: unsafe --property faults
// case 33: safe
// case 34: safe
// case 35: safe --property races
// case 36: unsafe --property races
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct head { struct head *next; int size; };
struct flexible { int count; int data[]; };
struct text { short length; char data[]; };
struct link { struct link *next; };
struct item { int value; struct link link; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
static const char *word = "word";

#if CASE == 1 || CASE == 2
int main(void) { struct head *h = malloc(sizeof *h + 8); h->size = 8; int *data = (int *)(h + 1); data[0] = 5; data[1] = 6; assert(data[0] + data[1] == 11 && h->size == 8); free(h); }
#elif CASE == 3 || CASE == 4
int main(void) { int n = sizeof(struct head) + strlen(word) + 1; struct head *h = malloc(n); char *t = (char *)h + sizeof *h; strcpy(t, word); h->next = 0; assert(t[3] == 'd' && h->next == 0); free(h); }
#elif CASE == 5
int main(void) { int n = sizeof(struct head) + strlen(word); struct head *h = malloc(n); char *t = (char *)(h + 1); strcpy(t, word); free(h); }
#elif CASE == 6 || CASE == 7
int main(void) { int n = 3; struct flexible *f = malloc(sizeof *f + n * sizeof(int)); f->count = n; for (int i = 0; i < n; i++) f->data[i] = i + 1; assert(f->data[2] == 3 && f->count == 3); free(f); }
#elif CASE == 8
int main(void) { struct flexible *f = malloc(sizeof *f + 2 * sizeof(int)); f->data[2] = 1; free(f); }
#elif CASE == 9
int main(void) { struct text *t = malloc(sizeof *t + 6); t->length = 5; memcpy(t->data, "hello", 6); assert(t->data[4] == 'o' && t->data[5] == 0 && t->length == 5); free(t); }
#elif CASE == 10
int main(void) { struct item i = {7, {0}}; struct link *l = &i.link; assert(container_of(l, struct item, link)->value == 7); }
#elif CASE == 11
int main(void) { struct item *i = malloc(sizeof *i); i->value = 3; i->link.next = &i->link; assert(container_of(i->link.next, struct item, link)->value == 3); free(i); }
#elif CASE == 12
union number { int whole; unsigned char bytes[4]; short halves[2]; };
int main(void) { union number u; u.whole = 0x01020304; assert(u.bytes[0] == 4 && u.halves[1] == 0x0102); u.bytes[3] = 0x7f; assert(u.whole == 0x7f020304); }
#elif CASE == 13
int main(void) { int a[2] = {1, 2}; long long l; memcpy(&l, a, sizeof l); assert(l == 0x200000001LL); }
#elif CASE == 14
int main(void) { char *b = malloc(16); *(int *)(b + 4) = 0x11223344; assert(b[4] == 0x44 && b[7] == 0x11); *(long *)(b + 8) = -1; assert(*(int *)(b + 12) == -1); free(b); }
#elif CASE == 15
struct a { int x; char c; }; struct b { char d[8]; };
int main(void) { struct a a = {0x01020304, 9}; struct b b; memcpy(&b, &a, sizeof b); assert(b.d[0] == 4 && b.d[3] == 1 && b.d[4] == 9); }
#elif CASE == 16
int main(void) { char *b = malloc(8); *(int *)b = 1; *(int *)(b + 4) = 2; assert(*(long *)b == 1); free(b); }
#elif CASE == 18
int main(void) { int x = 5; uintptr_t n = (uintptr_t)&x; *(int *)n = 6; assert(x == 6); n += 4; n -= 4; *(int *)n += 1; assert(x == 7); }
#elif CASE == 19
struct __attribute__((packed)) tight { char c; int n; short s; };
int main(void) { struct tight t = {1, 2, 3}; unsigned char raw[sizeof t]; memcpy(raw, &t, sizeof t); assert(sizeof t == 7 && raw[1] == 2 && raw[5] == 3); t.n = -1; assert(t.c == 1 && t.s == 3); }
#elif CASE == 20
int main(void) { struct head *h = malloc(sizeof *h + 8); int *data = (int *)(h + 1); data[2] = 5; free(h); }
#elif CASE == 21
int main(void) { int a[4] = {1, 2, 3, 4}, x; memcpy(&x, (char *)a + 2, 4); assert(x == 0x00020000); }
#elif CASE == 22
struct node { int kind; union { int number; struct node *child; } u; };
int main(void) { struct node leaf = {1, {.number = 4}}, root = {2, {.child = &leaf}}; assert(root.u.child->u.number == 4); root.u.number = 9; assert(root.u.number == 9); }
#elif CASE == 23
int main(void) { long long l = 0x0102030405060708LL; short *s = (short *)&l; assert(s[0] == 0x0708 && s[3] == 0x0102); s[1] = 0; assert(l == 0x0102030400000708LL); }
#elif CASE == 24
int main(void) { void **slots = malloc(3 * sizeof *slots); int x = 1; slots[2] = &x; *(int *)slots[2] = 4; assert(x == 4); free(slots); }
#elif CASE == 25
int main(void) { int *keep = malloc(2 * sizeof(int)), x = 3; int **p = (int **)keep; *p = &x; assert(**p == 3); **p = 4; assert(x == 4); free(keep); }
#elif CASE == 26
struct pair { int a, b; };
int main(void) { struct pair p = {1, 2}; long both = *(long *)&p; assert(both == 0x200000001L); *(long *)&p = 0x400000003L; assert(p.a == 3 && p.b == 4); }
#elif CASE == 27
int main(void) { char *s = "abc"; s[0] = 'x'; }
#elif CASE == 28
static const int fixed = 3;
int main(void) { *(int *)&fixed = 4; }
#elif CASE == 29
struct bits { unsigned a : 4, b : 4; };
int main(void) { struct bits s = {3, 5}; assert(*(unsigned char *)&s == 0x53); }
#elif CASE == 30
union view { struct { unsigned a : 4, b : 4; } s; unsigned char raw; };
int main(void) { union view v; v.raw = 0x53; assert(v.s.a == 3 && v.s.b == 5); }
#elif CASE == 31
struct bits { unsigned a : 3; int b : 4; };
int main(void) { struct bits s = {9, 15}; assert(s.a == 1 && s.b == -1); struct bits t = s; assert(t.a == 1); }
#elif CASE == 32
int main(void) { for (int i = 0; i < 2; i++) { int *p = malloc(sizeof *p); p[1] = 0; } }
#elif CASE == 33
int main(void) { unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8}; unsigned n = 0; for (int i = 0; i < 4; i++) n |= (unsigned)b[i] << 8 * i; assert(n == *(unsigned *)b); }
#elif CASE == 34
int main(void) { struct head *h = calloc(1, sizeof *h + 16); char *t = (char *)(h + 1); assert(t[0] == 0 && t[15] == 0 && h->next == 0); long *l = (long *)(h + 1); l[1] = 7; assert(t[8] == 7 && l[0] == 0); free(h); }
#elif CASE == 35
union { int i; char c[4]; } u;
void *work(void *p) { u.c[2] = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); u.c[1] = 3; pthread_join(t, 0); return u.i; }
#elif CASE == 36
union { int i; char c[4]; } u;
void *work(void *p) { u.c[2] = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); u.i = 3; pthread_join(t, 0); }
#endif
