// The MCS lock without the step that closes the door: a process that queues up does not say first that it must wait.
// expect: unsafe
// threads: 2..4
process count = 2;
global pointer L;
local pointer next, prev;
local discrete locked;

mode zero true { when true may next = NULL; goto one; }
mode one true { when true may prev = L; L = P; goto two; }
mode two true {
  when prev != NULL may goto four;
  when prev == NULL may goto six;
}
mode four true { when true may prev->next = P; goto five; }
mode five true {
  when locked == 1 may ;
  when locked == 0 may goto six;
}
mode six true {
  when next == NULL may goto seven;
  when next != NULL may goto nine;
}
mode seven true {
  when L == P may L = NULL; goto zero;
  when L != P may goto eight;
}
mode eight true {
  when next == NULL may ;
  when next != NULL may goto nine;
}
mode nine true { when true may next->locked = 0; goto zero; }

initially (forall i: zero[i] and locked[i] == 0) and L == NULL;
risk exists i, j: i != j
  and (six[i] or seven[i] or eight[i] or nine[i])
  and (six[j] or seven[j] or eight[j] or nine[j]);
