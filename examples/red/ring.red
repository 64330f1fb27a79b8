// A ring, linked both ways, that processes insert themselves into and delete themselves from, pointer by pointer, under
// a lock.  L is its tail; whoever thinks that it is in a ring must find one.
// expect: safe
// threads: 2..4
process count = 3;
global pointer L, lock;
local pointer next, prev;

mode outside true { when lock == NULL may lock = P; goto insert; }
mode insert true {
  when L == NULL may L = P; goto alone_next;
  when L != NULL may next = L->next; goto insert_prev;
}
mode alone_next true { when true may next = P; goto alone_prev; }
mode alone_prev true { when true may prev = P; goto inserted; }
mode insert_prev true { when true may prev = L; goto insert_after; }
mode insert_after true { when true may prev->next = P; goto insert_before; }
mode insert_before true { when true may next->prev = P; goto insert_tail; }
mode insert_tail true { when true may L = P; goto inserted; }
mode inserted true { when true may lock = NULL; goto inside; }
mode inside true { when lock == NULL may lock = P; goto delete; }
mode delete true {
  when next == P may next = NULL; goto last_prev;
  when next != P and L == P may L = prev; goto delete_after;
  when next != P and L != P may goto delete_after;
}
mode last_prev true { when true may prev = NULL; goto last_tail; }
mode last_tail true { when true may L = NULL; goto deleted; }
mode delete_after true { when true may prev->next = next; goto delete_before; }
mode delete_before true { when true may next->prev = prev; goto delete_next; }
mode delete_next true { when true may next = NULL; goto delete_prev; }
mode delete_prev true { when true may prev = NULL; goto deleted; }
mode deleted true { when true may lock = NULL; goto outside; }

initially (forall i: outside[i] and next[i] == NULL and prev[i] == NULL) and L == NULL and lock == NULL;
safe (exists i: next[i] != NULL) implies L != NULL;
