// Odd programs: each gets an answer.
// case 1: safe
// case 2: safe
// case 3: unknown
// case 4: safe
// case 5: safe
// case 6: safe
// case 7: safe
// case 8: safe
// case 9: safe
// case 10: unknown
// case 11: safe
// case 12: safe
// case 13: safe
// case 14: unknown
// case 15: safe
// case 16: safe
// case 17: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if CASE == 2
#include <emmintrin.h>
#endif

typedef long long two __attribute__((vector_size(16)));

#if CASE == 1
two pair(long long a) { return (two){a, a}; }
int main(void) { return 0; }
#elif CASE == 2
int main(void) { int x = 1; assert(x == 1); }
#elif CASE == 3
int main(void) { two v = {1, 2}; assert(v[0] == 1); }
#elif CASE == 4
int main(void) { unsigned char c = 200; assert(c != 300 && c != -1 && c < 300); }
#elif CASE == 5
enum big { huge = 0x7fffffffffffffffLL, least = -1 };
int main(void) { enum big b = huge; unsigned long u = 0xffffffffffffffffUL; assert(b > 5 && u > 5 && u + 1 == 0); }
#elif CASE == 6
int main(void) { switch ((unsigned char)200) { case 200: break; default: assert(0); } unsigned u = 4000000000u; switch (u) { case 4000000000u: break; default: assert(0); } }
#elif CASE == 7
int main(void) { __int128 q = 1; q <<= 100; assert((q >> 98) == 4); }
#elif CASE == 8
int main(void) { malloc(8); void *p = malloc(0); free(p); char *q = malloc(1); q[0] = 1; assert(q[0] == 1); free(q); }
#elif CASE == 9
struct empty {};
int main(void) { struct empty e, f; e = f; struct empty *p = malloc(sizeof *p); free(p); }
#elif CASE == 10
int main(void) { char *p = malloc((size_t)-1); if (p) p[0] = 1; assert(p == 0); }
#elif CASE == 11
struct list { struct list *next; } *head;
int main(void) { for (int i = 0; i < 2; i++) { struct list *n = malloc(sizeof *n); n->next = head; head = n; } int k = 0; while (head) { struct list *n = head->next; free(head); head = n; k++; } assert(k == 2); }
#elif CASE == 12
static void *table[2]; static void *make(size_t n) { return malloc(n); }
int main(void) { table[0] = make(4); table[1] = make(8); *(int *)table[0] = 1; *(long *)table[1] = 2; assert(*(int *)table[0] == 1 && *(long *)table[1] == 2); }
#elif CASE == 13
int main(void) { int n = 3; int a[n]; for (int i = 0; i < n; i++) a[i] = i; assert(a[2] == 2 && sizeof a == 12); int *p = (int[]){4, 5}; assert(p[1] == 5); }
#elif CASE == 14
char big[1 << 30];
int main(void) { big[5] = 1; int i = big[5]; assert(big[i] == 0); }
#elif CASE == 15
int main(void) { const char *a = "x", *b = a; int k = b - a; assert(k == 0 && a[k] == 'x'); int *n = NULL; assert(n == 0 && !n); }
#elif CASE == 16
int main(void) { double d = 1.5; assert(d > 1); }
#elif CASE == 17
typedef struct node { struct node *link[2]; } node;
int main(void) { node a, b = {{&a, 0}}; a = b; assert(a.link[0] == &a && b.link[1] == 0); }
#endif
