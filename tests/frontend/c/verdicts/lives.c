// Locals that are used when their block, function or thread has ended, and those that are not.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
int *g; int n;
// case RET --property faults: unsafe, lives no more
// case RET: safe
#ifdef RET
int *f(void) { int x = 5; return &x; }
int main(void) { int *p = f(); n = *p; }
#endif
// case BLOCK --property faults: unsafe, lives no more
#ifdef BLOCK
int main(void) { int *p; { int x = 1; p = &x; } *p = 2; }
#endif
// case BLOCK_IN --property faults: safe
#ifdef BLOCK_IN
int main(void) { int *p; { int x = 1; p = &x; *p = 2; n = *p; } }
#endif
// case LOCKED_BOX_PARAMETER --property faults: safe
#ifdef LOCKED_BOX_PARAMETER
struct box { pthread_mutex_t m; int x; } box;
static void set(int **to) { **to = 1; }
static int add(struct box *b, int *by) { pthread_mutex_lock(&b->m); set(&by); b->x += *by; pthread_mutex_unlock(&b->m); return 0; }
int main(void) { static int v[3]; for (int i = 0; i < 3; i++) add(&box, &v[i]); assert(box.x == 3); }
#endif
// case PARAMETER_KEPT --property faults: unsafe, lives no more
#ifdef PARAMETER_KEPT
int *kept;
static int use(int x) { if (kept) n = *kept; kept = &x; return 0; }
int main(void) { for (int i = 0; i < 2; i++) { use(i); if (i == 1) n = *kept; } }
#endif
// case LOOP --property faults: unsafe, lives no more
#ifdef LOOP
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) *p = 1; int x = 0; p = &x; } }
#endif
// case LOOP_OK --property faults: safe
#ifdef LOOP_OK
int main(void) { for (int i = 0; i < 3; i++) { int x = 0; int *p = &x; *p = 1; n += *p; } }
#endif
// case CONTINUE --property faults: unsafe, lives no more
#ifdef CONTINUE
int main(void) { int *p = 0; for (;;) { if (p) { *p = 1; break; } int x = 0; p = &x; continue; } }
#endif
// case BREAK --property faults: unsafe, lives no more
#ifdef BREAK
int main(void) { int *p = 0; while (1) { int x = 0; p = &x; break; } return *p; }
#endif
// case GOTO_OUT --property faults: unsafe, lives no more
#ifdef GOTO_OUT
int main(void) { int *p = 0; { int x = 0; p = &x; goto out; } out: *p = 1; }
#endif
// case GOTO_BACK --property faults: safe
#ifdef GOTO_BACK
int main(void) { int *p = 0; int k = 0; again:; if (p) *p = 1; int x = 0; p = &x; if (k++ < 2) goto again; }
#endif
// case SWITCH_IN --property faults: safe
#ifdef SWITCH_IN
int main(void) { for (int i = 0; i < 3; i++) switch (i) { int x; case 0: x = 1; int *p = &x; *p = 2; break; case 1: x = 3; p = &x; *p = 4; break; default: ; } }
#endif
// case FOR_VAR --property faults: unsafe, lives no more
#ifdef FOR_VAR
int main(void) { int *p; for (int i = 0; i < 2; i++) p = &i; return *p; }
#endif
// case FOR_VAR_IN --property faults: safe
#ifdef FOR_VAR_IN
int main(void) { int *p; for (int i = 0; i < 2; i++) { p = &i; n += *p; } }
#endif
// case PARAM --property faults: unsafe, lives no more
#ifdef PARAM
int *f(int x) { return &x; }
int main(void) { return *f(3); }
#endif
// case ARRAY --property faults: unsafe, lives no more
#ifdef ARRAY
char *f(void) { char b[4] = "abc"; char *p = b; return p; }
int main(void) { return strlen(f()); }
#endif
// case STATIC_ARRAY --property faults: safe
#ifdef STATIC_ARRAY
char *f(void) { static char b[4] = "abc"; return b; }
int main(void) { return strlen(f()); }
#endif
// case MEMBER --property faults: unsafe, lives no more
#ifdef MEMBER
struct s { int a, b; };
int *f(void) { struct s x = {1, 2}; return &x.b; }
int main(void) { return *f(); }
#endif
// case LITERAL --property faults: unsafe, lives no more
#ifdef LITERAL
int main(void) { int *p; { p = (int[]){1, 2}; } return p[1]; }
#endif
// case LITERAL_IN --property faults: safe
#ifdef LITERAL_IN
int main(void) { int *p; { p = (int[]){1, 2}; n = p[1]; } for (int i = 0; i < 2; i++) { p = (int[]){i}; n += *p; } }
#endif
// case HEAP_KEEPS --property faults: unsafe, lives no more
#ifdef HEAP_KEEPS
struct s { int *p; };
void f(struct s *s) { int x = 1; s->p = &x; }
int main(void) { struct s *s = malloc(sizeof *s); f(s); return *s->p; }
#endif
// case GLOBAL_KEEPS --property faults: unsafe, lives no more
#ifdef GLOBAL_KEEPS
void f(void) { int x = 1; g = &x; }
int main(void) { f(); return *g; }
#endif
// case GLOBAL_CLEARED --property faults: safe
#ifdef GLOBAL_CLEARED
void f(void) { int x = 1; g = &x; n = *g; g = 0; }
int main(void) { f(); f(); if (g) return *g; }
#endif
// case THREAD_RESULT --property faults: unsafe, lives no more
#ifdef THREAD_RESULT
void *t(void *a) { int x = 1; return &x; }
int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0); pthread_join(p, &r); return *(int *)r; }
#endif
// case THREAD_ARG --property faults: unsafe, lives no more
#ifdef THREAD_ARG
void *t(void *a) { return (void *)(long)*(int *)a; }
void start(void) { int x = 1; pthread_t p; pthread_create(&p, 0, t, &x); }
int main(void) { start(); pthread_exit(0); }
#endif
// case THREAD_ARG_JOINED --property faults: safe
#ifdef THREAD_ARG_JOINED
void *t(void *a) { return (void *)(long)*(int *)a; }
void start(void) { int x = 1; pthread_t p; pthread_create(&p, 0, t, &x); pthread_join(p, 0); }
int main(void) { start(); start(); pthread_exit(0); }
#endif
// case MAIN_EXITS --property faults: unsafe, lives no more
#ifdef MAIN_EXITS
void *t(void *a) { n = *(int *)a; return 0; }
int main(void) { int x = 1; pthread_t p; pthread_create(&p, 0, t, &x); pthread_exit(0); }
#endif
// case MAIN_STAYS --property faults: safe
#ifdef MAIN_STAYS
void *t(void *a) { n = *(int *)a; return 0; }
int main(void) { int x = 1; pthread_t p; pthread_create(&p, 0, t, &x); pthread_join(p, 0); }
#endif
// case MANY --property faults: unsafe, lives no more
#ifdef MANY
int *slot;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { int x = 1; pthread_mutex_lock(&m); if (slot) *slot = 2; slot = &x; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_join(p, 0); pthread_join(q, 0); }
#endif
// case MANY_OK --property faults: safe
#ifdef MANY_OK
int *slot;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { int x = 1; pthread_mutex_lock(&m); if (slot) *slot = 2; slot = &x; *slot = 3; slot = 0; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0); pthread_join(p, 0); pthread_join(q, 0); }
#endif
// case JUMP --property faults: unsafe, lives no more
#ifdef JUMP
jmp_buf b;
void f(void) { int x = 1; g = &x; longjmp(b, 1); }
int main(void) { if (setjmp(b) == 0) f(); return *g; }
#endif
// case STATEMENT_EXPRESSION --property faults: unsafe, lives no more
#ifdef STATEMENT_EXPRESSION
int main(void) { int *p = ({ int x = 1; &x; }); return *p; }
#endif
// case STATEMENT_EXPRESSION_OK --property faults: safe
#ifdef STATEMENT_EXPRESSION_OK
int main(void) { int y = ({ int x = 1; int *p = &x; *p = 2; x; }); return y - 2; }
#endif
// case RETURNS_VALUE --property faults: safe
#ifdef RETURNS_VALUE
struct s { int a, b; };
struct s f(void) { struct s x = {1, 2}; struct s *p = &x; p->a = 3; return x; }
int h(void) { int x = 1; int *p = &x; *p = 2; return x; }
int main(void) { struct s y = f(); return y.a + h(); }
#endif
// case RECURSION --property faults: safe
#ifdef RECURSION
int f(int *p, int k) { int x = *p + 1; return k == 0 ? x : f(&x, k - 1); }
int main(void) { int z = 0; return f(&z, 3); }
#endif
// case LIST --property faults: safe
#ifdef LIST
struct node { struct node *next; int v; };
struct node *head;
void push(struct node *x) { x->next = head; head = x; }
struct node *pop(void) { struct node *x = head; if (x) head = x->next; return x; }
void work(void) { struct node a = {0, 1}; push(&a); n += pop()->v; }
int main(void) { work(); work(); }
#endif
// case LIST_LEFT --property faults: unsafe, lives no more
#ifdef LIST_LEFT
struct node { struct node *next; int v; };
struct node *head;
void push(struct node *x) { x->next = head; head = x; }
void work(void) { struct node a = {0, 1}; push(&a); }
int main(void) { work(); n = head->v; }
#endif
// case QUEUE --property faults: safe
#ifdef QUEUE
struct job { int done, v; };
struct job *job;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); while (!job) pthread_cond_wait(&c, &m); job->v++; job->done = 1; job = 0; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); return 0; }
void run(void) { struct job j = {0, 1}; pthread_mutex_lock(&m); job = &j; pthread_cond_broadcast(&c); while (!j.done) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); run(); pthread_join(p, 0); }
#endif
// case QUEUE_BAD --property faults: unsafe, lives no more
#ifdef QUEUE_BAD
struct job { int done, v; };
struct job *job;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t(void *a) { struct job *mine; pthread_mutex_lock(&m); while (!job) pthread_cond_wait(&c, &m); mine = job; mine->done = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); mine->v = 3; return 0; }
void run(void) { struct job j = {0, 1}; pthread_mutex_lock(&m); job = &j; pthread_cond_broadcast(&c); while (!j.done) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); run(); pthread_join(p, 0); }
#endif
// case CLEANUP_ATTRIBUTE --property faults: safe
#ifdef CLEANUP_ATTRIBUTE
void done(int *p) { n += *p; }
int main(void) { for (int i = 0; i < 2; i++) { __attribute__((cleanup(done))) int x = 1; if (i) continue; x = 2; } return n; }
#endif
// case CLEANUP_HANDLER --property faults: safe
#ifdef CLEANUP_HANDLER
void done(void *p) { n += *(int *)p; }
void *t(void *a) { int x = 1; pthread_cleanup_push(done, &x); pthread_exit(0); pthread_cleanup_pop(0); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); }
#endif
// case KEY --property faults: unsafe, lives no more
#ifdef KEY
pthread_key_t k;
void done(void *p) { n += *(int *)p; }
void *t(void *a) { int x = 1; pthread_setspecific(k, &x); return 0; }
int main(void) { pthread_t p; pthread_key_create(&k, done); pthread_create(&p, 0, t, 0); pthread_join(p, 0); }
#endif
// case TERNARY --property faults: unsafe
#ifdef TERNARY
int *f(int c) { int x = 1; static int y; return c ? &x : &y; }
int __VERIFIER_nondet_int(void);
int main(void) { return *f(__VERIFIER_nondet_int()); }
#endif
// case SECOND_LIFE --property faults: safe
#ifdef SECOND_LIFE
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = 0; if (p) *p = 1; p = &x; } }
#endif
// case LENGTH_AFTER_END --property faults: safe
#ifdef LENGTH_AFTER_END
int main(void) { int k = 2, *p; { int x[k]; p = x; } *p = 1; }
#endif
// case PARAMETER_LOOP --property faults: safe
#ifdef PARAMETER_LOOP
void add(int *p) { *p += 1; }
int f(int x) { add(&x); return x; }
int main(void) { for (int i = 0; i < 3; i++) n += f(i); }
#endif
// case PARAMETER_MEMBER --property faults: safe
#ifdef PARAMETER_MEMBER
struct pool { pthread_mutex_t lock; int n, last[2]; };
void count(struct pool *p, int by) { pthread_mutex_lock(&p->lock); p->n += by; int *l = &p->last[1]; *l = by; pthread_mutex_unlock(&p->lock); }
int main(void) { struct pool *p = calloc(1, sizeof *p); for (int i = 0; i < 3; i++) count(p, i); assert(p->n == 3 && p->last[1] == 2); }
#endif
// case PARAMETER_RECORD --property faults: safe
#ifdef PARAMETER_RECORD
struct pair { int a, b; };
int *larger(struct pair *p) { return p->a > p->b ? &p->a : &p->b; }
int top(struct pair p) { return *larger(&p); }
int main(void) { struct pair p = {1, 2}; for (int i = 0; i < 3; i++) { p.a += i; n += top(p); } assert(n == 2 + 2 + 4); }
#endif
// case PARAMETER_RECURSION --property faults: safe
#ifdef PARAMETER_RECURSION
void add(int *p) { n += *p; }
void down(int x) { if (x == 0) return; down(x - 1); add(&x); }
int main(void) { down(2); down(3); assert(n == 3 + 6); }
#endif
// case PARAMETER_LEFT --property faults: unsafe, lives no more
#ifdef PARAMETER_LEFT
void f(int x) { g = &x; }
int main(void) { f(1); return *g; }
#endif
// case PARAMETER_AGAIN --property faults: unsafe, lives no more
#ifdef PARAMETER_AGAIN
void f(int x) { g = &x; }
int main(void) { static int y = 1; g = &y; for (int i = 0; i < 2; i++) f(*g); }
#endif
