// The MCS lock for machines without compare-and-swap: a process that leaves swaps the tail out and, if others have
// queued up meanwhile, swaps it back; who slipped in between, the usurper, gets the rest of the queue behind it.
// expect: safe
// threads: 2..4
process count = 2;
global pointer L;
local pointer next, prev, tail, usurper;
local discrete locked;

mode idle true { when true may next = NULL; prev = L; L = P; goto queued; }
mode queued true {
  when prev == NULL may goto critical;
  when prev != NULL may locked = 1; goto linking;
}
mode linking true { when true may prev->next = P; goto waiting; }
mode waiting true { when locked == 0 may goto critical; }
mode critical true {
  when next != NULL may goto passing;
  when next == NULL may tail = L; L = NULL; goto swapped;
}
mode swapped true {
  when tail == P may goto idle;
  when tail != P may usurper = L; L = tail; goto returned;
}
mode returned true { when next != NULL may goto choosing; }
mode choosing true {
  when usurper != NULL may usurper->next = next; goto idle;
  when usurper == NULL may goto passing;
}
mode passing true { when true may next->locked = 0; goto idle; }

initially (forall i: idle[i]) and L == NULL;
risk exists i, j: i != j and critical[i] and critical[j];
