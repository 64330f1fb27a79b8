// Figure 2 of the RED paper with a goal that is there from the start: the reduction must not turn the ring away from it.
// expect: unsafe
// threads: 3
process count = 3;
local pointer next;
local discrete seen: 0..1;

mode still true { when true may next->seen = 1; }

initially next[1] == 2 and next[2] == 3 and next[3] == 1 and (forall i: seen[i] == 0);
risk next[1] == 2 and seen[1] == 1 and seen[2] == 1 and seen[3] == 1;
